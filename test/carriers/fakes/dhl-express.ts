/**
 * A fake of DHL Express. It has tracking only, since DHL Express takes no cancellations. Lookups play the script, which
 * never changes the parcel. A request that does not follow DHL's documentation gets a 400.
 */
import {
  type FakeCarrier,
  type FakeParcel,
  type FakeParcels,
  type FakeReply,
  type FakeRequest,
  fakeParcels,
  playCancel,
  type ReplySet,
  type ScriptTimes,
  startFake,
} from './fake-carrier.ts'

export const EXPRESS_CREDENTIALS = { user: 'express-user', password: 'canary-express-password' }

/** A running fake of a carrier with tracking only. */
export type TrackingFake = FakeCarrier & {
  readonly parcels: FakeParcels
  /** Sets a fixed reply to every lookup. Undefined restores the replies by parcel. */
  answerWith(reply: FakeReply | undefined): void
}

export type ExpressFake = TrackingFake & {
  /** Sets the reply to requests for images of one pick-up month, or of every month. */
  imageWith(reply: FakeReply, month?: string): void
}

export async function startExpressFake({ slowMs = 200, lateMs = 5 } = {}): Promise<ExpressFake> {
  const parcels = fakeParcels()
  const images = new Map<string | undefined, FakeReply>()
  let canned: FakeReply | undefined

  function answer(request: FakeRequest): Promise<FakeReply> | FakeReply {
    const basic = `${EXPRESS_CREDENTIALS.user}:${EXPRESS_CREDENTIALS.password}`
    if (request.headers.authorization !== `Basic ${Buffer.from(basic).toString('base64')}`)
      return problem(401, 'Unauthorized')
    if (/^\/mydhlapi\/shipments\/[^/]+\/get-image$/.test(request.path)) return imageOf(request)
    const [, number] = /^\/mydhlapi\/shipments\/([^/]+)\/tracking$/.exec(request.path) ?? []
    const isRight =
      request.headers['x-version'] === '3.1.0' &&
      request.query.get('trackingView') === 'all-checkpoints' &&
      request.query.get('levelOfDetail') === 'all' &&
      request.query.get('requestGMTOffsetPerEvent') === 'true'
    if (request.method !== 'GET' || number === undefined || !isRight) return problem(400, 'Bad request')
    if (canned !== undefined) return canned
    const parcel = parcels.find(number)
    if (parcel === undefined) return NO_DATA
    return playLookup(parcel, repliesOf(number, parcel), { slowMs, lateMs })
  }

  function imageOf({ query }: FakeRequest): FakeReply {
    const month = query.get('pickupYearAndMonth') ?? ''
    const isRight = query.get('typeCode') === 'waybill' && /^\d{4}-\d{2}$/.test(month)
    if (!isRight || query.get('shipperAccountNumber') === null) return problem(400, 'Bad request')
    return images.get(month) ?? images.get(undefined) ?? NO_IMAGES
  }

  const fake = await startFake(answer)
  return {
    ...fake,
    baseUrl: `${fake.baseUrl}/mydhlapi`,
    parcels,
    answerWith(reply) {
      canned = reply
    },
    imageWith(reply, month) {
      images.set(month, reply)
    },
  }
}

/** Plays a script by lookups. The reply `cancelled` stands for an announced parcel. */
export async function playLookup(
  parcel: FakeParcel,
  replies: ReplySet,
  times: ScriptTimes,
): Promise<FakeReply> {
  const isRepeat = parcel.cancelCalls > 0
  // These scripts cut the first connection only, as in a cancellation.
  if (isRepeat && (parcel.script === 'reply-lost' || parcel.script === 'late-accept'))
    return replies.cancelled
  if (!isRepeat && parcel.script === '401-once') {
    parcel.cancelCalls += 1
    return { status: 401, body: { title: 'Unauthorized' } }
  }
  const seen = { ...parcel }
  const reply = await playCancel(seen, replies, times)
  parcel.cancelCalls = seen.cancelCalls
  return reply
}

function problem(status: number, title: string): FakeReply {
  return {
    status,
    body: { title, status: String(status), message: title, detail: `${title}, in detail` },
  }
}

/** The specification's example of a 404, with its own spelling. */
export const NO_DATA: FakeReply = {
  status: 404,
  body: {
    instance: '/expressapi/shipments/1251820953/tracking',
    detail: 'No data found',
    title: 'Not data found',
    message: 'Not data found',
    status: '404',
  },
}

/** The specification's example of a 404 of get-image. */
export const NO_IMAGES: FakeReply = {
  status: 404,
  body: {
    instance: '/expressapi/shipments/1371943802/get-image',
    detail: '1504: No document images found for the provided search criteria.',
    title: 'Not found',
    message: 'Not found',
    status: '404',
  },
}

/** A checkpoint, in local time. */
export function checkpoint(typeCode: string, date: string, time: string, GMTOffset?: string): object {
  return { date, time, ...(GMTOffset && { GMTOffset }), typeCode, description: 'text', serviceArea: [] }
}

/** A piece of a shipment. */
export function piece(shipmentTrackingNumber: unknown, events: unknown): object {
  return {
    number: 1,
    typeCode: 'SMF',
    shipmentTrackingNumber,
    trackingNumber: 'JD012345678901234567',
    events,
  }
}

/** A reply 200 with one shipment, by default of one piece without checkpoints of its own. */
export function expressShipment(
  shipmentTrackingNumber: unknown,
  events: unknown,
  changes: object = { pieces: [piece(shipmentTrackingNumber, [])] },
): FakeReply {
  const shipment = { shipmentTrackingNumber, status: 'Success', productCode: 'P', events, numberOfPieces: 1 }
  return { status: 200, body: { shipments: [{ ...shipment, ...changes }] } }
}

/** DHL Express has no cancelled shipments. The closest reply is the one for a number without data. */
function repliesOf(number: string, { scannedAt = '' }: FakeParcel): ReplySet {
  const announced = expressShipment(number, [])
  const [date = '', time = ''] = scannedAt.replace('Z', '').split('T')
  return {
    cancelled: announced,
    already: NO_DATA,
    scanned: expressShipment(number, [
      checkpoint('PU', date, time, '+00:00'),
      checkpoint('DF', date, '23:00:00', '+00:00'),
    ]),
    windowClosed: announced,
    pending: announced,
    partial: expressShipment('9999999999', []),
    meaningless: { status: 200, body: { shipments: [] } },
    tooMany: problem(429, 'Too many requests'),
    unavailable: problem(503, 'Service unavailable'),
  }
}
