/**
 * What a scenario works with: a database of its own, replicas that reach it through a link each, a scripted
 * carrier, and a log of all answers.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { TestSource } from '../../support/database/test-server.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'
import type { Answer } from '../crash/answers.ts'
import { sendRequest } from '../crash/callers.ts'
import { type CampaignDatabase, databaseAt } from '../crash/database.ts'
import { alertIn, type LoggedAlert, startChild } from '../crash/processes/child.ts'
import type { TestTimes } from '../crash/processes/test-times.ts'
import { insertShipments } from '../crash/shipments.ts'
import { databaseTarget, type Link, openLink, urlThrough } from '../link.ts'
import { type Script, type ScriptedCarrier, startScriptedCarrier } from './carrier.ts'

export type Ask = 'cancel' | 'book'

/** One request of a caller. */
export type Asked = { readonly shipmentId: string; readonly ask: Ask; readonly answer: Answer }

export type TestReplica = {
  /** Its connection to the database. */
  readonly link: Link
  /** Sends a request and records its answer. */
  ask(ask: Ask, shipmentId: string, door?: 'rest' | 'graphql'): Promise<Answer>
  /** Repeats a cancellation every `everyMs` until the answer is final or `limitMs` have passed. */
  askUntilFinal(shipmentId: string, everyMs: number, limitMs: number): Promise<Answer>
  /** The next `count` calls at these points wait; see gates.ts. Resolves when all are waiting. */
  hold(points: readonly string[], count?: number): Promise<void>
  go(): void
  /** Stops the process for so long (SIGSTOP). */
  freeze(milliseconds: number): Promise<void>
  /** Ends the process (SIGKILL). */
  kill(): Promise<void>
}

export type Stage = {
  readonly dice: Dice
  readonly carrier: ScriptedCarrier
  readonly query: CampaignDatabase['query']
  /** The requests of all callers. */
  readonly asked: Asked[]
  readonly shipmentIds: readonly string[]
  /** Alerts of all replicas. */
  readonly alerts: readonly LoggedAlert[]
  /** `real`: the service keeps its own times. */
  replica(times?: TestTimes | 'real', settings?: Readonly<Record<string, string>>): Promise<TestReplica>
  /** Inserts a booked shipment, whose parcel follows a script. Returns its id. */
  booked(script?: Script): Promise<string>
  /** The same with several parcels. */
  bookedParcels(scripts: readonly Script[]): Promise<string>
  /** Inserts a booked shipment of another carrier. Returns its id. */
  bookedWith(carrierCode: string, numbers: readonly string[]): Promise<string>
  draft(): Promise<string>
  /** Runs at the end of the scenario, before the steps that were added earlier. */
  atEnd(close: () => Promise<unknown> | unknown): void
}

/** About a quarter of the service's times, in the same proportions. */
export const TIMES = {
  deadlineMs: 3_000,
  leaseMs: 5_000,
  callerWaitMs: 1_200,
  lookupTimeoutMs: 600,
  refusalMemoryMs: 7_500,
  verifyAfterMs: 6_000,
} as const

const ANSWER_LIMIT_MS = 1_200
const REQUEST_LIMIT_MS = 30_000

