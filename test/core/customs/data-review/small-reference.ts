/** Small customs data for the tests of layers and comparisons. */

import type { ExchangeRateRow } from '../../../../src/core/customs/data/row-types/exchange-rates.ts'
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import type { TaxRateRow } from '../../../../src/core/customs/data/row-types/taxes.ts'
import type { CustomsRows } from '../../../../src/core/customs/data/rows.ts'

type Tables = Partial<Omit<CustomsRows, 'dataSets'>>

/** Customs data with the given layers by set name, and the given rows. Other tables are empty. */
export function referenceOf(layers: Readonly<Record<string, number>>, tables: Tables = {}): CustomsRows {
  const dataSets = Object.entries(layers).map(([name, layer]) => ({
    ...{ name, title: name, source: name, date: '2026-11-01', cycleDays: null, layer },
  }))
  return {
    ...{ dataSets, jurisdictions: [], territories: [], originGroups: [], codeLists: [], hsSuccessors: [] },
    ...{
      taxes: [],
      taxRates: [],
      measureTypes: [],
      measures: [],
      thresholds: [],
      fees: [],
      conditionalDuties: [],
      tradeDefence: [],
      exciseRates: [],
      clearanceFees: [],
      sellerSchemes: [],
      restrictions: [],
      exchangeRates: [],
    },
    ...tables,
  }
}

/** A duty of the United Kingdom on a code. */
export function dutyOf(
  dataSet: string,
  codePrefix: string,
  adValoremPpm: number,
  other: Partial<MeasureRow> = {},
): MeasureRow {
  return {
    ...{ dataSet, jurisdiction: 'GB', codePrefix, measureType: 'third_country_duty', kind: 'additive' },
    ...{
      originGroup: 'ALL',
      excludedOrigins: [],
      scopeList: '',
      exemptList: '',
      basis: 'value',
      against: [],
    },
    ...{ adValoremPpm, specific: '', minimum: '', maximum: '', condition: '', text: '' },
    ...{
      level: 'line',
      goods: '',
      lowestPpm: null,
      highestPpm: null,
      lineCount: null,
      unitValueAbove: '',
      unitValueUpTo: '',
      unitValueCurrency: '',
      unitValuePer: '',
      validFrom: null,
      validTo: null,
    },
    ...{ agreement: '', confidence: 'high', note: '' },
    ...other,
  }
}

/** A rate of value-added tax of the United Kingdom. */
export function vatOf(dataSet: string, codePrefix: string, ratePpm: number): TaxRateRow {
  const row = { dataSet, jurisdiction: 'GB', tax: 'VAT', codePrefix, ratePpm, kind: 'standard' }
  return { ...row, validFrom: null, validTo: null, confidence: 'high', note: '' }
}

export function dollarOf(dataSet: string, validFrom: string, unitsPerEuro: string): ExchangeRateRow {
  return { dataSet, currency: 'USD', unitsPerEuro, validFrom, confidence: 'high', note: '' }
}
