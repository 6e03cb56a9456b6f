/**
 * A fake of the DPD Cloud Service. It has tracking only, since DPD takes no cancellations. Lookups play the script,
 * which never changes the parcel. A request that does not follow DPD's documentation is not acknowledged.
 */
import { playLookup, type TrackingFake } from './dhl-express.ts'
import {
  type FakeParcel,
  type FakeReply,
  type FakeRequest,
  fakeParcels,
  type ReplySet,
  startFake,
} from './fake-carrier.ts'

export const DPD_CREDENTIALS = {
  partnerName: 'DPD partner',
  partnerToken: 'canary-dpd-partner',
  cloudUserId: '123456',
  userToken: 'canary-dpd-user',
}

export async function startDpdFake({ slowMs = 200, lateMs = 5 } = {}): Promise<TrackingFake> {
  const parcels = fakeParcels()
  let canned: FakeReply | undefined

  function answer({ method, path, headers }: FakeRequest): Promise<FakeReply> | FakeReply {
    const { partnerName, partnerToken, cloudUserId, userToken } = DPD_CREDENTIALS
    if (headers['version'] !== '100' || headers['language'] !== 'de_DE')
      return notAcknowledged('CLOUD_API_VERSION')
    if (
      headers['partnercredentials-name'] !== partnerName ||
      headers['partnercredentials-token'] !== partnerToken
    )
      return notAcknowledged('CLOUD_API_PARTNERCREDENTIALS')
    if (
      headers['usercredentials-clouduserid'] !== cloudUserId ||
      headers['usercredentials-token'] !== userToken
    )
      return notAcknowledged('CLOUD_API_USERCREDENTIALS')
    const [, number] = /^\/api\/v1\/getOrderStatus\/([^/]+)\/null$/.exec(path) ?? []
    if (method !== 'GET' || number === undefined) return { status: 404 }
    if (canned !== undefined) return canned
    const parcel = parcels.find(number)
    if (parcel === undefined) return notAcknowledged('CLOUD_API_PARCELNO')
    return playLookup(parcel, repliesOf(number, parcel), { slowMs, lateMs })
  }

  return {
    ...(await startFake(answer)),
    parcels,
    answerWith(reply) {
      canned = reply
    },
  }
}

/** An error of DPD, sent with status 200. */
export function notAcknowledged(ErrorCode: string): FakeReply {
  return {
    status: 200,
    body: { Ack: false, ErrorDataList: [{ ErrorID: 2000, ErrorCode, ErrorMsgLong: 'text' }] },
  }
}

/** A milestone or the last state. */
export function dpdState(StatusID: string, StatusDate?: string, StatusReached: unknown = true): object {
  return { StatusReached, StatusID, Headline: 'text', ...(StatusDate && { StatusDate }) }
}

/** A reply 200 with one parcel. */
export function dpdParcel(ParcelNo: string, LastStatusInfo: unknown, milestones: object = {}): FakeReply {
  const Start = dpdState('START', '2026-11-19T18:00:00')
  const body = {
    Ack: true,
    OrderStatus: { ParcelNo, LastStatusInfo, StatusInfoContainer: { Start, ...milestones } },
  }
  return { status: 200, body }
}

/** DPD has no cancelled parcels. The closest reply is the one for a number without data. */
function repliesOf(number: string, { scannedAt = '' }: FakeParcel): ReplySet {
  const announced = dpdParcel(number, dpdState('DATA_TRANSMITTED', '2026-11-19T18:00:00'), {
    OnTheRoad: dpdState('ON_THE_ROAD', undefined, false),
  })
  return {
    cancelled: announced,
    already: notAcknowledged('CLOUD_API_PARCELNO'),
    scanned: dpdParcel(number, dpdState('AT_SENDING_DEPOT', scannedAt.replace('Z', ''))),
    windowClosed: announced,
    pending: announced,
    partial: dpdParcel('01999999999999', dpdState('DATA_TRANSMITTED')),
    meaningless: { status: 200, body: { Ack: true } },
    tooMany: { status: 429 },
    unavailable: { status: 503 },
  }
}
