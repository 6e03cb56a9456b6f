/**
 * For whoever watches the process: `/healthz` says that it is alive, `/readyz` whether it should be given requests.
 * Both are public. However many ask, the database is asked at most twice a second.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { withTimeout } from '../operations/ports/work.ts'
import { answerJson } from './envelope.ts'

/** What readiness depends on. */
export type Readiness = {
  /** True when the database answers. */
  ready(): Promise<boolean>
  /** True from the moment the process was asked to stop. */
  draining(): boolean
  /** How long `ready` may take, in milliseconds; default 1,000. */
  readonly timeoutMs?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

/** How long a result is given to everybody who asks, in milliseconds. */
const RESULT_MS = 500

/** The two routes. */
export function healthRoutes(readiness: Readiness): FastifyPluginAsync {
  const isReady = sharedCheck(readiness)
  return async (app) => {
    app.get('/healthz', { config: { access: 'public' } }, async (_request, reply) =>
      answerJson(reply, 200, { status: 'alive' }),
    )
    app.get('/readyz', { config: { access: 'public' } }, async (_request, reply) => {
      if (readiness.draining()) return answerJson(reply, 503, { status: 'draining' })
      const ready = await isReady()
      return answerJson(reply, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' })
    })
  }
}

/** One check for all who ask within RESULT_MS. While a check has not ended, no other one is started. */
function sharedCheck({ ready, timeoutMs = 1_000, now = () => performance.now() }: Readiness) {
  let running: Promise<boolean> | undefined
  let latest: { readonly at: number; readonly result: Promise<boolean> } | undefined
  return (): Promise<boolean> => {
    if (latest !== undefined && now() - latest.at < RESULT_MS) return latest.result
    running ??= succeeds(ready).finally(() => {
      running = undefined
    })
    latest = { at: now(), result: withTimeout(running, timeoutMs, () => false) }
    return latest.result
  }
}

/** False when the check fails. */
async function succeeds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check()
  } catch {
    return false
  }
}

// Stopping without losing a request. A proxy notices late that a process is going: so readiness says 503 at
// once, requests are still served for a while with `Connection: close`, and only then the socket closes.
// Closing at once failed tens of thousands of requests behind nginx. Source: design/security-and-limits.md.

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
