/** `waybill contract`, and its effect on the quotes of an account. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { currentDay } from '../../../src/cli/terminal/arguments.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { listContracts, removeContract } from '../../../src/store/rate-cards/contracts.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { runWaybill } from '../run-waybill.ts'
import { DEMO_FOLDER, demoFolderWith, removeFolders } from './card-folder.ts'

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
      out: 'Set the contract of demo-shop for carrier rondeel from 2026-01-01: freight -10%, fuel 0%. Running services apply the change within seconds.',
    })
    expect(await listContracts(cloned.db)).toMatchObject([{ freightBps: -1000, fuelBps: 0, hidden: false }])
    // 14.25 - 10% = 12.825, half-up 12.83; fuel 9.5% of it = 1.22; toll 0.21.
    expect(await priceFor('demo-shop')).toBe(1426)
    expect(await priceFor('other-shop')).toBe(1581)
  })

  test('accepts a discount on fuel and an increase of freight', async () => {
    const { out } = await waybill(`${SET} --product 1201 --freight +2.5 --fuel -100 --to 2030-01-01 --json`)
    expect(JSON.parse(out)).toEqual({
      accountId: 'demo-shop',
      productId: 1201,
      validFrom: '2026-01-01',
      validTo: '2030-01-01',
      freightBps: 250,
      fuelBps: -10_000,
      hidden: false,
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
      /priced by card deal, .*\nNo version of deal is published yet\. Until one is, the products keep their current prices\.$/,
    )
    await waybill('card publish deal@1 --yes')
    expect([await priceFor('demo-shop'), await priceFor('other-shop')]).toEqual([1664, 1581])
    expect((await waybill(`card import '${DEMO_FOLDER}' ${terms} --publish --yes`)).code).toBe(0)
    expect(await priceFor('demo-shop')).toBe(1581)
  })
})

test('list shows the narrowest scope first, and remove deletes one contract', async () => {
  await waybill(`${SET} --freight 0 --product 1201`)
  await waybill(`${SET} --freight -5 --fuel -50`)
  await waybill(`${SET} --carrier hanzo --hide`)
  expect((await waybill('contract list')).out.split('\n')).toEqual([
    expect.stringMatching(/^ACCOUNT +FOR +FROM +TO +FREIGHT +FUEL +OTHER$/),
    expect.stringMatching(/^demo-shop +product 1201 +2026-01-01 +0% +0%$/),
    expect.stringMatching(/^demo-shop +carrier hanzo +2026-01-01 +0% +0% +hidden$/),
    expect.stringMatching(/^demo-shop +all products +2026-01-01 +-5% +-50%$/),
  ])
  expect(JSON.parse((await waybill('contract list other-shop --json')).out)).toEqual([])
  expect((await waybill('contract remove demo-shop --product 1201 --from 2026-01-01')).out).toMatch(
    /^Removed the contract of demo-shop for product 1201 from 2026-01-01\. /,
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
  [SET, 2, 'waybill: a contract needs --freight, --fuel, --card or --hide'],
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
