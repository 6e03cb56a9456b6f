/** `waybill fuel table`, `waybill fuel index` and `waybill fuel show`, and their effect on quotes. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quote } from '../../../src/core/rating/quote.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { emptyFolder, fileOf, removeFolders, workbookOf } from '../card/card-folder.ts'
import { runWaybill } from '../run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string) => runWaybill(cloned, words)

/** The fuel line of product 1201 in cents, or why it is declined. */
async function fuelOfClassic(day: string): Promise<number | string | undefined> {
  const { options, declined } = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), day)
  const option = options.find(({ product }) => product.productId === 1201)
  const decline = declined.find(({ product }) => product.productId === 1201)
  return option?.lines.find(({ kind }) => kind === 'FUEL')?.amountCents ?? decline?.decline.code
}

const STEPS = [
  'at_least,below,rate_pct,step,step_rate',
  ',2.44,20,,',
  '2.44,2.50,20.5,,',
  '2.50,,21,0.06,0.5',
]
const TABLE = '--index usgc-jet --every week --lag 2 --from 2032-01-05'

test('a table and its index values give the figure of each week', async () => {
  const file = await fileOf('steps.csv', ...STEPS)
  expect(await waybill(`fuel table set rondeel '${file}' ${TABLE}`)).toMatchObject({
    code: 0,
    out: [
      'Fuel rondeel FUEL is not known from 2032-01-05 on: enter the values of the index',
      'Set the fuel table rondeel FUEL from 2032-01-05. Running services apply the change within seconds.',
    ].join('\n'),
  })
  // 14.25 of freight: 9.5% is 1.35375, before the table. Then the products are not offered.
  expect(await fuelOfClassic('2032-01-04')).toBe(135)
  expect(await fuelOfClassic('2032-01-05')).toBe('NO_FUEL_RATE')

  expect((await waybill('fuel index set usgc-jet 2.465 --day 2031-12-22 --dry-run')).out).toContain('Dry run')
  expect(await fuelOfClassic('2032-01-05')).toBe('NO_FUEL_RATE')
  expect(await waybill('fuel index set usgc-jet 2.465 --day 2031-12-22 --yes')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^Fuel rondeel FUEL is not known from 2032-02-09 on\nFuel rondeel FUEL from 2032-01-05: none -> 20\.5%\nwarning: .*: a change of more than 5 points\nChanged 1 value\./,
    ),
  })
  // 20.5% of 14.25 = 2.92125.
  expect(await fuelOfClassic('2032-01-05')).toBe(292)
  expect((await waybill('fuel show rondeel --on 2032-01-08')).out.split('\n')).toEqual([
    'Fuel on 2032-01-08:',
    expect.stringMatching(/^CARRIER +CODE +FROM +FUEL +INDEX VALUE +STEP +REMARK$/),
    expect.stringMatching(
      /^rondeel +FUEL +2032-01-05 +20\.5% +usgc-jet 2\.465 of 2031-12-22 +at least 2\.44 and below 2\.5$/,
    ),
  ])
  // The value of the week of 29 December is missing, so that of the week before is kept.
  expect((await waybill('fuel show rondeel --on 2032-01-12')).out).toContain(
    'kept: the value of 2031-12-29 is missing',
  )

  // 21% and one full step of 0.06 above 2.50: 21.5% of 14.25 = 3.06375.
  expect(await waybill('fuel index set usgc-jet 2.5601 --day 2031-12-29')).toMatchObject({ code: 0 })
  expect(await fuelOfClassic('2032-01-12')).toBe(306)
  expect((await waybill('fuel show rondeel --on 2032-06-01')).out).toContain(
    'not offered: the index usgc-jet has',
  )

  expect((await waybill('fuel index list usgc-jet')).out).toMatch(
    /^INDEX +DAY +VALUE\nusgc-jet +2031-12-29 +2\.5601\nusgc-jet +2031-12-22 +2\.465$/,
  )
  expect((await waybill('fuel table list')).out).toMatch(
    /\nrondeel +FUEL +2032-01-05 +usgc-jet +every week +2 before +percent +3$/,
  )
  expect(await waybill('fuel index unset usgc-jet --day 2031-12-29')).toMatchObject({ code: 0 })
  expect(await fuelOfClassic('2032-01-12')).toBe(292)

  // A percentage that begins later ends the table.
  expect(await waybill('fuel set rondeel 20 --from 2032-01-14')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Fuel rondeel FUEL from 2032-01-14: 20.5% -> 20%'),
  })
  expect(await fuelOfClassic('2032-01-19')).toBe(285)
  await waybill('fuel unset rondeel --from 2032-01-14 --yes')
  expect(await waybill('fuel table unset rondeel --from 2032-01-05 --yes')).toMatchObject({ code: 0 })
  expect(await fuelOfClassic('2032-01-05')).toBe(135)
})

