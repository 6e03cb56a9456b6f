/** The archive of ended shipments. docs/growth.md#archive */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, type LogEntry } from '../../../src/operations/audit/audit-restore.ts'
import { NotExecuted } from '../../../src/operations/ports/shipments.ts'
import {
  type ArchivePlace,
  type ArchiveSelection,
  archiveBatch,
  countArchivable,
} from '../../../src/store/shipments/archive.ts'
import { setOrderNumber } from '../../../src/store/shipments/operators/corrections.ts'
import { restoreStore } from '../../../src/store/shipments/restores.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import {
  DRAFT,
  inSeconds,
  insertAttempt,
  insertCarrier,
  insertParties,
  insertReport,
  insertShipmentOf,
  REFUSED,
  whileLocked,
} from './shipment-rows.ts'

let clone: ClonedDatabase
let carrier: string
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  // The events of the demo data are numbered by the service.
  await sql`UPDATE account_event SET sequence = event_id`.execute(clone.db)
})
beforeEach(async () => {
  await sql`DELETE FROM shipment`.execute(clone.db)
  await sql`DELETE FROM carrier_scan`.execute(clone.db)
  await sql`DELETE FROM archived_shipment`.execute(clone.db)
  carrier = await insertCarrier(clone.db)
})
afterAll(() => clone.drop())

const DAY = 86_400
const OLD = { created_at: inSeconds(-400 * DAY), updated_at: inSeconds(-100 * DAY) }
const CANCELLED = {
  ...OLD,
  state: 'cancelled',
  cancelled_at: OLD.updated_at,
  cancelled_by: 'carrier',
} as const
const old = (days: number): ArchiveSelection => ({ state: 'ended', before: inSeconds(-days * DAY) })
const booked = (days: number): ArchiveSelection => ({ state: 'booked', before: inSeconds(-days * DAY) })

type Line = {
  readonly shipment: { readonly shipment_id: string; readonly contacts: unknown }
} & Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Inserts a shipment whose events are numbered and that is not looked up any more. */
async function ended(overrides: Parameters<typeof insertShipmentOf>[2]): Promise<string> {
  const id = await insertShipmentOf(clone.db, carrier, overrides)
  await number()
  await sql`DELETE FROM lookup_schedule WHERE shipment_id = ${id}`.execute(clone.db)
  return id
}
const number = () =>
  sql`UPDATE account_event SET sequence = event_id + 1000000 WHERE sequence IS NULL`.execute(clone.db)

/** Runs all batches, and returns the lines that were written. */
async function archive(
  days: number,
  write: (lines: readonly string[]) => void = () => {},
  select: (days: number) => ArchiveSelection = old,
) {
  const written: string[] = []
  let after: ArchivePlace | undefined
  do {
    const { next } = await archiveBatch(clone.db, select(days), after, async (chunks) => {
      for await (const lines of chunks) {
        write(lines)
        written.push(...lines)
      }
    })
    after = next
  } while (after !== undefined)
  return written.map((line) => JSON.parse(line) as Line)
}
const namesOf = (lines: readonly Line[]) => lines.map(({ shipment }) => shipment.shipment_id)
const remaining = async () =>
  (await clone.db.selectFrom('shipment').select('shipment_id').execute()).map((row) => row.shipment_id).sort()
const countOf = async (table: 'cancel_attempt' | 'carrier_scan' | 'shipment_event' | 'lookup_report') =>
  (await clone.db.selectFrom(table).selectAll().execute()).length

