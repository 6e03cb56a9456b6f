/**
 * The rate book out of the database: everything that is or was published, compiled into memory. Decided here: on
 * which days a version prices, and that what a version holds is read once, since nothing can change it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type BookCard, compileRateCard } from '../../core/rating/book/book-card.ts'
import { type BookProduct, openProductCompiler } from '../../core/rating/book/book-product.ts'
import type { PriceTable } from '../../core/rating/book/price-table.ts'
import { compileRateBook, type RateBook } from '../../core/rating/book/rate-book.ts'
import {
  applicableVersions,
  type CapitalRow,
  type CarrierRow,
  type FuelRate,
  type RateCardHead,
} from '../../core/rating/rate-card.ts'
import { asOperatorError, type Database, inSnapshot } from '../database/database.ts'
import { type FollowOptions, type LiveData, openLiveData } from '../database/live-reference.ts'
import { RATE_BOOK, readRevision } from '../database/revision.ts'
import { openPriceReader } from './card-tables.ts'
import { listContracts } from './contracts.ts'
import { readSmallContent } from './draft.ts'
import { listFuelRates } from './fuel.ts'

/** A book with what the next one need not read again. */
export type LoadedBook = {
  readonly book: RateBook
  /** By version_id, which names a content for good. */
  readonly versions: ReadonlyMap<number, LoadedVersion>
}

/** A version in memory, and what it was compiled under. */
export type LoadedVersion = {
  readonly card: BookCard
  /** The days it prices and the names of its carriers, as text to compare. */
  readonly circumstances: string
  readonly carrierCodes: ReadonlySet<string>
  readonly prices: ReadonlyMap<number, PriceTable>
}

/** The book as it is now. Throws OperatorError when it does not hold together. */
export async function loadRateBook(db: Kysely<Database>): Promise<RateBook> {
  return (await reloadRateBook(db)).book
}

/**
 * The book as it is now, with the versions of an earlier one where they are the same. Read in small steps (a
 * million prices in about a second) and from one snapshot, so that book and revision agree. Throws as above.
 */
export async function reloadRateBook(
  db: Kysely<Database>,
  previous?: LoadedBook,
  historyDays = HISTORY_DAYS,
): Promise<LoadedBook> {
  return inSnapshot(db, (trx) => readBook(trx, previous, historyDays))
}

async function readBook(
  trx: Transaction<Database>,
  previous: LoadedBook | undefined,
  historyDays: number,
): Promise<LoadedBook> {
  const revision = await readRevision(trx, RATE_BOOK)
  const carriers = await readCarriers(trx)
  const versions = new Map<number, LoadedVersion>()
  const { heads, since } = await readHeads(trx, historyDays)
  for (const { versionId, ...head } of heads) {
    const known = previous?.versions.get(versionId)
    versions.set(versionId, await loadVersion(trx, versionId, head, carriers, known))
  }
  const fuel = (await listFuelRates(trx)).map(({ enteredAt: _, ...rate }): FuelRate => rate)
  const capitals: CapitalRow[] = await trx
    .selectFrom('capital')
    .select(['country', 'city', 'postal_code as postalCode'])
    .execute()
  const contracts = await listContracts(trx)
  const cards = [...versions.values()].map(({ card }) => card)
  const book = asOperatorError('', () =>
    compileRateBook({ revision, since, carriers, cards, fuel, capitals, contracts }),
  )
  return { book, versions }
}

async function readCarriers(db: Kysely<Database>): Promise<CarrierRow[]> {
  return db
    .selectFrom('carrier')
    .select(['carrier_code as code', 'name', 'connector'])
    .orderBy('carrier_code')
    .execute()
}

/** How far back `asOf` reaches unless told otherwise, in days: versions that price no later day are not read. */
const HISTORY_DAYS = 3_650

type StoredHead = RateCardHead & { readonly versionId: number }
type StoredHeads = { readonly heads: readonly StoredHead[]; readonly since: string }

