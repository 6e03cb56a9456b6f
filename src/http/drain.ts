/**
 * Stopping without losing a request. A proxy notices late that a process is going: so readiness says 503 at
 * once, requests are still served for a while with `Connection: close`, and only then the socket closes.
 * Closing at once failed tens of thousands of requests behind nginx. Source: design/security-and-limits.md.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long each step of stopping may take, in milliseconds. */
export type DrainTimes = {
  /** Readiness is 503, requests are served. */
  readonly lameDuckMs: number
  /** The socket is closed, requests that were already running end; then their connections are cut. */
  readonly closingMs: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Stops this server as drain.ts describes; resolves when it is closed. Safe to call again. */
    drain(): Promise<void>
  }
}

/** Adds `app.drain()`, and `Connection: close` while it runs. Returns whether it does. */
export function drainable(app: FastifyInstance, times: DrainTimes): () => boolean {
  let stopped: Promise<void> | undefined
  app.decorate('drain', () => {
    stopped ??= stop(app, times)
    return stopped
  })
  app.addHook('onSend', async (_request, reply) => {
    if (stopped !== undefined) reply.header('connection', 'close')
  })
  return () => stopped !== undefined
}

async function stop(app: FastifyInstance, { lameDuckMs, closingMs }: DrainTimes): Promise<void> {
  app.log.info({ lameDuckMs }, 'draining')
  await delay(lameDuckMs)
  const cut = setTimeout(() => app.server.closeAllConnections(), closingMs)
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
  }
}
