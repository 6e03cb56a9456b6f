/**
 * Whether this version can use a database: the list of applied migrations (table `kysely_migration`, from when Kysely's
 * migrator wrote it), and the tables and columns that the code needs. Checked at start, and later for `/readyz`,
 * because a database can be migrated further, replaced or restored while the service runs.
 */
import { type Kysely, sql } from 'kysely'
import { MIGRATIONS } from '../migrations/index.ts'
import type { Database } from './database.ts'
import { SCHEMA_COLUMNS } from './schema-columns.ts'

export type AppliedMigration = {
  readonly name: string
  readonly appliedAt: string
  /** See `Migration`. Null if Kysely's migrator applied it. */
  readonly compatibleFrom: string | null
}

/** In the order of their names. Undefined before the first migration. */
export async function readApplied(db: Kysely<Database>): Promise<AppliedMigration[] | undefined> {
  // Not `to_regclass`: inside a transaction, its cache can lack a table that another process has just created.
  const { rows: tables } = await sql`
    SELECT 1 FROM pg_class WHERE relname = 'kysely_migration' AND pg_table_is_visible(oid)`.execute(db)
  if (tables.length === 0) return undefined
  // The table may lack the column `compatible_from`.
  const { rows } = await sql<AppliedMigration>`
    SELECT name, timestamp AS "appliedAt", to_jsonb(applied) ->> 'compatible_from' AS "compatibleFrom"
      FROM kysely_migration AS applied ORDER BY name COLLATE "C"`.execute(db)
  return rows
}

/**
 * The reason why a version with the migrations `names` can neither run on the database nor migrate it; undefined if it
 * can. Unknown migrations are accepted if they are compatible with this version.
 */
export function listFault(
  applied: readonly AppliedMigration[],
  names: readonly string[],
): string | undefined {
  const unknown = applied.filter(({ name }) => !names.includes(name))
  const incompatible = unknown.filter(
    ({ compatibleFrom }) => compatibleFrom === null || !names.includes(compatibleFrom),
  )
  if (incompatible.length > 0) return unknownFault(incompatible)
  const appliedNames = applied.map(({ name }) => name)
  const pending = names.filter((name) => !appliedNames.includes(name))
  const gap = pending.find((name) => appliedNames.some((later) => later > name))
  return gap && `it lacks the migration ${gap}, but has later ones`
}

function unknownFault(unknown: readonly AppliedMigration[]): string {
  const newer = unknown.find(({ compatibleFrom }) => compatibleFrom !== null)
  if (newer !== undefined)
    return (
      `a newer version has applied the migration ${newer.name}, which only versions with the migration ` +
      `${newer.compatibleFrom} can use`
    )
  return (
    `it has migrations that this version does not include (${unknown.map(({ name }) => name).join(', ')}). ` +
    'A newer version created it, or a development version from before the first release'
  )
}

/** Types by table and column. */
export type SchemaColumns = Readonly<Record<string, Readonly<Record<string, string>>>>

/** How many differences a message lists. */
const LISTED_MAX = 3

/**
 * Describes the tables and columns that are missing or have another type; undefined if there are none. Additional
 * tables and columns are ignored.
 */
export async function columnFault(
  db: Kysely<Database>,
  required: SchemaColumns = SCHEMA_COLUMNS,
): Promise<string | undefined> {
  const found = await readColumns(db, Object.keys(required))
  const differences = Object.entries(required).flatMap(([table, columns]) =>
    differencesOf(table, columns, found.get(table)),
  )
  if (differences.length === 0) return undefined
  const more = differences.length - LISTED_MAX
  return (
    `its schema differs from the one that the migrations create: ${differences.slice(0, LISTED_MAX).join('; ')}` +
    (more > 0 ? `; and ${more} more differences` : '')
  )
}

function differencesOf(
  table: string,
  required: Readonly<Record<string, string>>,
  found: ReadonlyMap<string, string> | undefined,
): string[] {
  if (found === undefined) return [`the table ${table} is missing`]
  return Object.entries(required).flatMap(([column, type]) => {
    const actual = found.get(column)
    if (actual === type) return []
    return [
      actual === undefined
        ? `the column ${table}.${column} is missing`
        : `the column ${table}.${column} is ${actual} instead of ${type}`,
    ]
  })
}

type ColumnRow = { readonly table: string; readonly column: string; readonly type: string }

/** Types by table and column, of those tables that exist. */
async function readColumns(
  db: Kysely<Database>,
  tables: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const { rows } = await sql<ColumnRow>`
    SELECT relname AS table, attname AS column, format_type(atttypid, atttypmod) AS type
      FROM unnest(${tables}::text[]) AS required
      JOIN pg_class ON pg_class.oid = to_regclass(quote_ident(required))
      JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped`.execute(db)
  const found = new Map<string, Map<string, string>>()
  for (const { table, column, type } of rows) {
    const columns = found.get(table) ?? new Map<string, string>()
    found.set(table, columns.set(column, type))
  }
  return found
}

/** How long a comparison of all columns is valid while the list of applied migrations stays the same. */
const COMPARISON_MS = 60_000

export type SchemaMonitorOptions = {
  /** Called when the result changes; undefined when the schema is usable again. */
  onChange(fault: string | undefined): void
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

/**
 * Returns a check whether the service can use the database. Each call reads the list of applied migrations. All columns
 * are compared only once a minute, and when the list has changed. Rejects if the database does not answer.
 */
export function schemaMonitor(
  db: Kysely<Database>,
  { onChange, now = () => performance.now() }: SchemaMonitorOptions,
): () => Promise<boolean> {
  let compared: { readonly list: string; readonly at: number } | undefined
  let reported: string | undefined
  return async () => {
    const applied = (await readApplied(db)) ?? []
    const list = JSON.stringify(applied)
    if (compared?.list === list && now() - compared.at < COMPARISON_MS) return true
    compared = undefined
    const names = Object.keys(MIGRATIONS)
    const missing = names.find((name) => !applied.some((migration) => migration.name === name))
    const fault =
      listFault(applied, names) ??
      (missing === undefined ? await columnFault(db) : `it lacks the migration ${missing}`)
    if (fault !== reported) onChange(fault)
    reported = fault
    if (fault === undefined) compared = { list, at: now() }
    return fault === undefined
  }
}
