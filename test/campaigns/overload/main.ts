/**
 * `npm run test:overload`: measures the capacity of a production build for expensive requests in a closed loop, then
 * offers a multiple of it in an open loop, through both doors. Meanwhile others send health checks, scan events and
 * small requests. The last line is a JSON object. The exit code is 1 if a requirement is not met.
 *
 * Options: `--factor 3`, `--seconds 10`, `--slack 0` (milliseconds added to limits on time, for a busy machine),
 * `--no-build`, `--folder` (another checkout to run), `--new-connections` (one for each request of the load).
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { round } from '../../bench/percentile.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { populate, urlOf } from '../abuse/database.ts'
import { type Service, startService } from '../abuse/service.ts'
import { removeAtTheEnd, withScratchDatabase } from '../scratch-database.ts'
import { openLoop, type Request, send } from './client.ts'
import {
  type Figures,
  goodputOf,
  type Outcome,
  type Overload,
  openFiguresOf,
  violationsOf,
} from './figures.ts'
import type { Step, StepResult } from './generator.ts'
import { estimate, ratesBatch, smallRates } from './requests.ts'
import { watchSlowdown } from './slowdown.ts'

const { values } = parseArgs({
  options: {
    factor: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    slack: { type: 'string', default: '0' },
    'no-build': { type: 'boolean', default: false },
    'new-connections': { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
})
const repository = path.resolve(import.meta.dirname, '../../..')
const [factor, seconds, slackMs] = [Number(values.factor), Number(values.seconds), Number(values.slack)]
if (!(factor >= 1 && factor <= 20 && seconds >= 1 && seconds <= 120 && slackMs >= 0))
  throw new Error('--factor takes 1 to 20, --seconds 1 to 120, --slack milliseconds')

const CALLERS = 8
const WARM_UP_SECONDS = 4
const CAPACITY_SECONDS = 4
const RECOVERY_MS = 2_000
const EVENT_SECRET = 'event-secret-of-the-overload-campaign'

if (!values['no-build'])
  execFileSync('npm', ['run', 'build'], { cwd: values.folder ?? repository, stdio: 'ignore' })
const reports = await withScratchDatabase({ durable: false }, async (source) => {
  const { acme, bravo } = await populate(source)
  const service = await startService({
    ...{ program: 'built', folder: values.folder, databaseUrl: urlOf(source) },
    settings: {
      WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
      WAYBILL_POINTS_PER_MINUTE: '100000000',
      WAYBILL_CARRIERS: carriersFile(),
      WAYBILL_TRACK_MINUTES: '0',
    },
  })
  const generator = startGenerator()
  const keys = { load: acme.keys[0] ?? '', other: bravo.keys[0] ?? '' }
  const graphql = await overload(service, generator, keys, ratesBatch(service.port, keys.load))
  const rest = await overload(service, generator, keys, estimate(service.port, keys.load))
  return { graphql, rest }
})

const violations = Object.entries(reports).flatMap(([door, report]) =>
  violationsOf(report, slackMs).map((violation) => `${door}: ${violation}`),
)
for (const violation of violations) console.log(`VIOLATION ${violation}`)
console.log(JSON.stringify({ ...reports, loadAverage: os.loadavg(), violations }))
if (violations.length > 0) process.exitCode = 1

type Keys = { readonly load: string; readonly other: string }

async function overload(
  service: Service,
  generator: ChildProcess,
  keys: Keys,
  request: Request,
): Promise<Overload> {
  const run = (step: Step) => runStep(generator, step)
  const closed = { kind: 'closed', request, callers: CALLERS } as const
  await run({ ...closed, seconds: WARM_UP_SECONDS })
  const slowdownInLoop = watchSlowdown(service)
  const cpuAtStart = service.cpuSeconds()
  // The others send during both measurements, so that their share of the processor does not count as lost.
  const [{ figures }] = await Promise.all([
    run({ ...closed, seconds: CAPACITY_SECONDS }),
    sendOthers(service, keys.other, CAPACITY_SECONDS),
  ])
  const capacity = figures.servedPerSecond
  const closedSlowdown = slowdownInLoop()
  const cpuAfterLoop = service.cpuSeconds()
  const perSecond = factor * capacity
  const slowdownUnderLoad = watchSlowdown(service)
  const loaded = run({
    ...{ kind: 'open', request, perSecond, seconds },
    isNewConnection: values['new-connections'],
  })
  const [load, others] = await Promise.all([loaded, sendOthers(service, keys.other, seconds)])
  const slowdown = { closed: closedSlowdown, load: slowdownUnderLoad() }
  const cpuMs = cpuCosts(
    cpuAfterLoop - cpuAtStart,
    service.cpuSeconds() - cpuAfterLoop,
    figures,
    load.figures,
  )
  await pause(RECOVERY_MS)
  const afterwards = (await run({ ...closed, callers: 1, seconds: 1 })).figures
  const report = { capacity, slowdown, cpuMs, factor, load: load.figures, others, afterwards }
  print(request.path, report, load.lateMs)
  return report
}

/** Refusals take what the served requests of the load leave, at their cost in the closed loop. */
function cpuCosts(
  closedSeconds: number,
  loadSeconds: number,
  closed: Figures,
  load: Figures,
): Overload['cpuMs'] {
  const served = (1_000 * closedSeconds) / (closed.servedPerSecond * CAPACITY_SECONDS)
  const refusals = load.shedShare * load.offeredPerSecond * seconds
  const left = 1_000 * loadSeconds - served * load.servedPerSecond * seconds
  return {
    served: round(served),
    refused: refusals === 0 ? 0 : Math.round((1_000 * left) / refusals) / 1_000,
  }
}

