/**
 * The carriers' door: they tell of scans here, so that a picked-up parcel is no longer cancelled. Outside
 * /partners-api/v1, without an API key: whoever signs is let in (signature.ts). A request is judged in this order:
 * signature (one and the same 401), media type (415), body (400 with every fault, and nothing of it is applied).
 * Told twice, or in another order, events come to the same; after a 503 telling all of them again is safe.
 * Source: specification section 3; design/cancellation.md.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
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
  const isSigned = signatureCheck(ports.clock, secretOf)
  return async (app) => {
    app.post<{ Params: { carrierCode: string } }>(
      '/carrier-events/:carrierCode',
      { config: { access: 'signed', envelope: (_kind, message) => ({ message }) } },
      async (request, reply) => {
        const { carrierCode } = request.params
        const body = bytesOf(request)
        const signature = request.headers[SIGNATURE_HEADER]
        if (!isSigned({ carrierCode, signature, body })) {
          reply.header('www-authenticate', 'X-Waybill-Signature realm="waybill"')
          return answer(reply, NOT_SIGNED)
        }
        return answer(reply, await takeIn(ports, carrierCode, { headers: request.headers, body }))
      },
    )
  }
}

/** For everything about the signature; which part of it was wrong is nobody's business. */
const NOT_SIGNED: WireAnswer = {
  status: 401,
  body: { message: 'The X-Waybill-Signature header must hold a valid, recent signature of the body' },
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
