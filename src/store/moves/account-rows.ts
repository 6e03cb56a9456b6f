/**
 * Everything that belongs to an account, table by table: how its rows are read, inserted into another database, and
 * deleted. A row is a JSON object with the columns of its table as texts of PostgreSQL, which are exact for each type,
 * without a column that the database numbers. See docs/distribution.md#move-an-account.
 */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import { NO_ACCOUNT } from '../shipments/carrier-numbers.ts'

/** How many rows are in memory at the same time. */
const ROWS_IN_MEMORY = 200

/** How a table differs from one that has the account in a column and needs nothing else. */
type AccountTable = {
  readonly name: string
  /** The condition on `part`; default: its account. */
  readonly isOf?: (accountId: string) => RawBuilder<boolean>
  /** Triggers add its rows when rows of other tables are inserted. An import replaces them with the exported ones. */
  readonly isDerived?: true
  /** Its rows are never deleted. Those that are here already are not inserted again. */
  readonly isPermanent?: true
}

/** Referenced tables come first, and derived ones after those that they are derived from. */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  { name: 'account' },
  { name: 'account_registration' },
  { name: 'agreed_code' },
  { name: 'api_key' },
  {
    name: 'api_secret',
    isOf: (id) => sql`part.key_id IN (SELECT key_id FROM api_key WHERE account_id = ${id})`,
  },
  { name: 'contract' },
  {
    name: 'contract_discount',
    isOf: (id) => sql`part.contract_id IN (SELECT contract_id FROM contract WHERE account_id = ${id})`,
  },
  { name: 'contract_turnover' },
  { name: 'margin' },
  { name: 'shipment' },
  { name: 'draft_key' },
  { name: 'cancel_attempt' },
  { name: 'attempt_decision', isPermanent: true },
  { name: 'shipment_event' },
  { name: 'carrier_scan' },
  { name: 'lookup_report' },
  { name: 'lookup_schedule', isDerived: true },
  { name: 'scan_anomaly', isDerived: true },
  { name: 'carrier_number', isDerived: true },
  { name: 'account_event', isDerived: true },
  { name: 'account_event_head' },
  { name: 'carrier_call' },
  { name: 'shipment_correction' },
  { name: 'archived_shipment' },
  { name: 'kept_estimate' },
  { name: 'webhook_endpoint' },
  {
    name: 'webhook_delivery',
    isOf: (id) =>
      sql`part.endpoint_id IN (SELECT endpoint_id FROM webhook_endpoint WHERE account_id = ${id})`,
  },
]

/** Tables with a column `account_id` whose rows stay in their cell. */
export const TABLES_OF_CELLS = ['account_arrival', 'account_move']

const TABLES = new Map(ACCOUNT_TABLES.map((table) => [table.name, table]))

export function isAccountTable(name: string): boolean {
  return TABLES.has(name)
}

/** Before the first of these rows is inserted, the derived ones must be cleared. */
export function isDerivedOrLater(name: string): boolean {
  const place = (isSame: (table: AccountTable) => boolean) => ACCOUNT_TABLES.findIndex(isSame)
  return place((table) => table.name === name) >= place(({ isDerived }) => isDerived === true)
}

/** The rows of an account in all tables, in an order in which they can be inserted. `trx` must be a snapshot. */
export async function* readAccountRows(
  trx: Transaction<Database>,
  accountId: string,
): AsyncGenerator<{ readonly table: string; readonly rows: readonly string[] }> {
  for (const { name, isOf } of ACCOUNT_TABLES) {
    const { columns, identity } = await columnsOf(trx, name)
    const order = identity === undefined ? sql`` : sql`ORDER BY ${sql.ref(`part.${identity}`)}`
    const read = sql.join(columns.map((column) => exportedColumn(name, column.name)))
    await sql`DECLARE account_rows NO SCROLL CURSOR FOR
      SELECT row_to_json(given)::text AS line FROM (SELECT ${read}
        FROM ${sql.table(name)} AS part WHERE ${isOf?.(accountId) ?? sql`part.account_id = ${accountId}`} ${order}
      ) AS given`.execute(trx)
    for (;;) {
      const { rows } = await sql<{
        line: string
      }>`FETCH ${sql.lit(ROWS_IN_MEMORY)} FROM account_rows`.execute(trx)
      if (rows.length > 0) yield { table: name, rows: rows.map(({ line }) => line) }
      if (rows.length < ROWS_IN_MEMORY) break
    }
    await sql`CLOSE account_rows`.execute(trx)
  }
}

/**
 * Inserts rows of a table that `readAccountRows` has read in another database. Rows of all tables must come in its
 * order. Returns how many were inserted, or were here already.
 */
