/**
 * UPS: voids shipments and looks parcels up.
 *
 * Sources, read in November 2026: UPS-API/api-documentation on GitHub (Shipping.yaml, Tracking.yaml,
 * OAuthClientCredentials, issues 63, 102, 108, 166), the tracking appendix of developer.ups.com (activity types,
 * manifest codes, status codes) and the list of void errors in the Shipping Package guide. Not tested with the live
 * interface. UPS documents no idempotency keys, so none is sent: `transId` identifies a single request.
 */
import { randomUUID } from 'node:crypto'
import {
  ACCEPTED,
  basicAuthorization,
  type CarrierCancelAnswer,
  type CarrierRequest,
  type CarrierTrackAnswer,
  type CheckAnswer,
  defineConnector,
  type EventMeaning,
  type HttpReply,
  listAt,
  type ParcelEvent,
  parcelStateOf,
  type RefusalCode,
  refused,
  reportsError,
  textAt,
  type Unknown,
  unknown,
  unknownReply,
  unlistedError,
  utcTime,
  valueAt,
} from './define/api.ts'

export const ups = defineConnector({
  apiVersion: 1,
  name: 'ups',
  settings: { clientId: {}, clientSecret: {} },
  hosts: { live: 'https://onlinetools.ups.com', test: ['wwwcie.ups.com'] },
  cancels: 'shipment',
  tracking: { tellsDeliveries: true },
  // The format of a shipment identification number, which is the tracking number of the lead package.
  trackingNumber: { pattern: /^1Z[0-9A-Z]{16}$/, mustBe: '1Z and 16 digits or upper-case letters' },
  token: {
    request: ({ clientId = '', clientSecret = '' }) => ({
      path: '/security/v1/oauth/token',
      headers: { authorization: basicAuthorization(clientId, clientSecret) },
      body: 'grant_type=client_credentials',
    }),
  },
  headers: (_, token) => ({
    authorization: `Bearer ${token}`,
    // 32 characters at most.
    transId: randomUUID().replaceAll('-', ''),
    transactionSrc: 'waybill',
  }),
  cancel: {
    request: ({ carrierRef }) => ({
      method: 'DELETE',
      path: `/api/shipments/${SHIPPING_VERSION}/void/cancel/${encodeURIComponent(carrierRef)}`,
    }),
    answers: 'all',
    judge: (reply, { carrierRef }) => cancelAnswer(reply, carrierRef),
  },
  track: {
    request: ({ carrierRef }) => lookupOf(carrierRef),
    answers: 'all',
    judge: (reply, { carrierRef }) => trackAnswer(reply, carrierRef),
  },
  check: { request: () => lookupOf(NO_PARCEL), answers: 'all', judge: checkAnswer },
})

function lookupOf(carrierRef: string): CarrierRequest {
  return { method: 'GET', path: `/api/track/v1/details/${encodeURIComponent(carrierRef)}` }
}

/** v1 and v2403 have the same replies. */
const SHIPPING_VERSION = 'v2409'

/** Errors that mean the shipment is voided. 190119: the pick-up order remains. */
const VOIDED: ReadonlyMap<string, 'now' | 'already'> = new Map([
  ['190117', 'already'],
  ['190119', 'now'],
])

/**
 * Final refusals of a void, from the error list of the Shipping Package guide. UPS has no code for a scanned parcel.
 * The closest one is that of a completed pick-up.
 */
const REFUSALS: ReadonlyMap<string, RefusalCode> = new Map([
  ['190100', 'UNKNOWN_PARCEL'], // invalid shipment identification number
  ['190101', 'WINDOW_CLOSED'], // time for voiding has expired
  ['190102', 'WINDOW_CLOSED'], // no shipment found within the allowed void period
  ['190103', 'SCANNED'], // the pick-up request has been completed
  ['190104', 'NOT_CANCELLABLE'], // return shipments cannot be voided
  ['190109', 'UNKNOWN_PARCEL'], // invalid tracking number
  ['190118', 'NOT_CANCELLABLE'], // same day service
  ['190124', 'WINDOW_CLOSED'], // import control, after 3 a.m. of the next day
])

