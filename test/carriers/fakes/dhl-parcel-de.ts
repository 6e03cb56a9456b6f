/**
 * A fake of DHL Parcel DE: deletion of orders, and the unified tracking API. A request that does not follow DHL's
 * documentation gets a 418, which no test expects. DHL has no reply for an accepted cancellation (`pending` deletes at
 * once), and reports a picked-up parcel as manifested.
 */
import {
  type FakeCarrier,
  type FakeParcels,
  type FakeReply,
  type FakeRequest,
  fakeParcels,
  playCancel,
  type ReplySet,
  startFake,
} from './fake-carrier.ts'

export const DHL_CREDENTIALS = { apiKey: 'canary-dhl-key', user: 'dhl-user', password: 'canary-dhl-pässword' }

export type DhlParcelFake = FakeCarrier & {
  readonly parcels: FakeParcels
  /** Sets a fixed reply to every deletion. Undefined restores the replies by parcel. */
  answerWith(reply: FakeReply | undefined): void
  /** The same for lookups. */
  trackWith(reply: FakeReply | undefined): void
}

export async function startDhlParcelFake({
  slowMs = 200,
  lateMs = 5,
  profile = 'STANDARD_GRUPPENPROFIL',
} = {}): Promise<DhlParcelFake> {
  const parcels = fakeParcels()
  const refusedOnce = new Set<string>()
  let canned: FakeReply | undefined
  let cannedTracking: FakeReply | undefined

  function answer(request: FakeRequest): Promise<FakeReply> | FakeReply {
    if (request.headers['dhl-api-key'] !== DHL_CREDENTIALS.apiKey) return problem(401, 'Unauthorized')
    if (request.path === '/track/shipments') return cannedTracking ?? track(request, parcels)
    const basic = `${DHL_CREDENTIALS.user}:${DHL_CREDENTIALS.password}`
    if (request.headers.authorization !== `Basic ${Buffer.from(basic).toString('base64')}`)
      return problem(401, 'Unauthorized')
    if (
      request.method !== 'DELETE' ||
      request.path !== '/parcel/de/shipping/v2/orders' ||
      request.text !== ''
    )
      return problem(404, 'Not Found')
    const [shipment = '', ...others] = request.query.getAll('shipment')
    if (others.length > 0 || request.headers['accept-language'] !== 'en-US')
      return problem(418, 'not this way')
    if (request.query.get('profile') !== profile) return deleted(400, [], 'The profile is not permitted')
    if (canned !== undefined) return canned
    const parcel = parcels.find(shipment)
    if (parcel === undefined) return deleted(400, [item(shipment, 400, UNKNOWN_ORDER)], 'none deleted')
    if (parcel.script === '401-once' && !refusedOnce.has(shipment)) {
      refusedOnce.add(shipment)
      return problem(401, 'Unauthorized')
    }
    return playCancel(parcel, repliesOf(shipment), { slowMs, lateMs })
  }

  return {
    ...(await startFake(answer)),
    parcels,
    answerWith(reply) {
      canned = reply
    },
    trackWith(reply) {
      cannedTracking = reply
    },
  }
}

const UNKNOWN_ORDER = 'Unknown shipment number.'
const DAY_CLOSED = 'The shipment was already manifested.'

/** An error that concerns no shipment. */
export function problem(status: number, title: string): FakeReply {
  return { status, body: { title, status, statusCode: status, detail: `${title}, in detail.` } }
}

/** An item of the reply to a deletion. */
export function item(shipmentNo: unknown, status: number, detail: string): object {
  return {
    shipmentNo,
    sstatus: { title: status === 200 ? 'OK' : 'Bad Request', status, statusCode: status, detail },
  }
}

export function deleted(status: number, items: readonly object[], detail = 'The call ran.'): FakeReply {
  return { status, body: { status: { title: 'status', status, statusCode: status, detail }, items } }
}

function repliesOf(shipment: string): ReplySet {
  const cancelled = deleted(200, [item(shipment, 200, 'deleted')])
  return {
    cancelled,
    already: deleted(400, [item(shipment, 400, UNKNOWN_ORDER)]),
    scanned: deleted(400, [item(shipment, 400, DAY_CLOSED)]),
    windowClosed: deleted(400, [item(shipment, 400, DAY_CLOSED)]),
    pending: cancelled,
    partial: deleted(207, [item('00340434161094000000', 200, 'deleted')]),
    meaningless: { status: 200, body: {} },
    tooMany: problem(429, 'Too Many Requests'),
    unavailable: problem(503, 'Service Unavailable'),
  }
}

/** An event of the unified tracking API, in local time without an offset. */
export function dhlEvent(statusCode: string, timestamp: string): object {
  return { timestamp, statusCode, status: statusCode, description: 'text in the requested language' }
}

/** A reply 200 of the unified tracking API, newest event first. Its status repeats the newest event. */
export function shipments(id: string, events: readonly object[]): FakeReply {
  return { status: 200, body: { shipments: [{ id, service: 'parcel-de', status: events[0], events }] } }
}

function track({ method, query }: FakeRequest, parcels: FakeParcels): FakeReply {
  const number = query.get('trackingNumber') ?? ''
  const parcel = parcels.find(number)
  if (method !== 'GET' || query.get('service') !== 'parcel-de') return problem(418, 'not this way')
  if (parcel === undefined || parcel.state === 'cancelled') return problem(404, 'No result found')
  const announcement = dhlEvent('pre-transit', '2026-11-19T18:00:00')
  if (parcel.state === 'announced') return shipments(number, [announcement])
  const at = (parcel.scannedAt ?? '').replace('Z', '')
  return shipments(number, [
    dhlEvent('transit', '2026-11-20T21:00:00'),
    dhlEvent('transit', at),
    announcement,
  ])
}
