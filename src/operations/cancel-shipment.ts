/**
 * Operation: cancels a shipment of the caller's account, by the attempt-first protocol. Begin is on disk before
 * the carrier hears of it, the call holds nothing, the settlement is one statement; whatever dies in between
 * leaves an attempt that the sweeper or a repeat drives on under the same idempotency key.
 * Source: specification 3, 4.3 and 7.1; decisions 20 to 22 of the README; design/cancellation.md.
 */
import {
  afterBegin,
  afterLook,
  type CancelBegun,
  type CancelOutcome,
  cancellationPending,
} from '../core/shipments/cancellation.ts'
import { askCarrier, CANCEL_TERMS, type CancelTerms } from './ask-carrier.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import { drain, runOnce, withinDeadline } from './run-once.ts'

type CancelPorts = Pick<Ports, 'shipments' | 'carriers' | 'clock' | 'alert' | 'reportFault'>

/**
 * Cancels a draft here, or a booked shipment with its carrier. Safe to repeat and to call at once: one call to
 * the carrier, one change, and the same end for everyone. `CancellationPending`: the carrier was asked and what
 * it did is not known, or cannot be written down; CARRIER_UNAVAILABLE: nothing was sent. Throws only when the store
 * is out of reach before the carrier was asked.
 */
export function cancelShipment(
  ports: CancelPorts,
  caller: Pick<Caller, 'accountId'>,
  shipmentId: string,
  terms: CancelTerms = CANCEL_TERMS,
): Promise<CancelOutcome> {
  const { accountId } = caller
  const work = runOnce(ports.shipments, `cancel ${accountId} ${shipmentId}`, async () => {
    const deadline = ports.clock().getTime() + terms.deadlineMs
    const step = afterBegin(shipmentId, await begin(ports, accountId, shipmentId, terms))
    if (step.kind === 'Answer') return step.outcome
    try {
      const outcome = step.kind === 'AskCarrier' ? await askCarrier(ports, step.ticket, terms) : undefined
      return outcome ?? (await follow(ports, accountId, shipmentId, deadline, terms))
    } catch (error) {
      // The attempt is on disk and its lease runs out: the sweeper takes it over and learns the end.
      ports.reportFault(error)
      return cancellationPending(shipmentId)
    }
  })
  // The work goes on; only the caller stops waiting for it.
  return withinDeadline(work, terms.deadlineMs, () => cancellationPending(shipmentId))
}

/**
 * Begins, once more when the first answer is lost: what it did is on disk then, and the second one reads it, so that
 * nobody is told that nothing was sent and hears later that it was.
 */
async function begin(
  { shipments }: CancelPorts,
  accountId: string,
  shipmentId: string,
  terms: CancelTerms,
): Promise<CancelBegun | undefined> {
  try {
    return await shipments.beginCancellation(accountId, shipmentId, terms)
  } catch {
    return shipments.beginCancellation(accountId, shipmentId, terms)
  }
}

/** Waits for another's answer without ever asking the carrier; pending when none comes in time. */
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
    const leftMs = Math.min(terms.deadlineMs - waitedMs, deadline - ports.clock().getTime())
    const standing = await ports.shipments.cancelProgress(accountId, shipmentId, terms.refusalMemoryMs)
    const outcome = afterLook(shipmentId, standing, leftMs)
    if (outcome !== undefined) return outcome
    if (leftMs <= 0) return cancellationPending(shipmentId)
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
  await withinDeadline(drain(shipments), limitMs, () => undefined)
  await shipments.releaseLeases()
}
