/**
 * The rate book: all published rate cards in memory, with fuel percentages, capitals and contracts. The object is
 * immutable and replaced as a whole, so that quoting needs no database. See docs/architecture.md#a-new-rate-card.
 */
import { groupBy } from '../../group-by.ts'
import { isInForce, latestOn } from '../../validity.ts'
import { versionText } from '../card-version.ts'
import { type AccountContracts, type ContractRow, compileContracts, type TurnoverRow } from '../contract.ts'
import type { FuelInForce } from '../fuel/fuel-table.ts'
import { compileMargins, hasMargin, type MarginBook, type MarginRow } from '../margin.ts'
import type { CapitalRow, CarrierRow } from '../rate-card.ts'
import { type BookCard, type ProductGroup, productsIn } from './book-card.ts'
import type { BookProduct } from './book-product.ts'
import { type CapitalTable, compileCapitals } from './route.ts'

export type RateBook = {
  /** `rate_book.revision` in the database; rises with every change of cards, fuel or contracts. */
  readonly revision: number
  /** The first day that can be priced, 'YYYY-MM-DD'. Versions that apply only on earlier days are left out. */
  readonly since: string
  /** The carriers that have products for sale, sorted by name. */
  readonly carriers: readonly CarrierRow[]
  /** Names of connectors by carrier code. Includes carriers that only have old shipments and no products. */
  readonly connectors: ReadonlyMap<string, string>
  /** The products of the cards for everyone, and those that are sold to everyone at a margin, sorted by id. */
  readonly products: readonly {
    readonly productId: number
    readonly name: string
    readonly carrierCode: string
  }[]
  /** The versions of each card for everyone, newest first; cards are sorted by code. */
  readonly cards: readonly (readonly BookCard[])[]
  /** The versions of each contract-only card, newest first, by code. */
  readonly contractCards: ReadonlyMap<string, readonly BookCard[]>
  /** The versions of each cost card, newest first; cards are sorted by code. Nobody else may read their prices. */
  readonly costCards: readonly (readonly BookCard[])[]
  readonly margins: MarginBook
  /** By account. */
  readonly contracts: ReadonlyMap<string, AccountContracts>
  readonly capitals: CapitalTable
  /** By carrier, then by code, newest first. */
  readonly fuel: ReadonlyMap<string, ReadonlyMap<string, readonly FuelInForce[]>>
}

export type RateBookSources = {
  readonly revision: number
  readonly since: string
  readonly carriers: readonly CarrierRow[]
  readonly cards: readonly BookCard[]
  readonly fuel: readonly FuelInForce[]
  readonly capitals: readonly CapitalRow[]
  readonly contracts: readonly ContractRow[]
  readonly turnovers?: readonly TurnoverRow[]
  readonly margins?: readonly MarginRow[]
}

/** Throws if two cards for everyone, or two cost cards, contain the same product on the same day. */
export function compileRateBook({
  revision,
  since,
  carriers,
  cards,
  fuel,
  capitals,
  contracts,
  turnovers,
  margins: marginRows = [],
}: RateBookSources): RateBook {
  const newestFirst = [...cards].sort((a, b) =>
    a.code < b.code ? -1 : a.code > b.code ? 1 : b.versionNo - a.versionNo,
  )
  const versionsFor = (audience: BookCard['audience']): Map<string, BookCard[]> =>
    groupBy(
      newestFirst.filter((card) => card.audience === audience),
      ({ code }) => code,
    )
  const forEveryone = [...versionsFor('everyone').values()]
  const costCards = [...versionsFor('cost').values()]
  refuseSharedProducts(forEveryone)
  refuseSharedProducts(costCards)
  const margins = compileMargins(marginRows)
  const carriersWithProducts = new Set(
    cards.flatMap((card) => soldIn(card, margins)).map(({ carrierCode }) => carrierCode),
  )
  return {
    revision,
    since,
    connectors: new Map(carriers.map(({ code, connector }) => [code, connector])),
    carriers: carriers
      .filter(({ code }) => carriersWithProducts.has(code))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    products: productsOf([
      ...forEveryone.flat().map((card) => productsFrom(card)),
      ...costCards.flat().map((card) => productsFrom(card, (terms) => hasMargin(margins.forAll, terms))),
    ]),
    cards: forEveryone,
    contractCards: versionsFor('contract'),
    costCards,
    margins,
    contracts: compileContracts(contracts, termsIn(cards), turnovers),
    capitals: compileCapitals(capitals),
    fuel: compileFuel(fuel),
  }
}

/** The book with these contracts instead of its own. */
export function withContracts(
  book: RateBook,
  contracts: readonly ContractRow[],
  turnovers: readonly TurnoverRow[] = [],
): RateBook {
  const cards = [...book.cards, ...book.contractCards.values(), ...book.costCards].flat()
  return { ...book, contracts: compileContracts(contracts, termsIn(cards), turnovers) }
}

/** The book with these margins instead of its own. Its lists of carriers and products do not change. */
export function withMargins(book: RateBook, margins: readonly MarginRow[]): RateBook {
  return { ...book, margins: compileMargins(margins) }
}

function termsIn(cards: readonly BookCard[]): BookProduct['terms'][] {
  return cards.flatMap(productsIn).map(({ terms }) => terms)
}

function compileFuel(rates: readonly FuelInForce[]): RateBook['fuel'] {
  const newestFirst = [...rates].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
  const byCarrier = groupBy(newestFirst, ({ carrierCode }) => carrierCode)
  return new Map(
    [...byCarrier].map(([carrierCode, rows]) => [carrierCode, groupBy(rows, ({ code }) => code)]),
  )
}

/**
 * It is enough to check the first and last days of versions, because the applicable cards change only on these days.
 */
