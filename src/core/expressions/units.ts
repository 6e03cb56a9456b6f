/**
 * Dimensions and units of figures. Inch, foot, pound and ounce are exact: international yard and pound agreement of
 * 1959, 1 in = 2.54 cm and 1 lb = 0.45359237 kg (NIST Special Publication 811, appendix B).
 */
import { type Rational, rational, rationalText } from './rational.ts'

/**
 * The base units are cm, cm², cm³, kilograms, kilograms per cubic metre, and loading metres. A loading metre is 1 m of
 * a trailer 2.4 m wide. A `number` has no unit; amounts of money are numbers.
 */
export type Dimension = 'number' | 'length' | 'area' | 'volume' | 'weight' | 'density' | 'floor'

type Unit = { readonly dimension: Dimension; readonly size: Rational }

const unit = (dimension: Dimension, numerator: bigint, denominator = 1n): Unit => ({
  dimension,
  size: rational(numerator, denominator),
})

export const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['mm', unit('length', 1n, 10n)],
  ['cm', unit('length', 1n)],
  ['m', unit('length', 100n)],
  ['in', unit('length', 254n, 100n)],
  ['ft', unit('length', 3048n, 100n)],
  ['m2', unit('area', 10_000n)],
  ['cm3', unit('volume', 1n)],
  ['l', unit('volume', 1_000n)],
  ['m3', unit('volume', 1_000_000n)],
  ['in3', unit('volume', 16_387_064n, 1_000_000n)],
  ['ft3', unit('volume', 28_316_846_592n, 1_000_000n)],
  ['g', unit('weight', 1n, 1_000n)],
  ['kg', unit('weight', 1n)],
  ['lb', unit('weight', 45_359_237n, 100_000_000n)],
  ['oz', unit('weight', 45_359_237n, 1_600_000_000n)],
  ['kg_per_m3', unit('density', 1n)],
  // A pound in 0.3048 m cubed.
  ['lb_per_ft3', unit('density', 453_592_370_000n, 28_316_846_592n)],
  ['ldm', unit('floor', 1n)],
])

/** For messages: "a length such as 200 cm". */
export const DIMENSION_TEXT: Readonly<Record<Dimension, string>> = {
  number: 'a number without a unit',
  length: 'a length such as 200 cm',
  area: 'an area such as 2 m2',
  volume: 'a volume such as 150 l',
  weight: 'a weight such as 20 kg',
  density: 'a density such as 160 kg_per_m3',
  floor: 'a number of loading metres such as 0.4 ldm',
}

const BASE_UNITS: Readonly<Record<Dimension, string>> = {
  number: '',
  length: ' cm',
  area: ' cm2',
  volume: ' cm3',
  weight: ' kg',
  density: ' kg_per_m3',
  floor: ' ldm',
}

/** A figure in base units as text: "12.4 kg". */
export function figureText(figure: Rational, dimension: Dimension): string {
  return rationalText(figure) + BASE_UNITS[dimension]
}

/** In calculations with numbers, weights count their kilograms and floors their loading metres. */
export function isCounted(dimension: Dimension): boolean {
  return dimension === 'weight' || dimension === 'floor'
}
