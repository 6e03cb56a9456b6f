// Where a card states the VAT of a price: for the price zone, or for the route in the zone chart "VAT".
import { expect, test } from 'vitest'
import { priceIn } from '../../../../src/core/rating/price/price-in-currency.ts'
import { quote } from '../../../../src/core/rating/quote.ts'
import type { VatRateRow } from '../../../../src/core/rating/rate-card.ts'
import { readDemoRateBook } from '../../../../src/reference/rate-cards/rate-card-csv.ts'
import { optionOf, parcelInput, requestOf } from '../../../support/rates/demo-rate-book.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const demo = readDemoRateBook()

/** The VAT of the demo card with other rates, from the Netherlands to Spain: zone 3, and zone 21 of the VAT chart. */
function vatWith(vatRates: readonly VatRateRow[]): number | undefined {
  const book = bookOf({ ...demo, content: { ...demo.content, vatRates } })
  return priceIn(optionOf(quote(book, requestOf(parcelInput()), '2026-10-20'), 1301)!).vatBps
}

const ofZone = { zoneChart: '', zone: 3, rateBps: 700 }
const ofRoute = { zoneChart: 'VAT', zone: 21, rateBps: 2100 }

test.each([
  ['the rate of the route applies', [ofRoute], 2100],
  ['the rate of the price zone applies before it', [ofRoute, ofZone], 700],
  ['also if it is zero', [ofRoute, { ...ofZone, rateBps: 0 }], 0],
  [
    'rates of other zones do not apply',
    [
      { ...ofZone, zone: 21 },
      { ...ofRoute, zone: 3 },
    ],
    undefined,
  ],
])('%s', (_name, rates, expected) => {
  expect(vatWith(rates)).toBe(expected)
})
