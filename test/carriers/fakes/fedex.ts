/**
 * A fake of FedEx: tokens, cancellation, tracking. A request that does not follow FedEx's documentation gets a 400 that
 * no test expects. FedEx has no reply for an accepted cancellation (`pending` cancels at once), none for a partial one
 * (`partial` is a 200 with `cancelledShipment: false`), and no published code for a tendered parcel (`scanned` gets the
 * general refusal).
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
  startFake,
} from './fake-carrier.ts'

/** Credentials of a project that can cancel and track. */
export const FEDEX_CREDENTIALS = {
  clientId: 'fedex-client',
  clientSecret: 'canary fedex&secret=1',
  accountNumber: '510087143',
}

/** Credentials of a project that can only track. */
export const FEDEX_TRACK_CREDENTIALS = {
  trackClientId: 'fedex-track',
  trackClientSecret: 'canary-track-secret',
}

export type FedexFake = FakeCarrier & {
  readonly parcels: FakeParcels
  /** Number of tokens issued. */
  tokensIssued(): number
  /** Revokes all tokens issued so far. */
  revokeTokens(): void
  /** Withdraws tracking from the credentials that can cancel. */
  separateProjects(): void
  /**
   * Sets a fixed reply to every cancellation and lookup, or separate ones. Undefined restores the replies by parcel.
   */
  answerWith(reply: FakeReply | undefined, lookup?: FakeReply | undefined): void
  /** Adds an earlier parcel with the same number, which was delivered. `shipDate` is a date, such as `2026-01-31`. */
  addEarlier(trackingNumber: string, shipDate: string): void
  forgetEarlier(): void
  /** Leaves lookups without a reply from now on, until it is called again with `false`. */
  holdLookups(isHeld: boolean): void
}

export async function startFedexFake({ slowMs = 200, lateMs = 5 } = {}): Promise<FedexFake> {
  const parcels = fakeParcels()
  /** Permissions by token. */
  const tokens = new Map<string, readonly ('ship' | 'track')[]>()
  const refusedOnce = new Set<string>()
  let issued = 0
  let areSeparate = false
  /** Ship dates of earlier parcels by number. */
  const earlier = new Map<string, string[]>()
  let canned: FakeReply | undefined
  let cannedLookup: FakeReply | undefined
  let lookupsAreHeld = false

  function issueToken(request: FakeRequest): FakeReply {
    const form = new URLSearchParams(request.text)
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    if (request.method !== 'POST' || !isForm || form.get('grant_type') !== 'client_credentials')
      return fedexError(400, 'BAD.REQUEST.ERROR', 'Missing or duplicate parameters')
    const pair = [form.get('client_id'), form.get('client_secret')].join()
    const { clientId, clientSecret } = FEDEX_CREDENTIALS
    const { trackClientId, trackClientSecret } = FEDEX_TRACK_CREDENTIALS
    const isShip = pair === [clientId, clientSecret].join()
    if (!isShip && pair !== [trackClientId, trackClientSecret].join())
      return fedexError(401, 'NOT.AUTHORIZED.ERROR', 'The given client credentials were not valid')
    issued += 1
    const token = `canary-fedex-token-${issued}`
    tokens.set(token, isShip ? (areSeparate ? ['ship'] : ['ship', 'track']) : ['track'])
    return {
      status: 200,
      body: { access_token: token, token_type: 'bearer', expires_in: 3599, scope: 'CXS' },
    }
  }

  async function answer(request: FakeRequest): Promise<FakeReply> {
    if (request.path === '/oauth/token') return issueToken(request)
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const rights = tokens.get(token)
    if (rights === undefined) return EXPIRED
    const isTrack = request.path === '/track/v1/trackingnumbers'
    if (!rights.includes(isTrack ? 'track' : 'ship'))
      return fedexError(403, 'FORBIDDEN.ERROR', 'We could not authorize your credentials.')
    if (request.headers['content-type'] !== 'application/json')
      return fedexError(415, 'BAD.REQUEST.ERROR', 'Unsupported media type')
    const transactionId = request.headers['x-customer-transaction-id']
    if (typeof transactionId !== 'string' || request.headers['x-locale'] !== 'en_US')
      return fedexError(400, 'BAD.REQUEST.ERROR', 'Missing transaction id or locale')
    if (isTrack && lookupsAreHeld) return new Promise(() => {})
    const fixed = isTrack ? cannedLookup : canned
    if (fixed !== undefined) return fixed
    if (isTrack && request.method === 'POST') return track(request, parcels, earlier)
    if (request.path !== '/ship/v1/shipments/cancel' || request.method !== 'PUT')
      return fedexError(404, 'NOT.FOUND.ERROR', 'The resource you requested is no longer available.')
    const { trackingNumber, ...rest } = (request.json ?? {}) as Record<string, unknown>
    const account = { value: FEDEX_CREDENTIALS.accountNumber }
    const expected = { accountNumber: account, deletionControl: 'DELETE_ALL_PACKAGES' }
    const parcel = parcels.find(String(trackingNumber))
    if (JSON.stringify(rest) !== JSON.stringify(expected) || parcel === undefined)
      return fedexError(400, 'BAD.REQUEST.ERROR', 'The request is not valid')
    if (parcel.script === '401-once' && !refusedOnce.has(String(trackingNumber))) {
      refusedOnce.add(String(trackingNumber))
      tokens.delete(token)
      return EXPIRED
    }
    return playCancel(parcel, VOICE, { slowMs, lateMs })
  }

  return {
    ...(await startFake(answer)),
    parcels,
    tokensIssued: () => issued,
    revokeTokens: () => tokens.clear(),
    separateProjects() {
      areSeparate = true
      tokens.clear()
    },
    answerWith(reply, lookup = reply) {
      canned = reply
      cannedLookup = lookup
    },
    addEarlier(trackingNumber, shipDate) {
      earlier.set(trackingNumber, [...(earlier.get(trackingNumber) ?? []), shipDate])
    },
    forgetEarlier: () => earlier.clear(),
    holdLookups(isHeld) {
      lookupsAreHeld = isHeld
    },
  }
}

