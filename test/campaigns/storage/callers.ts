/**
 * The callers of a campaign: each asks for one shipment after the other, some ask twice, some give up before they are
 * answered, as callers do. What they are told is kept, and checked where it can be checked at once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'
import type { Trial } from './population.ts'

/** What was told, over all callers. */
export type Tally = {
  /** By status; `gave_up` are callers who did not wait. */
  readonly answers: Record<string, number>
  readonly violations: string[]
}

/** Callers at work. */
export type Callers = {
  /** Gives them more shipments to ask for, spread over a time; the old ones are asked for again now and then. */
  give(trials: readonly Trial[], overMs: number): void
  /** Shipments that nobody has asked for yet. */
  left(): number
  /** Ends when the last one has its answer. */
  stop(): Promise<void>
}

const EXPECTED = new Set([200, 409, 503, 504])
const PATIENCE_MS = 30_000

/** Asks once and keeps what is told. Answers the status, or undefined for a caller who gave up. */
export async function askFor(
  origin: string,
  trial: Trial,
  carrier: SandboxCarrier,
  tally: Tally,
  patienceMs = PATIENCE_MS,
): Promise<number | undefined> {
  trial.asked += 1
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
  trial.told.push(status)
  count(tally, String(status))
  const whyWrong = wrong(trial, carrier, status, text)
  if (whyWrong !== undefined) violation(tally, trial, whyWrong)
  return status
}

function wrong({ carrierRef, cancels }: Trial, carrier: SandboxCarrier, status: number, text: string) {
  const said = `was answered ${status} ${text.slice(0, 200)}`
  if (!EXPECTED.has(status)) return said
  if (status === 409 && cancels) return said
  if (status !== 200 && /"cancelled":true/.test(text)) return said
  if (status !== 200) return undefined
  if (!cancels || !/"cancelled":true/.test(text)) return said
  if (carrierRef !== undefined && !carrier.isCancelled(carrierRef))
    return `${said}, and its carrier has not cancelled`
  return undefined
}

function count(tally: Tally, answer: string): void {
  tally.answers[answer] = (tally.answers[answer] ?? 0) + 1
}

function violation(tally: Tally, { shipmentId, carrierRef }: Trial, what: string): void {
  tally.violations.push(`${shipmentId} (${carrierRef ?? 'draft'}) ${what}`)
}

/** Sets callers to work until they are stopped. */
export function startCallers(
  origin: string,
  { crowd, dice, carrier, tally }: { crowd: number; dice: Dice; carrier: SandboxCarrier; tally: Tally },
): Callers {
  const queue: { readonly trial: Trial; readonly from: number }[] = []
  const known: Trial[] = []
  let stopped = false
  const next = (): Trial | undefined => {
    const isDue = queue[0] !== undefined && queue[0].from <= performance.now()
    const fresh = isDue ? queue.shift()?.trial : undefined
    if (fresh !== undefined) known.push(fresh)
    return fresh ?? (known.length > 0 && dice.chance(0.3) ? dice.pick(known) : undefined)
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
