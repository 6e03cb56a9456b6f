/** Fuel rates: added, revoked, and which of them apply. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fuelRateOn } from '../../../src/core/rating/book/rate-book.ts'
import { RATE_BOOK, readRevision } from '../../../src/store/database/revision.ts'
import { listFuelRates, setFuelRates, unsetFuelRate } from '../../../src/store/rate-cards/fuel.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
beforeEach(async () => {
  clone = await cloneDatabase()
})
afterEach(() => clone.drop())

const ROAD = { carrierCode: 'rondeel', code: 'ROAD' }
const entries = () =>
  clone.db
    .selectFrom('fuel_rate')
    .select(['valid_from', 'rate_bps'])
    .where('fuel_code', '=', 'ROAD')
    .orderBy('entry_id')
    .execute()
const inForce = async () =>
  (await listFuelRates(clone.db, 'rondeel'))
    .filter(({ code }) => code === 'ROAD')
    .map(({ validFrom, rateBps }) => `${validFrom} ${rateBps}`)

test('the newest entry for a day applies, and all entries are kept', async () => {
  await setFuelRates(clone.db, [{ ...ROAD, validFrom: '2026-10-01', rateBps: 900 }])
  await setFuelRates(clone.db, [{ ...ROAD, validFrom: '2026-11-01', rateBps: 1000 }])
  await setFuelRates(clone.db, [{ ...ROAD, validFrom: '2026-10-01', rateBps: 950 }])
  expect(await inForce()).toEqual(['2026-11-01 1000', '2026-10-01 950'])
  expect(await entries()).toHaveLength(3)
  const book = await loadRateBook(clone.db)
  const on = (date: string) => fuelRateOn(book, 'rondeel', 'ROAD', date)
  expect(on('2026-09-30')).toBeUndefined()
  expect(on('2026-10-31')).toEqual({ ...ROAD, validFrom: '2026-10-01', rateBps: 950 })
  expect(on('2026-11-01')?.rateBps).toBe(1000)
})

test('after a rate is revoked the previous one applies, and it can be set again', async () => {
  await setFuelRates(clone.db, [{ ...ROAD, validFrom: '2026-10-01', rateBps: 900 }])
  await setFuelRates(clone.db, [{ ...ROAD, validFrom: '2026-11-01', rateBps: 1000 }])
  expect(await unsetFuelRate(clone.db, { ...ROAD, validFrom: '2026-11-01' })).toBe(true)
  expect(await inForce()).toEqual(['2026-10-01 900'])
  expect(await unsetFuelRate(clone.db, { ...ROAD, validFrom: '2026-11-01' })).toBe(false)
  await setFuelRates(clone.db, [{ ...ROAD, validFrom: '2026-11-01', rateBps: 1000 }])
  expect(await inForce()).toEqual(['2026-11-01 1000', '2026-10-01 900'])
})

test('a change increments the revision and is logged; setting the same rate again is no change', async () => {
  const before = await readRevision(clone.db, RATE_BOOK)
  await setFuelRates(clone.db, [{ ...ROAD, validFrom: '2026-10-01', rateBps: 900 }])
  await setFuelRates(clone.db, [{ ...ROAD, validFrom: '2026-10-01', rateBps: 900 }])
  await unsetFuelRate(clone.db, { ...ROAD, validFrom: '2025-01-01' })
  expect(await readRevision(clone.db, RATE_BOOK)).toBe(before + 1)
  expect(await entries()).toHaveLength(1)
  const { what } = await clone.db
    .selectFrom('rate_book_change')
    .select('what')
    .where('revision', '=', before + 1)
    .executeTakeFirstOrThrow()
  expect(what).toBe('set fuel rondeel ROAD from 2026-10-01 to 900 basis points')
})

test('an unknown carrier or a negative rate is refused', async () => {
  const rate = { code: 'ROAD', validFrom: '2026-10-01' }
  await expect(setFuelRates(clone.db, [{ ...rate, carrierCode: 'nobody', rateBps: 1 }])).rejects.toThrow(
    'there is no carrier nobody',
  )
  await expect(setFuelRates(clone.db, [{ ...rate, carrierCode: 'rondeel', rateBps: -1 }])).rejects.toThrow(
    'check constraint',
  )
})

test('concurrent changes of rates all succeed', async () => {
  const before = await readRevision(clone.db, RATE_BOOK)
  const days = ['2026-10-01', '2026-10-08', '2026-10-15', '2026-10-22', '2026-10-29']
  await Promise.all(days.map((validFrom) => setFuelRates(clone.db, [{ ...ROAD, validFrom, rateBps: 900 }])))
  expect(await inForce()).toHaveLength(5)
  expect(await readRevision(clone.db, RATE_BOOK)).toBe(before + 5)
})
