import { describe, expect, test } from 'vitest'
import type { RateBook } from '../../../../src/core/rating/book/rate-book.ts'
import type { ContractRow } from '../../../../src/core/rating/contract.ts'
import { type AppliedRule, explainLine } from '../../../../src/core/rating/explain/explain.ts'
import { quote, type RateOption } from '../../../../src/core/rating/quote.ts'
import type { SurchargeRow } from '../../../../src/core/rating/rate-card.ts'
import { checkRatesRequest, type RatesInput } from '../../../../src/core/rating/request.ts'
import type { Service } from '../../../../src/core/rating/sender-service.ts'
import { readDemoRateBook } from '../../../../src/reference/rate-cards/rate-card-csv.ts'
import { recompute } from '../../../support/oracle/rating/recompute-rule.ts'
import { randomSources } from '../../../support/random/card.ts'
import { type Edges, edgesOf, randomCall } from '../../../support/random/request.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'
import {
  ORDINARY_DAY,
  optionOf,
  pallet,
  parcelInput,
  quoteInput,
} from '../../../support/rates/demo-rate-book.ts'
import { engineBook } from '../../../support/rates/engine-quote.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const demo = readDemoRateBook()
const contract = (row: Partial<ContractRow>): ContractRow => ({
  accountId: 'acme',
  validFrom: '2026-01-01',
  freightBps: 0,
  fuelBps: 0,
  hidden: false,
  ...row,
})
const CONTRACTS = [
  contract({ productId: 1201, freightBps: -1250, fuelBps: -2500, validFrom: '2026-01-05' }),
  contract({ carrierCode: 'hanzo', freightBps: -333 }),
  contract({ carrierCode: 'transmarque', fuelBps: -10_000 }),
  contract({ accountId: 'bolt', freightBps: 700, fuelBps: 333 }),
]

/** Those of discounts by zone and weight, minimum net charges, and sales at a margin. */
const AGREED_NAMES = [
  ...['applies to', 'zones and weights', 'turnover from', 'surcharge'],
  ...['net freight', 'minimum net charge', 'agreed price'],
]

/** The names of inputs, as listed in explain.ts, without row numbers. */
const NAMES = [
  ...[
    'product',
    'pricing basis',
    'pricing day',
    'from',
    'to',
    'lane',
    'zone',
    'rate since',
    'fuel per kg',
    'fuel per unit',
    'weight rounded up to',
    'volumetric divisor',
  ],
  ...['heavy above', 'heavy weight rounded up to', 'smallest weight of a unit'],
  ...['weight of the shipment rounded up to', 'smallest weight of the shipment'],
  ...['weight of a cubic metre', 'weight of a loading metre', 'weight of a document'],
  ...['row actual weight', 'row size', 'row stackable', 'row volumetric weight', 'row units'],
  ...['row chargeable weight', 'weight billed', 'chargeable weight', 'next band', 'next rate per 100 kg'],
  ...['band', 'band price', 'step', 'started steps', 'step price', 'rate per 100 kg'],
  ...['row band', 'row band price', 'row step', 'row started steps', 'row step price', 'row rate per 100 kg'],
  ...['row pallet class', 'row class limits', 'row spaces', 'row class price'],
  ...['row size class', 'row freight class', 'row class condition'],
  ...['row smallest weight', 'row smallest weight by'],
  ...['sides rounded', 'row size in inches', 'total actual weight', 'total volumetric weight'],
  ...['contract', 'freight', 'change', 'contract change'],
  ...AGREED_NAMES,
  ...['trigger', 'method', 'amount', 'units', 'rate per kg', 'maximum', 'minimum', 'base', 'base:', 'rate'],
  ...['value', 'free cover', 'covers', 'steps above'],
  ...['slot', 'amount to collect', 'dangerous goods'],
]

