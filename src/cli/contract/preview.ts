/** What a change of a contract or turnover does to prices, for `waybill contract set`, `remove` and `turnover`. */
import type { Kysely } from 'kysely'
import { formatCents, mulDivHalfUp } from '../../core/money.ts'
import type { BelowCostReport } from '../../core/rate-card-review/cost/below-cost.ts'
import {
  comparePrices,
  isRise,
  type PriceComparison,
  type ReferencePrice,
} from '../../core/rate-card-review/difference/reference-prices.ts'
import { type RateBook, withContracts } from '../../core/rating/book/rate-book.ts'
import type { ContractRow, TurnoverRow } from '../../core/rating/contract.ts'
import type { Database } from '../../store/database/database.ts'
import { loadRateBook } from '../../store/rate-cards/rate-book.ts'
import { exchangeRatesFor, pricesBelowCost, rulesText } from '../card/below-cost.ts'
import { signedPercentText } from '../card/difference-report.ts'
import { currentDay } from '../terminal/arguments.ts'
import { counted, table } from '../terminal/output.ts'

/** How many days on which prices can change are compared. */
const MAX_DAYS = 12

/** What is agreed with an account. */
export type Agreements = {
  readonly contracts: readonly ContractRow[]
  readonly turnovers: readonly TurnoverRow[]
}

/** What a change is for, and the days on which it applies. */
export type ChangedRow = Pick<
  ContractRow,
  'accountId' | 'productId' | 'carrierCode' | 'validFrom' | 'validTo' | 'discounts'
>

/** A change of what is agreed. `rows` is what changes, before and after the change, or only before if it is removed. */
export type AgreementChange = {
  readonly before: Agreements
  readonly after: Agreements
  readonly rows: readonly [ChangedRow, ...ChangedRow[]]
}

/** The prices that change, and those that are then below the cost. */
export type AgreementPreview = { readonly compared: PriceComparison; readonly belowCost: BelowCostReport }

export async function previewAgreements(
  db: Kysely<Database>,
  { before, after, rows }: AgreementChange,
): Promise<AgreementPreview> {
  const book = await loadRateBook(db)
  const dated = [before, after].flatMap(({ contracts, turnovers }) => [...contracts, ...turnovers])
  const { days, isEvery } = comparedDays(book, dated, rows)
  const [old, now] = [before, after].map(({ contracts, turnovers }) =>
    withContracts(book, contracts, turnovers),
  ) as [RateBook, RateBook]
  const { accountId } = rows[0]
  const cells = [before, after].flatMap(({ contracts }) =>
    contracts.flatMap((row) => (row.accountId === accountId ? (row.discounts ?? []) : [])),
  )
  const comparison = comparePrices({
    before: old,
    after: now,
    accountId,
    scopes: rows,
    days,
    cells,
    exchangeRates: await exchangeRatesFor(book, db),
  })
  const belowCost = await pricesBelowCost(db, { before: old, after: now, accountId, days, cells })
  return { compared: { ...comparison, isComplete: comparison.isComplete && isEvery }, belowCost }
}

/**
 * The first day of the contract or today, whichever is later, and the later days on which something agreed with the
 * account or a rate card begins or ends, before the later end of `rows`. If there are too many days, the ends of `rows`
 * stay, and others are left out.
 */
function comparedDays(
  { cards, contractCards, costCards }: RateBook,
  agreed: readonly Pick<ContractRow, 'validFrom' | 'validTo'>[],
  rows: AgreementChange['rows'],
): { readonly days: readonly string[]; readonly isEvery: boolean } {
  const today = currentDay()
  const [{ validFrom }] = rows
  const ends = rows.flatMap(({ validTo }) => validTo ?? []).sort()
  const end = ends.length < rows.length ? undefined : ends.at(-1)
  const first = validFrom < today && (end === undefined || today < end) ? today : validFrom
  const dated = [...agreed, ...[...cards, ...contractCards.values(), ...costCards].flat()]
  const others = dated.flatMap((row) => [row.validFrom, row.validTo ?? row.validFrom]).sort()
  const later = [...ends, ...others].filter((day) => day > first && (end === undefined || day < end))
  const all = [...new Set([first, ...later])]
  return { days: all.slice(0, MAX_DAYS).sort(), isEvery: all.length <= MAX_DAYS }
}

