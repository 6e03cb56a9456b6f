/**
 * Parts of a tariff, changes of a day, published areas, code lists and `customs try`, as an operator uses them. The
 * files have the columns of the published tables, with rows made up for the tests.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MeasureRow } from '../../../src/core/customs/data/row-types/measures.ts'
import { originRank } from '../../../src/core/customs/tariff/measure.ts'
import { findTariffEntry } from '../../../src/core/customs/tariff/tariff.ts'
import { loadCompiledCustoms } from '../../../src/store/customs/customs.ts'
import { readCustomsSet } from '../../../src/store/customs/publication.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { fileOf, removeFolders } from '../card/card-folder.ts'
import { runWaybill } from '../run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string) => runWaybill(cloned, words)

/** Columns of the workbook "Duties Import" of TARIC, and the update type of TARIC3 records. */
const TARIC =
  'Goods code,Add code,Order No.,Start date,End date,Origin code,Origin,Meas. type code,Legal base,Duty'
const CHANGES = `${TARIC},Update type`
const taricRow = (
  code: string,
  duty: string,
  rest: Partial<Record<'start' | 'end' | 'origin' | 'type', string>> = {},
) =>
  `${code},,,${rest.start ?? '01-01-2026'},${rest.end ?? ''},${rest.origin ?? '1011'},,${rest.type ?? '103'},R0001/26,${duty}`

const listed = async (set: string) => {
  const { measures = [] } = await readCustomsSet(cloned.db, set)
  return measures.map(rowText)
}
const rowText = ({ codePrefix, adValoremPpm, validFrom, validTo, note }: MeasureRow): string =>
  [codePrefix, `${(adValoremPpm ?? 0) / 10_000}%`, validFrom, validTo, note].filter((part) => part).join(' ')

/** A published tariff of the EU with four lines. */
async function publishTariff(set: string, date: string): Promise<void> {
  const file = await fileOf(
    `${set}.csv`,
    TARIC,
    taricRow('6109100010', '12.000 %'),
    taricRow('6203110000', '12.000 %'),
    taricRow('6402120000', '17.000 %'),
    taricRow('9503007500', '4.700 %'),
  )
  const { code, err } = await waybill(
    `customs import '${file}' --set ${set} --date ${date} --publish --yes --replace-all`,
  )
  expect({ code, err }).toEqual({ code: 0, err: '' })
}

