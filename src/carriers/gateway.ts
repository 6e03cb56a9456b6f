/**
 * All calls to carriers go through here. The gateway finds the connector, applies the time limit, the limit on calls at
 * once and the circuit breaker, turns every failure into `unknown`, and cleans the carrier's texts, which are
 * untrusted.
 * Source: design/cancellation.md, steps 2 and 4.
 */
import type { CarrierBookAnswer } from '../core/shipments/booking.ts'
import type { CarrierCancelAnswer, NotSent } from '../core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../core/shipments/tracking.ts'
import { EVENT_ID_FORMAT, TRACKING_NUMBER_FORMAT } from '../core/shipments/tracking.ts'
import type { CallOrigin, CarrierCallKind, CarrierGateway } from '../operations/ports/carriers.ts'
import type { Alert } from '../operations/ports/ports.ts'
import { type Bulkhead, type BulkheadLimits, bulkhead, CALLER_LIMITS } from './bulkhead.ts'
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts'
import type { Connector } from './connector.ts'
import { isCarrierFault, type Unknown, unknown } from './connectors/judgement.ts'

/** Time limit of one call to a carrier, in milliseconds. */
export const CARRIER_TIMEOUT_MS = 8_000

/** Background work has its own slots: it makes progress however many calls callers make. */
const BACKGROUND_SLOTS = 32
/** This many of the background slots are not available to look-ups. */
const SLOTS_FOR_COMMANDS = 8
/**
 * The part of a shared channel's caller slots that one account can use. A call cannot be stopped to make room for another
 * account, so this part stays the limit while no other account calls.
 */
const SHARE_OF_ONE_ACCOUNT = 0.5

/** One call of a connector. */
type Ask<Answer> = (signal: AbortSignal) => Promise<Answer>

/** One set of credentials at one carrier. It has its own circuit breakers and slots, whatever other channels do. */
export type CarrierChannel = {
  /** Identifies the set of credentials; contains no secret. */
  readonly key: string
  /** The account whose own credentials these are. Absent: the carrier's credentials, which accounts share. */
  readonly accountId?: string
}

/** The carriers that can be called. */
export type Carriers = {
  /** The connector for the account's calls to a carrier; undefined when none is set up. */
  connectorOf(carrierCode: string, accountId: string): Connector | undefined
  /** The credentials for the account's calls to a carrier. Also answers when no connector is set up. */
  channelOf(carrierCode: string, accountId: string): CarrierChannel
  /** Whether parcels of that carrier can be looked up. */
  canLookUp(carrierCode: string): boolean
}

/** Every option has the service's value as its default. */
export type GatewayOptions = {
  readonly timeoutMs?: number
  /** The limits for callers in each channel. */
  readonly bulkhead?: BulkheadLimits
  readonly alert?: (alert: Alert) => void
}

/** Look-ups and commands have separate breakers: a failing tracking interface must not stop cancellations. */
type ChannelLimits = {
  readonly slots: Readonly<Record<CallOrigin, Bulkhead>>
  readonly breakers: Readonly<Record<CarrierCallKind, CircuitBreaker>>
}

/** What a call is about. */
type Call = {
  readonly kind: CarrierCallKind
  readonly carrierCode: string
  readonly accountId: string
  /** The tracking number; for a booking, which has none yet, the shipment's id. */
  readonly parcel: string
  readonly limitMs: number
  readonly origin: CallOrigin
}

/**
 * Opens a gateway. The lease of a cancellation has to be longer than the time limit and the wait for a slot together.
 * Limits are kept per channel, of which there is one per carrier and one per account in the settings file.
 */
