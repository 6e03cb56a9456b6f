/**
 * The scan events door: carriers report scans, so that Waybill does not cancel a parcel that was picked up. Requests
 * are signed; they need no API key. A request is checked in this order: signature header (before the body is read),
 * signature, media type (415), body (a 400 lists all faults, and no event is applied). Events are idempotent and
 * order-independent, so a carrier can repeat a request after a 503.
 *
 * The body is signed with the secret from the carrier settings:
 *
 *     X-Waybill-Signature: t=1795166100,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
 *
 * `t` is the time of signing in seconds since 1970. Each `v1` is the HMAC-SHA256 of "<t>.<body>" in hexadecimal digits.
 * One to five are allowed, so that a carrier can use an old and a new secret while it rotates them. Blanks are not
 * allowed: Node joins repeated headers with ", ", so a repeated header is always refused. See docs/scan-events.md.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { isJsonObject, note, type ProblemList, parseInstant } from '../core/input.ts'
import type { FieldPath, FieldProblem } from '../core/problem.ts'
import { EVENT_ID_FORMAT, type Scan, TRACKING_NUMBER_FORMAT } from '../core/shipments/tracking.ts'
import { type BodySource, readJsonBody } from '../http/json-body.ts'
import { type JsonResponse, sendJson } from '../http/json-response.ts'
import type { Clock, Ports } from '../operations/ports/ports.ts'
import { NotSigned } from '../operations/ports/work.ts'
import { recordScans } from '../operations/record-scans.ts'

const SIGNATURE_HEADER = 'x-waybill-signature'

export function carrierEventsDoor(
  ports: Pick<Ports, 'clock' | 'tracking' | 'alert'>,
  secretOf: SecretOf,
): FastifyPluginAsync {
  const signatures = signatureCheck(ports.clock, secretOf)
  const hint = clockHint()
  return async (app) => {
    app.post<{ Params: { carrierCode: string } }>(
      '/carrier-events/:carrierCode',
      {
        config: {
          operation: 'scan',
          access: 'signed',
          envelope: (_kind, message) => ({ message }),
          claimedSigner: ({ params, headers }) => {
            const { carrierCode } = params as { readonly carrierCode: string }
            return signatures.isPlausible(carrierCode, headers[SIGNATURE_HEADER]) ? carrierCode : undefined
          },
        },
      },
      async (request, reply) => {
        const { carrierCode } = request.params
        const signature = request.headers[SIGNATURE_HEADER]
        const verdict = signatures.check({ carrierCode, signature, body: bytesOf(request) })
        if (verdict.kind === 'wrong_time' && hint.isDue())
          request.log.warn(
            { event: 'scan_events.clock', carrierCode, secondsOff: verdict.secondsOff },
            'a scan events request was signed correctly, but not within five minutes of this clock: compare the clocks',
          )
        if (verdict.kind !== 'valid') throw new NotSigned()
        request.isSignatureValid = true
        return sendJson(reply, await postEvents(ports, carrierCode, request))
      },
    )
  }
}

async function postEvents(
  ports: Pick<Ports, 'clock' | 'tracking' | 'alert'>,
  carrierCode: string,
  request: FastifyRequest,
): Promise<JsonResponse> {
  const events = readEvents(carrierCode, request, ports.clock().getTime())
  switch (events.kind) {
    case 'UnusableEvents':
      return { status: events.status, body: { message: events.message } }
    case 'Events': {
      const { scans, ignored } = events
      const { moved, known, unmatched, stale, anomaly } = await recordScans(ports, scans)
      const counts = { moved, known, kept: unmatched, stale, anomalies: anomaly }
      return { status: 200, body: { received: scans.length + ignored, ...counts, ignored } }
    }
  }
}

function bytesOf({ body }: FastifyRequest): Uint8Array {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** The signing secret of a carrier. Undefined if the carrier has none or does not exist. */
export type SecretOf = (carrierCode: string) => string | undefined

type SignedEvents = {
  readonly carrierCode: string
  /** The value of the signature header. */
  readonly signature: unknown
  readonly body: Uint8Array
}

/** Limits replays. A longer time would do no harm, because events are idempotent. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/**
 * Bodies of older requests are not read. Within this time the digest is checked, so that the log can say that the
 * clocks differ.
 */
const CLOCK_HINT_MS = 2 * 24 * 3_600_000

/** Hints are repeated after this time. A recorded request that is sent again would otherwise fill the log. */
const HINT_EVERY_MS = 10 * 60_000

const SIGNATURE = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,5})$/i

type Verdict =
  | { readonly kind: 'valid' | 'invalid' }
  /** The digest is right. Positive: the signer's clock is ahead. */
  | { readonly kind: 'wrong_time'; readonly secondsOff: number }

type SignatureCheck = {
  /** Whether the header has the right format and a time within CLOCK_HINT_MS, and the carrier has a secret. Cheap. */
  isPlausible(carrierCode: string, signature: unknown): boolean
  /** Whether one of the digests is the digest of the body. The time does not depend on which one matches. */
  check(signed: SignedEvents): Verdict
}

