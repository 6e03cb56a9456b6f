/** Compiles the conditions and formulas of surcharges. */
import {
  type Amount,
  type Condition,
  compileAmount,
  compileCondition,
  compileWeight,
  type Weight,
} from '../../expressions/expression.ts'
import { namesIn } from '../../expressions/syntax.ts'
import type { PriceLineKind, SurchargeRow } from '../rate-card.ts'
import { RATES_LIMITS } from '../request.ts'
import { FREIGHT_CLASS, type RuleFacts } from './rule-measures.ts'
import { isUnitMeasure, type RuleVocabularies } from './rule-vocabulary.ts'

/** A compiled condition of a surcharge. */
export type RuleCondition = Condition<RuleFacts> & {
  /** False if the result is the same for all units of a shipment. */
  readonly dependsOnUnit: boolean
  /** True if it uses the freight class, which a request may leave out. */
  readonly needsFreightClass: boolean
}

/** The amount of a surcharge, in units of the card's currency. */
export type RuleAmount = Amount<RuleFacts>

/** The largest amount of a shipment, in units of a currency. The total of a shipment in cents is a safe integer. */
const LARGEST_AMOUNT = 40_000_000_000_000n

/** The largest weight that a unit is billed at least for, in kilograms. */
const LARGEST_WEIGHT = 1_000_000_000n

/** Throws an ExpressionFault. */
export function compileRuleCondition(text: string, vocabularies: RuleVocabularies): RuleCondition {
  const condition = compileCondition(text, vocabularies.condition)
  const names = namesIn(condition.syntax)
  return {
    ...condition,
    dependsOnUnit: [...names].some(isUnitMeasure),
    needsFreightClass: names.has(FREIGHT_CLASS),
  }
}

/** True if an expression uses the freight class, which a request may leave out. */
export function usesFreightClass(syntax: RuleAmount['syntax']): boolean {
  return namesIn(syntax).has(FREIGHT_CLASS)
}

/** Throws an ExpressionFault. */
export function compileRuleAmount(
  text: string,
  per: SurchargeRow['per'],
  vocabularies: RuleVocabularies,
): RuleAmount {
  const vocabulary = vocabularies[per === 'unit' ? 'unit formula' : 'shipment formula']
  const units = per === 'unit' ? BigInt(RATES_LIMITS.totalCount) : 1n
  return compileAmount(text, vocabulary, { largest: LARGEST_AMOUNT / units, reserve: units })
}

/** Throws an ExpressionFault. */
export function compileRuleWeight(text: string, { weight }: RuleVocabularies): Weight<RuleFacts> {
  return compileWeight(text, weight, LARGEST_WEIGHT)
}

/** The kinds that a condition gives to the price line. */
export function lineKindsOf({ syntax }: RuleCondition): PriceLineKind[] {
  const names = namesIn(syntax)
  return [...names].flatMap((name) => {
    if (name === 'recipient') return names.has('individual') ? ['RESIDENTIAL'] : []
    return LINE_KINDS[name] ?? []
  })
}

const LINE_KINDS: Readonly<Record<string, PriceLineKind>> = {
  date: 'OTHER',
  weekday: 'OTHER',
  area: 'REMOTE_AREA',
  from_area: 'REMOTE_AREA',
  to_area: 'REMOTE_AREA',
  longest: 'OVERSIZE',
  second: 'OVERSIZE',
  shortest: 'OVERSIZE',
  sides: 'OVERSIZE',
  sum: 'OVERSIZE',
  girth: 'OVERSIZE',
  diagonal: 'OVERSIZE',
  volume: 'OVERSIZE',
  density: 'OVERSIZE',
  ldm: 'OVERSIZE',
  kg: 'HANDLING',
  average_kg: 'HANDLING',
  height: 'HANDLING',
  stackable: 'HANDLING',
  shape: 'HANDLING',
  packaging: 'HANDLING',
  freight_class: 'HANDLING',
}
