/**
 * Opens the database. Decided here: the pool's size and every time limit, how column values become JavaScript
 * values, and that a connection which dies never ends the process. Figures: design/stack.md.
 */
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type ClientBase, Pool, type PoolConfig, types as pgTypes, TypeOverrides } from 'pg'
import type { ServerAddress } from '../embedded-postgres/server.ts'
import type { Database } from './database.ts'
import { namedStatements } from './named-statements.ts'

/** A DATABASE_URL (postgres://…), or the address of the embedded server. */
export type DatabaseSource = string | ServerAddress

/** All optional; the defaults are for the service. */
export interface OpenOptions {
  /** Connections at most; 10. Between 4 and 20 makes no difference to throughput. */
  readonly poolSize?: number
  /** How long a query waits for a connection, in milliseconds; 1,000. Then it fails as an outage. */
  readonly connectionWaitMs?: number
  /** Per statement, in milliseconds; 3,000. 0 is no limit, for migrations and imports. */
  readonly statementTimeoutMs?: number
  /** A transaction nobody goes on with is ended by the server after this many milliseconds; 5,000. */
  readonly idleInTransactionMs?: number
  /** False for a transaction pooler that cannot track prepared statements (PgBouncer before 1.21). */
  readonly namedStatements?: boolean
  /** What pg_stat_activity shows; 'waybill'. */
  readonly applicationName?: string
  /** Told of each connection that was lost, for the log; the pool replaces it by itself. */
  readonly onConnectionLost?: (error: Error) => void
}

/**
 * Opens a pool on the database. Nothing is connected before the first query, and connection errors surface
 * there (see isOutage). `destroy()` on the result closes the pool, after the queries that are still running.
 */
export function openDatabase(source: DatabaseSource, options: OpenOptions = {}): Kysely<Database> {
  const pool = new Pool(poolConfig(source, options))
  const onConnectionLost = options.onConnectionLost ?? (() => {})
  // Both are needed, or the process ends: the first when an idle connection dies; the second when one dies
  // that is checked out but has no query running, as inside a transaction.
  pool.on('error', onConnectionLost)
  pool.on('connect', (client) => client.on('error', onConnectionLost))
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: namedStatements(pool, options.namedStatements ?? true) }),
  })
}

function poolConfig(source: DatabaseSource, options: OpenOptions): PoolConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? 3_000
  return {
    // `ssl: false` also overrides a PGSSLMODE meant for another server.
    ...(typeof source === 'string' ? { connectionString: source } : { ...source, ssl: false }),
    fallback_application_name: options.applicationName ?? 'waybill',
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectionWaitMs ?? 1_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // The server enforces the limit; this one is for a server or a network that has stopped answering.
    query_timeout: statementTimeoutMs === 0 ? undefined : statementTimeoutMs + 2_000,
    types: valueTypes(),
    onConnect: (client) => prepareSession(client, statementTimeoutMs, options.idleInTransactionMs ?? 5_000),
  }
}

/**
 * Sets what every session of ours relies on; the pool waits for it before it hands the connection out.
 * By SET after connecting, because poolers refuse these as start-up parameters and ALTER ROLE needs rights the
 * operator may not give us. Behind a transaction pooler a SET stays on the server connection, whoever uses it
 * next; PgBouncer pools per user and database, so that is another session of ours with the same settings.
 * Commits that return before they are on disk would lose acknowledged cancels: 'off' is corrected, the
 * degrees of replication ('local', 'remote_write', 'remote_apply') are the operator's choice.
 */
async function prepareSession(client: ClientBase, statementMs: number, idleMs: number): Promise<void> {
  await client.query(
    `select set_config('statement_timeout', $1, false),
      set_config('idle_in_transaction_session_timeout', $2, false),
      set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on'
        else current_setting('synchronous_commit') end, false),
      set_config('timezone', 'UTC', false),
      set_config('datestyle', 'ISO, YMD', false),
      set_config('jit', 'off', false)`,
    [String(statementMs), String(idleMs)],
  )
}

/**
 * What in the server's own settings could lose commits that were acknowledged, cancellations among them; for people.
 * Sessions cannot correct these, as they do `synchronous_commit`.
 */
export async function durabilityFaults(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name
  `.execute(db)
  return rows.map(
    ({ name }) => `PostgreSQL runs with ${name} = off: a power cut may lose what was acknowledged`,
  )
}

/** Object identifiers of types in PostgreSQL's catalogue, the same on every server. */
const oid = { int8: 20, int8Array: 1016, date: 1082, dateArray: 1182, textArray: 1009 }

/**
 * bigint becomes a number, or an error where a number could not hold it: amounts are in cents and counts are
 * small, so 2^53 is far away, and an error is better than a rounded amount. numeric stays a string.
 * date stays 'YYYY-MM-DD', for a JavaScript Date would shift it by the process's time zone.
 * timestamptz is a Date, as pg does it.
 */
function valueTypes(): TypeOverrides {
  const types = new TypeOverrides()
  const texts: (text: string) => (string | null)[] = pgTypes.getTypeParser(oid.textArray)
  types.setTypeParser(oid.int8, safeInteger)
  types.setTypeParser(oid.int8Array, (text) =>
    texts(text).map((item) => (item === null ? null : safeInteger(item))),
  )
  types.setTypeParser(oid.date, (text) => text)
  types.setTypeParser(oid.dateArray, texts)
  return types
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number exactly`)
  return value
}
