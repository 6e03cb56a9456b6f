/**
 * Upper bounds for the sizes of the lists that one rates request of an account can return. They are counted in the rate
 * book, over all days, once per book.
 */
import { groupBy } from '../../core/group-by.ts'
import { type BookCard, type ProductGroup, productsIn } from '../../core/rating/book/book-card.ts'
import type { BookProduct } from '../../core/rating/book/book-product.ts'
import type { RateBook } from '../../core/rating/book/rate-book.ts'
import type { PricingBasis } from '../../core/rating/rate-card.ts'
import type { ParcelType } from '../../core/rating/request.ts'

export type BookBounds = {
  readonly carriers: number
  /** The highest number of products of one carrier. */
  readonly productsOfCarrier: number
  /** Products that a quote offers or declines. */
  readonly products: number
  /** For all options of a parcel type together. The values per option are averages. */
  readonly byParcelType: Readonly<Record<ParcelType, QuoteBounds>>
  /** For a single option: the maximum over all products. */
  readonly anyOption: QuoteBounds
}

export type QuoteBounds = {
  readonly options: number
  /** Lines per option: freight, contract, insurance, and all surcharges of the product. */
  readonly lines: number
  /** Inputs of all rules of an option, without those that depend on the parcel rows. */
  readonly ruleInputs: number
  /** Additional inputs of all rules of an option, per parcel row. */
  readonly ruleInputsPerRow: number
}

const cache = new WeakMap<RateBook, Map<string, BookBounds>>()

/** The cache key of all accounts without contracts. Account ids are never empty. */
const NO_CONTRACTS = ''

/** Includes the contract cards of the account. */
export function boundsFor(book: RateBook, accountId: string): BookBounds {
  const key = book.contracts.has(accountId) ? accountId : NO_CONTRACTS
  const boundsByKey = cache.get(book) ?? new Map<string, BookBounds>()
  cache.set(book, boundsByKey)
  const bounds = boundsByKey.get(key) ?? calculateBounds(book, key)
  boundsByKey.set(key, bounds)
  return bounds
}

function calculateBounds(book: RateBook, accountId: string): BookBounds {
  const contractCodes = [...(book.contracts.get(accountId)?.cardCodes ?? [])]
  const cards = [...book.cards, ...contractCodes.map((code) => book.contractCards.get(code) ?? [])]
  const products = cards.flat().flatMap(groupedProducts)
  return {
    carriers: book.carriers.length,
    productsOfCarrier: maxOf([...productIdsByCarrier(products).values()], ({ size }) => size),
    products: sumOf(cards, (versions) => maxOf(versions, (version) => productsIn(version).length)),
    byParcelType: {
      NONDOC: boundsOfType(cards, 'NONDOC'),
      DOC: boundsOfType(cards, 'DOC'),
      PALLET: boundsOfType(cards, 'PALLET'),
    },
    anyOption: {
      options: 1,
      lines: maxOf(products, countLines),
      ruleInputs: maxOf(products, countInputs),
      ruleInputsPerRow: maxOf(products, countInputsPerRow),
    },
  }
}

function productIdsByCarrier(products: readonly GroupedProduct[]): ReadonlyMap<string, ReadonlySet<number>> {
  const byCarrier = groupBy(products, ({ product }) => product.terms.carrierCode)
  return new Map(
    [...byCarrier].map(([code, grouped]) => [
      code,
      new Set(grouped.map(({ product }) => product.terms.productId)),
    ]),
  )
}

type GroupedProduct = { readonly group: ProductGroup; readonly product: BookProduct }

function groupedProducts({ groups }: BookCard): readonly GroupedProduct[] {
  return groups.flatMap((group) => group.products.map((product) => ({ group, product })))
}

/** On any day, one version of each card applies, so a card contributes the maximum over its versions. */
function boundsOfType(cards: readonly (readonly BookCard[])[], type: ParcelType): QuoteBounds {
  const carriesType = ({ product }: GroupedProduct): boolean => product.terms.parcelType === type
  const total = (count: (product: GroupedProduct) => number): number =>
    sumOf(cards, (versions) =>
      maxOf(versions, (version) => sumOf(groupedProducts(version).filter(carriesType), count)),
    )
  const options = total(() => 1)
  const divisor = Math.max(1, options)
  return {
    options,
    lines: total(countLines) / divisor,
    ruleInputs: total(countInputs) / divisor,
    ruleInputsPerRow: total(countInputsPerRow) / divisor,
  }
}

/** Freight, contract and insurance. */
const OTHER_LINES = 3

// Inputs of a rule without those of parcel rows; see core/rating/explain/explain.ts.

const FREIGHT_INPUTS = 20
/** Contract and insurance together. */
const OTHER_INPUTS = 8
/** Without the lines that a percentage is calculated on. */
const SURCHARGE_INPUTS = 8

/** Inputs that a parcel row adds to the freight rule (core/rating/explain/freight.ts). */
const FREIGHT_INPUTS_PER_ROW: Readonly<Record<PricingBasis, number>> = {
  shipment: 6,
  'per-100kg': 6,
  parcel: 11,
  'pallet-class': 7,
}

/** One row per surcharge code, because rows with the same code apply at different times. */
function surchargesFor({ group }: GroupedProduct) {
  return [...new Map(group.surcharges.map((surcharge) => [surcharge.code, surcharge])).values()]
}

function countLines(product: GroupedProduct): number {
  return OTHER_LINES + surchargesFor(product).length
}

function countInputs(product: GroupedProduct): number {
  const lines = countLines(product)
  return (
    FREIGHT_INPUTS +
    OTHER_INPUTS +
    sumOf(surchargesFor(product), ({ method }) =>
      method === 'pct' || method === 'fuel' ? SURCHARGE_INPUTS + lines : SURCHARGE_INPUTS,
    )
  )
}

function countInputsPerRow(grouped: GroupedProduct): number {
  return (
    FREIGHT_INPUTS_PER_ROW[grouped.product.terms.pricingBasis] +
    // Surcharges per kilogram list weight and units of each row; surcharges per unit list the units.
    sumOf(surchargesFor(grouped), ({ method, per }) => (method === 'per_kg' ? 2 : per === 'unit' ? 1 : 0))
  )
}

function maxOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((highest, item) => Math.max(highest, count(item)), 0)
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0)
}
