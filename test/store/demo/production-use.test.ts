/** A database is used for demo data or in production, never for both, even if both start at the same time. */
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, OperatorError } from '../../../src/store/database/database.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { markProductionUse, resetDemo, seedDemo } from '../../../src/store/demo/reset.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'

let clone: ClonedDatabase
let db: Kysely<Database>
beforeEach(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  db = clone.db
})
afterEach(() => clone.drop())

/** Deletes the demo keys by SQL. The demo rate book and shipments remain. */
async function removeDemoSecrets(): Promise<void> {
  await db.deleteFrom('api_secret').execute()
}

async function markedSince(): Promise<Date | null | undefined> {
  return (await db.selectFrom('production_use').select('since').executeTakeFirst())?.since
}

const secrets = async () => (await db.selectFrom('api_secret').select('key_id').execute()).length

describe('a start in production', () => {
  test('marks the database once', async () => {
    await removeDemoSecrets()
    expect(await markedSince()).toBeNull()
    await markProductionUse(db)
    const since = await markedSince()
    expect(since).toBeInstanceOf(Date)
    await markProductionUse(db)
    expect(await markedSince()).toEqual(since)
  })

  test('is refused if demo secrets are valid, and does not mark the database', async () => {
    await expect(markProductionUse(db)).rejects.toThrow('it contains demo accounts')
    expect(await markedSince()).toBeNull()
    await seedDemo(db)
  })

  test('is refused on a marked database if demo secrets were inserted by hand', async () => {
    const rows = await db.selectFrom('api_secret').select(['key_id', 'digest']).execute()
    await removeDemoSecrets()
    await markProductionUse(db)
    await db.insertInto('api_secret').values(rows).execute()
    await expect(markProductionUse(db)).rejects.toThrow('it contains demo accounts')
  })
})

describe('a marked database', () => {
  test.each([
    ['seeding', seedDemo],
    ['a reset', resetDemo],
  ])('takes no demo data by %s, and stays as it is', async (_what, insertDemo) => {
    await removeDemoSecrets()
    await db.deleteFrom('shipment').execute()
    await markProductionUse(db)
    await expect(insertDemo(db)).rejects.toThrow(OperatorError)
    expect(await secrets()).toBe(0)
    expect(await db.selectFrom('shipment').selectAll().execute()).toEqual([])
  })

  test('is recognised as such if the row of the mark is missing', async () => {
    await db.deleteFrom('production_use').execute()
    await expect(resetDemo(db)).rejects.toThrow(OperatorError)
    await removeDemoSecrets()
    await markProductionUse(db)
    expect(await markedSince()).toBeInstanceOf(Date)
  })
})

describe('a demo reset and a start in production at the same time', () => {
  /** Resolves when a session of this database waits for a lock. */
  async function untilASessionWaits(): Promise<void> {
    const waiting = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length
    }
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1)
  }

  /** The result of the work as text. */
  const endOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error instanceof OperatorError ? 'demo refused' : 'production refused'),
    )

  test.each([
    ['the default isolation', ''],
    ['a stricter default isolation', 'repeatable read'],
  ])('run one after the other: if the reset is first, production refuses to start, with %s', async (_what, isolation) => {
    await removeDemoSecrets()
    if (isolation !== '')
      await sql
        .raw(`do $$ begin execute format('alter database %I set default_transaction_isolation
        to ''${isolation}''', current_database()); end $$`)
        .execute(db)
    const production = openDatabase(clone.source)
    try {
      const started = await db.transaction().execute(async (trx) => {
        await resetDemo(trx)
        const start = endOf(markProductionUse(production))
        await untilASessionWaits()
        return { start }
      })
      expect(await started.start).toBe('production refused')
      expect(await secrets()).toBe(2)
      expect(await markedSince()).toBeNull()
    } finally {
      await production.destroy()
    }
  })

  test('run one after the other: if production is first, the reset is refused', async () => {
    await removeDemoSecrets()
    const shell = openDatabase(clone.source)
    try {
      const begun = await db.transaction().execute(async (trx) => {
        await sql`update production_use set since = now()`.execute(trx)
        const reset = endOf(resetDemo(shell))
        await untilASessionWaits()
        return { reset }
      })
      expect(await begun.reset).toBe('demo refused')
      expect(await secrets()).toBe(0)
    } finally {
      await shell.destroy()
    }
  })
})
