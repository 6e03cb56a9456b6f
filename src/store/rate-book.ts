/**
 * The rate book in the database: publishing a version of a card, and compiling what is published into memory.
 */
import { type Kysely, type Selectable, sql } from 'kysely'
import { compileRateBook, type RateBook } from '../core/rating/rate-book.ts'
import type { CapitalRow, CarrierRow, FuelRate, RateCard } from '../core/rating/rate-card.ts'
import type { RateCardFolder } from '../reference/rate-card-csv.ts'
import type { Database } from './database.ts'
import {
  AREA,
  AREA_TRANSIT,
  COUNTRY_GROUP,
  INSURANCE,
  LANE,
  PALLET_CLASS,
  PRICE,
  PRODUCT,
  readCardTable,
  SURCHARGE,
  TRANSIT,
  writeCardTable,
} from './rate-card-tables.ts'

/** Compiles all published versions of all cards; which of them prices is a matter of the day asked for. */
export async function loadRateBook(db: Kysely<Database>): Promise<RateBook> {
  const versions = await db
    .selectFrom('rate_card_version')
    .select(['version_id', 'rate_card_code', 'version_no', 'valid_from', 'valid_to'])
    .where('status', '=', 'published')
    .execute()
  const carriers: CarrierRow[] = await db
    .selectFrom('carrier')
    .select(['carrier_code as code', 'name'])
    .execute()
  const fuel: FuelRate[] = await db
    .selectFrom('fuel_rate')
    .select(['carrier_code as carrierCode', 'valid_from as validFrom', 'rate_bps as rateBps'])
    .execute()
  const capitals: CapitalRow[] = await db
    .selectFrom('capital')
    .select(['country', 'city', 'postal_code as postalCode'])
    .execute()
  const cards: RateCard[] = []
  for (const version of versions)
    cards.push({ ...named(version), ...(await readCard(db, version.version_id)) })
  return compileRateBook({ carriers, cards, fuel, capitals })
}

type VersionRow = Pick<
  Selectable<Database['rate_card_version']>,
  'rate_card_code' | 'version_no' | 'valid_from' | 'valid_to'
>

function named(row: VersionRow): Pick<RateCard, 'code' | 'versionNo' | 'validFrom' | 'validTo'> {
  return {
    code: row.rate_card_code,
    versionNo: row.version_no,
    validFrom: row.valid_from,
    ...(row.valid_to !== null && { validTo: row.valid_to }),
  }
}

async function readCard(db: Kysely<Database>, versionId: number): Promise<RateCardFolder['card']> {
  const surcharges = await readCardTable(db, SURCHARGE, versionId)
  return {
    products: await readCardTable(db, PRODUCT, versionId),
    countryGroups: await readCardTable(db, COUNTRY_GROUP, versionId),
    lanes: await readCardTable(db, LANE, versionId),
    prices: await readCardTable(db, PRICE, versionId),
    palletClasses: await readCardTable(db, PALLET_CLASS, versionId),
    areas: await readCardTable(db, AREA, versionId),
    areaTransit: await readCardTable(db, AREA_TRANSIT, versionId),
    surcharges: surcharges.sort((a, b) => a.sortNo - b.sortNo),
    insurance: await readCardTable(db, INSURANCE, versionId),
    transit: await readCardTable(db, TRANSIT, versionId),
  }
}

/** Which connector speaks to which carrier, by carrier code. */
export async function loadConnectorNames(db: Kysely<Database>): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('carrier').select(['carrier_code', 'connector']).execute()
  return new Map(rows.map(({ carrier_code, connector }) => [carrier_code, connector]))
}

/** A version of a rate card, for operators. Days are 'YYYY-MM-DD'; `validTo` is the first day it no longer holds. */
export type RateCardVersion = {
  readonly version: string
  readonly name: string
  readonly status: 'draft' | 'published' | 'withdrawn'
  readonly validFrom: string
  readonly validTo: string | null
}

/** All versions of all rate cards, newest first within a card. */
export async function listRateCards(db: Kysely<Database>): Promise<RateCardVersion[]> {
  const rows = await db
    .selectFrom('rate_card_version as v')
    .innerJoin('rate_card as c', 'c.rate_card_code', 'v.rate_card_code')
    .select(['v.rate_card_code', 'v.version_no', 'c.name', 'v.status', 'v.valid_from', 'v.valid_to'])
    .orderBy('v.rate_card_code')
    .orderBy('v.version_no', 'desc')
    .execute()
  return rows.map((row) => ({
    version: `${row.rate_card_code}@${row.version_no}`,
    name: row.name,
    status: row.status,
    validFrom: row.valid_from,
    validTo: row.valid_to,
  }))
}

