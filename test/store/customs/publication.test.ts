/** Customs data sets that operators change: only published sets have an effect. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FeeRow } from '../../../src/core/customs/data/row-types/fees.ts'
import type { SetRows } from '../../../src/core/customs/data/rows.ts'
import { findTariffEntry, lineCodes } from '../../../src/core/customs/tariff/tariff.ts'
import { loadCompiledCustoms } from '../../../src/store/customs/customs.ts'
import {
  discardCustomsSet,
  importCustomsSet,
  listCustomsSets,
  publishCustomsSet,
  readCustomsSet,
  withdrawCustomsSet,
} from '../../../src/store/customs/publication.ts'
import { CUSTOMS, readRevision } from '../../../src/store/database/revision.ts'
import { dutyOf } from '../../core/customs/data-review/small-reference.ts'
import {
  clearanceFee,
  conditionalDuty,
  exciseRate,
  measureType,
  threshold,
} from '../../support/customs/customs-rows.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { exchangeRateSet, tariffSet } from './small-customs-set.ts'

let clone: ClonedDatabase
beforeEach(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterEach(() => clone.drop())

/** The duty row in effect for T-shirts in the United Kingdom, as "set: share". */
async function dutyOnTShirts(): Promise<string[]> {
  const tariff = (await loadCompiledCustoms(clone.db)).tariffs.get('GB')
  const entry = tariff && findTariffEntry(tariff, '61091000', '2026-11-21', 'CN')
  return entry === undefined ? [] : [`${entry.measure.row.dataSet}: ${entry.measure.row.adValoremPpm}`]
}

async function importedSets(): Promise<string[]> {
  const sets = await listCustomsSets(clone.db)
  return sets.filter(({ shipped }) => !shipped).map(({ name, state, layer }) => `${name} ${state} ${layer}`)
}

describe('during an upgrade from a release that stored its shipped rows', () => {
  const average: SetRows = {
    measures: [
      dutyOf('new-kind', '61', 100_000, {
        ...{ level: 'average', goods: 'clothing', lowestPpm: 0, highestPpm: 200_000 },
      }),
    ],
  }
  const scheme: SetRows = {
    thresholds: [threshold('relief_up_to', { limitAmount: '10', importSchemes: ['IOSS'] })],
  }
  const coded: SetRows = {
    measureTypes: [measureType('dumping', 'additional')],
    conditionalDuties: [
      conditionalDuty({ measureType: 'dumping', additionalCode: 'C001', adValoremPpm: 100_000 }),
    ],
  }

  test.each([
    ['averages', average],
    ['low-value rules by import scheme', scheme],
    ['conditional duties', coded],
    ['excise rates', { exciseRates: [exciseRate('1 EUR/l')] }],
    ['clearance fees', { clearanceFees: [clearanceFee('fixed', { amount: '1' })] }],
  ])('a set with %s is published only after the stored rows are deleted', async (what, rows) => {
    const { db } = clone
    await sql`insert into customs_data_set (data_set, table_names, title, source, published_on, content_hash, sort_no,
        is_shipped, state, layer, published_at)
      values ('tariff-old', '{measures}', 'Old', 'us', '2020-01-01', repeat('0', 64), 1, true, 'published', 0, now())`.execute(
      db,
    )
    await importCustomsSet(db, { ...tariffSet('new-kind', 0), rows })
    await expect(publishCustomsSet(db, 'new-kind')).rejects.toThrow(
      `new-kind has rows that the previous release misreads (${what})`,
    )
    expect(await importedSets()).toEqual(['new-kind draft null'])
    await importCustomsSet(db, tariffSet('ordinary', 100_000))
    await publishCustomsSet(db, 'ordinary')
    await sql`delete from customs_data_set where is_shipped`.execute(db)
    await publishCustomsSet(db, 'new-kind')
    expect(await importedSets()).toEqual(['new-kind published 2', 'ordinary published 1'])
  })
})