describe('recalculating a price line from the inputs of its rule', () => {
  /** Explains and recalculates every line of random requests. Returns the names of all inputs. */
  function recalculate(book: RateBook, edges: Edges, seed: number, calls: number): Set<string> {
    const dice = diceOf(seed)
    const met = new Set<string>()
    for (let call = 0; call < calls; call++) {
      const { request, date, accountId } = randomCall(dice, edges)
      for (const option of quote(book, request, date, accountId).options) {
        const rules = option.lines.map((_, index) => explainLine(option, index))
        const where = { seed, call, productId: option.product.productId }
        const amounts = option.lines.map(({ amountCents }) => amountCents)
        expect({ ...where, amounts: rules.map(({ inputs }) => recompute(inputs)) }).toEqual({
          ...where,
          amounts,
        })
        expect({ ...where, rules: new Set(rules.map(({ id }) => id)).size }).toEqual({
          ...where,
          rules: rules.length,
        })
        for (const { inputs } of rules)
          for (const { name } of inputs)
            met.add(
              name
                .replace(/^row \d+/, 'row')
                .replace(/^base: .*/, 'base:')
                .replace(/ (?:lb|oz)$/, ' kg'),
            )
      }
    }
    return met
  }

  test('gives its amount, for the demo book and contracts', () => {
    const head = { code: 'demo', versionNo: 1, audience: 'everyone', validFrom: '2026-01-01' } as const
    const card = edgesOf({ ...demo, cards: [{ ...demo.content, ...head }], contracts: CONTRACTS })
    // Their prices are formulas, which `recompute` does not read; test/core/rating/service-inputs.test.ts has them.
    const isFormula = (service: Service): boolean =>
      demo.content.services.some((row) => row.service === service && row.method === 'formula')
    const edges = { ...card, services: card.services.filter((service) => !isFormula(service)) }
    const met = recalculate(bookOf(demo, head, CONTRACTS), edges, 1, 800)
    // Rules that the demo card does not use.
    const absent = [
      ...['row step', 'row started steps', 'row step price', 'row rate per 100 kg', 'maximum', 'steps above'],
      ...['heavy above', 'heavy weight rounded up to', 'smallest weight of a unit'],
      ...['weight of the shipment rounded up to', 'smallest weight of the shipment'],
      ...['row size class', 'row freight class', 'row class condition'],
      ...['row smallest weight', 'row smallest weight by'],
      ...['sides rounded', 'row size in inches', 'total actual weight', 'total volumetric weight'],
      ...['fuel per kg', 'fuel per unit', 'amount to collect', 'dangerous goods'],
      ...AGREED_NAMES,
    ]
    expect([...met].sort()).toEqual(NAMES.filter((name) => !absent.includes(name)).sort())
  })

  test('gives its amount, for random rate books', () => {
    const met = new Set<string>()
    for (let seed = 1; seed <= 60; seed++) {
      const sources = randomSources(seed)
      for (const name of recalculate(engineBook(sources), edgesOf(sources), seed, 25)) met.add(name)
    }
    expect([...met].sort()).toEqual([...NAMES].sort())
  })
})

/** The rule of the first line with a name. */
function ruleOf(option: RateOption | undefined, item: string): AppliedRule {
  return explainLine(
    option!,
    option!.lines.findIndex((line) => line.item === item),
  )
}

const textsOf = ({ inputs }: AppliedRule): string[] => inputs.map(({ name, value }) => `${name}: ${value}`)

const parcel = (overrides: object = {}) => ({
  type: 'NONDOC',
  weight: 12.4,
  length: 60,
  width: 40,
  height: 40,
  count: 2,
  ...overrides,
})
const corsica = (overrides: Partial<RatesInput> = {}): RatesInput =>
  parcelInput({
    from: { country: 'DE' },
    to: { country: 'FR', zipcode: '20000' },
    parcels: [parcel()],
    recipientType: 'individual',
    insured: true,
    totalValue: 900,
    ...overrides,
  })
const domestic = (parcels: unknown, overrides: Partial<RatesInput> = {}): RatesInput =>
  parcelInput({ to: { country: 'NL' }, parcels, ...overrides })
