/**
 * Alerts operators if products are not offered because an exchange rate is missing or too old, or if the fuel figure of
 * the day is not known. See docs/rate-cards.md#currency-and-vat and docs/fuel.md#missing-values.
 */
import { missingFuel, unpricedCarriers } from '../../core/rating/missing-rates.ts'
import { type Ports, today } from '../ports/ports.ts'

export type RateWatchPorts = Pick<Ports, 'reference' | 'clock' | 'alert'>

/** Returns the check. It raises one alert a day for each carrier and version, and fuel surcharge. */
export function openRateWatch({ reference, clock, alert }: RateWatchPorts): () => void {
  let alerted = new Set<string>()
  let alertedOn = ''
  return () => {
    const date = today(clock)
    if (date !== alertedOn) {
      alerted = new Set()
      alertedOn = date
    }
    for (const unpriced of unpricedCarriers(reference.rateBook(), reference.customsTables(), date)) {
      const { version, carrierCode, currency, rateDays } = unpriced
      const key = `${carrierCode} ${version}`
      if (alerted.has(key)) continue
      alerted.add(key)
      const period = rateDays === 1 ? 'day' : `${rateDays} days`
      alert({
        kind: 'EXCHANGE_RATE_MISSING',
        carrierCode,
        detail: `${version} is in ${currency}, and there is no exchange rate of the last ${period}`,
      })
    }
    for (const { carrierCode, code, detail } of missingFuel(reference.rateBook(), date)) {
      const key = `fuel ${carrierCode} ${code}`
      if (alerted.has(key)) continue
      alerted.add(key)
      alert({ kind: 'FUEL_RATE_MISSING', carrierCode, detail: `fuel surcharge ${code}: ${detail}` })
    }
  }
}
