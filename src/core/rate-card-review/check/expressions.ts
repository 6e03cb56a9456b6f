/** Checks the expressions of a card. Rules: docs/rate-card-expressions.md#faults. */
import { neverAboveZero, neverHolds } from '../../expressions/bounds.ts'
import { ExpressionFault } from '../../expressions/expression-fault.ts'
import { parseExpression } from '../../expressions/parser.ts'
import { type Choice, type Syntax, visit } from '../../expressions/syntax.ts'
import type { RuleTerms } from '../../rating/book/book-product.ts'
import { compileRuleAmount, compileRuleCondition, compileRuleWeight } from '../../rating/book/rule.ts'
import { type RuleVocabularies, ruleVocabularies } from '../../rating/book/rule-vocabulary.ts'
import type { ServiceRow, SurchargeRow } from '../../rating/rate-card.ts'
import { type CardIndex, productsFor, type RowOfProducts, zonesOf } from './card-index.ts'
import type { Report, Reports } from './findings.ts'

type Units = Pick<RuleTerms, 'units' | 'sideRounding'>

/**
 * The vocabularies that an expression of the row must fit: one for each combination of units and rounding among its
 * products. Each knows the zones of the charts of these products, and all groups of the card.
 */
export function rowVocabularies(row: RowOfProducts, card: CardIndex): readonly RuleVocabularies[] {
  const products = productsFor(row, card)
  const zones = zonesOf(products, card)
  const kinds = new Map<string, Units>()
  for (const { units, sideRounding } of products)
    kinds.set(JSON.stringify([units, sideRounding]), { units, sideRounding })
  if (kinds.size === 0) kinds.set('', {})
  return [...kinds.values()].map(({ units, sideRounding }) =>
    ruleVocabularies({ zones, isGroup: (group) => card.groups.has(group), units, sideRounding }),
  )
}

/** `vocabularies` is called only for a row with an expression. */
export function checkExpressions(
  table: 'surcharges' | 'services',
  { condition, formula, per }: Pick<SurchargeRow | ServiceRow, 'condition' | 'formula' | 'per'>,
  index: number,
  vocabularies: () => readonly RuleVocabularies[],
  { fault, warn }: Reports,
): void {
  if (condition === undefined && formula === undefined) return
  const words = vocabularies()
  const report = (field: 'condition' | 'formula', faulty: FaultyExpression): void =>
    fault(table, field, { index, field, ...faulty })
  const hasCondition = checkCompiles(EXPECTED.condition, condition, words, compileRuleCondition, (faulty) =>
    report('condition', faulty),
  )
  const hasFormula = checkCompiles(
    EXPECTED.formula,
    formula,
    words,
    (text, kind) => compileRuleAmount(text, per, kind),
    (faulty) => report('formula', faulty),
  )
  const known = [
    ...(hasCondition ? [['condition', condition!] as const] : []),
    ...(hasFormula ? [['formula', formula!] as const] : []),
  ]
  for (const [field, text] of known) {
    const expected = unknownZoneIn(text, words)
    if (expected !== undefined) fault(table, `zone of ${field}`, { index, field, expected, found: text })
    else if (field === 'condition' && words.every((kind) => neverHolds(text, kind.condition)))
      warn(table, 'never holds', { index, field, expected: EXPECTED_TO_HOLD, found: text })
    else if (field === 'formula' && words.every((kind) => neverAboveZero(text, amountsOf(kind, per))))
      warn(table, 'never charged', { index, field, expected: 'an amount that can be above 0', found: text })
  }
}

function amountsOf(kinds: RuleVocabularies, per: SurchargeRow['per']): RuleVocabularies['condition'] {
  return kinds[per === 'unit' ? 'unit formula' : 'shipment formula']
}

const EXPECTED_TO_HOLD = 'a condition that some requests fulfil'

