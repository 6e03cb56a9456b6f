/** `dutiesEstimate`: its input, the rule behind each line, and the shares of items. */
import { describe, expect, test } from 'vitest'
import { lexiconClassifier } from '../../../src/classifiers/classifiers.ts'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import {
  BASE_TYPE,
  customsRows,
  fee,
  jurisdiction,
  measure,
  measureType,
  tax,
  taxRate,
  threshold,
} from '../../support/customs/customs-rows.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

/** Spain is "AA": it includes transport cost, and has a tariff of four headings, an agreement with India and a fee. */
const ROWS = customsRows({
  jurisdictions: [jurisdiction('AA', { valuation: 'CIF' }), jurisdiction('BB')],
  territories: [
    { dataSet: 'test', country: 'ES', postalFrom: '', postalTo: '', name: 'ES', jurisdiction: 'AA' },
    { dataSet: 'test', country: 'NL', postalFrom: '', postalTo: '', name: 'NL', jurisdiction: 'BB' },
  ],
  measureTypes: [BASE_TYPE, measureType('preference', 'preference', { name: 'Preferential duty' })],
  measures: [
    measure('61091000', 12, { validFrom: '2026-01-01', validTo: '2027-01-01' }),
    measure('61091000', 6, { validFrom: '2027-01-01' }),
    measure('22042106', '26 EUR/hl'),
    measure('10063021', '121 EUR/tonne'),
    measure('64039905', 8),
    measure('64039911', 8),
    measure('64039931', 5, { confidence: 'medium' }),
    measure('', 0, { measureType: 'preference', originGroup: 'IN', agreement: 'AA-IN' }),
  ],
  taxes: [tax('VAT', { name: 'Value added tax' })],
  taxRates: [taxRate('VAT', 20)],
  thresholds: [threshold('relief_up_to', { limitAmount: '20', recipient: 'individual', reason: 'small' })],
  fees: [fee('per_consignment', { amount: '10', name: 'Declaration' })],
})

const classifier = lexiconClassifier(
  plainLexicon([{ code: '610910', label: 'cotton T-shirts', terms: ['t-shirt'], possibleTerms: [] }]),
)
const tables = compileCustoms(ROWS)
const ports = fakePorts({ reference: { customsTables: () => tables }, classifier })
const { ask, faults } = openInstance({ ports })

const TEE = { description: 'T-shirts', count: 1, value: { amount: '100' } }
const SHOES = { description: 'shoes', count: 1, value: { amount: '50' }, hsCode: '640399' }

type Line = { readonly name: string; readonly amount: { readonly amount: string } } & Record<string, unknown>
type Answer = {
  readonly taxes: readonly Line[]
  readonly items: readonly { readonly taxes: readonly unknown[]; readonly total: { amount: string } }[]
} & Record<string, unknown>

async function estimate(fields: string, input: object): Promise<Answer> {
  const query = `query ($input: DutiesEstimateInput!) { dutiesEstimate(input: $input) { __typename
    ... on DutiesEstimate { ${fields} } ... on InputProblem { fields { path code message } } } }`
  const route = { from: { country: 'NL' }, to: { country: 'ES' } }
  const { data, errors } = await ask(query, { input: { ...route, ...input } })
  expect(errors).toEqual([])
  return (data as { dutiesEstimate: Answer }).dutiesEstimate
}

const amounts = ({ taxes }: Answer) => taxes.map(({ name, amount }) => `${name} ${amount.amount}`)
const AMOUNTS = 'taxes { name amount { amount } }'

