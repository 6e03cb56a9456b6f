/**
 * FedEx: cancels shipments and looks parcels up. FedEx reports some successes as errors.
 *
 * Sources, read in November 2026: the specifications of the Ship and Track interfaces of developer.fedex.com
 * (ship-api.json, track.json, tracking status codes; copies in public clients), its page on rate limits, the Delete
 * Shipment page of the older web services, and public clients for the error lists of both interfaces
 * (Ship-Common-ErrorMapping.json). Not tested with the live interface. FedEx documents no idempotency keys:
 * `x-customer-transaction-id` contains the attempt's id, but only matches replies to requests.
 */
import { randomUUID } from 'node:crypto'
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { RefusalCode } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type {
  BatchParcel,
  CarrierAccess,
  CheckAnswer,
  Connector,
  ConnectorType,
  ManyTracked,
  TrackHints,
} from '../connector.ts'
import { BODY_MAX, type HttpReply, type HttpRequest, listAt, textAt, valueAt } from '../http-exchange.ts'
import { limitedSignal } from '../not-sent.ts'
import { readOAuthToken, type TokenSource, tokenSource } from '../token-source.ts'
import {
  ACCEPTED,
  type Refused,
  refused,
  reportsError,
  type Unknown,
  unknown,
  unknownReply,
} from './judgement.ts'
import { type EventMeaning, type ParcelEvent, parcelStateOf, utcTime } from './parcel-history.ts'

/**
 * FedEx has separate keys for projects that ship and projects that track. Without `trackClientId` and
 * `trackClientSecret`, `clientId` and `clientSecret` are used for both.
 */
export const fedex: ConnectorType = {
  credentials: ['clientId', 'clientSecret', 'accountNumber'],
  optionalCredentials: ['trackClientId', 'trackClientSecret'],
  cancels: 'shipment',
  liveUrl: 'https://apis.fedex.com',
  testUrls: ['apis-sandbox.fedex.com'],
  trackingNumberFault: (carrierRef) =>
    TRACKING_NUMBER.test(carrierRef) ? undefined : 'must be 12, 15, 20 or 22 digits',
  tracking: { tellsDeliveries: true, batch: 30, callsPerDay: 100_000 },
  // FedEx blocks an address for ten minutes after 3 token requests per second for 5 s, or 1 per second for 2 minutes.
  // Two replicas behind one address stay below that.
  tokenRequests: { burst: 3, everyMs: 2_500 },
  open: openFedex,
}

/** 12 digits at FedEx Express and Ground; 15, 20 or 22 at FedEx Ground and Ground Economy. */
const TRACKING_NUMBER = /^(?:\d{12}|\d{15}|\d{20}|\d{22})$/

/** Errors that mean the shipment is cancelled. SHIPMENT.CANCELEDWITHOUTPICKUP.FAILURE is a refusal. */
const CANCELLED: ReadonlyMap<string, 'now' | 'already'> = new Map([
  ['CANCELSHIPMENT.TRACKINGNUMBER.DELETED', 'already'],
  ['MASTERTRACKINGID.TRACKINGNUMBER.CANCELLED', 'already'],
  ['SHIPMENT.CANCELEDWITHOUTPICKUP.SUCCESS', 'now'],
])

/**
 * Final refusals of a cancellation, from Ship-Common-ErrorMapping.json as quoted by public clients. The code for a
 * tendered parcel is not published; a lookup shows whether the parcel was scanned.
 */
const REFUSALS: ReadonlyMap<string, RefusalCode> = new Map([
  ['TRACKINGIDS.TRACKINGNUMBER.CLOSED', 'WINDOW_CLOSED'], // the shipping day is closed
  ['SHIPMENT.CANCELEDWITHOUTPICKUP.FAILURE', 'NOT_CANCELLABLE'],
])

/** FedEx does not know the tracking number, or it is malformed. */
const UNKNOWN_NUMBER = /(?:^|\.)TRACKINGNUMBER\.(?:NOT\.?FOUND|INVALID)$/

/** The code of a 404. It concerns the shipment: the token came from the same host. */
const NO_SUCH_RESOURCE = 'NOT.FOUND.ERROR'

/** Faults and limits of FedEx. All other unlisted codes concern the request or the account. */
const FAULT_OF_FEDEX = /^(?:INTERNAL|SERVICE|SYSTEM|TOO\.MANY)\./

