/**
 * The units of a price list. A list in pounds or ounces has its weights in them, its lengths in inches, and its
 * volumetric divisor in cubic inches per pound. Conversions are exact: 1 lb = 453.59237 g, 16 oz = 1 lb, 1 in = 2.54 cm
 * (international yard and pound agreement of 1959; NIST Special Publication 811, appendix B).
 * Rules: docs/rate-card-files.md#inches-and-pounds.
 */
import type { ListUnits, SideRounding } from '../rate-card.ts'
import type { Parcel } from '../request.ts'

/** A fiftieth of a centimetre (0.02 cm) measures centimetres and inches in whole numbers. */
export const FIFTIETHS_PER_CM = 50
export const FIFTIETHS_PER_INCH = 127

type UnitOfWeight = {
  /** For texts: "lb". */
  readonly sign: 'kg' | 'lb' | 'oz'
  /** The grams of a thousandth of the unit, as a fraction. */
  readonly grams: { readonly numerator: bigint; readonly denominator: bigint }
  readonly perPound: bigint
}

const KILOGRAM: UnitOfWeight = { sign: 'kg', grams: { numerator: 1n, denominator: 1n }, perPound: 0n }

const UNITS_OF_WEIGHT: Readonly<Record<ListUnits, UnitOfWeight>> = {
  'lb-in': { sign: 'lb', grams: { numerator: 45_359_237n, denominator: 100_000_000n }, perPound: 1n },
  'oz-in': { sign: 'oz', grams: { numerator: 45_359_237n, denominator: 1_600_000_000n }, perPound: 16n },
}

/** Undefined `units` are kilograms and centimetres. */
export function unitOfWeight(units: ListUnits | undefined): UnitOfWeight {
  return units === undefined ? KILOGRAM : UNITS_OF_WEIGHT[units]
}

/** Thousandths of the unit of a list in grams, rounded up to the gram. */
export function gramsOf(thousandths: number, units: ListUnits | undefined): number {
  if (units === undefined) return thousandths
  const { numerator, denominator } = unitOfWeight(units).grams
  return ceilNumber(BigInt(thousandths) * numerator, denominator)
}

/** The largest whole number of grams that a weight limit of a list allows. */
export function gramsWithin(thousandths: number, units: ListUnits | undefined): number {
  if (units === undefined) return thousandths
  const { numerator, denominator } = unitOfWeight(units).grams
  return Number((BigInt(thousandths) * numerator) / denominator)
}

/** A side in fiftieths of a centimetre, rounded to inches as the list states, but never to none. */
export function fiftiethsOf(centimetres: number, rounding: SideRounding | undefined): number {
  const exact = centimetres * FIFTIETHS_PER_CM
  switch (rounding) {
    case undefined:
      return exact
    case 'up':
      return Math.ceil(exact / FIFTIETHS_PER_INCH) * FIFTIETHS_PER_INCH
    case 'half-up': {
      const inches = Math.floor((2 * exact + FIFTIETHS_PER_INCH) / (2 * FIFTIETHS_PER_INCH))
      return (exact > 0 && inches === 0 ? 1 : inches) * FIFTIETHS_PER_INCH
    }
  }
}

/** The parcel with its sides in fiftieths of a centimetre instead of centimetres. */
export function inFiftieths(parcel: Parcel, rounding: SideRounding | undefined): Parcel {
  return {
    ...parcel,
    lengthCm: fiftiethsOf(parcel.lengthCm, rounding),
    widthCm: fiftiethsOf(parcel.widthCm, rounding),
    heightCm: fiftiethsOf(parcel.heightCm, rounding),
  }
}

/** `numerator / denominator`, rounded up. Both are 0 or more. */
export function ceilNumber(numerator: bigint, denominator: bigint): number {
  return Number((numerator + denominator - 1n) / denominator)
}
