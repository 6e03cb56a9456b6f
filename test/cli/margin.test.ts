/** `waybill margin`, cost cards, and the refusal of prices below the cost. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentDay } from '../../src/cli/terminal/arguments.ts'
import { quote } from '../../src/core/rating/quote.ts'
import { listMargins } from '../../src/store/rate-cards/margins.ts'
import { loadRateBook } from '../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../support/rates/demo-rate-book.ts'
import { demoFolderOf, emptyFolder, fileOf, removeFolders } from './card/card-folder.ts'
import { runWaybill } from './run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string) => runWaybill(cloned, words)
const HEADER =
  'account,carrier_code,product_id,zones,over_kg,up_to_kg,margin_pct,margin_eur,min_margin_eur,ending,valid_from,valid_to'
const COST = '--code bought --name Bought --valid-from 2026-01-01 --cost --publish --yes'

async function priceFor(accountId: string): Promise<number | undefined> {
  const quoted = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), currentDay(), accountId)
  return optionOf(quoted, 1201)?.priceCents
}

/** Products of the demo card with the price of 14.25 changed, as what the broker pays. */
const costsOf = (cents: string): Promise<string> =>
  demoFolderOf(['rondeel', 'polderpost'], ['rates.csv', '1201,3,KG,2,5,14.25', `1201,3,KG,2,5,${cents}`])

test.each([
  '',
  '--dry-run',
])('an import warns of days on which prices were not compared: %j', async (option) => {
  const days = Array.from({ length: 8 }, (_, at) => `demo-shop,,1201,,,,90,,,,204${at}-01-01,`)
  const { out } = await waybill(`margin import '${await fileOf('margins.csv', HEADER, ...days)}' ${option}`)
  expect(out).toMatch(/^warning: prices were not compared on 2 later days$/m)
})

describe('a cost card', () => {
  test('is refused if prices are below it, and the cells are listed', async () => {
    const { code, out, err } = await waybill(`card import '${await costsOf('20.00')}' ${COST}`)
    expect(code).toBe(1)
    expect(out).toMatch(
      /\n1 price below the cost:\nFOR +PRODUCT +ZONE +WEIGHT +ROUTE +DAY +PRICE EUR +COST EUR +MARGIN\n/,
    )
    expect(out).toMatch(/\neveryone +1201 Classic +3 +2\.001 kg .* 15\.81 +22\.11 +-6\.30$/)
    expect(err).toBe(
      'waybill: not published: bought@1 stays a draft: 1 price would be below the cost; add --below-cost to accept them',
    )
    expect((await waybill('card list bought')).out).toMatch(/bought@1 {2}Bought {2}cost {2}draft/)
  })

  test('is published without prices below it, and sells nothing', async () => {
    expect(await waybill(`card import '${await costsOf('12.00')}' ${COST}`)).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await priceFor('demo-shop')).toBe(1581)
    expect((await loadRateBook(cloned.db)).costCards.flat()).toHaveLength(1)
  })

  test('cannot be a card of a contract', async () => {
    expect((await waybill('contract set demo-shop --card bought --from 2026-01-01')).err).toBe(
      'waybill: bought is a cost card: it has the prices that you pay, not those that you sell at',
    )
  })
})

