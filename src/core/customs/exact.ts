/**
 * Exact amounts: fractions of two integers, so that a duty can be carried unrounded into the base of a tax. Decided
 * here: nothing is rounded before it becomes a line; integers are plain numbers as long as they are safe, and big
 * ones beyond, which keeps the usual estimate free of BigInt. Source: design note on customs, "Exactness".
 */

import { formatDecimal } from '../quantity.ts'

/** An integer of any size. */
export type Whole = number | bigint

/** A fraction; `denominator` is above zero, the fraction need not be reduced. */
export type Exact = { readonly numerator: Whole; readonly denominator: Whole }

/** Nothing. */
export const ZERO: Exact = { numerator: 0, denominator: 1 }

/** `steps` of 10^-`places`, without the decimals that are all zero. */
export function exactOf(steps: Whole, places: number): Exact {
  let numerator = steps
  let left = places
  // Two at a time: most amounts are whole cents or whole units.
  while (left >= 2 && typeof numerator === 'number' && numerator % 100 === 0) {
    numerator /= 100
    left -= 2
  }
  return { numerator, denominator: POWERS[left] ?? 10n ** BigInt(left) }
}

const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]

/** A fraction in lowest terms; for figures that are read once and used often, such as rates. */
export function reducedFraction(numerator: number, denominator: number): Exact {
  let a = Math.abs(numerator)
  let b = denominator
  while (b !== 0) [a, b] = [b, a % b]
  return { numerator: numerator / a, denominator: denominator / a }
}

function multiply(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product
  }
  return BigInt(a) * BigInt(b)
}

function add(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return BigInt(a) + BigInt(b)
}

/** The sum. */
export function plus(a: Exact, b: Exact): Exact {
  if (a.numerator === 0) return b
  if (b.numerator === 0) return a
  if (a.denominator === b.denominator)
    return { numerator: add(a.numerator, b.numerator), denominator: a.denominator }
  if (typeof a.denominator === 'number' && typeof b.denominator === 'number') {
    if (b.denominator % a.denominator === 0) return plusFiner(a, b, b.denominator / a.denominator)
    if (a.denominator % b.denominator === 0) return plusFiner(b, a, a.denominator / b.denominator)
  }
  return {
    numerator: add(multiply(a.numerator, b.denominator), multiply(b.numerator, a.denominator)),
    denominator: multiply(a.denominator, b.denominator),
  }
}

/** The sum where the second is in steps that are `factor` times finer. */
function plusFiner(coarse: Exact, fine: Exact, factor: number): Exact {
  return { numerator: add(multiply(coarse.numerator, factor), fine.numerator), denominator: fine.denominator }
}

/** The sum of any number. */
export function sumOf(amounts: readonly Exact[]): Exact {
  let sum = ZERO
  for (const amount of amounts) sum = plus(sum, amount)
  return sum
}

/** The product. */
export function times(a: Exact, b: Exact): Exact {
  if (a.numerator === 0 || b.numerator === 0) return ZERO
  return {
    numerator: multiply(a.numerator, b.numerator),
    denominator: multiply(a.denominator, b.denominator),
  }
}

/** `a` × a whole number. */
export function timesWhole(a: Exact, factor: Whole): Exact {
  return { numerator: multiply(a.numerator, factor), denominator: a.denominator }
}

/** `a` ÷ `b`, which is above zero. */
export function dividedBy(a: Exact, b: Exact): Exact {
  return {
    numerator: multiply(a.numerator, b.denominator),
    denominator: multiply(a.denominator, b.numerator),
  }
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: Exact, b: Exact): number {
  const left = multiply(a.numerator, b.denominator)
  const right = multiply(b.numerator, a.denominator)
  return left < right ? -1 : left > right ? 1 : 0
}

/** True for nothing at all. */
export function isZero(a: Exact): boolean {
  return a.numerator === 0 || a.numerator === 0n
}

/** What `a` exceeds `b` by; zero when it does not. */
export function excess(a: Exact, b: Exact): Exact {
  if (compare(a, b) <= 0) return ZERO
  return plus(a, { numerator: multiply(b.numerator, -1), denominator: b.denominator })
}

/** The larger of two. */
export function largerOf(a: Exact, b: Exact): Exact {
  return compare(a, b) < 0 ? b : a
}

/** The smaller of two. */
export function smallerOf(a: Exact, b: Exact): Exact {
  return compare(a, b) > 0 ? b : a
}

/**
 * Whole cents, rounded half-up (towards +∞ at exactly one half): the one rounding of a line.
 * @throws RangeError past the safe integers.
 */
export function centsOf({ numerator, denominator }: Exact): number {
  const cents = Number(nearestWhole(multiply(numerator, 100), denominator))
  if (!Number.isSafeInteger(cents)) throw new RangeError('amount out of range')
  return cents
}

/** `numerator` / `denominator` to the nearest whole number, half up. */
function nearestWhole(numerator: Whole, denominator: Whole): Whole {
  return flooredQuotient(add(multiply(numerator, 2), denominator), multiply(denominator, 2))
}

/** Rounded towards −∞. Between safe integers the quotient of floating point is never off by a whole one. */
function flooredQuotient(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b)
  const [dividend, divisor] = [BigInt(a), BigInt(b)]
  const quotient = dividend / divisor
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient
}

/** The multiple of `unit` (above zero) nearest to `a`, half up. */
export function roundToUnit(a: Exact, unit: Exact): Exact {
  const { numerator, denominator } = dividedBy(a, unit)
  return timesWhole(unit, nearestWhole(numerator, denominator))
}

/** The largest multiple of `unit` (above zero) that is at most `a`. */
export function cutToUnit(a: Exact, unit: Exact): Exact {
  const { numerator, denominator } = dividedBy(a, unit)
  return timesWhole(unit, flooredQuotient(numerator, denominator))
}

const THOUSANDTHS = 1000

/** A quantity as decimal text of at most three places, rounded for display only. */
export function formatQuantity({ numerator, denominator }: Exact): string {
  return formatDecimal(Number(nearestWhole(multiply(numerator, THOUSANDTHS), denominator)), 3)
}
