/**
 * The gateway: all calls to carriers go through it. It selects the connector, applies the time limit, the bulkhead and
 * the circuit breaker, turns every failure into `unknown`, and cleans the carrier's texts.
 * See docs/cancellation.md#protection-against-broken-carriers.
 */
import type { CarrierBookAnswer } from '../core/shipments/booking.ts'
import type { CancelTicket, CarrierCancelAnswer, NotSent } from '../core/shipments/cancellation.ts'
import { PARCELS_MAX } from '../core/shipments/parcels.ts'
import type { CarrierTrackAnswer, TrackedParcel } from '../core/shipments/tracking.ts'
import { EVENT_ID_FORMAT, TRACKING_NUMBER_FORMAT } from '../core/shipments/tracking.ts'
import type { Admission, CallOrigin, CarrierCallKind, CarrierGateway } from '../operations/ports/carriers.ts'
import type { Alert } from '../operations/ports/ports.ts'
import { withTimeout } from '../operations/ports/work.ts'
import { type Bulkhead, type BulkheadLimits, bulkhead, CALLER_LIMITS } from './bulkhead.ts'
import { type BreakerCall, type CallEnd, type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts'
import type { Connector, TrackingLimits } from './connector.ts'
import { isCarrierFault, type Unknown, unknown } from './connectors/judgement.ts'
import { type LookupQuota, lookupQuota } from './lookup-quota.ts'
import { TokenError } from './token-source.ts'

/** Time limit of one call, in milliseconds. */
export const CARRIER_TIMEOUT_MS = 8_000

/** Background work has its own slots, so it makes progress even if callers use all of theirs. */
const BACKGROUND_SLOTS = 32
/** The number of background slots that lookups cannot use. */
const SLOTS_FOR_COMMANDS = 8
/**
 * The part of a shared channel's caller slots that one account can use. It also applies while no other account calls,
 * because running calls cannot be stopped to make room for another account.
 */
const SHARE_OF_ONE_ACCOUNT = 0.5

/** One set of credentials at one carrier, with its own circuits and slots. */
export type CarrierChannel = {
  /** Identifies the set of credentials. Contains no secret. */
  readonly key: string
  /** The account that these credentials belong to. Absent: the carrier's credentials, which accounts share. */
  readonly accountId?: string
  /** The limits for lookups. */
  readonly tracking?: TrackingLimits
  /** Identifies the credentials that lookups are made with; other channels may share them. Default: `key`. */
  readonly trackingKey?: string
}

/** The configured carriers. */
export type Carriers = {
  /** The connector for an account's calls to a carrier; undefined if none is configured. */
  connectorOf(carrierCode: string, accountId: string): Connector | undefined
  /** The channel for an account's calls to a carrier. Returned even if no connector is configured. */
  channelOf(carrierCode: string, accountId: string): CarrierChannel
  canLookUp(carrierCode: string): boolean
  /** See `ConnectorType.trackingNumberFault`. Absent: every number is valid. */
  trackingNumberFault?(carrierCode: string, carrierRef: string): string | undefined
  /** See `ConnectorType.cancels`. */
  cancelsEachParcel(carrierCode: string): boolean
  /** See `ConnectorType.lookupLagMs`. */
  lookupLagMs(carrierCode: string): number
}

export type GatewayOptions = {
  /** Default: `CARRIER_TIMEOUT_MS`. */
  readonly timeoutMs?: number
  /** The limits for callers in each channel. Default: `CALLER_LIMITS`. */
  readonly bulkhead?: BulkheadLimits
  readonly alert?: (alert: Alert) => void
}

type ChannelLimits = {
  readonly slots: Readonly<Record<CallOrigin, Bulkhead>>
  /** Separate breakers, so that a failing tracking interface does not stop cancellations. */
  readonly breakers: Readonly<Record<CarrierCallKind, CircuitBreaker>>
}

/** One call of a connector. */
type Call<Answer> = {
  readonly kind: CarrierCallKind
  readonly carrierCode: string
  readonly accountId: string
  /** What the call is about: the (first) tracking number of a shipment, or the shipment's id for a booking. */
  readonly subject: string
  readonly limitMs: number
  /** Who calls, or the slot that is reserved for the call. */
  readonly by: CallOrigin | Admission
  /** Called when the call has a slot. Returns why it may not be sent. */
  spend?(): string | undefined
  send(signal: AbortSignal): Promise<Answer>
}

type Run = <Answer extends { readonly kind: string }>(
  call: Call<Answer>,
) => Promise<Answer | Unknown | NotSent>

/** A slot of a channel, reserved for one call. */
type Slot = {
  readonly kind: 'slot'
  readonly channel: CarrierChannel
  readonly call: BreakerCall
  leave(): void
}

/** Opens a gateway. There is one set of limits per channel: one per carrier, and one per account with credentials. */
export function carrierGateway(carriers: Carriers, options: GatewayOptions = {}): CarrierGateway {
  const { timeoutMs = CARRIER_TIMEOUT_MS, alert = () => {} } = options
  const slots = openSlots(carriers, options.bulkhead)
  const run = runner(slots, alert)

  return {
    async admit({ accountId, carrierCode, carrierRef = '' }) {
      if (isDotSegment(carrierRef)) return UNUSABLE_NUMBER
      if (carriers.connectorOf(carrierCode, accountId) === undefined) return NOT_CONFIGURED
      return slots.admit(carrierCode, accountId)
    },
    async cancel(ticket, by = 'caller', terms = {}) {
      const { attemptId, accountId, carrierCode, carrierRef, sends, ageMs, bookedAt } = ticket
      if (isDotSegment(carrierRef)) return UNUSABLE_NUMBER
      const connector = carriers.connectorOf(carrierCode, accountId)
      if (connector === undefined) return NOT_CONFIGURED
      const { idempotencyKey = attemptId, mayStillSend } = terms
      const hints = bookedAt === undefined ? {} : { bookedAt }
      const request = { carrierCode, carrierRef, idempotencyKey, sends, ageMs, ...hints }
      const answer = await run({
        ...{ kind: 'command', carrierCode, accountId, subject: subjectOf(ticket), limitMs: timeoutMs, by },
        spend: () => (mayStillSend?.() === false ? TOO_LATE : undefined),
        send: (signal) => connector.cancel(request, signal),
      })
      return checkedCancelAnswer(answer)
    },
    async book(accountId, shipment, by = 'caller') {
      const { carrierCode, shipmentId } = shipment
      const connector = carriers.connectorOf(carrierCode, accountId)
      if (connector === undefined) return NOT_CONFIGURED
      const { book } = connector
      if (book === undefined) return CANNOT_BOOK
      const answer = await run({
        ...{ kind: 'command', carrierCode, accountId, subject: shipmentId, limitMs: timeoutMs, by },
        send: async (signal) => usableBooking(await book(shipment, signal), carrierCode, carriers),
      })
      return checkedBookAnswer(answer)
    },
    ...lookups(carriers, slots, run, { timeoutMs, alert }),
    cancelsEachParcel: (carrierCode) => carriers.cancelsEachParcel(carrierCode),
    canLookUp: (carrierCode) => carriers.canLookUp(carrierCode),
    lookupLagMs: (carrierCode) => carriers.lookupLagMs(carrierCode),
    channelOf: (carrierCode, accountId) => carriers.channelOf(carrierCode, accountId).key,
    room: (carrierCode, accountId, kind) =>
      freeBackgroundSlots(slots.limitsOf(carriers.channelOf(carrierCode, accountId)), kind),
  }
}

/** Takes a slot for each call, reports how it ended to the circuit, and raises alerts. */
function runner(slots: Slots, alert: (alert: Alert) => void): Run {
  const isFirst = oncePerHour()
  return async (call) => {
    const slot = await slots.take(call)
    if (slot.kind === 'not_sent') return slot
    try {
      const refusal = call.spend?.()
      if (refusal !== undefined) {
        slot.call.dropped()
        return notSent(refusal)
      }
      const { answer, end } = await callWithTimeout(call)
      const about = (kind: Alert['kind']) =>
        channelAlert(kind, call.carrierCode, slot.channel, causeOf(answer))
      if (slot.call.ended(call.subject, end) && isReported(end)) alert(about('CIRCUIT_OPENED'))
      if (isConfigurationFault(answer) && isFirst(`${slot.channel.key} ${causeOf(answer)}`))
        alert(about('CARRIER_CONFIGURATION'))
      return answer
    } finally {
      slot.leave()
    }
  }
}

/** Carriers that limit the rate of calls ask for pauses of a few seconds. These need no attention. */
const SHORT_PAUSE_MS = 15_000

function isReported(end: CallEnd): boolean {
  return end.kind !== 'paused' || end.pauseMs > SHORT_PAUSE_MS
}

const HOUR_MS = 3_600_000
const REMEMBERED_MAX = 1_000

/** Returns a function that is true for a text it has not been called with during the last hour. */
function oncePerHour(): (text: string) => boolean {
  /** The times, in ascending order. */
  const reportedAt = new Map<string, number>()
  return (text) => {
    const now = performance.now()
    for (const [known, at] of reportedAt) {
      if (now - at < HOUR_MS && reportedAt.size < REMEMBERED_MAX) break
      reportedAt.delete(known)
    }
    if (reportedAt.has(text)) return false
    reportedAt.set(text, now)
    return true
  }
}

type LookupOptions = { readonly timeoutMs: number; readonly alert: (alert: Alert) => void }

/** The lookups of a gateway: within the carrier's quota, and in batches if the carrier offers them. */
function lookups(
  carriers: Carriers,
  slots: Slots,
  run: Run,
  { timeoutMs, alert }: LookupOptions,
): Pick<CarrierGateway, 'track' | 'trackMany' | 'trackingRoom'> {
  const quotaOf = quotaFinder(carriers, alert)

  async function trackOne(
    { accountId, carrierCode, carrierRef, bookedAt }: TrackedParcel,
    purpose: 'routine' | 'decision',
    limitMs: number,
    by: CallOrigin,
  ): Promise<CarrierTrackAnswer | NotSent> {
    if (isDotSegment(carrierRef)) return UNUSABLE_NUMBER
    const connector = carriers.connectorOf(carrierCode, accountId)
    if (connector === undefined) return NOT_CONFIGURED
    const { track } = connector
    if (track === undefined) return CANNOT_TRACK
    const quota = quotaOf(carrierCode, accountId)
    const answer = await run({
      ...{ kind: 'lookup', carrierCode, accountId, subject: carrierRef, limitMs, by },
      spend: () => quota.take(purpose, [carrierRef]),
      send: (signal) => track(carrierRef, signal, bookedAt === undefined ? {} : { bookedAt }),
    })
    if (purpose === 'routine' && isOverrun(answer)) quota.overrun()
    return checkedTrackAnswer(answer)
  }

  return {
    track: (parcel, limitMs = timeoutMs, origin = 'caller') => trackOne(parcel, 'decision', limitMs, origin),
    async trackMany(parcels) {
      const [first] = parcels
      if (first === undefined) return []
      const { carrierCode, accountId } = first
      const trackMany = carriers.connectorOf(carrierCode, accountId)?.trackMany
      if (parcels.length > 1 && trackMany !== undefined)
        return trackBatch(parcels, first, trackMany, quotaOf(carrierCode, accountId), run, timeoutMs)
      return Promise.all(parcels.map((parcel) => trackOne(parcel, 'routine', timeoutMs, 'background')))
    },
    trackingRoom(carrierCode, accountId) {
      const channel = carriers.channelOf(carrierCode, accountId)
      const { everyMs = 0, batch = 1 } = channel.tracking ?? {}
      const offersBatches = carriers.connectorOf(carrierCode, accountId)?.trackMany !== undefined
      const room = freeBackgroundSlots(slots.limitsOf(channel), 'lookup')
      const calls = Math.min(room, quotaOf(carrierCode, accountId).room())
      return { key: trackingKeyOf(channel), everyMs, batch: offersBatches ? batch : 1, calls }
    },
  }
}

/** Opens the quota of each set of credentials when it is first needed. */
function quotaFinder(
  carriers: Carriers,
  alert: (alert: Alert) => void,
): (carrierCode: string, accountId: string) => LookupQuota {
  const quotas = new Map<string, LookupQuota>()
  return (carrierCode, accountId) => {
    const channel = carriers.channelOf(carrierCode, accountId)
    const key = trackingKeyOf(channel)
    const known = quotas.get(key)
    if (known !== undefined) return known
    const quota = lookupQuota(channel.tracking ?? {}, (detail) =>
      alert(channelAlert('LOOKUP_QUOTA_USED', carrierCode, channel, detail)),
    )
    quotas.set(key, quota)
    return quota
  }
}

/** Looks all parcels up in one call with the credentials of `first`. */
async function trackBatch(
  batch: readonly TrackedParcel[],
  { accountId, carrierCode, carrierRef: subject }: TrackedParcel,
  trackMany: NonNullable<Connector['trackMany']>,
  quota: LookupQuota,
  run: Run,
  limitMs: number,
): Promise<readonly (CarrierTrackAnswer | NotSent)[]> {
  const parcels = batch.filter(({ carrierRef }) => !isDotSegment(carrierRef) && quota.allows(carrierRef))
  if (parcels.length === 0) return batch.map(() => NOT_IN_BATCH)
  const unique = [...new Map(parcels.map((parcel) => [parcel.carrierRef, parcel])).values()]
  const answer = await run({
    ...{ kind: 'lookup', carrierCode, accountId, subject, limitMs, by: 'background' },
    spend: () =>
      quota.take(
        'routine',
        unique.map(({ carrierRef }) => carrierRef),
      ),
    send: (signal) => trackMany(unique, signal),
  })
  if (isOverrun(answer)) quota.overrun()
  return batch.map((parcel) => {
    if (!parcels.includes(parcel)) return NOT_IN_BATCH
    if (answer.kind !== 'tracked') return checkedTrackAnswer(answer)
    return checkedTrackAnswer(answer.parcels.get(parcel.carrierRef) ?? unknown('missing in the reply'))
  })
}

function trackingKeyOf({ key, trackingKey = key }: CarrierChannel): string {
  return trackingKey
}

/** Too many calls, without a time after which the carrier accepts calls again. */
function isOverrun(answer: { readonly kind: string }): boolean {
  return isUnknown(answer) && /^HTTP 429\b/.test(answer.cause) && answer.retryAfterMs === undefined
}

type Slots = {
  limitsOf(channel: CarrierChannel): ChannelLimits
  /** The slot that is reserved for the call, or a new one. */
  take(call: Call<unknown>): Promise<Slot | NotSent>
  /** Reserves a slot for a command of a caller. */
  admit(carrierCode: string, accountId: string): Promise<Admission | NotSent>
}

function openSlots(carriers: Carriers, bulkheadLimits: BulkheadLimits | undefined): Slots {
  const limitsOf = limitsByChannel(bulkheadLimits)
  /** The slots of admissions that have not been used or returned yet. */
  const admitted = new WeakMap<Admission, Slot>()

  async function reserve(
    carrierCode: string,
    accountId: string,
    kind: CarrierCallKind,
    origin: CallOrigin,
  ): Promise<Slot | NotSent> {
    const channel = carriers.channelOf(carrierCode, accountId)
    const limits = limitsOf(channel)
    const places = limits.slots[origin]
    const breaker = limits.breakers[kind]
    if (breaker.state() === 'open') return CIRCUIT_OPEN
    if (!(await places.enter(accountId))) return notSent('too many calls are running')
    const leave = () => places.leave(accountId)
    // The circuit may have opened while this call was queued.
    if (breaker.state() !== 'open') return { kind: 'slot', channel, call: breaker.begin(), leave }
    leave()
    return CIRCUIT_OPEN
  }

  return {
    limitsOf,
    async take({ kind, carrierCode, accountId, by }) {
      if (typeof by === 'string') return reserve(carrierCode, accountId, kind, by)
      const slot = admitted.get(by)
      admitted.delete(by)
      return slot ?? notSent('the reserved slot was returned')
    },
    async admit(carrierCode, accountId) {
      const slot = await reserve(carrierCode, accountId, 'command', 'caller')
      if (slot.kind === 'not_sent') return slot
      const admission: Admission = {
        kind: 'admitted',
        leave() {
          if (!admitted.delete(admission)) return
          slot.call.dropped()
          slot.leave()
        },
      }
      admitted.set(admission, slot)
      return admission
    },
  }
}

/** Opens the limits of each channel when they are first needed. */
function limitsByChannel(bulkheadLimits?: BulkheadLimits): (channel: CarrierChannel) => ChannelLimits {
  const opened = new Map<string, ChannelLimits>()
  return (channel) => {
    const known = opened.get(channel.key)
    if (known !== undefined) return known
    const limits = openLimits(channel, bulkheadLimits)
    opened.set(channel.key, limits)
    return limits
  }
}

function openLimits(channel: CarrierChannel, limits: BulkheadLimits = CALLER_LIMITS): ChannelLimits {
  const { slots, waitMs } = limits
  const slotsPerAccount = channel.accountId === undefined ? Math.ceil(slots * SHARE_OF_ONE_ACCOUNT) : slots
  return {
    slots: {
      caller: bulkhead({ slots, slotsPerAccount, waitMs }),
      // The sweeper divides these among accounts.
      background: bulkhead({ slots: Math.min(slots, BACKGROUND_SLOTS), waitMs }),
    },
    breakers: { command: circuitBreaker(), lookup: circuitBreaker() },
  }
}

function freeBackgroundSlots({ slots, breakers }: ChannelLimits, kind: CarrierCallKind): number {
  const free = Math.max(0, slots.background.free() - (kind === 'lookup' ? SLOTS_FOR_COMMANDS : 0))
  switch (breakers[kind].state()) {
    case 'closed':
      return free
    case 'halfOpen':
      return Math.min(1, free)
    case 'open':
      return 0
  }
}

function channelAlert(
  kind: Alert['kind'],
  carrierCode: string,
  { accountId }: CarrierChannel,
  detail: string,
): Alert {
  return { kind, carrierCode, ...(accountId !== undefined && { accountId }), detail }
}

const notSent = (cause: string): NotSent => ({ kind: 'not_sent', cause })

const NOT_CONFIGURED = notSent('this carrier is not configured')
const CIRCUIT_OPEN = notSent('calls to this carrier are paused after several failures')
const TOO_LATE = 'the time for this send is over'
/** The carrier may have a booking under a number that Waybill cannot use. An operator has to look. */
const UNUSABLE_BOOKING: Unknown = { kind: 'unknown', cause: 'unusable tracking number', configuration: true }
const UNUSABLE_NUMBER = notSent('this tracking number cannot be part of a URL')
const CANNOT_TRACK = notSent('this carrier has no lookup')
const NOT_IN_BATCH = notSent('this parcel cannot be looked up now')

const CANNOT_BOOK: CarrierBookAnswer = {
  kind: 'refused',
  code: 'NOT_OFFERED',
  message: 'shipments are not booked with this carrier through this service',
}

/** One shipment with many parcels must not open the circuit by itself. */
function subjectOf({ carrierRef, parcels }: CancelTicket): string {
  return parcels?.[0]?.carrierRef ?? carrierRef
}

/** `.` and `..` are path segments even if they are percent-encoded. */
function isDotSegment(carrierRef: string): boolean {
  return /^\.{1,2}$/.test(carrierRef)
}

/** `end`: how the circuit breaker counts the call. */
type CallResult<Answer> = { readonly answer: Answer | Unknown; readonly end: CallEnd }

/** If the connector ignores the abort signal, its late answer is dropped. */
function callWithTimeout<Answer extends { readonly kind: string }>(
  call: Call<Answer>,
): Promise<CallResult<Answer>> {
  const abort = new AbortController()
  return withTimeout<CallResult<Answer>>(answerOrCause(call, abort.signal), call.limitMs, () => {
    abort.abort()
    return { answer: unknown(`no answer within ${call.limitMs} ms`), end: { kind: 'failed' } }
  })
}

async function answerOrCause<Answer extends { readonly kind: string }>(
  call: Call<Answer>,
  signal: AbortSignal,
): Promise<CallResult<Answer>> {
  try {
    const answer = await call.send(signal)
    return { answer, end: isUnknown(answer) ? endOf(answer) : { kind: 'ok' } }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    if (!(error instanceof TokenError)) return { answer: unknown(cause), end: { kind: 'failed' } }
    const { isRejection = false, retryAfterMs } = error.fault
    const answer = unknown(cause, { configuration: isRejection })
    if (retryAfterMs !== undefined) return { answer, end: pausedFor(retryAfterMs) }
    return { answer, end: { kind: isRejection ? 'rejected' : 'failed' } }
  }
}

/** An inconclusive answer about a single parcel, such as one that is not in the carrier's system yet, is no failure. */
function endOf(answer: Unknown): CallEnd {
  if (answer.retryAfterMs !== undefined) return pausedFor(answer.retryAfterMs)
  if (/^HTTP 401\b/.test(answer.cause)) return { kind: 'rejected' }
  return { kind: isCarrierFault(answer) || /^HTTP 403\b/.test(answer.cause) ? 'failed' : 'ok' }
}

function pausedFor(pauseMs: number): CallEnd {
  return { kind: 'paused', pauseMs: Math.min(pauseMs, DAY_MS) }
}

function isConfigurationFault(answer: { readonly kind: string }): boolean {
  return isUnknown(answer) && (answer.configuration === true || /^HTTP 40[13]\b/.test(answer.cause))
}

function isUnknown(answer: { readonly kind: string }): answer is Unknown {
  return answer.kind === 'unknown'
}

function causeOf(answer: { readonly kind: string; readonly cause?: unknown }): string {
  return cleanText(String(answer.cause ?? ''))
}

// Checks of answers. Texts of carriers are untrusted.

function checkedCancelAnswer(answer: CarrierCancelAnswer | NotSent): CarrierCancelAnswer | NotSent {
  switch (answer.kind) {
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: refusalText(answer.message) }
    case 'unknown':
      return {
        ...unknown(cleanText(answer.cause)),
        ...(answer.repeatAfterMs !== undefined && { repeatAfterMs: answer.repeatAfterMs }),
      }
    case 'cancelled':
    case 'not_sent':
      return answer
  }
}

