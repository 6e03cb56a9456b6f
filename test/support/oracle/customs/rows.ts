/** Rows of customs data for cases calculated by hand: one country, plus the changes of a case. */
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'
import type { MeasureRow } from '../../../../src/core/customs/data/tables/measures.ts'
import type { JurisdictionRow } from '../../../../src/core/customs/data/tables/places.ts'
import type { TaxRow } from '../../../../src/core/customs/data/tables/taxes.ts'
import type { ThresholdRow } from '../../../../src/core/customs/data/tables/thresholds.ts'

export const dataSet = 'by hand'
export const always = { validFrom: null, validTo: null, confidence: 'high' } as const

/** CH: CIF, in francs, without its own rounding. */
export function land(changes: Partial<JurisdictionRow> = {}): JurisdictionRow {
  return {
    dataSet,
    code: 'CH',
    name: 'Land',
    currency: 'CHF',
    customsAreas: ['CH'],
    tariffOf: '',
    taxAreas: ['CH'],
    valuation: 'CIF',
    roundingUnit: '',
    roundingMode: 'half_up',
    valueUnit: '',
    reliefs: 'considered',
    note: '',
    ...changes,
  }
}

/** A measure of CH without a rate. */
export function measure(codePrefix: string, changes: Partial<MeasureRow> = {}): MeasureRow {
  return {
    ...always,
    dataSet,
    jurisdiction: 'CH',
    codePrefix,
    measureType: 'third_country_duty',
    kind: 'additive',
    originGroup: 'ALL',
    excludedOrigins: [],
    scopeList: '',
    exemptList: '',
    basis: 'value',
    against: [],
    adValoremPpm: null,
    specific: '',
    minimum: '',
    maximum: '',
    condition: '',
    text: '',
    level: 'line',
    goods: '',
    lowestPpm: null,
    highestPpm: null,
    lineCount: null,
    agreement: '',
    note: '',
    ...changes,
  }
}

/** A rule on duty in CH, in euro, for everyone. */
export function threshold(kind: ThresholdRow['kind'], changes: Partial<ThresholdRow>): ThresholdRow {
  return {
    ...always,
    dataSet,
    jurisdiction: 'CH',
    appliesTo: 'duty',
    kind,
    limitAmount: '',
    valueBasis: 'goods',
    currency: 'EUR',
    flatAmount: '',
    deductAmount: '',
    ratePpm: null,
    recipient: 'any',
    sentFrom: [],
    importSchemes: [],
    includedPrefixes: [],
    excludedPrefixes: [],
    yieldsToPreference: false,
    replacesTaxes: false,
    reason: '',
    enabled: true,
    ...changes,
  }
}

/** The tax of CH. */
export function tax(changes: Partial<TaxRow> = {}): TaxRow {
  return {
    dataSet,
    jurisdiction: 'CH',
    tax: 'VAT',
    name: 'VAT',
    kind: 'VAT',
    status: 'levied',
    base: 'value_and_duty',
    includesFreight: false,
    upliftPpm: 0,
    ratesOf: 'CH',
    reason: '',
    note: '',
    notePrefixes: [],
    codePrefixes: [],
    recipient: 'any',
    ...changes,
  }
}

/** One country with a tax of `vatPpm`. */
export function rowsWith(vatPpm: number, changes: Partial<CustomsRows> = {}): CustomsRows {
  const type = (measureType: string, role: 'base' | 'preference' | 'additional') => ({
    dataSet,
    measureType,
    name: measureType,
    role,
    notWith: [],
  })
  const rate = {
    ...always,
    dataSet,
    jurisdiction: 'CH',
    tax: 'VAT',
    codePrefix: '',
    kind: 'standard',
    note: '',
  }
  return {
    dataSets: [],
    jurisdictions: [land()],
    territories: [],
    originGroups: [],
    codeLists: [],
    hsSuccessors: [],
    taxes: [tax()],
    taxRates: [{ ...rate, ratePpm: vatPpm }],
    measureTypes: [
      type('third_country_duty', 'base'),
      type('preference', 'preference'),
      type('first', 'additional'),
      type('second', 'additional'),
      type('third', 'additional'),
    ],
    measures: [],
    thresholds: [],
    fees: [],
    conditionalDuties: [],
    exciseRates: [],
    clearanceFees: [],
    exchangeRates: [],
    ...changes,
  }
}

/** An exchange rate from 2026 on. */
export const at = (currency: string, unitsPerEuro: string) => ({
  dataSet,
  currency,
  unitsPerEuro,
  validFrom: '2026-01-01',
  confidence: 'high' as const,
  note: '',
})
