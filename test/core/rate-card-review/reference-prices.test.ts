/** What a change of a contract or of margins does to prices, and what was not compared. */
import { describe, expect, test } from 'vitest'
import {
  comparePrices,
  isRise,
  type PriceComparison,
} from '../../../src/core/rate-card-review/difference/reference-prices.ts'
import {
  compileRateBook,
  type RateBook,
  withContracts,
  withMargins,
} from '../../../src/core/rating/book/rate-book.ts'
import type { CardAudience } from '../../../src/core/rating/card-version.ts'
import type { ContractRow, DiscountRow } from '../../../src/core/rating/contract.ts'
import type { MarginRow } from '../../../src/core/rating/margin.ts'
import type { RateCardContent } from '../../../src/core/rating/rate-card.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { compileRows } from '../../support/rates/rate-cards.ts'

const { content, carriers, capitals, fuel } = readDemoRateBook()
const DAY = '2026-10-20'

type Terms = { readonly contracts?: readonly ContractRow[]; readonly margins?: readonly MarginRow[] }

/** A book that sells a list, and buys the products of `bought`. */
function bookOf(change: Partial<RateCardContent>, bought: readonly number[]): RateBook {
  const list = { ...content, ...change }
  const costs = { ...list, products: list.products.filter(({ productId }) => bought.includes(productId)) }
  const card = (code: string, audience: CardAudience, rows: RateCardContent) =>
    compileRows({ ...rows, code, audience, versionNo: 1, validFrom: '2026-01-01' }, carriers)
  const cards = [card('list', 'everyone', list)]
  if (bought.length > 0) cards.push(card('bought', 'cost', costs))
  const sources = { revision: 1, since: '2000-01-01', carriers, capitals, fuel, cards, contracts: [] }
  return compileRateBook(sources)
}

type Change = { readonly productId: number; readonly before: Terms; readonly after: Terms }

function compare(
  { productId, before, after }: Change,
  change: Partial<RateCardContent> = {},
  bought: readonly number[] = [],
): PriceComparison {
  const cells = [before, after].flatMap(({ contracts = [], margins = [] }) => [
    ...contracts.flatMap(({ discounts = [] }) => discounts),
    ...margins,
  ])
  const book = bookOf(change, bought)
  const [was, becomes] = [before, after].map(({ contracts = [], margins = [] }) =>
    withMargins(withContracts(book, contracts), margins),
  )
  return comparePrices({
    before: was!,
    after: becomes!,
    accountId: 'acme',
    scopes: [{ productId }],
    days: [DAY],
    cells,
    exchangeRates: new Map(),
  })
}

/** A contract of a product with one discount, before and after a change. */
function discountFrom(productId: number, discount: Partial<DiscountRow>, [was, becomes]: number[]): Change {
  const terms = (bps: number): Terms => ({
    contracts: [
      {
        ...{ accountId: 'acme', productId, validFrom: '2026-01-01' },
        discounts: [{ appliesTo: 'freight', overGrams: 0, turnoverCents: 0, ...discount, bps }],
      },
    ],
  })
  return { productId, before: terms(was!), after: terms(becomes!) }
}

/** The demo list, in which product 1201 is zoned by postal codes of Germany alone. */
const POSTAL: Partial<RateCardContent> = {
  products: content.products.map((row) => (row.productId === 1201 ? { ...row, zoneChart: 'PLZ' } : row)),
  countryGroups: [
    ...content.countryGroups,
    { zoneChart: 'PLZ', country: 'DE', from: '10000', to: '19999', group: 'EAST' },
    { zoneChart: 'PLZ', country: 'DE', from: '20000', to: '29999', group: 'NORTH' },
  ],
  lanes: [
    ...content.lanes,
    { zoneChart: 'PLZ', fromGroup: 'EAST', toGroup: 'EAST', zone: 0 },
    { zoneChart: 'PLZ', fromGroup: 'EAST', toGroup: 'NORTH', zone: 1 },
  ],
}

