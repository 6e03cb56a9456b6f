/**
 * What an item of a request bears of each line. Decided here: a line is shared among its items by their customs
 * values, in whole cents, and the cents left over go to the largest remainders; so the shares of a line add up to
 * it, and those of all items to the estimate. Source: schema/duties.graphql (`ItemEstimate`).
 */
import type { DutiesEstimate } from './estimate.ts'
import {
  compare,
  cutToUnit,
  dividedBy,
  type Exact,
  exactOf,
  isZero,
  plus,
  sumOf,
  timesWhole,
} from './exact.ts'
import type { TaxLine } from './tax-line.ts'

/** An item's part of a line: which of `DutiesEstimate.taxes`, and how many cents of it. */
export type ItemShare = { readonly lineIndex: number; readonly amountCents: number }

/** The shares of each item, in the order of the items and, for each, of the lines. An item without a code has none. */
export function shareByItem({
  taxes,
  items,
}: Pick<DutiesEstimate, 'taxes' | 'items'>): readonly ItemShare[][] {
  const shares = items.map((): ItemShare[] => [])
  for (const [lineIndex, line] of taxes.entries()) {
    const concerned = itemsOf(line)
    const values = concerned.map((item) => items[item]?.customsValue ?? NOTHING)
    const parts = splitCents(line.amountCents, values)
    for (const [position, item] of concerned.entries())
      shares[item]?.push({ lineIndex, amountCents: parts[position] ?? 0 })
  }
  return shares
}

/** The items of a line, each once and in their order: lots of several origins are joined as they come. */
export function itemsOf({ items }: Pick<TaxLine, 'items'>): readonly number[] {
  return [...new Set(items)].sort((a, b) => a - b)
}

const NOTHING = exactOf(0, 0)
const CENT = exactOf(1, 0)

/**
 * Whole cents in proportion to values (none below zero), adding up to `cents`; equal values, or the first of equal
 * remainders, get the odd cent in their order. Where all values are nothing the parts are equal.
 */
export function splitCents(cents: number, values: readonly Exact[]): readonly number[] {
  const [, second] = values
  if (second === undefined) return values.map(() => cents)
  const total = sumOf(values)
  const isEven = isZero(total)
  const whole = isEven ? exactOf(values.length, 0) : total
  const parts = values.map((value, position) => {
    const exact = dividedBy(timesWhole(isEven ? CENT : value, cents), whole)
    const floor = cutToUnit(exact, CENT)
    return { position, cents: Number(floor.numerator), rest: plus(exact, timesWhole(floor, -1)) }
  })
  const left = cents - parts.reduce((sum, part) => sum + part.cents, 0)
  // Sorting is stable: of equal remainders the first item's goes first.
  const raised = parts.toSorted((a, b) => compare(b.rest, a.rest)).slice(0, left)
  const shares = parts.map((part) => part.cents)
  for (const { position } of raised) shares[position] = (shares[position] ?? 0) + 1
  return shares
}
