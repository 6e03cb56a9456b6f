/**
 * DPD (Germany, DPD Cloud Service): it has no call for cancelling, so a shipment is released when it is not scanned.
 *
 * Chosen: `getOrderStatus` of the DPD Cloud Service over REST. It is DPD's own documented interface for shippers, JSON,
 * behind credentials, and repeats the parcel number. Not chosen: `getParcelLifeCycle` of the same service (texts for
 * display; DPD's "Parcel handed to DPD" is its current state of parcels nobody has scanned), the page interface
 * tracking.dpd.de/rest/plc (undocumented, fends off programs), the SOAP services, and interfaces of single countries.
 *
 * Read: the service's description at cloud.dpd.com (getOrderStatus), DPD's "DPD Cloud Service Webservice Dokumentation"
 * of 2017 and 2020, and a public client that was verified against production in August 2026, in stored copies, November
 * 2026. No live carrier was called. DPD publishes no list of the state names; those here come from clients.
 */
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { ConnectorType } from '../connector.ts'
import { at, exchange, type HttpReply, textAt } from '../http-exchange.ts'
import { unknown } from './judgement.ts'
import {
  type EventMeaning,
  type ParcelEvent,
  parcelStateOf,
  releaseIfUnscanned,
  utcTime,
} from './parcel-history.ts'

/**
 * States. Unclear, as they are on no list: ACCEPTED and START (DPD's text is "Parcel handed to DPD", and it is told of
 * announced parcels), NO_TRACKINGDATA, PARCEL_PROCESSING. Source: public clients, read November 2026.
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

/** Milestones behind the start: whoever reached one was in DPD's hands. */
const LATER_MILESTONES = ['OnTheRoad', 'DeliveryDepot', 'CarLoad', 'Delivered'] as const

/** DPD. The four credentials are those of the DPD Cloud Service: partner (the software) and user (the shipper). */
export const dpd: ConnectorType = {
  credentials: ['partnerName', 'partnerToken', 'cloudUserId', 'userToken'],
  liveUrl: 'https://cloud.dpd.com',
  open({ baseUrl, credentials }) {
    const { partnerName = '', partnerToken = '', cloudUserId = '', userToken = '' } = credentials
    return releaseIfUnscanned(async (carrierRef, signal) => {
      const reply = await exchange(
        {
          method: 'GET',
          // An empty parameter is written "null": the postal code would only show the consignee.
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

/** DPD reports errors inside of 200; an unknown parcel is one of them and says nothing. */
function judgeTracking({ status, json }: HttpReply, carrierRef: string): CarrierTrackAnswer {
  if (status !== 200) return unknown(`HTTP ${status}`)
  if (at(json, 'Ack') !== true)
    return unknown(textAt(json, 'ErrorDataList', 0, 'ErrorCode') ?? 'not acknowledged')
  const order = at(json, 'OrderStatus')
  if (textAt(order, 'ParcelNo') !== carrierRef) return unknown('HTTP 200 without this parcel')
  const milestones = LATER_MILESTONES.flatMap((name) => {
    const milestone = at(order, 'StatusInfoContainer', name)
    const reached = at(milestone, 'StatusReached')
    // Not told of, or said to be ahead.
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

/** ISO 8601, or as Germans write it (DPD does not say which); local time without an offset, taken as UTC. */
function dpdTime(text: string | undefined): string | undefined {
  const [, day, month, year, time] = GERMAN_TIME.exec(text ?? '') ?? []
  return utcTime(day === undefined ? text : `${year}-${month}-${day}T${time}`)
}
