/**
 * The entry point of rating: prices a request with every product of the rate book.
 * Rules: docs/rate-cards.md; docs/rest-contract.md#rates. The steps in order: docs/architecture.md.
 */
import type { RateSource } from '../customs/data/exchange-rate.ts'
import type { QuotedProduct } from './book/book-product.ts'
import { type Decline, LANE_NOT_SERVED, NOT_ON_ACCOUNT } from './book/limits.ts'
import {
  cardsOn,
  cardVersionsOn,
  costsOn,
  type Listing,
  type Listings,
  listingsIn,
  onlyBoughtOn,
  type RateBook,
  versionOn,
} from './book/rate-book.ts'
import { versionText } from './card-version.ts'
import { type AccountContracts, type AgreedTerms, contractOn } from './contract.ts'
import { hasMargin } from './margin.ts'
import { isDecline, isLines, priceOption, type RateOption } from './option.ts'
import { netEuroSum } from './price/card-price.ts'
import { priceProduct } from './price/price.ts'
import { openGroup, openRequestFacts, type RequestFacts } from './price/request-facts.ts'
import type { BookTerms } from './rate-card.ts'
import type { RatesRequest } from './request.ts'
import { priceSale, saleOf } from './sale.ts'
import { type Service, servicesIn } from './sender-service.ts'

export { isDecline, type RateOption } from './option.ts'

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
  const facts = openRequestFacts(book, request, date, rateSource)
  const contracts = accountId === undefined ? undefined : book.contracts.get(accountId)
  const hasMargins = accountId !== undefined && book.margins.byAccount.has(accountId)
  if (contracts === undefined && !hasMargins) return listQuote(book, facts)
  return contractQuote(book, facts, contracts ?? NO_CONTRACTS, hasMargins ? accountId : undefined)
}

const NO_CONTRACTS: AccountContracts = { byCarrier: new Map(), general: [], cardCodes: new Set() }

function listQuote(book: RateBook, facts: RequestFacts): RateQuote {
  const results = openResults(cardVersionsOn(book, facts.date))
  for (const { groups } of cardsOn(book, facts.date))
    for (const group of groups) {
      const open = openGroup(facts, group)
      for (const product of group.products)
        addResult(results, product.name, priceOption(open, product, undefined))
    }
  addSales(facts, results, undefined, () => 'SOLD')
  return quoteOf(results)
}

/** The options and declined products of a quote that is being made. `versions` is copied before it changes. */
type Results = {
  readonly options: RateOption[]
  readonly declined: DeclinedProduct[]
  versions: readonly string[]
}

function openResults(versions: readonly string[]): Results {
  return { options: [], declined: [], versions }
}

function addResult({ options, declined }: Results, name: QuotedProduct, result: RateOption | Decline): void {
  if (isDecline(result)) declined.push({ product: name, decline: result })
  else options.push(result)
}

/** First the products for everyone, then those only in the cards of the contract, then those sold at a margin. */
function contractQuote(
  book: RateBook,
  facts: RequestFacts,
  contracts: AccountContracts,
  accountId: string | undefined,
): RateQuote {
  const { date } = facts
  const agreedCards = contractListings(book, contracts, date)
  const results = openResults(cardVersionsOn(book, date))
  const listedIds = new Set<number>()
  const add = (name: QuotedProduct, offer: Offer): void => {
    const sale = offer.priced === undefined ? undefined : accountSale(facts, name.productId, accountId)
    const priced = sale ?? priceOffer(facts, offer)
    const card = isDecline(priced) ? offer.priced?.group.card : priced.card
    if (card !== undefined) addVersion(results, versionText(card))
    addResult(results, name, priced)
  }
  for (const { groups } of cardsOn(book, date))
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
  addSales(facts, results, accountId, (terms) => {
    const contract = contractOn(contracts, terms, date)
    if (agreedCards.get(contract?.cardCode ?? '')?.has(terms.productId) === true) return 'IN_CARD'
    return contract?.hidden === true ? 'HIDDEN' : 'SOLD'
  })
  return quoteOf(results)
}

function addVersion(results: Results, version: string): void {
  if (!results.versions.includes(version)) results.versions = [...results.versions, version]
}

