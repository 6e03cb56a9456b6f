/** `waybill contract`, and its effect on the quotes of an account. */

import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { currentDay } from '../../../src/cli/terminal/arguments.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { listContracts, removeContract } from '../../../src/store/rate-cards/contracts.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { DEMO_FOLDER, demoFolderWith, emptyFolder, fileOf, removeFolders } from '../card/card-folder.ts'
import { runWaybill } from '../run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
beforeEach(async () => {
  for (const row of await listContracts(cloned.db)) await removeContract(cloned.db, row)
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string) => runWaybill(cloned, words)
const SET = 'contract set demo-shop --from 2026-01-01'

async function priceFor(accountId: string): Promise<number | undefined> {
  const quoted = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), currentDay(), accountId)
  return optionOf(quoted, 1201)?.priceCents
}

describe('set', () => {
  test.each([
    '--freight -10',
    '--freight=-10',
    '--freight -10.00%',
  ])('accepts a signed percentage: %s', async (freight) => {
    expect(await waybill(`${SET} ${freight} --carrier rondeel`)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /\nSet the contract of demo-shop for carrier rondeel from 2026-01-01: freight -10%\. Running services apply the change within seconds\.$/,
      ),
    })
    expect(await listContracts(cloned.db)).toEqual([
      { accountId: 'demo-shop', carrierCode: 'rondeel', validFrom: '2026-01-01', freightBps: -1000 },
    ])
    // 14.25 - 10% = 12.825, half-up 12.83; fuel 9.5% of it = 1.22; toll 0.21.
    expect(await priceFor('demo-shop')).toBe(1426)
    expect(await priceFor('other-shop')).toBe(1581)
  })

  test('accepts a discount on fuel and an increase of freight', async () => {
    const { out } = await waybill(`${SET} --product 1201 --freight +2.5 --fuel -100 --to 2030-01-01 --json`)
    expect(JSON.parse(out)).toMatchObject({
      accountId: 'demo-shop',
      productId: 1201,
      validFrom: '2026-01-01',
      validTo: '2030-01-01',
      freightBps: 250,
      fuelBps: -10_000,
      dryRun: false,
      prices: [expect.objectContaining({ productId: 1201, productName: 'Classic' })],
    })
  })

  test('hides a product from the account', async () => {
    await waybill(`${SET} --product 1201 --hide`)
    expect([await priceFor('demo-shop'), await priceFor('other-shop')]).toEqual([undefined, 1581])
  })

  test('uses the prices of another card, and warns while that card has no published version', async () => {
    const changedCard = await demoFolderWith(['rates.csv', '1201,3,KG,2,5,14.25', '1201,3,KG,2,5,15.00'])
    const terms = `--code deal --name Deal --valid-from 2026-01-01 --contract-only`
    await waybill(`card import '${changedCard}' ${terms}`)
    expect((await waybill(`${SET} --card deal`)).out).toMatch(
      /: card deal\. .*\nNo version of deal is published yet\. Until one is, the products keep their current prices\.$/,
    )
    await waybill('card publish deal@1 --yes')
    expect([await priceFor('demo-shop'), await priceFor('other-shop')]).toEqual([1664, 1581])
    expect((await waybill(`card import '${DEMO_FOLDER}' ${terms} --publish --yes`)).code).toBe(0)
    expect(await priceFor('demo-shop')).toBe(1581)
  })
})

