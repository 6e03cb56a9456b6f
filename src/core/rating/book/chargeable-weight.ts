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
  | 'heavyOverGrams'
  | 'heavyStepGrams'
  | 'minBilledUnitGrams'
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
 * Weighs one unit of a row: the larger of actual and volumetric weight, rounded up to the product's step for that
 * weight, but at least its smallest weight. The weight is not multiplied by the count. A document weighs
 * `documentGrams`.
 */
export function weighRow(rule: WeighingRule, parcel: Parcel, parcelIndex: number): ChargeableParcel {
  const { volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre } = rule
  const actualGrams = rule.documentGrams ?? parcel.weightGrams
  const floorCm2 = parcel.lengthCm * parcel.widthCm
  const volumeCm3 = floorCm2 * parcel.heightCm
  let volumetricGrams = 0
  let chargeableGrams = Math.max(roundedUp(rule, actualGrams, 1), rule.minBilledUnitGrams ?? 0)
  // Grams are fractions of integers, so that each weight is rounded only once.
  const compare = (numerator: number, denominator: number): void => {
    volumetricGrams = Math.max(volumetricGrams, ceilToStep(numerator, denominator, 1))
    chargeableGrams = Math.max(chargeableGrams, roundedUp(rule, numerator, denominator))
  }
  if (volumetricDivisor !== undefined) compare(volumeCm3 * 1000, volumetricDivisor)
  if (kilogramsPerCubicMetre !== undefined)
    compare(volumeCm3 * kilogramsPerCubicMetre, CUBIC_METRE_CM3 / 1000)
  if (kilogramsPerLoadingMetre !== undefined)
    compare(floorCm2 * kilogramsPerLoadingMetre * 1000, LOADING_METRE_CM2 * (parcel.stackable ? 2 : 1))
  const { count } = parcel
  return { parcelIndex, count, actualGrams, volumetricGrams, chargeableGrams, divisor: volumetricDivisor }
}

/** `numerator / denominator` grams, rounded up to the step for that weight. It does not fall as the weight rises. */
function roundedUp(
  { weightStepGrams, heavyOverGrams, heavyStepGrams }: WeighingRule,
  numerator: number,
  denominator: number,
): number {
  const isHeavy = heavyOverGrams !== undefined && numerator > heavyOverGrams * denominator
  return ceilToStep(numerator, denominator, isHeavy ? heavyStepGrams! : weightStepGrams)
}

/** The sum of the chargeable weights of all units. */
export function sumOfWeights(rows: readonly ChargeableParcel[]): number {
  let grams = 0
  for (const row of rows) grams += row.chargeableGrams * row.count
  return grams
}

/** The terms of a product that determine the weight of a shipment. */
export type ShipmentWeighing = Pick<BookTerms, 'shipmentStepGrams' | 'minBilledShipmentGrams'>

/** The weight that a shipment is billed for: the sum of its units, rounded up again, at least the smallest weight. */
export function billedShipmentGrams(
  { shipmentStepGrams, minBilledShipmentGrams }: ShipmentWeighing,
  rows: readonly ChargeableParcel[],
): number {
  const grams = sumOfWeights(rows)
  if (shipmentStepGrams === undefined && minBilledShipmentGrams === undefined) return grams
  const rounded = shipmentStepGrams === undefined ? grams : ceilToStep(grams, 1, shipmentStepGrams)
  return Math.max(rounded, minBilledShipmentGrams ?? 0)
}
