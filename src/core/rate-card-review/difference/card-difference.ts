/**
 * Compares two versions of a rate card, so that an operator can review a version before publishing it: rows that were
 * added, removed or changed, and price changes.
 */
import type { ListUnits, PriceRow, RateCardContent, RateCardImport } from '../../rating/rate-card.ts'
import { type PlaceChange, placeChanges } from './place-changes.ts'
import {
  type PlainTableName,
  type ProductNames,
  plainTables,
  withClassOrder,
  withOrder,
} from './plain-tables.ts'
import { openPriceComparison, type PriceDifference } from './price-changes.ts'
import { type Currencies, compareRows, type RowChange, type RowCounts, rowText } from './rows.ts'

export type CardDifference = {
  readonly tables: Readonly<Record<keyof RateCardContent, RowCounts>>
  /**
   * One entry for each added or removed row and for each changed field. Changed prices are in `prices`. If all prices
   * of a product in a zone were added or removed, there is one entry with their number. Only the first entries are
   * kept; `entryCount` counts all.
   */
  readonly entries: readonly RowChange[]
  readonly entryCount: number
  readonly prices: PriceDifference
  /** The changes of areas and country groups by class and country. */
  readonly places: readonly PlaceChange[]
  /** The currencies of the amounts. If they differ, prices are compared as numbers. */
  readonly currencies: Currencies
}

/** The tables of a card without its prices. A card can have a million prices. */
export type CardTerms = Omit<RateCardContent, 'prices'>

/** Compares two cards without holding the prices of both in memory. */
export type CardComparison = {
  /** All prices of a product in both cards. Call it once for each product, in the order of their ids. */
  addPrices(before: readonly PriceRow[], after: readonly PriceRow[]): void
  /** Call it last. */
  finish(): CardDifference
}

/**
 * Rows are matched by their natural key, not by their position. The order of the rows of a service is compared. The
 * difference lists the `limit` largest price changes and the first `limit` other changes, and counts all.
 */
export function openCardComparison(before: CardTerms, after: CardTerms, limit: number): CardComparison {
  const entries: RowChange[] = []
  let entryCount = 0
  const report = (change: RowChange): void => {
    entryCount++
    if (entries.length < limit) entries.push(change)
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
  const plain = plainCounts(counts)
  const units = unitsIn([...before.products, ...after.products])
  const comparison = openPriceComparison({ names: nameOf, unitsOf: units }, currencies, report, limit)
  return {
    addPrices: comparison.add,
    finish() {
      const { rows, prices } = comparison.finish()
      const places = placeChanges(before, after)
      return { tables: { ...plain, prices: rows }, entries, entryCount, prices, places, currencies }
    },
  }
}

/** In the order in which their changes are listed. */
function plainCounts(counts: (name: PlainTableName) => RowCounts): Record<PlainTableName, RowCounts> {
  return {
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
}

function ordered<Name extends PlainTableName>(
  content: CardTerms,
  name: Name,
): readonly RateCardContent[Name][number][] {
  if (name === 'services') return withOrder(content.services)
  return name === 'sizeClasses' ? withClassOrder(content.sizeClasses) : content[name]
}

function currencyOf({ priceTerms: [terms] }: CardTerms): string {
  return terms?.currency ?? 'EUR'
}

export function isUnchanged({ tables }: CardDifference): boolean {
  return Object.values(tables).every(
    ({ added, removed, changed }) => added === 0 && removed === 0 && changed === 0,
  )
}

/** Names of products: the new name, or the old one of a removed product. */
function productNames({ products: before }: CardTerms, { products: after }: CardTerms): ProductNames {
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

/** A card without its prices. */
export type UnpricedCard = SharedTables & { readonly content: CardTerms }

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
