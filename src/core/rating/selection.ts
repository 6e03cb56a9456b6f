/**
 * Filter, order and badges of the options of a quote, and the validation of filter and order. A selection only leaves
 * out and sorts options; it never changes their prices. Rules: docs/graphql.md#explained-prices;
 * docs/graphql.md#explained-prices; and `RateFilter`, `RateSort` and `RateBadge` in schema/rates.graphql.
 */
import { isAbsent, note, type ProblemList, readNumber, readOneOf } from '../input.ts'
import type { FieldPath, FieldProblem } from '../problem.ts'
import { productsIn } from './book/book-card.ts'
import { accountSales, type RateBook } from './book/rate-book.ts'
import type { RateOption, RateQuote } from './quote.ts'
import type { ProductTerms } from './rate-card.ts'

/** VALUE sorts by the sum of relative price and relative transit time. */
export type RateSort = 'PRICE' | 'TRANSIT' | 'VALUE'

/** Bounds are inclusive; an absent condition is not checked. */
export type RateFilter = {
  readonly carrierCodes?: ReadonlySet<string>
  readonly productIds?: ReadonlySet<number>
  readonly maxPriceCents?: number
  /** Compared with the longest transit time of an option. */
  readonly maxTransitDays?: number
}

export type Selection = { readonly filter: RateFilter; readonly sort: RateSort }

const NO_FILTER: RateFilter = {}
const ALL_BY_PRICE: Selection = { filter: NO_FILTER, sort: 'PRICE' }

/** `filteredOut` is the number of options that the filter left out. */
export type SelectedQuote = RateQuote & { readonly filteredOut: number }

/** Applies a selection to a quote. Declined products are not filtered. */
export function selectFrom(quote: RateQuote, { filter, sort }: Selection): SelectedQuote {
  const { kind, rateCardVersions, declined } = quote
  const shown =
    filter === NO_FILTER ? quote.options : quote.options.filter((option) => passes(option, filter))
  // The options of a quote are already sorted by price.
  const options = sort === 'PRICE' ? shown : [...shown].sort(orderBy(sort, shown))
  // Written out, because spreading an object is several times slower.
  return { kind, rateCardVersions, options, declined, filteredOut: quote.options.length - options.length }
}

function passes(
  { product, priceCents, transit }: RateOption,
  { carrierCodes, productIds, maxPriceCents, maxTransitDays }: RateFilter,
): boolean {
  if (carrierCodes !== undefined && !carrierCodes.has(product.carrierCode)) return false
  if (productIds !== undefined && !productIds.has(product.productId)) return false
  if (maxPriceCents !== undefined && priceCents > maxPriceCents) return false
  return maxTransitDays === undefined || transit.maxDays <= maxTransitDays
}

export type OptionOrder = (a: RateOption, b: RateOption) => number

/**
 * Returns the comparison function for a sort of `options`. Ties are broken by price, then by product id.
 *
 * VALUE compares `price / cheapest + days / fastest`. Multiplied by `cheapest × fastest`, this is a sum of integers
 * far below 2^53.
 */
export function orderBy(sort: RateSort, options: readonly RateOption[]): OptionOrder {
  switch (sort) {
    case 'PRICE':
      return byPrice
    case 'TRANSIT':
      return (a, b) =>
        a.transit.maxDays - b.transit.maxDays || a.transit.minDays - b.transit.minDays || byPrice(a, b)
    case 'VALUE': {
      const cheapestCents = Math.min(...options.map(({ priceCents }) => priceCents))
      const fastestDays = Math.min(...options.map(countedDays))
      const costOf = (option: RateOption): number =>
        option.priceCents * fastestDays + countedDays(option) * cheapestCents
      return (a, b) => costOf(a) - costOf(b) || byPrice(a, b)
    }
  }
}

function byPrice(a: RateOption, b: RateOption): number {
  return a.priceCents - b.priceCents || a.product.productId - b.product.productId
}

/** Delivery on the day of dispatch counts as one day, because `fastest` must not be 0. */
function countedDays({ transit }: RateOption): number {
  return Math.max(transit.maxDays, 1)
}

const SORTS = ['PRICE', 'TRANSIT', 'VALUE'] as const

export type SelectionInput = {
  readonly filter?: FilterInput | null | undefined
  readonly sort?: unknown
}

export type FilterInput = {
  readonly carriers?: unknown
  readonly products?: unknown
  readonly maxPrice?: unknown
  readonly maxTransitDays?: unknown
}

/** The limits of price and transit time are far above those of any option. */
const FILTER_LIMITS = { entries: 100, priceEuro: 1_000_000_000, transitDays: 1_000 } as const

/** The carriers and products that a filter can name. */
export type Catalogue = {
  hasCarrier(code: string): boolean
  hasProduct(productId: number): boolean
}

/**
 * The catalogue of an account: the carriers and products of the cards for everyone, of the cards that its contract
 * points to, and those sold to it at a margin. It does not contain those of other contracts. Without an account, those
 * for everyone.
 */
