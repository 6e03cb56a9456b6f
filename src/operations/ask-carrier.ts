/**
 * The middle steps of a cancellation at a carrier: one call under a lease, a lookup if the answer needs one, and one
 * settlement. Used for callers and by the sweeper. See docs/cancellation.md#what-the-carriers-answer-means.
 */
import {
  afterLookup,
  alreadyInTransit,
  type CancelOutcome,
  type CancelTicket,
  type CarrierCancelAnswer,
  cancellationPending,
  carrierRefused,
  type Doubt,
  type FinalSettlement,
  needsLookup,
  retryDelayMs,
  settlementFor,
  shipmentCancelled,
} from '../core/shipments/cancellation.ts'
import type { Admission, CallOrigin } from './ports/carriers.ts'
import type { Ports } from './ports/ports.ts'
import type { Release, RetryTimes } from './ports/shipments.ts'

/** Times of a cancellation, in milliseconds. See docs/cancellation.md#times. */
export type CancelPolicy = {
  /**
   * Must exceed the sum of the longest call, lookup, settlement and both waits for a slot. Otherwise a second process
   * calls the carrier during the first call.
   */
  readonly leaseMs: number
  /** How long a final refusal is returned again without a new call. */
  readonly refusalMemoryMs: number
  /** Time limit of the lookup after a refusal that followed an unconfirmed send. */
  readonly lookupTimeoutMs: number
  /** Minimum age of a doubt before the refusal is trusted although lookups are inconclusive. */
  readonly trustRefusalAfterMs: number
  /** Delay before a trusted refusal is verified by another lookup. */
  readonly verifyAfterMs: number
  /** Delay before a lookup verifies a cancellation that the carrier has accepted for later. */
  readonly verifyAcceptedAfterMs: number
  /** How long a caller waits. The work continues after that. */
  readonly deadlineMs: number
  /** Longest delay after an unconfirmed send until a caller's repeat is sent to the carrier. */
  readonly callerWaitMs: number
  /** How long the begin statement is repeated if its result is lost, also after the caller got "pending". */
  readonly recordWithinMs: number
  /** First and longest interval at which followers poll. */
  readonly firstPollMs: number
  readonly slowestPollMs: number
}

export const CANCEL_POLICY: CancelPolicy = {
  leaseMs: 15_000,
  refusalMemoryMs: 30_000,
  lookupTimeoutMs: 2_500,
  trustRefusalAfterMs: 900_000,
  verifyAfterMs: 60_000,
  verifyAcceptedAfterMs: 86_400_000,
  deadlineMs: 12_000,
  callerWaitMs: 5_000,
  recordWithinMs: 120_000,
  firstPollMs: 15,
  slowestPollMs: 200,
}

/** Pauses between the tries to record a carrier's answer; the last one repeats. */
const SETTLE_PAUSES_MS = [50, 400, 1_000]

/** Longest delay before an attempt that could not be sent is due again. */
const UNSENT_RETRY_MS = 5_000

type AskPorts = Pick<Ports, 'shipments' | 'carriers' | 'sleep' | 'random' | 'alert'>

/**
 * Asks the carrier once, or looks the parcel up if a refusal is in doubt, and settles the attempt by the answer. Returns
 * undefined if another process has settled the attempt; poll the shipment for the outcome.
 */
export async function askCarrier(
  ports: AskPorts,
  ticket: CancelTicket,
  by: CallOrigin | Admission,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const origin = typeof by === 'string' ? by : 'caller'
  if (ticket.doubt !== undefined) {
    if (typeof by !== 'string') by.leave()
    return lookUpRefusal(ports, ticket, ticket.doubt, origin, policy)
  }
  const answer = await ports.carriers.cancel(ticket, by)
  if (answer.kind === 'not_sent') return postpone(ports, ticket, answer.cause, policy)
  if (needsLookup(answer, ticket))
    return lookUpRefusal(ports, ticket, { refusal: answer, ageMs: 0 }, origin, policy)
  return settle(ports, ticket, answer, undefined, policy)
}

/** Looks a parcel up whose refusal is in doubt, and settles the attempt or leaves it open for another lookup. */
async function lookUpRefusal(
  ports: AskPorts,
  ticket: CancelTicket,
  doubt: Doubt,
  origin: CallOrigin,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const { carriers } = ports
  const lookup = await carriers.track(ticket, policy.lookupTimeoutMs, origin)
  const judgement = afterLookup(doubt, lookup, {
    lagMs: carriers.lookupLagMs(ticket.carrierCode),
    mayAnswerLater: carriers.canLookUp(ticket.carrierCode) && doubt.ageMs < policy.trustRefusalAfterMs,
  })
  switch (judgement.kind) {
    case 'Settle':
      return settle(
        ports,
        ticket,
        judgement.answer,
        judgement.verify ? policy.verifyAfterMs : undefined,
        policy,
      )
    case 'LookUpAgain': {
      // The fence counts the lookups as well. The number of sends no longer rises.
      const { cause, againInMs = retryDelayMs(ticket.fence, ticket.ageMs, ports.random()) } = judgement
      return release(ports, ticket, { cause, times: retryTimes(againInMs, policy), doubt: doubt.refusal })
    }
  }
}