describe('an estimate', () => {
  test('includes transport and insurance in the customs value', async () => {
    const input = { contentItems: [TEE], shippingCost: { amount: '7.50' }, insuranceCost: { amount: 2.5 } }
    const answer = await estimate(
      `${AMOUNTS} customsValue { amount currency } items { customsValue { amount } }`,
      {
        ...input,
      },
    )
    expect(answer).toMatchObject({
      customsValue: { amount: '110.00', currency: 'EUR' },
      items: [{ customsValue: { amount: '110.00' } }],
    })
    // 12% of 110, and 20% of 123.20.
    expect(amounts(answer)).toEqual([
      'Most-favoured-nation duty 13.20',
      'Declaration 10.00',
      'Value added tax 24.64',
    ])
  })

  test('uses the net weight and other quantities of an item', async () => {
    const rice = {
      description: 'rice',
      count: 10,
      value: { amount: 20 },
      hsCode: '10063021',
      weightKg: '12.5',
    }
    const wine = {
      ...{ description: 'wine', count: 6, value: { amount: 10 }, hsCode: '22042106' },
      quantities: [{ unit: 'l', amount: '0.75' }],
    }
    // 125 kg at 121 per tonne, 4.5 l at 26 per hl.
    const duties = amounts(await estimate(AMOUNTS, { contentItems: [rice, wine] })).slice(0, 2)
    expect(duties).toEqual(['Most-favoured-nation duty 15.13', 'Most-favoured-nation duty 1.17'])
  })

  test('depends on the recipient', async () => {
    const contentItems = [{ ...TEE, value: { amount: '20' } }]
    const first = async (recipientType?: string) =>
      amounts(await estimate(AMOUNTS, { contentItems, recipientType }))[0]
    expect(await first()).toBe('Most-favoured-nation duty 0.00')
    expect(await first('INDIVIDUAL')).toBe('Most-favoured-nation duty 0.00')
    expect(await first('BUSINESS')).toBe('Most-favoured-nation duty 2.40')
  })

  test('applies preferences, unless `preferences` is false', async () => {
    const contentItems = [{ ...TEE, originCountry: 'IN' }]
    const first = async (preferences?: boolean | null) =>
      amounts(await estimate(AMOUNTS, { contentItems, preferences }))[0]
    expect(await first()).toBe('Preferential duty (AA-IN) 0.00')
    expect(await first(null)).toBe('Preferential duty (AA-IN) 0.00')
    expect(await first(true)).toBe('Preferential duty (AA-IN) 0.00')
    expect(await first(false)).toBe('Most-favoured-nation duty 12.00')
  })

  test('uses the rules of the UTC day, and returns the day', async () => {
    const contentItems = [TEE]
    expect(await estimate('date', { contentItems })).toMatchObject({ date: '2026-11-20' })
    const later = await estimate(`date ${AMOUNTS}`, { contentItems, asOf: '2027-01-01T00:30:00+01:00' })
    expect(later).toMatchObject({ date: '2026-12-31' })
    const next = await estimate(`date ${AMOUNTS}`, { contentItems, asOf: '2027-01-01T00:00:00Z' })
    expect(next['date']).toBe('2027-01-01')
    expect(amounts(next)[0]).toBe('Most-favoured-nation duty 6.00')
  })

  test('reports faults with the field names of the schema', async () => {
    const item = { ...TEE, weightKg: '1.2345', quantities: [{ unit: ' ', amount: '0' }] }
    const { fields } = await estimate('__typename', {
      contentItems: [TEE, item, { ...TEE, quantities: [] }],
      shippingCost: { amount: '-1' },
      insuranceCost: { amount: '1.005' },
    })
    expect((fields as { path: string[] }[]).map(({ path }) => path.join('.'))).toEqual([
      'contentItems.1.weightKg',
      'contentItems.1.quantities.0.unit',
      'contentItems.1.quantities.0.amount',
      'shippingCost.amount',
      'insuranceCost.amount',
    ])
  })
})

const EXPLAINED = `taxes { name items { index } formula ratePercent rule { type hsCodePrefix origin agreement publishedRate
  publishedRange { lowestPercent highestPercent } validFrom validTo reliability dataSet { name title source date } } }`
const DATA_SET = { name: 'test', title: 'Test data', source: 'test', date: '2026-01-01' }
const UNDATED = { validFrom: null, validTo: null, reliability: 'HIGH', dataSet: DATA_SET }