async function sendOthers(
  service: Service,
  key: string,
  forSeconds: number,
): Promise<Record<string, Figures>> {
  const { port } = service
  const health = (target: string): Request => ({ port, method: 'GET', path: target, headers: {} })
  const small = smallRates(port, key)
  const requests: readonly [string, number, () => Request][] = [
    ['/healthz', 20, () => health('/healthz')],
    ['/readyz', 20, () => health('/readyz')],
    ['scan events', 5, () => scanEvents(port)],
    ['small requests of another account', 10, () => small],
  ]
  const figures = await Promise.all(
    requests.map(async ([name, perSecond, make]) => {
      const outcomes = await openLoop(perSecond, forSeconds, (dueAt) =>
        withOwnTime(service, send(make(), undefined, dueAt)),
      )
      return [name, openFiguresOf(outcomes, perSecond, forSeconds)] as const
    }),
  )
  return Object.fromEntries(figures)
}

async function withOwnTime(service: Service, sent: Promise<Outcome>): Promise<Outcome> {
  const before = service.mainThreadTimes()
  const outcome = await sent
  const after = service.mainThreadTimes()
  return outcome.kind === 'failed' || before === undefined || after === undefined
    ? outcome
    : { ...outcome, ownMs: 1_000 * (after.runSeconds - before.runSeconds) }
}

/** A signed request whose event is ignored, so that it changes nothing. */
function scanEvents(port: number): Request {
  const event = { eventId: 'evt-1', trackingNumber: 'SBX-OK-1', at: new Date().toISOString(), type: 'hello' }
  const body = JSON.stringify({ events: [event] })
  const at = Math.floor(Date.now() / 1_000)
  const digest = createHmac('sha256', EVENT_SECRET).update(`${at}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-waybill-signature': `t=${at},v1=${digest}` }
  return { port, method: 'POST', path: '/carrier-events/rondeel', headers, body }
}

/** No carrier is called, so nothing needs to listen at its address. */
function carriersFile(): string {
  const folder = makeThrowAwayFolder()
  removeAtTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'carriers.json')
  const rondeel = { baseUrl: 'http://127.0.0.1:9', eventSecret: EVENT_SECRET }
  writeFileSync(file, JSON.stringify({ rondeel }), { mode: 0o600 })
  return file
}

function startGenerator(): ChildProcess {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'), { execArgv: ['--import', 'tsx'] })
  removeAtTheEnd(() => {
    if (child.connected) child.disconnect()
  })
  return child
}

async function runStep(generator: ChildProcess, step: Step): Promise<StepResult> {
  const result = once(generator, 'message')
  generator.send(step)
  const [message] = await result
  return message as StepResult
}

function print(target: string, report: Overload, lateMs: number): void {
  const { capacity, slowdown, cpuMs, load, others, afterwards } = report
  const line = (name: string, figures: Figures): void =>
    console.log(
      `  ${name}: ${figures.offeredPerSecond}/s offered, ${figures.servedPerSecond}/s served ` +
        `(p50 ${figures.served.p50Ms}, p99 ${figures.served.p99Ms}, max ${figures.served.maxMs} ms${ownOf(figures)}), ` +
        `${(100 * figures.shedShare).toFixed(1)}% 503 (p50 ${figures.shed.p50Ms}, p99 ${figures.shed.p99Ms} ms), ` +
        `failures ${JSON.stringify(figures.failures)}${firstSecondOf(figures)}`,
    )
  console.log(
    `${target}: capacity ${capacity}/s, goodput ${(100 * goodputOf(report)).toFixed(0)}% of it, ` +
      `CPU time ${cpuMs.served} ms per served request and ${cpuMs.refused} ms per refusal, ` +
      `slowed down by others ${slowdown.closed.toFixed(1)} and ${slowdown.load.toFixed(1)} times, ` +
      `generator at most ${lateMs} ms late, load average ${os.loadavg()[0]?.toFixed(1)}`,
  )
  line('load', load)
  for (const [name, figures] of Object.entries(others)) line(name, figures)
  line('2 s afterwards', afterwards)
}

function firstSecondOf({ firstSecond }: Figures): string {
  if (firstSecond === undefined) return ''
  const { served, shed } = firstSecond
  return `; first second: served p99 ${served.p99Ms}, 503 p99 ${shed.p99Ms} ms`
}

function ownOf({ own }: Figures): string {
  return own === undefined ? '' : `; own time of the service p50 ${own.p50Ms}, p99 ${own.p99Ms} ms`
}