describe('changed chapters', () => {
  beforeAll(() => publishTariff('taric-base', '2026-11-01'))
  afterAll(() => waybill('customs withdraw taric-base --yes'))

  test('replace their rows, and the other rows are kept', async () => {
    const file = await fileOf(
      '61.csv',
      TARIC,
      taricRow('6109100010', '10.000 %'),
      taricRow('6110110000', '9.000 %'),
    )
    const { code, out, err } = await waybill(
      `customs import '${file}' --set taric-61 --update taric-base --chapters 61 --date 2026-11-20`,
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('~ EU 6109100010: 12% -> 10%')
    expect(out).toMatch(/\nmeasures +EU +1 +0 +1 +0 +3\n/)
    expect(out).toContain('measures EU third_country_duty: 5 rows instead of taric-base (4 rows)')
    const sets = JSON.parse((await waybill('customs list --json')).out)
    expect(sets.find(({ name }: { name: string }) => name === 'taric-61')).toMatchObject({
      source: '61.csv; the other rows are those of taric-base of 2026-11-01',
    })
    expect(await listed('taric-61')).toEqual([
      '62031100 12% 2026-01-01',
      '64021200 17% 2026-01-01',
      '95030075 4.7% 2026-01-01',
      '6109100010 10% 2026-01-01',
      '61101100 9% 2026-01-01',
    ])
  })

  test('a row of another chapter, and a chapter without rows, are faults', async () => {
    const file = await fileOf(
      '61.csv',
      TARIC,
      taricRow('6109100010', '10.000 %'),
      taricRow('6402120000', '9.000 %'),
    )
    const { code, err } = await waybill(
      `customs import '${file}' --set planted --update taric-base --chapters 61,62 --date 2026-11-20`,
    )
    expect(code).toBe(1)
    expect(err).toContain('61.csv: expected a code of 61, 62, found "EU 64021200 from 2026-01-01"')
    expect(err).toContain('61.csv: expected rows of 62, which --chapters names, found "none"')
    expect((await waybill('customs list')).out).not.toContain('planted')
  })
})

test('a shipped tariff is not updated in part', async () => {
  const file = await fileOf('61.csv', TARIC, taricRow('6109100010', '10.000 %'))
  const { code, err } = await waybill(
    `customs import '${file}' --set planted --update tariff-eu --chapters 61 --date 2026-11-20`,
  )
  expect(code).toBe(1)
  expect(err).toContain('tariff-eu is shipped')
})

describe('the changes of a day', () => {
  beforeAll(() => publishTariff('taric-1', '2026-11-01'))
  const update = (file: string, words: string) => waybill(`customs import '${file}' ${words}`)

  test('are inserted, updated and deleted, and the same changes again change nothing', async () => {
    const file = await fileOf(
      'day-2.csv',
      CHANGES,
      `${taricRow('6109100010', '12.000 %', { end: '30-11-2026' })},1`,
      `${taricRow('6109100010', '10.000 %', { start: '01-12-2026' })},3`,
      `${taricRow('6402120000', '17.000 %')},2`,
    )
    const first = await update(
      file,
      '--set taric-2 --update taric-1 --date 2026-11-02 --publish --yes --replace-all',
    )
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(await listed('taric-2')).toEqual([
      '6109100010 12% 2026-01-01 2026-12-01',
      '62031100 12% 2026-01-01',
      '95030075 4.7% 2026-01-01',
      '6109100010 10% 2026-12-01',
    ])
    const again = await update(file, '--set taric-2b --update taric-2 --date 2026-11-02')
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toContain('taric-2 has these rows already: nothing was written.')
    expect((await waybill('customs list')).out).not.toContain('taric-2b')
  })

  test.each([
    [
      'of an earlier day',
      'taric-2',
      '2026-11-01',
      '1',
      /the changes are of 2026-11-01, but taric-2 is of 2026-11-02/,
    ],
    [
      'for a set that is not in effect',
      'taric-1',
      '2026-11-03',
      '1',
      /taric-1 is not in effect for EU third_country_duty: taric-2 is/,
    ],
    ['without a day', 'taric-2', '', '1', /--update needs --date/],
    [
      'that update an unknown row',
      'taric-2',
      '2026-11-03',
      '1',
      /expected a row in effect to update; the changes belong to another edition, found "EU 64021200 /,
    ],
    [
      'that delete an unknown row',
      'taric-2',
      '2026-11-03',
      '2',
      /expected a row in effect to delete; the changes belong to another edition/,
    ],
    [
      'with an unknown operation',
      'taric-2',
      '2026-11-03',
      '7',
      /row 2, column Update type: expected insert, update or delete \(3, 1 or 2\), found "7"/,
    ],
  ])('%s are refused', async (_, base, date, operation, message) => {
    const file = await fileOf('planted.csv', CHANGES, `${taricRow('6402120000', '16.000 %')},${operation}`)
    const day = date === '' ? '' : `--date ${date}`
    const { code, err } = await update(file, `--set planted --update ${base} ${day}`)
    expect(code).not.toBe(0)
    expect(err).toMatch(message)
    expect((await waybill('customs list')).out).not.toContain('planted')
  })

  test('an insertion of a row that is in effect with another duty is refused', async () => {
    const file = await fileOf('planted.csv', CHANGES, `${taricRow('6203110000', '1.000 %')},3`)
    const { code, err } = await update(file, '--set planted --update taric-2 --date 2026-11-03')
    expect(code).toBe(1)
    expect(err).toContain('expected a row that is not in effect; the one in effect has another duty')
  })

  test('changes need the set that they change', async () => {
    const file = await fileOf('day-2.csv', CHANGES, `${taricRow('6203110000', '1.000 %')},1`)
    const { code, err } = await update(file, '--set planted --date 2026-11-03')
    expect(code).toBe(2)
    expect(err).toContain('name the set that they change with --update')
  })
})

describe('published geographical areas', () => {
  test('give the origin groups of an imported tariff their members', async () => {
    const areas = await fileOf(
      'areas.csv',
      'Group,Member,Start date,End date',
      '2005,IN,01-01-2021,',
      '2005,BD,01-01-2021,31-12-2025',
      '2005,KH,01-01-2030,',
      '1011,US,01-01-2021,',
    )
    const first = await waybill(
      `customs import '${areas}' --set gb-areas --jurisdiction GB --date 2026-11-20 --publish --yes`,
    )
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain('areas.csv (geographical-areas): 4 rows read, 1 used')
    const tariff = await fileOf(
      'uk.csv',
      'commodity__code,measure__type__id,measure__duty_expression,measure__geographical_area__id',
      '6109100010,142,0.00%,2005',
      '6109100010,142,0.00%,2020',
    )
    const { err } = await waybill(`customs import '${tariff}' --set gb-preferences --dry-run`)
    expect(err).not.toContain('GB-2005')
    const { out } = await waybill(`customs import '${tariff}' --set gb-preferences --dry-run`)
    expect(out).toContain('GB-2020')
    expect(out).not.toContain('GB-2005"')
    const { originGroups } = await loadCompiledCustoms(cloned.db)
    const ranks = ['IN', 'BD', 'KH'].map((country) => originRank(originGroups, 'GB-2005', country) > 0)
    expect(ranks).toEqual([true, false, false])
  })
})

describe('code lists that measures name', () => {
  const HEAD = 'jurisdiction,code_prefix,measure_type,scope_list,exempt_list,ad_valorem_percent'

  test('must be loaded: otherwise the import has a fault with row and column', async () => {
    const file = await fileOf(
      'm.csv',
      HEAD,
      'NZ,,russia_column_2,nz-shoes,,25',
      'NZ,64,russia_column_2,,nz-exempt,5',
    )
    const { code, err } = await waybill(`customs import '${file}' --set nz`)
    expect(code).toBe(1)
    expect(err).toContain(
      'm.csv, row 2, column scope_list: expected a code list that is published or in one of the files, found "nz-shoes"',
    )
    expect(err).toContain('m.csv, row 3, column exempt_list: expected a code list')
    expect((await waybill('customs list')).out).not.toMatch(/^nz /m)
  })

  test('may be in another file of the import, and cannot be withdrawn while measures name them', async () => {
    const lists = await fileOf('lists.csv', 'code_list,code_prefix', 'nz-shoes,6404')
    const file = await fileOf('m.csv', HEAD, 'NZ,,russia_column_2,nz-shoes,,25')
    const together = await waybill(`customs import '${file}' '${lists}' --set nz-both --dry-run`)
    expect(together).toMatchObject({ code: 0, err: '' })
    await waybill(`customs import '${lists}' --set nz-lists --publish --yes`)
    await waybill(`customs import '${file}' --set nz-duty --publish --yes`)
    const withdrawn = await waybill('customs withdraw nz-lists --yes')
    expect(withdrawn.code).not.toBe(0)
    expect(withdrawn.err).toContain('nz-lists has code lists that published measures name (nz-shoes)')
    expect(await waybill('customs withdraw nz-duty --yes')).toMatchObject({ code: 0 })
    expect(await waybill('customs withdraw nz-lists --yes')).toMatchObject({ code: 0 })
    const published = await waybill('customs publish nz-duty --yes')
    expect(published.code).not.toBe(0)
    expect(published.err).toContain('nz-duty names code lists that are not loaded')
  })
})

describe('customs try', () => {
  test('prices the requests of a file without and with a draft, the largest difference first', async () => {
    const tariff = await fileOf('jp.csv', 'code_prefix,ad_valorem_percent', '640411000,50', '610910000,5')
    await waybill(`customs import '${tariff}' --set jp-draft --jurisdiction JP --date 2026-11-20`)
    const file = await fileOf(
      'requests.csv',
      'request,from,to,description,count,value,hs_code',
      'small,CN,JP,trainers,1,200,640411000',
      'large,CN,JP,trainers,10,200,640411000',
      'other,CN,DE,trainers,1,200,640411',
    )
    const { code, out, err } = await waybill(
      `customs try jp-draft --requests '${file}' --as-of 2026-11-22 --json`,
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const trial = JSON.parse(out)
    expect(trial).toMatchObject({ set: 'jp-draft', state: 'draft', requests: 3, changed: 2, unchanged: 1 })
    expect(trial.changes.listed.map(({ request }: { request: string }) => request)).toEqual([
      'large',
      'small',
    ])
    for (const { oldTotalCents, newTotalCents, differenceCents } of trial.changes.listed) {
      expect(differenceCents).toBe(newTotalCents - oldTotalCents)
      expect(differenceCents).toBeGreaterThan(0)
    }
    const text = await waybill(`customs try jp-draft --requests '${file}' --as-of 2026-11-22 --limit 1`)
    expect(text.out).toMatch(
      /^Priced 3 requests without and with jp-draft\. Amounts are in euro\.\n2 changed, 1 unchanged;/,
    )
    expect(text.out).toMatch(/\nlarge +CN → JP +[\d.]+ +[\d.]+ +[\d.]+ +\S/)
    expect(text.out).toContain('… and 1 more (--limit 2 lists all)')
  })

  test('reads requests in JSON as dutiesEstimate takes them, and kept estimates need some', async () => {
    const input = {
      name: 'order 7',
      from: { country: 'CN' },
      to: { country: 'JP' },
      contentItems: [{ description: 'trainers', count: 1, value: { amount: '200' }, hsCode: '640411000' }],
    }
    const file = await fileOf('requests.json', JSON.stringify([input]))
    const { out } = await waybill(`customs try jp-draft --requests '${file}' --json`)
    expect(JSON.parse(out).changes.listed).toMatchObject([{ request: 'order 7', lane: 'CN → JP' }])
    const kept = await waybill('customs try jp-draft --account nobody')
    expect(kept).toMatchObject({ code: 1 })
    expect(kept.err).toContain('there are no kept estimates')
  })

  test('refuses a file with faults, with row and column', async () => {
    const file = await fileOf('requests.csv', 'from,to,description,value', 'CN,XX,trainers,200', 'CN,JP,,x')
    const { code, err } = await waybill(`customs try jp-draft --requests '${file}'`)
    expect(code).toBe(1)
    expect(err).toMatch(/requests\.csv, row 2, column to: /)
    expect(err).toMatch(/requests\.csv, row 3, column description: /)
    expect(err).toMatch(/requests\.csv, row 3, column value: /)
    expect(err).toContain('; nothing was priced')
  })
})

test('a duty of the base set is still found after its chapter was replaced', async () => {
  const tariff = (await loadCompiledCustoms(cloned.db)).tariffs.get('EU')
  const entry = tariff && findTariffEntry(tariff, '62031100', '2026-11-20', 'CN')
  expect(entry?.measure.row.adValoremPpm).toBe(120_000)
})
