/**
 * Which trade defence measures concern goods: anti-dumping, countervailing and safeguard duties whose rates are not
 * loaded. See docs/customs-data.md#trade-defence.
 */
import { isInForce } from '../../validity.ts'
import type { TradeDefenceKind, TradeDefenceRow } from '../data/row-types/trade-defence.ts'
import { type OriginScope, type SharedParts, scopeRank } from './measure.ts'

/** By the first four digits of the code prefix. */
export type TradeDefence = ReadonlyMap<string, readonly DefendedGoods[]>

type DefendedGoods = { readonly row: TradeDefenceRow; readonly origins: OriginScope }

const HEADING_LENGTH = 4

/** Compiles the rows of one customs area. */
export function compileTradeDefence(
  rows: readonly TradeDefenceRow[],
  { scopeOf }: Pick<SharedParts, 'scopeOf'>,
): TradeDefence {
  const byHeading = new Map<string, DefendedGoods[]>()
  for (const row of rows) {
    const heading = row.codePrefix.slice(0, HEADING_LENGTH)
    const goods = { row, origins: scopeOf(row) }
    const known = byHeading.get(heading)
    if (known === undefined) byHeading.set(heading, [goods])
    else known.push(goods)
  }
  return byHeading
}

const NO_ROWS: readonly TradeDefenceRow[] = []

/**
 * The rows for goods of a code and origin on a day, in the order of their kinds. A row may name a longer code than the
 * given one, because a six-digit code leaves open whether the goods are concerned. `loadedTypes` are the types of the
 * additional duties that are loaded for these goods: they replace the rows of their kind.
 */
export function findTradeDefence(
  defence: TradeDefence,
  code: string,
  date: string,
  origin: string,
  loadedTypes: readonly string[],
): readonly TradeDefenceRow[] {
  const candidates = defence.get(code.slice(0, HEADING_LENGTH))
  if (candidates === undefined) return NO_ROWS
  const rows = candidates.flatMap(({ row, origins }) =>
    (code.startsWith(row.codePrefix) || row.codePrefix.startsWith(code)) &&
    isInForce(row, date) &&
    scopeRank(origins, origin) > 0 &&
    !loadedTypes.some((type) => type.startsWith(row.kind))
      ? [row]
      : [],
  )
  return rows.length === 0 ? NO_ROWS : rows.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
}

const KINDS: readonly TradeDefenceKind[] = ['anti_dumping', 'countervailing', 'safeguard']
