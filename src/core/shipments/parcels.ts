/**
 * What the answers of a carrier mean, without I/O. One round of an attempt takes every parcel of the shipment a step
 * further; then the attempt is settled, or left open for the next round. A carrier that cancels whole shipments has a
 * single parcel to ask for. See docs/cancellation.md#what-the-carriers-answer-means and #several-parcels.
 */
import {
  type CancelledBy,
  type CancelTicket,
  type CancelTimes,
  type CarrierCancelAnswer,
  type CarrierRefusal,
  type NotSent,
  retryDelayMs,
  type TicketParcel,
} from './cancellation.ts'
import type { Refusal, RefusalCode } from './shipment.ts'
import type { CarrierTrackAnswer } from './tracking.ts'

/** The most numbers of one shipment. One round asks for all of them at once. */
export const PARCELS_MAX = 20

/** `isLater`: the carrier will cancel it later. `isFound`: only a lookup says so. */
export type ParcelCancelled = {
  readonly kind: 'cancelled'
  readonly isLater: boolean
  readonly isFound?: boolean
}

/** What a round found out about one of several parcels, to be recorded before the round ends. */
export type ParcelResult =
  | ParcelCancelled
  | { readonly kind: 'refused'; readonly refusal: CarrierRefusal }
  /** The refusal is in doubt from now on, unless one is recorded already. */
  | { readonly kind: 'doubted'; readonly refusal: CarrierRefusal }
  /** The total number of sends of the attempt that did not include this parcel. */
  | { readonly kind: 'unsent'; readonly total: number }

/**
 * The state of one parcel after a round. `released`: the carrier takes no cancellations and has not scanned the parcel.
 * This is not recorded, because it may be different in the next round.
 */
export type ParcelOutcome =
  | ParcelCancelled
  | { readonly kind: 'released' }
  /** `verify`: look the parcel up once more later. */
  | { readonly kind: 'refused'; readonly refusal: CarrierRefusal; readonly verify: boolean }
  | {
      readonly kind: 'open'
      readonly cause: string
      /** When the parcel is asked for again, if that does not depend on the tries. */
      readonly againInMs?: number
      /** A repeat within this time brings nothing new. */
      readonly repeatAfterMs?: number
      /** True if nothing was sent for this parcel. */
      readonly isUnsent?: boolean
      /** The refusal in doubt. */
      readonly doubt?: CarrierRefusal
    }

// 1. One parcel

/** Look a refused parcel up. `doubtMs`: for how long the refusal has been in doubt; absent if it is final. */
type LookUp = { readonly kind: 'LookUp'; readonly refusal: CarrierRefusal; readonly doubtMs?: number }
/** The round is over for this parcel. `record`: what is new about it. */
type Done = { readonly kind: 'Done'; readonly outcome: ParcelOutcome; readonly record?: ParcelResult }
export type ParcelStep = { readonly kind: 'Send' } | LookUp | Done

/**
 * The parcels that a round asks for. `isEach`: the carrier cancels each parcel. Otherwise the shipment is one parcel.
 */
export function parcelsOf(ticket: CancelTicket, isEach: boolean): readonly TicketParcel[] {
  const { carrierRef, doubt, parcels } = ticket
  if (isEach && parcels !== undefined) return parcels
  return [{ carrierRef, isCancelled: false, unsent: 0, ...(doubt !== undefined && { doubt }) }]
}

export function isToBeSent({ isCancelled, refusal, doubt }: TicketParcel): boolean {
  return !isCancelled && refusal === undefined && doubt === undefined
}

/** True if nothing is left to send or to look up in doubt, and the carrier has cancelled only some of the parcels. */
export function isPartlyCancelled(parcels: readonly TicketParcel[]): boolean {
  return (
    parcels.some(({ isCancelled }) => isCancelled) &&
    parcels.some((parcel) => !parcel.isCancelled && parcel.refusal !== undefined) &&
    parcels.every(({ isCancelled, refusal }) => isCancelled || refusal !== undefined)
  )
}