function openFedex({ baseUrl, credentials, tokenLimiter, sharedTokens }: CarrierAccess): Connector {
  const { clientId = '', clientSecret = '', accountNumber = '' } = credentials
  const { trackClientId, trackClientSecret } = credentials
  const tokensOf = (client_id: string, client_secret: string) =>
    tokenSource(
      {
        method: 'POST',
        url: `${baseUrl}/oauth/token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })}`,
      },
      readOAuthToken,
      { limiter: tokenLimiter, shared: sharedTokens },
    )
  const shipTokens = tokensOf(clientId, clientSecret)
  const isOneProject = trackClientId === undefined && trackClientSecret === undefined
  const trackTokens = isOneProject
    ? shipTokens
    : tokensOf(trackClientId ?? clientId, trackClientSecret ?? clientSecret)
  const send = (tokens: TokenSource, call: Call, signal: AbortSignal) =>
    tokens.send((token) => requestOf(call, baseUrl, token), signal)
  const lookUp = lookups((trackingInfo, signal) => {
    const replyMaxBytes = Math.max(BODY_MAX, trackingInfo.length * BYTES_PER_PARCEL)
    const body = { includeDetailedScans: true, trackingInfo }
    return send(trackTokens, { ...TRACK, transactionId: randomUUID(), body, replyMaxBytes }, signal)
  })

  async function track(carrierRef: string, signal: AbortSignal, hints: TrackHints = {}) {
    const tracked = await lookUp([{ carrierRef, ...hints }], signal)
    return tracked.kind === 'unknown' ? tracked : (tracked.parcels.get(carrierRef) ?? NOT_FOUND)
  }

  return {
    prepare: (signal) => shipTokens.ready(signal),
    check: async (signal) => checkAnswer(await track(NO_PARCEL, signal)),
    async cancel({ carrierRef, idempotencyKey: transactionId, sends, ...hints }, signal) {
      const body = {
        accountNumber: { value: accountNumber },
        trackingNumber: carrierRef,
        deletionControl: 'DELETE_ALL_PACKAGES',
      }
      const answer = cancelAnswer(await send(shipTokens, { ...CANCEL, transactionId, body }, signal), sends)
      if (answer.kind !== 'undecided') return answer
      const lookupSignal = limitedSignal(signal, LOOKUP_LIMIT_MS)
      return decided(answer, await track(carrierRef, lookupSignal, hints).catch(() => NOT_FOUND))
    },
    track,
    trackMany: lookUp,
  }
}

/** A slow lookup must not count as a failed cancellation. */
const LOOKUP_LIMIT_MS = 2_500

type Call = Pick<HttpRequest, 'method' | 'body' | 'replyMaxBytes'> & {
  readonly path: string
  /** FedEx returns it in the reply. */
  readonly transactionId: string
}

const CANCEL = { method: 'PUT', path: '/ship/v1/shipments/cancel' } as const
const TRACK = { method: 'POST', path: '/track/v1/trackingnumbers' } as const

function requestOf({ path, transactionId, ...call }: Call, baseUrl: string, token: string): HttpRequest {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-customer-transaction-id': transactionId,
    'x-locale': 'en_US',
  }
  return { ...call, url: `${baseUrl}${path}`, headers }
}

/**
 * Looks up at most 30 parcels per call. Parcels whose numbers are not unique are looked up again, with their ship
 * dates.
 */
function lookups(ask: (trackingInfo: readonly object[], signal: AbortSignal) => Promise<HttpReply>) {
  return async (parcels: readonly BatchParcel[], signal: AbortSignal): Promise<ManyTracked> => {
    const reply = await ask(
      parcels.map(({ carrierRef }) => numberInfo(carrierRef)),
      signal,
    )
    if (reply.status !== 200) return failedLookup(reply)
    const answers = new Map(parcels.map((parcel) => [parcel.carrierRef, trackAnswer(reply, parcel)]))
    const ambiguous = parcels.flatMap((parcel) => {
      const dates = answers.get(parcel.carrierRef) === NOT_UNIQUE ? shipDates(parcel, Date.now()) : undefined
      return dates === undefined ? [] : [{ parcel, info: { ...dates, ...numberInfo(parcel.carrierRef) } }]
    })
    if (ambiguous.length === 0) return { kind: 'tracked', parcels: answers }
    const infos = ambiguous.map(({ info }) => info)
    const narrowed = await ask(infos, signal)
    if (narrowed.status === 200)
      for (const { parcel } of ambiguous) answers.set(parcel.carrierRef, trackAnswer(narrowed, parcel))
    return { kind: 'tracked', parcels: answers }
  }
}

