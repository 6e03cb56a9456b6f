/** Customs reference data in the database: written once, replaced as a whole, read back as it was shipped. */

import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileCustomsTables } from '../../src/core/customs/tables.ts'
import { readCustomsReference, shippedDataSets } from '../../src/reference/customs.ts'
import { loadCustomsReference, loadCustomsTables } from '../../src/store/customs.ts'
import { migrate } from '../../src/store/migrate.ts'
import * as customs from '../../src/store/migrations/0004-customs.ts'
import type { CustomsTableRows } from '../../src/store/tables/customs.ts'
import { type ClonedDatabase, emptyDatabase } from '../support/clone-database.ts'

let database: ClonedDatabase
let db: Kysely<CustomsTableRows>

beforeAll(async () => {
  // Its own tables only: the template may come with the data loaded already.
  database = await emptyDatabase()
  await migrate(database.source, { '0004-customs': customs })
  db = database.db as unknown as Kysely<CustomsTableRows>
})
afterAll(() => database.drop())

async function countMeasures(): Promise<number> {
  const row = await db
    .selectFrom('customs_measure')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

describe('the shipped data sets', () => {
  test('are written at the first start, by one of the processes that start at once', async () => {
    const started = performance.now()
    const written = await Promise.all([loadCustomsReference(db), loadCustomsReference(db)])
    const names = shippedDataSets().map((set) => set.name)
    expect(written.map((list) => list.length).sort((a, b) => a - b)).toEqual([0, names.length])
    expect(performance.now() - started).toBeLessThan(8_000)
    expect(await countMeasures()).toBe(24_541)
  })

  test('are left alone at the next start', async () => {
    expect(await loadCustomsReference(db)).toEqual([])
  })

  test('read back as they were shipped', async () => {
    const stored = await loadCustomsTables(db)
    expect(stored).toEqual(compileCustomsTables(readCustomsReference()))
  })

  test('are replaced one by one when their content changes', async () => {
    const shipped = shippedDataSets().map((set) =>
      set.name === 'thresholds' ? { ...set, contentHash: '0'.repeat(64), rows: () => [] } : set,
    )
    expect(await loadCustomsReference(db, shipped)).toEqual(['thresholds'])
    expect((await loadCustomsTables(db)).thresholds.size).toBe(0)
    expect(await loadCustomsReference(db)).toEqual(['thresholds'])
    expect((await loadCustomsTables(db)).thresholds.size).toBeGreaterThan(5)
  })

  test('go when a version no longer ships them, an operator’s own stay', async () => {
    const own = {
      table_name: 'exchangeRates',
      title: 'Our rates',
      source: 'ours',
      published_on: '2026-11-01',
    }
    await db
      .insertInto('customs_data_set')
      .values({ ...own, data_set: 'our-rates', content_hash: '1'.repeat(64), is_shipped: false, sort_no: 99 })
      .execute()
    const without = shippedDataSets().filter((set) => set.name !== 'tariff-gb')
    await loadCustomsReference(db, without)
    const tables = await loadCustomsTables(db)
    expect([tables.dataSets.has('tariff-gb'), tables.dataSets.has('our-rates')]).toEqual([false, true])
    expect(await loadCustomsReference(db)).toEqual(['tariff-gb'])
  })
})

test('a measure without any rate is refused: it would be a silent zero', async () => {
  const row = db.insertInto('customs_measure').values({
    data_set: 'tariff-eu',
    sort_no: 999_999,
    jurisdiction: 'EU',
    code_prefix: '99999999',
    measure_type: 'third_country_duty',
    kind: 'additive',
    origin_group: 'ALL',
    ad_valorem_ppm: null,
    specific: '',
    minimum: '',
    maximum: '',
    condition: '',
    text: '',
    lowest_ppm: null,
    highest_ppm: null,
    line_count: null,
    valid_from: null,
    valid_to: null,
    note: '',
  })
  await expect(row.execute()).rejects.toThrow(/check constraint/)
})