test('a table without values, and values that no table follows, are announced', async () => {
  const file = await fileOf('steps.csv', ...STEPS)
  const table = `'${file}' --code DIESEL --index gas --every week --lag 2 --from 2026-01-05`
  expect((await waybill(`fuel table set rondeel ${table} --dry-run`)).out).toMatch(
    /^Fuel rondeel DIESEL is not known from 2026-01-05 on: enter the values of the index\n/,
  )
  expect((await waybill('fuel index set usgc-jett 2.465 --day 2031-12-22 --dry-run')).out).toMatch(
    /^warning: no fuel table follows the index usgc-jett\n/,
  )
})

test('an amount per parcel or kilogram is set, imported, listed and exported', async () => {
  // 0.35 for one parcel.
  expect((await waybill('fuel set rondeel 0.35 --per parcel --from 2032-01-05 --yes')).out).toContain(
    'Fuel rondeel FUEL from 2032-01-05: 9.5% -> 0.35 per parcel\n',
  )
  expect(await fuelOfClassic('2032-01-05')).toBe(35)
  const header = 'carrier_code,code,valid_from,rate_pct,per_parcel,per_kg'
  const file = await fileOf('month.csv', header, 'rondeel,FUEL,2032-02-01,,,0.085')
  expect((await waybill(`fuel import '${file}' --yes`)).out).toContain(
    'Fuel rondeel FUEL from 2032-02-01: 0.35 per parcel -> 0.085 per kg\n' +
      'warning: rondeel FUEL from 2032-02-01, 0.35 per parcel -> 0.085 per kg: a figure of another kind',
  )
  // 0.085 × 5 kg = 0.425.
  expect(await fuelOfClassic('2032-02-01')).toBe(43)
  expect((await waybill('fuel list rondeel')).out).toMatch(/2032-02-01 +0\.085 per kg/)
  const folder = path.join(await emptyFolder(), 'exported')
  expect(await waybill(`card export demo@1 '${folder}'`)).toMatchObject({ code: 0 })
  const exported = await readFile(path.join(folder, 'fuel.csv'), 'utf8')
  expect(exported).toContain('carrier_code,code,valid_from,rate_pct,per_parcel,per_kg\n')
  expect(exported).toContain('\nrondeel,FUEL,2032-02-01,,,0.085\n')
  expect(exported).toContain('\nrondeel,FUEL,2032-01-05,,0.35,\n')
  await waybill('fuel unset rondeel --from 2032-02-01 --yes')
  await waybill('fuel unset rondeel --from 2032-01-05 --yes')
})

test('the steps can be a sheet of a workbook', async () => {
  const rows = [
    ['over', 'up_to', 'rate_pct'],
    ['', 107.4, 11],
    [107.4, 109.7, 11.5],
  ]
  const file = await workbookOf({ Prices: [['product_id', 'price']], Diesel: rows })
  const ran = await waybill(
    `fuel table set rondeel '${file}' --index diesel --every month --lag 2 --from 2032-01-01 --dry-run --json`,
  )
  expect(JSON.parse(ran.out)).toMatchObject({ changes: [], dryRun: true })
})

