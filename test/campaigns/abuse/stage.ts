/**
 * Starts the database, service, carriers and bystanders of a scenario, runs scenarios and reports their
 * results.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { removeAtTheEnd } from '../scratch-database.ts'
import { type Bystander, type Sightings, startBystander } from './bystander.ts'
import { DATABASE_PASSWORD, type OwnDatabase, type Population, readDatabaseWork, urlOf } from './database.ts'
import { type FailingCarrier, startFailingCarrier } from './failing-carrier.ts'
import { openFindings } from './findings.ts'
import { type Attack, type Reply, send } from './http-client.ts'
import { judgeBystanders, judgeRaw, judgeReply, judgeService, noAnswers, startingPoint } from './report.ts'
import type { Scenario, Stage } from './scenario.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'

export type StageOptions = {
  readonly short: boolean
  readonly program: ServiceOptions['program']
  readonly database: OwnDatabase
  readonly population: Population
  /** An empty folder for the carriers' settings. */
  readonly folder: string
  readonly settings?: Readonly<Record<string, string>>
  readonly bystanderRate?: number
}

/** The figures of one scenario, and its violations as text. */
export type ScenarioReport = Readonly<Record<string, unknown>> & { readonly violations: readonly string[] }

/** A stage with all processes running. */
export type OpenStage = {
  /** Runs one scenario. Peak memory counts from the opening of the stage. */
  run(scenario: Scenario, seed: number): Promise<ScenarioReport>
  close(): Promise<void>
}

const BYSTANDER_RATE = 20
const WARM_UP_MS = 3_000
const CALM_MS = 6_000
/** Cores that the bystanders need on a slow machine, if it is not measured. */
const ASSUMED_CORES = 0.2
const SCENARIO_MS = 90_000
/** PostgreSQL sessions report their statistics within this time. */
const STATISTICS_MS = 1_500
const EVENT_SECRET = 'canary-event-secret-of-the-carrier-rondeel'

type Parts = {
  readonly service: Service
  readonly carrier: FailingCarrier
  readonly bystander: Bystander | undefined
  readonly options: StageOptions
  /** Unused keys of `acme`. */
  readonly keys: string[]
}

