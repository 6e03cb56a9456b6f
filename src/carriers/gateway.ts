/**
 * The one way to a carrier: finds its connector, keeps the time, bounds the calls at once, leaves a broken carrier
 * alone, turns whatever goes wrong into `unknown`, and cleans the carrier's texts, which are not to be trusted.
 * Source: design/cancellation.md, steps 2 and 4.
 */
import type { CarrierBookAnswer } from '../core/shipments/booking.ts'
import type { CarrierCancelAnswer, NotSent } from '../core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../core/shipments/tracking.ts'
import type { Alert, CallOrigin, CarrierCallKind, CarrierGateway } from '../operations/ports.ts'
import { BULKHEAD_TERMS, type Bulkhead, type BulkheadTerms, bulkhead } from './bulkhead.ts'
import { cleanText, reasonOf, USABLE_EVENT_ID, USABLE_REFERENCE } from './carrier-text.ts'
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts'
import type { Connector } from './connector.ts'
import { isCarrierFault, type Unknown, unknown } from './judgement.ts'

/** How long a carrier may take, in milliseconds. */
export const CARRIER_TIMEOUT_MS = 8_000

/** Nobody waits for background work, but it must go on however busy callers keep a carrier. */
const BACKGROUND_PLACES = 32
/** Of these, so many are not for look-ups. */
const PLACES_FOR_COMMANDS = 8

/** One call of a connector. */
type Ask<Answer> = (signal: AbortSignal) => Promise<Answer>

/** How carriers are reached. */
export type Carriers = {
  /** The connector of a carrier with the account's credentials; undefined when there is none. */
  connectorOf(carrierCode: string, accountId: string): Connector | undefined
  /** Whether that carrier can be looked up. */
  canTrack(carrierCode: string): boolean
}

/** All optional; the defaults are for the service. */
export type GatewayOptions = {
  readonly timeoutMs?: number
  readonly bulkhead?: BulkheadTerms
  readonly alert?: (alert: Alert) => void
}

/** A look-up that fails says nothing of the calls that change something, so each kind has its own breaker. */
type Lane = {
  readonly places: Readonly<Record<CallOrigin, Bulkhead>>
  readonly breakers: Readonly<Record<CarrierCallKind, CircuitBreaker>>
}

/** What a call is about. */
type Call = {
  readonly kind: CarrierCallKind
  readonly carrierCode: string
  readonly accountId: string
  /** The parcel's number, or the shipment's id before there is one. */
  readonly parcel: string
  readonly limitMs: number
  readonly origin: CallOrigin
}

/** A gateway to carriers. The time-out and the wait for a place must together stay below the lease of a cancellation. */
export function carrierGateway(carriers: Carriers, options: GatewayOptions = {}): CarrierGateway {
  const { timeoutMs = CARRIER_TIMEOUT_MS, alert = () => {} } = options
  const lanes = new Map<string, Lane>()
  const laneOf = (carrierCode: string): Lane => {
    const known = lanes.get(carrierCode)
    if (known !== undefined) return known
    const lane = openLane(options.bulkhead)
    lanes.set(carrierCode, lane)
    return lane
  }

  /** `method` picks what to call; a connector without it is not asked, which `lacking` says. */
  async function call<Answer extends { readonly kind: string }>(
    { kind, carrierCode, accountId, parcel, limitMs, origin }: Call,
    method: (connector: Connector) => Ask<Answer> | undefined,
    lacking: Answer | NotSent = NOT_SET_UP,
  ): Promise<Answer | Unknown | NotSent> {
    const connector = carriers.connectorOf(carrierCode, accountId)
    if (connector === undefined) return NOT_SET_UP
    const ask = method(connector)
    if (ask === undefined) return lacking
    const lane = laneOf(carrierCode)
    const places = lane.places[origin]
    const breaker = lane.breakers[kind]
    if (breaker.standing() === 'open') return LEFT_ALONE
    if (!(await places.enter())) return notSent('too many calls are running')
    try {
      // It may have opened while this call waited in line.
      if (breaker.standing() === 'open') return LEFT_ALONE
      breaker.began()
      const { answer, silent } = await inTime(ask, limitMs)
      // Doubt about a parcel (not known yet, say) is a healthy answer, and many parcels may be so.
      if (breaker.ended(parcel, silent || (isUnknown(answer) && isCarrierFault(answer))))
        alert({ kind: 'CIRCUIT_OPENED', carrierCode, detail: causeOf(answer) })
      return answer
    } finally {
      places.leave()
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
      const about: Call = { kind: 'lookUp', carrierCode, accountId, parcel, limitMs, origin }
      const method = ({ track }: Connector) => track && ((signal: AbortSignal) => track(parcel, signal))
      return trustedTracking(await call(about, method, CANNOT_TRACK))
    },
    canTrack: (carrierCode) => carriers.canTrack(carrierCode),
    room: (carrierCode, kind) => roomIn(laneOf(carrierCode), kind),
  }
}

function openLane({ places, waitMs }: BulkheadTerms = BULKHEAD_TERMS): Lane {
  const background = bulkhead({ places: Math.min(places, BACKGROUND_PLACES), waitMs })
  return {
    places: { caller: bulkhead({ places, waitMs }), background },
    breakers: { command: circuitBreaker(), lookUp: circuitBreaker() },
  }
}

function roomIn({ places, breakers }: Lane, kind: CarrierCallKind): number {
  const standing = breakers[kind].standing()
  if (standing === 'open') return 0
  const free = places.background.free() - (kind === 'lookUp' ? PLACES_FOR_COMMANDS : 0)
  return Math.max(0, standing === 'trial' ? Math.min(1, free) : free)
}

const notSent = (cause: string): NotSent => ({ kind: 'not_sent', cause })

const NOT_SET_UP = notSent('this carrier is not set up')
const LEFT_ALONE = notSent('the carrier fails and is left alone')
const UNUSABLE = notSent('this tracking number cannot be asked about')
const CANNOT_TRACK = notSent('this carrier cannot be looked up')

/** As a step of a path these two go up or nowhere, and no encoding keeps them from it. */
const LEAVES_ITS_PATH = /^\.{1,2}$/

const CANNOT_BOOK: CarrierBookAnswer = {
  kind: 'refused',
  code: 'NOT_OFFERED',
  message: 'shipments are not booked with this carrier through this service',
}

/** An answer, or that there was none: thrown, or too late. */
type Heard<Answer> = { readonly answer: Answer | Unknown; readonly silent: boolean }

/** One try within the time. A connector that does not mind the signal is left behind with its late answer. */
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
      return USABLE_REFERENCE.test(answer.carrierRef) ? answer : unknown('unusable reference')
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: reasonOf(answer.message) }
    case 'unknown':
      return unknown(cleanText(answer.cause))
    case 'not_sent':
      return answer
  }
}

const DAY_MS = 86_400_000

/** Neither before carriers had interfaces nor in the future (but for clocks and time zones); false for NaN. */
function isPlausible(instant: number): boolean {
  return instant >= Date.UTC(2000) && instant <= Date.now() + DAY_MS
}

function trustedTracking(answer: CarrierTrackAnswer | NotSent): CarrierTrackAnswer | NotSent {
  switch (answer.kind) {
    case 'scanned': {
      const { eventId, at } = answer.scan
      const instant = Date.parse(at)
      if (!isPlausible(instant) || !USABLE_EVENT_ID.test(eventId)) return unknown('unusable scan')
      return { kind: 'scanned', scan: { eventId, at: new Date(instant).toISOString() } }
    }
    case 'unknown':
      return unknown(cleanText(answer.cause))
    default:
      return answer
  }
}
