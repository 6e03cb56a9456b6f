/**
 * What is known during a cancellation, and its outcomes with the texts that partners read. cancel-steps.ts decides the
 * steps, and parcels.ts what a carrier's answers mean. See docs/cancellation.md and docs/rest-contract.md#r20 to R22.
 */
import type { Refusal, RefusalCode, Shipment, ShipmentState } from './shipment.ts'
import type { UnknownAnswer } from './tracking.ts'

// Outcomes

/** The shipment is cancelled, by this request or by an earlier one. */
export type ShipmentCancelled = {
  readonly kind: 'ShipmentCancelled'
  readonly shipmentId: string
  readonly message: string
  readonly alreadyCancelled: boolean
  /** False for drafts, and for carriers that take no cancellations. */
  readonly carrierNotified: boolean
  /** True if the shipment was booked and its carrier was not notified: the carrier would still accept the label. */
  readonly labelMustBeDestroyed: boolean
  /** The cancelled shipment. Present if this request cancelled a draft and was to return it. */
  readonly shipment?: Shipment
}

/** The shipment is unchanged: it is in transit, its carrier refused, or nothing could be sent to its carrier. */
export type ShipmentNotCancelled = {
  readonly kind: 'ShipmentNotCancelled'
  readonly shipmentId: string
  readonly code: 'ALREADY_IN_TRANSIT' | 'CARRIER_REFUSED' | 'CARRIER_UNAVAILABLE'
  readonly message: string
  /** True only for CARRIER_UNAVAILABLE: the same request may succeed later. */
  readonly retryable: boolean
  /** Present if the carrier refused. */
  readonly refusal?: Refusal
}

/** The carrier was asked and has not confirmed. The attempt stays open; a repeated request returns its outcome. */
export type CancellationPending = {
  readonly kind: 'CancellationPending'
  readonly shipmentId: string
  readonly code: 'CARRIER_UNREACHABLE'
  readonly message: string
  readonly retryable: true
  readonly retryAfterSeconds: number
}

/** A request repeated after this time usually returns the outcome. Also `Retry-After` of the REST response. */
export const CANCEL_RETRY_AFTER_SECONDS = 5

/** The caller's account has no such shipment. */
export type ShipmentNotFound = {
  readonly kind: 'ShipmentNotFound'
  readonly code: 'NOT_FOUND'
  readonly message: string
  readonly retryable: false
}

export type CancelOutcome = ShipmentCancelled | ShipmentNotCancelled | CancellationPending | ShipmentNotFound

/** How a shipment was cancelled: as a draft, by its carrier, or by a release because the carrier had no scan. */
export type CancelledBy = 'draft' | 'carrier' | 'release'

// What the statement that begins finds

/** An attempt whose lease this process holds. Only the holder may call the carrier. */
export type CancelTicket = {
  /** Also the idempotency key for the carrier. */
  readonly attemptId: string
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  readonly carrierRef: string
  /** When the shipment was booked or imported, ISO 8601. */
  readonly bookedAt?: string
  /** The number of the shipment's order at the carrier, if it is known. */
  readonly orderRef?: string
  /** Rises with each takeover. Settlements with an older fence have no effect. */
  readonly fence: number
  /** How often the attempt has been sent. Includes the send that this ticket is for, unless `doubt` is present. */
  readonly sends: number
  /** Age of the attempt in milliseconds, by the database's clock. */
  readonly ageMs: number
  /** Present if a refusal is in doubt. Then the parcel is looked up, and nothing is sent. */
  readonly doubt?: Doubt
  /** Present if the shipment has several numbers. Has all of them, the one of `carrierRef` first. */
  readonly parcels?: readonly TicketParcel[]
  /** The span that opened the attempt, as in the header `traceparent`. Only for background work, with traces. */
  readonly traceParent?: string
  /** True if operators know already that the carrier cancelled only some of the parcels. */
  readonly isPartAlerted?: boolean
}

/** What is recorded about one parcel of a shipment with several numbers. */
export type TicketParcel = {
  readonly carrierRef: string
  /** The carrier has cancelled it, in this attempt or an earlier one. */
  readonly isCancelled: boolean
  /** True if the carrier has accepted the cancellation for later. */
  readonly isLater?: boolean
  /** True if only a lookup says that the carrier has cancelled it. */
  readonly isFound?: boolean
  /** The carrier's final refusal. Such a parcel is not asked for again. */
  readonly refusal?: CarrierRefusal
  /** Present if a refusal is in doubt. Then the parcel is looked up, and nothing is sent. */
  readonly doubt?: Doubt
  /** How many sends of the attempt did not include this parcel. */
  readonly unsent: number
}