/** Starts all processes; `close` stops them. */
export async function openStage(options: StageOptions): Promise<OpenStage> {
  const { population, database, program, settings, bystanderRate = BYSTANDER_RATE } = options
  const closing: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (let step = closing.pop(); step !== undefined; step = closing.pop()) await step()
  }
  try {
    const sandbox = await startSandboxServer()
    closing.push(removeAtTheEnd(() => sandbox.close()))
    const carrier = await startFailingCarrier()
    closing.push(removeAtTheEnd(() => carrier.close()))
    const service = await startService({
      program,
      databaseUrl: urlOf(database.source),
      settings: {
        ...settings,
        WAYBILL_CARRIERS: carriersFile(options.folder, sandbox.address, carrier.baseUrl),
      },
      secrets: secretsOf(population),
    })
    closing.push(service.stop)
    const bystander =
      bystanderRate === 0
        ? undefined
        : await startBystander({
            ...{ port: service.port, keys: population.bravo.keys, drafts: population.drafts },
            perSecond: bystanderRate,
            repeatsRefused: options.short,
          })
    if (bystander !== undefined) closing.push(bystander.stop)
    const parts: Parts = { service, carrier, bystander, options, keys: [...population.acme.keys] }
    return { run: (scenario, seed) => runScenario(parts, scenario, seed), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Rondeel is a working sandbox, except for `acme`, which has its own credentials for a failing carrier. */
function carriersFile(folder: string, working: string, failing: string): string {
  const file = path.join(folder, 'carriers.json')
  const rondeel = { baseUrl: working, eventSecret: EVENT_SECRET, accounts: { acme: { baseUrl: failing } } }
  writeFileSync(file, JSON.stringify({ rondeel }), { mode: 0o600 })
  return file
}

function secretsOf({ acme, bravo }: Population): string[] {
  const secrets = [...acme.keys, ...bravo.keys].map((key) => key.slice(key.indexOf('@') + 1))
  return [...secrets, DATABASE_PASSWORD, EVENT_SECRET]
}

async function runScenario(parts: Parts, scenario: Scenario, seed: number): Promise<ScenarioReport> {
  const { service, bystander, options } = parts
  const findings = openFindings()
  const answers = noAnswers()
  const notes: Record<string, number> = {}
  let calm: Sightings | undefined
  let calmCores = ASSUMED_CORES
  if (bystander !== undefined && !options.short) {
    await bystander.watch(() => pause(WARM_UP_MS))
    const cpuBefore = service.cpuSeconds()
    calm = await bystander.watch(() => pause(CALM_MS))
    calmCores = (service.cpuSeconds() - cpuBefore) / (CALM_MS / 1_000)
  }
  const before = startingPoint(service)
  const startedAt = performance.now()
  const endsAt = startedAt + SCENARIO_MS
  const stage: Stage = {
    ...{ short: options.short, program: options.program, dice: diceOf(seed) },
    ...{ port: service.port, service, carrier: parts.carrier, calmCores },
    ...{ database: options.database, population: options.population, bravo: options.population.bravo },
    newKey() {
      const key = parts.keys.shift()
      if (key === undefined) throw new Error('all keys of the attacker are used up')
      return key
    },
    goesOn: () => performance.now() < endsAt && service.isUsable(),
    async send(attack) {
      const reply = await sendWhenUp(service, attack)
      judgeReply(attack.label, reply, answers, findings)
      return reply
    },
    judge: (label, answer) => judgeRaw(label, answer, answers, findings),
    violate: findings.add,
    errorLines: () => service.log.errors().slice(before.errorLines),
    note(figure, value) {
      notes[figure] = (notes[figure] ?? 0) + value
    },
    databaseWorkOf: (work) => databaseWorkOf(options.database, work),
  }
  const attack = async (): Promise<void> => {
    try {
      await scenario.attack(stage)
    } catch (error) {
      findings.add('the scenario did not run to its end', String(error))
    }
  }
  const busy = bystander === undefined ? await attack() : await bystander.watch(attack)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  judgeService({ service, before, answers, bystanders: busy?.requests ?? 0 }, findings)
  if (busy !== undefined) judgeBystanders(busy, calm, findings)
  return {
    seconds,
    ...notes,
    ...answers,
    ...(busy !== undefined && { bystanders: busy }),
    ...(calm !== undefined && { calm: { p50Ms: calm.p50Ms, p99Ms: calm.p99Ms, maxMs: calm.maxMs } }),
    peakMemoryMb: Math.round(service.peakMemoryBytes() / 1024 / 1024),
    cpuSeconds: Math.round((service.cpuSeconds() - before.cpuSeconds) * 10) / 10,
    deaths: service.deaths().length - before.deaths,
    logBytes: service.log.bytes() - before.logBytes,
    errorLines: service.log.errorCount() - before.errorLines,
    firstErrors: stage.errorLines().slice(0, 3),
    violations: findings.lines(),
  }
}

/** Waits while a service that died is restarted. */
async function sendWhenUp(service: Service, attack: Attack): Promise<Reply> {
  for (;;) {
    await service.up().catch(() => {})
    const reply = await send(service.port, attack)
    if (reply.failure !== 'ECONNREFUSED' || !service.isUsable()) return reply
    await pause(100)
  }
}

async function databaseWorkOf({ source }: OwnDatabase, work: () => Promise<void>) {
  const startedAt = performance.now()
  const before = await readDatabaseWork(source)
  await work()
  await pause(STATISTICS_MS)
  const after = await readDatabaseWork(source)
  return {
    seconds: (performance.now() - startedAt) / 1000,
    transactions: after.transactions - before.transactions,
    keyLookUps: after.keyLookUps - before.keyLookUps,
  }
}
