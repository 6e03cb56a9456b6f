/**
 * `npm run bench:tail`: latencies at half of the capacity, and the delays of the service's event loop, in several
 * phases: without disturbance, while a card of 900,000 prices is published, while a customs data set is imported and
 * published, while a carrier takes 8 seconds, and beside large requests. Plain Node serves the same load for
 * comparison. See docs/benchmarks.md#tail-latency.
 *
 * Options: `--only PHASE` (several are possible), `--no-build`, `--per-second N` (instead of half of the capacity),
 * `--node-option=--max-semi-space-size=32` (for the service; several are possible).
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { populate, urlOf } from '../../campaigns/abuse/database.ts'
import { removeAtTheEnd, withScratchDatabase } from '../../campaigns/scratch-database.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { isPinned, startBareServer } from '../doors/processes.ts'
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
import type { Arrivals, Latencies, Request, Step } from './generator.ts'

const QUIET_MS = 10_000
const RAW_MS = 4_000
const quiet = (): Promise<void> => pause(QUIET_MS)

type Disturbance = {
  readonly arrivals: Arrivals
  /** Part of the capacity; default: half. */
  readonly share?: number
  readonly begin: (target: Target) => Promise<void>
}

const PHASES: Readonly<Record<string, Disturbance>> = {
  quiet: { arrivals: 'even', begin: quiet },
  random: { arrivals: 'random', begin: quiet },
  card: { arrivals: 'even', begin: publishCard },
  customs: { arrivals: 'even', begin: importCustoms },
  carrier: { arrivals: 'even', begin: cancelSlowly },
  // With half of the capacity, the two accounts together would need more than the whole.
  heavy: { arrivals: 'even', share: 0.25, begin: sendHeavy },
}
const CALLERS = 8
const WARM_UP_SECONDS = 6
const CAPACITY_SECONDS = 3
const SETTLE_MS = 2_000
const MAX_RATIO = 3
const MAX_DELAY_MS = 20
const SERVER_CORE = 0
const GENERATOR_CORE = 1

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    'no-build': { type: 'boolean', default: false },
    'per-second': { type: 'string' },
    'node-option': { type: 'string', multiple: true, default: [] },
  },
})
if (!values['no-build']) execFileSync('npm', ['run', 'build'], { stdio: 'ignore' })

/** `slowdown`: how many times longer the main thread took because it waited for a processor. */
type Phase = {
  readonly latencies: Latencies
  readonly delays: Delays
  readonly seconds: number
  readonly slowdown: number
}

// The database and the operator's commands use the time that the service leaves.
yieldToOthers(true)
const report = await withScratchDatabase({ durable: false }, async (source) => {
  yieldToOthers(false)
  const { acme, bravo } = await populate(source)
  await prepareCard(source)
  const service = await startMeasuredService(
    { program: 'built', databaseUrl: urlOf(source) },
    values['node-option'],
    isPinned ? SERVER_CORE : undefined,
  )
  const generator = startGenerator()
  const folder = makeThrowAwayFolder()
  removeAtTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  const requests = loadRequests(service.port, bravo.keys)
  const launcher = isPinned ? ['chrt', '--idle', '0', 'taskset', '-c', String(SERVER_CORE)] : []
  const target = { source, port: service.port, key: bravo.keys[0] ?? '', folder, launcher }
  const raw = await measureRaw(generator, requests)
  const capacity = await capacityOf(generator, requests)
  const perSecond = values['per-second'] === undefined ? capacity / 2 : Number(values['per-second'])
  console.log(`capacity ${capacity} requests per second; load ${Math.round(perSecond)} per second`)
  const phases: Record<string, Phase> = {}
  for (const [name, { arrivals, share = 0.5, begin }] of Object.entries(PHASES)) {
    if (values.only !== undefined && !values.only.includes(name)) continue
    // The heavy requests are those of another account.
    const aim = name === 'heavy' ? { ...target, key: acme.keys[0] ?? '' } : target
    const load: Step = { kind: 'open', requests, perSecond: 2 * share * perSecond, arrivals }
    phases[name] = await measure(service, generator, load, () => begin(aim))
  }
  return { capacity, perSecond, raw, phases }
})
print(report)
process.exit()

/**
 * Latencies of plain Node at half of its own capacity, which parses the same requests and returns the same responses.
 */
async function measureRaw(generator: ChildProcess, requests: readonly Request[]) {
  const rest: Record<string, unknown> = {}
  for (const { port, path: target, headers, body } of requests)
    rest[target] ??= await (
      await fetch(`http://127.0.0.1:${port}${target}`, { method: 'POST', headers, body })
    ).json()
  const { port } = await startBareServer('raw', { rest })
  const rawRequests = requests.map((request) => ({ ...request, port }))
  const perSecond = (await capacityOf(generator, rawRequests)) / 2
  const latencies = async (arrivals: Arrivals): Promise<Latencies> => {
    const result = step(generator, { kind: 'open', requests: rawRequests, perSecond, arrivals })
    await pause(RAW_MS)
    generator.send({ kind: 'stop' } satisfies Step)
    return result
  }
  return { even: await latencies('even'), random: await latencies('random') }
}

