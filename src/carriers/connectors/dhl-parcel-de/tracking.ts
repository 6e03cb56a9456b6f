/** The unified tracking API of DHL, for Parcel DE. */
import {
  type CarrierRequest,
  type CarrierTrackAnswer,
  credentialFault,
  type EventMeaning,
  type HttpReply,
  listAt,
  type ParcelEvent,
  parcelStateOf,
  reportsError,
  type TrackingLimits,
  textAt,
  unknown,
  unknownReply,
  utcTime,
  valueAt,
} from '../define/api.ts'
import { mayHaveClosed } from './manifests.ts'
import { isSameNumber, textsOf } from './replies.ts'

/** The division in the unified tracking API. */
const SERVICE = 'parcel-de'

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
export const TRACKING_LIMITS: TrackingLimits = {
  tellsDeliveries: true,
  everyMs: 3 * 3_600_000,
  gapMs: 5_000,
  callsPerDay: 250,
  perParcelPerDay: 10,
  credentials: ['apiKey'],
}

export function trackingRequest(carrierRef: string): CarrierRequest {
  return {
    method: 'GET',
    path: `/track/shipments?trackingNumber=${encodeURIComponent(carrierRef)}&service=${SERVICE}`,
    baseUrlFrom: 'trackingUrl',
  }
}

/** Tracking returns 404 for a deleted order and for one that it does not have yet, so both are `unknown`. */
export function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
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
export type TrackingEvidence =
  | { readonly kind: 'none' }
  | { readonly kind: 'doubt'; readonly cause: string }
  | Extract<CarrierTrackAnswer, { kind: 'scanned' }>

export const NO_EVIDENCE: TrackingEvidence = { kind: 'none' }

/**
 * A 404 and a failure prove nothing. Nor does an announcement, because DHL may keep that of a deleted order. If the day
 * may have been closed since the first send, it contradicts a deletion: DHL announces closed orders.
 */
export function evidenceOf(reply: HttpReply, carrierRef: string, ageMs: number): TrackingEvidence {
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
