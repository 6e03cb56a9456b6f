/**
 * Discounts by zone, weight and turnover, and minimum net charges, calculated by hand. Product 1201 costs 14.25 for 5
 * kg and 17.25 for 10 kg from NL to ES (zone 3), with 9.5% fuel and a toll of 0.21 per parcel.
 */
import { describe, expect, test } from 'vitest'
import { withContracts } from '../../../src/core/rating/book/rate-book.ts'
import type { ContractRow, DiscountRow, TurnoverRow } from '../../../src/core/rating/contract.ts'
import { explainLine } from '../../../src/core/rating/explain/explain.ts'
import { withoutTerms } from '../../../src/core/rating/public-quote.ts'
import { quote, type RateOption } from '../../../src/core/rating/quote.ts'
import type { RatesInput } from '../../../src/core/rating/request.ts'
import {
  demoRateBook,
  ORDINARY_DAY,
  optionOf,
  parcelInput,
  requestOf,
} from '../../support/rates/demo-rate-book.ts'

const demo = demoRateBook()
const parcel = (weight: number) => ({ type: 'NONDOC', weight, length: 40, width: 30, height: 20, count: 1 })
const contract = (terms: Partial<ContractRow>): ContractRow => ({
  accountId: 'acme',
  validFrom: '2026-01-01',
  ...terms,
})
const discount = (bps: number, terms: Partial<DiscountRow> = {}): DiscountRow => ({
  ...{ appliesTo: 'freight', overGrams: 0, turnoverCents: 0, bps },
  ...terms,
})

type Agreed = { readonly turnovers?: readonly TurnoverRow[]; readonly day?: string }

/** The option of product 1201 with these contracts. */
function classic(
  contracts: readonly ContractRow[],
  input: RatesInput = parcelInput(),
  { turnovers = [], day = ORDINARY_DAY }: Agreed = {},
): RateOption {
  const quoted = quote(withContracts(demo, contracts, turnovers), requestOf(input), day, 'acme')
  return optionOf(quoted, 1201)!
}

const linesOf = ({ lines }: RateOption) => lines.map(({ item, amountCents }) => [item, amountCents])

describe('a discount by weight', () => {
  const bands = contract({
    productId: 1201,
    discounts: [
      discount(0, { upToGrams: 2_000 }),
      discount(-1_000, { overGrams: 2_000, upToGrams: 5_000 }),
      discount(-1_450, { overGrams: 5_000, upToGrams: 10_000 }),
    ],
  })
  const option = classic([bands], parcelInput({ parcels: [parcel(5), parcel(10)] }))

  test('applies to each parcel that is priced alone, on a line of its own', () => {
    expect(linesOf(option)).toEqual([
      ['Freight', 3150],
      // 10% of 14.25 is 1.425, and 14.5% of 17.25 is 2.50125.
      ['Contract discount', -142],
      ['Contract discount', -250],
      // 9.5% of 27.58 is 2.6201.
      ['Fuel surcharge', 262],
      ['Toll', 42],
    ])
    expect(option.priceCents).toBe(3062)
    // Without the contract: 31.50 + 2.99 + 0.42.
    expect(option.listPriceCents).toBe(3491)
  })

  test('is explained by its weights and its part of the freight', () => {
    expect(explainLine(option, 2)).toMatchObject({
      id: 'contract/acme/product 1201/2026-01-01/freight over 5 kg up to 10 kg',
      formula: '-14.5% of 17.25 EUR (freight over 5 kg up to 10 kg), rounded half up to the cent',
      inputs: [
        { name: 'contract', value: 'account acme, product 1201, from 2026-01-01' },
        { name: 'applies to', value: 'freight' },
        { name: 'zones and weights', value: 'over 5 kg up to 10 kg' },
        { name: 'freight', value: '17.25 EUR' },
        { name: 'change', value: '-14.5%' },
      ],
    })
    expect(explainLine(option, 3).formula).toMatch(/^9\.5% of 27\.58 EUR/)
  })

  test('includes the upper bound of its band, and 0% is no line', () => {
    const light = classic([bands], parcelInput({ parcels: [parcel(2)] }))
    expect(linesOf(light).map(([item]) => item)).toEqual(['Freight', 'Fuel surcharge', 'Toll'])
    // Above all bands nothing is stated.
    const heavy = classic([bands], parcelInput({ parcels: [parcel(11)] }))
    expect(linesOf(heavy).map(([item]) => item)).toEqual(['Freight', 'Fuel surcharge', 'Toll'])
  })

  test('is part of the freight for a web page', () => {
    const quoted = quote(withContracts(demo, [bands]), requestOf(parcelInput()), ORDINARY_DAY, 'acme')
    const shown = withoutTerms({ ...quoted, filteredOut: 0 }).options.find(
      ({ product }) => product.productId === 1201,
    )
    expect(shown?.lines.map(({ item, amountCents }) => [item, amountCents])).toEqual([
      ['Freight', 1283],
      ['Fuel surcharge', 122],
      ['Toll', 21],
    ])
  })
})

