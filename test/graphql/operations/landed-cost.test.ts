/** `landedCost`: results, no repeated work, limits, and turns. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { lexiconClassifier } from '../../../src/classifiers/classifiers.ts'
import { classify } from '../../../src/core/classification/classify.ts'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { quote } from '../../../src/core/rating/quote.ts'
import {
  BASE_TYPE,
  customsRows,
  jurisdiction,
  measure,
  measureType,
  sellerScheme,
  tax,
  taxRate,
} from '../../support/customs/customs-rows.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance, SHORT_TURNS } from '../instance.ts'

/**
 * Spain: duties, and 20% tax, on values that include transport cost. Great Britain: only the tax, without transport
 * cost.
 */
const tables = compileCustoms(
  customsRows({
    jurisdictions: [jurisdiction('AA'), jurisdiction('BB'), jurisdiction('CC', { valuation: 'FOB' })],
    territories: [
      ['ES', 'AA'],
      ['NL', 'BB'],
      ['GB', 'CC'],
    ].map(([country = '', code = '']) => ({
      ...{ dataSet: 'test', country, postalFrom: '', postalTo: '', name: country, jurisdiction: code },
    })),
    measureTypes: [BASE_TYPE, measureType('preference', 'preference')],
    measures: [
      measure('61', 10),
      measure('64', 10),
      measure('10063021', '121 EUR/tonne'),
      measure('', 0, { measureType: 'preference', originGroup: 'IN', agreement: 'AA-IN' }),
      measure('61', 0, { jurisdiction: 'CC' }),
    ],
    taxes: [tax('VAT'), tax('VAT', { jurisdiction: 'CC', ratesOf: 'AA' })],
    taxRates: [taxRate('VAT', 20)],
    sellerSchemes: [sellerScheme('AA')],
  }),
)
const entries = [
  { code: '610910', label: 'cotton T-shirts', terms: ['t-shirt'], possibleTerms: [] },
  { code: '640399', label: 'leather shoes', terms: ['leather shoes'], possibleTerms: [] },
]
const reads = { customsTables: 0 }
const ports = fakePorts({
  reference: {
    customsTables: () => {
      reads.customsTables++
      return tables
    },
  },
  classifier: lexiconClassifier(plainLexicon(entries)),
})
const { ask, faults } = openInstance({ ports, turns: () => SHORT_TURNS })

beforeEach(() => {
  ports.calls.length = 0
  Object.assign(reads, { customsTables: 0 })
})

const PARCEL = { count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }
const RATES = {
  from: { country: 'NL' },
  to: { country: 'ES' },
  parcels: { boxes: [PARCEL] },
  recipientType: 'BUSINESS',
}
const TEE = { description: 'T-shirts', count: 4, value: { amount: '25' } }
const SHOES = { description: 'leather shoes', count: 1, value: { amount: '50' } }
const INPUT = { rates: RATES, contentItems: [TEE, SHOES] }

/** All fields of an estimate. */
const ESTIMATE = `total { amount currency } hsCode complete date customsValue { amount currency }
  taxes { hsCode kind name amount { amount currency } base { amount currency } ratePercent description calculated
    formula items { index amount { amount currency } } rule { type hsCodePrefix origin agreement publishedRate publishedRange { lowestPercent highestPercent } validFrom validTo
      reliability dataSet { name title source date } } }
  items { index customsValue { amount currency } total { amount currency }
    classification { hsCode source confidence alternatives { hsCode description confidence matchedTerms } }
    problem { code message retryable fields { path code message } }
    taxes { line { hsCode name } amount { amount currency } } }`

/** All fields of a rate option. */
const RATE = `product { id name carrier { id name } } price { amount currency } listPrice { amount currency }
  rateCardVersion badges transit { minWorkingDays maxWorkingDays }
  breakdown { kind name amount { amount currency } reason
    rule { ruleId rateCardVersion formula validFrom figures { name value } } }
  chargeable { parcelIndex count divisor
    actual { kilograms } volumetric { kilograms } chargeable { kilograms } }`
const DECLINED = 'product { id name carrier { id name } } code message limit actual'

/** All fields of a landed cost. */
const IN_FULL = `__typename
  ... on LandedCost { rateCardVersions filteredOut declined { ${DECLINED} }
    options { goodsValue { amount currency } total { amount currency } rateOption { ${RATE} } duties { ${ESTIMATE} } } }
  ... on InputProblem { code message retryable fields { path code message } }`

