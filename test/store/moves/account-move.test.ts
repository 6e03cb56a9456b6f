/** The move of an account to another cell. docs/distribution.md#move-an-account */
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/store/database/database.ts'
import { isOutage, wasNotExecuted } from '../../../src/store/database/outage.ts'
import { eventLog, numberEvents } from '../../../src/store/events/event-log.ts'
import { listMoves } from '../../../src/store/moves/account-move.ts'
import { ACCOUNT_TABLES, TABLES_OF_CELLS } from '../../../src/store/moves/account-rows.ts'
import {
  discardAccount,
  leaveAccount,
  openAccount,
  resumeAccount,
} from '../../../src/store/moves/end-move.ts'
import { exportAccount } from '../../../src/store/moves/export-account.ts'
import { importAccount } from '../../../src/store/moves/import-account.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { restoreStore } from '../../../src/store/shipments/restores.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { webhookStore } from '../../../src/store/webhooks/deliveries.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import {
  inSeconds,
  insertAttempt,
  insertParties,
  insertShipment,
  REFUSED,
} from '../shipments/shipment-rows.ts'

let source: ClonedDatabase
let target: ClonedDatabase
beforeAll(async () => {
  ;[source, target] = [await cloneDatabase(), await cloneDatabase()]
  await insertParties(source.db)
  await fillAccount(source.db)
  await numberEvents(source.db)
  // The numbers that the databases give differ from now on.
  await numberEvents(target.db)
  for (const [table, column] of [
    ['contract', 'contract_id'],
    ['account_event', 'event_id'],
  ])
    await sql`SELECT setval(pg_get_serial_sequence(${table}, ${column}), 5000)`.execute(target.db)
})
afterAll(async () => {
  await source.drop()
  await target.drop()
})

