/**
 * The REST door: three endpoints, each with its own error body (http/faults.ts). The server checks the credentials
 * before these routes run. See docs/rest-contract.md.
 */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { sendJson } from '../http/json-response.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import { cancelFault, postCancelShipment } from './cancel-shipment.ts'
import { estimateFault, postDutiesTaxesEstimate } from './duties-taxes-estimate.ts'
import { postRates, ratesFault } from './rates.ts'
import { charge } from './wire.ts'

export type RestOptions = {
  /** Whether responses may be compressed. Default: no, because contract clients receive exact bytes. */
  readonly compress?: boolean
}

const PREFIX = '/partners-api/v1'

export function restDoor(ports: Ports, { compress = false }: RestOptions = {}): FastifyPluginAsync {
  return async (app) => {
    app.post(
      `${PREFIX}/rates`,
      {
        config: {
          compress,
          operation: 'rates',
          scopes: ['rates'],
          envelope: (_kind, message) => ratesFault(message),
        },
      },
      // Not async, because it waits for nothing.
      (request, reply) => {
        sendJson(reply, postRates(ports, callerOf(request), request.allowance, request))
      },
    )
    app.post(
      `${PREFIX}/duties-taxes-estimate`,
      {
        config: {
          compress,
          operation: 'dutiesEstimate',
          scopes: ['duties'],
          envelope: (_kind, message) => estimateFault(message),
        },
      },
      (request, reply) => {
        const response = postDutiesTaxesEstimate(ports, callerOf(request), request, request)
        if (response instanceof Promise) return response.then((settled) => sendJson(reply, settled))
        sendJson(reply, response)
        return undefined
      },
    )
    app.post<{ Params: { shipmentId: string } }>(
      `${PREFIX}/shipments/:shipmentId/cancel`,
      {
        config: {
          compress,
          operation: 'cancelShipment',
          scopes: ['cancel'],
          envelope: (_kind, message) => cancelFault(message),
        },
        // Fastify refuses an invalid Content-Type, but the body of a cancellation is ignored, whatever its type.
        onRequest: async (request) => {
          request.headers = { 'content-type': undefined }
        },
      },
      async (request, reply) => {
        charge(request.allowance, 0)
        const { accountId } = callerOf(request)
        const by = { accountId, requestId: request.id }
        return sendJson(reply, await postCancelShipment(ports, by, request.params.shipmentId))
      },
    )
  }
}

function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('a REST route was reached without credentials')
  return request.caller
}
