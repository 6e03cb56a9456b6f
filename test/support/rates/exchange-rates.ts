/** Exchange rates for quotes. */
import { compileExchangeRates, type RateSource } from '../../../src/core/customs/data/exchange-rate.ts'

/** The units of a currency for one euro from a day on: ["GBP", "2026-08-28", "0.8641"]. */
export type RateEntry = readonly [currency: string, validFrom: string, unitsPerEuro: string]

export function exchangeRates(...entries: readonly RateEntry[]): RateSource {
  const rates = compileExchangeRates(
    entries.map(([currency, validFrom, unitsPerEuro]) => ({
      ...{ dataSet: 'rates', currency, unitsPerEuro, validFrom, confidence: 'high', note: '' },
    })),
  )
  return { customsTables: () => ({ exchangeRates: rates }) }
}