test('what a narrower contract does not state for a zone and weight is inherited', () => {
  const contracts = [
    contract({ productId: 1201, discounts: [discount(-2_000, { zones: [3], upToGrams: 5_000 })] }),
    contract({ carrierCode: 'rondeel', freightBps: -1_000 }),
    contract({ freightBps: -100 }),
  ]
  const discountFor = (to: string, weight: number): number | undefined =>
    classic(contracts, parcelInput({ to: { country: to }, parcels: [parcel(weight)] })).lines[1]?.amountCents
  // 20% of 14.25, then 10% of 17.25 by the carrier: 1.725.
  expect([discountFor('ES', 5), discountFor('ES', 10)]).toEqual([-285, -172])
  // A freight of 11.05 in zone 1: 10% by the carrier.
  expect(classic(contracts, parcelInput({ to: { country: 'DE' } })).lines[1]).toMatchObject({
    item: 'Contract discount',
    cause: { change: { bps: -1_000 } },
  })
})

test('a stated change of the freight ends the inheritance of discounts', () => {
  const contracts = [
    contract({ productId: 1201, freightBps: 0 }),
    contract({ discounts: [discount(-5_000)] }),
  ]
  expect(classic(contracts).priceCents).toBe(1581)
})

test('a cell of zones precedes a cell of weights, and both precede a cell without either', () => {
  const ladder = [
    discount(-100),
    discount(-200, { upToGrams: 5_000 }),
    discount(-300, { zones: [3] }),
    discount(-400, { zones: [3], upToGrams: 5_000 }),
  ]
  const applied = (discounts: readonly DiscountRow[]) => classic([contract({ discounts })]).lines[1]?.cause
  for (const length of [1, 2, 3, 4])
    expect(applied(ladder.slice(0, length))).toMatchObject({ change: { bps: -100 * length } })
})

describe('a minimum net charge', () => {
  const half = contract({ freightBps: -5_000, minimumCents: 800 })

  test('is a line of its own that fuel is charged on', () => {
    const option = classic([half])
    expect(linesOf(option)).toEqual([
      ['Freight', 1425],
      // -7.125 is rounded upwards.
      ['Contract discount', -712],
      ['Minimum net charge', 87],
      // 9.5% of 8.00.
      ['Fuel surcharge', 76],
      ['Toll', 21],
    ])
    expect(option.priceCents).toBe(897)
    expect(explainLine(option, 2)).toMatchObject({
      id: 'contract/acme/all products/2026-01-01/minimum',
      formula: '8.00 EUR (minimum net charge) - 7.13 EUR (freight with its changes)',
      inputs: [
        { name: 'contract', value: 'account acme, all products, from 2026-01-01' },
        { name: 'net freight', value: '7.13 EUR' },
        { name: 'minimum net charge', value: '8.00 EUR' },
      ],
    })
    expect(explainLine(option, 3).formula).toBe(
      '9.5% of 8.00 EUR (freight, contract discount and minimum net charge)',
    )
  })

  test('counts once for a shipment, and not if the freight reaches it', () => {
    const two = classic([half], parcelInput({ parcels: [{ ...parcel(5), count: 2 }] }))
    // 28.50 - 14.25 is more than 8.00.
    expect(linesOf(two).map(([item]) => item)).toEqual([
      'Freight',
      'Contract discount',
      'Fuel surcharge',
      'Toll',
    ])
  })

  test('of 0 in a narrower contract ends the inherited one', () => {
    const option = classic([half, contract({ productId: 1201, minimumCents: 0 })])
    expect(linesOf(option).map(([item]) => item)).not.toContain('Minimum net charge')
  })
})

