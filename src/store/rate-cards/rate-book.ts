/**
 * Loads the rate book: all versions that are or were published, compiled in memory. The content of a version is read
 * once, because it cannot change. See docs/rate-cards.md.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type BookCard, compileRateCard } from '../../core/rating/book/book-card.ts'
import { type BookProduct, openProductCompiler } from '../../core/rating/book/book-product.ts'
import type { PriceTable } from '../../core/rating/book/price-table.ts'
import { compileRateBook, type RateBook } from '../../core/rating/book/rate-book.ts'
import { applicableVersions, type RateCardHead } from '../../core/rating/card-version.ts'
import { fuelInForce } from '../../core/rating/fuel/fuel-table.ts'
import type { CapitalRow, CarrierRow } from '../../core/rating/rate-card.ts'
import { asOperatorError, type Database, inSnapshot } from '../database/database.ts'
import { type FollowOptions, type LiveReference, openLiveReference } from '../database/live-reference.ts'
import { changeRevisioned, RATE_BOOK, readRevision } from '../database/revision.ts'
import { listContracts, listTurnovers } from './contracts.ts'
import { readSmallContent } from './draft.ts'
import { readFuel } from './fuel-tables.ts'
import { listMargins } from './margins.ts'
import { openPriceReader } from './price-reader.ts'

/** A book, and its versions for reuse by the next reload. */
export type LoadedBook = {
  readonly book: RateBook
  /** By `version_id`. The content under an id never changes. */
  readonly versions: ReadonlyMap<number, LoadedVersion>
}

export type LoadedVersion = {
  readonly card: BookCard
  /** The head and the carriers that the card was compiled with, as JSON. If they change, it is compiled again. */
  readonly inputs: string
  readonly carrierCodes: ReadonlySet<string>
  readonly prices: ReadonlyMap<number, PriceTable>
}

/** Throws OperatorError if the versions are inconsistent. */
export async function loadRateBook(db: Kysely<Database>): Promise<RateBook> {
  return (await reloadRateBook(db)).book
}

/** True if any version of a cost card exists, drafts included. */
export async function hasCostCards(db: Kysely<Database>): Promise<boolean> {
  const found = await db
    .selectFrom('rate_card')
    .innerJoin('rate_card_version', 'rate_card_version.rate_card_code', 'rate_card.rate_card_code')
    .where('audience', '=', 'cost')
    .select('rate_card.rate_card_code')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Ends the transaction of `previewRateBook` without a commit. */
class Previewed extends Error {
  readonly book: RateBook
  constructor(book: RateBook) {
    super('the change was only previewed')
    this.book = book
  }
}

/** The book after a change, which is rolled back. Other changes wait meanwhile. Throws what the change throws. */
export async function previewRateBook(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<RateBook> {
  try {
    return await db.transaction().execute(async (trx) => {
      await changeRevisioned(trx, RATE_BOOK, change)
      throw new Previewed(await loadRateBook(trx))
    })
  } catch (error) {
    if (error instanceof Previewed) return error.book
    throw error
  }
}

/**
 * Reads the book from one snapshot, so that book and revision match. Reuses unchanged versions of `previous`. A million
 * prices take about a second, in small steps. Throws OperatorError if the versions are inconsistent.
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
  const fuel = fuelInForce(await readFuel(trx))
  const capitals: CapitalRow[] = await trx
    .selectFrom('capital')
    .select(['country', 'city', 'postal_code as postalCode'])
    .execute()
  const [contracts, turnovers] = [await listContracts(trx), await listTurnovers(trx)]
  const margins = await listMargins(trx)
  const cards = [...versions.values()].map(({ card }) => card)
  const book = asOperatorError('', () =>
    compileRateBook({ revision, since, carriers, cards, fuel, capitals, contracts, turnovers, margins }),
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

/** How many days `asOf` can go back by default. Versions that apply only to earlier days are not read. */
const HISTORY_DAYS = 3_650

type StoredHead = RateCardHead & { readonly versionId: number }
type StoredHeads = { readonly heads: readonly StoredHead[]; readonly since: string }

/**
 * A published version applies on the days on which it is valid. A withdrawn version applies from the day it was
 * published to the day before it was withdrawn (UTC), so that quotes for those days do not change.
 */
async function readHeads(db: Kysely<Database>, historyDays: number): Promise<StoredHeads> {
  const days = await sql<{ since: string }>`
    SELECT (now() AT TIME ZONE 'utc')::date - ${historyDays}::integer AS since`.execute(db)
  const { since } = days.rows[0]!
  const { rows } = await sql<Omit<StoredHead, 'validTo'> & { validTo: string | null }>`
    SELECT * FROM (
      SELECT version_id AS "versionId", rate_card_code AS code, version_no AS "versionNo", audience,
        CASE WHEN status = 'published' THEN valid_from
          ELSE greatest(valid_from, (published_at AT TIME ZONE 'utc')::date) END AS "validFrom",
        CASE WHEN status = 'published' THEN valid_to
          ELSE least(valid_to, (withdrawn_at AT TIME ZONE 'utc')::date) END AS "validTo"
      FROM rate_card_version JOIN rate_card USING (rate_card_code)
      WHERE status <> 'draft') AS head
    WHERE "validTo" IS NULL OR "validFrom" < "validTo"
    ORDER BY "versionId"`.execute(db)
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
  const inputs = (codes: ReadonlySet<string>): string =>
    JSON.stringify([head, carriers.filter(({ code }) => codes.has(code))])
  if (known !== undefined && known.inputs === inputs(known.carrierCodes)) return known
  const content = await readSmallContent(trx, versionId)
  const readPrices = openPriceReader(trx, versionId)
  const compileProduct = openProductCompiler(content, carriers)
  const prices = new Map<number, PriceTable>()
  const products: BookProduct[] = []
  for (const terms of content.products) {
    const table = known?.prices.get(terms.productId) ?? (await readPrices(terms.productId))
    prices.set(terms.productId, table)
    products.push(asOperatorError('', () => compileProduct(terms, table)))
    // Other requests can run between two products.
    await nextTurn()
  }
  const carrierCodes = new Set(content.products.map(({ carrierCode }) => carrierCode))
  return {
    card: asOperatorError('', () => compileRateCard(head, content, products, carriers)),
    inputs: inputs(carrierCodes),
    carrierCodes,
    prices,
  }
}

/** The book used for quotes. It follows the database. */
export type LiveRateBook = LiveReference<RateBook>

export type LiveRateBookOptions = FollowOptions<RateBook> & {
  readonly db: Kysely<Database>
  /** How many days `asOf` can go back; ten years by default. */
  readonly historyDays?: number
}

/** Throws if the first read fails. */
export async function openLiveRateBook(options: LiveRateBookOptions): Promise<LiveRateBook> {
  const { db, historyDays, onSwap, ...follow } = options
  const live = await openLiveReference<LoadedBook>(
    {
      db,
      revisioned: RATE_BOOK,
      revisionOf: ({ book }) => book.revision,
      read: (from, previous) => reloadRateBook(from, previous, historyDays),
    },
    { ...follow, ...(onSwap && { onSwap: ({ book }) => onSwap(book) }) },
  )
  return { ...live, current: () => live.current().book }
}