const QUERY = `query ($input: LandedCostInput!) { landedCost(input: $input) { ${IN_FULL} } }`

type Money = { readonly amount: string }

const PAYMENTS = `query ($input: LandedCostInput!) { landedCost(input: $input) { ... on LandedCost { options {
  total { amount } dueAtCheckout { amount } dueOnDelivery { amount } invoicedToSender { amount }
  payments { purpose payer moment amount { amount } }
  duties { total { amount } dueAtCheckout { amount } dueOnDelivery { amount } sellerScheme { scheme basis }
    taxes { kind amount { amount } collectedBy }
    underOtherScheme { importScheme dueAtCheckout { amount } dueOnDelivery { amount } sellerScheme { scheme } } }
} } } }`

type Payments = {
  readonly landedCost: {
    readonly options: readonly {
      readonly total: Money
      readonly dueAtCheckout: Money
      readonly dueOnDelivery: Money
      readonly invoicedToSender: Money
      readonly payments: readonly { readonly payer: string; readonly amount: Money }[]
      readonly duties: {
        readonly total: Money
        readonly dueAtCheckout: Money
        readonly dueOnDelivery: Money
        readonly taxes: readonly { readonly kind: string; readonly collectedBy: string }[]
      }
    }[]
  }
}

describe('who pays', () => {
  const cents = ({ amount }: Money): number => Math.round(Number(amount) * 100)

  test.each([
    ['DAP', 'COURIER'],
    ['DAP', 'SELLER_COLLECTS'],
    ['DDP', 'UNKNOWN'],
  ])('%s, %s: the parts add up to the total', async (terms, importScheme) => {
    const rates = { ...RATES, recipientType: 'INDIVIDUAL' }
    const { data } = await ask(PAYMENTS, { input: { ...INPUT, rates, terms, importScheme } })
    const { landedCost } = data as Payments
    expect(landedCost.options).not.toEqual([])
    for (const option of landedCost.options) {
      const { dueAtCheckout, dueOnDelivery, invoicedToSender, total, payments, duties } = option
      expect(cents(dueAtCheckout) + cents(dueOnDelivery) + cents(invoicedToSender)).toBe(cents(total))
      expect(payments.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(total))
      expect(cents(duties.dueAtCheckout) + cents(duties.dueOnDelivery)).toBe(cents(duties.total))
      expect(cents(terms === 'DAP' ? invoicedToSender : dueOnDelivery)).toBe(0)
      expect(cents(duties.dueAtCheckout) > 0).toBe(importScheme !== 'COURIER')
      const vat = importScheme === 'COURIER' ? 'CARRIER' : 'SELLER_AT_CHECKOUT'
      expect(new Set(duties.taxes.map(({ kind, collectedBy }) => `${kind} ${collectedBy}`))).toEqual(
        new Set([`DUTY ${importScheme === 'COURIER' ? 'CARRIER' : 'UNKNOWN'}`, `VAT ${vat}`]),
      )
    }
  })

  test('with the service DUTIES_PAID it is the sender, and DAP is refused', async () => {
    const rates = { ...RATES, to: { country: 'GB' }, services: [{ service: 'DUTIES_PAID' }] }
    const input = { ...INPUT, rates, importScheme: 'COURIER' }
    const { data } = await ask(PAYMENTS, { input })
    const { landedCost } = data as Payments
    expect(landedCost.options).not.toEqual([])
    for (const { dueOnDelivery, invoicedToSender } of landedCost.options) {
      expect(cents(dueOnDelivery)).toBe(0)
      expect(cents(invoicedToSender)).toBeGreaterThan(0)
    }
    expect((await ask(PAYMENTS, { input: { ...input, terms: 'DDP' } })).data).toEqual(data)
    const fault = await ask(
      'query ($input: LandedCostInput!) { landedCost(input: $input) { ... on InputProblem { fields { path code message } } } }',
      { input: { ...input, terms: 'DAP' } },
    )
    expect(fault.data).toEqual({
      landedCost: {
        fields: [{ path: ['terms'], code: 'CONFLICT', message: 'must be DDP with the service DUTIES_PAID' }],
      },
    })
  })

  test('the other case is a seller that does not collect the tax', async () => {
    const rates = { ...RATES, recipientType: 'INDIVIDUAL' }
    const { data } = await ask(PAYMENTS, { input: { ...INPUT, rates } })
    const { landedCost } = data as Payments
    expect(landedCost.options[0]?.duties).toMatchObject({
      sellerScheme: { scheme: 'AA_TAX', basis: 'ASSUMED' },
      underOtherScheme: { importScheme: 'COURIER', dueAtCheckout: { amount: '0.00' }, sellerScheme: null },
    })
  })
})
type Option = {
  readonly rateOption: { readonly price: Money; readonly badges: readonly string[] }
  readonly goodsValue: Money
  readonly total: Money
  readonly duties: { readonly total: Money; readonly customsValue: Money } & Record<string, unknown>
}
type Landed = { readonly options: readonly Option[] } & Record<string, unknown>