describe('a term that is not given', () => {
  const rows = () => listContracts(cloned.db)

  test('is inherited from the wider contract, so that a discount on fuel does not drop one on freight', async () => {
    await waybill(`${SET} --carrier rondeel --freight -12.5`)
    // 14.25 - 12.5% = 12.47; fuel 9.5% of it = 1.18; toll 0.21.
    expect(await priceFor('demo-shop')).toBe(1386)
    const ran = await waybill(`${SET} --product 1201 --fuel -50`)
    expect(ran).toMatchObject({ code: 0, asked: [] })
    expect(ran.out).toMatch(/\n1201 Classic +parcel of .* +\d+\.\d\d +\d+\.\d\d +-\d/)
    // Fuel 4.75% of 12.47 = 0.59.
    expect(await priceFor('demo-shop')).toBe(1327)
  })

  test('stays as it is if a contract is set again, or if a later one begins', async () => {
    await waybill(`${SET} --product 1201 --freight -12.5`)
    await waybill(`${SET} --product 1201 --fuel -50`)
    expect(await rows()).toMatchObject([{ freightBps: -1250, fuelBps: -5000 }])
    await waybill('contract set demo-shop --from 2026-02-01 --product 1201 --fuel -100')
    expect(await priceFor('demo-shop')).toBe(1268)
  })

  test('includes the end, which --to and --no-to change alone', async () => {
    const set = `${SET} --product 1201`
    await waybill(`${set} --freight -12.5 --to 2035-01-01`)
    await waybill(`${set} --fuel -50`)
    expect(await rows()).toMatchObject([{ freightBps: -1250, fuelBps: -5000, validTo: '2035-01-01' }])
    expect(await waybill(`${set} --to 2036-01-01`)).toMatchObject({ code: 0 })
    expect(await rows()).toMatchObject([{ freightBps: -1250, fuelBps: -5000, validTo: '2036-01-01' }])
    expect(await waybill(`${set} --no-to`)).toMatchObject({ code: 0 })
    expect(await rows()).toEqual([
      { accountId: 'demo-shop', productId: 1201, validFrom: '2026-01-01', freightBps: -1250, fuelBps: -5000 },
    ])
  })

  test('can be overridden: with 0%, --no-hide and --no-card', async () => {
    await waybill(`${SET} --carrier rondeel --freight -12.5 --card demo`)
    await waybill(`${SET} --hide`)
    await waybill(`${SET} --product 1201 --freight 0 --no-hide --no-card --yes`)
    expect((await rows())[0]).toMatchObject({ freightBps: 0, hidden: false, cardCode: null })
    expect(await priceFor('demo-shop')).toBe(1581)
    expect((await waybill('contract list')).out).toMatch(
      /product 1201 +2026-01-01 +0% +offered, general card\n/,
    )
  })
})

