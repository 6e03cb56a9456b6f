/**
 * Sells products of cost cards at a margin. The option that this returns has the price as its only line, and nothing
 * that tells the cost: neither lines nor amounts of the cost card. See docs/rate-cards.md#buy-and-sell.
 */
import { billedShipmentGrams } from './book/chargeable-weight.ts'
import type { Decline } from './book/limits.ts'
import { costsOn, type Listing } from './book/rate-book.ts'
import { marginOn, sellingPrice } from './margin.ts'
import { isDecline, priceOption, type RateOption } from './option.ts'
import { netEuroFactor } from './price/card-price.ts'
import type { SaleCause } from './price/price-line.ts'
import type { RequestFacts } from './price/request-facts.ts'

/** Whose margins apply. */
export type Buyer = Pick<SaleCause, 'accountId' | 'isAccountOnly'>

/** Undefined if no margin applies. A decline if the cost card declines the request. */
export function priceSale(
  facts: RequestFacts,
  { group, product }: Listing,
  buyer: Buyer,
): RateOption | Decline | undefined {
  const cost = priceOption(facts, group, product, undefined)
  if (isDecline(cost)) return cost
  const { pricing, cardPrice } = cost
  const { productId, carrierCode } = product.terms
  const grams = billedShipmentGrams(product.terms, pricing.chargeable)
  const wanted = { productId, carrierCode, date: facts.date, zone: pricing.zoneNumber, grams }
  const { byAccount, forAll } = facts.book.margins
  const own = buyer.accountId === undefined ? undefined : byAccount.get(buyer.accountId)
  const margin =
    (own && marginOn(own, wanted)) ?? (buyer.isAccountOnly ? undefined : marginOn(forAll, wanted))
  if (margin === undefined) return undefined
  const priceCents = sellingPrice(cardPrice?.totalCents ?? cost.priceCents, netEuroFactor(pricing), margin)
  const services = cost.lines.flatMap(({ item, cause }) =>
    cause.kind === 'surcharge' && cause.surcharge.service !== undefined
      ? [[cause.surcharge.service, item] as const]
      : [],
  )
  const cause: SaleCause = { kind: 'sale', ...buyer, services: new Map(services) }
  return {
    product: cost.product,
    card: cost.card,
    priceCents,
    lines: [{ kind: 'BASE', item: 'Freight', amountCents: priceCents, cause }],
    transit: cost.transit,
    chargeable: cost.chargeable,
    pricing,
    cardPrice: undefined,
  }
}

/** Undefined if a rate card prices the option. */
export function saleOf({ lines }: RateOption): SaleCause | undefined {
  const cause = lines[0]?.cause
  return cause?.kind === 'sale' ? cause : undefined
}

/**
 * What the broker pays for an option, in euro cents without VAT. For operators only. Undefined if no cost card has the
 * product on that day, or if the card declines the request.
 */
export function costOf({ pricing }: RateOption): number | undefined {
  const { facts, product } = pricing
  const listing = costsOn(facts.book, facts.date).get(product.terms.productId)
  if (listing === undefined) return undefined
  const cost = priceOption(facts, listing.group, listing.product, undefined)
  return isDecline(cost) ? undefined : cost.priceCents
}
