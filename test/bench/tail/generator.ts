/** The process that generates the load: a closed loop to find the capacity, and an open loop that runs until `stop`. */
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { closedLoop, type Request, send } from '../../campaigns/overload/client.ts'
import type { Outcome } from '../../campaigns/overload/figures.ts'
import { percentile, round } from '../percentile.ts'

export type Step =
  | {
      readonly kind: 'closed'
      readonly requests: readonly Request[]
      readonly callers: number
      readonly seconds: number
    }
  | { readonly kind: 'open'; readonly requests: readonly Request[]; readonly perSecond: number }
  /** Ends the open loop. */
  | { readonly kind: 'stop' }

/** Milliseconds from the moment that a request was due. */
export type Latencies = {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  /** Numbers of responses other than 200, by reason. */
  readonly failures: Readonly<Record<string, number>>
}

const TICK_MS = 2
const agent = new Agent({ keepAlive: true })
let stopped = false

async function run(step: Exclude<Step, { kind: 'stop' }>): Promise<Latencies> {
  let sent = 0
  const one = (dueAt?: number): Promise<Outcome> =>
    send(step.requests[sent++ % step.requests.length]!, agent, dueAt)
  if (step.kind === 'closed')
    return latenciesOf(await closedLoop(step.callers, step.seconds, () => one()), step.seconds)
  const startedAt = performance.now()
  const pending: Promise<Outcome>[] = []
  stopped = false
  while (!stopped) {
    const elapsedSeconds = (performance.now() - startedAt) / 1_000
    while (pending.length < elapsedSeconds * step.perSecond)
      pending.push(one(startedAt + (pending.length / step.perSecond) * 1_000))
    await pause(TICK_MS)
  }
  return latenciesOf(await Promise.all(pending), (performance.now() - startedAt) / 1_000)
}

function latenciesOf(outcomes: readonly Outcome[], seconds: number): Latencies {
  const served = outcomes.filter(({ kind }) => kind === 'served').map(({ ms }) => ms)
  const failures: Record<string, number> = {}
  for (const outcome of outcomes) {
    const reason = outcome.kind === 'failed' ? outcome.reason : outcome.kind
    if (reason !== 'served') failures[reason] = (failures[reason] ?? 0) + 1
  }
  const at = (share: number): number => round(percentile(served, share) ?? 0)
  return {
    perSecond: Math.round(served.length / seconds),
    ...{ p50: at(0.5), p99: at(0.99), p999: at(0.999), max: round(Math.max(0, ...served)) },
    failures,
  }
}

process.on('message', (step: Step) => {
  if (step.kind === 'stop') stopped = true
  else void run(step).then((latencies) => process.send?.(latencies))
})
process.on('disconnect', () => process.exit(0))