/** A row of "acme" in every table. */
async function fillAccount(db: Kysely<Database>): Promise<void> {
  for (const statement of [
    `INSERT INTO account_registration (account_id, scheme, number) VALUES ('acme', 'ioss', 'IM0000000001')`,
    `INSERT INTO agreed_code (account_id, sku, hs_code, description) VALUES ('acme', 'A-1', '610910', 'T-shirt "é"')`,
    `INSERT INTO api_key (key_id, account_id, label, scopes) VALUES ('k1', 'acme', 'shop', '{rates}'), ('k2', 'acme', NULL, NULL)`,
    `INSERT INTO api_secret (key_id, digest, revoked_at) VALUES ('k1', sha256('a'), NULL), ('k1', sha256('b'), now())`,
    `INSERT INTO contract (account_id, product_id, valid_from, freight_bps, fuel_bps, hidden)
      VALUES ('acme', 1201, '2026-01-01', -500, 0, false), ('acme', NULL, '2026-01-01', 100, 0, false)`,
    `INSERT INTO contract_discount (contract_id, applies_to, zones, over_grams, turnover_cents, change_bps)
      SELECT contract_id, 'freight', '{1,2}', 0, 0, freight_bps FROM contract WHERE account_id = 'acme'`,
    `INSERT INTO contract_turnover (account_id, valid_from, turnover_cents) VALUES ('acme', '2026-01-01', 100000)`,
    `INSERT INTO margin (account_id, over_grams, percent_bps, amount_cents, minimum_cents, valid_from)
      VALUES ('acme', 0, 1000, 0, 0, '2026-01-01')`,
    `INSERT INTO archived_shipment (account_id, shipment_id, state, cancelled_by, was_booked)
      VALUES ('acme', 'ancient', 'cancelled', 'carrier', true)`,
    `INSERT INTO kept_estimate (estimate_id, account_id, expires_at, content, content_bytes)
      VALUES ('est_1111111111111111111111', 'acme', now() + interval '9 days', '{"z": 1.10, "a": "\\u0000"}', 9)`,
    `INSERT INTO webhook_endpoint (endpoint_id, account_id, url, secret, sequence)
      VALUES ('whk_0123456789abcdef', 'acme', 'https://acme.example/hook', 'whsec_x', 0)`,
    `INSERT INTO webhook_delivery (endpoint_id, sequence, duration_ms, status) VALUES ('whk_0123456789abcdef', 1, 9, 200)`,
  ])
    await sql.raw(statement).execute(db)
  await insertShipment(db, 'booked', { parcel_refs: ['P-1', 'P-2'], carrier_ref: 'P-1' })
  await insertShipment(db, 'pending')
  await insertShipment(db, 'draft', {
    state: 'draft',
    carrier_ref: null,
    contacts: '{"recipient":{"name":"Zoë"}}',
  })
  await insertShipment(db, 'suspect', { state: 'draft', carrier_ref: null, lineage: 'before' })
  await insertShipment(db, 'erased', { state: 'in_transit' })
  const at = inSeconds(-500)
  await insertShipment(db, 'cancelled', { state: 'cancelled', cancelled_at: at, cancelled_by: 'release' })
  for (const statement of [
    `UPDATE shipment SET erased_at = now(), parcel_rows = 0, content_bytes = 0 WHERE shipment_id = 'erased'`,
    `INSERT INTO draft_key (account_id, idempotency_key, input_digest, shipment_id) VALUES ('acme', 'key', sha256('x'), 'draft')`,
    `INSERT INTO lookup_report (shipment_id, account_id, carrier_code, reported, carrier_ref)
      VALUES ('erased', 'acme', 'rondeel', 'scanned', 'x')`,
    `INSERT INTO shipment_event (shipment_id, account_id, from_state, to_state) VALUES ('booked', 'acme', 'draft', 'booked'),
      ('cancelled', 'acme', 'booked', 'cancelled')`,
    `INSERT INTO shipment_correction (account_id, shipment_id, carrier_code, field, added, operator, system_user_name)
      VALUES ('acme', 'booked', 'rondeel', 'parcel_refs', '{P-2}', 'ann', 'ann')`,
    `INSERT INTO carrier_call (begun_at, duration_ms, purpose, carrier_code, account_id, subject, outcome, exchanges)
      VALUES (now(), 3, 'cancel', 'rondeel', 'acme', 's', 'refused', '[{"body": "a\\u0000b"}]')`,
  ])
    await sql.raw(statement).execute(db)
  const attemptId = await insertAttempt(db, 'booked', { ...REFUSED })
  await insertAttempt(db, 'pending', { next_try_at: inSeconds(-1), fence: 7, sends: 3 })
  await db
    .insertInto('attempt_decision')
    .values({
      ...{ attempt_id: attemptId, shipment_id: 'booked', account_id: 'acme', carrier_code: 'rondeel' },
      ...{ outcome: 'refused', operator: 'ann', reason: 'called', system_user_name: 'ann' },
    })
    .execute()
  const scan = { carrierCode: 'rondeel', at: new Date().toISOString() }
  await trackingStore(db).recordScan({ ...scan, carrierRef: 'SBX-OK-cancelled', eventId: 'late' })
}

/** What identifies nothing outside its database: numbers that it gives, and its lineage. */
const OWN_COLUMNS = [
  ...['contract_id', 'lineage', 'secret_id', 'decision_id', 'correction_id', 'call_id', 'delivery_id'],
]

