/** Prices below the cost are found for each product, zone and weight. */
import { expect, test } from 'vitest'
import { compileExchangeRates } from '../../../src/core/customs/data/exchange-rate.ts'
import { accountsWithTerms, findPricesBelowCost } from '../../../src/core/rate-card-review/cost/below-cost.ts'
import {
  MAX_SERVICE_SETS,
  sampleServices,
} from '../../../src/core/rate-card-review/sample/sample-services.ts'
import { compileRateBook, type RateBook } from '../../../src/core/rating/book/rate-book.ts'
import type { CardAudience } from '../../../src/core/rating/card-version.ts'
import type { ContractRow } from '../../../src/core/rating/contract.ts'
import type { PriceCell } from '../../../src/core/rating/price-cell.ts'
import type {
  PriceRow,
  ProductTerms,
  RateCardContent,
  ServiceRow,
} from '../../../src/core/rating/rate-card.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { readPriceList } from '../../support/rates/price-list.ts'
import { compileRows } from '../../support/rates/rate-cards.ts'

const { content, carriers, capitals, fuel } = readDemoRateBook()
const DAY = '2026-10-20'

const productsOf = (carrier: string) => content.products.filter(({ carrierCode }) => carrierCode === carrier)

/** A book that sells products of the demo card, and buys them at these prices. */
function bookWithCosts(
  prices: readonly PriceRow[],
  contracts: readonly ContractRow[] = [],
  products = content.products,
): RateBook {
  const card = (code: string, audience: CardAudience, rows: readonly PriceRow[]) => {
    const list = { ...content, prices: rows, products }
    return compileRows({ ...list, code, audience, versionNo: 1, validFrom: '2026-01-01' }, carriers)
  }
  const cards = [card('list', 'everyone', content.prices), card('bought', 'cost', prices)]
  return compileRateBook({ revision: 1, since: '2000-01-01', carriers, capitals, fuel, cards, contracts })
}

const find = (after: RateBook, before?: RateBook, cells: readonly PriceCell[] = []) =>
  findPricesBelowCost({
    after,
    ...(before && { before }),
    accounts: accountsWithTerms(after),
    days: [DAY],
    cells,
    exchangeRates: new Map(),
  })

test('no price is below the cost if both are equal', () => {
  expect(find(bookWithCosts(content.prices))).toEqual({
    cells: [],
    found: 0,
    withoutCost: [],
    uncovered: [],
    isComplete: true,
  })
})

test('a cell whose cost rises is found with its zone and weight, and no other one', () => {
  const raised = content.prices.map((row) =>
    row.productId === 1201 && row.zone === 3 && row.upToGrams === 5_000 ? { ...row, priceCents: 2_000 } : row,
  )
  // Sold for 14.25 + 1.35 + 0.21, bought for 20.00 + 1.90 + 0.21.
  expect(find(bookWithCosts(raised))).toMatchObject({
    cells: [{ productId: 1201, zone: 3, priceCents: 1581, costCents: 2211, day: DAY }],
    found: 1,
  })
})

test('every cell of the demo card is found, whichever its cost rises', () => {
  const dice = diceOf(11)
  const kilogramProducts = new Set(
    content.products.flatMap(({ productId, pricingBasis }) =>
      pricingBasis === 'pallet-class' ? [] : productId,
    ),
  )
  const rows = content.prices.filter(({ productId }) => kilogramProducts.has(productId))
  for (let round = 0; round < 2; round++) {
    const chosen = new Set(dice.some(rows, 15, 25))
    const raised = content.prices.map((row) =>
      chosen.has(row) ? { ...row, priceCents: row.priceCents * 2 + 1 } : row,
    )
    const found = find(bookWithCosts(raised)).cells.map(({ productId, zone }) => `${productId} zone ${zone}`)
    const expected = [...chosen].map(({ productId, zone }) => `${productId} zone ${zone}`)
    expect(new Set(found), `round ${round}`).toEqual(new Set(expected))
  }
})

