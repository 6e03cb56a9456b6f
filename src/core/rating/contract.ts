/**
 * Contracts: what an account has agreed with the broker. A row states some terms. Each other term is inherited: from
 * the earlier row of the same scope, then from the wider scope (product, carrier, everything). Compiling a contract
 * resolves the terms of each period, so that a quote only looks up the period. See docs/rate-cards.md#contracts.
 */
import { groupBy } from '../group-by.ts'
import { isInForce, latestOn } from '../validity.ts'
import {
  ALL_CELLS,
  type CellTable,
  type CellValue,
  compileCells,
  narrowestFirst,
  type PriceCell,
} from './price-cell.ts'
import type { ProductTerms } from './rate-card.ts'

/** What a discount applies to: this, or the code of a surcharge or service. */
export const FREIGHT = 'freight'

/** A change of the freight, or of a surcharge, in some zones and for some weights. */
export type DiscountRow = PriceCell & {
  /** `FREIGHT`, or the code of a surcharge or service. */
  readonly appliesTo: string
  /** The turnover from which it applies, in euro cents. Of several, the one with the highest turnover applies. */
  readonly turnoverCents: number
  /** Basis points; below 0 is a discount. */
  readonly bps: number
}

/** The turnover of an account that decides its discounts from a day on, 'YYYY-MM-DD', until the next row. */
export type TurnoverRow = {
  readonly accountId: string
  /** Absent: with all carriers that have no row. */
  readonly carrierCode?: string
  readonly validFrom: string
  /** In euro cents. */
  readonly turnoverCents: number
}

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
  /** Basis points added to the freight; below 0 is a discount. Applies where `discounts` have no cell. */
  readonly freightBps?: number
  /** By zone, weight and turnover. What no row covers is inherited. Absent: none. */
  readonly discounts?: readonly DiscountRow[]
  /** The least freight of a shipment after its discount, in cents of the rate card's currency; 0: no minimum. */
  readonly minimumCents?: number
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

/** A percentage, and the contract that it comes from. `discount` is present if one of its discounts states it. */
export type AgreedPercentage = {
  readonly bps: number
  readonly row: ContractRow
  readonly discount?: DiscountRow
}

/** A minimum above 0, and the contract that states it. */
export type AgreedMinimum = { readonly cents: number; readonly row: ContractRow }

/** A table has percentages of 0 too. */
export type AgreedTable = CellTable<AgreedPercentage>

/** The terms of a product or carrier in a period, with all inherited terms. */
export type AgreedTerms = {
  readonly validFrom: string
  readonly validTo?: string
  /** Not 0. Undefined if there is no change, or if it depends on zone or weight. */
  readonly freight: AgreedPercentage | undefined
  /** The changes of the freight, if they depend on zone or weight. */
  readonly freightTable: AgreedTable | undefined
  /** By the code of the surcharge or service. */
  readonly surcharges: ReadonlyMap<string, AgreedTable> | undefined
  readonly minimum: AgreedMinimum | undefined
  /** Not 0. */
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
  turnovers: readonly TurnoverRow[] = [],
): ReadonlyMap<string, AccountContracts> {
  const newestFirst = [...rows].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
  const accounts = groupBy(newestFirst, ({ accountId }) => accountId)
  const turnoversOf = groupBy(
    [...turnovers].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1)),
    ({ accountId }) => accountId,
  )
  const carriersOf = new Map<number, Set<string>>()
  for (const { productId, carrierCode } of products)
    carriersOf.set(productId, (carriersOf.get(productId) ?? new Set()).add(carrierCode))
  return new Map(
    [...accounts].map(([accountId, contracts]) => [
      accountId,
      compileAccount(contracts, carriersOf, turnoversOf.get(accountId) ?? []),
    ]),
  )
}

function compileAccount(
  rows: readonly ContractRow[],
  carriersOf: ReadonlyMap<number, ReadonlySet<string>>,
  turnovers: readonly TurnoverRow[],
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
  const byCarrier = groupBy(turnovers, ({ carrierCode }) => carrierCode)
  for (const code of byCarrier.keys()) if (code !== undefined) rowsOf(code)
  const withAll = byCarrier.get(undefined) ?? []
  return {
    byCarrier: new Map(
      [...carriers].map(([code, carrier]) => [
        code,
        compileCarrier(carrier, general, { ofCarrier: byCarrier.get(code) ?? [], withAll }),
      ]),
    ),
    general: periodsOf(general, { ofCarrier: [], withAll }),
    cardCodes: new Set(rows.flatMap(({ cardCode }) => cardCode ?? [])),
  }
}

/** The rows of a carrier, newest first. */
type CarrierRows = { readonly products: Map<number, ContractRow[]>; readonly all: ContractRow[] }