/** All rows of "acme", without what each database numbers itself. */
async function rowsOf(db: Kysely<Database>): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const found: Record<string, readonly unknown[]> = {}
  for (const { name, isOf } of ACCOUNT_TABLES) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      SELECT row_to_json(part) AS row FROM ${sql.table(name)} AS part
        WHERE ${isOf?.('acme') ?? sql`part.account_id = 'acme'`} ORDER BY row_to_json(part)::text`.execute(db)
    // A scan has an `event_id` of its carrier.
    const numbered = name.endsWith('_event') ? [...OWN_COLUMNS, 'event_id'] : OWN_COLUMNS
    found[name] = rows
      .map(({ row }) => JSON.stringify(Object.entries(row).filter(([column]) => !numbered.includes(column))))
      .sort()
  }
  return found
}

async function exported(db = source.db, id = 'acme'): Promise<{ lines: string[]; confirmation: string }> {
  const lines: string[] = []
  const { confirmation } = await exportAccount(
    db,
    id,
    async (chunks) => {
      for await (const chunk of chunks) lines.push(...chunk)
    },
    () => {},
  )
  return { lines, confirmation }
}
async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

describe('the tables of an account', () => {
  test('are all tables with an account, and all that refer to one of them', async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT attrelid::regclass::text AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE attname = 'account_id' AND relkind IN ('r', 'p') AND NOT relispartition
          AND relnamespace = 'public'::regnamespace
      UNION SELECT conrelid::regclass::text FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
        WHERE contype = 'f' AND NOT relispartition
          AND confrelid::regclass::text = ANY (${ACCOUNT_TABLES.map(({ name }) => name)}::text[])`.execute(
      source.db,
    )
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [...ACCOUNT_TABLES.map(({ name }) => name), ...TABLES_OF_CELLS].sort(),
    )
  })

  test('have a row each in these tests', async () => {
    const empty = Object.entries(await rowsOf(source.db)).filter(([, rows]) => rows.length === 0)
    expect(empty).toEqual([])
  })

  test('refuse changes of an account that is moved, except those that triggers or the service make by themselves', async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'refuse_while_moved'`.execute(
      source.db,
    )
    const guarded = new Set(rows.map(({ name }) => name))
    expect(ACCOUNT_TABLES.map(({ name }) => name).filter((name) => !guarded.has(name))).toEqual([
      ...['shipment_event', 'lookup_schedule', 'scan_anomaly', 'carrier_number', 'account_event'],
      ...['account_event_head', 'carrier_call', 'webhook_delivery'],
    ])
  })

  test('of which a column of keys is left out, have no other unguarded column', async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT attname AS name FROM pg_attribute JOIN pg_trigger ON tgrelid = attrelid AND tgname = 'refuse_while_moved'
        WHERE attrelid = 'api_key'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'created_at'
          AND NOT attnum = ANY (tgattr::smallint[])`.execute(source.db)
    expect(rows).toEqual([{ name: 'last_used_at' }])
  })
})

const atOnce = async () => {}
function signal() {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}
const TERMS = { mayOpen: true, leaseMs: 12_000, refusalMemoryMs: 30_000 }
const rooms = (room = 5) => [{ carrierCode: 'rondeel', accountId: 'acme', room }]

