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
        if (!signatures.isValid({ carrierCode, signature, body: bytesOf(request) })) throw new NotSigned()
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

const SIGNATURE = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,5})$/i

type SignatureCheck = {
  /** Whether the header has the right format and a recent time, and the carrier has a secret. Cheap. */
  isPlausible(carrierCode: string, signature: unknown): boolean
  /** Whether one of the digests is the digest of the body. Takes the same time whichever digest matches. */
  isValid(signed: SignedEvents): boolean
}

function signatureCheck(clock: Clock, secretOf: SecretOf): SignatureCheck {
  const parse = (signature: unknown) => {
    const match = typeof signature === 'string' ? SIGNATURE.exec(signature) : null
    if (match === null) return undefined
    const [, seconds = '', list = ''] = match
    const isRecent = Math.abs(clock().getTime() - Number(seconds) * 1_000) <= CLOCK_TOLERANCE_MS
    return isRecent ? { seconds, digests: list.split(',v1=').slice(1) } : undefined
  }
  return {
    isPlausible: (carrierCode, signature) =>
      secretOf(carrierCode) !== undefined && parse(signature) !== undefined,
    isValid({ carrierCode, signature, body }) {
      const secret = secretOf(carrierCode)
      const parsed = parse(signature)
      if (secret === undefined || parsed === undefined) return false
      const expected = createHmac('sha256', secret).update(`${parsed.seconds}.`).update(body).digest()
      // `filter` compares every digest, so it takes the same time whichever digest matches. `some` would stop early.
      const matches = parsed.digests.filter((digest) => timingSafeEqual(Buffer.from(digest, 'hex'), expected))
      return matches.length > 0
    },
  }
}
