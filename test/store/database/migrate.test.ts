/** Migrations: each runs once, all or none, also when several processes start at the same time. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OperatorError } from '../../../src/store/database/database.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { readApplied, type SchemaColumns } from '../../../src/store/database/schema-check.ts'
import { MIGRATIONS, type Migration } from '../../../src/store/migrations/index.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../../support/database/clone-database.ts'
import { runStatements, urlOf } from '../../support/database/test-server.ts'

let empty: ClonedDatabase
beforeEach(async () => {
  empty = await emptyDatabase()
})
afterEach(() => empty.drop())

type Migrations = Readonly<Record<string, Migration>>

function migration(statement: string, compatibleFrom = '001-first'): Migration {
  return { statements: [statement], compatibleFrom }
}

const FIRST = migration('CREATE TABLE parcels (id bigint PRIMARY KEY)')
const SECOND = migration('INSERT INTO parcels VALUES (1)')
const FAILING = migration('INSERT INTO missing_table VALUES (1)')

function run(migrations: Migrations, columns: SchemaColumns = {}): Promise<string[]> {
  return migrate(empty.source, { migrations, columns })
}

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' ORDER BY 1`.execute(empty.db)
  return rows.map((row) => row.name)
}

/** Runs `work` while another session has an open transaction with these statements. */
async function during<Result>(
  statements: readonly string[],
  work: (end: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: urlOf(empty.source), application_name: 'a report' })
  await client.connect()
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= client.end()
    return ended
  }
  try {
    await client.query('BEGIN')
    for (const statement of statements) await client.query(statement)
    return await work(end)
  } finally {
    await end()
  }
}

test('a transaction sees the list that another process has created since it began', async () => {
  await empty.db.transaction().execute(async (trx) => {
    expect(await readApplied(trx)).toBeUndefined()
    await run({ '001-first': FIRST })
    expect((await readApplied(trx))?.map(({ name }) => name)).toEqual(['001-first'])
  })
})

test('pending migrations run in the order of their names, and once', async () => {
  const migrations = { '002-second': SECOND, '001-first': FIRST }
  expect(await run(migrations)).toEqual(['001-first', '002-second'])
  expect(await run(migrations)).toEqual([])
  expect(await tables()).toEqual(['kysely_migration', 'parcels'])
})

test('a failed migration is named, and the migrations before it are rolled back', async () => {
  await expect(run({ '001-first': FIRST, '002-failing': FAILING })).rejects.toThrow(
    /^migration 002-failing failed: .*missing_table/,
  )
  expect(await tables()).toEqual([])
  expect(await run({ '001-first': FIRST })).toEqual(['001-first'])
})

test('a migrator that starts while another one runs waits for it, longer than the statement timeout', async () => {
  const migrations = {
    '001-first': FIRST,
    '002-second': SECOND,
    '003-slow': migration('SELECT pg_sleep(3.5)'),
  }
  const ran = await Promise.all([1, 2, 3, 4].map(() => run(migrations)))
  expect(ran.flat().sort()).toEqual(Object.keys(migrations))
})

test('processes that start on an empty database at the same time migrate it once', async () => {
  const ran = await Promise.all(Array.from({ length: 8 }, () => migrate(empty.source)))
  expect(ran.flat()).toEqual(Object.keys(MIGRATIONS))
})

test('the template has every migration of this version', async () => {
  const clone = await cloneDatabase()
  expect(await migrate(clone.source)).toEqual([])
  await clone.drop()
})

test('a database that the migrator of Kysely has created gets the remaining migrations', async () => {
  const first = Object.entries(MIGRATIONS).slice(0, 4)
  for (const [, { statements }] of first) await runStatements(empty.source, ...statements)
  await runStatements(
    empty.source,
    'CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL)',
    'CREATE TABLE kysely_migration_lock (id varchar(255) PRIMARY KEY, is_locked integer NOT NULL DEFAULT 0)',
    ...first.map(([name]) => `INSERT INTO kysely_migration VALUES ('${name}', '2026-11-22T12:00:00.000Z')`),
  )
  expect(await migrate(empty.source)).toEqual(Object.keys(MIGRATIONS).slice(4))
  expect(await migrate(empty.source)).toEqual([])
})

