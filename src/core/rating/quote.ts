/**
 * The answer to a rates request: which products are offered at which price, and why the others are not.
 * Source: specification 2.3, 2.4 and 4.1.
 */
import { type Decline, declineOf, laneNotServed } from './limits.ts'
import { type ChargeableParcel, type PriceLine, priceProduct, totalOf } from './price.ts'
import { type BookCard, type BookProduct, fuelRateOn, type RateBook } from './rate-book.ts'
import type { RatesRequest } from './request.ts'
import type { Circumstances } from './surcharge.ts'
import { type TransitTime, transitTime } from './transit-time.ts'
import { areaOfPlace, groupOfCountry, zoneOfLane } from './zone.ts'

/** A product and the carrier that performs it. */
type ProductName = {
  readonly productId: number
  readonly productName: string
  readonly carrierCode: string
  readonly carrierName: string
}

/** A product at its price. `priceCents` is exactly the sum of `lines`; euro, excluding VAT. */
export type RateOption = ProductName & {
  readonly priceCents: number
  readonly lines: readonly PriceLine[]
  readonly transit: TransitTime
  readonly chargeable: readonly ChargeableParcel[]
}

/** A product that was looked at and not offered; `limit` and `actual` are decimal texts in the message's unit. */
export type DeclinedProduct = ProductName & Decline

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
  for (const card of book.cards) {
    const circumstances = circumstancesOf(book, card, request, date)
    const zoneNumber = zoneOfLane(card.lanes, request.from.country, request.to.country)
    for (const product of card.products) {
      const result = quoteProduct(book, product, zoneNumber, request, circumstances)
      if ('code' in result) declined.push({ ...nameOf(product), ...result })
      else options.push(result)
    }
  }
  options.sort((a, b) => a.priceCents - b.priceCents || a.productId - b.productId)
  declined.sort((a, b) => a.productId - b.productId)
  return { kind: 'RateQuote', tariffVersion: book.version, options, declined }
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

function quoteProduct(
  book: RateBook,
  product: BookProduct,
  zoneNumber: number | undefined,
  request: RatesRequest,
  circumstances: Circumstances,
): RateOption | Decline {
  const decline = declineOf(product, request)
  if (decline !== undefined) return decline
  const zone = zoneNumber === undefined ? undefined : product.zones.get(zoneNumber)
  if (zone === undefined) return laneNotServed(request)
  const fuelRateBps = fuelRateOn(book, product.terms.carrierCode, circumstances.date)
  const price = priceProduct({
    product,
    zone,
    request,
    circumstances,
    ...(fuelRateBps !== undefined && { fuelRateBps }),
  })
  if ('code' in price) return price
  return {
    ...nameOf(product),
    priceCents: totalOf(price.lines),
    lines: price.lines,
    transit: transitTime(zone.transit, product.areaTransit, circumstances),
    chargeable: price.chargeable,
  }
}

function nameOf({ terms, carrierName }: BookProduct): ProductName {
  return { productId: terms.productId, productName: terms.name, carrierCode: terms.carrierCode, carrierName }
}