describe('a change that raises a price', () => {
  const RAISE = `${SET} --product 1201 --freight 5`

  test('is refused without a terminal, with the prices and the reason', async () => {
    expect(await waybill(RAISE)).toMatchObject({
      code: 2,
      err: 'waybill: 1 product would cost demo-shop more: add --yes to confirm',
      out: expect.stringMatching(/\n1201 Classic +.* \+[45](\.\d+)?%$/),
    })
    expect(await waybill(`${RAISE} --json`)).toMatchObject({ code: 2, out: '' })
    expect(await listContracts(cloned.db)).toEqual([])
  })

  test('asks at a terminal, and is not asked about with --yes', async () => {
    expect(await runWaybill(cloned, RAISE, { answer: 'n' })).toMatchObject({
      code: 1,
      asked: ['Raise the price of 1 product? [y/N] '],
      err: 'waybill: nothing was written: the contract of demo-shop does not change',
    })
    expect(await listContracts(cloned.db)).toEqual([])
    expect(await waybill(`${RAISE} --dry-run`)).toMatchObject({ code: 0 })
    expect(await listContracts(cloned.db)).toEqual([])
    expect(await waybill(`${RAISE} --yes`)).toMatchObject({ code: 0 })
    expect(await listContracts(cloned.db)).toHaveLength(1)
  })

  test('may be the removal of a contract', async () => {
    await waybill(`${SET} --product 1201 --freight -5`)
    const words = 'contract remove demo-shop --product 1201 --from 2026-01-01'
    expect(await waybill(words)).toMatchObject({ code: 2, err: /1 product would cost demo-shop more/ })
    expect(await listContracts(cloned.db)).toHaveLength(1)
    expect(await waybill(`${words} --yes`)).toMatchObject({ code: 0 })
    expect(await listContracts(cloned.db)).toEqual([])
  })

  test('may be an earlier end of a contract, from that day on', async () => {
    const set = 'contract set demo-shop --from 2031-01-01 --product 1201 --freight -20'
    await waybill(set)
    expect(await waybill(`${set} --to 2031-03-01`)).toMatchObject({
      code: 2,
      err: 'waybill: 1 product would cost demo-shop more: add --yes to confirm',
      out: expect.stringMatching(/\n1201 Classic +.* 2031-03-01 /),
    })
  })

  test('is noticed for light parcels to individuals from one country', async () => {
    const products = await readFile(path.join(DEMO_FOLDER, 'products.csv'), 'utf8')
    const classic = products.split('\n').find((line) => line.startsWith('1201,'))!
    const columns = products.split('\n')[0]!.split(',')
    const changed = (values: Readonly<Record<string, string>>) =>
      classic
        .split(',')
        .map((cell, index) => values[columns[index]!] ?? cell)
        .join(',')
    const importWith = async (cardCode: string, values: Readonly<Record<string, string>>) => {
      const folder = await demoFolderWith(['products.csv', classic, changed(values)])
      const terms = `--code ${cardCode} --name Narrow --valid-from 2026-01-01 --contract-only --publish --yes`
      expect(await waybill(`card import '${folder}' ${terms}`)).toMatchObject({ code: 0 })
      await waybill(`${SET} --product 1201 --card ${cardCode} --freight 0 --yes`)
    }
    const raise = 'contract set demo-shop --from 2026-01-02 --product 1201 --freight 5'
    await importWith('narrow', { recipient: 'individual', max_piece_kg: '1', scope: 'from:RO' })
    expect(await waybill(raise)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/1 product would cost demo-shop more: add/),
      out: expect.stringMatching(/\n1201 Classic +parcel of 0\.5 kg for an individual, RO to /),
    })
  })

  test('is asked about if a surcharge cannot be compared, which is named', async () => {
    const never = ['rondeel,HEAVY,Heavy parcel surcharge', 'longest_cm>9000&piece_kg<0.002'] as const
    const row = `${never[0]},accessorial,flat,2.10,,parcel,`
    const folder = await demoFolderWith(['surcharges.csv', `${row}piece_kg>20`, `${row}${never[1]}`])
    const terms = '--code never --name Never --valid-from 2026-01-01 --contract-only --publish --yes'
    expect(await waybill(`card import '${folder}' ${terms}`)).toMatchObject({ code: 0 })
    await waybill(`${SET} --product 1201 --card never --freight 0 --yes`)
    const discounts = await fileOf('heavy.csv', 'applies_to,zones,over_kg,up_to_kg,change_pct', 'HEAVY,,,,80')
    const raise = `contract set demo-shop --from 2026-01-02 --product 1201 --discounts ${discounts}`
    expect(await waybill(raise)).toMatchObject({
      code: 2,
      err: 'waybill: 1 surcharge was not compared: add --incomplete-comparison to confirm',
      out: expect.stringMatching(/\nwarning: 1 surcharge was not compared: HEAVY of product 1201$/),
    })
    expect(JSON.parse((await waybill(`${raise} --json --yes`)).out)).toMatchObject({
      prices: [],
      notCompared: [],
      surchargesNotCompared: [{ productId: 1201, code: 'HEAVY' }],
    })
  })

  test('is asked about if there are too many days to compare', async () => {
    const later = Array.from({ length: 12 }, (_, at) => `20${at + 41}-01-01`)
    for (const day of later.slice(0, 11))
      await waybill(`contract set demo-shop --from ${day} --carrier hanzo --fuel -50`)
    const set = 'contract set demo-shop --from 2040-01-01 --product 1201 --freight -5'
    const compared = async (words: string) => {
      const { isComplete } = JSON.parse((await waybill(`${words} --dry-run --json`)).out) as {
        readonly isComplete: boolean
      }
      return isComplete
    }
    expect(await compared(set)).toBe(true)
    await waybill(`contract set demo-shop --from ${later[11]} --carrier hanzo --fuel -50`)
    expect(await compared(set)).toBe(false)
    expect(await waybill(set)).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^warning: there are too many requests or days to compare all of them$/m),
      err: 'waybill: not all requests and days were compared: add --incomplete-comparison to confirm',
    })
    const raise = set.replace('-5', '+5')
    expect(await waybill(`${raise} --incomplete-comparison`)).toMatchObject({
      code: 2,
      err: 'waybill: 1 product would cost demo-shop more: add --yes to confirm',
    })
    expect(await waybill(raise)).toMatchObject({
      code: 2,
      err: 'waybill: 1 product would cost demo-shop more; not all requests and days were compared: add --yes to confirm',
    })
    expect(await waybill(`${set} --incomplete-comparison`)).toMatchObject({ code: 0 })
    expect(await waybill(`${set} --yes`)).toMatchObject({ code: 0 })
  })

  test('is noticed if only a later card or a heavy parcel becomes dearer', async () => {
    const dear = await demoFolderWith(['rates.csv', '1201,3,KG,20,25,27.95', '1201,3,KG,20,25,30.95'])
    await waybill(
      `card import '${dear}' --code heavy --name Heavy --valid-from 2031-01-01 --contract-only --publish --yes`,
    )
    expect(await waybill(`${SET} --card heavy`)).toMatchObject({
      code: 2,
      out: expect.stringMatching(/\n1201 Classic +parcel of 25 kg, .* 2031-01-01 /),
    })
  })
})