const scanOf = (id: string, eventId = 'e', carrierRef = `SBX-OK-${id}`) => ({
  ...{ carrierCode: carrier, carrierRef, eventId, at: new Date().toISOString() },
})
/** Leaves something open about each of the shipments. */
async function leaveOpen(
  ids: Record<'pending' | 'verified' | 'reported' | 'waiting', string>,
): Promise<void> {
  await insertAttempt(clone.db, ids.pending)
  await insertAttempt(clone.db, ids.verified, { ...REFUSED, verify_at: inSeconds(60) })
  await insertReport(clone.db, ids.reported, { verify_at: inSeconds(60) })
  await clone.db
    .insertInto('carrier_scan')
    .values({
      carrier_code: carrier,
      event_id: 'e',
      carrier_ref: `SBX-OK-${ids.waiting}`,
      occurred_at: new Date(),
    })
    .execute()
  await number()
}

const TERMS = { mayOpen: true, leaseMs: 12_000, refusalMemoryMs: 30_000 }

describe('an archived shipment', () => {
  test('is written with everything that belongs to it, and then deleted', async () => {
    const id = await ended({
      ...CANCELLED,
      contacts: JSON.stringify({ recipient: { name: 'J. "Doe"\nAmsterdam' } }),
    })
    const attemptId = await insertAttempt(clone.db, id, { ...REFUSED })
    await trackingStore(clone.db).recordScan(scanOf(id))
    await insertReport(clone.db, id)
    await clone.db
      .insertInto('shipment_event')
      .values({ shipment_id: id, account_id: 'acme', to_state: 'booked' })
      .execute()
    await clone.db
      .insertInto('attempt_decision')
      .values({
        ...{ attempt_id: attemptId, shipment_id: id, account_id: 'acme', carrier_code: carrier },
        ...{ outcome: 'refused', operator: 'ann', reason: 'called', system_user_name: null },
      })
      .execute()
    await clone.db
      .insertInto('carrier_call')
      .values({
        ...{
          begun_at: new Date().toISOString(),
          duration_ms: 3,
          purpose: 'cancel',
          carrier_code: carrier,
          account_id: 'acme',
        },
        ...{ subject: 'R', attempt_id: attemptId, outcome: 'refused', cause: null },
        // Both are valid in a column of type json, and the second one is not in jsonb.
        exchanges: '[\n{ "body": "a\\u0000b" }]',
      })
      .execute()
    const nobody = { by: 'ann', systemUser: 'ann' }
    await setOrderNumber(clone.db, { shipmentId: id }, '77', nobody, () => undefined)
    await number()
    const other = await ended({ ...CANCELLED, updated_at: inSeconds(-10 * DAY) })
    const [line, ...more] = await archive(99)
    expect(more).toEqual([])
    expect(line?.shipment).toMatchObject({
      ...{ shipment_id: id, account_id: 'acme', state: 'cancelled', price_cents: 985 },
      contacts: { recipient: { name: 'J. "Doe"\nAmsterdam' } },
    })
    expect(line).toMatchObject({
      version: 1,
      attempts: [{ attempt_id: attemptId, phase: 'refused', reason: 'no such parcel' }],
      decisions: [{ operator: 'ann' }],
      corrections: [{ field: 'carrier_order_ref', added: ['77'] }],
      stateChanges: [{ to_state: 'booked' }],
      scans: [{ event_id: 'e', carrier_ref: `SBX-OK-${id}` }],
      lookupReports: [{ reported: 'scanned' }],
      scanAnomalies: [{ carrier_code: carrier }],
      carrierCalls: [{ exchanges: [{ body: 'a\u0000b' }] }],
    })
    expect(await remaining()).toEqual([other])
    for (const table of ['cancel_attempt', 'carrier_scan', 'shipment_event', 'lookup_report'] as const)
      expect([table, await countOf(table)]).toEqual([table, 0])
    expect(await clone.db.selectFrom('shipment_correction').selectAll().execute()).toEqual([])
    expect(await archive(99)).toEqual([])
  })

  test.each([
    [{ ...CANCELLED, cancelled_by: 'release' } as const, { state: 'cancelled', cancelledBy: 'release' }],
    [{ ...CANCELLED, cancelled_by: null } as const, { state: 'cancelled', cancelledBy: 'carrier' }],
    [
      { ...CANCELLED, cancelled_by: null, carrier_ref: null } as const,
      { state: 'cancelled', cancelledBy: 'draft' },
    ],
    [{ ...OLD, state: 'in_transit' } as const, { state: 'in_transit' }],
    [{ ...OLD, state: 'in_transit', delivered_at: OLD.updated_at } as const, { state: 'in_transit' }],
  ])('has the same answer to a cancellation as before (%#)', async (columns, begun) => {
    const id = await ended(columns)
    const shipments = shipmentStore(clone.db, 'one')
    const answers = async () => [
      await shipments.beginCancellation('acme', id, TERMS),
      await shipments.cancelProgress('acme', id, 30_000),
      await shipments.beginCancellation('other', id, TERMS),
    ]
    const expected = [{ ...begun, draftCancelled: false }, { ...begun, attempt: 'none' }, undefined]
    expect(await answers()).toEqual(expected)
    expect(namesOf(await archive(99))).toEqual([id])
    expect(await answers()).toEqual(expected)
    expect(await shipments.find('acme', id)).toBeUndefined()
  })

  test('whose answer cannot be read was certainly not cancelled by the request', async () => {
    const id = await ended(CANCELLED)
    await archive(99)
    await sql`ALTER TABLE archived_shipment RENAME TO away`.execute(clone.db)
    const begun = shipmentStore(clone.db, 'one').beginCancellation('acme', id, TERMS)
    await expect(begun).rejects.toBeInstanceOf(NotExecuted)
    await sql`ALTER TABLE away RENAME TO archived_shipment`.execute(clone.db)
  })

  test('gets later scans as an unknown parcel does, and is not lost for the audit of the journal', async () => {
    const id = await ended(CANCELLED)
    const draft = await ended({ ...CANCELLED, cancelled_by: 'draft', carrier_ref: null })
    await archive(99)
    expect(await trackingStore(clone.db).recordScan(scanOf(id))).toBe('unmatched')
    const attemptId = '0b0e7b0c-0000-4000-8000-000000000001'
    async function* journal(): AsyncGenerator<LogEntry> {
      for (const shipmentId of [id, draft]) {
        const shipment = { accountId: 'acme', shipmentId, carrierCode: carrier }
        yield { kind: 'booked', booking: { ...shipment, carrierRef: `SBX-OK-${shipmentId}` } }
        yield { kind: 'opened', attempt: { ...shipment, attemptId, at: new Date().toISOString() } }
      }
    }
    const restores = restoreStore(clone.db)
    const ports = {
      shipments: shipmentStore(clone.db, 'one'),
      restores,
      carriers: { channelOf: () => 'one' },
    }
    // The audit without repairs uses nothing else.
    const lost = await auditLog(ports as never, journal(), { repair: false, cancelDrafts: false })
    // A booking of what was never booked here is lost, however old it is.
    expect(lost.lostBookings.missing.first.map(({ shipmentId }) => shipmentId)).toEqual([draft])
    expect(lost.lostAttempts.attempts.count).toBe(0)
    expect(
      await restores.missingAttempts([{ ...scanOf(id), accountId: 'acme', shipmentId: id, attemptId }]),
    ).toEqual([])
  })
})

