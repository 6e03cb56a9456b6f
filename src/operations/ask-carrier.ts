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
  type LookupTerms,
  needsLookup,
  retryDelayMs,
  settlementFor,
  shipmentCancelled,
  type TicketParcel,
} from '../core/shipments/cancellation.ts'
import {
  afterRound,
  isPartlyCancelled,
  type ParcelOutcome,
  type ParcelResult,
  parcelRetryMs,
  ticketForParcel,
} from '../core/shipments/parcels.ts'
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
  /** Longest age of a lease at which a request is sent, so that the carrier's answer arrives before the lease ends. */
  readonly sendWithinMs: number
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
  /** Delay of the first and of later lookups of the parcels that a carrier refused to cancel, unlike the others. */
  readonly firstPartLookupMs: number
  readonly partLookupMs: number
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
  sendWithinMs: 6_000,
  refusalMemoryMs: 30_000,
  lookupTimeoutMs: 2_500,
  trustRefusalAfterMs: 900_000,
  verifyAfterMs: 60_000,
  verifyAcceptedAfterMs: 86_400_000,
  firstPartLookupMs: 60_000,
  partLookupMs: 3 * 3_600_000,
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

type AskPorts = Pick<Ports, 'shipments' | 'carriers' | 'monotonicMs' | 'sleep' | 'random' | 'alert'>

/**
 * Asks the carrier once, or looks the parcel up if a refusal is in doubt, and settles the attempt by the answer. If the
 * carrier cancels each parcel, does so for each one. `leasedAtMs` is the time before the statement that took the lease,
 * by `Ports.monotonicMs`: nothing is sent after the lease has ended. Returns undefined if another process has settled
 * the attempt; poll the shipment for the outcome.
 */
export async function askCarrier(
  ports: AskPorts,
  ticket: CancelTicket,
  by: CallOrigin | Admission,
  leasedAtMs: number,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const origin = typeof by === 'string' ? by : 'caller'
  const mayStillSend = () => ports.monotonicMs() - leasedAtMs <= policy.sendWithinMs
  const { parcels } = ticket
  if (parcels !== undefined && ports.carriers.cancelsEachParcel(ticket.carrierCode))
    return askForEach({ ports, ticket, parcels, by, mayStillSend, policy })
  if (ticket.doubt !== undefined) {
    if (typeof by !== 'string') by.leave()
    return lookUpRefusal(ports, ticket, ticket.doubt, origin, policy)
  }
  const answer = await ports.carriers.cancel(ticket, by, { mayStillSend })
  if (answer.kind === 'not_sent') return postpone(ports, ticket, answer.cause, policy)
  if (needsLookup(answer, ticket))
    return lookUpRefusal(ports, ticket, { refusal: answer, ageMs: 0 }, origin, policy)
  return settle(ports, ticket, answer, undefined, policy)
}

/** One round of an attempt at a carrier that cancels each parcel. */
type Round = {
  readonly ports: AskPorts
  readonly ticket: CancelTicket
  readonly parcels: readonly TicketParcel[]
  readonly by: CallOrigin | Admission
  readonly mayStillSend: () => boolean
  readonly policy: CancelPolicy
}

/**
 * Asks for every parcel that is not cancelled, all at once, so that a round takes no longer than a single call. Each
 * answer is recorded when it arrives. Then settles the attempt, or leaves it open for the next round.
 */