test('list shows the narrowest scope first, and remove deletes one contract', async () => {
  await waybill(`${SET} --freight 0 --product 1201`)
  await waybill(`${SET} --freight -5 --fuel -50`)
  await waybill(`${SET} --carrier hanzo --hide`)
  expect((await waybill('contract list')).out.split('\n')).toEqual([
    expect.stringMatching(/^ACCOUNT +FOR +FROM +TO +FREIGHT +FUEL +OTHER$/),
    expect.stringMatching(/^demo-shop +product 1201 +2026-01-01 +0%$/),
    expect.stringMatching(/^demo-shop +carrier hanzo +2026-01-01 +hidden$/),
    expect.stringMatching(/^demo-shop +all products +2026-01-01 +-5% +-50%$/),
  ])
  expect(JSON.parse((await waybill('contract list other-shop --json')).out)).toEqual([])
  expect((await waybill('contract remove demo-shop --product 1201 --from 2026-01-01')).out).toMatch(
    /\nRemoved the contract of demo-shop for product 1201 from 2026-01-01\. /,
  )
  expect(await waybill('contract remove demo-shop --product 1201 --from 2026-01-01')).toMatchObject({
    code: 1,
    err: 'waybill: there is no contract of demo-shop for product 1201 from 2026-01-01',
  })
})

