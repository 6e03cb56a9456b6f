/**
 * Currency for thresholds, fees, amounts per quantity and rounding; values and answers are in euro throughout.
 * Decided here: the latest rate of the day or before, or the earliest there is for a day before them all.
 */
import { decimal } from '../../quantity.ts'
import { latestFirst } from '../../validity.ts'
import { dividedBy, type Exact, exactOf, times } from '../exact.ts'
import type { ExchangeRateRow } from './rows.ts'

/** A rate ready for use: units of the currency for one euro. */
export type ExchangeRate = ExchangeRateRow & { readonly perEuro: Exact }

/** Rates per currency, the latest first. */
export type ExchangeRates = ReadonlyMap<string, readonly ExchangeRate[]>

/** Builds the table; the rows in any order. */
export function compileExchangeRates(rows: readonly ExchangeRateRow[]): ExchangeRates {
  const rates = new Map<string, ExchangeRate[]>()
  for (const row of rows) {
    const rate = { ...row, perEuro: exactOf(decimal(row.unitsPerEuro, 6), 6) }
    const list = rates.get(row.currency)
    if (list === undefined) rates.set(row.currency, [rate])
    else list.push(rate)
  }
  for (const list of rates.values()) list.sort(latestFirst)
  return rates
}

/** The rate of a day; undefined for a currency without any. The euro is one euro. */
export function findExchangeRate(
  rates: ExchangeRates,
  currency: string,
  date: string,
): ExchangeRate | undefined {
  if (currency === 'EUR') return EURO
  const list = rates.get(currency)
  return list?.find((rate) => rate.validFrom <= date) ?? list?.at(-1)
}

const EURO: ExchangeRate = {
  dataSet: '',
  currency: 'EUR',
  unitsPerEuro: '1',
  validFrom: '1999-01-01',
  confidence: 'high',
  note: '',
  perEuro: exactOf(1, 0),
}

/** Units of the currency as euro. */
export function toEuro(units: Exact, rate: ExchangeRate): Exact {
  return rate === EURO ? units : dividedBy(units, rate.perEuro)
}

/** Euro as units of the currency. */
export function fromEuro(euro: Exact, rate: ExchangeRate): Exact {
  return rate === EURO ? euro : times(euro, rate.perEuro)
}

/** How a description names a rate; empty for the euro. */
export function describeExchangeRate(rate: ExchangeRate): string {
  if (rate.currency === 'EUR') return ''
  const sure = rate.confidence === 'high' ? '' : ', indicative default'
  return ` at ${rate.unitsPerEuro} per euro (${rate.validFrom}${sure})`
}
