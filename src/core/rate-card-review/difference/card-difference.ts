/**
 * Compares two versions of a rate card, so that an operator can review a version before publishing it: rows that were
 * added, removed or changed, and price changes.
 */
import type { ListUnits, RateCardContent, RateCardImport } from '../../rating/rate-card.ts'
import { type PlaceChange, placeChanges } from './place-changes.ts'
import {
  type PlainTableName,
  type ProductNames,
  plainTables,
  withClassOrder,
  withOrder,
} from './plain-tables.ts'
import { comparePrices, type PriceDifference } from './price-changes.ts'
import { type Currencies, compareRows, type RowChange, type RowCounts, rowText } from './rows.ts'

export type CardDifference = {
  readonly tables: Readonly<Record<keyof RateCardContent, RowCounts>>
  /**
   * One entry for each added or removed row and for each changed field. Changed prices are in `prices`. If all prices
   * of a product in a zone were added or removed, there is one entry with their number.
   */
  readonly entries: readonly RowChange[]
  readonly prices: PriceDifference
  /** The changes of areas and country groups by class and country. */
  readonly places: readonly PlaceChange[]
  /** The currencies of the amounts. If they differ, prices are compared as numbers. */
  readonly currencies: Currencies
}

/** Rows are matched by their natural key, not by their position. The order of the rows of a service is compared. */
export function compareRateCards(before: RateCardContent, after: RateCardContent): CardDifference {
  const entries: RowChange[] = []
  const report = (change: RowChange): void => {
    entries.push(change)
  }
  const nameOf = productNames(before, after)
  const currencies = { before: currencyOf(before), after: currencyOf(after) }
  const [tables, oldTables] = [plainTables(nameOf, currencies.after), plainTables(nameOf, currencies.before)]
  const counts = <Name extends PlainTableName>(name: Name): RowCounts =>
    compareRows<RateCardContent[Name][number]>(
      name,
      { before: oldTables[name], after: tables[name] },
      ordered(before, name),
      ordered(after, name),
      report,
    )
  const plain = {
    products: counts('products'),
    countryGroups: counts('countryGroups'),
    lanes: counts('lanes'),
    palletClasses: counts('palletClasses'),
    sizeClasses: counts('sizeClasses'),
    minimumWeights: counts('minimumWeights'),
    areas: counts('areas'),
    areaTransit: counts('areaTransit'),
    surcharges: counts('surcharges'),
    services: counts('services'),
    insurance: counts('insurance'),
    insuranceBands: counts('insuranceBands'),
    transit: counts('transit'),
    laneTransit: counts('laneTransit'),
    priceTerms: counts('priceTerms'),
    vatRates: counts('vatRates'),
  }
  const { rows, prices } = comparePrices(
    before.prices,
    after.prices,
    { names: nameOf, unitsOf: unitsIn([...before.products, ...after.products]) },
    currencies,
    report,
  )
  return {
    tables: { ...plain, prices: rows },
    entries,
    prices,
    places: placeChanges(before, after),
    currencies,
  }
}

function ordered<Name extends PlainTableName>(
  content: RateCardContent,
  name: Name,
): readonly RateCardContent[Name][number][] {
  if (name === 'services') return withOrder(content.services)
  return name === 'sizeClasses' ? withClassOrder(content.sizeClasses) : content[name]
}

function currencyOf({ priceTerms: [terms] }: RateCardContent): string {
  return terms?.currency ?? 'EUR'
}

export function isUnchanged({ tables }: CardDifference): boolean {
  return Object.values(tables).every(
    ({ added, removed, changed }) => added === 0 && removed === 0 && changed === 0,
  )
}

/** Names of products: the new name, or the old one of a removed product. */
function productNames(
  { products: before }: RateCardContent,
  { products: after }: RateCardContent,
): ProductNames {
  const names = new Map([...before, ...after].map(({ productId, name }) => [productId, name]))
  return (productId) => names.get(productId) ?? ''
}

/** Those of the new card, if both have the product. */
function unitsIn(products: RateCardContent['products']): (productId: number) => ListUnits | undefined {
  const units = new Map(products.map((terms) => [terms.productId, terms.units]))
  return (productId) => units.get(productId)
}

/** The tables that all cards share. */
export type SharedTables = Pick<RateCardImport, 'carriers' | 'capitals' | 'fuel'>

/**
 * The rows of the shared tables that a version changes: those that the version before it does not contain. Only these
 * take effect, so that publishing a version does not undo later changes, such as a new fuel percentage.
 */
export function sharedChanges(now: SharedTables, before: SharedTables | undefined): SharedTables {
  if (before === undefined) return now
  return {
    carriers: rowsWithout(now.carriers, before.carriers),
    capitals: rowsWithout(now.capitals, before.capitals),
    fuel: rowsWithout(now.fuel, before.fuel),
  }
}

function rowsWithout<Row extends object>(rows: readonly Row[], known: readonly Row[]): Row[] {
  const texts = new Set(known.map(rowText))
  return rows.filter((row) => !texts.has(rowText(row)))
}
