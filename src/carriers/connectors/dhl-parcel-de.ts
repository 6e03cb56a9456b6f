/**
 * DHL Parcel DE (Post & Parcel Germany): cancels by deleting the order before the end of the day, and looks parcels up.
 *
 * DHL has one reply for an unknown order and for a deleted one, and perhaps for a closed one. If an earlier send may
 * have deleted the order, the order lookup of the shipping API and the daily manifests decide. See
 * docs/decisions/shipments.md#d207.
 *
 * Authentication: API key and HTTP Basic. The specification also lists the OAuth password grant, which will "gradually"
 * replace Basic at an unknown date. The grant uses the same user and password and needs one more secret, so this
 * connector uses Basic.
 *
 * Tracking: the unified API. It is on the same host as shipping, except in sandboxes. For these, the credential
 * `trackingUrl` contains its URL.
 *
 * Sources: DHL's specification "Parcel DE Shipping" 2.1.13 (developer.dhl.com), its Authentication API pages, the
 * Shipment Tracking - Unified API with its list of event codes, and the test files of DHL's PHP SDKs
 * (netresearch/dhl-sdk-api-parcel-de, netresearch/dhl-sdk-api-unified-tracking); copies read in November 2026. Not
 * tested with the live interface.
 */
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { CancelRequest, CarrierAccess, Connector, ConnectorType, TrackingLimits } from '../connector.ts'
import {
  BODY_MAX,
  basicAuthorization,
  exchange,
  type HttpReply,
  listAt,
  textAt,
  valueAt,
} from '../http-exchange.ts'
import { limitedSignal } from '../not-sent.ts'
import { withoutTrailingSlashes } from '../settings.ts'
import {
  lookUpManifests,
  MANIFEST_MAX_BYTES,
  type ManifestLookup,
  mayHaveClosed,
} from './dhl-parcel-de-manifests.ts'
import {
  codeOf,
  codesOf,
  isSameNumber,
  isUnknownNumber,
  messageOf,
  saysUnknownNumber,
  wholeOf,
} from './dhl-parcel-de-replies.ts'
import {
  ACCEPTED,
  credentialFault,
  refused,
  reportsError,
  type Unknown,
  unknown,
  unknownReply,
} from './judgement.ts'
import {
  type EventMeaning,
  type ParcelEvent,
  parcelStateOf,
  refusedAsScanned,
  utcTime,
} from './parcel-history.ts'

const STANDARD_PROFILE = 'STANDARD_GRUPPENPROFIL'
/** The division in the unified tracking API. */
const SERVICE = 'parcel-de'

/**
 * DHL has no codes for the reasons of a 400, so English texts are matched: "Deletion is only possible prior to being
 * manifested", "profile ... mandatory". Source: DHL's API specification 2.1.13.
 */
const DAY_CLOSED = /manifest|closed|close-?out|end of day|tagesabschluss/i
/** Reasons that an operator has to correct. */
const ABOUT_ACCOUNT = /profil|billing|permission|not permitted|not allowed/i
/**
 * Unified status codes, and DHL's standard event codes of Parcel DE. These are unclear and not listed: `failure`, BV
 * and ZN (also sent for parcels that never arrived or were stopped by the sender), AN (not picked up), DD (data only),
 * GT (payment). Source: DHL's list "status codes of the unified API" and its table of Parcel DE events of July 2024.
 */
const MEANINGS: ReadonlyMap<string, EventMeaning> = new Map([
  ['pre-transit', 'announcement'],
  ['VA', 'announcement'], // electronic pre-advice
  ['transit', 'scan'],
  ['delivered', 'delivery'],
  ['AA', 'scan'], // departed
  ['AE', 'scan'], // picked up
  ['EE', 'scan'], // arrived
  ['ES', 'scan'], // handed over to DHL
  ['LA', 'scan'], // in storage
  ['NB', 'scan'], // processed on the way
  ['PO', 'scan'], // in delivery
  ['ZF', 'scan'], // brought to an outlet
  ['ZO', 'scan'], // customs clearance
  ['ZU', 'delivery'], // delivered
])

/**
 * The limits of DHL's starter plan for tracking, which DHL raises on request: 250 calls a day, and a call every 5
 * seconds. DHL allows 10 lookups of a parcel in a day. The interval leaves 2 of them to cancellations. Source:
 * developer.dhl.com.
 */
const TRACKING_LIMITS: TrackingLimits = {
  tellsDeliveries: true,
  everyMs: 3 * 3_600_000,
  gapMs: 5_000,
  callsPerDay: 250,
  perParcelPerDay: 10,
  credentials: ['apiKey'],
}

