/** Transaction poolers: required settings of the role, limits per transaction, and a real PgBouncer if there is one. */

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { openDatabaseHome } from '../../../src/store/database/database-home.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { type DatabaseSource, type OpenOptions, openDatabase } from '../../../src/store/database/open.ts'
import { refuseUnsafePooler, settingFaults, watchSettings } from '../../../src/store/database/pooler.ts'
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

/** A new clone for each test, because the settings of a role apply to a database. */
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

/** The settings that docs/operations.md#connection-poolers lists. */
const SETTINGS = [
  `synchronous_commit = 'on'`,
  `statement_timeout = '3s'`,
  `idle_in_transaction_session_timeout = '5s'`,
  `timezone = 'UTC'`,
  `datestyle = 'ISO, YMD'`,
  'jit = off',
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

const setAll = (database: ClonedDatabase) =>
  alterRole(database, ...SETTINGS.map((setting) => `SET ${setting}`))

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

const limits = sql<{ statement: string; idle: string }>`
  SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle`

describe('behind a transaction pooler,', () => {
  test('a role without the required settings is refused with the statements that set them', async () => {
    const database = await clone()
    await alterRole(database, 'SET synchronous_commit = off', 'SET statement_timeout = 0')
    const message = await failureOf(refuseUnsafePooler(pooled(urlOf(database.source))))
    expect(message).toContain('synchronous_commit is off for new connections (must be not off)')
    const target = `ALTER ROLE \\S+ IN DATABASE ${nameIn(database)} SET`
    expect(message).toMatch(new RegExp(`${target} synchronous_commit = on;`))
    expect(message).toMatch(new RegExp(`${target} statement_timeout = '3s';`))
    // The statements work as they are printed.
    const corrections = message.split('\n').filter((line) => line.startsWith('  ALTER ROLE '))
    await runStatements(database.source, ...corrections)
    expect(await failureOf(refuseUnsafePooler(pooled(urlOf(database.source))))).toBe('it did not fail')
  })

  test('a role with the required settings is accepted, whatever the database sets', async () => {
    const database = await clone()
    await setAll(database)
    await runStatements(
      database.source,
      `ALTER DATABASE "${nameIn(database)}" SET synchronous_commit = off`,
      `ALTER DATABASE "${nameIn(database)}" SET statement_timeout = 0`,
    )
    await refuseUnsafePooler(pooled(urlOf(database.source)))
  })

  test.each([
    [`statement_timeout = '3s'`, true],
    ['statement_timeout = 3000', true],
    [`statement_timeout = '0.05 min'`, true],
    [`statement_timeout = '10001ms'`, false],
    [`statement_timeout = '1h'`, false],
    ['statement_timeout = 0', false],
    ['statement_timeout = 100', false],
    [`idle_in_transaction_session_timeout = '1min'`, true],
    [`idle_in_transaction_session_timeout = 0`, false],
    ['synchronous_commit = local', true],
    ['synchronous_commit = remote_apply', true],
    ['synchronous_commit = OFF', false],
    ['synchronous_commit = no', false],
    [`timezone = 'Etc/UTC'`, true],
    [`timezone = 'Europe/Amsterdam'`, false],
    [`datestyle = 'ISO, DMY'`, true],
    [`datestyle = 'SQL, DMY'`, false],
    ['jit = on', false],
    ['jit = 0', true],
  ])('%s is accepted: %s', async (setting, isAccepted) => {
    const database = await clone()
    await setAll(database)
    await alterRole(database, `SET ${setting}`)
    const found = await settingFaults(open(pooled(urlOf(database.source))))
    expect(found.map(({ text }) => text.split(' ')[0])).toEqual(isAccepted ? [] : [setting.split(' ')[0]])
  })

  test('a setting that was removed or changed is found before a new connection has it', async () => {
    const database = await clone()
    await setAll(database)
    const db = open(pooled(urlOf(database.source)), { poolSize: 1 })
    expect(await settingFaults(db)).toEqual([])
    await alterRole(database, 'RESET statement_timeout', 'SET synchronous_commit = off')
    expect((await settingFaults(db)).map(({ text }) => text).sort()).toEqual([
      'statement_timeout is no longer set for the role (must be 1 s to 10 s)',
      'synchronous_commit is off for new connections (must be not off)',
    ])
  })

  test('a setting that another program changed on an open connection is found', async () => {
    const database = await clone()
    await setAll(database)
    const db = open(pooled(urlOf(database.source)), { poolSize: 1 })
    await sql`SET synchronous_commit = off`.execute(db)
    const [fault, ...others] = await settingFaults(db)
    expect(fault?.text).toBe('synchronous_commit is off on an open server connection (must be not off)')
    expect(others).toEqual([])
  })

  test('the running service reports settings that are lost and that hold again', async () => {
    const database = await clone()
    await setAll(database)
    const changes: (readonly string[])[] = []
    const db = open(pooled(urlOf(database.source)), { poolSize: 1 })
    // The connection is opened while the settings are right.
    expect(await settingFaults(db)).toEqual([])
    const watch = watchSettings(db, {
      everyMs: 20,
      onChange: (faults) => void changes.push(faults),
    })
    closers.push(() => watch.close())
    expect(watch.holds()).toBe(true)
    await alterRole(database, 'SET synchronous_commit = off')
    await vi.waitFor(() => expect(watch.holds()).toBe(false), 5_000)
    await alterRole(database, 'SET synchronous_commit = on')
    await vi.waitFor(() => expect(watch.holds()).toBe(true), 5_000)
    expect(changes).toEqual([[expect.stringMatching(/synchronous_commit is off .*: ALTER ROLE /)], []])
  })

  test('transactions set their limits, and no session keeps them', async () => {
    const database = await clone()
    await setAll(database)
    const db = open(pooled(urlOf(database.source)), {
      poolSize: 1,
      statementTimeoutMs: 0,
      idleInTransactionMs: 0,
    })
    const inside = await db.transaction().execute((trx) => limits.execute(trx))
    expect(inside.rows).toEqual([{ statement: '0', idle: '0' }])
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    const state = sql`SELECT current_setting('statement_timeout') AS statement,
      current_setting('transaction_isolation') AS isolation, current_setting('transaction_read_only') AS read_only`
    expect((await snapshot.execute((trx) => state.execute(trx))).rows).toEqual([
      { statement: '0', isolation: 'repeatable read', read_only: 'on' },
    ])
    // Outside a transaction, a statement gets one.
    expect((await limits.execute(db)).rows).toEqual([{ statement: '0', idle: '0' }])
    await sql`CREATE TABLE boxes (id int)`.execute(db)
    await expect(sql`SELECT 1 / ${0}::int`.execute(db)).rejects.toMatchObject({ code: '22012' })
    await sql`INSERT INTO boxes VALUES (${1})`.execute(db)
    expect((await sql`SELECT id FROM boxes`.execute(database.db)).rows).toEqual([{ id: 1 }])
    const service = open(pooled(urlOf(database.source)), { poolSize: 1 })
    expect((await limits.execute(service)).rows).toEqual([{ statement: '3s', idle: '5s' }])
  })
})

test('a direct connection needs no settings of the role', async () => {
  const database = await clone()
  await alterRole(database, 'SET synchronous_commit = off', 'SET statement_timeout = 0')
  const source = {
    connectionString: urlOf(database.source),
    namedStatements: true,
    transactionPooler: false,
  }
  await refuseUnsafePooler(source)
  const { rows } = await sql`SELECT current_setting('synchronous_commit') AS synchronous`.execute(
    open(source),
  )
  expect(rows).toEqual([{ synchronous: 'on' }])
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
    const message = await failureOf(refuseUnsafePooler(unpooled(addressOf(database))))
    expect(message).toContain('Set WAYBILL_POOLER=transaction')
  })

  test('in session mode is used like the server itself', async () => {
    const database = await clone()
    await refuseUnsafePooler(unpooled(addressOf(database, 'session')))
  })

  test('keeps old values until RECONNECT, and start is refused until then', async () => {
    const database = await clone()
    const source = pooled(addressOf(database))
    expect(await failureOf(refuseUnsafePooler(source))).toContain(
      'statement_timeout is 0 for new connections',
    )
    await setAll(database)
    expect(await failureOf(refuseUnsafePooler(source))).toContain(
      'statement_timeout is 0 on an open server connection',
    )
    await bouncer().command('RECONNECT')
    await vi.waitFor(() => refuseUnsafePooler(source), 30_000)
  })

  test('has the settings on every server connection, also after RECONNECT', async () => {
    const database = await clone()
    await setAll(database)
    await runStatements(
      database.source,
      `ALTER DATABASE "${nameIn(database)}" SET synchronous_commit = off`,
      `ALTER DATABASE "${nameIn(database)}" SET jit = on`,
    )
    // Commands and the service share server connections.
    const command = open(pooled(addressOf(database)), { statementTimeoutMs: 0, idleInTransactionMs: 0 })
    const service = open(pooled(addressOf(database)), { connectionWaitMs: 10_000 })
    const state = sql<{ pid: number; values: string }>`
      SELECT pg_backend_pid() AS pid, concat_ws(' ', current_setting('synchronous_commit'),
        current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout'),
        current_setting('timezone'), current_setting('datestyle'), current_setting('jit')) AS values
      FROM pg_sleep(0.05)`
    const pids = new Set<number>()
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 12 }, () => limits.execute(command)))
      const found = await Promise.all(Array.from({ length: 24 }, () => state.execute(service)))
      expect(new Set(found.map(({ rows }) => rows[0]?.values))).toEqual(
        new Set(['on 3s 5s UTC ISO, YMD off']),
      )
      for (const { rows } of found) pids.add(rows[0]?.pid ?? 0)
      await bouncer().command('RECONNECT')
    }
    expect(pids.size).toBeGreaterThan(6)
  })

  test('lets databases be migrated again and again, and keeps no lock', async () => {
    const database = await emptyDatabase()
    closers.push(() => database.drop())
    await setAll(database)
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
    await setAll(database)
    const source = pooled(addressOf(database, 'transaction tracking'), true)
    await refuseUnsafePooler(source)
    const db = open(source, { connectionWaitMs: 10_000 })
    const found = await Promise.all(
      Array.from({ length: 40 }, (_, n) => sql`SELECT ${n}::int AS n`.execute(db)),
    )
    expect(found.map(({ rows }) => rows)).toEqual(Array.from({ length: 40 }, (_, n) => [{ n }]))
  })

  test('that does not track prepared statements is refused with named statements', async () => {
    const database = await clone()
    await setAll(database)
    const message = await failureOf(refuseUnsafePooler(pooled(addressOf(database), true)))
    expect(message).toContain('The pooler does not track prepared statements')
  })

  test('runs commands, with RECONNECT between them', { timeout: 60_000 }, async () => {
    const database = await clone()
    await setAll(database)
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

  test('serves the app, which is not ready while settings are lost', { timeout: 60_000 }, async () => {
    const database = await clone()
    await setAll(database)
    const config = readConfig({
      DATABASE_URL: addressOf(database),
      WAYBILL_POOLER: 'transaction',
      WAYBILL_DEMO_DATA: 'true',
      LOG_LEVEL: 'silent',
    })
    for (let start = 0; start < 2; start++) {
      const app = await openApp(config, { database: await openDatabaseHome(config) })
      const ready = async () => (await app.server.inject({ url: '/readyz' })).statusCode
      try {
        expect(await ready()).toBe(200)
        const cancelled = await app.server.inject({
          method: 'POST',
          url: '/partners-api/v1/shipments/demo-draft/cancel',
          headers: { 'x-pp-api': 'demo@demo-secret' },
        })
        expect(cancelled.json()).toEqual({ cancelled: true, message: expect.any(String) })
        if (start === 1) {
          await alterRole(database, 'SET synchronous_commit = off')
          await vi.waitFor(async () => expect(await ready()).toBe(503), 20_000)
        }
      } finally {
        await app.close()
      }
      await bouncer().command('RECONNECT')
    }
  })
})