const listed = (input: RatesInput, productId: number, day?: string): RateOption | undefined =>
  optionOf(quoteInput(input, day), productId)

describe('the explanation of freight', () => {
  test('names the band of each parcel', () => {
    const option = optionOf(quoteInput(parcelInput({ asOf: '2026-10-20T12:00:00Z' })), 1201)
    expect(ruleOf(option, 'Freight')).toEqual({
      id: 'demo@1/1201/zone 3/freight',
      card: 'demo',
      versionNo: 1,
      formula: '14.25 EUR for over 2 kg up to 5 kg in zone 3',
      inputs: expect.any(Array),
      validFrom: '2026-01-01',
    })
    expect(textsOf(ruleOf(option, 'Freight'))).toEqual([
      'product: 1201 Classic',
      'pricing basis: each unit by its chargeable weight',
      'pricing day: 2026-10-20',
      'from: NL',
      'to: ES',
      'lane: G1>G3',
      'zone: 3',
      'weight rounded up to: 0.1 kg',
      'row 1 actual weight: 5 kg',
      'row 1 units: 1',
      'row 1 chargeable weight: 5 kg',
      'row 1 band: over 2 kg up to 5 kg',
      'row 1 band price: 14.25 EUR',
    ])
  })

  test('adds up rows of parcels', () => {
    const input = corsica({ parcels: [parcel(), parcel({ weight: 22.4, count: 1 })] })
    expect(ruleOf(listed(input, 1201), 'Freight').formula).toBe(
      '2 × 15.95 EUR for over 10 kg up to 15 kg in zone 2 + 21.25 EUR for over 20 kg up to 25 kg in zone 2',
    )
  })

  test('counts the started steps above the start of a band', () => {
    const rule = ruleOf(listed(parcelInput({ parcels: [parcel({ weight: 22.4 })] }), 1101), 'Freight')
    expect(rule.formula).toBe(
      '132.50 EUR for over 30 kg up to 999 kg in zone 3 + 15 started steps of 1 kg × 3.05 EUR',
    )
    expect(textsOf(rule).slice(7)).toEqual([
      'weight rounded up to: 0.5 kg',
      'volumetric divisor: 5000 cm³/kg',
      'row 1 actual weight: 22.4 kg',
      'row 1 size: 60 × 40 × 40 cm',
      'row 1 volumetric weight: 19.2 kg',
      'row 1 units: 2',
      'row 1 chargeable weight: 22.5 kg',
      'weight billed: 45 kg',
      'band: over 30 kg up to 999 kg',
      'band price: 132.50 EUR',
      'step: 1 kg',
      'started steps: 15',
      'step price: 3.05 EUR',
    ])
  })

  test('names the rate per 100 kg', () => {
    const rule = ruleOf(listed(domestic([pallet()]), 1601), 'Freight')
    expect(rule.formula).toBe('26.00 EUR per 100 kg (over 250 kg up to 500 kg in zone 0) × 370 kg')
    expect(textsOf(rule).slice(7)).toEqual([
      'weight rounded up to: 10 kg',
      'weight of a cubic metre: 333 kg',
      'weight of a loading metre: 1850 kg',
      'row 1 actual weight: 240 kg',
      'row 1 size: 120 × 80 × 110 cm',
      'row 1 stackable: yes',
      'row 1 volumetric weight: 370 kg',
      'row 1 units: 1',
      'row 1 chargeable weight: 370 kg',
      'weight billed: 370 kg',
      'band: over 250 kg up to 500 kg',
      'rate per 100 kg: 26.00 EUR',
    ])
  })

  test('says if a higher weight at the next rate is cheaper', () => {
    const rule = ruleOf(listed(domestic([pallet({ weight: 480 })]), 1601), 'Freight')
    expect(rule.formula).toBe(
      '19.50 EUR per 100 kg (over 500 kg up to 1000 kg in zone 0) × 500 kg: billed as 500 kg at the rate of the ' +
        'next band, which is cheaper than 480 kg at 26.00 EUR per 100 kg',
    )
    expect(textsOf(rule).slice(-6)).toEqual([
      'chargeable weight: 480 kg',
      'weight billed: 500 kg',
      'band: over 250 kg up to 500 kg',
      'rate per 100 kg: 26.00 EUR',
      'next band: over 500 kg up to 1000 kg',
      'next rate per 100 kg: 19.50 EUR',
    ])
  })

  test('uses the band of the weight if the next one gives the same price', () => {
    const rates = new Map([
      [500_000, 2500],
      [1_000_000, 2000],
    ])
    const prices = demo.content.prices.map((row) =>
      row.productId === 1601 ? { ...row, priceCents: rates.get(row.upToGrams) ?? row.priceCents } : row,
    )
    const book = bookOf({ ...demo, content: { ...demo.content, prices } })
    const at = (weight: number): string =>
      ruleOf(optionIn(book, domestic([pallet({ weight })]), 1601), 'Freight').formula
    expect(at(400)).toBe('25.00 EUR per 100 kg (over 250 kg up to 500 kg in zone 0) × 400 kg')
    expect(at(410)).toContain('billed as 500 kg')
  })

  test('names the class and the spaces of pallets', () => {
    const large = pallet({ length: 240, width: 120, count: 2 })
    const rule = ruleOf(listed(domestic([large, pallet()]), 1501), 'Freight')
    expect(rule.formula).toBe(
      '2 × 2 spaces × 79.00 EUR for pallet class FULL in zone 0 + 61.00 EUR for pallet class HALF in zone 0',
    )
    expect(textsOf(rule).slice(7, 14)).toEqual([
      'row 1 units: 2',
      'row 1 actual weight: 240 kg',
      'row 1 size: 240 × 120 × 110 cm',
      'row 1 pallet class: FULL',
      'row 1 class limits: 240 × 120 × 220 cm, 1200 kg',
      'row 1 spaces: 2',
      'row 1 class price: 79.00 EUR',
    ])
  })
})

