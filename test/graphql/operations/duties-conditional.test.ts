/**
 * Duties that depend on more than code and origin, through `dutiesEstimate` and `landedCost`: quotas, additional codes,
 * seasons, entry prices, excise, import schemes and averages. The tariff is an imported TARIC file whose rows are
 * invented. Figures are calculated by hand. Every query is sent to an instance that compiles it and to one that does
 * not.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { readFile } from '../../reference/tariff-import/read-fixture.ts'
import {
  BASE_TYPE,
  clearanceFee,
  customsRows,
  exciseRate,
  jurisdiction,
  measure,
  tax,
  taxRate,
  threshold,
} from '../../support/customs/customs-rows.ts'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const taric = readFile('taric-workbook', readFileSync('test/fixtures/customs/taric-duties.csv'), {
  jurisdiction: 'AA',
})
const SEASONS = '12% (01 NOV-31 MAY), 2% (01 JUN-31 OCT)'

/** Spain is "AA", with goods value as customs value. */
const tables = compileCustoms(
  customsRows({
    jurisdictions: [jurisdiction('AA', { valuation: 'FOB' }), jurisdiction('BB')],
    territories: [
      ['ES', 'AA'],
      ['NL', 'BB'],
    ].map(([country = '', code = '']) => ({
      ...{ dataSet: 'test', country, postalFrom: '', postalTo: '', name: country, jurisdiction: code },
    })),
    measureTypes: [BASE_TYPE, ...(taric.tables.measureTypes ?? [])],
    measures: [
      ...(taric.tables.measures ?? []),
      measure('08061010', '', { condition: 'seasonal', text: SEASONS }),
      measure('61', 12),
      measure('22', 0),
      measure('640399', 8, { level: 'subheading', lowestPpm: 50_000, highestPpm: 170_000, lineCount: 9 }),
      measure('63', 10, {
        ...{ level: 'average', goods: 'other textiles', lowestPpm: 20_000, highestPpm: 300_000 },
        ...{ lineCount: 40, confidence: 'low' },
      }),
      measure('', '', {
        ...{ level: 'average', goods: 'all goods', condition: 'range_only', lowestPpm: 40_000 },
        ...{ highestPpm: 110_000 },
      }),
    ],
    conditionalDuties: taric.tables.conditionalDuties ?? [],
    taxes: [
      tax('VAT', { name: 'Value added tax' }),
      tax('EXCISE', { kind: 'EXCISE', name: 'Excise duty', codePrefixes: ['2208'] }),
      tax('BOUND', {
        ...{ kind: 'EXCISE', name: 'Wine duty', codePrefixes: ['2204'], status: 'not_estimated' },
        reason: 'Only a minimum is loaded.',
      }),
    ],
    taxRates: [taxRate('VAT', 20)],
    exciseRates: [
      exciseRate('1000 EUR/hl pure alcohol'),
      exciseRate('50 EUR/hl', { excise: 'wine', name: 'Excise on wine', codePrefix: '2204' }),
    ],
    thresholds: [
      threshold('flat_per_item', {
        ...{ limitAmount: '150', flatAmount: '3', recipient: 'individual' },
        ...{ importSchemes: ['IOSS', 'POSTAL'], includedPrefixes: ['61'] },
      }),
    ],
    clearanceFees: [clearanceFee('share_of_charges', { carrier: 'rondeel', ratePpm: 100_000, minimum: '5' })],
  }),
)

const ports = fakePorts({ reference: { customsTables: () => tables } })
const compiled = openInstance({ ports })
const executed = openInstance({ ports, compiledQueries: false })

async function ask(query: string, input: object): Promise<unknown> {
  const answer = await compiled.ask(query, { input })
  expect(answer.errors).toEqual([])
  expect(answer.text).toBe((await executed.ask(query, { input })).text)
  return answer.data
}

