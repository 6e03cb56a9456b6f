/**
 * What a version of a card says that is new of the tables that all cards share: carriers, capitals, fuel. Decided
 * here: a row that the version before it said already is no statement, so that publishing a card again does not
 * undo what was changed since by other means (a fuel rate, above all).
 */
import type { RateCardImport } from './rate-card.ts'

/** The tables that all cards share. */
export type SharedTables = Pick<RateCardImport, 'carriers' | 'capitals' | 'fuel'>

/** The rows of `now` that `before` does not have; without a version before it, all of them. */
export function sharedChanges(now: SharedTables, before: SharedTables | undefined): SharedTables {
  if (before === undefined) return now
  return {
    carriers: rowsWithout(now.carriers, before.carriers),
    capitals: rowsWithout(now.capitals, before.capitals),
    fuel: rowsWithout(now.fuel, before.fuel),
  }
}

function rowsWithout<Row extends object>(rows: readonly Row[], known: readonly Row[]): Row[] {
  const texts = new Set(known.map(textOf))
  return rows.filter((row) => !texts.has(textOf(row)))
}

/** Rows may come from a file or from the database, so their fields may be in another order. */
function textOf(row: object): string {
  return JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
}