test.each([
  ['contract list no-shop', 1, 'waybill: there is no account no-shop'],
  ['contract set no-shop --from 2026-01-01 --freight -10', 1, 'waybill: there is no account no-shop'],
  [`${SET} --freight -10 --carrier rondel`, 1, 'waybill: there is no carrier rondel'],
  [`${SET} --freight -10 --product 9999`, 1, 'waybill: no rate card has a product 9999'],
  [`${SET} --card no-card`, 1, 'waybill: there is no rate card no-card'],
  [`${SET} --no-to`, 1, 'waybill: there is no contract of demo-shop for all products from 2026-01-01'],
  [SET, 2, 'waybill: a contract needs --freight, --discounts, --minimum, --fuel, --card or --hide'],
  [`${SET} --hide --freight -10`, 2, 'waybill: --hide cannot be combined with'],
  [`${SET} --freight -100`, 2, /must be above -100/],
  [`${SET} --freight -100.01`, 2, /must be above -100/],
  [`${SET} --fuel -100.01`, 2, /must not be below -100/],
  [`${SET} --freight ten`, 2, /Expected a percentage with at most 2 decimals/],
  [`${SET} --freight +-10`, 2, /Expected a percentage/],
  [`${SET} --freight -10 --product 1201 --carrier rondeel`, 2, /cannot be used with option '--carrier/],
  [`${SET} --freight -10 --to 2026-01-01`, 2, 'waybill: --to must be after --from'],
  ['contract set demo-shop --freight -10', 2, /required option '--from/],
  [`${SET} --freight -10 --product 12a`, 2, /product id such as 1201/],
])('refuses `%s`', async (words, code, message) => {
  const ran = await waybill(words)
  expect(ran).toMatchObject({ code, out: '' })
  expect(ran.err).toMatch(message)
  expect(await listContracts(cloned.db)).toEqual([])
})

describe('with a rate card in pounds', () => {
  test('a warning says that its products are not offered without an exchange rate', async () => {
    const folder = await emptyFolder()
    await cp(path.resolve(import.meta.dirname, '../../fixtures/rate-cards/net-pounds'), folder, {
      recursive: true,
    })
    const publish = (name: string) =>
      waybill(
        `card import ${folder} --code rates-${name} --name X --valid-from 2041-01-01 --contract-only --publish --yes`,
      )
    const warning = /^Quotes need an exchange rate of (\w+) that is at most (\d+) days old, and (.*)\. Until/m
    const terms = path.join(folder, 'price_terms.csv')
    const withTerms = async (currency: string, rateDays: string): Promise<RegExpExecArray | null> => {
      const text = `currency,vat_included,rate_days\n${currency},no,${rateDays}\n`
      await writeFile(terms, text)
      const { code, out } = await publish(`${currency}-${rateDays}`.toLowerCase())
      expect(code).toBe(0)
      return warning.exec(out)
    }
    // The rates that are shipped are older than a day, and at most 400 days old.
    expect((await withTerms('GBP', '1'))?.slice(1)).toEqual([
      'GBP',
      '1',
      expect.stringMatching(/^the newest one is of \d{4}-\d\d-\d\d$/),
    ])
    expect((await withTerms('KPW', '7'))?.slice(1)).toEqual(['KPW', '7', 'none is known'])
    const set = 'contract set demo-shop --from 2041-01-01 --product 2401 --card rates-kpw-7 --freight 5'
    expect(await waybill(set)).toMatchObject({
      err: 'waybill: 1 product was not compared: add --incomplete-comparison to confirm',
      out: expect.stringMatching(/\nwarning: 1 product was not compared: 2401$/),
    })
    expect(await withTerms('EUR', '7')).toBeNull()
  })

  test('compares its prices in euro, at the newest exchange rate, also for later days', async () => {
    const folder = path.resolve(import.meta.dirname, '../../fixtures/rate-cards/net-pounds')
    const terms = '--code pounds --name Pounds --valid-from 2026-01-01 --publish --yes'
    expect(await waybill(`card import ${folder} ${terms}`)).toMatchObject({ code: 0 })
    const set = 'contract set demo-shop --from 2036-01-01 --carrier heidepost --freight 10 --json'
    // A price rises, and there is no terminal to ask.
    expect((await waybill(set)).code).toBe(2)
    const { code, out } = await waybill(`${set} --yes`)
    expect(code).toBe(0)
    const { prices } = JSON.parse(out) as { prices: { beforeCents: number; afterCents: number }[] }
    expect(prices).toMatchObject([{ productId: 2401, day: '2036-01-01' }])
    expect(prices[0]!.afterCents).toBeGreaterThan(prices[0]!.beforeCents)
  })
})
