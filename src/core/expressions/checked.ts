/**
 * The checked form of expressions: every figure has a dimension, a denominator that is known in advance, and a range.
 * A figure with the numerator `n` is `n / denominator` in the base unit of its dimension (units.ts).
 */
import type { Dimension } from './units.ts'
import type { QuantityMeasure } from './vocabulary.ts'

/** A figure. Its numerators are integers from `min` to `max`. */
export type Quantity<Facts> = {
  readonly dimension: Dimension
  readonly denominator: bigint
  readonly min: bigint
  readonly max: bigint
  /** The figures that it can take are integers in the base unit. */
  readonly isWhole: boolean
  /** A constant without a unit. Next to a weight, it counts kilograms. */
  readonly isBare: boolean
  /** All numerators that occur, if they are known. */
  readonly values?: ReadonlySet<number>
  readonly form: QuantityForm<Facts>
}

export type QuantityForm<Facts> =
  | { readonly kind: 'constant'; readonly numerator: bigint }
  | { readonly kind: 'measure'; readonly measure: QuantityMeasure<Facts> }
  /** `left + sign × right`. */
  | {
      readonly kind: 'sum'
      readonly left: Quantity<Facts>
      readonly right: Quantity<Facts>
      readonly sign: 1n | -1n
    }
  | { readonly kind: 'product'; readonly left: Quantity<Facts>; readonly right: Quantity<Facts> }
  | { readonly kind: 'min' | 'max'; readonly parts: readonly Quantity<Facts>[] }
  /** Rounded to a multiple of a step. The numerator of `part` is multiplied and divided to count steps. */
  | {
      readonly kind: 'rounded'
      readonly mode: Rounding
      readonly part: Quantity<Facts>
      readonly multiplier: bigint
      readonly divisor: bigint
      /** The numerator of a step. */
      readonly stepNumerator: bigint
    }
  /** How many tests hold. */
  | { readonly kind: 'count'; readonly tests: readonly Test<Facts>[] }
  /** The value of the first case whose test holds; the last one needs no test. */
  | { readonly kind: 'cases'; readonly cases: readonly CheckedCase<Facts>[] }

export type Rounding = 'ceil' | 'floor' | 'round'

export type CheckedCase<Facts> = { readonly test: Test<Facts>; readonly value: Quantity<Facts> }

export type Relation = '<' | '<=' | '='

/** A condition. */
export type Test<Facts> =
  | { readonly kind: 'fact'; readonly read: (facts: Facts) => boolean }
  | {
      readonly kind: 'relation'
      readonly relation: Relation
      readonly left: Quantity<Facts>
      readonly right: Quantity<Facts>
    }
  | { readonly kind: 'not'; readonly part: Test<Facts> }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Test<Facts>[] }

export function denominatorOf(quantities: readonly { readonly denominator: bigint }[]): bigint {
  let common = 1n
  for (const { denominator } of quantities) common = leastCommonMultiple(common, denominator)
  return common
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return (a / larger) * b
}