/** A reply to a cancellation that settles nothing by itself. A lookup of the parcel may. */
type Undecided = {
  readonly kind: 'undecided'
  /** The answer if the lookup settles nothing either. */
  readonly otherwise: Unknown
  /** The answer if FedEx has the label, and has neither scanned nor cancelled the parcel. */
  readonly ifAnnounced?: Refused
  /** The answer if tracking does not know the number either. */
  readonly ifNotFound?: Refused | Cancelled
}

type Cancelled = Extract<CarrierCancelAnswer, { kind: 'cancelled' }>

const ALREADY: Cancelled = { kind: 'cancelled', how: 'already' }

function decided({ otherwise, ifAnnounced, ifNotFound }: Undecided, lookup: CarrierTrackAnswer) {
  switch (lookup.kind) {
    case 'cancelled':
      return ALREADY
    case 'scanned': {
      const { eventId, at } = lookup.scan
      return refused('SCANNED', eventId, `FedEx scanned the parcel at ${at}`)
    }
    case 'announced':
      return ifAnnounced ?? otherwise
    case 'unknown':
      return lookup.cause === NUMBER_NOT_FOUND ? (ifNotFound ?? otherwise) : otherwise
  }
}

/**
 * A 200 confirms the cancellation only with `cancelledShipment: true`, without errors, and with alerts of the
 * documented types only. It contains no tracking number. It refuses the cancellation with `false`, unless
 * `cancelledHistory` shows that an earlier request may have deleted the shipment ("deleted from history").
 */
function cancelAnswer(reply: HttpReply, sends: number): CarrierCancelAnswer | Undecided {
  const errors = listAt(reply.json, 'errors')
  if (errors.length > 0) return errorAnswer(reply, errors, sends)
  if (reply.status !== 200) return inconclusive(reply, [])
  const output = valueAt(reply.json, 'output')
  const otherwise = unknown('HTTP 200 without a cancellation')
  const isPlain = Array.isArray(valueAt(reply.json, 'errors') ?? []) && !reportsError(reply.json)
  const isCancelled = isPlain ? valueAt(output, 'cancelledShipment') : undefined
  if (isCancelled === true)
    return isAlarming(output) ? { kind: 'undecided', otherwise } : { kind: 'cancelled', how: 'now' }
  if (isCancelled !== false) return otherwise
  const wasCancelled = (valueAt(output, 'cancelledHistory') ?? false) !== false
  if (wasCancelled) return { kind: 'undecided', otherwise, ...(sends > 1 && { ifNotFound: ALREADY }) }
  const code = 'cancelledShipment: false'
  return {
    kind: 'undecided',
    otherwise,
    ifAnnounced: refused('NOT_CANCELLABLE', code, 'FedEx did not cancel the shipment'),
  }
}

/** FedEx documents two types of alerts, which may accompany a success. */
const HARMLESS_ALERTS = new Set<unknown>(['NOTE', 'WARNING'])

function isAlarming(output: unknown): boolean {
  const alerts = valueAt(output, 'alerts') ?? []
  return (
    !Array.isArray(alerts) ||
    alerts.some((alert) => !HARMLESS_ALERTS.has(valueAt(alert, 'alertType') ?? 'NOTE'))
  )
}

function errorAnswer(
  reply: HttpReply,
  errors: readonly unknown[],
  sends: number,
): CarrierCancelAnswer | Undecided {
  const codes = errors.map((error) => textAt(error, 'code') ?? '')
  const [code = ''] = codes
  const message = textAt(errors[0], 'message') ?? ''
  const otherwise = inconclusive(reply, codes)
  // A 200 may contain errors. If another status is not about the request, its codes are ignored.
  if (!ABOUT_REQUEST.has(reply.status) || codes.some((other) => FAULT_OF_FEDEX.test(other))) return otherwise
  // With a second error or a result besides the error, the reply contradicts itself.
  if (codes.length > 1 || (valueAt(reply.json, 'output') ?? undefined) !== undefined)
    return { kind: 'undecided', otherwise }
  const how = CANCELLED.get(code)
  if (how !== undefined) return { kind: 'cancelled', how }
  const reason = REFUSALS.get(code)
  if (reason !== undefined) return refused(reason, code, message)
  const unknownParcel = refused('UNKNOWN_PARCEL', code, message)
  const isFirst = sends <= 1
  // After a repeated send, an earlier one may have deleted the shipment.
  if (UNKNOWN_NUMBER.test(code))
    return isFirst ? unknownParcel : { kind: 'undecided', otherwise, ifAnnounced: unknownParcel }
  if (code !== NO_SUCH_RESOURCE) return { kind: 'undecided', otherwise }
  return {
    kind: 'undecided',
    otherwise,
    ifAnnounced: unknownParcel,
    ...(isFirst && { ifNotFound: unknownParcel }),
  }
}

