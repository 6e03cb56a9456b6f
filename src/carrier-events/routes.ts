/**
 * The carriers' door: carriers report scans here, so that a picked-up parcel is no longer cancelled. It needs no API
 * key; requests are signed (signature.ts). A request is judged in this order: signature header (before the body is
 * read), signature, media type (415), body (400 with every fault; then none of it is applied). Events are idempotent and
 * order-independent, so a carrier can safely repeat all of them after a 503.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { NotSigned } from '../operations/ports/work.ts'
import type { Ports } from '../operations/ports.ts'
import { recordScans } from '../operations/record-scans.ts'
import { readEvents } from './events-body.ts'
import { type SecretOf, SIGNATURE_HEADER, signatureCheck } from './signature.ts'

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
