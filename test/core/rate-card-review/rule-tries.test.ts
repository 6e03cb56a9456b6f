/** How many requests are tried for the rules of products, by the length of their expressions. */
import { expect, test } from 'vitest'
import { triesFor } from '../../../src/core/rate-card-review/sample/rule-cases.ts'
import type { Surcharge } from '../../../src/core/rating/book/surcharge.ts'
import { demoRateBook } from '../../support/rates/demo-rate-book.ts'
import { readPriceList } from '../../support/rates/price-list.ts'
import { bookOf } from '../../support/rates/rate-cards.ts'

/** The rules of each product, all with a formula of so many sums. */
function rulesWith(sums: number, products: number, rules: number): (readonly Surcharge[])[] {
  const { content, ...card } = readPriceList('rule-sheet')
  const [row] = content.surcharges.filter(({ method }) => method === 'formula')
  const formula = `1${' + kg / 1 kg'.repeat(sums)}`
  const surcharges = [{ ...row!, per: 'unit' as const, condition: 'kg > 1', formula }]
  const [group] = bookOf({ ...card, content: { ...content, surcharges } }).cards.flat()[0]!.groups
  const [rule] = group!.surcharges
  return Array.from({ length: products }, () => Array.from({ length: rules }, () => rule!))
}

test('the rules of the demo card are tried with all requests', () => {
  const groups = demoRateBook()
    .cards.flat()
    .flatMap((card) => card.groups)
  const rules = groups.flatMap(({ surcharges, products }) => products.map(() => surcharges))
  expect(triesFor(rules)).toBe(3_000)
})

test('long expressions are tried with fewer requests, and each one at least once', () => {
  // 1 + 3 of the condition, 1 + 4 × 50 of the formula: 205 for each rule. 10 × 100 × 100 × 205 are 20,500,000.
  expect(triesFor(rulesWith(50, 10, 100))).toBe(9)
  expect(triesFor(rulesWith(50, 10, 1_000))).toBe(1)
})