test('a discount in some zones and for some weights is found for its account', () => {
  const cell = { zones: [3], overGrams: 6_000, upToGrams: 7_000 }
  const discounts = [{ ...cell, appliesTo: 'freight', turnoverCents: 0, bps: -1_000 }]
  const contract = { accountId: 'acme', validFrom: '2026-01-01', productId: 1201, discounts }
  const after = bookWithCosts(content.prices, [contract], productsOf('rondeel'))
  expect(find(after, undefined, [cell])).toMatchObject({
    cells: [{ accountId: 'acme', productId: 1201, zone: 3, weightGrams: 6_001 }],
    found: 1,
  })
})

test('a price that was as low before is left out', () => {
  const cheaper = (bps: number): RateBook => {
    const contract = { accountId: 'acme', validFrom: '2026-01-01', freightBps: bps }
    return bookWithCosts(content.prices, [contract], productsOf('rondeel'))
  }
  expect(find(cheaper(-1_000), cheaper(-1_000)).found).toBe(0)
  expect(find(cheaper(-500), cheaper(-1_000)).found).toBe(0)
  expect(find(cheaper(-1_000), cheaper(-500)).found).toBeGreaterThan(50)
})

test('a product whose cost is not known everywhere is named', () => {
  const some = content.prices.filter(({ productId, zone }) => productId !== 1201 || zone !== 3)
  expect(find(bookWithCosts(some, [], productsOf('rondeel'))).withoutCost).toEqual([1201])
})

const sizes = readPriceList('measure-sheet')

/** The weights that are sold below the cost, if the prices of a product that `isRaised` accepts are bought for more. */
function lossesOf(
  isRaised: (row: PriceRow) => boolean,
  change: Partial<RateCardContent> = {},
): ReturnType<typeof find> {
  const list = { ...sizes.content, ...change }
  const card = (code: string, audience: CardAudience, prices: readonly PriceRow[]) =>
    compileRows({ ...list, prices, code, audience, versionNo: 1, validFrom: '2026-01-01' }, sizes.carriers)
  const raised = list.prices.map((row) =>
    isRaised(row) ? { ...row, priceCents: row.priceCents * 3 + 100 } : row,
  )
  const cards = [card('list', 'everyone', list.prices), card('bought', 'cost', raised)]
  const { carriers, capitals, fuel } = sizes
  return find(
    compileRateBook({ revision: 1, since: '2000-01-01', carriers, capitals, fuel, cards, contracts: [] }),
  )
}

/** The list with other terms of a product. */
const withTerms = (productId: number, terms: Partial<ProductTerms>): Partial<RateCardContent> => ({
  products: sizes.content.products.map((row) => (row.productId === productId ? { ...row, ...terms } : row)),
})

const classPrices = sizes.content.prices.filter(({ unit }) => unit === 'SIZE')

test.each(
  classPrices.map((row) => [row.productId, row.palletClass, row] as const),
)('a size class that is bought for more is found: product %i, class %s', (productId, _, row) => {
  const { cells, isComplete } = lossesOf((other) => other === row)
  expect(new Set(cells.map((cell) => cell.productId))).toEqual(new Set([productId]))
  expect(isComplete).toBe(true)
})

test('the comparison is not complete if no sample fits a size class', () => {
  const sizeClasses = sizes.content.sizeClasses.map((row) =>
    row.sizeClass === 'C' ? { ...row, condition: 'shape = TUBE' } : row,
  )
  expect(lossesOf(() => false, { sizeClasses }).isComplete).toBe(false)
})

/** Replaces the prices of a product by bands with these ends, in grams. */
function withBands(productId: number, ends: readonly number[]): Pick<RateCardContent, 'prices'> {
  const others = sizes.content.prices.filter((row) => row.productId !== productId)
  const zones = new Set(
    sizes.content.prices.filter((row) => row.productId === productId).map(({ zone }) => zone),
  )
  const bands = [...zones].flatMap((zone) =>
    ends.map((upToGrams, index): PriceRow => {
      const [overGrams, priceCents] = [ends[index - 1] ?? 0, 500 + 100 * index]
      return { productId, zone, unit: 'KG', overGrams, upToGrams, priceCents }
    }),
  )
  return { prices: [...others, ...bands] }
}