/** Opens a stage on a migrated database with demo data, runs `work`, and closes everything. */
export async function withStage<Result>(
  source: TestSource,
  dice: Dice,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const closers: (() => Promise<unknown> | unknown)[] = []
  try {
    const carrier = await startScriptedCarrier()
    closers.push(() => carrier.close())
    return await work(openStage(source, dice, carrier, closers))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

function openStage(
  source: TestSource,
  dice: Dice,
  carrier: ScriptedCarrier,
  closers: (() => Promise<unknown> | unknown)[],
): Stage {
  const { query, settings } = databaseAt(source)
  const asked: Asked[] = []
  const shipmentIds: string[] = []
  const alerts: LoggedAlert[] = []
  const insert = async (numbers: readonly string[], carrierCode?: string): Promise<string> => {
    const shipmentId = `outage_${shipmentIds.length + 1}`
    shipmentIds.push(shipmentId)
    const parcels = numbers.map((number) => ({ number, fate: 'open' as const }))
    await insertShipments({ query }, [{ shipmentId, accountId: 'demo-shop', parcels }], carrierCode)
    return shipmentId
  }
  return {
    dice,
    carrier,
    query,
    asked,
    shipmentIds,
    alerts,
    async replica(times = {}, others = {}) {
      const link = await openLink(databaseTarget(source))
      closers.push(() => link.close())
      const url = urlThrough(link, source)
      const started = await startPatiently(
        {
          ...settings,
          DATABASE_URL: url,
          WAYBILL_SANDBOX_URL: carrier.origin,
          WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
          WAYBILL_OVERLOAD_WAIT_MS: '60000',
          // Lookups of booked parcels would repair what the protocol has lost.
          WAYBILL_TRACK_MINUTES: '0',
          WAYBILL_LISTEN: 'false',
          ...others,
        },
        times === 'real'
          ? {}
          : { answerLimitMs: ANSWER_LIMIT_MS, ...times, policy: { ...TIMES, ...times.policy } },
        { closers, alerts },
      )
      return { link, ...callersOf(started.origin, asked), ...started }
    },
    booked(script) {
      const number = `OUTAGE-${shipmentIds.length + 1}`
      carrier.announce(number, script)
      return insert([number])
    },
    bookedParcels(scripts) {
      const numbers = scripts.map((script, index) => {
        const number = `OUTAGE-${shipmentIds.length + 1}-${index + 1}`
        carrier.announce(number, script)
        return number
      })
      return insert(numbers)
    },
    bookedWith: (carrierCode, numbers) => insert(numbers, carrierCode),
    draft: () => insert([]),
    atEnd: (close) => {
      closers.push(close)
    },
  }
}

function callersOf(origin: string, asked: Asked[]): Pick<TestReplica, 'ask' | 'askUntilFinal'> {
  const ask = async (
    what: Ask,
    shipmentId: string,
    door: 'rest' | 'graphql' = what === 'cancel' ? 'rest' : 'graphql',
  ): Promise<Answer> => {
    const limit = AbortSignal.timeout(REQUEST_LIMIT_MS)
    const answer = await sendRequest(origin, shipmentId, { accountId: 'demo-shop', ask: what, door }, limit)
    asked.push({ shipmentId, ask: what, answer })
    return answer
  }
  return {
    ask,
    async askUntilFinal(shipmentId, everyMs, limitMs) {
      const startedAt = performance.now()
      for (;;) {
        const answer = await ask('cancel', shipmentId)
        const isOpen = answer.kind === 'pending' || answer.kind === 'unavailable'
        if (!isOpen || performance.now() - startedAt > limitMs) return answer
        await pause(everyMs)
      }
    },
  }
}

/** On a busy machine, loading the data can exceed the service's time limits. */
async function startPatiently(...start: Parameters<typeof startReplica>): ReturnType<typeof startReplica> {
  for (let triesLeft = 4; ; triesLeft -= 1) {
    try {
      return await startReplica(...start)
    } catch (error) {
      if (triesLeft === 1) throw error
    }
  }
}

type Surroundings = {
  readonly closers: (() => Promise<unknown> | unknown)[]
  readonly alerts: LoggedAlert[]
}

async function startReplica(
  settings: Readonly<Record<string, string>>,
  times: TestTimes,
  { closers, alerts }: Surroundings,
): Promise<{ readonly origin: string } & Pick<TestReplica, 'hold' | 'go' | 'freeze' | 'kill'>> {
  let onLine = (_line: string): void => {}
  const child = startChild({
    file: 'replica.ts',
    argument: { isNaive: false },
    onLine: (line) => {
      const alert = alertIn(line)
      if (alert === undefined) onLine(line)
      else alerts.push(alert)
    },
  })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await child.gone
  }
  closers.push(kill)
  const lineStarting = (start: string, count = 1): Promise<string> =>
    new Promise((resolve, reject) => {
      let left = count
      onLine = (line) => {
        if (!line.startsWith(start)) return
        left -= 1
        if (left === 0) resolve(line.slice(start.length))
      }
      void child.gone.then((how) =>
        reject(new Error(`the replica ended (${how}): ${child.errorOutput().slice(0, 500)}`)),
      )
    })
  const ready = lineStarting('ready ')
  child.send(`open ${JSON.stringify({ settings, times })}`)
  return {
    origin: (await ready).replace('localhost', '127.0.0.1'),
    async hold(points, count = 1) {
      const held = lineStarting('held ', count)
      child.send(`hold ${JSON.stringify({ points, count })}`)
      await held
    },
    go: () => child.send('go'),
    async freeze(milliseconds) {
      child.kill('SIGSTOP')
      await pause(milliseconds)
      child.kill('SIGCONT')
    },
    kill,
  }
}
