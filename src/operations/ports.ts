/**
 * What the operations need from outside, as types only. `store/` and `carriers/` implement them, `app.ts`
 * puts them together, tests replace them one by one.
 */
import type { HsCandidate } from '../core/customs/classification/classify.ts'
import type { CustomsTables } from '../core/customs/tables.ts'
import type { RateBook } from '../core/rating/book/rate-book.ts'
import type { BookingBegun, BookingMark, CarrierBookAnswer } from '../core/shipments/booking.ts'
import type {
  CancelBegun,
  CancelledBy,
  CancelStanding,
  CancelTicket,
  CarrierCancelAnswer,
  NotSent,
} from '../core/shipments/cancellation.ts'
import type { NewDraft } from '../core/shipments/draft-shipment.ts'
import type { CancelAttempt, Refusal, Shipment, ShipmentState } from '../core/shipments/shipment.ts'
import type { CarrierTrackAnswer, TrackedParcel } from '../core/shipments/tracking.ts'
import type { RecoveryStore, TrackingStore } from './ports/recovery.ts'
import type { Turns } from './ports/work.ts'

export type * from './ports/recovery.ts'
export type * from './ports/work.ts'

/** Who is calling: an account, and how it wants its REST answers. */
export type Caller = {
  /** Whose contracts decide the prices, and whose shipments are seen. */
  readonly accountId: string
  readonly accountName: string
  /** REST transit times: the single field, or the min/max pair (README decision 10). */
  readonly transitForm: 'single' | 'range'
  /** Whether REST rate options carry `priceBreakdown` (README decision 26). */
  readonly priceBreakdown: boolean
}

/** An API key with the SHA-256 digests of its live secrets. */
export type ApiKey = {
  readonly keyId: string
  readonly caller: Caller
  readonly secretDigests: readonly Buffer[]
}

/** Finds API keys. A revocation of a key or a secret is in force within 5 seconds. */
export interface CredentialStore {
  /**
   * The key, or undefined when it is unknown or revoked. Any text may be asked for; what cannot be a key id costs
   * nothing. Rejects when the store is out of reach, or when so many unknown ids are waiting that another one would not
   * be answered soon; known keys are never refused for that reason.
   */
  findKey(keyId: string): Promise<ApiKey | undefined>
  /**
   * Whether this process has seen the id as that of a live key: in the list of live keys, which is read at start and
   * again in the background at most once a minute, or in an answer of `findKey`. From memory: synchronous, never
   * throws, sends no statement that anyone waits for.
   *
   * It stays true for a revoked key until `findKey` has looked it up again, or a new list is there. It is false for a
   * new key until `findKey` has found it, or a new list is there. It may therefore decide who has to wait, never who is
   * let in: refuse an address that has failed too often without a lookup if the id is not known, but always look up a
   * known key, so that a correct secret passes.
   */
  isKnown(keyId: string): boolean
}

/** Compares a presented secret with stored digests, in a time that tells nothing about the result. */
export interface SecretMatcher {
  /** True when the secret's SHA-256 is among the digests; with no digests, the same work against a dummy. */
  matches(secret: string, digests: readonly Buffer[]): boolean
}

/** The only clock. */
export type Clock = () => Date

/**
 * What lies compiled in memory; each is one immutable reference that may be swapped as a whole between two reads.
 * Who needs several answers of one edition reads once.
 */
export interface ReferenceData {
  rateBook(): RateBook
  customsTables(): CustomsTables
}

/**
 * Finds HS codes from descriptions. The shipped one (classifiers/lexicon-classifier.ts) reads memory only and needs no
 * network; an operator may put another beside it.
 */
export interface Classifier {
  /**
   * For each description in its place: what it may mean, likeliest first, at most `limit`; empty when nothing fits.
   * Works in the turns of the request that asks (default: one turn without end), and rejects with what `turns.next`
   * rejects with.
   */
  classify(
    descriptions: readonly string[],
    limit: number,
    turns?: Turns,
  ): Promise<readonly (readonly HsCandidate[])[]>
}

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
  insertDraft(accountId: string, draft: NewDraft): Promise<Shipment>
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
  cancelStanding(
    accountId: string,
    shipmentId: string,
    refusalMemoryMs: number,
  ): Promise<CancelStanding | undefined>
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

