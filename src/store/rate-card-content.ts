/**
 * What a version of a rate card holds, as a whole: written in small steps, read, and hashed. Decided here: the
 * hash, which tells two contents apart whatever the order their rows were written in.
 */
import { createHash, type Hash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { groupBy } from '../core/group-by.ts'
import type { RateCardContent } from '../core/rating/rate-card.ts'
import type { Database } from './database.ts'
import { CARD_TABLES, type CardTable, readCardTable, writeCardTable } from './rate-card-tables.ts'

/** Told of the rows written so far, of all there are. */
export type Progress = (rowsWritten: number, rowsTotal: number) => void

/** All but the prices, of which there can be a million. */
export type SmallContent = Omit<RateCardContent, 'prices'>

/** Rows of a statement: a million prices are 50 statements of some 3 MB. */
const CHUNK_ROWS = 20_000

const PARTS = Object.keys(CARD_TABLES) as (keyof RateCardContent)[]

/** Writes what a draft holds. */
export async function writeContent(
  trx: Transaction<Database>,
  versionId: number,
  content: RateCardContent,
  onProgress: Progress = () => {},
): Promise<void> {
  const total = PARTS.reduce((sum, part) => sum + content[part].length, 0)
  let written = 0
  for (const part of PARTS)
    for (let at = 0; at < content[part].length; at += CHUNK_ROWS) {
      const rows = content[part].slice(at, at + CHUNK_ROWS)
      await writeCardTable<object>(trx, CARD_TABLES[part], versionId, rows, at)
      written += rows.length
      onProgress(written, total)
    }
}

/** Reads all that a version holds but its prices. */
export async function readSmallContent(trx: Transaction<Database>, versionId: number): Promise<SmallContent> {
  return {
    products: await readCardTable(trx, CARD_TABLES.products, versionId),
    countryGroups: await readCardTable(trx, CARD_TABLES.countryGroups, versionId),
    lanes: await readCardTable(trx, CARD_TABLES.lanes, versionId),
    palletClasses: await readCardTable(trx, CARD_TABLES.palletClasses, versionId),
    areas: await readCardTable(trx, CARD_TABLES.areas, versionId),
    areaTransit: await readCardTable(trx, CARD_TABLES.areaTransit, versionId),
    surcharges: await readCardTable(trx, CARD_TABLES.surcharges, versionId),
    insurance: await readCardTable(trx, CARD_TABLES.insurance, versionId),
    transit: await readCardTable(trx, CARD_TABLES.transit, versionId),
    laneTransit: await readCardTable(trx, CARD_TABLES.laneTransit, versionId),
  }
}

/** Reads all that a version holds, prices too. */
export async function readContent(trx: Transaction<Database>, versionId: number): Promise<RateCardContent> {
  return {
    ...(await readSmallContent(trx, versionId)),
    prices: await readCardTable(trx, CARD_TABLES.prices, versionId),
  }
}

/** The hash of a content in memory: SHA-256 in hexadecimal. */
export function hashOfContent(content: RateCardContent): string {
  const hash = createHash('sha256')
  for (const part of SMALL_PARTS) addRows<object>(hash, CARD_TABLES[part], content[part])
  const prices = groupBy(content.prices, ({ productId }) => productId)
  for (const productId of [...prices.keys()].sort(numerically))
    addRows(hash, CARD_TABLES.prices, prices.get(productId)!)
  return hash.digest('hex')
}

/** The same of a stored version; its prices pass through memory one product at a time. */
export async function hashOfStored(trx: Transaction<Database>, versionId: number): Promise<string> {
  const hash = createHash('sha256')
  for (const part of SMALL_PARTS) {
    const table: CardTable<object> = CARD_TABLES[part]
    addRows(hash, table, await readCardTable(trx, table, versionId))
  }
  const products = await trx
    .selectFrom('product')
    .select('product_id')
    .where('version_id', '=', versionId)
    .execute()
  for (const productId of products.map((row) => row.product_id).sort(numerically))
    addRows(hash, CARD_TABLES.prices, await readCardTable(trx, CARD_TABLES.prices, versionId, productId))
  return hash.digest('hex')
}

const SMALL_PARTS = PARTS.filter((part) => part !== 'prices')

const numerically = (a: number, b: number): number => a - b

/**
 * Rows as JSON with their fields in one order, sorted as text unless the order of the rows means something. A
 * field that a row does not have is left out, so that a field to come leaves the hashes of today as they are.
 */
function addRows<Row extends object>(hash: Hash, table: CardTable<Row>, rows: readonly Row[]): void {
  if (rows.length === 0) return
  const fields = Object.keys(table.columns).sort()
  const lines = rows.map((row) => JSON.stringify(row, fields))
  if (!table.ordered) lines.sort()
  hash.update(`${table.table}\n${lines.join('\n')}\n`)
}