describe('shipments that are not archived', () => {
  test('are those with open work, those that are looked up, booked ones, drafts and locked ones', async () => {
    const moving = { ...OLD, state: 'in_transit' } as const
    const [pending, verified, reported, waiting, locked, free] = [
      await ended(CANCELLED),
      await ended(CANCELLED),
      await ended(moving),
      await ended(moving),
      await ended(moving),
      await ended(moving),
    ]
    const others = [
      await insertShipmentOf(clone.db, carrier, moving),
      await ended(OLD),
      await ended({ ...OLD, ...DRAFT }),
      await ended({ ...CANCELLED, carrier_ref: null, booking_until: inSeconds(60) }),
    ]
    await leaveOpen({ pending, verified, reported, waiting })
    expect(await countArchivable(clone.db, old(99))).toBe(2)
    await whileLocked(clone.db, locked, async () => expect(namesOf(await archive(99))).toEqual([free]))
    expect(namesOf(await archive(99))).toEqual([locked])
    expect(await remaining()).toEqual([pending, verified, reported, waiting, ...others].sort())
  })

  test('are those that have changed in the last 30 days, if the clock of the command is ahead', async () => {
    await ended({ ...CANCELLED, updated_at: inSeconds(-29 * DAY) })
    const old = await ended({ ...CANCELLED, updated_at: inSeconds(-31 * DAY) })
    expect((await archive(-400)).map(({ shipment }) => shipment.shipment_id)).toEqual([old])
  })

  test('are those with events that have no number yet', async () => {
    const id = await ended(CANCELLED)
    await insertAttempt(clone.db, id, { ...REFUSED })
    await sql`INSERT INTO account_event (account_id, shipment_id, type, state)
      VALUES ('acme', ${id}, 'shipment.cancelled', 'cancelled')`.execute(clone.db)
    expect(await archive(99)).toEqual([])
    await number()
    expect(namesOf(await archive(99))).toEqual([id])
  })

  test('do not stop the ones behind them, also if there are more than a batch has', async () => {
    await sql`INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country,
        to_country, parcel_type, parcels, recipient, price_cents, tariff_version, created_at)
      SELECT 'many-' || n, 'acme', 'in_transit', 1201, ${carrier}, 'M' || n, 'NL', 'DE', 'NONDOC', '[]', 'business', 985,
          'demo@1', ${OLD.created_at} FROM generate_series(1, 2500) AS n`.execute(clone.db)
    await number()
    const id = await ended(CANCELLED)
    expect(namesOf(await archive(99))).toEqual([id])
    await sql`DELETE FROM lookup_schedule`.execute(clone.db)
    const sizes: number[] = []
    expect(new Set(namesOf(await archive(99, (lines) => sizes.push(lines.length)))).size).toBe(2_500)
    expect(Math.max(...sizes)).toBe(100)
    expect(await remaining()).toEqual([])
  })
})

