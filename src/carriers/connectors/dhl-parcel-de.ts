/**
 * DHL Parcel DE (Post & Parcel Germany): cancels by deleting the order before the end of the day, and looks parcels up.
 *
 * Authentication: API key and HTTP Basic. The specification also lists the OAuth password grant, which will "gradually"
 * replace Basic at an unknown date. The grant uses the same user and password and needs one more secret, so this
 * connector uses Basic.
 *
 * Tracking: the unified API. It is on the same host as shipping, except in sandboxes. For these, the credential
 * `trackingUrl` contains its URL.
 *
 * Sources: DHL's specification "Parcel DE Shipping" 2.1.13 (developer.dhl.com), its Authentication API pages, and the
 * Shipment Tracking - Unified API with its list of event codes; copies read in November 2026. Not tested with the live
 * interface.
 */
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { RefusalCode } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { CancelRequest, ConnectorType } from '../connector.ts'
import { at, basicAuthorization, exchange, type HttpReply, listAt, textAt } from '../http-exchange.ts'
import { withoutTrailingSlashes } from '../settings.ts'
import { refused, unknown, unknownReply, unlistedError } from './judgement.ts'
import { type EventMeaning, type ParcelEvent, parcelStateOf, utcTime } from './parcel-history.ts'

const STANDARD_PROFILE = 'STANDARD_GRUPPENPROFIL'

/**
 * Texts of a 400 for a reason other than "not found or already deleted". DHL has no codes for them, so the English text
 * is matched ("Deletion is only possible prior to being manifested"; "profile ... mandatory"). After a repeated
 * send, any other 400 may mean "already cancelled". Source: DHL's API specification 2.1.13.
 */
const OTHER_400: readonly (readonly [RegExp, RefusalCode])[] = [
  [/manifest|closed|close-?out|end of day|tagesabschluss/i, 'WINDOW_CLOSED'],
  [/profil|billing|permission|not permitted|not allowed/i, 'NOT_CANCELLABLE'],
]

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

/** `profile`: the user group. `trackingUrl`: the URL of the unified tracking API; not a secret. */
export const dhlParcelDe: ConnectorType = {
  credentials: ['apiKey', 'user', 'password'],
  optionalCredentials: ['profile', 'trackingUrl'],
  liveUrl: 'https://api-eu.dhl.com',
  open({ baseUrl, credentials }) {
    const { apiKey = '', user = '', password = '', profile = STANDARD_PROFILE } = credentials
    const trackingUrl = withoutTrailingSlashes(credentials['trackingUrl'] ?? baseUrl)

    async function track(carrierRef: string, signal: AbortSignal): Promise<CarrierTrackAnswer> {
      const url = `${trackingUrl}/track/shipments?trackingNumber=${encodeURIComponent(carrierRef)}&service=parcel-de`
      const headers = { 'dhl-api-key': apiKey }
      return judgeTracking(await exchange({ method: 'GET', url, headers }, signal), carrierRef)
    }

    return {
      track,
      async cancel({ carrierRef, sends }: CancelRequest, signal: AbortSignal): Promise<CarrierCancelAnswer> {
        const query = `profile=${encodeURIComponent(profile)}&shipment=${encodeURIComponent(carrierRef)}`
        const reply = await exchange(
          {
            method: 'DELETE',
            url: `${baseUrl}/parcel/de/shipping/v2/orders?${query}`,
            headers: {
              'dhl-api-key': apiKey,
              authorization: basicAuthorization(user, password),
              // OTHER_400 matches English texts.
              'accept-language': 'en-US',
            },
          },
          signal,
        )
        const verdict = judgeDeletion(reply, carrierRef)
        if (verdict.kind !== 'absent') return verdict
        if (sends === 1) return refused('UNKNOWN_PARCEL', '400', verdict.message)
        // An earlier send may have deleted the order. DHL returns the same for a parcel in transit.
        const lookup = await track(carrierRef, signal)
        if (lookup.kind === 'scanned') return refused('SCANNED', '400', verdict.message)
        // A lookup that works and shows no scan confirms the deletion. A failed lookup does not.
        const lookupFailed = lookup.kind === 'unknown' && !UNKNOWN_NUMBER.test(lookup.cause)
        return lookupFailed
          ? unknown('no such order, and the lookup failed')
          : { kind: 'cancelled', how: 'already' }
      },
    }
  },
}

/** Matches the causes that `judgeTracking` returns if tracking does not have the number. */
const UNKNOWN_NUMBER = /^(HTTP 404|0 shipments)/

/** DHL reports that the order does not exist or is deleted. */
type Absent = { readonly kind: 'absent'; readonly message: string }

/** The request is about one order, so the reply must contain one item for it, with any HTTP status. */
function judgeDeletion(reply: HttpReply, carrierRef: string): CarrierCancelAnswer | Absent {
  const { status, json } = reply
  if (status !== 200 && status !== 207 && status !== 400) {
    return unlistedError(reply, undefined, explanationOf(at(json, 'status')) ?? explanationOf(json))
  }
  const items = listAt(json, 'items').filter((item) => textAt(item, 'shipmentNo') === carrierRef)
  if (items.length > 1) return unknown('several items for one order')
  const [item] = items
  if (item !== undefined) {
    const code = statusOf(at(item, 'sstatus'))
    const message =
      explanationOf(at(item, 'sstatus')) ?? textAt(item, 'validationMessages', 0, 'validationMessage')
    if (code === 200) {
      return status === 400 ? unknown('item 200 under HTTP 400') : { kind: 'cancelled', how: 'now' }
    }
    if (code === 400) return absentOrOther(message)
    return code === undefined
      ? unknown('item without status')
      : unlistedError({ ...reply, status: code }, undefined, message)
  }
  const whole = at(json, 'status')
  const isProblem = statusOf(whole) === 400 || statusOf(json) === 400
  // If all items belong to other orders, the reply is not about this order.
  if (status !== 400 || !isProblem || listAt(json, 'items').length > 0)
    return unknown(`HTTP ${status} without this order`)
  return absentOrOther(explanationOf(whole) ?? explanationOf(json))
}

function absentOrOther(message: string | undefined): CarrierCancelAnswer | Absent {
  const text = message ?? ''
  const other = OTHER_400.find(([pattern]) => pattern.test(text))
  if (other !== undefined) return refused(other[1], '400', text)
  return { kind: 'absent', message: message ?? 'No such order' }
}

/** `status`, or `statusCode` in older replies; undefined if they differ. */
function statusOf(part: unknown): number | undefined {
  const codes = [at(part, 'status'), at(part, 'statusCode')].filter((code) => code !== undefined)
  const [code] = codes
  return typeof code === 'number' && codes.every((other) => other === code) ? code : undefined
}

function explanationOf(part: unknown): string | undefined {
  return textAt(part, 'detail') ?? textAt(part, 'title')
}

/**
 * Tracking returns 404 for a deleted order and for one that it does not have yet, so both are `unknown`.
 */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return unknownReply(reply)
  const shipments = listAt(json, 'shipments').filter((shipment) => textAt(shipment, 'id') === carrierRef)
  if (shipments.length !== 1) return unknown(`${shipments.length} shipments with this number`)
  return parcelStateOf(listAt(shipments[0], 'events').map(eventOf), eventOf(at(shipments[0], 'status')))
}

/** DHL sends local times without an offset. They count as UTC, so they are up to two hours late. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'statusCode') ?? ''
  return { meaning: MEANINGS.get(code) ?? 'unclear', code, at: utcTime(textAt(event, 'timestamp')) }
}