async function askForEach(round: Round): Promise<CancelOutcome | undefined> {
  const { ports, ticket, parcels, by, policy } = round
  const admission = typeof by === 'string' ? undefined : by
  const wasPartlyCancelled = isPartlyCancelled(parcels)
  const first = parcels.find(isToBeSent)
  if (first === undefined) admission?.leave()
  const unsent: TicketParcel[] = []
  const rounds = await Promise.allSettled(
    parcels.map(async (parcel): Promise<[string, ParcelOutcome]> => {
      const slot = parcel === first ? by : admission === undefined ? by : 'caller'
      const outcome = await askForParcel(round, parcel, slot, wasPartlyCancelled)
      if (outcome.kind === 'open' && outcome.unsent === true) unsent.push(parcel)
      return [parcel.carrierRef, outcome]
    }),
  )
  const failure = rounds.find((one) => one.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  const outcomes = new Map(rounds.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
  const sent = parcels.filter(isToBeSent).length > unsent.length
  // While a doubt of an older version is recorded, a ticket counts no send.
  const isCounted = ticket.doubt === undefined
  if (sent && isCounted)
    for (const { carrierRef, unsent: before } of unsent)
      await recordParcel(round, carrierRef, { kind: 'unsent', total: before + 1 })
  const step = afterRound(outcomes)
  switch (step.kind) {
    case 'Accept':
      return settleWithRetries(ports, () =>
        settleFinally(
          ports,
          ticket,
          step,
          isForLater(outcomes, parcels) ? policy.verifyAcceptedAfterMs : undefined,
        ),
      )
    case 'Refuse':
      return settleWithRetries(ports, () => settleFinally(ports, ticket, step, policy.verifyAfterMs))
    case 'Retry':
      return release(ports, ticket, {
        ...{ cause: step.cause, times: retryTimes(step.retryInMs, policy, step.repeatAfterMs) },
        unsent: isCounted && !sent,
      })
    case 'Partial': {
      const retryInMs = wasPartlyCancelled ? policy.partLookupMs : policy.firstPartLookupMs
      // A repeated request does not look the parcels up earlier.
      const times = { retryInMs, callerWaitMs: retryInMs }
      const unsent = isCounted && !sent
      const outcome = await release(ports, ticket, { cause: step.cause, times, unsent })
      if (outcome !== undefined && !wasPartlyCancelled)
        ports.alert({ kind: 'PARTLY_CANCELLED', ...alertedShipment(ticket), detail: step.cause })
      return outcome
    }
  }
}

/** Whether the carrier has accepted the cancellation of a parcel for later, in this round or an earlier one. */
function isForLater(outcomes: ReadonlyMap<string, ParcelOutcome>, parcels: readonly TicketParcel[]): boolean {
  return (
    parcels.some(({ isLater }) => isLater === true) ||
    [...outcomes.values()].some((outcome) => outcome.kind === 'cancelled' && outcome.isLater)
  )
}

function alertedShipment({ carrierCode, shipmentId }: CancelTicket) {
  return { carrierCode, shipmentId }
}

function isToBeSent({ isCancelled, refusal, doubt }: TicketParcel): boolean {
  return !isCancelled && refusal === undefined && doubt === undefined
}

/** Takes one parcel a step further and records the result. */
async function askForParcel(
  round: Round,
  parcel: TicketParcel,
  by: CallOrigin | Admission,
  looksUpRefused: boolean,
): Promise<ParcelOutcome> {
  const { ports, ticket, mayStillSend } = round
  const { carrierRef, isCancelled, refusal, doubt } = parcel
  if (isCancelled) return { kind: 'cancelled', isLater: false }
  if (refusal !== undefined) {
    if (!looksUpRefused) return { kind: 'refused', refusal }
    const lookup = await lookUpParcel(round, carrierRef)
    return lookup.kind === 'cancelled' ? parcelCancelled(round, carrierRef) : { kind: 'refused', refusal }
  }
  if (doubt !== undefined) return lookUpDoubt(round, carrierRef, doubt)
  const request = ticketForParcel(ticket, parcel)
  const answer = await ports.carriers.cancel(request.ticket, by, {
    ...{ idempotencyKey: request.idempotencyKey, mayStillSend },
  })
  const retryInMs = parcelRetryMs(ticket, ports.random())
  switch (answer.kind) {
    case 'cancelled':
      return answer.how === 'released'
        ? { kind: 'released' }
        : parcelCancelled(round, carrierRef, answer.how === 'accepted')
    case 'refused':
      if (needsLookup(answer, request.ticket))
        return lookUpDoubt(round, carrierRef, { refusal: answer, ageMs: 0 })
      await recordParcel(round, carrierRef, { kind: 'refused', refusal: answer })
      return { kind: 'refused', refusal: answer }
    case 'unknown': {
      const { cause, repeatAfterMs = 0 } = answer
      return { kind: 'open', cause, retryInMs: Math.max(retryInMs, repeatAfterMs), repeatAfterMs }
    }
    case 'not_sent':
      return {
        kind: 'open',
        cause: answer.cause,
        retryInMs: Math.min(UNSENT_RETRY_MS, retryInMs),
        unsent: true,
      }
  }
}

/** Looks a parcel up whose refusal is in doubt. */
async function lookUpDoubt(round: Round, carrierRef: string, doubt: Doubt): Promise<ParcelOutcome> {
  const { ports, ticket, policy } = round
  const lookup = await lookUpParcel(round, carrierRef)
  const judgement = afterLookup(doubt, lookup, lookupTerms(ports, ticket, doubt, policy))
  if (judgement.kind === 'LookUpAgain') {
    await recordParcel(round, carrierRef, { kind: 'doubted', refusal: doubt.refusal })
    const { cause, againInMs: retryInMs = parcelRetryMs(ticket, ports.random()) } = judgement
    return { kind: 'open', cause, retryInMs }
  }
  if (judgement.answer.kind === 'cancelled') return parcelCancelled(round, carrierRef)
  await recordParcel(round, carrierRef, { kind: 'refused', refusal: doubt.refusal })
  return { kind: 'refused', refusal: doubt.refusal }
}

function lookUpParcel({ ports, ticket, by, policy }: Round, carrierRef: string) {
  const origin = typeof by === 'string' ? by : 'caller'
  return ports.carriers.track({ ...ticket, carrierRef }, policy.lookupTimeoutMs, origin)
}

async function parcelCancelled(round: Round, carrierRef: string, isLater = false): Promise<ParcelOutcome> {
  await recordParcel(round, carrierRef, { kind: 'cancelled', isLater })
  return { kind: 'cancelled', isLater }
}

async function recordParcel(
  { ports, ticket }: Round,
  carrierRef: string,
  result: ParcelResult,
): Promise<void> {
  const phase = await settleWithRetries(ports, () => ports.shipments.recordParcel(ticket, carrierRef, result))
  if (phase === 'refused' && result.kind === 'cancelled')
    ports.alert({
      ...{ kind: 'PARTLY_CANCELLED', ...alertedShipment(ticket) },
      detail: `${carrierRef} was cancelled after the attempt had been refused`,
    })
}

/** Looks a parcel up whose refusal is in doubt, and settles the attempt or leaves it open for another lookup. */
async function lookUpRefusal(
  ports: AskPorts,
  ticket: CancelTicket,
  doubt: Doubt,
  origin: CallOrigin,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  const lookup = await ports.carriers.track(ticket, policy.lookupTimeoutMs, origin)
  const judgement = afterLookup(doubt, lookup, lookupTerms(ports, ticket, doubt, policy))
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

function lookupTerms(
  { carriers }: AskPorts,
  { carrierCode }: CancelTicket,
  { ageMs }: Doubt,
  { trustRefusalAfterMs }: CancelPolicy,
): LookupTerms {
  return {
    lagMs: carriers.lookupLagMs(carrierCode),
    mayAnswerLater: carriers.canLookUp(carrierCode) && ageMs < trustRefusalAfterMs,
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
