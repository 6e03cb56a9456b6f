/**
 * Rules, fees and rates whose currency has no exchange rate, and rules without amounts, which need none. "XAA" has no
 * exchange rate. Figures are calculated by hand.
 */
import { describe, expect, test } from 'vitest'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { dutyBasis, lineFormula, lineSource } from '../../../../src/core/customs/estimate/explain/line.ts'
import {
  customsRows,
  exchangeRate,
  exciseRate,
  fee,
  jurisdiction,
  measure,
  measureType,
  sellerScheme,
  tax,
  taxRate,
  threshold,
} from '../../../support/customs/customs-rows.ts'
import {
  lineTexts,
  type SmallItem,
  shortLines,
  smallEstimate,
} from '../../../support/customs/small-estimate.ts'

const tables = { measures: [measure('61', 10)], taxes: [tax('VAT')], taxRates: [taxRate('VAT', 10)] }

const SHIRT: SmallItem = ['610910', 1, 200]

/** The estimate of a shirt of EUR 200 with a duty of 10% and a tax of 10%. */
function shirtUnder(rest: Partial<CustomsRows>, request: Parameters<typeof smallEstimate>[2] = {}) {
  return smallEstimate(customsRows({ ...tables, ...rest }), [SHIRT], request)
}

const DUTY = '610910 Most-favoured-nation duty 2000'
const TAX = '610910 VAT 2200'
const DUTY_RULE = '610910 Low-value rule on duty (not estimated) 0?'
const TAX_RULE = '610910 Low-value rule on taxes (not estimated) 0?'
const FEE = '610910 Fee (not estimated) 0?'

describe('a row without amounts needs no exchange rate', () => {
  test.each(['', 'XAA'])('charges a levy in percent with the currency "%s"', (currency) => {
    const result = shirtUnder({ fees: [fee('share_of_value', { name: 'Levy', ratePpm: 10_000, currency })] })
    expect(shortLines(result)[1]).toBe('610910 Levy 200')
    expect(lineTexts(result)[1]).toContain('1%, on a customs value of EUR 200.00.')
    expect(result.complete).toBe(true)
  })

  test('lists a fee of unknown amount without a currency', () => {
    const unknown = fee('per_consignment', { status: 'not_estimated', currency: '', reason: 'Not loaded.' })
    expect(shortLines(shirtUnder({ fees: [unknown] }))[1]).toBe(FEE)
  })

  test.each(['', 'XAA'])('charges a flat rate without a limit with the currency "%s"', (currency) => {
    const rule = threshold('flat_rate', { ratePpm: 20_000, currency, reason: 'flat rate' })
    const result = shirtUnder({ thresholds: [rule] })
    expect(shortLines(result)[0]).toBe('610910 Flat-rate customs duty 400')
    expect(result.complete).toBe(true)
  })
})

describe('a fee without an exchange rate', () => {
  const perConsignment = fee('per_consignment', { amount: '5', currency: 'XAA', reason: 'On all goods.' })

  test('has a line that is not estimated and names the currency', () => {
    const result = shirtUnder({ fees: [{ ...perConsignment, inTaxBase: true }] })
    expect(shortLines(result)).toEqual([DUTY, FEE, TAX])
    expect(result.complete).toBe(false)
    expect(lineTexts(result)[1]).toBe(
      'The fee is XAA 5 per consignment. No exchange rate is loaded for XAA. It is not in the base of taxes. On all goods. Test data of 2026-01-01.',
    )
  })

  test('is listed once if its rows differ in the value only', () => {
    const low = { ...perConsignment, valueUpTo: '100' }
    const high = { ...perConsignment, amount: '9', valueAbove: '100' }
    const result = shirtUnder({ fees: [low, high] })
    expect(shortLines(result)).toEqual([DUTY, FEE, TAX])
    expect(lineTexts(result)[1]).toContain('It is not known whether the fee is due on goods of this value.')
  })

  test('is not listed for another recipient', () => {
    const result = shirtUnder({ fees: [{ ...perConsignment, recipient: 'business' }] })
    expect(shortLines(result)).toEqual([DUTY, TAX])
  })

  test('is waived like any other fee', () => {
    const preference = measure('61', 5, { measureType: 'preference', originGroup: 'BB', agreement: 'AA-BB' })
    const rows = customsRows({
      ...tables,
      measureTypes: [...customsRows().measureTypes, measureType('preference', 'preference')],
      measures: [...tables.measures, preference],
      fees: [{ ...perConsignment, waivedByPreference: true }],
    })
    const result = smallEstimate(rows, [['610910', 1, 200, { originCountry: 'BB' }]])
    expect(shortLines(result)[1]).toBe('610910 Fee 0')
    expect(result.complete).toBe(true)
  })
})