type Money = { readonly amount: string }
type Percents = { readonly lowestPercent: string; readonly highestPercent: string } | null
type Estimate = {
  readonly total: Money
  readonly complete: boolean
  readonly taxes: readonly {
    readonly name: string
    readonly amount: Money
    readonly calculated: boolean
    readonly leastAmount: Money | null
    readonly basis: string | null
    readonly rateRange: Percents
    readonly description: string
    readonly rule: { readonly publishedRange: Percents; readonly publishedRate: string | null } | null
    readonly quotas: readonly {
      readonly orderNumber: string | null
      readonly name: string
      readonly ratePercent: string | null
      readonly rule: { readonly publishedRate: string | null }
    }[]
  }[]
  readonly underOtherScheme: {
    readonly importScheme: string
    readonly total: Money
    readonly difference: Money
  } | null
}

const FIELDS = `total { amount } complete
  taxes { name amount { amount } calculated leastAmount { amount } basis rateRange { lowestPercent highestPercent }
    description rule { publishedRate publishedRange { lowestPercent highestPercent } }
    quotas { orderNumber name ratePercent rule { publishedRate } } }
  underOtherScheme { importScheme total { amount } difference { amount } }`
const QUERY = `query ($input: DutiesEstimateInput!) {
  dutiesEstimate(input: $input) { ... on DutiesEstimate { ${FIELDS} } ... on Problem { message } } }`

async function estimate(item: object, more: object = {}): Promise<Estimate> {
  const contentItems = [{ description: 'goods', count: 1, originCountry: 'CN', ...item }]
  const input = { from: { country: 'NL' }, to: { country: 'ES' }, contentItems, ...more }
  return ((await ask(QUERY, input)) as { dutiesEstimate: Estimate }).dutiesEstimate
}

/** Lines other than value added tax. "?" follows an amount that was not calculated. */
const linesOf = ({ taxes }: Pick<Estimate, 'taxes'>): readonly string[] =>
  taxes
    .filter(({ name }) => name !== 'Value added tax')
    .map(({ name, amount, calculated }) => `${name} ${amount.amount}${calculated ? '' : '?'}`)

const MFN = 'Most-favoured-nation duty'
const BICYCLE = { hsCode: '8711601000', value: { amount: '1000' } }

describe('an anti-dumping duty', () => {
  test('is charged by the additional code', async () => {
    const answer = await estimate({ ...BICYCLE, additionalCode: 'c383' })
    // 6%, 9.9% and 3.9% of EUR 1,000; 20% of EUR 1,198.
    expect(linesOf(answer)).toEqual([`${MFN} 60.00`, 'Anti-dumping duty 99.00', 'Countervailing duty 39.00'])
    expect(answer.total.amount).toBe('437.60')
    expect(answer.complete).toBe(true)
  })
  test('has a range without the code, and is not part of the total', async () => {
    const answer = await estimate(BICYCLE)
    expect(linesOf(answer)).toEqual([
      `${MFN} 60.00`,
      'Anti-dumping duty (not estimated) 0.00?',
      'Countervailing duty (not estimated) 0.00?',
    ])
    expect(answer.taxes[1]?.rule?.publishedRange).toEqual({ lowestPercent: '9.9', highestPercent: '70.1' })
    expect(answer.total.amount).toBe('272.00')
    expect(answer.complete).toBe(false)
  })
})

test('quotas are shown beside the duty, with the rate within each', async () => {
  const answer = await estimate({
    ...{ hsCode: '0203115000', value: { amount: '300' }, weightKg: '100', originCountry: 'CL' },
  })
  expect(linesOf(answer)).toEqual([`${MFN} 77.80`])
  expect(answer.taxes[0]?.quotas).toEqual([
    {
      orderNumber: '090123',
      name: 'Preferential tariff quota',
      ratePercent: '0',
      rule: { publishedRate: '0%' },
    },
    {
      orderNumber: '090038',
      name: 'Tariff quota',
      ratePercent: null,
      rule: { publishedRate: '20 EUR/100 kg' },
    },
  ])
  expect(answer.taxes.at(-1)?.quotas).toEqual([])
})