export function fedexError(status: number, code: string, message: string): FakeReply {
  return {
    status,
    body: { transactionId: '624deea6-b709-470c-8c39-4b5511281492', errors: [{ code, message }] },
  }
}

const EXPIRED = fedexError(401, 'NOT.AUTHORIZED.ERROR', 'Access token expired.')

/** The body of a successful cancellation. */
export function cancelResponse(cancelledShipment: unknown = true, cancelledHistory: unknown = false): object {
  return {
    transactionId: '624deea6-b709-470c-8c39-4b5511281492',
    output: {
      cancelledShipment,
      cancelledHistory,
      message: cancelledShipment === true ? 'Shipment is successfully cancelled' : '',
      alerts: [],
    },
  }
}

const DONE: FakeReply = { status: 200, body: cancelResponse() }

const VOICE: ReplySet = {
  cancelled: DONE,
  already: fedexError(400, 'CANCELSHIPMENT.TRACKINGNUMBER.DELETED', 'Shipment is already deleted.'),
  scanned: fedexError(400, 'SHIPMENT.CANCELEDWITHOUTPICKUP.FAILURE', 'The shipment cannot be canceled.'),
  windowClosed: fedexError(400, 'TRACKINGIDS.TRACKINGNUMBER.CLOSED', 'The tracking number is closed.'),
  pending: DONE,
  partial: { status: 200, body: cancelResponse(false) },
  meaningless: { status: 200, body: '"string"' },
  tooMany: fedexError(429, 'TOO.MANY.REQUESTS', 'Rate limit exceeded'),
  unavailable: fedexError(503, 'SERVICE.UNAVAILABLE.ERROR', 'The service is currently unavailable.'),
}

export function scanEvent(eventType: string, derivedStatusCode: string, date: string): object {
  return { date, eventType, derivedStatusCode, eventDescription: 'text', scanLocation: { city: '' } }
}

/** One result of a lookup, newest event first. `shipDate` is a date, such as `2026-01-31`. */
export function trackResult(
  trackingNumber: string,
  scanEvents: readonly unknown[],
  latestStatusDetail?: object,
  shipDate?: string,
): object {
  const ship = { type: 'SHIP', dateTime: `${shipDate}T00:00:00-06:00` }
  return {
    trackingNumberInfo: {
      trackingNumber,
      trackingNumberUniqueId: `12013~${trackingNumber}~FDEG`,
      carrierCode: 'FDXE',
    },
    ...(latestStatusDetail && { latestStatusDetail }),
    ...(shipDate !== undefined && { dateAndTimes: [ship] }),
    scanEvents,
  }
}

/** The body of a successful lookup with one result, newest event first. */
export function trackResponse(
  trackingNumber: string,
  scanEvents: readonly unknown[],
  latestStatusDetail?: object,
): object {
  return trackResponses({ [trackingNumber]: [trackResult(trackingNumber, scanEvents, latestStatusDetail)] })
}