describe('the explanation of a surcharge', () => {
  const rondeel = listed(corsica(), 1201)

  test('that is flat counts the parcels that trigger it', () => {
    const rule = ruleOf(rondeel, 'Island surcharge')
    expect(rule).toMatchObject({
      id: 'demo@1/rondeel/ISLAND_INTL',
      formula: '2 parcels × 30.00 EUR',
      validFrom: '2026-01-01',
    })
    expect(textsOf(rule)).toEqual([
      'trigger: international&area=ISLAND',
      'method: flat, for each parcel that triggers it',
      'row 1 units: 2',
      'units: 2',
      'amount: 30.00 EUR',
    ])
  })

  test('that is flat for a shipment has one amount', () => {
    const rule = ruleOf(listed(corsica(), 1101), 'Residential surcharge')
    expect(rule.formula).toBe('3.25 EUR for the shipment')
    expect(textsOf(rule).slice(1)).toEqual(['method: flat, once for the shipment', 'amount: 3.25 EUR'])
  })

  test('per kilogram names the weight and the minimum', () => {
    const rule = ruleOf(
      listed(domestic([pallet()], { to: { country: 'NL', zipcode: '9163' } }), 1601),
      'Remote area surcharge',
    )
    expect(rule.formula).toBe('0.12 EUR × 370 kg, at least 40.00 EUR')
    expect(textsOf(rule)).toEqual([
      'trigger: area=REMOTE|ISLAND',
      'method: per kilogram of the shipment, at least 40.00 EUR',
      'row 1 units: 1',
      'row 1 chargeable weight: 370 kg',
      'weight billed: 370 kg',
      'rate per kg: 0.12 EUR',
      'minimum: 40.00 EUR',
    ])
  })

  test('per kilogram of each parcel has a minimum for each parcel', () => {
    const perParcel = { method: 'per_kg', amount: 60, minimumCents: 2200, per: 'unit' } as const
    const rule = ruleOf(optionWith('HEAVY', perParcel), 'Heavy parcel surcharge')
    expect(rule.formula).toBe('2 × (0.60 EUR × 22.4 kg, at least 22.00 EUR)')
    expect(textsOf(rule).slice(1)).toEqual([
      'method: per kilogram of each parcel that triggers it, at least 22.00 EUR for each parcel',
      'row 1 units: 2',
      'row 1 chargeable weight: 22.4 kg',
      'weight billed: 44.8 kg',
      'rate per kg: 0.60 EUR',
      'units: 2',
      'minimum: 22.00 EUR',
    ])
  })

  test('in percent of the freight has only the freight as base', () => {
    const rule = ruleOf(
      optionWith('HEAVY', { method: 'pct', amount: 1250, minimumCents: 200 }),
      'Heavy parcel surcharge',
    )
    expect(rule.formula).toBe('12.5% of 42.50 EUR (freight), rounded half up to the cent, at least 2.00 EUR')
    expect(textsOf(rule).slice(1)).toEqual([
      'method: percent of the freight, at least 2.00 EUR',
      'base: freight: 42.50 EUR',
      'base: 42.50 EUR',
      'rate: 12.5%',
      'minimum: 2.00 EUR',
    ])
  })

  test('in percent of freight and accessorials names each line of the base', () => {
    const toll = ruleOf(listed(domestic([pallet({ stackable: false, weight: 200 })]), 1501), 'Toll')
    expect(toll.formula).toBe(
      '2.5% of 76.25 EUR (freight and Not stackable surcharge), rounded half up to the cent',
    )
    expect(textsOf(toll)).toEqual([
      'trigger: always',
      'method: percent of freight and fuelable accessorials',
      'base: freight: 61.00 EUR',
      'base: Not stackable surcharge (NOSTACK): 15.25 EUR',
      'base: 76.25 EUR',
      'rate: 2.5%',
    ])
  })

  test('for fuel names the rate of the day, and has only fuelable lines in the base', () => {
    const rule = ruleOf(rondeel, 'Fuel surcharge')
    expect(rule).toMatchObject({
      id: 'demo@1/rondeel/FUEL',
      formula: '9.5% of 33.20 EUR (freight and Residential surcharge), rounded half up to the cent',
    })
    expect(textsOf(rule)).toEqual([
      'trigger: always',
      'method: fuel percentage of freight and fuelable accessorials',
      'base: freight: 31.90 EUR',
      'base: Residential surcharge (RESIDENTIAL): 1.30 EUR',
      'base: 33.20 EUR',
      'rate: 9.5%',
      'rate since: 2026-01-01',
    ])
  })

  test('for fuel says if no rate is set', () => {
    const rule = ruleOf(optionIn(bookOf({ ...demo, fuel: [] }), parcelInput(), 1201), 'Fuel surcharge')
    expect(rule.formula).toBe('0.00 EUR: no fuel rate is set for this day')
    expect(rule.inputs.at(-1)).toEqual({ name: 'rate', value: 'none' })
  })

  test('that begins later than the card has its first day in the id', () => {
    const rule = ruleOf(listed(corsica(), 1201, '2026-12-01'), 'Peak season surcharge')
    expect(rule).toMatchObject({
      id: 'demo@1/rondeel/PEAK/2026-11-15',
      formula: '2 parcels × 0.35 EUR',
      validFrom: '2026-11-15',
    })
  })
})

