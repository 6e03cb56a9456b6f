/**
 * Currency for thresholds and amounts per quantity; values and answers are in euro throughout. Decided here: the
 * latest rate of the day or before, or the earliest there is for a day before them all.
 */
import { decimal } from '../quantity.ts'
import { type Exact, times } from './exact.ts'
import type { ExchangeRateRow } from './reference-rows.ts'

/** A rate ready for use: millionths of a unit for one euro. */
export type ExchangeRate = ExchangeRateRow & { readonly micros: bigint }

/** Rates per currency, the latest first. */
export type ExchangeRates = ReadonlyMap<string, readonly ExchangeRate[]>

const MICRO = 1_000_000n

/** Builds the table; the rows in any order. */
export function compileExchangeRates(rows: readonly ExchangeRateRow[]): ExchangeRates {
  const rates = new Map<string, ExchangeRate[]>()
  for (const row of rows) {
    const rate = { ...row, micros: BigInt(decimal(row.unitsPerEuro, 6)) }
    rates.set(row.currency, [...(rates.get(row.currency) ?? []), rate])
  }
  for (const list of rates.values()) list.sort((a, b) => (a.validFrom > b.validFrom ? -1 : 1))
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
  micros: MICRO,
}

/** Units of the currency as euro. */
export function toEuro(units: Exact, rate: ExchangeRate): Exact {
  return times(units, MICRO, rate.micros)
}

/** Euro as units of the currency. */
export function fromEuro(euro: Exact, rate: ExchangeRate): Exact {
  return times(euro, rate.micros, MICRO)
}

/** How a description names a rate; empty for the euro. */
export function describeExchangeRate(rate: ExchangeRate): string {
  if (rate.currency === 'EUR') return ''
  const sure = rate.confidence === 'high' ? '' : ', indicative default'
  return ` at ${rate.unitsPerEuro} per euro (${rate.validFrom}${sure})`
}
