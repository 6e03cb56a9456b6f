/**
 * The answer to a rates request: which products are offered at which price, and why the others are not.
 * Source: specification 2.3, 2.4 and 4.1.
 */
import { type ChargeableParcel, type WeighingRule, weighRow } from './chargeable-weight.ts'
import { type Decline, declineOf, extremesOf, LANE_NOT_SERVED } from './limits.ts'
import { type PriceLine, priceProduct } from './price.ts'
import {
  type BookCard,
  type BookCarrier,
  type BookProduct,
  cardsOn,
  fuelRateOn,
  type QuotedProduct,
  type RateBook,
} from './rate-book.ts'
import type { RatesRequest } from './request.ts'
import { type Circumstances, type TriggeredSurcharge, triggeredSurcharges } from './surcharge.ts'
import { type TransitTime, transitTime } from './transit-time.ts'
import { areaOfPlace, groupOfCountry, zoneOfLane } from './zone.ts'

/** A product at its price. `priceCents` is exactly the sum of `lines`; euro, excluding VAT. */
export type RateOption = {
  readonly product: QuotedProduct
  readonly priceCents: number
  readonly lines: readonly PriceLine[]
  readonly transit: TransitTime
  readonly chargeable: readonly ChargeableParcel[]
}

/** A product that was looked at and not offered; `describeDecline` puts the reason in words. */
export type DeclinedProduct = { readonly product: QuotedProduct; readonly decline: Decline }

/** The outcome of a rates request: options cheapest first (equal prices by product id), and what was declined. */
export type RateQuote = {
  readonly kind: 'RateQuote'
  /** The published rate cards that priced it, such as "demo@1". */
  readonly tariffVersion: string
  readonly options: readonly RateOption[]
  readonly declined: readonly DeclinedProduct[]
}

/** Prices a request on a day ('YYYY-MM-DD') with every product of the book. Pure; touches nothing outside. */
export function quote(book: RateBook, request: RatesRequest, date: string): RateQuote {
  const options: RateOption[] = []
  const declined: DeclinedProduct[] = []
  const extremes = extremesOf(request)
  const cards = cardsOn(book, date)
  for (const card of cards) {
    const facts = factsOf(book, card, request, date)
    const zoneNumber = zoneOfLane(card.lanes, request.from.country, request.to.country)
    for (const product of card.products) {
      const { terms, carrier } = product
      const result =
        declineOf(terms, carrier.insurance, request, extremes) ??
        priceInZone(product, zoneNumber, request, facts)
      if ('code' in result) declined.push({ product: product.name, decline: result })
      else options.push(result)
    }
  }
  options.sort((a, b) => a.priceCents - b.priceCents || a.product.productId - b.product.productId)
  if (cards.length > 1) declined.sort((a, b) => a.product.productId - b.product.productId)
  const tariffVersion = cards.map(({ code, versionNo }) => `${code}@${versionNo}`).join(' ')
  return { kind: 'RateQuote', tariffVersion, options, declined }
}

/** What the products of a carrier share for one request. */
type CarrierFacts = {
  readonly surcharges: readonly TriggeredSurcharge[]
  readonly fuelRateBps: number | undefined
}

/** What several products of a card ask of one request: each worked out once, when it is first asked. */
type Facts = {
  readonly circumstances: Circumstances
  ofCarrier(carrier: BookCarrier): CarrierFacts
  weigh(rule: WeighingRule): readonly ChargeableParcel[]
}

function factsOf(book: RateBook, card: BookCard, request: RatesRequest, date: string): Facts {
  const circumstances = circumstancesOf(book, card, request, date)
  const carriers = new Map<BookCarrier, CarrierFacts>()
  const weights = new Map<WeighingRule, readonly ChargeableParcel[]>()
  return {
    circumstances,
    ofCarrier(carrier) {
      let found = carriers.get(carrier)
      if (found === undefined) {
        const surcharges = triggeredSurcharges(carrier.surcharges, circumstances, request.parcels)
        found = { surcharges, fuelRateBps: fuelRateOn(book, carrier.code, date) }
        carriers.set(carrier, found)
      }
      return found
    },
    weigh(rule) {
      let found = weights.get(rule)
      if (found === undefined) {
        found = request.parcels.map((parcel, index) => weighRow(rule, parcel, index))
        weights.set(rule, found)
      }
      return found
    },
  }
}

function circumstancesOf(book: RateBook, card: BookCard, request: RatesRequest, date: string): Circumstances {
  const { from, to, recipient } = request
  return {
    domestic: from.country === to.country,
    recipient,
    fromArea: areaOfPlace(card.areas, book.capitals, from),
    toArea: areaOfPlace(card.areas, book.capitals, to),
    fromGroup: groupOfCountry(card.lanes, from.country),
    toGroup: groupOfCountry(card.lanes, to.country),
    date,
  }
}

function priceInZone(
  product: BookProduct,
  zoneNumber: number | undefined,
  request: RatesRequest,
  facts: Facts,
): RateOption | Decline {
  const { carrier } = product
  const zone = zoneNumber === undefined ? undefined : product.zones.get(zoneNumber)
  if (zone === undefined) return LANE_NOT_SERVED
  const chargeable = facts.weigh(product.weighing)
  const { surcharges, fuelRateBps } = facts.ofCarrier(carrier)
  const price = priceProduct({ product, zone, request, chargeable, surcharges, fuelRateBps })
  if ('code' in price) return price
  return {
    product: product.name,
    priceCents: price.priceCents,
    lines: price.lines,
    transit: transitTime(zone.transit, carrier.areaTransit, facts.circumstances),
    chargeable,
  }
}