/** UPS sends 190102 for these numbers as well. Its own message mentions only the time limit. */
const UNKNOWN_OR_TOO_LATE =
  'the time for voiding is over, or UPS has no shipment with this number; the number must be the shipment id, not the number of another package'

/** The codes that concern a void. Others concern the request, the account or UPS. */
const VOID_CODE = /^190\d{3}$/

/** The status of UPS's errors about a void. */
const ABOUT_PARCEL = new Set([400])

/**
 * Codes of a void that are inconclusive even in a 400 with a message: void not available, registration missing, pick-up
 * already cancelled and return shipment already voided (perhaps by an earlier void).
 */
const INCONCLUSIVE = /^(?:190001|190002|190107|190116)$/

/** Registration (190002), malformed requests, invalid fields, licenses and authentication. */
const REQUEST_OR_ACCOUNT = /^(?:190002|10\d{3}|20\d{3}|25\d{4})$/

/** Rate limit and general failure. They pass without a correction. */
const TRANSIENT = new Set(['10429', '20001'])

/** UPS sends no 404 for a void, so a 404 is about the URL, whatever its body. */
function cancelAnswer(reply: HttpReply, carrierRef: string): CarrierCancelAnswer {
  if (reply.status === 200) return voidAnswer(reply.json, carrierRef)
  const codes = codesOf(reply)
  const [code] = codes
  const message = messageOf(code, textAt(reply.json, 'response', 'errors', 0, 'message'))
  const verdict = unlistedError(reply, ABOUT_PARCEL, code, message ?? code)
  // The status is about credentials, load or a fault of UPS. The codes are then ignored.
  if (verdict.kind === 'unknown' || !codes.every((other) => VOID_CODE.test(other ?? '')))
    return inconclusive(reply, reply.status === 404 ? [] : codes)
  const answer = listedErrors(reply, codes, message) ?? verdict
  return answer.kind === 'unknown' ? inconclusive(reply, codes) : answer
}

/**
 * Judges a reply with at least one error. The first code decides. `message` is that of the first error. A code for a
 * voided shipment with any other code is a contradiction. Undefined if the first code is not listed but has a message.
 */
function listedErrors(
  reply: HttpReply,
  codes: readonly (string | undefined)[],
  message: string | undefined,
): CarrierCancelAnswer | undefined {
  const [code = ''] = codes
  const doubt = unknownReply(reply, codes.join(', '))
  if (codes.some((other) => other !== undefined && INCONCLUSIVE.test(other))) return doubt
  const how = VOIDED.get(code)
  if (how !== undefined && codes.length === 1) return { kind: 'cancelled', how }
  if (codes.some((other = '') => VOIDED.has(other))) return doubt
  const reason = REFUSALS.get(code)
  if (reason !== undefined) return refused(reason, code, message ?? '')
  return message === undefined ? doubt : undefined
}

/** Marked as a fault of the configuration if an operator has to correct the credentials or the account's rights. */
function inconclusive(reply: HttpReply, codes: readonly (string | undefined)[]): Unknown {
  const answer = unknownReply(reply, codes.join(', ') || undefined)
  const isRejected = (code = '') => REQUEST_OR_ACCOUNT.test(code) && !TRANSIENT.has(code)
  const isAboutRequest = reply.status === 400 && codes.some(isRejected)
  const isConfiguration = reply.status === 401 || reply.status === 403 || isAboutRequest
  return isConfiguration ? { ...answer, configuration: true } : answer
}

/** True if a reply with status 200 has errors, at the top or where UPS's own errors are. */
function hasErrors(json: unknown): boolean {
  return reportsError(json) || reportsError(valueAt(json, 'response'))
}

function messageOf(code: string | undefined, message: string | undefined): string | undefined {
  if (code !== '190102') return message
  return message === undefined ? UNKNOWN_OR_TOO_LATE : `${message} (${UNKNOWN_OR_TOO_LATE})`
}

/** The codes of the errors in a reply. UPS sends them as text; numbers are accepted too. */
function codesOf({ json }: HttpReply): (string | undefined)[] {
  return listAt(json, 'response', 'errors').map((error) => {
    const code = valueAt(error, 'code')
    return typeof code === 'number' ? String(code) : textAt(error, 'code')
  })
}

