/** Exchange rates of later days are not known, so the newest rate of each currency stands for every day. */
import type { ExchangeRates, RateSource } from '../../customs/data/exchange-rate.ts'

export type RatesOfDay = (day: string) => RateSource

export function openNewestRates(exchangeRates: ExchangeRates): RatesOfDay {
  const byDay = new Map<string, RateSource>()
  return (day) => {
    const known = byDay.get(day) ?? { exchangeRates: newestOn(exchangeRates, day) }
    byDay.set(day, known)
    return known
  }
}

function newestOn(exchangeRates: ExchangeRates, day: string): ExchangeRates {
  return new Map(
    [...exchangeRates].map(([currency, [newest]]) => [
      currency,
      newest === undefined ? [] : [{ ...newest, validFrom: day }],
    ]),
  )
}
