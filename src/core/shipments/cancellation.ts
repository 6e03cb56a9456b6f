/**
 * How a cancellation can end, in one place for both doors, with the texts partners read.
 * Source: specification section 3 and 7.1; decisions 20 to 22 of the README.
 */
import type { ShipmentState } from './shipment.ts'

/** The shipment is cancelled, now or already before. */
export type ShipmentCancelled = {
  readonly kind: 'ShipmentCancelled'
  readonly shipmentId: string
  readonly message: string
  readonly alreadyCancelled: boolean
  /** True when the carrier was told (drafts never reach a carrier). */
  readonly carrierNotified: boolean
}

/** The shipment stays as it is: it is in transit, or its carrier finally refused. */
export type ShipmentNotCancelled = {
  readonly kind: 'ShipmentNotCancelled'
  readonly shipmentId: string
  readonly code: 'ALREADY_IN_TRANSIT' | 'CARRIER_REFUSED'
  readonly message: string
  readonly retryable: false
  /** The carrier's own words, cleaned and capped; absent when no carrier was asked. */
  readonly carrierReason?: string
}

/** The carrier was asked and has not confirmed; the attempt is kept, repeating the call tells its end. */
export type CancellationPending = {
  readonly kind: 'CancellationPending'
  readonly shipmentId: string
  readonly code: 'CARRIER_UNREACHABLE'
  readonly message: string
  readonly retryable: true
}

/** No such shipment in the caller's account: a wrong id and another account's shipment are the same. */
export type ShipmentNotFound = {
  readonly kind: 'ShipmentNotFound'
  readonly code: 'NOT_FOUND'
  readonly message: string
  readonly retryable: false
}

/** Every end of `cancelShipment`. */
export type CancelOutcome = ShipmentCancelled | ShipmentNotCancelled | CancellationPending | ShipmentNotFound

/**
 * The carrier's answer to one send, after its connector judged it. `cancelled`: done, now or before, or taken
 * on as certain. `refused`: final, by a code on that carrier's list. Everything else is `unknown`.
 */
export type CarrierCancelAnswer =
  | { readonly kind: 'cancelled'; readonly how: 'now' | 'already' | 'accepted' }
  | {
      readonly kind: 'refused'
      readonly reason: 'SCANNED' | 'WINDOW_CLOSED' | 'NOT_CANCELLABLE'
      /** The carrier's own code, for the record. */
      readonly code: string
      /** The carrier's own words, cleaned and capped. */
      readonly message: string
    }
  | { readonly kind: 'unknown'; readonly cause: string }

/** An attempt this process holds the lease of: it alone may ask the carrier, under `attemptId` as key. */
export type CancelTicket = {
  readonly attemptId: string
  readonly shipmentId: string
  readonly carrierCode: string
  readonly carrierRef: string
  /** Rises with each take-over; a settlement with an older one is void. */
  readonly fence: number
  /** How often the carrier has been asked, this time included. */
  readonly sends: number
}

/** What the begin statement found and did, all in one; `state` is the state behind it. */
export type CancelBegun = {
  readonly state: ShipmentState
  /** True when this very call cancelled a draft. */
  readonly draftCancelled: boolean
  /** Present from booking on. */
  readonly carrierRef?: string
  /** Present when this caller is the one to ask the carrier. */
  readonly ticket?: CancelTicket
  /** A final refusal so recent that the carrier need not be asked again. */
  readonly recentRefusal?: string
}

/** How a booked shipment and its open attempt stand, for a follower who waits for another's answer. */
export type CancelStanding = {
  readonly state: ShipmentState
  /** `working`: under a live lease. `waiting`: kept, nobody is at it. `none`: settled. */
  readonly attempt: 'working' | 'waiting' | 'none'
  readonly carrierRef?: string
  /** The carrier's words of the last refusal. */
  readonly refusal?: string
}

/** What a caller does after begin: it has its answer, or it asks the carrier, or it waits for who does. */
export type CancelStep =
  | { readonly kind: 'Answer'; readonly outcome: CancelOutcome }
  | { readonly kind: 'AskCarrier'; readonly ticket: CancelTicket }
  | { readonly kind: 'Follow' }

/** What a carrier's answer means for the attempt. */
export type Settlement =
  | { readonly kind: 'Accept' }
  | { readonly kind: 'Refuse'; readonly reason: string }
  | { readonly kind: 'Release'; readonly cause: string; readonly retryInMs: number }

/** Longest pause before an attempt is driven on, in milliseconds: 5 minutes. */
export const RETRY_MAX_MS = 300_000
const RETRY_FIRST_MS = 1_000

