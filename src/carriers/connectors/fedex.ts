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
import {
  ACCEPTED,
  type BatchParcel,
  type CarrierCancelAnswer,
  type CarrierTrackAnswer,
  type CheckAnswer,
  type Conversation,
  defineConnector,
  type EventMeaning,
  type HttpReply,
  type LookUpFirst,
  listAt,
  type ManyTracked,
  type NoData,
  type ParcelEvent,
  parcelStateOf,
  type RefusalCode,
  refused,
  reportsError,
  type TokenRequest,
  textAt,
  type Unknown,
  unknown,
  unknownReply,
  utcTime,
  valueAt,
} from './define/api.ts'

/**
 * FedEx has separate keys for projects that ship and projects that track. Without `trackClientId` and
 * `trackClientSecret`, `clientId` and `clientSecret` are used for both.
 */
export const fedex = defineConnector({
  apiVersion: 1,
  name: 'fedex',
  settings: {
    clientId: {},
    clientSecret: {},
    accountNumber: {},
    trackClientId: { required: false },
    trackClientSecret: { required: false },
  },
  hosts: { live: 'https://apis.fedex.com', test: ['apis-sandbox.fedex.com'] },
  cancels: 'shipment',
  // 12 digits at FedEx Express and Ground; 15, 20 or 22 at FedEx Ground and Ground Economy.
  trackingNumber: {
    pattern: /^(?:\d{12}|\d{15}|\d{20}|\d{22})$/,
    mustBe: '12, 15, 20 or 22 digits',
  },
  tracking: { tellsDeliveries: true, batch: 30, callsPerDay: 100_000 },
  // FedEx blocks an address for ten minutes after 3 token requests per second for 5 s, or 1 per second for 2 minutes.
  // Two replicas behind one address stay below that.
  tokenRequests: { burst: 3, everyMs: 2_500 },
  token: { request: ({ clientId, clientSecret }) => tokenRequestOf(clientId, clientSecret) },
  otherTokens: {
    track: {
      request: ({ clientId, clientSecret, trackClientId = clientId, trackClientSecret = clientSecret }) =>
        tokenRequestOf(trackClientId, trackClientSecret),
    },
  },
  headers: (_, token) => ({ authorization: `Bearer ${token}`, 'x-locale': 'en_US' }),
  cancel: {
    request: ({ carrierRef, idempotencyKey }, { accountNumber = '' }) => ({
      method: 'PUT',
      path: '/ship/v1/shipments/cancel',
      headers: { [TRANSACTION_ID]: idempotencyKey },
      body: {
        accountNumber: { value: accountNumber },
        trackingNumber: carrierRef,
        deletionControl: 'DELETE_ALL_PACKAGES',
      },
    }),
    answers: 'all',
    judge: (reply, { sends }) => cancelAnswer(reply, sends),
  },
  track: trackOne,
  trackMany,
  check: async (_, conversation) => checkAnswer(await trackOne({ carrierRef: NO_PARCEL }, conversation)),
})

function tokenRequestOf(client_id = '', client_secret = ''): TokenRequest {
  const body = `${new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })}`
  return { path: '/oauth/token', body }
}

/** FedEx returns it in the reply. */
const TRANSACTION_ID = 'x-customer-transaction-id'

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

async function trackOne(
  parcel: BatchParcel,
  conversation: Conversation,
): Promise<CarrierTrackAnswer | NoData> {
  const tracked = await trackMany([parcel], conversation)
  const answer = tracked.kind === 'unknown' ? tracked : (tracked.parcels.get(parcel.carrierRef) ?? NOT_FOUND)
  const isUnlisted = answer.kind === 'unknown' && answer.cause === NUMBER_NOT_FOUND
  return isUnlisted ? { kind: 'no_data', cause: NUMBER_NOT_FOUND } : answer
}

/** Looks up at most 30 parcels. Those whose numbers are not unique are looked up again, with their ship dates. */
async function trackMany(parcels: readonly BatchParcel[], { send }: Conversation): Promise<ManyTracked> {
  const ask = (trackingInfo: readonly object[]) =>
    send({
      method: 'POST',
      path: '/track/v1/trackingnumbers',
      tokenFrom: 'track',
      headers: { [TRANSACTION_ID]: randomUUID() },
      body: { includeDetailedScans: true, trackingInfo },
      replyMaxBytes: Math.max(4, trackingInfo.length) * BYTES_PER_PARCEL,
    })
  const reply = await ask(parcels.map(({ carrierRef }) => numberInfo(carrierRef)))
  if (reply.status !== 200) return failedLookup(reply)
  const answers = new Map(parcels.map((parcel) => [parcel.carrierRef, trackAnswer(reply, parcel)]))
  const ambiguous = parcels.flatMap((parcel) => {
    const dates = answers.get(parcel.carrierRef) === NOT_UNIQUE ? shipDates(parcel, Date.now()) : undefined
    return dates === undefined ? [] : [{ parcel, info: { ...dates, ...numberInfo(parcel.carrierRef) } }]
  })
  if (ambiguous.length === 0) return { kind: 'tracked', parcels: answers }
  const narrowed = await ask(ambiguous.map(({ info }) => info))
  if (narrowed.status === 200)
    for (const { parcel } of ambiguous) answers.set(parcel.carrierRef, trackAnswer(narrowed, parcel))
  return { kind: 'tracked', parcels: answers }
}

