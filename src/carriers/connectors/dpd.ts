/**
 * DPD Germany (DPD Cloud Service). It has no call to cancel a shipment, so an unscanned shipment is released.
 *
 * Tracking uses `getOrderStatus` of the DPD Cloud Service over REST: it is documented for shippers, needs credentials
 * and returns the parcel number. Alternatives that are not used: `getParcelLifeCycle` (texts for display; its state
 * "Parcel handed to DPD" also covers unscanned parcels), tracking.dpd.de/rest/plc (undocumented, blocks programs), the
 * SOAP services, and interfaces of single countries.
 *
 * Sources: the description of getOrderStatus at cloud.dpd.com, "DPD Cloud Service Webservice Dokumentation" of 2017 and
 * 2020, and the client very-code-com/dpd-de-php 1.0.1, which was tested with production in August 2026; copies read in
 * November 2026. Not tested with the live interface. DPD publishes no list of state names; these come from public
 * clients. docs/decisions/shipments.md#d133 explains ACCEPTED.
 */
import {
  ACCEPTED,
  type CarrierRequest,
  type CarrierTrackAnswer,
  type CheckAnswer,
  defineConnector,
  type EventMeaning,
  type HttpReply,
  hasContent,
  isJsonObject,
  type ParcelEvent,
  parcelStateOf,
  reportsError,
  textAt,
  unknown,
  unknownReply,
  utcTime,
  valueAt,
} from './define/api.ts'

/**
 * These are unclear and not listed: START, NO_TRACKINGDATA, PARCEL_PROCESSING.
 */
const MEANINGS: ReadonlyMap<string, EventMeaning> = new Map([
  ['SHIPMENT', 'announcement'],
  ['DATA_TRANSMITTED', 'announcement'],
  ['ACCEPTED', 'announcement'],
  ['COLLECTED', 'scan'],
  ['AT_SENDING_DEPOT', 'scan'],
  ['ON_THE_ROAD', 'scan'],
  ['AT_DELIVERY_DEPOT', 'scan'],
  ['SORTED', 'scan'],
  ['SORTED_TO_PICKUP_LOCATION', 'scan'],
  ['OUT_FOR_DELIVERY', 'scan'],
  ['IN_DELIVERY', 'scan'],
  ['DELIVERY_ATTEMPT', 'scan'],
  ['AT_PARCELSHOP', 'scan'],
  ['DELIVERED', 'delivery'],
  ['PICKED_UP', 'scan'],
  ['RETURN_TO_SENDER', 'scan'],
])

/** Milestones that a parcel reaches only after a scan. */
const LATER_MILESTONES = new Set(['OnTheRoad', 'DeliveryDepot', 'CarLoad', 'Delivered'])
/** The states of the first milestone, which is reached when DPD has the data of the parcel. */
const STARTED = new Set(['START', 'SHIPMENT', 'DATA_TRANSMITTED'])

/** Errors of the credentials or of the account. */
const CONFIGURATION_ERRORS = new Set([
  'CLOUD_API_PARTNERCREDENTIALS',
  'CLOUD_API_USERCREDENTIALS',
  'CLOUD_API_NOLOGIN',
  'CLOUD_API_NOUSERACCESS',
])

/** The account has reached its call limit. DPD then rejects calls for ten minutes. */
const CALL_LIMIT_ERROR = 'CLOUD_API_USERCALLLIMIT'
const CALL_LIMIT_PAUSE_MS = 600_000

/** The credentials are those of the DPD Cloud Service: partner (the software) and user (the shipper). */
export const dpd = defineConnector({
  apiVersion: 1,
  name: 'dpd',
  settings: { partnerName: {}, partnerToken: {}, cloudUserId: {}, userToken: {} },
  hosts: { live: 'https://cloud.dpd.com', test: ['cloud-stage.dpd.com'] },
  cancels: 'parcel',
  tracking: { tellsDeliveries: true },
  trackingNumber: { pattern: /^\d{14}$/, mustBe: '14 digits' },
  headers: ({ partnerName = '', partnerToken = '', cloudUserId = '', userToken = '' }) => ({
    version: '100',
    language: 'de_DE',
    'partnercredentials-name': partnerName,
    'partnercredentials-token': partnerToken,
    'usercredentials-clouduserid': cloudUserId,
    'usercredentials-token': userToken,
  }),
  cancel: { release: {} },
  track: {
    request: ({ carrierRef }) => lookupOf(carrierRef),
    answers: 'all',
    judge: (reply, { carrierRef }) => judgeTracking(reply, carrierRef),
  },
  check: { request: () => lookupOf(NO_PARCEL), answers: 'all', judge: checkAnswer },
})

