/**
 * The weight that a carrier bills for one unit, and for a shipment.
 * Rules: docs/rate-cards.md#chargeable-weight.
 */
import { ceilToStep } from '../../quantity.ts'
import type { BookTerms, ListUnits } from '../rate-card.ts'
import { actualGramsOf, type Parcel } from '../request.ts'
import { ceilNumber, FIFTIETHS_PER_INCH, fiftiethsOf, unitOfWeight } from './list-units.ts'
import { largestMinimum, type MinimumWeight } from './minimum-weight.ts'
import type { ShipmentFacts } from './trigger.ts'

/** A loading metre is one metre of a trailer 2.4 m wide. */
const LOADING_METRE_CM2 = 24_000
const CUBIC_METRE_CM3 = 1_000_000
const CUBIC_INCH = BigInt(FIFTIETHS_PER_INCH) ** 3n

/** The terms of a product that determine the chargeable weight. */
export type WeighingRule = Pick<
  BookTerms,
  | 'units'
  | 'sideRounding'
  | 'volumetricDivisor'
  | 'kilogramsPerCubicMetre'
  | 'kilogramsPerLoadingMetre'
  | 'volumetricPer'
  | 'weightStepGrams'
  | 'heavyOverGrams'
  | 'heavyStepGrams'
  | 'minBilledUnitGrams'
  | 'documentGrams'
> & {
  /** Undefined if the product has none. */
  readonly minimums: readonly MinimumWeight[] | undefined
}

/** The weights of one unit of a parcel row. */
export type ChargeableParcel = {
  readonly parcelIndex: number
  readonly count: number
  readonly actualGrams: number
  /** The largest of the volumetric weights, rounded up to the gram; 0 if the product has no volumetric rule. */
  readonly volumetricGrams: number
  /** In thousandths of the unit of the price list, which are grams in most lists; see list-units.ts. */
  readonly chargeableGrams: number
  /** Absent: `chargeableGrams` are grams. */
  readonly units?: ListUnits
  /** Cubic centimetres per kilogram, or cubic inches per pound; undefined if the product has no divisor. */
  readonly divisor: number | undefined
  /** The volumetric weight in the unit of `chargeableGrams`. Present if the totals of a shipment are compared. */
  readonly exactVolumetric?: Fraction
}

export type Fraction = { readonly numerator: bigint; readonly denominator: bigint }

/**
 * Weighs one unit of a row: the larger of actual and volumetric weight, rounded up to the product's step for that
 * weight, but at least its smallest weight. The weight is not multiplied by the count. A document without a stated
 * weight weighs `documentGrams`. `shipment` is for the conditions of smallest weights.
 */
export function weighRow(
  rule: WeighingRule,
  parcel: Parcel,
  parcelIndex: number,
  shipment: ShipmentFacts,
): ChargeableParcel {
  const isPlain = rule.units === undefined && rule.volumetricPer === undefined && rule.minimums === undefined
  return isPlain ? weighPlain(rule, parcel, parcelIndex) : weighExactly(rule, parcel, parcelIndex, shipment)
}