/** `profile`: the user group. `trackingUrl`: the URL of the unified tracking API; not a secret. */
export const dhlParcelDe: ConnectorType = {
  credentials: ['apiKey', 'user', 'password'],
  optionalCredentials: ['profile', 'trackingUrl'],
  cancels: 'parcel',
  liveUrl: 'https://api-eu.dhl.com',
  testUrls: ['api-sandbox.dhl.com'],
  trackingNumberFault: (carrierRef) =>
    SHIPMENT_NUMBER.test(carrierRef) ? undefined : 'must be 10 to 50 digits or upper-case letters',
  tracking: TRACKING_LIMITS,
  open: openDhlParcelDe,
}

/** DHL documents a length of up to 50. Rejects numbers that a spreadsheet has changed, such as `3.40434E+17`. */
const SHIPMENT_NUMBER = /^[0-9A-Z]{10,50}$/

/** Tracking only adds to the order lookup, so a slow reply must not use up the time of the cancellation. */
const TRACKING_LIMIT_MS = 2_500
/** "Potentially, the document is large and response time will reflect this." */
const MANIFESTS_LIMIT_MS = 4_000

function openDhlParcelDe(access: CarrierAccess): Connector {
  const { profile, send, sendTracking } = requestsOf(access)

  /** Deletes the order under the first spelling of its number that DHL finds. */
  async function deleteOrder(
    [number = '', ...others]: readonly string[],
    signal: AbortSignal,
  ): Promise<CarrierCancelAnswer | Absent> {
    const path = `/orders?profile=${encodeURIComponent(profile)}&${shipmentQuery([number])}`
    const deletion = judgeDeletion(await send('DELETE', path, signal), number)
    return deletion.kind === 'absent' && others.length > 0 ? deleteOrder(others, signal) : deletion
  }

  /** Never throws: the reply to the deletion remains usable. */
  async function lookUpOrder(numbers: readonly string[], signal: AbortSignal): Promise<OrderLookup> {
    try {
      const path = `/orders?${shipmentQuery(numbers)}&${WITHOUT_DOCUMENTS}`
      return judgeOrder(await send('GET', path, signal), numbers)
    } catch (error) {
      return unknown(`order lookup: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async function lookUpEvidence(request: CancelRequest, signal: AbortSignal): Promise<TrackingEvidence> {
    const { carrierRef, ageMs } = request
    try {
      const reply = await sendTracking(carrierRef, limitedSignal(signal, TRACKING_LIMIT_MS))
      return evidenceOf(reply, carrierRef, ageMs)
    } catch {
      return NO_EVIDENCE
    }
  }

  return {
    async check(signal) {
      const reply = await send('GET', `/orders?${shipmentQuery([NO_ORDER])}&${WITHOUT_DOCUMENTS}`, signal)
      const order = judgeOrder(reply, [NO_ORDER])
      return order.kind === 'unknown' ? order : ACCEPTED
    },
    async track(carrierRef, signal) {
      return judgeTracking(await sendTracking(carrierRef, signal), carrierRef)
    },
    async cancel(request: CancelRequest, signal) {
      const { carrierRef, sends } = request
      const numbers = spellingsOf(carrierRef)
      const deletion = await deleteOrder(numbers, signal)
      if (deletion.kind !== 'absent') return deletion
      if (sends === 1) return absentAtFirst(deletion, await lookUpOrder(numbers, signal))
      const [order, evidence] = await Promise.all([
        lookUpOrder(numbers, signal),
        lookUpEvidence(request, signal),
      ])
      const answer = absentAgain(order, evidence)
      if (answer.kind !== 'absent') return answer
      const limited = limitedSignal(signal, MANIFESTS_LIMIT_MS)
      const ask = (day: string) =>
        send('GET', `/manifests?date=${day}&${WITHOUT_DOCUMENTS}`, limited, MANIFEST_MAX_BYTES)
      const nowMs = Date.now()
      return absentForGood(await lookUpManifests(ask, numbers, mayBeClosedSince(request, nowMs), nowMs))
    },
  }
}

/** The format of a shipment number. */
const NO_ORDER = '00000000000000000000'

/** By default, DHL would send the documents themselves. */
const WITHOUT_DOCUMENTS = 'includeDocs=URL'

function requestsOf({ baseUrl, credentials }: CarrierAccess) {
  const { apiKey = '', user = '', password = '', profile = STANDARD_PROFILE } = credentials
  const trackingUrl = withoutTrailingSlashes(credentials['trackingUrl'] ?? baseUrl)
  const headers = {
    'dhl-api-key': apiKey,
    authorization: basicAuthorization(user, password),
    // The connector matches English texts.
    'accept-language': 'en-US',
  }
  return {
    profile,
    send(method: 'GET' | 'DELETE', path: string, signal: AbortSignal, replyMaxBytes = BODY_MAX) {
      const url = `${baseUrl}/parcel/de/shipping/v2${path}`
      return exchange({ method, url, headers, replyMaxBytes }, signal)
    },
    sendTracking(carrierRef: string, signal: AbortSignal) {
      const url = `${trackingUrl}/track/shipments?trackingNumber=${encodeURIComponent(carrierRef)}&service=${SERVICE}`
      return exchange({ method: 'GET', url, headers: { 'dhl-api-key': apiKey } }, signal)
    },
  }
}

/** The booking: the first send, whose reply is lost, may have been too late already. */
function mayBeClosedSince({ ageMs, bookedAt = '' }: CancelRequest, nowMs: number): number {
  const sentMs = nowMs - ageMs
  const bookedMs = Date.parse(bookedAt)
  return bookedMs < sentMs ? bookedMs : sentMs
}

function shipmentQuery(numbers: readonly string[]): string {
  return numbers.map((number) => `shipment=${encodeURIComponent(number)}`).join('&')
}

// Deletion

/**
 * DHL reports that the order does not exist or is deleted. Not certain for a 400 with an unlisted text, although DHL's
 * specification has no other meaning for it.
 */
type Absent = {
  readonly kind: 'absent'
  readonly certain: boolean
  readonly code: string
  readonly message: string
}

/**
 * The request is about one order, so the reply must contain one item for it. Of DHL's documented statuses, only these
 * have items; every other one concerns the request.
 */
function judgeDeletion(reply: HttpReply, number: string): CarrierCancelAnswer | Absent {
  const { status, json } = reply
  if (!MAY_HAVE_ITEMS.has(status)) return credentialFault(reply) ?? unknownReply(reply)
  const items = itemsFor(json, [number])
  if (items.length > 1) return unknown('several items for one order')
  return items.length === 1 ? judgeItem(reply, items[0]) : judgeWithoutItem(reply)
}

function judgeItem(reply: HttpReply, item: unknown): CarrierCancelAnswer | Absent {
  const itemStatus = valueAt(item, 'sstatus')
  const message = messageOf(itemStatus) ?? textAt(item, 'validationMessages', 0, 'validationMessage')
  if (isUnknownNumber(itemStatus)) return absent(itemStatus, true, message)
  const code = codeOf(itemStatus)
  switch (code) {
    case undefined:
      return unknown('item without a single status')
    case 200:
      return isSuccess(reply, item)
        ? { kind: 'cancelled', how: 'now' }
        : unknown(`item 200 in a contradictory reply with HTTP ${reply.status}`)
    case 204:
      return unknown('item 204 without the title UnknownShipmentNumber')
    case 400:
    case 404:
      // "400 will be returned when shipment does not exist (or was already deleted)"
      return otherReason(code, message) ?? absent(itemStatus, false, message)
    default: {
      // DHL documents no other status of an item.
      const itemReply = { ...reply, status: code }
      return credentialFault(itemReply) ?? unknownReply(itemReply, message)
    }
  }
}

/** Judges a reply without an item for this order. If it has items for other orders, it is not about this order. */
function judgeWithoutItem(reply: HttpReply): CarrierCancelAnswer | Absent {
  const { status, json } = reply
  const whole = wholeOf(json)
  if ((status !== 400 && status !== 404) || listAt(json, 'items').length > 0 || codeOf(whole) !== status)
    return unknown(`HTTP ${status} without this order`, { configuration: status === 404 })
  const message = messageOf(whole)
  if (isUnknownNumber(whole)) return absent(whole, true, message)
  // A 400 for any other reason concerns the request, and a 404 the URL.
  return otherReason(status, message) ?? unknown(`HTTP ${status} ${message ?? ''}`, { configuration: true })
}

function absent(part: unknown, certain: boolean, message = 'Unknown shipment number'): Absent {
  return { kind: 'absent', certain, code: textAt(part, 'title') ?? String(codeOf(part)), message }
}

/** The judgement of an error with a text for a reason other than "not found or already deleted". */
function otherReason(code: number, message = ''): CarrierCancelAnswer | undefined {
  if (DAY_CLOSED.test(message)) return refused('WINDOW_CLOSED', String(code), message)
  if (ABOUT_ACCOUNT.test(message)) return unknown(`HTTP ${code} ${message}`, { configuration: true })
  return undefined
}

// The order lookup

/**
 * `open`: the order can still be deleted. `closed`: the day's orders have been handed over. `absent`: there is no
 * such order.
 */
type OrderLookup = { readonly kind: 'open' | 'closed' | 'absent' } | Unknown

/** Judges the reply to `GET /orders`, which may contain an item for each spelling of the number. */
function judgeOrder(reply: HttpReply, numbers: readonly string[]): OrderLookup {
  const { status, json } = reply
  const doubt = credentialFault(reply) ?? unknownReply(reply)
  const failed = { ...doubt, cause: `order lookup: ${doubt.cause}` }
  if (!MAY_HAVE_ITEMS.has(status)) return failed
  const own = itemsFor(json, numbers)
  if (own.some((item) => isSuccess(reply, item))) return { kind: 'open' }
  const items = own.map((item) => valueAt(item, 'sstatus'))
  if (items.some((itemStatus) => DAY_CLOSED.test(messageOf(itemStatus) ?? ''))) return { kind: 'closed' }
  const isAbsent = (itemStatus: unknown) => isUnknownNumber(itemStatus) || codeOf(itemStatus) === 404
  if (items.length > 0) return items.every(isAbsent) ? { kind: 'absent' } : failed
  const whole = wholeOf(json)
  if (listAt(json, 'items').length > 0 || codeOf(whole) !== status) return failed
  if (DAY_CLOSED.test(messageOf(whole) ?? '')) return { kind: 'closed' }
  // A gateway sends a 404 of the same shape for an unknown path, so DHL's text is needed.
  return isUnknownNumber(whole) ? { kind: 'absent' } : failed
}

const ORDER_EXISTS = unknown(
  'the order exists, but the deletion does not find it; check the user group (profile)',
  { configuration: true },
)

/** At the first send, an order that DHL does not find cannot have been deleted by Waybill. */
function absentAtFirst({ certain, code, message }: Absent, order: OrderLookup): CarrierCancelAnswer {
  switch (order.kind) {
    case 'open':
      return ORDER_EXISTS
    case 'closed':
      return refused('WINDOW_CLOSED', code, 'The order is closed')
    case 'absent':
      return refused('UNKNOWN_PARCEL', code, message)
    case 'unknown':
      return certain ? refused('UNKNOWN_PARCEL', code, message) : order
  }
}

/**
 * After a repeated send, an earlier send may have deleted the order. The order lookup decides, because tracking has a
 * new parcel only after 10 to 30 minutes, and a wrong user group has the same reply as a deleted order.
 */
function absentAgain(
  order: OrderLookup,
  evidence: TrackingEvidence,
): CarrierCancelAnswer | { readonly kind: 'absent' } {
  if (evidence.kind === 'scanned') return refusedAsScanned(evidence)
  switch (order.kind) {
    case 'open':
      return ORDER_EXISTS
    case 'closed':
      return refused('WINDOW_CLOSED', 'closed', 'The order is closed')
    case 'absent':
      return evidence.kind === 'doubt' ? unknown(evidence.cause) : { kind: 'absent' }
    case 'unknown':
      return order
  }
}

/** Neither the deletion nor the order lookup finds the order. Closed orders are in a manifest; deleted ones are not. */
function absentForGood(manifests: ManifestLookup): CarrierCancelAnswer {
  switch (manifests.kind) {
    case 'closed':
      return refused('WINDOW_CLOSED', 'manifest', 'The order is closed')
    case 'not_listed':
      return { kind: 'cancelled', how: 'already' }
    case 'unknown':
      return manifests
  }
}

// Parts of the replies

const MAY_HAVE_ITEMS = new Set([200, 207, 400, 404])

function itemsFor(json: unknown, numbers: readonly string[]): readonly unknown[] {
  return listAt(json, 'items').filter((item) =>
    numbers.some((number) => isSameNumber(valueAt(item, 'shipmentNo'), number)),
  )
}

/** True if an item was processed and nothing in the reply contradicts it. */
function isSuccess({ status, json }: HttpReply, item: unknown): boolean {
  const whole = valueAt(json, 'status')
  const code = codeOf(whole)
  const isAlone = listAt(json, 'items').length === 1
  return (
    codeOf(valueAt(item, 'sstatus')) === 200 &&
    !saysFailure(valueAt(item, 'sstatus')) &&
    !listAt(item, 'validationMessages').some(isErrorMessage) &&
    (status === 200 || status === 207) &&
    (codesOf(whole).length === 0 || code === 200 || code === 207) &&
    // The text about all items may report the failure of another one.
    !(isAlone ? saysFailure(whole) : NONE_OF.test(textsOf(whole))) &&
    !reportsError(json)
  )
}

/** "0 of 1 shipment successfully canceled." */
const NONE_OF = /\b0 (?:of|von) \d/i
const FAILURE = /\b(?:not\b|nicht\b|unknown|fail|error|unable|invalid|denied|rejected|unbekannt|fehler)/i
const WITHOUT_ERRORS = /\b(?:without|no|ohne|keine?) (?:errors?|failures?|fehler)\b/gi

function saysFailure(part: unknown): boolean {
  const text = textsOf(part).replace(WITHOUT_ERRORS, '')
  return NONE_OF.test(text) || FAILURE.test(text) || DAY_CLOSED.test(text) || saysUnknownNumber(text)
}

function textsOf(part: unknown): string {
  return `${textAt(part, 'title') ?? ''} ${textAt(part, 'detail') ?? ''}`
}

/** `validationState` is `Error` or `Warning`. */
function isErrorMessage(message: unknown): boolean {
  return !/^(?:warning|info|information|ok)$/i.test(textAt(message, 'validationState') ?? '')
}

// Numbers

/**
 * A number of 20 digits begins with 00. Spreadsheets and numeric columns drop these zeros, and DHL's specification
 * shows such numbers too. Both spellings mean the same parcel.
 */
function spellingsOf(carrierRef: string): readonly string[] {
  return /^3404\d{14}$/.test(carrierRef) ? [carrierRef, `00${carrierRef}`] : [carrierRef]
}

// Tracking

/** Tracking returns 404 for a deleted order and for one that it does not have yet, so both are `unknown`. */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return credentialFault(reply) ?? unknownReply(reply, noResultOf(reply))
  if (reportsError(json)) return unknown('HTTP 200 with an error')
  const shipments = listAt(json, 'shipments').filter((shipment) => isShipment(shipment, carrierRef))
  if (shipments.length !== 1) return unknown(`${shipments.length} shipments with this number`)
  return parcelStateOf(listAt(shipments[0], 'events').map(eventOf), eventOf(valueAt(shipments[0], 'status')))
}

/** The title of DHL's own 404, "No result found". */
function noResultOf({ status, json }: HttpReply): string | undefined {
  const title = textAt(json, 'title')
  return status === 404 && title !== undefined && /\bno (?:results?|shipments?)\b/i.test(textsOf(json))
    ? title
    : undefined
}

/**
 * Other divisions of DHL have numbers of the same form. The id of a shipment may have other leading zeros than the
 * numbers of its pieces.
 */
function isShipment(shipment: unknown, carrierRef: string): boolean {
  if ((valueAt(shipment, 'service') ?? SERVICE) !== SERVICE) return false
  const pieces = listAt(shipment, 'details', 'pieceIds')
  return [valueAt(shipment, 'id'), ...pieces].some((number) => isSameNumber(number, carrierRef))
}

/** What tracking adds to an order lookup. `doubt`: the reply contradicts a deletion, or is about another parcel. */
type TrackingEvidence =
  | { readonly kind: 'none' }
  | { readonly kind: 'doubt'; readonly cause: string }
  | Extract<CarrierTrackAnswer, { kind: 'scanned' }>

const NO_EVIDENCE: TrackingEvidence = { kind: 'none' }

/**
 * A 404 and a failure prove nothing. Nor does an announcement, because DHL may keep that of a deleted order. If the day
 * may have been closed since the first send, it contradicts a deletion: DHL announces closed orders.
 */
function evidenceOf(reply: HttpReply, carrierRef: string, ageMs: number): TrackingEvidence {
  if (reply.status !== 200) return NO_EVIDENCE
  const shipments = valueAt(reply.json, 'shipments')
  if (Array.isArray(shipments) && shipments.length === 0) return NO_EVIDENCE
  const answer = judgeTracking(reply, carrierRef)
  if (answer.kind === 'scanned') return answer
  const nowMs = Date.now()
  if (answer.kind === 'announced' && mayHaveClosed(nowMs - ageMs, nowMs))
    return { kind: 'doubt', cause: 'tracking announces the parcel, and the day may be closed' }
  return answer.kind === 'unknown' ? { kind: 'doubt', cause: `tracking: ${answer.cause}` } : NO_EVIDENCE
}

/** DHL sends local times without an offset. They count as UTC, so they are up to two hours late. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'statusCode') ?? ''
  return { meaning: MEANINGS.get(code) ?? 'unclear', code, at: utcTime(textAt(event, 'timestamp')) }
}