/** A refusal that followed an unconfirmed send, and that no lookup has confirmed yet. */
export type Doubt = {
  readonly refusal: CarrierRefusal
  /** Time since the refusal was first recorded, in milliseconds by the database's clock. */
  readonly ageMs: number
}

/** A booked parcel whose carrier may be asked to cancel it. */
export type CancellableParcel = {
  readonly accountId: string
  readonly carrierCode: string
  readonly carrierRef: string
  /** True if an attempt is open already, so an earlier caller may have been answered that it is pending. */
  readonly attemptIsOpen: boolean
}

/**
 * A draft whose booking may have been lost: since it was last known to be a draft, the database was restored, or a
 * standby has become the primary. The carrier is asked before the draft is cancelled. See
 * docs/operations.md#after-a-failover-or-a-restore.
 */
export type SuspectDraft = {
  readonly accountId: string
  readonly shipmentId: string
  readonly carrierCode: string
  /** The lineage of the database in which it was found. The carrier's answer applies to this one. */
  readonly lineage: string
}

/** The result of the begin statement. `state` is the state after it. */
export type CancelBegun = {
  readonly state: ShipmentState
  /** True if this statement cancelled a draft. */
  readonly draftCancelled: boolean
  /** Present if this statement cancelled a draft and was to return it. */
  readonly shipment?: Shipment
  /** Present if the shipment is cancelled. */
  readonly cancelledBy?: CancelledBy
  /** Present if this caller holds the lease and asks the carrier. */
  readonly ticket?: CancelTicket
  /** Present if the statement was not allowed to take a lease, and one is available. */
  readonly cancellable?: CancellableParcel
  /** Present if the draft was not cancelled, because its booking may have been lost. */
  readonly suspectDraft?: SuspectDraft
  /** A final refusal that is still remembered. */
  readonly recentRefusal?: Refusal
  /** Present if the shipment was archived while it was booked. See `windowClosed`. */
  readonly isWindowClosed?: true
}

// What the carrier answers

/**
 * A carrier's answer to one send, as its connector classifies it.
 *
 * - `cancelled`: `now` or `already`; `accepted` if the carrier will cancel it later; `released` if the carrier takes no
 *   cancellations and has not scanned the parcel.
 * - `refused`: final.
 * - `unknown`: everything else.
 */
export type CarrierCancelAnswer =
  | { readonly kind: 'cancelled'; readonly how: 'now' | 'already' | 'accepted' | 'released' }
  | CarrierRefusal
  | UnknownAnswer

export type CarrierRefusal = {
  readonly kind: 'refused'
  readonly reason: RefusalCode
  /** The carrier's own code. */
  readonly code: string
  /** The carrier's own text, cleaned and truncated. */
  readonly message: string
}

/**
 * Nothing was sent to the carrier: no connector, its circuit is open, too many calls are running, no access token, or
 * no connection could be opened.
 */
export type NotSent = { readonly kind: 'not_sent'; readonly cause: string }

// What a follower finds

/** The state of a shipment and its open attempt, as a follower polls it. */
export type CancelProgress = {
  readonly state: ShipmentState
  /**
   * `working`: a process holds the lease, or the shipment is being booked. `waiting`: open, to be sent again. `none`:
   * settled, or never opened.
   */
  readonly attempt: 'working' | 'waiting' | 'none'
  /** Milliseconds until a waiting attempt is due. */
  readonly dueInMs?: number
  readonly cancelledBy?: CancelledBy
  /** A final refusal that is still remembered. */
  readonly recentRefusal?: Refusal
  /** Present if the shipment was archived while it was booked. See `windowClosed`. */
  readonly isWindowClosed?: true
}

// Times

/** The times of a cancellation that decide about its steps, in milliseconds. See docs/cancellation.md#times. */
export type CancelTimes = {
  /** Delay before a trusted refusal is verified by another lookup. */
  readonly verifyAfterMs: number
  /** Delay before a lookup verifies a cancellation that the carrier has accepted for later. */
  readonly verifyAcceptedAfterMs: number
  /**
   * For a shipment whose carrier cancelled some parcels and refused others: the delay before the first lookup of the
   * refused ones, and before each later lookup.
   */
  readonly firstPartLookupMs: number
  readonly partLookupMs: number
  /** Longest delay after an unconfirmed send until a caller's repeat is sent to the carrier. */
  readonly callerWaitMs: number
  /** First and longest interval at which followers poll. */
  readonly firstPollMs: number
  readonly slowestPollMs: number
}

