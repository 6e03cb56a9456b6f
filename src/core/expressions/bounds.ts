/**
 * What bounds such as `longest <= 64 cm` show of a condition: whether it holds wherever another one does, and whether
 * it can hold at all.
 */
import type { Quantity, Test } from './checked.ts'
import { Checker } from './checker.ts'
import { parseExpression } from './parser.ts'
import { constantOf } from './quantities.ts'
import { type Rational, rational } from './rational.ts'
import type { Vocabulary } from './vocabulary.ts'

type Bound = {
  readonly measure: unknown
  readonly isUpper: boolean
  readonly value: Rational
  readonly isInclusive: boolean
}

/** The bounds that a condition requires. `isComplete`: it requires nothing else. */
export type Bounds = { readonly bounds: readonly Bound[]; readonly isComplete: boolean }

/** Bounds of different conditions can be compared if they have the same vocabulary. Throws an ExpressionFault. */
export function boundsOf<Facts>(text: string, vocabulary: Vocabulary<Facts>): Bounds {
  return boundsOfTest(new Checker(vocabulary).test(parseExpression(text)))
}

function boundsOfTest<Facts>(test: Test<Facts>): Bounds {
  if (test.kind === 'and') {
    const parts = test.parts.map(boundsOfTest)
    return {
      bounds: parts.flatMap(({ bounds }) => bounds),
      isComplete: parts.every(({ isComplete }) => isComplete),
    }
  }
  const bounds = test.kind === 'relation' ? boundsOfRelation(test) : []
  return { bounds, isComplete: bounds.length > 0 }
}

function boundsOfRelation<Facts>(test: Extract<Test<Facts>, { readonly kind: 'relation' }>): Bound[] {
  const { relation, left, right } = test
  const isInclusive = relation !== '<'
  const upper = bound(left, right, true, isInclusive)
  const lower = bound(right, left, false, isInclusive)
  if (relation !== '=') return [...upper, ...lower]
  return [upper, lower, bound(left, right, false, true), bound(right, left, true, true)].flat()
}

function bound<Facts>(
  quantity: Quantity<Facts>,
  limit: Quantity<Facts>,
  isUpper: boolean,
  isInclusive: boolean,
): Bound[] {
  const value = constantOf(limit)
  return value === undefined ? [] : boundAt(quantity, value, isUpper, isInclusive)
}

/** The bound of a measure, or of a measure plus or minus a constant: `kg + 25 g <= 1 kg`. */
function boundAt<Facts>(
  { form }: Quantity<Facts>,
  value: Rational,
  isUpper: boolean,
  isInclusive: boolean,
): Bound[] {
  if (form.kind === 'measure') return [{ measure: form.measure, isUpper, value, isInclusive }]
  if (form.kind !== 'sum') return []
  const { left, right, sign } = form
  const [before, after] = [constantOf(left), constantOf(right)]
  if (after !== undefined) return boundAt(left, plus(value, after, -sign), isUpper, isInclusive)
  if (before === undefined || sign === -1n) return []
  return boundAt(right, plus(value, before, -1n), isUpper, isInclusive)
}

function plus(a: Rational, b: Rational, sign: bigint): Rational {
  return rational(
    a.numerator * b.denominator + sign * b.numerator * a.denominator,
    a.denominator * b.denominator,
  )
}

/** True only if it is certain that the first condition holds wherever the second one does. */
export function contains(one: Bounds, other: Bounds): boolean {
  return (
    one.isComplete && one.bounds.every((wide) => other.bounds.some((narrow) => isWithinBound(narrow, wide)))
  )
}

function isWithinBound(narrow: Bound, wide: Bound): boolean {
  if (narrow.measure !== wide.measure || narrow.isUpper !== wide.isUpper) return false
  const [a, b] = [narrow.value, wide.value]
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  if (difference === 0n) return wide.isInclusive || !narrow.isInclusive
  return wide.isUpper ? difference < 0n : difference > 0n
}

/** True only if it is certain that no facts fulfil the condition. Throws an ExpressionFault. */
export function neverHolds<Facts>(text: string, vocabulary: Vocabulary<Facts>): boolean {
  return isNever(new Checker(vocabulary).test(parseExpression(text)))
}

/** True only if it is certain that the amount is 0 or less. Throws an ExpressionFault. */
export function neverAboveZero<Facts>(text: string, vocabulary: Vocabulary<Facts>): boolean {
  return new Checker(vocabulary).quantity(parseExpression(text)).max <= 0n
}

function isNever<Facts>(test: Test<Facts>): boolean {
  switch (test.kind) {
    case 'fact':
    case 'not':
      return false
    case 'or':
      return test.parts.every(isNever)
    case 'and':
      return test.parts.some(isNever) || isContradiction(boundsOfTest(test).bounds)
    case 'relation': {
      const { relation, left, right } = test
      const [least, most] = [left.min * right.denominator, right.max * left.denominator]
      if (relation === '<') return least >= most
      return least > most || (relation === '=' && right.min * left.denominator > left.max * right.denominator)
    }
  }
}

/** True if a measure has a lower bound above an upper one. */
function isContradiction(bounds: readonly Bound[]): boolean {
  return bounds.some(
    (lower) =>
      !lower.isUpper &&
      bounds.some((upper) => {
        if (!upper.isUpper || upper.measure !== lower.measure) return false
        const [low, high] = [lower.value, upper.value]
        const difference = low.numerator * high.denominator - high.numerator * low.denominator
        return difference > 0n || (difference === 0n && !(lower.isInclusive && upper.isInclusive))
      }),
  )
}
