/**
 * Operation: cancels a shipment of the caller's account. `decide` in core says what to do, `perform` does it and
 * reports what happened, until there is an answer. If another process is already asking the carrier, the caller waits
 * for its result. docs/cancellation.md explains the protocol, docs/rest-contract.md#r20 (to R22) the outcomes.
 */
import {
  type Begin,
  type Callers,
  type CancelAlert,
  type CancelEffect,
  type CancelEvent,
  type CancelTask,
  decide,
  type Poll,
  type Settle,
} from '../core/shipments/cancel-steps.ts'
import {
  type CancelBegun,
  type CancelOutcome,
  type CancelTicket,
  cancellationPending,
  carrierUnavailable,
  type SuspectDraft,
} from '../core/shipments/cancellation.ts'
import type { ShipmentState } from '../core/shipments/shipment.ts'
import { askCarrier, recordParcel } from './ask-carrier/ask-carrier.ts'
import { checkDraft } from './ask-carrier/check-draft.ts'
import { CANCEL_POLICY, type CancelPolicy } from './ask-carrier/policy.ts'
import { settleWithRetries } from './ask-carrier/settlement.ts'
import type { Caller } from './ports/caller.ts'
import type { Admission, CallOrigin } from './ports/carriers.ts'
import { observed } from './ports/observer.ts'
import type { Ports } from './ports/ports.ts'
import { withTimeout } from './ports/work.ts'
import { answerLate, openRecording, type Recording, record } from './recording.ts'

export type CancelPorts = Pick<
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
  | 'observer'
>

/** Whose shipment is cancelled, and by which request: that is written to the journal. */
export type Canceller = Pick<Caller, 'accountId'> & { readonly requestId?: string }

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
  { accountId, requestId }: Canceller,
  shipmentId: string,
  policy: CancelPolicy = CANCEL_POLICY,
  withShipment = false,
): Promise<CancelOutcome> {
  const begin = () => {
    const run = openRun(ports, { accountId, shipmentId, requestId }, policy, 'waiting', withShipment)
    const late = (): CancelOutcome =>
      answerLate(run.recording) === 'pending'
        ? cancellationPending(shipmentId)
        : carrierUnavailable(shipmentId)
    return { outcome: answerCallers(run), limitMs: policy.deadlineMs, late }
  }
  return observed<CancelOutcome>(ports, 'cancelShipment', () =>
    ports.inFlight.runWithLimit(`cancel ${accountId} ${shipmentId}`, begin),
  )
}

/**
 * Asks the carrier once, as background work, and settles the attempt by the answer. `leasedAtMs` is the time before the
 * statement that took the lease, by `Ports.monotonicMs`: nothing is sent after the lease has ended. Returns undefined
 * if another process has settled the attempt; poll the shipment for the outcome.
 */
export function continueAttempt(
  ports: CancelPorts,
  ticket: CancelTicket,
  by: CallOrigin,
  leasedAtMs: number,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  return carryOut({ ...openRun(ports, ticket, policy, 'none'), by, leasedAtMs }, { kind: 'Ask', ticket })
}

/** One run of the operation, shared by its callers, or background work on an attempt. */
type Run = {
  readonly ports: CancelPorts
  readonly accountId: string
  readonly shipmentId: string
  /** The request that began the run. Absent for background work. */
  readonly requestId?: string | undefined
  readonly policy: CancelPolicy
  /** Whether to return the shipment if it was a draft. */
  readonly withShipment: boolean
  readonly recording: Recording
  /** The time of the first request, in milliseconds, and the same time by `Ports.monotonicMs`. */
  readonly startedAt: number
  readonly arrivedAtMs: number
  /** The time before the last begin statement, by `Ports.monotonicMs`. The lease cannot have begun earlier. */
  leasedAtMs: number
  /** The reserved slot, if there is one. */
  by: CallOrigin | Admission
}

function openRun(
  ports: CancelPorts,
  { accountId, shipmentId, requestId }: Pick<Run, 'accountId' | 'shipmentId' | 'requestId'>,
  policy: CancelPolicy,
  callers: Callers,
  withShipment = false,
): Run {
  const recording = openRecording(callers)
  const startedAt = ports.clock().getTime()
  const arrivedAtMs = ports.monotonicMs()
  const run = {
    ports,
    accountId,
    shipmentId,
    requestId,
    policy,
    withShipment,
    recording,
    startedAt,
    arrivedAtMs,
  }
  return { ...run, leasedAtMs: 0, by: 'caller' }
}

async function answerCallers(run: Run): Promise<CancelOutcome> {
  const { ports, shipmentId, recording } = run
  try {
    return (await carryOut(run, { kind: 'Begin', after: 'arrival' })) ?? cancellationPending(shipmentId)
  } catch (error) {
    if (!recording.mayBeRecorded) throw error
    // The sweeper carries out what is recorded.
    ports.reportFault(error)
    return cancellationPending(shipmentId)
  } finally {
    leaveSlot(run)
  }
}

/** Does what `decide` says, until there is an answer or nothing left to do. */
async function carryOut(run: Run, first: CancelEffect): Promise<CancelOutcome | undefined> {
  const { ports, shipmentId, recording, policy } = run
  let effect = first
  for (;;) {
    if (effect.alert !== undefined) await raise(ports, effect.alert)
    if (effect.kind === 'Leave') return undefined
    if (effect.kind === 'Answer') return effect.outcome
    const event = await perform(run, effect)
    effect = decide({ shipmentId, callers: recording.callers }, event, policy, ports.random())
  }
}

