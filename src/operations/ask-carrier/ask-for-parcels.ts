/**
 * A cancellation at a carrier that numbers and cancels each parcel: one round asks for all parcels at once.
 * See docs/cancellation.md.
 */
import {
  afterLookup,
  type CancelOutcome,
  type CancelTicket,
  type Doubt,
  needsLookup,
  type TicketParcel,
} from '../../core/shipments/cancellation.ts'
import {
  afterRound,
  isPartlyCancelled,
  type ParcelCancelled,
  type ParcelOutcome,
  type ParcelResult,
  parcelRetryMs,
  type RoundStep,
  ticketForParcel,
} from '../../core/shipments/parcels.ts'
import type { Admission, CallOrigin } from '../ports/carriers.ts'
import type { CancelPolicy } from './policy.ts'
import {
  type AskPorts,
  lookupTerms,
  release,
  retryTimes,
  settleFinally,
  settleWithRetries,
  type VerifyTerms,
} from './settlement.ts'

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
export async function askForEach(round: Round): Promise<CancelOutcome | undefined> {
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
        settleFinally(ports, ticket, step, verifyTerms(outcomes, parcels, policy)),
      )
    case 'Refuse':
      return settleWithRetries(ports, () =>
        settleFinally(ports, ticket, step, { verifyInMs: policy.verifyAfterMs }),
      )
    case 'Retry':
      return release(ports, ticket, {
        ...{ cause: step.cause, times: retryTimes(step.retryInMs, policy, step.repeatAfterMs) },
        unsent: isCounted && !sent,
      })
    case 'Partial':
      return leavePartlyCancelled(round, step, isCounted && !sent)
  }
}

/**
 * Leaves the attempt of a partly cancelled shipment open. Operators are alerted once, by whichever process gets here:
 * it is recorded after the alert, so that the alert is repeated and not lost if the process dies in between. If the
 * shipment is in transit, nothing is left to cancel, and the attempt is refused.
 */
async function leavePartlyCancelled(
  { ports, ticket, policy }: Round,
  { cause, refusal }: Extract<RoundStep, { kind: 'Partial' }>,
  unsent: boolean,
): Promise<CancelOutcome | undefined> {
  const isAlerted = ticket.isPartAlerted === true
  const retryInMs = isAlerted ? policy.partLookupMs : policy.firstPartLookupMs
  // A repeated request does not look the parcels up earlier.
  const times = { retryInMs, callerWaitMs: retryInMs }
  const outcome = await release(ports, ticket, { cause, times, unsent })
  if (outcome === undefined) return outcome
  if (!isAlerted) {
    ports.alert({ kind: 'PARTLY_CANCELLED', ...alertedShipment(ticket), detail: cause })
    await settleWithRetries(ports, () => ports.shipments.recordPartAlert(ticket))
  }
  return outcome.kind === 'CancellationPending'
    ? outcome
    : await settleWithRetries(ports, () => settleFinally(ports, ticket, refusal, {}))
}

/** Whether the carrier cancels a parcel later, and whether only a lookup says that one is cancelled, in any round. */
function verifyTerms(
  outcomes: ReadonlyMap<string, ParcelOutcome>,
  parcels: readonly TicketParcel[],
  { verifyAcceptedAfterMs }: CancelPolicy,
): VerifyTerms {
  const cancelled = [...parcels, ...[...outcomes.values()].filter((outcome) => outcome.kind === 'cancelled')]
  return {
    ...(cancelled.some(({ isLater }) => isLater === true) && { verifyInMs: verifyAcceptedAfterMs }),
    isFound: cancelled.some(({ isFound }) => isFound === true),
  }
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
    return lookup.kind === 'cancelled'
      ? parcelCancelled(round, carrierRef, FOUND)
      : { kind: 'refused', refusal }
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
        : parcelCancelled(round, carrierRef, { isLater: answer.how === 'accepted' })
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
      return { kind: 'open', cause: answer.cause, retryInMs, unsent: true }
  }
}

/** Looks a parcel up whose refusal is in doubt. */
async function lookUpDoubt(round: Round, carrierRef: string, doubt: Doubt): Promise<ParcelOutcome> {
  const { ports, ticket, policy } = round
  const lookup = await lookUpParcel(round, carrierRef)
  const judgement = afterLookup(doubt, lookup, lookupTerms(ports, ticket, policy))
  switch (judgement.kind) {
    case 'Cancelled':
      return parcelCancelled(round, carrierRef, FOUND)
    case 'Refused':
      await recordParcel(round, carrierRef, { kind: 'refused', refusal: doubt.refusal })
      return { kind: 'refused', refusal: doubt.refusal }
    case 'LookUpAgain': {
      await recordParcel(round, carrierRef, { kind: 'doubted', refusal: doubt.refusal })
      const { cause, againInMs: retryInMs = parcelRetryMs(ticket, ports.random()), ...later } = judgement
      return { ...later, kind: 'open', cause, retryInMs }
    }
  }
}

function lookUpParcel({ ports, ticket, by, policy }: Round, carrierRef: string) {
  const origin = typeof by === 'string' ? by : 'caller'
  return ports.carriers.track({ ...ticket, carrierRef }, policy.lookupTimeoutMs, origin)
}

const FOUND = { isLater: false, isFound: true } as const

async function parcelCancelled(
  round: Round,
  carrierRef: string,
  how: Omit<ParcelCancelled, 'kind'>,
): Promise<ParcelOutcome> {
  await recordParcel(round, carrierRef, { kind: 'cancelled', ...how })
  return { kind: 'cancelled', ...how }
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
