/** When the triggers of moves are enabled, and what they refuse. docs/distribution.md#move-an-account */
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AccountClosed } from '../../../src/operations/ports/recovery.ts'
import { recordScans } from '../../../src/operations/record-scans.ts'
import { createAccount } from '../../../src/store/accounts/accounts.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { movedAccounts } from '../../../src/store/database/moved-accounts.ts'
import { isOutage } from '../../../src/store/database/outage.ts'
import { listMoves } from '../../../src/store/moves/account-move.ts'
import {
  discardAccount,
  leaveAccount,
  openAccount,
  resumeAccount,
} from '../../../src/store/moves/end-move.ts'
import { exportAccount } from '../../../src/store/moves/export-account.ts'
import { importAccount } from '../../../src/store/moves/import-account.ts'
import { GUARDED_TABLES } from '../../../src/store/moves/refusal-triggers.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { runStatements, urlOf } from '../../support/database/test-server.ts'
import { insertParties, insertShipment } from '../shipments/shipment-rows.ts'

let source: ClonedDatabase
let target: ClonedDatabase
let third: ClonedDatabase
beforeEach(async () => {
  ;[source, target, third] = [await cloneDatabase(), await cloneDatabase(), await cloneDatabase()]
  await insertParties(source.db)
  await insertShipment(source.db, 'a')
})
afterEach(async () => {
  for (const cell of [source, target, third]) await cell.drop()
})

async function exported(id = 'acme'): Promise<{ lines: string[]; confirmation: string }> {
  const lines: string[] = []
  const write = async (chunks: AsyncIterable<readonly string[]>) => {
    for await (const chunk of chunks) lines.push(...chunk)
  }
  const { confirmation } = await exportAccount(source.db, id, write, () => {})
  return { lines, confirmation }
}
async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}
const atOnce = async () => {}

/** What all triggers have in common: 'O' enabled, 'D' disabled. */
async function stateOf({ db }: { readonly db: Kysely<Database> }): Promise<string> {
  const { rows } = await sql<{ states: string }>`SELECT string_agg(DISTINCT tgenabled::text, '') AS states
    FROM pg_trigger WHERE tgname = 'refuse_while_moved'`.execute(db)
  return rows[0]?.states ?? ''
}
const states = async () => [await stateOf(source), await stateOf(target)]

