/**
 * Which options of a quote are shown, and in what order. Prices are settled before: this only leaves out and
 * sorts, so an option costs the same in every selection.
 * Source: schema/rates.graphql (`RateFilter`, `RateSort`).
 */

import { isAbsent, note, type ProblemList, readNumber, readOneOf } from '../input.ts'
import type { FieldPath, FieldProblem } from '../problem.ts'
import { productsIn } from './book/book-card.ts'
import type { RateBook } from './book/rate-book.ts'
import type { RateOption, RateQuote } from './quote.ts'

/** By price, by working days, or by both relative to the best of each. */
export type RateSort = 'PRICE' | 'TRANSIT' | 'VALUE'

/** What must hold for an option to be shown; both bounds are inclusive, what is absent does not matter. */
export type RateFilter = {
  readonly carrierCodes?: ReadonlySet<string>
  readonly productIds?: ReadonlySet<number>
  readonly maxPriceCents?: number
  /** Compared with the days at the latest. */
  readonly maxTransitDays?: number
}

/** What to show of a quote. */
export type Selection = { readonly filter: RateFilter; readonly sort: RateSort }

/** A quote as it is shown; `filteredOut` counts the options that the filter left out. */
export type SelectedQuote = RateQuote & { readonly filteredOut: number }

/** What a selection shows of a quote. What was declined stays: the filter is about options. */
export function selectFrom(quote: RateQuote, { filter, sort }: Selection): SelectedQuote {
  const shown = quote.options.filter((option) => passes(option, filter))
  // A quote has its options by price already, and leaving some out does not change that.
  const options = sort === 'PRICE' ? shown : shown.sort(orderBy(sort, shown))
  return { ...quote, options, filteredOut: quote.options.length - options.length }
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

/** Compares two options: below 0 when the first comes first. */
export type OptionOrder = (a: RateOption, b: RateOption) => number

/**
 * The order of a sort among these options; it is total, since ties go by price and then by product id.
 *
 * VALUE compares price relative to the cheapest plus time relative to the fastest. Multiplied by both, that is
 * a sum of integers: cents times days, which stays far below 2^53.
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

/** Delivery on the day of dispatch counts as one day: nothing can be relative to none. */
function countedDays({ transit }: RateOption): number {
  return Math.max(transit.maxDays, 1)
}

// What a filter and a sort must hold before they are applied. A name that does not exist is a fault, not an empty
// answer: whoever asks for a carrier that is misspelt must not read that it offers nothing.
// Source: schema/rates.graphql (`RateFilter`, `RateSort`).

const SORTS = ['PRICE', 'TRANSIT', 'VALUE'] as const

/** A selection as a door received it. */
export type SelectionInput = {
  readonly filter?: FilterInput | null | undefined
  readonly sort?: unknown
}

/** A filter as a door received it. */
export type FilterInput = {
  readonly carriers?: unknown
  readonly products?: unknown
  readonly maxPrice?: unknown
  readonly maxTransitDays?: unknown
}

/** Limits of a filter: entries of a list, and figures that no option comes near. */
const FILTER_LIMITS = { entries: 100, priceEuro: 1_000_000_000, transitDays: 1_000 } as const

/** What filters of an account may name. */
export type Catalogue = {
  hasCarrier(code: string): boolean
  hasProduct(productId: number): boolean
}

/**
 * What an account may name: the carriers, what everyone is offered, and what its own contracts sell. Products of
 * other accounts' contracts are as unknown to it as any other number.
 */
export function catalogueFor(book: RateBook, accountId: string): Catalogue {
  const isSoldByContract = (id: number): boolean =>
    [...(book.contracts.get(accountId)?.cardCodes ?? [])]
      .flatMap((cardCode) => book.contractCards.get(cardCode) ?? [])
      .some((card) => productsIn(card).some(({ terms }) => terms.productId === id))
  return {
    hasCarrier: (code) => book.carriers.some((carrier) => carrier.code === code),
    hasProduct: (id) => book.products.some(({ productId }) => productId === id) || isSoldByContract(id),
  }
}

/** Reads a selection and notes its faults; the answer is of use only when there are none. */
export function readSelection(
  problems: ProblemList,
  { filter, sort }: SelectionInput,
  catalogue: Catalogue,
): Selection {
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
 * The faults of a selection where one product is asked for by its id: nothing is shown, so nothing is left out or
 * sorted. PRICE is what a sort that was not given looks like.
 */
export function refuseSelection({ filter, sort }: SelectionInput): readonly FieldProblem[] {
  const problems: ProblemList = []
  const message = 'the option is chosen by its product id; leave it out'
  if (!isAbsent(filter)) note(problems, ['filter'], 'CONFLICT', message)
  if (!isAbsent(sort) && sort !== 'PRICE') note(problems, ['sort'], 'CONFLICT', message)
  return problems
}

/** How names of a list are read: what they name, and what each stands for; undefined when there is none. */
type NameRule<Value> = { readonly what: string; read(name: string): Value | undefined }

function readNames<Value>(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  { what, read }: NameRule<Value>,
): ReadonlySet<Value> | undefined {
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) return note(problems, path, 'WRONG_TYPE', 'must be a list')
  if (value.length === 0) return note(problems, path, 'REQUIRED', 'must not be empty')
  if (value.length > FILTER_LIMITS.entries)
    return note(problems, path, 'TOO_MANY', `at most ${FILTER_LIMITS.entries}`)
  const found = new Set<Value>()
  for (const [index, name] of value.entries()) {
    const known = typeof name === 'string' ? read(name) : undefined
    if (known !== undefined) found.add(known)
    else note(problems, [...path, index], 'UNKNOWN_VALUE', `there is no ${what} ${quoted(name)}`)
  }
  return found
}

const SHOWN_CHARACTERS = 40

/** A name as a message shows it; a long one is cut. */
function quoted(name: unknown): string {
  const text = String(name)
  return JSON.stringify(text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`)
}

// What stands out among the options that are shown. Each badge goes to the first option of an order, so it is
// always at the top of the list when that order is asked for.

/** The cheapest, the fastest, and the best of price and time together. */
export type RateBadge = 'CHEAPEST' | 'FASTEST' | 'BEST_VALUE'

/** The badges of the options that have any: each badge is given once, and to none where there are no options. */
export function badgesOf(options: readonly RateOption[]): ReadonlyMap<RateOption, readonly RateBadge[]> {
  const badges = new Map<RateOption, RateBadge[]>()
  const give = (badge: RateBadge, order: OptionOrder): void => {
    const best = firstBy(options, order)
    if (best !== undefined) badges.set(best, [...(badges.get(best) ?? []), badge])
  }
  give('CHEAPEST', orderBy('PRICE', options))
  give('FASTEST', orderBy('TRANSIT', options))
  give('BEST_VALUE', orderBy('VALUE', options))
  return badges
}

function firstBy(options: readonly RateOption[], order: OptionOrder): RateOption | undefined {
  let [first] = options
  for (const option of options) if (first !== undefined && order(option, first) < 0) first = option
  return first
}
