/** What recent shipments cost before and after a change of a card. */
import { describe, expect, test } from 'vitest'
import { groupBy, mapValues } from '../../../src/core/group-by.ts'
import {
  type ComparedCard,
  compareShipments,
  type RecentShipment,
} from '../../../src/core/rate-card-review/difference/recent-shipments.ts'
import { columnsOf, compilePriceTable } from '../../../src/core/rating/book/price-table.ts'
import type { PriceRow, RateCardImport } from '../../../src/core/rating/rate-card.ts'
import { readRateCard } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { filesOf, SMALL_CARD } from '../../support/rates/card-files.ts'

const CARD = readRateCard(filesOf(SMALL_CARD)).card!
const [PRODUCT] = CARD.content.products
const NO_RATES = { exchangeRates: new Map() }

const parcel = { count: 1, weightGrams: 1_000, lengthCm: 10, widthCm: 10, heightCm: 10, stackable: true }
const domestic = (count = 1): RecentShipment => ({
  productId: PRODUCT!.productId,
  request: {
    ...{ from: { country: 'NL' }, to: { country: 'NL' }, parcelType: 'NONDOC', recipient: 'business' },
    parcels: [{ ...parcel, count }],
  },
})

const withPrices = (change: (row: PriceRow) => PriceRow | []): RateCardImport => ({
  ...CARD,
  content: { ...CARD.content, prices: CARD.content.prices.flatMap(change) },
})

function comparedCard(card: RateCardImport, fuel: ComparedCard['fuel'] = card.fuel): ComparedCard {
  const prices = groupBy(card.content.prices, ({ productId }) => productId)
  return { card, fuel, prices: mapValues(prices, (rows) => compilePriceTable(columnsOf(rows))) }
}

function compare(after: RateCardImport, shipments: readonly RecentShipment[]) {
  return compareShipments(comparedCard(CARD), comparedCard(after), shipments, '2026-12-01', NO_RATES)
}

describe('recent shipments', () => {
  test('cost the sum of their list prices before and after', () => {
    const dearer = withPrices((row) => ({ ...row, priceCents: row.priceCents + 10 }))
    const { beforeCents, afterCents, changeBps, ...counts } = compare(dearer, [domestic(), domestic(3)])
    expect(counts).toEqual({ compared: 2, notOffered: 0 })
    expect(afterCents - beforeCents).toBe(4 * 10)
    expect(changeBps).toBe(Math.round((40 * 10_000) / beforeCents))
  })

  test('that are no longer offered are counted apart', () => {
    expect(
      compare(
        withPrices(() => []),
        [domestic()],
      ),
    ).toEqual({
      ...{ compared: 0, beforeCents: 0, afterCents: 0, changeBps: null, notOffered: 1 },
    })
  })

  test('that the card did not price before are left out', () => {
    const { request } = domestic()
    const unserved = { productId: 1, request }
    expect(compare(CARD, [unserved])).toMatchObject({ compared: 0, notOffered: 0 })
  })

  test('are priced on the first day of the new version', () => {
    const { content } = CARD
    const later = {
      ...content.surcharges[0]!,
      validFrom: '2027-01-01',
      code: 'NEW',
      amount: 100,
      method: 'flat',
    } as const
    const after = {
      ...CARD,
      content: { ...content, surcharges: [...content.surcharges, { ...later, trigger: 'always' }] },
    }
    const [old, now] = [comparedCard(CARD, []), comparedCard(after, [])]
    const on = (day: string) => compareShipments(old, now, [domestic()], day, NO_RATES)
    expect(on('2026-12-31').afterCents).toBe(on('2026-12-31').beforeCents)
    expect(on('2027-01-01').afterCents).toBeGreaterThan(on('2027-01-01').beforeCents)
  })
})
