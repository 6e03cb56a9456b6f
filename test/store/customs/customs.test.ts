/** Shipped customs data in the database: written once, replaced as a whole, read back unchanged. */
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
  // An empty database, because the template already contains the shipped data.
  database = await emptyDatabase({ statementTimeoutMs: 0 })
  await migrate(database.source)
})
afterAll(() => database.drop())

const names = (): string[] => shippedDataSets().map((set) => set.name)

describe('the shipped data sets', () => {
  test('are written at the first start, by one of several processes', async () => {
    const { db } = database
    const written = await Promise.all([loadCustomsData(db), loadCustomsData(db)])
    expect(written.map((list) => list.length).sort((a, b) => a - b)).toEqual([0, names().length])
    expect(await readRevision(db, CUSTOMS)).toBe(1)
  })

  test('are unchanged at the next start', async () => {
    expect(await loadCustomsData(database.db)).toEqual([])
    expect(await readRevision(database.db, CUSTOMS)).toBe(1)
  })

  test('are read back with the same rows in the same order', async () => {
    const { dataSets, ...stored } = await readCustomsRows(database.db)
    const { dataSets: shippedSets, ...shipped } = readShippedCustomsData()
    expect(dataSets).toEqual(shippedSets)
    for (const table of Object.keys(shipped) as (keyof typeof shipped)[]) {
      expect(shipped[table].length, table).toBeGreaterThan(0)
      expect(firstDifference(stored[table], shipped[table]), table).toBeUndefined()
    }
  })

  test('compile to the same tables as the files', async () => {
    const tables = await loadCustomsTables(database.db)
    expect(tables.thresholds).toEqual(compileCustomsTables(readShippedCustomsData()).thresholds)
  })

  test('are replaced individually when their content changes', async () => {
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

  test('are removed if they are no longer shipped; imported sets stay', async () => {
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

  test('take over the name of an imported set, which is renamed', async () => {
    const { db } = database
    const [first] = shippedDataSets()
    const renamed = { ...first!, name: 'our-rates' }
    await loadCustomsData(db, [...shippedDataSets(), renamed])
    const imported = (await listCustomsSets(db)).filter(({ shipped }) => !shipped)
    expect(imported.map(({ name, state }) => [name, state])).toEqual([['our-rates-own', 'published']])
    const { exchangeRates } = await readCustomsRows(db)
    expect(exchangeRates.filter(({ dataSet }) => dataSet === 'our-rates-own')).toHaveLength(1)
    await loadCustomsData(db)
  })
})

/** `toEqual` is too slow for 50,000 rows. */
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