export function catalogueFor(book: RateBook, accountId: string | undefined): Catalogue {
  type Sold = Pick<ProductTerms, 'productId' | 'carrierCode'>
  const contracts = accountId === undefined ? undefined : book.contracts.get(accountId)
  const isSold = (matches: (product: Sold) => boolean): boolean =>
    book.products.some(matches) ||
    [...(contracts?.cardCodes ?? [])]
      .flatMap((cardCode) => book.contractCards.get(cardCode) ?? [])
      .some((card) => productsIn(card).some(({ terms }) => matches(terms))) ||
    accountSales(book, accountId).some(matches)
  return {
    hasCarrier: (code) => isSold(({ carrierCode }) => carrierCode === code),
    hasProduct: (id) => isSold(({ productId }) => productId === id),
  }
}

/**
 * Validates a selection and notes its faults in `problems`. Use the result only if there are none. An unknown carrier
 * or product is a fault, so that a misspelt name is not mistaken for an empty result.
 */
export function readSelection(
  problems: ProblemList,
  { filter, sort }: SelectionInput,
  catalogue: Catalogue,
): Selection {
  if (isAbsent(filter) && isAbsent(sort)) return ALL_BY_PRICE
  const { carriers, products, maxPrice, maxTransitDays } = filter ?? {}
  const { priceEuro, transitDays } = FILTER_LIMITS
  const carrierCodes = readNames(problems, ['filter', 'carriers'], carriers, {
    what: 'carrier',
    read: (name) => (catalogue.hasCarrier(name) ? name : undefined),
  })
  const productIds = readNames(problems, ['filter', 'products'], products, {
    what: 'product',
    read: (name) => {
      const productId = /^\d{1,9}$/.test(name) ? Number(name) : undefined
      return productId !== undefined && catalogue.hasProduct(productId) ? productId : undefined
    },
  })
  const price = { places: 2, min: 0, max: priceEuro }
  const maxPriceCents = readNumber(problems, ['filter', 'maxPrice'], maxPrice, price)
  const days = { places: 0, min: 0, max: transitDays }
  const maxDays = readNumber(problems, ['filter', 'maxTransitDays'], maxTransitDays, days)
  return {
    filter: {
      ...(carrierCodes !== undefined && { carrierCodes }),
      ...(productIds !== undefined && { productIds }),
      ...(maxPriceCents !== undefined && { maxPriceCents }),
      ...(maxDays !== undefined && { maxTransitDays: maxDays }),
    },
    sort: readOneOf(problems, ['sort'], sort, SORTS) ?? 'PRICE',
  }
}

/**
 * The faults of a selection in a request for a single product. Filter and sort have no effect there and are refused.
 * PRICE is accepted, because it is the default of GraphQL.
 */
export function refuseSelection({ filter, sort }: SelectionInput): readonly FieldProblem[] {
  const problems: ProblemList = []
  const message = 'must be left out, because the product id selects the option'
  if (!isAbsent(filter)) note(problems, ['filter'], 'CONFLICT', message)
  if (!isAbsent(sort) && sort !== 'PRICE') note(problems, ['sort'], 'CONFLICT', message)
  return problems
}

/** How to read the names of a list; an empty list is no filter. `read` returns undefined for an unknown name. */
type NameRule<Value> = { readonly what: string; read(name: string): Value | undefined }

function readNames<Value>(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  { what, read }: NameRule<Value>,
): ReadonlySet<Value> | undefined {
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) return note(problems, path, 'WRONG_TYPE', 'must be a list')
  if (value.length === 0) return undefined
  if (value.length > FILTER_LIMITS.entries)
    return note(problems, path, 'TOO_MANY', `must have at most ${FILTER_LIMITS.entries} entries`)
  const found = new Set<Value>()
  for (const [index, name] of value.entries()) {
    const known = typeof name === 'string' ? read(name) : undefined
    if (known !== undefined) found.add(known)
    else note(problems, [...path, index], 'UNKNOWN_VALUE', `there is no ${what} ${quoted(name)}`)
  }
  return found
}

const SHOWN_CHARACTERS = 40

/** A name in a message, cut to 40 characters. */
function quoted(name: unknown): string {
  const text = String(name)
  return JSON.stringify(text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`)
}

/** The first option by PRICE, TRANSIT and VALUE. */
export type RateBadge = 'CHEAPEST' | 'FASTEST' | 'BEST_VALUE'

/** The options that have badges. Each badge is given to one option. */
export function badgesOf(options: readonly RateOption[]): ReadonlyMap<RateOption, readonly RateBadge[]> {
  const badges = new Map<RateOption, RateBadge[]>()
  const award = (badge: RateBadge, order: OptionOrder): void => {
    const best = firstBy(options, order)
    if (best !== undefined) badges.set(best, [...(badges.get(best) ?? []), badge])
  }
  award('CHEAPEST', orderBy('PRICE', options))
  award('FASTEST', orderBy('TRANSIT', options))
  award('BEST_VALUE', orderBy('VALUE', options))
  return badges
}

function firstBy(options: readonly RateOption[], order: OptionOrder): RateOption | undefined {
  let [first] = options
  for (const option of options) if (first !== undefined && order(option, first) < 0) first = option
  return first
}
