/**
 * How a cancellation can end, in one place for both doors, with the texts partners read.
 * Source: specification section 3 and 7.1; decisions 20 to 22 of the README.
 */
import type { Refusal, RefusalCode, ShipmentState } from './shipment.ts'

/** The shipment is cancelled, now or already before. */
export type ShipmentCancelled = {
  readonly kind: 'ShipmentCancelled'
  readonly shipmentId: string
  readonly message: string
  readonly alreadyCancelled: boolean
  /** True when the carrier was told (drafts never reach a carrier, and some carriers take no cancellations). */
  readonly carrierNotified: boolean
  /** True when the carrier was not told of a booked shipment: its label would still be carried. */
  readonly labelMustBeDestroyed: boolean
}

/** The shipment stays as it is: it is in transit, its carrier finally refused, or its carrier cannot be asked now. */
export type ShipmentNotCancelled = {
  readonly kind: 'ShipmentNotCancelled'
  readonly shipmentId: string
  readonly code: 'ALREADY_IN_TRANSIT' | 'CARRIER_REFUSED' | 'CARRIER_UNAVAILABLE'
  readonly message: string
  /** True for CARRIER_UNAVAILABLE alone: nothing was sent, and the same request may succeed later. */
  readonly retryable: boolean
  /** Present when the carrier refused. */
  readonly refusal?: Refusal
}

/** The carrier was asked and has not confirmed; the attempt is kept, repeating the call tells its end. */
export type CancellationPending = {
  readonly kind: 'CancellationPending'
  readonly shipmentId: string
  readonly code: 'CARRIER_UNREACHABLE'
  readonly message: string
  readonly retryable: true
}

/** No such shipment in the caller's account: a wrong id and another account's shipment are the same. */
export type ShipmentNotFound = {
  readonly kind: 'ShipmentNotFound'
  readonly code: 'NOT_FOUND'
  readonly message: string
  readonly retryable: false
}

/** Every end of `cancelShipment`. */
export type CancelOutcome = ShipmentCancelled | ShipmentNotCancelled | CancellationPending | ShipmentNotFound

/**
 * The carrier's answer to one send, after its connector judged it. `cancelled`: done, now or before, or taken on as
 * certain; `released`: the carrier takes no cancellations and has not scanned the parcel. `refused`: final, by a
 * code on that carrier's list. Everything else is `unknown`.
 */
export type CarrierCancelAnswer =
  | { readonly kind: 'cancelled'; readonly how: 'now' | 'already' | 'accepted' | 'released' }
  | {
      readonly kind: 'refused'
      readonly reason: RefusalCode
      /** The carrier's own code, for the record. */
      readonly code: string
      /** The carrier's own words, cleaned and capped. */
      readonly message: string
    }
  | { readonly kind: 'unknown'; readonly cause: string }

/** Nothing went out to the carrier: no connector, its circuit is open, or too many calls are running. */
export type NotSent = { readonly kind: 'not_sent'; readonly cause: string }

/** What ended a shipment: a draft here alone, its carrier, or a release because nobody had scanned it. */
export type CancelledBy = 'draft' | 'carrier' | 'release'

/** An attempt this process holds the lease of: it alone may ask the carrier, under `attemptId` as key. */
export type CancelTicket = {
  readonly attemptId: string
  readonly shipmentId: string
  readonly accountId: string
  readonly carrierCode: string
  readonly carrierRef: string
  /** Rises with each take-over; a settlement with an older one is void. */
  readonly fence: number
  /** How often the carrier has been asked, this time included. */
  readonly sends: number
  /** How long ago the attempt began, in milliseconds of the database's clock. */
  readonly ageMs: number
}

/** What the begin statement found and did, all in one; `state` is the state behind it. */
export type CancelBegun = {
  readonly state: ShipmentState
  /** True when this very call cancelled a draft. */
  readonly draftCancelled: boolean
  /** Present on a shipment that is cancelled. */
  readonly cancelledBy?: CancelledBy
  /** Present when this caller is the one to ask the carrier. */
  readonly ticket?: CancelTicket
  /** A final refusal so recent that the carrier need not be asked again. */
  readonly recentRefusal?: Refusal
}

/** How a booked shipment and its open attempt stand, for a follower who waits for another's answer. */
export type CancelProgress = {
  readonly state: ShipmentState
  /**
   * `working`: under a live lease, or being booked. `waiting`: kept, to be asked again. `none`: settled, or withdrawn
   * unsent.
   */
  readonly attempt: 'working' | 'waiting' | 'none'
  /** Milliseconds until a waiting attempt is due. */
  readonly dueInMs?: number
  readonly cancelledBy?: CancelledBy
  /** A final refusal within the time that it is remembered. */
  readonly recentRefusal?: Refusal
}

/** What a caller does after begin: it has its answer, or it asks the carrier, or it waits for who does. */
export type CancelStep =
  | { readonly kind: 'Answer'; readonly outcome: CancelOutcome }
  | { readonly kind: 'AskCarrier'; readonly ticket: CancelTicket }
  | { readonly kind: 'Follow' }

/** What a carrier's answer means for the attempt. */
export type Settlement =
  | { readonly kind: 'Accept'; readonly cancelledBy: CancelledBy }
  | { readonly kind: 'Refuse'; readonly refusal: Refusal; readonly carrierCode: string }
  | { readonly kind: 'Release'; readonly cause: string; readonly retryInMs: number }