function checkedBookAnswer(answer: CarrierBookAnswer | NotSent): CarrierBookAnswer | NotSent {
  switch (answer.kind) {
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: refusalText(answer.message) }
    case 'unknown':
      return unknown(cleanText(answer.cause))
    case 'booked':
    case 'not_sent':
      return answer
  }
}

/** `unknown` if a number is unusable, or cannot be one of the carrier. */
function usableBooking(
  answer: CarrierBookAnswer,
  carrierCode: string,
  carriers: Carriers,
): CarrierBookAnswer {
  if (answer.kind !== 'booked') return answer
  const { carrierRef, parcelRefs } = answer
  const isValid = (number: string) =>
    TRACKING_NUMBER_FORMAT.test(number) && carriers.trackingNumberFault?.(carrierCode, number) === undefined
  const numbers = parcelRefs ?? [carrierRef]
  const isUsable =
    numbers.every(isValid) &&
    numbers[0] === carrierRef &&
    new Set(numbers).size === numbers.length &&
    (parcelRefs === undefined || (numbers.length > 1 && numbers.length <= PARCELS_MAX))
  return isUsable ? answer : UNUSABLE_BOOKING
}

function checkedTrackAnswer(answer: CarrierTrackAnswer | NotSent): CarrierTrackAnswer | NotSent {
  switch (answer.kind) {
    case 'scanned': {
      const { eventId, at } = answer.scan
      const instant = Date.parse(at)
      if (!isPlausible(instant) || !EVENT_ID_FORMAT.test(eventId)) return unknown('unusable scan')
      return { kind: 'scanned', scan: { eventId, at: new Date(instant).toISOString() } }
    }
    case 'unknown':
      return unknown(cleanText(answer.cause))
    case 'announced':
    case 'cancelled':
    case 'not_sent':
      return answer
  }
}

const DAY_MS = 86_400_000

/** From 2000 on, and at most a day ahead (clock errors, time zones). False for NaN. */
function isPlausible(instant: number): boolean {
  return instant >= Date.UTC(2000) && instant <= Date.now() + DAY_MS
}

/** Longest text of a carrier that is stored, in characters. */
export const CARRIER_TEXT_MAX = 300

/** The cleaned text of a refusal; never empty. */
export function refusalText(message: string): string {
  const text = cleanText(message)
  return text === '' ? 'no reason given' : text
}

/**
 * The text without control characters (line breaks could forge log lines, PostgreSQL rejects NUL), marks that reverse
 * the direction of text, and lone surrogates. White space is collapsed. At most `CARRIER_TEXT_MAX` characters.
 */
export function cleanText(text: string): string {
  // Truncated first, so that cleaning a body of megabytes takes no longer.
  const whole = text.slice(0, 20 * CARRIER_TEXT_MAX).toWellFormed()
  const cleaned = whole
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  return [...cleaned].slice(0, CARRIER_TEXT_MAX).join('').trimEnd()
}