describe('booked shipments', () => {
  const BOOKED = { created_at: inSeconds(-400 * DAY), updated_at: inSeconds(-300 * DAY) }
  const archiveBooked = async (days: number) => namesOf(await archive(days, () => {}, booked))
  /** Booked, with numbered events. They are still looked up. */
  async function insertBooked(overrides: Parameters<typeof insertShipmentOf>[2] = {}): Promise<string> {
    const id = await insertShipmentOf(clone.db, carrier, { ...BOOKED, ...overrides })
    await number()
    return id
  }

  test('are archived only if they are selected, and cannot be cancelled afterwards', async () => {
    const id = await insertBooked()
    const attemptId = await insertAttempt(clone.db, id, { ...REFUSED })
    await number()
    const cancelled = await ended({ ...CANCELLED, updated_at: BOOKED.updated_at })
    expect(namesOf(await archive(299))).toEqual([cancelled])
    expect(await countArchivable(clone.db, booked(299))).toBe(1)
    expect(await archiveBooked(301)).toEqual([])
    const [line, ...more] = await archive(299, () => {}, booked)
    expect(more).toEqual([])
    expect(line).toMatchObject({
      shipment: { shipment_id: id, state: 'booked' },
      attempts: [{ attempt_id: attemptId }],
    })
    expect(await remaining()).toEqual([])
    const shipments = shipmentStore(clone.db, 'one')
    const answer = { state: 'booked', isWindowClosed: true }
    expect(await shipments.beginCancellation('acme', id, TERMS)).toEqual({ ...answer, draftCancelled: false })
    expect(await shipments.cancelProgress('acme', id, 30_000)).toEqual({ ...answer, attempt: 'none' })
    expect(await shipments.beginCancellation('other', id, TERMS)).toBeUndefined()
    for (const table of ['lookup_schedule', 'carrier_number', 'cancel_attempt'] as const)
      expect(await clone.db.selectFrom(table).selectAll().where('account_id', '=', 'acme').execute()).toEqual(
        [],
      )
    expect(await trackingStore(clone.db).recordScan(scanOf(id))).toBe('unmatched')
  })

  test('are not archived if something is open, or is younger, or another transaction has locked them', async () => {
    const [pending, verified, reported, waiting, locked, free] = [
      ...[await insertBooked(), await insertBooked(), await insertBooked(), await insertBooked()],
      ...[await insertBooked(), await insertBooked()],
    ] as [string, string, string, string, string, string]
    const others = [
      await insertBooked({ updated_at: inSeconds(-179 * DAY) }),
      await insertBooked({ updated_at: null, created_at: inSeconds(-179 * DAY) }),
      await insertBooked({ booked_at: inSeconds(-179 * DAY) }),
      await insertBooked({ parcel_refs: ['P-1', 'P-2'], carrier_ref: 'P-1', cancelled_refs: ['P-1'] }),
      await insertBooked(DRAFT),
      await insertBooked({ ...BOOKED, state: 'in_transit' }),
      await ended(CANCELLED),
    ]
    await leaveOpen({ pending, verified, reported, waiting })
    await sql`INSERT INTO account_event (account_id, shipment_id, type, state)
      VALUES ('acme', ${free}, 'shipment.booked', 'booked')`.execute(clone.db)
    // The clock of the command is ahead.
    expect(await countArchivable(clone.db, booked(-400))).toBe(1)
    await number()
    expect(await countArchivable(clone.db, booked(-400))).toBe(2)
    await whileLocked(clone.db, locked, async () => expect(await archiveBooked(-400)).toEqual([free]))
    expect(await archiveBooked(-400)).toEqual([locked])
    expect(await remaining()).toEqual([pending, verified, reported, waiting, ...others].sort())
  })

  test('are found page after page', async () => {
    await sql`INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country,
        to_country, parcel_type, parcels, recipient, price_cents, tariff_version, created_at)
      SELECT 'many-' || n, 'acme', 'booked', 1201, ${carrier}, 'M' || n, 'NL', 'DE', 'NONDOC', '[]', 'business', 985,
          'demo@1', CASE WHEN n > 2000 THEN ${BOOKED.created_at} ELSE now() END FROM generate_series(1, 2500) AS n`.execute(
      clone.db,
    )
    await number()
    expect(await countArchivable(clone.db, booked(300))).toBe(500)
    expect(await archiveBooked(300)).toHaveLength(500)
    expect(await remaining()).toHaveLength(2_000)
  })

  test('that are cancelled meanwhile wait for the archive, and cannot be cancelled then', async () => {
    const id = await insertBooked()
    let late: Promise<unknown> = Promise.resolve()
    await archiveBatch(clone.db, booked(299), undefined, async (chunks) => {
      late = shipmentStore(clone.db, 'one').beginCancellation('acme', id, TERMS)
      for await (const _ of chunks);
    })
    expect(await late).toMatchObject({ state: 'booked', isWindowClosed: true })
  })
})