test.each<[string, number, readonly number[], Partial<ProductTerms>]>([
  // No unit may be that heavy.
  [
    'of shipments above the largest weight of a piece',
    2908,
    [30_000, 50_000, 70_000, 90_000],
    { maxUnitGrams: 31_500 },
  ],
  ['of shipments in pounds', 2910, [40_000, 200_000, 210_000, 400_000], {}],
  ['of documents with a stated weight', 2913, [250, 500, 2_000], {}],
  // 20 x 15 x 5 cm are 0.3 kg by volume.
  ['of light parcels', 2908, [250, 500, 30_000], { weightStepGrams: 50 }],
  // 120 x 80 x 100 cm are 320 kg by volume.
  ['of small pallets', 2902, [100_000, 200_000, 1_000_000], {}],
])('a weight band that is bought for more is found: %s', (_, productId, ends, terms) => {
  const change = { ...withTerms(productId, terms), ...withBands(productId, ends), minimumWeights: [] }
  for (const upToGrams of ends)
    expect(
      lossesOf((row) => row.productId === productId && row.upToGrams === upToGrams, change).cells,
      String(upToGrams),
    ).not.toEqual([])
})

/** A book that sells these products of the demo card, and buys with other services and insurance. */
function bookBoughtWith(
  change: Partial<RateCardContent>,
  products: readonly ProductTerms[] = productsOf('rondeel'),
): RateBook {
  const card = (code: string, audience: CardAudience, rows: Partial<RateCardContent>) => {
    const list = { ...content, ...rows, products }
    return compileRows({ ...list, code, audience, versionNo: 1, validFrom: '2026-01-01' }, carriers)
  }
  const cards = [card('list', 'everyone', {}), card('bought', 'cost', change)]
  return compileRateBook({ revision: 1, since: '2000-01-01', carriers, capitals, fuel, cards, contracts: [] })
}

test('a service that is bought for more than it is sold is found, and only with this service', () => {
  const services = content.services.map((row) =>
    row.carrierCode === 'rondeel' && row.service === 'SIGNATURE' ? { ...row, amount: row.amount + 100 } : row,
  )
  const products = [...productsOf('rondeel'), ...productsOf('polderpost')]
  const { cells, found } = find(bookBoughtWith({ services }, products))
  expect(found).toBeGreaterThan(5)
  expect(cells.filter((cell) => cell.services?.includes('SIGNATURE') !== true)).toEqual([])
  expect(new Set(cells.map(({ productId }) => Math.floor(productId / 100)))).toEqual(new Set([12]))
})

test.each(
  content.services.map((row) => [row.carrierCode, row.name, row] as const),
)('a service that is bought for more is found with its inputs: %s, %s', (_, __, row) => {
  const dearer = (other: ServiceRow): ServiceRow => {
    if (other !== row) return other
    const { formula } = row
    return formula === undefined
      ? { ...row, amount: row.amount + 100 }
      : { ...row, formula: `${formula} + 1` }
  }
  const services = content.services.map(dearer)
  const { cells, isComplete } = find(bookBoughtWith({ services }, productsOf(row.carrierCode)))
  expect(new Set(cells.map(({ services }) => services?.includes(row.service)))).toEqual(new Set([true]))
  if (row.slot !== undefined)
    expect(new Set(cells.map(({ serviceInputs }) => serviceInputs?.slots?.TIME_SLOT))).toEqual(
      new Set([row.slot]),
    )
  expect(isComplete).toBe(true)
})

test.each([
  ['an amount in the middle of the list', '100..500: 6.50', '100..500: 6.60', 10_001, 50_000],
  ['the end of a list', '500..: 1.4% * cod_amount', '500..: max(13.99, 1.4% * cod_amount)', 50_001, 99_928],
  ['the smallest fee', 'max(3.50,', 'max(3.51,', 1, 23_399],
  ['the largest fee', 'min(25,', 'min(25.01,', 166_634, 250_000],
  ['some goods', 'UN3090: 9.00', 'UN3090: 9.01', undefined, /UN3090/],
  ['other goods', 'else: 4.50', 'else: 4.51', undefined, /UN3[04][89]1/],
] as const)('a figure of a formula that is bought for more is found: %s', (_, sold, bought, from, to) => {
  const services = content.services.map((row) => ({
    ...row,
    ...(row.formula !== undefined && { formula: row.formula.replace(sold, bought) }),
  }))
  const [changed] = content.services.filter(({ formula }) => formula?.includes(sold))
  const inputs = find(bookBoughtWith({ services }, productsOf(changed!.carrierCode))).cells.map(
    ({ serviceInputs }) => serviceInputs,
  )
  expect(inputs.length).toBeGreaterThan(0)
  for (const input of inputs) {
    const amount = input?.cashOnDelivery?.hundredths ?? 0
    if (from === undefined) expect(input?.dangerousGoods?.[0]?.unNumber).toMatch(to)
    else expect(amount >= from && amount <= Number(to), `${amount}`).toBe(true)
  }
})

