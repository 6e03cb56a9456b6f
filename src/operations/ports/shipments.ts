/** Where shipments, bookings and cancellations are recorded. Types only; `store/` implements them. */

import type { RatesRequest } from '../../core/rating/request.ts'
import type { BookingBegun, BookingMark } from '../../core/shipments/booking.ts'
import type {
  CancelBegun,
  CancelledBy,
  CancelProgress,
  CancelTicket,
  SuspectDraft,
} from '../../core/shipments/cancellation.ts'
import type { NewDraftShipment } from '../../core/shipments/draft-shipment.ts'
import type { DraftUsage } from '../../core/shipments/draft-terms.ts'
import type { ParcelResult, Release } from '../../core/shipments/parcels.ts'
import type {
  CancelAttempt,
  CancelAttemptPhase,
  ContentSizes,
  Refusal,
  Shipment,
  ShipmentContents,
  ShipmentState,
  ShownState,
} from '../../core/shipments/shipment.ts'
import type { TrackingEvent } from '../../core/shipments/tracking.ts'
import type { InvalidCursor, Page, PageRequest } from './pages.ts'

/** The shipments of a list. A shipment must match every field; absent fields match all. */
export type ShipmentFilter = {
  /** Not empty. */
  readonly states?: readonly ShownState[]
  /** Ids that exist in no account match nothing. */
  readonly ids?: readonly string[]
  readonly reference?: string
  /** ISO 8601, inclusive. */
  readonly createdFrom?: string
  /** ISO 8601, exclusive. */
  readonly createdBefore?: string
}

/** By time of creation, then by id. */
export type ShipmentSort = 'newest' | 'oldest'

export type ShipmentPageRequest = PageRequest & {
  readonly filter: ShipmentFilter
  readonly sort: ShipmentSort
}

export type CancelBeginTerms = {
  /** Whether an attempt may be opened or taken over. Without it, only drafts are cancelled. */
  readonly mayOpen: boolean
  /** How long the process holds the lease of the attempt. */
  readonly leaseMs: number
  /** How long a refusal is remembered. */
  readonly refusalMemoryMs: number
  /** Kept with an attempt that is opened. See `CancelTicket.traceParent`. */
  readonly traceParent?: string
  /** The request that cancels the shipment, for the journal. */
  readonly requestId?: string | undefined
  /** Whether the result contains the draft that the statement has cancelled. Default: false. */
  readonly withShipment?: boolean
}

/** An idempotency key, and the input that it was sent with. Two inputs are the same if their texts are equal. */
export type DraftKey = { readonly key: string; readonly input: string }

/** The draft of an idempotency key. */
export type KeyedDraft = {
  readonly shipment: Shipment
  /** Whether it was created from the same input. */
  readonly isSameInput: boolean
  /** Whether this call has created it. */
  readonly isNew: boolean
}

export type BookingBeginTerms = {
  /** Whether the booking may be recorded. Without it, the draft is only read. */
  readonly mayOpen: boolean
  readonly leaseMs: number
  /**
   * The `bookingNo` that was read: nothing is recorded if a booking has begun since. Absent: it may have any number.
   */
  readonly bookingNo?: number
}

/**
 * Thrown by the methods that begin something, if their statement was certainly not executed: no connection was
 * available, the database rejected the statement, or it came too late. `cause` is the error of the database. After any
 * other error the statement may have been executed.
 */
export class NotExecuted extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/**
 * Stores shipments and attempts to cancel them. A shipment of another account counts as not found, as does a malformed
 * id (see `isShipmentId`). Every method is one statement, and throws if the store is unreachable.
 */
