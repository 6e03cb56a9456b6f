/**
 * The REST door: three endpoints, each with its own error body (http/envelope.ts says how that works).
 * Whoever gets here has passed the credentials check; bodies arrive as bytes.
 * Source: specification section 4.
 */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import { cancelFault, postCancelShipment } from './cancel-shipment.ts'
import { estimateFault, postDutiesTaxesEstimate } from './duties-taxes-estimate.ts'
import { postRates, ratesFault } from './rates.ts'
import { charge, type WireAnswer } from './wire.ts'

const PREFIX = '/partners-api/v1'

/** The plugin that mounts the endpoints under /partners-api/v1. */
export function restDoor(ports: Ports): FastifyPluginAsync {
  return async (app) => {
    app.post(
      `${PREFIX}/rates`,
      { config: { envelope: (_kind, message) => ratesFault(message) } },
      async (request, reply) =>
        answer(reply, postRates(ports, callerOf(request), request.allowance, request)),
    )
    app.post(
      `${PREFIX}/duties-taxes-estimate`,
      { config: { envelope: (_kind, message) => estimateFault(message) } },
      async (request, reply) => answer(reply, await postDutiesTaxesEstimate(ports, request, request)),
    )
    app.post<{ Params: { shipmentId: string } }>(
      `${PREFIX}/shipments/:shipmentId/cancel`,
      {
        config: { envelope: (_kind, message) => cancelFault(message) },
        // The framework would refuse a Content-Type it cannot read, for a body that nobody reads.
        onRequest: async (request) => {
          delete request.raw.headers['content-type']
        },
      },
      async (request, reply) => {
        charge(request.allowance, 0)
        return answer(reply, await postCancelShipment(ports, callerOf(request), request.params.shipmentId))
      },
    )
  }
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('a REST route was reached without credentials')
  return request.caller
}

function answer(reply: FastifyReply, { status, body, retryAfterSeconds }: WireAnswer): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body))
}