describe('a draft', () => {
  test('has no effect and does not change the revision', async () => {
    const { db } = clone
    const revision = await readRevision(db, CUSTOMS)
    await importCustomsSet(db, tariffSet('uk-new', 100_000))
    expect(await importedSets()).toEqual(['uk-new draft null'])
    expect(await dutyOnTShirts()).toEqual(['tariff-gb: 120000'])
    expect(await readRevision(db, CUSTOMS)).toBe(revision)
  })

  test('contains the imported rows in their order', async () => {
    const { db } = clone
    const row = dutyOf('wide', '', 35_000, {
      ...{ measureType: 'extra', kind: 'cap_total', originGroup: 'CN', excludedOrigins: ['HK', 'MO'] },
      ...{ scopeList: 'one', exemptList: 'two', basis: 'duty', against: ['third_country_duty'] },
      ...{ specific: '9 EUR/100 kg', minimum: '1 EUR/item', maximum: '2 EUR/item', condition: 'seasonal' },
      ...{ text: '3,5 % „in season“', lowestPpm: 0, highestPpm: 70_000, lineCount: 3 },
      ...{ unitValueAbove: '3', unitValueUpTo: '6.5', unitValueCurrency: 'USD', unitValuePer: 'pair' },
      ...{ validFrom: '2026-01-01', validTo: '2026-07-01', agreement: 'law', confidence: 'low', note: 'n' },
    })
    const fee: FeeRow = {
      ...{ dataSet: 'wide', jurisdiction: 'XX', fee: 'F', name: 'Fee', kind: 'share_of_value' },
      ...{ status: 'levied', currency: 'USD', amount: '', ratePpm: 3464, minimum: '33.58', maximum: '651.5' },
      ...{ notLeviedBelow: '', valueAbove: '2500', valueUpTo: '', recipient: 'any', inTaxBase: false },
      ...{ itemDigits: 6, importSchemes: ['POSTAL'], paidByCarrier: true },
      ...{
        waivedByPreference: true,
        exemptOrigins: [],
        reason: '',
        enabled: true,
        validFrom: null,
        validTo: null,
      },
      confidence: 'high',
    }
    const type = { dataSet: 'wide', measureType: 'extra', name: 'Extra', role: 'additional' } as const
    const rows: SetRows = {
      measures: [row, dutyOf('wide', '01', 10_000)],
      measureTypes: [{ ...type, notWith: ['third_country_duty'] }],
      fees: [fee],
    }
    await importCustomsSet(db, { ...tariffSet('wide', 0), rows })
    expect(await readCustomsSet(db, 'wide')).toEqual(rows)
  })

  test('is replaced by another import under its name', async () => {
    const { db } = clone
    await importCustomsSet(db, tariffSet('uk-new', 100_000))
    await importCustomsSet(db, tariffSet('uk-new', 90_000))
    expect(await importedSets()).toEqual(['uk-new draft null'])
    expect((await readCustomsSet(db, 'uk-new')).measures?.[0]?.adValoremPpm).toBe(90_000)
  })

  test('is stored as a whole or not at all: a row without any rate is refused', async () => {
    const { db } = clone
    const set = tariffSet('uk-new', 100_000)
    const broken = { ...dutyOf('uk-new', '62', 0), adValoremPpm: null }
    const rows = { measures: [...(set.rows.measures ?? []), broken] }
    await expect(importCustomsSet(db, { ...set, rows })).rejects.toThrow(
      /^a row cannot be stored: .*check constraint/,
    )
    expect(await importedSets()).toEqual([])
    const { rows: left } = await sql`
      select 1 from customs_measure where code_prefix = '62' and jurisdiction = 'GB'`.execute(db)
    expect(left).toEqual([])
  })
})

/** Rates of the dollar on `count` days in a row. */
function dollarRates(name: string, count: number) {
  const [row] = exchangeRateSet(name, '1').rows.exchangeRates!
  const dayAt = (index: number): string => new Date(Date.UTC(2030, 0, 1 + index)).toISOString().slice(0, 10)
  return Array.from({ length: count }, (_, index) => ({
    ...row!,
    ...{ unitsPerEuro: String(1 + index), validFrom: dayAt(index) },
  }))
}

test('a set with more rows than a statement reads is read completely, in the order of its file', async () => {
  const { db } = clone
  for (const count of [10_000, 10_001]) {
    const name = `rates-${count}`
    const exchangeRates = dollarRates(name, count)
    await importCustomsSet(db, { ...exchangeRateSet(name, '1'), rows: { exchangeRates } })
    expect((await readCustomsSet(db, name)).exchangeRates).toEqual(exchangeRates)
    await publishCustomsSet(db, name)
    const loaded = (await loadCompiledCustoms(db)).exchangeRates.get('USD')!
    expect(loaded.filter(({ dataSet }) => dataSet === name).map(({ validFrom }) => validFrom)).toEqual(
      exchangeRates.map(({ validFrom }) => validFrom).reverse(),
    )
    await withdrawCustomsSet(db, name)
  }
})

