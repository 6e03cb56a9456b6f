/** Migrations: each runs once, all or none, also when several processes start at the same time. */
import { type Kysely, type Migration, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OperatorError } from '../../../src/store/database/database.ts'
import { migrate } from '../../../src/store/database/migrate.ts'
import { MIGRATIONS } from '../../../src/store/migrations/index.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../../support/database/clone-database.ts'

let empty: ClonedDatabase
beforeEach(async () => {
  empty = await emptyDatabase()
})
afterEach(() => empty.drop())

function migration(statement: string): Migration {
  return { up: async (db: Kysely<unknown>) => void (await sql.raw(statement).execute(db)) }
}

const FIRST = migration('CREATE TABLE parcels (id bigint PRIMARY KEY)')
const SECOND = migration('INSERT INTO parcels VALUES (1)')
const FAILING = migration('INSERT INTO missing_table VALUES (1)')

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%' ORDER BY 1`.execute(empty.db)
  return rows.map((row) => row.name)
}

test('pending migrations run in the order of their names, and once', async () => {
  const migrations = { '002-second': SECOND, '001-first': FIRST }
  expect(await migrate(empty.source, { migrations })).toEqual(['001-first', '002-second'])
  expect(await migrate(empty.source, { migrations })).toEqual([])
  expect(await tables()).toEqual(['parcels'])
})

test('a failed migration is named, and the migrations before it are rolled back', async () => {
  const run = migrate(empty.source, { migrations: { '001-first': FIRST, '002-failing': FAILING } })
  await expect(run).rejects.toThrow(/^migration 002-failing failed: .*missing_table/)
  expect(await tables()).toEqual([])
  expect(await migrate(empty.source, { migrations: { '001-first': FIRST } })).toEqual(['001-first'])
})

test('a migrator that starts while another one runs waits for it, longer than the statement timeout', async () => {
  const migrations = {
    '001-first': FIRST,
    '002-second': SECOND,
    '003-slow': migration('SELECT pg_sleep(3.5)'),
  }
  const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(empty.source, { migrations })))
  expect(ran.flat().sort()).toEqual(Object.keys(migrations))
})

test('the template has every migration of this version', async () => {
  const clone = await cloneDatabase()
  expect(await migrate(clone.source)).toEqual([])
  await clone.drop()
})

describe('a database that this version cannot use', () => {
  const HOW =
    'To replace the database, back it up, set DATABASE_URL to an empty one, and import your data again'

  async function refusal(migrations: Readonly<Record<string, Migration>> = MIGRATIONS): Promise<string> {
    const before = await tables()
    const error = await migrate(empty.source, { migrations }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(OperatorError)
    expect(await tables()).toEqual(before)
    return (error as OperatorError).message
  }

  test('is refused when it has the migrations of a commit before the first release', async () => {
    const migrations = { '0001-accounts': FIRST, '0002-rate-book': SECOND }
    await migrate(empty.source, { migrations })
    const message = await refusal()
    expect(message).toContain('does not include (0001-accounts, 0002-rate-book)')
    expect(message).toContain('a development version from before the first release')
    expect(message).toContain(HOW)
  })

  test('is refused when a newer version created it', async () => {
    await migrate(empty.source, { migrations: { '001-first': FIRST, '002-second': SECOND } })
    expect(await refusal({ '001-first': FIRST })).toContain('does not include (002-second)')
  })

  test('is refused when it lacks a migration but has a later one', async () => {
    await migrate(empty.source, { migrations: { '001-first': FIRST, '003-third': SECOND } })
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
})
