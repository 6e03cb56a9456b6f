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
  needsLookup,
  retryDelayMs,
  type Settlement,
  settlementFor,
  shipmentCancelled,
} from '../core/shipments/cancellation.ts'
import type { CallOrigin } from './ports/carriers.ts'
import type { Ports } from './ports/ports.ts'
import type { RetryTimes } from './ports/shipments.ts'

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
  /** Minimum age of an attempt before a refusal is trusted when lookups are inconclusive. */
  readonly trustRefusalAfterMs: number
  /** Delay before a trusted refusal is verified by another lookup. */
  readonly verifyAfterMs: number
  /** How long a caller waits. The work continues after that. */
  readonly deadlineMs: number
  /** Longest delay after an unconfirmed send until a caller's repeat is sent to the carrier. */
  readonly callerWaitMs: number
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
  deadlineMs: 12_000,
  callerWaitMs: 5_000,
  firstPollMs: 15,
  slowestPollMs: 200,
}

/** Pauses between three tries to record a carrier's answer. */
const SETTLE_PAUSES_MS = [50, 400]

/** Longest delay before an attempt that could not be sent is due again. */
const UNSENT_RETRY_MS = 5_000

type AskPorts = Pick<Ports, 'shipments' | 'carriers' | 'sleep' | 'random' | 'alert'>

/**
 * Asks the carrier once and settles the attempt by its answer. Returns undefined if another process has settled the
 * attempt, or if nothing could be sent and the attempt was removed; poll the shipment for the outcome.
 */
export async function askCarrier(
  ports: AskPorts,
  ticket: CancelTicket,
  origin: CallOrigin,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const answer = await ports.carriers.cancel(ticket, origin)
  if (answer.kind === 'not_sent') return withdraw(ports, ticket, answer.cause, policy)
  const { confirmed, verifyInMs } = await lookUpRefusal(ports, ticket, answer, origin, policy)
  const settlement = settlementFor(confirmed, ticket, ports.random())
  return settleWithRetries(ports, () => settle(ports, ticket, settlement, verifyInMs, policy))
}

/** Looks the parcel up if the answer is a refusal that cannot be trusted yet; see `needsLookup`. */
async function lookUpRefusal(
  { carriers }: AskPorts,
  ticket: CancelTicket,
  answer: CarrierCancelAnswer,
  origin: CallOrigin,
  { lookupTimeoutMs, trustRefusalAfterMs, verifyAfterMs }: CancelPolicy,
): Promise<{ confirmed: CarrierCancelAnswer; verifyInMs: number | undefined }> {
  if (!needsLookup(answer, ticket)) return { confirmed: answer, verifyInMs: undefined }
  const lookup = await carriers.track(ticket, lookupTimeoutMs, origin)
  const mayAnswerLater = carriers.canLookUp(ticket.carrierCode) && ticket.ageMs < trustRefusalAfterMs
  const { confirmed, verify } = afterLookup(answer, lookup, mayAnswerLater)
  return { confirmed, verifyInMs: verify ? verifyAfterMs : undefined }
}

async function settle(
  { shipments, alert }: AskPorts,
  ticket: CancelTicket,
  settlement: Settlement,
  verifyInMs: number | undefined,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const { shipmentId, carrierCode } = ticket
  switch (settlement.kind) {
    case 'Accept': {
      const state = await shipments.acceptCancellation(ticket, settlement.cancelledBy)
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
    case 'Release': {
      const times = retryTimes(settlement.retryInMs, policy)
      const state = await shipments.releaseCancellation(ticket, settlement.cause, times)
      if (state === 'in_transit') return alreadyInTransit(shipmentId)
      return state === undefined ? undefined : cancellationPending(shipmentId)
    }
  }
}

async function withdraw(
  ports: AskPorts,
  ticket: CancelTicket,
  cause: string,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const retryInMs = Math.min(UNSENT_RETRY_MS, retryDelayMs(ticket.sends, ticket.ageMs, ports.random()))
  const result = await settleWithRetries(ports, () =>
    ports.shipments.withdrawCancellation(ticket, cause, retryTimes(retryInMs, policy)),
  )
  switch (result) {
    case 'waiting':
      return cancellationPending(ticket.shipmentId)
    case 'withdrawn':
    case 'void':
      return undefined
  }
}

function retryTimes(retryInMs: number, { callerWaitMs }: CancelPolicy): RetryTimes {
  return { retryInMs, callerWaitMs: Math.min(retryInMs, callerWaitMs) }
}

/**
 * Records a carrier's answer, with three tries. `settlement` must be safe to repeat: the second refusal, release or
 * withdrawal of one ticket changes nothing.
 */
export async function settleWithRetries<Result>(
  { sleep }: Pick<Ports, 'sleep'>,
  settlement: () => Promise<Result>,
): Promise<Result> {
  for (const pauseMs of SETTLE_PAUSES_MS) {
    try {
      return await settlement()
    } catch {
      await sleep(pauseMs)
    }
  }
  return settlement()
}
