/** Rules without amounts need no currency. Figures are calculated by hand. */
import { expect, test } from 'vitest'
import { customsRows, fee, measure, tax, taxRate, threshold } from '../../../support/customs/customs-rows.ts'
import { lineTexts, shortLines, smallEstimate } from '../../../support/customs/small-estimate.ts'

const tables = { measures: [measure('61', 10)], taxes: [tax('VAT')], taxRates: [taxRate('VAT', 10)] }

test('charges a levy in percent without a currency', () => {
  const levy = fee('share_of_value', { name: 'Levy', ratePpm: 10_000, currency: '' })
  const result = smallEstimate(customsRows({ ...tables, fees: [levy] }), [['610910', 1, 200]])
  expect(shortLines(result)[1]).toBe('610910 Levy 200')
  expect(lineTexts(result)[1]).toContain('1%, on a customs value of EUR 200.00.')
})

test('lists a fee of unknown amount without a currency', () => {
  const unknown = fee('per_consignment', { status: 'not_estimated', currency: '', reason: 'Not loaded.' })
  const result = smallEstimate(customsRows({ ...tables, fees: [unknown] }), [['610910', 1, 200]])
  expect(shortLines(result)[1]).toBe('610910 Fee (not estimated) 0?')
})

test('charges a flat rate without a limit and a currency', () => {
  const rule = threshold('flat_rate', { ratePpm: 20_000, currency: '', reason: 'flat rate' })
  const result = smallEstimate(customsRows({ ...tables, thresholds: [rule] }), [['610910', 1, 200]])
  expect(shortLines(result)[0]).toBe('610910 Flat-rate customs duty 400')
})
