/** Small customs data sets to import. */
import type { NewCustomsSet } from '../../../src/store/customs/publication.ts'
import { dutyOf } from '../../core/customs/data-review/small-reference.ts'

function head(name: string): Omit<NewCustomsSet, 'rows'> {
  const texts = { title: `Title of ${name}`, source: 'our own', date: '2026-11-01' }
  return { name, ...texts, jurisdiction: null, cycleDays: null, importedFrom: `${name}.csv` }
}

/** A rate of the dollar for a day that no shipped set has. */
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

/** A tariff of the United Kingdom that contains only T-shirts, with the given duty. */
export function tariffSet(name: string, tShirtsPpm: number): NewCustomsSet {
  const rows = {
    measures: [dutyOf(name, '61091000', tShirtsPpm), dutyOf(name, '61099020', tShirtsPpm)],
  }
  return { ...head(name), jurisdiction: 'GB', rows }
}
