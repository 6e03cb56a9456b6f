/** Excise duties. Figures are calculated by hand. By default one item of EUR 20.00 is sent from "BB" to "AA". */
import { describe, expect, test } from 'vitest'
import type { ExciseRateRow } from '../../../../src/core/customs/data/row-types/taxes.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { lineLeastCents, lineSource } from '../../../../src/core/customs/estimate/explain/line.ts'
import type { ContentItem } from '../../../../src/core/customs/request.ts'
import {
  customsRows,
  exchangeRate,
  exciseRate,
  measure,
  tax,
  taxRate,
} from '../../../support/customs/customs-rows.ts'
import { lineTexts, shortLines, smallEstimate } from '../../../support/customs/small-estimate.ts'

const EXCISE = tax('EXCISE', {
  kind: 'EXCISE',
  name: 'Excise duty',
  codePrefixes: ['2203', '2204', '2208', '24', '3303'],
})
const VAT = tax('VAT')

function rowsWith(exciseRates: readonly ExciseRateRow[], rest: Partial<CustomsRows> = {}): CustomsRows {
  const measures = [measure('22', 0), measure('24', 10), measure('3303', 5)]
  return customsRows({ taxes: [VAT, EXCISE], taxRates: [taxRate('VAT', 20)], measures, exciseRates, ...rest })
}

function estimate(
  rates: readonly ExciseRateRow[],
  item: Partial<ContentItem>,
  code = '22083000',
  rest: Partial<CustomsRows> = {},
) {
  return smallEstimate(rowsWith(rates, rest), [[code, 1, 20, item]])
}

const BOTTLE: Partial<ContentItem> = {
  quantities: [{ unit: 'l', amountMicros: 700_000 }],
  alcoholPpm: 400_000,
}
const SPIRITS = exciseRate('1827 EUR/hl pure alcohol')
const FREE = '22083000 Most-favoured-nation duty 0'

test('the least amount of a line is the sum of the lower bounds that are known', () => {
  const bounds = [
    exciseRate('10 EUR/l', { strengthUpToPpm: 150_000 }),
    exciseRate('30 EUR/l', { strengthAbovePpm: 150_000 }),
  ]
  const notEstimated = tax('EXCISE', { kind: 'EXCISE', name: 'Excise duty', status: 'not_estimated' })
  const bottle = (alcoholPpm?: number): Partial<ContentItem> => ({
    quantities: [{ unit: 'l', amountMicros: 1_000_000 }],
    ...(alcoholPpm !== undefined && { alcoholPpm }),
  })
  const items = [bottle(120_000), bottle(400_000), bottle()].map(
    (bottleOf) => ['22083000', 1, 20, bottleOf] as const,
  )
  const result = smallEstimate(rowsWith(bounds, { taxes: [notEstimated] }), items)
  expect(result.taxes.map(lineLeastCents)).toEqual([undefined, 4000])
  expect(result.complete).toBe(false)
})

describe('an excise per hectolitre of pure alcohol', () => {
  // 0.7 l × 40% = 0.28 l; 0.28 × 18.27 = 5.1156. VAT: 20% × (20 + 5.1156) = 5.02312.
  const lines = [FREE, '22083000 VAT 502', '22083000 Excise on spirits 512']

  test('is calculated from litres and strength, and is in the base of VAT', () => {
    const result = estimate([SPIRITS], BOTTLE)
    expect(shortLines(result)).toEqual(lines)
    expect(result.complete).toBe(true)
    expect(lineTexts(result)[1]).toContain('the goods value EUR 20.00 and excise EUR 5.12')
    expect(lineTexts(result)[2]).toContain('1827 EUR/hl pure alcohol on 1 item, 0.28 l pure alcohol.')
  })
  test('is calculated from litres of pure alcohol', () => {
    const pure = { quantities: [{ unit: 'l pure alcohol', amountMicros: 280_000 }] }
    expect(shortLines(estimate([SPIRITS], pure))).toEqual(lines)
  })
  test('is not estimated without quantities, and names the quantity that is needed', () => {
    const result = estimate([SPIRITS], {})
    expect(shortLines(result)).toEqual([
      FREE,
      '22083000 VAT 400',
      '22083000 Excise on spirits (not estimated) 0?',
    ])
    expect(result.complete).toBe(false)
    const [, vat, excise] = lineTexts(result)
    expect(vat).toContain('The excise that could not be estimated is not in the base.')
    expect(excise).toContain('Give the quantity "l pure alcohol".')
  })
  test('names its row as the rule of the line', () => {
    const { consignment, taxes } = estimate([SPIRITS], BOTTLE)
    const line = taxes[2]
    expect(line && lineSource(consignment, line)).toMatchObject({
      measureType: 'spirits',
      codePrefix: '2208',
      rateText: '1827 EUR/hl pure alcohol',
    })
  })
  test('is converted from another currency', () => {
    // 0.28 l × GBP 33.99 = GBP 9.5172; at 0.85 per euro: EUR 11.1967.
    const pounds = exciseRate('33.99 GBP/l pure alcohol')
    const result = estimate([pounds], BOTTLE, '22083000', { exchangeRates: [exchangeRate('GBP', '0.85')] })
    expect(shortLines(result)).toContain('22083000 Excise on spirits 1120')
  })
})