describe('a published set', () => {
  test('replaces the rows of its scopes until it is withdrawn', async () => {
    const { db } = clone
    await importCustomsSet(db, tariffSet('uk-new', 100_000))
    await publishCustomsSet(db, 'uk-new')
    expect(await dutyOnTShirts()).toEqual(['uk-new: 100000'])
    const { tariffs } = await loadCompiledCustoms(db)
    expect(lineCodes(tariffs.get('GB')!)).toHaveLength(2)
    expect(lineCodes(tariffs.get('EU')!).length).toBeGreaterThan(9_000)
    await withdrawCustomsSet(db, 'uk-new')
    expect(await importedSets()).toEqual(['uk-new withdrawn null'])
    expect(await dutyOnTShirts()).toEqual(['tariff-gb: 120000'])
  })

  test('takes precedence over sets published before it, also when it is published again', async () => {
    const { db } = clone
    for (const [name, ppm] of [
      ['first', 100_000],
      ['second', 90_000],
    ] as const) {
      await importCustomsSet(db, tariffSet(name, ppm))
      await publishCustomsSet(db, name)
    }
    expect(await dutyOnTShirts()).toEqual(['second: 90000'])
    await withdrawCustomsSet(db, 'first')
    await publishCustomsSet(db, 'first')
    expect(await importedSets()).toEqual(['first published 3', 'second published 2'])
    expect(await dutyOnTShirts()).toEqual(['first: 100000'])
    await withdrawCustomsSet(db, 'first')
    expect(await dutyOnTShirts()).toEqual(['second: 90000'])
  })

  test('is not replaced by an import, published again or discarded', async () => {
    const { db } = clone
    await importCustomsSet(db, tariffSet('uk-new', 100_000))
    await publishCustomsSet(db, 'uk-new')
    const again = importCustomsSet(db, tariffSet('uk-new', 0))
    await expect(again).rejects.toThrow(/^uk-new is published and cannot change: import under a new name/)
    await expect(publishCustomsSet(db, 'uk-new')).rejects.toThrow(/^uk-new is already published$/)
    await expect(discardCustomsSet(db, 'uk-new')).rejects.toThrow(/withdraw it first/)
    expect(await dutyOnTShirts()).toEqual(['uk-new: 100000'])
  })

  test('is logged with its revision', async () => {
    const { db } = clone
    await importCustomsSet(db, exchangeRateSet('rates', '1.25'))
    await publishCustomsSet(db, 'rates')
    const last = await db
      .selectFrom('customs_change')
      .select(['revision', 'what'])
      .orderBy('revision', 'desc')
    expect(await last.executeTakeFirst()).toEqual({
      revision: await readRevision(db, CUSTOMS),
      what: 'rates is published',
    })
    const rewriting = sql`update customs_change set what = 'nothing'`.execute(db)
    await expect(rewriting).rejects.toThrow(/does not allow update/)
  })
})

describe('inconsistent customs data', () => {
  const withUnknownType = {
    ...tariffSet('strange', 0),
    rows: { measures: [dutyOf('strange', '61', 50_000, { measureType: 'levy' })] },
  }
  const withMissingType = {
    ...tariffSet('types', 0),
    rows: {
      measureTypes: [
        { dataSet: 'types', measureType: 'levy', name: 'Levy', role: 'additional', notWith: [] } as const,
      ],
    },
  }

  test('is not published: the set stays a draft and nothing changes', async () => {
    const { db } = clone
    const revision = await readRevision(db, CUSTOMS)
    await importCustomsSet(db, withUnknownType)
    await expect(publishCustomsSet(db, 'strange')).rejects.toThrow(
      'the customs data are inconsistent: no such measure type: levy',
    )
    expect(await importedSets()).toEqual(['strange draft null'])
    expect(await readRevision(db, CUSTOMS)).toBe(revision)
  })

  test('is not created by a withdrawal either', async () => {
    const { db } = clone
    for (const set of [withMissingType, withUnknownType]) {
      await importCustomsSet(db, set)
      await publishCustomsSet(db, set.name)
    }
    await expect(withdrawCustomsSet(db, 'types')).rejects.toThrow(/no such measure type: levy/)
    await withdrawCustomsSet(db, 'strange')
    await withdrawCustomsSet(db, 'types')
    expect(await importedSets()).toEqual(['strange withdrawn null', 'types withdrawn null'])
  })
})

describe('a shipped set', () => {
  test('cannot be changed by an operator', async () => {
    const { db } = clone
    await expect(importCustomsSet(db, tariffSet('tariff-gb', 0))).rejects.toThrow(/name of a shipped set/)
    await expect(withdrawCustomsSet(db, 'tariff-gb')).rejects.toThrow(/is shipped/)
    await expect(discardCustomsSet(db, 'tariff-gb')).rejects.toThrow(/is shipped/)
    await expect(publishCustomsSet(db, 'tariff-gb')).rejects.toThrow(/already published/)
  })
})

test('refuses the name of a set that does not exist', async () => {
  const { db } = clone
  for (const change of [publishCustomsSet, withdrawCustomsSet, discardCustomsSet, readCustomsSet])
    await expect(change(db, 'nothing')).rejects.toThrow('there is no data set nothing')
})
