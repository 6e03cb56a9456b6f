/**
 * Contracts: what an account has agreed with the broker. A row states some terms. Each other term is inherited: from
 * the earlier row of the same scope, then from the wider scope (product, carrier, everything). Compiling a contract
 * resolves the terms of each period, so that a quote only looks up the period. See docs/rate-cards.md#contracts.
 */
import { groupBy } from '../group-by.ts'
import { isInForce } from '../validity.ts'
import type { ProductTerms } from './rate-card.ts'

/**
 * Applies to a product or to a carrier. A row with neither applies to everything. Days are 'YYYY-MM-DD'. An absent term
 * is inherited.
 */
export type ContractRow = {
  readonly accountId: string
  readonly productId?: number
  readonly carrierCode?: string
  readonly validFrom: string
  /** The first day it no longer applies; absent: no end. */
  readonly validTo?: string
  /** Basis points added to the freight; below 0 is a discount. */
  readonly freightBps?: number
  /** Basis points of the fuel surcharge itself; below 0 is a discount. */
  readonly fuelBps?: number
  /** True if the product is not offered to the account. */
  readonly hidden?: boolean
  /**
   * The rate card that applies instead. A product that is not in it keeps the price of the general card. Null: the
   * general card.
   */
  readonly cardCode?: string | null
}

/** A percentage other than 0, and the row that states it. */
export type AgreedPercentage = { readonly bps: number; readonly row: ContractRow }

/** The terms of a product or carrier in a period, with all inherited terms. */
export type AgreedTerms = {
  readonly validFrom: string
  readonly validTo?: string
  readonly freight: AgreedPercentage | undefined
  readonly fuel: AgreedPercentage | undefined
  readonly hidden: boolean
  /** Undefined: the general card. */
  readonly cardCode: string | undefined
}

/** The contract of one account. Periods are sorted newest first. */
export type AccountContracts = {
  /** The carriers with rows of their own, or with rows of their products. */
  readonly byCarrier: ReadonlyMap<string, CarrierContracts>
  /** The terms of all other carriers. */
  readonly general: readonly AgreedTerms[]
  /** Codes of the rate cards that any row points to. */
  readonly cardCodes: ReadonlySet<string>
}

type CarrierContracts = {
  /** The products with rows of their own. */
  readonly byProduct: ReadonlyMap<number, readonly AgreedTerms[]>
  /** The terms of the carrier's other products. */
  readonly general: readonly AgreedTerms[]
}

type SoldProduct = Pick<ProductTerms, 'productId' | 'carrierCode'>

/** Compiles contract rows into contracts by account. Rows for products that are not in `products` have no effect. */
export function compileContracts(
  rows: readonly ContractRow[],
  products: readonly SoldProduct[],
): ReadonlyMap<string, AccountContracts> {
  const newestFirst = [...rows].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
  const accounts = groupBy(newestFirst, ({ accountId }) => accountId)
  const carriersOf = new Map<number, Set<string>>()
  for (const { productId, carrierCode } of products)
    carriersOf.set(productId, (carriersOf.get(productId) ?? new Set()).add(carrierCode))
  return new Map(
    [...accounts].map(([accountId, contracts]) => [accountId, compileAccount(contracts, carriersOf)]),
  )
}

function compileAccount(
  rows: readonly ContractRow[],
  carriersOf: ReadonlyMap<number, ReadonlySet<string>>,
): AccountContracts {
  const general: ContractRow[] = []
  const carriers = new Map<string, CarrierRows>()
  const rowsOf = (carrierCode: string): CarrierRows => {
    const known = carriers.get(carrierCode) ?? { products: new Map(), all: [] }
    carriers.set(carrierCode, known)
    return known
  }
  for (const row of rows) {
    const { productId, carrierCode } = row
    if (productId !== undefined)
      for (const code of carriersOf.get(productId) ?? []) append(rowsOf(code).products, productId, row)
    else if (carrierCode !== undefined) rowsOf(carrierCode).all.push(row)
    else general.push(row)
  }
  return {
    byCarrier: new Map([...carriers].map(([code, carrier]) => [code, compileCarrier(carrier, general)])),
    general: periodsOf(general),
    cardCodes: new Set(rows.flatMap(({ cardCode }) => cardCode ?? [])),
  }
}

/** The rows of a carrier, newest first. */
type CarrierRows = { readonly products: Map<number, ContractRow[]>; readonly all: ContractRow[] }

function compileCarrier({ products, all }: CarrierRows, general: readonly ContractRow[]): CarrierContracts {
  const wider = [...all, ...general]
  return {
    byProduct: new Map(
      [...products].map(([productId, rows]) => [productId, periodsOf([...rows, ...wider])] as const),
    ),
    general: periodsOf(wider),
  }
}

function append<Key>(groups: Map<Key, ContractRow[]>, key: Key, row: ContractRow): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [row])
  else group.push(row)
}

/** The terms of rows that are sorted by precedence. Terms can only change on the first and last days of rows. */
function periodsOf(rows: readonly ContractRow[]): AgreedTerms[] {
  const days = [
    ...new Set(rows.flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? validFrom])),
  ].sort()
  return days
    .flatMap((validFrom, index) => {
      const inForce = rows.filter((row) => isInForce(row, validFrom))
      const validTo = days[index + 1]
      return inForce.length === 0
        ? []
        : { validFrom, ...(validTo !== undefined && { validTo }), ...termsOf(inForce) }
    })
    .reverse()
}

function termsOf(rows: readonly ContractRow[]): Omit<AgreedTerms, 'validFrom' | 'validTo'> {
  return {
    freight: firstPercentage(rows, ({ freightBps }) => freightBps),
    fuel: firstPercentage(rows, ({ fuelBps }) => fuelBps),
    hidden: rows.find(({ hidden }) => hidden !== undefined)?.hidden ?? false,
    cardCode: rows.find(({ cardCode }) => cardCode !== undefined)?.cardCode ?? undefined,
  }
}

function firstPercentage(
  rows: readonly ContractRow[],
  bpsOf: (row: ContractRow) => number | undefined,
): AgreedPercentage | undefined {
  const row = rows.find((candidate) => bpsOf(candidate) !== undefined)
  const bps = row === undefined ? undefined : bpsOf(row)
  return row === undefined || bps === undefined || bps === 0 ? undefined : { bps, row }
}

/** The terms of a product on a day; undefined if the list price applies. */
export function contractOn(
  { byCarrier, general }: AccountContracts,
  { productId, carrierCode }: SoldProduct,
  date: string,
): AgreedTerms | undefined {
  const carrier = byCarrier.get(carrierCode)
  const periods = carrier === undefined ? general : (carrier.byProduct.get(productId) ?? carrier.general)
  for (const terms of periods) if (isInForce(terms, date)) return terms
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
