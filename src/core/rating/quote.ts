/**
 * The entry point of rating: prices a request with every product of the rate book.
 * Rules: docs/rate-cards.md; docs/rest-contract.md#rates. The steps in order: docs/architecture.md.
 */
import type { BookCard, ProductGroup } from './book/book-card.ts'
import { addDays, type BookProduct, type QuotedProduct, type TransitTime } from './book/book-product.ts'
import type { ChargeableParcel } from './book/chargeable-weight.ts'
import { type Decline, declineOf, LANE_NOT_SERVED, NOT_ON_ACCOUNT } from './book/limits.ts'
import { cardsOn, type RateBook, versionOn } from './book/rate-book.ts'
import { type AccountContracts, type ContractRow, contractOn } from './contract.ts'
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
}

export type DeclinedProduct = { readonly product: QuotedProduct; readonly decline: Decline }

/** Options are sorted by price, then by product id; declined products by product id. */
export type RateQuote = {
  readonly kind: 'RateQuote'
  /** The versions of the rate cards that apply: ["demo@1"]. */
  readonly rateCardVersions: readonly string[]
  readonly options: readonly RateOption[]
  readonly declined: readonly DeclinedProduct[]
}

/** Prices a request for a day ('YYYY-MM-DD'). List prices apply without an account, or if it has no contract. */
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
  for (const offer of offersTo(contracts, book, facts.date)) {
    const result = priceOffer(facts, offer)
    if (offer.priced !== undefined) cards.add(versionText(offer.priced.group.card))
    if (isDecline(result)) declined.push({ product: offer.name, decline: result })
    else options.push(result)
  }
  return quoteOf([...cards], options, declined)
}

function quoteOf(
  rateCardVersions: readonly string[],
  options: RateOption[],
  declined: DeclinedProduct[],
): RateQuote {
  options.sort((a, b) => a.priceCents - b.priceCents || a.product.productId - b.product.productId)
  // The products of a single card are usually sorted already.
  if (!isSortedById(declined)) declined.sort((a, b) => a.product.productId - b.product.productId)
  return { kind: 'RateQuote', rateCardVersions, options, declined }
}

function isSortedById(products: readonly DeclinedProduct[]): boolean {
  let last = 0
  for (const { product } of products) {
    if (product.productId < last) return false
    last = product.productId
  }
  return true
}

/** A product in a card. */
type Listing = { readonly group: ProductGroup; readonly product: BookProduct }

/** A product as it is offered to an account with a contract. */
type Offer = {
  readonly name: QuotedProduct
  /** The listing that prices it; undefined if the contract hides the product. */
  readonly priced: Listing | undefined
  /** The listing in a card for everyone; undefined if only contract cards contain it. */
  readonly listed: Listing | undefined
  /** The contract row that applies; undefined if it changes nothing. */
  readonly contract: ContractRow | undefined
}

/** The offers to an account: first the products for everyone, then those only in the cards of its contract. */
function offersTo(contracts: AccountContracts, book: RateBook, date: string): readonly Offer[] {
  const contractCards = contractListings(book, contracts, date)
  const offers: Offer[] = []
  const listedIds = new Set<number>()
  for (const listed of listingsIn(cardsOn(book, date))) {
    const { terms, name } = listed.product
    listedIds.add(terms.productId)
    const contract = contractOn(contracts, terms, date)
    const agreed = contractCards.get(contract?.cardCode ?? '')?.get(terms.productId)
    offers.push({
      name,
      priced: contract?.hidden === true ? undefined : (agreed ?? listed),
      listed,
      contract: contract && changesOffer(contract, agreed) ? contract : undefined,
    })
  }
  for (const [cardCode, listings] of contractCards)
    for (const [productId, priced] of listings) {
      const { terms, name } = priced.product
      if (listedIds.has(productId)) continue
      const contract = contractOn(contracts, terms, date)
      if (contract?.cardCode !== cardCode) continue
      offers.push({ name, priced: contract.hidden ? undefined : priced, listed: undefined, contract })
    }
  return offers
}

/** False for a row that only points to a card without the product. */
function changesOffer({ freightBps, fuelBps, hidden }: ContractRow, agreed: Listing | undefined): boolean {
  return freightBps !== 0 || fuelBps !== 0 || hidden || agreed !== undefined
}

function* listingsIn(cards: readonly BookCard[]): Generator<Listing> {
  for (const { groups } of cards)
    for (const group of groups) for (const product of group.products) yield { group, product }
}

/** The products in the contract cards of an account, by card code and product id. */
function contractListings(
  book: RateBook,
  { cardCodes }: AccountContracts,
  date: string,
): ReadonlyMap<string, ReadonlyMap<number, Listing>> {
  const byCard = new Map<string, ReadonlyMap<number, Listing>>()
  for (const code of cardCodes) {
    const card = versionOn(book.contractCards.get(code) ?? [], date)
    if (card === undefined) continue
    byCard.set(
      code,
      new Map([...listingsIn([card])].map((listing) => [listing.product.terms.productId, listing])),
    )
  }
  return byCard
}

/** Prices an offer with its contract, and again without it for the list price. */
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
