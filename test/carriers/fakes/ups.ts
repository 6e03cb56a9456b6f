/**
 * A fake of UPS: tokens, void, tracking. A request that does not follow UPS's documentation gets a 400 that no test
 * expects. UPS has no reply for an accepted void, so `pending` voids at once.
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

export const UPS_CREDENTIALS = { clientId: 'ups-client', clientSecret: 'canary-ups-secret' }

export type UpsFake = FakeCarrier & {
  readonly parcels: FakeParcels
  /** Number of tokens issued. */
  tokensIssued(): number
  /** Revokes all tokens issued so far. */
  revokeTokens(): void
  /** Sets a fixed reply to every void and every lookup. Undefined restores the replies by parcel. */
  answerWith(reply: FakeReply | undefined): void
}

/**
 * The field with the results by package: a list in the specification from v2403 on. Recorded replies have the singular,
 * in which a single package is not in a list.
 */
export type PackageField = 'PackageLevelResults' | 'PackageLevelResult'

export async function startUpsFake({
  slowMs = 200,
  lateMs = 5,
  packageField = 'PackageLevelResults' as PackageField,
} = {}): Promise<UpsFake> {
  const parcels = fakeParcels()
  const tokens = new Set<string>()
  const refusedOnce = new Set<string>()
  const transIds = new Set<unknown>()
  let issued = 0
  let canned: FakeReply | undefined

  function issueToken(request: FakeRequest): FakeReply {
    const { clientId, clientSecret } = UPS_CREDENTIALS
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    if (request.method !== 'POST' || !isForm || request.text !== 'grant_type=client_credentials')
      return upsError(400, '10400', 'Invalid/Missing grant_type')
    if (request.headers.authorization !== basic) return upsError(401, '10401', 'ClientId is Invalid')
    issued += 1
    const token = `canary-ups-token-${issued}`
    tokens.add(token)
    // All fields of UPS are strings.
    return {
      status: 200,
      body: { token_type: 'Bearer', status: 'approved', access_token: token, expires_in: '14399' },
    }
  }

  async function answer(request: FakeRequest): Promise<FakeReply> {
    if (request.path === '/security/v1/oauth/token') return issueToken(request)
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const { transid, transactionsrc } = request.headers
    if (typeof transid !== 'string' || transid.length > 32 || transIds.has(transid) || !transactionsrc)
      return upsError(400, '10002', 'Missing or repeated transId, or missing transactionSrc')
    transIds.add(transid)
    if (!tokens.has(token)) return upsError(401, '250002', 'Invalid Authentication Information.')
    if (canned !== undefined) return canned
    const [, number = ''] =
      /^\/api\/(?:shipments\/v2409\/void\/cancel|track\/v1\/details)\/([^/]+)$/.exec(request.path) ?? []
    if (request.path.startsWith('/api/track/') && request.method === 'GET') return track(number, parcels)
    if (!request.path.startsWith('/api/shipments/') || request.method !== 'DELETE' || request.text !== '')
      return upsError(400, '10002', 'The request is not valid')
    const parcel = parcels.find(number)
    if (parcel === undefined) return upsError(400, '190102', NOT_WITHIN_PERIOD)
    if (parcel.script === '401-once' && !refusedOnce.has(number)) {
      refusedOnce.add(number)
      tokens.delete(token)
      return upsError(401, '250002', 'Invalid Authentication Information.')
    }
    return playCancel(parcel, repliesOf(number, packageField), { slowMs, lateMs })
  }

  return {
    ...(await startFake(answer)),
    parcels,
    tokensIssued: () => issued,
    revokeTokens: () => tokens.clear(),
    answerWith(reply) {
      canned = reply
    },
  }
}

const NOT_WITHIN_PERIOD = 'No shipment found within the allowed void period'

export function upsError(status: number, code: string, message: string): FakeReply {
  return { status, body: { response: { errors: [{ code, message }] } } }
}

const status = (Code: string, Description: string) => ({ Code, Description })

/** The body of a successful void. `packages`: tracking number and code of each package. */
export function voidResponse(
  summary: string,
  packages: readonly (readonly [number: string, code: string])[] = [],
  field: PackageField = 'PackageLevelResults',
): object {
  const results = packages.map(([TrackingNumber, code]) => ({
    TrackingNumber,
    Status: status(code, code === '1' ? 'Voided' : 'Not Voided'),
  }))
  const isSingle = field === 'PackageLevelResult' && results.length === 1
  return {
    VoidShipmentResponse: {
      Response: {
        ResponseStatus: status('1', 'Success'),
        TransactionReference: { TransactionIdentifier: 'ciewss' },
      },
      SummaryResult: { Status: status('1', summary) },
      ...(results.length > 0 && { [field]: isSingle ? results[0] : results }),
    },
  }
}

function repliesOf(number: string, field: PackageField): ReplySet {
  const cancelled: FakeReply = { status: 200, body: voidResponse('Voided', [[number, '1']], field) }
  return {
    cancelled,
    already: upsError(400, '190117', 'The Shipment has already been voided'),
    scanned: upsError(
      400,
      '190103',
      'The Pickup Request associated with this shipment has already been completed',
    ),
    windowClosed: upsError(400, '190102', NOT_WITHIN_PERIOD),
    pending: cancelled,
    partial: {
      status: 200,
      body: voidResponse(
        'Partially Voided',
        [
          [number, '1'],
          ['1Z2220060290530202', '0'],
        ],
        field,
      ),
    },
    meaningless: { status: 200, body: '"string"' },
    tooMany: upsError(429, '10429', 'Too Many Requests'),
    unavailable: upsError(503, '190001', 'Void not available at this time'),
  }
}

/** An entry of a parcel's history. `time` is in UTC; the entry is in local time, five hours behind. */
export function activity(type: string, code: string, statusCode: string, time: string): object {
  const compact = (iso: string) => [iso.slice(0, 10).replaceAll('-', ''), iso.slice(11, 19)] as const
  const [gmtDate, gmtTime] = compact(time)
  const [date, local] = compact(new Date(Date.parse(time) - 5 * 3_600_000).toISOString())
  return {
    status: { type, code, statusCode, description: 'text in the language of the locale' },
    date,
    time: local.replaceAll(':', ''),
    gmtDate,
    gmtTime,
    gmtOffset: '-05:00',
  }
}

/** The body of a successful lookup, newest activity first. */
export function trackResponse(
  number: string,
  activities: readonly unknown[],
  currentStatus?: object,
): object {
  const parcel = { trackingNumber: number, activity: activities, ...(currentStatus && { currentStatus }) }
  return { trackResponse: { shipment: [{ inquiryNumber: number, package: [parcel] }] } }
}

function track(number: string, parcels: FakeParcels): FakeReply {
  const parcel = parcels.find(number)
  if (parcel === undefined) {
    const warnings = [{ code: 'TW0001', message: 'Tracking Information Not Found' }]
    return {
      status: 200,
      body: { trackResponse: { shipment: [{ inquiryNumber: number, warnings }] } },
    }
  }
  const label = activity('M', 'MP', '003', '2026-11-19T20:00:00Z')
  const newer = {
    announced: () => [],
    scanned: (at = '') => [
      activity('I', 'DP', '005', '2026-11-20T18:00:00Z'),
      activity('I', 'XD', '038', at),
    ],
    cancelled: () => [activity('MV', 'VP', '007', '2026-11-19T21:00:00Z')],
  }[parcel.state](parcel.scannedAt)
  const current = { announced: '003', scanned: '005', cancelled: '007' }[parcel.state]
  return { status: 200, body: trackResponse(number, [...newer, label], { code: current }) }
}