const RETRY_FIRST_MS = 1_000
const SLOWEST_RETRY_MS = 300_000
/** Up to this many milliseconds an outage of any length may add. */
const QUICK_RETRY_MS = 20_000

/** Reads the result of begin; the state decides before any memory of a refusal. Undefined: no such shipment. */
export function afterBegin(shipmentId: string, begun: CancelBegun | undefined): CancelStep {
  if (begun === undefined) return { kind: 'Answer', outcome: shipmentNotFound() }
  if (begun.ticket !== undefined) return { kind: 'AskCarrier', ticket: begun.ticket }
  const answer = (outcome: CancelOutcome): CancelStep => ({ kind: 'Answer', outcome })
  switch (begun.state) {
    case 'draft':
    case 'booked':
      if (begun.recentRefusal === undefined) return { kind: 'Follow' }
      return answer(carrierRefused(shipmentId, begun.recentRefusal))
    case 'in_transit':
      return answer(alreadyInTransit(shipmentId))
    case 'cancelled':
      return answer(shipmentCancelled(shipmentId, begun.cancelledBy, !begun.draftCancelled))
  }
}

/**
 * What a follower can answer, or undefined while its end may still come within `patienceMs`. It found the shipment
 * booked with an open attempt, so an attempt that is gone was settled, or withdrawn because nothing could be sent.
 */
export function afterLook(
  shipmentId: string,
  standing: CancelProgress | undefined,
  patienceMs: number,
): CancelOutcome | undefined {
  if (standing === undefined) return shipmentNotFound()
  switch (standing.state) {
    case 'cancelled':
      return shipmentCancelled(shipmentId, standing.cancelledBy, false)
    case 'in_transit':
      return alreadyInTransit(shipmentId)
    case 'draft':
    case 'booked':
      if (standing.attempt === 'working') return undefined
      if (standing.attempt === 'waiting')
        return (standing.dueInMs ?? 0) < patienceMs ? undefined : cancellationPending(shipmentId)
      if (standing.recentRefusal !== undefined) return carrierRefused(shipmentId, standing.recentRefusal)
      return carrierUnavailable(shipmentId)
  }
}

/**
 * What is to become of an attempt that was asked `sends` times since `ageMs`; `jitter` is 0 to 1. Only a final
 * refusal refuses, doubt never does.
 */
export function settlementOf(
  answer: CarrierCancelAnswer,
  { sends, ageMs }: Pick<CancelTicket, 'sends' | 'ageMs'>,
  jitter: number,
): Settlement {
  switch (answer.kind) {
    case 'cancelled':
      return { kind: 'Accept', cancelledBy: answer.how === 'released' ? 'release' : 'carrier' }
    case 'refused': {
      const { reason: code, message: reason, code: carrierCode } = answer
      return { kind: 'Refuse', refusal: { code, reason }, carrierCode }
    }
    case 'unknown':
      return { kind: 'Release', cause: answer.cause, retryInMs: retryDelayMs(sends, ageMs, jitter) }
  }
}

/**
 * Milliseconds until the next send: doubling from 1 s, but at most a tenth of the attempt's age (20 s to 5 min), so
 * that whatever was out of order for an hour is made up for within six minutes of its end, and what was for a minute
 * within twenty seconds. `jitter` (0 to 1) takes off half.
 */
export function retryDelayMs(sends: number, ageMs: number, jitter: number): number {
  const slowestMs = Math.min(SLOWEST_RETRY_MS, Math.max(QUICK_RETRY_MS, ageMs / 10))
  const fullMs = Math.min(slowestMs, RETRY_FIRST_MS * 2 ** (sends - 1))
  return Math.round(fullMs * (1 - jitter / 2))
}

/**
 * Success: of this call, or of one before it. The words are the same, so that callers who ask at once read the
 * same answer whichever of them was first; `alreadyCancelled` tells them apart.
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
      ? 'The shipment is cancelled; its label must be destroyed, since this carrier takes no cancellations'
      : 'The shipment is cancelled',
    alreadyCancelled,
    carrierNotified: cancelledBy === 'carrier',
    labelMustBeDestroyed: released,
  }
}

/** The parcel is on its way. */
export function alreadyInTransit(shipmentId: string): ShipmentNotCancelled {
  return {
    kind: 'ShipmentNotCancelled',
    shipmentId,
    code: 'ALREADY_IN_TRANSIT',
    message: 'The shipment is already in transit and cannot be cancelled',
    retryable: false,
  }
}

/** The carrier's final no, in its own words (cleaned and capped at the gateway). */
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

/** Nothing was sent, and no attempt is left behind (README decision 20). */
export function carrierUnavailable(shipmentId: string): ShipmentNotCancelled {
  return {
    kind: 'ShipmentNotCancelled',
    shipmentId,
    code: 'CARRIER_UNAVAILABLE',
    message: 'The carrier cannot be asked at the moment and nothing was sent; repeat the same request later',
    retryable: true,
  }
}

/** The carrier was asked and the answer is not known (README decision 20). */
export function cancellationPending(shipmentId: string): CancellationPending {
  return {
    kind: 'CancellationPending',
    shipmentId,
    code: 'CARRIER_UNREACHABLE',
    message: 'The carrier has not confirmed yet; repeat the same request',
    retryable: true,
  }
}

/** The same text for every id: it must not tell a wrong one from another account's. */
export function shipmentNotFound(): ShipmentNotFound {
  return { kind: 'ShipmentNotFound', code: 'NOT_FOUND', message: 'Shipment not found', retryable: false }
}
