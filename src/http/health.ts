/**
 * For whoever watches the process: `/healthz` says that it is alive, `/readyz` whether it should be given requests.
 * Both are public. However many ask, the database is asked at most twice a second.
 */
import type { FastifyPluginAsync } from 'fastify'
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
    latest = { at: now(), result: inTime(running, timeoutMs) }
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

/** False when the check does not end in time. */
async function inTime(check: Promise<boolean>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  try {
    return await Promise.race([check, late])
  } finally {
    clearTimeout(timer)
  }
}