function signatureCheck(clock: Clock, secretOf: SecretOf): SignatureCheck {
  const parse = (signature: unknown) => {
    const match = typeof signature === 'string' ? SIGNATURE.exec(signature) : null
    if (match === null) return undefined
    const [, seconds = '', list = ''] = match
    const offMs = Number(seconds) * 1_000 - clock().getTime()
    if (Math.abs(offMs) > CLOCK_HINT_MS) return undefined
    return { seconds, offMs, digests: list.split(',v1=').slice(1) }
  }
  return {
    isPlausible: (carrierCode, signature) =>
      secretOf(carrierCode) !== undefined && parse(signature) !== undefined,
    check({ carrierCode, signature, body }) {
      const secret = secretOf(carrierCode)
      const parsed = parse(signature)
      if (secret === undefined || parsed === undefined) return { kind: 'invalid' }
      const expected = createHmac('sha256', secret).update(`${parsed.seconds}.`).update(body).digest()
      // filter, not some: every digest is compared, so the time does not depend on which one matches.
      const matches = parsed.digests.filter((digest) => timingSafeEqual(Buffer.from(digest, 'hex'), expected))
      if (matches.length === 0) return { kind: 'invalid' }
      return Math.abs(parsed.offMs) <= CLOCK_TOLERANCE_MS
        ? { kind: 'valid' }
        : { kind: 'wrong_time', secondsOff: Math.round(parsed.offMs / 1_000) }
    },
  }
}

/** True at most once per HINT_EVERY_MS. Uses a monotonic clock, because the other one may be wrong. */
function clockHint() {
  let latest = Number.NEGATIVE_INFINITY
  return {
    isDue(): boolean {
      const now = performance.now()
      if (now - latest < HINT_EVERY_MS) return false
      latest = now
      return true
    },
  }
}

// The body: `{ "events": [{ "eventId", "trackingNumber", "at", "type" }] }`. Only events of type `scan` and `delivered`
// are used; other types are counted and ignored. Types must be in lower case, because `SCAN` would otherwise be ignored
// as an unknown type.

export type EventsBody =
  | { readonly kind: 'Events'; readonly scans: readonly Scan[]; readonly ignored: number }
  | { readonly kind: 'UnusableEvents'; readonly status: 400 | 415; readonly message: string }

/** Per request. */
const MAX_EVENTS = 1_000

/** Clocks of carriers may be wrong by hours. A day or more is a mistake. */
const FUTURE_MS = 24 * 3_600_000
/** No parcel is older, and PostgreSQL cannot store every year that a text can contain. */
const EARLIEST_MS = Date.UTC(2000)

const TYPE = /^[a-z][a-z0-9_-]{0,39}$/

/** `now` is in milliseconds since 1970. */
export function readEvents(carrierCode: string, request: BodySource, now: number): EventsBody {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return unusable(body.status, body.message)
  const events = body.fields['events']
  if (!Array.isArray(events)) return unusable(400, 'events: must be a list')
  if (events.length > MAX_EVENTS) return unusable(400, `events: must have at most ${MAX_EVENTS} entries`)

  const problems: ProblemList = []
  const scans = events.flatMap((event: unknown, index) =>
    readEvent(problems, ['events', index], event, carrierCode, now),
  )
  return problems.length > 0
    ? unusable(400, problems.map(faultText).join('; '))
    : { kind: 'Events', scans, ignored: events.length - scans.length }
}

/** Returns no scan if the event is of another type or is invalid. */
function readEvent(
  problems: ProblemList,
  path: FieldPath,
  event: unknown,
  carrierCode: string,
  now: number,
): readonly Scan[] {
  if (!isJsonObject(event)) {
    note(problems, path, 'WRONG_TYPE', 'must be an object')
    return []
  }
  const matching = (name: string, shape: RegExp, expected: string): string => {
    const value = event[name]
    if (typeof value === 'string' && shape.test(value)) return value
    note(problems, [...path, name], 'MALFORMED', `must be ${expected}`)
    return ''
  }
  const eventId = matching('eventId', EVENT_ID_FORMAT, '1 to 200 printable ASCII characters')
  const carrierRef = matching(
    'trackingNumber',
    TRACKING_NUMBER_FORMAT,
    '1 to 64 ASCII characters without spaces',
  )
  const at = readAt(problems, [...path, 'at'], event['at'], now)
  const type = matching('type', TYPE, '1 to 40 of a-z, 0-9, _ and -, such as "scan"')
  if (at === undefined || (type !== 'scan' && type !== 'delivered')) return []
  return [{ carrierCode, carrierRef, eventId, at, ...(type === 'delivered' && { isDelivery: true }) }]
}

function readAt(problems: ProblemList, path: FieldPath, value: unknown, now: number): string | undefined {
  const milliseconds = parseInstant(value)
  if (milliseconds === undefined)
    return note(
      problems,
      path,
      'MALFORMED',
      'must be a date and time with an offset, such as 2026-11-20T09:15:00Z',
    )
  if (milliseconds > now + FUTURE_MS)
    return note(problems, path, 'OUT_OF_RANGE', 'must not be more than a day ahead')
  if (milliseconds < EARLIEST_MS) return note(problems, path, 'OUT_OF_RANGE', 'must not be before 2000')
  return new Date(milliseconds).toISOString()
}

function unusable(status: 400 | 415, message: string): EventsBody {
  return { kind: 'UnusableEvents', status, message }
}

function faultText({ path, message }: FieldProblem): string {
  const [list, index, field] = path
  return `${list}[${index}]${field === undefined ? '' : `.${field}`}: ${message}`
}
