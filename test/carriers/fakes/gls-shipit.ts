/**
 * A fake of GLS: tokens, cancellation (ShipIT), Track And Trace. A request that does not follow GLS's documentation
 * gets a 400 that no test expects. Like GLS, it replies to a second cancellation with an empty 500, sends errors in
 * headers, and lists a parcel in tracking only after the end of day. The reply to a late cancellation is ERROR;
 * `partial` is a success with the number of another parcel.
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
  type Script,
  startFake,
} from './fake-carrier.ts'

export const GLS_CREDENTIALS = { clientId: 'gls-client', clientSecret: 'canary-gls-secret' }

export type GlsFake = FakeCarrier & {
  readonly parcels: FakeParcels
  /** Number of tokens issued. */
  tokensIssued(): number
  /** Revokes all tokens issued so far. */
  revokeTokens(): void
  /** Sets a fixed reply to every cancellation. Undefined restores the replies by parcel. */
  answerWith(reply: FakeReply | undefined): void
  /** The same for lookups. */
  trackWith(reply: FakeReply | undefined): void
  /** Sets the spelling of the result: of the documentation (the default), or of the specification. */
  spellResult(field: 'result' | 'Result'): void
  /** Removes cancelled parcels from ShipIT: a second cancellation gets "does not exist". */
  removeCancelled(removes: boolean): void
  /** Announces a parcel that is not transmitted yet, so that tracking does not list it. */
  addUntransmitted(carrierRef: string, script?: Script): FakeParcel
  /** Transmits the parcels that are not cancelled. */
  endOfDay(): void
}

const GLS_JSON = 'application/glsVersion1+json'

export async function startGlsFake({ slowMs = 200, lateMs = 5 } = {}): Promise<GlsFake> {
  const parcels = fakeParcels()
  const tokens = new Set<string>()
  const refusedOnce = new Set<string>()
  const untransmitted = new Set<string>()
  let resultField: 'result' | 'Result' = 'result'
  let removesCancelled = false
  let issued = 0
  let canned: FakeReply | undefined
  let cannedTracking: FakeReply | undefined

  function issueToken({ method, headers, text }: FakeRequest): FakeReply {
    const basic = Buffer.from(`${GLS_CREDENTIALS.clientId}:${GLS_CREDENTIALS.clientSecret}`).toString(
      'base64',
    )
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
    const isRight = method === 'POST' && isForm && text === 'grant_type=client_credentials'
    if (!isRight || headers.authorization !== `Basic ${basic}`)
      return fault(400, '400', 'Invalid client identifier')
    issued += 1
    const token = `canary-gls-token-${issued}`
    tokens.add(token)
    return { status: 200, body: { token_type: 'Bearer', access_token: token, expires_in: 14_400 } }
  }

  async function answer(request: FakeRequest): Promise<FakeReply> {
    if (request.path === '/oauth2/v2/token') return issueToken(request)
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!tokens.has(token)) return TOKEN_EXPIRED
    const [, tracked] =
      /^\/track-and-trace-v1\/tracking\/simple\/references\/([^/]+)$/.exec(request.path) ?? []
    if (tracked !== undefined && request.method === 'GET')
      return cannedTracking ?? track(tracked.split(','), (number) => listed(number))
    const [, number] = /^\/shipit-farm\/v1\/backend\/rs\/shipments\/cancel\/([^/]+)$/.exec(request.path) ?? []
    const { accept = '', 'content-type': type } = request.headers
    const isRight = request.method === 'POST' && request.text === '' && type === GLS_JSON
    if (number === undefined || !isRight || !accept.includes(GLS_JSON))
      return inHeaders(400, 'MANDATORY_PARAMETER_NOT_SET', 'not this way')
    if (canned !== undefined) return canned
    const parcel = parcels.find(number)
    if (parcel === undefined) return inHeaders(400, 'INVALID_FIELD_VALUE', noSuchParcel(number))
    if (parcel.script === '401-once' && !refusedOnce.has(number)) {
      refusedOnce.add(number)
      tokens.delete(token)
      return TOKEN_EXPIRED
    }
    const replies = repliesOf(number, resultField)
    const already = removesCancelled
      ? inHeaders(400, 'INVALID_FIELD_VALUE', noSuchParcel(number))
      : replies.already
    return playCancel(parcel, { ...replies, already }, { slowMs, lateMs })
  }

  function listed(number: string): FakeParcel | undefined {
    const parcel = parcels.find(number)
    return untransmitted.has(number) && parcel?.state !== 'scanned' ? undefined : parcel
  }

  return {
    ...(await startFake(answer)),
    parcels: {
      ...parcels,
      add(carrierRef, script) {
        untransmitted.delete(carrierRef)
        return parcels.add(carrierRef, script)
      },
    },
    tokensIssued: () => issued,
    revokeTokens: () => tokens.clear(),
    answerWith(reply) {
      canned = reply
    },
    trackWith(reply) {
      cannedTracking = reply
    },
    spellResult(field) {
      resultField = field
    },
    removeCancelled(removes) {
      removesCancelled = removes
    },
    addUntransmitted(carrierRef, script) {
      untransmitted.add(carrierRef)
      return parcels.add(carrierRef, script)
    },
    endOfDay() {
      for (const number of untransmitted)
        if (parcels.find(number)?.state !== 'cancelled') untransmitted.delete(number)
    },
  }
}

