/**
 * DHL Parcel DE (Post & Parcel Germany): cancels by deleting the order before the day is closed, and looks parcels up.
 *
 * Read: DHL's specification "Parcel DE Shipping" 2.1.13 (developer.dhl.com), its Authentication API pages,
 * the Shipment Tracking - Unified API with DHL's list of its event codes, in stored copies, November 2026. No live
 * carrier was called.
 *
 * Entering: API key and HTTP Basic. The specification still lists Basic beside the OAuth password grant; DHL writes
 * that it replaces Basic "gradually", without a date. The grant sends the same user and password and needs one secret
 * more, so it brings nothing until there is a date.
 *
 * Tracking: the unified API, since it is JSON and lives on the same host as shipping. Where it does not (sandboxes),
 * `trackingUrl` names its host: a URL, not a secret.
 */
import type { CarrierCancelAnswer } from '../../core/shipments/cancellation.ts'
import type { RefusalCode } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { CancelRequest, ConnectorType } from '../connector.ts'
import { at, basicAuthorization, exchange, type HttpReply, listAt, textAt } from '../http-exchange.ts'
import { withoutTrailingSlashes } from '../settings.ts'
import { refused, unknown, unlistedError } from './judgement.ts'
import { type EventMeaning, type ParcelEvent, parcelStateOf, utcTime } from './parcel-history.ts'

const STANDARD_PROFILE = 'STANDARD_GRUPPENPROFIL'

/**
 * What a 400 is for other reasons than "not found or already deleted", by its English text, for DHL has no codes
 * ("Deletion is only possible prior to being manifested"; "profile ... mandatory"). Source: specification 2.1.13, read
 * November 2026. They matter most when asked again: there, a plain 400 is taken as "already".
 */
const OTHER_400: readonly (readonly [RegExp, RefusalCode])[] = [
  [/manifest|closed|close-?out|end of day|tagesabschluss/i, 'WINDOW_CLOSED'],
  [/profil|billing|permission|not permitted|not allowed/i, 'NOT_CANCELLABLE'],
]

/**
 * Unified status codes, and DHL's standard event codes of Parcel DE, by what they say. Not here, so unclear: `failure`,
 * BV and ZN (also told of parcels that never came or were stopped by the sender), AN (not picked up), DD (data only), GT
 * (money). Source: DHL's list "status codes of the unified API" and its table of Parcel DE events of July 2024.
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

/** DHL Parcel DE. `profile`: the user group; `trackingUrl`: the host of the unified tracking API, no secret. */
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
              // The texts are read (OTHER_400).
              'accept-language': 'en-US',
            },
          },
          signal,
        )
        const verdict = judgeDeletion(reply, carrierRef)
        if (verdict.kind !== 'absent') return verdict
        if (sends === 1) return refused('UNKNOWN_PARCEL', '400', verdict.message)
        // An earlier send may have deleted it. DHL would say the same of a parcel on its way.
        const standing = await track(carrierRef, signal)
        if (standing.kind === 'scanned') return refused('SCANNED', '400', verdict.message)
        // A tracking that cannot be asked proves nothing; one that can, and knows of no scan, agrees.
        const isSilent = standing.kind === 'unknown' && !NOT_KNOWN_TO_TRACKING.test(standing.cause)
        return isSilent
          ? unknown('no such order, and tracking says nothing')
          : { kind: 'cancelled', how: 'already' }
      },
    }
  },
}

/** What `judgeTracking` says of a number that tracking does not know. */
const NOT_KNOWN_TO_TRACKING = /^(HTTP 404|0 shipments)/

/** DHL says that there is no such order (any more). */
type Absent = { readonly kind: 'absent'; readonly message: string }

/** One order is asked for, so one item must answer for it, whatever the HTTP status. */
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
  // Items of other orders only: this reply is about something else.
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

/** `status`, or `statusCode` of older replies; undefined when they contradict each other. */
function statusOf(part: unknown): number | undefined {
  const codes = [at(part, 'status'), at(part, 'statusCode')].filter((code) => code !== undefined)
  const [code] = codes
  return typeof code === 'number' && codes.every((other) => other === code) ? code : undefined
}

function explanationOf(part: unknown): string | undefined {
  return textAt(part, 'detail') ?? textAt(part, 'title')
}

/**
 * A deleted order is unknown to tracking (404), and so is one of tomorrow: both are `unknown`, never `cancelled` or
 * `announced`.
 */
function judgeTracking({ status, json }: HttpReply, carrierRef: string): CarrierTrackAnswer {
  if (status !== 200) return unknown(`HTTP ${status}`)
  const shipments = listAt(json, 'shipments').filter((shipment) => textAt(shipment, 'id') === carrierRef)
  if (shipments.length !== 1) return unknown(`${shipments.length} shipments under this number`)
  return parcelStateOf(listAt(shipments[0], 'events').map(eventOf), eventOf(at(shipments[0], 'status')))
}

/** DHL gives local times without an offset; they are taken as UTC, up to two hours late. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'statusCode') ?? ''
  return { meaning: MEANINGS.get(code) ?? 'unclear', code, at: utcTime(textAt(event, 'timestamp')) }
}
