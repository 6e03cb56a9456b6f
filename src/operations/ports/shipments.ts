/** Where shipments, bookings and cancellations are recorded. Types only; `store/` implements them. */

import type { BookingBegun, BookingMark } from '../../core/shipments/booking.ts'
import type {
  CancelBegun,
  CancelledBy,
  CancelProgress,
  CancelTicket,
} from '../../core/shipments/cancellation.ts'
import type { NewDraftShipment } from '../../core/shipments/draft-shipment.ts'
import type { CancelAttempt, Refusal, Shipment, ShipmentState } from '../../core/shipments/shipment.ts'

/** `after` is a cursor of an earlier page. */
export type ShipmentPageRequest = {
  readonly first: number
  readonly after?: string
  readonly state?: ShipmentState
}

/** A page of shipments, newest first, each with its cursor. */
export type ShipmentPage = {
  readonly edges: readonly { readonly cursor: string; readonly shipment: Shipment }[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** How long the process holds the lease of a cancellation, and how long a refusal is remembered. */
export type CancelBeginTerms = { readonly leaseMs: number; readonly refusalMemoryMs: number }

/**
 * When an unconfirmed attempt is sent again: after `retryInMs` by the sweeper, after `callerWaitMs` if a caller repeats
 * the request.
 */
export type RetryTimes = { readonly retryInMs: number; readonly callerWaitMs: number }

/**
 * Stores shipments and attempts to cancel them. A shipment of another account counts as not found, as does a malformed
 * id (see `isShipmentId`). Every method is one statement, and throws if the store is out of reach.
 */
export interface ShipmentStore {
  find(accountId: string, shipmentId: string): Promise<Shipment | undefined>
  /** The shipments with these ids that exist in the account, each once, in any order. */
  findMany(accountId: string, shipmentIds: readonly string[]): Promise<readonly Shipment[]>
  /** Undefined if `after` is not a valid cursor. */
  list(accountId: string, request: ShipmentPageRequest): Promise<ShipmentPage | undefined>
  /** The attempts to cancel several shipments, oldest first. */
  attempts(accountId: string, shipmentIds: readonly string[]): Promise<readonly CancelAttempt[]>
  /** Stores a draft under a new random id. */
  insertDraft(accountId: string, shipment: NewDraftShipment): Promise<Shipment>
  /**
   * Records that a draft is being booked, before the carrier is called. `begun` is false if the shipment is not a draft,
   * or another process is booking it. Undefined: no such shipment.
   */
  beginBooking(accountId: string, shipmentId: string, leaseMs: number): Promise<BookingBegun | undefined>
  /**
   * Moves a draft to booked. If the draft was cancelled in the meantime, or a cancellation waits for the booking, opens
   * an attempt to cancel it, with a lease of `leaseMs`. Undefined: no such shipment.
   */
  markBooked(
    accountId: string,
    shipmentId: string,
    carrierRef: string,
    leaseMs: number,
  ): Promise<BookingMark | undefined>
  /**
   * Records a try that did not book. With `retryInMs`, the outcome is unknown and the booking is due again after that
   * time. Without it, nothing was booked, and a waiting cancellation is carried out. No effect if another process has
   * tried since.
   */
  settleBooking(
    accountId: string,
    shipmentId: string,
    tries: number,
    retryInMs: number | undefined,
  ): Promise<void>
  /**
   * Cancels a draft, or opens or takes over the attempt of a booked shipment. For a draft that is being booked, records
   * that the end of the booking has to cancel it. Undefined: no such shipment.
   */
  beginCancellation(
    accountId: string,
    shipmentId: string,
    terms: CancelBeginTerms,
  ): Promise<CancelBegun | undefined>
  /** Reads the state of the shipment and its open attempt. */
  cancelProgress(
    accountId: string,
    shipmentId: string,
    refusalMemoryMs: number,
  ): Promise<CancelProgress | undefined>
  /** Records that the carrier cancelled, regardless of the fence. Returns the shipment's new state. */
  acceptCancellation(ticket: CancelTicket, cancelledBy: CancelledBy): Promise<ShipmentState>
  /**
   * Records a final refusal, to be verified in `verifyInMs` unless that is undefined. Returns the shipment's state, or
   * undefined if another process has taken the attempt over; then nothing is recorded.
   */
  refuseCancellation(
    ticket: CancelTicket,
    refusal: Refusal,
    carrierCode: string,
    verifyInMs: number | undefined,
  ): Promise<ShipmentState | undefined>
  /** Records an unconfirmed send. Returns the shipment's state, or undefined if another process has taken over. */
  releaseCancellation(
    ticket: CancelTicket,
    cause: string,
    times: RetryTimes,
  ): Promise<ShipmentState | undefined>
  /**
   * Records that nothing was sent this time. The attempt is removed if it was never sent (`withdrawn`), and stays open
   * if an earlier send may have arrived (`waiting`). `void`: another process has taken it over.
   */
  withdrawCancellation(
    ticket: CancelTicket,
    cause: string,
    times: RetryTimes,
  ): Promise<'withdrawn' | 'waiting' | 'void'>
  /** Releases every lease of this process. Returns how many. */
  releaseLeases(): Promise<number>
}