describe('units of excise laws', () => {
  test.each([
    // 0.5 l × 5% = 0.025 l of alcohol = 0.025 hl with 1% vol; × 8.24 = 0.206.
    ['8.24 EUR/% vol/hl', 500_000, 50_000, 21],
    // 0.75 l / 100 × 95.69 = 0.717675.
    ['95.69 EUR/hl', 750_000, 120_000, 72],
    // 0.75 l = 0.198129 gallons; × 40 / 50 = 0.158503 proof gallons; × 13.5 = 2.139793.
    ['13.5 EUR/proof gallon', 750_000, 400_000, 214],
    // 0.75 l / 3.785411784 × 3.4 = 0.673639.
    ['3.4 EUR/gallon', 750_000, 120_000, 67],
    // A barrel has 31 gallons: 117.347765 l. 24 l / 117.347765 × 18 = 3.681365.
    ['18 EUR/barrel of beer', 24_000_000, 50_000, 368],
  ])('%s', (specific, litreMicros, alcoholPpm, cents) => {
    const item = { quantities: [{ unit: 'l', amountMicros: litreMicros }], alcoholPpm }
    expect(shortLines(estimate([exciseRate(specific)], item))).toContain(
      `22083000 Excise on spirits ${cents}`,
    )
  })
})

describe('rates by strength', () => {
  const WINE = { excise: 'wine', name: 'Excise on wine', codePrefix: '2204' }
  const BANDS = [
    exciseRate('47.95 EUR/hl', { ...WINE, strengthUpToPpm: 85_000 }),
    exciseRate('95.69 EUR/hl', { ...WINE, strengthAbovePpm: 85_000, strengthUpToPpm: 150_000 }),
    exciseRate('161.8 EUR/hl', { ...WINE, name: 'Excise on port', strengthAbovePpm: 150_000 }),
  ]
  const wine = (alcoholPpm?: number): Partial<ContentItem> => ({
    quantities: [{ unit: 'l', amountMicros: 1_000_000 }],
    ...(alcoholPpm !== undefined && { alcoholPpm }),
  })

  test.each([
    [85_000, 'Excise on wine 48'],
    [85_001, 'Excise on wine 96'],
    [150_000, 'Excise on wine 96'],
    [200_000, 'Excise on port 162'],
  ])('%i ppm', (alcoholPpm, line) => {
    expect(shortLines(estimate(BANDS, wine(alcoholPpm), '22042179'))).toContain(`22042179 ${line}`)
  })
  test('need the strength', () => {
    const result = estimate(BANDS.slice(0, 2), wine(), '22042179')
    expect(shortLines(result)).toContain('22042179 Excise on wine (not estimated) 0?')
    expect(lineTexts(result).at(-1)).toContain('depends on the alcoholic strength, which is not given.')
  })
  test('of several names have the name of the tax if the strength is not given, and name all', () => {
    const result = estimate(BANDS, wine(), '22042179')
    expect(shortLines(result)).toContain('22042179 Excise duty (not estimated) 0?')
    expect(lineTexts(result).at(-1)).toContain('not given: Excise on wine, Excise on port above 15% vol.')
    expect(lineSource(result.consignment, result.taxes.at(-1)!)?.rateText).toBe('')
  })
  test('use the strength that follows from the quantities', () => {
    const quantities = [
      { unit: 'l', amountMicros: 1_000_000 },
      { unit: 'l pure alcohol', amountMicros: 120_000 },
    ]
    expect(shortLines(estimate(BANDS, { quantities }, '22042179'))).toContain('22042179 Excise on wine 96')
  })
  test('apply to each item by its own strength', () => {
    const items = [wine(80_000), wine(200_000), wine(70_000)].map(
      (item) => ['22042179', 1, 20, item] as const,
    )
    // 2 l × 0.4795 = 0.959 and 1 l × 1.618 = 1.618.
    expect(shortLines(smallEstimate(rowsWith(BANDS), items)).slice(2)).toEqual([
      '22042179 Excise on wine 96',
      '22042179 Excise on port 162',
    ])
  })
  test('leave goods outside all bands free of that excise', () => {
    const above = exciseRate('620.47 EUR/hl pure alcohol', { excise: 'social', strengthAbovePpm: 180_000 })
    expect(shortLines(estimate([above], wine(150_000), '22083000'))).toEqual([FREE, '22083000 VAT 400'])
  })
})