describe('quote', () => {
  test('shows price, cost and margin', async () => {
    // 12.00 + 1.14 + 0.21 = 13.35; 15.81 is 18.43% more.
    const { out } = await waybill('quote NL ES --kg 5 --size 40x30x20')
    expect(out).toMatch(/^PRODUCT +CARD +PRICE EUR +COST EUR +MARGIN EUR +MARGIN$/m)
    expect(out).toMatch(/^1201 Classic +demo@1 +15\.81 +13\.35 +2\.46 +18\.43%$/m)
  })

  test('explains the price and the cost of a product', async () => {
    const { out } = await waybill('quote NL ES --kg 5 --size 40x30x20 --product 1201')
    expect(out).toMatch(/^Price:$/m)
    expect(out).toMatch(/^Cost, by bought@2:$/m)
    expect(out).toMatch(/Freight +12\.00 +12\.00 EUR for over 2 kg up to 5 kg in zone 3/)
  })

  test('names all faults of a request', async () => {
    expect(await waybill('quote NL XX --kg 0')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^waybill: --kg .*; --size required for NONDOC; to\.country [^;]*$/),
    })
  })

  test('has services with their inputs', async () => {
    const parcel = 'quote NL NL --kg 5 --size 40x30x20'
    const evening = `${parcel} --product 1201 --service TIME_SLOT --slot evening`
    expect((await waybill(`${evening} --cod 1000:EUR`)).out).toMatch(
      /Delivery in the evening +2\.25[\s\S]*Cash on delivery +15\.00/,
    )
    // 2,000 PLN at 4.37309 are 457.34 EUR, of which 1.5% are 6.86.
    expect((await waybill(`${evening} --cod 2000.00:PLN --as-of 2026-09-30`)).out).toMatch(
      /Cash on delivery +6\.86/,
    )
    expect((await waybill(`${parcel} --product 1101 --un UN3480 UN3481`)).out).toMatch(
      /Lithium batteries +9\.00/,
    )
    const faults = async (words: string) => (await waybill(`${parcel} ${words}`)).err
    expect(await faults('--service CASH_ON_DELIVERY')).toBe('waybill: --cod required for CASH_ON_DELIVERY')
    expect(await faults('--cod 10:EURO')).toBe('waybill: --cod must be an ISO 4217 code such as EUR')
    expect(await faults('--un 3480')).toBe('waybill: --un must be a UN number such as UN3480')
    expect(await faults('--slot evening')).toBe('waybill: --slot needs --service TIME_SLOT or APPOINTMENT')
  })

  test('has weights to the gram, also of documents', async () => {
    const freight = async (words: string) =>
      (await waybill(`quote NL DE ${words}`)).out.match(/Freight +(\d+\.\d\d)/)?.[1]
    expect(await freight('--kg 2.001 --size 10x10x10 --product 1201')).not.toBe(
      await freight('--kg 2 --size 10x10x10 --product 1201'),
    )
    expect(await freight('--type DOC --kg 1.9 --product 1102')).not.toBe(
      await freight('--type DOC --product 1102'),
    )
  })

  test('prices pallets that cannot be stacked', async () => {
    const pallet = 'quote NL DE --type PALLET --kg 300 --size 120x80x100 --product 1601'
    const [loose, stackable] = [await waybill(pallet), await waybill(`${pallet} --stackable`)]
    expect([loose.err, stackable.err]).toEqual(['', ''])
    expect(loose.out).not.toBe(stackable.out)
  })

  test('states freight class, shape and packaging', async () => {
    const list = fileURLToPath(new URL('../fixtures/rate-cards/freight-classes', import.meta.url))
    const imported = await waybill(
      `card import '${list}' --code ltl --name LTL --valid-from 2026-01-01 --publish --yes`,
    )
    expect(imported).toMatchObject({ code: 0 })
    const pallet = 'quote US US --type PALLET --kg 190 --size 120x80x100 --product 3001'
    // 419 lb × 0.50 = 209.50; 500 × 0.40.
    expect((await waybill(`${pallet} --freight-class 70 --shape ROLL --packaging MESH_BOX`)).out).toMatch(
      /^3001 By class +ltl@1 +200\.00 /m,
    )
    expect((await waybill(pallet)).err).toBe(
      'waybill: product 3001 is not offered: The price depends on the freight class, which is not stated for every unit',
    )
    expect((await waybill(`${pallet} --freight-class 75`)).err).toContain(
      '--freight-class must be one of 50, 55',
    )
    expect((await waybill(`${pallet} --packaging BARREL`)).err).toContain('EURO_PALLET')
    await waybill('card withdraw ltl@1 --yes')
  })
})

describe('contract set', () => {
  test('refuses a discount that leads below the cost, unless it is accepted', async () => {
    const table = await fileOf(
      'table.csv',
      'applies_to,zones,over_kg,up_to_kg,change_pct',
      'freight,3,2,5,-10',
      'freight,3,5,10,-20',
    )
    const set = `contract set demo-shop --product 1201 --from 2026-01-01 --discounts '${table}'`
    const refused = await waybill(set)
    expect(refused.code).toBe(1)
    expect(refused.out).toMatch(/^demo-shop {2}1201 Classic +3 {2}.* -3\.78$/m)
    expect(refused.err).toBe(
      'waybill: nothing was written: 1 price would be below the cost; add --below-cost to accept them',
    )
    expect((await waybill(`${set} --below-cost`)).out).toMatch(
      /Set the contract of demo-shop for product 1201 from 2026-01-01: 2 discounts\./,
    )
    // 14.25 - 1.42 = 12.83, fuel 1.22, toll 0.21.
    expect(await priceFor('demo-shop')).toBe(1426)
    await waybill('contract remove demo-shop --product 1201 --from 2026-01-01 --yes')
  })
})

