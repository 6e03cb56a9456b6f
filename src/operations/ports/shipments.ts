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

/** A page of shipments asked for; `after` is a cursor of an earlier page. */
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

/** How long a begun cancellation is this process's own, and a refusal is remembered; milliseconds. */
export type CancelBeginTerms = { readonly leaseMs: number; readonly refusalMemoryMs: number }

/** When an attempt of unknown end is asked about again: by the sweeper, and at the earliest by a caller. */
export type RetryTimes = { readonly retryInMs: number; readonly callerWaitMs: number }

/**
 * Keeps shipments and attempts to cancel them. Account and id are one question: another account's shipment is
 * not found, nor is an id that could be none (`isShipmentId`). Every method is one statement; all throw when
 * the store is out of reach.
 */
export interface ShipmentStore {
  find(accountId: string, shipmentId: string): Promise<Shipment | undefined>
  /** Those of the ids that exist in the account, each once, in any order. */
  findMany(accountId: string, shipmentIds: readonly string[]): Promise<readonly Shipment[]>
  /** Undefined when `after` is no cursor of ours. */
  list(accountId: string, request: ShipmentPageRequest): Promise<ShipmentPage | undefined>
  /** The attempts of several shipments, oldest first. */
  attempts(accountId: string, shipmentIds: readonly string[]): Promise<readonly CancelAttempt[]>
  /** Keeps a draft under a new random id. */
  insertDraft(accountId: string, shipment: NewDraftShipment): Promise<Shipment>
  /**
   * Puts on record that a draft is being booked, before its carrier hears of it. `begun` is false when its state
   * does not allow it, or another process is at it. Undefined: no such shipment.
   */
  beginBooking(accountId: string, shipmentId: string, leaseMs: number): Promise<BookingBegun | undefined>
  /**
   * Moves a draft to booked. When somebody wants it cancelled meanwhile, or it is cancelled already, opens the attempt
   * for that, under a lease of `leaseMs`. Undefined: no such shipment.
   */
  markBooked(
    accountId: string,
    shipmentId: string,
    carrierRef: string,
    leaseMs: number,
  ): Promise<BookingMark | undefined>
  /**
   * The carrier did not book (`retryInMs` undefined: for good, so that a cancellation that waits is carried out), or
   * what it did is not known. Void when another has tried since.
   */
  settleBooking(
    accountId: string,
    shipmentId: string,
    tries: number,
    retryInMs: number | undefined,
  ): Promise<void>
  /**
   * Cancels a draft (one that is being booked when that has ended), or opens or takes over the attempt of a booked
   * shipment. Undefined: no such shipment.
   */
  beginCancellation(
    accountId: string,
    shipmentId: string,
    terms: CancelBeginTerms,
  ): Promise<CancelBegun | undefined>
  /** How the shipment and its open attempt stand; asks nothing of anyone. */
  cancelProgress(
    accountId: string,
    shipmentId: string,
    refusalMemoryMs: number,
  ): Promise<CancelProgress | undefined>
  /** The carrier cancelled: always wins. Answers the shipment's state behind it. */
  acceptCancellation(ticket: CancelTicket, cancelledBy: CancelledBy): Promise<ShipmentState>
  /**
   * The carrier finally refused; to be looked into in `verifyInMs`, unless it is undefined. Answers the shipment's
   * state, or undefined when another has taken the attempt over: this answer is void.
   */
  refuseCancellation(
    ticket: CancelTicket,
    refusal: Refusal,
    carrierCode: string,
    verifyInMs: number | undefined,
  ): Promise<ShipmentState | undefined>
  /** Nothing is known. The shipment's state, or undefined when another has taken the attempt over. */
  releaseCancellation(
    ticket: CancelTicket,
    cause: string,
    times: RetryTimes,
  ): Promise<ShipmentState | undefined>
  /**
   * Nothing was sent this time. An attempt that never was is removed (`withdrawn`); one that may have got through
   * earlier waits on (`waiting`). `void`: another has taken it over.
   */
  withdrawCancellation(
    ticket: CancelTicket,
    cause: string,
    times: RetryTimes,
  ): Promise<'withdrawn' | 'waiting' | 'void'>
  /** Shutdown: gives up every lease of this process; answers how many. */
  releaseLeases(): Promise<number>
}
