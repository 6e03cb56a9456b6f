/**
 * Lines for trade defence duties whose rates are not loaded: one for each kind, without an amount. A line says which
 * goods the measure is for. See docs/customs-data.md#trade-defence and docs/decisions/customs.md#d300.
 */
import { groupBy } from '../../../group-by.ts'
import type { TradeDefenceKind } from '../../data/row-types/trade-defence.ts'
import type { Goods, Lot } from '../goods.ts'
import { type ExactLine, type LineHead, notEstimated, notEstimatedLine } from '../tax-line.ts'

const NAMES: Readonly<Record<TradeDefenceKind, string>> = {
  anti_dumping: 'Anti-dumping duty',
  countervailing: 'Countervailing duty',
  safeguard: 'Safeguard duty',
}

/** Adds the lines for a lot. `headOf` gives the head of a line with a name. */
export function addTradeDefence(
  lines: ExactLine[],
  goods: Goods,
  lot: Lot,
  headOf: (goods: Goods, lot: Lot, name: string) => LineHead,
): void {
  for (const [kind, rows] of groupBy(lot.facts.tradeDefence, (row) => row.kind)) {
    const head = headOf(goods, lot, notEstimated(NAMES[kind]))
    const facts = { lot, rows }
    lines.push(notEstimatedLine(head, { kind: 'notCharged', reason: 'tradeDefence', facts }))
  }
}