describe('the rule behind a line', () => {
  test('is returned with its figures and the formula', async () => {
    const { taxes } = await estimate(EXPLAINED, { contentItems: [TEE] })
    expect(taxes).toEqual([
      {
        name: 'Most-favoured-nation duty',
        items: [{ index: 0 }],
        formula: '12% × EUR 100.00 = EUR 12.00',
        ratePercent: '12',
        rule: {
          ...UNDATED,
          ...{ type: 'third_country_duty', hsCodePrefix: '61091000', origin: null, agreement: null },
          ...{ publishedRate: '12%', publishedRange: null, validFrom: '2026-01-01', validTo: '2027-01-01' },
        },
      },
      {
        name: 'Declaration',
        items: [{ index: 0 }],
        formula: 'EUR 10 per consignment = EUR 10.00',
        ratePercent: null,
        rule: {
          ...UNDATED,
          ...{ type: 'fee', hsCodePrefix: null, origin: null, agreement: null },
          ...{ publishedRate: 'EUR 10 per consignment', publishedRange: null },
        },
      },
      {
        name: 'Value added tax',
        items: [{ index: 0 }],
        formula: '20% × EUR 112.00 = EUR 22.40',
        ratePercent: '20',
        rule: {
          ...UNDATED,
          ...{
            type: 'VAT',
            hsCodePrefix: null,
            origin: null,
            agreement: null,
            publishedRate: '20%',
            publishedRange: null,
          },
        },
      },
    ])
  })

  test('has a range if the code covers lines with several rates, and its reliability', async () => {
    const { taxes } = await estimate(EXPLAINED, { contentItems: [SHOES] })
    expect(taxes[0]).toMatchObject({
      ratePercent: '5',
      rule: {
        hsCodePrefix: '64039931',
        publishedRange: { lowestPercent: '5', highestPercent: '8' },
        reliability: 'MEDIUM',
      },
    })
  })

  test('has the origin and agreement of a preference', async () => {
    const contentItems = [{ ...TEE, originCountry: 'IN' }]
    const { taxes } = await estimate(EXPLAINED, { contentItems })
    expect(taxes[0]).toMatchObject({
      name: 'Preferential duty (AA-IN)',
      rule: { type: 'preference', hsCodePrefix: null, origin: 'IN', agreement: 'AA-IN', publishedRate: '0%' },
    })
  })

  test('is null if there is none; so is the formula if nothing was calculated', async () => {
    const contentItems = [
      { description: 'unknown to the tariff', count: 1, value: { amount: 5 }, hsCode: '970110' },
    ]
    const { taxes } = await estimate(EXPLAINED, { contentItems, recipientType: 'BUSINESS' })
    expect(taxes[0]).toMatchObject({ name: 'Import duty (not estimated)', formula: null, rule: null })
  })
})

describe('the share of an item', () => {
  const FIELDS = `total { amount } ${AMOUNTS}
    items { index total { amount } taxes { line { hsCode name amount { amount } items { index amount { amount } } } amount { amount } } }`

  test('refers to its lines, and the shares add up', async () => {
    const contentItems = [TEE, SHOES, { ...TEE, value: { amount: '33.33' } }]
    const { items, taxes, ...answer } = await estimate(FIELDS, { contentItems })
    // The fee is divided into 5.4546, 2.7273 and 1.8180. The other items get the two remaining cents.
    const shareOf = (line: object, amount: string) => ({ line, amount: { amount } })
    const item = (index: number, amount: string) => ({ index, amount: { amount } })
    expect(items[0]?.taxes).toEqual([
      shareOf(expect.objectContaining({ name: 'Most-favoured-nation duty', hsCode: '61091000' }), '12.00'),
      shareOf(
        {
          ...{ name: 'Declaration', hsCode: '61091000', amount: { amount: '10.00' } },
          items: [item(0, '5.45'), item(1, '2.73'), item(2, '1.82')],
        },
        '5.45',
      ),
      shareOf(expect.objectContaining({ name: 'Value added tax', hsCode: '61091000' }), '22.40'),
    ])
    expect(taxes[2]).toMatchObject({ name: 'Declaration', amount: { amount: '10.00' } })
    const cents = (amount: string) => Math.round(Number(amount) * 100)
    const shares = items.map((item) => cents(item.total.amount))
    expect(shares[0]).toBe(1200 + 545 + 2240)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(
      cents((answer['total'] as { amount: string }).amount),
    )
  })

  test('is zero for an item without a code', async () => {
    const contentItems = [{ description: 'asdfgh', count: 1, value: { amount: 5 } }, TEE]
    const { items } = await estimate(FIELDS, { contentItems })
    expect(items[0]).toMatchObject({ index: 0, total: { amount: '0.00' }, taxes: [] })
    expect(items[1]?.taxes).toHaveLength(3)
  })
})

test('no request of this file is logged as a fault', () => {
  expect(faults).toEqual([])
})
