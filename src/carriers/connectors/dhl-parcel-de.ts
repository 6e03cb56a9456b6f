/**
 * DHL Parcel DE (Post & Parcel Germany): cancels by deleting the order before the end of the day, and looks parcels up.
 *
 * DHL has one reply for an unknown order and for a deleted one. If an earlier send may have deleted the order, the order
 * lookup of the shipping API decides. See docs/decisions/shipments.md#d129.
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
 * (netresearch/dhl-sdk-api-parcel-de, netresearch/dhl-sdk-api-unified-tracking); copies read in November 2026. Not tested
 * with the live interface.
 */
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { CancelRequest, CarrierAccess, Connector, ConnectorType, TrackingLimits } from '../connector.ts'
import { at, basicAuthorization, exchange, type HttpReply, listAt, textAt } from '../http-exchange.ts'
import { limitedSignal } from '../not-sent.ts'
import { withoutTrailingSlashes } from '../settings.ts'
import { credentialFault, refused, type Unknown, unknown, unknownReply, unlistedError } from './judgement.ts'
import {
  type EventMeaning,
  type ParcelEvent,
  parcelStateOf,
  refusedAsScanned,
  utcTime,
} from './parcel-history.ts'

const STANDARD_PROFILE = 'STANDARD_GRUPPENPROFIL'

/**
 * DHL has no codes for the reasons of a 400, so English texts are matched: "Deletion is only possible prior to being
 * manifested", "profile ... mandatory". Source: DHL's API specification 2.1.13.
 */
const DAY_CLOSED = /manifest|closed|close-?out|end of day|tagesabschluss/i
/** Reasons that an operator has to correct. */
const ABOUT_ACCOUNT = /profil|billing|permission|not permitted|not allowed/i
/** The title of DHL's replies, and the text of its specification. */
function saysUnknownNumber(text: string): boolean {
  if (/unknown\s*shipment|\bno (?:such )?(?:shipment|order)\b/i.test(text)) return true
  const subject = text.search(/\b(?:shipment|order)\b/i)
  return subject !== -1 && /\bnot (?:be )?(?:found|exist)/i.test(text.slice(subject))
}

/**
 * Unified status codes, and DHL's standard event codes of Parcel DE. These are unclear and not listed: `failure`, BV
 * and ZN (also sent for parcels that never arrived or were stopped by the sender), AN (not picked up), DD (data only),
 * GT (payment). Source: DHL's list "status codes of the unified API" and its table of Parcel DE events of July 2024.
 */
const MEANINGS: ReadonlyMap<string, EventMeaning> = new Map([
  ['pre-transit', 'announcement'],
  ['VA', 'announcement'], // electronic pre-advice
  ['transit', 'scan'],
  ['delivered', 'scan'],
  ['AA', 'scan'], // departed
  ['AE', 'scan'], // picked up
  ['EE', 'scan'], // arrived
  ['ES', 'scan'], // handed over to DHL
  ['LA', 'scan'], // in storage
  ['NB', 'scan'], // processed on the way
  ['PO', 'scan'], // in delivery
  ['ZF', 'scan'], // brought to an outlet
  ['ZO', 'scan'], // customs clearance
  ['ZU', 'scan'], // delivered
])

/**
 * The limits of DHL's starter plan for tracking, which DHL raises on request: 250 calls a day, and a call every 5 seconds.
 * DHL allows 10 lookups of a parcel in a day. The interval leaves 2 of them to cancellations. Source: developer.dhl.com.
 */
const TRACKING_LIMITS: TrackingLimits = {
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
  trackingNumberFault: (carrierRef) =>
    SHIPMENT_NUMBER.test(carrierRef) ? undefined : 'has to be 10 to 50 digits or upper-case letters',
  tracking: TRACKING_LIMITS,
  open: openDhlParcelDe,
}

/** DHL documents a length of up to 50. Rejects numbers that a spreadsheet has changed, such as `3.40434E+17`. */
const SHIPMENT_NUMBER = /^[0-9A-Z]{10,50}$/

/** Tracking only adds to the order lookup, so a slow reply must not use up the time of the cancellation. */
const TRACKING_LIMIT_MS = 2_500

