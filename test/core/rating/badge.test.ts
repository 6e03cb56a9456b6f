/** Badges: each is given to the first option in its order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RateOption } from '../../../src/core/rating/quote.ts'
import { badgesOf, orderBy } from '../../../src/core/rating/selection.ts'
import { fixedOption } from '../../support/rates/fixed-option.ts'

function option(productId: number, priceCents: number, maxDays: number, minDays = 1): RateOption {
  return fixedOption({
    product: { productId, productName: `P${productId}`, carrierCode: 'rondeel', carrierName: 'Rondeel' },
    priceCents,
    lines: [],
    transit: { minDays, maxDays },
    chargeable: [],
  })
}

function badges(...options: RateOption[]): Readonly<Record<number, readonly string[]>> {
  return Object.fromEntries([...badgesOf(options)].map(([{ product }, given]) => [product.productId, given]))
}

test('there are no badges without options', () => {
  expect(badges()).toEqual({})
})

test('a single option gets all badges', () => {
  expect(badges(option(1, 1000, 4))).toEqual({ 1: ['CHEAPEST', 'FASTEST', 'BEST_VALUE'] })
})

test('three different options can be the cheapest, the fastest and the best value', () => {
  // Relative price plus relative days: 1 + 6 = 7; 1.5 + 3 = 4.5; 4 + 1 = 5
  expect(badges(option(1, 1000, 6), option(2, 1500, 3), option(3, 4000, 1))).toEqual({
    1: ['CHEAPEST'],
    2: ['BEST_VALUE'],
    3: ['FASTEST'],
  })
})

test('ties go to the cheaper option, then to the lower product id', () => {
  expect(badges(option(3, 1000, 2), option(2, 1000, 2), option(1, 1100, 2))).toEqual({
    2: ['CHEAPEST', 'FASTEST', 'BEST_VALUE'],
  })
  expect(badges(option(1, 1000, 3), option(2, 1200, 2), option(3, 1100, 2))).toMatchObject({
    3: ['FASTEST', 'BEST_VALUE'],
  })
})

test('of options with the same maximum transit time, the one with the lower minimum is the fastest', () => {
  expect(badges(option(1, 1000, 3, 2), option(2, 2000, 3, 1))).toEqual({
    1: ['CHEAPEST', 'BEST_VALUE'],
    2: ['FASTEST'],
  })
})

test('the option with a badge comes first in the order of the badge, for any order of the input', () => {
  const figures = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 4 }), fc.nat(2))
  fc.assert(
    fc.property(fc.array(figures, { minLength: 1, maxLength: 8 }), (rows) => {
      const options = rows.map(([cents, days, earliest], id) => option(id, cents, days, earliest))
      const given = badgesOf(options)
      for (const [badge, sort] of [
        ['CHEAPEST', 'PRICE'],
        ['FASTEST', 'TRANSIT'],
        ['BEST_VALUE', 'VALUE'],
      ] as const) {
        const [top] = options.toSorted(orderBy(sort, options))
        const holders = options.filter((one) => given.get(one)?.includes(badge))
        expect(holders).toEqual([top])
      }
    }),
  )
})
