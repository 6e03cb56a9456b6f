/**
 * Checks size classes and smallest weights, and the rules of products for units and totals.
 * Rules: docs/rate-card-files.md#size-classes, #smallest-weights and #inches-and-pounds.
 */
import { type Bounds, boundsOf, contains } from '../../expressions/bounds.ts'
import { ExpressionFault } from '../../expressions/expression-fault.ts'
import { namesIn } from '../../expressions/syntax.ts'
import { groupBy } from '../../group-by.ts'
import { rowsFor } from '../../rating/book/book-product.ts'
import { gramsOf } from '../../rating/book/list-units.ts'
import { compileRuleWeight } from '../../rating/book/rule.ts'
import type { RuleFacts } from '../../rating/book/rule-measures.ts'
import type { RuleVocabularies } from '../../rating/book/rule-vocabulary.ts'
import { weightText } from '../../rating/explain/figure-text.ts'
import {
  CLASSIFYING_BASES,
  type MinimumWeightRow,
  type ProductTerms,
  type RateCardContent,
  type SizeClassRow,
} from '../../rating/rate-card.ts'
import { checkProductIds } from './accessorials.ts'
import { type CardIndex, productsFor, productText } from './card-index.ts'
import { checkUnitExpressions, rowVocabularies } from './expressions.ts'
import type { Reports } from './findings.ts'

export function checkMeasures(content: RateCardContent, card: CardIndex, reports: Reports): void {
  const { warn } = reports
  content.products.forEach((terms, index) => {
    checkUnits(terms, index, reports)
    checkTotals(terms, index, content, reports)
    checkClasses(terms, index, content, reports)
  })
  content.sizeClasses.forEach((row, index) => {
    checkUnitExpressions('sizeClasses', row, index, rowVocabularies(row, card), reports)
    checkProductIds('sizeClasses', row, index, card, reports)
    const products = productsFor(row, card)
    if (products.length === 0 || products.some(({ pricingBasis }) => CLASSIFYING_BASES.has(pricingBasis)))
      return
    const expected = 'a product with the basis size-class or freight-class; the row has no effect'
    warn('sizeClasses', 'unused', { index, field: 'sizeClass', expected, found: row.sizeClass })
  })
  warnOfCoveredClasses(content.sizeClasses, card, reports)
  content.minimumWeights.forEach((row, index) => {
    checkUnitExpressions('minimumWeights', row, index, rowVocabularies(row, card), reports)
    checkProductIds('minimumWeights', row, index, card, reports)
    checkReach(content.prices, row, index, card, reports)
  })
}

/** Warns of a class that no unit is of, because an earlier row of the same products fits all that it fits. */
function warnOfCoveredClasses(rows: readonly SizeClassRow[], card: CardIndex, { warn }: Reports): void {
  for (const [carrierCode, ofCarrier] of groupBy([...rows.entries()], ([, row]) => row.carrierCode)) {
    const [words] = rowVocabularies({ carrierCode }, card)
    const known = ofCarrier.flatMap(([index, row]) => {
      const bounds = boundsIn(row.condition, words!)
      return bounds === undefined ? [] : [{ index, row, bounds }]
    })
    known.forEach(({ index, row, bounds }, at) => {
      const cover = known
        .slice(0, at)
        .find((earlier) => isForAll(earlier.row, row) && contains(earlier.bounds, bounds))
      if (cover === undefined) return
      const expected = `a class that some units are of: the row of ${cover.row.sizeClass} before it fits all of them`
      warn('sizeClasses', 'covered', { index, field: 'condition', expected, found: row.condition })
    })
  }
}

/** Two classes of a product, of which the second one fits all that the first one fits. */
export type ClassPair = readonly [smaller: string, larger: string]

/**
 * The pairs of the classes of a product. Where a condition consists of more than bounds, the class before it counts as
 * smaller.
 */
export function nestedClasses(rows: readonly SizeClassRow[], words: RuleVocabularies): readonly ClassPair[] {
  const classes = [...groupBy(rows, ({ sizeClass }) => sizeClass)].map(([name, ofClass]) => {
    const bounds = ofClass.map(({ condition }) => boundsIn(condition, words))
    return {
      name,
      bounds: bounds.every((one) => one?.isComplete === true) ? (bounds as Bounds[]) : undefined,
    }
  })
  return classes.flatMap((larger, at) =>
    classes.slice(0, at).flatMap((smaller, before): ClassPair[] => {
      const isNested =
        smaller.bounds === undefined || larger.bounds === undefined
          ? before === at - 1
          : smaller.bounds.every((inner) => larger.bounds!.some((outer) => contains(outer, inner)))
      return isNested ? [[smaller.name, larger.name]] : []
    }),
  )
}

