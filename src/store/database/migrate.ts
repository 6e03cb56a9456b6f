/**
 * Brings a database to the current schema. All pending migrations run in one transaction, so a failure leaves the
 * schema as it was. Processes that migrate at the same time wait for each other.
 *
 * The transaction holds an advisory lock, which ends with it. A lock of the session would stay behind on a connection
 * of a transaction pooler. Statements wait only briefly for the lock of a table: all later statements of running
 * replicas wait behind them. If the lock is not available, the transaction is rolled back and repeated after a pause.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { MIGRATIONS, type Migration } from '../migrations/index.ts'
import { type Database, OperatorError } from './database.ts'
import {
  describeHolder,
  isLockFailure,
  LOCK_WAIT_MS,
  type LockHolder,
  oldestLockHolder,
  pauseAfter,
} from './lock-waits.ts'
import { type DatabaseSource, openDatabase } from './open.ts'
import {
  type AppliedMigration,
  columnFault,
  listFault,
  readApplied,
  type SchemaColumns,
} from './schema-check.ts'

export type MigrateOptions = {
  readonly migrations?: Readonly<Record<string, Migration>>
  /** The columns that the code needs after the migrations. */
  readonly columns?: SchemaColumns
  /** How to replace a database that this version cannot use; the last sentence of the error. */
  readonly replacement?: string | undefined
  /** Whether a database that has a schema is upgraded. Default true. */
  readonly upgrades?: boolean
  /** How long to wait in total for other migrators and for locks of tables; default 5 minutes. */
  readonly waitMs?: number
  /** Called when a wait begins, or its reason changes. */
  onWait?(reason: string): void
}

/** For a database on a server of the operator. */
const REPLACE_DATABASE =
  'To replace the database, back it up, set DATABASE_URL to an empty one, and import your data again ' +
  '(docs/production.md#upgrade).'

const WAIT_MS = 5 * 60_000

const MIGRATOR_PAUSE_MS = 250

/**
 * Runs the pending migrations and returns their names in order. Uses its own connection without a statement timeout.
 *
 * Throws an OperatorError if this version cannot use the database: it has migrations that are not compatible with this
 * version, or Waybill's tables but no list of migrations, or tables without the required columns. Also throws one if
 * the database has an older schema and `upgrades` is false, and if the locks are not available in time. Throws an Error
 * with the migration's name if a migration fails. The database is unchanged in all cases.
 */
export async function migrate(source: DatabaseSource, options: MigrateOptions = {}): Promise<string[]> {
  const { waitMs = WAIT_MS, onWait = () => {} } = options
  const db = openDatabase(source, {
    poolSize: 1,
    statementTimeoutMs: 0,
    idleInTransactionMs: 0,
    connectionWaitMs: 10_000,
    applicationName: 'waybill migrate',
    namedStatements: false,
  })
  const endsAt = performance.now() + waitMs
  let reported: string | undefined
  let lockFailures = 0
  try {
    for (;;) {
      const attempt = await tryMigrate(db, options)
      if (attempt.kind === 'migrated') return attempt.names
      const { reason } = attempt
      if (attempt.kind === 'locked') lockFailures++
      const pauseMs = attempt.kind === 'migrator' ? MIGRATOR_PAUSE_MS : pauseAfter(lockFailures)
      if (performance.now() + pauseMs > endsAt)
        throw new OperatorError(`The database was not migrated within ${waitMs / 1_000} s: ${reason}.`)
      if (reason !== reported) onWait(reason)
      reported = reason
      await delay(pauseMs)
    }
  } finally {
    await db.destroy()
  }
}

type Attempt =
  | { readonly kind: 'migrated'; readonly names: string[] }
  /** Another process migrates the database. */
  | { readonly kind: 'migrator'; readonly reason: string }
  /** A table was locked. */
  | { readonly kind: 'locked'; readonly reason: string }

async function tryMigrate(db: Kysely<Database>, options: MigrateOptions): Promise<Attempt> {
  // Most starts and commands find nothing to do. They do not need the lock.
  const known = await readApplied(db)
  const pending = pendingOf(known, options)
  if (pending.length === 0) {
    await refuseColumnFault(db, options)
    return { kind: 'migrated', names: [] }
  }
  if (known !== undefined && options.upgrades === false)
    throw new OperatorError(
      `The database lacks migrations of this version: ${pending.map(([name]) => name).join(', ')}. ` +
        'Apply them with `waybill migrate`, or start the service (docs/production.md#upgrade).',
    )
  try {
    const names = await db.transaction().execute((trx) => migrateAlone(trx, options))
    return names === undefined
      ? { kind: 'migrator', reason: `another process is migrating it${await migratorOf(db)}` }
      : { kind: 'migrated', names }
  } catch (error) {
    if (!isLockFailure(error)) throw error
    return { kind: 'locked', reason: `a table is locked${await oldestLockHolder(db)}` }
  }
}

