/**
 * Prices at a margin, calculated by hand. The cost of product 1201 for 5 kg from NL to ES is 15.81: 14.25, fuel 1.35
 * and toll 0.21.
 */
import { describe, expect, test } from 'vitest'
import { compileRateBook, countCardsOn, type RateBook } from '../../../src/core/rating/book/rate-book.ts'
import type { CardAudience } from '../../../src/core/rating/card-version.ts'
import type { ContractRow } from '../../../src/core/rating/contract.ts'
import { explainLine } from '../../../src/core/rating/explain/explain.ts'
import { type MarginRow, sellingPrice } from '../../../src/core/rating/margin.ts'
import { priceIn } from '../../../src/core/rating/price/price-in-currency.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import { costOptionOf } from '../../../src/core/rating/sale.ts'
import { catalogueFor } from '../../../src/core/rating/selection.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { ORDINARY_DAY, optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { compileRows } from '../../support/rates/rate-cards.ts'

const { content, carriers, capitals, fuel } = readDemoRateBook()

const margin = (terms: Partial<MarginRow> = {}): MarginRow => ({
  ...{ overGrams: 0, percentBps: 0, amountCents: 0, minimumCents: 0, validFrom: '2026-01-01' },
  ...terms,
})

type Sources = {
  readonly margins?: readonly MarginRow[]
  readonly contracts?: readonly ContractRow[]
  /** The products of the card for everyone, and of a contract card; by default none. */
  readonly sold?: readonly number[]
  readonly agreed?: readonly number[]
}

/** The demo card as a cost card, next to cards with some of its products. */
function bookOf({ margins = [], contracts = [], sold = [], agreed = [] }: Sources): RateBook {
  const card = (code: string, audience: CardAudience, ids?: readonly number[]) => {
    const products = content.products.filter(({ productId }) => ids?.includes(productId) ?? true)
    return compileRows(
      { ...content, products, code, audience, versionNo: 1, validFrom: '2026-01-01' },
      carriers,
    )
  }
  const cards = [
    card('bought', 'cost'),
    ...(sold.length === 0 ? [] : [card('list', 'everyone', sold)]),
    ...(agreed.length === 0 ? [] : [card('agreed', 'contract', agreed)]),
  ]
  const sources = { carriers, capitals, fuel, cards, contracts, margins }
  return compileRateBook({ ...sources, revision: 1, since: '2000-01-01' })
}

const quoted = (book: RateBook, accountId?: string, input = parcelInput()) =>
  quote(book, requestOf(input), ORDINARY_DAY, accountId)
const priceOf = (book: RateBook, accountId?: string, input = parcelInput()): number | undefined =>
  optionOf(quoted(book, accountId, input), 1201)?.priceCents

describe('the price of a product that only a cost card has', () => {
  test.each<[string, Partial<MarginRow>, number]>([
    // 15.81 x 1.12 = 17.7072
    ['a percentage', { percentBps: 1_200 }, 1771],
    ['an amount', { amountCents: 250 }, 1831],
    // 17.7072 + 0.50 = 18.2072
    ['both', { percentBps: 1_200, amountCents: 50 }, 1821],
    ['a minimum above the percentage', { percentBps: 1_200, minimumCents: 300 }, 1881],
    ['a minimum below the percentage', { percentBps: 1_200, minimumCents: 100 }, 1771],
    ['an ending above the price', { percentBps: 1_200, endingCents: 95 }, 1795],
    ['an ending below the price', { percentBps: 1_200, endingCents: 49 }, 1849],
    ['an ending that the price has', { percentBps: 1_200, endingCents: 71 }, 1771],
    ['no margin', {}, 1581],
  ])('is the cost with %s', (_, terms, cents) => {
    expect(priceOf(bookOf({ margins: [margin(terms)] }))).toBe(cents)
  })

  test('has one line, which tells neither the cost nor the margin', () => {
    const option = optionOf(quoted(bookOf({ margins: [margin({ percentBps: 1_200 })] })), 1201)!
    expect(option.lines.map(({ item, amountCents }) => [item, amountCents])).toEqual([['Freight', 1771]])
    expect(option).toMatchObject({ cardPrice: undefined })
    expect(option.listPriceCents).toBeUndefined()
    const rule = explainLine(option, 0)
    expect(rule).toMatchObject({
      id: 'bought@1/1201/zone 3/price',
      formula: '17.71 EUR for 5 kg in zone 3, with all surcharges and services',
    })
    expect(rule.inputs.map(({ name }) => name)).toEqual([
      ...['product', 'pricing day', 'from', 'to', 'lane', 'zone', 'weight rounded up to'],
      ...['row 1 actual weight', 'row 1 units', 'row 1 chargeable weight', 'weight billed', 'agreed price'],
    ])
    expect(priceIn(option)).toMatchObject({ currency: 'EUR', netUnits: 1771 })
    expect(costOptionOf(option)?.priceCents).toBe(1581)
  })

  test('is the sum of the exact cost and the margin, rounded once', () => {
    // GBP 3.64 at 0.8641 are EUR 4.21248; with 25%, 5.2656. From the rounded 4.21 it would be 5.26.
    const factor = { numerator: 10_000n, denominator: 8_641n }
    expect(sellingPrice(364, factor, margin({ percentBps: 2_500 }))).toBe(527)
    expect(sellingPrice(364, factor, margin({ minimumCents: 100 }))).toBe(521)
    expect(sellingPrice(364, factor, margin({ percentBps: 2_500, endingCents: 95 }))).toBe(595)
  })

  test('depends on the narrowest margin: account, product, carrier, then zones and weights', () => {
    const ladder = [
      margin({ percentBps: 100 }),
      margin({ percentBps: 200, upToGrams: 5_000 }),
      margin({ percentBps: 300, zones: [3] }),
      margin({ percentBps: 400, zones: [3], upToGrams: 5_000 }),
      margin({ percentBps: 500, validFrom: '2026-02-01' }),
      margin({ percentBps: 600, carrierCode: 'rondeel' }),
      margin({ percentBps: 700, productId: 1201 }),
      margin({ percentBps: 800, accountId: 'acme' }),
      margin({ percentBps: 900, accountId: 'acme', productId: 1201 }),
    ]
    // 15.81 x 1.01 to 1.09.
    const prices = [1597, 1613, 1628, 1644, 1660, 1676, 1692, 1707, 1723]
    for (const [index, cents] of prices.entries())
      expect(priceOf(bookOf({ margins: ladder.slice(0, index + 1) }), 'acme')).toBe(cents)
    expect(priceOf(bookOf({ margins: ladder }), 'bolt')).toBe(1692)
  })

  test('is not offered where no margin applies, and not mentioned if none could', () => {
    const some = bookOf({ margins: [margin({ productId: 1201, zones: [1] })] })
    expect(quoted(some).options).toEqual([])
    expect(quoted(some).declined.map(({ product, decline }) => [product.productId, decline.code])).toEqual([
      [1201, 'ROUTE_NOT_SERVED'],
    ])
    expect(quoted(bookOf({}))).toMatchObject({ options: [], declined: [], rateCardVersions: [] })
    const ended = bookOf({ margins: [margin({ validTo: '2026-02-01' })] })
    expect(quoted(ended).options).toEqual([])
  })

  test('can be hidden by a contract, and names the version of the cost card otherwise', () => {
    const contracts = [{ accountId: 'acme', validFrom: '2026-01-01', productId: 1201, hidden: true }]
    const book = bookOf({ margins: [margin()], contracts })
    expect(priceOf(book, 'acme')).toBeUndefined()
    expect(quoted(book, 'acme').declined).toContainEqual(
      expect.objectContaining({ decline: expect.objectContaining({ code: 'NOT_ON_ACCOUNT' }) }),
    )
    expect(quoted(book).rateCardVersions).toEqual(['bought@1'])
  })
})

