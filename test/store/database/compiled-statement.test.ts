/** Statements that are compiled once. */
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { compiledStatement } from '../../../src/store/database/compiled-statement.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { type DatabaseSource, type OpenOptions, openDatabase } from '../../../src/store/database/open.ts'
import { isOutage, wasNotExecuted } from '../../../src/store/database/outage.ts'
import { urlOf } from '../../campaigns/abuse/database.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
const opened: Kysely<Database>[] = []
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterEach(async () => {
  for (const db of opened.splice(0)) await db.destroy()
})
afterAll(() => clone.drop())

function open(options: OpenOptions = {}, source: DatabaseSource = clone.source): Kysely<Database> {
  const db = openDatabase(source, options)
  opened.push(db)
  return db
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

type Row = { readonly text: string; readonly sum: number }

test('a compiled statement gets the values of each execution, and is built once', async () => {
  const build = vi.fn()
  const add = compiledStatement<{ left: number; right: number; name: string }, Row>(
    ['left', 'right', 'name'],
    ({ left, right, name }) => {
      build()
      return sql`SELECT ${name}::text || ${name}::text AS text, ${right}::integer * 10 + ${left}::integer AS sum`
    },
  )
  expect(await add(clone.db, { left: 1, right: 2, name: 'a' })).toEqual([{ text: 'aa', sum: 21 }])
  expect(await add(clone.db, { left: 4, right: 3, name: "'; --" })).toEqual([{ text: "'; --'; --", sum: 34 }])
  expect(build).toHaveBeenCalledOnce()
})

test('a compiled statement can run in a transaction', async () => {
  const insert = compiledStatement<{ id: string }, { account_id: string }>(
    ['id'],
    ({ id }) => sql`INSERT INTO account (account_id, name) VALUES (${id}, 'X') RETURNING account_id`,
  )
  const failed = clone.db.transaction().execute(async (transaction) => {
    expect(await insert(transaction, { id: 'x' })).toEqual([{ account_id: 'x' }])
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await clone.db.selectFrom('account').selectAll().where('account_id', '=', 'x').execute()).toEqual([])
})

/** Runs without Kysely, on a connection of the pool. */
describe('outside a transaction, a compiled statement', () => {
  const pidAfter = compiledStatement<{ seconds: number }, { pid: number }>(
    ['seconds'],
    ({ seconds }) => sql`SELECT pg_backend_pid() AS pid, pg_sleep(${seconds}::float)`,
  )
  const divide = compiledStatement<{ by: number }, { n: number }>(
    ['by'],
    ({ by }) => sql`SELECT 6 / ${by}::int AS n`,
  )

  test('does not use Kysely', async () => {
    const db = open()
    const executeQuery = vi.spyOn(db, 'executeQuery')
    expect(await divide(db, { by: 2 })).toEqual([{ n: 3 }])
    expect(executeQuery).not.toHaveBeenCalled()
  })

  test('is prepared under the same name as other statements', async () => {
    const db = open({ poolSize: 1 })
    await divide(db, { by: 2 })
    await sql`SELECT 6 / ${3}::int AS n`.execute(db)
    const { rows } = await sql`SELECT name FROM pg_prepared_statements`.execute(db)
    expect(rows).toEqual([{ name: expect.stringMatching(/^w_[0-9a-f]{32}$/) }])
  })

  test('recovers when a column changes its type', async () => {
    const db = open({ poolSize: 2 })
    await sql`CREATE TABLE boxes (id int)`.execute(db)
    await sql`INSERT INTO boxes VALUES (1)`.execute(db)
    const read = compiledStatement<{ id: number }, { id: number }>(
      ['id'],
      ({ id }) => sql`SELECT id FROM boxes WHERE id = ${id}`,
    )
    await read(db, { id: 1 })
    await sql`ALTER TABLE boxes ALTER id TYPE bigint`.execute(db)
    expect(isOutage(await failureOf(read(db, { id: 1 })))).toBe(false)
    expect(await read(db, { id: 1 })).toEqual([{ id: 1 }])
  })

  test('that fails leaves its connection usable, and its error has the stack of the caller', async () => {
    const db = open({ poolSize: 1 })
    const [before] = await pidAfter(db, { seconds: 0 })
    const error = await failureOf(divide(db, { by: 0 }))
    expect(error).toMatchObject({ code: '22012' })
    expect(wasNotExecuted(error)).toBe(true)
    expect((error as Error).stack).toContain('kysely-pool.ts')
    expect(await pidAfter(db, { seconds: 0 })).toEqual([{ pid: before?.pid, pg_sleep: '' }])
  })

  test('waits for a free connection, and for a limited time', async () => {
    const db = open({ poolSize: 2, connectionWaitMs: 300 })
    const all = await Promise.all(Array.from({ length: 20 }, () => pidAfter(db, { seconds: 0.01 })))
    expect(new Set(all.map(([row]) => row?.pid)).size).toBe(2)
    const running = [pidAfter(db, { seconds: 1 }), pidAfter(db, { seconds: 1 })]
    const error = await failureOf(pidAfter(db, { seconds: 0 }))
    expect(isOutage(error)).toBe(true)
    expect(wasNotExecuted(error)).toBe(true)
    await Promise.all(running)
  })

  test('that waits is sent after all promises of the last result have run', async () => {
    const db = open({ poolSize: 1 })
    await divide(db, { by: 1 })
    const events: string[] = []
    const query = vi.spyOn(Client.prototype, 'query')
    const run = async () => {
      await divide(db, { by: 1 })
      for (let step = 0; step < 20; step += 1) await Promise.resolve()
      events.push(`answered after ${query.mock.calls.length} statements`)
    }
    await Promise.all([run(), run(), run()])
    query.mockRestore()
    expect(events).toEqual([1, 2, 3].map((count) => `answered after ${count} statements`))
  })

  test('may have been executed if its connection is lost, which is not used again', async () => {
    const db = open({ poolSize: 1 })
    const [before] = await pidAfter(db, { seconds: 0 })
    const error = failureOf(pidAfter(db, { seconds: 5 }))
    await vi.waitFor(async () => {
      const { rows } = await sql`SELECT pg_terminate_backend(pid) AS ended FROM pg_stat_activity
        WHERE pid = ${before?.pid} AND wait_event = 'PgSleep'`.execute(clone.db)
      expect(rows).toEqual([{ ended: true }])
    })
    expect(isOutage(await error)).toBe(true)
    expect(wasNotExecuted(await error)).toBe(false)
    const [after] = await pidAfter(db, { seconds: 0 })
    expect(after?.pid).not.toBe(before?.pid)
  })

  test('is not executed without a database, or after the pool was closed', async () => {
    const unreachable = open({}, 'postgres://nobody@127.0.0.1:1/none')
    const closed = openDatabase(clone.source)
    await closed.destroy()
    for (const db of [unreachable, closed]) {
      const error = await failureOf(divide(db, { by: 1 }))
      expect([isOutage(error), wasNotExecuted(error)]).toEqual([true, true])
    }
  })

  test('gets a transaction with its limits behind a pooler', async () => {
    const source = {
      ...{ connectionString: urlOf(clone.source), namedStatements: true, transactionPooler: true },
    }
    const limits = compiledStatement<{ name: string }, { limit: string }>(
      ['name'],
      ({ name }) => sql`SELECT current_setting(${name}) AS limit`,
    )
    const db = open({ poolSize: 1, statementTimeoutMs: 1_234 }, source)
    expect(await limits(db, { name: 'statement_timeout' })).toEqual([{ limit: '1234ms' }])
    const { rows } = await sql`SELECT 1 FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'
      AND datname = current_database()`.execute(clone.db)
    expect(rows).toEqual([])
  })
})
