/** Rate cards that quotes leave out on a day, because the exchange rate of their currency is missing or too old. */
import type { RateSource } from '../customs/data/exchange-rate.ts'
import { type BookCard, productsIn } from './book/book-card.ts'
import { cardsOn, type RateBook, versionOn } from './book/rate-book.ts'
import { rateOn } from './currency/conversion.ts'
import { versionText } from './rate-card.ts'

/** A carrier whose products cannot be quoted from a version of a card. */
export type UnpricedCarrier = {
  /** "demo@2". */
  readonly version: string
  readonly carrierCode: string
  readonly currency: string
  readonly rateDays: number
}

/** The versions that apply on the day, also those for contracts only. */
export function unpricedCarriers(book: RateBook, rateSource: RateSource, date: string): UnpricedCarrier[] {
  const forContracts = [...book.contractCards.values()].flatMap((versions) => versionOn(versions, date) ?? [])
  return [...cardsOn(book, date), ...forContracts].flatMap((card) => unpricedIn(card, rateSource, date))
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