describe('a move', () => {
  let firstMove: readonly string[] = []

  test('has all rows in the other database, continues events by number, and leaves nothing behind', async () => {
    const before = await rowsOf(source.db)
    const events = await eventLog(source.db).after('acme', 0, 100)
    expect(events.length).toBeGreaterThan(5)
    const { lines, confirmation } = await exported()
    firstMove = lines
    expect(await listMoves(source.db)).toMatchObject([{ accountId: 'acme', role: 'leaving' }])

    // Another scan of the same parcels has reached the target before the account.
    const scan = { carrierCode: 'rondeel', at: new Date().toISOString() }
    await trackingStore(target.db).recordScan({ ...scan, carrierRef: 'SBX-OK-cancelled', eventId: 'late' })
    await trackingStore(target.db).recordScan({ ...scan, carrierRef: 'P-2', eventId: 'early' })
    const imported = await importAccount(target.db, each(lines))
    expect(imported).toMatchObject({ accountId: 'acme', isRepeated: false })
    expect(imported.confirmation.split('.')[0]).toBe(confirmation)
    expect(await rowsOf(target.db)).toEqual(before)
    expect(await importAccount(target.db, each(lines))).toEqual({ ...imported, isRepeated: true })
    expect(await rowsOf(target.db)).toEqual(before)

    await expect(openAccount(target.db, 'acme', 'guessed')).rejects.toThrow('not the one')
    await expect(leaveAccount(source.db, 'acme', 'guessed', atOnce)).rejects.toThrow('confirmation')
    const code = await leaveAccount(source.db, 'acme', imported.confirmation, atOnce)
    expect(await leaveAccount(source.db, 'acme', imported.confirmation, atOnce)).toBe(code)
    const { attempt_decision: kept, ...left } = await rowsOf(source.db)
    expect(Object.entries(left).filter(([, rows]) => rows.length > 0)).toEqual([])
    expect(kept).toEqual(before['attempt_decision'])
    await expect(resumeAccount(source.db, 'acme')).rejects.toThrow('has left this cell')
    // The audit of the journal does not take them for lost.
    const named = { accountId: 'acme', shipmentId: 'booked' }
    const lost = { ...named, carrierCode: 'rondeel', attemptId: '0b0e7b0c-0000-4000-8000-000000000001' }
    expect(await restoreStore(source.db).archived([named, { ...named, accountId: 'other' }])).toEqual([named])
    expect(
      await restoreStore(source.db).missingAttempts([{ ...lost, at: new Date().toISOString() }]),
    ).toEqual([])

    expect(await shipmentStore(target.db, 'x').beginCancellation('acme', 'cancelled', TERMS)).toMatchObject({
      ...{ state: 'cancelled', cancelledBy: 'release' },
    })
    await openAccount(target.db, 'acme', code)
    await openAccount(target.db, 'acme', code)
    // The scan that waited is applied, and its event follows the ones that were moved.
    await numberEvents(target.db)
    const continued = await eventLog(target.db).after('acme', 0, 100)
    expect(continued.slice(0, events.length)).toEqual(events)
    expect(continued.slice(events.length)).toMatchObject([
      { sequence: (events.at(-1)?.sequence ?? 0) + 1, type: 'shipment.in_transit', shipmentId: 'booked' },
    ])
    // The open attempt is continued with the same key for the carrier, and a higher fence.
    const [ticket] = await recoveryStore(target.db, 'x').claimAttempts(rooms(), 12_000)
    expect(ticket).toMatchObject({ shipmentId: 'pending', fence: 8, sends: 4 })
    const lineages = await sql<{
      suspect: string[]
    }>`SELECT array_agg(shipment_id ORDER BY shipment_id) AS suspect
      FROM shipment WHERE account_id = 'acme' AND lineage <> database_lineage()`.execute(target.db)
    expect(lineages.rows).toEqual([{ suspect: ['suspect'] }])
  })

  test('can go back, and keeps one copy of the decisions', async () => {
    await sql`UPDATE cancel_attempt SET lease_owner = NULL`.execute(target.db)
    const before = await rowsOf(target.db)
    const { lines } = await exported(target.db)
    const { confirmation } = await importAccount(source.db, each(lines))
    expect(await rowsOf(source.db)).toEqual(before)
    await openAccount(source.db, 'acme', await leaveAccount(target.db, 'acme', confirmation, atOnce))
    expect(await rowsOf(source.db)).toEqual(before)
    expect(await listMoves(source.db)).toEqual([])
    // The code of the first move is known, so its file must not be imported again.
    await expect(importAccount(target.db, each(firstMove))).rejects.toThrow(
      'was imported and opened here before',
    )
  })

  test('that has come back while the former cell waits is not deleted there', async () => {
    const before = await rowsOf(source.db)
    const { lines } = await exported()
    const { confirmation } = await importAccount(target.db, each(lines))
    const code = await leaveAccount(source.db, 'acme', confirmation, atOnce)
    // Repeated, and slow. Meanwhile the account moves there and back.
    const [begun, paused] = [signal(), signal()]
    const late = leaveAccount(source.db, 'acme', confirmation, () => {
      begun.give()
      return paused.given
    }).catch((error: unknown) => error)
    await begun.given
    await openAccount(target.db, 'acme', code)
    const back = await exported(target.db)
    const returned = await importAccount(source.db, each(back.lines))
    await openAccount(source.db, 'acme', await leaveAccount(target.db, 'acme', returned.confirmation, atOnce))
    paused.give()
    expect(await late).toMatchObject({ message: 'account acme has come back meanwhile' })
    expect(await rowsOf(source.db)).toEqual(before)
  })

  test('can be given up: the former cell resumes, and the import cannot be opened', async () => {
    const before = await rowsOf(source.db)
    const { lines, confirmation } = await exported()
    await importAccount(target.db, each(lines))
    await resumeAccount(source.db, 'acme')
    await expect(leaveAccount(source.db, 'acme', confirmation, atOnce)).rejects.toThrow(
      'has not been exported',
    )
    const again = await exported()
    expect(again.confirmation).not.toBe(confirmation)
    await expect(importAccount(target.db, each(again.lines))).rejects.toThrow('has been imported')
    await discardAccount(target.db, 'acme')
    await expect(discardAccount(target.db, 'acme')).rejects.toThrow('has not been imported')
    await importAccount(target.db, each(again.lines))
    await discardAccount(target.db, 'acme')
    await resumeAccount(source.db, 'acme')
    expect(await rowsOf(source.db)).toEqual(before)
  })
})