describe('a low-value rule without an exchange rate', () => {
  const relief = threshold('relief_up_to', {
    limitAmount: '500',
    currency: 'XAA',
    reason: 'goods up to XAA 500 are free of duty',
  })

  test('has a line beside the duty, which is calculated without it', () => {
    const result = shirtUnder({ thresholds: [relief] })
    expect(shortLines(result)).toEqual([DUTY, DUTY_RULE, TAX])
    expect(result.complete).toBe(false)
    expect(lineTexts(result)[1]).toBe(
      'No exchange rate is loaded for XAA, so a low-value rule could not be applied: goods up to XAA 500 are free of duty. Test data of 2026-01-01. The other lines are calculated without it.',
    )
    const line = result.taxes[1]!
    expect(dutyBasis(line)).toBe('NOT_LOADED')
    expect(lineFormula(result.consignment, line)).toBe('')
    expect(lineSource(result.consignment, line)).toMatchObject({ measureType: 'relief_up_to' })
  })

  test('has a line beside the tax', () => {
    const result = shirtUnder({ thresholds: [{ ...relief, appliesTo: 'tax' }] })
    expect(shortLines(result)).toEqual([DUTY, TAX, TAX_RULE])
    expect(result.taxes[2]?.kind).toBe('VAT')
  })

  test('has a line of another name beside the duty and beside the tax', () => {
    const result = shirtUnder({ thresholds: [relief, { ...relief, appliesTo: 'tax' }] })
    expect(shortLines(result)).toEqual([DUTY, DUTY_RULE, TAX, TAX_RULE])
  })

  test('leaves the next rule that applies in force', () => {
    const next = threshold('flat_rate', { limitAmount: '300', ratePpm: 20_000 })
    expect(shortLines(shirtUnder({ thresholds: [relief, next] }))).toEqual([
      '610910 Flat-rate customs duty 400',
      DUTY_RULE,
      '610910 VAT 2040',
    ])
  })

  test.each([
    ['an earlier rule applies', { thresholds: [threshold('relief_up_to', { limitAmount: '300' }), relief] }],
    ['it does not cover the code', { thresholds: [{ ...relief, excludedPrefixes: ['61'] }] }],
    ['it is for another recipient', { thresholds: [{ ...relief, recipient: 'business' as const }] }],
    ['the duty is zero without it', { thresholds: [relief], measures: [measure('61', 0)] }],
    ['no tax is levied', { thresholds: [{ ...relief, appliesTo: 'tax' as const }], taxes: [noTax()] }],
  ])('has no line if %s', (_, rest) => {
    const result = shirtUnder(rest)
    expect(shortLines(result)).toHaveLength(2)
    expect(result.complete).toBe(true)
  })

  test('that compares the amount due has a line, if an amount is due', () => {
    const rule = threshold('not_levied_below', { limitAmount: '30', currency: 'XAA' })
    expect(shortLines(shirtUnder({ thresholds: [rule] }))).toEqual([DUTY, DUTY_RULE, TAX])
    const onTax = { ...rule, appliesTo: 'tax' as const }
    expect(shortLines(shirtUnder({ thresholds: [onTax] }))).toEqual([DUTY, TAX, TAX_RULE])
    const free = { thresholds: [rule], measures: [measure('61', 0)] }
    expect(shirtUnder(free).complete).toBe(true)
  })

  test('with a flat duty is not replaced by the tariff without a line', () => {
    const rule = threshold('flat_per_item', { flatAmount: '3', currency: 'XAA' })
    expect(shortLines(shirtUnder({ thresholds: [rule] }))).toEqual([DUTY, DUTY_RULE, TAX])
  })

  test('is assumed to apply under its import scheme', () => {
    const rule = { ...relief, importSchemes: ['POSTAL'] }
    const result = shirtUnder({ thresholds: [rule] })
    expect(shortLines(result)).toEqual([DUTY, DUTY_RULE, TAX])
    expect(lineTexts(result)[1]).toContain('free of duty; an import by post is assumed.')
    const courier = shirtUnder({ thresholds: [rule] }, { importScheme: 'COURIER' })
    expect(shortLines(courier)).toEqual([DUTY, TAX])
  })

  test('applies once its currency has an exchange rate', () => {
    const result = shirtUnder({ thresholds: [relief], exchangeRates: [exchangeRate('XAA', '2')] })
    expect(shortLines(result)).toEqual(['610910 Most-favoured-nation duty 0', '610910 VAT 2000'])
    expect(result.complete).toBe(true)
  })
})

