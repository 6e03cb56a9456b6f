/** The source of a line, and texts that all kinds of lines use: data sets, rounding, remarks. */
import { type ExchangeRate, findExchangeRate, fromEuro } from '../../data/exchange-rate.ts'
import type { ConditionalDutyRow, MeasureRow } from '../../data/row-types/measures.ts'
import type { JurisdictionRow } from '../../data/row-types/places.ts'
import type { Confidence } from '../../data/row-types/table.ts'
import { type Exact, formatEuro, formatQuantity } from '../../exact.ts'
import type { Consignment } from '../consignment.ts'

/** The row of the data that a line comes from. */
export type LineSource = {
  readonly dataSet: string
  /** Type of the measure, name of the tax or fee, or kind of the low-value rule. */
  readonly measureType: string
  /** The digits that the row covers; empty: all codes. */
  readonly codePrefix: string
  /** Country or group; 'ALL' or absent: any origin. */
  readonly origin?: string
  /** The agreement of a preference, or the law of an additional duty. */
  readonly agreement?: string
  /** The rate as published. */
  readonly rateText: string
  /** Present if the rate was chosen or averaged from several. */
  readonly range?: RateRange
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly confidence: Confidence
}

/** The source of a row of a tariff. `range` and `confidence` are those of the rate, if it was chosen from several. */
export function tariffSource(
  row: MeasureRow | ConditionalDutyRow,
  rateText: string,
  { range, confidence = row.confidence }: { range?: RateRange | undefined; confidence?: Confidence } = {},
): LineSource {
  return {
    dataSet: row.dataSet,
    measureType: row.measureType,
    codePrefix: row.codePrefix,
    origin: row.originGroup,
    ...(row.agreement !== '' && { agreement: row.agreement }),
    rateText,
    ...(range !== undefined && { range }),
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence,
  }
}

/** A figure that an amount rests on: a row of the data, or an exchange rate. */
export type Ground = { readonly dataSet: string; readonly confidence: Confidence }

/** Lowest and highest rate in percent, as decimal text. */
export type RateRange = { readonly lowestPercent: string; readonly highestPercent: string }

/** "EU tariff of 2021-01-01."; empty for an unknown data set. */
export function describeDataSet(
  { tables }: Consignment,
  name: string,
  confidence: Confidence = 'high',
): string {
  const dataSet = tables.dataSets.get(name)
  if (dataSet === undefined) return ''
  const note = confidence === 'high' ? '' : `, confidence ${confidence}`
  return `${dataSet.title} of ${dataSet.date}${note}.`
}

/** "No exchange rate is loaded for XXX."; empty if all currencies have one. */
export function describeMissingRates({ tables, date }: Consignment, currencies: readonly string[]): string {
  const missing = currencies.filter(
    (currency, index) =>
      currencies.indexOf(currency) === index &&
      findExchangeRate(tables.exchangeRates, currency, date) === undefined,
  )
  return missing.length === 0 ? '' : `No exchange rate is loaded for ${missing.join(' and ')}.`
}

/** The exchange rates that are loaded for currencies. */
export function exchangeRatesFor(
  { tables, date }: Consignment,
  currencies: readonly string[],
): readonly ExchangeRate[] {
  return currencies.flatMap((currency) => findExchangeRate(tables.exchangeRates, currency, date) ?? [])
}

/** How the jurisdiction rounds; empty if it has no units of its own. */
export function describeRounding({ to, rounding }: Consignment): string {
  if (rounding === undefined)
    return `${to.roundingUnit}${to.valueUnit}` === ''
      ? ''
      : `Not rounded in ${to.currency}, for which no exchange rate is loaded.`
  const value =
    to.valueUnit === '' ? '' : ` on a value rounded down to a multiple of ${to.currency} ${to.valueUnit}`
  if (to.roundingUnit === '') return `Calculated${value}.`
  const rounded = to.roundingMode === 'down' ? 'rounded down to a multiple of' : 'rounded to a multiple of'
  return `Calculated in ${to.currency}${value}, ${rounded} ${to.roundingUnit}.`
}

/** ", rounded down to JPY 9000 (EUR 50.31)"; empty if the jurisdiction does not round the value. */
export function describeCutValue({ to, tables, date, rounding }: Consignment, cut: Exact): string {
  if (rounding?.valueUnit === undefined) return ''
  const rate = findExchangeRate(tables.exchangeRates, to.currency, date)
  if (rate === undefined) return ''
  return `, rounded down to ${to.currency} ${formatQuantity(fromEuro(cut, rate))} (${formatEuro(cut)})`
}

/** For jurisdictions whose low-value rules are not in the data. */
export function reliefRemark(to: JurisdictionRow): string {
  return to.reliefs === 'considered' ? '' : 'Low-value reliefs are not considered.'
}

/** Joins sentences, leaving out empty ones. */
export function sentences(...texts: readonly string[]): string {
  let joined = ''
  for (const text of texts) if (text !== '') joined = joined === '' ? text : `${joined} ${text}`
  return joined
}