/** The turnovers that a carrier's discounts depend on, newest first. */
type Turnovers = { readonly ofCarrier: readonly TurnoverRow[]; readonly withAll: readonly TurnoverRow[] }

function compileCarrier(
  { products, all }: CarrierRows,
  general: readonly ContractRow[],
  turnovers: Turnovers,
): CarrierContracts {
  const wider = [...all, ...general]
  return {
    byProduct: new Map(
      [...products].map(
        ([productId, rows]) => [productId, periodsOf([...rows, ...wider], turnovers)] as const,
      ),
    ),
    general: periodsOf(wider, turnovers),
  }
}

function append<Key>(groups: Map<Key, ContractRow[]>, key: Key, row: ContractRow): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [row])
  else group.push(row)
}

/**
 * The terms of rows that are sorted by precedence. Terms can only change on the first and last days of rows, and when
 * another turnover applies.
 */
function periodsOf(rows: readonly ContractRow[], { ofCarrier, withAll }: Turnovers): AgreedTerms[] {
  const hasTiers = rows.some(({ discounts }) => discounts?.some(({ turnoverCents }) => turnoverCents > 0))
  const days = [
    ...new Set([
      ...rows.flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? validFrom]),
      ...(hasTiers ? [...ofCarrier, ...withAll] : []).map(({ validFrom }) => validFrom),
    ]),
  ].sort()
  return days
    .flatMap((validFrom, index) => {
      const inForce = rows.filter((row) => isInForce(row, validFrom))
      const validTo = days[index + 1]
      const turnover = latestOn(ofCarrier, validFrom) ?? latestOn(withAll, validFrom)
      return inForce.length === 0
        ? []
        : {
            validFrom,
            ...(validTo !== undefined && { validTo }),
            ...termsOf(inForce, turnover?.turnoverCents ?? 0),
          }
    })
    .reverse()
}

function termsOf(
  rows: readonly ContractRow[],
  turnoverCents: number,
): Omit<AgreedTerms, 'validFrom' | 'validTo'> {
  const freight = firstPercentage(rows, ({ freightBps }) => freightBps)
  const minimumRow = rows.find(({ minimumCents }) => minimumCents !== undefined)
  const minimumCents = minimumRow?.minimumCents ?? 0
  const freightTable = freightTableOf(rows, turnoverCents)
  return {
    freight: freightTable === undefined ? freight : undefined,
    freightTable,
    surcharges: surchargeTablesOf(rows, turnoverCents),
    minimum:
      minimumRow === undefined || minimumCents === 0 ? undefined : { cents: minimumCents, row: minimumRow },
    fuel: firstPercentage(rows, ({ fuelBps }) => fuelBps),
    hidden: rows.find(({ hidden }) => hidden !== undefined)?.hidden ?? false,
    cardCode: rows.find(({ cardCode }) => cardCode !== undefined)?.cardCode ?? undefined,
  }
}

/** Undefined if no discount takes precedence over the percentage of the freight. */
function freightTableOf(rows: readonly ContractRow[], turnoverCents: number): AgreedTable | undefined {
  const values: CellValue<AgreedPercentage>[] = []
  for (const row of rows) {
    values.push(...discountsIn(row, turnoverCents, FREIGHT))
    if (row.freightBps === undefined) continue
    if (values.length === 0) return undefined
    values.push({ cell: ALL_CELLS, value: { bps: row.freightBps, row } })
    break
  }
  return values.length === 0 ? undefined : compileCells(values)
}

function surchargeTablesOf(
  rows: readonly ContractRow[],
  turnoverCents: number,
): ReadonlyMap<string, AgreedTable> | undefined {
  const codes = new Set(rows.flatMap(({ discounts }) => (discounts ?? []).map(({ appliesTo }) => appliesTo)))
  codes.delete(FREIGHT)
  if (codes.size === 0) return undefined
  return new Map(
    [...codes].map((code) => [
      code,
      compileCells(rows.flatMap((row) => discountsIn(row, turnoverCents, code))),
    ]),
  )
}

/** The discounts of a contract that a turnover reaches, the narrowest cells first. */
function discountsIn(
  row: ContractRow,
  turnoverCents: number,
  appliesTo: string,
): CellValue<AgreedPercentage>[] {
  const reached = (row.discounts ?? [])
    .filter((discount) => discount.appliesTo === appliesTo && discount.turnoverCents <= turnoverCents)
    .sort((a, b) => narrowestFirst(a, b) || b.turnoverCents - a.turnoverCents)
  return reached.map((discount) => ({ cell: discount, value: { bps: discount.bps, row, discount } }))
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