async function capacityOf(generator: ChildProcess, requests: readonly Request[]): Promise<number> {
  const closed = { kind: 'closed', requests, callers: CALLERS } as const
  await step(generator, { ...closed, seconds: WARM_UP_SECONDS })
  return (await step(generator, { ...closed, seconds: CAPACITY_SECONDS })).perSecond
}

async function measure(
  service: MeasuredService,
  generator: ChildProcess,
  load: Step,
  disturb: () => Promise<void>,
): Promise<Phase> {
  const result = step(generator, load)
  await pause(SETTLE_MS)
  await service.delays()
  const [before, startedAt] = [service.threadTimes(), performance.now()]
  await disturb()
  const [delays, after] = [await service.delays(), service.threadTimes()]
  const seconds = (performance.now() - startedAt) / 1_000
  generator.send({ kind: 'stop' } satisfies Step)
  const run = (after?.runSeconds ?? 1) - (before?.runSeconds ?? 0)
  const wait = (after?.waitSeconds ?? 0) - (before?.waitSeconds ?? 0)
  return { latencies: await result, delays, seconds, slowdown: round((run + wait) / run) }
}

function loadRequests(port: number, keys: readonly string[]): Request[] {
  return (['graphql_rates', 'rest_rates', 'rest_duties', 'graphql_duties'] as const).flatMap(
    (name, index) => {
      const { path: target, bodies } = WORKLOADS[name]
      const headers = { 'content-type': 'application/json', 'x-pp-api': keys[index % keys.length] ?? '' }
      return bodies.map((body): Request => ({ port, path: target, headers, body }))
    },
  )
}

function startGenerator(): ChildProcess {
  const node = ['--max-semi-space-size=64', '--import', 'tsx']
  const child = fork(
    path.join(import.meta.dirname, 'generator.ts'),
    isPinned ? ['awake'] : [],
    isPinned
      ? { execPath: 'taskset', execArgv: ['-c', String(GENERATOR_CORE), process.execPath, ...node] }
      : { execArgv: node },
  )
  removeAtTheEnd(() => {
    if (child.connected) child.disconnect()
  })
  return child
}

/** Whether this process, and processes that it starts from now on, only use time that others leave, on one core. */
function yieldToOthers(yields: boolean): void {
  if (!isPinned) return
  execFileSync('chrt', ['--all-tasks', yields ? '--idle' : '--other', '--pid', '0', String(process.pid)])
  if (yields)
    execFileSync('taskset', ['-a', '-c', '-p', String(SERVER_CORE), String(process.pid)], { stdio: 'ignore' })
}

async function step(generator: ChildProcess, what: Step): Promise<Latencies> {
  const answer = once(generator, 'message')
  generator.send(what)
  const [latencies] = await answer
  return latencies as Latencies
}

function print({ raw, phases, capacity, perSecond }: typeof report): void {
  const cells = (list: readonly (string | number)[]): string =>
    list.map((cell) => String(cell).padStart(10)).join('')
  const latencyCells = ({ perSecond: served, p50, p99, p999, max, typicalP99, lateP99 }: Latencies) => [
    served,
    ...[p50, p99, p999, max, lateP99, typicalP99].map((ms) => ms.toFixed(2)),
    ...[typicalP99 / p50, p99 / p50].map((ratio) => ratio.toFixed(1)),
  ]
  console.log(
    cells([
      ...[
        'phase',
        'per s',
        'p50 ms',
        'p99',
        'p99.9',
        'max',
        'late p99',
        'typ. p99',
        'typ./p50',
        'p99/p50',
        'loop p99',
        'loop max',
      ],
      ...['adj. p99', 'adj. max', 'slowed', 'gc per s', 'gc %', 'gc max'],
    ]),
  )
  for (const [arrivals, latencies] of Object.entries(raw))
    console.log(cells([`raw ${arrivals}`, ...latencyCells(latencies)]))
  for (const [name, { latencies, delays, seconds, slowdown }] of Object.entries(phases)) {
    const { adjusted, collections } = delays
    const loop = [delays.p99, delays.max, adjusted.p99, adjusted.max].map(round)
    const garbage = [
      round(collections.count / seconds),
      round(collections.totalMs / seconds / 10),
      round(collections.maxMs),
    ]
    console.log(cells([name, ...latencyCells(latencies), ...loop, slowdown, ...garbage]))
    if (Object.keys(latencies.failures).length > 0)
      console.log(`  not 200: ${JSON.stringify(latencies.failures)}`)
  }
  const missed = Object.entries(phases).flatMap(([name, { latencies, delays }]) => [
    ...(latencies.p99 > MAX_RATIO * latencies.p50
      ? [`${name}: p99 is ${round(latencies.p99 / latencies.p50)} times p50`]
      : []),
    ...(delays.adjusted.p99 > MAX_DELAY_MS
      ? [`${name}: event-loop delay p99 ${round(delays.adjusted.p99)} ms`]
      : []),
  ])
  const isMachineQuiet = raw.even.p99 <= MAX_RATIO * raw.even.p50
  if (!isMachineQuiet && missed.length > 0)
    console.log('plain Node misses the ratio too: the machine is too busy to judge it')
  console.log(
    JSON.stringify({ capacity, perSecond, raw, phases, missed, isMachineQuiet, loadAverage: os.loadavg() }),
  )
}
