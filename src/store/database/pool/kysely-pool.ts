/**
 * Wraps the pool of pg for Kysely. Each distinct statement text gets a name, so that PostgreSQL plans it once per
 * connection (1.6 to 2.8 times the throughput). Also sets parameters: on a direct connection once, behind a
 * transaction pooler in each transaction, because the next one may run on another server connection.
 * Damaged connections do not go back to the pool.
 */
import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { markWithoutConnection } from '../outage.ts'

/** In milliseconds; 0 means no limit. */
export type TimeLimits = { readonly statementMs: number; readonly idleInTransactionMs: number }

/** The limits of the service. */
export const SERVICE_LIMITS: TimeLimits = { statementMs: 3_000, idleInTransactionMs: 5_000 }

/**
 * The statement that sets the parameters that Waybill needs, for the session or for the current transaction. It has
 * values instead of parameters, so that it can follow BEGIN in one round trip. They are not startup
 * parameters, because poolers refuse these.
 *
 * `synchronous_commit = off` would lose acknowledged cancellations in a crash, so it becomes `on`. The other values
 * ('local', 'remote_write', 'remote_apply') are the operator's choice.
 */
function settingsStatement({ statementMs, idleInTransactionMs }: TimeLimits, isLocal: boolean): string {
  return `SELECT set_config('statement_timeout', '${Math.trunc(statementMs)}', ${isLocal}),
    set_config('idle_in_transaction_session_timeout', '${Math.trunc(idleInTransactionMs)}', ${isLocal}),
    set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
      ELSE current_setting('synchronous_commit') END, ${isLocal}),
    set_config('timezone', 'UTC', ${isLocal}),
    set_config('datestyle', 'ISO, YMD', ${isLocal}),
    set_config('jit', 'off', ${isLocal})`
}

/** Sets the parameters before the pool hands out a direct connection. */
export async function prepareSession(client: ClientBase, limits: TimeLimits): Promise<void> {
  await client.query(settingsStatement(limits, false))
}

/**
 * Maximum number of named texts; others run without a name. Each name uses memory on every connection, and texts that
 * vary without limit (such as IN lists of any length) must not exhaust it.
 */
const NAMED_STATEMENTS_MAX = 500

interface StatementNames {
  /** Undefined: run without a name. */
  nameOf(text: string): string | undefined
  /** Gives the text a new name, because the plan behind the old one is invalid. */
  retire(text: string): void
}

export type PoolOptions = {
  /** False behind a transaction pooler that does not track prepared statements (PgBouncer before 1.21). */
  readonly named: boolean
  /**
   * Behind a transaction pooler: set the parameters with these limits at the beginning of each transaction. A statement
   * outside a transaction gets a transaction.
   */
  readonly limitsPerTransaction?: TimeLimits
}

export function kyselyPool(pool: Pool, options: PoolOptions): PostgresPool {
  const names = options.named ? statementNames() : { nameOf: () => undefined, retire: () => {} }
  // Kysely identifies connections by this object, so each client always gets the same one.
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect().catch((error) => {
        markWithoutConnection(error)
        throw error
      })
      const existing = wrapped.get(client)
      if (existing !== undefined) return existing
      const fresh = wrapClient(client, names, options)
      wrapped.set(client, fresh)
      return fresh
    },
    end: () => pool.end(),
  }
}

function wrapClient(
  client: PoolClient,
  names: StatementNames,
  { limitsPerTransaction }: PoolOptions,
): PostgresPoolClient {
  const settings =
    limitsPerTransaction === undefined ? undefined : settingsStatement(limitsPerTransaction, true)
  let damaged = false

  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    assert(typeof sql === 'string', 'cursors are not used')
    if (settings === undefined) return run<R>(sql, parameters)
    if (BEGIN.test(sql)) return begin<R>(`${sql}; ${settings}`)
    const isAlone = client.getTransactionStatus() === 'I'
    return isAlone ? runInTransaction<R>(settings, sql, parameters) : run<R>(sql, parameters)
  }

  /** The simple protocol sends several statements in one round trip. Returns the result of the first one. */
  async function begin<R>(text: string): Promise<PostgresQueryResult<R>> {
    const results: unknown = await run<R>(text, [])
    return (Array.isArray(results) ? results[0] : results) as PostgresQueryResult<R>
  }

  async function runInTransaction<R>(
    settings: string,
    text: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> {
    await begin(`BEGIN; ${settings}`)
    try {
      const result = await run<R>(text, parameters)
      await run('COMMIT', [])
      return result
    } catch (error) {
      // If this fails too, the connection has an open transaction and is discarded at its release.
      await run('ROLLBACK', []).catch(() => {})
      throw error
    }
  }

  async function run<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Without parameters pg uses the simple protocol, as for BEGIN, COMMIT and scripts of several statements.
    const name = parameters.length > 0 ? names.nameOf(text) : undefined
    const values = [...parameters]
    try {
      const result = await client.query(name === undefined ? { text, values } : { name, text, values })
      return result as PostgresQueryResult<R>
    } catch (error) {
      if (name !== undefined && isStalePlan(error)) names.retire(text)
      if (isDamaging(error)) damaged = true
      throw error
    }
  }

  return {
    query,
    release() {
      // An open transaction means that its rollback failed. The next user's statements would become part of it.
      client.release(damaged || client.getTransactionStatus() !== 'I')
    },
  }
}

/** The statements with which Kysely begins a transaction. */
const BEGIN = /^(begin|start transaction)\b[^;]*$/i

function statementNames(): StatementNames {
  const names = new Map<string, string>()
  const generations = new Map<string, number>()
  return {
    nameOf(text) {
      const existing = names.get(text)
      if (existing !== undefined) return existing
      if (names.size >= NAMED_STATEMENTS_MAX) return undefined
      // The name is a hash of the text and not a counter. If a pooler shares a connection between processes, they can
      // see each other's statements, but a name always belongs to the same text.
      const name = `w_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
      const generation = generations.get(text) ?? 0
      names.set(text, generation === 0 ? name : `${name}_${generation}`)
      return names.get(text)
    },
    retire(text) {
      if (names.delete(text)) generations.set(text, (generations.get(text) ?? 0) + 1)
    },
  }
}

/**
 * Whether the connection is unusable after this error. After a fatal error the server closes the connection, but the
 * close arrives later. After a read timeout the result can still arrive, and pg would return it for the next query.
 */
function isDamaging(error: unknown): boolean {
  const { severity, message } = error as { severity?: unknown; message?: unknown }
  return severity === 'FATAL' || severity === 'PANIC' || message === 'Query read timeout'
}

/**
 * "cached plan must not change result type" (a column type changed while the process runs), or a statement that a
 * pooler has dropped (26000). With the same name the statement would fail on this connection again.
 */
function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