describe('the migration lock', () => {
  test('ends with the transaction, so that it does not stay on a pooled connection', async () => {
    const held = `(SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())`
    const statements = [`SELECT 1 / ${held}`, 'COMMIT', `SELECT 1 / (1 - ${held})`]
    expect(await run({ '001-first': { statements, compatibleFrom: '001-first' } })).toEqual(['001-first'])
  })

  test('is waited for during a bounded time, and its holder is named', async () => {
    const onWait = vi.fn()
    await during(['SELECT pg_advisory_xact_lock(1463900482, 1)'], async () => {
      const waiting = migrate(empty.source, {
        migrations: { '001-first': FIRST },
        columns: {},
        waitMs: 600,
        onWait,
      })
      await expect(waiting).rejects.toThrow(
        /^The database was not migrated within 0.6 s: another process is migrating it \(server process \d+, program "a report"\)\.$/,
      )
    })
    expect(onWait).toHaveBeenCalledTimes(1)
    expect(await tables()).toEqual([])
  })

  test('is not needed if there is nothing to do', async () => {
    await run({ '001-first': FIRST })
    await during(['SELECT pg_advisory_xact_lock(1463900482, 1)'], async () => {
      expect(await run({ '001-first': FIRST })).toEqual([])
    })
  })
})

describe('a table that a long transaction has locked', () => {
  const migrations = {
    '001-first': FIRST,
    '002-column': migration('ALTER TABLE parcels ADD COLUMN note text'),
  }
  beforeEach(() => run({ '001-first': FIRST }))

  test('is not waited for long: readers behind the migration get through, and it runs afterwards', async () => {
    const reasons: string[] = []
    await during(['SELECT count(*) FROM parcels'], async (end) => {
      let paused: () => void = () => {}
      const pause = new Promise<void>((resolve) => {
        paused = resolve
      })
      const migrating = migrate(empty.source, {
        migrations,
        columns: {},
        onWait: (reason) => {
          reasons.push(reason)
          paused()
        },
      })
      await pause
      // Other transactions read while the migration pauses.
      expect((await sql`SELECT 1 FROM parcels`.execute(empty.db)).rows).toEqual([])
      await end()
      expect(await migrating).toEqual(['002-column'])
    })
    expect(reasons).toEqual([
      expect.stringMatching(
        /^a table is locked \(the longest transaction is that of server process \d+, program "a report"\)$/,
      ),
    ])
  })

  test('fails the migration after a bounded time', async () => {
    await during(['SELECT count(*) FROM parcels'], async () => {
      await expect(migrate(empty.source, { migrations, columns: {}, waitMs: 900 })).rejects.toThrow(
        /^The database was not migrated within 0.9 s: a table is locked \(/,
      )
    })
    expect(await run(migrations)).toEqual(['002-column'])
  })
})

describe('a migration that takes long with many shipments', () => {
  const levels = ['034-growth-indexes', '039-account-keys', '043-archive']
  const MODES = ['Share', 'ShareRowExclusive', 'Exclusive', 'AccessExclusive'].map((mode) => `${mode}Lock`)

  /** The strongest lock of each table that was there before, if it blocks writes. */
  async function locksOf(client: pg.Client, before: readonly string[]): Promise<Record<string, number>> {
    const { rows } = await client.query<{ name: string; mode: string }>(
      `SELECT relname AS name, mode FROM pg_locks JOIN pg_class ON relation = pg_class.oid
        WHERE pid = pg_backend_pid() AND mode = ANY ($1) AND relname = ANY ($2)`,
      [MODES, before],
    )
    const strongest: Record<string, number> = {}
    for (const { name, mode } of rows)
      strongest[name] = Math.max(strongest[name] ?? 0, MODES.indexOf(mode) + 1)
    return strongest
  }

  test.each(levels)('has all locks of %s and later migrations before its first change', async (level) => {
    await run(Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < level)))
    const before = (await tables()).filter((name) => name !== 'kysely_migration')
    const pending = Object.entries(MIGRATIONS)
      .filter(([name]) => name >= level)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, { statements }]) => statements)
    const first = pending.findIndex((statement) => !statement.startsWith('LOCK TABLE'))
    const client = new pg.Client({ connectionString: urlOf(empty.source) })
    await client.connect()
    try {
      await client.query('BEGIN')
      for (const statement of pending.slice(0, first)) await client.query(statement)
      const atFirst = await locksOf(client, before)
      for (const statement of pending.slice(first)) await client.query(statement)
      const later = Object.entries(await locksOf(client, before))
      expect(later.filter(([name, mode]) => mode > (atFirst[name] ?? 0))).toEqual([])
    } finally {
      await client.end()
    }
  })
})

test('running replicas can read the list of migrations while a migration runs', async () => {
  await run({ '001-first': FIRST })
  const locks = `(SELECT count(*) FROM pg_locks WHERE relation = 'kysely_migration'::regclass
    AND mode = 'AccessExclusiveLock')`
  const statements = [`SELECT 1 / (1 - ${locks})`]
  expect(
    await run({ '001-first': FIRST, '002-second': { statements, compatibleFrom: '001-first' } }),
  ).toEqual(['002-second'])
})

async function refusal(migrations: Migrations = MIGRATIONS, columns: SchemaColumns = {}): Promise<string> {
  const before = await tables()
  const error = await run(migrations, columns).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(OperatorError)
  expect(await tables()).toEqual(before)
  return (error as OperatorError).message
}