/** A rate card to publish. */
export type NewRateCard = {
  /** Lower-case letters, digits and dashes. */
  readonly code: string
  readonly name: string
  /** 'YYYY-MM-DD'. */
  readonly validFrom: string
  readonly folder: RateCardFolder
}

/**
 * Writes a folder as the next version of a card and publishes it, all in one transaction. Carriers, capitals
 * and fuel rates are merged into the shared tables. Returns the version, such as "demo@2". Throws when the book
 * would not hold together with it (see compileRateBook), and nothing is written.
 */
export async function publishRateCard(db: Kysely<Database>, card: NewRateCard): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const { carriers, capitals, fuel } = card.folder
    await mergeRows(trx, 'carrier', 'carrier_code', ['name', 'connector'], carriers.map(carrierColumns))
    await mergeRows(trx, 'capital', 'country', ['city', 'postal_code'], capitals.map(capitalColumns))
    await mergeRows(trx, 'fuel_rate', 'carrier_code, valid_from', ['rate_bps'], fuel.map(fuelColumns))
    await trx
      .insertInto('rate_card')
      .values({ rate_card_code: card.code, name: card.name })
      .onConflict((conflict) => conflict.column('rate_card_code').doUpdateSet({ name: card.name }))
      .execute()
    const { version_id, version_no } = await trx
      .insertInto('rate_card_version')
      .values(({ selectFrom, fn, val, lit }) => ({
        rate_card_code: card.code,
        version_no: selectFrom('rate_card_version')
          .select(({ eb }) => eb(fn.coalesce(fn.max('version_no'), lit(0)), '+', lit(1)).as('next'))
          .where('rate_card_code', '=', card.code),
        status: val('published' as const),
        valid_from: card.validFrom,
        valid_to: null,
        published_at: sql<Date>`clock_timestamp()`,
      }))
      .returning(['version_id', 'version_no'])
      .executeTakeFirstOrThrow()
    await writeCard(trx, version_id, card.folder.card)
    await loadRateBook(trx)
    return `${card.code}@${version_no}`
  })
}

async function writeCard(
  db: Kysely<Database>,
  versionId: number,
  card: RateCardFolder['card'],
): Promise<void> {
  await writeCardTable(db, PRODUCT, versionId, card.products)
  await writeCardTable(db, COUNTRY_GROUP, versionId, card.countryGroups)
  await writeCardTable(db, LANE, versionId, card.lanes)
  await writeCardTable(
    db,
    PRICE,
    versionId,
    card.prices.map((row) => ({ palletClass: '', ...row })),
  )
  await writeCardTable(db, PALLET_CLASS, versionId, card.palletClasses)
  await writeCardTable(db, AREA, versionId, card.areas)
  await writeCardTable(db, AREA_TRANSIT, versionId, card.areaTransit)
  await writeCardTable(
    db,
    SURCHARGE,
    versionId,
    card.surcharges.map((row, sortNo) => ({ sortNo, ...row })),
  )
  await writeCardTable(db, INSURANCE, versionId, card.insurance)
  await writeCardTable(db, TRANSIT, versionId, card.transit)
}

/** Inserts rows into a table of their own columns; rows already there by `key` take the new values. */
async function mergeRows(
  db: Kysely<Database>,
  table: keyof Database & string,
  key: string,
  values: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const updates = values.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  await sql`insert into ${sql.table(table)}
    select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})
    on conflict (${sql.raw(key)}) do update set ${sql.join(updates)}`.execute(db)
}

function carrierColumns({ code, name, connector }: RateCardFolder['carriers'][number]): Database['carrier'] {
  return { carrier_code: code, name, connector }
}

function capitalColumns({ country, city, postalCode }: CapitalRow): Database['capital'] {
  return { country, city, postal_code: postalCode }
}

function fuelColumns({ carrierCode, validFrom, rateBps }: FuelRate): Database['fuel_rate'] {
  return { carrier_code: carrierCode, valid_from: validFrom, rate_bps: rateBps }
}