describe('the explanation of a contract', () => {
  const option = optionIn(bookOf(demo, { code: 'demo' }, CONTRACTS), corsica(), 1201)

  test('is a percentage of the freight', () => {
    const rule = ruleOf(option, 'Contract discount')
    expect(rule).toEqual({
      id: 'contract/acme/product 1201/2026-01-05',
      card: 'demo',
      versionNo: 1,
      formula: '-12.5% of 31.90 EUR (freight), rounded half up to the cent',
      inputs: [
        { name: 'contract', value: 'account acme, product 1201, from 2026-01-05' },
        { name: 'freight', value: '31.90 EUR' },
        { name: 'change', value: '-12.5%' },
      ],
      validFrom: '2026-01-05',
    })
  })

  test('covers the change of the fuel rate', () => {
    const rule = ruleOf(option, 'Fuel surcharge')
    expect(rule.formula).toBe(
      '7.125% (9.5%, changed by -25% by contract) of 29.21 EUR (freight, contract discount and ' +
        'Residential surcharge), rounded half up to the cent',
    )
    expect(textsOf(rule).slice(2)).toEqual([
      'base: freight: 31.90 EUR',
      'base: contract discount: -3.99 EUR',
      'base: Residential surcharge (RESIDENTIAL): 1.30 EUR',
      'base: 29.21 EUR',
      'rate: 9.5%',
      'rate since: 2026-01-01',
      'contract change: -25%',
      'contract: account acme, product 1201, from 2026-01-05',
    ])
    expect(rule.id).toBe('demo@1/rondeel/FUEL')
  })

  test.each([
    [{ carrierCode: 'rondeel' }, 'contract/acme/carrier rondeel/2026-01-01'],
    [{}, 'contract/acme/all products/2026-01-01'],
  ])('names the scope %j in its id', (scope, id) => {
    const book = bookOf(demo, { code: 'demo' }, [contract({ ...scope, freightBps: 1000 })])
    const rule = ruleOf(optionIn(book, corsica(), 1201), 'Contract surcharge')
    expect(rule).toMatchObject({ id, formula: '10% of 31.90 EUR (freight)' })
  })
})