/** The body of a successful lookup: the results by tracking number. */
export function trackResponses(results: Readonly<Record<string, readonly object[]>>): object {
  const completeTrackResults = Object.entries(results).map(([trackingNumber, trackResults]) => ({
    trackingNumber,
    trackResults,
  }))
  return { transactionId: '624deea6-b709-470c-8c39-4b5511281492', output: { completeTrackResults } }
}

/** FedEx accepts at most 30 numbers, and ranges of at most 30 days without an end in the future. */
type TrackInfo = {
  readonly trackingNumberInfo?: { readonly trackingNumber?: string }
  readonly shipDateBegin?: string
  readonly shipDateEnd?: string
}

const DAY_MS = 86_400_000

function track(
  request: FakeRequest,
  parcels: FakeParcels,
  earlier: ReadonlyMap<string, readonly string[]>,
): FakeReply {
  const { includeDetailedScans, trackingInfo = [] } = (request.json ?? {}) as {
    includeDetailedScans?: unknown
    trackingInfo?: readonly TrackInfo[]
  }
  const numbers = trackingInfo.map(({ trackingNumberInfo }) => trackingNumberInfo?.trackingNumber ?? '')
  if (includeDetailedScans !== true || numbers.length === 0 || numbers.includes(''))
    return fedexError(400, 'TRACKING.TRACKINGNUMBER.EMPTY', 'Please provide tracking number.')
  if (numbers.length > 30)
    return fedexError(400, 'TRACKING.TRACKINGNUMBERS.LIMITEXCEEDED', 'Please limit your inquiry to 30.')
  for (const { shipDateBegin, shipDateEnd } of trackingInfo) {
    if ((shipDateBegin === undefined) !== (shipDateEnd === undefined))
      return fedexError(400, 'TRACKING.SHIPDATERANGE.INVALID', 'Please provide both dates.')
    if (shipDateBegin === undefined || shipDateEnd === undefined) continue
    const days = (Date.parse(shipDateEnd) - Date.parse(shipDateBegin)) / DAY_MS
    if (!(days >= 0 && days <= 30))
      return fedexError(400, 'TRACKING.SHIPDATERANGE.ERROR', 'Invalid date range.')
    if (Date.parse(shipDateEnd) > Date.now())
      return fedexError(400, 'TRACKING.SHIPDATEEND.FUTURE', 'End date must not be in the future.')
  }
  const results = trackingInfo.map((info): [string, object[]] => {
    const number = info.trackingNumberInfo?.trackingNumber ?? ''
    return [number, resultsOf(number, info, parcels, earlier.get(number) ?? [])]
  })
  return { status: 200, body: trackResponses(Object.fromEntries(results)) }
}

/** The day on which the parcels of this fake are shipped. */
const SHIP_DATE = '2026-11-19'

function resultsOf(
  number: string,
  { shipDateBegin = '', shipDateEnd = '9999-12-31' }: TrackInfo,
  parcels: FakeParcels,
  earlier: readonly string[],
): object[] {
  const isInRange = (date: string) => date >= shipDateBegin && date <= shipDateEnd
  const parcel = parcels.find(number)
  const results = earlier
    .filter(isInRange)
    .map((date) =>
      trackResult(number, [scanEvent('DL', 'DL', `${date}T18:00:00-05:00`)], { code: 'DL' }, date),
    )
  if (parcel !== undefined && isInRange(SHIP_DATE)) results.push(parcelResult(number, parcel))
  if (results.length > 0) return results
  const error = { code: 'TRACKING.TRACKINGNUMBER.NOTFOUND', message: 'Tracking number cannot be found.' }
  return [{ trackingNumberInfo: { trackingNumber: number }, error }]
}

function parcelResult(number: string, parcel: FakeParcel): object {
  const label = scanEvent('OC', 'IN', '2026-11-19T15:00:00-05:00')
  const newer = {
    announced: () => [],
    scanned: (at = '') => [
      scanEvent('DP', 'IT', '2026-11-20T13:00:00-05:00'),
      scanEvent('PU', 'PU', at.replace('Z', '+00:00')),
    ],
    cancelled: () => [scanEvent('CA', 'CA', '2026-11-19T16:00:00-05:00')],
  }[parcel.state](parcel.scannedAt)
  const [code, derivedCode] = { announced: ['OC', 'IN'], scanned: ['DP', 'IT'], cancelled: ['CA', 'CA'] }[
    parcel.state
  ] as [string, string]
  return trackResult(number, [...newer, label], { code, derivedCode }, SHIP_DATE)
}