/** The ticket for the request about one of several parcels. Its idempotency key is the same on every send. */
export function ticketForParcel(
  ticket: CancelTicket,
  { carrierRef, unsent }: TicketParcel,
): { readonly ticket: CancelTicket; readonly idempotencyKey: string } {
  const position = ticket.parcels?.findIndex((parcel) => parcel.carrierRef === carrierRef) ?? 0
  return {
    // At least one, because the ticket counts the send that it is for.
    ticket: { ...ticket, carrierRef, sends: Math.max(1, ticket.sends - unsent) },
    idempotencyKey: `${ticket.attemptId}-${position + 1}`,
  }
}

/** `isPart`: the shipment is partly cancelled, so its refused parcels are looked up. */
export function firstStep(parcel: TicketParcel, isPart: boolean): ParcelStep {
  const { isCancelled, refusal, doubt } = parcel
  if (isCancelled) return done({ kind: 'cancelled', isLater: false })
  if (refusal !== undefined)
    return isPart ? { kind: 'LookUp', refusal } : done({ kind: 'refused', refusal, verify: false })
  if (doubt !== undefined) return { kind: 'LookUp', refusal: doubt.refusal, doubtMs: doubt.ageMs }
  return { kind: 'Send' }
}

/**
 * After an unconfirmed send, a refusal may only mean that the parcel is already cancelled. The partner ships the parcel
 * after a refusal, so the parcel is looked up first. `sends` counts this one.
 */
export function afterAnswer(answer: CarrierCancelAnswer | NotSent, sends: number): LookUp | Done {
  switch (answer.kind) {
    case 'cancelled':
      if (answer.how === 'released') return done({ kind: 'released' })
      return found({ kind: 'cancelled', isLater: answer.how === 'accepted' })
    case 'refused':
      if (sends > 1) return { kind: 'LookUp', refusal: answer, doubtMs: 0 }
      return found({ kind: 'refused', refusal: answer, verify: false })
    case 'unknown':
      return done({ kind: 'open', cause: answer.cause, repeatAfterMs: answer.repeatAfterMs ?? 0 })
    case 'not_sent':
      return done({ kind: 'open', cause: answer.cause, isUnsent: true })
  }
}

/** How a carrier's lookups are to be read. */
type LookupTerms = {
  /** How long a lookup may still report a cancelled parcel as announced, in milliseconds. */
  readonly lagMs: number
  /** How long a conclusive lookup is waited for, in milliseconds; 0 if the carrier has no lookups. */
  readonly trustAfterMs: number
}

/** A carrier that has cancelled the parcel already would not refuse with these codes. */
const TELLING_CODES: ReadonlySet<RefusalCode> = new Set(['SCANNED', 'WINDOW_CLOSED'])
/** How long lookups are repeated after a refusal with such a code, although they agree with it. */
const TELLING_LAG_MS = 60_000
/** The next lookup of an announced parcel is after half the age of the doubt, within these bounds. */
const LOOKUP_STEP_MS = { min: 20_000, max: 300_000 }

export function afterLookup(
  { refusal, doubtMs }: LookUp,
  lookup: CarrierTrackAnswer | NotSent,
  terms: LookupTerms,
): Done {
  if (lookup.kind === 'cancelled') return found({ kind: 'cancelled', isLater: false, isFound: true })
  if (doubtMs === undefined) return done({ kind: 'refused', refusal, verify: false })
  const lagMs = TELLING_CODES.has(refusal.reason) ? Math.min(terms.lagMs, TELLING_LAG_MS) : terms.lagMs
  const inDoubt = `refused (${refusal.code}) after an unconfirmed send`
  const doubted: ParcelResult = { kind: 'doubted', refusal }
  switch (lookup.kind) {
    case 'scanned':
      return found({ kind: 'refused', refusal, verify: false })
    case 'announced': {
      if (doubtMs >= lagMs) return found({ kind: 'refused', refusal, verify: true })
      const stepMs = Math.min(LOOKUP_STEP_MS.max, Math.max(LOOKUP_STEP_MS.min, doubtMs / 2))
      const againInMs = Math.round(Math.min(lagMs - doubtMs, stepMs))
      // Carriers limit lookups, and callers repeat a request for as long as it is pending.
      const repeatAfterMs = doubtMs >= TELLING_LAG_MS ? againInMs : 0
      const cause = `${inDoubt}, and the parcel is announced`
      return done({ kind: 'open', cause, againInMs, repeatAfterMs, doubt: refusal }, doubted)
    }
    case 'unknown':
    case 'not_sent': {
      if (doubtMs >= (terms.trustAfterMs === 0 ? 0 : Math.max(terms.trustAfterMs, lagMs)))
        return found({ kind: 'refused', refusal, verify: true })
      const cause = `${inDoubt}, and the lookup was inconclusive: ${lookup.cause}`
      return done({ kind: 'open', cause, doubt: refusal }, doubted)
    }
  }
}

