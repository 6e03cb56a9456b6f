/** The cases of `by`, and ranges of figures. */
import { denominatorOf, type Quantity, type Test } from './checked.ts'
import { ExpressionFault } from './expression-fault.ts'
import { chosen, constantOf } from './quantities.ts'
import { rational } from './rational.ts'
import { figureText } from './units.ts'

/** An inclusive range; an absent bound is open. Both have the dimension of the subject. */
export type Span<Facts> = {
  readonly low: Quantity<Facts> | undefined
  readonly high: Quantity<Facts> | undefined
  readonly at: number
}

/** True if the subject is in the range. */
export function spanTest<Facts>(subject: Quantity<Facts>, { low, high, at }: Span<Facts>): Test<Facts> {
  if (low === undefined && high === undefined) throw new ExpressionFault(at, 'a range needs at least one end')
  const [from, to] = [low && constantOf(low), high && constantOf(high)]
  if (
    from !== undefined &&
    to !== undefined &&
    from.numerator * to.denominator > to.numerator * from.denominator
  )
    throw new ExpressionFault(at, 'the lower end of a range is above the upper end')
  const above: Test<Facts>[] = low ? [{ kind: 'relation', relation: '<=', left: low, right: subject }] : []
  const below: Test<Facts>[] = high ? [{ kind: 'relation', relation: '<=', left: subject, right: high }] : []
  return { kind: 'and', parts: [...above, ...below] }
}

/**
 * The value of the first case that holds. `conditions` are ranges of a figure, or tests of words. `values` has one
 * entry per case, and another one for `otherwise`. Undefined if a number becomes too large.
 */
export function casesOf<Facts>(
  subject: Quantity<Facts> | undefined,
  conditions: readonly (Span<Facts> | Test<Facts>)[],
  values: readonly Quantity<Facts>[],
  otherwise: Quantity<Facts> | undefined,
  at: number,
): Quantity<Facts> | undefined {
  if (conditions.length === 0) throw new ExpressionFault(at, 'by needs at least one case')
  const spans = conditions.filter((condition) => 'at' in condition)
  if (subject !== undefined) requireOrder(subject, spans, otherwise !== undefined, at)
  const tests = conditions.map((condition) => ('at' in condition ? spanTest(subject!, condition) : condition))
  const always: Test<Facts> = { kind: 'and', parts: [] }
  const cases = values.map((value, index) => ({ test: tests[index] ?? always, value }))
  return chosen(cases, values[0]!.dimension)
}

/** Numerators of a range over the common denominator of all ranges and the subject. */
type Bounds = { readonly low: bigint | undefined; readonly high: bigint | undefined; readonly at: number }

/** Ranges are constant, ascending and without overlap. Without `else`, they cover every value of the subject. */
function requireOrder<Facts>(
  subject: Quantity<Facts>,
  spans: readonly Span<Facts>[],
  hasElse: boolean,
  at: number,
): void {
  const denominator = denominatorOf([
    subject,
    ...spans.flatMap(({ low, high }) => [low, high]).filter(isPresent),
  ])
  const numeratorOf = (bound: Quantity<Facts> | undefined, place: number): bigint | undefined => {
    if (bound === undefined) return undefined
    const value = constantOf(bound)
    if (value === undefined) throw new ExpressionFault(place, 'the ranges of by must be constants')
    return (value.numerator * denominator) / value.denominator
  }
  const bounds = spans.map(
    (span): Bounds => ({
      low: numeratorOf(span.low, span.at),
      high: numeratorOf(span.high, span.at),
      at: span.at,
    }),
  )
  // Ranges of continuous figures share an end, which belongs to the lower range: "up to and including".
  const step = subject.isWhole ? denominator : 0n
  for (const [index, { low, at: place }] of bounds.entries()) {
    if (index === 0) continue
    const before = bounds[index - 1]!.high
    if (before === undefined || low === undefined || (step === 0n ? low < before : low <= before))
      throw new ExpressionFault(place, 'the ranges of by must ascend and must not overlap')
  }
  if (hasElse) return
  const missing = firstMissing(subject, bounds, denominator, step)
  if (missing === undefined) return
  const { numerator, isCovered } = missing
  const found = figureText(rational(numerator, denominator), subject.dimension)
  throw new ExpressionFault(at, `no case ${isCovered ? 'above' : 'for'} ${found}; add one, or an else`)
}

/** `isCovered`: the value itself is the end of a range, and those above it are missing. */
type Missing = { readonly numerator: bigint; readonly isCovered: boolean }

/** The smallest value that no range contains. Ranges ascend. */
function firstMissing<Facts>(
  subject: Quantity<Facts>,
  bounds: readonly Bounds[],
  denominator: bigint,
  step: bigint,
): Missing | undefined {
  const factor = denominator / subject.denominator
  if (subject.values !== undefined) {
    const values = [...subject.values].sort((a, b) => a - b).map((value) => BigInt(value) * factor)
    const numerator = values.find(
      (value) => !bounds.some(({ low, high }) => (low ?? value) <= value && value <= (high ?? value)),
    )
    return numerator === undefined ? undefined : { numerator, isCovered: false }
  }
  let next = subject.min * factor
  const end = subject.max * factor
  let isCovered = false
  for (const { low, high } of bounds) {
    if (low !== undefined && low > next) return { numerator: next, isCovered }
    if (high === undefined) return undefined
    if (high + step < next) continue
    next = high + step
    isCovered = step === 0n
  }
  return next > end || (step === 0n && next === end) ? undefined : { numerator: next, isCovered }
}

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined
}
