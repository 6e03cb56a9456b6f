/** `waybill contract set --discounts`, `show`, `export` and `turnover`. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { currentDay } from '../../../src/cli/terminal/arguments.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import {
  listContracts,
  listTurnovers,
  removeContract,
  removeTurnover,
} from '../../../src/store/rate-cards/contracts.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { emptyFolder, fileOf, removeFolders, workbookOf } from '../card/card-folder.ts'
import { runWaybill } from '../run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
beforeEach(async () => {
  for (const row of await listContracts(cloned.db)) await removeContract(cloned.db, row)
  for (const row of await listTurnovers(cloned.db)) await removeTurnover(cloned.db, row)
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string) => runWaybill(cloned, words)
const SET = 'contract set demo-shop --from 2026-01-01 --product 1201'
const HEADER = 'applies_to,zones,over_kg,up_to_kg,turnover_from_eur,change_pct'

async function priceFor(accountId: string): Promise<number | undefined> {
  const quoted = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), currentDay(), accountId)
  return optionOf(quoted, 1201)?.priceCents
}

describe('a table of discounts', () => {
  test('is stored, shown and exported as it was read, and replaced as a whole', async () => {
    const table = await fileOf('table.csv', HEADER, ',3|5,,5,,-10', 'TOLL,,,,,-50', ',,5,10,10000,+2.5')
    expect(await waybill(`${SET} --discounts '${table}' --minimum 4.50 --yes`)).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await listContracts(cloned.db)).toEqual([
      {
        ...{ accountId: 'demo-shop', productId: 1201, validFrom: '2026-01-01', minimumCents: 450 },
        discounts: [
          { appliesTo: 'TOLL', overGrams: 0, turnoverCents: 0, bps: -5_000 },
          {
            appliesTo: 'freight',
            zones: [3, 5],
            overGrams: 0,
            upToGrams: 5_000,
            turnoverCents: 0,
            bps: -1_000,
          },
          { appliesTo: 'freight', overGrams: 5_000, upToGrams: 10_000, turnoverCents: 1_000_000, bps: 250 },
        ],
      },
    ])
    // 14.25 - 1.42 = 12.83; fuel 1.22; toll 0.21 - 0.10.
    expect(await priceFor('demo-shop')).toBe(1416)
    expect((await waybill('contract show demo-shop')).out).toBe(
      [
        'For product 1201 from 2026-01-01: minimum net charge 4.50, 3 discounts',
        '  DISCOUNT ON     ZONES  WEIGHT                 TURNOVER FROM  CHANGE',
        '  surcharge TOLL  all    all                                     -50%',
        '  freight         3, 5   up to 5 kg                              -10%',
        '  freight         all    over 5 kg up to 10 kg       10000.00   +2.5%',
      ].join('\n'),
    )
    const exported = path.join(await emptyFolder(), 'out.csv')
    await waybill(`contract export demo-shop '${exported}' --product 1201 --from 2026-01-01`)
    expect(await readFile(exported, 'utf8')).toBe(
      `${HEADER}\nTOLL,,,,,-50\n,3|5,,5,,-10\n,,5,10,10000.00,2.5\n`,
    )
    const other = await workbookOf({
      discounts: [
        ['applies_to', 'zones', 'over_kg', 'up_to_kg', 'change_pct'],
        ['freight', 3, '', 5, -20],
      ],
    })
    await waybill(`${SET} --discounts '${other}' --yes`)
    // The minimum stays. 14.25 - 2.85 = 11.40; fuel 1.08; toll 0.21.
    expect(await listContracts(cloned.db)).toMatchObject([
      { minimumCents: 450, discounts: [{ bps: -2_000 }] },
    ])
    expect(await priceFor('demo-shop')).toBe(1269)
    await waybill(`${SET} --no-discounts --yes`)
    expect(await listContracts(cloned.db)).toEqual([
      { accountId: 'demo-shop', productId: 1201, validFrom: '2026-01-01', minimumCents: 450 },
    ])
  })

  test('asks before the price of a weight rises that is no reference parcel', async () => {
    const table = await fileOf('table.csv', HEADER, ',3,11,12,,5')
    const ran = await waybill(`${SET} --discounts '${table}'`)
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringContaining('1 product would cost demo-shop more'),
    })
    expect(ran.out).toMatch(/1201 Classic +parcel of 11\.001 kg, /)
  })

  test('is refused with all its faults', async () => {
    const faulty = await fileOf(
      'table.csv',
      HEADER,
      ',x,,5,,-10',
      ',,5,5,,-10',
      ',,,,,-100.01',
      ',1-3,,5,,-1',
      ',3,,7,,-2',
    )
    const { code, err } = await waybill(`${SET} --discounts '${faulty}'`)
    expect(code).toBe(1)
    for (const fault of [
      'table.csv, row 2, column zones: expected zones such as 0-8 or 0|2|5-7 (at most 1000), found "x"',
      'table.csv, row 3, column up_to_kg: expected a weight above over_kg',
      'table.csv, row 4, column change_pct: expected a percentage with at most 2 decimals, at least -100 and at most 1000, found "-100.01"',
      'table.csv, row 6: expected one discount for each zone, weight and turnover; row 5 has one of these',
      'waybill: the file has 4 faults; nothing was written',
    ])
      expect(err).toContain(fault)
    expect(await listContracts(cloned.db)).toEqual([])
  })

  test('is read with warnings of fractions, of zones without prices, and of a day in the past', async () => {
    const table = await fileOf('table.csv', HEADER, 'freight,3|77,,,,-0.14', ',3,,,10000,-5')
    const set = `contract set demo-shop --product 1201 --discounts '${table}' --dry-run`
    const warnings = [
      'warning: table.csv, row 2, column change_pct: expected a percentage: -5 is 5% off, found "-0.14%"',
      'warning: table.csv, row 2, column zones: expected zones in which its products have prices, found "77"',
    ]
    expect((await waybill(`${set} --from 2040-01-01`)).err.split('\n')).toEqual(warnings)
    expect((await waybill(`${set} --from 2020-01-01`)).out).toMatch(
      /^warning: 2020-01-01 is in the past: the terms apply at once$/m,
    )
  })

  test('is refused if it is another kind of file than its name says', async () => {
    const file = await fileOf('table.xlsx', HEADER, 'freight,3,,,,-5')
    expect((await waybill(`${SET} --discounts '${file}' --yes`)).err).toBe(
      `waybill: ${file} is not an Excel workbook: save it as .xlsx in Excel, or as CSV UTF-8`,
    )
  })

  test('needs the columns that narrow it', async () => {
    const table = await fileOf('table.csv', 'applies_to,zone,over_kg,up_to_kg,change_pct', 'freight,3,,,-10')
    expect((await waybill(`${SET} --discounts '${table}'`)).err).toContain(
      'table.csv, row 1, column zones: expected this column in the header',
    )
  })

  test.each([
    ['TOL', 'no rate card has a surcharge or service TOL for these products'],
    ['FUEL', 'FUEL is a fuel surcharge: state its change with --fuel'],
  ])('refuses %s', async (code, message) => {
    const table = await fileOf('table.csv', HEADER, `${code},,,,,-10`)
    expect((await waybill(`${SET} --discounts '${table}'`)).err).toBe(`waybill: ${message}`)
  })
})

describe('turnover', () => {
  test('decides the tier from its day on, is shown, and can be removed', async () => {
    const table = await fileOf('table.csv', HEADER, ',,,,,-4', ',,,,10000,-6')
    await waybill(`${SET} --discounts '${table}'`)
    // 14.25 - 0.57 = 13.68; fuel 1.30; toll 0.21.
    expect(await priceFor('demo-shop')).toBe(1519)
    expect(
      (await waybill('contract turnover demo-shop 10000 --from 2026-02-01 --carrier rondeel')).out,
    ).toMatch(
      /\n1201 Classic .*\nSet the turnover of demo-shop with carrier rondeel from 2026-02-01: 10000\.00 EUR\./,
    )
    // 14.25 - 0.85 = 13.40; fuel 1.27; toll 0.21.
    expect(await priceFor('demo-shop')).toBe(1488)
    expect((await waybill('contract show demo-shop')).out).toMatch(
      /\nTurnover with carrier rondeel from 2026-02-01: 10000\.00 EUR$/,
    )
    const remove = 'contract turnover demo-shop --from 2026-02-01 --carrier rondeel --remove'
    expect(await waybill(remove)).toMatchObject({ code: 2 })
    expect(await waybill(`${remove} --yes`)).toMatchObject({ code: 0 })
    expect(await priceFor('demo-shop')).toBe(1519)
    expect((await waybill(`${remove} --yes`)).err).toBe(
      'waybill: there is no turnover of demo-shop with carrier rondeel from 2026-02-01',
    )
  })

  test.each([
    ['contract turnover demo-shop --from 2026-02-01', 2, /name the turnover, or remove it with --remove/],
    [
      'contract turnover demo-shop 5 --remove --from 2026-02-01',
      2,
      /name the turnover, or remove it with --remove/,
    ],
    ['contract turnover demo-shop -5 --from 2026-02-01', 2, /unknown option|Expected an amount/],
    ['contract turnover nobody 5 --from 2026-02-01', 1, /there is no account nobody/],
    ['contract turnover demo-shop 5 --carrier nobody --from 2026-02-01', 1, /nobody/],
  ])('is refused: %s', async (words, code, message) => {
    const ran = await waybill(words)
    expect(ran.code).toBe(code)
    expect(ran.err).toMatch(message)
  })
})