export function carrierGateway(carriers: Carriers, options: GatewayOptions = {}): CarrierGateway {
  const { timeoutMs = CARRIER_TIMEOUT_MS, alert = () => {} } = options
  const opened = new Map<string, ChannelLimits>()
  const limitsOf = (channel: CarrierChannel): ChannelLimits => {
    const known = opened.get(channel.key)
    if (known !== undefined) return known
    const limits = openLimits(channel, options.bulkhead)
    opened.set(channel.key, limits)
    return limits
  }

  /** `method` picks the connector's method. When the connector lacks it, `lacking` is the answer. */
  async function call<Answer extends { readonly kind: string }>(
    { kind, carrierCode, accountId, parcel, limitMs, origin }: Call,
    method: (connector: Connector) => Ask<Answer> | undefined,
    lacking: Answer | NotSent = NOT_SET_UP,
  ): Promise<Answer | Unknown | NotSent> {
    const connector = carriers.connectorOf(carrierCode, accountId)
    if (connector === undefined) return NOT_SET_UP
    const ask = method(connector)
    if (ask === undefined) return lacking
    const channel = carriers.channelOf(carrierCode, accountId)
    const limits = limitsOf(channel)
    const slots = limits.slots[origin]
    const breaker = limits.breakers[kind]
    if (breaker.state() === 'open') return CIRCUIT_OPEN
    if (!(await slots.enter(accountId))) return notSent('too many calls are running')
    try {
      // The circuit may have opened while this call waited for its slot.
      if (breaker.state() === 'open') return CIRCUIT_OPEN
      breaker.started()
      const { answer, silent } = await inTime(ask, limitMs)
      // `unknown` about one parcel (one that the carrier does not know yet, say) is not a failure of the carrier.
      if (breaker.ended(parcel, silent || (isUnknown(answer) && isCarrierFault(answer))))
        alert(circuitOpened(carrierCode, channel, causeOf(answer)))
      return answer
    } finally {
      slots.leave(accountId)
    }
  }

  return {
    async cancel({ attemptId, accountId, carrierCode, carrierRef, sends }, origin = 'caller') {
      if (LEAVES_ITS_PATH.test(carrierRef)) return UNUSABLE
      const parcel = { parcel: carrierRef, limitMs: timeoutMs, origin }
      const about: Call = { kind: 'command', carrierCode, accountId, ...parcel }
      const request = { carrierCode, carrierRef, idempotencyKey: attemptId, sends }
      return trusted(await call(about, (connector) => (signal) => connector.cancel(request, signal)))
    },
    async book(accountId, shipment, origin = 'caller') {
      const { carrierCode, shipmentId: parcel } = shipment
      const about: Call = { kind: 'command', carrierCode, accountId, parcel, limitMs: timeoutMs, origin }
      const method = ({ book }: Connector) => book && ((signal: AbortSignal) => book(shipment, signal))
      return trustedBooking(await call(about, method, CANNOT_BOOK))
    },
    async track({ accountId, carrierCode, carrierRef: parcel }, limitMs = timeoutMs, origin = 'caller') {
      if (LEAVES_ITS_PATH.test(parcel)) return UNUSABLE
      const about: Call = { kind: 'lookup', carrierCode, accountId, parcel, limitMs, origin }
      const method = ({ track }: Connector) => track && ((signal: AbortSignal) => track(parcel, signal))
      return trustedTracking(await call(about, method, CANNOT_TRACK))
    },
    canLookUp: (carrierCode) => carriers.canLookUp(carrierCode),
    channelOf: (carrierCode, accountId) => carriers.channelOf(carrierCode, accountId).key,
    room: (carrierCode, accountId, kind) =>
      roomIn(limitsOf(carriers.channelOf(carrierCode, accountId)), kind),
  }
}

