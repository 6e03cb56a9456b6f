/**
 * Contracts: what an account has agreed with the broker. Only the narrowest row applies: product first, then carrier,
 * then everything. See docs/rate-cards.md#contracts.
 */
import { groupBy } from '../group-by.ts'
import { isInForce } from '../validity.ts'
import type { ProductTerms } from './rate-card.ts'

/** Applies to a product or to a carrier. A row with neither applies to everything. Days are 'YYYY-MM-DD'. */
export type ContractRow = {
  readonly accountId: string
  readonly productId?: number
  readonly carrierCode?: string
  readonly validFrom: string
  /** The first day it no longer applies; absent: no end. */
  readonly validTo?: string
  /** Basis points added to the freight; below 0 is a discount. */
  readonly freightBps: number
  /** Basis points of the fuel surcharge itself; below 0 is a discount. */
  readonly fuelBps: number
  /** True if the product is not offered to the account. */
  readonly hidden: boolean
  /** The rate card that applies instead. A product that is not in it keeps the price of the general card. */
  readonly cardCode?: string
}

/** The contract of one account. Rows are sorted newest first. */
export type AccountContracts = {
  readonly byProduct: ReadonlyMap<number, readonly ContractRow[]>
  readonly byCarrier: ReadonlyMap<string, readonly ContractRow[]>
  readonly general: readonly ContractRow[]
  /** Codes of the rate cards that any row points to. */
  readonly cardCodes: ReadonlySet<string>
}

/** Compiles contract rows into contracts by account. */
export function compileContracts(rows: readonly ContractRow[]): ReadonlyMap<string, AccountContracts> {
  const newestFirst = [...rows].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
  const accounts = groupBy(newestFirst, ({ accountId }) => accountId)
  return new Map([...accounts].map(([accountId, contracts]) => [accountId, compileAccount(contracts)]))
}

function compileAccount(rows: readonly ContractRow[]): AccountContracts {
  const general: ContractRow[] = []
  const byProduct = new Map<number, ContractRow[]>()
  const byCarrier = new Map<string, ContractRow[]>()
  for (const row of rows) {
    if (row.productId !== undefined) append(byProduct, row.productId, row)
    else if (row.carrierCode !== undefined) append(byCarrier, row.carrierCode, row)
    else general.push(row)
  }
  const cardCodes = new Set(rows.flatMap(({ cardCode }) => cardCode ?? []))
  return { byProduct, byCarrier, general, cardCodes }
}

function append<Key>(groups: Map<Key, ContractRow[]>, key: Key, row: ContractRow): void {
  groups.set(key, [...(groups.get(key) ?? []), row])
}

/** The row that applies to a product on a day; undefined if the list price applies. */
export function contractOn(
  { byProduct, byCarrier, general }: AccountContracts,
  { productId, carrierCode }: Pick<ProductTerms, 'productId' | 'carrierCode'>,
  date: string,
): ContractRow | undefined {
  return (
    firstInForce(byProduct.get(productId), date) ??
    firstInForce(byCarrier.get(carrierCode), date) ??
    firstInForce(general, date)
  )
}

function firstInForce(rows: readonly ContractRow[] | undefined, date: string): ContractRow | undefined {
  if (rows !== undefined) for (const row of rows) if (isInForce(row, date)) return row
  return undefined
}

/** "product 1201", "carrier rondeel" or "all products". */
export function scopeText({
  productId,
  carrierCode,
}: Pick<ContractRow, 'productId' | 'carrierCode'>): string {
  if (productId !== undefined) return `product ${productId}`
  return carrierCode === undefined ? 'all products' : `carrier ${carrierCode}`
}
