/** `waybill fuel`, and its effect on quotes. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentDay } from '../../../src/cli/terminal/arguments.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { runWaybill } from '../run-waybill.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase()
})
afterAll(() => cloned.drop())

const waybill = (words: string) => runWaybill(cloned, words)

async function priceOfClassic(): Promise<number | undefined> {
  const quoted = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), currentDay())
  return optionOf(quoted, 1201)?.priceCents
}

test('fuel set changes prices from its day on, unset removes the percentage, list shows all percentages', async () => {
  expect(await waybill('fuel set rondeel 12.5 --from 2026-01-02')).toMatchObject({
    code: 0,
    err: '',
    out: 'Fuel rondeel FUEL is 12.5% from 2026-01-02. Running services apply the change within seconds.',
  })
  // 14.25, 12.5% fuel, 0.21 toll.
  expect(await priceOfClassic()).toBe(1624)
  expect((await waybill('fuel set rondeel 13% --from 2026-01-02')).out).toContain('(it was 12.5%)')
  const again = await waybill('fuel set rondeel 13 --from 2026-01-02 --json')
  expect(JSON.parse(again.out)).toEqual({
    carrierCode: 'rondeel',
    code: 'FUEL',
    validFrom: '2026-01-02',
    rateBps: 1300,
    changed: false,
  })
  expect((await waybill('fuel list rondeel')).out).toMatch(
    /^CARRIER +CODE +FROM +PERCENT +ENTERED\nrondeel +FUEL +2026-01-02 +13% +20\S+Z\nrondeel +FUEL +2026-01-01 +9\.5% /,
  )
  expect((await waybill('fuel unset rondeel --from 2026-01-02')).out).toBe(
    'Removed fuel rondeel FUEL from 2026-01-02. Running services apply the change within seconds.',
  )
  expect(await priceOfClassic()).toBe(1581)
  expect(JSON.parse((await waybill('fuel list --json')).out)).toHaveLength(5)
})

test('fuel set warns about a code that is new for the carrier', async () => {
  const { code, out } = await waybill('fuel set rondeel 3 --from 2026-01-01 --code FEUL')
  expect(code).toBe(0)
  expect(out).toMatch(
    /\nThis is the first percentage of rondeel with the code FEUL\. It applies to the surcharge with that code\.$/,
  )
  await waybill('fuel unset rondeel --from 2026-01-01 --code FEUL')
})

test.each([
  ['fuel set rondel 9 --from 2026-01-01', 1, 'waybill: there is no carrier rondel'],
  [
    'fuel unset rondeel --from 2020-01-01',
    1,
    'waybill: there is no fuel percentage rondeel FUEL from 2020-01-01',
  ],
  ['fuel list rondel', 1, 'waybill: there is no carrier rondel'],
  ['fuel set rondeel -1 --from 2026-01-01', 2, /must not be below 0/],
  ['fuel set rondeel 9,5 --from 2026-01-01', 2, /such as 10 or 2\.5/],
  ['fuel set rondeel 9.555 --from 2026-01-01', 2, /at most 2 decimals/],
  ['fuel set rondeel 1001 --from 2026-01-01', 2, /must not be above 1000/],
  ['fuel set rondeel 9', 2, /required option '--from/],
  ['fuel set rondeel 9 --from tomorrow', 2, /Expected a day such as/],
])('refuses `%s`', async (words, code, message) => {
  const ran = await waybill(words)
  expect(ran).toMatchObject({ code, out: '' })
  expect(ran.err).toMatch(message)
})
