/** A discount of a contract that is rounded to a coarse step never exceeds the freight. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { withContracts } from '../../../../src/core/rating/book/rate-book.ts'
import { explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { quote } from '../../../../src/core/rating/quote.ts'
import { checkRatesRequest } from '../../../../src/core/rating/request.ts'
import { openRateCardFiles, readRateCard } from '../../../../src/reference/rate-cards/rate-card-csv.ts'
import { parcels, route } from '../../../support/rates/price-list.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

test('99% off 46.00 is 46.00, not 60.00, if lines are rounded to 30.00', () => {
  const folder = fileURLToPath(new URL('../../../fixtures/rate-cards/gross-francs', import.meta.url))
  const { card } = readRateCard(openRateCardFiles(folder))
  if (card === undefined) throw new Error('the card cannot be read')
  const priceTerms = [{ currency: 'EUR', vatIncluded: false, roundToCents: 3_000, rateDays: 7 }]
  const contract = { accountId: 'acme', validFrom: '2026-01-01', freightBps: -9_900 }
  const book = withContracts(bookOf({ ...card, content: { ...card.content, priceTerms } }), [contract])
  const request = checkRatesRequest(route('CH', 'DE', [parcels(2, '40x30x20')]))
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  const option = quote(book, request, '2026-09-01', 'acme').options.find(
    ({ product }) => product.productId === 2601,
  )
  expect(option?.lines.slice(0, 2).map(({ amountCents }) => amountCents)).toEqual([4_600, -4_600])
  expect(option?.priceCents).toBeGreaterThanOrEqual(0)
  expect(explainLine(option!, 1).formula).toBe(
    '-99% of 46.00 EUR (freight), rounded half up to a multiple of 30.00 EUR, at most the freight',
  )
})