test('the inputs of services are bounded', () => {
  const unNumbers = Array.from({ length: 500 }, (_, at) => `UN${1000 + at}`)
  const [row] = content.services.filter(({ service }) => service === 'DANGEROUS_GOODS')
  const services = [...content.services, { ...row!, name: 'Many', unNumbers }]
  expect(find(bookBoughtWith({ services }, productsOf(row!.carrierCode))).isComplete).toBe(false)
  const { sets, isComplete: all } = sampleServices(
    new Set(
      compileRows(
        { ...content, services, code: 'many', audience: 'everyone', versionNo: 1, validFrom: DAY },
        carriers,
      ).groups,
    ),
  )
  expect(all).toBe(false)
  expect(sets.length).toBeLessThanOrEqual(MAX_SERVICE_SETS)
})

test('insurance that is bought for more than it is sold is found with its value', () => {
  const insurance = content.insurance.map((row) =>
    row.carrierCode === 'rondeel' ? { ...row, minimumCents: row.minimumCents + 100 } : row,
  )
  const { cells, found } = find(bookBoughtWith({ insurance }))
  expect(found).toBeGreaterThan(5)
  const { freeCoverCents } = insurance.find(({ carrierCode }) => carrierCode === 'rondeel')!
  expect(cells.filter(({ insuredValueCents = 0 }) => insuredValueCents <= freeCoverCents)).toEqual([])
})

test('new exchange rates are compared with those before', () => {
  const dollars = bookBoughtWith({
    priceTerms: [{ currency: 'USD', vatIncluded: false, roundToCents: 1, rateDays: 7 }],
    insurance: content.insurance.map((row) => ({ ...row, freeCoverCents: 10 * row.freeCoverCents })),
    // An amount of 100 EUR is above the first step of 100 USD.
    services: content.services.filter(({ service }) => service !== 'CASH_ON_DELIVERY'),
  })
  const at = (unitsPerEuro: string) =>
    compileExchangeRates([
      { dataSet: 'ecb', currency: 'USD', unitsPerEuro, validFrom: DAY, confidence: 'high', note: '' },
    ])
  const compare = (before: string, after: string) =>
    findPricesBelowCost({
      ...{ before: dollars, after: dollars, accounts: [undefined], days: [DAY], cells: [] },
      ...{ exchangeRates: at(after), exchangeRatesBefore: at(before) },
    }).found
  expect(compare('1.25', '1.10')).toBe(0)
  expect(compare('1.25', '0.90')).toBeGreaterThan(100)
  expect(compare('0.90', '0.95')).toBe(0)
  expect(compare('0.95', '0.90')).toBeGreaterThan(100)
})

test('freight classes that are bought for more are found with their class', () => {
  const list = readPriceList('freight-classes')
  const raised = list.content.prices.map((row) =>
    row.productId === 3001 && row.zone === 1 && row.palletClass === '77.5' && row.upToGrams === 1_000_000
      ? { ...row, priceCents: row.priceCents + 300 }
      : row,
  )
  const card = (code: string, audience: CardAudience, prices: readonly PriceRow[]) =>
    compileRows(
      { ...list.content, prices, code, audience, versionNo: 1, validFrom: '2026-01-01' },
      list.carriers,
    )
  const cards = [card('list', 'everyone', list.content.prices), card('bought', 'cost', raised)]
  const book = compileRateBook({
    ...{ revision: 1, since: '2000-01-01', carriers: list.carriers, capitals: list.capitals },
    ...{ fuel: list.fuel, cards, contracts: [] },
  })
  const { cells, found } = find(book)
  // As deficit weight of the band before it, and in the band itself.
  expect(found).toBeGreaterThan(0)
  expect(new Set(cells.map(({ productId, zone }) => `${productId} ${zone}`))).toEqual(new Set(['3001 1']))
})
