/**
 * A new version of a rate card, as a draft: nothing that is sold depends on it. What its import says of the card's
 * name, of carriers, capitals and fuel is kept with it and counts from its publication on.
 */

import { createHash, type Hash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { groupBy } from '../../core/group-by.ts'
import type {
  CapitalRow,
  CardAudience,
  CarrierRow,
  RateCardContent,
  RateCardImport,
} from '../../core/rating/rate-card.ts'
import { type Database, OperatorError } from '../database/database.ts'
import type { SharedRows } from '../tables/rate-book.ts'
import { CARD_TABLES, type CardTable, readCardTable, writeCardTable } from './card-tables.ts'
import { appendFuelRates } from './fuel.ts'

/** What names a version, as in "demo@2". */
export type VersionName = { readonly code: string; readonly versionNo: number }

/** A rate card to import. Days are 'YYYY-MM-DD'. */
export type NewRateCard = {
  /** Lower-case letters, digits and dashes. */
  readonly code: string
  readonly name: string
  readonly audience: CardAudience
  readonly validFrom: string
  /** The first day it no longer prices; absent while it is open. */
  readonly validTo?: string
  readonly card: RateCardImport
}

/** Writes a card as its next version. Throws OperatorError when the card was published for another audience. */
export async function writeDraft(
  trx: Transaction<Database>,
  { code, name, audience, validFrom, validTo, card }: NewRateCard,
  onProgress?: Progress,
): Promise<VersionName> {
  await refuseOtherAudience(trx, code, audience)
  // The row of the card is locked from here on, so that versions get their numbers one after the other.
  await trx
    .insertInto('rate_card')
    .values({ rate_card_code: code, name, audience })
    .onConflict((conflict) => conflict.column('rate_card_code').doUpdateSet({ audience }))
    .execute()
  const { carriers, capitals, fuel } = card
  const shared: SharedRows = { name, carriers, capitals, fuel }
  await addMissingCarriers(trx, carriers)
  const { version_id, version_no } = await trx
    .insertInto('rate_card_version')
    .values(({ selectFrom, fn, val, lit }) => ({
      rate_card_code: code,
      version_no: selectFrom('rate_card_version')
        .select(({ eb }) => eb(fn.coalesce(fn.max('version_no'), lit(0)), '+', lit(1)).as('next'))
        .where('rate_card_code', '=', code),
      status: val('draft' as const),
      valid_from: validFrom,
      valid_to: validTo ?? null,
      shared: JSON.stringify(shared),
    }))
    .returning(['version_id', 'version_no'])
    .executeTakeFirstOrThrow()
  await writeContent(trx, version_id, card.content, onProgress)
  return { code, versionNo: version_no }
}

/** A card that was sold keeps its audience: its published versions would price for others all at once. */
async function refuseOtherAudience(
  trx: Transaction<Database>,
  code: string,
  audience: CardAudience,
): Promise<void> {
  const sold = await trx
    .selectFrom('rate_card as c')
    .innerJoin('rate_card_version as v', 'v.rate_card_code', 'c.rate_card_code')
    .select('c.audience')
    .where('c.rate_card_code', '=', code)
    .where('v.status', '<>', 'draft')
    .limit(1)
    .executeTakeFirst()
  if (sold === undefined || sold.audience === audience) return
  const others = sold.audience === 'everyone' ? 'everyone' : 'contracts'
  throw new OperatorError(`${code} was published for ${others}: another audience needs another card`)
}

/** Products refer to their carriers. Those that are there keep their names until the card is published. */
async function addMissingCarriers(
  trx: Transaction<Database>,
  carriers: readonly CarrierRow[],
): Promise<void> {
  // In one order, so that two imports with the same new carriers wait for each other in one direction.
  const rows = carriers.map(carrierColumns).sort((a, b) => (a.carrier_code < b.carrier_code ? -1 : 1))
  await sql`insert into carrier select * from json_populate_recordset(null::carrier, ${JSON.stringify(rows)})
    on conflict do nothing`.execute(trx)
}

/** Makes what an import says of the shared tables count; within a change of the rate book. */
export async function mergeShared(
  trx: Transaction<Database>,
  { carriers, capitals, fuel }: SharedRows,
  note: (what: string) => void,
): Promise<void> {
  const carrierRows = JSON.stringify(carriers.map(carrierColumns))
  const changedCarriers = await sql<{ code: string }>`
    insert into carrier as c select * from json_populate_recordset(null::carrier, ${carrierRows})
    on conflict (carrier_code) do update set name = excluded.name, connector = excluded.connector
    where (c.name, c.connector) is distinct from (excluded.name, excluded.connector)
    returning carrier_code as code`.execute(trx)
  const capitalRows = JSON.stringify(capitals.map(capitalColumns))
  const changedCapitals = await sql<{ country: string }>`
    insert into capital as c select * from json_populate_recordset(null::capital, ${capitalRows})
    on conflict (country) do update set city = excluded.city, postal_code = excluded.postal_code
    where (c.city, c.postal_code) is distinct from (excluded.city, excluded.postal_code)
    returning country`.execute(trx)
  for (const { code } of changedCarriers.rows) note(`carrier ${code} has another name or connector`)
  if (changedCapitals.rows.length > 0)
    note(`capitals changed: ${changedCapitals.rows.map(({ country }) => country).join(', ')}`)
  await appendFuelRates(trx, fuel, note)
}

function carrierColumns({ code, name, connector }: CarrierRow): Database['carrier'] {
  return { carrier_code: code, name, connector }
}

function capitalColumns({ country, city, postalCode }: CapitalRow): Database['capital'] {
  return { country, city, postal_code: postalCode }
}

// What a version of a rate card holds, as a whole: written in small steps, read, and hashed. Decided here: the
// hash, which tells two contents apart whatever the order their rows were written in.

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
