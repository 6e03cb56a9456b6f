/**
 * What a new version of a rate card changes against the one before, as an operator judges it before publishing:
 * each row that is new, gone or different, and the prices by how much they moved.
 */
import { comparePrices, type PriceDifference } from './card-difference/price-changes.ts'
import type { ProductNames } from './card-difference/product-names.ts'
import { compareRows, type RowChange, type RowCounts } from './card-difference/row-changes.ts'
import { type PlainTableName, plainTables } from './card-difference/tables.ts'
import type { RateCardContent } from './rate-card.ts'

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
