/**
 * A fake of DHL Parcel DE: deletion and lookup of orders, daily manifests, and the unified tracking API. A request that
 * does not follow DHL's documentation gets a 418, which no test expects. DHL has no reply for an accepted cancellation
 * (`pending` deletes at once), and reports a picked-up parcel as manifested. Orders of another user group are unknown
 * to a deletion.
 *
 * Replies in the dialect `recorded` have the shapes of the test files of DHL's PHP SDK; those in the dialect
 * `specification` follow the text of the specification 2.1.13.
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
  /** The same for lookups of orders. */
  orderWith(reply: FakeReply | undefined): void
  /** The same for tracking. */
  trackWith(reply: FakeReply | undefined): void
  /** The same for the manifest of a day (YYYY-MM-DD), or of every day. */
  manifestWith(reply: FakeReply | undefined, day?: string): void
  /** The end of a day: the order is in its manifest, and unknown to deletions and order lookups. */
  closeOrder(number: string, day: string): void
  /** The days whose manifests were requested since the last call, in order. */
  manifestDays(): string[]
}

export type DhlDialect = 'recorded' | 'specification'

export async function startDhlParcelFake({
  slowMs = 200,
  lateMs = 5,
  profile = 'STANDARD_GRUPPENPROFIL',
  dialect = 'recorded' as DhlDialect,
} = {}): Promise<DhlParcelFake> {
  const parcels = fakeParcels()
  const refusedOnce = new Set<string>()
  let canned: FakeReply | undefined
  let cannedOrder: FakeReply | undefined
  let cannedTracking: FakeReply | undefined
  const cannedManifests = new Map<string | undefined, FakeReply>()
  /** The orders of each day that is closed. */
  const closed = new Map<string, string[]>()
  const manifestDays: string[] = []

  function answer(request: FakeRequest): Promise<FakeReply> | FakeReply {
    if (request.headers['dhl-api-key'] !== DHL_CREDENTIALS.apiKey) return problem(401, 'Unauthorized')
    if (request.path === '/track/shipments') return cannedTracking ?? track(request, parcels)
    const basic = `${DHL_CREDENTIALS.user}:${DHL_CREDENTIALS.password}`
    if (request.headers.authorization !== `Basic ${Buffer.from(basic).toString('base64')}`)
      return problem(401, 'Unauthorized')
    if (request.headers['accept-language'] !== 'en-US') return problem(418, 'not this way')
    if (request.path === '/parcel/de/shipping/v2/manifests') return readManifest(request)
    if (request.path !== '/parcel/de/shipping/v2/orders' || request.text !== '')
      return problem(404, 'Not Found')
    const isOpen = (number: string) =>
      parcels.find(number)?.state === 'announced' && ![...closed.values()].flat().includes(number)
    if (request.method === 'GET') return cannedOrder ?? lookUpOrder(request, isOpen, dialect)
    return request.method === 'DELETE' ? deleteOrder(request) : problem(404, 'Not Found')
  }

  function readManifest({ method, query }: FakeRequest): FakeReply {
    const day = query.get('date') ?? ''
    manifestDays.push(day)
    if (method !== 'GET' || query.get('includeDocs') !== 'URL') return problem(418, 'not this way')
    const numbers = closed.get(day)
    return cannedManifests.get(day) ?? cannedManifests.get(undefined) ?? manifest(day, numbers)
  }

  function deleteOrder({ query }: FakeRequest): Promise<FakeReply> | FakeReply {
    const [shipment = '', ...others] = query.getAll('shipment')
    if (others.length > 0) return problem(418, 'not this way')
    if (query.get('profile') === null) return deleted(400, [], 'The attribute profile is mandatory')
    if (canned !== undefined) return canned
    const replies = repliesOf(shipment, dialect)
    const parcel = parcels.find(shipment)
    if ([...closed.values()].flat().includes(shipment)) return replies.already
    if (parcel === undefined || query.get('profile') !== profile) return replies.already
    if (parcel.script === '401-once' && !refusedOnce.has(shipment)) {
      refusedOnce.add(shipment)
      return problem(401, 'Unauthorized')
    }
    return playCancel(parcel, replies, { slowMs, lateMs })
  }

  return {
    ...(await startFake(answer)),
    parcels,
    answerWith(reply) {
      canned = reply
    },
    orderWith(reply) {
      cannedOrder = reply
    },
    trackWith(reply) {
      cannedTracking = reply
    },
    manifestWith(reply, day) {
      if (reply !== undefined) cannedManifests.set(day, reply)
      else cannedManifests.clear()
    },
    closeOrder(number, day) {
      closed.set(day, [...(closed.get(day) ?? []), number])
    },
    manifestDays: () => manifestDays.splice(0),
  }
}

