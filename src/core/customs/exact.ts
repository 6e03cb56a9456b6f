/**
 * Exact amounts in euro: fractions of two big integers, so that a duty can be carried unrounded into the base
 * of a tax. Decided here: nothing is rounded before it becomes a line. Source: design note on customs.
 */
import { roundHalfUp } from '../money.ts'

/** A fraction of a euro (or of a currency unit); `denominator` is above zero, the fraction need not be reduced. */
export type Exact = { readonly numerator: bigint; readonly denominator: bigint }

/** Nothing. */
export const ZERO: Exact = { numerator: 0n, denominator: 1n }

/** One million: the denominator of a rate in parts per million (1% = 10,000). */
export const MILLION = 1_000_000n

/** `steps` of 10^-`places`, as `parseDecimal` reads them. */
export function exactOf(steps: number | bigint, places: number): Exact {
  return { numerator: BigInt(steps), denominator: 10n ** BigInt(places) }
}

/** The sum. */
export function plus(a: Exact, b: Exact): Exact {
  if (a.denominator === b.denominator)
    return { numerator: a.numerator + b.numerator, denominator: a.denominator }
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }
}

/** `a` × `numerator` / `denominator` (above zero). */
export function times(a: Exact, numerator: bigint, denominator: bigint): Exact {
  return { numerator: a.numerator * numerator, denominator: a.denominator * denominator }
}

/** A share of an amount; the rate in parts per million (1% = 10,000). */
export function shareOfExact(a: Exact, ratePpm: number): Exact {
  return times(a, BigInt(ratePpm), MILLION)
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: Exact, b: Exact): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** What `a` exceeds `b` by; zero when it does not. */
export function excess(a: Exact, b: Exact): Exact {
  return compare(a, b) <= 0 ? ZERO : plus(a, { numerator: -b.numerator, denominator: b.denominator })
}

/** Whole cents, rounded half-up: the one rounding of a line. */
export function centsOf(a: Exact): number {
  return roundHalfUp(a.numerator * 100n, a.denominator)
}

/** The multiple of `unit` nearest to `a`, half-up: a currency whose smallest coin is `unit`. */
export function roundToUnit(a: Exact, unit: Exact): Exact {
  const numerator = a.numerator * unit.denominator
  const denominator = a.denominator * unit.numerator
  const units = (2n * numerator + denominator) / (2n * denominator)
  return { numerator: units * unit.numerator, denominator: unit.denominator }
}
