/**
 * What an account has agreed with the broker: a change of freight or fuel, another rate card, a product that is
 * not for it. The narrowest agreement decides alone: account and product, account and carrier, account.
 * Source: the order of contracts in src/reference/README.md.
 */
import { groupBy } from '../group-by.ts'
import { isInForce } from '../validity.ts'
import type { ProductTerms } from './rate-card.ts'

/** One agreement. Neither product nor carrier: all that the account may book. Days are 'YYYY-MM-DD'. */
export type ContractRow = {
  readonly accountId: string
  readonly productId?: number
  readonly carrierCode?: string
  readonly validFrom: string
  /** The first day it no longer holds; absent while it is open. */
  readonly validTo?: string
  /** Basis points added to the freight; below 0 is a discount. */
  readonly freightBps: number
  /** Basis points of the fuel surcharge added to it; below 0 is a discount. */
  readonly fuelBps: number
  /** True: not offered to the account. */
  readonly hidden: boolean
  /** The rate card that prices instead; a product that is not in it keeps its price in the general card. */
  readonly cardCode?: string
}

/** The agreements of one account, by what they are about, newest first. */
export type AccountContracts = {
  readonly byProduct: ReadonlyMap<number, readonly ContractRow[]>
  readonly byCarrier: ReadonlyMap<string, readonly ContractRow[]>
  readonly general: readonly ContractRow[]
  /** Codes of the rate cards that any of them points to. */
  readonly cardCodes: ReadonlySet<string>
}

/** Compiles agreements, by account. */
export function compileContracts(rows: readonly ContractRow[]): ReadonlyMap<string, AccountContracts> {
  const newestFirst = [...rows].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
  const accounts = groupBy(newestFirst, ({ accountId }) => accountId)
  return new Map([...accounts].map(([accountId, own]) => [accountId, compileAccount(own)]))
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

/** The agreement that decides for a product on a day, or undefined when it is sold as listed. */
export function contractOn(
  { byProduct, byCarrier, general }: AccountContracts,
  { productId, carrierCode }: Pick<ProductTerms, 'productId' | 'carrierCode'>,
  date: string,
): ContractRow | undefined {
  const inForce = (row: ContractRow): boolean => isInForce(row, date)
  return (
    byProduct.get(productId)?.find(inForce) ??
    byCarrier.get(carrierCode)?.find(inForce) ??
    general.find(inForce)
  )
}

/** What an agreement is about: "product 1201", "carrier rondeel", "all products". */
export function scopeText({
  productId,
  carrierCode,
}: Pick<ContractRow, 'productId' | 'carrierCode'>): string {
  if (productId !== undefined) return `product ${productId}`
  return carrierCode === undefined ? 'all products' : `carrier ${carrierCode}`
}