describe('the triggers of moves', () => {
  test('are on the tables that are locked to enable them', async () => {
    const { rows } = await sql<{ name: string }>`SELECT tgrelid::regclass::text AS name FROM pg_trigger
      WHERE tgname = 'refuse_while_moved' AND tgparentid = 0`.execute(source.db)
    expect(rows.map(({ name }) => name).sort()).toEqual([...GUARDED_TABLES].sort())
  })

  test('are enabled from the export until the account has left, and from the import until it is open', async () => {
    expect(await states()).toEqual(['D', 'D'])
    const { lines } = await exported()
    expect(await states()).toEqual(['O', 'D'])
    const { confirmation } = await importAccount(target.db, each(lines))
    expect(await states()).toEqual(['O', 'O'])
    const code = await leaveAccount(source.db, 'acme', confirmation, async () => {
      expect(await states()).toEqual(['O', 'O'])
      // Background work still finds rows of the account.
      expect(await movedAccounts(source.db)).toEqual(['acme'])
    })
    expect(await states()).toEqual(['D', 'O'])
    expect(await movedAccounts(source.db)).toEqual([])
    await openAccount(target.db, 'acme', code)
    expect(await states()).toEqual(['D', 'D'])
  })

  test('are disabled by the last of several moves, and by one that is given up', async () => {
    const { lines } = await exported()
    await exported('other')
    await resumeAccount(source.db, 'acme')
    expect(await stateOf(source)).toBe('O')
    await resumeAccount(source.db, 'other')
    expect(await stateOf(source)).toBe('D')
    await expect(importAccount(target.db, each(lines.slice(0, -1)))).rejects.toThrow('not complete')
    expect([await stateOf(target), await listMoves(target.db)]).toEqual(['D', []])
    await importAccount(target.db, each(lines))
    await discardAccount(target.db, 'acme')
    expect([await stateOf(target), await listMoves(target.db)]).toEqual(['D', []])
  })

  test('are disabled by a repeated step whose process was killed before it did', async () => {
    await exported()
    await sql`DELETE FROM account_move`.execute(source.db)
    await resumeAccount(source.db, 'acme')
    expect(await stateOf(source)).toBe('D')
    await exported()
    await sql`DELETE FROM account_move`.execute(source.db)
    await expect(discardAccount(source.db, 'acme')).rejects.toThrow('has not been imported')
    expect(await stateOf(source)).toBe('D')
  })

  test('that a restore of rows has not enabled refuse the end of the move, and the export is repeated', async () => {
    const { lines } = await exported()
    const { confirmation } = await importAccount(target.db, each(lines))
    await runStatements(
      source.source,
      ...GUARDED_TABLES.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER ALL`),
    )
    await expect(leaveAccount(source.db, 'acme', confirmation, atOnce)).rejects.toThrow('not enabled')
    await sql`UPDATE shipment SET reference = 'written meanwhile' WHERE account_id = 'acme'`.execute(
      source.db,
    )
    await exported()
    await expect(leaveAccount(source.db, 'acme', confirmation, atOnce)).rejects.toThrow('is not that of an')
  })

  test('do not refuse a replica of the database', async () => {
    await exported()
    await source.db.transaction().execute(async (trx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(trx)
      await sql`UPDATE shipment SET reference = 'copied' WHERE account_id = 'acme'`.execute(trx)
    })
  })
})

describe('a transaction that began before the account was closed', () => {
  const WRITE = `UPDATE shipment SET reference = 'late' WHERE account_id = 'acme'`
  /** Runs `first` in a transaction, then closes the account, then writes. Returns the code of the error. */
  async function writeLate(begin: string, first: string): Promise<string> {
    const client = new pg.Client({ connectionString: urlOf(source.source) })
    await client.connect()
    try {
      // The connection knows the table, without triggers.
      await client.query(`PREPARE late AS ${WRITE}`)
      await client.query('EXECUTE late')
      await client.query(begin)
      await client.query(first)
      await exported()
      return await client.query('EXECUTE late').then(
        () => 'written',
        (error: { code: string }) => error.code,
      )
    } finally {
      await client.end()
    }
  }

  test.each([
    ['BEGIN', 'SELECT count(*) FROM shipment'],
    ['BEGIN', 'SELECT 1 FROM shipment FOR UPDATE'],
    ['BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT count(*) FROM shipment'],
    ['BEGIN ISOLATION LEVEL SERIALIZABLE', 'SELECT count(*) FROM account_move'],
    ['BEGIN', 'SELECT pg_current_xact_id()'],
  ])('with %s and %s is refused when it writes', async (begin, first) => {
    expect(await writeLate(begin, first)).toBe('WB001')
  })

  test('and has written is waited for, and other writers are not blocked meanwhile for long', async () => {
    const waits: string[] = []
    let closing: Promise<unknown> = Promise.resolve()
    await source.db.transaction().execute(async (trx) => {
      await sql.raw(WRITE).execute(trx)
      closing = exportAccount(
        source.db,
        'acme',
        async (chunks) => {
          for await (const _ of chunks);
        },
        (reason) => waits.push(reason),
      )
      await expect.poll(() => waits.length).toBe(1)
      expect(await stateOf(source)).toBe('D')
      await insertShipment(source.db, 'of-other', { account_id: 'other' })
    })
    await closing
    expect(waits).toEqual([expect.stringMatching(/^a table is locked/)])
    await expect(sql.raw(WRITE).execute(source.db)).rejects.toThrow('is being moved')
  })
})

describe('a role that does not own the tables', () => {
  test('is told what is missing, and nothing is changed', async () => {
    await runStatements(
      source.source,
      `DO $$ BEGIN CREATE ROLE move_service; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
      'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO move_service',
    )
    await expect(
      source.db.connection().execute(async (db) => {
        await sql`SET ROLE move_service`.execute(db)
        return exportAccount(db, 'acme', atOnce, () => {}).finally(() => sql`RESET ROLE`.execute(db))
      }),
    ).rejects.toThrow(/^Only the owner of the tables can .*must be owner of table account.*DATABASE_URL/)
    expect([await stateOf(source), await listMoves(source.db)]).toEqual(['D', []])
  })
})

describe('a file that is imported in two cells', () => {
  test('is opened in the one whose import has been confirmed', async () => {
    const { lines } = await exported()
    const first = await importAccount(target.db, each(lines))
    const second = await importAccount(third.db, each(lines))
    const code = await leaveAccount(source.db, 'acme', first.confirmation, atOnce)
    await expect(leaveAccount(source.db, 'acme', second.confirmation, atOnce)).rejects.toThrow(
      'has left for another import',
    )
    await expect(openAccount(third.db, 'acme', code)).rejects.toThrow('another import of the same file')
    await expect(importAccount(source.db, each(lines))).rejects.toThrow('has left this cell with this file')
    // The way out if the target is lost (docs/distribution.md#move-an-account).
    await sql`UPDATE account_move SET import_id = NULL`.execute(source.db)
    await openAccount(third.db, 'acme', await leaveAccount(source.db, 'acme', second.confirmation, atOnce))
  })

  test('is opened in none if the confirmation is that of the export', async () => {
    const { lines, confirmation } = await exported()
    await importAccount(target.db, each(lines))
    const code = await leaveAccount(source.db, 'acme', confirmation, atOnce)
    await expect(openAccount(target.db, 'acme', code)).rejects.toThrow('another import of the same file')
  })
})

