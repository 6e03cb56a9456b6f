/** Calls to carriers. Types only; `carriers/` implements them. */

import type { BookingLookup, BookingNotOffered, CarrierBookAnswer } from '../../core/shipments/booking.ts'
import type {
  CancelTicket,
  CarrierCancelAnswer,
  NotSent,
  SuspectDraft,
} from '../../core/shipments/cancellation.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer, TrackedParcel } from '../../core/shipments/tracking.ts'

/**
 * Calls carriers. Each method makes one try and never throws. It returns within the time limit of the call plus a short
 * wait for a slot. `unknown`: the carrier may have processed the request. `not_sent`: nothing was sent. Texts from
 * carriers are cleaned and truncated.
 */
export interface CarrierGateway {
  /**
   * Reserves a slot for one `cancel` or `book` of a caller, before that call is recorded, and gets the access token for
   * it. `not_sent`: no connector, the circuit is open, no slot became free in time, or there is no token.
   */
  admit(shipment: {
    accountId: string
    carrierCode: string
    carrierRef?: string
  }): Promise<Admission | NotSent>
  /**
   * Asks the carrier to cancel `ticket.carrierRef`. The idempotency key is the same on every send. With an admission
   * the call is always sent, if the carrier is still configured.
   */
  cancel(
    ticket: CancelTicket,
    by?: CallOrigin | Admission,
    terms?: CancelTerms,
  ): Promise<CarrierCancelAnswer | NotSent>
  /** Whether the carrier numbers and cancels each parcel. Otherwise one request cancels the whole shipment. */
  cancelsEachParcel(carrierCode: string): boolean
  /** The shipment's id is the idempotency key: a repeat books nothing and returns the same tracking number. */
  book(
    accountId: string,
    shipment: Shipment,
    by?: CallOrigin | Admission,
  ): Promise<CarrierBookAnswer | BookingNotOffered | NotSent>
  /**
   * Finds out whether the carrier has a booking under the shipment's id. `none` without a call if shipments are not
   * booked with this carrier through Waybill.
   */
  findBooking(draft: Omit<SuspectDraft, 'lineage'>, origin?: CallOrigin): Promise<BookingLookup | NotSent>
  /** Looks up a parcel. `not_sent` if the carrier has no lookup. */
  track(parcel: TrackedParcel, timeoutMs?: number, origin?: CallOrigin): Promise<CarrierTrackAnswer | NotSent>
  /**
   * Looks parcels up for routine tracking, in one call if the carrier offers that. All parcels have the same
   * `trackingRoom` key, and there are at most `batch`. Returns the answers in the order of the parcels. Leaves a part
   * of the carrier's quota to `track`.
   */
  trackMany(parcels: readonly TrackedParcel[]): Promise<readonly (CarrierTrackAnswer | NotSent)[]>
  /** What routine tracking of the account's parcels at a carrier may do now. */
  trackingRoom(carrierCode: string, accountId: string): TrackingRoom
  canLookUp(carrierCode: string): boolean
  /** How long a lookup may still report a cancelled parcel as announced, in milliseconds. */
  lookupLagMs(carrierCode: string): number
  /**
   * The key of the account's channel (set of credentials) at a carrier. Accounts with the same channel share its slots
   * and circuits. Channels do not affect each other.
   */
  channelOf(carrierCode: string, accountId: string): string
  /**
   * How many calls of this kind background work may start now in the account's channel: none while the circuit is open,
   * one (the trial call) while it is half-open, otherwise as many as there are free background slots.
   */
  room(carrierCode: string, accountId: string, kind: CarrierCallKind): number
}

export type TrackingRoom = {
  /** Accounts with the same key share the limits, and their parcels may be looked up in one call. */
  readonly key: string
  /** Shortest interval between lookups of one parcel, in milliseconds. */
  readonly everyMs: number
  /** Whether lookups tell deliveries. Otherwise parcels in transit are not looked up. Default: false. */
  readonly tellsDeliveries?: boolean
  /** Parcels in one call. */
  readonly batch: number
  /** Calls that may start now: 0 while the circuit is open or the carrier's quota is used up. */
  readonly calls: number
}

export type CancelTerms = {
  /** Default: the id of the attempt. */
  readonly idempotencyKey?: string
  /** Read directly before the request is sent. If it returns false, nothing is sent. */
  mayStillSend?(): boolean
}

/** A reserved slot. The call that uses it returns it. */
export type Admission = {
  readonly kind: 'admitted'
  /** Returns the slot, if no call has used it. May be called at any time, and more than once. */
  leave(): void
}

/**
 * `caller` if a caller waits for the call (the default), otherwise `background`. Each origin has its own slots in a
 * channel.
 */
export type CallOrigin = 'caller' | 'background'

/** Calls that change something at the carrier, and calls that only read. */
export type CarrierCallKind = 'command' | 'lookup'
