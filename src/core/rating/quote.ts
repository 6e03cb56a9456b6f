/**
 * The entry point of rating: prices a request with every product of the rate book.
 * Rules: docs/rate-cards.md; docs/rest-contract.md#rates. The steps in order: docs/architecture.md.
 */
import type { RateSource } from '../customs/data/exchange-rate.ts'
import type { BookCard, ProductGroup } from './book/book-card.ts'
import { addDays, type BookProduct, type QuotedProduct, type TransitTime } from './book/book-product.ts'
import type { ChargeableParcel } from './book/chargeable-weight.ts'
import { type Decline, declineOf, LANE_NOT_SERVED, NOT_ON_ACCOUNT, noExchangeRate } from './book/limits.ts'
import { cardsOn, cardVersionsOn, type RateBook, versionOn } from './book/rate-book.ts'
import { type AccountContracts, type AgreedTerms, contractOn } from './contract.ts'
import { type CardPrice, cardPriceOf, netEuroLines, netEuroSum, sumOfLines } from './price/card-price.ts'
import { type PricingCase, priceProduct } from './price/price.ts'
import type { PriceLine } from './price/price-line.ts'
import {
  exchangeOf,
  groupFactsOf,
  openRequestFacts,
  type RequestFacts,
  weighParcels,
  withServices,
} from './price/request-facts.ts'
import { type RateCardHead, versionText } from './rate-card.ts'
import type { RatesRequest } from './request.ts'
import { type Service, servicesIn } from './sender-service.ts'

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

export type DeclinedProduct = { readonly product: QuotedProduct; readonly decline: Decline }

/** Options are sorted by price, then by product id; declined products by product id. */
export type RateQuote = {
  readonly kind: 'RateQuote'
  /** The versions of the rate cards that apply: ["demo@1"]. */
  readonly rateCardVersions: readonly string[]
  readonly options: readonly RateOption[]
  readonly declined: readonly DeclinedProduct[]
}

const NO_RATES: RateSource = { exchangeRates: new Map() }

/**
 * Prices a request for a day ('YYYY-MM-DD'). List prices apply without an account, or if it has no contract. Products
 * of a card in a currency that `rateSource` has no recent rate of are declined.
 */
export function quote(
  book: RateBook,
  request: RatesRequest,
  date: string,
  accountId?: string,
  rateSource: RateSource = NO_RATES,
): RateQuote {
  const contracts = accountId === undefined ? undefined : book.contracts.get(accountId)
  const facts = openRequestFacts(book, request, date, rateSource)
  return contracts === undefined ? listQuote(book, facts) : contractQuote(book, facts, contracts)
}

function listQuote(book: RateBook, facts: RequestFacts): RateQuote {
  const options: RateOption[] = []
  const declined: DeclinedProduct[] = []
  const cards = cardsOn(book, facts.date)
  for (const { groups } of cards)
    for (const group of groups)
      for (const product of group.products) {
        const result = priceIn(facts, group, product, undefined)
        if (isDecline(result)) declined.push({ product: product.name, decline: result })
        else options.push(result)
      }
  return quoteOf(cardVersionsOn(book, facts.date), options, declined)
}

/** First the products for everyone, then those only in the cards of the contract. */
function contractQuote(book: RateBook, facts: RequestFacts, contracts: AccountContracts): RateQuote {
  const options: RateOption[] = []
  const declined: DeclinedProduct[] = []
  const { date } = facts
  const agreedCards = contractListings(book, contracts, date)
  const general = cardsOn(book, date)
  const versions = new Set(cardVersionsOn(book, date))
  const listedIds = new Set<number>()
  const add = (name: QuotedProduct, offer: Offer): void => {
    const result = priceOffer(facts, offer)
    if (offer.priced !== undefined) versions.add(versionText(offer.priced.group.card))
    if (isDecline(result)) declined.push({ product: name, decline: result })
    else options.push(result)
  }
  for (const { groups } of general)
    for (const group of groups)
      for (const product of group.products) {
        const { terms, name } = product
        if (agreedCards.size > 0) listedIds.add(terms.productId)
        const contract = contractOn(contracts, terms, date)
        const agreed = agreedCards.get(contract?.cardCode ?? '')?.get(terms.productId)
        const listed = { group, product }
        add(name, {
          priced: contract?.hidden === true ? undefined : (agreed ?? listed),
          listed,
          contract: contract && changesOffer(contract, agreed) ? contract : undefined,
        })
      }
  for (const [cardCode, listings] of agreedCards)
    for (const [productId, priced] of listings) {
      const { terms, name } = priced.product
      if (listedIds.has(productId)) continue
      const contract = contractOn(contracts, terms, date)
      if (contract?.cardCode !== cardCode) continue
      add(name, { priced: contract.hidden ? undefined : priced, listed: undefined, contract })
    }
  return quoteOf([...versions], options, declined)
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
  /** The listing that prices it; undefined if the contract hides the product. */
  readonly priced: Listing | undefined
  /** The listing in a card for everyone; undefined if only contract cards contain it. */
  readonly listed: Listing | undefined
  /** The terms of the contract; undefined if they change nothing. */
  readonly contract: AgreedTerms | undefined
}