describe('nothing is deleted', () => {
  test('if the writer fails, before or after its last line', async () => {
    const id = await ended(CANCELLED)
    for (const reads of [0, 1]) {
      const failing = archiveBatch(clone.db, old(99), undefined, async (chunks) => {
        if (reads > 0) for await (const _ of chunks);
        throw new Error('disk full')
      })
      await expect(failing).rejects.toThrow('disk full')
    }
    expect(await remaining()).toEqual([id])
    expect((await clone.db.selectFrom('archived_shipment').selectAll().execute()).length).toBe(0)
  })

  test('of a scan that arrives meanwhile: it is stored as one of an unknown parcel', async () => {
    const id = await ended({ ...OLD, state: 'in_transit' })
    let late: Promise<unknown> = Promise.resolve()
    await archiveBatch(clone.db, old(99), undefined, async (chunks) => {
      // Waits for the lock of the shipment, and then does not find it.
      late = trackingStore(clone.db).recordScan(scanOf(id, 'late'))
      for await (const _ of chunks);
    })
    expect(await late).toBe('unmatched')
    expect(await remaining()).toEqual([])
    expect(await clone.db.selectFrom('carrier_scan').select(['event_id', 'shipment_id']).execute()).toEqual([
      { event_id: 'late', shipment_id: null },
    ])
  })
})

