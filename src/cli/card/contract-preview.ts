/** What a change of a contract does to prices, for `waybill contract set` and `remove`. */
import type { Kysely } from 'kysely'
import type { ExchangeRates } from '../../core/customs/data/exchange-rate.ts'
import { formatCents, mulDivHalfUp } from '../../core/money.ts'
import {
  comparePrices,
  isRise,
  type PriceComparison,
  type ReferencePrice,
} from '../../core/rate-card-review/difference/reference-prices.ts'
import { type RateBook, withContracts } from '../../core/rating/book/rate-book.ts'
import type { ContractRow } from '../../core/rating/contract.ts'
import { loadCompiledCustoms } from '../../store/customs/customs.ts'
import type { Database } from '../../store/database/database.ts'
import { loadRateBook } from '../../store/rate-cards/rate-book.ts'
import { currentDay } from '../terminal/arguments.ts'
import { counted, table } from '../terminal/output.ts'
import { signedPercentText } from './difference-report.ts'

/** How many days on which prices can change are compared. */
const MAX_DAYS = 12

/**
 * The prices that change if the contracts `known` of an account become `changed`. `rows` is the contract that changes,
 * before and after the change, or only before if it is removed.
 */
export async function pricesAfter(
  db: Kysely<Database>,
  known: readonly ContractRow[],
  changed: readonly ContractRow[],
  rows: readonly [ContractRow, ...ContractRow[]],
): Promise<PriceComparison> {
  const book = await loadRateBook(db)
  const days = comparedDays(book, [...known, ...changed], rows)
  const [before, after] = [withContracts(book, known), withContracts(book, changed)]
  return comparePrices(before, after, rows[0], days, await exchangeRatesFor(book, db))
}

/** Reads the customs data only if a rate card needs a rate. */
async function exchangeRatesFor(book: RateBook, db: Kysely<Database>): Promise<ExchangeRates> {
  const cards = [...book.cards, ...book.contractCards.values()].flat()
  const isForeign = cards.some(({ groups }) => (groups[0]?.priceTerms?.currency ?? 'EUR') !== 'EUR')
  return isForeign ? (await loadCompiledCustoms(db)).exchangeRates : new Map()
}

/**
 * The first day of the contract or today, whichever is later, and the later days on which a contract of the account or
 * a rate card begins or ends, before the later end of `rows`. If there are too many days, the ends of `rows` stay.
 */
function comparedDays(
  { cards, contractCards }: RateBook,
  contracts: readonly ContractRow[],
  rows: readonly [ContractRow, ...ContractRow[]],
): readonly string[] {
  const today = currentDay()
  const [{ validFrom }] = rows
  const ends = rows.flatMap(({ validTo }) => validTo ?? []).sort()
  const end = ends.length < rows.length ? undefined : ends.at(-1)
  const first = validFrom < today && (end === undefined || today < end) ? today : validFrom
  const dated = [...contracts, ...cards.flat(), ...[...contractCards.values()].flat()]
  const others = dated.flatMap((row) => [row.validFrom, row.validTo ?? row.validFrom]).sort()
  const later = [...ends, ...others].filter((day) => day > first && (end === undefined || day < end))
  return [...new Set([first, ...later])].slice(0, MAX_DAYS).sort()
}

/** Warns if a price rises, or if products were not compared. */
export function priceWarnings({ prices, notCompared }: PriceComparison, accountId: string): string[] {
  const rises = prices.filter(isRise).length
  return [
    ...(rises === 0 ? [] : [`${counted(rises, 'product')} would cost ${accountId} more`]),
    ...(notCompared.length === 0
      ? []
      : [`${counted(notCompared.length, 'product was', 'products were')} not compared`]),
  ]
}

/** At most `limit` prices, those that rise first, and a warning if products were not compared. */
export function previewLines(comparison: PriceComparison, accountId: string, limit: number): string[] {
  const { notCompared } = comparison
  const unpriced = { prices: [], notCompared }
  return [
    ...changeLines(comparison.prices, accountId, limit),
    ...priceWarnings(unpriced, accountId).map(
      (warning) => `warning: ${warning}: ${productsText(notCompared)}`,
    ),
  ]
}

const PRODUCTS_IN_WARNING = 10

function productsText(ids: readonly number[]): string {
  const more = ids.length - PRODUCTS_IN_WARNING
  return [...ids.slice(0, PRODUCTS_IN_WARNING), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function changeLines(prices: readonly ReferencePrice[], accountId: string, limit: number): string[] {
  if (prices.length === 0) return [`No price of a reference parcel changes for ${accountId}.`]
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
