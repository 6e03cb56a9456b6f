/**
 * Checks the prices of products with the basis `freight-class`: known classes, which all have the same weight bands in
 * a zone. Warns of classes without rates in a zone, and of rates that fall as the class rises.
 * Rules: docs/rate-card-files.md#freight-classes.
 */
import { groupBy } from '../../group-by.ts'
import { rowsFor } from '../../rating/book/book-product.ts'
import { weightText } from '../../rating/explain/figure-text.ts'
import type { PriceRow, ProductTerms } from '../../rating/rate-card.ts'
import { FREIGHT_CLASS_TENTHS, freightClassText } from '../../rating/request.ts'
import { type CardIndex, type PricedZone, productText } from './card-index.ts'
import type { Reports } from './findings.ts'

/** The classes that a request can state, from the lowest to the highest. */
const STATED_CLASSES = FREIGHT_CLASS_TENTHS.map(freightClassText)

/** The bands of each class in a zone, as indexes of `prices`. A product without classes has one list. */
export function bandsByClass(
  prices: readonly PriceRow[],
  { pricingBasis }: ProductTerms,
  bands: readonly number[],
): readonly (readonly number[])[] {
  if (pricingBasis !== 'freight-class') return [bands]
  return [...groupBy(bands, (index) => prices[index]!.palletClass ?? '').values()]
}

export function checkFreightClasses(
  prices: readonly PriceRow[],
  terms: ProductTerms,
  zones: Iterable<PricedZone>,
  card: CardIndex,
  reports: Reports,
): void {
  if (terms.pricingBasis !== 'freight-class') return
  const rows = rowsFor(card.sizeClasses, terms)
  const classes = rows.length === 0 ? STATED_CLASSES : [...new Set(rows.map(({ sizeClass }) => sizeClass))]
  const unknown = new Set<string>()
  for (const zone of zones) {
    const byClass = groupBy(zone.bands, (index) => prices[index]!.palletClass ?? '')
    for (const [name, [first]] of byClass) {
      if (classes.includes(name) || unknown.has(name)) continue
      unknown.add(name)
      const expected = `a freight class of ${productText(terms)} (${classes.join(', ')})`
      reports.fault('prices', 'freight class', { index: first!, field: 'palletClass', expected, found: name })
    }
    checkEqualBands(prices, [...byClass.values()], terms, reports)
    warnOfFallingClasses(prices, byClass, card, reports)
    if (rows.length === 0) continue
    const missing = classes.filter((name) => !byClass.has(name))
    if (missing.length === 0) continue
    const expected = `rates for each freight class of ${productText(terms)} in zone ${zone.zone}`
    const found = `none for ${missing.join(', ')}`
    reports.warn('prices', 'missing class', { index: zone.first, field: 'palletClass', expected, found })
  }
}

function checkEqualBands(
  prices: readonly PriceRow[],
  classes: readonly (readonly number[])[],
  { units }: ProductTerms,
  { fault }: Reports,
): void {
  const [first = [], ...others] = classes
  const bounds = new Set(first.map((index) => prices[index]!.upToGrams))
  for (const bands of others) {
    const other = bands.find((index) => !bounds.has(prices[index]!.upToGrams))
    const index = other ?? (bands.length < bounds.size ? bands[0]! : undefined)
    if (index === undefined) continue
    const name = prices[first[0]!]!.palletClass
    const expected = `the bands of the other classes of the zone, as class ${name} has ${bounds.size}`
    const found =
      other === undefined ? `${bands.length} bands` : `up to ${weightText(prices[index]!.upToGrams, units)}`
    fault('prices', 'bands of classes', { index, field: 'upToGrams', expected, found })
  }
}

/** Goods of a higher class take more room for their weight. */
function warnOfFallingClasses(
  prices: readonly PriceRow[],
  byClass: ReadonlyMap<string, readonly number[]>,
  { money }: CardIndex,
  { warn }: Reports,
): void {
  let before: ReadonlyMap<number, PriceRow> | undefined
  for (const name of STATED_CLASSES) {
    const indexes = byClass.get(name)
    if (indexes === undefined) continue
    for (const index of indexes) {
      const { upToGrams, priceCents } = prices[index]!
      const lower = before?.get(upToGrams)
      if (lower === undefined || priceCents >= lower.priceCents) continue
      const expected = `at least ${money(lower.priceCents)}, the rate of class ${lower.palletClass} in the same band`
      warn('prices', 'class', { index, field: 'priceCents', expected, found: money(priceCents) })
    }
    before = new Map(indexes.map((index) => [prices[index]!.upToGrams, prices[index]!]))
  }
}