/** Reads the result of begin; the state decides before any memory of a refusal. Undefined: no such shipment. */
export function afterBegin(shipmentId: string, begun: CancelBegun | undefined): CancelStep {
  if (begun === undefined) return { kind: 'Answer', outcome: shipmentNotFound() }
  if (begun.ticket !== undefined) return { kind: 'AskCarrier', ticket: begun.ticket }
  const answer = (outcome: CancelOutcome): CancelStep => ({ kind: 'Answer', outcome })
  switch (begun.state) {
    case 'draft':
    case 'booked':
      if (begun.recentRefusal === undefined) return { kind: 'Follow' }
      return answer(carrierRefused(shipmentId, begun.recentRefusal))
    case 'in_transit':
      return answer(alreadyInTransit(shipmentId))
    case 'cancelled':
      return answer(
        shipmentCancelled(shipmentId, {
          alreadyCancelled: !begun.draftCancelled,
          carrierNotified: begun.carrierRef !== undefined,
        }),
      )
  }
}

/**
 * What a follower can answer, or undefined while another process is still at it. It found the shipment booked
 * with an open attempt, so an attempt that is gone while the shipment is still booked was refused.
 */
export function afterLook(
  shipmentId: string,
  standing: CancelStanding | undefined,
): CancelOutcome | undefined {
  if (standing === undefined) return shipmentNotFound()
  switch (standing.state) {
    case 'cancelled':
      return shipmentCancelled(shipmentId, {
        alreadyCancelled: false,
        carrierNotified: standing.carrierRef !== undefined,
      })
    case 'in_transit':
      return alreadyInTransit(shipmentId)
    case 'draft':
    case 'booked':
      if (standing.attempt === 'working') return undefined
      if (standing.attempt === 'none' && standing.refusal !== undefined)
        return carrierRefused(shipmentId, standing.refusal)
      return cancellationPending(shipmentId)
  }
}

/** What is to become of an attempt; `jitter` is 0 to 1. Only a final refusal refuses, doubt never does. */
export function settlementOf(answer: CarrierCancelAnswer, sends: number, jitter: number): Settlement {
  switch (answer.kind) {
    case 'cancelled':
      return { kind: 'Accept' }
    case 'refused':
      return { kind: 'Refuse', reason: answer.message }
    case 'unknown':
      return { kind: 'Release', cause: answer.cause, retryInMs: retryDelayMs(sends, jitter) }
  }
}

/** Milliseconds until the next send: doubling from 1 s to 5 min, of which `jitter` (0 to 1) takes off half. */
export function retryDelayMs(sends: number, jitter: number): number {
  const fullMs = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (sends - 1))
  return Math.round(fullMs * (1 - jitter / 2))
}

/**
 * Success: of this call, or of one before it. The words are the same, so that callers who ask at once read the
 * same answer whichever of them was first; `alreadyCancelled` tells them apart.
 */
export function shipmentCancelled(
  shipmentId: string,
  how: Pick<ShipmentCancelled, 'alreadyCancelled' | 'carrierNotified'>,
): ShipmentCancelled {
  return { kind: 'ShipmentCancelled', shipmentId, message: 'The shipment is cancelled', ...how }
}

/** The parcel is on its way. `carrierReason` is left out: no carrier was asked. */
export function alreadyInTransit(shipmentId: string): ShipmentNotCancelled {
  return {
    kind: 'ShipmentNotCancelled',
    shipmentId,
    code: 'ALREADY_IN_TRANSIT',
    message: 'The shipment is already in transit and cannot be cancelled',
    retryable: false,
  }
}

/** The carrier's final no, in its own words (cleaned and capped at the gateway). */
export function carrierRefused(shipmentId: string, carrierReason: string): ShipmentNotCancelled {
  return {
    kind: 'ShipmentNotCancelled',
    shipmentId,
    code: 'CARRIER_REFUSED',
    message: `The carrier refused the cancellation: ${carrierReason}`,
    retryable: false,
    carrierReason,
  }
}

/** The carrier was asked and the answer is not known (README decision 20). */
export function cancellationPending(shipmentId: string): CancellationPending {
  return {
    kind: 'CancellationPending',
    shipmentId,
    code: 'CARRIER_UNREACHABLE',
    message: 'The carrier has not confirmed yet; repeat the same request',
    retryable: true,
  }
}

/** The same text for every id: it must not tell a wrong one from another account's. */
export function shipmentNotFound(): ShipmentNotFound {
  return { kind: 'ShipmentNotFound', code: 'NOT_FOUND', message: 'Shipment not found', retryable: false }
}
