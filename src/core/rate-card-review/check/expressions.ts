/** Checks the expressions of a card. Rules: docs/rate-card-expressions.md#faults. */
import { ExpressionFault } from '../../expressions/expression-fault.ts'
import { compileRuleAmount, compileRuleCondition, compileRuleWeight } from '../../rating/book/rule.ts'
import { type RuleVocabularies, ruleVocabularies } from '../../rating/book/rule-vocabulary.ts'
import type { ProductTerms, ServiceRow, SurchargeRow } from '../../rating/rate-card.ts'
import { type CardIndex, productsFor, type RowOfProducts, zonesOf } from './card-index.ts'
import type { Report, Reports } from './findings.ts'

type Units = Pick<ProductTerms, 'units' | 'sideRounding'>

/**
 * One for each kind of units of the products of the row. They know the zones of the charts that these products use, and
 * all groups of the card.
 */
export function rowVocabularies(row: RowOfProducts, card: CardIndex): readonly RuleVocabularies[] {
  const products = productsFor(row, card)
  const zones = zonesOf(products, card)
  const kinds = new Map<string, Units>()
  for (const { units, sideRounding } of products)
    kinds.set(JSON.stringify([units, sideRounding]), {
      ...(units !== undefined && { units }),
      ...(sideRounding !== undefined && { sideRounding }),
    })
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
  { fault }: Reports,
): void {
  if (condition === undefined && formula === undefined) return
  const words = vocabularies()
  const report = (field: 'condition' | 'formula', faulty: FaultyExpression): void =>
    fault(table, field, { index, field, ...faulty })
  checkCompiles(EXPECTED.condition, condition, words, compileRuleCondition, (faulty) =>
    report('condition', faulty),
  )
  checkCompiles(
    EXPECTED.formula,
    formula,
    words,
    (text, kind) => compileRuleAmount(text, per, kind),
    (faulty) => report('formula', faulty),
  )
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

/** Reports the fault of an expression, once for all kinds of units. */
function checkCompiles(
  expected: string,
  text: string | undefined,
  vocabularies: readonly RuleVocabularies[],
  compile: (text: string, vocabularies: RuleVocabularies) => unknown,
  report: (faulty: FaultyExpression) => void,
): void {
  if (text === undefined) return
  for (const words of vocabularies)
    try {
      compile(text, words)
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error
      report({ expected: `${expected} (${error.message})`, found: excerptAt(text, error.at) })
      return
    }
}

/** Checks the expressions of a size class, or of a smallest weight. */
export function checkUnitExpressions<Table extends 'sizeClasses' | 'minimumWeights'>(
  table: Table,
  { condition, weight }: { readonly condition?: string; readonly weight?: string },
  index: number,
  vocabularies: readonly RuleVocabularies[],
  fault: Report,
): void {
  checkCompiles(EXPECTED.condition, condition, vocabularies, compileRuleCondition, (faulty) =>
    fault<'sizeClasses' | 'minimumWeights'>(table, 'condition', { index, field: 'condition', ...faulty }),
  )
  checkCompiles(EXPECTED.weight, weight, vocabularies, compileRuleWeight, (faulty) =>
    fault('minimumWeights', 'weight', { index, field: 'weight', ...faulty }),
  )
}
