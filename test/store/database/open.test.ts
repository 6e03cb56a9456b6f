/** The open database: lost connections, time limits, named statements and value types. */
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../../src/store/database/database.ts'
import { durabilityFaults, type OpenOptions, openDatabase } from '../../../src/store/database/open.ts'
import { isOutage, wasNotExecuted } from '../../../src/store/database/outage.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { sourceFor, type TestSource } from '../../support/database/test-server.ts'

let clone: ClonedDatabase
const opened: Kysely<Database>[] = []
beforeAll(async () => {
  clone = await cloneDatabase()
})
afterEach(async () => {
  for (const db of opened.splice(0)) await db.destroy()
})
afterAll(() => clone.drop())

function open(options: OpenOptions = {}, source: TestSource = clone.source): Kysely<Database> {
  const db = openDatabase(source, options)
  opened.push(db)
  return db
}

async function one<T>(query: { execute(db: Kysely<Database>): Promise<{ rows: T[] }> }, db = clone.db) {
  const [row] = (await query.execute(db)).rows
  if (row === undefined) throw new Error('no row')
  return row
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`
const kill = (pid: number) => sql`select pg_terminate_backend(${pid})`.execute(clone.db)

describe('a backend that dies', () => {
  test('replaces an idle connection and reports the loss', async () => {
    const onConnectionLost = vi.fn()
    const db = open({ poolSize: 1, onConnectionLost })
    const { pid } = await one(backend, db)
    await kill(pid)
    await vi.waitFor(() => expect(onConnectionLost).toHaveBeenCalled(), { timeout: 60_000 })
    expect((await one(backend, db)).pid).not.toBe(pid)
  })

  test('fails an open transaction as an outage, but not the process', async () => {
    const db = open({ poolSize: 1 })
    const error = await failureOf(
      db.transaction().execute(async (tx) => {
        const { pid } = (await backend.execute(tx)).rows[0] ?? { pid: 0 }
        await kill(pid)
        // Nothing is running on the connection while it dies.
        await new Promise((resolve) => setTimeout(resolve, 100))
        await sql`select 1`.execute(tx)
      }),
    )
    expect(isOutage(error)).toBe(true)
    expect(await one(sql`select 1 as n`, db)).toEqual({ n: 1 })
  })

  test('fails a running statement as an outage', async () => {
    const db = open({ poolSize: 1 })
    const { pid } = await one(backend, db)
    const sleeping = failureOf(sql`select pg_sleep(2)`.execute(db))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await kill(pid)
    expect(isOutage(await sleeping)).toBe(true)
    expect(await one(sql`select 1 as n`, db)).toEqual({ n: 1 })
  })
})

describe('limits', () => {
  test('apply to every session, whatever the settings of the server', async () => {
    const shown = await one(
      sql`select current_setting('statement_timeout') as statement, current_setting('jit') as jit,
        current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone,
        current_setting('synchronous_commit') as synchronous, current_setting('application_name') as name`,
      open(),
    )
    expect(shown).toEqual({
      statement: '3s',
      idle: '5s',
      zone: 'UTC',
      synchronous: 'on',
      jit: 'off',
      name: 'waybill',
    })
  })

  test('cause a warning for each server setting that can lose commits', async () => {
    const { fsync, pages } = await one(
      sql<{
        fsync: string
        pages: string
      }>`select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages`,
    )
    const expected = [...(fsync === 'off' ? ['fsync'] : []), ...(pages === 'off' ? ['full_page_writes'] : [])]
    const named = (await durabilityFaults(open())).map((text) => / (\w+) = off/.exec(text)?.[1])
    expect(named).toEqual(expected)
  })

  test('a statement that takes too long is ended as an outage', async () => {
    const db = open({ statementTimeoutMs: 100 })
    const error = await failureOf(sql`select pg_sleep(5)`.execute(db))
    expect(error).toMatchObject({ code: '57014' })
    expect(isOutage(error)).toBe(true)
  })

  test('a query that waits too long for a connection fails as an outage', async () => {
    const db = open({ poolSize: 1, connectionWaitMs: 100 })
    await db.connection().execute(async (held) => {
      await sql`select 1`.execute(held)
      expect(isOutage(await failureOf(sql`select 1`.execute(db)))).toBe(true)
    })
    expect(await one(sql`select 1 as n`, db)).toEqual({ n: 1 })
  })

  test('the server ends an idle transaction', async () => {
    const db = open({ poolSize: 1, idleInTransactionMs: 100 })
    const idle = db.transaction().execute(async (tx) => {
      const { pid } = await one(backend, tx)
      const session = sql`select 1 from pg_stat_activity where pid = ${pid}`
      await expect.poll(async () => (await session.execute(clone.db)).rows).toEqual([])
      await sql`select 1`.execute(tx)
    })
    expect(isOutage(await failureOf(idle))).toBe(true)
    expect(await one(sql`select 1 as n`, db)).toEqual({ n: 1 })
  })

  test('a connection that is released with an open transaction is not reused', async () => {
    const db = open({ poolSize: 1 })
    const before = await db.connection().execute(async (held) => {
      await sql`begin`.execute(held)
      return one(backend, held)
    })
    expect((await one(backend, db)).pid).not.toBe(before.pid)
  })
})

describe('statements', () => {
  const prepared = sql<{ name: string; statement: string }>`
    select name, statement from pg_prepared_statements order by prepare_time`

  test('with parameters are prepared once, under a name derived from the text', async () => {
    const db = open({ poolSize: 1 })
    for (const n of [1, 2, 3]) await sql`select ${n}::int as n`.execute(db)
    const again = open({ poolSize: 1 })
    await sql`select ${4}::int as n`.execute(again)
    const { rows } = await prepared.execute(db)
    expect(rows).toEqual([
      { name: expect.stringMatching(/^w_[0-9a-f]{32}$/), statement: 'select $1::int as n' },
    ])
    expect((await prepared.execute(again)).rows).toEqual(rows)
  })

  test('are not prepared when named statements are off', async () => {
    const db = open({ poolSize: 1, namedStatements: false })
    await sql`select ${1}::int as n`.execute(db)
    expect((await prepared.execute(db)).rows).toEqual([])
  })

  test('run without a name beyond the maximum number of names', async () => {
    const db = open({ poolSize: 1 })
    for (let n = 0; n < 520; n += 1) await sql`select ${n}::int as ${sql.ref(`n${n}`)}`.execute(db)
    expect((await prepared.execute(db)).rows).toHaveLength(500)
  })

  test('recover when a column changes its type', async () => {
    const db = open({ poolSize: 2 })
    await sql`create table boxes (id int)`.execute(db)
    await sql`insert into boxes values (1)`.execute(db)
    const read = () => sql`select id from boxes where id = ${1}`.execute(db)
    await read()
    await sql`alter table boxes alter id type bigint`.execute(db)
    expect(isOutage(await failureOf(read()))).toBe(false)
    expect((await read()).rows).toEqual([{ id: 1 }])
  })

  test('roll back their transaction when they fail', async () => {
    const db = open({ poolSize: 1 })
    const { pid } = await one(backend, db)
    const failed = db.transaction().execute((tx) => sql`select ${1}::int / 0`.execute(tx))
    expect(await failureOf(failed)).toMatchObject({ code: '22012' })
    expect(await one(backend, db)).toEqual({ pid })
  })
})

describe('values', () => {
  test('have the types Date for timestamptz, number for bigint, and text for date and numeric', async () => {
    const row =
      await one(sql`select date '2024-02-29' as day, 9007199254740991::bigint as big, count(*) as count,
      1.10::numeric as exact, array[date '2024-02-29', null] as days, array[1, null]::bigint[] as bigs,
      timestamptz '2024-02-29 23:30:00-05' as moment`)
    expect(row).toEqual({
      day: '2024-02-29',
      big: 9007199254740991,
      count: 1,
      exact: '1.10',
      days: ['2024-02-29', null],
      bigs: [1, null],
      moment: new Date('2024-03-01T04:30:00Z'),
    })
  })

  test('of bigint that a number cannot hold exactly are an error', async () => {
    const error = await failureOf(sql`select 9007199254740993::bigint as n`.execute(clone.db))
    expect(error).toBeInstanceOf(RangeError)
    expect(await one(sql`select 1 as n`)).toEqual({ n: 1 })
  })
})

describe('a statement was certainly not executed if', () => {
  test('no connection could be opened', async () => {
    const error = await failureOf(sql`select 1`.execute(open({}, 'postgres://nobody@127.0.0.1:1/none')))
    expect(wasNotExecuted(error)).toBe(true)
  })

  test('none became free in time', async () => {
    const db = open({ poolSize: 1, connectionWaitMs: 100 })
    await db.connection().execute(async (held) => {
      await sql`select 1`.execute(held)
      expect(wasNotExecuted(await failureOf(sql`select 1`.execute(db)))).toBe(true)
    })
  })

  test('the server rejected it, or ended it at the statement timeout', async () => {
    expect(wasNotExecuted(await failureOf(sql`select 1/0`.execute(clone.db)))).toBe(true)
    const slow = sql`select pg_sleep(5)`.execute(open({ statementTimeoutMs: 100 }))
    expect(wasNotExecuted(await failureOf(slow))).toBe(true)
  })

  test('but not if the connection was lost while it ran', async () => {
    const db = open({ poolSize: 1 })
    const { pid } = await one(backend, db)
    const sleeping = failureOf(sql`select pg_sleep(2)`.execute(db))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await kill(pid)
    expect(wasNotExecuted(await sleeping)).toBe(false)
  })

  test.each([
    'Connection terminated unexpectedly',
    'Query read timeout',
    'read ECONNRESET',
  ])('but not after "%s"', (message) => {
    expect(wasNotExecuted(new Error(message))).toBe(false)
  })

  test.each([
    ['08P01', 'server conn crashed?'],
    ['40003', 'result is unknown'],
    ['57P01', 'terminating connection due to administrator command'],
  ])('but not after the error %s "%s" of a pooler', (code, message) => {
    expect(wasNotExecuted(Object.assign(new Error(message), { code, severity: 'ERROR' }))).toBe(false)
  })
})

describe('an outage is reported for', () => {
  test('a server that cannot be reached by port or socket', async () => {
    for (const source of [
      'postgres://nobody@127.0.0.1:1/none',
      { host: '/nowhere', port: 1, user: 'x', database: 'x' },
    ]) {
      expect(isOutage(await failureOf(sql`select 1`.execute(open({}, source))))).toBe(true)
    }
  })

  test('a pool that was closed', async () => {
    const db = openDatabase(clone.source)
    await sql`select 1`.execute(db)
    await db.destroy()
    expect(isOutage(await failureOf(sql`select 1`.execute(db)))).toBe(true)
  })

  test.each([
    ['57P03', 'ERROR', true],
    ['53300', 'FATAL', true],
    ['08006', 'FATAL', true],
    ['08P01', 'FATAL', true],
    ['08P01', 'ERROR', false],
    ['23505', 'ERROR', false],
    ['42P01', 'ERROR', false],
    ['ENOENT', undefined, false],
  ])('code %s (%s): %s', (code, severity, outage) => {
    expect(isOutage(Object.assign(new Error('told'), { code, severity }))).toBe(outage)
    expect(isOutage(new Error('wrapped', { cause: Object.assign(new Error(), { code, severity }) }))).toBe(
      outage,
    )
  })

  test('neither a bug nor a database that does not exist', async () => {
    expect(isOutage(new TypeError('x is undefined'))).toBe(false)
    expect(isOutage(await failureOf(sql`select * from nowhere`.execute(clone.db)))).toBe(false)
    const missing = open({}, sourceFor(clone.source, 'no_such_database'))
    expect(isOutage(await failureOf(sql`select 1`.execute(missing)))).toBe(false)
  })
})