/** With numbers, which are several times faster than BigInt. */
function weighPlain(rule: WeighingRule, parcel: Parcel, parcelIndex: number): ChargeableParcel {
  const { volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre } = rule
  const actualGrams = actualGramsOf(parcel, rule.documentGrams)
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

/** Weighs by the rules that only some products have: other units, smallest weights, totals of a shipment. */
function weighExactly(
  rule: WeighingRule,
  parcel: Parcel,
  parcelIndex: number,
  shipment: ShipmentFacts,
): ChargeableParcel {
  const { grams } = unitOfWeight(rule.units)
  const actualGrams = actualGramsOf(parcel, rule.documentGrams)
  const volumetric = volumetricOf(rule, parcel)
  const minimum = rule.minimums && largestMinimum(rule.minimums, { parcel, shipment, units: rule.units })
  const weights = [inUnits(actualGrams, rule), volumetric, whole(minimum?.thousandths ?? 0)]
  const rounded = weights.map((weight) => roundedUpExactly(rule, weight))
  return {
    parcelIndex,
    count: parcel.count,
    actualGrams,
    volumetricGrams: ceilNumber(
      volumetric.numerator * grams.numerator,
      volumetric.denominator * grams.denominator,
    ),
    chargeableGrams: Math.max(...rounded, rule.minBilledUnitGrams ?? 0),
    divisor: rule.volumetricDivisor,
    ...(rule.units !== undefined && { units: rule.units }),
    ...(rule.volumetricPer !== undefined && { exactVolumetric: volumetric }),
  }
}

function whole(weight: number): Fraction {
  return { numerator: BigInt(weight), denominator: 1n }
}

/** Grams in thousandths of the unit of the price list. */
export function inUnits(grams: number, { units }: Pick<WeighingRule, 'units'>): Fraction {
  const { numerator, denominator } = unitOfWeight(units).grams
  return { numerator: BigInt(grams) * denominator, denominator: numerator }
}

/** The largest volumetric weight of a unit, in thousandths of the unit of the price list. */
export function volumetricOf(rule: WeighingRule, parcel: Parcel): Fraction {
  const { units, sideRounding, volumetricDivisor, kilogramsPerCubicMetre, kilogramsPerLoadingMetre } = rule
  const sides = [parcel.lengthCm, parcel.widthCm, parcel.heightCm] as const
  if (units !== undefined) {
    if (volumetricDivisor === undefined) return whole(0)
    const [length, width, height] = sides.map((side) => BigInt(fiftiethsOf(side, sideRounding)))
    const perPound = 1000n * unitOfWeight(units).perPound
    return {
      numerator: length! * width! * height! * perPound,
      denominator: CUBIC_INCH * BigInt(volumetricDivisor),
    }
  }
  const [length, width, height] = sides.map(BigInt)
  const floor = length! * width!
  const volume = floor * height!
  let largest = whole(0)
  const compare = (numerator: bigint, denominator: number): void => {
    const weight = { numerator, denominator: BigInt(denominator) }
    if (isLarger(weight, largest)) largest = weight
  }
  if (volumetricDivisor !== undefined) compare(volume * 1000n, volumetricDivisor)
  if (kilogramsPerCubicMetre !== undefined)
    compare(volume * BigInt(kilogramsPerCubicMetre), CUBIC_METRE_CM3 / 1000)
  if (kilogramsPerLoadingMetre !== undefined)
    compare(floor * BigInt(kilogramsPerLoadingMetre) * 1000n, LOADING_METRE_CM2 * (parcel.stackable ? 2 : 1))
  return largest
}

function isLarger(one: Fraction, other: Fraction): boolean {
  return one.numerator * other.denominator > other.numerator * one.denominator
}

type Steps = Pick<BookTerms, 'weightStepGrams' | 'heavyOverGrams' | 'heavyStepGrams'>

/** `numerator / denominator` grams, rounded up to the step for that weight. It does not fall as the weight rises. */
function roundedUp(
  { weightStepGrams, heavyOverGrams, heavyStepGrams }: Steps,
  numerator: number,
  denominator: number,
): number {
  const isHeavy = heavyOverGrams !== undefined && numerator > heavyOverGrams * denominator
  return ceilToStep(numerator, denominator, isHeavy ? heavyStepGrams! : weightStepGrams)
}

function roundedUpExactly(
  { weightStepGrams, heavyOverGrams, heavyStepGrams }: Steps,
  { numerator, denominator }: Fraction,
): number {
  const isHeavy = heavyOverGrams !== undefined && numerator > BigInt(heavyOverGrams) * denominator
  const step = isHeavy ? heavyStepGrams! : weightStepGrams
  return ceilNumber(numerator, denominator * BigInt(step)) * step
}

/** The sum of the chargeable weights of all units. */
export function sumOfWeights(rows: readonly ChargeableParcel[]): number {
  let grams = 0
  for (const row of rows) grams += row.chargeableGrams * row.count
  return grams
}

/** The terms of a product that determine the weight of a shipment. */
export type ShipmentWeighing = Pick<
  BookTerms,
  'shipmentStepGrams' | 'minBilledShipmentGrams' | 'volumetricPer' | 'units'
> &
  Steps

/**
 * The weight that a shipment is billed for: the sum of its units, or the larger of both totals; rounded up again, at
 * least the smallest weight.
 */
export function billedShipmentGrams(terms: ShipmentWeighing, rows: readonly ChargeableParcel[]): number {
  const { shipmentStepGrams, minBilledShipmentGrams, volumetricPer } = terms
  const grams =
    volumetricPer === undefined ? sumOfWeights(rows) : roundedUpExactly(terms, largerTotal(terms, rows))
  if (shipmentStepGrams === undefined && minBilledShipmentGrams === undefined) return grams
  const rounded = shipmentStepGrams === undefined ? grams : ceilToStep(grams, 1, shipmentStepGrams)
  return Math.max(rounded, minBilledShipmentGrams ?? 0)
}

/** The total of the actual or of the volumetric weights. The product has one volumetric rule. */
function largerTotal(terms: ShipmentWeighing, rows: readonly ChargeableParcel[]): Fraction {
  const { actual, volumetric } = totalsOf(terms, rows)
  return isLarger(volumetric, actual) ? volumetric : actual
}

/** Both totals of a shipment, in thousandths of the unit of the price list. */
export function totalsOf(
  terms: Pick<ShipmentWeighing, 'units'>,
  rows: readonly ChargeableParcel[],
): { readonly actual: Fraction; readonly volumetric: Fraction } {
  let actualGrams = 0
  let volumetric = whole(0)
  for (const { actualGrams: grams, exactVolumetric = whole(0), count } of rows) {
    actualGrams += grams * count
    const { numerator, denominator } = exactVolumetric
    volumetric = {
      numerator: volumetric.numerator * denominator + numerator * BigInt(count) * volumetric.denominator,
      denominator: volumetric.denominator * denominator,
    }
  }
  return { actual: inUnits(actualGrams, terms), volumetric }
}