describe('an account that is moved', () => {
  test('gets changes refused in a way that callers can repeat, and others do not', async () => {
    await exported()
    const shipments = shipmentStore(source.db, 'one')
    for (const change of [
      () => shipments.beginCancellation('acme', 'draft', TERMS),
      () => sql`UPDATE api_key SET revoked_at = now() WHERE key_id = 'k2'`.execute(source.db),
      () => sql`UPDATE api_secret SET revoked_at = now() WHERE key_id = 'k1'`.execute(source.db),
      () =>
        sql`DELETE FROM contract_discount USING contract WHERE contract.contract_id = contract_discount.contract_id
        AND account_id = 'acme'`.execute(source.db),
      () => sql`DELETE FROM webhook_endpoint WHERE account_id = 'acme'`.execute(source.db),
    ]) {
      const error: unknown = await change().then(
        () => 'done',
        (caught: unknown) => caught,
      )
      expect(isOutage(error)).toBe(true)
      expect(wasNotExecuted((error as Error).cause ?? error)).toBe(true)
    }
    expect(await shipments.beginCancellation('acme', 'cancelled', TERMS)).toMatchObject({
      state: 'cancelled',
    })
    await sql`UPDATE api_key SET last_used_at = now() WHERE key_id = 'k2'`.execute(source.db)
    await insertShipment(source.db, 'of-other', { account_id: 'other', state: 'draft', carrier_ref: null })
    expect(await shipments.beginCancellation('other', 'of-other', TERMS)).toMatchObject({
      draftCancelled: true,
    })
  })

  test('is left out of background work, which continues for others', async () => {
    const { db } = source
    const old = inSeconds(-100 * 86_400)
    await insertShipment(db, 'other-draft', {
      account_id: 'other',
      state: 'draft',
      carrier_ref: null,
      created_at: old,
    })
    await insertShipment(db, 'other-open', { account_id: 'other' })
    await insertAttempt(db, 'other-open')
    await db.transaction().execute(async (trx) => {
      await sql`SELECT set_config('waybill.moved_account', 'acme', true)`.execute(trx)
      await sql`UPDATE shipment SET created_at = ${old}, parcel_rows = 1 WHERE shipment_id = 'draft'`.execute(
        trx,
      )
      await sql`UPDATE shipment SET parcel_rows = 1 WHERE shipment_id = 'other-draft'`.execute(trx)
      await sql`UPDATE cancel_attempt SET lease_owner = 'one', begun_at = ${old} WHERE phase = 'pending'`.execute(
        trx,
      )
    })
    const recovery = recoveryStore(db, 'one')
    const shipments = shipmentStore(db, 'one')
    const due = (await recovery.dueWork(9)).filter(({ work }) => work === 'attempts')
    expect(due.map(({ accountId }) => accountId)).toEqual(['other'])
    expect((await recovery.overdueAttempts(60_000)).map(({ shipmentId }) => shipmentId)).toEqual([
      'other-open',
    ])
    const booked = await trackingStore(db).bookedAfter({ accountId: 'acme', shipmentId: '' }, 99)
    expect(new Set(booked.map(({ accountId }) => accountId))).not.toContain('acme')
    expect(await restoreStore(db).suspectDraftsAfter({ accountId: '', shipmentId: '' }, 99)).toEqual([])
    expect(await shipments.expireDrafts(30, 100)).toBe(1)
    expect(await shipments.releaseLeases()).toBe(1)
    await recovery.eraseShipments(0, 500)
    expect(await webhookStore(db).claim(9, 1_000)).toEqual([])
    await resumeAccount(db, 'acme')
    expect((await webhookStore(db).claim(9, 1_000)).length).toBe(1)
  })

  test('is exported after transactions, calls and numbers that were in progress', async () => {
    const { db } = source
    await sql`UPDATE webhook_endpoint SET lease_until = now()`.execute(db)
    await sql`UPDATE cancel_attempt SET lease_owner = 'x', lease_until = clock_timestamp() + interval '3 seconds'
      WHERE account_id = 'acme' AND phase = 'pending'`.execute(db)
    const reasons: string[] = []
    let done: Promise<string[]> = Promise.resolve([])
    await db.transaction().execute(async (trx) => {
      await insertShipment(trx, 'begun-before')
      done = (async () => {
        const lines: string[] = []
        await exportAccount(
          db,
          'acme',
          async (chunks) => {
            for await (const chunk of chunks) lines.push(...chunk)
          },
          (reason) => reasons.push(reason),
        )
        return lines
      })()
      await expect.poll(() => reasons.length).toBe(1)
    })
    const lines = await done
    expect(reasons.sort()).toEqual([
      expect.stringMatching(/^a table is locked/),
      'cancellations that are being sent',
    ])
    expect(
      lines.filter((line) => line.startsWith('shipment ') && line.includes('begun-before')),
    ).toHaveLength(1)
    expect(
      lines.filter((line) => line.startsWith('account_event ') && line.includes('"sequence":null')),
    ).toEqual([])
    await resumeAccount(db, 'acme')
  })
})

