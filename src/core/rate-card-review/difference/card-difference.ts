/**
 * What a new version of a rate card changes against the one before, as an operator judges it before publishing:
 * each row that is new, gone or different, and the prices by how much they moved.
 */

import type { RateCardContent, RateCardImport } from '../../rating/rate-card.ts'
import { comparePrices, type PriceDifference } from './price-changes.ts'
import { compareRows, type ProductNames, type RowChange, type RowCounts } from './row-changes.ts'
import { type PlainTableName, plainTables } from './tables.ts'

/** The difference between two contents of a card. */
export type CardDifference = {
  readonly tables: Readonly<Record<keyof RateCardContent, RowCounts>>
  /**
   * One for each row that is new or gone and for each field that differs. Prices that moved are in `prices`; where all
   * prices of a product's zone are new or gone, one entry counts them.
   */
  readonly entries: readonly RowChange[]
  readonly prices: PriceDifference
}

/** Compares two contents of a card. Rows are matched by what names them, not by where they stand. */
export function compareRateCards(before: RateCardContent, after: RateCardContent): CardDifference {
  const entries: RowChange[] = []
  const report = (change: RowChange): void => {
    entries.push(change)
  }
  const nameOf = productNames(before, after)
  const tables = plainTables(nameOf)
  const counts = <Name extends PlainTableName>(name: Name): RowCounts =>
    compareRows<RateCardContent[Name][number]>(name, tables[name], before[name], after[name], report)
  const plain = {
    products: counts('products'),
    countryGroups: counts('countryGroups'),
    lanes: counts('lanes'),
    palletClasses: counts('palletClasses'),
    areas: counts('areas'),
    areaTransit: counts('areaTransit'),
    surcharges: counts('surcharges'),
    insurance: counts('insurance'),
    transit: counts('transit'),
    laneTransit: counts('laneTransit'),
  }
  const { rows, prices } = comparePrices(before.prices, after.prices, nameOf, report)
  return { tables: { ...plain, prices: rows }, entries, prices }
}

/** True when two contents say the same. */
export function isUnchanged({ tables }: CardDifference): boolean {
  return Object.values(tables).every(
    ({ added, removed, changed }) => added === 0 && removed === 0 && changed === 0,
  )
}

/** Products as they are called now, or were before. */
function productNames(
  { products: before }: RateCardContent,
  { products: after }: RateCardContent,
): ProductNames {
  const names = new Map([...before, ...after].map(({ productId, name }) => [productId, name]))
  return (productId) => names.get(productId) ?? ''
}

// What a version of a card says that is new of the tables that all cards share: carriers, capitals, fuel. Decided
// here: a row that the version before it said already is no statement, so that publishing a card again does not
// undo what was changed since by other means (a fuel rate, above all).

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