describe('a discount on a surcharge', () => {
  const toIndividual = parcelInput({ recipientType: 'individual' })
  const option = classic(
    [
      contract({ discounts: [discount(-5_000, { appliesTo: 'TOLL' })] }),
      contract({ carrierCode: 'rondeel', discounts: [discount(-2_000, { appliesTo: 'RESIDENTIAL' })] }),
    ],
    toIndividual,
  )

  test('follows the line of the surcharge, and lowers the base of fuel', () => {
    expect(linesOf(option)).toEqual([
      ['Freight', 1425],
      ['Residential surcharge', 65],
      ['Contract discount on Residential surcharge', -13],
      // 9.5% of 14.25 + 0.65 - 0.13 = 14.77 is 1.40315.
      ['Fuel surcharge', 140],
      ['Toll', 21],
      // Half of 0.21 is 0.105; -0.105 is rounded upwards.
      ['Contract discount on Toll', -10],
    ])
    expect(option.priceCents).toBe(1628)
    expect(explainLine(option, 5).formula).toBe('-50% of 0.21 EUR (Toll), rounded half up to the cent')
    expect(explainLine(option, 3).formula).toBe(
      '9.5% of 14.77 EUR (freight, Residential surcharge and contract discount on Residential surcharge), rounded half up to the cent',
    )
  })

  test('is explained as a change of a surcharge, whatever the name of the surcharge is', () => {
    const lines = option.lines.map((line) =>
      line.cause.kind === 'surcharge-discount'
        ? { ...line, cause: { ...line.cause, surcharge: { ...line.cause.surcharge, name: 'freight' } } }
        : line,
    )
    expect(explainLine({ ...option, lines }, 5).inputs).toContainEqual({
      name: 'surcharge',
      value: '0.21 EUR',
    })
  })

  test('is part of the surcharge for a web page', () => {
    const shown = withoutTerms({
      kind: 'RateQuote',
      rateCardVersions: [],
      options: [option],
      declined: [],
      filteredOut: 0,
    }).options[0]
    expect(shown?.lines.map(({ item, amountCents }) => [item, amountCents])).toEqual([
      ['Freight', 1425],
      ['Residential surcharge', 52],
      ['Fuel surcharge', 140],
      ['Toll', 11],
    ])
  })
})

describe('a discount by turnover', () => {
  const tiers = contract({
    carrierCode: 'rondeel',
    discounts: [
      discount(-400),
      discount(-600, { turnoverCents: 1_000_000 }),
      discount(-800, { turnoverCents: 5_000_000 }),
    ],
  })
  const turnovers: readonly TurnoverRow[] = [
    { accountId: 'acme', validFrom: '2026-02-01', turnoverCents: 1_200_000 },
    { accountId: 'acme', carrierCode: 'rondeel', validFrom: '2026-03-01', turnoverCents: 5_000_000 },
    { accountId: 'acme', carrierCode: 'hanzo', validFrom: '2026-02-01', turnoverCents: 9_900_000 },
    { accountId: 'bolt', validFrom: '2026-01-01', turnoverCents: 9_900_000 },
  ]

  test.each([
    // 4% of 14.25 is 0.57, 6% is 0.855, 8% is 1.14. A negative half is rounded upwards.
    ['2026-01-31', -57],
    ['2026-02-01', -85],
    ['2026-02-28', -85],
    ['2026-03-01', -114],
    ['2027-03-01', -114],
  ])('on %s is that of the turnover of the day', (day, cents) => {
    const option = classic([tiers], parcelInput(), { turnovers, day })
    expect(option.lines[1]).toMatchObject({ item: 'Contract discount', amountCents: cents })
  })

  test('names the turnover that it begins at', () => {
    const option = classic([tiers], parcelInput(), { turnovers, day: '2026-02-10' })
    expect(explainLine(option, 1).inputs).toContainEqual({ name: 'turnover from', value: '10000.00 EUR' })
  })
})
