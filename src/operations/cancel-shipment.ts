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
  type CancelStep,
  type CancelTicket,
  cancellationPending,
  carrierUnavailable,
  type NotSent,
  type SuspectDraft,
} from '../core/shipments/cancellation.ts'
import { askCarrier } from './ask-carrier/ask-carrier.ts'
import { checkDraft } from './ask-carrier/check-draft.ts'
import { CANCEL_POLICY, type CancelPolicy } from './ask-carrier/policy.ts'
import { postpone } from './ask-carrier/settlement.ts'
import type { Caller } from './ports/caller.ts'
import type { Admission } from './ports/carriers.ts'
import type { Ports } from './ports/ports.ts'
import { withTimeout } from './ports/work.ts'
import { answerLate, openRecording, type Recording, record } from './recording.ts'

type CancelPorts = Pick<
  Ports,
  | 'shipments'
  | 'tracking'
  | 'carriers'
  | 'inFlight'
  | 'clock'
  | 'monotonicMs'
  | 'sleep'
  | 'random'
  | 'alert'
  | 'reportFault'
>

/**
 * Cancels a draft, or asks the carrier of a booked shipment to cancel it. Safe to repeat and to call concurrently: all
 * callers cause one call to the carrier and get the same outcome. Returns `CancellationPending` if an attempt is, or
 * may be, recorded, and CARRIER_UNAVAILABLE if nothing is. Throws only if the store fails and nothing was recorded.
 *
 * If `withShipment` is true and this call cancels a draft, the outcome contains the shipment. A call that joins another
 * one in progress gets the outcome of that one, which may lack the shipment.
 */
export function cancelShipment(
  ports: CancelPorts,
  caller: Pick<Caller, 'accountId'>,
  shipmentId: string,
  policy: CancelPolicy = CANCEL_POLICY,
  withShipment = false,
): Promise<CancelOutcome> {
  const { accountId } = caller
  return ports.inFlight.runWithLimit(`cancel ${accountId} ${shipmentId}`, () => {
    const recording = openRecording()
    const late = (): CancelOutcome =>
      answerLate(recording) === 'pending' ? cancellationPending(shipmentId) : carrierUnavailable(shipmentId)
    const startedAt = ports.clock().getTime()
    const arrivedAtMs = ports.monotonicMs()
    const lease = { startedAtMs: 0 }
    const outcome = cancel({
      ports,
      accountId,
      shipmentId,
      policy,
      withShipment,
      recording,
      startedAt,
      arrivedAtMs,
      lease,
    })
    return { outcome, limitMs: policy.deadlineMs, late }
  })
}

/** One run of the operation, shared by its callers. */
type Cancellation = {
  readonly ports: CancelPorts
  readonly accountId: string
  readonly shipmentId: string
  readonly policy: CancelPolicy
  /** Whether to return the shipment if it was a draft. */
  readonly withShipment: boolean
  readonly recording: Recording
  /** The time of the first request, in milliseconds. */
  readonly startedAt: number
  /** The same time by `Ports.monotonicMs`. */
  readonly arrivedAtMs: number
  /** The time before the last begin statement, by `Ports.monotonicMs`. The lease cannot have begun earlier. */
  readonly lease: { startedAtMs: number }
}

async function cancel(work: Cancellation): Promise<CancelOutcome> {
  const { ports, shipmentId, policy, recording } = work
  const deadline = work.startedAt + policy.deadlineMs
  let admission: Admission | NotSent | undefined
  try {
    let step = afterBegin(shipmentId, await begin(work, false))
    if (step.kind === 'FindBooking') step = await findBooking(work, step.draft)
    if (step.kind === 'Admit') {
      recording.mayBeRecorded = recording.isPromised || step.parcel.attemptIsOpen
      admission = await ports.carriers.admit(step.parcel)
      step = await beginAdmitted(work, admission)
    }
    if (step.kind === 'Answer') return step.outcome
    const outcome = step.kind === 'AskCarrier' ? await ask(work, step.ticket, admission) : undefined
    if (outcome !== undefined) return outcome
    // A follower needs no slot.
    if (admission?.kind === 'admitted') admission.leave()
    return await follow(work, deadline)
  } catch (error) {
    if (!recording.mayBeRecorded) throw error
    // The sweeper carries out what is recorded.
    ports.reportFault(error)
    return cancellationPending(shipmentId)
  } finally {
    if (admission?.kind === 'admitted') admission.leave()
  }
}

