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
  type ParcelOutcome,
  type ParcelResult,
  parcelRetryMs,
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
      return { kind: 'open', cause: answer.cause, retryInMs, unsent: true }
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
