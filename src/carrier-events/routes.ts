/**
 * The carriers' door: carriers report scans here, so that a picked-up parcel is no longer cancelled. It needs no API
 * key; requests are signed (signature.ts). A request is judged in this order: signature header (before the body is
 * read), signature, media type (415), body (400 with every fault; then none of it is applied). Events are idempotent and
 * order-independent, so a carrier can safely repeat all of them after a 503.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock, Ports } from '../operations/ports/ports.ts'
import { NotSigned } from '../operations/ports/work.ts'
import { recordScans } from '../operations/record-scans.ts'
import { readEvents } from './events-body.ts'

type WireAnswer = { readonly status: number; readonly body: object }

/** The plugin that mounts POST /carrier-events/{carrierCode}. */
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
        const body = bytesOf(request)
        const signature = request.headers[SIGNATURE_HEADER]
        if (!signatures.isValid({ carrierCode, signature, body })) throw new NotSigned()
        return answer(reply, await takeIn(ports, carrierCode, { headers: request.headers, body }))
      },
    )
  }
}

async function takeIn(
  ports: Pick<Ports, 'clock' | 'tracking' | 'alert'>,
  carrierCode: string,
  request: Parameters<typeof readEvents>[1],
): Promise<WireAnswer> {
  const reading = readEvents(carrierCode, request, ports.clock().getTime())
  switch (reading.kind) {
    case 'UnusableEvents':
      return { status: reading.status, body: { message: reading.message } }
    case 'Events': {
      const { scans, ignored } = reading
      const { moved, known, kept, stale, anomaly } = await recordScans(ports, scans)
      const counts = { received: scans.length + ignored, moved, known, kept, stale, anomalies: anomaly }
      return { status: 200, body: { ...counts, ignored } }
    }
  }
}

function bytesOf({ body }: FastifyRequest): Uint8Array {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

function answer(reply: FastifyReply, { status, body }: WireAnswer): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body))
}

// How carriers sign their requests: with the secret from the carriers' settings, over the bytes of the body.
//     X-Waybill-Signature: t=1795166100,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd
// `t` is the time of signing in seconds since 1970. Each `v1` (one to five, so that a carrier can use an old and a new
// secret while it changes them) is the HMAC-SHA256 of "<t>.<body>" in hexadecimal digits. Blanks are not allowed: the
// runtime joins a repeated header with ", ", so a repeated header never passes.

/** The header's name, as Node spells it. */
export const SIGNATURE_HEADER = 'x-waybill-signature'

/** The signing secret of a carrier; undefined when it has none, or there is no such carrier. */
export type SecretOf = (carrierCode: string) => string | undefined

/** What a signature is about. */
export type SignedEvents = {
  readonly carrierCode: string
  /** The header's value. */
  readonly signature: unknown
  readonly body: Uint8Array
}

/** How far the time of a signature may be from this service's clock; events may be told twice, so this is enough. */
const TOLERANCE_MS = 5 * 60_000

const SIGNATURE = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,5})$/i

/** Checks signatures. */
export type SignatureCheck = {
  /** True when the header has the right form and a recent time, and the carrier has a secret. Costs next to nothing. */
  isPlausible(carrierCode: string, signature: unknown): boolean
  /** True when one of the digests is that of the body, in constant time. */
  isValid(signed: SignedEvents): boolean
}

/** The check against the clock and the secrets of carriers. */
export function signatureCheck(clock: Clock, secretOf: SecretOf): SignatureCheck {
  const parse = (signature: unknown) => {
    const match = typeof signature === 'string' ? SIGNATURE.exec(signature) : null
    if (match === null) return undefined
    const [, seconds = '', list = ''] = match
    const isRecent = Math.abs(clock().getTime() - Number(seconds) * 1_000) <= TOLERANCE_MS
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
      // Every digest is compared, whatever the first comparison says.
      const matches = parsed.digests.filter((digest) => timingSafeEqual(Buffer.from(digest, 'hex'), expected))
      return matches.length > 0
    },
  }
}
