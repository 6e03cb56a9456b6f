/** A line of an estimate, and how amounts and data sets read in its description. Source: specification 2.7. */
import { formatCents } from '../money.ts'
import { centsOf, type Exact } from './exact.ts'

/** What a tax line is. */
export type TaxKind = 'DUTY' | 'VAT' | 'GST' | 'EXCISE' | 'FEE'

/** One tax on one commodity code, in cents, rounded once. A line that cannot be computed is 0 and not `computed`. */
export type TaxLine = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly amountCents: number
  /** What the rate was applied to, in cents, rounded for display only. */
  readonly baseCents: number
  /** Percent, as decimal text ("21", "4.5"); absent where the tax is no share of its base. */
  readonly ratePercent?: string
  /** Rate, basis, assumption, data set and date; or the reason why the amount is zero. */
  readonly description: string
  readonly computed: boolean
}

/** "EUR 12.50", rounded for display only. */
export function formatEuro(amount: Exact): string {
  return formatMoney(amount, 'EUR')
}

/** An amount in units of a currency, with two places. */
export function formatMoney(amount: Exact, currency: string): string {
  return `${currency} ${formatCents(centsOf(amount))}`
}

/** Where a figure comes from: "EU tariff of 2021-01-01." */
export function describeDataSet(
  dataSets: ReadonlyMap<string, { readonly title: string; readonly date: string }>,
  name: string,
): string {
  const dataSet = dataSets.get(name)
  return dataSet === undefined ? '' : `${dataSet.title} of ${dataSet.date}.`
}

/** Joins sentences, leaving out the empty ones. */
export function sentences(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(' ')
}
