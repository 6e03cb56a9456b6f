/**
 * A steady load on both doors: rates and cancellations at fixed times, whatever the answers take. An answer other than
 * the one that a partner expects is a failure.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { EXAMPLES } from '../../../src/graphql/playground/examples.ts'
import { doorsOf, type Post } from '../concurrency/doors.ts'

export type Load = {
  /** Names what happens now, for failures and totals. */
  phase(name: string): void
  /** Sends no further requests, and resolves when the last one is answered. */
  stop(): Promise<void>
  readonly totals: Readonly<Record<string, { requests: number; failed: number; longestMs: number }>>
  readonly failures: readonly string[]
  /** Shipments whose cancellation was confirmed. */
  readonly confirmed: readonly string[]
}

const RATES = {
  parcels: [{ type: 'DOC', count: 1 }],
  fromCountry: 'NL',
  toCountry: 'DE',
  recipientType: 'business',
}
const RATES_EXAMPLE = EXAMPLES.find(({ query }) => query.includes(' rates(input: $input)'))

/** `everyMs`: time between two requests of each of the four kinds. `next` gives the id of a shipment to cancel. */
export function startLoad(post: Post, everyMs: number, next: () => string): Load {
  const totals: Record<string, { requests: number; failed: number; longestMs: number }> = {}
  const failures: string[] = []
  const confirmed: string[] = []
  const running = new Set<Promise<void>>()
  let phase = 'start'
  const [cancelByRest, cancelByGraphql] = doorsOf(post)
  const cancel = async (door: (shipmentId: string) => Promise<string>): Promise<void> => {
    const shipmentId = next()
    const answer = await door(shipmentId)
    if (!answer.startsWith('200 ')) throw new Error(`${shipmentId}: ${answer}`)
    confirmed.push(shipmentId)
  }
  const kinds: Readonly<Record<string, () => Promise<void>>> = {
    'REST rates': async () => {
      const { status, json } = await post('/partners-api/v1/rates', RATES)
      if (status !== 200 || (json as { errors?: boolean }).errors !== false)
        throw new Error(said(status, json))
    },
    'GraphQL rates': async () => {
      const { status, json } = await post('/graphql', RATES_EXAMPLE)
      const { data } = json as { data?: { rates?: { options?: readonly unknown[] } } }
      if (!data?.rates?.options?.length) throw new Error(said(status, json))
    },
    'REST cancellation': () => cancel(cancelByRest),
    'GraphQL cancellation': () => cancel(cancelByGraphql),
  }
  const send = async (name: string, work: () => Promise<void>): Promise<void> => {
    const startedIn = phase
    const total = totals[startedIn] ?? { requests: 0, failed: 0, longestMs: 0 }
    totals[startedIn] = total
    total.requests += 1
    const startedAt = performance.now()
    try {
      await work()
    } catch (error) {
      total.failed += 1
      failures.push(
        `${startedIn}, ${name} after ${Math.round(performance.now() - startedAt)} ms: ${causeOf(error)}`,
      )
    }
    total.longestMs = Math.max(total.longestMs, Math.round(performance.now() - startedAt))
  }
  const timers = Object.entries(kinds).map(([name, work]) =>
    setInterval(() => {
      const sent = send(name, work).finally(() => running.delete(sent))
      running.add(sent)
    }, everyMs),
  )
  return {
    totals,
    failures,
    confirmed,
    phase: (name) => {
      phase = name
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      while (running.size > 0) await pause(10)
    },
  }
}

const said = (status: number, json: unknown): string => `${status} ${JSON.stringify(json).slice(0, 300)}`

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
