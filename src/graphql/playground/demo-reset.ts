/**
 * Restores the demo data for the button of the playground. The route exists only with demo data, which a production
 * service refuses, and needs the credentials of the demo account. See docs/graphql.md#playground-and-introspection.
 */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { sendJson } from '../../http/json-response.ts'

export type DemoReset = {
  readonly accountId: string
  /** Restores the demo data. */
  run(): Promise<void>
}

export function demoResetRoute(path: string, { accountId, run }: DemoReset): FastifyPluginAsync {
  let running: Promise<void> | undefined
  return async (app) => {
    app.post(path, async (request, reply) => {
      if (!isSameOrigin(request))
        return sendJson(reply, { status: 403, body: 'Only the playground can reset the demo' })
      if (request.caller?.accountId !== accountId)
        return sendJson(reply, { status: 403, body: 'Only the demo account can reset the demo' })
      // Requests at the same time share a reset.
      running ??= run().finally(() => {
        running = undefined
      })
      await running
      return sendJson(reply, { status: 200, body: 'The demo data are restored' })
    })
  }
}

/** True for requests of the page itself, and for programs other than browsers. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const { origin } = headers
  return origin === undefined || hostOf(origin) === headers.host
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
