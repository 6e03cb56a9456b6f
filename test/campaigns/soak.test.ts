/**
 * A short run of `npm run test:soak`: memory does not grow with the number of requests. Most requests are repeated, so
 * that caches are full after the warm-up.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/store/database/migrate.ts'
import { type MeasuredService, startMeasuredService } from '../bench/service/measured-service.ts'
import { type ClonedDatabase, emptyDatabase } from '../support/database/clone-database.ts'
import { diceOf } from '../support/random/seeded-dice.ts'
import { populate, urlOf } from './abuse/database.ts'
import { type Load, loadOf } from './soak/load.ts'
import { type Call, randomCall, refusedCall } from './soak/requests.ts'

const WARM_UP_CALLS = 1_500
const CALLS_PER_WINDOW = 1_000
const LEAKED_BYTES_PER_CALL = 10_000
/** One in this many requests is new and refused. */
const NEW_EVERY = 20
const MAX_BYTES_PER_CALL = 500

let database: ClonedDatabase
let service: MeasuredService
let load: Load
const dice = diceOf(5)
const repeated = Array.from({ length: 100 }, () => randomCall(dice))

function nextCall(): Call {
  return dice.int(1, NEW_EVERY) === 1 ? refusedCall(dice) : dice.pick(repeated)
}

/**
 * The growth of memory in bytes per call: the lowest of several windows, because caches and compiled code may still
 * grow in the first ones. A leak shows in all windows.
 */
async function growthPerCall(windows: number): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  let before = await bytesInUse()
  for (let window = 0; window < windows && lowest > MAX_BYTES_PER_CALL; window++) {
    await load.sendAtOnce(CALLS_PER_WINDOW, nextCall)
    const after = await bytesInUse()
    lowest = Math.min(lowest, (after - before) / CALLS_PER_WINDOW)
    before = after
  }
  return lowest
}

async function bytesInUse(): Promise<number> {
  const { heapUsed, external } = await service.memory()
  return heapUsed + external
}

beforeAll(async () => {
  database = await emptyDatabase()
  await migrate(database.source)
  const { acme, bravo } = await populate(database.source)
  service = await startMeasuredService({ program: 'source', databaseUrl: urlOf(database.source) })
  load = loadOf(service.port, [...acme.keys, ...bravo.keys], diceOf(6))
  await load.sendAtOnce(WARM_UP_CALLS, nextCall)
})

afterAll(async () => {
  load.close()
  await service.stop()
  await database.drop()
})

test('memory does not grow with the number of requests through both doors', async () => {
  expect(await growthPerCall(5)).toBeLessThan(MAX_BYTES_PER_CALL)
  expect([...load.statuses.keys()].sort()).toEqual([200, 400, 404])
})

test('a leak of 10 KB per request is found', async () => {
  await service.leak()
  // Most of the leak shows in any window.
  expect(await growthPerCall(1)).toBeGreaterThan(LEAKED_BYTES_PER_CALL / 2)
})