const cents = ({ amount }: Money) => Math.round(Number(amount) * 100)

async function land(input: object = INPUT): Promise<Landed> {
  const { data, errors } = await ask(QUERY, { input })
  expect(errors).toEqual([])
  return (data as { landedCost: Landed }).landedCost
}

describe('the landed cost', () => {
  test('of an option is goods, price, insurance, duties and taxes, with the price as transport cost', async () => {
    const { options } = await land({ ...INPUT, insuranceCost: { amount: '3.10' } })
    expect(options.length).toBeGreaterThan(1)
    for (const { rateOption, goodsValue, total, duties } of options) {
      expect(goodsValue.amount).toBe('150.00')
      expect(cents(duties.customsValue)).toBe(15000 + cents(rateOption.price) + 310)
      expect(cents(total)).toBe(15000 + cents(rateOption.price) + 310 + cents(duties.total))
    }
  })

  test('has the same options as `rates`, with the same badges', async () => {
    const rates = { ...RATES, sort: 'TRANSIT', filter: { maxWorkingDays: 4 } }
    const { options, rateCardVersions, filteredOut, declined } = await land({ ...INPUT, rates })
    const { data } = await ask(
      `query ($input: RatesInput!) { rates(input: $input) { ... on RateQuote {
        rateCardVersions filteredOut options { ${RATE} } declined { ${DECLINED} } } } }`,
      { input: rates },
    )
    const rateQuote = (data as { rates: { options: unknown[] } }).rates
    expect({
      rateCardVersions,
      filteredOut,
      declined,
      options: options.map(({ rateOption }) => rateOption),
    }).toEqual(rateQuote)
    expect(options.flatMap(({ rateOption }) => rateOption.badges)).toContain('CHEAPEST')
  })

  test('reports an item without a code in each option', async () => {
    const { options } = await land({ ...INPUT, contentItems: [TEE, { ...SHOES, description: 'asdfgh' }] })
    for (const { duties } of options)
      expect(duties).toMatchObject({
        complete: false,
        items: [
          { problem: null },
          { problem: { code: 'UNCLASSIFIABLE', fields: [{ path: ['contentItems', '1', 'description'] }] } },
        ],
      })
  })

  test('applies preferences by default, and uses weights', async () => {
    const first = async (item: object, more: object = {}) =>
      (await land({ rates: RATES, contentItems: [{ ...TEE, ...item }], ...more })).options[0]?.duties
    const line = (name: string) => expect.arrayContaining([expect.objectContaining({ name })])
    const indian = { originCountry: 'IN' }
    expect((await first(indian))?.['taxes']).toEqual(line('preference (AA-IN)'))
    expect((await first(indian, { preferences: false }))?.['taxes']).toEqual(
      line('Most-favoured-nation duty'),
    )
    const rice = { hsCode: '10063021' }
    expect(await first(rice)).toMatchObject({ complete: false })
    expect(await first({ ...rice, weightKg: '250' })).toMatchObject({
      complete: true,
      taxes: [{ amount: { amount: '121.00' } }, {}],
    })
  })

  test('reports all faults at once, with the field names of the schema', async () => {
    const { __typename, fields } = await land({
      rates: {
        ...RATES,
        parcels: { boxes: [{ ...PARCEL, weightKg: '1.2345' }] },
        sort: 'PRICE',
        asOf: 'soon',
      },
      contentItems: [{ ...TEE, weightKg: 'heavy' }],
      insuranceCost: { amount: '1.005' },
    })
    expect(__typename).toBe('InputProblem')
    expect((fields as { path: string[] }[]).map(({ path }) => path.join('.'))).toEqual([
      'rates.parcels.boxes.0.weightKg',
      'rates.asOf',
      'contentItems.0.weightKg',
      'insuranceCost.amount',
    ])
  })
})