describe('several excises on one code', () => {
  test('are all due, and of each the longest prefix applies', () => {
    const rates = [
      exciseRate('100 EUR/hl', { codePrefix: '22' }),
      SPIRITS,
      exciseRate('620 EUR/hl pure alcohol', { excise: 'social', name: 'Social contribution' }),
    ]
    // 0.28 × 18.27 = 5.1156 and 0.28 × 6.2 = 1.736. VAT: 20% × (20 + 6.8516) = 5.37032.
    expect(shortLines(estimate(rates, BOTTLE))).toEqual([
      FREE,
      '22083000 VAT 537',
      '22083000 Excise on spirits 512',
      '22083000 Social contribution 174',
    ])
  })
})

describe('an excise on tobacco', () => {
  const CIGARETTES = exciseRate('71.3 EUR/1000 sticks', {
    excise: 'cigarettes',
    name: 'Excise on cigarettes',
    codePrefix: '240220',
    retailPricePpm: 550_000,
    minimum: '371.4 EUR/1000 sticks',
  })
  const CARTON = { quantities: [{ unit: 'sticks', amountMicros: 200_000_000 }] }

  test('charges the minimum, and leaves out the share of the retail price', () => {
    const result = estimate([CIGARETTES], CARTON, '24022090')
    // 200 sticks: 14.26 by the specific rate, and 74.28 at least. Duty 2.00; VAT: 20% × (20 + 2 + 74.28) = 19.256.
    expect(shortLines(result)).toEqual([
      '24022090 Most-favoured-nation duty 200',
      '24022090 VAT 1926',
      '24022090 Excise on cigarettes 7428',
      '24022090 Excise on cigarettes, part not estimated 0?',
    ])
    expect(lineTexts(result).at(-1)).toContain('the part 55% of the retail price cannot be calculated')
  })
  test('counts single sticks, not items', () => {
    expect(shortLines(estimate([CIGARETTES], {}, '24022090'))).toContain(
      '24022090 Excise on cigarettes (not estimated) 0?',
    )
  })
})

describe('an excise on the value', () => {
  test('is a share of customs value and duty', () => {
    const perfume = exciseRate('', {
      excise: 'perfume',
      name: 'Excise on perfume',
      codePrefix: '3303',
      adValoremPpm: 200_000,
    })
    // 20% × (20 + 1.00 duty) = 4.20. VAT: 20% × 25.20 = 5.04.
    expect(shortLines(estimate([perfume], {}, '33030010'))).toEqual([
      '33030010 Most-favoured-nation duty 100',
      '33030010 VAT 504',
      '33030010 Excise on perfume 420',
    ])
  })
})

describe('a jurisdiction whose rates are not loaded', () => {
  const UNKNOWN = { ...EXCISE, status: 'not_estimated', ratesOf: 'UNION', reason: 'Not loaded.' } as const
  const MINIMUM = exciseRate('550 EUR/hl pure alcohol', { jurisdiction: 'UNION' })

  test('has a line without amount, with what is due at least', () => {
    const result = estimate([MINIMUM], BOTTLE, '22083000', { taxes: [VAT, UNKNOWN] })
    expect(shortLines(result)).toEqual([FREE, '22083000 VAT 400', '22083000 Excise duty (not estimated) 0?'])
    expect(result.complete).toBe(false)
    const line = result.taxes[2]
    // 0.28 × 5.5 = 1.54.
    expect(line && lineLeastCents(line)).toBe(154)
    expect(lineTexts(result)[2]).toContain(
      'Not loaded. At least 550 EUR/hl pure alcohol is due, which is EUR 1.54 for these goods.',
    )
  })
  test('names the quantity that the minimum needs', () => {
    const result = estimate([MINIMUM], {}, '22083000', { taxes: [VAT, UNKNOWN] })
    const line = result.taxes[2]
    expect(line && lineLeastCents(line)).toBeUndefined()
    expect(lineTexts(result)[2]).toContain('At least 550 EUR/hl pure alcohol is due. Give')
  })
  test('says so for a code without a minimum', () => {
    const result = estimate([MINIMUM], {}, '22042179', { taxes: [VAT, UNKNOWN] })
    expect(lineTexts(result)[2]).toContain('Not loaded.')
  })
})
