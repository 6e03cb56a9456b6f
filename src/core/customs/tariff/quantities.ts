/**
 * How much of goods there is, in the units of tariffs. Decided here: items are what the request counts, a weight is
 * the net weight, and any other quantity is there only when the request gives it. Source: design note on customs,
 * "What the request does not carry".
 */
import { dividedBy, type Exact, exactOf, plus, times, timesWhole } from '../exact.ts'
import type { ContentItem } from '../request.ts'
import { type QuantityUnit, readQuantityUnit } from './quantity-unit.ts'

/** Base quantities by name ("items", "kg", "l"); one that is not known of all goods is absent. */
export type Quantities = ReadonlyMap<string, Exact>

/** The quantities of one content item. */
export function quantitiesOf({ numberOfItems, weightGrams, quantities = [] }: ContentItem): Quantities {
  const found = new Map<string, Exact>([['items', exactOf(numberOfItems, 0)]])
  if (weightGrams !== undefined) found.set('kg', timesWhole(exactOf(weightGrams, 3), numberOfItems))
  for (const { unit, amountMicros } of quantities) {
    const { quantity, per } = readQuantityUnit(unit)
    const amount = timesWhole(exactOf(amountMicros, 6), numberOfItems)
    found.set(quantity, dividedBy(amount, per))
  }
  return found
}

/** The quantities of several content items together. */
export function addQuantities(a: Quantities, b: Quantities): Quantities {
  const sum = new Map<string, Exact>()
  for (const [quantity, amount] of a) {
    const other = b.get(quantity)
    if (other !== undefined) sum.set(quantity, plus(amount, other))
  }
  return sum
}

/** How many of the unit there are; undefined when the request does not say. */
export function countIn(quantities: Quantities, { quantity, per }: QuantityUnit): Exact | undefined {
  const amount = quantities.get(quantity)
  return amount === undefined ? undefined : times(amount, per)
}
