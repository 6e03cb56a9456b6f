/**
 * `npm run bench:tail`: latencies at half of the capacity, and the delays of the service's event loop, in several phases:
 * without disturbance, while a card of 900,000 prices is published, while a customs data set is imported and published,
 * while a carrier takes 8 seconds, and beside large requests. See docs/benchmarks.md#tail-latency.
 *
 * Options: `--only PHASE` (several are possible), `--no-build`, `--per-second N` (instead of half of the capacity).
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { populate, urlOf } from '../../campaigns/abuse/database.ts'
import type { Request } from '../../campaigns/overload/client.ts'
import { removeAtTheEnd, withScratchDatabase } from '../../campaigns/scratch-database.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { WORKLOADS } from '../doors/workloads.ts'
import { round } from '../percentile.ts'
import { type Delays, type MeasuredService, startMeasuredService } from '../service/measured-service.ts'
import {
  cancelSlowly,
  importCustoms,
  prepareCard,
  publishCard,
  sendHeavy,
  type Target,
} from './disturbances.ts'
import type { Latencies, Step } from './generator.ts'

const PHASES: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  quiet: () => pause(10_000),
  card: publishCard,
  customs: importCustoms,
  carrier: cancelSlowly,
  heavy: sendHeavy,
}
const CALLERS = 8
const WARM_UP_SECONDS = 8
const CAPACITY_SECONDS = 4
const SETTLE_MS = 2_000
const MAX_RATIO = 3
const MAX_DELAY_MS = 20

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    'no-build': { type: 'boolean', default: false },
    'per-second': { type: 'string' },
  },
})
if (!values['no-build']) execFileSync('npm', ['run', 'build'], { stdio: 'ignore' })

/** `slowdown`: how many times longer the main thread took because it waited for a processor. */
type Phase = { readonly latencies: Latencies; readonly delays: Delays; readonly slowdown: number }

const report = await withScratchDatabase({ durable: false }, async (source) => {
  const { acme, bravo } = await populate(source)
  await prepareCard(source)
  const service = await startMeasuredService({ program: 'built', databaseUrl: urlOf(source) })
  const generator = startGenerator()
  const folder = makeThrowAwayFolder()
  removeAtTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  const requests = loadRequests(service.port, bravo.keys)
  const target = { source, port: service.port, key: bravo.keys[0] ?? '', folder }
  const closed = { kind: 'closed', requests, callers: CALLERS } as const
  await step(generator, { ...closed, seconds: WARM_UP_SECONDS })
  const capacity = (await step(generator, { ...closed, seconds: CAPACITY_SECONDS })).perSecond
  const perSecond = values['per-second'] === undefined ? capacity / 2 : Number(values['per-second'])
  console.log(`capacity ${capacity} requests per second; load ${Math.round(perSecond)} per second`)
  const phases: Record<string, Phase> = {}
  for (const [name, disturb] of Object.entries(PHASES)) {
    if (values.only !== undefined && !values.only.includes(name)) continue
    // The heavy requests are those of another account.
    const aim = name === 'heavy' ? { ...target, key: acme.keys[0] ?? '' } : target
    phases[name] = await measure(service, generator, { kind: 'open', requests, perSecond }, () =>
      disturb(aim),
    )
  }
  return { capacity, perSecond, phases }
})
print(report.phases)

async function measure(
  service: MeasuredService,
  generator: ChildProcess,
  load: Step,
  disturb: () => Promise<void>,
): Promise<Phase> {
  const result = step(generator, load)
  await pause(SETTLE_MS)
  await service.delays()
  const before = service.threadTimes()
  await disturb()
  const [delays, after] = [await service.delays(), service.threadTimes()]
  generator.send({ kind: 'stop' } satisfies Step)
  const run = (after?.runSeconds ?? 1) - (before?.runSeconds ?? 0)
  const wait = (after?.waitSeconds ?? 0) - (before?.waitSeconds ?? 0)
  return { latencies: await result, delays, slowdown: round((run + wait) / run) }
}

function loadRequests(port: number, keys: readonly string[]): Request[] {
  return (['graphql_rates', 'rest_rates', 'rest_duties', 'graphql_duties'] as const).flatMap(
    (name, index) => {
      const { path: target, bodies } = WORKLOADS[name]
      const headers = { 'content-type': 'application/json', 'x-pp-api': keys[index % keys.length] ?? '' }
      return bodies.map((body): Request => ({ port, method: 'POST', path: target, headers, body }))
    },
  )
}

function startGenerator(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'), { execArgv: ['--import', 'tsx'] })
  removeAtTheEnd(() => {
    if (child.connected) child.disconnect()
  })
  return child
}

async function step(generator: ChildProcess, what: Step): Promise<Latencies> {
  const answer = once(generator, 'message')
  generator.send(what)
  const [latencies] = await answer
  return latencies as Latencies
}

function print(phases: Readonly<Record<string, Phase>>): void {
  const cells = (list: readonly (string | number)[]): string =>
    list.map((cell) => String(cell).padStart(10)).join('')
  console.log(
    cells([
      'phase',
      'per s',
      'p50 ms',
      'p99',
      'p99.9',
      'max',
      'p99/p50',
      'loop p99',
      'loop max',
      'adj. p99',
      'adj. max',
      'slowed',
    ]),
  )
  for (const [name, { latencies, delays, slowdown }] of Object.entries(phases)) {
    const { perSecond, p50, p99, p999, max, failures } = latencies
    const { adjusted } = delays
    const loop = [delays.p99, delays.max, adjusted.p99, adjusted.max].map(round)
    console.log(cells([name, perSecond, p50, p99, p999, max, round(p99 / p50), ...loop, slowdown]))
    if (Object.keys(failures).length > 0) console.log(`  not 200: ${JSON.stringify(failures)}`)
  }
  const missed = Object.entries(phases).flatMap(([name, { latencies, delays }]) => [
    ...(latencies.p99 > MAX_RATIO * latencies.p50
      ? [`${name}: p99 is ${round(latencies.p99 / latencies.p50)} times p50`]
      : []),
    ...(delays.adjusted.p99 > MAX_DELAY_MS
      ? [`${name}: event-loop delay p99 ${round(delays.adjusted.p99)} ms`]
      : []),
  ])
  console.log(JSON.stringify({ ...report, missed, loadAverage: os.loadavg() }))
}
