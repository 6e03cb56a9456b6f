/** The price of one product of a rate card for a request, with transit time and weights. */
import { addDays, type BookProduct, type QuotedProduct, type TransitTime } from './book/book-product.ts'
import type { ChargeableParcel } from './book/chargeable-weight.ts'
import {
  type Decline,
  declineOf,
  FREIGHT_CLASS_REQUIRED,
  LANE_NOT_SERVED,
  noExchangeRate,
} from './book/limits.ts'
import type { RateCardHead } from './card-version.ts'
import type { AgreedTerms } from './contract.ts'
import { type CardPrice, cardPriceOf, netEuroLines, sumOfLines } from './price/card-price.ts'
import { type PricingCase, priceProduct } from './price/price.ts'
import type { PriceLine } from './price/price-line.ts'
import { groupFactsOf, type OpenGroup, weighParcels, withServices } from './price/request-facts.ts'
import type { Parcel } from './request.ts'

/** A product that is offered. `priceCents` is exactly the sum of `lines`: euro cents without VAT. */
export type RateOption = {
  readonly product: QuotedProduct
  /** The version of the rate card that the price comes from. */
  readonly card: RateCardHead
  readonly priceCents: number
  /** The price without the contract. Present if a contract applies and the general card has the product. */
  readonly listPriceCents?: number
  readonly lines: readonly PriceLine[]
  readonly transit: TransitTime
  readonly chargeable: readonly ChargeableParcel[]
  /** The figures that the price was calculated from; `explainLine` reads them. */
  readonly pricing: PricingCase
  /** The price in the rate card. Undefined if the card is in euro without VAT: it is then `priceCents`. */
  readonly cardPrice?: CardPrice | undefined
}

/** Prices a product of a card: with its contract, or as the card states it. */
export function priceOption(
  open: OpenGroup,
  product: BookProduct,
  contract: AgreedTerms | undefined,
): RateOption | Decline {
  const { facts, group, exchange } = open
  const declined = declineOf(product.terms, group.carrier.insurance, facts, exchange)
  if (declined !== undefined) return declined
  const shared = groupFactsOf(open)
  const { zoneNumber, laneName } = shared.route
  const zone = zoneNumber === undefined ? undefined : product.zones[zoneNumber]
  if (zoneNumber === undefined || zone === undefined) return LANE_NOT_SERVED
  if (exchange !== undefined && exchange.rate === undefined) return noExchangeRate(exchange.terms)
  const { services } = facts.request
  const charged =
    services === undefined ? shared : withServices(facts, shared, services, product.terms.productId)
  if ('code' in charged) return charged
  if (product.needsFreightClass && !facts.request.parcels.every(hasFreightClass))
    return FREIGHT_CLASS_REQUIRED
  const chargeable = weighParcels(facts, product.weighing, shared.route.surchargeFacts.shipment)
  const rate = exchange?.rate
  const pricing: PricingCase = {
    product,
    zone,
    zoneNumber,
    facts,
    shared: charged,
    chargeable,
    contract,
    rate,
  }
  const priced = priceProduct(pricing)
  if (!isLines(priced)) return priced
  const lines = netEuroLines(pricing, priced)
  const laneDays = product.laneTransit.size === 0 ? undefined : product.laneTransit.get(laneName)
  return {
    product: product.name,
    card: group.card,
    priceCents: sumOfLines(lines),
    lines,
    transit: addDays(laneDays ?? zone.transit, shared.extraDays),
    chargeable,
    pricing,
    cardPrice: cardPriceOf(pricing, priced),
  }
}

function hasFreightClass({ freightClassTenths }: Parcel): boolean {
  return freightClassTenths !== undefined
}

export function isDecline(result: RateOption | Decline): result is Decline {
  return 'code' in result
}

export function isLines(result: readonly PriceLine[] | Decline): result is readonly PriceLine[] {
  return Array.isArray(result)
}
