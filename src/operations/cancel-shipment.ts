/**
 * Operation: cancels a shipment of the caller's account. It has three steps: begin, ask the carrier, settle. If another
 * process is already asking the carrier, the caller waits for its result. docs/cancellation.md explains the protocol,
 * docs/rest-contract.md#r20 (to R22) the outcomes.
 */
import {
  afterBegin,
  afterPoll,
  type CancelBegun,
  type CancelOutcome,
  cancellationPending,
} from '../core/shipments/cancellation.ts'
import { askCarrier, CANCEL_POLICY, type CancelPolicy } from './ask-carrier.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import { withTimeout } from './ports/work.ts'

type CancelPorts = Pick<
  Ports,
  'shipments' | 'carriers' | 'inFlight' | 'clock' | 'sleep' | 'random' | 'alert' | 'reportFault'
>

/**
 * Cancels a draft, or asks the carrier of a booked shipment to cancel it. Safe to repeat and to call concurrently: all
 * callers cause one call to the carrier and get the same outcome. Returns `CancellationPending` if the carrier was
 * asked and its answer is unknown or could not be recorded, and CARRIER_UNAVAILABLE if nothing was sent. Throws only if
 * the store fails before the carrier is asked.
 */
export function cancelShipment(
  ports: CancelPorts,
  caller: Pick<Caller, 'accountId'>,
  shipmentId: string,
  policy: CancelPolicy = CANCEL_POLICY,
): Promise<CancelOutcome> {
  const { accountId } = caller
  const work = ports.inFlight.run(`cancel ${accountId} ${shipmentId}`, async () => {
    const deadline = ports.clock().getTime() + policy.deadlineMs
    const step = afterBegin(shipmentId, await begin(ports, accountId, shipmentId, policy))
    if (step.kind === 'Answer') return step.outcome
    try {
      const outcome =
        step.kind === 'AskCarrier' ? await askCarrier(ports, step.ticket, 'caller', policy) : undefined
      return outcome ?? (await follow(ports, accountId, shipmentId, deadline, policy))
    } catch (error) {
      // The attempt is recorded. When its lease expires, the sweeper takes it over.
      ports.reportFault(error)
      return cancellationPending(shipmentId)
    }
  })
  return withTimeout(work, policy.deadlineMs, () => cancellationPending(shipmentId))
}

/**
 * Begins, with one retry after an error. If the first statement was executed but its result was lost, the retry finds
 * the recorded attempt. Without the retry, the caller would get "nothing was sent", although the sweeper sends the
 * attempt later.
 */
async function begin(
  { shipments }: CancelPorts,
  accountId: string,
  shipmentId: string,
  policy: CancelPolicy,
): Promise<CancelBegun | undefined> {
  try {
    return await shipments.beginCancellation(accountId, shipmentId, policy)
  } catch {
    return shipments.beginCancellation(accountId, shipmentId, policy)
  }
}

/** Polls until another process has settled the attempt. Never calls the carrier. */
async function follow(
  ports: CancelPorts,
  accountId: string,
  shipmentId: string,
  deadline: number,
  policy: CancelPolicy,
): Promise<CancelOutcome> {
  // Sum of the pauses. It bounds the wait even if the clock is set back.
  let waitedMs = 0
  for (
    let pauseMs = policy.firstPollMs;
    ;
    pauseMs = Math.min(policy.slowestPollMs, Math.ceil(pauseMs * 1.5))
  ) {
    const leftMs = Math.min(policy.deadlineMs - waitedMs, deadline - ports.clock().getTime())
    const progress = await ports.shipments.cancelProgress(accountId, shipmentId, policy.refusalMemoryMs)
    const outcome = afterPoll(shipmentId, progress, leftMs)
    if (outcome !== undefined) return outcome
    if (leftMs <= 0) return cancellationPending(shipmentId)
    await ports.sleep(pauseMs)
    waitedMs += pauseMs
  }
}

/**
 * Shutdown: call it when no new requests are accepted. Waits up to `limitMs` for running cancellations and bookings,
 * then releases the leases of the remaining ones, so that other replicas continue them at once.
 */
export async function settleBeforeShutdown(
  { shipments, inFlight }: Pick<Ports, 'shipments' | 'inFlight'>,
  limitMs: number,
): Promise<void> {
  await withTimeout(inFlight.drain(), limitMs, () => undefined)
  await shipments.releaseLeases()
}
