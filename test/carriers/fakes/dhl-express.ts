/**
 * DHL Express on loopback: tracking alone, for there is nothing to cancel. A script is played by look-ups instead, and
 * never changes the parcel. Strict: a request that is not as DHL documents it gets a 400.
 */
import {
  type FakeCarrier,
  type FakeParcel,
  type FakeParcels,
  type FakeReply,
  type FakeRequest,
  fakeParcels,
  playCancel,
  type ScriptTimes,
  startFake,
  type Voice,
} from './fake-carrier.ts'

/** The credentials the fake knows. */
export const EXPRESS_CREDENTIALS = { user: 'express-user', password: 'canary-express-password' }

/** A running fake of a carrier that is only looked up. */
export type TrackingFake = FakeCarrier & {
  readonly parcels: FakeParcels
  /** From now on every look-up is answered with this; undefined: by the parcels again. */
  answerWith(reply: FakeReply | undefined): void
}

/** Starts it. */
export async function startExpressFake({ slowMs = 200, lateMs = 5 } = {}): Promise<TrackingFake> {
  const parcels = fakeParcels()
  let canned: FakeReply | undefined

  function answer(request: FakeRequest): Promise<FakeReply> | FakeReply {
    const basic = `${EXPRESS_CREDENTIALS.user}:${EXPRESS_CREDENTIALS.password}`
    if (request.headers.authorization !== `Basic ${Buffer.from(basic).toString('base64')}`)
      return problem(401, 'Unauthorized')
    const [, number] = /^\/mydhlapi\/shipments\/([^/]+)\/tracking$/.exec(request.path) ?? []
    const isRight =
      request.query.get('trackingView') === 'all-checkpoints' &&
      request.query.get('levelOfDetail') === 'shipment'
    if (request.method !== 'GET' || number === undefined || !isRight) return problem(400, 'Bad request')
    if (canned !== undefined) return canned
    const parcel = parcels.find(number)
    if (parcel === undefined) return problem(404, 'No data found')
    return playLookup(parcel, voiceOf(number, parcel), { slowMs, lateMs })
  }

  const fake = await startFake(answer)
  return {
    ...fake,
    baseUrl: `${fake.baseUrl}/mydhlapi`,
    parcels,
    answerWith(reply) {
      canned = reply
    },
  }
}

/** Plays a script by look-ups: `cancelled` of the voice is what it says of an announced parcel. */
export async function playLookup(parcel: FakeParcel, voice: Voice, times: ScriptTimes): Promise<FakeReply> {
  const isRepeat = parcel.cancelCalls > 0
  // What is cut once in a cancellation is cut once here as well.
  if (isRepeat && (parcel.script === 'reply-lost' || parcel.script === 'late-accept')) return voice.cancelled
  if (!isRepeat && parcel.script === '401-once') {
    parcel.cancelCalls += 1
    return { status: 401, body: { title: 'Unauthorized' } }
  }
  const seen = { ...parcel }
  const reply = await playCancel(seen, voice, times)
  parcel.cancelCalls = seen.cancelCalls
  return reply
}

function problem(status: number, title: string): FakeReply {
  return {
    status,
    body: { title, status: String(status), message: title, detail: `${title}, in more words` },
  }
}

/** A checkpoint, in local time. */
export function checkpoint(typeCode: string, date: string, time: string, GMTOffset?: string): object {
  return { date, time, ...(GMTOffset && { GMTOffset }), typeCode, description: 'text', serviceArea: [] }
}

/** A 200 that tells of one shipment. */
export function expressShipment(
  shipmentTrackingNumber: unknown,
  events: unknown,
  status = 'Success',
): FakeReply {
  return { status: 200, body: { shipments: [{ shipmentTrackingNumber, status, productCode: 'P', events }] } }
}

/** A cancelled shipment is nothing that DHL Express knows of: the nearest is a number without data. */
function voiceOf(number: string, { scannedAt = '' }: FakeParcel): Voice {
  const announced = expressShipment(number, [])
  const [date = '', time = ''] = scannedAt.replace('Z', '').split('T')
  return {
    cancelled: announced,
    already: problem(404, 'No data found'),
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
