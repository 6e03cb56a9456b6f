/** Records of calls to carriers on a real database: written in the background, found by attempt, removed by age. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CarrierCall } from '../../../src/operations/ports/carrier-calls.ts'
import {
  type CallRecords,
  callsForAttempt,
  openCallRecords,
  removeCalls,
} from '../../../src/store/shipments/carrier-calls.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let cloned: ClonedDatabase
let records: CallRecords
let faults: { readonly error: unknown; readonly lost: number }[]
beforeAll(async () => {
  cloned = await cloneDatabase({})
})
afterAll(() => cloned.drop())

const open = () =>
  openCallRecords(cloned.db, { keptDays: 30, onFault: (error, lost) => faults.push({ error, lost }) })
beforeEach(async () => {
  await sql`TRUNCATE carrier_call`.execute(cloned.db)
  faults = []
  records = open()
})

const call = (change: Partial<CarrierCall> = {}): CarrierCall => ({
  ...{ purpose: 'cancel', carrierCode: 'dpd', accountId: 'acme', subject: '1Z', attemptId: 'attempt-1' },
  ...{ begunAt: new Date().toISOString(), durationMs: 120, outcome: 'unknown', cause: 'HTTP 500' },
  exchanges: [
    {
      ...{ method: 'DELETE', url: 'https://dpd.example/1Z', durationMs: 118, status: 500 },
      ...{ carrierIds: { 'X-Request-Id': 'r-1' }, request: null, reply: '"\\u0000"' },
    },
  ],
  ...change,
})
const { attemptId: _, ...lookup } = call({ purpose: 'lookup', outcome: 'announced' })

const ATTEMPT = {
  ...{ attemptId: 'attempt-1', carrierCode: 'dpd', accountId: 'acme', subjects: ['shp_1', '1Z'] },
  ageMs: 60_000,
}
const found = () => callsForAttempt(cloned.db, ATTEMPT)

describe('the calls of an attempt', () => {
  test('are its sends and the lookups of its parcels, oldest first, as they were kept', async () => {
    const at = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
    const second = { ...lookup, begunAt: at(10) }
    const third = { ...call(), begunAt: at(5) }
    const { cause: __, ...first } = call({ begunAt: at(30), outcome: 'cancelled' })
    for (const one of [second, third, first]) records.keep(one)
    await records.close()
    expect(await found()).toEqual([first, second, third])
  })

  test('are not those of another attempt, account, carrier or parcel, or from before it', async () => {
    records.keep(call({ attemptId: 'attempt-2' }))
    records.keep({ ...lookup, accountId: 'globex' })
    records.keep({ ...lookup, carrierCode: 'ups' })
    records.keep({ ...lookup, subject: '2Z' })
    records.keep({ ...lookup, begunAt: new Date(Date.now() - 3_600_000).toISOString() })
    await records.close()
    expect(await found()).toEqual([])
    expect(faults).toEqual([])
  })
})

test('all records of a burst are written, in several statements', async () => {
  for (let count = 0; count < 350; count += 1) records.keep(call())
  await records.close()
  expect(await found()).toHaveLength(350)
})

test('of more than 1,000 waiting records the newest are lost, which is reported', async () => {
  for (let count = 0; count < 1_250; count += 1) records.keep(call())
  await records.close()
  const kept = await sql<{ n: number }>`SELECT count(*)::int AS n FROM carrier_call`.execute(cloned.db)
  const lost = faults.reduce((sum, fault) => sum + fault.lost, 0)
  expect(lost).toBeGreaterThan(0)
  expect(kept.rows[0]!.n + lost).toBe(1_250)
})

test('a database that fails loses the records, which is reported, and later ones are kept', async () => {
  await sql`ALTER TABLE carrier_call RENAME TO elsewhere`.execute(cloned.db)
  records.keep(call())
  await expect.poll(() => faults.length).toBe(1)
  expect(faults[0]).toMatchObject({ lost: 1 })
  await sql`ALTER TABLE elsewhere RENAME TO carrier_call`.execute(cloned.db)
  records.keep(call())
  await records.close()
  expect(await found()).toHaveLength(1)
})

test('removeCalls removes what is older than the days that records are kept', async () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString()
  for (const begunAt of [days(31), days(29)]) records.keep(call({ begunAt }))
  await records.close()
  expect(await removeCalls(cloned.db, 30)).toBe(1)
  expect((await found()).map(({ begunAt }) => Date.parse(begunAt) > Date.parse(days(30)))).toEqual([true])
})
