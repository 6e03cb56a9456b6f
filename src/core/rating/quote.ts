/**
 * The answer to a rates request: which products are offered at which price, and why the others are not.
 * Source: specification 2.3, 2.4 and 4.1.
 */
import { addDays, type BookProduct, type QuotedProduct, type TransitTime } from './book/book-product.ts'
import type { ChargeableParcel } from './book/chargeable-weight.ts'
import { type Decline, declineOf, LANE_NOT_SERVED, NOT_ON_ACCOUNT } from './book/limits.ts'
import { cardsOn, type RateBook } from './book/rate-book.ts'
import type { AccountContracts, ContractRow } from './contract.ts'
import { type Offer, offersOf } from './offer.ts'
import { type PricingCase, priceProduct } from './price/price.ts'
import type { PriceLine } from './price/price-line.ts'
import {
  computeGroupFacts,
  type GroupFacts,
  groupFactsOf,
  openRequestFacts,
  type RequestFacts,
  weighParcels,
} from './price/request-facts.ts'
import { type RateCardHead, versionText } from './rate-card.ts'
import type { RatesRequest } from './request.ts'

/** A product at its price. `priceCents` is exactly the sum of `lines`; euro, excluding VAT. */
export type RateOption = {
  readonly product: QuotedProduct
  /** The version of the rate card that priced it. */
  readonly card: RateCardHead
  readonly priceCents: number
  /** The price without the account's contract; present where one applies and the general card has the product. */
  readonly listPriceCents?: number
  readonly lines: readonly PriceLine[]
  readonly transit: TransitTime
  readonly chargeable: readonly ChargeableParcel[]
  /** What the price was worked out from, for its explanation. */
  readonly pricing: PricingCase
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

/**
 * Prices a request on a day ('YYYY-MM-DD') with every product of the book, for an account by its contracts. Pure;
 * touches nothing outside. Without an account: the list prices.
 */
export function quote(book: RateBook, request: RatesRequest, date: string, accountId?: string): RateQuote {
  const contracts = accountId === undefined ? undefined : book.contracts.get(accountId)
  const facts = openRequestFacts(book, request, date)
  return contracts === undefined ? listQuote(book, facts) : contractQuote(book, facts, contracts)
}

function listQuote(book: RateBook, facts: RequestFacts): RateQuote {
  const options: RateOption[] = []
  const declined: DeclinedProduct[] = []
  const cards = cardsOn(book, facts.date)
  for (const { groups } of cards)
    for (const group of groups) {
      const shared = computeGroupFacts(facts, group)
      for (const product of group.products) {
        const result = priceIn(facts, shared, product, undefined)
        if (isDecline(result)) declined.push({ product: product.name, decline: result })
        else options.push(result)
      }
    }
  return quoteOf(cards.map(versionText), options, declined)
}

function contractQuote(book: RateBook, facts: RequestFacts, contracts: AccountContracts): RateQuote {
  const options: RateOption[] = []
  const declined: DeclinedProduct[] = []
  const cards = new Set(cardsOn(book, facts.date).map(versionText))
  for (const offer of offersOf(book, contracts, facts.date)) {
    const result = priceOffer(facts, offer)
    if (offer.priced !== undefined) cards.add(versionText(offer.priced.group.card))
    if (isDecline(result)) declined.push({ product: offer.name, decline: result })
    else options.push(result)
  }
  return quoteOf([...cards], options, declined)
}

function quoteOf(versions: readonly string[], options: RateOption[], declined: DeclinedProduct[]): RateQuote {
  options.sort((a, b) => a.priceCents - b.priceCents || a.product.productId - b.product.productId)
  // One card has its products in order already, as a rule.
  if (!isById(declined)) declined.sort((a, b) => a.product.productId - b.product.productId)
  return { kind: 'RateQuote', tariffVersion: versions.join(' '), options, declined }
}

function isById(products: readonly DeclinedProduct[]): boolean {
  let last = 0
  for (const { product } of products) {
    if (product.productId < last) return false
    last = product.productId
  }
  return true
}

/** Prices an offer by its contract, and beside it as listed. */
function priceOffer(facts: RequestFacts, { priced, listed, contract }: Offer): RateOption | Decline {
  if (priced === undefined) return NOT_ON_ACCOUNT
  const option = priceIn(facts, groupFactsOf(facts, priced.group), priced.product, contract)
  if (isDecline(option) || listed === undefined || contract === undefined) return option
  const atList = priceIn(facts, groupFactsOf(facts, listed.group), listed.product, undefined)
  return isDecline(atList) ? option : { ...option, listPriceCents: atList.priceCents }
}

function priceIn(
  facts: RequestFacts,
  shared: GroupFacts,
  product: BookProduct,
  contract: ContractRow | undefined,
): RateOption | Decline {
  const { group, route } = shared
  const { zoneNumber, laneName } = route
  const declined = declineOf(product.terms, group.carrier.insurance, facts.request, facts.extremes)
  if (declined !== undefined) return declined
  const zone = zoneNumber === undefined ? undefined : product.zones[zoneNumber]
  if (zoneNumber === undefined || zone === undefined) return LANE_NOT_SERVED
  const chargeable = weighParcels(facts, product.weighing)
  const pricing: PricingCase = { product, zone, zoneNumber, facts, shared, chargeable, contract }
  const lines = priceProduct(pricing)
  if (!isLines(lines)) return lines
  const laneDays = product.laneTransit.size === 0 ? undefined : product.laneTransit.get(laneName)
  return {
    product: product.name,
    card: group.card,
    priceCents: sumOf(lines),
    lines,
    transit: addDays(laneDays ?? zone.transit, shared.extraDays),
    chargeable,
    pricing,
  }
}

function sumOf(lines: readonly PriceLine[]): number {
  let cents = 0
  for (const { amountCents } of lines) cents += amountCents
  return cents
}

function isDecline(result: RateOption | Decline): result is Decline {
  return (result as Decline).code !== undefined
}

function isLines(result: readonly PriceLine[] | Decline): result is readonly PriceLine[] {
  return Array.isArray(result)
}