/**
 * Judges a 200. The shipment is voided only if the response, the summary and every listed package have code `1`
 * ("voided or already voided"), the list, if it is not empty, contains the shipment's number, and nothing reports an
 * error. The summary of a partial void also has code `1`, but another description.
 */
function voidAnswer(json: unknown, carrierRef: string): CarrierCancelAnswer {
  const answer = valueAt(json, 'VoidShipmentResponse')
  if (hasErrors(json) || hasErrors(answer) || alertsOf(answer).some(isContrary))
    return unknown('HTTP 200 with an error')
  const packages = packageResults(answer)
  if (
    textAt(answer, 'Response', 'ResponseStatus', 'Code') !== '1' ||
    !isVoided(valueAt(answer, 'SummaryResult'))
  )
    return unknown('HTTP 200 that does not confirm the void')
  if (packages === undefined) return unknown('HTTP 200 with unreadable package results')
  if (!packages.every(isVoided)) return unknown('partially voided')
  const numbers = packages.map((item) => textAt(item, 'TrackingNumber'))
  if (numbers.length > 0 && !numbers.includes(carrierRef)) return unknown('voided another number')
  return { kind: 'cancelled', how: 'now' }
}

/** The codes of the alerts, which are warnings: a single object or a list. */
function alertsOf(answer: unknown): readonly (string | undefined)[] {
  const alert = valueAt(answer, 'Response', 'Alert') ?? []
  return (Array.isArray(alert) ? alert : [alert]).map((entry) => textAt(entry, 'Code'))
}

/** True for a code about the void that does not mean "voided". */
function isContrary(code = ''): boolean {
  return VOID_CODE.test(code) && !VOIDED.has(code)
}

/**
 * The results by package; empty if there are none, undefined if they are unreadable. From v2403 on, the specification
 * has a list `PackageLevelResults`. Recorded replies have `PackageLevelResult`, where a single package is not in a
 * list.
 */
function packageResults(answer: unknown): readonly unknown[] | undefined {
  const fields = [valueAt(answer, 'PackageLevelResults'), valueAt(answer, 'PackageLevelResult')]
  const [field, second] = fields.filter((value) => value !== undefined)
  if (second !== undefined) return undefined
  if (field === undefined) return []
  const packages = Array.isArray(field) ? field : [field]
  return packages.every((item) => textAt(item, 'TrackingNumber') !== undefined) ? packages : undefined
}

/** False if the description contradicts the code. */
function isVoided(result: unknown): boolean {
  const description = textAt(result, 'Status', 'Description') ?? ''
  return textAt(result, 'Status', 'Code') === '1' && !/\bnot\b|\bpartial/i.test(description)
}

/** Status codes (without leading zeros) of a parcel with a label that UPS has not received yet. */
const READY_FOR_UPS = new Set(['3', '80', '157', '166'])

/** Status codes of a parcel that UPS or its partner has or had. Requests and forecasts are not included. */
const IN_UPS_HANDS = new Set(
  // On the way, out for delivery, delivered, in a warehouse, attempted, returned.
  ['5', '6', '10', '11', '16', '21', '22', '23', '24', '25', '26', '34', '35', '36', '37', '38', '39'].concat(
    ['40', '47', '57', '60', '61', '62', '64', '66', '67', '68', '71', '72', '73', '74', '81', '87', '89'],
    ['91', '137', '143', '144', '145', '146', '158', '159', '160', '161', '162', '164', '165'],
    // Dropped off at a store or an access point.
    ['167', '168', '169'],
  ),
)

/**
 * Types: M billing information received, MV voided, D delivered, P picked up. I (in transit) and X (exception) are
 * judged by their code, because they include "on the way to UPS" and "pick-up attempted". The manifest code VP
 * ("manifest cancelled and shipment voided") may have the type M and no status code.
 */
