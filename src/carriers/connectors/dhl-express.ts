/**
 * DHL Express (MyDHL API). It cancels pick-ups but not shipments, so an unscanned shipment is released.
 *
 * Sources: DHL's specification "DHL Express APIs (MyDHL API)" 3.1.1 and its list of Express checkpoints, copies read in
 * November 2026. Not tested with the live interface. Authentication: HTTP Basic.
 */
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { ConnectorType } from '../connector.ts'
import { at, basicAuthorization, exchange, type HttpReply, listAt, textAt } from '../http-exchange.ts'
import { unknown, unknownReply } from './judgement.ts'
import { type ParcelEvent, parcelStateOf, releaseIfUnscanned, utcTime } from './parcel-history.ts'

/**
 * Checkpoints that prove a scan. Checkpoints about documents, payments and orders (AD, BN, BR, CD, CR, CS, HP, IC, OH,
 * RR, SC, SS, UD) are not listed. They may occur before DHL has the parcel, so they are unclear. An announced shipment
 * has no checkpoints.
 */
const SCANS = new Set([
  'PU', // picked up
  'SA', // accepted
  'PL', // processed at a location
  'AF', // arrived at a facility
  'DF', // left a facility
  'AR', // arrived at the delivery facility
  'WC', // with the courier
  'OK', // delivered
  'DD', // delivered damaged
  'PD', // delivered in part
  'ND', // not delivered
  'NH', // nobody home
  'CA', // closed on arrival
  'BA', // bad address
  'CM', // consignee moved
  'RD', // refused
  'RT', // returned
  'CC', // awaits collection
  'FD', // forwarded
  'TP', // handed to a third party
  'TR', // transferred
  'MC', // miscoded
  'MS', // missorted
  'MD', // missed the delivery cycle
  'DS', // destroyed
])

export const dhlExpress: ConnectorType = {
  credentials: ['user', 'password'],
  liveUrl: 'https://express.api.dhl.com/mydhlapi',
  open({ baseUrl, credentials }) {
    const { user = '', password = '' } = credentials
    return releaseIfUnscanned(async (carrierRef, signal) => {
      const path = `/shipments/${encodeURIComponent(carrierRef)}/tracking`
      const reply = await exchange(
        {
          method: 'GET',
          url: `${baseUrl}${path}?trackingView=all-checkpoints&levelOfDetail=shipment`,
          headers: { authorization: basicAuthorization(user, password) },
        },
        signal,
      )
      return judgeTracking(reply, carrierRef)
    })
  },
}

/**
 * A shipment is announced if the reply contains it with status "Success" and an empty list of checkpoints. A 404 is
 * inconclusive: DHL also returns it for a wrong number.
 */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return unknownReply(reply)
  const shipments = listAt(json, 'shipments').filter(
    (shipment) => textAt(shipment, 'shipmentTrackingNumber') === carrierRef,
  )
  if (shipments.length !== 1) return unknown(`${shipments.length} shipments with this number`)
  const events = at(shipments[0], 'events')
  if (at(shipments[0], 'status') !== 'Success' || !Array.isArray(events))
    return unknown('no list of checkpoints')
  return events.length === 0 ? { kind: 'announced' } : parcelStateOf(events.map(eventOf))
}

/** DHL sends local dates and times. Without an offset they count as UTC. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'typeCode') ?? ''
  const local = `${textAt(event, 'date') ?? ''}T${textAt(event, 'time') ?? ''}${textAt(event, 'GMTOffset') ?? ''}`
  return { meaning: SCANS.has(code) ? 'scan' : 'unclear', code, at: utcTime(local) }
}
