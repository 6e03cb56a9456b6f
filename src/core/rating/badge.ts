/**
 * What stands out among the options that are shown. Each badge goes to the first option of an order, so it is
 * always at the top of the list when that order is asked for.
 */
import type { RateOption } from './quote.ts'
import { type OptionOrder, orderBy } from './selection.ts'

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
