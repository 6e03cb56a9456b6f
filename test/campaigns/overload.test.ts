/**
 * Refusals of a real service: while an account asks for more than the processor can do, some of its requests are served
 * and the others are refused as documented, and another account notices nothing. `npm run test:overload` measures how
 * much is served, and how fast.
 */
import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/store/database/migrate.ts'
import { type ClonedDatabase, emptyDatabase } from '../support/database/clone-database.ts'
import { populate, urlOf } from './abuse/database.ts'
import { type Service, startService } from './abuse/service.ts'
import { closedLoop, send } from './overload/client.ts'
import { figuresOf } from './overload/figures.ts'
import { estimate, smallRates } from './overload/requests.ts'

/**
 * Together they ask for far more than OVERLOAD_WAIT_MS of processor time, and for less than the limit on requests in
 * flight.
 */
const CALLERS = 100
const ITEMS = 20
/** The shortest that can be configured, so that a fast machine refuses too. */
const OVERLOAD_WAIT_MS = 50
const LOAD_SECONDS = 3

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
      WAYBILL_OVERLOAD_WAIT_MS: String(OVERLOAD_WAIT_MS),
    },
  })
})

afterAll(async () => {
  agent.destroy()
  await service.stop()
  await database.drop()
})

test('an overload refuses some requests of its account and none of others', async () => {
  const heavy = estimate(service.port, keys.load, ITEMS)
  const small = smallRates(service.port, keys.other)
  const [load, others] = await Promise.all([
    closedLoop(CALLERS, LOAD_SECONDS, () => send(heavy, agent)),
    // One request at a time: after a pause of the machine, requests of an open loop would arrive together.
    closedLoop(1, LOAD_SECONDS, () => send(small, undefined)),
  ])
  const { shedShare, failures } = figuresOf(load, LOAD_SECONDS)
  expect(shedShare).toBeGreaterThan(0)
  expect(shedShare).toBeLessThan(1)
  // A refusal that is not 503 with `Retry-After` counts as a failure.
  expect(failures).toEqual({})
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter(({ kind }) => kind !== 'served')).toEqual([])
})