describe('a price that rises is found', () => {
  test('in a zone that only postal codes lead to', () => {
    const { prices, notCompared } = compare(discountFrom(1201, { zones: [1] }, [-3000, -1000]), POSTAL)
    expect(prices).toMatchObject([
      { productId: 1201, from: expect.stringMatching(/^DE/), to: expect.stringMatching(/^DE:2/) },
    ])
    expect(prices[0]!.afterCents).toBeGreaterThan(prices[0]!.beforeCents!)
    expect(notCompared).toEqual([])
  })

  test('for several pallets that are heavier than one may be', () => {
    const change = discountFrom(1601, { overGrams: 1_500_000 }, [-3000, -1000])
    expect(compare(change).prices).toMatchObject([
      { productId: 1601, parcel: expect.stringMatching(/^\d+ pallets of [\d.]+ kg/) },
    ])
  })

  test('for documents above a weight', () => {
    const change = discountFrom(1102, { overGrams: 1_000 }, [-3000, -1000])
    expect(compare(change).prices).toMatchObject([
      { productId: 1102, parcel: expect.stringMatching(/document/) },
    ])
  })

  test.each([
    ['an area', 1201, 'ISLAND_INTL', /with ISLAND_INTL$/],
    ['a season', 1201, 'PEAK', /for an individual.* with PEAK$/],
    ['a size', 1101, 'OVERSIZE', / cm with OVERSIZE$/],
    ['a weight', 1201, 'HEAVY', /^parcel of 2\d/],
    ['an area of a pallet', 1503, 'REMOTE', / with REMOTE$/],
    ['pallets that cannot be stacked', 1503, 'NOSTACK', /^pallet/],
    ['a service', 1201, 'SIGNATURE', / with SIGNATURE$/],
    ['a service of some countries', 1101, 'DUTIES_PAID', / with DUTIES_PAID$/],
  ])('by a surcharge that depends on %s', (_, productId, appliesTo, parcel) => {
    const change = discountFrom(productId, { appliesTo }, [-10_000, 8_000])
    const { prices, surchargesNotCompared } = compare(change)
    expect(prices).toMatchObject([{ productId, parcel: expect.stringMatching(parcel) }])
    expect(prices[0]!.afterCents).toBeGreaterThan(prices[0]!.beforeCents!)
    expect(surchargesNotCompared).toEqual([])
  })

  test('by a margin in one zone that only postal codes lead to', () => {
    const margin = (percentBps: number): Terms => ({
      margins: [
        {
          ...{ accountId: 'acme', productId: 1201, validFrom: '2026-01-01', zones: [1], overGrams: 0 },
          ...{ percentBps, amountCents: 0, minimumCents: 0 },
        },
      ],
    })
    const change = { productId: 1201, before: margin(1_200), after: margin(9_000) }
    expect(compare(change, POSTAL, [1201]).prices).toMatchObject([
      { productId: 1201, to: expect.stringMatching(/^DE:2/) },
    ])
  })

  test.each([
    ['the lightest parcel', 1101, 1_200],
    ['the smallest pallet', 1601, 600],
  ])('by a minimum that concerns %s alone', (_, productId, minimumCents) => {
    // The lightest band of 1101 is cheaper than the reference parcels.
    const prices = content.prices.flatMap((row) =>
      row.productId === 1101 && row.overGrams === 0
        ? [
            { ...row, upToGrams: 100, priceCents: 500 },
            { ...row, overGrams: 100 },
          ]
        : [row],
    )
    const products = content.products.map((row) =>
      row.productId === 1101 ? { ...row, weightStepGrams: 100 } : row,
    )
    const terms = (freightBps: number, minimum: object): Terms => ({
      contracts: [{ accountId: 'acme', productId, validFrom: '2026-01-01', freightBps, ...minimum }],
    })
    const change = { productId, before: terms(-1_000, {}), after: terms(-2_000, { minimumCents }) }
    expect(compare(change, { prices, products }).prices.filter(isRise)).toMatchObject([{ productId }])
  })

  test('by a lower percentage and a higher amount, for pallets that cost little', () => {
    const margins = (percentBps: number, amountCents: number): Terms => {
      const row = { accountId: 'acme', productId: 1601, validFrom: '2026-01-01', overGrams: 0 }
      return { margins: [{ ...row, percentBps, amountCents, minimumCents: 0 }] }
    }
    const change = { productId: 1601, before: margins(2_000, 0), after: margins(500, 100) }
    expect(compare(change, {}, [1601]).prices.filter(isRise)).toMatchObject([{ productId: 1601 }])
  })

  test('by the first margin of an account, which replaces the list price', () => {
    const margins = [
      {
        ...{ accountId: 'acme', productId: 1201, validFrom: '2026-01-01', overGrams: 0 },
        ...{ percentBps: 5_000, amountCents: 0, minimumCents: 0 },
      },
    ]
    const change = { productId: 1201, before: {}, after: { margins } }
    expect(compare(change, POSTAL, [1201]).prices).toMatchObject([{ productId: 1201 }])
  })
})

