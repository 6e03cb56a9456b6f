/**
 * The weight a carrier bills for one unit.
 * Source: specification 2.2; divisors, kilograms per cubic and per loading metre are the product's own.
 */
import { ceilToStep } from '../quantity.ts'
import type { ProductTerms } from './rate-card.ts'
import type { Parcel } from './request.ts'

/** Floor width of a trailer: a loading metre is 2.4 m of it, one metre long. */
const LOADING_METRE_CM2 = 24_000
const CUBIC_METRE_CM3 = 1_000_000

/** The weights of one unit, in grams. */
export type UnitWeights = {
  readonly actualGrams: number
  /** The largest weight its volume or floor space counts as, rounded up to the gram; 0 without such a rule. */
  readonly volumetricGrams: number
  readonly chargeableGrams: number
}

/**
 * The larger of actual and volumetric weight, rounded up to the product's step. One unit, not times count.
 * Documents carry no weight: each counts as the product's document weight.
 */
export function weighUnit(product: ProductTerms, parcel: Parcel): UnitWeights {
  const actualGrams = product.documentGrams ?? parcel.weightGrams
  const step = product.weightStepGrams
  let volumetricGrams = 0
  let chargeableGrams = ceilToStep(actualGrams, 1, step)
  for (const { numerator, denominator } of volumetrics(product, parcel)) {
    volumetricGrams = Math.max(volumetricGrams, ceilToStep(numerator, denominator, 1))
    chargeableGrams = Math.max(chargeableGrams, ceilToStep(numerator, denominator, step))
  }
  return { actualGrams, volumetricGrams, chargeableGrams }
}

/** What a volumetric rule makes of a unit: grams = numerator / denominator, both integers. */
type Volumetric = { readonly numerator: number; readonly denominator: number }

function volumetrics(product: ProductTerms, parcel: Parcel): Volumetric[] {
  const rules: Volumetric[] = []
  const floorCm2 = parcel.lengthCm * parcel.widthCm
  const volumeCm3 = floorCm2 * parcel.heightCm
  const { volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre } = product
  if (volumetricDivisor !== undefined)
    rules.push({ numerator: volumeCm3 * 1000, denominator: volumetricDivisor })
  if (kilogramsPerCubicMetre !== undefined)
    rules.push({ numerator: volumeCm3 * kilogramsPerCubicMetre, denominator: CUBIC_METRE_CM3 / 1000 })
  if (kilogramsPerLoadingMetre !== undefined)
    rules.push({
      numerator: floorCm2 * kilogramsPerLoadingMetre * 1000,
      denominator: LOADING_METRE_CM2 * (parcel.stackable ? 2 : 1),
    })
  return rules
}
