/**
 * Sells products of cost cards at a margin. The option that this returns has the price as its only line, and nothing
 * that tells the cost: neither lines nor amounts of the cost card. See docs/rate-cards.md#buy-and-sell.
 */
import { billedShipmentGrams } from './book/chargeable-weight.ts'
import { type Decline, UNKNOWN_EXCHANGE_RATE } from './book/limits.ts'
import { gramsOf } from './book/list-units.ts'
import { costsOn, type Listing } from './book/rate-book.ts'
import { type MarginRow, marginOn, sellingPrice } from './margin.ts'
import { isDecline, priceOption, type RateOption } from './option.ts'
import { netEuroFactor } from './price/card-price.ts'
import type { SaleCause } from './price/price-line.ts'
import { groupFactsOf, openGroup, type RequestFacts, weighParcels } from './price/request-facts.ts'

/** Whose margins apply. */
export type Buyer = Pick<SaleCause, 'accountId' | 'isAccountOnly'>

/**
 * Undefined if no margin applies to the route and the weight. It does not depend on the services of the request, so a
 * product has one seller with and without them. A decline if the cost card declines the request.
 */
export function priceSale(
  facts: RequestFacts,
  listing: Listing,
  buyer: Buyer,
): RateOption | Decline | undefined {
  const margin = marginFor(facts, listing, buyer)
  if (margin === undefined) return undefined
  const cost = priceOption(openGroup(facts, listing.group), listing.product, undefined)
  if (isDecline(cost)) return cost.code === 'NO_EXCHANGE_RATE' ? UNKNOWN_EXCHANGE_RATE : cost
  const { pricing, cardPrice } = cost
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

function marginFor(
  facts: RequestFacts,
  { group, product }: Listing,
  { accountId, isAccountOnly }: Buyer,
): MarginRow | undefined {
  const { terms, weighing } = product
  const { zoneNumber: zone, surchargeFacts } = groupFactsOf(openGroup(facts, group)).route
  if (zone === undefined) return undefined
  const chargeable = weighParcels(facts, weighing, surchargeFacts.shipment)
  const grams = gramsOf(billedShipmentGrams(terms, chargeable), terms.units)
  const { productId, carrierCode } = terms
  const wanted = { productId, carrierCode, date: facts.date, zone, grams }
  const { byAccount, forAll } = facts.book.margins
  const own = accountId === undefined ? undefined : byAccount.get(accountId)
  return (own && marginOn(own, wanted)) ?? (isAccountOnly ? undefined : marginOn(forAll, wanted))
}

/** Undefined if a rate card prices the option. */
export function saleOf({ lines }: RateOption): SaleCause | undefined {
  const cause = lines[0]?.cause
  return cause?.kind === 'sale' ? cause : undefined
}

/**
 * What the broker pays for an option: the price in the cost card. For operators only. Undefined if no cost card has the
 * product on that day, or if the card declines the request.
 */
export function costOptionOf({ pricing }: RateOption): RateOption | undefined {
  const { facts, product } = pricing
  const listing = costsOn(facts.book, facts.date).get(product.terms.productId)
  if (listing === undefined) return undefined
  const cost = priceOption(openGroup(facts, listing.group), listing.product, undefined)
  return isDecline(cost) ? undefined : cost
}
