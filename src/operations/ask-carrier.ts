/**
 * The middle and the end of a cancellation at a carrier: one question under a lease that is held, nothing else held
 * meanwhile, and one settlement by its answer. Callers and the sweeper both come through here.
 * Source: design/cancellation.md, steps 2, 3 and 5.
 */
import {
  alreadyInTransit,
  type CancelOutcome,
  type CancelTicket,
  type CarrierCancelAnswer,
  cancellationPending,
  carrierRefused,
  retryDelayMs,
  type Settlement,
  settlementOf,
  shipmentCancelled,
} from '../core/shipments/cancellation.ts'
import type { CallOrigin } from './ports/carriers.ts'
import type { Ports } from './ports/ports.ts'
import type { RetryTimes } from './ports/shipments.ts'

/** Times in milliseconds, and where chance and waiting come from; tests bring their own. */
export type CancelTerms = {
  /** Longer than a call, a look-up, the lines before both and a settlement, or a second process asks as well. */
  readonly leaseMs: number
  /** How long a final refusal answers for the carrier. */
  readonly refusalMemoryMs: number
  /** How long the look-up may take that a refusal after an ambiguous send gets before it is believed. */
  readonly lookTimeoutMs: number
  /** From which age of an attempt on such a refusal is believed where look-ups say nothing. */
  readonly lookPatienceMs: number
  /** When such a refusal is looked into once more. */
  readonly verifyInMs: number
  /** How long a caller waits in all. */
  readonly deadlineMs: number
  /** How soon a caller may have the carrier asked again, at the most; sooner he waits for the sweeper. */
  readonly callerWaitMs: number
  readonly firstLookMs: number
  readonly slowestLookMs: number
  /** 0 to 1; spreads retries. */
  readonly jitter: () => number
  readonly pause: (milliseconds: number) => Promise<void>
  /** Whose calls these are. */
  readonly origin: CallOrigin
}

/** What the service runs with. */
export const CANCEL_TERMS: CancelTerms = {
  leaseMs: 15_000,
  refusalMemoryMs: 30_000,
  lookTimeoutMs: 2_500,
  lookPatienceMs: 900_000,
  verifyInMs: 60_000,
  deadlineMs: 12_000,
  callerWaitMs: 5_000,
  firstLookMs: 15,
  slowestLookMs: 200,
  jitter: Math.random,
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  origin: 'caller',
}

/** Pauses between tries to write a settlement down. The carrier's answer is in hand: worth three tries. */
const SETTLE_PAUSES_MS = [50, 400]

/** How long until what could not be sent is due again. */
const UNSENT_RETRY_MS = 5_000

type AskPorts = Pick<Ports, 'shipments' | 'carriers' | 'alert'>

/**
 * Asks the carrier once and settles the attempt by its answer. Undefined: the shipment's standing tells the end, since
 * another process has settled the attempt meanwhile, or nothing could be sent and no attempt is left.
 */
export async function askCarrier(
  ports: AskPorts,
  ticket: CancelTicket,
  terms: CancelTerms,
): Promise<CancelOutcome | undefined> {
  const answer = await ports.carriers.cancel(ticket, terms.origin)
  if (answer.kind === 'not_sent') return withdraw(ports, ticket, answer.cause, terms)
  const { believed, verifyInMs } = await looked(ports, ticket, answer, terms)
  const settlement = settlementOf(believed, ticket, terms.jitter())
  return insist(terms, () => settle(ports, ticket, settlement, verifyInMs, terms))
}

/**
 * A refusal after a send of unknown end may only mean that there is nothing left to cancel. The partner would ship on
 * a refusal, so it is looked into first, and is in doubt as long as look-ups say nothing; a carrier that cannot be
 * looked up, or not for a quarter of an hour, is believed, and verified later.
 */
async function looked(
  { carriers }: AskPorts,
  ticket: CancelTicket,
  answer: CarrierCancelAnswer,
  { lookTimeoutMs, lookPatienceMs, verifyInMs, origin }: CancelTerms,
): Promise<{ believed: CarrierCancelAnswer; verifyInMs: number | undefined }> {
  if (answer.kind !== 'refused' || ticket.sends === 1) return { believed: answer, verifyInMs: undefined }
  const seen = await carriers.track(ticket, lookTimeoutMs, origin)
  switch (seen.kind) {
    case 'cancelled':
      return { believed: { kind: 'cancelled', how: 'already' }, verifyInMs: undefined }
    case 'scanned':
      return { believed: answer, verifyInMs: undefined }
    case 'announced':
      // The earlier send may still overtake this one.
      return { believed: answer, verifyInMs }
    case 'unknown':
    case 'not_sent': {
      const mayBeSeenLater = carriers.canTrack(ticket.carrierCode) && ticket.ageMs < lookPatienceMs
      if (!mayBeSeenLater) return { believed: answer, verifyInMs }
      const cause = `refused (${answer.code}) after an unconfirmed send, and the look-up says nothing: ${seen.cause}`
      return { believed: { kind: 'unknown', cause }, verifyInMs: undefined }
    }
  }
}

async function settle(
  { shipments, alert }: AskPorts,
  ticket: CancelTicket,
  settlement: Settlement,
  verifyInMs: number | undefined,
  terms: CancelTerms,
): Promise<CancelOutcome | undefined> {
  const { shipmentId, carrierCode } = ticket
  switch (settlement.kind) {
    case 'Accept': {
      const state = await shipments.acceptCancellation(ticket, settlement.cancelledBy)
      if (state === 'cancelled') return shipmentCancelled(shipmentId, settlement.cancelledBy, false)
      if (state !== 'in_transit') throw new Error(`accepted, but shipment ${shipmentId} is ${state}`)
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
      const times = retryTimes(settlement.retryInMs, terms)
      const state = await shipments.releaseCancellation(ticket, settlement.cause, times)
      if (state === 'in_transit') return alreadyInTransit(shipmentId)
      return state === undefined ? undefined : cancellationPending(shipmentId)
    }
  }
}

async function withdraw(
  { shipments }: AskPorts,
  ticket: CancelTicket,
  cause: string,
  terms: CancelTerms,
): Promise<CancelOutcome | undefined> {
  const retryInMs = Math.min(UNSENT_RETRY_MS, retryDelayMs(ticket.sends, ticket.ageMs, terms.jitter()))
  const end = await insist(terms, () =>
    shipments.withdrawCancellation(ticket, cause, retryTimes(retryInMs, terms)),
  )
  switch (end) {
    case 'waiting':
      return cancellationPending(ticket.shipmentId)
    case 'withdrawn':
    case 'void':
      return undefined
  }
}

function retryTimes(retryInMs: number, { callerWaitMs }: CancelTerms): RetryTimes {
  return { retryInMs, callerWaitMs: Math.min(retryInMs, callerWaitMs) }
}

/**
 * Writes a settlement down, again when the store fails: each of them may be run twice (the second refusal, release
 * or withdrawal of one ticket finds nothing left to do, and following finds the end).
 */
export async function insist<End>(
  { pause }: Pick<CancelTerms, 'pause'>,
  settlement: () => Promise<End>,
): Promise<End> {
  for (const pauseMs of SETTLE_PAUSES_MS) {
    try {
      return await settlement()
    } catch {
      await pause(pauseMs)
    }
  }
  return settlement()
}