export async function insertAccountRows(
  trx: Transaction<Database>,
  accountId: string,
  table: string,
  rows: readonly string[],
): Promise<number> {
  const { columns } = await columnsOf(trx, table)
  const given = givenRows(columns, rows)
  if (table === 'carrier_scan') await deleteUnmatched(trx, given)
  const { isPermanent = false } = TABLES.get(table) ?? {}
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
      SELECT ${sql.join(columns.map((column) => importedColumn(table, column, accountId)))}
        FROM ${given} WHERE ${isPermanent ? isNotHere(columns) : sql`true`}`.execute(trx)
  if (table === 'shipment') await keepSizes(trx, given)
  return isPermanent ? rows.length : Number(numAffectedRows)
}

/** The rows as a table `given`, whose columns are texts. */
function givenRows(columns: readonly Column[], rows: readonly string[]): RawBuilder<unknown> {
  const texts = sql.join(columns.map(({ name }) => sql`${sql.ref(name)} text`))
  return sql`json_to_recordset(${`[${rows.join(',')}]`}::json) AS given (${texts})`
}

/** Removes what triggers have inserted since the rows of other tables were. */
export async function clearDerivedRows(trx: Transaction<Database>, accountId: string): Promise<void> {
  for (const { name } of ACCOUNT_TABLES.filter(({ isDerived }) => isDerived === true))
    await sql`DELETE FROM ${sql.table(name)} WHERE account_id = ${accountId}`.execute(trx)
}

/** Deletes the rows of these tables, by default of all. Returns how many. Permanent rows stay. */
export async function deleteAccountRows(
  trx: Transaction<Database>,
  accountId: string,
  only: readonly string[] = ACCOUNT_TABLES.map(({ name }) => name),
): Promise<number> {
  let count = 0n
  for (const { name, isOf, isPermanent } of ACCOUNT_TABLES.toReversed()) {
    if (isPermanent === true || !only.includes(name)) continue
    const { numAffectedRows = 0n } = await sql`DELETE FROM ${sql.table(name)} AS part
      WHERE ${isOf?.(accountId) ?? sql`part.account_id = ${accountId}`}`.execute(trx)
    count += numAffectedRows
  }
  return Number(count)
}

type Column = { readonly name: string; readonly type: string }

/** The columns of a table, and the name of the one that the database numbers. */
async function columnsOf(
  db: Kysely<Database>,
  table: string,
): Promise<{ readonly columns: readonly Column[]; readonly identity: string | undefined }> {
  const { rows } = await sql<Column & { is_identity: boolean }>`
    SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attidentity <> '' AS is_identity
      FROM pg_attribute WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`.execute(
    db,
  )
  return {
    columns: rows.filter((row) => !row.is_identity),
    identity: rows.find((row) => row.is_identity)?.name,
  }
}

/** A text of PostgreSQL as a value of its column. */
function givenValue({ name, type }: Column): RawBuilder<unknown> {
  return sql`${sql.ref(`given.${name}`)}::${sql.raw(type)}`
}

/**
 * A draft whose booking may have been lost (store/shipments/restores.ts) stays one in the other database, whose lineage
 * is another one. A discount names its contract by the scope, because the other database numbers contracts itself.
 */
function exportedColumn(table: string, column: string): RawBuilder<unknown> {
  if (table === 'shipment' && column === 'lineage')
    return sql`CASE WHEN coalesce(part.lineage, (SELECT first.lineage FROM recovery_point AS first
        ORDER BY first.recovery_id LIMIT 1)) = (SELECT database_lineage()) THEN 'current' ELSE 'former' END AS lineage`
  if (table === 'contract_discount' && column === 'contract_id')
    return sql`(SELECT json_build_array(contract.product_id, contract.carrier_code, contract.valid_from)
        FROM contract WHERE contract.contract_id = part.contract_id)::text AS contract_id`
  return sql`${sql.ref(`part.${column}`)}::text AS ${sql.ref(column)}`
}

function importedColumn(table: string, column: Column, accountId: string): RawBuilder<unknown> {
  if (table === 'shipment' && column.name === 'lineage')
    return sql`CASE given.lineage WHEN 'current' THEN (SELECT database_lineage()) ELSE 'former' END`
  if (table === 'contract_discount' && column.name === 'contract_id')
    return sql`(SELECT contract.contract_id FROM contract WHERE contract.account_id = ${accountId}
        AND contract.product_id IS NOT DISTINCT FROM (given.contract_id::json ->> 0)::integer
        AND contract.carrier_code IS NOT DISTINCT FROM given.contract_id::json ->> 1
        AND contract.valid_from = (given.contract_id::json ->> 2)::date)`
  return givenValue(column)
}

/** A carrier sends scans to all cells. Those that came before the shipment are stored without an account. */
async function deleteUnmatched(trx: Transaction<Database>, given: RawBuilder<unknown>): Promise<void> {
  await sql`DELETE FROM carrier_scan AS waiting USING ${given}
    WHERE waiting.account_id = ${NO_ACCOUNT} AND waiting.carrier_code = given.carrier_code
      AND waiting.carrier_ref = given.carrier_ref AND waiting.event_id = given.event_id`.execute(trx)
}

/** A trigger has calculated them anew, and erased shipments have none. */
async function keepSizes(trx: Transaction<Database>, given: RawBuilder<unknown>): Promise<void> {
  const sizes = ['parcel_rows', 'item_count', 'quantity_count', 'content_bytes']
  const values = sql.join(sizes.map((name) => givenValue({ name, type: 'integer' })))
  await sql`UPDATE shipment AS stored SET (${sql.join(sizes.map((size) => sql.ref(size)))}) = ROW (${values})
    FROM ${given} WHERE stored.account_id = given.account_id AND stored.shipment_id = given.shipment_id
      AND (${sql.join(sizes.map((size) => sql.ref(`stored.${size}`)))}) IS DISTINCT FROM (${values})`.execute(
    trx,
  )
}

/** A decision of an earlier stay of the account. */
function isNotHere(columns: readonly Column[]): RawBuilder<boolean> {
  return sql<boolean>`NOT EXISTS (SELECT 1 FROM attempt_decision AS here WHERE here.account_id = given.account_id
    AND (${sql.join(columns.map(({ name }) => sql.ref(`here.${name}`)))})
      IS NOT DISTINCT FROM (${sql.join(columns.map(givenValue))}))`
}