/**
 * Calls carriers. Each method makes one try and never throws; it answers within its time limit and a short wait for a
 * slot. `unknown`: the outcome is not certain. `not_sent`: it is certain that nothing was sent. Carriers' texts are
 * cleaned and truncated.
 */
export interface CarrierGateway {
  /** `ticket.attemptId` is the idempotency key, the same on every send. */
  cancel(ticket: CancelTicket, onBehalfOf?: CallOrigin): Promise<CarrierCancelAnswer | NotSent>
  /** The shipment's id is the idempotency key: a repeat books nothing more and answers the same reference. */
  book(accountId: string, shipment: Shipment, onBehalfOf?: CallOrigin): Promise<CarrierBookAnswer | NotSent>
  /** Where a parcel is, within `timeoutMs`. Also `not_sent` when the carrier has no look-up. */
  track(
    parcel: TrackedParcel,
    timeoutMs?: number,
    onBehalfOf?: CallOrigin,
  ): Promise<CarrierTrackAnswer | NotSent>
  /** Whether the carrier has a look-up. */
  canTrack(carrierCode: string): boolean
  /**
   * Identifies the set of credentials for the account's calls to a carrier. Accounts with the same lane share its
   * slots and its circuit; lanes do not affect each other.
   */
  laneOf(carrierCode: string, accountId: string): string
  /**
   * How many calls of this kind background work may start now in the account's lane: none while the circuit is open,
   * one (the trial) while it is half-open, otherwise the free background slots.
   */
  room(carrierCode: string, accountId: string, kind: CarrierCallKind): number
}

/** Who waits for a call: a caller (the default), or nobody. Each has separate slots in a lane. */
export type CallOrigin = 'caller' | 'background'

/** Calls that change something at the carrier, and calls that only read. */
export type CarrierCallKind = 'command' | 'lookUp'

/** Something people have to look at; it is logged as an error with its `kind`. */
export type Alert = {
  readonly kind: /** An attempt is still open after a quarter of an hour. */
    | 'CANCELLATION_OVERDUE'
    /** The carrier cancelled a parcel that is in transit here. */
    | 'ACCEPTED_IN_TRANSIT'
    /** The carrier scanned a parcel that is cancelled here. */
    | 'SCANNED_AFTER_CANCELLATION'
    /** A booking of a shipment that is cancelled here could not be withdrawn. */
    | 'WITHDRAWAL_REFUSED'
    /** A booking was refused after a try of unknown end, which may have made it; or its end is unknown for long. */
    | 'BOOKING_IN_DOUBT'
    /** A refusal after an unconfirmed send could not be looked into. */
    | 'REFUSAL_NOT_VERIFIED'
    /** The carrier had cancelled what was booked here. */
    | 'CANCELLED_AT_CARRIER'
    /** Calls to a carrier fail one after the other and are paused. */
    | 'CIRCUIT_OPENED'
  readonly carrierCode: string
  /** Of `CIRCUIT_OPENED`: only calls with this account's own credentials are affected. */
  readonly accountId?: string
  readonly shipmentId?: string
  readonly detail?: string
}

/** Everything outside that operations use. */
export type Ports = {
  readonly clock: Clock
  readonly reference: ReferenceData
  readonly classifier: Classifier
  readonly credentials: CredentialStore
  readonly secrets: SecretMatcher
  readonly shipments: ShipmentStore
  readonly recovery: RecoveryStore
  readonly tracking: TrackingStore
  readonly carriers: CarrierGateway
  /** Logs what went wrong where the caller gets an answer all the same. Never throws. */
  readonly reportFault: (error: unknown) => void
  /** Tells people. Never throws. */
  readonly alert: (alert: Alert) => void
}
