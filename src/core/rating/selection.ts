/**
 * Which options of a quote are shown, and in what order. Prices are settled before: this only leaves out and
 * sorts, so an option costs the same in every selection.
 * Source: schema/rates.graphql (`RateFilter`, `RateSort`).
 */
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
