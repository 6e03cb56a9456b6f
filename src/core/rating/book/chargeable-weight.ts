/**
 * The weight a carrier bills for one unit.
 * Source: specification 2.2; divisors, kilograms per cubic and per loading metre are the product's own.
 */
import { ceilToStep } from '../../quantity.ts'
import type { ProductTerms } from '../rate-card.ts'
import type { Parcel } from '../request.ts'

/** Floor width of a trailer: a loading metre is 2.4 m of it, one metre long. */
const LOADING_METRE_CM2 = 24_000
const CUBIC_METRE_CM3 = 1_000_000

/** How a product weighs: products that agree in all of this weigh a request alike. */
export type WeighingRule = Pick<
  ProductTerms,
  | 'volumetricDivisor'
  | 'kilogramsPerCubicMetre'
  | 'kilogramsPerLoadingMetre'
  | 'weightStepGrams'
  | 'documentGrams'
>

/** The weights of one unit of a parcel row. Volumetric is 0 where the product knows no volumetric weight. */
export type ChargeableParcel = {
  readonly parcelIndex: number
  readonly count: number
  readonly actualGrams: number
  /** The largest weight its volume or floor space counts as, rounded up to the gram. */
  readonly volumetricGrams: number
  readonly chargeableGrams: number
  /** Cubic centimetres per kilogram; undefined where the product weighs otherwise. */
  readonly divisor: number | undefined
}

/**
 * The larger of actual and volumetric weight, rounded up to the product's step. One unit, not times count.
 * Documents carry no weight: each counts as the product's document weight.
 */
export function weighRow(rule: WeighingRule, parcel: Parcel, parcelIndex: number): ChargeableParcel {
  const actualGrams = rule.documentGrams ?? parcel.weightGrams
  const step = rule.weightStepGrams
  let volumetricGrams = 0
  let chargeableGrams = ceilToStep(actualGrams, 1, step)
  for (const { numerator, denominator } of volumetrics(rule, parcel)) {
    volumetricGrams = Math.max(volumetricGrams, ceilToStep(numerator, denominator, 1))
    chargeableGrams = Math.max(chargeableGrams, ceilToStep(numerator, denominator, step))
  }
  const { volumetricDivisor: divisor } = rule
  return { parcelIndex, count: parcel.count, actualGrams, volumetricGrams, chargeableGrams, divisor }
}

/** What a volumetric rule makes of a unit: grams = numerator / denominator, both integers. */
type Volumetric = { readonly numerator: number; readonly denominator: number }

function volumetrics(rule: WeighingRule, parcel: Parcel): Volumetric[] {
  const rules: Volumetric[] = []
  const floorCm2 = parcel.lengthCm * parcel.widthCm
  const volumeCm3 = floorCm2 * parcel.heightCm
  const { volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre } = rule
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
