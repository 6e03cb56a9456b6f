/**
 * Brings a database to the current schema. Decided here: all pending migrations are one transaction, so a
 * failure leaves the schema as it was; migrators that start at once wait for each other.
 */
import { type Migration, Migrator } from 'kysely'
import { migrations as allMigrations } from '../migrations/index.ts'
import { type DatabaseSource, openDatabase } from './open.ts'

/**
 * Runs the migrations that the database has not seen and returns their names, in order; empty when there were
 * none. On a connection of its own, without a statement time-out. Throws an error that names the migration
 * that failed (or that the database knows and this version does not); nothing is changed then.
 * The lock belongs to a session: behind a transaction pooler, give the server's own address here.
 */
export async function migrate(
  source: DatabaseSource,
  migrations: Readonly<Record<string, Migration>> = allMigrations,
): Promise<string[]> {
  const db = openDatabase(source, {
    poolSize: 1,
    statementTimeoutMs: 0,
    idleInTransactionMs: 0,
    connectionWaitMs: 10_000,
    applicationName: 'waybill migrate',
  })
  try {
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

function migrationError(what: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(`${what}: ${why}`, { cause })
}