/** An earlier request may have deleted the shipment. */
const ALREADY: CarrierCancelAnswer = { kind: 'cancelled', how: 'already' }

/**
 * A 200 confirms the cancellation only with `cancelledShipment: true`, without errors, and with alerts of the
 * documented types only. It contains no tracking number. It refuses the cancellation with `false`, unless
 * `cancelledHistory` shows that an earlier request may have deleted the shipment ("deleted from history").
 */
function cancelAnswer(reply: HttpReply, sends: number): CarrierCancelAnswer | LookUpFirst {
  const errors = listAt(reply.json, 'errors')
  if (errors.length > 0) return errorAnswer(reply, errors, sends)
  if (reply.status !== 200) return inconclusive(reply, [])
  const output = valueAt(reply.json, 'output')
  const otherwise = unknown('HTTP 200 without a cancellation')
  const isPlain = Array.isArray(valueAt(reply.json, 'errors') ?? []) && !reportsError(reply.json)
  const isCancelled = isPlain ? valueAt(output, 'cancelledShipment') : undefined
  if (isCancelled === true)
    return isAlarming(output) ? { kind: 'look_up', otherwise } : { kind: 'cancelled', how: 'now' }
  if (isCancelled !== false) return otherwise
  const wasCancelled = (valueAt(output, 'cancelledHistory') ?? false) !== false
  if (wasCancelled) return { kind: 'look_up', otherwise, ...(sends > 1 && { ifNoData: ALREADY }) }
  const code = 'cancelledShipment: false'
  return {
    kind: 'look_up',
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
): CarrierCancelAnswer | LookUpFirst {
  const codes = errors.map((error) => textAt(error, 'code') ?? '')
  const [code = ''] = codes
  const message = textAt(errors[0], 'message') ?? ''
  const otherwise = inconclusive(reply, codes)
  // A 200 may contain errors. If another status is not about the request, its codes are ignored.
  if (!ABOUT_REQUEST.has(reply.status) || codes.some((other) => FAULT_OF_FEDEX.test(other))) return otherwise
  // With a second error or a result besides the error, the reply contradicts itself.
  if (codes.length > 1 || hasMore(reply.json)) return { kind: 'look_up', otherwise }
  const how = CANCELLED.get(code)
  if (how !== undefined) return { kind: 'cancelled', how }
  const reason = REFUSALS.get(code)
  if (reason !== undefined) return refused(reason, code, message)
  const unknownParcel = refused('UNKNOWN_PARCEL', code, message)
  const isFirst = sends <= 1
  // After a repeated send, an earlier one may have deleted the shipment.
  if (UNKNOWN_NUMBER.test(code))
    return isFirst ? unknownParcel : { kind: 'look_up', otherwise, ifAnnounced: unknownParcel }
  if (code !== NO_SUCH_RESOURCE) return { kind: 'look_up', otherwise }
  return {
    kind: 'look_up',
    otherwise,
    ifAnnounced: unknownParcel,
    ...(isFirst && { ifNoData: unknownParcel }),
  }
}

/** Whether a reply with a list of errors has a result, or reports an error elsewhere. */
function hasMore(json: unknown): boolean {
  return (valueAt(json, 'output') ?? undefined) !== undefined || reportsError({ ...Object(json), errors: [] })
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
  ['PU', 'PX', 'AR', 'AF', 'OF', 'FD', 'SF', 'DP', 'LO', 'IT', 'IX', 'OW', 'AA', 'EO', 'PF', 'PL'].concat(
    // At partners, out for delivery, attempted, held for pick-up, delivered, on its way back.
    ['TR', 'AC', 'AX', 'OD', 'ED', 'AD', 'DE', 'HL', 'HP', 'DL', 'RS'],
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

function checkAnswer(tracked: CarrierTrackAnswer | NoData): CheckAnswer {
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