const TOKEN_EXPIRED: FakeReply = {
  status: 401,
  body: { fault: { faultstring: 'The Token has expired', detail: { errorcode: 'steps.jwt.TokenExpired' } } },
}

/** An error of ShipIT, in headers and without a body. */
export function inHeaders(status: number, error: string | undefined, message?: string): FakeReply {
  const named = { ...(error !== undefined && { error }), ...(message !== undefined && { message }) }
  return { status, headers: { ...named, args: '[]' } }
}

/** Tracking's reply for numbers that it does not list. */
export function notListed(...numbers: readonly string[]): FakeReply {
  return { status: 200, body: { parcels: numbers.map(notFound) } }
}

function notFound(requested: string): object {
  return { requested, errorCode: 'E_404_01', errorMessage: 'Resource Not Found' }
}

/** ShipIT's message for an unknown number. */
export function noSuchParcel(number: string): string {
  return `Invalid field TrackID. Value ${number} is not a valid value. A parcel with the given ID does not exist`
}

/** An error of the gateway in front of ShipIT. */
export function fault(status: number, code: string, message: string): FakeReply {
  return { status, body: { errors: [{ code, message }] } }
}

/** A reply of ShipIT to a cancellation. */
export function result(TrackID: string, outcome: unknown, field: 'result' | 'Result' = 'result'): FakeReply {
  return { status: 200, body: { TrackID, [field]: outcome } }
}

function repliesOf(number: string, field: 'result' | 'Result'): ReplySet {
  return {
    cancelled: result(number, 'CANCELLED', field),
    already: { status: 500 },
    scanned: result(number, 'SCANNED', field),
    windowClosed: result(number, 'ERROR', field),
    pending: result(number, 'CANCELLATION_PENDING', field),
    partial: result('ZZZZZZZZ', 'CANCELLED', field),
    meaningless: { status: 200, body: '"string"' },
    tooMany: {
      status: 429,
      body: {
        fault: { faultstring: 'Rate limit quota violation', detail: { errorcode: 'policies.ratelimit' } },
      },
    },
    unavailable: { status: 503 },
  }
}

/** An event of Track And Trace. Times have an offset without a colon. */
export function glsEvent(code: string, eventDateTime: string): object {
  return { code, city: '', postalCode: '', country: 'DE', description: 'text', eventDateTime }
}

/** A successful reply of Track And Trace, newest event first. */
export function glsParcel(requested: string, status: string, events: readonly object[]): FakeReply {
  return { status: 200, body: { parcels: [parcelEntry(requested, status, events)] } }
}

function parcelEntry(requested: string, status: string, events: readonly object[]): object {
  return { requested, unitno: '93835368025', status, statusDateTime: '2026-11-20T12:00:00+0100', events }
}

function track(numbers: readonly string[], find: (number: string) => FakeParcel | undefined): FakeReply {
  if (numbers.length > 10) {
    const detail = `Provided references of size '${numbers.length}' is more than allowed limit of 10`
    return { status: 400, body: { type: 'about:blank', title: 'Bad Request', status: 400, detail } }
  }
  return { status: 200, body: { parcels: numbers.map((number) => entryOf(number, find(number))) } }
}

function entryOf(number: string, parcel: FakeParcel | undefined): object {
  if (parcel === undefined) return notFound(number)
  const announcement = glsEvent('INTIAL.PREADVICE', '2026-11-19T18:00:00+0100')
  if (parcel.state === 'announced') return parcelEntry(number, 'PREADVICE', [announcement])
  if (parcel.state === 'cancelled') return parcelEntry(number, 'CANCELED', [announcement])
  const at = (parcel.scannedAt ?? '').replace('09:15:00Z', '10:15:00+0100')
  const later = glsEvent('OUTBOD.NORMAL', '2026-11-20T22:00:00+0100')
  return parcelEntry(number, 'INTRANSIT', [later, glsEvent('INTIAL.NORMAL', at), announcement])
}
