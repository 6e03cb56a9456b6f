/**
 * For whoever watches the process: `/healthz` says that it is alive, `/readyz` whether it should be given
 * requests. Both public, both small. Source: design/security-and-limits.md (Shutdown).
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
}

/** The two routes. */
export function healthRoutes(readiness: Readiness): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', { config: { access: 'public' } }, async (_request, reply) =>
      answerJson(reply, 200, { status: 'alive' }),
    )
    app.get('/readyz', { config: { access: 'public' } }, async (_request, reply) => {
      if (readiness.draining()) return answerJson(reply, 503, { status: 'draining' })
      const ready = await inTime(readiness.ready, readiness.timeoutMs ?? 1_000)
      return answerJson(reply, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready' })
    })
  }
}

/** False when the check fails or does not answer in time. */
async function inTime(check: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  try {
    return await Promise.race([check(), late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
