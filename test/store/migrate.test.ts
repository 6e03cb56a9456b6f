/** Migrations: each runs once, all or none, also when several processes start at the same time. */
import { type Kysely, type Migration, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../support/clone-database.ts'

let empty: ClonedDatabase
beforeEach(async () => {
  empty = await emptyDatabase()
})
afterEach(() => empty.drop())

const first: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create table parcels (id bigint primary key)`.execute(db)
  },
}
const second: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`insert into parcels values (1)`.execute(db)
  },
}
const failing: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create table crates (id bigint primary key)`.execute(db)
    await sql`insert into nowhere values (1)`.execute(db)
  },
}

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not like 'kysely%' order by 1`.execute(empty.db)
  return rows.map((row) => row.name)
}

test('pending migrations run in the order of their names, and once', async () => {
  expect(await migrate(empty.source, { '0002-second': second, '0001-first': first })).toEqual([
    '0001-first',
    '0002-second',
  ])
  expect(await migrate(empty.source, { '0001-first': first, '0002-second': second })).toEqual([])
  expect(await tables()).toEqual(['parcels'])
})

test('a failure is named and leaves nothing behind, not even from the migrations before it', async () => {
  const run = migrate(empty.source, { '0001-first': first, '0002-failing': failing })
  await expect(run).rejects.toThrow(/^migration 0002-failing failed: .*nowhere/)
  expect(await tables()).toEqual([])
  expect(await migrate(empty.source, { '0001-first': first })).toEqual(['0001-first'])
})

test('a database that is ahead of this version is refused by the name of what is missing', async () => {
  await migrate(empty.source, { '0001-first': first, '0002-second': second })
  await expect(migrate(empty.source, { '0001-first': first })).rejects.toThrow(/0002-second/)
})

test('migrators that start at once wait for each other, longer than a statement may take', async () => {
  const slow: Migration = {
    up: async (db: Kysely<unknown>) => {
      await sql`select pg_sleep(3.5)`.execute(db)
    },
  }
  const all = { '0001-first': first, '0002-second': second, '0003-slow': slow }
  const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(empty.source, all)))
  expect(ran.flat().sort()).toEqual(Object.keys(all))
})

test('the template has every migration of this version', async () => {
  const clone = await cloneDatabase()
  expect(await migrate(clone.source)).toEqual([])
  await clone.drop()
})