test.each([
  ['2026-11-20', '12.00'],
  ['2026-07-01', '2.00'],
])('a seasonal duty is that of the day: on %s', async (day, amount) => {
  const answer = await estimate(
    { hsCode: '08061010', value: { amount: '100' } },
    { asOf: `${day}T12:00:00Z` },
  )
  expect(linesOf(answer)).toEqual([`${MFN} ${amount}`])
})

test.each([
  // EUR 62.60, 62.00 and 50.00 per 100 kg.
  ['62.60', '100', ['5.51'], true],
  ['62', '100', ['6.76'], true],
  ['50', '100', ['34.20'], true],
  ['62', undefined, ['0.00'], false],
])('a duty by entry price of EUR %s and %s kg', async (value, weightKg, amounts, complete) => {
  const weight = weightKg === undefined ? {} : { weightKg }
  const answer = await estimate({ hsCode: '0702000007', value: { amount: value }, ...weight })
  const duties = answer.taxes.filter(({ name }) => name !== 'Value added tax')
  expect(duties.map(({ amount }) => amount.amount)).toEqual(amounts)
  expect(answer.complete).toBe(complete)
})

describe('excise', () => {
  const bottle = { quantities: [{ unit: 'l', amount: '0.7' }], alcoholPercent: '40' }

  test('is calculated from litres and strength, and taxed', async () => {
    const answer = await estimate({ hsCode: '220830', value: { amount: '20' }, ...bottle })
    // 0.28 l of pure alcohol at EUR 10: 2.80; 20% of 22.80.
    expect(linesOf(answer)).toEqual([`${MFN} 0.00`, 'Excise on spirits 2.80'])
    expect(answer.total.amount).toBe('7.36')
    expect(answer.complete).toBe(true)
  })
  test('with a lower bound has no amount, but what is due at least', async () => {
    const answer = await estimate({ hsCode: '220421', value: { amount: '20' }, count: 3, ...bottle })
    // 2.1 l at EUR 0.50.
    const line = answer.taxes.find(({ name }) => name.startsWith('Wine duty'))
    expect(line).toMatchObject({
      amount: { amount: '0.00' },
      leastAmount: { amount: '1.05' },
      calculated: false,
    })
    expect(answer.total.amount).toBe('12.00')
    expect(answer.complete).toBe(false)
  })
})

describe('the import scheme', () => {
  const shirt = { hsCode: '610910', value: { amount: '100' } }

  test.each([
    ['IOSS', 'Flat-rate customs duty 3.00', 'COURIER', '34.40', '10.80'],
    ['POSTAL', 'Flat-rate customs duty 3.00', 'COURIER', '34.40', '10.80'],
    ['UNKNOWN', 'Flat-rate customs duty 3.00', 'COURIER', '34.40', '10.80'],
    ['COURIER', `${MFN} 12.00`, 'IOSS', '23.60', '-10.80'],
  ])('%s decides between the flat duty and the tariff', async (importScheme, line, other, total, difference) => {
    const answer = await estimate(shirt, { importScheme })
    expect(linesOf(answer)).toEqual([line])
    expect(answer.underOtherScheme).toEqual({
      importScheme: other,
      total: { amount: total },
      difference: { amount: difference },
    })
    expect((await estimate(shirt, { importScheme: other })).total.amount).toBe(total)
    const states = answer.taxes[0]?.description.includes('by post is assumed')
    expect(states).toBe(importScheme === 'UNKNOWN')
  })
  test('has no other estimate if no rule for the goods depends on it', async () => {
    expect((await estimate({ hsCode: '640399', value: { amount: '100' } })).underOtherScheme).toBeNull()
    expect((await estimate({ ...shirt, value: { amount: '151' } })).underOtherScheme).toBeNull()
  })
})