/**
 * Records the attempt if the carrier can be asked now, so that an attempt is only recorded for a call that follows. The
 * exception is a caller who already got "pending": the sweeper will send that attempt.
 */
async function beginAdmitted(work: Cancellation, admission: Admission | NotSent): Promise<CancelStep> {
  const { shipmentId, recording } = work
  if (recording.isClosed) return { kind: 'Answer', outcome: carrierUnavailable(shipmentId) }
  if (admission.kind === 'not_sent' && !recording.isPromised) return { kind: 'Follow' }
  const begun = await begin(work, true, () => {
    // The slot is for callers who wait.
    if (recording.isPromised && admission.kind === 'admitted') admission.leave()
  })
  return afterBegin(shipmentId, begun)
}

/**
 * Asks the carrier whether it has a booking of a suspect draft, and begins again with the answer recorded. If there is
 * no answer, nothing is cancelled, unless an earlier answer has promised it: then the draft is booked, which returns
 * the booking that the carrier may have, and the sweeper cancels it at the carrier.
 */
async function findBooking(work: Cancellation, draft: SuspectDraft): Promise<CancelStep> {
  const { ports, accountId, shipmentId, policy, recording } = work
  recording.mayBeRecorded = recording.isPromised
  const found = await checkDraft(ports, draft, 'caller', policy).catch((error: unknown) => {
    if (!recording.isPromised) throw error
    ports.reportFault(error)
    return { kind: 'unknown' } as const
  })
  const unavailable: CancelStep = { kind: 'Answer', outcome: carrierUnavailable(shipmentId) }
  if (recording.isClosed) return unavailable
  if (found.kind === 'unknown' || found.kind === 'not_sent') {
    if (!recording.isPromised) return unavailable
    const terms = { mayOpen: true, leaseMs: policy.leaseMs }
    const book = () => ports.shipments.beginBooking(accountId, shipmentId, terms)
    await record(ports, recording, book, { withinMs: policy.recordWithinMs })
  }
  const step = afterBegin(shipmentId, await begin(work, false))
  // The lineage has changed once more.
  return step.kind === 'FindBooking' ? unavailable : step
}

function ask(
  { ports, policy, recording, lease }: Cancellation,
  ticket: CancelTicket,
  admission: Admission | NotSent | undefined,
): Promise<CancelOutcome | undefined> {
  recording.mayBeRecorded = true
  return admission?.kind === 'admitted'
    ? askCarrier(ports, ticket, admission, lease.startedAtMs, policy)
    : postpone(ports, ticket, admission?.cause ?? 'no slot was reserved', policy)
}

/** Cancels a draft. With `mayOpen`, opens or takes over the attempt of a booked shipment. */
function begin(
  { ports, accountId, shipmentId, policy, withShipment, recording, arrivedAtMs, lease }: Cancellation,
  mayOpen: boolean,
  onFailure?: () => void,
): Promise<CancelBegun | undefined> {
  const { leaseMs, recordWithinMs } = policy
  const statement = () => {
    // A refusal that another process has recorded since this request arrived is final for this request as well.
    lease.startedAtMs = ports.monotonicMs()
    const refusalMemoryMs = policy.refusalMemoryMs + lease.startedAtMs - arrivedAtMs
    const terms = { mayOpen, leaseMs, refusalMemoryMs, withShipment }
    return ports.shipments.beginCancellation(accountId, shipmentId, terms)
  }
  return record(ports, recording, statement, {
    withinMs: recordWithinMs,
    ...(onFailure !== undefined && { onFailure }),
  })
}

/** Polls until another process has settled the attempt. Never calls the carrier. */
async function follow(
  { ports, accountId, shipmentId, policy, recording }: Cancellation,
  deadline: number,
): Promise<CancelOutcome> {
  // Sum of the pauses. It bounds the wait even if the clock is set back.
  let waitedMs = 0
  for (
    let pauseMs = policy.firstPollMs;
    ;
    pauseMs = Math.min(policy.slowestPollMs, Math.ceil(pauseMs * 1.5))
  ) {
    const leftMs = Math.min(policy.deadlineMs - waitedMs, deadline - ports.clock().getTime())
    const found = await ports.shipments.cancelProgress(accountId, shipmentId, policy.refusalMemoryMs)
    if (found !== undefined && found.attempt !== 'none') recording.mayBeRecorded = true
    const outcome = afterPoll(shipmentId, found, leftMs)
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
