/**
 * The reliability of lines and estimates: the lowest of rate, spread, rule, exchange rate and age. The clock ages the
 * data sets: the same data are estimated on several days.
 */
import { describe, expect, test } from 'vitest'
import type { CustomsRows, DataSetRow } from '../../../../src/core/customs/data/rows.ts'
import {
  estimateReliability,
  lineReliability,
} from '../../../../src/core/customs/estimate/explain/reliability.ts'
import {
  BASE_TYPE,
  customsRows,
  exchangeRate,
  fee,
  jurisdiction,
  measure,
  measureType,
  tax,
  taxRate,
  threshold,
} from '../../../support/customs/customs-rows.ts'
import { type SmallItem, smallEstimate } from '../../../support/customs/small-estimate.ts'

const set = (name: string, cycleDays: number | null): DataSetRow => ({
  ...{ name, title: name, source: name, date: '2026-01-01', cycleDays, layer: 0 },
})
const TARIFF = measure('610910', 10)

/** The reliability of each line by its name, and of the estimate. */
function grades(
  rest: Partial<CustomsRows> = {},
  date = '2026-01-10',
  items: readonly SmallItem[] = [['610910', 1, 100]],
): Readonly<Record<string, string>> {
  const rows = customsRows({
    dataSets: [set('test', null), set('monthly', 31)],
    jurisdictions: [jurisdiction('AA', { currency: 'XAA' }), jurisdiction('BB')],
    measureTypes: [BASE_TYPE],
    measures: [TARIFF],
    taxes: [tax('VAT')],
    taxRates: [taxRate('VAT', 10)],
    ...rest,
  })
  const estimate = smallEstimate(rows, items, {}, date)
  const lines = estimate.taxes.map((line) => [line.name, lineReliability(estimate.consignment, line)])
  return { ...Object.fromEntries(lines), all: estimateReliability(estimate) }
}

const DUTY = 'Most-favoured-nation duty'

describe('the reliability of an estimate', () => {
  test('is the lowest of its lines', () => {
    expect(grades()).toEqual({ [DUTY]: 'high', VAT: 'high', all: 'high' })
    const taxRates = [taxRate('VAT', 10, { confidence: 'medium' })]
    expect(grades({ taxRates })).toEqual({ [DUTY]: 'high', VAT: 'medium', all: 'medium' })
  })

  test('is low if a line has no amount', () => {
    const fees = [fee('per_consignment', { status: 'not_estimated', name: 'Levy' })]
    expect(grades({ fees })).toMatchObject({ 'Levy (not estimated)': 'low', all: 'low' })
  })

  test.each([
    ['2026-03-04', 'high'],
    ['2026-03-05', 'medium'],
    ['2028-01-02', 'medium'],
    ['2028-01-03', 'low'],
  ])('on %s is %s by the age of a monthly tariff', (day, grade) => {
    const measures = [{ ...TARIFF, dataSet: 'monthly' }]
    expect(grades({ measures }, day)).toEqual({ [DUTY]: grade, VAT: 'high', all: grade })
  })
})

describe('a line is low', () => {
  test('if the rates that its rate was chosen from differ by 5 points', () => {
    const spread = (highest: number) =>
      grades({ measures: [measure('61091010', highest), measure('61091090', 10)] })
    expect(spread(14.9)).toMatchObject({ [DUTY]: 'high' })
    expect(spread(15)).toMatchObject({ [DUTY]: 'low' })
  })

  test('if one of the goods that share it has a low rate', () => {
    const preference = measureType('preference', 'preference', { name: DUTY })
    const agreed = measure('', 5, { measureType: 'preference', originGroup: 'CC', confidence: 'low' })
    const rows = { measureTypes: [BASE_TYPE, preference], measures: [TARIFF, agreed] }
    const items: SmallItem[] = [
      ['610910', 1, 100],
      ['610910', 1, 100, { originCountry: 'CC' }],
    ]
    expect(grades(rows, undefined, items)).toMatchObject({ [DUTY]: 'low' })
    expect(grades(rows)).toMatchObject({ [DUTY]: 'high' })
  })
})

describe('an exchange rate counts', () => {
  const oldRate = { ...exchangeRate('XAA', '2'), dataSet: 'monthly' }
  const medium = { ...exchangeRate('XAA', '2'), confidence: 'medium' as const }

  test('on a low-value rule in that currency', () => {
    const relief = threshold('relief_up_to', { limitAmount: '500', currency: 'XAA' })
    const thresholds = [relief]
    expect(grades({ thresholds, exchangeRates: [exchangeRate('XAA', '2')] })).toMatchObject({
      [DUTY]: 'high',
    })
    expect(grades({ thresholds, exchangeRates: [medium] })).toMatchObject({ [DUTY]: 'medium' })
    expect(grades({ thresholds, exchangeRates: [oldRate] }, '2028-02-01')).toMatchObject({ [DUTY]: 'low' })
    const onTax = [{ ...relief, appliesTo: 'tax' as const }]
    expect(grades({ thresholds: onTax, exchangeRates: [medium] })).toMatchObject({
      ...{ [DUTY]: 'high', VAT: 'medium' },
    })
  })

  test('on an amount in that currency, of a fee or of a duty', () => {
    const fees = [fee('per_consignment', { amount: '5', currency: 'XAA', name: 'Levy' })]
    expect(grades({ fees, exchangeRates: [medium] })).toMatchObject({ Levy: 'medium', VAT: 'high' })
    const share = [fee('share_of_value', { ratePpm: 10_000, currency: 'XAA', name: 'Levy' })]
    expect(grades({ fees: share, exchangeRates: [medium] })).toMatchObject({ Levy: 'high' })
    const measures = [measure('610910', '3 XAA/item')]
    expect(grades({ measures, exchangeRates: [medium] })).toMatchObject({ [DUTY]: 'medium' })
  })

  test('on an amount that is too small to be levied', () => {
    const thresholds = [threshold('not_levied_below', { limitAmount: '500', currency: 'XAA' })]
    expect(grades({ thresholds, exchangeRates: [medium] })).toMatchObject({ [DUTY]: 'medium', VAT: 'high' })
  })
})
