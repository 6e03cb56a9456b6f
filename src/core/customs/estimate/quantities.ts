/** The quantities of goods that rates charge by, such as kilograms, litres and litres of pure alcohol. */
import { dividedBy, type Exact, exactOf, isZero, plus, times, timesWhole } from '../exact.ts'
import type { ContentItem } from '../request.ts'
import { PURE_ALCOHOL, type QuantityUnit, readQuantityUnit } from '../tariff/quantity-unit.ts'

/**
 * The amount of goods by base quantity ("items", "kg", "l"). A quantity that is not known for all goods is absent.
 * "items" is the number of items in the request, and "kg" the net weight.
 */
export type Quantities = ReadonlyMap<string, Exact>

export function quantitiesOf({
  numberOfItems,
  weightGrams,
  quantities = [],
  alcoholPpm,
}: ContentItem): Quantities {
  const byName = new Map<string, Exact>([['items', exactOf(numberOfItems, 0)]])
  if (weightGrams !== undefined) byName.set('kg', timesWhole(exactOf(weightGrams, 3), numberOfItems))
  for (const { unit, amountMicros } of quantities) {
    const { quantity, per } = readQuantityUnit(unit)
    const amount = timesWhole(exactOf(amountMicros, 6), numberOfItems)
    byName.set(quantity, dividedBy(amount, per))
  }
  addAlcohol(byName, alcoholPpm)
  return byName
}

const LITRES = 'l'

/** Adds the quantities of alcohol that follow from the others: 0.7 l with 40% vol contain 0.28 l of pure alcohol. */
function addAlcohol(byName: Map<string, Exact>, alcoholPpm: number | undefined): void {
  const litres = byName.get(LITRES)
  if (alcoholPpm !== undefined) {
    const strength = exactOf(alcoholPpm, 6)
    const given = byName.get(PURE_ALCOHOL)
    if (given === undefined && litres !== undefined) byName.set(PURE_ALCOHOL, times(litres, strength))
    if (given !== undefined && litres === undefined) byName.set(LITRES, dividedBy(given, strength))
  }
  const pure = byName.get(PURE_ALCOHOL)
  if (pure === undefined) return
  // 1 l of pure alcohol is one hectolitre with 1% vol, and two litres of proof spirit of the United States.
  if (!byName.has('% vol/hl')) byName.set('% vol/hl', pure)
  if (!byName.has('proof l')) byName.set('proof l', timesWhole(pure, 2))
}

/** Alcohol by volume as a fraction, as given or from the quantities; undefined if it is not known. */
export function strengthOf(item: ContentItem): Exact | undefined {
  if (item.alcoholPpm !== undefined) return exactOf(item.alcoholPpm, 6)
  if (item.quantities === undefined) return undefined
  const quantities = quantitiesOf(item)
  const [litres, pure] = [quantities.get(LITRES), quantities.get(PURE_ALCOHOL)]
  return litres === undefined || pure === undefined || isZero(litres) ? undefined : dividedBy(pure, litres)
}

/** The quantities of all items together. */
export function quantitiesOfAll(items: readonly { readonly item: ContentItem }[]): Quantities {
  return items.map(({ item }) => quantitiesOf(item)).reduce(addQuantities)
}

/** The quantities of two content items together. */
export function addQuantities(a: Quantities, b: Quantities): Quantities {
  const sum = new Map<string, Exact>()
  for (const [quantity, amount] of a) {
    const other = b.get(quantity)
    if (other !== undefined) sum.set(quantity, plus(amount, other))
  }
  return sum
}

/** The quantity in a unit; undefined if the request does not contain it. */
export function countIn(quantities: Quantities, { quantity, per }: QuantityUnit): Exact | undefined {
  const amount = quantities.get(quantity)
  return amount === undefined ? undefined : times(amount, per)
}