describe('the comparison is complete', () => {
  const card = readDemoRateBook()
  /** Contracts with a discount for each weight, of a product that is compared on these days. */
  const completeOn = (days: readonly string[], weights: number): boolean => {
    const cells = Array.from({ length: weights }, (_, at) => ({
      overGrams: 100 * at,
      upToGrams: 100 * at + 100,
    }))
    const contract = (bps: number): ContractRow => ({
      ...{ accountId: 'acme', productId: 1201, validFrom: '2026-01-01' },
      discounts: cells.map((cell) => ({ appliesTo: 'freight', turnoverCents: 0, ...cell, bps })),
    })
    const book = bookOf(card.content, [])
    const [before, after] = [-3000, -1000].map((bps) => withContracts(book, [contract(bps)])) as [
      RateBook,
      RateBook,
    ]
    const scopes = [{ productId: 1201 }]
    return comparePrices({ before, after, accountId: 'acme', scopes, days, cells, exchangeRates: new Map() })
      .isComplete
  }
  const days = (count: number) => Array.from({ length: count }, (_, at) => `2027-01-${String(at + 10)}`)

  test('if each weight is priced on each route and day, and not if there are too many of them', () => {
    expect(completeOn(days(1), 30)).toBe(true)
    expect(completeOn(days(20), 300)).toBe(false)
  })
})

describe('the comparison is complete for a card of many products with the same rules', () => {
  /** The demo card with its products several times. */
  function repeated(times: number): RateBook {
    const idsOf = (productId: number) => Array.from({ length: times }, (_, at) => productId + 10_000 * at)
    const ofProducts = <Row extends { readonly productId: number }>(rows: readonly Row[]): Row[] =>
      rows.flatMap((row) => idsOf(row.productId).map((productId) => ({ ...row, productId })))
    const ofAll = <Row extends { readonly products?: readonly number[] }>(rows: readonly Row[]): Row[] =>
      rows.map((row) =>
        row.products === undefined ? row : { ...row, products: row.products.flatMap(idsOf) },
      )
    const { products, prices, transit, laneTransit, surcharges, services, sizeClasses } = content
    const many = {
      products: ofProducts(products),
      prices: ofProducts(prices),
      transit: ofProducts(transit),
      laneTransit: ofProducts(laneTransit),
      surcharges: ofAll(surcharges),
      services: ofAll(services),
      sizeClasses: ofAll(sizeClasses),
    }
    return bookOf(many, [])
  }

  test('because each request is priced once for all of them', () => {
    const book = repeated(8)
    const contract = { accountId: 'acme', validFrom: '2026-01-01', freightBps: -1_000 }
    const { isComplete, prices } = comparePrices({
      before: book,
      after: withContracts(book, [contract]),
      accountId: 'acme',
      scopes: [{}],
      days: [DAY],
      cells: [],
      exchangeRates: new Map(),
    })
    expect(isComplete).toBe(true)
    expect(prices).toHaveLength(8 * content.products.length)
  })
})

test('prices that stay are left out', () => {
  expect(compare(discountFrom(1201, { appliesTo: 'TOLL' }, [-1_000, -1_000]))).toEqual({
    prices: [],
    notCompared: [],
    surchargesNotCompared: [],
    isComplete: true,
  })
})

describe('what cannot be compared is named', () => {
  const tubes = content.surcharges.map((row) =>
    row.code === 'ISLAND_INTL' ? { ...row, condition: 'longest > 90 m and kg < 0.002 kg' } : row,
  )

  test('a surcharge whose terms change', () => {
    const { surchargesNotCompared, prices } = compare(
      discountFrom(1202, { appliesTo: 'ISLAND_INTL' }, [-1_000, 0]),
      { surcharges: tubes },
    )
    expect(prices).toEqual([])
    expect(surchargesNotCompared).toEqual([{ productId: 1202, code: 'ISLAND_INTL' }])
  })

  test('no surcharge whose terms stay', () => {
    const { surchargesNotCompared } = compare(discountFrom(1202, {}, [-1_000, 0]), { surcharges: tubes })
    expect(surchargesNotCompared).toEqual([])
  })

  test('a product that no request is priced for', () => {
    const prices = content.prices.filter(({ productId }) => productId !== 1202)
    expect(compare(discountFrom(1202, {}, [-1_000, 0]), { prices }).notCompared).toEqual([1202])
  })
})