describe('a database that this version cannot use', () => {
  const HOW =
    'To replace the database, back it up, set DATABASE_URL to an empty one, and import your data again'

  test('is refused when it has the migrations of a commit before the first release', async () => {
    await run({ '0001-accounts': FIRST, '0002-rate-book': SECOND })
    // Versions of that time did not record a compatible version.
    await runStatements(empty.source, 'ALTER TABLE kysely_migration DROP COLUMN compatible_from')
    const message = await refusal()
    expect(message).toContain('does not include (0001-accounts, 0002-rate-book)')
    expect(message).toContain('a development version from before the first release')
    expect(message).toContain(HOW)
  })

  test('is refused when it lacks a migration but has a later one', async () => {
    await run({ '001-first': FIRST, '003-third': SECOND })
    const message = await refusal({ '001-first': FIRST, '002-second': SECOND, '003-third': SECOND })
    expect(message).toContain('it lacks the migration 002-second, but has later ones')
  })

  test('is refused when it has tables of Waybill but no list of migrations', async () => {
    await sql`CREATE TABLE shipment (shipment_id text)`.execute(empty.db)
    expect(await refusal()).toContain('it has a table "shipment" but no list of applied migrations')
  })

  test('is accepted when it has only tables of other programs', async () => {
    await sql`CREATE TABLE invoices (id bigint)`.execute(empty.db)
    expect(await migrate(empty.source)).toEqual(Object.keys(MIGRATIONS))
  })

  test('is refused when columns are missing or have other types, with the first differences', async () => {
    await run({ '001-first': FIRST })
    const columns = {
      parcels: { id: 'integer', note: 'text' },
      scans: { id: 'bigint' },
      labels: { id: 'bigint' },
    }
    const message = await refusal({ '001-first': FIRST }, columns)
    expect(message).toContain(
      'its schema differs from the one that the migrations create: ' +
        'the column parcels.id is bigint instead of integer; the column parcels.note is missing; ' +
        `the table scans is missing; and 1 more differences. ${HOW}`,
    )
    // Migrations that do not correct it are rolled back.
    expect(await refusal({ '001-first': FIRST, '002-second': SECOND }, columns)).toBe(message)
    expect(await run({ '001-first': FIRST, '002-second': SECOND })).toEqual(['002-second'])
  })

  test('is accepted when it has additional columns and tables', async () => {
    await run({ '001-first': FIRST })
    await runStatements(
      empty.source,
      'ALTER TABLE parcels ADD COLUMN note text',
      'CREATE TABLE scans (id int)',
    )
    expect(await run({ '001-first': FIRST }, { parcels: { id: 'bigint' } })).toEqual([])
  })
})

test('a database with a schema is not upgraded by those who may not, and an empty one gets the schema', async () => {
  const options = { columns: {}, upgrades: false }
  const next = { '001-first': FIRST, '002-second': SECOND }
  expect(await migrate(empty.source, { ...options, migrations: { '001-first': FIRST } })).toEqual([
    '001-first',
  ])
  expect(await migrate(empty.source, { ...options, migrations: { '001-first': FIRST } })).toEqual([])
  await expect(migrate(empty.source, { ...options, migrations: next })).rejects.toThrow(
    'The database lacks migrations of this version: 002-second. Apply them with `waybill migrate`',
  )
  expect((await readApplied(empty.db))?.map(({ name }) => name)).toEqual(['001-first'])
})

describe('a database that a newer version has migrated', () => {
  const NEXT = { '001-first': FIRST, '002-second': SECOND }
  const THIRD = (compatibleFrom: string) => migration('SELECT 1', compatibleFrom)

  test('is accepted when all later migrations are compatible with this version', async () => {
    await run({ ...NEXT, '003-third': THIRD('002-second'), '004-fourth': THIRD('001-first') })
    expect(await run(NEXT)).toEqual([])
  })

  test('is refused when a later migration is compatible only with a newer version', async () => {
    await run({ ...NEXT, '003-third': THIRD('002-second'), '004-fourth': THIRD('003-third') })
    expect(await refusal(NEXT)).toContain(
      'a newer version has applied the migration 004-fourth, which only versions with the migration 003-third can use',
    )
  })

  test('is refused when it is not recorded which versions are compatible', async () => {
    await run({ ...NEXT, '003-third': THIRD('001-first') })
    await runStatements(empty.source, 'UPDATE kysely_migration SET compatible_from = NULL')
    expect(await refusal(NEXT)).toContain('it has migrations that this version does not include (003-third)')
  })
})

test('every migration names an existing migration as the oldest compatible version', () => {
  const names = Object.keys(MIGRATIONS)
  expect(names).toEqual([...names].sort())
  for (const [name, { compatibleFrom }] of Object.entries(MIGRATIONS)) {
    expect(names).toContain(compatibleFrom)
    expect(compatibleFrom <= name).toBe(true)
  }
})