function refuseSharedProducts(cards: readonly (readonly BookCard[])[]): void {
  const days = new Set(cards.flat().flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? validFrom]))
  for (const day of days) {
    const sellers = new Map<number, string>()
    for (const versions of cards) {
      const card = versionOn(versions, day)
      for (const { terms } of card === undefined ? [] : productsIn(card)) {
        const other = sellers.get(terms.productId)
        if (other !== undefined)
          throw new Error(
            `product ${terms.productId} is in two rate cards on ${day}, ${other} and ${card!.code}`,
          )
        sellers.set(terms.productId, card!.code)
      }
    }
  }
}

/** The products of cost cards that margins of an account could sell to it. */
export function accountSales(book: RateBook, accountId: string | undefined): readonly BookProduct['terms'][] {
  const own = accountId === undefined ? undefined : book.margins.byAccount.get(accountId)
  return own === undefined ? [] : termsIn(book.costCards.flat()).filter((terms) => hasMargin(own, terms))
}

type CardProducts = { readonly validFrom: string; readonly products: readonly BookProduct['terms'][] }

/** The products of a card that are sold. */
function productsFrom(
  card: BookCard,
  isSold: (terms: BookProduct['terms']) => boolean = () => true,
): CardProducts {
  return { validFrom: card.validFrom, products: termsIn([card]).filter(isSold) }
}

/**
 * Every product once, sorted by id, with name and carrier from the newest version that contains it. Of versions with
 * the same first day, the first one counts.
 */
function productsOf(cards: readonly CardProducts[]): RateBook['products'] {
  const newestFirst = [...cards].sort((a, b) =>
    a.validFrom === b.validFrom ? 0 : a.validFrom < b.validFrom ? 1 : -1,
  )
  const byId = new Map<number, RateBook['products'][number]>()
  for (const { productId, name, carrierCode } of newestFirst.flatMap(({ products }) => products))
    if (!byId.has(productId)) byId.set(productId, { productId, name, carrierCode })
  return [...byId.values()].sort((a, b) => a.productId - b.productId)
}

/** The version of a card that applies on a day: the newest valid one. `versions` are sorted newest first. */
export function versionOn(versions: readonly BookCard[], date: string): BookCard | undefined {
  return versions.find((version) => isInForce(version, date))
}

/** The number of rate cards that sell products on a day: for everyone, by contract, or at a margin on the cost. */
export function countCardsOn(book: RateBook, date: string): number {
  const all = [...book.cards, ...book.contractCards.values(), ...book.costCards]
  const inForce = all.flatMap((versions) => versionOn(versions, date) ?? [])
  return inForce.filter((card) => soldIn(card, book.margins).length > 0).length
}

/** The products of a card that are sold to anybody. Those of a cost card need a margin. */
function soldIn(card: BookCard, { forAll, byAccount }: MarginBook): readonly BookProduct['terms'][] {
  const products = termsIn([card])
  if (card.audience !== 'cost') return products
  const scopes = [forAll, ...byAccount.values()]
  return products.filter((terms) => scopes.some((scope) => hasMargin(scope, terms)))
}

/** The applicable version of each card for everyone. */
export function cardsOn(book: RateBook, date: string): readonly BookCard[] {
  return cardsOfDay(book, date).cards
}

/** Their names: ["demo@1"]. */
export function cardVersionsOn(book: RateBook, date: string): readonly string[] {
  return cardsOfDay(book, date).versions
}

/** A product in a card. */
export type Listing = { readonly group: ProductGroup; readonly product: BookProduct }

/** By product id. */
export type Listings = ReadonlyMap<number, Listing>

/** Cards are immutable. */
const listingsOfCards = new WeakMap<BookCard, Listings>()

export function listingsIn(card: BookCard): Listings {
  const known = listingsOfCards.get(card)
  if (known !== undefined) return known
  const listings = new Map<number, Listing>()
  for (const group of card.groups)
    for (const product of group.products) listings.set(product.terms.productId, { group, product })
  listingsOfCards.set(card, listings)
  return listings
}

/** The products of the cost cards that apply on a day. */
export function costsOn(book: RateBook, date: string): Listings {
  return cardsOfDay(book, date).costs
}

/** Those that no card for everyone contains. */
export function onlyBoughtOn(book: RateBook, date: string): readonly Listing[] {
  return cardsOfDay(book, date).onlyBought
}

type CardsOfDay = {
  readonly date: string
  readonly cards: readonly BookCard[]
  readonly versions: readonly string[]
  readonly costs: Listings
  readonly onlyBought: readonly Listing[]
}

/** Most requests are priced for the same day. */
const latestCards = new WeakMap<RateBook, CardsOfDay>()

function cardsOfDay(book: RateBook, date: string): CardsOfDay {
  const latest = latestCards.get(book)
  if (latest?.date === date) return latest
  const cards = book.cards.flatMap((versions) => versionOn(versions, date) ?? [])
  const costCards = book.costCards.flatMap((versions) => versionOn(versions, date) ?? [])
  const costs = new Map(costCards.flatMap((card) => [...listingsIn(card)]))
  const onlyBought = [...costs.values()].filter(
    ({ product }) => !cards.some((card) => listingsIn(card).has(product.terms.productId)),
  )
  const found = { date, cards, versions: cards.map(versionText), costs, onlyBought }
  latestCards.set(book, found)
  return found
}

/** The fuel figure of a carrier and surcharge code on a day; undefined if there is none. */
export function fuelRateOn(
  book: RateBook,
  carrierCode: string,
  code: string,
  date: string,
): FuelInForce | undefined {
  return latestOn(book.fuel.get(carrierCode)?.get(code) ?? [], date)
}
