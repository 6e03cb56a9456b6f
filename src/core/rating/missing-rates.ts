/** What prices lack on a day: exchange rates of the currency of rate cards, and figures of fuel surcharges. */
import type { RateSource } from '../customs/data/exchange-rate.ts'
import { type BookCard, productsIn } from './book/book-card.ts'
import { cardsOn, fuelRateOn, type RateBook, versionOn } from './book/rate-book.ts'
import { dayNumber } from './book/surcharge.ts'
import { versionText } from './card-version.ts'
import { rateOn } from './currency/conversion.ts'
import type { FuelInForce } from './fuel/fuel-table.ts'

/** A carrier whose products cannot be quoted from a version of a card. */
export type UnpricedCarrier = {
  /** "demo@2". */
  readonly version: string
  readonly carrierCode: string
  readonly currency: string
  readonly rateDays: number
}

/** In the versions that apply on the day. */
export function unpricedCarriers(book: RateBook, rateSource: RateSource, date: string): UnpricedCarrier[] {
  return allCardsOn(book, date).flatMap((card) => unpricedIn(card, rateSource, date))
}

/** The versions that apply on the day, also those for contracts only and those of cost cards. */
function allCardsOn(book: RateBook, date: string): BookCard[] {
  const others = [...book.contractCards.values(), ...book.costCards]
  return [...cardsOn(book, date), ...others.flatMap((versions) => versionOn(versions, date) ?? [])]
}

/** A fuel surcharge whose figure is not that of the day, and the consequence in words. */
export type MissingFuel = { readonly carrierCode: string; readonly code: string; readonly detail: string }

/** The surcharges with the method `fuel` of the versions that apply on the day, once for each carrier and code. */
export function missingFuel(book: RateBook, date: string): MissingFuel[] {
  const day = dayNumber(date)
  const found = new Map<string, MissingFuel>()
  for (const { groups } of allCardsOn(book, date))
    for (const { carrier, surcharges } of groups)
      for (const { code, method, firstDay, endDay } of surcharges) {
        if (method !== 'fuel' || day < firstDay || day >= endDay) continue
        const detail = fuelDetail(fuelRateOn(book, carrier.code, code, date))
        if (detail !== undefined)
          found.set(JSON.stringify([carrier.code, code]), { carrierCode: carrier.code, code, detail })
      }
  return [...found.values()]
}

function fuelDetail(fuel: FuelInForce | undefined): string | undefined {
  if (fuel === undefined) return 'no figure is set, so 0.00 is charged'
  if (fuel.missing !== undefined) return `products are not offered: ${fuel.missing}`
  const { index } = fuel
  if (index?.keptSince === undefined) return undefined
  return `the value of ${index.indexCode} of ${index.keptSince} is missing, so that of ${index.day} is kept`
}

function unpricedIn(card: BookCard, rateSource: RateSource, date: string): UnpricedCarrier[] {
  // All groups of a card have the same terms.
  const terms = card.groups[0]?.priceTerms
  if (terms === undefined) return []
  if (rateOn(rateSource.exchangeRates, terms, date) !== undefined) return []
  const { currency, rateDays } = terms
  const carrierCodes = new Set(productsIn(card).map((product) => product.terms.carrierCode))
  return [...carrierCodes].map((carrierCode) => ({
    version: versionText(card),
    carrierCode,
    currency,
    rateDays,
  }))
}