/** Warns if prices rise. `account` is who pays more. */
export function riseWarnings({ prices }: PriceComparison, account: string): string[] {
  const rises = prices.filter(isRise).length
  return rises === 0 ? [] : [`${counted(rises, 'product')} would cost ${account} more`]
}

export function notComparedWarnings({ isComplete, ...others }: PriceComparison): string[] {
  return [...namedWarnings(others), ...(isComplete ? [] : ['not all requests and days were compared'])]
}

/** Warnings about what `previewLines` names: products and surcharges. */
function namedWarnings({
  notCompared,
  surchargesNotCompared,
}: Pick<PriceComparison, 'notCompared' | 'surchargesNotCompared'>): string[] {
  return [
    ...(notCompared.length === 0
      ? []
      : [`${counted(notCompared.length, 'product was', 'products were')} not compared`]),
    ...(surchargesNotCompared.length === 0
      ? []
      : [`${counted(surchargesNotCompared.length, 'surcharge was', 'surcharges were')} not compared`]),
  ]
}

/** At most `limit` prices, those that rise first, and warnings of what was not compared. */
export function previewLines(comparison: PriceComparison, account: string, limit: number): string[] {
  const { notCompared, surchargesNotCompared, isComplete } = comparison
  const names = [
    ...(notCompared.length === 0 ? [] : [productsText(notCompared)]),
    ...(surchargesNotCompared.length === 0 ? [] : [rulesText(surchargesNotCompared)]),
  ]
  return [
    ...changeLines(comparison.prices, account, limit),
    ...namedWarnings(comparison).map((warning, at) => `warning: ${warning}: ${names[at]}`),
    ...(isComplete ? [] : ['warning: there are too many requests or days to compare all of them']),
  ]
}

const PRODUCTS_IN_WARNING = 10

function productsText(ids: readonly number[]): string {
  const more = ids.length - PRODUCTS_IN_WARNING
  return [...ids.slice(0, PRODUCTS_IN_WARNING), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function changeLines(prices: readonly ReferencePrice[], accountId: string, limit: number): string[] {
  if (prices.length === 0) return [`The prices of the reference parcels stay the same for ${accountId}.`]
  const rises = prices.filter(isRise)
  const ordered = [...rises, ...prices.filter((price) => !isRise(price))]
  const rows = ordered
    .slice(0, limit)
    .map((price) => [
      `${price.productId} ${price.productName}`,
      `${price.parcel}, ${price.from} to ${price.to}`,
      price.day,
      ...[price.beforeCents, price.afterCents].map((cents) =>
        cents === undefined ? 'not offered' : formatCents(cents),
      ),
      changeText(price),
    ])
  const [shown, more] = [Math.min(limit, prices.length), prices.length - limit]
  return [
    `Prices for ${accountId}, for the reference parcel of each product whose price changes most:`,
    ...(shown === 0
      ? []
      : table(['PRODUCT', 'PARCEL', 'DAY', 'OLD EUR', 'NEW EUR', 'CHANGE'], rows, [
          'OLD EUR',
          'NEW EUR',
          'CHANGE',
        ])),
    ...(more > 0
      ? [`… and ${counted(more, 'more product', 'more products')} (--changes ${prices.length} lists all)`]
      : []),
  ]
}

function changeText({ beforeCents, afterCents }: ReferencePrice): string {
  if (beforeCents === undefined || afterCents === undefined || beforeCents === 0) return ''
  return signedPercentText(mulDivHalfUp(afterCents - beforeCents, 10_000, beforeCents))
}
