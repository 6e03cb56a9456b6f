/**
 * Opens the database: pool size, time limits, session settings, and the conversion of column values. A connection that
 * is lost never ends the process.
 */
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type ClientConfig, Pool, type PoolConfig, types as pgTypes, TypeOverrides } from 'pg'
import type { ServerAddress } from '../embedded-postgres/server.ts'
import type { Database } from './database.ts'
import { kyselyPool, prepareSession, SERVICE_LIMITS, type TimeLimits } from './pool/kysely-pool.ts'

/** A DATABASE_URL (postgres://…), also with how to use it, or the address of the embedded server. */
export type DatabaseSource = string | ExternalDatabase | ServerAddress

/** The operator's database, with the settings that every connection to it must honour. */
export type ExternalDatabase = {
  readonly connectionString: string
  /** False for a transaction pooler that does not track prepared statements (PgBouncer before 1.21). */
  readonly namedStatements: boolean
  /** Whether the connection string leads to a transaction pooler. */
  readonly transactionPooler: boolean
}

/** Whether each transaction may run on another server connection. */
export function isPooled(source: DatabaseSource): boolean {
  return typeof source === 'object' && 'transactionPooler' in source && source.transactionPooler
}

/** The address and credentials, for a client of pg. */
export function clientConfig(source: DatabaseSource): ClientConfig {
  if (typeof source === 'string') return { connectionString: source }
  if ('connectionString' in source) return { connectionString: source.connectionString }
  // `ssl: false` overrides PGSSLMODE in the environment.
  return { ...source, ssl: false }
}

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
  /** Default: as the source says, otherwise true. */
  readonly namedStatements?: boolean
  /** Shown in `pg_stat_activity`; default 'waybill'. */
  readonly applicationName?: string
  /** Called for each lost connection. The pool replaces it. */
  readonly onConnectionLost?: (error: Error) => void
  /** Called once, for metrics. */
  readonly onPool?: (counts: PoolCounts) => void
  /** Called after each statement, for metrics and traces. `text` has parameters, no values. */
  readonly onStatement?: (milliseconds: number, isFailed: boolean, text: string) => void
}

/** The current numbers of connections, and of callers that wait for one. */
export type PoolCounts = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>

/**
 * Opens a pool. It connects at the first query, which throws connection errors (see `isOutage`). `destroy()` closes the
 * pool after the running queries.
 */
export function openDatabase(source: DatabaseSource, options: OpenOptions = {}): Kysely<Database> {
  const limits: TimeLimits = {
    statementMs: options.statementTimeoutMs ?? SERVICE_LIMITS.statementMs,
    idleInTransactionMs: options.idleInTransactionMs ?? SERVICE_LIMITS.idleInTransactionMs,
  }
  const pool = new Pool(poolConfig(source, options, limits))
  const onConnectionLost = options.onConnectionLost ?? (() => {})
  // An error event without a handler ends the process. The first handler is for idle connections, the second for
  // connections that are in use without a running query, as inside a transaction.
  pool.on('error', onConnectionLost)
  pool.on('connect', (client) => client.on('error', onConnectionLost))
  options.onPool?.(pool)
  const { onStatement } = options
  const named = typeof source === 'object' && 'connectionString' in source ? source.namedStatements : true
  return new Kysely<Database>({
    ...(onStatement !== undefined && {
      log: ({ level, query, queryDurationMillis }) =>
        onStatement(queryDurationMillis, level === 'error', query.sql),
    }),
    dialect: new PostgresDialect({
      pool: kyselyPool(pool, {
        named: options.namedStatements ?? named,
        ...(isPooled(source) && { limitsPerTransaction: limits }),
      }),
    }),
  })
}

function poolConfig(source: DatabaseSource, options: OpenOptions, limits: TimeLimits): PoolConfig {
  return {
    ...clientConfig(source),
    fallback_application_name: options.applicationName ?? 'waybill',
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectionWaitMs ?? 1_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // The server enforces `statement_timeout`. This limit applies if the server or the network does not respond.
    query_timeout: limits.statementMs === 0 ? undefined : limits.statementMs + 2_000,
    types: valueTypes(),
    // Behind a transaction pooler, settings of the session would reach other clients.
    ...(!isPooled(source) && { onConnect: (client) => prepareSession(client, limits) }),
  }
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
