/**
 * Checks the prices of products with the basis `freight-class`: known classes, which all have the same weight bands in
 * a zone. Warns of classes without rates in a zone, of rates that fall as the class rises, and of freight classes
 * between others that no row of the table of classes is for.
 * Rules: docs/rate-card-files.md#freight-classes.
 */
import { ExpressionFault } from '../../expressions/expression-fault.ts'
import { namesIn } from '../../expressions/syntax.ts'
import { groupBy } from '../../group-by.ts'
import { rowsFor } from '../../rating/book/book-product.ts'
import { compileRuleCondition, type RuleCondition } from '../../rating/book/rule.ts'
import { FREIGHT_CLASS, type RuleFacts } from '../../rating/book/rule-measures.ts'
import type { RuleVocabularies } from '../../rating/book/rule-vocabulary.ts'
import { weightText } from '../../rating/explain/figure-text.ts'
import type { PriceRow, ProductTerms, SizeClassRow } from '../../rating/rate-card.ts'
import { FREIGHT_CLASS_TENTHS, freightClassText } from '../../rating/request.ts'
import { type CardIndex, type PricedZone, productText } from './card-index.ts'
import { rowVocabularies } from './expressions.ts'
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
  warnOfUnfittedClasses(rows, terms, card, reports)
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

/** A freight class between others that the table of the product has, for which no row is. */
function warnOfUnfittedClasses(
  rows: readonly SizeClassRow[],
  terms: ProductTerms,
  card: CardIndex,
  { warn }: Reports,
): void {
  const { carrierCode, productId } = terms
  const [words] = rowVocabularies({ carrierCode, products: [productId] }, card)
  const conditions = rows.map((row) => byFreightClass(row, words!))
  const isFitted = (freightClassTenths: number): boolean =>
    // Such conditions read nothing else.
    conditions.some((condition) => condition?.holds({ unit: { freightClassTenths } } as RuleFacts) === true)
  const fitted = FREIGHT_CLASS_TENTHS.map(isFitted)
  const [first, last] = [fitted.indexOf(true), fitted.lastIndexOf(true)]
  if (first === -1 || conditions.includes(undefined)) return
  const missing = STATED_CLASSES.filter((_, at) => at > first && at < last && fitted[at] === false)
  if (missing.length === 0) return
  const expected = `rows for all freight classes of ${productText(terms)} from ${STATED_CLASSES[first]} to ${STATED_CLASSES[last]}`
  const index = card.sizeClasses.indexOf(rows[0]!)
  warn('sizeClasses', 'unfitted', {
    index,
    field: 'condition',
    expected,
    found: `none for ${missing.join(', ')}`,
  })
}

/** Undefined for a condition that also depends on something else, and for a faulty one, which is reported elsewhere. */
function byFreightClass({ condition }: SizeClassRow, words: RuleVocabularies): RuleCondition | undefined {
  try {
    const compiled = compileRuleCondition(condition, words)
    return [...namesIn(compiled.syntax)].every((name) => name === FREIGHT_CLASS) ? compiled : undefined
  } catch (error) {
    if (error instanceof ExpressionFault) return undefined
    throw error
  }
}
