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
import { startChild } from '../crash/processes/child.ts'
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
}

export type Stage = {
  readonly dice: Dice
  readonly carrier: ScriptedCarrier
  readonly query: CampaignDatabase['query']
  readonly asked: readonly Asked[]
  readonly shipmentIds: readonly string[]
  replica(times?: TestTimes): Promise<TestReplica>
  /** Inserts a booked shipment, whose parcel follows a script. Returns its id. */
  booked(script?: Script): Promise<string>
  draft(): Promise<string>
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
  const insert = async (parcelNumber: string | undefined): Promise<string> => {
    const shipmentId = `outage_${shipmentIds.length + 1}`
    shipmentIds.push(shipmentId)
    const parcels = parcelNumber === undefined ? [] : [{ number: parcelNumber, fate: 'open' as const }]
    await insertShipments({ query }, [{ shipmentId, accountId: 'demo-shop', parcels }])
    return shipmentId
  }
  return {
    dice,
    carrier,
    query,
    asked,
    shipmentIds,
    async replica(times = {}) {
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
        },
        { answerLimitMs: ANSWER_LIMIT_MS, ...times, policy: { ...TIMES, ...times.policy } },
        closers,
      )
      return { link, ...callersOf(started.origin, asked), ...started }
    },
    booked(script) {
      const number = `OUTAGE-${shipmentIds.length + 1}`
      carrier.announce(number, script)
      return insert(number)
    },
    draft: () => insert(undefined),
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

async function startReplica(
  settings: Readonly<Record<string, string>>,
  times: TestTimes,
  closers: (() => Promise<unknown> | unknown)[],
): Promise<{ readonly origin: string } & Pick<TestReplica, 'hold' | 'go' | 'freeze'>> {
  let onLine = (_line: string): void => {}
  const child = startChild({
    file: 'replica.ts',
    argument: { isNaive: false },
    onLine: (line) => onLine(line),
  })
  closers.push(async () => {
    child.kill('SIGKILL')
    await child.gone
  })
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
  }
}
