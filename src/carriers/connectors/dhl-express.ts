/**
 * DHL Express (MyDHL API): it cancels pick-ups, not shipments, so a shipment is released when it is not scanned.
 *
 * Read: DHL's specification "DHL Express APIs (MyDHL API)" 3.1.1 and DHL's list of Express checkpoints, in stored copies,
 * November 2026. No live carrier was called. Entering: HTTP Basic, as the specification says.
 */
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { ConnectorType } from '../connector.ts'
import { at, basicAuthorization, exchange, type HttpReply, listAt, textAt } from '../http-exchange.ts'
import { unknown } from './judgement.ts'
import { type ParcelEvent, parcelStateOf, releaseIfUnscanned, utcTime } from './parcel-history.ts'

/**
 * Checkpoints that are a parcel in DHL's hands. Not here, so unclear: those of papers, payment and orders (AD, BN, BR,
 * CD, CR, CS, HP, IC, OH, RR, SC, SS, UD), which may come before the parcel. There is no checkpoint for an announcement.
 * Source: DHL's list of Express checkpoints, read November 2026.
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

/** DHL Express. */
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
 * Announced is a shipment that DHL names, calls a success, and lists no checkpoint of, the list being there: all of them
 * were asked for. A 404 says nothing: it is also the answer for a wrong number.
 */
function judgeTracking({ status, json }: HttpReply, carrierRef: string): CarrierTrackAnswer {
  if (status !== 200) return unknown(`HTTP ${status}`)
  const shipments = listAt(json, 'shipments').filter(
    (shipment) => textAt(shipment, 'shipmentTrackingNumber') === carrierRef,
  )
  if (shipments.length !== 1) return unknown(`${shipments.length} shipments under this number`)
  const events = at(shipments[0], 'events')
  if (at(shipments[0], 'status') !== 'Success' || !Array.isArray(events))
    return unknown('no list of checkpoints')
  return events.length === 0 ? { kind: 'announced' } : parcelStateOf(events.map(eventOf))
}

/** Local date and time, with the offset where DHL gives it; without, it is taken as UTC. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'typeCode') ?? ''
  const local = `${textAt(event, 'date') ?? ''}T${textAt(event, 'time') ?? ''}${textAt(event, 'GMTOffset') ?? ''}`
  return { meaning: SCANS.has(code) ? 'scan' : 'unclear', code, at: utcTime(local) }
}