describe('scans of an account that is closed', () => {
  test('are sent again, and those of other accounts are recorded', async () => {
    await insertShipment(source.db, 'b', { account_id: 'other' })
    await exported()
    const scanOf = (id: string) => ({
      ...{ carrierCode: 'rondeel', carrierRef: `SBX-OK-${id}`, eventId: 'e', at: new Date().toISOString() },
    })
    const ports = { tracking: trackingStore(source.db), alert: () => {} }
    const error: unknown = await recordScans(ports, [scanOf('a'), scanOf('b')]).catch((caught) => caught)
    expect([error instanceof AccountClosed, isOutage(error)]).toEqual([true, true])
    const { rows } = await sql`SELECT shipment_id, state FROM shipment
      WHERE shipment_id IN ('a', 'b') ORDER BY 1`.execute(source.db)
    expect(rows).toEqual([
      { shipment_id: 'a', state: 'booked' },
      { shipment_id: 'b', state: 'in_transit' },
    ])
  })
})

describe('an account that has left', () => {
  test('cannot be created again, also after its return was given up', async () => {
    const { lines } = await exported()
    const { confirmation } = await importAccount(target.db, each(lines))
    await openAccount(target.db, 'acme', await leaveAccount(source.db, 'acme', confirmation, atOnce))
    const create = () => createAccount(source.db, 'acme', { accountName: 'Acme' })
    await expect(create()).rejects.toThrow('belongs to another cell')
    const back: string[] = []
    await exportAccount(
      target.db,
      'acme',
      async (chunks) => {
        for await (const chunk of chunks) back.push(...chunk)
      },
      () => {},
    )
    await expect(importAccount(source.db, each(back.slice(0, -1)))).rejects.toThrow('not complete')
    expect(await listMoves(source.db)).toMatchObject([{ role: 'left' }])
    await importAccount(source.db, each(back))
    await discardAccount(source.db, 'acme')
    expect(await listMoves(source.db)).toMatchObject([{ role: 'left' }])
    await expect(create()).rejects.toThrow('belongs to another cell')
    // The file can still be imported here.
    await importAccount(source.db, each(back))
  })

  test('is not exported by an export that was paused', async () => {
    const { lines } = await exported()
    const { confirmation } = await importAccount(target.db, each(lines))
    await expect(
      exportAccount(
        source.db,
        'acme',
        async (chunks) => {
          await leaveAccount(source.db, 'acme', confirmation, atOnce)
          for await (const _ of chunks);
        },
        () => {},
      ),
    ).rejects.toThrow('has left meanwhile; do not use the file')
  })

  test('gets an error that can be repeated for a request that began before', async () => {
    const { lines } = await exported()
    const { confirmation } = await importAccount(target.db, each(lines))
    await leaveAccount(source.db, 'acme', confirmation, atOnce)
    const late = shipmentStore(source.db, 'one')
    for (const request of [
      () => late.beginCancellation('acme', 'a', { mayOpen: true, leaseMs: 1, refusalMemoryMs: 1 }),
      () => late.cancelProgress('acme', 'a', 1),
    ])
      expect(
        await request().then(
          (found) => found,
          (error: unknown) => isOutage(error),
        ),
      ).toBe(true)
  })

  test('can come back though a paused process has stored a scan since', async () => {
    const { lines } = await exported()
    const { confirmation } = await importAccount(target.db, each(lines))
    const late = `INSERT INTO carrier_scan (account_id, carrier_code, event_id, carrier_ref, occurred_at)
      VALUES ('acme', 'rondeel', 'late', 'SBX-OK-a', now())`
    await openAccount(target.db, 'acme', await leaveAccount(source.db, 'acme', confirmation, atOnce))
    await runStatements(source.source, late)
    await runStatements(target.source, late)
    const back: string[] = []
    await exportAccount(
      target.db,
      'acme',
      async (chunks) => {
        for await (const chunk of chunks) back.push(...chunk)
      },
      () => {},
    )
    await importAccount(source.db, each(back))
    const { rows } = await sql`SELECT account_id FROM carrier_scan`.execute(source.db)
    expect(rows).toEqual([{ account_id: 'acme' }])
  })
})

describe('a scan of a number that two accounts have had', () => {
  test('stays with the account of the other cell, and comes with the moved one', async () => {
    const scanOf = (
      account: string,
    ) => `INSERT INTO carrier_scan (account_id, carrier_code, event_id, carrier_ref,
      occurred_at) VALUES ('${account}', 'rondeel', 'same', 'SBX-OK-a', now())`
    await runStatements(source.source, scanOf('acme'))
    await runStatements(target.source, scanOf('other'))
    const { lines } = await exported()
    await importAccount(target.db, each(lines))
    const { rows } = await sql`SELECT account_id FROM carrier_scan ORDER BY account_id`.execute(target.db)
    expect(rows).toEqual([{ account_id: 'acme' }, { account_id: 'other' }])
  })
})