describe('margin import', () => {
  test('replaces all margins, and shows what changes', async () => {
    const first = await fileOf('margins.csv', HEADER, 'demo-shop,,1201,,,,10,,,.95,2026-01-01,')
    const { code, out, err } = await waybill(`margin import '${first}' --yes`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(
      /^Margins: 1 added, 0 removed\n\+ account demo-shop, product 1201, from 2026-01-01: 10%, ending \.95\nPrices for demo-shop/,
    )
    // 13.35 x 1.1 = 14.685, up to 14.95.
    expect([await priceFor('demo-shop'), await priceFor('other-shop')]).toEqual([1495, 1581])

    const second = await fileOf(
      'margins.csv',
      HEADER,
      'demo-shop,,1201,3,,5,30,0.50,1.00,,2026-01-01,2030-01-01',
    )
    expect(await waybill(`margin import '${second}'`)).toMatchObject({ code: 2 })
    expect((await waybill(`margin import '${second}' --yes`)).out).toMatch(/Set 1 margin\./)
    // 13.35 x 1.3 + 0.50 = 17.855
    expect(await priceFor('demo-shop')).toBe(1786)
    expect((await waybill('margin list')).out).toBe(
      [
        'FOR                                                                  UNTIL       MARGIN',
        'account demo-shop, product 1201, zone 3 up to 5 kg, from 2026-01-01  2030-01-01  30% + 0.50 EUR, at least 1.00 EUR',
      ].join('\n'),
    )
    const exported = path.join(await emptyFolder(), 'out.csv')
    expect((await waybill(`margin export '${exported}'`)).out).toBe(`Wrote 1 margin to ${exported}.`)
    expect(await readFile(exported, 'utf8')).toBe(
      `${HEADER}\ndemo-shop,,1201,3,,5,30,0.50,1.00,,2026-01-01,2030-01-01\n`,
    )
    expect((await waybill(`margin import '${exported}'`)).out).toMatch(/No margin changes\.$/)
  })

  test('asks if prices were not compared on some days', async () => {
    const days = Array.from({ length: 8 }, (_, at) => `demo-shop,,1201,,,,90,,,,204${at}-01-01,`)
    const { code, err } = await waybill(`margin import '${await fileOf('margins.csv', HEADER, ...days)}'`)
    expect(code).toBe(2)
    expect(err).toMatch(/prices were not compared on 4 later days.*: add --yes to confirm$/)
  })

  test('compares the prices of five accounts, and asks about the others', async () => {
    const accounts = Array.from({ length: 6 }, (_, at) => `buyer-${at + 1}`)
    for (const account of accounts) await waybill(`account create ${account} --name Buyer`)
    const known = 'demo-shop,,1201,3,,5,30,0.50,1.00,,2026-01-01,2030-01-01'
    const importFor = async (count: number) => {
      const rows = accounts.slice(0, count).map((account) => `${account},,1201,,,,90,,,,2041-01-01,`)
      return waybill(`margin import '${await fileOf('margins.csv', HEADER, known, ...rows)}'`)
    }
    const [five, six] = [await importFor(5), await importFor(6)]
    for (const { code, out } of [five, six]) {
      expect(code).toBe(2)
      expect(out.match(/^Prices for .*(?=, for the reference parcel)/gm)).toEqual(
        accounts.slice(0, 5).map((account) => `Prices for ${account}`),
      )
    }
    expect(six.out).toMatch(/^warning: the prices of 1 more account were not compared$/m)
    expect(six.err).toMatch(/; the prices of 1 more account were not compared(;.*)?: add --yes to confirm$/)
    expect(five.out + five.err).not.toMatch(/more account/)
  })

  test('lists all faults of a file, and writes nothing', async () => {
    const before = await listMargins(cloned.db)
    const faulty = await fileOf(
      'margins.csv',
      HEADER,
      ',rondeel,1201,,,,10,,,,2026-01-01,',
      ',,,,5,5,10,,,,2026-01-01,',
      ',,,,,,-100,,,.955,2026-01-01,',
      ',,,1-3,,,10,,,,2026-01-01,',
      ',,,3,,,12,,,,2026-01-01,',
    )
    const { code, err } = await waybill(`margin import '${faulty}'`)
    expect(code).toBe(1)
    expect(err).toContain(
      'margins.csv, row 2, column carrier_code: expected an empty cell, because the row names a product',
    )
    expect(err).toContain('margins.csv, row 3, column up_to_kg: expected a weight above over_kg')
    expect(err).toContain(
      'margins.csv, row 4, column margin_pct: expected a percentage with at most 2 decimals, above -100',
    )
    expect(err).toContain('margins.csv, row 4, column ending: expected an ending such as .95')
    expect(err).toContain(
      'margins.csv, row 6: expected one margin for each zone and weight; row 5 has one of these',
    )
    expect(await listMargins(cloned.db)).toEqual(before)
  })

  test('reads an ending that Excel has shortened', async () => {
    const shortened = await fileOf('margins.csv', HEADER, ',,1201,,,,10,,,0.9,2026-01-01,')
    expect((await waybill(`margin import '${shortened}' --dry-run`)).out).toContain('10%, ending .90\n')
  })

  test('refuses a row without a margin, and warns of a fraction and of zones without prices', async () => {
    const empty = await fileOf('margins.csv', HEADER, ',rondeel,,,,,,,,,2026-01-01,')
    expect((await waybill(`margin import '${empty}' --yes`)).err).toContain(
      'margins.csv, row 2, column margin_pct: expected a margin in this column, margin_eur or min_margin_eur; 0 for none, found an empty cell',
    )
    const none = await fileOf('margins.csv', HEADER, ',rondeel,,,,,0,,,,2026-01-01,')
    expect((await waybill(`margin import '${none}' --dry-run`)).err).toBe('')
    const unusual = await fileOf('margins.csv', HEADER, ',,1201,3|77,,,0.12,,,,2026-01-01,')
    expect((await waybill(`margin import '${unusual}' --dry-run`)).err.split('\n')).toEqual([
      'warning: margins.csv, row 2, column margin_pct: expected a percentage: 5 is 5%, found "0.12%"',
      'warning: margins.csv, row 2, column zones: expected zones in which its products have prices, found "77"',
    ])
  })

  test.each([
    [',nobody,,,,,10,,,,2026-01-01,', /column carrier_code: expected the code of a carrier, found "nobody"/],
    ['nobody,,,,,,10,,,,2026-01-01,', /row 2, column account: expected the id of an account, found "nobody"/],
    [
      ',,999,,,,10,,,,2026-01-01,',
      /row 2, column product_id: expected a product of a rate card, found "999"/,
    ],
  ])('refuses unknown names: %s', async (row, message) => {
    const file = await fileOf('margins.csv', HEADER, row)
    const { code, err } = await waybill(`margin import '${file}' --dry-run`)
    expect(code).toBe(1)
    expect(err).toMatch(message)
  })

  test('refuses margins that lead below the cost', async () => {
    const file = await fileOf('margins.csv', HEADER, 'demo-shop,,1201,3,,5,-1,,,,2026-01-01,')
    expect((await waybill(`margin import '${file}' --yes`)).err).toMatch(
      /nothing was written: \d+ prices would be below the cost/,
    )
  })

  test('sells a product that no other card has', async () => {
    const card = await demoFolderOf(
      ['rondeel', 'polderpost', 'kwiklijn'],
      ['products.csv', '1402,', '1499,'],
      ['rates.csv', '1402,', '1499,'],
      ['transit.csv', '1402,', '1499,'],
    )
    const { code, out } = await waybill(
      `card import '${card}' --code bought --valid-from 2026-01-01 --publish --yes --changes 0`,
    )
    expect({ code, out }).toMatchObject({ code: 0 })
    const file = await fileOf('margins.csv', HEADER, ',,1499,,,,25,,,,2026-01-01,')
    expect((await waybill(`margin import '${file}'`)).code).toBe(0)
    const sold = quote(
      await loadRateBook(cloned.db),
      requestOf(parcelInput({ to: { country: 'NL' } })),
      currentDay(),
      'other-shop',
    )
    const [same, own] = [optionOf(sold, 1402), optionOf(sold, 1499)]
    expect(own?.priceCents).toBe(Math.floor((same!.priceCents * 125 + 50) / 100))
  })
})

test('a change of fuel asks if prices were not compared with the cost on all days', async () => {
  const on = (days: number) => Array.from({ length: days }, (_, at) => `,,1402,,,,25,,,,204${at}-01-01,`)
  const importOn = async (days: number) =>
    waybill(`margin import '${await fileOf('margins.csv', HEADER, ...on(days))}' --yes`)
  const set = 'fuel set hanzo 13.5 --from 2040-01-01 --below-cost'
  expect(await importOn(6)).toMatchObject({ code: 0 })
  expect(await waybill(`${set} --dry-run`)).toMatchObject({ code: 0 })
  expect((await waybill(`${set} --dry-run`)).out).not.toMatch(/not all prices/)
  expect(await importOn(7)).toMatchObject({ code: 0 })
  expect(await waybill(set)).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /not all prices were compared with the cost: add --incomplete-comparison to confirm$/,
    ),
  })
  expect(await waybill(`${set.replace('13.5', '9.5')} --incomplete-comparison`)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/a change of more than .*: add --yes to confirm$/),
  })
  expect(await waybill(`${set} --incomplete-comparison`)).toMatchObject({ code: 0 })
})