describe('a product that a rate card sells too', () => {
  const margins = [margin({ percentBps: 1_000 }), margin({ accountId: 'acme', percentBps: 500 })]

  test('has the price of the card, except for accounts that a margin names', () => {
    const book = bookOf({ margins, sold: [1201] })
    // 15.81 x 1.05 = 16.6005
    expect([priceOf(book), priceOf(book, 'bolt'), priceOf(book, 'acme')]).toEqual([1581, 1581, 1660])
    expect(quoted(book).rateCardVersions).toEqual(['list@1', 'bought@1'])
  })

  test('has the price of the contract card of an account', () => {
    const contracts = [{ accountId: 'bolt', validFrom: '2026-01-01', cardCode: 'agreed' }]
    const book = bookOf({ margins, contracts, agreed: [1201] })
    // 15.81 x 1.1 = 17.391
    expect([priceOf(book), priceOf(book, 'bolt')]).toEqual([1739, 1581])
  })
})

test('a missing exchange rate does not tell the currency of the cost', () => {
  const terms = { currency: 'GBP', vatIncluded: false, roundToCents: 1, rateDays: 7 }
  const head = { code: 'bought', audience: 'cost', versionNo: 1, validFrom: '2026-01-01' } as const
  const cards = [compileRows({ ...content, ...head, priceTerms: [terms] }, carriers)]
  const sources = { carriers, capitals, fuel, cards, contracts: [], margins: [margin()] }
  const { declined } = quoted(compileRateBook({ ...sources, revision: 1, since: '2000-01-01' }))
  expect(declined.find(({ product }) => product.productId === 1201)?.decline).toEqual({
    code: 'NO_EXCHANGE_RATE',
    reason: 'The exchange rate of this day is not known',
  })
})

test('a contract cannot sell at the cost by naming a cost card', () => {
  const contracts = [{ accountId: 'acme', validFrom: '2026-01-01', cardCode: 'bought' }]
  expect(quoted(bookOf({ contracts }), 'acme').options).toEqual([])
})

test('the catalogue has the products of cost cards only for accounts that they are sold to', () => {
  const book = bookOf({ margins: [margin({ accountId: 'acme', productId: 1201 })] })
  const has = (accountId?: string): boolean[] =>
    [1201, 1202].map((id) => catalogueFor(book, accountId).hasProduct(id))
  expect([has(), has('bolt'), has('acme')]).toEqual([
    [false, false],
    [false, false],
    [true, false],
  ])
  expect(book.products).toEqual([])
  expect(bookOf({ margins: [margin({ productId: 1201 })] }).products).toMatchObject([{ productId: 1201 }])
})

test('a cost card counts among the rate cards that apply if a margin sells one of its products', () => {
  const counts = [[], [margin({ accountId: 'acme', productId: 1201 })]].map((margins) =>
    countCardsOn(bookOf({ margins }), '2026-11-30'),
  )
  expect(counts).toEqual([0, 1])
})

test('two cost cards must not have the same product on one day', () => {
  const card = (code: string) =>
    compileRows({ ...content, code, audience: 'cost', versionNo: 1, validFrom: '2026-01-01' }, carriers)
  expect(() =>
    compileRateBook({
      ...{ revision: 1, since: '2000-01-01', carriers, capitals, fuel, contracts: [] },
      cards: [card('a'), card('b')],
    }),
  ).toThrow(/is in two rate cards on 2026-01-01/)
})
