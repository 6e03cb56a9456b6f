/**
 * DPD Germany (DPD Cloud Service). It has no call to cancel a shipment, so an unscanned shipment is released.
 *
 * Tracking uses `getOrderStatus` of the DPD Cloud Service over REST: it is documented for shippers, needs credentials and
 * returns the parcel number. Alternatives that are not used: `getParcelLifeCycle` (texts for display; its state "Parcel
 * handed to DPD" also covers unscanned parcels), tracking.dpd.de/rest/plc (undocumented, blocks programs), the SOAP
 * services, and interfaces of single countries.
 *
 * Sources: the description of getOrderStatus at cloud.dpd.com, "DPD Cloud Service Webservice Dokumentation" of 2017 and
 * 2020, and a public client that was tested with production in August 2026; copies read in November 2026. Not tested with
 * the live interface. DPD publishes no list of state names; these come from public clients.
 */
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { ConnectorType } from '../connector.ts'
import { at, exchange, type HttpReply, textAt } from '../http-exchange.ts'
import { unknown, unknownReply } from './judgement.ts'
import {
  type EventMeaning,
  type ParcelEvent,
  parcelStateOf,
  releaseIfUnscanned,
  utcTime,
} from './parcel-history.ts'

/**
 * These are unclear and not listed: ACCEPTED and START ("Parcel handed to DPD", but also sent for announced parcels),
 * NO_TRACKINGDATA, PARCEL_PROCESSING.
 */
const MEANINGS: ReadonlyMap<string, EventMeaning> = new Map([
  ['SHIPMENT', 'announcement'],
  ['DATA_TRANSMITTED', 'announcement'],
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
  ['DELIVERED', 'scan'],
  ['PICKED_UP', 'scan'],
  ['RETURN_TO_SENDER', 'scan'],
])

/** Milestones that a parcel reaches only after a scan. */
const LATER_MILESTONES = ['OnTheRoad', 'DeliveryDepot', 'CarLoad', 'Delivered'] as const

/** The credentials are those of the DPD Cloud Service: partner (the software) and user (the shipper). */
export const dpd: ConnectorType = {
  credentials: ['partnerName', 'partnerToken', 'cloudUserId', 'userToken'],
  liveUrl: 'https://cloud.dpd.com',
  open({ baseUrl, credentials }) {
    const { partnerName = '', partnerToken = '', cloudUserId = '', userToken = '' } = credentials
    return releaseIfUnscanned(async (carrierRef, signal) => {
      const reply = await exchange(
        {
          method: 'GET',
          // "null" is an empty parameter. A postal code would only add the consignee.
          url: `${baseUrl}/api/v1/getOrderStatus/${encodeURIComponent(carrierRef)}/null`,
          headers: {
            version: '100',
            language: 'de_DE',
            'partnercredentials-name': partnerName,
            'partnercredentials-token': partnerToken,
            'usercredentials-clouduserid': cloudUserId,
            'usercredentials-token': userToken,
          },
        },
        signal,
      )
      return judgeTracking(reply, carrierRef)
    })
  },
}

/** DPD reports errors with status 200. The error for an unknown parcel is inconclusive. */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return unknownReply(reply)
  if (at(json, 'Ack') !== true)
    return unknown(textAt(json, 'ErrorDataList', 0, 'ErrorCode') ?? 'not acknowledged')
  const order = at(json, 'OrderStatus')
  if (textAt(order, 'ParcelNo') !== carrierRef) return unknown('HTTP 200 without this parcel')
  const milestones = LATER_MILESTONES.flatMap((name) => {
    const milestone = at(order, 'StatusInfoContainer', name)
    const reached = at(milestone, 'StatusReached')
    // Missing, or not reached yet.
    if (milestone === undefined || milestone === null || reached === false) return []
    return [eventOf(milestone, name, reached === true ? 'scan' : 'unclear')]
  })
  const last = at(order, 'LastStatusInfo')
  const state = textAt(last, 'StatusID') ?? ''
  const meaning = at(last, 'StatusReached') === true ? MEANINGS.get(state) : undefined
  return parcelStateOf(milestones, eventOf(last, state, meaning ?? 'unclear'))
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
