/**
 * The callers of a campaign. Each cancels one shipment after another; some repeat requests, and some give up.
 * Their answers are recorded and, where possible, checked at once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'
import type { Trial } from './population.ts'

/** Answers of all callers. */
export type Tally = {
  /** By status; `gave_up` counts callers that did not wait. */
  readonly answers: Record<string, number>
  readonly violations: string[]
}

/** Running callers. */
export type Callers = {
  /** Adds shipments to cancel, spread over a time. Earlier ones are repeated now and then. */
  give(trials: readonly Trial[], overMs: number): void
  /** Number of shipments that no caller has cancelled yet. */
  left(): number
  /** Resolves when the last caller has its answer. */
  stop(): Promise<void>
}

const EXPECTED = new Set([200, 409, 503, 504])
const PATIENCE_MS = 30_000

/**
 * Sends one request and records the answer. Returns the status, or undefined if the caller gave up or got no
 * answer.
 */
export async function askFor(
  origin: string,
  trial: Trial,
  carrier: SandboxCarrier,
  tally: Tally,
  patienceMs = PATIENCE_MS,
): Promise<number | undefined> {
  trial.requests += 1
  const reply = await fetch(`${origin}/partners-api/v1/shipments/${trial.shipmentId}/cancel`, {
    method: 'POST',
    headers: { 'x-pp-api': 'demo@demo-secret', 'content-type': 'application/json' },
    signal: AbortSignal.timeout(patienceMs),
  }).catch((error: Error) => error)
  if (reply instanceof Error) {
    if (reply.name === 'TimeoutError' && patienceMs < PATIENCE_MS) count(tally, 'gave_up')
    else violation(tally, trial, `no answer: ${reply.name} ${String(reply.cause ?? reply.message)}`)
    return undefined
  }
  const { status } = reply
  const text = await reply.text().catch((error: Error) => error.message)
  trial.answers.push(status)
  if (status === 200) trial.confirmedAt ??= Date.now()
  count(tally, String(status))
  const problem = problemWith(trial, carrier, status, text)
  if (problem !== undefined) violation(tally, trial, problem)
  return status
}

function problemWith({ carrierRef, cancels }: Trial, carrier: SandboxCarrier, status: number, text: string) {
  const description = `was answered ${status} ${text.slice(0, 200)}`
  if (!EXPECTED.has(status)) return description
  if (status === 409 && cancels) return description
  if (status !== 200 && /"cancelled":true/.test(text)) return description
  if (status !== 200) return undefined
  if (!cancels || !/"cancelled":true/.test(text)) return description
  if (carrierRef !== undefined && !carrier.isCancelled(carrierRef))
    return `${description}, and its carrier has not cancelled`
  return undefined
}

function count(tally: Tally, answer: string): void {
  tally.answers[answer] = (tally.answers[answer] ?? 0) + 1
}

function violation(tally: Tally, { shipmentId, carrierRef }: Trial, what: string): void {
  tally.violations.push(`${shipmentId} (${carrierRef ?? 'draft'}) ${what}`)
}

/** Starts callers that work until they are stopped. */
export function startCallers(
  origin: string,
  { crowd, dice, carrier, tally }: { crowd: number; dice: Dice; carrier: SandboxCarrier; tally: Tally },
): Callers {
  const queue: { readonly trial: Trial; readonly from: number }[] = []
  const earlier: Trial[] = []
  let stopped = false
  const next = (): Trial | undefined => {
    const isDue = queue[0] !== undefined && queue[0].from <= performance.now()
    const fresh = isDue ? queue.shift()?.trial : undefined
    if (fresh !== undefined) earlier.push(fresh)
    return fresh ?? (earlier.length > 0 && dice.chance(0.3) ? dice.pick(earlier) : undefined)
  }
  const work = Array.from({ length: crowd }, async () => {
    while (!stopped) {
      const trial = next()
      if (trial !== undefined)
        await askFor(origin, trial, carrier, tally, dice.chance(0.1) ? dice.int(20, 600) : PATIENCE_MS)
      await pause(dice.int(5, 60))
    }
  })
  return {
    give(trials, overMs) {
      const now = performance.now()
      queue.push(...trials.map((trial, n) => ({ trial, from: now + (n * overMs) / trials.length })))
    },
    left: () => queue.length,
    async stop() {
      stopped = true
      await Promise.all(work)
    },
  }
}