/** Leaves an attempt open that could not be sent. It is never removed: a caller may wait for it. */
export function postpone(
  ports: AskPorts,
  ticket: CancelTicket,
  cause: string,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const retryInMs = Math.min(UNSENT_RETRY_MS, retryDelayMs(ticket.sends, ticket.ageMs, ports.random()))
  // While a refusal is in doubt, a ticket counts no send.
  const unsent = ticket.doubt === undefined
  return release(ports, ticket, { cause, times: retryTimes(retryInMs, policy), unsent })
}

async function release(
  ports: AskPorts,
  ticket: CancelTicket,
  terms: Release,
): Promise<CancelOutcome | undefined> {
  const { shipmentId } = ticket
  const state = await settleWithRetries(ports, () => ports.shipments.releaseCancellation(ticket, terms))
  if (state === 'in_transit') return alreadyInTransit(shipmentId)
  return state === undefined ? undefined : cancellationPending(shipmentId)
}

function settle(
  ports: AskPorts,
  ticket: CancelTicket,
  answer: CarrierCancelAnswer,
  verifyInMs: number | undefined,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const settlement = settlementFor(answer, ticket, ports.random())
  if (settlement.kind === 'Release') {
    const { cause, retryInMs } = settlement
    const repeatAfterMs = answer.kind === 'unknown' ? (answer.repeatAfterMs ?? 0) : 0
    return release(ports, ticket, { cause, times: retryTimes(retryInMs, policy, repeatAfterMs) })
  }
  const isAccepted = answer.kind === 'cancelled' && answer.how === 'accepted'
  const verifyAgainInMs = isAccepted ? policy.verifyAcceptedAfterMs : verifyInMs
  return settleWithRetries(ports, () => settleFinally(ports, ticket, settlement, verifyAgainInMs))
}

async function settleFinally(
  { shipments, alert }: AskPorts,
  ticket: CancelTicket,
  settlement: FinalSettlement,
  verifyInMs: number | undefined,
): Promise<CancelOutcome | undefined> {
  const { shipmentId, carrierCode } = ticket
  switch (settlement.kind) {
    case 'Accept': {
      const state = await shipments.acceptCancellation(ticket, settlement.cancelledBy, verifyInMs)
      if (state === 'cancelled') return shipmentCancelled(shipmentId, settlement.cancelledBy, false)
      if (state !== 'in_transit')
        throw new Error(`the carrier cancelled shipment ${shipmentId}, which is ${state}`)
      alert({ kind: 'ACCEPTED_IN_TRANSIT', carrierCode, shipmentId })
      return alreadyInTransit(shipmentId)
    }
    case 'Refuse': {
      const { refusal } = settlement
      const state = await shipments.refuseCancellation(ticket, refusal, settlement.carrierCode, verifyInMs)
      if (state === 'booked') return carrierRefused(shipmentId, refusal)
      if (state === 'in_transit') return alreadyInTransit(shipmentId)
      if (state === 'cancelled')
        alert({ kind: 'WITHDRAWAL_REFUSED', carrierCode, shipmentId, detail: refusal.reason })
      return undefined
    }
  }
}

function retryTimes(retryInMs: number, { callerWaitMs }: CancelPolicy, repeatAfterMs = 0): RetryTimes {
  return { retryInMs, callerWaitMs: Math.max(repeatAfterMs, Math.min(retryInMs, callerWaitMs)) }
}

/**
 * Records a carrier's answer. While the store fails, it tries again for a lease (`CANCEL_POLICY.leaseMs`), because only
 * this process has the answer. `settlement` must be safe to repeat: the second refusal or release of one ticket changes
 * nothing.
 */
export async function settleWithRetries<Result>(
  { sleep }: Pick<Ports, 'sleep'>,
  settlement: () => Promise<Result>,
): Promise<Result> {
  let waitedMs = 0
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await settlement()
    } catch (error) {
      if (waitedMs >= CANCEL_POLICY.leaseMs) throw error
    }
    const pauseMs = SETTLE_PAUSES_MS[Math.min(attempt, SETTLE_PAUSES_MS.length - 1)] ?? 0
    waitedMs += pauseMs
    await sleep(pauseMs)
  }
}