function noTax() {
  return tax('VAT', { status: 'none', reason: 'No tax.' })
}

describe('a rate per quantity without an exchange rate', () => {
  const missing = 'No exchange rate is loaded for XAA.'

  test('is named in the part of a duty that is not estimated', () => {
    const result = shirtUnder({ measures: [measure('61', '2 XAA/item', { adValoremPpm: 100_000 })] })
    expect(shortLines(result)).toEqual([DUTY, `${DUTY.slice(0, -5)}, part not estimated 0?`, TAX])
    expect(lineTexts(result)[1]).toContain(missing)
  })

  test('is named in the line of an excise', () => {
    const rows = { taxes: [tax('EX', { kind: 'EXCISE' })], exciseRates: [exciseRate('2 XAA/item')] }
    const result = smallEstimate(customsRows(rows), [['220830', 1, 200]])
    expect(shortLines(result)[1]).toBe('220830 Excise on spirits (not estimated) 0?')
    expect(lineTexts(result)[1]).toContain(missing)
  })

  test('is named beside the duty that a preference may lower', () => {
    const preference = measure('61', '1 XAA/item', {
      ...{ measureType: 'preference', originGroup: 'BB', agreement: 'AA-BB' },
    })
    const rows = customsRows({
      ...tables,
      measureTypes: [...customsRows().measureTypes, measureType('preference', 'preference')],
      measures: [...tables.measures, preference],
    })
    const result = smallEstimate(rows, [['610910', 1, 200, { originCountry: 'BB' }]])
    expect(shortLines(result)[0]).toBe(DUTY)
    expect(lineTexts(result)[0]).toContain(`A preference under AA-BB may lower this duty. ${missing}`)
  })

  test('is named in the entry price that goods cannot be compared with', () => {
    const priced = measure('61', 0, {
      ...{ adValoremPpm: null, condition: 'entry_price' },
      text: 'Cond: V 84.600 XAA DTN(01):8.800 %',
    })
    const result = smallEstimate(customsRows({ ...tables, measures: [priced] }), [
      ['610910', 1, 200, { weightGrams: 1000 }],
    ])
    expect(shortLines(result)[0]).toBe('610910 Most-favoured-nation duty (not estimated) 0?')
    expect(lineTexts(result)[0]).toContain(missing)
  })
})

test('a line says that it is not rounded in a currency without an exchange rate', () => {
  const place = jurisdiction('AA', { currency: 'XAA', roundingUnit: '0.05' })
  const result = shirtUnder({ jurisdictions: [place, jurisdiction('BB')] })
  expect(shortLines(result)).toEqual([DUTY, TAX])
  expect(lineTexts(result)[0]).toContain('Not rounded in XAA, for which no exchange rate is loaded.')
})

test('a relief at the border without an exchange rate has no line beside a tax that the seller collects', () => {
  const thresholds = [threshold('relief_up_to', { appliesTo: 'tax', limitAmount: '150', currency: 'XAA' })]
  const sellerSchemes = [sellerScheme('AA')]
  expect(shortLines(shirtUnder({ thresholds }))).toEqual([DUTY, TAX, TAX_RULE])
  expect(shortLines(shirtUnder({ thresholds, sellerSchemes }))).toEqual([DUTY, TAX])
})