/** Statuses of replies whose error codes count. */
const ABOUT_REQUEST = new Set([200, 400, 404, 409, 410, 422])
/** Statuses about credentials and rights. */
const UNAUTHORIZED = new Set([401, 403])
/** Statuses about load and time. */
const TRANSIENT = new Set([408, 425, 429])

/** Marked as a fault of the configuration if FedEx rejects the request or the account. */
function inconclusive(reply: HttpReply, codes: readonly string[]): Unknown {
  const answer = unknownReply(reply, codes.join(', ') || undefined)
  return isConfigurationFault(reply.status, codes) ? { ...answer, configuration: true } : answer
}

function isConfigurationFault(status: number, codes: readonly string[]): boolean {
  if (UNAUTHORIZED.has(status)) return true
  const isRejected = status === 200 || (status >= 400 && status < 500 && !TRANSIENT.has(status))
  return isRejected && (codes.length === 0 || !codes.every(isListed))
}

function isListed(code: string): boolean {
  return (
    CANCELLED.has(code) ||
    REFUSALS.has(code) ||
    UNKNOWN_NUMBER.test(code) ||
    FAULT_OF_FEDEX.test(code) ||
    code === NO_SUCH_RESOURCE
  )
}

/** Label created: OC (order created) and its derived status IN (initiated). */
const LABEL_ONLY = new Set(['OC', 'IN'])

/**
 * Events and statuses of a parcel that FedEx or its partner has or had. Not included, because they may precede the
 * pick-up: enroute to or at the pick-up (EP, AP), pick-up delay (PD), vehicle dispatched (DS, DR), forecasts (AO, AE),
 * delays (DY, DD), shipment exception (SE), customs (CC, CD, CP), requests of the receiver (RR, RM, RC), and EA, which
 * means both "enroute to airport" and "export approved".
 */
const IN_FEDEX_HANDS = new Set(
  // Picked up, arrived, departed, in transit, in the air.
  [
    'PU',
    'PX',
    'AR',
    'AF',
    'OF',
    'FD',
    'SF',
    'DP',
    'LO',
    'IT',
    'IX',
    'OW',
    'AA',
    'EO',
    'PF',
    'PL',
    'TR',
  ].concat(
    // At partners, out for delivery, attempted, held for pick-up, delivered, on its way back.
    ['AC', 'AX', 'OD', 'ED', 'AD', 'DE', 'HL', 'HP', 'DL', 'RS'],
  ),
)

/** `derived` is the status that FedEx derives from `code`. Either may be missing. */
function meaningOf(code: string | undefined, derived: string | undefined): EventMeaning {
  const main = (code ?? derived ?? '').toUpperCase()
  const isLabel = derived === undefined || LABEL_ONLY.has(derived)
  if (LABEL_ONLY.has(main)) return isLabel ? 'announcement' : 'unclear'
  if (main === 'CA') return 'cancellation'
  if (main === 'DL' && (derived === undefined || derived === 'DL')) return 'delivery'
  return IN_FEDEX_HANDS.has(main) && derived !== 'IN' ? 'scan' : 'unclear'
}

/** Recorded results have up to 17 kB per parcel. */
const BYTES_PER_PARCEL = 64 * 1024

const NUMBER_NOT_FOUND = 'TRACKING.TRACKINGNUMBER.NOTFOUND'
const NOT_FOUND = unknown('not found')

/** The format of a tracking number. */
const NO_PARCEL = '000000000000'

function checkAnswer(tracked: CarrierTrackAnswer): CheckAnswer {
  if (tracked.kind !== 'unknown') return ACCEPTED
  return /\bTRACKINGNUMBER\.(?:NOT\.?FOUND|INVALID)$/.test(tracked.cause) ? ACCEPTED : tracked
}
const NOT_UNIQUE = unknown('not unique')