/** False for terms that only point to a card without the product. */
function changesOffer({ freight, fuel, hidden }: AgreedTerms, agreed: Listing | undefined): boolean {
  return freight !== undefined || fuel !== undefined || hidden || agreed !== undefined
}

/** By product id. */
type Listings = ReadonlyMap<number, Listing>

/** Cards are immutable. */
const listingsOfCards = new WeakMap<BookCard, Listings>()

function listingsIn(card: BookCard): Listings {
  const known = listingsOfCards.get(card)
  if (known !== undefined) return known
  const listings = new Map<number, Listing>()
  for (const group of card.groups)
    for (const product of group.products) listings.set(product.terms.productId, { group, product })
  listingsOfCards.set(card, listings)
  return listings
}

/** The products in the contract cards of an account, by card code. */
function contractListings(
  book: RateBook,
  { cardCodes }: AccountContracts,
  date: string,
): ReadonlyMap<string, Listings> {
  const byCard = new Map<string, Listings>()
  for (const code of cardCodes) {
    const card = versionOn(book.contractCards.get(code) ?? [], date)
    if (card !== undefined) byCard.set(code, listingsIn(card))
  }
  return byCard
}

/** Prices an offer with its contract, and again without it for the list price. */
function priceOffer(facts: RequestFacts, { priced, listed, contract }: Offer): RateOption | Decline {
  if (priced === undefined) return NOT_ON_ACCOUNT
  const option = priceIn(facts, priced.group, priced.product, contract)
  if (isDecline(option) || listed === undefined || contract === undefined) return option
  const listPriceCents = listPriceOf(facts, listed, option)
  if (listPriceCents === undefined) return option
  const { product, card, priceCents, lines, transit, chargeable, pricing, cardPrice } = option
  // Written out, because spreading an object is several times slower.
  return { product, card, priceCents, listPriceCents, lines, transit, chargeable, pricing, cardPrice }
}

/** Undefined if the general card declines the request. */
function listPriceOf(facts: RequestFacts, listed: Listing, { pricing }: RateOption): number | undefined {
  if (listed.product === pricing.product) {
    const { product, zone, zoneNumber, shared, chargeable, rate } = pricing
    const atList = { product, zone, zoneNumber, facts, shared, chargeable, contract: undefined, rate }
    const lines = priceProduct(atList)
    return isLines(lines) ? netEuroSum(pricing, lines) : undefined
  }
  const atList = priceIn(facts, listed.group, listed.product, undefined)
  return isDecline(atList) ? undefined : atList.priceCents
}

function priceIn(
  facts: RequestFacts,
  group: ProductGroup,
  product: BookProduct,
  contract: AgreedTerms | undefined,
): RateOption | Decline {
  const exchange = exchangeOf(facts, group)
  const declined = declineOf(product.terms, group.carrier.insurance, facts, exchange)
  if (declined !== undefined) return declined
  const shared = groupFactsOf(facts, group)
  const { zoneNumber, laneName } = shared.route
  const zone = zoneNumber === undefined ? undefined : product.zones[zoneNumber]
  if (zoneNumber === undefined || zone === undefined) return LANE_NOT_SERVED
  if (exchange !== undefined && exchange.rate === undefined) return noExchangeRate(exchange.terms)
  const { services } = facts.request
  const charged =
    services === undefined ? shared : withServices(facts, shared, services, product.terms.productId)
  if ('code' in charged) return charged
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

/** The requests of a quote with one more service. The options of a quote share them. */
const factsWithService = new WeakMap<RequestFacts, Map<Service, RequestFacts>>()

/** The same product with one more service, for the same account. A decline if it cannot be added. */
export function withService({ pricing }: RateOption, service: Service): RateOption | Decline {
  const { facts, shared, product, contract } = pricing
  const known = factsWithService.get(facts) ?? new Map<Service, RequestFacts>()
  factsWithService.set(facts, known)
  const { book, request, date, rateSource } = facts
  const services = servicesIn([...(request.services ?? []), service])
  const added = known.get(service) ?? openRequestFacts(book, { ...request, services }, date, rateSource)
  known.set(service, added)
  return priceIn(added, shared.group, product, contract)
}

export function isDecline(result: RateOption | Decline): result is Decline {
  return 'code' in result
}

function isLines(result: readonly PriceLine[] | Decline): result is readonly PriceLine[] {
  return Array.isArray(result)
}
