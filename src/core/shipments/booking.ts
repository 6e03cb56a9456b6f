/**
 * The rules of booking a draft with its carrier, without I/O. The booking is recorded, then the carrier is called, then
 * the draft is marked as booked. A cancellation that arrives in between is carried out after that.
 * See schema/shipments.graphql.
 */
import { formatCents } from '../money.ts'
import type { Service } from '../rating/sender-service.ts'
import type { CancelOutcome, CancelTicket, NotSent, ShipmentNotFound } from './cancellation.ts'
import type { Shipment, ShipmentState } from './shipment.ts'
import type { UnknownAnswer } from './tracking.ts'

/** The shipment is booked, by this request or by an earlier one. */
export type ShipmentBooked = {
  readonly kind: 'ShipmentBooked'
  readonly shipmentId: string
  /** The carrier's tracking number. */
  readonly carrierRef: string
  readonly alreadyBooked: boolean
}

/** The shipment is cancelled, the carrier refused or could not be called, or its answer is unknown. */
export type ShipmentNotBooked = {
  readonly kind: 'ShipmentNotBooked'
  readonly shipmentId: string
  readonly code: 'NOT_BOOKABLE' | 'CARRIER_REFUSED' | 'CARRIER_UNREACHABLE' | 'CARRIER_UNAVAILABLE'
  readonly message: string
  /** True if the carrier has not confirmed or could not be called: the same request may succeed later. */
  readonly retryable: boolean
  /** Present if the carrier refused, with its own code and message, or if Waybill cannot send the booking. */
  readonly refusal?: { readonly code: string; readonly message?: string }
}

/** The price of the draft has ended, so nothing was sent. A new draft can be booked at the current price. */
export type DraftPriceExpired = {
  readonly kind: 'DraftPriceExpired'
  readonly shipmentId: string
  readonly code: 'PRICE_EXPIRED'
  readonly message: string
  readonly retryable: false
  readonly priceCents: number
  /** ISO 8601 in UTC. */
  readonly validUntil: string
  /** What the same shipment costs today. Absent if its product is no longer offered for it. */
  readonly currentPriceCents?: number
}

export type BookOutcome = ShipmentBooked | ShipmentNotBooked | DraftPriceExpired | ShipmentNotFound

/** The numbers that the carrier gave to a shipment. */
export type BookedNumbers = {
  /** The number of the shipment, or of its first parcel. */
  readonly carrierRef: string
  /** All numbers, the one of `carrierRef` first. Present if there are several. */
  readonly parcelRefs?: readonly string[]
  /** The number of the carrier's order, if it has one beside the tracking numbers. */
  readonly orderRef?: string
}

/** The carrier's answer. After `unknown` the carrier may have booked, so repeat with the same idempotency key only. */
export type CarrierBookAnswer =
  | ({ readonly kind: 'booked' } & BookedNumbers)
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | UnknownAnswer

/**
 * Waybill cannot send the booking: it does not book with this carrier, or it cannot pass on these services. The carrier
 * was not asked.
 */
export type BookingNotOffered =
  | { readonly kind: 'not_offered'; readonly code: 'NOT_OFFERED' }
  | {
      readonly kind: 'not_offered'
      readonly code: 'SERVICE_NOT_OFFERED'
      readonly services: readonly Service[]
    }

/** Whether the carrier has a booking under a shipment's id. */
export type BookingLookup =
  | ({ readonly kind: 'booked' } & BookedNumbers)
  | { readonly kind: 'none' }
  | UnknownAnswer

/** The result of beginning a booking. `begun` is true if this caller has to call the carrier. */
export type BookingBegun = {
  readonly shipment: Shipment
  readonly begun: boolean
  /**
   * An earlier booking of this draft that has not ended. `working`: a process holds its lease. `waiting`: the carrier
   * has not confirmed, and the booking will be repeated.
   */
  readonly earlier: 'none' | 'working' | 'waiting'
  /** How many bookings of this draft had begun before. */
  readonly bookingNo: number
  /** The number of this try. Tries that could not be sent count as well, except the first: it ends the booking. */
  readonly tries: number
  /** Identifies this try until the next one begins. Empty if `begun` is false. */
  readonly lease: string
}

/** The result of marking a draft as booked. `state` is the state after it. */
export type BookingMark = {
  readonly state: ShipmentState
  /** True if this call moved it from draft to booked. */
  readonly booked: boolean
  /** The stored tracking number. */
  readonly carrierRef?: string
  /** Present if a cancellation waited for the booking. The caller has to carry it out. */
  readonly withdrawal?: CancelTicket
}

/** The outcome without a call to the carrier; undefined for a draft. Shipments in transit count as booked. */
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

/** The outcome after marking, and after the cancellation that waited for it, if any. */
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

/** An answer without a booking. */
export type NoBooking = Exclude<CarrierBookAnswer, { readonly kind: 'booked' }> | BookingNotOffered | NotSent

/** The outcome of a booking that ended with this answer. */
export function carrierDidNotBook(shipmentId: string, answer: NoBooking): ShipmentNotBooked {
  switch (answer.kind) {
    case 'refused':
      return {
        ...notBooked(shipmentId, 'CARRIER_REFUSED', `The carrier refused the booking: ${answer.message}`),
        refusal: { code: answer.code, message: answer.message },
      }
    case 'not_offered':
      return {
        ...notBooked(shipmentId, 'NOT_BOOKABLE', notOffered(answer)),
        refusal: { code: answer.code },
      }
    case 'unknown':
      return bookingPending(shipmentId)
    case 'not_sent':
      return bookingUnavailable(shipmentId)
  }
}

function notOffered(answer: BookingNotOffered): string {
  return answer.code === 'NOT_OFFERED'
    ? 'Waybill does not book shipments with this carrier; nothing was sent'
    : `Waybill cannot pass ${answer.services.join(', ')} on to this carrier; nothing was sent`
}

/** Nothing was sent, and no booking is recorded. */
export function bookingUnavailable(shipmentId: string): ShipmentNotBooked {
  return notBooked(
    shipmentId,
    'CARRIER_UNAVAILABLE',
    'The carrier cannot be reached at the moment, and nothing was sent; repeat the same request later',
  )
}

export function draftPriceExpired(
  { shipmentId, priceCents }: Pick<Shipment, 'shipmentId' | 'priceCents'>,
  validUntil: string,
  currentPriceCents: number | undefined,
): DraftPriceExpired {
  const advice =
    currentPriceCents === undefined
      ? 'Its product is no longer offered for this shipment'
      : `The price today is EUR ${formatCents(currentPriceCents)}; create a new draft to book at this price`
  return {
    kind: 'DraftPriceExpired',
    shipmentId,
    code: 'PRICE_EXPIRED',
    message: `The price of EUR ${formatCents(priceCents)} was valid until ${validUntil}. ${advice}`,
    retryable: false,
    priceCents,
    validUntil,
    ...(currentPriceCents !== undefined && { currentPriceCents }),
  }
}

/** The carrier is being called, or has not confirmed. */
export function bookingPending(shipmentId: string): ShipmentNotBooked {
  return notBooked(
    shipmentId,
    'CARRIER_UNREACHABLE',
    'The carrier has not confirmed the booking yet; repeat the same request',
  )
}

function shipmentBooked(
  shipmentId: string,
  carrierRef: string | undefined,
  alreadyBooked: boolean,
): ShipmentBooked {
  // A constraint of the database ensures the tracking number in these states.
  if (carrierRef === undefined) throw new Error(`booked shipment ${shipmentId} has no tracking number`)
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