/** What is expected instead of a zone that the products do not have; undefined if there is none. */
function unknownZoneIn(text: string, [words]: readonly RuleVocabularies[]): string | undefined {
  const measure = words?.condition.measures.get('zone')
  const zones = measure?.type === 'quantity' ? [...(measure.values ?? [])] : []
  // Products without zones have a fault of their own.
  if (zones.length === 0) return undefined
  let isUnknown = false
  visit(parseExpression(text), (part) => {
    for (const { low, high } of zonesComparedIn(part)) {
      const [from, to] = [numberOf(low) ?? 0, high === undefined ? Number.POSITIVE_INFINITY : numberOf(high)]
      if (to !== undefined && !zones.some((zone) => from <= zone && zone <= to)) isUnknown = true
    }
  })
  return isUnknown
    ? `zones of the products of the row (${zones.sort((a, b) => a - b).join(', ')})`
    : undefined
}

type Zones = Pick<Choice, 'low' | 'high'>

/** The values and ranges that the zone is compared with. */
function zonesComparedIn(part: Syntax): readonly Zones[] {
  switch (part.kind) {
    case 'comparison': {
      if (part.operator !== '=' && part.operator !== '!=') return []
      const { left, right } = part
      return isZone(left) ? [{ low: right, high: right }] : isZone(right) ? [{ low: left, high: left }] : []
    }
    case 'in':
      // An open range compares: "zone in 12.." is "zone >= 12".
      return isZone(part.part)
        ? part.choices.filter(({ low, high }) => low !== undefined && high !== undefined)
        : []
    case 'by':
      return isZone(part.subject) ? part.cases.map(({ choice }) => choice) : []
  }
  return []
}

function isZone(syntax: Syntax): boolean {
  return syntax.kind === 'name' && syntax.name === 'zone'
}

/** Undefined for a calculated number. */
function numberOf(syntax: Syntax | undefined): number | undefined {
  return syntax?.kind === 'number' ? Number(syntax.text) : undefined
}

const EXPECTED = {
  condition: 'an expression of a condition',
  formula: 'an expression of an amount',
  weight: 'an expression of a weight',
} as const

type FaultyExpression = { readonly expected: string; readonly found: string }

/** Characters of a long expression that a fault shows, and how many of them are before the fault. */
const [SHOWN, SHOWN_BEFORE] = [76, 30]

/** The part of an expression around a character, which is counted from 0. */
function excerptAt(text: string, at: number): string {
  const start = Math.max(0, Math.min(at - SHOWN_BEFORE, text.length - SHOWN))
  const end = start + SHOWN
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}

/** Reports the fault of an expression, once for all kinds of units. True for an expression without one. */
function checkCompiles(
  expected: string,
  text: string | undefined,
  vocabularies: readonly RuleVocabularies[],
  compile: (text: string, vocabularies: RuleVocabularies) => unknown,
  report: (faulty: FaultyExpression) => void,
): boolean {
  if (text === undefined) return false
  for (const words of vocabularies)
    try {
      compile(text, words)
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error
      report({ expected: `${expected} (${error.message})`, found: excerptAt(text, error.at) })
      return false
    }
  return true
}

/** Checks the expressions of a size class, or of a smallest weight. */
export function checkUnitExpressions(
  table: 'sizeClasses' | 'minimumWeights',
  { condition, weight }: { readonly condition?: string; readonly weight?: string },
  index: number,
  vocabularies: readonly RuleVocabularies[],
  { fault, warn }: Reports,
): void {
  const report = (kind: Report, name: string, { expected, found }: FaultyExpression): void =>
    kind<'sizeClasses' | 'minimumWeights'>(table, name, { index, field: 'condition', expected, found })
  const isCondition = checkCompiles(
    EXPECTED.condition,
    condition,
    vocabularies,
    compileRuleCondition,
    (faulty) => report(fault, 'condition', faulty),
  )
  if (isCondition) {
    const expected = unknownZoneIn(condition!, vocabularies)
    if (expected !== undefined) report(fault, 'zone of condition', { expected, found: condition! })
    else if (vocabularies.every((kind) => neverHolds(condition!, kind.condition)))
      report(warn, 'never holds', { expected: EXPECTED_TO_HOLD, found: condition! })
  }
  checkCompiles(EXPECTED.weight, weight, vocabularies, compileRuleWeight, (faulty) =>
    fault('minimumWeights', 'weight', { index, field: 'weight', ...faulty }),
  )
}
