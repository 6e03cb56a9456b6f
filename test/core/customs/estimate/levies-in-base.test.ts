/** The remark of a tax on levies that belong to its base and could not be estimated. */
import { expect, test } from 'vitest'
import type { FeeRow } from '../../../../src/core/customs/data/row-types/fees.ts'
import { BASE_TYPE, customsRows, fee, measure, tax, taxRate } from '../../../support/customs/customs-rows.ts'
import { lineTexts, smallEstimate } from '../../../support/customs/small-estimate.ts'

const REMARK = 'The levies that could not be estimated are not in the base.'

test.each<[string, Partial<FeeRow>, boolean]>([
  ['a levy without an amount', { status: 'not_estimated', inTaxBase: true }, true],
  ['a levy that is not verified', { amount: '5', enabled: false, inTaxBase: true }, true],
  ['a levy in a currency without an exchange rate', { amount: '5', currency: 'XXX', inTaxBase: true }, true],
  ['a levy outside the base', { status: 'not_estimated' }, false],
  ['a levy that is charged', { amount: '5', inTaxBase: true }, false],
])('%s', (_what, levy, isNamed) => {
  const rows = customsRows({
    measureTypes: [BASE_TYPE],
    measures: [measure('610910', 10)],
    taxes: [tax('VAT')],
    taxRates: [taxRate('VAT', 10)],
    fees: [fee('per_consignment', { name: 'Levy', ...levy })],
  })
  const texts = lineTexts(smallEstimate(rows, [['610910', 1, 100]]))
  expect(texts.map((text) => text.includes(REMARK))).toEqual([false, false, isNamed])
})