describe('a file is refused', () => {
  test('if a part is missing, or it is of another version, or does not fit; nothing is imported', async () => {
    const { lines } = await exported()
    const [header = '', ...rest] = lines
    for (const [given, text] of [
      [lines.slice(0, -1), 'not complete'],
      [lines.filter((line) => !line.startsWith('kept_estimate ')), 'not complete'],
      [[], 'not an exported account'],
      [['x', ...rest], 'not an exported account'],
      [[header.replace('"format":1', '"format":2'), ...rest], 'not an exported account'],
      [[header.replace('"schema":"', '"schema":"0'), ...rest], 'upgrade both cells'],
      [[header, 'pg_authid {}', ...rest], 'a table that this version does not have'],
      [lines.map((line) => line.replaceAll('rondeel', 'unknown')), 'does not fit this cell'],
    ] as const)
      await expect(importAccount(target.db, each(given))).rejects.toThrow(text)
    await expect(importAccount(source.db, each(lines))).rejects.toThrow('has been exported from this cell')
    expect(await listMoves(target.db)).toMatchObject([{ role: 'left' }])
    const { attempt_decision: _, ...rows } = await rowsOf(target.db)
    expect(Object.values(rows).flat()).toEqual([])
    await resumeAccount(source.db, 'acme')
  })

  test('if the account is here', async () => {
    const { lines } = await exported()
    await sql`INSERT INTO account (account_id, name) VALUES ('acme', 'Another')`.execute(target.db)
    await expect(importAccount(target.db, each(lines))).rejects.toThrow('does not fit this cell')
    await expect(exported(target.db, 'nobody')).rejects.toThrow('there is no account nobody')
  })
})