/** "null" is an empty parameter. A postal code would only add the consignee. */
function lookupOf(carrierRef: string): CarrierRequest {
  return { method: 'GET', path: `/api/v1/getOrderStatus/${encodeURIComponent(carrierRef)}/null` }
}

/** The format of a parcel number. */
const NO_PARCEL = '00000000000000'
/** The error for a number that no parcel has, or its parameter. DPD publishes no list. */
const ABOUT_PARCEL = /^CLOUD_(?:API_)?(?:PARCEL|ORDERSTATUS)/

function checkAnswer(reply: HttpReply): CheckAnswer {
  const tracked = judgeTracking(reply, NO_PARCEL)
  if (tracked.kind !== 'unknown') return ACCEPTED
  return reply.status === 200 && ABOUT_PARCEL.test(tracked.cause) ? ACCEPTED : tracked
}

/**
 * DPD reports errors with status 200. The error for an unknown parcel is inconclusive. Without the milestones, the last
 * state alone does not show that DPD has not scanned the parcel.
 */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return unknownReply(reply)
  const errorCode = textAt(json, 'ErrorDataList', 0, 'ErrorCode')
  if (valueAt(json, 'Ack') !== true) return notAcknowledged(errorCode)
  if (hasContent(valueAt(json, 'ErrorDataList')) || reportsError(json))
    return notAcknowledged(errorCode ?? 'acknowledged with an error')
  // The older examples of DPD have no wrapper.
  const order = valueAt(json, 'OrderStatus') ?? json
  if (textAt(order, 'ParcelNo') !== carrierRef) return unknown('HTTP 200 without this parcel')
  const container = valueAt(order, 'StatusInfoContainer')
  const milestones = isJsonObject(container) ? Object.entries(container).flatMap(eventsOf) : []
  const last = valueAt(order, 'LastStatusInfo')
  const state = textAt(last, 'StatusID') ?? ''
  const answer = parcelStateOf(
    milestones,
    eventOf(last, state, meaningOf(state, valueAt(last, 'StatusReached'))),
  )
  if (answer.kind === 'announced' && !isJsonObject(container)) return unknown('no milestones')
  return answer
}

/** The event of a milestone; none if it is not reached, or if it is the first one with a state before the handover. */
function eventsOf([name, milestone]: readonly [string, unknown]): ParcelEvent[] {
  const reached = valueAt(milestone, 'StatusReached')
  if (milestone === null || reached === false) return []
  const state = textAt(milestone, 'StatusID')
  if (name === 'Start' && reached === true && (state === undefined || STARTED.has(state))) return []
  return [eventOf(milestone, name, reached === true && LATER_MILESTONES.has(name) ? 'scan' : 'unclear')]
}

function notAcknowledged(code = 'not acknowledged'): CarrierTrackAnswer {
  if (code === CALL_LIMIT_ERROR) return unknown(code, { retryAfterMs: CALL_LIMIT_PAUSE_MS })
  return unknown(code, CONFIGURATION_ERRORS.has(code) ? { configuration: true } : {})
}

/**
 * A state counts when it is reached. The exception is ACCEPTED ("Parcel handed to DPD"): DPD sends it as the current
 * state of an announced parcel, not reached. Once it is reached, DPD may have the parcel.
 */
function meaningOf(state: string, reached: unknown): EventMeaning {
  const isCurrent = reached === (state !== 'ACCEPTED')
  return (isCurrent ? MEANINGS.get(state) : undefined) ?? 'unclear'
}

function eventOf(info: unknown, code: string, meaning: EventMeaning): ParcelEvent {
  return { meaning, code, at: dpdTime(textAt(info, 'StatusDate')) }
}

const GERMAN_TIME = /^(\d{2})\.(\d{2})\.(\d{4}),? (\d{2}:\d{2}(?::\d{2})?)(?: Uhr)?$/

/** Accepts ISO 8601 and the German format, because DPD documents no format. Times have no offset and count as UTC. */
function dpdTime(text: string | undefined): string | undefined {
  const [, day, month, year, time] = GERMAN_TIME.exec(text ?? '') ?? []
  return utcTime(day === undefined ? text : `${year}-${month}-${day}T${time}`)
}
