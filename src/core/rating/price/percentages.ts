/**
 * Percentages that are rounded as a sum, if the card says so: docs/rate-card-files.md#currency-and-vat. Each line is
 * the rounded sum of the percentages up to it, minus the lines before it.
 */
import { roundHalfUp } from '../../money.ts'
import type { AgreedTerms } from '../contract.ts'
import type { ApplicableSurcharge } from './price-line.ts'

/** 100%, in the unit of `jointRate`. */
export const JOINT_WHOLE = 100_000_000n

/**
 * The percentage of a charge that is rounded with others, in units of 10^-8. Undefined for other charges: amounts,
 * those with a minimum or maximum, and those of other phases.
 */
export function jointRate(
  { surcharge, fuel }: ApplicableSurcharge,
  contract: Pick<AgreedTerms, 'fuel'> | undefined,
): bigint | undefined {
  const { phase, method, minimumCents, maximumCents, amount } = surcharge
  if (phase !== 'percent' || minimumCents !== 0 || maximumCents !== undefined) return undefined
  if (method === 'pct') return BigInt(amount) * 10_000n
  if (method !== 'fuel' || fuel?.rateBps === undefined || fuel.per !== undefined) return undefined
  return BigInt(fuel.rateBps) * BigInt(10_000 + (contract?.fuel?.bps ?? 0))
}

/** The percentages so far, and the cents of their lines. */
export type JointSum = { rate: bigint; cents: number }

/** The cents of the next line, which is added to `sum`. Rounded to a multiple of `step`. */
export function nextJointCents(sum: JointSum, rate: bigint, baseCents: number, step: number): number {
  sum.rate += rate
  const cents = roundHalfUp(BigInt(baseCents) * sum.rate, JOINT_WHOLE * BigInt(step)) * step - sum.cents
  sum.cents += cents
  return cents
}
