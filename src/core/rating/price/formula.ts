/** The amount of a surcharge that its row states as a formula. Rules: docs/rate-card-expressions.md. */
import { mulDivToStep, roundHalfUp } from '../../money.ts'
import type { RuleAmount } from '../book/rule.ts'
import type { RuleFacts } from '../book/rule-measures.ts'

/** The facts of a formula, and the number of units that they stand for. */
export type CountedFacts = { readonly facts: RuleFacts; readonly count: number }

/** Larger denominators are calculated with BigInt. */
const SAFE_DENOMINATOR = 1_000_000_000_000n

/** The sum over all units in cents, rounded once, half up, to a multiple of `step`. An amount below 0 counts as 0. */
export function formulaCents(amount: RuleAmount, cases: readonly CountedFacts[], step: number): number {
  const { numerator, denominator } = amount
  if (numerator.isBig || denominator > SAFE_DENOMINATOR)
    return roundHalfUp(100n * formulaNumerator(amount, cases), denominator * BigInt(step)) * step
  let total = 0
  for (const { facts, count } of cases) total += Math.max(0, numerator.read(facts)) * count
  return mulDivToStep(total, 100, Number(denominator), step)
}

/** The sum over all units, as the numerator of a fraction with the denominator of the formula. */
export function formulaNumerator({ numerator }: RuleAmount, cases: readonly CountedFacts[]): bigint {
  let total = 0n
  for (const { facts, count } of cases) {
    const value = BigInt(numerator.read(facts))
    if (value > 0n) total += value * BigInt(count)
  }
  return total
}
