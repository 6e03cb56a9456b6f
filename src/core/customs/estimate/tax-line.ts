/** A line of an estimate, and how amounts and data sets read in its description. Source: specification 2.7. */
import { formatCents } from '../../money.ts'
import type { Confidence, TaxKind } from '../data/rows.ts'
import { centsOf, type Exact } from '../exact.ts'

/**
 * One tax on one commodity code, in cents, rounded once. A line that cannot be computed is 0 and not `computed`.
 * The texts, the rate and the source are made when they are asked for: they cost more than the figures.
 */
export type TaxLine = {
  readonly harmonizedCode: string
  readonly kind: TaxKind
  readonly name: string
  readonly amountCents: number
  /** What the rate was applied to, in cents, rounded for display only. */
  readonly baseCents: number
  /** Percent, as decimal text ("21", "4.5"); undefined where the tax is no plain share of its base. */
  readonly ratePercent: string | undefined
  readonly computed: boolean
  /** Which content items it is for, by index. */
  readonly items: readonly number[]
  /** The row that decided; undefined where there is none. */
  readonly source: LineSource | undefined
  /** Rate, basis, assumption, data set and date; or the reason why the amount is zero. */
  describe(): string
  /** How the amount comes about: "6.5% × EUR 200.00 = EUR 13.00"; empty where nothing was worked out. */
  formula(): string
}

/** Where the figures of a line come from. */
export type LineSource = {
  readonly dataSet: string
  /** Type of a measure, name of a tax or fee, kind of a threshold. */
  readonly measureType: string
  /** Digits that the row is about; empty: all codes. */
  readonly codePrefix: string
  /** Country or group whose goods it concerns; 'ALL' or absent: any. */
  readonly origin?: string
  /** Agreement of a preference or law of an additional duty. */
  readonly agreement?: string
  /** The rate as published. */
  readonly rateText: string
  /** Percent, where a code of six digits has several national lines. */
  readonly range?: RateRange
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly confidence: Confidence
}

/** Lowest and highest rate in percent, as decimal text. */
export type RateRange = { readonly lowestPercent: string; readonly highestPercent: string }

/** The name of a line whose amount is not known. */
export function notEstimated(name: string): string {
  return `${name} (not estimated)`
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
  confidence: Confidence = 'high',
): string {
  const dataSet = dataSets.get(name)
  if (dataSet === undefined) return ''
  const sure = confidence === 'high' ? '' : `, confidence ${confidence}`
  return `${dataSet.title} of ${dataSet.date}${sure}.`
}

/** Joins sentences, leaving out the empty ones. */
export function sentences(...texts: readonly string[]): string {
  let joined = ''
  for (const text of texts) if (text !== '') joined = joined === '' ? text : `${joined} ${text}`
  return joined
}