const FIRST_RETRY_MS = 1_000
/** The longest delay is a tenth of the attempt's age, within these bounds. */
const SLOWEST_RETRY_MS = { min: 20_000, max: 300_000 }

/**
 * Milliseconds until the next send: 1 s, doubling, but at most a tenth of the attempt's age (bounded to 20 s to 5 min).
 * So an attempt ends within 20 s of the end of a short outage, and within 6 minutes of the end of a long one. `random`
 * (0 to 1) takes off up to half.
 */
export function retryDelayMs(sends: number, ageMs: number, random: number): number {
  const slowestMs = Math.min(SLOWEST_RETRY_MS.max, Math.max(SLOWEST_RETRY_MS.min, ageMs / 10))
  const fullMs = Math.min(slowestMs, FIRST_RETRY_MS * 2 ** (sends - 1))
  return Math.round(fullMs * (1 - random / 2))
}

// Outcomes with their texts

/**
 * Callers that share one run get the same `message`, whichever of them started it. `alreadyCancelled` is true if the
 * shipment was cancelled before this request.
 */
export function shipmentCancelled(
  shipmentId: string,
  cancelledBy: CancelledBy | undefined,
  alreadyCancelled: boolean,
): ShipmentCancelled {
  const released = cancelledBy === 'release'
  return {
    kind: 'ShipmentCancelled',
    shipmentId,
    message: released
      ? 'The shipment is cancelled. Destroy its label, because this carrier does not accept cancellations'
      : 'The shipment is cancelled',
    alreadyCancelled,
    carrierNotified: cancelledBy === 'carrier',
    labelMustBeDestroyed: released,
  }
}

export function alreadyInTransit(shipmentId: string): ShipmentNotCancelled {
  return {
    kind: 'ShipmentNotCancelled',
    shipmentId,
    code: 'ALREADY_IN_TRANSIT',
    message: 'The shipment is already in transit and cannot be cancelled',
    retryable: false,
  }
}

export function carrierRefused(shipmentId: string, refusal: Refusal): ShipmentNotCancelled {
  return {
    kind: 'ShipmentNotCancelled',
    shipmentId,
    code: 'CARRIER_REFUSED',
    message: `The carrier refused the cancellation: ${refusal.reason}`,
    retryable: false,
    refusal,
  }
}

const WINDOW_CLOSED = 'The time for cancelling this shipment has passed'

/**
 * The operator has archived the booked shipment, and so has stated that its carrier does not cancel it any more. The
 * carrier was not asked, so the text does not say that it refused. See docs/growth.md#booked-shipments.
 */
export function windowClosed(shipmentId: string): ShipmentNotCancelled {
  return {
    kind: 'ShipmentNotCancelled',
    shipmentId,
    code: 'CARRIER_REFUSED',
    message: WINDOW_CLOSED,
    retryable: false,
    refusal: { code: 'WINDOW_CLOSED', reason: WINDOW_CLOSED },
  }
}

/** Nothing was sent, and there is no open attempt. See docs/rest-contract.md#r20. */
export function carrierUnavailable(shipmentId: string): ShipmentNotCancelled {
  return {
    kind: 'ShipmentNotCancelled',
    shipmentId,
    code: 'CARRIER_UNAVAILABLE',
    message:
      'The carrier cannot be reached at the moment, and nothing was sent; repeat the same request later',
    retryable: true,
  }
}

/** The carrier was asked, and its answer is unknown. See docs/rest-contract.md#r20. */
export function cancellationPending(shipmentId: string): CancellationPending {
  return {
    kind: 'CancellationPending',
    shipmentId,
    code: 'CARRIER_UNREACHABLE',
    message: 'The carrier has not confirmed the cancellation yet; repeat the same request',
    retryable: true,
    retryAfterSeconds: CANCEL_RETRY_AFTER_SECONDS,
  }
}

/** The text contains no id, so it does not reveal whether another account has the shipment. */
export function shipmentNotFound(): ShipmentNotFound {
  return { kind: 'ShipmentNotFound', code: 'NOT_FOUND', message: 'Shipment not found', retryable: false }
}