/** Of `PARTLY_CANCELLED` it is recorded afterwards that it was raised, so that it is repeated and not lost. */
async function raise(ports: CancelPorts, { kind, ticket, detail }: CancelAlert): Promise<void> {
  const { carrierCode, shipmentId } = ticket
  ports.alert({ kind, carrierCode, shipmentId, ...(detail !== undefined && { detail }) })
  if (kind === 'PARTLY_CANCELLED')
    await settleWithRetries(ports, () => ports.shipments.recordPartAlert(ticket))
}

async function perform(run: Run, task: CancelTask): Promise<CancelEvent> {
  const { ports, recording, policy } = run
  switch (task.kind) {
    case 'Begin':
      return { kind: 'Begun', begin: task, begun: await begin(run, task) }
    case 'FindBooking':
      recording.mayBeRecorded = task.mayBeRecorded
      return { kind: 'BookingLookedUp', found: await findBooking(run, task.draft) }
    case 'RecordBooking':
      await recordBooking(run)
      return { kind: 'BookingRecorded' }
    case 'Admit': {
      recording.mayBeRecorded = task.mayBeRecorded
      const admission = await ports.carriers.admit(task.parcel)
      if (admission.kind === 'admitted') run.by = admission
      return { kind: 'Admitted', admission }
    }
    case 'Ask':
      return { kind: 'Asked', round: await askCarrier(ports, task.ticket, run, policy) }
    case 'Settle':
      return { kind: 'Settled', settle: task, state: await settle(ports, task) }
    case 'Poll':
      return poll(run, task)
  }
}

/** Cancels a draft. After the admission, opens or takes over the attempt of a booked shipment. */
function begin(run: Run, { after }: Begin): Promise<CancelBegun | undefined> {
  const { ports, accountId, shipmentId, requestId, policy, withShipment, recording, arrivedAtMs } = run
  const statement = () => {
    // A refusal that another process has recorded since this request arrived is final for this request as well.
    run.leasedAtMs = ports.monotonicMs()
    const refusalMemoryMs = policy.refusalMemoryMs + run.leasedAtMs - arrivedAtMs
    const traceParent = ports.observer?.traceParent?.()
    const terms = {
      mayOpen: after === 'admission',
      leaseMs: policy.leaseMs,
      refusalMemoryMs,
      withShipment,
      requestId,
      ...(traceParent !== undefined && { traceParent }),
    }
    return ports.shipments.beginCancellation(accountId, shipmentId, terms)
  }
  // The slot is for callers who wait.
  const onFailure = () => {
    if (recording.callers === 'got pending') leaveSlot(run)
  }
  return record(ports, recording, statement, { withinMs: policy.recordWithinMs, onFailure })
}

async function findBooking({ ports, policy, recording }: Run, draft: SuspectDraft) {
  try {
    return (await checkDraft(ports, draft, 'caller', policy)).kind
  } catch (error) {
    if (recording.callers !== 'got pending') throw error
    ports.reportFault(error)
    return 'unknown'
  }
}

function recordBooking({ ports, accountId, shipmentId, policy, recording }: Run) {
  const terms = { mayOpen: true, leaseMs: policy.leaseMs }
  const statement = () => ports.shipments.beginBooking(accountId, shipmentId, terms)
  return record(ports, recording, statement, { withinMs: policy.recordWithinMs })
}

async function settle(
  ports: CancelPorts,
  { ticket, settlement, parcels = [] }: Settle,
): Promise<ShipmentState | undefined> {
  const { shipments } = ports
  for (const [carrierRef, result] of parcels) await recordParcel(ports, ticket, carrierRef, result)
  return settleWithRetries<ShipmentState | undefined>(ports, () => {
    switch (settlement.kind) {
      case 'Accept': {
        const { cancelledBy, verifyInMs, isFound } = settlement
        return shipments.acceptCancellation(ticket, cancelledBy, verifyInMs, isFound)
      }
      case 'Refuse': {
        const { refusal, carrierCode, verifyInMs } = settlement
        return shipments.refuseCancellation(ticket, refusal, carrierCode, verifyInMs)
      }
      case 'Release':
        return shipments.releaseCancellation(ticket, settlement.release)
    }
  })
}

/** Reads whether another process has settled the attempt. Never calls the carrier. */
async function poll(run: Run, task: Poll): Promise<CancelEvent> {
  const { ports, accountId, shipmentId, policy, recording } = run
  // A follower needs no slot.
  leaveSlot(run)
  if (task.pauseMs > 0) await ports.sleep(task.pauseMs)
  // The pauses bound the wait even if the clock is set back.
  const untilDeadlineMs = run.startedAt + policy.deadlineMs - ports.clock().getTime()
  const leftMs = Math.min(policy.deadlineMs - task.waitedMs, untilDeadlineMs)
  const progress = await ports.shipments.cancelProgress(accountId, shipmentId, policy.refusalMemoryMs)
  if (progress !== undefined && progress.attempt !== 'none') recording.mayBeRecorded = true
  return { kind: 'Polled', poll: task, progress, leftMs }
}

function leaveSlot({ by }: Run): void {
  if (typeof by !== 'string') by.leave()
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
