/**
 * Exchange rates for thresholds, fees, amounts per quantity and rounding. Request values and answers are in euro. The
 * latest rate on or before the day applies; for days before the first rate, the first one.
 */
import { decimal } from '../../quantity.ts'
import { latestFirst } from '../../validity.ts'
import { dividedBy, type Exact, exactOf, times } from '../exact.ts'
import type { ExchangeRateRow } from './row-types/exchange-rates.ts'

/** `perEuro`: units of the currency for one euro. */
export type ExchangeRate = ExchangeRateRow & { readonly perEuro: Exact }

/** By currency, the latest first. */
export type ExchangeRates = ReadonlyMap<string, readonly ExchangeRate[]>

/** The edition of the customs data whose rates a quote uses. */
export type RateSource = { readonly exchangeRates: ExchangeRates }

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

/**
 * The rate of a day. Undefined if the currency has none. A rule without amounts may name no currency; it is in euro.
 */
export function findExchangeRate(
  rates: ExchangeRates,
  currency: string,
  date: string,
): ExchangeRate | undefined {
  if (currency === 'EUR' || currency === '') return EURO
  const list = rates.get(currency)
  return list?.find((rate) => rate.validFrom <= date) ?? list?.at(-1)
}

export const EURO: ExchangeRate = {
  dataSet: '',
  currency: 'EUR',
  unitsPerEuro: '1',
  validFrom: '1999-01-01',
  confidence: 'high',
  note: '',
  perEuro: exactOf(1, 0),
}

export function toEuro(units: Exact, rate: ExchangeRate): Exact {
  return rate === EURO ? units : dividedBy(units, rate.perEuro)
}

export function fromEuro(euro: Exact, rate: ExchangeRate): Exact {
  return rate === EURO ? euro : times(euro, rate.perEuro)
}

const DOUBTS = { high: '', medium: ", not an authority's rate", low: ', indicative default' } as const

/** The rate in a description: " at 1.1761 per euro (2026-05-08)". Empty for the euro. */
export function describeExchangeRate(rate: ExchangeRate): string {
  if (rate.currency === 'EUR') return ''
  const doubt = DOUBTS[rate.confidence]
  return ` at ${rate.unitsPerEuro} per euro (${rate.validFrom}${doubt})`
}