export interface ShipmentStore {
  find(accountId: string, shipmentId: string): Promise<Shipment | undefined>
  /** The shipments with these ids that exist in the account, each once, in any order. */
  findMany(accountId: string, shipmentIds: readonly string[]): Promise<readonly Shipment[]>
  /**
   * Reads at most two rows more than the page has. Shipments that are created between two pages do not move the others.
   */
  list(accountId: string, request: ShipmentPageRequest): Promise<Page<Shipment> | InvalidCursor>
  /** The number of shipments that match, but at most `countedUpTo`. Reads at most as many rows. */
  count(accountId: string, filter: ShipmentFilter, countedUpTo: number): Promise<number>
  /** The sizes of the contents of these shipments, by shipment id, for those that exist in the account. */
  contentSizes(accountId: string, shipmentIds: readonly string[]): Promise<ReadonlyMap<string, ContentSizes>>
  /** What is in these shipments, for those that exist in the account, in any order. */
  contents(accountId: string, shipmentIds: readonly string[]): Promise<readonly ShipmentContents[]>
  /** The attempts to cancel several shipments, oldest first. */
  attempts(accountId: string, shipmentIds: readonly string[]): Promise<readonly CancelAttempt[]>
  /**
   * What happened to several shipments: the same page of the events of each, oldest first. There is no page for a
   * shipment without events.
   */
  trackingEvents(
    accountId: string,
    shipmentIds: readonly string[],
    request: PageRequest,
  ): Promise<ReadonlyMap<string, Page<TrackingEvent>> | InvalidCursor>
  /** The unbooked shipments of the account whose contents are stored. */
  draftUsage(accountId: string): Promise<DraftUsage>
  /** The request that a draft was priced for. Undefined: no such shipment, or its parcels are not stored. */
  pricedRequest(accountId: string, shipmentId: string): Promise<RatesRequest | undefined>
  /**
   * Cancels up to `limit` drafts that are older than `keptDays`, and removes the contents of shipments of that age that
   * were never booked. Returns how many. Skips imported shipments, running bookings and suspect drafts.
   */
  expireDrafts(keptDays: number, limit: number): Promise<number>
  /** Stores a draft under a new random id. */
  insertDraft(accountId: string, shipment: NewDraftShipment): Promise<Shipment>
  /** The draft that was created with an idempotency key in the last 24 hours, as it is now. */
  keyedDraft(accountId: string, key: DraftKey): Promise<KeyedDraft | undefined>
  /**
   * Stores a draft with its key, or neither if the key was used in the last 24 hours. Returns the draft of the key. Of
   * concurrent calls, one stores its draft, and all return it.
   */
  insertKeyedDraft(accountId: string, key: DraftKey, shipment: NewDraftShipment): Promise<KeyedDraft>
  /** Deletes up to `limit` idempotency keys that are older than 24 hours. Returns how many. */
  expireDraftKeys(limit: number): Promise<number>
  /**
   * Records that a draft is being booked, before the carrier is called. `begun` is false if the shipment is not a
   * draft, another process is booking it, or `mayOpen` is false. Undefined: no such shipment. May throw `NotExecuted`.
   */
  beginBooking(
    accountId: string,
    shipmentId: string,
    terms: BookingBeginTerms,
  ): Promise<BookingBegun | undefined>
  /**
   * Moves a draft to booked. `parcelRefs` are all its numbers, if it has several, and `orderRef` is the
   * number of its order, if the carrier has one. If the draft was cancelled in the
   * meantime, or a cancellation waits for the booking, opens an attempt to cancel it, with a lease of `leaseMs`.
   * Undefined: no such shipment.
   */
  markBooked(
    accountId: string,
    shipmentId: string,
    carrierRef: string,
    leaseMs: number,
    parcelRefs?: readonly string[],
    orderRef?: string,
  ): Promise<BookingMark | undefined>
  /**
   * Records a try that did not book. With `retryInMs`, the outcome is unknown and the booking is due again after that
   * time. Without it, nothing was booked, and a waiting cancellation is carried out. `wasAsked` is false if nothing was
   * sent to the carrier: the cancellation of a suspect draft then still waits. No effect if another process has tried
   * since.
   */
  settleBooking(
    accountId: string,
    shipmentId: string,
    lease: string,
    retryInMs: number | undefined,
    wasAsked?: boolean,
  ): Promise<void>
  /**
   * Records that the carrier has no booking for the draft, in the lineage in which it was found. No effect if the draft
   * has changed since.
   */
  confirmDraft(draft: SuspectDraft): Promise<void>
  /**
   * Cancels a draft, or opens or takes over the attempt of a booked shipment. For a draft that is being booked, records
   * that the end of the booking has to cancel it. A suspect draft is returned as it is. Undefined: no such shipment.
   * May throw `NotExecuted`, for example if the statement reached the database too late to have an effect.
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
  /**
   * Records that the carrier cancelled, regardless of the fence, to be verified in `verifyInMs` unless that is
   * undefined. With `isFound`, only a lookup says so, and the store plans lookups that verify it. Returns the
   * shipment's new state.
   */
  acceptCancellation(
    ticket: CancelTicket,
    cancelledBy: CancelledBy,
    verifyInMs?: number,
    isFound?: boolean,
  ): Promise<ShipmentState>
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
  /**
   * Ends the lease; the attempt stays open. Returns the shipment's state, or undefined if another process has taken
   * over.
   */
  releaseCancellation(ticket: CancelTicket, release: Release): Promise<ShipmentState | undefined>
  /**
   * Records what is known about one parcel of an open attempt. `cancelled` counts always; everything else has no effect
   * if another process has taken over. Returns the phase of the attempt.
   */
  recordParcel(ticket: CancelTicket, carrierRef: string, result: ParcelResult): Promise<CancelAttemptPhase>
  /** Records that operators know that the carrier cancelled only some of the parcels. */
  recordPartAlert(ticket: CancelTicket): Promise<void>
  /** Releases every lease of this process. Returns how many. */
  releaseLeases(): Promise<number>
}
