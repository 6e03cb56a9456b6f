/** The customs data in effect: the shipped sets of the running version, and above them the sets of operators. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CUSTOMS_TABLE_NAMES } from '../../../src/core/customs/data/rows.ts'
import {
  readShippedCustomsData,
  type ShippedCustoms,
  shippedCustoms,
} from '../../../src/reference/customs.ts'
import {
  customsRevision,
  loadCompiledCustoms,
  readCustomsRows,
  renameImportedSets,
} from '../../../src/store/customs/customs.ts'
import {
  importCustomsSet,
  listCustomsSets,
  publishCustomsSet,
} from '../../../src/store/customs/publication.ts'
import { CUSTOMS, readRevision } from '../../../src/store/database/revision.ts'
import { shippedTables } from '../../support/customs/shipped-tables.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { exchangeRateSet, tariffSet } from './small-customs-set.ts'

let database: ClonedDatabase

beforeAll(async () => {
  database = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(() => database.drop())

/** The shipped data of a version that also ships a set with this name. */
function alsoShipping(name: string): ShippedCustoms {
  const { dataSets, tables } = shippedCustoms()
  return { dataSets: [...dataSets, { ...dataSets[0]!, name, rowCount: 0 }], tables }
}

describe('the shipped data sets', () => {
  test('are in effect although no row of them is stored', async () => {
    const { db } = database
    const { rows } = await sql`select 1 from customs_data_set`.execute(db)
    expect(rows).toEqual([])
    const tables = await loadCompiledCustoms(db)
    expect(customsRevision(tables)).toBe(await readRevision(db, CUSTOMS))
    expect(tables.thresholds).toEqual(shippedTables().thresholds)
    expect([...tables.tariffs.keys()]).toEqual([...shippedTables().tariffs.keys()])
  })

  test('are read with the same rows in the same order as from the files', async () => {
    const { dataSets, ...read } = await readCustomsRows(database.db)
    const { dataSets: shippedSets, ...shipped } = readShippedCustomsData()
    expect(dataSets).toEqual(shippedSets)
    for (const table of CUSTOMS_TABLE_NAMES) {
      expect(read[table].length, table).toBe(shipped[table].length)
      expect(read[table].at(-1), table).toEqual(shipped[table].at(-1))
    }
  })

  test('are those of the running version: sets that an earlier version stored are ignored', async () => {
    const { db } = database
    const { rows } = await sql<{ set_id: number }>`
      insert into customs_data_set (data_set, table_names, title, source, published_on, content_hash, sort_no,
        is_shipped, state, layer, published_at)
      values ('exchange-rates', '{exchangeRates}', 'Rates', 'us', '2020-01-01', repeat('0', 64), 0, true, 'published', 0, now()),
        ('tariff-old', '{measures}', 'Old', 'us', '2020-01-01', repeat('0', 64), 1, true, 'published', 0, now())
      returning set_id`.execute(db)
    await sql`insert into customs_exchange_rate (set_id, sort_no, currency, units_per_euro, valid_from, confidence, note)
      values (${rows[0]!.set_id}, 0, 'XYZ', '7', '2020-01-01', 'high', '')`.execute(db)
    const { exchangeRates, dataSets } = await loadCompiledCustoms(db)
    expect([exchangeRates.has('XYZ'), dataSets.has('tariff-old')]).toEqual([false, false])
    const listed = (await listCustomsSets(db)).map(({ name }) => name)
    expect(listed).toEqual(shippedCustoms().dataSets.map(({ name }) => name))
    await expect(importCustomsSet(db, tariffSet('tariff-old', 0))).rejects.toThrow(/name of a shipped set/)
    await expect(publishCustomsSet(db, 'tariff-old')).rejects.toThrow('there is no data set tariff-old')
  })

  test('are read for a comparison only in the scopes of the compared set', async () => {
    const { db } = database
    const { rows } = tariffSet('uk', 0)
    const { measures, codeLists, taxRates } = await readCustomsRows(db, { inScopesOf: rows })
    const scopes = new Set(measures.map(({ jurisdiction, measureType }) => `${jurisdiction} ${measureType}`))
    expect([...scopes]).toEqual(['GB third_country_duty'])
    expect(measures.length).toBeGreaterThan(9_000)
    expect([codeLists.length, taxRates.length > 900]).toEqual([0, true])
  })

  test('do not change the revision', async () => {
    const { db } = database
    expect(await renameImportedSets(db)).toEqual([])
    expect(await readRevision(db, CUSTOMS)).toBe(0)
  })
})

describe('an imported set', () => {
  test('is renamed, by one of several processes, if a new version ships its name', async () => {
    const { db } = database
    await importCustomsSet(db, exchangeRateSet('our-rates', '1.25'))
    await publishCustomsSet(db, 'our-rates')
    const shipped = alsoShipping('our-rates')
    const renamed = await Promise.all([renameImportedSets(db, shipped), renameImportedSets(db, shipped)])
    expect(renamed.flat()).toEqual(['our-rates-own'])
    expect(await readRevision(db, CUSTOMS)).toBe(2)
    const imported = (await listCustomsSets(db)).filter((set) => !set.shipped)
    expect(imported.map(({ name, state }) => [name, state])).toEqual([['our-rates-own', 'published']])
    const { exchangeRates } = await readCustomsRows(db)
    expect(exchangeRates.filter(({ dataSet }) => dataSet === 'our-rates-own')).toHaveLength(1)
  })
})
