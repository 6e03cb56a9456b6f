/**
 * Customs reference data in the database: the shipped data sets are written when they changed, and everything is
 * read into the form estimates work on. Decided here: a data set is replaced as a whole, all of them in one
 * transaction; processes that start at once wait for each other and write once.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { CustomsRows } from '../core/customs/reference-rows.ts'
import { type CustomsTables, compileCustomsTables } from '../core/customs/tables.ts'
import { type CustomsTableName, type ShippedDataSet, shippedDataSets } from '../reference/customs.ts'
import type { CustomsTableRows } from './tables/customs.ts'

/** The database table of each kind of rows. */
const TABLES: { readonly [Table in CustomsTableName]: Exclude<keyof CustomsTableRows, 'customs_data_set'> } =
  {
    jurisdictions: 'customs_jurisdiction',
    territories: 'customs_territory',
    taxes: 'customs_tax',
    taxRates: 'customs_tax_rate',
    measures: 'customs_measure',
    thresholds: 'customs_threshold',
    exchangeRates: 'customs_exchange_rate',
  }

/** Any number that no other advisory lock of Waybill uses. */
const LOCK = 4_907_001

/**
 * Writes the shipped data sets whose content differs from what is stored, and removes those no longer shipped;
 * an operator's own stay. Returns the names of the sets written; empty when all were there.
 */
export async function loadCustomsReference<Tables extends CustomsTableRows>(
  db: Kysely<Tables>,
  shipped: readonly ShippedDataSet[] = shippedDataSets(),
): Promise<readonly string[]> {
  return customs(db)
    .transaction()
    .execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
      const stored = await trx.selectFrom('customs_data_set').select(['data_set', 'content_hash']).execute()
      const hashes = new Map(stored.map((row) => [row.data_set, row.content_hash]))
      const names = shipped.map((set) => set.name)
      const changed = shipped.filter((set) => hashes.get(set.name) !== set.contentHash)
      const stale = changed.map((set) => set.name)
      await sql`delete from customs_data_set where is_shipped and
        (data_set = any(${stale}::text[]) or data_set <> all(${names}::text[]))`.execute(trx)
      for (const set of changed) await writeDataSet(trx, set, names.indexOf(set.name))
      return stale
    })
}

/** These functions need no more of the database than its customs tables. */
function customs<Tables extends CustomsTableRows>(db: Kysely<Tables>): Kysely<CustomsTableRows> {
  return db as unknown as Kysely<CustomsTableRows>
}

