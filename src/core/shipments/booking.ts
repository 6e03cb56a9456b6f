/**
 * How booking a draft with its carrier can end. The booking is on record, then the carrier is asked, then
 * the draft is marked; a cancellation that comes in between waits for that, and is made then.
 * Source: schema/shipments.graphql; specification section 3 names the state, not the way into it.
 */
import type { CancelOutcome, CancelTicket, NotSent, ShipmentNotFound } from './cancellation.ts'
import type { Shipment, ShipmentState } from './shipment.ts'

/** The shipment is announced to its carrier, now or already before. */
export type ShipmentBooked = {
  readonly kind: 'ShipmentBooked'
  readonly shipmentId: string
  /** The carrier's tracking number. */
  readonly carrierRef: string
  readonly alreadyBooked: boolean
}

/** The shipment is not booked: its state does not allow it, or the carrier did not take it. */
export type ShipmentNotBooked = {
  readonly kind: 'ShipmentNotBooked'
  readonly shipmentId: string
  readonly code: 'NOT_BOOKABLE' | 'CARRIER_REFUSED' | 'CARRIER_UNREACHABLE' | 'CARRIER_UNAVAILABLE'
  readonly message: string
  /** True when the carrier has not confirmed or could not be asked: the same request may succeed later. */
  readonly retryable: boolean
}

/** Every end of `bookShipment`. */
export type BookOutcome = ShipmentBooked | ShipmentNotBooked | ShipmentNotFound

/** The carrier's answer to a booking. `unknown` may have booked: ask again with the same key, never anew. */
export type CarrierBookAnswer =
  | { readonly kind: 'booked'; readonly carrierRef: string }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly cause: string }

/** What the record of a booking that begins found; `begun` is true when this caller is the one to ask the carrier. */
export type BookingBegun = {
  readonly shipment: Shipment
  readonly begun: boolean
  /** How often its carrier was asked with an end that is not known, this time included. */
  readonly tries: number
}

/** What marking a draft as booked found and did; `state` is the state behind it. */
export type BookingMark = {
  readonly state: ShipmentState
  /** True when this very call moved it from draft to booked. */
  readonly booked: boolean
  /** The reference on record. */
  readonly carrierRef?: string
  /** Present when it is to be cancelled, since somebody asked for that meanwhile: this caller asks the carrier. */
  readonly withdrawal?: CancelTicket
}

/** The end that needs no carrier, or undefined for a draft. In transit it has been booked, so a repeat succeeds. */
export function bookedAlready(shipment: Shipment): BookOutcome | undefined {
  switch (shipment.state) {
    case 'draft':
      return undefined
    case 'booked':
    case 'in_transit':
      return shipmentBooked(shipment.shipmentId, shipment.carrierRef, true)
    case 'cancelled':
      return notBookable(shipment.shipmentId)
  }
}

/** The end after marking, and after the cancellation that waited for it, if any. */
export function afterMark(
  shipmentId: string,
  mark: BookingMark,
  cancellation: CancelOutcome | undefined,
): BookOutcome {
  if (cancellation?.kind === 'ShipmentCancelled') return notBookable(shipmentId)
  switch (mark.state) {
    case 'booked':
    case 'in_transit':
      return shipmentBooked(shipmentId, mark.carrierRef, !mark.booked)
    case 'draft':
    case 'cancelled':
      return notBookable(shipmentId)
  }
}

/** The end when the carrier did not book. */
export function carrierDidNotBook(
  shipmentId: string,
  answer: Exclude<CarrierBookAnswer, { readonly kind: 'booked' }> | NotSent,
): ShipmentNotBooked {
  switch (answer.kind) {
    case 'refused':
      return notBooked(shipmentId, 'CARRIER_REFUSED', `The carrier refused the booking: ${answer.message}`)
    case 'unknown':
      return bookingPending(shipmentId)
    case 'not_sent':
      return notBooked(
        shipmentId,
        'CARRIER_UNAVAILABLE',
        'The carrier cannot be asked at the moment and nothing was sent; repeat the same request later',
      )
  }
}

/** The carrier is being asked, or was and has not confirmed. */
export function bookingPending(shipmentId: string): ShipmentNotBooked {
  return notBooked(
    shipmentId,
    'CARRIER_UNREACHABLE',
    'The carrier has not confirmed yet; repeat the same request',
  )
}

function shipmentBooked(
  shipmentId: string,
  carrierRef: string | undefined,
  alreadyBooked: boolean,
): ShipmentBooked {
  // The database holds a reference for every shipment in these states.
  if (carrierRef === undefined) throw new Error(`booked shipment ${shipmentId} has no carrier reference`)
  return { kind: 'ShipmentBooked', shipmentId, carrierRef, alreadyBooked }
}

function notBookable(shipmentId: string): ShipmentNotBooked {
  return notBooked(shipmentId, 'NOT_BOOKABLE', 'The shipment is cancelled and cannot be booked')
}

function notBooked(shipmentId: string, code: ShipmentNotBooked['code'], message: string): ShipmentNotBooked {
  return {
    kind: 'ShipmentNotBooked',
    shipmentId,
    code,
    message,
    retryable: code === 'CARRIER_UNREACHABLE' || code === 'CARRIER_UNAVAILABLE',
  }
}
