/** How amounts and data sets read in the description of a line. */
import { formatCents } from '../money.ts'
import { centsOf, type Exact } from './exact.ts'
import type { DataSetRow } from './reference-rows.ts'

/** "EUR 12.50", rounded for display only. */
export function formatEuro(amount: Exact): string {
  return formatMoney(amount, 'EUR')
}

/** An amount in units of a currency, with two places. */
export function formatMoney(amount: Exact, currency: string): string {
  return `${currency} ${formatCents(centsOf(amount))}`
}

/** Where a figure comes from: "EU tariff of 2021-01-01." */
export function describeDataSet(dataSets: ReadonlyMap<string, DataSetRow>, name: string): string {
  const dataSet = dataSets.get(name)
  return dataSet === undefined ? '' : `${dataSet.title} of ${dataSet.date}.`
}

/** Joins sentences, leaving out the empty ones. */
export function sentences(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ')
}
