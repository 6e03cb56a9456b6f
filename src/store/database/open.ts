/**
 * Opens the database: pool size, time limits, session settings, and the conversion of column values. A connection that
 * is lost never ends the process.
 */
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type ClientBase, Pool, type PoolConfig, types as pgTypes, TypeOverrides } from 'pg'
import type { ServerAddress } from '../embedded-postgres/server.ts'
import type { Database } from './database.ts'
import { namedStatements } from './named-statements.ts'

/** A DATABASE_URL (postgres://…), or the address of the embedded server. */
export type DatabaseSource = string | ServerAddress

/** The defaults are those of the service. */
export interface OpenOptions {
  /** Maximum number of connections; default 10. Throughput is the same from 4 to 20. */
  readonly poolSize?: number
  /** How long a query waits for a connection before it fails as an outage; default 1,000 milliseconds. */
  readonly connectionWaitMs?: number
  /** Time limit of a statement; default 3,000 milliseconds. Use 0 (no limit) for migrations and imports. */
  readonly statementTimeoutMs?: number
  /** The server ends a transaction that is idle for this long; default 5,000 milliseconds. */
  readonly idleInTransactionMs?: number
  /** False behind a transaction pooler that does not track prepared statements (PgBouncer before 1.21). */
  readonly namedStatements?: boolean
  /** Shown in `pg_stat_activity`; default 'waybill'. */
  readonly applicationName?: string
  /** Called for each lost connection. The pool replaces it. */
  readonly onConnectionLost?: (error: Error) => void
}

/**
 * Opens a pool. It connects at the first query, which throws connection errors (see `isOutage`). `destroy()` closes the
 * pool after the running queries.
 */
export function openDatabase(source: DatabaseSource, options: OpenOptions = {}): Kysely<Database> {
  const pool = new Pool(poolConfig(source, options))
  const onConnectionLost = options.onConnectionLost ?? (() => {})
  // An error event without a handler ends the process. The first handler is for idle connections, the second for
  // connections that are in use without a running query, as inside a transaction.
  pool.on('error', onConnectionLost)
  pool.on('connect', (client) => client.on('error', onConnectionLost))
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: namedStatements(pool, options.namedStatements ?? true) }),
  })
}

function poolConfig(source: DatabaseSource, options: OpenOptions): PoolConfig {
  const statementTimeoutMs = options.statementTimeoutMs ?? 3_000
  return {
    // `ssl: false` overrides PGSSLMODE in the environment.
    ...(typeof source === 'string' ? { connectionString: source } : { ...source, ssl: false }),
    fallback_application_name: options.applicationName ?? 'waybill',
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectionWaitMs ?? 1_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // The server enforces `statement_timeout`. This limit applies if the server or the network does not respond.
    query_timeout: statementTimeoutMs === 0 ? undefined : statementTimeoutMs + 2_000,
    types: valueTypes(),
    onConnect: (client) => prepareSession(client, statementTimeoutMs, options.idleInTransactionMs ?? 5_000),
  }
}

/**
 * Sets the session parameters before the pool hands out the connection. Poolers refuse them as startup parameters, and
 * ALTER ROLE needs rights that the role may not have. A transaction pooler leaves the parameters set on the server
 * connection. Only other sessions of Waybill reuse it, because PgBouncer pools per user and database.
 *
 * `synchronous_commit = off` would lose acknowledged cancellations in a crash, so it becomes `on`. The other values
 * ('local', 'remote_write', 'remote_apply') are the operator's choice.
 */
async function prepareSession(client: ClientBase, statementMs: number, idleMs: number): Promise<void> {
  await client.query(
    `SELECT set_config('statement_timeout', $1, false),
      set_config('idle_in_transaction_session_timeout', $2, false),
      set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
        ELSE current_setting('synchronous_commit') END, false),
      set_config('timezone', 'UTC', false),
      set_config('datestyle', 'ISO, YMD', false),
      set_config('jit', 'off', false)`,
    [String(statementMs), String(idleMs)],
  )
}

/** Warnings about server settings that can lose acknowledged commits, and that a session cannot correct. */
export async function durabilityFaults(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name
  `.execute(db)
  return rows.map(
    ({ name }) => `PostgreSQL runs with ${name} = off: a power failure can lose confirmed cancellations`,
  )
}

/** Object identifiers of PostgreSQL's types, the same on every server. */
const OID = { int8: 20, int8Array: 1016, date: 1082, dateArray: 1182, textArray: 1009 }

/**
 * bigint becomes a number. A value that a number cannot represent exactly is an error, because it must not be rounded
 * silently. numeric stays a string. date stays 'YYYY-MM-DD', because a JavaScript Date depends on the time zone of the
 * process. timestamptz becomes a Date.
 */
function valueTypes(): TypeOverrides {
  const types = new TypeOverrides()
  const texts: (text: string) => (string | null)[] = pgTypes.getTypeParser(OID.textArray)
  types.setTypeParser(OID.int8, safeInteger)
  types.setTypeParser(OID.int8Array, (text) =>
    texts(text).map((item) => (item === null ? null : safeInteger(item))),
  )
  types.setTypeParser(OID.date, (text) => text)
  types.setTypeParser(OID.dateArray, texts)
  return types
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`bigint ${text} exceeds the safe integers of a number`)
  return value
}
