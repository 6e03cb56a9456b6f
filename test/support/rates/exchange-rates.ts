/** Exchange rates for quotes. */
import type { CompiledCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { compileExchangeRates, type RateSource } from '../../../src/core/customs/data/exchange-rate.ts'

/** Customs data without exchange rates, for quotes of cards in euro. Quotes read nothing else of it. */
export const NO_RATES = { exchangeRates: new Map() } as unknown as CompiledCustoms

/** The units of a currency for one euro from a day on: ["GBP", "2026-08-28", "0.8641"]. */
export type RateEntry = readonly [currency: string, validFrom: string, unitsPerEuro: string]

export function exchangeRates(...entries: readonly RateEntry[]): RateSource {
  const rates = compileExchangeRates(
    entries.map(([currency, validFrom, unitsPerEuro]) => ({
      ...{ dataSet: 'rates', currency, unitsPerEuro, validFrom, confidence: 'high', note: '' },
    })),
  )
  return { exchangeRates: rates }
}
