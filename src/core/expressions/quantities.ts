/** Builds checked figures: their dimensions, ranges and denominators. */
import { denominatorOf, type Quantity, type Rounding, type Test } from './checked.ts'
import { dividedBy, magnitude, type Rational, rational, times } from './rational.ts'
import { type Dimension, isCounted } from './units.ts'
import type { QuantityMeasure } from './vocabulary.ts'

/** Numerators and denominators beyond this are refused. Up to here, calculations are exact and take microseconds. */
const LARGEST = 10n ** 40n

/** Undefined if a number becomes too large. */
type Built<Facts> = Quantity<Facts> | undefined

type Draft<Facts> = Omit<Quantity<Facts>, 'isBare' | 'isWhole'> & { readonly isWhole?: boolean }

function built<Facts>(draft: Draft<Facts>): Built<Facts> {
  const { min, max, denominator } = draft
  if (magnitude(min) > LARGEST || magnitude(max) > LARGEST || denominator > LARGEST) return undefined
  return { isWhole: denominator === 1n, isBare: false, ...draft }
}

export function constant<Facts>(
  value: Rational,
  dimension: Dimension,
  isBare = false,
): Quantity<Facts> | undefined {
  const { numerator, denominator } = value
  const form = { kind: 'constant', numerator } as const
  const quantity = built<Facts>({ dimension, denominator, min: numerator, max: numerator, form })
  return quantity && { ...quantity, isBare }
}

/** The value of a constant; undefined if the figure depends on the facts. */
export function constantOf({ form, denominator }: Quantity<never>): Rational | undefined {
  return form.kind === 'constant' ? rational(form.numerator, denominator) : undefined
}

export function measured<Facts>(measure: QuantityMeasure<Facts>): Quantity<Facts> {
  const { dimension, perBaseUnit, min, max, values } = measure
  const denominator = BigInt(perBaseUnit)
  return {
    dimension,
    denominator,
    min: BigInt(min),
    max: BigInt(max),
    isBare: false,
    isWhole: denominator === 1n && dimension === 'number',
    ...(values !== undefined && { values }),
    form: { kind: 'measure', measure },
  }
}

/** `dimension` is that of the result: a bare constant becomes a weight next to one. */
export function sum<Facts>(
  left: Quantity<Facts>,
  right: Quantity<Facts>,
  sign: 1n | -1n,
  dimension: Dimension,
): Built<Facts> {
  const denominator = denominatorOf([left, right])
  const [a, b] = [rangeAt(left, denominator), rangeAt(right, denominator)]
  const [min, max] = sign === 1n ? [a.min + b.min, a.max + b.max] : [a.min - b.max, a.max - b.min]
  const isWhole = left.isWhole && right.isWhole
  const [first, second] = [constantOf(left), constantOf(right)]
  if (first !== undefined && second !== undefined)
    return constant(rational(min, denominator), dimension, left.isBare && right.isBare)
  return built({ dimension, denominator, min, max, isWhole, form: { kind: 'sum', left, right, sign } })
}

export function negated<Facts>(part: Quantity<Facts>): Built<Facts> {
  const zero = constant<Facts>(rational(0n), part.dimension, part.isBare)
  return zero && sum(zero, part, -1n, part.dimension)
}

const LENGTHS: readonly Dimension[] = ['number', 'length', 'area', 'volume']

/** The dimension of a product; undefined if there is none. */
export function productDimension(left: Dimension, right: Dimension): Dimension | undefined {
  if (left === 'number' || right === 'number') {
    const other = left === 'number' ? right : left
    return isCounted(other) ? 'number' : other
  }
  return LENGTHS.includes(left) && LENGTHS.includes(right)
    ? LENGTHS[LENGTHS.indexOf(left) + LENGTHS.indexOf(right)]
    : undefined
}

/** The dimension of a quotient; undefined if there is none. */
export function quotientDimension(left: Dimension, right: Dimension): Dimension | undefined {
  if (left === right) return 'number'
  if (right === 'number') return isCounted(left) ? 'number' : left
  return LENGTHS.includes(left) && LENGTHS.includes(right)
    ? LENGTHS[LENGTHS.indexOf(left) - LENGTHS.indexOf(right)]
    : undefined
}

