/**
 * Checks size classes and smallest weights, and the rules of products for units and totals.
 * Rules: docs/rate-card-files.md#size-classes, #smallest-weights and #inches-and-pounds.
 */
import { rowsFor } from '../../rating/book/book-product.ts'
import { weightText } from '../../rating/explain/figure-text.ts'
import { CLASSIFYING_BASES, type ProductTerms, type RateCardContent } from '../../rating/rate-card.ts'
import { checkProductIds } from './accessorials.ts'
import { type CardIndex, productsFor, productText } from './card-index.ts'
import { checkUnitExpressions, rowVocabularies } from './expressions.ts'
import type { Reports } from './findings.ts'

export function checkMeasures(content: RateCardContent, card: CardIndex, reports: Reports): void {
  const { fault, warn } = reports
  content.products.forEach((terms, index) => {
    checkUnits(terms, index, reports)
    checkTotals(terms, index, content, reports)
    checkClasses(terms, index, content, reports)
  })
  content.sizeClasses.forEach((row, index) => {
    checkUnitExpressions('sizeClasses', row, index, rowVocabularies(row, card), fault)
    checkProductIds('sizeClasses', row, index, card, reports)
    const products = productsFor(row, card)
    if (products.length === 0 || products.some(({ pricingBasis }) => CLASSIFYING_BASES.has(pricingBasis)))
      return
    const expected = 'a product with the basis size-class or freight-class; the row has no effect'
    warn('sizeClasses', 'unused', { index, field: 'sizeClass', expected, found: row.sizeClass })
  })
  content.minimumWeights.forEach((row, index) => {
    checkUnitExpressions('minimumWeights', row, index, rowVocabularies(row, card), fault)
    checkProductIds('minimumWeights', row, index, card, reports)
  })
}

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