describe('a file with faults is refused by row and column', () => {
  test.each([
    ['a gap', ['2.50,2.56,21', '2.57,,22'], 3, 'at_least', '2.56, where the row above ends'],
    [
      'an open row before the last',
      ['2.50,,21', '2.56,,22'],
      2,
      'below',
      'an upper bound in every row but the last',
    ],
    ['bounds in the wrong order', ['2.50,2.50,21'], 2, 'below', 'more than 2.5'],
    ['no figure', ['2.50,2.56,'], 2, 'rate_pct', 'one figure: in rate_pct, per_parcel or per_kg'],
    ['a text', ['2.50,2.56,x'], 2, 'rate_pct', 'a number with at most 2 decimals'],
    ['too many decimals', ['2.50001,2.56,21'], 2, 'at_least', 'a number with at most 4 decimals'],
  ])('%s', async (_, rows, row, column, expected) => {
    const file = await fileOf('steps.csv', 'at_least,below,rate_pct', ...rows)
    const { code, err } = await waybill(`fuel table set rondeel '${file}' ${TABLE}`)
    expect(code).toBe(1)
    expect(err).toContain(`steps.csv, row ${row}, column ${column}: expected ${expected}`)
    expect(err).toMatch(/the file has \d faults?; nothing was written$/)
  })

  test.each([
    ['at_least,over,rate_pct', '1,,5', '2,,5', 'bounds in at_least and below, or in over and up_to'],
    ['at_least,below,rate_pct,per_kg', '1,2,5,', '2,,,0.1', 'a figure of the same kind as in the first row'],
    ['at_least,below,rate_pct,step', '1,2,5,', '2,,5,1', 'a figure for each step'],
    ['at_least,below,rate_pct,step_rate', '1,2,5,', '2,,5,1', 'a step, because of step_rate'],
    [
      'at_least,below,rate_pct,step,step_rate',
      '1,2,5,,',
      '2,,5,1,0.005',
      'a percentage with at most 2 decimals',
    ],
  ])('%s', async (header, first, second, expected) => {
    const rows = header.includes('over') ? [first, '2,3,5'] : [first, second]
    const { err } = await waybill(
      `fuel table set rondeel '${await fileOf('steps.csv', header, ...rows)}' ${TABLE}`,
    )
    expect(err).toContain(expected)
  })

  test('of index values', async () => {
    const rows = [
      'usgc-jet,2031-12-22,2.4',
      'usgc-jet,2031-12-22,2.5',
      'USGC,2031-12-22,2.5',
      'a,1999-01-01,1',
      'a,2031-01-01,0',
    ]
    const { code, err } = await waybill(
      `fuel index import '${await fileOf('v.csv', 'index,day,value', ...rows)}'`,
    )
    expect(code).toBe(1)
    expect(err.split('\n')).toEqual([
      'v.csv, row 3, column day: expected one value for each index and day, found "usgc-jet of 2031-12-22"',
      'v.csv, row 4, column index: expected 1 to 40 characters of a-z, 0-9 and -, found "USGC"',
      'v.csv, row 5, column day: expected a day from 2000-01-01 to 2099-12-31, found "1999-01-01"',
      expect.stringContaining('row 6, column value: expected a number with at most 4 decimals, above 0'),
      'waybill: the file has 4 faults; nothing was written',
    ])
  })
})

test.each([
  ['fuel index set usgc-jet 0 --day 2032-01-05', 2, /Expected a number above 0 with at most 4 decimals/],
  ['fuel index set usgc-jet 2.5 --day 1999-12-31', 2, /expected a day from 2000-01-01/],
  ['fuel index unset usgc-jet --day 2020-01-01', 1, /there is no value of usgc-jet of 2020-01-01/],
  ['fuel table unset rondeel --from 2020-01-01', 1, /there is no fuel table rondeel FUEL from 2020-01-01/],
  ['fuel set rondeel 0.35 --per box --from 2032-01-05', 2, /Allowed choices are parcel, kg/],
  ['fuel set rondeel 0.00001 --per kg --from 2032-01-05', 2, /at most 4 decimals/],
  ['fuel show rondel', 1, /there is no carrier rondel/],
])('refuses `%s`', async (words, code, message) => {
  const ran = await waybill(words)
  expect(ran).toMatchObject({ code, out: '' })
  expect(ran.err).toMatch(message)
})

test('steps and values may have decimal commas before three digits, if other figures have decimal commas', async () => {
  const steps = await fileOf('steps.csv', 'over;up_to;rate_pct', ';1,500;8,25', '1,500;1,565;8,5', '1,565;;9')
  const table = `--index diesel --every month --lag 2 --from 2033-01-01 --yes`
  expect(await waybill(`fuel table set rondeel '${steps}' ${table}`)).toMatchObject({ code: 0 })
  const values = await fileOf(
    'values.csv',
    'index;day;value',
    'diesel;2032-11-01;1,5',
    'diesel;2032-12-01;1,565',
  )
  expect(await waybill(`fuel index import '${values}' --yes`)).toMatchObject({ code: 0 })
  expect((await waybill('fuel index list diesel')).out).toContain('1.565')
  expect((await waybill('fuel show rondeel --on 2033-02-01')).out).toContain('8.5%')
})
