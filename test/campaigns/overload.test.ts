/**
 * A short run of `npm run test:overload` with a real service: at three times the capacity, most of the capacity is still
 * served in time, and the other requests are refused quickly.
 */
import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/store/database/migrate.ts'
import { type ClonedDatabase, emptyDatabase } from '../support/database/clone-database.ts'
import { populate, urlOf } from './abuse/database.ts'
import { type Service, startService } from './abuse/service.ts'
import { closedLoop, openLoop, send } from './overload/client.ts'
import { figuresOf, type Outcome } from './overload/figures.ts'
import { estimate, smallRates } from './overload/requests.ts'
import { watchSlowdown } from './overload/slowdown.ts'

const CALLERS = 8
const WARM_UP_SECONDS = 1.5
const PEAK_SECONDS = 1
const LOAD_SECONDS = 3.5
/** A request takes about 8 ms. With shorter ones, the limit on requests in flight would hide a missing refusal. */
const ITEMS = 20
const FACTOR = 3
const OTHERS_PER_SECOND = 10
/** Responses that take longer do not count as goodput. */
const USEFUL_MS = 1_000
const MIN_GOODPUT = 0.6
/** Other processes can slow down one of the compared measurements. */
const ATTEMPTS = 3
/** Beyond these, a low goodput says nothing: the service waited for a processor, or requests were sent late. */
const MAX_SLOWDOWN = 2
const MAX_LATE_MS = 250

let database: ClonedDatabase
let service: Service
let keys: { readonly load: string; readonly other: string }
const agent = new Agent({ keepAlive: true })

beforeAll(async () => {
  database = await emptyDatabase()
  await migrate(database.source)
  const { acme, bravo } = await populate(database.source)
  keys = { load: acme.keys[0] ?? '', other: bravo.keys[0] ?? '' }
  service = await startService({
    ...{ program: 'source', databaseUrl: urlOf(database.source) },
    settings: {
      WAYBILL_RATE_LIMIT_PER_MINUTE: '1000000',
      WAYBILL_POINTS_PER_MINUTE: '100000000',
      WAYBILL_TRACK_MINUTES: '0',
    },
  })
  await closedLoop(CALLERS, WARM_UP_SECONDS, sendEstimate)
})

afterAll(async () => {
  agent.destroy()
  await service.stop()
  await database.drop()
})

function sendEstimate(dueAt?: number): Promise<Outcome> {
  return send(estimate(service.port, keys.load, ITEMS), agent, dueAt)
}

/** Responses per second within USEFUL_MS. */
function goodput(outcomes: readonly Outcome[], seconds: number): number {
  return outcomes.filter(({ kind, ms }) => kind === 'served' && ms <= USEFUL_MS).length / seconds
}

/** Measures the peak before and after the load, so that other processes affect all measurements. */
async function overload() {
  const peak = async (): Promise<number> =>
    goodput(await closedLoop(CALLERS, PEAK_SECONDS, () => sendEstimate()), PEAK_SECONDS)
  const before = await peak()
  const small = smallRates(service.port, keys.other)
  let lateMs = 0
  const slowdown = watchSlowdown(service)
  const [load, others] = await Promise.all([
    openLoop(FACTOR * before, LOAD_SECONDS, (dueAt) => {
      lateMs = Math.max(lateMs, performance.now() - dueAt)
      return sendEstimate(dueAt)
    }),
    openLoop(OTHERS_PER_SECOND, LOAD_SECONDS, (dueAt) => send(small, undefined, dueAt)),
  ])
  const isDisturbed = slowdown() > MAX_SLOWDOWN || lateMs > MAX_LATE_MS
  const after = await peak()
  return {
    isDisturbed,
    share: goodput(load, LOAD_SECONDS) / ((before + after) / 2),
    load: figuresOf(load, LOAD_SECONDS),
    others: figuresOf(others, LOAD_SECONDS),
  }
}

test('at three times the capacity most of it is served in time, and refusals are quick', async ({ skip }) => {
  let best = await overload()
  let isJudged = !best.isDisturbed
  const isMet = (): boolean =>
    best.share > MIN_GOODPUT && best.load.shedShare > 0 && best.load.shed.p50Ms < best.load.served.p50Ms
  for (let attempt = 1; attempt < ATTEMPTS && !isMet(); attempt++) {
    const next = await overload()
    if (next.share > best.share) best = next
    if (!next.isDisturbed) isJudged = true
  }
  if (!isMet() && !isJudged) skip('other processes used the processors during all attempts')
  const { share, load, others } = best
  expect(share).toBeGreaterThan(MIN_GOODPUT)
  // A refusal that is not 503 with `Retry-After` counts as a failure.
  expect(load.failures).toEqual({})
  expect(load.shedShare).toBeGreaterThan(0)
  expect(load.shed.p50Ms).toBeLessThan(load.served.p50Ms)
  expect(others).toMatchObject({ shedShare: 0, failures: {} })
})