/** The price of a product in a rate card by a margin that names the account; undefined if there is none. */
function accountSale(
  facts: RequestFacts,
  productId: number,
  accountId: string | undefined,
): RateOption | Decline | undefined {
  if (accountId === undefined) return undefined
  const listing = costsOn(facts.book, facts.date).get(productId)
  return listing && priceSale(facts, listing, { accountId, isAccountOnly: true })
}

/** How a product that only cost cards contain is offered: the contract may have a card with it, or hide it. */
type SaleStatus = 'SOLD' | 'HIDDEN' | 'IN_CARD'

/** Adds the products that only cost cards contain. Those without a margin are not mentioned. */
function addSales(
  facts: RequestFacts,
  results: Results,
  accountId: string | undefined,
  statusOf: (terms: BookTerms) => SaleStatus,
): void {
  const { book, date } = facts
  for (const listing of onlyBoughtOn(book, date)) {
    const { name, terms } = listing.product
    const status = statusOf(terms)
    if (status === 'IN_CARD' || !isSoldAtMargin(book, terms, accountId)) continue
    const sale =
      status === 'HIDDEN' ? NOT_ON_ACCOUNT : priceSale(facts, listing, { accountId, isAccountOnly: false })
    if (sale !== undefined && !isDecline(sale)) addVersion(results, versionText(sale.card))
    addResult(results, name, sale ?? LANE_NOT_SERVED)
  }
}

function isSoldAtMargin(
  { margins: { byAccount, forAll } }: RateBook,
  terms: BookTerms,
  accountId: string | undefined,
): boolean {
  const own = accountId === undefined ? undefined : byAccount.get(accountId)
  return hasMargin(forAll, terms) || (own !== undefined && hasMargin(own, terms))
}

function quoteOf({ versions, options, declined }: Results): RateQuote {
  options.sort((a, b) => a.priceCents - b.priceCents || a.product.productId - b.product.productId)
  // The products of a single card are usually sorted already.
  if (!isSortedById(declined)) declined.sort((a, b) => a.product.productId - b.product.productId)
  return { kind: 'RateQuote', rateCardVersions: versions, options, declined }
}

function isSortedById(products: readonly DeclinedProduct[]): boolean {
  let last = 0
  for (const { product } of products) {
    if (product.productId < last) return false
    last = product.productId
  }
  return true
}

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
function changesOffer(terms: AgreedTerms, agreed: Listing | undefined): boolean {
  const { freight, freightTable, surcharges, minimum, fuel, hidden } = terms
  return (
    hidden || [freight, freightTable, surcharges, minimum, fuel, agreed].some((term) => term !== undefined)
  )
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
  const option = priceOption(openGroup(facts, priced.group), priced.product, contract)
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
  const atList = priceOption(openGroup(facts, listed.group), listed.product, undefined)
  return isDecline(atList) ? undefined : atList.priceCents
}

/** The requests of a quote with one more service. The options of a quote share them. */
const factsWithService = new WeakMap<RequestFacts, Map<string, RequestFacts>>()

/**
 * The same product with one more service, in a slot if it is given, for the same account. A decline if it cannot be
 * added.
 */
export function withService(
  option: RateOption,
  { service, slot }: { readonly service: Service; readonly slot?: string },
): RateOption | Decline {
  const { pricing } = option
  const { facts, shared, product, contract } = pricing
  const known = factsWithService.get(facts) ?? new Map<string, RequestFacts>()
  factsWithService.set(facts, known)
  const { book, request, date, rateSource } = facts
  const services = servicesIn([...(request.services ?? []), service])
  const slots = { ...request.serviceInputs?.slots, ...(slot !== undefined && { [service]: slot }) }
  const inputs = slot === undefined ? {} : { serviceInputs: { ...request.serviceInputs, slots } }
  const key = `${service} ${slot ?? ''}`
  const added =
    known.get(key) ?? openRequestFacts(book, { ...request, services, ...inputs }, date, rateSource)
  known.set(key, added)
  const { group } = shared
  const sale = saleOf(option)
  if (sale === undefined) return priceOption(openGroup(added, group), product, contract)
  const { accountId, isAccountOnly } = sale
  return priceSale(added, { group, product }, { accountId, isAccountOnly }) ?? LANE_NOT_SERVED
}