describe('the basis of a duty', () => {
  test.each([
    ['610910', 'NATIONAL_LINE', null, '24.00', true],
    ['640399', 'SUBHEADING', { lowestPercent: '5', highestPercent: '17' }, '16.00', true],
    ['630260', 'GROUP_AVERAGE', { lowestPercent: '2', highestPercent: '30' }, '20.00', true],
    ['950300', 'NOT_LOADED', { lowestPercent: '4', highestPercent: '11' }, '0.00', false],
  ])('of %s is %s', async (hsCode, basis, rateRange, amount, complete) => {
    const answer = await estimate({ hsCode, value: { amount: '200' } })
    expect(answer.taxes[0]).toMatchObject({ basis, rateRange, amount: { amount } })
    expect(answer.taxes.at(-1)?.basis).toBeNull()
    expect(answer.complete).toBe(complete)
  })
  test('excludes averages if the request says so', async () => {
    const answer = await estimate({ hsCode: '630260', value: { amount: '200' } }, { countAverages: false })
    expect(linesOf(answer)).toEqual([`${MFN} (average, not counted) 0.00?`])
    expect(answer.taxes[0]).toMatchObject({ basis: 'GROUP_AVERAGE', rateRange: { lowestPercent: '2' } })
    expect(answer.total.amount).toBe('40.00')
    expect(answer.complete).toBe(false)
  })
})

describe('landedCost', () => {
  const LANDED = `query ($input: LandedCostInput!) { landedCost(input: $input) {
    ... on LandedCost { options { total { amount } goodsValue { amount }
      rateOption { product { carrier { id } } price { amount } } duties { ${FIELDS} }
      clearanceFees { name amount { amount } calculated } } } ... on Problem { message } } }`
  const parcel = { count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }
  const rates = {
    from: { country: 'NL' },
    to: { country: 'ES' },
    parcels: { boxes: [parcel] },
    recipientType: 'BUSINESS',
  }
  type Option = {
    readonly total: Money
    readonly goodsValue: Money
    readonly rateOption: {
      readonly product: { readonly carrier: { readonly id: string } }
      readonly price: Money
    }
    readonly duties: Estimate
    readonly clearanceFees: readonly { readonly amount: Money; readonly calculated: boolean }[]
  }
  const cents = ({ amount }: Money): number => Math.round(Number(amount) * 100)

  async function land(item: object, more: object = {}): Promise<readonly Option[]> {
    const contentItems = [{ description: 'goods', count: 1, originCountry: 'CN', ...item }]
    const { landedCost } = (await ask(LANDED, { rates, contentItems, ...more })) as {
      landedCost: { options: readonly Option[] }
    }
    expect(landedCost.options.length).toBeGreaterThan(1)
    return landedCost.options
  }

  test('has the same duties as `dutiesEstimate`, and totals that add up', async () => {
    for (const [item, more] of [
      [{ ...BICYCLE, additionalCode: 'C383' }, {}],
      [BICYCLE, {}],
      [{ hsCode: '630260', value: { amount: '200' } }, { countAverages: false }],
      [{ hsCode: '610910', value: { amount: '100' } }, { importScheme: 'COURIER' }],
    ]) {
      const expected = await estimate(item!, { ...more, recipientType: 'BUSINESS' })
      for (const option of await land(item!, more!)) {
        expect(option.duties).toEqual(expected)
        const fees = option.clearanceFees.map(({ amount }) => cents(amount))
        expect(cents(option.total)).toBe(
          [option.goodsValue, option.rateOption.price, option.duties.total]
            .map(cents)
            .reduce((a, b) => a + b) + fees.reduce((a, b) => a + b, 0),
        )
        if (option.rateOption.product.carrier.id !== 'rondeel') expect(fees).toEqual([])
        else expect(fees).toEqual([Math.max(500, Math.round(cents(expected.total) / 10))])
      }
    }
  })
})