function done(outcome: ParcelOutcome, record?: ParcelResult): Done {
  return { kind: 'Done', outcome, ...(record !== undefined && { record }) }
}

function found(outcome: ParcelOutcome & ParcelResult): Done {
  return done(outcome, outcome)
}

// 2. The round

/** What a round has found out. `outcomes` has an entry for each of the parcels. */
export type Round = {
  readonly ticket: CancelTicket
  /** Whether the carrier cancels each parcel. */
  readonly isEach: boolean
  readonly parcels: readonly TicketParcel[]
  readonly outcomes: ReadonlyMap<string, ParcelOutcome>
}

/**
 * When an unconfirmed attempt is sent again: after `retryInMs` by the sweeper, after `callerWaitMs` if a caller repeats
 * the request.
 */
type RetryTimes = { readonly retryInMs: number; readonly callerWaitMs: number }

/** How a lease ends without a final answer. */
export type Release = {
  /** The reason, for `waybill audit` and alerts. */
  readonly cause: string
  readonly times: RetryTimes
  /** True if the ticket's send did not happen. It is then no longer counted. */
  readonly unsent?: boolean
  /** A refusal that is in doubt from now on, unless one is recorded already. */
  readonly doubt?: CarrierRefusal
}

/** How an attempt is settled. `verifyInMs`: when a lookup verifies that. */
export type Settlement =
  | {
      readonly kind: 'Accept'
      readonly cancelledBy: CancelledBy
      readonly verifyInMs?: number | undefined
      /** Only a lookup says that the carrier has cancelled. */
      readonly isFound: boolean
    }
  | Refuse
  /**
   * The attempt stays open. `part`: the carrier cancelled only some of the parcels. Then this refusal ends the attempt
   * if the shipment is in transit; otherwise an operator does, or the carrier cancels the rest after all.
   */
  | { readonly kind: 'Release'; readonly release: Release; readonly part?: Refuse }

type Refuse = {
  readonly kind: 'Refuse'
  readonly refusal: Refusal
  readonly carrierCode: string
  readonly verifyInMs?: number | undefined
}