function isForAll(earlier: SizeClassRow, row: SizeClassRow): boolean {
  return (
    earlier.products === undefined || row.products?.every((id) => earlier.products!.includes(id)) === true
  )
}

/** Undefined for a faulty expression, which `checkUnitExpressions` reports. */
function boundsIn(condition: string, words: RuleVocabularies): Bounds | undefined {
  try {
    return boundsOf(condition, words.condition)
  } catch (error) {
    if (error instanceof ExpressionFault) return undefined
    throw error
  }
}

/** A smallest weight above the last band declines every unit that it is for. */
function checkReach(
  prices: RateCardContent['prices'],
  row: MinimumWeightRow,
  index: number,
  card: CardIndex,
  { fault, warn }: Reports,
): void {
  const [words] = rowVocabularies(row, card)
  const kilograms = words === undefined ? undefined : constantWeight(row.weight, words)
  if (kilograms === undefined) return
  for (const terms of productsFor(row, card)) {
    const ends = [...(card.priced.get(terms.productId)?.values() ?? [])].flatMap(({ bands }) =>
      bands.length === 0 ? [] : [Math.max(...bands.map((band) => prices[band]!.upToGrams))],
    )
    const last = Math.max(...ends)
    if (ends.length === 0 || gramsOf(last, terms.units) >= kilograms * 1000) continue
    const report = row.condition === undefined ? fault : warn
    const expected = `at most ${weightText(last, terms.units)}, the end of the last weight band of ${productText(terms)}`
    report('minimumWeights', 'reach', { index, field: 'weight', expected, found: row.weight })
    return
  }
}

/** Kilograms, rounded down; undefined if the weight depends on the unit, or if it is faulty. */
function constantWeight(text: string, words: RuleVocabularies): number | undefined {
  try {
    const { syntax, numerator, denominator } = compileRuleWeight(text, words)
    if (namesIn(syntax).size > 0) return undefined
    return Number(BigInt(numerator.read(NO_FACTS)) / denominator)
  } catch (error) {
    if (error instanceof ExpressionFault) return undefined
    throw error
  }
}

/** A constant reads none. */
const NO_FACTS = {} as RuleFacts

const METRIC_RULES = ['kilogramsPerCubicMetre', 'kilogramsPerLoadingMetre'] as const

function checkUnits(terms: ProductTerms, index: number, { fault }: Reports): void {
  if (terms.units === undefined) return
  for (const field of METRIC_RULES) {
    if (terms[field] === undefined) continue
    const expected = `only a vol_divisor, because the units are ${terms.units}`
    fault('products', `metric ${field}`, { index, field, expected, found: String(terms[field]) })
  }
}

const VOLUMETRIC_RULES = ['volumetricDivisor', ...METRIC_RULES] as const

function checkTotals(
  terms: ProductTerms,
  index: number,
  { minimumWeights }: RateCardContent,
  { fault }: Reports,
): void {
  const { volumetricPer, pricingBasis, minBilledUnitGrams, units } = terms
  if (volumetricPer === undefined) return
  const field = 'volumetricPer'
  const report = (kind: string, expected: string, found: string): void =>
    fault('products', `totals ${kind}`, { index, field, expected, found })
  if (pricingBasis !== 'shipment' && pricingBasis !== 'per-100kg')
    report('basis', 'the basis shipment or per-100kg with totals of the shipment', pricingBasis)
  const rules = VOLUMETRIC_RULES.filter((name) => terms[name] !== undefined)
  if (rules.length !== 1)
    report('rules', 'one volumetric rule with totals of the shipment', String(rules.length))
  const smallest = 'no smallest weight of a parcel with totals of the shipment'
  if (minBilledUnitGrams !== undefined) report('smallest', smallest, weightText(minBilledUnitGrams, units))
  const [row] = rowsFor(minimumWeights, terms)
  if (row !== undefined) report('minimum', smallest, `${row.name} (${row.weight})`)
}

function checkClasses(
  terms: ProductTerms,
  index: number,
  { sizeClasses }: RateCardContent,
  { fault }: Reports,
): void {
  const { pricingBasis, parcelType } = terms
  if (pricingBasis !== 'size-class') return
  if (parcelType !== 'NONDOC') {
    const expected = 'parcel type NONDOC for a product priced by size class'
    fault('products', 'size basis', { index, field: 'parcelType', expected, found: parcelType })
  }
  if (rowsFor(sizeClasses, terms).length > 0) return
  const expected = `size classes for ${productText(terms)}, which is priced by size class`
  fault('products', 'no size classes', { index, field: 'pricingBasis', expected })
}
