/** Shipped customs data in the database: written once, replaced as a whole, read back as they were shipped. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import { compileCustomsTables } from '../../../src/core/customs/tables.ts'
import { readShippedCustomsData, shippedDataSets } from '../../../src/reference/customs.ts'
import { loadCustomsData, loadCustomsTables, readCustomsRows } from '../../../src/store/customs/customs.ts'
import {
  importCustomsSet,
  listCustomsSets,
  publishCustomsSet,
} from '../../../src/store/customs/publication.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { CUSTOMS, readRevision } from '../../../src/store/database/revision.ts'
import { type ClonedDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import { exchangeRateSet } from './small-customs-set.ts'

let database: ClonedDatabase

beforeAll(async () => {
  // Without the template's data: this is about the first start.
  database = await emptyDatabase({ statementTimeoutMs: 0 })
  await migrate(database.source)
})
afterAll(() => database.drop())

const names = (): string[] => shippedDataSets().map((set) => set.name)

describe('the shipped data sets', () => {
  test('are written at the first start, by one of the processes that start at once', async () => {
    const { db } = database
    const written = await Promise.all([loadCustomsData(db), loadCustomsData(db)])
    expect(written.map((list) => list.length).sort((a, b) => a - b)).toEqual([0, names().length])
    expect(await readRevision(db, CUSTOMS)).toBe(1)
  })

  test('are left alone at the next start, which is no news', async () => {
    expect(await loadCustomsData(database.db)).toEqual([])
    expect(await readRevision(database.db, CUSTOMS)).toBe(1)
  })

  test('read back as they were shipped, row by row in the order of their files', async () => {
    const { dataSets, ...stored } = await readCustomsRows(database.db)
    const { dataSets: shippedSets, ...shipped } = readShippedCustomsData()
    expect(dataSets).toEqual(shippedSets)
    for (const table of Object.keys(shipped) as (keyof typeof shipped)[]) {
      expect(shipped[table].length, table).toBeGreaterThan(0)
      expect(firstDifference(stored[table], shipped[table]), table).toBeUndefined()
    }
  })

  test('compile to what the files compile to', async () => {
    const tables = await loadCustomsTables(database.db)
    expect(tables.thresholds).toEqual(compileCustomsTables(readShippedCustomsData()).thresholds)
  })

  test('are replaced one by one when their content changes', async () => {
    const { db } = database
    const shipped = shippedDataSets().map((set) =>
      set.name === 'thresholds' ? { ...set, contentHash: '0'.repeat(64), rows: () => ({}) } : set,
    )
    expect(await loadCustomsData(db, shipped)).toEqual(['thresholds'])
    expect((await loadCustomsTables(db)).thresholds.size).toBe(0)
    expect(await loadCustomsData(db)).toEqual(['thresholds'])
    expect((await loadCustomsTables(db)).thresholds.size).toBeGreaterThan(5)
    expect((await readCustomsRows(db)).dataSets.map((set) => set.name)).toEqual(names())
  })

  test('go when a version no longer ships them, an operator’s own stay', async () => {
    const { db } = database
    await importCustomsSet(db, exchangeRateSet('our-rates', '1.25'))
    await publishCustomsSet(db, 'our-rates')
    const before = await readRevision(db, CUSTOMS)
    await loadCustomsData(
      db,
      shippedDataSets().filter((set) => set.name !== 'tariff-gb'),
    )
    const { dataSets } = await loadCustomsTables(db)
    expect([dataSets.has('tariff-gb'), dataSets.has('our-rates')]).toEqual([false, true])
    expect(await loadCustomsData(db)).toEqual(['tariff-gb'])
    expect(await readRevision(db, CUSTOMS)).toBe(before + 2)
  })

  test('take their names from imported sets that are called so: the new version starts all the same', async () => {
    const { db } = database
    const [first] = shippedDataSets()
    const renamed = { ...first!, name: 'our-rates' }
    await loadCustomsData(db, [...shippedDataSets(), renamed])
    const own = (await listCustomsSets(db)).filter(({ shipped }) => !shipped)
    expect(own.map(({ name, state }) => [name, state])).toEqual([['our-rates-own', 'published']])
    const { exchangeRates } = await readCustomsRows(db)
    expect(exchangeRates.filter(({ dataSet }) => dataSet === 'our-rates-own')).toHaveLength(1)
    await loadCustomsData(db)
  })
})

/** A comparison of 50,000 rows by the test runner takes longer than all else. */
function firstDifference(
  stored: CustomsRows[keyof CustomsRows],
  shipped: CustomsRows[keyof CustomsRows],
): unknown {
  if (stored.length !== shipped.length) return `${stored.length} rows for ${shipped.length}`
  const fields = Object.keys(shipped[0] ?? {}).sort()
  const textOf = (row: object): string => JSON.stringify(row, fields) + Object.keys(row).length
  const at = shipped.findIndex((row, index) => textOf(row) !== textOf(stored[index] ?? {}))
  return at === -1 ? undefined : { at, stored: stored[at], shipped: shipped[at] }
}
