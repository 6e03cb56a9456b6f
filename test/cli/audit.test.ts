/** `waybill audit` on a real database with a carrier over HTTP: corrections, output and exit codes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type SandboxCarrier,
  sandboxCarrier,
  sandboxTrackingNumber,
} from '../../src/carriers/sandbox/carrier.ts'
import { type SandboxServer, startSandboxServer } from '../../src/carriers/sandbox/server.ts'
import { readLogs } from '../../src/cli/shipment/audit-log.ts'
import { auditLog } from '../../src/operations/audit/audit-restore.ts'
import { restoreStore } from '../../src/store/shipments/restores.ts'
import { shipmentStore } from '../../src/store/shipments/shipments.ts'
import { DRAFT, insertAttempt, insertParties, insertShipment } from '../store/shipments/shipment-rows.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { runWaybill } from './run-waybill.ts'

let cloned: ClonedDatabase
let carrier: SandboxCarrier
let server: SandboxServer
let folder: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-audit-'))
  await insertParties(cloned.db)
  await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('far', 'Far', 'ups')`.execute(
    cloned.db,
  )
  carrier = sandboxCarrier()
  server = await startSandboxServer({ carrier })
})
beforeEach(async () => {
  vi.stubEnv('WAYBILL_SANDBOX_URL', server.address)
  vi.stubEnv('WAYBILL_CARRIERS', '')
  await sql`DELETE FROM shipment`.execute(cloned.db)
  await sql`DELETE FROM carrier_scan`.execute(cloned.db)
  await sql`DELETE FROM scan_anomaly`.execute(cloned.db)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  await cloned.drop()
  await rm(folder, { recursive: true, force: true })
})

const audit = (options = '') => runWaybill(cloned, `audit ${options}`)

async function auditJson(options = ''): Promise<Record<string, unknown>> {
  return JSON.parse((await audit(`--json ${options}`)).out)
}

async function states(): Promise<Record<string, string>> {
  const { rows } = await sql<{ shipment_id: string; state: string }>`
    SELECT shipment_id, state FROM shipment`.execute(cloned.db)
  return Object.fromEntries(rows.map((row) => [row.shipment_id, row.state]))
}

describe('waybill audit', () => {
  test('exits with 0 if everything agrees', async () => {
    await insertShipment(cloned.db, 'audit-1')
    await insertShipment(cloned.db, 'audit-2', { state: 'in_transit' })
    expect(await audit()).toMatchObject({
      code: 0,
      err: '',
      out: [
        'SHIPMENTS BOOKED HERE           NUMBER',
        'unchanged                            1',
        'scanned: in transit now              0',
        'found cancelled: cancelled now       0',
        'no conclusive answer                 0',
        'not looked up                        0',
        'total                                1',
        '',
        'Nothing needs attention.',
      ].join('\n'),
    })
  })

  test('adds the rows that triggers would have added, and no row with --dry-run', async () => {
    await insertShipment(cloned.db, 'audit-1')
    await sql`DELETE FROM lookup_schedule`.execute(cloned.db)
    await sql`DELETE FROM carrier_number`.execute(cloned.db)
    const added = async () => {
      const { rows } = await sql<{ added: string }>`
        SELECT 'scheduled ' || shipment_id AS added FROM lookup_schedule UNION ALL
        SELECT 'number of ' || shipment_id FROM carrier_number ORDER BY added`.execute(cloned.db)
      return rows.map((row) => row.added)
    }
    await audit('--dry-run')
    expect(await added()).toEqual([])
    await audit()
    expect(await added()).toEqual(['number of audit-1', 'scheduled audit-1'])
  })

  test('updates shipments to the state at their carrier, and lists them', async () => {
    await insertShipment(cloned.db, 'audit-1')
    await insertShipment(cloned.db, 'audit-2', { carrier_ref: 'SBX-SCANNED-audit' })
    await insertShipment(cloned.db, 'audit-3', { carrier_ref: 'SBX-ALREADY-audit' })
    await insertShipment(cloned.db, 'audit-4', { carrier_code: 'far', carrier_ref: '1Z0000000000000000' })
    await insertShipment(cloned.db, 'audit-5', { carrier_ref: 'x'.repeat(201) })
    const before = await states()
    const dry = await audit('--dry-run')
    expect(dry.code).toBe(1)
    expect(dry.out).toContain('scanned: would be in transit              1')
    expect(dry.out).toContain('Dry run: nothing was written.')
    expect(dry.out).toContain('1 shipment cancelled only at the carrier')
    expect(await states()).toEqual(before)

    const { code, out, err } = await audit()
    expect(code).toBe(1)
    expect(err).toBe('CANCELLED_AT_CARRIER rondeel audit-3')
    const TIME = '2026-11-20T09:15:00.000Z'
    expect(out.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, TIME)).toBe(
      [
        'SHIPMENTS BOOKED HERE           NUMBER',
        'unchanged                            1',
        'scanned: in transit now              1',
        'found cancelled: cancelled now       1',
        'no conclusive answer                 1',
        'not looked up                        1',
        'total                                5',
        '',
        'Scanned: audit-2',
        '',
        'Found cancelled: audit-3',
        '',
        'No conclusive answer:',
        'SHIPMENT  CARRIER  CAUSE',
        'audit-5   rondeel  HTTP 404 NO_SUCH_PATH',
        '',
        'Not looked up:',
        'CARRIER  SHIPMENTS  CAUSE',
        'far              1  this carrier is not configured',
        '',
        'Anomalies:',
        'SHIPMENT  ACCOUNT  CARRIER  AT                        WHAT',
        `audit-3   acme     rondeel  ${TIME}  found cancelled at the carrier`,
        '',
        'Needs attention: 1 shipment could not be compared, 1 anomaly.',
      ].join('\n'),
    )
    expect(await states()).toEqual({
      ...before,
      'audit-2': 'in_transit',
      'audit-3': 'cancelled',
    })
    expect(await auditJson()).toMatchObject({
      ...{ dryRun: false, checked: 3, unchanged: 1, forgottenScans: 0 },
      inTransit: { count: 0, first: [] },
      cancelled: { count: 0, first: [] },
      unknown: { count: 1 },
      notAsked: [{ carrierCode: 'far', shipments: 1 }],
      openAttempts: [],
      anomalies: [{ shipmentId: 'audit-3', anomaly: 'found cancelled at the carrier' }],
    })
  })

  test('lists attempts that have been open for long, and recent anomalies', async () => {
    await insertShipment(cloned.db, 'audit-1')
    await insertShipment(cloned.db, 'audit-2')
    const cancelledAt = new Date()
    await insertShipment(cloned.db, 'audit-3', { state: 'cancelled', cancelled_at: cancelledAt })
    await sql`
      INSERT INTO cancel_attempt (shipment_id, account_id, carrier_code, begun_at, lease_until, next_try_at,
          sends, last_cause)
        VALUES ('audit-1', 'acme', 'rondeel', now() - interval '16 min', now(), now(), 7, 'HTTP 503'),
          ('audit-2', 'acme', 'rondeel', now() - interval '14 min', now(), now(), 2, 'HTTP 503')`.execute(
      cloned.db,
    )
    await sql`
      INSERT INTO carrier_scan (account_id, carrier_code, event_id, carrier_ref, occurred_at, received_at, shipment_id)
        VALUES ('acme', 'rondeel', 'one', 'SBX-OK-audit-3', now(), now() - interval '3 days', 'audit-3'),
          ('acme', 'rondeel', 'two', 'SBX-OK-audit-3', now(), now(), 'audit-3'),
          ('', 'rondeel', 'kept', 'SBX-OK-nobody', now(), now() - interval '31 days', NULL),
          ('', 'rondeel', 'fresh', 'SBX-OK-nobody', now(), now() - interval '29 days', NULL)`.execute(
      cloned.db,
    )
    const { code, out } = await audit()
    expect(code).toBe(1)
    expect(out).toMatch(/\naudit-1 {3}acme {5}rondeel {2}\S+Z {6}7 {2}HTTP 503\n/)
    expect(out).not.toContain('audit-2')
    expect(out).toMatch(
      /\naudit-3 {3}acme {5}rondeel {2}\S+Z {2}carrier scanned, shipment is cancelled here\n/,
    )
    expect(out).toContain('Deleted 1 scan of parcels that were never booked here.')
    expect(out).toContain('Needs attention: 1 cancellation attempt open for a long time, 1 anomaly.')
    // The parcel was first seen three days ago.
    expect(await auditJson('--days 2')).toMatchObject({ anomalies: [] })
    expect(await auditJson('--days 4')).toMatchObject({ anomalies: [{ shipmentId: 'audit-3' }] })
  })

  test('refuses invalid settings before it calls a carrier, and prints no value of them', async () => {
    await insertShipment(cloned.db, 'audit-1')
    const file = path.join(folder, 'carriers.json')
    vi.stubEnv('WAYBILL_CARRIERS', file)
    expect(await audit()).toMatchObject({ code: 1, err: expect.stringContaining('cannot be read: ENOENT') })
    await writeFile(
      file,
      JSON.stringify({ far: { baseUrl: 'https://far.example', credentials: { clientId: 'canary' } } }),
      { mode: 0o600 },
    )
    const { code, err } = await audit()
    expect(code).toBe(1)
    expect(err).toContain("the carriers' settings were refused:\n  far.credentials.")
    expect(err).not.toContain('canary')
    expect(err).not.toContain('    at ')
  })

  test.each(['--days 0', '--days many'])('refuses the option %s', async (option) => {
    expect((await audit(option)).code).toBe(2)
  })
})

describe('waybill audit --log', () => {
  /** Log lines as the service writes them, with other lines between. */
  const logFile = async (...shipmentIds: readonly string[]): Promise<string> => {
    const file = path.join(folder, 'service.log')
    const lines = shipmentIds.map((shipmentId) =>
      JSON.stringify({
        level: 'info',
        cancelledDraft: { accountId: 'acme', shipmentId },
        msg: 'a draft is cancelled',
      }),
    )
    const noise = [
      '{"level":"info"}',
      'no JSON "cancelledDraft"',
      'x'.repeat(200_000),
      '{"cancelledDraft":{}}',
    ]
    await writeFile(file, [...noise, ...lines, ...noise].join('\n'))
    return file
  }
  const insertAll = async (): Promise<void> => {
    await insertShipment(cloned.db, 'revived', { state: 'draft', carrier_ref: null })
    await insertShipment(cloned.db, 'fresh', { state: 'draft', carrier_ref: null })
    await insertShipment(cloned.db, 'moving', { state: 'in_transit' })
  }

  test('lists drafts that the log says were cancelled, and changes nothing', async () => {
    await insertAll()
    const file = await logFile('revived', 'revived', 'moving', 'deleted')
    expect(await auditJson(`--log ${file}`)).toMatchObject({
      revivedDrafts: {
        drafts: { count: 1, first: [{ accountId: 'acme', shipmentId: 'revived' }] },
        booked: { count: 1, first: [{ accountId: 'acme', shipmentId: 'moving' }] },
        cancelledAgain: false,
      },
    })
    const { code, out } = await audit(`--dry-run --log ${file} --cancel-drafts`)
    expect(code).toBe(1)
    expect(out).toContain('Cancelled drafts that are drafts again:')
    expect(await states()).toEqual({ revived: 'draft', fresh: 'draft', moving: 'in_transit' })
  })

  test('cancels these drafts with --cancel-drafts, and no other', async () => {
    await insertAll()
    const file = await logFile('revived')
    const { code, out } = await audit(`--log ${file} --cancel-drafts`)
    expect(out).toContain('Cancelled drafts, now cancelled again:')
    expect(code).toBe(0)
    expect(await states()).toEqual({ revived: 'cancelled', fresh: 'draft', moving: 'in_transit' })
  })

  test('cancels a draft of the log without asking its carrier, although it is suspect', async () => {
    await insertShipment(cloned.db, 'revived', { ...DRAFT, lineage: '00000000.0' })
    const file = await logFile('revived')
    const down = await startSandboxServer({ carrier })
    await down.close()
    vi.stubEnv('WAYBILL_SANDBOX_URL', down.address)
    const { out } = await audit(`--log ${file} --cancel-drafts`)
    expect(out).toContain('Cancelled drafts, now cancelled again:')
    expect(await states()).toEqual({ revived: 'cancelled' })
  })

  test('refuses a file that does not exist, and --cancel-drafts without a log', async () => {
    expect(await audit(`--log ${path.join(folder, 'none.log')}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('none.log'),
    })
    expect(await audit('--cancel-drafts')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--log'),
    })
  })
})

describe('waybill audit --log --repair', () => {
  const ATTEMPT = '6f1c2f0e-6f0e-4f7e-9a57-0d7d5a6a7b1'
  const at = '2026-11-20T10:00:00.000Z'
  const bookedLine = (shipmentId: string) => ({
    bookedShipment: {
      ...{ accountId: 'acme', shipmentId, carrierCode: 'rondeel' },
      carrierRef: sandboxTrackingNumber(shipmentId),
    },
    msg: 'a carrier has booked a shipment',
  })
  const openedLine = (attemptId: string, shipmentId: string) => ({
    openedCancellation: {
      ...{ attemptId, accountId: 'acme', shipmentId, carrierCode: 'rondeel' },
      carrierRef: `SBX-OK-${shipmentId}`,
    },
  })
  const settledLine = (attemptId: string, outcome: string, shipmentId = 'any') => ({
    settledCancellation: { attemptId, accountId: 'acme', shipmentId, outcome },
  })
  const logOf = async (...lines: readonly object[]): Promise<string> => {
    const file = path.join(folder, 'journal.log')
    const bad = [
      '{"bookedShipment":null}',
      '{"openedCancellation":{"attemptId":"x"}}',
      '{"settledCancellation":3}',
    ]
    const texts = lines.map((line) => JSON.stringify({ level: 'info', time: at, ...line }))
    await writeFile(file, [...bad, ...texts].join('\n'))
    return file
  }
  const attempts = async () => {
    const { rows } = await sql<{ attempt_id: string; shipment_id: string; phase: string; sends: number }>`
      SELECT attempt_id, shipment_id, phase, sends FROM cancel_attempt ORDER BY shipment_id`.execute(
      cloned.db,
    )
    return rows.map((row) => ({ ...row }))
  }

  test('lists bookings that the database has lost, and restores them from the carrier', async () => {
    await insertShipment(cloned.db, 'lost', DRAFT)
    await insertShipment(cloned.db, 'kept')
    // Cancelled as a draft although its label is paid.
    const cancelled = { state: 'cancelled', cancelled_at: new Date(), cancelled_by: 'draft' } as const
    await insertShipment(cloned.db, 'wrong', { ...DRAFT, ...cancelled })
    const file = await logOf(...['lost', 'kept', 'wrong', 'gone', 'lost'].map(bookedLine))
    const before = await audit(`--log ${file}`)
    expect(before.code).toBe(1)
    expect(before.out).toContain('Needs attention: 2 lost bookings, 1 booked shipment missing.')
    expect(await states()).toMatchObject({ lost: 'draft', wrong: 'cancelled' })

    const { code, out } = await audit(`--log ${file} --repair`)
    expect(code).toBe(1)
    expect(out).toContain(
      [
        'Lost bookings, asked for again:',
        'SHIPMENT  ACCOUNT  CARRIER  NUMBERS',
        `lost      acme     rondeel  ${sandboxTrackingNumber('lost')}`,
      ].join('\n'),
    )
    expect(out).toContain('Cancelled drafts with a lost booking, now cancelled at the carrier:')
    expect(out).toContain('Booked shipments that the database does not have:')
    expect(out).toContain('Needs attention: 1 booked shipment missing.')
    expect(await states()).toMatchObject({ lost: 'booked', kept: 'booked', wrong: 'cancelled' })
    expect(await attempts()).toMatchObject([{ shipment_id: 'wrong', phase: 'pending' }])
  })

  test('opens lost attempts again under their ids, unless the carrier had refused them', async () => {
    for (const id of ['pending', 'accepted', 'refused', 'repeated', 'moving', 'unbooked'])
      await insertShipment(
        cloned.db,
        id,
        id === 'moving' ? { state: 'in_transit' } : id === 'unbooked' ? DRAFT : {},
      )
    await insertAttempt(cloned.db, 'repeated')
    const ids = ['pending', 'accepted', 'refused', 'repeated', 'moving', 'unbooked']
    const file = await logOf(
      // The order of the lines does not matter.
      settledLine(`${ATTEMPT}2`, 'refused'),
      settledLine(`${ATTEMPT}1`, 'accepted'),
      ...ids.map((id, index) => openedLine(`${ATTEMPT}${index}`, id)),
      bookedLine('unbooked'),
    )
    expect(await auditJson(`--log ${file} --dry-run --repair`)).toMatchObject({
      lostAttempts: { attempts: { count: 2 }, repaired: false },
    })
    const report = await auditJson(`--log ${file} --repair`)
    expect(report).toMatchObject({
      lostAttempts: {
        attempts: { count: 3, first: [{ shipmentId: 'pending', at }, { shipmentId: 'accepted' }, {}] },
        repaired: true,
      },
    })
    const open = (await attempts()).filter(({ shipment_id }) => shipment_id !== 'repeated')
    expect(open).toEqual(
      [
        [1, 'accepted'],
        [0, 'pending'],
        // Its booking was restored first.
        [5, 'unbooked'],
      ].map(([digit, shipment_id]) => ({
        ...{ attempt_id: `${ATTEMPT}${digit}`, shipment_id, phase: 'pending', sends: 1 },
      })),
    )
    expect(await auditJson(`--log ${file} --repair`)).toMatchObject({
      lostAttempts: { attempts: { count: 0 } },
    })
  })

  test('remembers refusals of the log only as long as the database lacks their attempts', async () => {
    await insertShipment(cloned.db, 'refused-here')
    await insertAttempt(cloned.db, 'refused-here', {
      attempt_id: `${ATTEMPT}8`,
      phase: 'refused',
      settled_at: new Date(),
      reason: 'scanned',
    })
    await cloned.db
      .insertInto('archived_shipment')
      .values({ account_id: 'acme', shipment_id: 'archived', state: 'in_transit', was_booked: true })
      .execute()
    const file = await logOf(
      settledLine(`${ATTEMPT}8`, 'refused', 'refused-here'),
      settledLine(`${ATTEMPT}9`, 'refused', 'archived'),
      settledLine(`${ATTEMPT}7`, 'refused', 'refused-here'),
    )
    const missing: string[] = []
    const restores = restoreStore(cloned.db)
    const ports = {
      ...{ shipments: shipmentStore(cloned.db, 'one'), carriers: { channelOf: () => 'one' } },
      restores: {
        ...restores,
        missingAttempts: async (...given: Parameters<typeof restores.missingAttempts>) => {
          const found = await restores.missingAttempts(...given)
          missing.push(...found.map(({ attemptId }) => attemptId))
          return found
        },
      },
    }
    // The audit without repairs uses nothing else.
    await auditLog(ports as never, readLogs([file]), { repair: false, cancelDrafts: false })
    expect(missing).toEqual([`${ATTEMPT}7`])
  })

  test('needs a log', async () => {
    expect(await audit('--repair')).toMatchObject({ code: 2, err: expect.stringContaining('--log') })
  })
})

describe('drafts from before a failover or restore', () => {
  const suspect = { ...DRAFT, lineage: '00000000.0' } as const

  test('are asked for at their carriers, and booked here if they are booked there', async () => {
    await insertShipment(cloned.db, 'booked-there', suspect)
    await insertShipment(cloned.db, 'draft-there', suspect)
    await insertShipment(cloned.db, 'not-with-waybill', { ...suspect, carrier_code: 'far' })
    await carrier.answer({
      ...{ method: 'POST', path: '/parcels', headers: { 'idempotency-key': 'booked-there' } },
      text: JSON.stringify({ shipmentId: 'booked-there', from: { country: 'NL' }, to: { country: 'DE' } }),
    })
    const dry = await audit('--dry-run')
    expect(dry.out).toContain('3 drafts from before a failover or restore would be checked at the carrier.')
    const { code, out } = await audit()
    expect(code).toBe(0)
    expect(out).toContain('Drafts found booked, booked now:\nSHIPMENT      ACCOUNT\nbooked-there  acme')
    expect(await states()).toEqual({
      ...{ 'booked-there': 'booked', 'draft-there': 'draft', 'not-with-waybill': 'draft' },
    })
    expect(await auditJson()).toMatchObject({ suspectDrafts: { checked: 0 } })
  })

  test('need attention while their carrier does not answer', async () => {
    await insertShipment(cloned.db, 'draft-there', suspect)
    const down = await startSandboxServer({ carrier })
    await down.close()
    vi.stubEnv('WAYBILL_SANDBOX_URL', down.address)
    const { code, out } = await audit()
    expect(code).toBe(1)
    expect(out).toContain('1 draft of which the carrier does not say whether it is booked')
  })

  test('are all those before `waybill database restored`', async () => {
    await insertShipment(cloned.db, 'old', DRAFT)
    expect(await runWaybill(cloned, 'database restored')).toMatchObject({ code: 0 })
    await insertShipment(cloned.db, 'new', DRAFT)
    expect(await auditJson()).toMatchObject({ suspectDrafts: { checked: 1 } })
  })
})
