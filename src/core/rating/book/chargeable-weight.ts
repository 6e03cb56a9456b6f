/**
 * The weight that a carrier bills for one unit.
 * Rules: docs/rate-cards.md#chargeable-weight.
 */
import { ceilToStep } from '../../quantity.ts'
import type { BookTerms } from '../rate-card.ts'
import type { Parcel } from '../request.ts'

/** A loading metre is one metre of a trailer 2.4 m wide. */
const LOADING_METRE_CM2 = 24_000
const CUBIC_METRE_CM3 = 1_000_000

/** The terms of a product that determine the chargeable weight. */
export type WeighingRule = Pick<
  BookTerms,
  | 'volumetricDivisor'
  | 'kilogramsPerCubicMetre'
  | 'kilogramsPerLoadingMetre'
  | 'weightStepGrams'
  | 'documentGrams'
>

/** The weights of one unit of a parcel row. */
export type ChargeableParcel = {
  readonly parcelIndex: number
  readonly count: number
  readonly actualGrams: number
  /** The largest of the volumetric weights, rounded up to the gram; 0 if the product has no volumetric rule. */
  readonly volumetricGrams: number
  readonly chargeableGrams: number
  /** Cubic centimetres per kilogram; undefined if the product has no divisor. */
  readonly divisor: number | undefined
}

/**
 * Weighs one unit of a row: the larger of actual and volumetric weight, rounded up to the product's step. The
 * weight is not multiplied by the count. A document weighs `documentGrams`.
 */
export function weighRow(rule: WeighingRule, parcel: Parcel, parcelIndex: number): ChargeableParcel {
  const { volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre, weightStepGrams } = rule
  const actualGrams = rule.documentGrams ?? parcel.weightGrams
  const floorCm2 = parcel.lengthCm * parcel.widthCm
  const volumeCm3 = floorCm2 * parcel.heightCm
  let volumetricGrams = 0
  let chargeableGrams = ceilToStep(actualGrams, 1, weightStepGrams)
  // Grams are fractions of integers, so that each weight is rounded only once.
  const compare = (numerator: number, denominator: number): void => {
    volumetricGrams = Math.max(volumetricGrams, ceilToStep(numerator, denominator, 1))
    chargeableGrams = Math.max(chargeableGrams, ceilToStep(numerator, denominator, weightStepGrams))
  }
  if (volumetricDivisor !== undefined) compare(volumeCm3 * 1000, volumetricDivisor)
  if (kilogramsPerCubicMetre !== undefined)
    compare(volumeCm3 * kilogramsPerCubicMetre, CUBIC_METRE_CM3 / 1000)
  if (kilogramsPerLoadingMetre !== undefined)
    compare(floorCm2 * kilogramsPerLoadingMetre * 1000, LOADING_METRE_CM2 * (parcel.stackable ? 2 : 1))
  const { count } = parcel
  return { parcelIndex, count, actualGrams, volumetricGrams, chargeableGrams, divisor: volumetricDivisor }
}