function numberInfo(trackingNumber: string): object {
  return { trackingNumberInfo: { trackingNumber } }
}

function failedLookup(reply: HttpReply): Unknown {
  const answer = unknownReply(reply, textAt(reply.json, 'errors', 0, 'code'))
  return UNAUTHORIZED.has(reply.status) ? { ...answer, configuration: true } : answer
}

/**
 * The state of one parcel of a reply. A number that FedEx cannot find is inconclusive: a new label takes up to a day to
 * appear. FedEx reuses numbers, and repeats a number for a parcel that was held or redirected. Several results count if
 * they all have the same state.
 */
function trackAnswer(reply: HttpReply, { carrierRef, bookedAt }: BatchParcel): CarrierTrackAnswer {
  if (reportsError(reply.json)) return unknown('HTTP 200 with an error')
  const results = listAt(reply.json, 'output', 'completeTrackResults')
    .filter((complete) => textAt(complete, 'trackingNumber') === carrierRef)
    .flatMap((complete) => listAt(complete, 'trackResults'))
    .filter((result) => !isEarlierParcel(result, bookedAt))
  const answers = results.map((result) => resultAnswer(result, carrierRef))
  const [answer = NOT_FOUND] = answers
  if (answers.length <= 1) return answer
  if (answer.kind === 'unknown' || answers.some(({ kind }) => kind !== answer.kind)) return NOT_UNIQUE
  const scans = answers.flatMap((found) => (found.kind === 'scanned' ? [found.scan] : []))
  const [scan] = scans.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  return scan === undefined ? answer : { kind: 'scanned', scan }
}

function resultAnswer(result: unknown, carrierRef: string): CarrierTrackAnswer {
  const repeated = textAt(result, 'trackingNumberInfo', 'trackingNumber') ?? carrierRef
  const hasError = (valueAt(result, 'error') ?? undefined) !== undefined
  if (hasError || repeated !== carrierRef) return unknown(textAt(result, 'error', 'code') ?? 'not found')
  const status = valueAt(result, 'latestStatusDetail')
  return parcelStateOf(
    listAt(result, 'scanEvents').map(eventOf),
    status === undefined ? undefined : eventOfStatus(status),
  )
}

const DAY_MS = 86_400_000
/** Also the age from which scan events belong to an earlier parcel; see docs/scan-events.md. */
const SHIPPED_BEFORE_BOOKING_MS = 90 * DAY_MS

/** True if the result's ship date is so long before the booking that it belongs to an earlier parcel. */
function isEarlierParcel(result: unknown, bookedAt: string | undefined): boolean {
  if (bookedAt === undefined) return false
  const shipped = listAt(result, 'dateAndTimes').find((entry) => textAt(entry, 'type') === 'SHIP')
  const at = utcTime(textAt(shipped, 'dateTime'))
  return at !== undefined && Date.parse(at) < Date.parse(bookedAt) - SHIPPED_BEFORE_BOOKING_MS
}

/**
 * The range of ship dates around the booking. FedEx accepts at most 30 days, up to two years back, and no end in the
 * future. Undefined if the booking is too old.
 */
function shipDates({ bookedAt = '' }: BatchParcel, nowMs: number): object | undefined {
  const bookedMs = Date.parse(bookedAt)
  if (Number.isNaN(bookedMs) || nowMs - bookedMs > 700 * DAY_MS) return undefined
  // The date in the westernmost time zone, which is nowhere in the future.
  const today = nowMs - DAY_MS / 2
  return {
    shipDateBegin: dateOf(Math.min(bookedMs, today) - 15 * DAY_MS),
    shipDateEnd: dateOf(Math.min(bookedMs + 14 * DAY_MS, today)),
  }
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** FedEx sends local times with an offset. Some pick-ups of FedEx Ground have no offset; their times count as UTC. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'eventType')
  const derived = textAt(event, 'derivedStatusCode')
  const when = utcTime(textAt(event, 'date'))
  return { meaning: meaningOf(code, derived), code: code ?? derived ?? '', at: when }
}

function eventOfStatus(status: unknown): ParcelEvent {
  const code = textAt(status, 'code')
  const derived = textAt(status, 'derivedCode')
  return { meaning: meaningOf(code, derived), code: code ?? derived ?? '', at: undefined }
}