describe('work is not repeated:', () => {
  test('all options need one quote, one read of the tables, and one classification per description', async () => {
    const { options } = await land({
      ...INPUT,
      contentItems: [TEE, SHOES, TEE, { ...TEE, value: { amount: '1' } }],
    })
    expect(options.length).toBeGreaterThan(1)
    expect(vi.mocked(quote)).toHaveBeenCalledTimes(1)
    expect(vi.mocked(classify).mock.calls.map(([, description]) => description)).toEqual([
      'T-shirts',
      'leather shoes',
    ])
    expect(reads).toEqual({ customsTables: 1 })
  })

  test('several landed costs and estimates in one query classify each description once', async () => {
    const { data, errors } = await ask(
      `query ($a: LandedCostInput!, $b: LandedCostInput!, $c: DutiesEstimateInput!) {
        a: landedCost(input: $a) { ... on LandedCost { options { total { amount } } } }
        b: landedCost(input: $b) { ... on LandedCost { options { total { amount } } } }
        c: dutiesEstimate(input: $c) { ... on DutiesEstimate { hsCode } }
        d: dutiesEstimate(input: $c) { ... on DutiesEstimate { hsCode } }
      }`,
      {
        a: INPUT,
        b: { rates: { ...RATES, to: { country: 'GB' } }, contentItems: [SHOES, TEE] },
        c: { from: RATES.from, to: RATES.to, contentItems: [TEE, { ...TEE, description: 'leather shoes' }] },
      },
    )
    expect(errors).toEqual([])
    expect(data).toMatchObject({ c: { hsCode: '610910' }, d: { hsCode: '610910' } })
    expect(vi.mocked(classify)).toHaveBeenCalledTimes(2)
    expect(vi.mocked(quote)).toHaveBeenCalledTimes(2)
    expect(reads).toEqual({ customsTables: 1 })
  })

  test('but another request classifies its descriptions again', async () => {
    await land()
    await land()
    expect(vi.mocked(classify)).toHaveBeenCalledTimes(4)
  })

  test('items with a code are not classified, and the shipment store is not used', async () => {
    await land({ ...INPUT, contentItems: [{ ...TEE, hsCode: '610910' }] })
    expect(vi.mocked(classify)).not.toHaveBeenCalled()
    expect(ports.calls).toEqual([])
  })
})

describe('a query', () => {
  const one = `landedCost(input: $input) { ... on LandedCost { rateCardVersions } }`
  const several = (count: number) =>
    `query ($input: LandedCostInput!) { ${Array.from({ length: count }, (_, index) => `l${index}: ${one}`).join(' ')} }`

  test('may have several landed costs if its cost allows it', async () => {
    expect((await ask(several(4), { input: INPUT })).errors).toEqual([])
    const contentItems = Array.from({ length: 99 }, (_, index) => ({
      ...TEE,
      description: `${'T-shirts '.repeat(50)} ${index}`,
    }))
    const inFull = several(3).replaceAll(one, `landedCost(input: $input) { ${IN_FULL} }`)
    const { status, errors } = await ask(inFull, { input: { ...INPUT, contentItems } })
    expect(status).toBe(400)
    expect(errors[0]?.extensions).toMatchObject({ code: 'OPERATION_TOO_LARGE', limit: 'cost' })
  })

  test('for 99 items in full detail does not block other requests', async () => {
    const contentItems = Array.from({ length: 99 }, (_, index) => ({
      ...TEE,
      description: `T-shirts ${index}`,
      hsCode: `61${String(1000 + index)}`,
    }))
    const ended: string[] = []
    const landed = land({ ...INPUT, contentItems }).then(() => ended.push('landed'))
    const other = ask('{ carriers { id } }').then(() => ended.push('other'))
    await Promise.all([landed, other])
    expect(ended).toEqual(['other', 'landed'])
  })

  test('for 99 descriptions does not block other requests', async () => {
    const contentItems = Array.from({ length: 99 }, (_, index) => ({
      ...TEE,
      description: `T-shirts ${index}`,
    }))
    const ended: string[] = []
    const query = `query ($input: LandedCostInput!) { ${one} }`
    const landed = ask(query, { input: { ...INPUT, contentItems } }).then(() => ended.push('landed'))
    const other = ask('{ carriers { id } }').then(() => ended.push('other'))
    await Promise.all([landed, other])
    expect(ended).toEqual(['other', 'landed'])
    expect(vi.mocked(classify)).toHaveBeenCalledTimes(99)
  })
})

test('no request of this file is logged as a fault', () => {
  expect(faults).toEqual([])
})
