/**
 * Operation: cancels a shipment of the caller's account, by the attempt-first protocol. Begin is on disk before
 * the carrier hears of it, the call holds nothing, the settlement is one statement; whatever dies in between
 * leaves an attempt that a repeat drives on under the same idempotency key.
 * Source: specification 3, 4.3 and 7.1; decisions 20 to 22 of the README; design/cancellation.md.
 */
import {
  afterBegin,
  afterLook,
  alreadyInTransit,
  type CancelOutcome,
  type CancelTicket,
  cancellationPending,
  carrierRefused,
  settlementOf,
  shipmentCancelled,
} from '../core/shipments/cancellation.ts'
import type { Caller, Ports } from './ports.ts'
import { drain, runOnce } from './run-once.ts'

/** Times in milliseconds, and where chance and waiting come from; tests bring their own. */
export type CancelTerms = {
  /** Longer than the carrier's time-out and a settlement together, or a second process asks as well. */
  readonly leaseMs: number
  /** How long a final refusal answers for the carrier. */
  readonly refusalMemoryMs: number
  /** When a refusal that followed an ambiguous send is looked into. */
  readonly verifyInMs: number
  /** How long a caller waits in all. */
  readonly deadlineMs: number
  readonly firstLookMs: number
  readonly slowestLookMs: number
  /** 0 to 1; spreads retries. */
  readonly jitter: () => number
  readonly pause: (milliseconds: number) => Promise<void>
}

/** What the service runs with. */
export const CANCEL_TERMS: CancelTerms = {
  leaseMs: 12_000,
  refusalMemoryMs: 30_000,
  verifyInMs: 60_000,
  deadlineMs: 12_000,
  firstLookMs: 15,
  slowestLookMs: 200,
  jitter: Math.random,
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** Pauses between tries to write a settlement down. The carrier's answer is in hand: worth three tries. */
const SETTLE_PAUSES_MS = [50, 400]

type CancelPorts = Pick<Ports, 'shipments' | 'carriers' | 'clock' | 'reportFault'>

/**
 * Cancels a draft here, or a booked shipment with its carrier. Safe to repeat and to call at once: one call to
 * the carrier, one change, and the same end for everyone. `CancellationPending`: the carrier was asked and what
 * it did is not known, or cannot be written down. Throws only when the store is out of reach before the carrier
 * was asked.
 */
export function cancelShipment(
  ports: CancelPorts,
  caller: Pick<Caller, 'accountId'>,
  shipmentId: string,
  terms: CancelTerms = CANCEL_TERMS,
): Promise<CancelOutcome> {
  const { accountId } = caller
  return runOnce(ports.shipments, `cancel ${accountId} ${shipmentId}`, async () => {
    const deadline = ports.clock().getTime() + terms.deadlineMs
    const step = afterBegin(shipmentId, await ports.shipments.beginCancellation(accountId, shipmentId, terms))
    switch (step.kind) {
      case 'Answer':
        return step.outcome
      case 'Follow':
        return follow(ports, accountId, shipmentId, deadline, terms)
      case 'AskCarrier':
        try {
          const outcome = await askCarrier(ports, step.ticket, terms)
          return outcome ?? (await follow(ports, accountId, shipmentId, deadline, terms))
        } catch (error) {
          // The attempt is on disk and its lease runs out: a repeat takes it over and learns the end.
          ports.reportFault(error)
          return cancellationPending(shipmentId)
        }
    }
  })
}

/**
 * Asks the carrier once under a lease that is held, and settles the attempt by its answer. Undefined: the lease
 * had run out and another process has taken over, so this answer is void and the other's counts.
 */
export async function askCarrier(
  ports: Pick<Ports, 'shipments' | 'carriers'>,
  ticket: CancelTicket,
  terms: CancelTerms,
): Promise<CancelOutcome | undefined> {
  const { shipments, carriers } = ports
  const { shipmentId } = ticket
  const settlement = settlementOf(await carriers.cancel(ticket), ticket.sends, terms.jitter())
  return insist(terms, async () => {
    switch (settlement.kind) {
      case 'Accept': {
        const state = await shipments.acceptCancellation(ticket)
        if (state === 'in_transit') return alreadyInTransit(shipmentId)
        if (state !== 'cancelled') throw new Error(`accepted, but shipment ${shipmentId} is ${state}`)
        return shipmentCancelled(shipmentId, { alreadyCancelled: false, carrierNotified: true })
      }
      case 'Refuse': {
        const settled = await shipments.refuseCancellation(ticket, settlement.reason, terms.verifyInMs)
        return settled ? carrierRefused(shipmentId, settlement.reason) : undefined
      }
      case 'Release': {
        const { cause, retryInMs } = settlement
        const settled = await shipments.releaseCancellation(ticket, cause, retryInMs)
        return settled ? cancellationPending(shipmentId) : undefined
      }
    }
  })
}

/**
 * Writes a settlement down, again when the store fails: each of them may be run twice (the second refusal or
 * release of one ticket finds nothing left to do and answers undefined, and following finds the end).
 */
async function insist<End>({ pause }: CancelTerms, settle: () => Promise<End>): Promise<End> {
  for (const pauseMs of SETTLE_PAUSES_MS) {
    try {
      return await settle()
    } catch {
      await pause(pauseMs)
    }
  }
  return settle()
}

/** Waits for another process's answer without ever asking the carrier; pending when none comes in time. */
async function follow(
  ports: CancelPorts,
  accountId: string,
  shipmentId: string,
  deadline: number,
  terms: CancelTerms,
): Promise<CancelOutcome> {
  // The pauses are counted as well, so that a clock that is set back cannot keep a caller.
  let waitedMs = 0
  for (let pauseMs = terms.firstLookMs; ; pauseMs = Math.min(terms.slowestLookMs, Math.ceil(pauseMs * 1.5))) {
    const outcome = afterLook(shipmentId, await ports.shipments.cancelStanding(accountId, shipmentId))
    if (outcome !== undefined) return outcome
    if (waitedMs >= terms.deadlineMs || ports.clock().getTime() >= deadline)
      return cancellationPending(shipmentId)
    await terms.pause(pauseMs)
    waitedMs += pauseMs
  }
}

/**
 * Shutdown, after the last request was let in: waits for cancellations and bookings that are running, at most
 * `limitMs`, then gives up the leases of those that are not through, so that others take them over at once.
 */
export async function settleBeforeShutdown(
  { shipments }: Pick<Ports, 'shipments'>,
  limitMs: number,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([drain(shipments), limit])
  clearTimeout(timer)
  await shipments.releaseLeases()
}
