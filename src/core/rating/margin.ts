/**
 * Margins: the prices of products that are bought by a cost card and sold at the cost plus a margin.
 * Rules: docs/rate-cards.md#buy-and-sell.
 */
import { groupBy } from '../group-by.ts'
import { roundHalfUp } from '../money.ts'
import { formatKilograms } from '../quantity.ts'
import { isInForce } from '../validity.ts'
import { scopeText } from './contract.ts'
import type { Factor } from './currency/conversion.ts'
import {
  type CellTable,
  cellText,
  compileCells,
  narrowestFirst,
  type PriceCell,
  valueAt,
} from './price-cell.ts'
import type { ProductTerms } from './rate-card.ts'

/**
 * The margin of some products in some zones and for some weights. Without product and carrier it applies to all
 * products. Days are 'YYYY-MM-DD', amounts euro cents without VAT.
 */
export type MarginRow = PriceCell & {
  /** Absent: for all accounts. */
  readonly accountId?: string
  readonly productId?: number
  readonly carrierCode?: string
  readonly validFrom: string
  /** The first day it no longer applies; absent: no end. */
  readonly validTo?: string
  /** Basis points of the cost. */
  readonly percentBps: number
  /** Added to the percentage. */
  readonly amountCents: number
  /** The least sum of both; 0: no minimum, even if the percentage is negative. */
  readonly minimumCents: number
  /** The price is rounded up to the next one with these cents: 95 for 12.95. Absent: it is not. */
  readonly endingCents?: number
}

/** The margins of an account, or those for all accounts. Rows are sorted by precedence. */
export type MarginScope = {
  readonly byProduct: ReadonlyMap<number, MarginTable>
  readonly byCarrier: ReadonlyMap<string, MarginTable>
  /** Undefined if all rows are for a product or a carrier. */
  readonly others: MarginTable | undefined
}

type MarginTable = CellTable<MarginRow>

export type MarginBook = {
  readonly byAccount: ReadonlyMap<string, MarginScope>
  readonly forAll: MarginScope
}

type SoldProduct = Pick<ProductTerms, 'productId' | 'carrierCode'>

export function compileMargins(rows: readonly MarginRow[]): MarginBook {
  const sorted = [...rows].sort(byPrecedence)
  const byAccount = groupBy(sorted, ({ accountId }) => accountId)
  return {
    byAccount: new Map(
      [...byAccount].flatMap(([accountId, own]) =>
        accountId === undefined ? [] : [[accountId, compileScope(own)] as const],
      ),
    ),
    forAll: compileScope(byAccount.get(undefined) ?? []),
  }
}

/** Within a scope: the newest first day, then the narrowest cell. */
function byPrecedence(a: MarginRow, b: MarginRow): number {
  if (a.validFrom !== b.validFrom) return a.validFrom < b.validFrom ? 1 : -1
  return narrowestFirst(a, b)
}

function compileScope(rows: readonly MarginRow[]): MarginScope {
  const byProduct = tablesOf(rows, ({ productId }) => productId)
  const wider = rows.filter(({ productId }) => productId === undefined)
  const byCarrier = tablesOf(wider, ({ carrierCode }) => carrierCode)
  const others = wider.filter(({ carrierCode }) => carrierCode === undefined)
  return { byProduct, byCarrier, others: others.length === 0 ? undefined : tableOf(others) }
}

/** Without the rows that have no key. */
function tablesOf<Key>(
  rows: readonly MarginRow[],
  keyOf: (row: MarginRow) => Key | undefined,
): ReadonlyMap<Key, MarginTable> {
  const tables = new Map<Key, MarginTable>()
  for (const [key, group] of groupBy(rows, keyOf)) if (key !== undefined) tables.set(key, tableOf(group))
  return tables
}

function tableOf(rows: readonly MarginRow[]): MarginTable {
  return compileCells(rows.map((row) => ({ cell: row, value: row })))
}

/** True if a row could apply to the product, on some day, in some zone. */
export function hasMargin(
  { byProduct, byCarrier, others }: MarginScope,
  { productId, carrierCode }: SoldProduct,
): boolean {
  return byProduct.has(productId) || byCarrier.has(carrierCode) || others !== undefined
}

/** What a margin is looked up for. */
export type MarginCase = SoldProduct & {
  readonly date: string
  readonly zone: number
  readonly grams: number
}

/** "account acme, product 1201, zone 3 up to 5 kg, from 2027-01-01", for messages and lists. */
export function marginName(margin: Omit<MarginRow, 'percentBps' | 'amountCents' | 'minimumCents'>): string {
  const { accountId, validFrom } = margin
  const cell = cellText(margin, (grams) => `${formatKilograms(grams)} kg`)
  return [
    accountId === undefined ? 'all accounts' : `account ${accountId}`,
    scopeText(margin),
    ...(cell === '' ? [] : [cell]),
    `from ${validFrom}`,
  ].join(', ')
}

/** The narrowest row that applies: by product, by carrier, then for all products. Undefined if there is none. */
export function marginOn(
  { byProduct, byCarrier, others }: MarginScope,
  { productId, carrierCode, date, zone, grams }: MarginCase,
): MarginRow | undefined {
  for (const table of [byProduct.get(productId), byCarrier.get(carrierCode), others]) {
    const row = table && valueAt(table, zone, grams, (margin) => isInForce(margin, date))
    if (row !== undefined) return row
  }
  return undefined
}

/**
 * The price in euro cents without VAT. `costCents` is the sum of the lines in the cost card; `factor` converts it to
 * euro without VAT, undefined if it is that already. The price is rounded once, half up, from the exact cost, and then
 * up to its ending.
 */
export function sellingPrice(costCents: number, factor: Factor | undefined, margin: MarginRow): number {
  const { percentBps, amountCents, minimumCents, endingCents } = margin
  const numerator = BigInt(costCents) * (factor?.numerator ?? 1n)
  const denominator = factor?.denominator ?? 1n
  const withMargin = roundHalfUp(
    numerator * BigInt(10_000 + percentBps) + BigInt(amountCents) * denominator * 10_000n,
    denominator * 10_000n,
  )
  const atLeast = roundHalfUp(numerator + BigInt(minimumCents) * denominator, denominator)
  const price = Math.max(withMargin, minimumCents === 0 ? withMargin : atLeast)
  return endingCents === undefined ? price : upToEnding(price, endingCents)
}

/** The least amount that is not below `cents` and ends with `endingCents`: 12.31 is 12.95, 12.96 is 13.95. */
function upToEnding(cents: number, endingCents: number): number {
  return cents + ((((endingCents - cents) % 100) + 100) % 100)
}