/** Two numbers that no other program is likely to use; the first is "WAYB" in ASCII. */
const LOCK = { class: 0x57415942, object: 1 }

/** Undefined if another process holds the lock. */
async function migrateAlone(
  trx: Transaction<Database>,
  options: MigrateOptions,
): Promise<string[] | undefined> {
  // For this transaction only: behind a transaction pooler, settings of the session may belong to another client.
  const { rows } = await sql<{ locked: boolean }>`
    SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true),
      set_config('idle_in_transaction_session_timeout', '0', true),
      pg_try_advisory_xact_lock(${LOCK.class}::int, ${LOCK.object}::int) AS locked`.execute(trx)
  if (rows[0]?.locked !== true) return undefined
  const applied = await readApplied(trx)
  // Only now: without the lock, another process could commit its migrations between the two statements.
  if (applied === undefined) refuse(await unlistedFault(trx), options.replacement)
  const pending = pendingOf(applied, options)
  await prepareAppliedList(trx)
  for (const [name, migration] of pending) {
    await run(trx, name, migration)
    await recordApplied(trx, name, migration)
  }
  await refuseColumnFault(trx, options)
  return pending.map(([name]) => name)
}

/** Creates the list of applied migrations, or adds the column that the migrator of Kysely did not have. */
async function prepareAppliedList(db: Kysely<Database>): Promise<void> {
  await sql`
    CREATE TABLE IF NOT EXISTS kysely_migration (
      name varchar(255) PRIMARY KEY,
      timestamp varchar(255) NOT NULL,
      compatible_from text
    )`.execute(db)
  const { rows } = await sql`
    SELECT 1 FROM pg_attribute WHERE attrelid = 'kysely_migration'::regclass AND attname = 'compatible_from'`.execute(
    db,
  )
  // ADD COLUMN IF NOT EXISTS would lock the list, which running replicas read, until the migrations end.
  if (rows.length === 0) await sql`ALTER TABLE kysely_migration ADD COLUMN compatible_from text`.execute(db)
}

async function recordApplied(
  db: Kysely<Database>,
  name: string,
  { compatibleFrom }: Migration,
): Promise<void> {
  await sql`
    INSERT INTO kysely_migration (name, timestamp, compatible_from)
      VALUES (${name}, to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        ${compatibleFrom})`.execute(db)
}

async function run(trx: Transaction<Database>, name: string, { statements }: Migration): Promise<void> {
  try {
    for (const statement of statements) await sql.raw(statement).execute(trx)
  } catch (error) {
    if (isLockFailure(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`migration ${name} failed: ${reason}`, { cause: error })
  }
}

/** The migrations to run, in order. Throws if this version cannot use a database with the applied ones. */
function pendingOf(
  applied: readonly AppliedMigration[] | undefined,
  { migrations = MIGRATIONS, replacement }: MigrateOptions,
): [name: string, migration: Migration][] {
  const names = Object.keys(migrations).sort()
  if (applied !== undefined) refuse(listFault(applied, names), replacement)
  return Object.entries(migrations)
    .filter(([name]) => !applied?.some((migration) => migration.name === name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

async function refuseColumnFault(
  db: Kysely<Database>,
  { columns, replacement }: MigrateOptions,
): Promise<void> {
  refuse(await columnFault(db, columns), replacement)
}

function refuse(fault: string | undefined, replacement = REPLACE_DATABASE): void {
  if (fault !== undefined)
    throw new OperatorError(`This version of Waybill cannot use the database: ${fault}. ${replacement}`)
}

/** Tables that every version has. They identify a database whose list of migrations was lost. */
const WAYBILL_TABLES = ['account', 'api_key', 'rate_card', 'shipment', 'customs_data_set']

async function unlistedFault(db: Kysely<Database>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM unnest(${WAYBILL_TABLES}::text[]) AS name WHERE to_regclass(name) IS NOT NULL LIMIT 1`.execute(
    db,
  )
  return rows[0] && `it has a table "${rows[0].name}" but no list of applied migrations`
}

/** The process that holds the migration lock, for a message; empty if it has just ended. */
async function migratorOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<LockHolder>`
    SELECT pid, application_name AS program FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND classid = ${LOCK.class}::int AND objid = ${LOCK.object}::int AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db)
  return describeHolder(rows[0], 'server process')
}