function meaningOf(status: unknown): EventMeaning {
  const type = textAt(status, 'type')
  const code = statusCodeOf(status)
  const isVoid = type === 'MV' || code === '7' || textAt(status, 'code') === 'VP'
  const isScan = type === 'D' || type === 'P' || (code !== undefined && IN_UPS_HANDS.has(code))
  if (isVoid && isScan) return 'unclear'
  if (isVoid) return 'cancellation'
  if (isScan) return type === 'D' ? 'delivery' : 'scan'
  const isLabelOnly = code === undefined ? type === 'M' : READY_FOR_UPS.has(code)
  return isLabelOnly && (type === 'M' || type === undefined) ? 'announcement' : 'unclear'
}

/** The field `statusCode`, without leading zeros. In `currentStatus` the field is often called `code`. */
function statusCodeOf(status: unknown): string | undefined {
  const code = textAt(status, 'statusCode') ?? textAt(status, 'code')
  return code !== undefined && /^\d{1,3}$/.test(code) ? String(Number(code)) : undefined
}

/**
 * A number that UPS cannot find is inconclusive: UPS deletes data after 120 days, and sends the warning TW0001 (with a
 * 200) for a new label as well as for a mistyped number.
 */
function trackAnswer(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  if (reply.status !== 200) return inconclusive(reply, isAboutUrl(reply) ? [] : codesOf(reply))
  if (hasErrors(reply.json)) return unknown('HTTP 200 with an error')
  const parcels = listAt(reply.json, 'trackResponse', 'shipment')
    .flatMap((shipment) => listAt(shipment, 'package'))
    .filter((parcel) => textAt(parcel, 'trackingNumber') === carrierRef)
  const [parcel] = parcels
  if (parcel === undefined || parcels.length > 1) return unknown('not found')
  const current = valueAt(parcel, 'currentStatus')
  return parcelStateOf(
    listAt(parcel, 'activity').map(eventOf),
    current === undefined ? undefined : eventOfStatus(current),
  )
}

/** The format of a shipment id. */
const NO_PARCEL = '1Z0000000000000000'

function checkAnswer(reply: HttpReply): CheckAnswer {
  const { status, json } = reply
  if (status === 200 && listAt(json, 'trackResponse', 'shipment').length > 0 && !hasErrors(json))
    return ACCEPTED
  const isAboutNumber = (status === 400 || status === 404) && !isAboutUrl(reply)
  if (isAboutNumber && isTrackingCode(codesOf(reply)[0])) return ACCEPTED
  return inconclusive(reply, isAboutUrl(reply) ? [] : codesOf(reply))
}

function isTrackingCode(code = ''): boolean {
  return /^T[VW]\d/.test(code)
}

/** A 404 of tracking may be about a number. UPS's gateway sends "No API found" in the same shape. */
function isAboutUrl(reply: HttpReply): boolean {
  const message = textAt(reply.json, 'response', 'errors', 0, 'message') ?? ''
  return (
    reply.status === 404 &&
    !isTrackingCode(codesOf(reply)[0]) &&
    !/track|inquiry|number|shipment|package/i.test(message)
  )
}

function eventOf(activity: unknown): ParcelEvent {
  // UPS derives logical scans from other events, so their time is not the time of a scan.
  const isLogical = valueAt(activity, 'logicalScan') === true
  return { ...eventOfStatus(valueAt(activity, 'status')), at: isLogical ? undefined : timeOf(activity) }
}

function eventOfStatus(status: unknown): ParcelEvent {
  const code = textAt(status, 'code') ?? statusCodeOf(status) ?? ''
  return { meaning: meaningOf(status), code, at: undefined }
}

/** The UTC time if UPS sends it, else the local time with its offset. Without an offset it counts as UTC. */
function timeOf(activity: unknown): string | undefined {
  const utc = isoOf(textAt(activity, 'gmtDate'), textAt(activity, 'gmtTime'), 'Z')
  const offset = textAt(activity, 'gmtOffset') ?? 'Z'
  return utc ?? isoOf(textAt(activity, 'date'), textAt(activity, 'time'), offset)
}

/** `20260820` and `19:30:00`, `193000` or `93000`. */
function isoOf(date = '', time = '', offset: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date) ?? []
  const digits = time.replaceAll(':', '').padStart(6, '0')
  const [, hours, minutes, seconds] = /^(\d\d)(\d\d)(\d\d)$/.exec(digits) ?? []
  return utcTime(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset}`)
}