/** "Only documents and label for shipments that are not yet closed can be retrieved." */
function lookUpOrder(
  { query }: FakeRequest,
  isOpen: (number: string) => boolean,
  dialect: DhlDialect,
): FakeReply {
  const numbers = query.getAll('shipment')
  if (numbers.length === 0 || query.get('includeDocs') !== 'URL') return problem(418, 'not this way')
  const items = numbers.map((number) => (isOpen(number) ? item(number, 200) : unknownItem(number, dialect)))
  if (numbers.length > 1) return deleted(207, items)
  if (isOpen(numbers[0] ?? '')) return deleted(200, items)
  return dialect === 'recorded' ? deleted(400, items) : NO_SUCH_ORDER
}

/** DHL's own 404 of an order lookup, with the text of its specification. */
export const NO_SUCH_ORDER: FakeReply = {
  status: 404,
  body: { title: 'Not Found', status: 404, statusCode: 404, detail: 'Unknown shipment number.' },
}

/** The manifest of a day; DHL's own 404 if nothing was closed. */
export function manifest(day: string, numbers: readonly unknown[] | undefined): FakeReply {
  if (numbers === undefined) return problem(404, 'No manifest')
  const items = numbers.map((shipmentNo) => ({ shipmentNo, sheetNo: '1' }))
  return {
    status: 200,
    body: { status: { title: 'ok', status: 200, statusCode: 200 }, manifestDate: day, items },
  }
}

const DAY_CLOSED = 'The shipment was already manifested.'

/** An error that concerns no shipment. */
export function problem(status: number, title: string): FakeReply {
  return { status, body: { title, status, statusCode: status, detail: `${title}, in detail.` } }
}

/** An item of a reply about orders. */
export function item(shipmentNo: unknown, statusCode: number, detail?: string, title?: string): object {
  const defaultTitle = statusCode === 200 ? 'OK' : 'Bad Request'
  return {
    shipmentNo,
    sstatus: { title: title ?? defaultTitle, statusCode, ...(detail !== undefined && { detail }) },
  }
}

/** The item for an unknown or deleted order. */
export function unknownItem(shipmentNo: unknown, dialect: DhlDialect = 'recorded'): object {
  const detail = 'Unknown shipment number.'
  return dialect === 'recorded'
    ? item(shipmentNo, 204, detail, 'UnknownShipmentNumber')
    : { shipmentNo, sstatus: { title: 'Bad Request', status: 400, detail } }
}

/** A reply about orders, to a deletion or a lookup. */
export function deleted(statusCode: number, items: readonly object[], detail = 'The call ran.'): FakeReply {
  return { status: statusCode, body: { status: { title: 'status', statusCode, detail }, items } }
}

function repliesOf(shipment: string, dialect: DhlDialect): ReplySet {
  const cancelled = deleted(200, [item(shipment, 200)], '1 of 1 shipment successfully canceled.')
  const none = '0 of 1 shipment successfully canceled.'
  return {
    cancelled,
    already: deleted(400, [unknownItem(shipment, dialect)], none),
    scanned: deleted(400, [item(shipment, 400, DAY_CLOSED)], none),
    windowClosed: deleted(400, [item(shipment, 400, DAY_CLOSED)], none),
    pending: cancelled,
    partial: deleted(207, [item('00340434161094000000', 200)]),
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
export function shipments(id: unknown, events: readonly object[], pieceIds?: readonly unknown[]): FakeReply {
  const details = { totalNumberOfPieces: 1, ...(pieceIds !== undefined && { pieceIds }) }
  const shipment = { id, service: 'parcel-de', status: events[0], details, events }
  return { status: 200, body: { shipments: [shipment] } }
}

function track({ method, query }: FakeRequest, parcels: FakeParcels): FakeReply {
  const number = query.get('trackingNumber') ?? ''
  const parcel = parcels.find(number)
  if (method !== 'GET' || query.get('service') !== 'parcel-de') return problem(418, 'not this way')
  if (parcel === undefined || parcel.state === 'cancelled')
    return {
      status: 404,
      body: {
        title: 'No result found',
        status: 404,
        detail: 'No shipment with given tracking number found.',
      },
    }
  const announcement = dhlEvent('pre-transit', '2026-11-19T18:00:00')
  if (parcel.state === 'announced') return shipments(number, [announcement])
  const at = (parcel.scannedAt ?? '').replace('Z', '')
  return shipments(number, [
    dhlEvent('transit', '2026-11-20T21:00:00'),
    dhlEvent('transit', at),
    announcement,
  ])
}
