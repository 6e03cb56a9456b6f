/** Sends requests in closed and open loops. */
import { type Agent, request as sendRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome } from './figures.ts'

export type Request = {
  readonly port: number
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Each occurrence of SERIAL is replaced by a number that differs in each request. */
  readonly body?: string
}

/** Makes texts of a body differ in each request, so that the service cannot reuse the result of an earlier one. */
export const SERIAL = '#serial#'

let sent = 0

/** Longer than the time limit of the service. */
const PATIENCE_MS = 15_000

/** Sends a request that was due at `dueAt`. Without an agent, on a new connection. */
export function send(
  { port, method, path, headers, body: template }: Request,
  agent: Agent | undefined,
  dueAt = performance.now(),
): Promise<Outcome> {
  const body = template?.replaceAll(SERIAL, String(sent++))
  return new Promise((resolve) => {
    const failed = (reason: string): void =>
      resolve({ kind: 'failed', ms: performance.now() - dueAt, reason })
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = sendRequest(
      { host: '127.0.0.1', port, method, path, agent: agent ?? false, headers: { ...headers, ...length } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message))
        response.on('end', () => {
          clearTimeout(timer)
          const { statusCode = 0 } = response
          const ms = performance.now() - dueAt
          if (statusCode === 200) return resolve({ kind: 'served', ms })
          const fault =
            statusCode === 503 ? faultOf(path, response.headers['retry-after'], chunks) : undefined
          if (statusCode === 503 && fault === undefined) return resolve({ kind: 'shed', ms })
          failed(fault ?? String(statusCode))
        })
      },
    )
    const timer = setTimeout(() => request.destroy(new Error('no response in time')), PATIENCE_MS)
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      failed(error.code ?? error.message)
    })
    request.end(body)
  })
}

/** What is wrong with a 503 of overload, if anything. */
function faultOf(
  path: string,
  retryAfter: string | undefined,
  chunks: readonly Buffer[],
): string | undefined {
  const text = Buffer.concat(chunks).toString()
  const expected = path === '/graphql' ? '"code":"OVERLOADED"' : 'The service is busy'
  if (!text.includes(expected)) return `503 ${text.slice(0, 100)}`
  return retryAfter === undefined ? '503 without Retry-After' : undefined
}

/** `callers` callers, each of which sends its next request when it has the response to the last one. */
export async function closedLoop(
  callers: number,
  seconds: number,
  one: () => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const endsAt = performance.now() + seconds * 1_000
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < endsAt) {
        const outcome = await one()
        outcomes.push(outcome)
        if (outcome.kind !== 'served') await pause(20)
      }
    }),
  )
  return outcomes
}

const TICK_MS = 2

/** Sends requests at a fixed rate, whatever the responses are. Resolves when all have ended. */
export async function openLoop(
  perSecond: number,
  seconds: number,
  one: (dueAt: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  const startedAt = performance.now()
  const pending: Promise<Outcome>[] = []
  const total = Math.round(perSecond * seconds)
  while (pending.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond))
    while (pending.length < due) pending.push(one(startedAt + ((pending.length + 1) / perSecond) * 1_000))
    await pause(TICK_MS)
  }
  return Promise.all(pending)
}
