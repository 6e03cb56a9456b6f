/** Filtering and sorting the options of a quote, and faults in filters and sort orders. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProblemList } from '../../../src/core/input.ts'
import type { RateOption, RateQuote } from '../../../src/core/rating/quote.ts'
import {
  catalogueFor,
  orderBy,
  type RateFilter,
  type RateSort,
  readSelection,
  refuseSelection,
  type SelectionInput,
  selectFrom,
} from '../../../src/core/rating/selection.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { fixedOption } from '../../support/rates/fixed-option.ts'
import { bookOf } from '../../support/rates/rate-cards.ts'

function option(
  productId: number,
  priceCents: number,
  minDays: number,
  maxDays: number,
  carrierCode = 'rondeel',
): RateOption {
  return fixedOption({
    product: { productId, productName: `P${productId}`, carrierCode, carrierName: carrierCode },
    priceCents,
    lines: [],
    transit: { minDays, maxDays },
    chargeable: [],
  })
}

const ECONOMY = option(1, 1000, 3, 6)
const POST = option(2, 1200, 3, 5, 'polderpost')
const PARCEL = option(3, 1500, 2, 3)
const EXPRESS = option(4, 4000, 1, 1, 'kite')

function quoteOf(...options: RateOption[]): RateQuote {
  return { kind: 'RateQuote', rateCardVersions: ['demo@1'], options, declined: [] }
}

function idsOf(options: readonly RateOption[]): number[] {
  return options.map(({ product }) => product.productId)
}

function shown(filter: RateFilter, sort: RateSort = 'PRICE'): readonly [ids: number[], filteredOut: number] {
  const { options, filteredOut } = selectFrom(quoteOf(ECONOMY, POST, PARCEL, EXPRESS), { filter, sort })
  return [idsOf(options), filteredOut]
}

describe('a filter', () => {
  test('without conditions shows all options', () => {
    expect(shown({})).toEqual([[1, 2, 3, 4], 0])
  })

  test('of carriers shows only their products', () => {
    expect(shown({ carrierCodes: new Set(['polderpost', 'kite']) })).toEqual([[2, 4], 2])
  })

  test('of products shows only these', () => {
    expect(shown({ productIds: new Set([3, 1]) })).toEqual([[1, 3], 2])
  })

  test('of a maximum price includes that price', () => {
    expect(shown({ maxPriceCents: 1500 })).toEqual([[1, 2, 3], 1])
    expect(shown({ maxPriceCents: 1499 })).toEqual([[1, 2], 2])
  })

  test('of a maximum transit time compares with the longest transit time, inclusive', () => {
    expect(shown({ maxTransitDays: 5 })).toEqual([[2, 3, 4], 1])
    expect(shown({ maxTransitDays: 0 })).toEqual([[], 4])
  })

  test('of several conditions shows what passes all of them', () => {
    expect(shown({ carrierCodes: new Set(['rondeel']), maxTransitDays: 5 })).toEqual([[3], 3])
  })
})

describe('the order', () => {
  test('by transit compares the maximum, then the minimum transit time, then the price', () => {
    const sooner = option(9, 5000, 2, 5)
    const dearer = option(8, 1300, 3, 5)
    const { options } = selectFrom(quoteOf(ECONOMY, POST, dearer, EXPRESS, sooner), {
      filter: {},
      sort: 'TRANSIT',
    })
    expect(idsOf(options)).toEqual([4, 9, 2, 8, 1])
  })

  test('by value adds relative price and relative transit time', () => {
    // 1000/1000 + 6/1 = 7; 1.2 + 5 = 6.2; 1.5 + 3 = 4.5; 4 + 1 = 5
    expect(shown({}, 'VALUE')).toEqual([[3, 4, 2, 1], 0])
  })

  test('by value is relative to the options that are shown', () => {
    // Without the express the fastest takes 3 days: 1 + 2 = 3; 1.2 + 1.67 = 2.87; 1.5 + 1 = 2.5
    expect(shown({ carrierCodes: new Set(['rondeel', 'polderpost']) }, 'VALUE')).toEqual([[3, 2, 1], 1])
  })

  test('by value is exact: equal values tie even where floating point would differ', () => {
    // 4/3 + 10/3 = 6/3 + 8/3, which is 4.666666666666667 and 4.666666666666666 in floating point.
    const options = [option(4, 6, 1, 8), option(3, 4, 1, 10), option(2, 3, 1, 99), option(1, 999, 1, 3)]
    expect(idsOf(options.toSorted(orderBy('VALUE', options)))).toEqual([3, 4, 2, 1])
  })

  test('by value counts same-day delivery as one day, and accepts a price of 0', () => {
    const options = [option(1, 0, 0, 4), option(2, 100, 0, 0), option(3, 200, 0, 1)]
    expect(idsOf(options.toSorted(orderBy('VALUE', options)))).toEqual([1, 2, 3])
  })

  test.each<RateSort>(['PRICE', 'TRANSIT', 'VALUE'])('by %s is total: ties go by price, then id', (sort) => {
    const figures = fc.record({ cents: fc.integer({ min: 0, max: 5 }), days: fc.integer({ min: 0, max: 3 }) })
    fc.assert(
      fc.property(fc.array(figures, { minLength: 2, maxLength: 6 }), (rows) => {
        const options = rows.map(({ cents, days }, index) => option(index, cents, 0, days))
        const order = orderBy(sort, options)
        const ranked = options.toReversed().sort(order)
        expect(ranked).toEqual(options.toSorted(order))
        for (const [index, next] of ranked.slice(1).entries())
          expect(order(ranked[index]!, next)).toBeLessThan(0)
      }),
    )
  })
})

describe('reading a selection', () => {
  const contract = { accountId: 'acme', validFrom: '2026-01-01', freightBps: 0, fuelBps: 0, hidden: false }
  const book = bookOf(readDemoRateBook(), { code: 'demo' }, [contract])

  function read(input: SelectionInput) {
    const problems: ProblemList = []
    const selection = readSelection(problems, input, catalogueFor(book, 'acme'))
    return problems.length > 0
      ? problems.map(({ path, code, message }) => `${path.join('.')}: ${code} ${message}`)
      : selection
  }

  test.each([
    {},
    { filter: null, sort: null },
    { filter: {} },
    { filter: { carriers: null, maxPrice: null } },
  ])('defaults to all options by price: %j', (input) => {
    expect(read(input)).toEqual({ filter: {}, sort: 'PRICE' })
  })

  test('accepts all fields', () => {
    const filter = { carriers: ['rondeel'], products: ['1201', '1202'], maxPrice: '12.5', maxTransitDays: 3 }
    expect(read({ filter, sort: 'TRANSIT' })).toEqual({
      filter: {
        carrierCodes: new Set(['rondeel']),
        productIds: new Set([1201, 1202]),
        maxPriceCents: 1250,
        maxTransitDays: 3,
      },
      sort: 'TRANSIT',
    })
  })

  test.each<[SelectionInput['filter'], string]>([
    [{ carriers: ['rondeel', 'rondel'] }, 'filter.carriers.1: UNKNOWN_VALUE there is no carrier "rondel"'],
    [{ products: ['1201', '9'] }, 'filter.products.1: UNKNOWN_VALUE there is no product "9"'],
    [{ products: ['1e3'] }, 'filter.products.0: UNKNOWN_VALUE there is no product "1e3"'],
    [{ products: [''] }, 'filter.products.0: UNKNOWN_VALUE there is no product ""'],
    [
      { carriers: ['x'.repeat(90)] },
      `filter.carriers.0: UNKNOWN_VALUE there is no carrier "${'x'.repeat(40)}…"`,
    ],
    [{ carriers: 'rondeel' }, 'filter.carriers: WRONG_TYPE must be a list'],
    [{ carriers: Array(101).fill('rondeel') }, 'filter.carriers: TOO_MANY must have at most 100 entries'],
    [{ products: Array(101).fill('1201') }, 'filter.products: TOO_MANY must have at most 100 entries'],
    [{ maxPrice: '-0.01' }, 'filter.maxPrice: OUT_OF_RANGE must be at least 0'],
    [{ maxPrice: '9.999' }, 'filter.maxPrice: MALFORMED must be a number with at most 2 decimals'],
    [{ maxPrice: 'cheap' }, 'filter.maxPrice: MALFORMED must be a number with at most 2 decimals'],
    [{ maxTransitDays: -1 }, 'filter.maxTransitDays: OUT_OF_RANGE must be at least 0'],
    [{ maxTransitDays: 1001 }, 'filter.maxTransitDays: OUT_OF_RANGE must be at most 1000'],
  ])('rejects the filter %j', (filter, fault) => {
    expect(read({ filter })).toEqual([fault])
  })

  test('takes an empty list as no filter', () => {
    expect(read({ filter: { carriers: [], products: [] } })).toEqual({ filter: {}, sort: 'PRICE' })
  })

  test('accepts a hundred entries', () => {
    expect(read({ filter: { carriers: Array(100).fill('rondeel') } })).toMatchObject({ sort: 'PRICE' })
  })

  test('reports every fault at once', () => {
    const filter = { carriers: ['a', 'b'], maxPrice: 'x', maxTransitDays: -1 }
    expect(read({ filter, sort: 'SIZE' })).toHaveLength(5)
  })

  test('rejects filter and order in a request for a single product', () => {
    const paths = (input: SelectionInput) => refuseSelection(input).map(({ path, code }) => [...path, code])
    expect(paths({})).toEqual([])
    expect(paths({ filter: null, sort: 'PRICE' })).toEqual([])
    expect(paths({ filter: {}, sort: 'VALUE' })).toEqual([
      ['filter', 'CONFLICT'],
      ['sort', 'CONFLICT'],
    ])
  })
})