async function writeDataSet(
  trx: Transaction<CustomsTableRows>,
  set: ShippedDataSet,
  sortNo: number,
): Promise<void> {
  await trx
    .insertInto('customs_data_set')
    .values({
      data_set: set.name,
      table_name: set.table,
      title: set.title,
      source: set.source,
      published_on: set.date,
      content_hash: set.contentHash,
      is_shipped: true,
      sort_no: sortNo,
    })
    .execute()
  const table = sql.table(TABLES[set.table])
  const rows = JSON.stringify(set.rows().map(columnsOf))
  // One statement for all rows: the table's own types read the JSON.
  await sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${rows}::json)`.execute(
    trx,
  )
}

/** A row under the names of its columns; an amount that is not given is null, for the column is a number. */
function columnsOf(row: object, index: number): Readonly<Record<string, unknown>> {
  const columns: Record<string, unknown> = { sort_no: index }
  for (const [name, value] of Object.entries(row)) {
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    columns[column] = column === 'flat_amount' && value === '' ? null : value
  }
  return columns
}

/** Everything stored, compiled; one consistent reading, about 0.2 s. */
export async function loadCustomsTables<Tables extends CustomsTableRows>(
  db: Kysely<Tables>,
): Promise<CustomsTables> {
  const rows = await customs(db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => readRows(trx))
  return compileCustomsTables(rows)
}

async function readRows(trx: Transaction<CustomsTableRows>): Promise<CustomsRows> {
  const dataSets = await trx
    .selectFrom('customs_data_set')
    .select(['data_set as name', 'title', 'source', 'published_on as date'])
    .orderBy('sort_no')
    .orderBy('data_set')
    .execute()
  return {
    dataSets,
    jurisdictions: await readJurisdictions(trx),
    territories: await trx
      .selectFrom('customs_territory')
      .select(['data_set as dataSet', 'country', 'postal_from as postalFrom', 'postal_to as postalTo'])
      .select(['name', 'jurisdiction'])
      .orderBy('data_set')
      .orderBy('sort_no')
      .execute(),
    taxes: await trx
      .selectFrom('customs_tax')
      .select(['data_set as dataSet', 'jurisdiction', 'tax', 'name', 'kind', 'status', 'base'])
      .select(['uplift_ppm as upliftPpm', 'rates_of as ratesOf', 'reason', 'note'])
      .select(['note_prefixes as notePrefixes', 'code_prefixes as codePrefixes'])
      .orderBy('data_set')
      .orderBy('sort_no')
      .execute(),
    taxRates: await trx
      .selectFrom('customs_tax_rate')
      .select(['data_set as dataSet', 'jurisdiction', 'tax', 'code_prefix as codePrefix'])
      .select(['rate_ppm as ratePpm', 'kind', 'valid_from as validFrom', 'valid_to as validTo'])
      .select(['confidence', 'note'])
      .orderBy('data_set')
      .orderBy('sort_no')
      .execute(),
    measures: await readMeasures(trx),
    thresholds: await readThresholds(trx),
    exchangeRates: await trx
      .selectFrom('customs_exchange_rate')
      .select(['data_set as dataSet', 'currency', 'units_per_euro as unitsPerEuro'])
      .select(['valid_from as validFrom', 'confidence', 'note'])
      .orderBy('data_set')
      .orderBy('sort_no')
      .execute(),
  }
}

async function readJurisdictions(trx: Transaction<CustomsTableRows>): Promise<CustomsRows['jurisdictions']> {
  return trx
    .selectFrom('customs_jurisdiction')
    .select(['data_set as dataSet', 'code', 'name', 'currency', 'customs_areas as customsAreas'])
    .select(['tax_areas as taxAreas', 'valuation', 'rounding_unit as roundingUnit', 'reliefs', 'note'])
    .orderBy('data_set')
    .orderBy('sort_no')
    .execute()
}

/** In no order: compiling sorts by code, and 24,000 rows are not sorted twice. */
async function readMeasures(trx: Transaction<CustomsTableRows>): Promise<CustomsRows['measures']> {
  return trx
    .selectFrom('customs_measure')
    .select(['data_set as dataSet', 'jurisdiction', 'code_prefix as codePrefix'])
    .select(['measure_type as measureType', 'kind', 'origin_group as originGroup'])
    .select(['ad_valorem_ppm as adValoremPpm', 'specific', 'minimum', 'maximum', 'condition', 'text'])
    .select(['lowest_ppm as lowestPpm', 'highest_ppm as highestPpm', 'line_count as lineCount'])
    .select(['valid_from as validFrom', 'valid_to as validTo', 'note'])
    .execute()
}

async function readThresholds(trx: Transaction<CustomsTableRows>): Promise<CustomsRows['thresholds']> {
  const rows = await trx
    .selectFrom('customs_threshold')
    .select(['data_set as dataSet', 'jurisdiction', 'applies_to as appliesTo', 'kind'])
    .select(['limit_amount as limitAmount', 'currency', 'flat_amount as flatAmount', 'rate_ppm as ratePpm'])
    .select(['recipient', 'excluded_prefixes as excludedPrefixes', 'reason'])
    .select(['valid_from as validFrom', 'valid_to as validTo', 'confidence'])
    .orderBy('data_set')
    .orderBy('sort_no')
    .execute()
  return rows.map((row) => ({ ...row, flatAmount: row.flatAmount ?? '' }))
}
