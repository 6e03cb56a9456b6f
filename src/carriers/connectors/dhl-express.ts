/**
 * DHL Express (MyDHL API). It cancels pick-ups but not shipments, so an unscanned shipment is released.
 *
 * Sources: DHL's specification "DHL Express APIs (MyDHL API)" 3.1.1 and its list of Express checkpoints, copies read in
 * November 2026. Not tested with the live interface. Authentication: HTTP Basic.
 */
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { ConnectorType } from '../connector.ts'
import { at, basicAuthorization, exchange, type HttpReply, listAt, textAt } from '../http-exchange.ts'
import { credentialFault, unknown, unknownReply } from './judgement.ts'
import {
  type NoData,
  type ParcelEvent,
  parcelStateOf,
  releaseIfUnscanned,
  utcTime,
} from './parcel-history.ts'

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

/** "Interface version - do not change this field value". Source: specification 3.1.1, where it is the default. */
const INTERFACE_VERSION = '3.1.0'

/** Without the last parameter, the checkpoints have no `GMTOffset`. */
const TRACKING_QUERY = 'trackingView=all-checkpoints&levelOfDetail=all&requestGMTOffsetPerEvent=true'

export const dhlExpress: ConnectorType = {
  credentials: ['user', 'password'],
  releases: true,
  cancels: 'shipment',
  liveUrl: 'https://express.api.dhl.com/mydhlapi',
  trackingNumberFault: (carrierRef) => (/^\d{10}$/.test(carrierRef) ? undefined : 'has to be 10 digits'),
  open({ baseUrl, credentials }) {
    const { user = '', password = '' } = credentials
    return releaseIfUnscanned(async (carrierRef, signal) => {
      const path = `/shipments/${encodeURIComponent(carrierRef)}/tracking`
      const reply = await exchange(
        {
          method: 'GET',
          url: `${baseUrl}${path}?${TRACKING_QUERY}`,
          headers: { authorization: basicAuthorization(user, password), 'x-version': INTERFACE_VERSION },
        },
        signal,
      )
      return isNoData(reply) ? NO_DATA : judgeTracking(reply, carrierRef)
    })
  },
}

const NO_DATA: NoData = {
  kind: 'no_data',
  code: '404',
  message: 'DHL Express has no data about this shipment',
}

/** DHL's own 404, which it sends for a wrong number and for a label that nobody has scanned. */
function isNoData({ status, json }: HttpReply): boolean {
  const texts = [textAt(json, 'detail'), textAt(json, 'title')]
  const isOwn = String(at(json, 'status')) === '404'
  return (
    status === 404 &&
    isOwn &&
    texts.some((text) => /\b(?:no|not) (?:data|shipments?) found/i.test(text ?? ''))
  )
}

const NUMBER = 'shipmentTrackingNumber'

/**
 * A shipment is announced if the reply contains it with status "Success", and if it and its pieces have no checkpoints.
 */
function judgeTracking(reply: HttpReply, carrierRef: string): CarrierTrackAnswer {
  const { status, json } = reply
  if (status !== 200) return credentialFault(reply) ?? unknownReply(reply)
  const shipments = listAt(json, 'shipments').filter((shipment) => textAt(shipment, NUMBER) === carrierRef)
  const [shipment] = shipments
  if (shipments.length !== 1) return unknown(`${shipments.length} shipments with this number`)
  const events = at(shipment, 'events')
  if (at(shipment, 'status') !== 'Success' || !Array.isArray(events)) return unknown('no list of checkpoints')
  const pieces = listAt(shipment, 'pieces')
  const hasOthers = pieces.some((piece) => (textAt(piece, NUMBER) ?? carrierRef) !== carrierRef)
  if (hasOthers) return unknown('a piece of another shipment')
  const all = [...events, ...pieces.flatMap((piece) => listAt(piece, 'events'))].map(eventOf)
  if (all.length > 0) return parcelStateOf(all)
  return hasAllPieces(shipment)
    ? { kind: 'announced' }
    : unknown('the checkpoints of some pieces are missing')
}

/** True if the reply has the checkpoints of every piece. For a shipment with one piece, its own checkpoints suffice. */
function hasAllPieces(shipment: unknown): boolean {
  const pieces = at(shipment, 'pieces')
  const count = at(shipment, 'numberOfPieces') ?? 1
  if (pieces === undefined) return count === 1
  return (
    Array.isArray(pieces) &&
    pieces.every((piece) => Array.isArray(at(piece, 'events') ?? [])) &&
    typeof count === 'number' &&
    pieces.length >= count
  )
}

/** DHL sends local dates and times with an offset. Without one they count as UTC, which is wrong by up to 14 hours. */
function eventOf(event: unknown): ParcelEvent {
  const code = textAt(event, 'typeCode') ?? ''
  const local = `${textAt(event, 'date') ?? ''}T${textAt(event, 'time') ?? ''}${textAt(event, 'GMTOffset') ?? ''}`
  return { meaning: SCANS.has(code) ? 'scan' : 'unclear', code, at: utcTime(local) }
}
