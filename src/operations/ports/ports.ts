/**
 * Everything that operations use from outside, as types. `store/`, `carriers/`, `classifiers/` and `http/` implement
 * the ports, `app/app.ts` puts them together, and tests replace them one by one.
 */

import type { CompiledCustoms } from '../../core/customs/compiled-customs.ts'
import type { DescriptionWords } from '../../core/customs/declaration/description.ts'
import type { EstimateTerms } from '../../core/customs/kept-estimate.ts'
import type { DescribedGoods } from '../../core/goods-facts.ts'
import type { HsCandidate, Interview } from '../../core/hs-candidate.ts'
import type { RateBook } from '../../core/rating/book/rate-book.ts'
import type { WorkCalendar } from '../../core/rating/delivery/work-calendar.ts'
import type { DraftTerms } from '../../core/shipments/draft-terms.ts'
import type { CredentialStore, SecretMatcher } from './caller.ts'
import type { CarrierGateway } from './carriers.ts'
import type { EstimateStore } from './estimates.ts'
import type { CheckoutTokens } from './key-rules.ts'
import type { Observer } from './observer.ts'
import type { OptionTokens } from './option-tokens.ts'
import type { RecoveryStore, TrackingStore } from './recovery.ts'
import type { ShipmentStore } from './shipments.ts'
import type { WebhookLog } from './webhooks.ts'
import type { InFlight, Turns } from './work.ts'

/** The current time. Operations read it only from here. */
export type Clock = () => Date

/**
 * An event that an operator has to look at, logged as an error. docs/operations.md#alerts lists what to do for each
 * kind.
 */
export type Alert = {
  readonly kind: /** An attempt has been open for 15 minutes. */
    | 'CANCELLATION_OVERDUE'
    /** The carrier cancelled a parcel that is in transit in Waybill. */
    | 'ACCEPTED_IN_TRANSIT'
    /** The carrier cancelled some parcels of a shipment and refused to cancel the others. */
    | 'PARTLY_CANCELLED'
    /** The carrier scanned a parcel that is cancelled in Waybill. */
    | 'SCANNED_AFTER_CANCELLATION'
    /** The carrier refused to withdraw the booking of a shipment that is cancelled in Waybill. */
    | 'WITHDRAWAL_REFUSED'
    /** The carrier refused a booking after an unconfirmed send, or has not confirmed it for a long time. */
    | 'BOOKING_IN_DOUBT'
    /** A refusal that followed an unconfirmed send could not be verified by a lookup. */
    | 'REFUSAL_NOT_VERIFIED'
    /** The carrier accepted a cancellation for later, and a lookup still shows the parcel as announced. */
    | 'CANCELLATION_NOT_CARRIED_OUT'
    /** The carrier had cancelled a parcel that was booked in Waybill. */
    | 'CANCELLED_AT_CARRIER'
    /** A lookup reported a cancellation or a scan, and a later one reports something else. */
    | 'LOOKUP_CONTRADICTED'
    /** Several calls to a carrier failed in a row, so calls are paused. */
    | 'CIRCUIT_OPENED'
    /** The carrier rejects the credentials or an account setting. */
    | 'CARRIER_CONFIGURATION'
    /** Tracking has used up the carrier's quota and stops until it resets. */
    | 'LOOKUP_QUOTA_USED'
    /** The settings file of the carriers was to be read again and is faulty. The previous settings stay in use. */
    | 'CARRIERS_FILE_REFUSED'
    /** Products are not offered, because the exchange rate of their rate card is missing or too old. */
    | 'EXCHANGE_RATE_MISSING'
    /** A fuel surcharge has no figure for the day, or that of an earlier index value. */
    | 'FUEL_RATE_MISSING'
    /** The store of the limits that replicas share is unavailable, so each replica allows the full limits. */
    | 'SHARED_LIMITS_LOST'
    /** Background work of this process has failed for a minute. */
    | 'SWEEP_FAILING'
    /** Maintenance of this process, such as the erasure of personal data, has failed for ten minutes. */
    | 'MAINTENANCE_FAILING'
  /** Absent if the alert concerns all carriers. */
  readonly carrierCode?: string
  /** Present for alerts about a channel: only calls with this account's own credentials are affected. */
  readonly accountId?: string
  readonly shipmentId?: string
  readonly detail?: string
}

export type Ports = {
  readonly clock: Clock
  /** Milliseconds since some point in the past. Unlike the clock, it is never set back or forward. */
  readonly monotonicMs: () => number
  /** Resolves after the given number of milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>
  /** A random number from 0 to below 1. It spreads retries over time. */
  readonly random: () => number
  readonly reference: ReferenceData
  readonly calendar: WorkCalendar
  readonly classifier: Classifier
  readonly descriptionWords: DescriptionWords
  readonly credentials: CredentialStore
  readonly secrets: SecretMatcher
  readonly checkoutTokens: CheckoutTokens
  readonly shipments: ShipmentStore
  readonly draftTerms: DraftTerms
  readonly estimates: EstimateStore
  readonly estimateTerms: EstimateTerms
  /** The revision of the data that these tables were read at. */
  readonly customsRevision: (tables: CompiledCustoms) => number
  readonly optionTokens: OptionTokens
  /** How long the price of a token holds. Set by the operator of the service. */
  readonly optionTokenMinutes: number
  readonly recovery: RecoveryStore
  readonly tracking: TrackingStore
  readonly webhookLog: WebhookLog
  readonly carriers: CarrierGateway
  readonly inFlight: InFlight
  /** Logs an error that does not fail the operation. Never throws. */
  readonly reportFault: (error: unknown) => void
  /** Never throws. */
  readonly alert: (alert: Alert) => void
  /** Undefined if metrics are off. */
  readonly observer?: Observer | undefined
}

/** Clock, timer and randomness of the system. */
export const SYSTEM_EFFECTS: Pick<Ports, 'clock' | 'monotonicMs' | 'sleep' | 'random'> = {
  clock: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
}

/** The current UTC day, 'YYYY-MM-DD'. It applies to requests that name no day. */
export function today(clock: Clock): string {
  return clock().toISOString().slice(0, 10)
}

/**
 * Reference data in memory. Each method returns an immutable edition, which may be replaced between two calls. For
 * several consistent answers, call once and keep the result.
 */
export interface ReferenceData {
  rateBook(): RateBook
  customsTables(): CompiledCustoms
}

/**
 * Finds HS codes from descriptions. The built-in classifier (classifiers/classifiers.ts) uses no network.
 * Operators can configure another one (docs/hs-classification.md).
 */
export interface Classifier {
  /**
   * Returns at most `limit` candidates for each description, in the order of the descriptions; best first, empty if
   * nothing fits. Yields between `turns`; without them it runs uninterrupted. Rejects if `turns.next` rejects.
   */
  classify(
    descriptions: readonly string[],
    limit: number,
    turns?: Turns,
  ): Promise<readonly (readonly HsCandidate[])[]>
  /**
   * The candidates of goods with facts and answers to questions about them, at most `limit`, and the questions that
   * remain. Undefined for a classifier that reads descriptions only.
   */
  readonly interview?: (goods: DescribedGoods, limit: number) => Promise<Interview>
}
