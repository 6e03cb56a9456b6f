/**
 * Writes, reads and hashes the content of rate card versions. An import becomes a draft, which does not affect quotes.
 * The shared data of the import (card name, carriers, capitals, fuel rates) is stored with the draft and takes effect
 * when it is published. See docs/rate-cards.md.
 */

import { createHash, type Hash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { groupBy } from '../../core/group-by.ts'
import { AUDIENCE_NAMES, type CardAudience } from '../../core/rating/card-version.ts'
import type {
  CapitalRow,
  CarrierRow,
  PriceRow,
  RateCardContent,
  RateCardImport,
} from '../../core/rating/rate-card.ts'
import { type Database, OperatorError } from '../database/database.ts'
import type { SharedRows } from '../row-types/rate-book.ts'
import { CARD_TABLES, type CardTable, readCardTable, writeCardTable } from './card-columns.ts'
import { appendFuelRates } from './fuel.ts'

/** Such as "demo@2". */
export type VersionName = { readonly code: string; readonly versionNo: number }

/** Dates are 'YYYY-MM-DD'. */
export type NewRateCard = {
  /** Lowercase letters, digits and dashes. */
  readonly code: string
  readonly name: string
  readonly audience: CardAudience
  readonly validFrom: string
  /** The first day on which the version no longer applies; absent for no end. */
  readonly validTo?: string
  readonly card: RateCardImport
}

/** Writes the next version of a card. Throws OperatorError if the card was published for another audience. */
export async function writeDraft(
  trx: Transaction<Database>,
  { code, name, audience, validFrom, validTo, card }: NewRateCard,
  onProgress?: Progress,
): Promise<VersionName> {
  await requireSameAudience(trx, code, audience)
  // Locks the card, so that concurrent imports get different version numbers.
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

/** A card has one audience for all its versions, so changing it would change published versions too. */
async function requireSameAudience(
  trx: Transaction<Database>,
  code: string,
  audience: CardAudience,
): Promise<void> {
  const published = await trx
    .selectFrom('rate_card as card')
    .innerJoin('rate_card_version as version', 'version.rate_card_code', 'card.rate_card_code')
    .select('card.audience')
    .where('card.rate_card_code', '=', code)
    .where('version.status', '<>', 'draft')
    .limit(1)
    .executeTakeFirst()
  if (published === undefined || published.audience === audience) return
  const current = AUDIENCE_NAMES[published.audience]
  throw new OperatorError(`${code} was published for ${current}: use another card for another audience`)
}

/** Adds carriers because products reference them. Existing carriers keep their names until the card is published. */
async function addMissingCarriers(
  trx: Transaction<Database>,
  carriers: readonly CarrierRow[],
): Promise<void> {
  // One order for all imports prevents deadlocks.
  const rows = carriers.map(carrierColumns).sort((a, b) => (a.carrier_code < b.carrier_code ? -1 : 1))
  await sql`INSERT INTO carrier SELECT * FROM json_populate_recordset(NULL::carrier, ${JSON.stringify(rows)})
    ON CONFLICT DO NOTHING`.execute(trx)
}

/** Applies the shared data of an import. Call within a change of the rate book. */
export async function mergeShared(
  trx: Transaction<Database>,
  { carriers, capitals, fuel }: SharedRows,
  note: (what: string) => void,
): Promise<void> {
  const carrierRows = JSON.stringify(carriers.map(carrierColumns))
  const changedCarriers = await sql<{ code: string }>`
    INSERT INTO carrier SELECT * FROM json_populate_recordset(NULL::carrier, ${carrierRows})
    ON CONFLICT (carrier_code) DO UPDATE SET name = excluded.name, connector = excluded.connector
    WHERE (carrier.name, carrier.connector) IS DISTINCT FROM (excluded.name, excluded.connector)
    RETURNING carrier_code AS code`.execute(trx)
  const capitalRows = JSON.stringify(capitals.map(capitalColumns))
  const changedCapitals = await sql<{ country: string }>`
    INSERT INTO capital SELECT * FROM json_populate_recordset(NULL::capital, ${capitalRows})
    ON CONFLICT (country) DO UPDATE SET city = excluded.city, postal_code = excluded.postal_code
    WHERE (capital.city, capital.postal_code) IS DISTINCT FROM (excluded.city, excluded.postal_code)
    RETURNING country`.execute(trx)
  for (const { code } of changedCarriers.rows) note(`changed the name or connector of carrier ${code}`)
  if (changedCapitals.rows.length > 0)
    note(`changed capitals: ${changedCapitals.rows.map(({ country }) => country).join(', ')}`)
  await appendFuelRates(trx, fuel, note)
}

function carrierColumns({ code, name, connector }: CarrierRow): Database['carrier'] {
  return { carrier_code: code, name, connector }
}

function capitalColumns({ country, city, postalCode }: CapitalRow): Database['capital'] {
  return { country, city, postal_code: postalCode }
}

export type Progress = (rowsWritten: number, rowsTotal: number) => void

/** All parts except the prices, of which there can be a million. */
export type SmallContent = Omit<RateCardContent, 'prices'>

/** Rows per statement. More take more memory, because their texts outlive collections of young garbage; fewer, time. */
const CHUNK_ROWS = 5_000

const PARTS = Object.keys(CARD_TABLES) as (keyof RateCardContent)[]

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

export async function readSmallContent(trx: Transaction<Database>, versionId: number): Promise<SmallContent> {
  return {
    products: await readCardTable(trx, CARD_TABLES.products, versionId),
    countryGroups: await readCardTable(trx, CARD_TABLES.countryGroups, versionId),
    lanes: await readCardTable(trx, CARD_TABLES.lanes, versionId),
    palletClasses: await readCardTable(trx, CARD_TABLES.palletClasses, versionId),
    sizeClasses: await readCardTable(trx, CARD_TABLES.sizeClasses, versionId),
    minimumWeights: await readCardTable(trx, CARD_TABLES.minimumWeights, versionId),
    areas: await readCardTable(trx, CARD_TABLES.areas, versionId),
    areaTransit: await readCardTable(trx, CARD_TABLES.areaTransit, versionId),
    surcharges: await readCardTable(trx, CARD_TABLES.surcharges, versionId),
    services: await readCardTable(trx, CARD_TABLES.services, versionId),
    insurance: await readCardTable(trx, CARD_TABLES.insurance, versionId),
    insuranceBands: await readCardTable(trx, CARD_TABLES.insuranceBands, versionId),
    transit: await readCardTable(trx, CARD_TABLES.transit, versionId),
    laneTransit: await readCardTable(trx, CARD_TABLES.laneTransit, versionId),
    priceTerms: await readCardTable(trx, CARD_TABLES.priceTerms, versionId),
    vatRates: await readCardTable(trx, CARD_TABLES.vatRates, versionId),
  }
}

/**
 * The prices of a version, or of one product of it, in the order that an import requires: by product, zone, class and
 * weight. Prices without a class come first in their zone.
 */
export async function readPrices(
  trx: Transaction<Database>,
  versionId: number,
  productId?: number,
): Promise<readonly PriceRow[]> {
  const prices = await readCardTable(trx, CARD_TABLES.prices, versionId, productId)
  return prices.sort(
    (a, b) =>
      a.productId - b.productId ||
      a.zone - b.zone ||
      alphabetically(a.palletClass ?? '', b.palletClass ?? '') ||
      a.overGrams - b.overGrams,
  )
}

const alphabetically = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** SHA-256 in hexadecimal. The order of rows has no effect, except in ordered tables. */
export function hashContent(content: RateCardContent): string {
  const hash = createHash('sha256')
  for (const part of SMALL_PARTS) addRows<object>(hash, CARD_TABLES[part], content[part])
  const prices = groupBy(content.prices, ({ productId }) => productId)
  for (const productId of [...prices.keys()].sort(numerically))
    addRows(hash, CARD_TABLES.prices, prices.get(productId)!)
  return hash.digest('hex')
}

/** The hash of a stored version. Reads the prices of one product at a time. */
export async function hashStoredVersion(trx: Transaction<Database>, versionId: number): Promise<string> {
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
 * Hashes rows as JSON with sorted field names. The rows are sorted as text unless the table is ordered. Absent fields
 * are omitted, so that a new optional field does not change existing hashes.
 */
function addRows<Row extends object>(hash: Hash, table: CardTable<Row>, rows: readonly Row[]): void {
  if (rows.length === 0) return
  const fields = Object.keys(table.columns).sort()
  const lines = rows.map((row) => JSON.stringify(row, fields))
  if (!table.ordered) lines.sort()
  hash.update(`${table.table}\n${lines.join('\n')}\n`)
}