function openLimits(channel: CarrierChannel, terms: BulkheadLimits = CALLER_LIMITS): ChannelLimits {
  const { slots, waitMs } = terms
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

function roomIn({ slots, breakers }: ChannelLimits, kind: CarrierCallKind): number {
  const free = Math.max(0, slots.background.free() - (kind === 'lookup' ? SLOTS_FOR_COMMANDS : 0))
  switch (breakers[kind].state()) {
    case 'closed':
      return free
    case 'half-open':
      return Math.min(1, free)
    case 'open':
      return 0
  }
}

function circuitOpened(carrierCode: string, { accountId }: CarrierChannel, detail: string): Alert {
  return { kind: 'CIRCUIT_OPENED', carrierCode, ...(accountId !== undefined && { accountId }), detail }
}

const notSent = (cause: string): NotSent => ({ kind: 'not_sent', cause })

const NOT_SET_UP = notSent('this carrier is not set up')
const CIRCUIT_OPEN = notSent('the carrier fails and is left alone')
const UNUSABLE = notSent('this tracking number cannot be asked about')
const CANNOT_TRACK = notSent('this carrier cannot be looked up')

/** As a path segment these change the path, and encoding does not prevent it. */
const LEAVES_ITS_PATH = /^\.{1,2}$/

const CANNOT_BOOK: CarrierBookAnswer = {
  kind: 'refused',
  code: 'NOT_OFFERED',
  message: 'shipments are not booked with this carrier through this service',
}

/** `silent`: the connector threw or took too long. */
type Heard<Answer> = { readonly answer: Answer | Unknown; readonly silent: boolean }

/** One try within the time limit. The late answer of a connector that ignores the signal is dropped. */
async function inTime<Answer>(ask: Ask<Answer>, limitMs: number): Promise<Heard<Answer>> {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Heard<Answer>>((resolve) => {
    timer = setTimeout(() => {
      resolve({ answer: unknown(`no answer within ${limitMs} ms`), silent: true })
      abort.abort()
    }, limitMs)
  })
  try {
    return await Promise.race([answerOrCause(ask, abort.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

async function answerOrCause<Answer>(ask: Ask<Answer>, signal: AbortSignal): Promise<Heard<Answer>> {
  try {
    return { answer: await ask(signal), silent: false }
  } catch (error) {
    return { answer: unknown(error instanceof Error ? error.message : String(error)), silent: true }
  }
}

function isUnknown(answer: { readonly kind: string }): answer is Unknown {
  return answer.kind === 'unknown'
}

function causeOf(answer: { readonly kind: string; readonly cause?: unknown }): string {
  return cleanText(String(answer.cause ?? ''))
}

function trusted(answer: CarrierCancelAnswer | NotSent): CarrierCancelAnswer | NotSent {
  switch (answer.kind) {
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: reasonOf(answer.message) }
    case 'unknown':
      return unknown(cleanText(answer.cause))
    default:
      return answer
  }
}

function trustedBooking(answer: CarrierBookAnswer | NotSent): CarrierBookAnswer | NotSent {
  switch (answer.kind) {
    case 'booked':
      return TRACKING_NUMBER_FORMAT.test(answer.carrierRef) ? answer : unknown('unusable reference')
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: reasonOf(answer.message) }
    case 'unknown':
      return unknown(cleanText(answer.cause))
    case 'not_sent':
      return answer
  }
}

const DAY_MS = 86_400_000

/** From 2000 on, and at most a day ahead (clock errors, time zones). False for NaN. */
function isPlausible(instant: number): boolean {
  return instant >= Date.UTC(2000) && instant <= Date.now() + DAY_MS
}

function trustedTracking(answer: CarrierTrackAnswer | NotSent): CarrierTrackAnswer | NotSent {
  switch (answer.kind) {
    case 'scanned': {
      const { eventId, at } = answer.scan
      const instant = Date.parse(at)
      if (!isPlausible(instant) || !EVENT_ID_FORMAT.test(eventId)) return unknown('unusable scan')
      return { kind: 'scanned', scan: { eventId, at: new Date(instant).toISOString() } }
    }
    case 'unknown':
      return unknown(cleanText(answer.cause))
    default:
      return answer
  }
}

// What may be kept of a carrier's texts: they are printed, compared, logged and sent on, and not to be trusted.

/** Longest text of a carrier that is kept, in characters. */
export const CARRIER_TEXT_MAX = 300

/** A refusal's reason, cleaned; never empty. */
export function reasonOf(message: string): string {
  const reason = cleanText(message)
  return reason === '' ? 'no reason given' : reason
}

/**
 * Text without control characters (line breaks would forge log lines, NUL is a fault in PostgreSQL), marks that
 * turn the direction of what is displayed, or lone surrogates; blanks as one; at most `CARRIER_TEXT_MAX`.
 */
export function cleanText(text: string): string {
  // A body of megabytes is cut before it is worked through.
  const whole = text.slice(0, 20 * CARRIER_TEXT_MAX).toWellFormed()
  const cleaned = whole
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  return [...cleaned].slice(0, CARRIER_TEXT_MAX).join('').trimEnd()
}
