/**
 * Low-value rules whose currency has no exchange rate. It is not known whether they apply or what they charge. Duties
 * and taxes are therefore calculated without them, and a line without an amount names them. See
 * docs/decisions/customs.md#d202.
 */
import type { ThresholdRow } from '../../data/row-types/thresholds.ts'
import { type Exact, isZero } from '../../exact.ts'
import type { Goods } from '../goods.ts'
import { type ExactLine, notEstimated, notEstimatedLine } from '../tax-line.ts'
import { type CandidateThresholds, coversCode, isOnAmount, type UnconvertibleThreshold } from './threshold.ts'

/**
 * The rules without an exchange rate that could change the charges on goods of a code. `charged`: the charges without
 * these rules, in euro. A rule has no effect if an earlier rule applies, or if it only lowers charges that are zero.
 */
export function unconvertibleRules(
  fitting: CandidateThresholds,
  harmonizedCode: string,
  charged: Exact,
): readonly UnconvertibleThreshold[] {
  const rules: UnconvertibleThreshold[] = []
  let isDecided = false
  for (const rule of fitting) {
    const { row } = rule.threshold
    if (!coversCode(row, harmonizedCode)) continue
    if (rule.rate !== undefined) isDecided = true
    else if ((!isDecided || isOnAmount(row)) && !(isZero(charged) && onlyLowers(row))) rules.push(rule)
  }
  return rules
}

function onlyLowers(row: ThresholdRow): boolean {
  return isOnAmount(row) || (row.kind === 'relief_up_to' && !row.replacesTaxes)
}

/** `rules`: at least one. */
export function unconvertibleLine(
  { harmonizedCode, items, customsValue }: Goods,
  kind: ExactLine['kind'],
  rules: readonly UnconvertibleThreshold[],
): ExactLine {
  const name = notEstimated(kind === 'DUTY' ? 'Low-value rule on duty' : 'Low-value rule on taxes')
  return notEstimatedLine(
    { harmonizedCode, kind, name, items, base: customsValue },
    { kind: 'notCharged', reason: 'unconvertible', facts: { rules } },
  )
}
