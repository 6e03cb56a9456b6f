/** Transaction poolers: settings of each transaction, the check at start, and a real PgBouncer if there is one. */

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { openApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabaseHome } from '../../../src/store/database/database-home.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type DatabaseSource, type OpenOptions, openDatabase } from '../../../src/store/database/open.ts'
import { kyselyPool } from '../../../src/store/database/pool/kysely-pool.ts'
import { refuseUndeclaredPooler } from '../../../src/store/database/pool/pooler.ts'
import { programArguments } from '../../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import {
  type Pgbouncer,
  type PgbouncerOptions,
  pgbouncerVersion,
  startPgbouncer,
  tracksStatements,
} from '../../support/database/pgbouncer.ts'
import { runStatements, urlOf } from '../../support/database/test-server.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A new clone for each test, because the tests change settings of the role in a database. */
async function clone(options: OpenOptions = {}): Promise<ClonedDatabase> {
  const database = await cloneDatabase(options)
  closers.push(() => database.drop())
  return database
}

function open(source: DatabaseSource, options: OpenOptions = {}): Kysely<Database> {
  const db = openDatabase(source, options)
  closers.push(() => db.destroy())
  return db
}

function pooled(connectionString: string, namedStatements = false): DatabaseSource {
  return { connectionString, namedStatements, transactionPooler: true }
}

/** Settings of the server, the database or the role that Waybill must not work with. */
const UNSUITABLE = [
  `synchronous_commit = 'off'`,
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  `timezone = 'Europe/Amsterdam'`,
  `datestyle = 'SQL, DMY'`,
  'jit = on',
]

const nameIn = (database: ClonedDatabase): string =>
  typeof database.source === 'string' ? new URL(database.source).pathname.slice(1) : database.source.database

/** Changes settings of the role in one database, as an operator does. */
async function alterRole(database: ClonedDatabase, ...changes: readonly string[]): Promise<void> {
  await runStatements(
    database.source,
    ...changes.map((change) => `ALTER ROLE CURRENT_USER IN DATABASE "${nameIn(database)}" ${change}`),
  )
}

const setUnsuitable = (database: ClonedDatabase) =>
  alterRole(database, ...UNSUITABLE.map((setting) => `SET ${setting}`))

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

type Settings = { readonly pid: number; readonly values: string }

const settings = sql<Settings>`
  SELECT pg_backend_pid() AS pid, concat_ws(' ', current_setting('synchronous_commit'),
    current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout'),
    current_setting('timezone'), current_setting('datestyle'), current_setting('jit')) AS values
  FROM pg_sleep(0.05)`

const SUITABLE = 'on 3s 5s UTC ISO, YMD off'