export function product<Facts>(
  left: Quantity<Facts>,
  right: Quantity<Facts>,
  dimension: Dimension,
): Built<Facts> {
  const denominator = left.denominator * right.denominator
  const ends = [left.min * right.min, left.min * right.max, left.max * right.min, left.max * right.max]
  const [min, max] = [least(ends), greatest(ends)]
  const [first, second] = [constantOf(left), constantOf(right)]
  if (first !== undefined && second !== undefined)
    return constant(times(first, second), dimension, left.isBare && right.isBare)
  const isWhole = left.isWhole && right.isWhole
  return built({ dimension, denominator, min, max, isWhole, form: { kind: 'product', left, right } })
}

/** `divisor` is not 0. */
export function quotient<Facts>(
  left: Quantity<Facts>,
  divisor: Rational,
  dimension: Dimension,
): Built<Facts> {
  const factor = constant<Facts>(dividedBy(rational(1n), divisor), 'number', left.isBare)
  return factor && product(left, factor, dimension)
}

export function extreme<Facts>(
  kind: 'min' | 'max',
  parts: readonly Quantity<Facts>[],
  dimension: Dimension,
): Built<Facts> {
  const denominator = denominatorOf(parts)
  const ranges = parts.map((part) => rangeAt(part, denominator))
  const choose = kind === 'min' ? least : greatest
  const [min, max] = [choose(ranges.map((range) => range.min)), choose(ranges.map((range) => range.max))]
  const isWhole = parts.every((part) => part.isWhole)
  return built({ dimension, denominator, min, max, isWhole, form: { kind, parts } })
}

/** Rounds to a multiple of `step`, which is above 0. */
export function rounded<Facts>(mode: Rounding, part: Quantity<Facts>, step: Rational): Built<Facts> {
  const { denominator, numerator: stepNumerator } = step
  const multiplier = denominator
  const divisor = part.denominator * stepNumerator
  const at = (numerator: bigint): bigint => roundedBig(mode, numerator * multiplier, divisor) * stepNumerator
  return built({
    dimension: part.dimension,
    denominator,
    min: at(part.min),
    max: at(part.max),
    form: { kind: 'rounded', mode, part, multiplier, divisor, stepNumerator },
  })
}

/** `divisor` is above 0. Exactly half is rounded up. */
export function roundedBig(mode: Rounding, numerator: bigint, divisor: bigint): bigint {
  switch (mode) {
    case 'floor':
      return floorBig(numerator, divisor)
    case 'ceil':
      return -floorBig(-numerator, divisor)
    case 'round':
      return floorBig(2n * numerator + divisor, 2n * divisor)
  }
}

function floorBig(numerator: bigint, divisor: bigint): bigint {
  const towardsZero = numerator / divisor
  return numerator < 0n && towardsZero * divisor !== numerator ? towardsZero - 1n : towardsZero
}

export function count<Facts>(tests: readonly Test<Facts>[]): Quantity<Facts> {
  return {
    dimension: 'number',
    denominator: 1n,
    min: 0n,
    max: BigInt(tests.length),
    isWhole: true,
    isBare: false,
    form: { kind: 'count', tests },
  }
}

export function chosen<Facts>(
  cases: readonly { readonly test: Test<Facts>; readonly value: Quantity<Facts> }[],
  dimension: Dimension,
): Built<Facts> {
  const values = cases.map(({ value }) => value)
  const denominator = denominatorOf(values)
  const ranges = values.map((value) => rangeAt(value, denominator))
  const [min, max] = [least(ranges.map((range) => range.min)), greatest(ranges.map((range) => range.max))]
  const isWhole = values.every((value) => value.isWhole)
  return built({ dimension, denominator, min, max, isWhole, form: { kind: 'cases', cases } })
}

/** The range of a figure with another denominator, which is a multiple of its own. */
export function rangeAt(
  { min, max, denominator }: Pick<Quantity<never>, 'min' | 'max' | 'denominator'>,
  other: bigint,
): { readonly min: bigint; readonly max: bigint } {
  const factor = other / denominator
  return { min: min * factor, max: max * factor }
}

function least(numbers: readonly bigint[]): bigint {
  return numbers.reduce((a, b) => (b < a ? b : a))
}

function greatest(numbers: readonly bigint[]): bigint {
  return numbers.reduce((a, b) => (b > a ? b : a))
}
