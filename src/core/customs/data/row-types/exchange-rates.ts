/** The table of exchange rates. */
import { amount, currency, day, type RowOf } from '../field.ts'
import { confidence, note, table } from './table.ts'

/** Units of a currency for one euro, from a day on. */
export const exchangeRates = table({
  rowName: 'exchange_rate',
  fields: {
    currency: currency(),
    unitsPerEuro: amount(),
    validFrom: day({ fileDefault: true }),
    confidence,
    note,
  },
  key: ['currency', 'validFrom'],
  scope: ['currency', 'validFrom'],
  owner: 'currency',
  label: ({ validFrom }) => `from ${validFrom}`,
})

export type ExchangeRateRow = RowOf<typeof exchangeRates.fields>