function openDhlParcelDe({ baseUrl, credentials }: CarrierAccess): Connector {
  const { apiKey = '', user = '', password = '', profile = STANDARD_PROFILE } = credentials
  const trackingUrl = withoutTrailingSlashes(credentials['trackingUrl'] ?? baseUrl)
  const ordersUrl = `${baseUrl}/parcel/de/shipping/v2/orders`
  const headers = {
    'dhl-api-key': apiKey,
    authorization: basicAuthorization(user, password),
    // The connector matches English texts.
    'accept-language': 'en-US',
  }

  /** Deletes the order under the first spelling of its number that DHL finds. */
  async function deleteOrder(
    [number = '', ...others]: readonly string[],
    signal: AbortSignal,
  ): Promise<CarrierCancelAnswer | Absent> {
    const url = `${ordersUrl}?profile=${encodeURIComponent(profile)}&${shipmentQuery([number])}`
    const deletion = judgeDeletion(await exchange({ method: 'DELETE', url, headers }, signal), number)
    return deletion.kind === 'absent' && others.length > 0 ? deleteOrder(others, signal) : deletion
  }

  /** Never throws: the reply to the deletion remains usable. */
  async function lookUpOrder(numbers: readonly string[], signal: AbortSignal): Promise<OrderLookup> {
    // By default, DHL would send the documents themselves.
    const url = `${ordersUrl}?${shipmentQuery(numbers)}&includeDocs=URL`
    try {
      return judgeOrder(await exchange({ method: 'GET', url, headers }, signal), numbers)
    } catch (error) {
      return unknown(`order lookup: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  function sendTracking(carrierRef: string, signal: AbortSignal): Promise<HttpReply> {
    const url = `${trackingUrl}/track/shipments?trackingNumber=${encodeURIComponent(carrierRef)}&service=parcel-de`
    return exchange({ method: 'GET', url, headers: { 'dhl-api-key': apiKey } }, signal)
  }

  async function lookUpEvidence(carrierRef: string, signal: AbortSignal): Promise<TrackingEvidence> {
    const limited = limitedSignal(signal, TRACKING_LIMIT_MS)
    try {
      return evidenceOf(await sendTracking(carrierRef, limited), carrierRef)
    } catch {
      return { kind: 'none' }
    }
  }

  return {
    async track(carrierRef, signal) {
      return judgeTracking(await sendTracking(carrierRef, signal), carrierRef)
    },
    async cancel({ carrierRef, sends }: CancelRequest, signal) {
      const numbers = spellingsOf(carrierRef)
      const deletion = await deleteOrder(numbers, signal)
      if (deletion.kind !== 'absent') return deletion
      const [order, evidence] = await Promise.all([
        lookUpOrder(numbers, signal),
        sends === 1 ? NO_EVIDENCE : lookUpEvidence(carrierRef, signal),
      ])
      return sends === 1 ? absentAtFirst(deletion, order) : absentAgain(order, evidence)
    },
  }
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

/** The request is about one order, so the reply must contain one item for it, with any HTTP status. */
function judgeDeletion(reply: HttpReply, number: string): CarrierCancelAnswer | Absent {
  const { status, json } = reply
  if (!MAY_HAVE_ITEMS.has(status))
    return credentialFault(reply) ?? unlistedError(reply, undefined, messageOf(wholeOf(json)))
  const items = itemsFor(json, [number])
  if (items.length > 1) return unknown('several items for one order')
  return items.length === 1 ? judgeItem(reply, items[0]) : judgeWithoutItem(reply)
}

function judgeItem(reply: HttpReply, item: unknown): CarrierCancelAnswer | Absent {
  const itemStatus = at(item, 'sstatus')
  const message = messageOf(itemStatus) ?? textAt(item, 'validationMessages', 0, 'validationMessage')
  if (isUnknownNumber(itemStatus)) return absent(itemStatus, true, message)
  const code = codeOf(itemStatus)
  switch (code) {
    case undefined:
      return unknown('item without a single status')
    case 200:
      return isSuccess(reply, itemStatus)
        ? { kind: 'cancelled', how: 'now' }
        : unknown(`item 200 in a contradictory reply with HTTP ${reply.status}`)
    case 204:
      return unknown('item 204 without the title UnknownShipmentNumber')
    case 400:
    case 404:
      // "400 will be returned when shipment does not exist (or was already deleted)"
      return otherReason(code, message) ?? absent(itemStatus, false, message)
    default: {
      const itemReply = { ...reply, status: code }
      return credentialFault(itemReply) ?? unlistedError(itemReply, undefined, message)
    }
  }
}

/** Judges a reply without an item for this order. If it has items for other orders, it is not about this order. */
function judgeWithoutItem(reply: HttpReply): CarrierCancelAnswer | Absent {
  const { status, json } = reply
  const whole = wholeOf(json)
  if ((status !== 400 && status !== 404) || listAt(json, 'items').length > 0 || codeOf(whole) !== status)
    return unknown(`HTTP ${status} without this order`)
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
 * `present`: the order can still be deleted. `closed`: the day's orders have been handed over. `absent`: there is no such
 * order.
 */
type OrderLookup = { readonly kind: 'present' | 'closed' | 'absent' } | Unknown

/** Judges the reply to `GET /orders`, which may contain an item for each spelling of the number. */
function judgeOrder(reply: HttpReply, numbers: readonly string[]): OrderLookup {
  const { status, json } = reply
  const doubt = credentialFault(reply) ?? unknownReply(reply)
  const failed = { ...doubt, cause: `order lookup: ${doubt.cause}` }
  if (!MAY_HAVE_ITEMS.has(status)) return failed
  const items = itemsFor(json, numbers).map((item) => at(item, 'sstatus'))
  if (items.some((itemStatus) => isSuccess(reply, itemStatus))) return { kind: 'present' }
  if (items.some((itemStatus) => DAY_CLOSED.test(messageOf(itemStatus) ?? ''))) return { kind: 'closed' }
  const isAbsent = (itemStatus: unknown) => isUnknownNumber(itemStatus) || codeOf(itemStatus) === 404
  if (items.length > 0) return items.every(isAbsent) ? { kind: 'absent' } : failed
  const whole = wholeOf(json)
  if (listAt(json, 'items').length > 0 || codeOf(whole) !== status) return failed
  if (DAY_CLOSED.test(messageOf(whole) ?? '')) return { kind: 'closed' }
  return status === 404 || (status === 400 && isUnknownNumber(whole)) ? { kind: 'absent' } : failed
}

const ORDER_EXISTS = unknown(
  'the order exists, but the deletion does not find it; check the user group (profile)',
  { configuration: true },
)

/** At the first send, an order that DHL does not find cannot have been deleted by Waybill. */
function absentAtFirst({ certain, code, message }: Absent, order: OrderLookup): CarrierCancelAnswer {
  switch (order.kind) {
    case 'present':
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
 * After a repeated send, an earlier send may have deleted the order. The order lookup decides, because tracking has a new
 * parcel only after 10 to 30 minutes, and a wrong user group has the same reply as a deleted order.
 */
function absentAgain(order: OrderLookup, evidence: TrackingEvidence): CarrierCancelAnswer {
  if (evidence.kind === 'scanned') return refusedAsScanned(evidence)
  switch (order.kind) {
    case 'present':
      return ORDER_EXISTS
    case 'closed':
      return refused('WINDOW_CLOSED', 'closed', 'The order is closed')
    case 'absent':
      return evidence.kind === 'doubt' ? unknown(evidence.cause) : { kind: 'cancelled', how: 'already' }
    case 'unknown':
      return order
  }
}

// Parts of the replies

const MAY_HAVE_ITEMS = new Set([200, 207, 400, 404])

function itemsFor(json: unknown, numbers: readonly string[]): readonly unknown[] {
  return listAt(json, 'items').filter((item) =>
    numbers.some((number) => isSameNumber(at(item, 'shipmentNo'), number)),
  )
}

/** The status of the whole reply: `status` in a list of items, otherwise the reply itself. */
function wholeOf(json: unknown): unknown {
  const status = at(json, 'status')
  return typeof status === 'object' && status !== null ? status : json
}

/** The values of `status` and of its older spelling `statusCode`. */
function codesOf(part: unknown): readonly unknown[] {
  return [at(part, 'status'), at(part, 'statusCode')].filter((code) => code !== undefined)
}

/** The code of a status; undefined if there is none, or if the two spellings differ. */
function codeOf(part: unknown): number | undefined {
  const [code, ...others] = codesOf(part)
  return typeof code === 'number' && others.every((other) => other === code) ? code : undefined
}

function messageOf(part: unknown): string | undefined {
  return textAt(part, 'detail') ?? textAt(part, 'title')
}

/**
 * True if a status means "unknown or already deleted". DHL sends the title `UnknownShipmentNumber` with code 204; its
 * specification has code 400 with the text "Unknown shipment number."
 */
function isUnknownNumber(part: unknown): boolean {
  const codes = codesOf(part)
  const texts = [textAt(part, 'title'), textAt(part, 'detail')]
  return (
    codes.length > 0 &&
    codes.every((code) => code === 204 || code === 400 || code === 404) &&
    texts.some((text) => saysUnknownNumber(text ?? ''))
  )
}

/** True if an item was processed and nothing in the reply contradicts it. */
function isSuccess({ status, json }: HttpReply, itemStatus: unknown): boolean {
  const whole = at(json, 'status')
  const code = codeOf(whole)
  return (
    codeOf(itemStatus) === 200 &&
    !saysUnknownNumber(`${textAt(itemStatus, 'title')} ${textAt(itemStatus, 'detail')}`) &&
    (status === 200 || status === 207) &&
    (codesOf(whole).length === 0 || code === 200 || code === 207)
  )
}

// Numbers

/**
 * A number of 20 digits begins with 00. Spreadsheets and numeric columns drop these zeros, and DHL's specification shows
 * such numbers too. Both spellings mean the same parcel.
 */
function spellingsOf(carrierRef: string): readonly string[] {
  return /^3404\d{14}$/.test(carrierRef) ? [carrierRef, `00${carrierRef}`] : [carrierRef]
}

/** Ignores leading zeros. DHL sends some numbers as JSON numbers. */
function isSameNumber(value: unknown, number: string): boolean {
  const text = Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && withoutZeros(text) === withoutZeros(number)
}

function withoutZeros(number: string): string {
  return number.trim().replace(/^0+/, '')
}

// Tracking

/** Tracking returns 404 for a deleted order and for one that it does not have yet, so both are `unknown`. */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return credentialFault(reply) ?? unknownReply(reply)
  const shipments = listAt(json, 'shipments').filter((shipment) => isShipment(shipment, carrierRef))
  if (shipments.length !== 1) return unknown(`${shipments.length} shipments with this number`)
  return parcelStateOf(listAt(shipments[0], 'events').map(eventOf), eventOf(at(shipments[0], 'status')))
}

/** The id of a shipment may have other leading zeros than the numbers of its pieces. */
function isShipment(shipment: unknown, carrierRef: string): boolean {
  const pieces = listAt(shipment, 'details', 'pieceIds')
  return [at(shipment, 'id'), ...pieces].some((number) => isSameNumber(number, carrierRef))
}

/** What tracking adds to an order lookup. `doubt`: the reply contradicts a deletion, or is about another parcel. */
type TrackingEvidence =
  | { readonly kind: 'none' }
  | { readonly kind: 'doubt'; readonly cause: string }
  | Extract<CarrierTrackAnswer, { kind: 'scanned' }>

const NO_EVIDENCE: TrackingEvidence = { kind: 'none' }

/** A 404, a failure and an announcement prove nothing: DHL may keep the announcement of a deleted order. */
function evidenceOf(reply: HttpReply, carrierRef: string): TrackingEvidence {
  if (reply.status !== 200) return NO_EVIDENCE
  const shipments = at(reply.json, 'shipments')
  if (Array.isArray(shipments) && shipments.length === 0) return NO_EVIDENCE
  const answer = judgeTracking(reply, carrierRef)
  if (answer.kind === 'scanned') return answer
  return answer.kind === 'unknown' ? { kind: 'doubt', cause: `tracking: ${answer.cause}` } : NO_EVIDENCE
}

/** DHL sends local times without an offset. They count as UTC, so they are up to two hours late. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'statusCode') ?? ''
  return { meaning: MEANINGS.get(code) ?? 'unclear', code, at: utcTime(textAt(event, 'timestamp')) }
}
