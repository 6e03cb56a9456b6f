/**
 * Brings a database to the current schema. All pending migrations run in one transaction, so a failure leaves the schema
 * as it was. Processes that migrate at the same time wait for each other.
 */
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { MIGRATIONS } from '../migrations/index.ts'
import { type Database, OperatorError } from './database.ts'
import { type DatabaseSource, openDatabase } from './open.ts'

export type MigrateOptions = {
  readonly migrations?: Readonly<Record<string, Migration>>
  /** How to replace a database that this version cannot use; the last sentence of the error. */
  readonly replacement?: string | undefined
}

/** For a database on a server of the operator. */
const REPLACE_DATABASE =
  'To replace the database, back it up, set DATABASE_URL to an empty one, and import your data again ' +
  '(docs/production.md#upgrade).'

/**
 * Runs the pending migrations and returns their names in order. Uses its own connection without a statement timeout.
 * The lock belongs to a session, so pass the address of the server itself and not of a transaction pooler.
 *
 * Throws an OperatorError if this version cannot use the database: it has migrations that this version does not
 * include, or Waybill's tables but no list of migrations. Throws an Error with the migration's name if a migration
 * fails. The database is unchanged in both cases.
 */
export async function migrate(
  source: DatabaseSource,
  { migrations = MIGRATIONS, replacement = REPLACE_DATABASE }: MigrateOptions = {},
): Promise<string[]> {
  const db = openDatabase(source, {
    poolSize: 1,
    statementTimeoutMs: 0,
    idleInTransactionMs: 0,
    connectionWaitMs: 10_000,
    applicationName: 'waybill migrate',
  })
  try {
    const fault = await findSchemaFault(db, Object.keys(migrations).sort())
    if (fault !== undefined)
      throw new OperatorError(`This version of Waybill cannot use the database: ${fault}. ${replacement}`)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error, results = [] } = await migrator.migrateToLatest()
    const failed = results.find((result) => result.status === 'Error')
    if (failed !== undefined) throw migrationError(`migration ${failed.migrationName} failed`, error)
    if (error !== undefined) throw migrationError('the database cannot be migrated', error)
    return results.map((result) => result.migrationName)
  } finally {
    await db.destroy()
  }
}

/** The reason why migrations cannot run on the existing schema; undefined if they can. */
async function findSchemaFault(db: Kysely<Database>, names: readonly string[]): Promise<string | undefined> {
  const applied = await readApplied(db)
  if (applied === undefined) {
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM unnest(${WAYBILL_TABLES}::text[]) AS name WHERE to_regclass(name) IS NOT NULL LIMIT 1`.execute(
      db,
    )
    return rows[0] && `it has a table "${rows[0].name}" but no list of applied migrations`
  }
  const unknown = applied.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    return (
      `it has migrations that this version does not include (${unknown.join(', ')}). ` +
      'A newer version created it, or a development version from before the first release'
    )
  const missing = names.slice(0, applied.length).find((name) => !applied.includes(name))
  return missing && `it lacks the migration ${missing}, but has later ones`
}

/** Tables that every version has. They identify a database whose list of migrations was lost. */
const WAYBILL_TABLES = ['account', 'api_key', 'rate_card', 'shipment', 'customs_data_set']

/** Undefined before the first migration. */
async function readApplied(db: Kysely<Database>): Promise<string[] | undefined> {
  const { rows: tables } = await sql`
    SELECT 1 WHERE to_regclass('kysely_migration') IS NOT NULL`.execute(db)
  if (tables.length === 0) return undefined
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db)
  return rows.map(({ name }) => name)
}

function migrationError(summary: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`${summary}: ${reason}`, { cause })
}
