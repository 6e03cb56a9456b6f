/** Small customs data sets as an operator would import them. */
import type { MeasureRow } from '../../../src/core/customs/data/rows.ts'
import type { NewCustomsSet } from '../../../src/store/customs/publication.ts'

function head(name: string): Omit<NewCustomsSet, 'rows'> {
  const said = { title: `Title of ${name}`, source: 'our own', date: '2026-11-01' }
  return { name, ...said, jurisdiction: null, importedFrom: `${name}.csv` }
}

/** One rate of the dollar, of a day that no shipped set has. */
export function exchangeRateSet(name: string, unitsPerEuro: string): NewCustomsSet {
  const row = {
    currency: 'USD',
    unitsPerEuro,
    validFrom: '2026-11-02',
    confidence: 'high',
    note: '',
  } as const
  return { ...head(name), rows: { exchangeRates: [{ dataSet: name, ...row }] } }
}

/** A measure of the United Kingdom: a plain share of the value, in force at all times. */
export function measureOf(
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
    ...{ lowestPpm: null, highestPpm: null, lineCount: null, validFrom: null, validTo: null },
    ...{ agreement: '', confidence: 'high', note: '' },
    ...other,
  }
}

/** A tariff of the United Kingdom in which T-shirts cost what is given, and nothing else is listed. */
export function tariffSet(name: string, tShirtsPpm: number): NewCustomsSet {
  const rows = {
    measures: [measureOf(name, '61091000', tShirtsPpm), measureOf(name, '61099020', tShirtsPpm)],
  }
  return { ...head(name), jurisdiction: 'GB', rows }
}
