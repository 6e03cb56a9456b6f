/**
 * A shipment and its states.
 * Source: specification 2.9 and section 3. `in_transit` comes from the carrier's scans, never from a caller.
 */
import type { Place } from '../place.ts'

/** draft → booked → in_transit; draft and booked may become cancelled. */
export type ShipmentState = 'draft' | 'booked' | 'in_transit' | 'cancelled'

/** A shipment of one account. Money in cents, times as ISO 8601 in UTC. */
export type Shipment = {
  readonly shipmentId: string
  readonly state: ShipmentState
  readonly productId: number
  readonly carrierCode: string
  /** The carrier's tracking number; present from booking on. */
  readonly carrierRef?: string
  readonly from: Place
  readonly to: Place
  /** The price it was created at, excluding VAT. */
  readonly priceCents: number
  readonly createdAt: string
  readonly cancelledAt?: string
}

/** True when a cancellation may still succeed. */
export function isCancellable(state: ShipmentState): boolean {
  return state === 'draft' || state === 'booked'
}

const SHIPMENT_ID = /^[A-Za-z0-9_-]{1,64}$/

/** True for text that could be a shipment's id; anything else (NUL, a huge text) is not worth asking for. */
export function isShipmentId(text: string): boolean {
  return SHIPMENT_ID.test(text)
}

/** How an attempt to cancel stands: not known yet, the carrier cancelled, or it finally refused. */
export type CancelAttemptPhase = 'pending' | 'accepted' | 'refused'

/** One attempt to cancel a shipment at its carrier, as its account may see it. Times as ISO 8601 in UTC. */
export type CancelAttempt = {
  readonly shipmentId: string
  readonly at: string
  readonly phase: CancelAttemptPhase
  /** Present when the carrier refused. */
  readonly refusal?: Refusal
  /** The carrier's own code of its refusal. */
  readonly carrierRefusalCode?: string
  /** When its end was known. */
  readonly settledAt?: string
  /** When the carrier is asked again at the latest; present while it is open. */
  readonly nextTryAt?: string
  /** How often the carrier was asked, always with the same idempotency key. */
  readonly sends: number
}

// A carrier's final no to a cancellation, in words that are the same for all carriers.
// Source: specification section 3 ("already picked up or in transit, or carrier refuses").

/** Why a carrier refuses for good, whatever its own codes are. */
export type RefusalCode =
  /** Picked up or scanned. */
  | 'SCANNED'
  /** Past the carrier's time for cancelling. */
  | 'WINDOW_CLOSED'
  /** The carrier knows no such parcel. */
  | 'UNKNOWN_PARCEL'
  /** Any other final no. */
  | 'NOT_CANCELLABLE'

/** A carrier's final no. */
export type Refusal = {
  readonly code: RefusalCode
  /** The carrier's own words, cleaned and capped. */
  readonly reason: string
}