/** `random` is 0 to 1; see `retryDelayMs`. */
export function settlementOf(round: Round, times: CancelTimes, random: number): Settlement {
  const { ticket, isEach } = round
  const all = [...round.outcomes].map(([carrierRef, outcome]) => ({ ...outcome, carrierRef }))
  const open = all.filter((parcel) => parcel.kind === 'open')
  const refused = all.filter((parcel) => parcel.kind === 'refused')
  const cancelled = all.filter((parcel) => parcel.kind === 'cancelled')
  const causes = [
    ...(cancelled.length > 0 ? [`${cancelled.length} of ${all.length} parcels cancelled`] : []),
    ...open.map((parcel) => `${parcel.carrierRef}: ${parcel.cause}`),
    ...refused.map(({ carrierRef, refusal }) => `${carrierRef}: refused (${refusal.code})`),
  ]
  const cause = isEach ? causes.join('; ') : (open[0]?.cause ?? '')
  const unsent = isCounted(ticket) && !wasSent(round)
  if (open.length > 0) {
    const retryInMs = Math.min(...open.map((parcel) => parcelRetryMs(round, parcel, random)))
    const repeatAfterMs = Math.min(...open.map((parcel) => parcel.repeatAfterMs ?? 0))
    const release = { cause, times: retryTimes(retryInMs, times, repeatAfterMs), unsent }
    const doubt = isEach ? undefined : open[0]?.doubt
    return { kind: 'Release', release: { ...release, ...(doubt !== undefined && { doubt }) } }
  }
  // A scan is the clearest reason for the partner.
  const shown = refused.find(({ refusal }) => refusal.reason === 'SCANNED') ?? refused[0]
  if (shown === undefined) {
    const known = [...round.parcels, ...cancelled]
    return {
      kind: 'Accept',
      cancelledBy: all.some(({ kind }) => kind === 'released') ? 'release' : 'carrier',
      verifyInMs: known.some(({ isLater }) => isLater === true) ? times.verifyAcceptedAfterMs : undefined,
      isFound: known.some(({ isFound }) => isFound === true),
    }
  }
  const { reason: code, message: reason, code: carrierCode } = shown.refusal
  const refuse: Refuse = { kind: 'Refuse', refusal: { code, reason }, carrierCode }
  // A release changes nothing at the carrier.
  if (cancelled.length === 0)
    return { ...refuse, verifyInMs: isEach || shown.verify ? times.verifyAfterMs : undefined }
  const retryInMs = ticket.isPartAlerted === true ? times.partLookupMs : times.firstPartLookupMs
  // A repeated request does not look the parcels up earlier.
  return {
    kind: 'Release',
    release: { cause, times: { retryInMs, callerWaitMs: retryInMs }, unsent },
    part: refuse,
  }
}

/** Keeps an attempt open when nothing could be sent. It is never removed: a caller may wait for it. */
export function postponement(
  ticket: CancelTicket,
  cause: string,
  times: CancelTimes,
  random: number,
): Settlement {
  const retryInMs = retryDelayMs(ticket.fence, ticket.ageMs, random)
  return {
    kind: 'Release',
    release: { cause, times: retryTimes(retryInMs, times), unsent: isCounted(ticket) },
  }
}

/** The parcels that a round did not send although it sent others, each with how often that has happened. */
export function unsentParcels(round: Round): readonly (readonly [string, ParcelResult])[] {
  if (!isCounted(round.ticket) || !wasSent(round)) return []
  const unsent = round.parcels.filter(({ carrierRef }) => isUnsent(round.outcomes.get(carrierRef)))
  return unsent.map((parcel) => [parcel.carrierRef, { kind: 'unsent', total: parcel.unsent + 1 }])
}

/** While a refusal is in doubt, a ticket counts no send. */
function isCounted({ doubt }: CancelTicket): boolean {
  return doubt === undefined
}

function wasSent({ parcels, outcomes }: Round): boolean {
  return parcels.some((parcel) => isToBeSent(parcel) && !isUnsent(outcomes.get(parcel.carrierRef)))
}

function isUnsent(outcome: ParcelOutcome | undefined): boolean {
  return outcome?.kind === 'open' && outcome.isUnsent === true
}

/**
 * The delay of a parcel without a final answer. The number of sends rises only if something is sent. The fence rises
 * with each takeover, even if it only looks parcels up.
 */
function parcelRetryMs(
  { ticket: { sends, fence, ageMs }, isEach }: Round,
  parcel: Extract<ParcelOutcome, { kind: 'open' }>,
  random: number,
): number {
  const tries = isEach || isUnsent(parcel) || parcel.doubt !== undefined ? fence : sends
  return parcel.againInMs ?? Math.max(retryDelayMs(tries, ageMs, random), parcel.repeatAfterMs ?? 0)
}

function retryTimes(retryInMs: number, { callerWaitMs }: CancelTimes, repeatAfterMs = 0): RetryTimes {
  return { retryInMs, callerWaitMs: Math.max(repeatAfterMs, Math.min(retryInMs, callerWaitMs)) }
}
