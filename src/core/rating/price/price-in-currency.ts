/**
 * The price of an option in any currency, with and without VAT. It is converted from the amount in the rate card and
 * rounded once, half up, to the decimals of the currency. In euro without VAT, it is therefore the price of the option.
 * See docs/rate-cards.md#currency-and-vat.
 */
import { EURO, type ExchangeRate } from '../../customs/data/exchange-rate.ts'
import type { VatChart } from '../book/book-card.ts'
import { valueOfPlace, zoneOfLane } from '../book/route.ts'
import {
  convert,
  DEFAULT_RATE_DAYS,
  type Factor,
  fromEuro,
  product,
  rateOn,
  toEuro,
  withoutVat,
  withVat,
} from '../currency/conversion.ts'
import { decimalPlaces } from '../currency/currency-decimals.ts'
import type { RateOption } from '../quote.ts'
import type { PricingCase } from './price.ts'
import type { RequestFacts } from './request-facts.ts'

export type MissingPriceFact = 'EXCHANGE_RATE' | 'VAT_RATE'

export type PriceInCurrency = {
  readonly currency: string
  /** The decimals of the amounts: 2 for "12.50". */
  readonly decimals: number
  /** In the smallest unit of the currency. Undefined if an exchange rate is missing. */
  readonly netUnits: number | undefined
  /** Undefined if an exchange rate is missing, or the VAT rate. */
  readonly grossUnits: number | undefined
  /** What the card states for the zone or the route, in basis points. */
  readonly vatBps: number | undefined
  readonly missing: readonly MissingPriceFact[]
  /** The rates that were used. */
  readonly exchangeRates: readonly ExchangeRate[]
}

/** `currency` is an ISO 4217 code; by default the currency of the rate card. */
export function priceIn(option: RateOption, currency = cardCurrency(option)): PriceInCurrency {
  const vatBps = statedVat(option.pricing)
  const decimals = decimalPlaces(currency)
  const exchange = exchangeTo(option, currency)
  const inUnits = { numerator: BigInt(10 ** decimals), denominator: 100n }
  const total = option.cardPrice?.totalCents ?? option.priceCents
  const amount = (vatFactor: Factor | undefined): number | undefined =>
    exchange && vatFactor && convert(total, product(product(exchange.factor, inUnits), vatFactor))
  const isVatIncluded = option.cardPrice?.terms.vatIncluded === true
  return {
    currency,
    decimals,
    netUnits: amount(isVatIncluded ? (vatBps === undefined ? undefined : withoutVat(vatBps)) : ONE),
    grossUnits: amount(isVatIncluded ? ONE : vatBps === undefined ? undefined : withVat(vatBps)),
    vatBps,
    missing: [
      ...(exchange === undefined ? (['EXCHANGE_RATE'] as const) : []),
      ...(vatBps === undefined ? (['VAT_RATE'] as const) : []),
    ],
    exchangeRates: exchange?.rates ?? [],
  }
}

/** The rate of the price zone, else that of the route in the VAT chart. */
function statedVat({ shared, zoneNumber, facts }: PricingCase): number | undefined {
  const { vatRates, vatChart } = shared.group
  return vatRates.get(zoneNumber) ?? vatOfRoute(vatChart, facts)
}

function vatOfRoute({ lanes, groups, rates }: VatChart, { book, request }: RequestFacts): number | undefined {
  const { from, to } = request
  const zone = zoneOfLane(lanes, {
    sameCountry: from.country === to.country,
    fromGroup: valueOfPlace(groups, book.capitals, from),
    toGroup: valueOfPlace(groups, book.capitals, to),
  })
  return zone === undefined ? undefined : rates.get(zone)
}

const ONE: Factor = { numerator: 1n, denominator: 1n }

function cardCurrency({ cardPrice }: RateOption): string {
  return cardPrice?.terms.currency ?? 'EUR'
}

/** From the currency of the rate card to another one. Undefined if a rate is missing. */
function exchangeTo(
  option: RateOption,
  currency: string,
): { readonly factor: Factor; readonly rates: readonly ExchangeRate[] } | undefined {
  if (currency === cardCurrency(option)) return { factor: ONE, rates: [] }
  const { rateSource, date } = option.pricing.facts
  const from = option.cardPrice?.rate ?? EURO
  const to = rateOn(rateSource.exchangeRates, { currency, rateDays: DEFAULT_RATE_DAYS }, date)
  if (to === undefined) return undefined
  const rates = [from, to].filter((rate) => rate !== EURO)
  return { factor: product(toEuro(from), fromEuro(to)), rates }
}
