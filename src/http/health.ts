/**
 * Health checks and graceful shutdown. `/healthz` reports that the process is alive, and its version. `/readyz` reports
 * whether it should receive requests. Both are public, and share a database check that runs at most twice a second.
 *
 * Proxies notice with a delay that a process is stopping. On shutdown `/readyz` therefore returns 503 at once, requests
 * are served for a while with `Connection: close`, and only then the socket is closed. In a test behind nginx, closing
 * it at once made tens of thousands of requests fail. See docs/operations.md#shutdown-and-upgrades.
 */

import type { Server } from 'node:http'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { withTimeout } from '../operations/ports/work.ts'
import { VERSION } from '../version.ts'
import { sendJson } from './json-response.ts'

export type Readiness = {
  /** True when the database answers and its schema is one that this version can use. */
  ready(): Promise<boolean>
  /** The state of background work, for `/readyz?verbose`. Absent if the service has none. */
  readonly backgroundWork?:
    | (() => { readonly sinceSuccessMs: number; readonly failingMs: number })
    | undefined
  /** True once shutdown has begun. */
  draining(): boolean
  /** Time limit for `ready`; default 1,000. */
  readonly timeoutMs?: number
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

/** How long the result of a check is reused. */
const RESULT_MS = 500

export function healthRoutes(readiness: Readiness): FastifyPluginAsync {
  const isReady = sharedCheck(readiness)
  return async (app) => {
    app.get('/healthz', { config: { access: 'public' } }, async (_request, reply) =>
      sendJson(reply, { status: 200, body: { status: 'alive', version: VERSION } }),
    )
    app.get('/readyz', { config: { access: 'public' } }, async (request, reply) => {
      const checks = isVerbose(request.query) ? checksOf(readiness) : {}
      if (readiness.draining())
        return sendJson(reply, { status: 503, body: { status: 'draining', ...checks } })
      const ready = await isReady()
      const status = ready ? 'ready' : 'not ready'
      return sendJson(reply, { status: ready ? 200 : 503, body: { status, ...checks } })
    })
  }
}

function isVerbose(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'verbose' in query
}

/**
 * Rounds that fail do not make the service unready: it still serves requests, and another replica may do the work.
 */
function checksOf({ backgroundWork }: Readiness): object {
  if (backgroundWork === undefined) return {}
  const { sinceSuccessMs, failingMs } = backgroundWork()
  return {
    backgroundWork: {
      status: failingMs > 0 ? 'failing' : 'ok',
      secondsSinceSuccess: Math.round(sinceSuccessMs / 1_000),
      secondsFailing: Math.round(failingMs / 1_000),
    },
  }
}

/** Callers within RESULT_MS share one result. A check starts only when the previous one has ended. */
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

/** False if the check throws. */
async function succeeds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check()
  } catch {
    return false
  }
}

export type DrainTimes = {
  /** How long requests are still served while `/readyz` returns 503. */
  readonly lameDuckMs: number
  /** Then, how long running requests have before their connections are closed. */
  readonly closingMs: number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Shuts this server down gracefully; resolves when it is closed. Later calls return the same promise. */
    drain(): Promise<void>
  }
}

/**
 * Adds `app.drain()`. Returns a function that is true once `drain` was called. All later responses then need
 * `Connection: close`.
 */
export function drainable(app: FastifyInstance, times: DrainTimes): () => boolean {
  let stopped: Promise<void> | undefined
  app.decorate('drain', () => {
    stopped ??= stop(app, times)
    return stopped
  })
  return () => stopped !== undefined
}

async function stop(app: FastifyInstance, { lameDuckMs, closingMs }: DrainTimes): Promise<void> {
  app.log.info({ event: 'service.draining', lameDuckMs }, 'draining')
  await delay(lameDuckMs)
  await nothingWaits(app.server)
  // At once: `app.close` first does other things.
  const isClosed = new Promise<void>((resolve) => app.server.close(() => resolve()))
  const cut = setTimeout(() => app.server.closeAllConnections(), closingMs)
  try {
    await Promise.all([isClosed, app.close()])
  } finally {
    clearTimeout(cut)
  }
}

/** A turn of the event loop that is shorter has handled next to nothing. In milliseconds. */
const QUIET_TURN_MS = 1
/** A busy process may have no such turn. In milliseconds. */
const QUIET_WITHIN_MS = 1_000

/**
 * Resolves after a short turn of the event loop in which no connection was accepted. Connections that the operating
 * system has accepted, and Node.js has not, are reset when the socket is closed, with the requests that were sent in
 * them. See docs/decisions/api.md#d345.
 */
async function nothingWaits(server: Server): Promise<void> {
  let accepted = 0
  const count = (): void => {
    accepted += 1
  }
  server.on('connection', count)
  const endsAt = performance.now() + QUIET_WITHIN_MS
  for (let isQuiet = false; !isQuiet; ) {
    const [before, turnedAt] = [accepted, performance.now()]
    await nextTurn()
    const now = performance.now()
    isQuiet = (accepted === before && now - turnedAt < QUIET_TURN_MS) || now > endsAt
  }
  server.off('connection', count)
}