/**
 * Published versions price the days they are valid on. A withdrawn one prices only those on which it stood, from
 * the day it was published to the day before it was withdrawn (UTC): what was quoted then stays what it was.
 */
async function readHeads(db: Kysely<Database>, historyDays: number): Promise<StoredHeads> {
  const days = await sql<{ since: string }>`
    select (now() at time zone 'utc')::date - ${historyDays}::integer as since`.execute(db)
  const { since } = days.rows[0]!
  const { rows } = await sql<Omit<StoredHead, 'validTo'> & { validTo: string | null }>`
    select * from (
      select v.version_id as "versionId", v.rate_card_code as code, v.version_no as "versionNo", c.audience,
        case when v.status = 'published' then v.valid_from
          else greatest(v.valid_from, (v.published_at at time zone 'utc')::date) end as "validFrom",
        case when v.status = 'published' then v.valid_to
          else least(v.valid_to, (v.withdrawn_at at time zone 'utc')::date) end as "validTo"
      from rate_card_version v join rate_card c using (rate_card_code)
      where v.status <> 'draft') as head
    where "validTo" is null or "validFrom" < "validTo"
    order by "versionId"`.execute(db)
  const heads = rows.map(
    ({ versionId, code, versionNo, audience, validFrom, validTo }): StoredHead => ({
      versionId,
      code,
      versionNo,
      audience,
      validFrom,
      ...(validTo !== null && { validTo }),
    }),
  )
  return { heads: applicableVersions(heads, since), since }
}

async function loadVersion(
  trx: Transaction<Database>,
  versionId: number,
  head: RateCardHead,
  carriers: readonly CarrierRow[],
  known: LoadedVersion | undefined,
): Promise<LoadedVersion> {
  const circumstances = (codes: ReadonlySet<string>): string =>
    JSON.stringify([head, carriers.filter(({ code }) => codes.has(code))])
  if (known !== undefined && known.circumstances === circumstances(known.carrierCodes)) return known
  const content = await readSmallContent(trx, versionId)
  const readPrices = openPriceReader(trx, versionId)
  const compileProduct = openProductCompiler(content, carriers)
  const prices = new Map<number, PriceTable>()
  const products: BookProduct[] = []
  for (const terms of content.products) {
    const table = known?.prices.get(terms.productId) ?? (await readPrices(terms.productId))
    prices.set(terms.productId, table)
    products.push(asOperatorError('', () => compileProduct(terms, table)))
    // Requests are answered in between: a thousand zones at once would hold them up.
    await nextTurn()
  }
  const carrierCodes = new Set(content.products.map(({ carrierCode }) => carrierCode))
  return {
    card: asOperatorError('', () => compileRateCard(head, content, products, carriers)),
    circumstances: circumstances(carrierCodes),
    carrierCodes,
    prices,
  }
}

// The rate book in memory, following the one in the database (see live-reference.ts).

/** The book that quotes are made from. */
export type LiveRateBook = LiveData<RateBook>

/** How a live book follows the database. */
export type LiveRateBookOptions = FollowOptions<RateBook> & {
  readonly db: Kysely<Database>
  /** How far back the book reaches, in days; absent: ten years. */
  readonly historyDays?: number
}

/** Reads the book and follows it. Throws when it cannot be read the first time. */
export async function openLiveRateBook(options: LiveRateBookOptions): Promise<LiveRateBook> {
  const { db, historyDays, onSwap, ...follow } = options
  const live = await openLiveData<LoadedBook>(
    {
      db,
      revisioned: RATE_BOOK,
      revisionOf: ({ book }) => book.revision,
      read: (previous) => reloadRateBook(db, previous, historyDays),
    },
    { ...follow, ...(onSwap && { onSwap: ({ book }) => onSwap(book) }) },
  )
  return { ...live, current: () => live.current().book }
}
