/** Checks the expressions of surcharges and services. Rules: docs/rate-card-expressions.md#faults. */
import { ExpressionFault } from '../../expressions/expression-fault.ts'
import { compileRuleAmount, compileRuleCondition } from '../../rating/book/rule.ts'
import { type RuleVocabularies, ruleVocabularies } from '../../rating/book/rule-vocabulary.ts'
import type { ServiceRow, SurchargeRow } from '../../rating/rate-card.ts'
import { type CardIndex, productsFor, type RowOfProducts, zonesOf } from './card-index.ts'
import type { Reports } from './findings.ts'

/** Knows the zones of the charts that the products of the row use, and all groups of the card. */
export function rowVocabularies(row: RowOfProducts, card: CardIndex): RuleVocabularies {
  const zones = zonesOf(productsFor(row, card), card)
  return ruleVocabularies({ zones, isGroup: (group) => card.groups.has(group) })
}

/** `vocabularies` is called only for a row with an expression. */
export function checkExpressions(
  table: 'surcharges' | 'services',
  { condition, formula, per }: Pick<SurchargeRow | ServiceRow, 'condition' | 'formula' | 'per'>,
  index: number,
  vocabularies: () => RuleVocabularies,
  { fault }: Reports,
): void {
  if (condition === undefined && formula === undefined) return
  const words = vocabularies()
  const check = (
    field: 'condition' | 'formula',
    text: string | undefined,
    compile: (text: string) => void,
  ) => {
    if (text === undefined) return
    try {
      compile(text)
    } catch (error) {
      if (!(error instanceof ExpressionFault)) throw error
      const expected = field === 'formula' ? 'an expression of an amount' : 'an expression of a condition'
      fault(table, field, { index, field, expected, found: `${text} (${error.message})` })
    }
  }
  check('condition', condition, (text) => compileRuleCondition(text, words))
  check('formula', formula, (text) => compileRuleAmount(text, per, words))
}
