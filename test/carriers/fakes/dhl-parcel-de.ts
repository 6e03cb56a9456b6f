/**
 * DHL Parcel DE on loopback: deleting orders, and the unified tracking API beside it. Strict: a request that is not as
 * DHL documents it gets a 418 that no test takes for an answer. DHL has no words for "taken on" (`pending` is deleted at
 * once) and says of a picked-up parcel only that its day is closed.
 */
import {
  type FakeCarrier,
  type FakeParcels,
  type FakeReply,
  type FakeRequest,
  fakeParcels,
  playCancel,
  startFake,
  type Voice,
} from './fake-carrier.ts'

/** The credentials the fake knows. */
export const DHL_CREDENTIALS = { apiKey: 'canary-dhl-key', user: 'dhl-user', password: 'canary-dhl-pässword' }

/** A running fake of DHL Parcel DE. */
export type DhlParcelFake = FakeCarrier & {
  readonly parcels: FakeParcels
  /** From now on every deletion is answered with this; undefined: by the parcels again. */
  answerWith(reply: FakeReply | undefined): void
  /** The same for look-ups. */
  trackWith(reply: FakeReply | undefined): void
}

/** Starts it, knowing one user group. */
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
    return playCancel(parcel, voiceOf(shipment), { slowMs, lateMs })
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

/** A problem as DHL puts it where no shipment is concerned. */
export function problem(status: number, title: string): FakeReply {
  return { status, body: { title, status, statusCode: status, detail: `${title}, in more words.` } }
}

/** An item of a deletion's reply. */
export function item(shipmentNo: unknown, status: number, detail: string): object {
  return {
    shipmentNo,
    sstatus: { title: status === 200 ? 'OK' : 'Bad Request', status, statusCode: status, detail },
  }
}

/** A reply to a deletion. */
export function deleted(status: number, items: readonly object[], detail = 'The call ran.'): FakeReply {
  return { status, body: { status: { title: 'status', status, statusCode: status, detail }, items } }
}

function voiceOf(shipment: string): Voice {
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

/** An event of the unified tracking API; DHL writes local time without an offset. */
export function dhlEvent(statusCode: string, timestamp: string): object {
  return { timestamp, statusCode, status: statusCode, description: 'text in the language asked for' }
}

/** A 200 of the unified tracking API; its status repeats the newest event, which is the first. */
export function shipments(id: string, events: readonly object[]): FakeReply {
  return { status: 200, body: { shipments: [{ id, service: 'parcel-de', status: events[0], events }] } }
}

function track({ method, query }: FakeRequest, parcels: FakeParcels): FakeReply {
  const number = query.get('trackingNumber') ?? ''
  const parcel = parcels.find(number)
  if (method !== 'GET' || query.get('service') !== 'parcel-de') return problem(418, 'not this way')
  if (parcel === undefined || parcel.state === 'cancelled') return problem(404, 'No result found')
  const told = dhlEvent('pre-transit', '2026-11-19T18:00:00')
  if (parcel.state === 'announced') return shipments(number, [told])
  const at = (parcel.scannedAt ?? '').replace('Z', '')
  return shipments(number, [dhlEvent('transit', '2026-11-20T21:00:00'), dhlEvent('transit', at), told])
}
