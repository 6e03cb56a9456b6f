/** Migrations: each runs once, all or none, also when several processes start at the same time. */
import { type Kysely, type Migration, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../../src/store/database/migrate.ts'
import { migrations } from '../../../src/store/migrations/index.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../../support/database/clone-database.ts'

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

test('shipments and attempts from before recovery keep what they were, and are found by it', async () => {
  const before = Object.entries(migrations).filter(([name]) => name < '0007')
  await migrate(empty.source, Object.fromEntries(before))
  const { db } = empty
  await sql`insert into account (account_id, name) values ('acme', 'Acme')`.execute(db)
  await sql`insert into carrier (carrier_code, name, connector) values ('rondeel', 'Rondeel', 'sandbox')`.execute(
    db,
  )
  await sql`insert into shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country,
      to_country, parcel_type, parcels, recipient, price_cents, tariff_version, cancel_refused_at, cancel_refusal)
    values ('old', 'acme', 'booked', 1, 'rondeel', 'R1', 'NL', 'DE', 'DOC', '[]', 'business', 1, 'demo@1', now(), 'no')
  `.execute(db)
  await sql`insert into cancel_attempt (shipment_id, account_id, lease_until, next_try_at)
    values ('old', 'acme', now(), now())`.execute(db)
  await sql`insert into shipment (shipment_id, account_id, product_id, carrier_code, from_country, to_country,
      parcel_type, parcels, recipient, price_cents, tariff_version)
    values ('old-draft', 'acme', 1, 'rondeel', 'NL', 'DE', 'DOC', '[]', 'business', 1, 'demo@1')`.execute(db)
  expect(await migrate(empty.source)).toEqual(Object.keys(migrations).filter((name) => name >= '0007'))
  const terms = { leaseMs: 0, refusalMemoryMs: 600_000 }
  expect(await shipmentStore(db, 'one').beginCancellation('acme', 'old', terms)).toEqual({
    state: 'booked',
    draftCancelled: false,
    recentRefusal: { code: 'NOT_CANCELLABLE', reason: 'no' },
  })
  // Nobody books a draft from before, so it is cancelled at once.
  expect(await shipmentStore(db, 'one').beginCancellation('acme', 'old-draft', terms)).toEqual({
    ...{ state: 'cancelled', draftCancelled: true, cancelledBy: 'draft' },
  })
  const wishes = await sql`select shipment_id from shipment where cancel_wanted_at is not null`.execute(db)
  expect(wishes.rows).toEqual([])
  const recovery = recoveryStore(db, 'one')
  const due = { carrierCode: 'rondeel', accountId: 'acme', count: 1 }
  expect(await recovery.dueWork(9)).toEqual([
    { work: 'attempts', ...due },
    { work: 'lookups', ...due },
  ])
  expect(
    await recovery.claimAttempts([{ carrierCode: 'rondeel', accountId: 'acme', room: 1 }], 1_000),
  ).toMatchObject([{ shipmentId: 'old', carrierRef: 'R1', sends: 2 }])
})
