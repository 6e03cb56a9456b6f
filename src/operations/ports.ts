/**
 * What the operations need from outside, as types only. `store/` and `carriers/` implement them, `app.ts`
 * puts them together, tests replace them one by one.
 */
import type { HsCandidate } from '../core/customs/classification/classify.ts'
import type { CustomsTables } from '../core/customs/tables.ts'
import type { RateBook } from '../core/rating/rate-book.ts'
import type { BookingMark, CarrierBookAnswer } from '../core/shipments/booking.ts'
import type {
  CancelBegun,
  CancelStanding,
  CancelTicket,
  CarrierCancelAnswer,
} from '../core/shipments/cancellation.ts'
import type { NewDraft } from '../core/shipments/draft-shipment.ts'
import type { CancelAttempt, Shipment, ShipmentState } from '../core/shipments/shipment.ts'

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

/** Finds API keys; knows of a revocation within 5 seconds. */
export interface CredentialStore {
  /** The key, or undefined when it is unknown or revoked. Throws when the store is out of reach. */
  findKey(keyId: string): Promise<ApiKey | undefined>
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
  /** For each description in its place: what it may mean, likeliest first, at most `limit`; empty when nothing fits. */
  classify(descriptions: readonly string[], limit: number): Promise<readonly (readonly HsCandidate[])[]>
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
   * Moves a draft to booked. When it was cancelled meanwhile, keeps the reference and opens the attempt that
   * withdraws the booking, under a lease of `leaseMs`. Undefined: no such shipment.
   */
  markBooked(
    accountId: string,
    shipmentId: string,
    carrierRef: string,
    leaseMs: number,
  ): Promise<BookingMark | undefined>
  /** Cancels a draft, or opens or takes over the attempt of a booked shipment. Undefined: no such shipment. */
  beginCancellation(
    accountId: string,
    shipmentId: string,
    terms: CancelBeginTerms,
  ): Promise<CancelBegun | undefined>
  /** How the shipment and its open attempt stand; asks nothing of anyone. */
  cancelStanding(accountId: string, shipmentId: string): Promise<CancelStanding | undefined>
  /** The carrier cancelled: always wins. Answers the shipment's state behind it. */
  acceptCancellation(ticket: CancelTicket): Promise<ShipmentState>
  /** The carrier finally refused. False when another has taken the attempt over: this answer is void. */
  refuseCancellation(ticket: CancelTicket, reason: string, verifyInMs: number): Promise<boolean>
  /** Nothing is known: others may take over at once; unasked, it is due again in `retryInMs`. False as above. */
  releaseCancellation(ticket: CancelTicket, cause: string, retryInMs: number): Promise<boolean>
  /** Shutdown: gives up every lease of this process; answers how many. */
  releaseLeases(): Promise<number>
}

/**
 * Asks carriers. One try each, never throws, always answers within its time-out: doubt is `unknown`. Texts of
 * carriers come back cleaned and capped.
 */
export interface CarrierGateway {
  /** `ticket.attemptId` is the idempotency key, the same on every send. */
  cancel(ticket: CancelTicket): Promise<CarrierCancelAnswer>
  /** The shipment's id is the idempotency key: the same one is booked once and answers the same reference. */
  book(shipment: Shipment): Promise<CarrierBookAnswer>
}

/** Everything outside that operations use. */
export type Ports = {
  readonly clock: Clock
  readonly reference: ReferenceData
  readonly classifier: Classifier
  readonly credentials: CredentialStore
  readonly secrets: SecretMatcher
  readonly shipments: ShipmentStore
  readonly carriers: CarrierGateway
  /** Logs what went wrong where the caller gets an answer all the same. Never throws. */
  readonly reportFault: (error: unknown) => void
}