describe('behind a transaction pooler,', () => {
  test('statements and transactions have the settings, whatever the role sets', async () => {
    const database = await clone()
    await setUnsuitable(database)
    const db = open(pooled(urlOf(database.source)), { poolSize: 1 })
    expect((await settings.execute(db)).rows[0]?.values).toBe(SUITABLE)
    const inside = await db.transaction().execute((trx) => settings.execute(trx))
    expect(inside.rows[0]?.values).toBe(SUITABLE)
  })

  test.each(['local', 'remote_write', 'remote_apply'])('synchronous_commit = %s is kept', async (value) => {
    const database = await clone()
    await alterRole(database, `SET synchronous_commit = ${value}`)
    const { rows } = await settings.execute(open(pooled(urlOf(database.source))))
    expect(rows[0]?.values.split(' ')[0]).toBe(value)
  })

  test('the server ends a statement at its limit', async () => {
    const database = await clone()
    await setUnsuitable(database)
    const db = open(pooled(urlOf(database.source)), { poolSize: 1, statementTimeoutMs: 50 })
    await expect(sql`SELECT pg_sleep(${5}::int)`.execute(db)).rejects.toMatchObject({ code: '57014' })
    expect((await sql`SELECT 1 AS n`.execute(db)).rows).toEqual([{ n: 1 }])
  })

  test('the session keeps no setting', async () => {
    const database = await clone()
    await setUnsuitable(database)
    const pool = new Pool({ connectionString: urlOf(database.source), max: 1 })
    // The pool's end does not wait for the server, which may lose the database first.
    pool.on('error', () => {})
    const limitsPerTransaction = { statementMs: 1_000, idleInTransactionMs: 2_000 }
    const dialect = new PostgresDialect({ pool: kyselyPool(pool, { named: false, limitsPerTransaction }) })
    const db = new Kysely<Database>({ dialect })
    closers.push(() => db.destroy())
    expect((await settings.execute(db)).rows[0]?.values).toBe('on 1s 2s UTC ISO, YMD off')
    await db.transaction().execute((trx) => settings.execute(trx))
    await expect(sql`SELECT 1 / ${0}::int`.execute(db)).rejects.toMatchObject({ code: '22012' })
    const { rows } = await pool.query<Settings>(settings.compile(db).sql)
    expect(rows[0]?.values).toBe('off 0 0 Europe/Amsterdam SQL, DMY on')
  })

  test('transactions have their isolation level, and commit or roll back', async () => {
    const database = await clone()
    const db = open(pooled(urlOf(database.source)), {
      poolSize: 1,
      statementTimeoutMs: 0,
      idleInTransactionMs: 0,
    })
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    const state = sql`SELECT current_setting('statement_timeout') AS statement,
      current_setting('transaction_isolation') AS isolation, current_setting('transaction_read_only') AS read_only`
    expect((await snapshot.execute((trx) => state.execute(trx))).rows).toEqual([
      { statement: '0', isolation: 'repeatable read', read_only: 'on' },
    ])
    await sql`CREATE TABLE boxes (id int)`.execute(db)
    const failing = db.transaction().execute(async (trx) => {
      await sql`INSERT INTO boxes VALUES (${2})`.execute(trx)
      await sql`SELECT 1 / ${0}::int`.execute(trx)
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    await sql`INSERT INTO boxes VALUES (${1})`.execute(db)
    expect((await sql`SELECT id FROM boxes`.execute(database.db)).rows).toEqual([{ id: 1 }])
  })
})

test('a direct connection needs no settings of the role', async () => {
  const database = await clone()
  await setUnsuitable(database)
  const source = {
    connectionString: urlOf(database.source),
    namedStatements: true,
    transactionPooler: false,
  }
  await refuseUndeclaredPooler(source)
  const { rows } = await settings.execute(open(source))
  expect(rows[0]?.values).toBe(SUITABLE)
})

if (pgbouncerVersion === undefined) console.log('skipped: PgBouncer, which is not installed on this machine')

describe.skipIf(pgbouncerVersion === undefined)(`PgBouncer ${pgbouncerVersion ?? ''}`, () => {
  const bouncers = new Map<string, Pgbouncer>()
  beforeAll(async () => {
    for (const options of [
      { poolMode: 'transaction' },
      { poolMode: 'session' },
      ...(tracksStatements ? [{ poolMode: 'transaction', maxPreparedStatements: 100 } as const] : []),
    ] satisfies PgbouncerOptions[])
      bouncers.set(
        `${options.poolMode}${'maxPreparedStatements' in options ? ' tracking' : ''}`,
        await startPgbouncer(inject('testServer').maintenance, options),
      )
  })
  afterAll(async () => {
    for (const bouncer of bouncers.values()) await bouncer.close()
  })
  const bouncer = (kind = 'transaction'): Pgbouncer => {
    const found = bouncers.get(kind)
    if (found === undefined) throw new Error(`there is no pooler "${kind}"`)
    return found
  }
  const addressOf = (database: ClonedDatabase, kind?: string) => bouncer(kind).url(nameIn(database))
  const unpooled = (connectionString: string): DatabaseSource => ({
    connectionString,
    namedStatements: true,
    transactionPooler: false,
  })

  test('in transaction mode is refused until the configuration mentions it', async () => {
    const database = await clone()
    const message = await failureOf(refuseUndeclaredPooler(unpooled(addressOf(database))))
    expect(message).toContain('Set WAYBILL_POOLER=transaction')
  })

  test('in session mode is used like the server itself', async () => {
    const database = await clone()
    await refuseUndeclaredPooler(unpooled(addressOf(database, 'session')))
  })

  test('has the settings on every server connection, also after RECONNECT', async () => {
    const database = await clone()
    await setUnsuitable(database)
    // Commands and the service share server connections.
    const command = open(pooled(addressOf(database)), { statementTimeoutMs: 0, idleInTransactionMs: 0 })
    const service = open(pooled(addressOf(database)), { connectionWaitMs: 10_000 })
    const pids = new Set<number>()
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 12 }, () => settings.execute(command)))
      const found = await Promise.all(Array.from({ length: 24 }, () => settings.execute(service)))
      expect(new Set(found.map(({ rows }) => rows[0]?.values))).toEqual(new Set([SUITABLE]))
      for (const { rows } of found) pids.add(rows[0]?.pid ?? 0)
      await bouncer().command('RECONNECT')
    }
    expect(pids.size).toBeGreaterThan(6)
  })

  test('lets databases be migrated again and again, and keeps no lock', async () => {
    const database = await emptyDatabase()
    closers.push(() => database.drop())
    const source = pooled(addressOf(database))
    const runs = await Promise.all([1, 2, 3].map(() => migrate(source)))
    expect(runs.filter((names) => names.length > 0)).toHaveLength(1)
    await bouncer().command('RECONNECT')
    for (let run = 0; run < 3; run++) expect(await migrate(source)).toEqual([])
    const { rows } = await sql`SELECT pid FROM pg_locks WHERE locktype = 'advisory'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(database.db)
    expect(rows).toEqual([])
  })

  test.runIf(tracksStatements)('that tracks prepared statements runs named statements', async () => {
    const database = await clone()
    const source = pooled(addressOf(database, 'transaction tracking'), true)
    await refuseUndeclaredPooler(source)
    const db = open(source, { connectionWaitMs: 10_000 })
    const found = await Promise.all(
      Array.from({ length: 40 }, (_, n) => sql`SELECT ${n}::int AS n`.execute(db)),
    )
    expect(found.map(({ rows }) => rows)).toEqual(Array.from({ length: 40 }, (_, n) => [{ n }]))
  })

  test('that does not track prepared statements is refused with named statements', async () => {
    const database = await clone()
    const message = await failureOf(refuseUndeclaredPooler(pooled(addressOf(database), true)))
    expect(message).toContain('The pooler does not track prepared statements')
  })

  test('runs commands, with RECONNECT between them', { timeout: 60_000 }, async () => {
    const database = await clone()
    const clean = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(WAYBILL_|NODE_ENV|VITEST)/.test(name)),
    )
    for (let run = 0; run < 3; run++) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...programArguments('src/cli/waybill.ts'), 'account', 'create', `pooled-${run}`, '--name', 'Pooled'],
        {
          cwd: path.resolve(import.meta.dirname, '../../..'),
          env: { ...clean, DATABASE_URL: addressOf(database), WAYBILL_POOLER: 'transaction' },
        },
      )
      expect(stdout).toContain(`pooled-${run}`)
      await bouncer().command('RECONNECT')
    }
  })

  test('serves the app, whatever the role sets', { timeout: 60_000 }, async () => {
    const database = await clone()
    await setUnsuitable(database)
    const config = readConfig({
      DATABASE_URL: addressOf(database),
      WAYBILL_POOLER: 'transaction',
      WAYBILL_DEMO_DATA: 'true',
      WAYBILL_OVERLOAD_WAIT_MS: '60000',
      LOG_LEVEL: 'silent',
    })
    for (let start = 0; start < 2; start++) {
      const app = await openApp(config, { database: await openDatabaseHome(config) })
      const ready = async () => (await app.server.inject({ url: '/readyz' })).statusCode
      const cancel = async () => {
        const headers = { 'x-pp-api': 'demo@demo-secret' }
        const url = '/partners-api/v1/shipments/demo-draft/cancel'
        return (await app.server.inject({ method: 'POST', url, headers })).json()
      }
      try {
        // A machine that stalls may refuse requests for a moment.
        await expect.poll(ready).toBe(200)
        await expect.poll(cancel).toEqual({ cancelled: true, message: expect.any(String) })
      } finally {
        await app.close()
      }
      await bouncer().command('RECONNECT')
    }
  })
})
