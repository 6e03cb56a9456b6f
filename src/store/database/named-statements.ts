/**
 * The pool as Kysely sees it. Decided here: each distinct statement text gets a name, so that PostgreSQL plans
 * it once per connection (1.6 to 2.8 times the throughput, design/stack.md), and which connections are too
 * damaged to go back to the pool.
 */
import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'

/**
 * Distinct texts that are given names; later ones stay unnamed. Each named text costs memory on every
 * connection until that closes, and a text that varies without end (an IN list by length) must not fill it.
 */
export const namedStatementsMax = 500

/** `undefined`: run without a name. */
interface StatementNames {
  nameOf(text: string): string | undefined
  /** The plan behind a name cannot be used any more: from now on the text has another name. */
  retire(text: string): void
}

/**
 * Wraps a pg pool for Kysely's PostgresDialect. `named: false` is for a transaction pooler that does not track
 * prepared statements (PgBouncer before 1.21).
 */
export function namedStatements(pool: Pool, named: boolean): PostgresPool {
  const names = named ? statementNames() : { nameOf: () => undefined, retire: () => {} }
  // Kysely keys what it knows of a connection by this object, so there is one per client for good.
  const wrapped = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const known = wrapped.get(client)
      if (known !== undefined) return known
      const fresh = wrapClient(client, names)
      wrapped.set(client, fresh)
      return fresh
    },
    end: () => pool.end(),
  }
}

function wrapClient(client: PoolClient, names: StatementNames): PostgresPoolClient {
  let damaged = false

  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query<R>(
    sql: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    assert(typeof sql === 'string', 'cursors are not used')
    return run<R>(sql, parameters)
  }

  async function run<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Without parameters pg uses the simple protocol: begin, commit, and scripts of several statements.
    const name = parameters.length > 0 ? names.nameOf(text) : undefined
    const values = [...parameters]
    try {
      const result = await client.query(name === undefined ? { text, values } : { name, text, values })
      return result as PostgresQueryResult<R>
    } catch (error) {
      if (name !== undefined && isStalePlan(error)) names.retire(text)
      if (isLastWord(error)) damaged = true
      throw error
    }
  }

  return {
    query,
    release() {
      // An open transaction here means that its rollback failed; the next user would be inside of it.
      client.release(damaged || client.getTransactionStatus() !== 'I')
    },
  }
}

function statementNames(): StatementNames {
  const names = new Map<string, string>()
  const generations = new Map<string, number>()
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (names.size >= namedStatementsMax) return undefined
      // The name follows from the text, never from a counter: behind a pooler that mixes up connections, two
      // processes may then find each other's statements, but never a different one under the same name.
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
 * After a fatal error the server closes the connection, but that arrives later, and the next query would be the
 * one to find out. After a read time-out the answer may still come, as if it were the answer to the next query.
 */
function isLastWord(error: unknown): boolean {
  const { severity, message } = error as { severity?: unknown; message?: unknown }
  return severity === 'FATAL' || severity === 'PANIC' || message === 'Query read timeout'
}

/**
 * "cached plan must not change result type" (a column's type changed under a running process), or a statement
 * that a pooler has lost (26000). Each would otherwise fail on that connection for ever.
 */
function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
