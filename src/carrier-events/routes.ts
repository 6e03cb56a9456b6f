/**
 * The scan events door: carriers report scans, so that Waybill does not cancel a parcel that was picked up. Requests are
 * signed; they need no API key. A request is checked in this order: signature header (before the body is read),
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
import { type JsonResponse, sendJson } from '../http/json-response.ts'
import type { Clock, Ports } from '../operations/ports/ports.ts'
import { NotSigned } from '../operations/ports/work.ts'
import { recordScans } from '../operations/record-scans.ts'
import { readEvents } from './events-body.ts'

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
            { carrierCode, secondsOff: verdict.secondsOff },
            'a scan events request was signed correctly, but not within five minutes of this clock: compare the clocks',
          )
        if (verdict.kind !== 'valid') throw new NotSigned()
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
 * Bodies of older requests are not read. Within this time the digest is checked, so that the log can say that the clocks
 * differ.
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