test('a batch reads large tables by their indexes only', async () => {
  // The counts of another connection could arrive at any time: this database has one only.
  const own = await cloneDatabase({ poolSize: 1, statementTimeoutMs: 0 })
  const { db } = own
  await insertParties(db)
  // Of the demo data.
  await sql`DELETE FROM shipment`.execute(db)
  const carrierCode = await insertCarrier(db)
  await db.transaction().execute(async (trx) => {
    // Without triggers, which take most of the time.
    await sql`SET LOCAL session_replication_role = replica`.execute(trx)
    await sql`INSERT INTO shipment (shipment_id, account_id, state, product_id, carrier_code, carrier_ref, from_country,
        to_country, parcel_type, parcels, recipient, price_cents, tariff_version, created_at, cancelled_at, cancelled_by)
      SELECT 'large-' || n, 'acme', 'cancelled', 1201, ${carrierCode}, 'L' || n, 'NL', 'DE', 'NONDOC', '[]', 'business', 985,
          'demo@1', clock_timestamp() - interval '200 days' + n * interval '1 minute', clock_timestamp(), 'carrier'
        FROM generate_series(1, 30000) AS n`.execute(trx)
    await sql`INSERT INTO cancel_attempt (shipment_id, account_id, carrier_code, phase, lease_until, next_try_at,
        settled_at)
      SELECT shipment_id, account_id, carrier_code, 'accepted', now(), now(), now() FROM shipment`.execute(
      trx,
    )
    await sql`INSERT INTO carrier_scan (account_id, carrier_code, event_id, carrier_ref, occurred_at, shipment_id)
      SELECT CASE WHEN shipment_id LIKE '%00' THEN '' ELSE account_id END, carrier_code, 'e', carrier_ref, now(),
          CASE WHEN shipment_id LIKE '%00' THEN NULL ELSE shipment_id END
        FROM shipment`.execute(trx)
    await sql`INSERT INTO shipment_event (shipment_id, account_id, to_state)
      SELECT shipment_id, account_id, 'cancelled' FROM shipment`.execute(trx)
    await sql`INSERT INTO lookup_schedule (account_id, shipment_id, carrier_code, due_at)
      SELECT 'other', 'none-' || n, ${carrierCode}, now() FROM generate_series(1, 30000) AS n`.execute(trx)
    await sql`INSERT INTO lookup_report (account_id, shipment_id, carrier_code, reported)
      SELECT account_id, shipment_id, carrier_code, 'cancelled' FROM shipment`.execute(trx)
  })
  const tables = [
    'shipment',
    'cancel_attempt',
    'carrier_scan',
    'shipment_event',
    'lookup_schedule',
    'lookup_report',
  ]
  await sql`ANALYZE`.execute(db)
  const rowsRead = async () => {
    await sql`SELECT pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ name: string; read: number }>`
      SELECT relname AS name, seq_tup_read AS read FROM pg_stat_user_tables WHERE relname = ANY (${tables}::text[])
        ORDER BY relname`.execute(db)
    return rows
  }
  const known = await rowsRead()
  const { archived } = await archiveBatch(db, old(99), undefined, async (chunks) => {
    for await (const _ of chunks);
  })
  // Of the 1,000 oldest, those whose scans wait are left.
  expect(archived).toBe(990)
  expect(await rowsRead()).toEqual(known)
  await own.drop()
})