describe('the explanation of insurance', () => {
  test('above the free cover is a percentage of the whole value', () => {
    const rule = ruleOf(listed(corsica(), 1301), 'Insurance')
    expect(rule).toMatchObject({
      id: 'demo@1/polderpost/insurance',
      formula:
        '0.8% of 900.00 EUR (the whole value, because it exceeds the free cover of 2 × 100.00 EUR), at least 1.95 EUR',
      validFrom: '2026-01-01',
    })
    expect(textsOf(rule)).toEqual([
      'value: 900.00 EUR',
      'free cover: 100.00 EUR',
      'covers: 2',
      'rate: 0.8%',
      'minimum: 1.95 EUR',
    ])
  })

  test('within the free cover is 0.00 EUR', () => {
    expect(ruleOf(listed(corsica(), 1201), 'Insurance').formula).toBe(
      '0.00 EUR: 900.00 EUR is within the free cover of 2 × 520.00 EUR',
    )
  })

  test('without a free cover is a percentage with a minimum', () => {
    const option = listed(corsica({ totalValue: 900.5 }), 1101)
    expect(ruleOf(option, 'Insurance').formula).toBe(
      '0.9% of 900.50 EUR, rounded half up to the cent, at least 12.50 EUR',
    )
  })
})

test('explaining a line that does not exist throws a RangeError', () => {
  expect(() => explainLine(listed(parcelInput(), 1201)!, 3)).toThrow(RangeError)
})

/** Product 1201 for two heavy parcels, with one of its surcharges changed. */
function optionWith(code: string, change: Partial<SurchargeRow>): RateOption {
  const surcharges = demo.content.surcharges.map((row) =>
    row.code === code && row.carrierCode === 'rondeel' ? { ...row, ...change } : row,
  )
  const book = bookOf({ ...demo, content: { ...demo.content, surcharges } })
  return optionIn(book, corsica({ parcels: [parcel({ weight: 22.4 })] }), 1201)
}

/** The option of a product for the account acme. */
function optionIn(book: RateBook, input: RatesInput, productId: number): RateOption {
  const request = checkRatesRequest(input)
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return optionOf(quote(book, request, ORDINARY_DAY, 'acme'), productId)!
}
