import { expect, test } from 'vitest'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import { missingExchangeRates } from '../../../../src/core/customs/data-review/missing-exchange-rate.ts'
import {
  clearanceFee,
  conditionalDuty,
  customsRows,
  exchangeRate,
  exciseRate,
  fee,
  jurisdiction,
  measure,
  threshold,
} from '../../../support/customs/customs-rows.ts'

const NONE = customsRows()

const missingIn = (rows: Partial<CustomsRows>): readonly string[] =>
  missingExchangeRates(NONE, customsRows(rows)).map(
    ({ table, owner, currency }) => `${table} ${owner} ${currency}`,
  )

test.each<[Partial<CustomsRows>, string]>([
  [{ jurisdictions: [jurisdiction('AA', { currency: 'XAA', roundingUnit: '1' })] }, 'jurisdictions AA XAA'],
  [{ thresholds: [threshold('relief_up_to', { limitAmount: '9', currency: 'XAA' })] }, 'thresholds AA XAA'],
  [{ fees: [fee('per_consignment', { amount: '9', currency: 'XAA' })] }, 'fees AA XAA'],
  [{ clearanceFees: [clearanceFee('fixed', { currency: 'XAA' })] }, 'clearanceFees parcel-co XAA'],
  [{ measures: [measure('61', '9 EUR/100 kg + 2 XAA/hl')] }, 'measures AA XAA'],
  [
    { conditionalDuties: [conditionalDuty({ measureType: 'duty', minimum: '9 XAA/kg' })] },
    'conditionalDuties AA XAA',
  ],
  [{ exciseRates: [exciseRate('9 XAA/l')] }, 'exciseRates AA XAA'],
])('finds a currency without an exchange rate: %j', (rows, expected) => {
  expect(missingIn(rows)).toEqual([expected])
  expect(missingIn({ ...rows, exchangeRates: [exchangeRate('XAA', '2')] })).toEqual([])
})

test('ignores the currency of a row without amounts', () => {
  const rows = {
    jurisdictions: [jurisdiction('AA', { currency: 'XAA' })],
    thresholds: [threshold('flat_rate', { currency: 'XAA', ratePpm: 1 })],
    fees: [fee('share_of_value', { currency: 'XAA', ratePpm: 1 })],
  }
  expect(missingIn(rows)).toEqual([])
})

test('ignores a currency that was already missing', () => {
  const before = customsRows({ fees: [fee('per_consignment', { amount: '9', currency: 'XAA' })] })
  const after = customsRows({ fees: [fee('per_consignment', { amount: '8', currency: 'XAA' })] })
  expect(missingExchangeRates(before, after)).toEqual([])
  const rated = customsRows({ ...before, exchangeRates: [exchangeRate('XAA', '2')] })
  expect(missingExchangeRates(rated, after)).toHaveLength(1)
})
