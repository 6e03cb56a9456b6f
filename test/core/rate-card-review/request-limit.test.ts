/** How many requests a comparison prices: a number of requests, and fewer if each one prices many products. */
import { expect, test } from 'vitest'
import { mostRequests } from '../../../src/core/rate-card-review/sample/request-limit.ts'
import { compileRateBook, type RateBook } from '../../../src/core/rating/book/rate-book.ts'
import type { CardAudience } from '../../../src/core/rating/card-version.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { compileRows } from '../../support/rates/rate-cards.ts'

const { content, carriers, capitals, fuel } = readDemoRateBook()
const [first, second, third, fourth] = content.products.map(({ productId }) => productId)

type Card = readonly [
  code: string,
  audience: CardAudience,
  versionNo: number,
  ids: readonly (number | undefined)[],
]

function bookWith(...cards: readonly Card[]): RateBook {
  const compiled = cards.map(([code, audience, versionNo, ids]) => {
    const products = content.products.filter(({ productId }) => ids.includes(productId))
    return compileRows({ ...content, products, code, audience, versionNo, validFrom: '2026-01-01' }, carriers)
  })
  const sources = { revision: 1, since: '2000-01-01', carriers, capitals, fuel, contracts: [] }
  return compileRateBook({ ...sources, cards: compiled })
}

const list: Card = ['list', 'everyone', 1, [first, second]]

test('the prices of the products limit the requests, rounded up', () => {
  expect(mostRequests({ requests: 1000, prices: 200 }, bookWith(list))).toBe(100)
  expect(mostRequests({ requests: 1000, prices: 201 }, bookWith(list))).toBe(101)
  expect(mostRequests({ requests: 50, prices: 201 }, bookWith(list))).toBe(50)
})

test('a product counts once, in whichever cards and versions it is', () => {
  const next: Card = ['list', 'everyone', 2, [first, second]]
  const agreed: Card = ['agreed', 'contract', 1, [second, third]]
  const bought: Card = ['bought', 'cost', 1, [third, fourth]]
  expect(mostRequests({ requests: 1000, prices: 600 }, bookWith(list, next))).toBe(300)
  expect(mostRequests({ requests: 1000, prices: 600 }, bookWith(list, next, agreed))).toBe(200)
  expect(mostRequests({ requests: 1000, prices: 600 }, bookWith(list, next, agreed, bought))).toBe(150)
})

test('a book without products has the limit of requests', () => {
  expect(mostRequests({ requests: 1000, prices: 2000 }, bookWith())).toBe(1000)
})
