/** Rows of customs data for cases calculated by hand: the country CH, plus the changes of a case. */

import type { MeasureRow } from '../../../src/core/customs/data/row-types/measures.ts'
import type { JurisdictionRow } from '../../../src/core/customs/data/row-types/places.ts'
import type { TaxRow } from '../../../src/core/customs/data/row-types/taxes.ts'
import type { ThresholdRow } from '../../../src/core/customs/data/row-types/thresholds.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import * as rows from './customs-rows.ts'

export const dataSet = 'test'
export const always = { validFrom: null, validTo: null, confidence: 'high' } as const

const OF_CH = { jurisdiction: 'CH' } as const

/** CH: CIF, in francs, without its own rounding. */
export const land = (changes: Partial<JurisdictionRow> = {}): JurisdictionRow =>
  rows.jurisdiction('CH', { currency: 'CHF', ...changes })

/** A measure of CH without a rate. */
export const measure = (codePrefix: string, changes: Partial<MeasureRow> = {}): MeasureRow =>
  rows.measure(codePrefix, 0, { ...OF_CH, adValoremPpm: null, ...changes })

/** A rule on duty in CH, in euro, for everyone. */
export const threshold = (kind: ThresholdRow['kind'], changes: Partial<ThresholdRow>): ThresholdRow =>
  rows.threshold(kind, { ...OF_CH, ...changes })

/** The tax of CH. */
export const tax = (changes: Partial<TaxRow> = {}): TaxRow =>
  rows.tax('VAT', { ...OF_CH, ratesOf: 'CH', ...changes })

/** One country with a tax of `vatPpm`. */
export const rowsWith = (vatPpm: number, changes: Partial<CustomsRows> = {}): CustomsRows =>
  rows.customsRows({
    jurisdictions: [land()],
    taxes: [tax()],
    taxRates: [rows.taxRate('VAT', vatPpm / 10_000, OF_CH)],
    measureTypes: [
      rows.measureType('third_country_duty', 'base'),
      rows.measureType('preference', 'preference'),
      rows.measureType('first', 'additional'),
      rows.measureType('second', 'additional'),
      rows.measureType('third', 'additional'),
    ],
    exchangeRates: [],
    ...changes,
  })

/** An exchange rate from 2026 on. */
export const at = (currency: string, unitsPerEuro: string) => ({
  ...{ dataSet, currency, unitsPerEuro },
  validFrom: '2026-01-01',
  confidence: 'high' as const,
  note: '',
})
