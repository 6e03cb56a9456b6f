/** Recording carriers' scans. Every test has its own carrier and numbers. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scan } from '../../../src/core/shipments/tracking.ts'
import type { Lookup, TrackingStore } from '../../../src/operations/ports/recovery.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { recordMissingNumbers } from '../../../src/store/shipments/carrier-numbers.ts'
import { readAttention } from '../../../src/store/shipments/operators/audit.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { scheduleMissingLookups, trackingStore } from '../../../src/store/shipments/tracking.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import {
  DRAFT,
  inSeconds,
  insertAttempt,
  insertCarrier,
  insertParties,
  insertShipmentOf,
} from './shipment-rows.ts'

let clone: ClonedDatabase
let tracking: TrackingStore
let shipments: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  tracking = trackingStore(clone.db)
  shipments = shipmentStore(clone.db, 'caller')
})
afterAll(() => clone.drop())

const DAY = 86_400
const LONG = { mayOpen: true, leaseMs: 600_000, refusalMemoryMs: 600_000 }
const scanOf = (carrierCode: string, carrierRef: string, overrides: Partial<Scan> = {}): Scan => ({
  ...{ carrierCode, carrierRef, eventId: 'e1', at: inSeconds(-60).toISOString() },
  ...overrides,
})
const scansOf = (carrierCode: string) =>
  clone.db
    .selectFrom('carrier_scan')
    .select(['event_id', 'carrier_ref', 'shipment_id'])
    .where('carrier_code', '=', carrierCode)
    .orderBy('event_id')
    .execute()
const eventsOf = (shipmentId: string) =>
  clone.db
    .selectFrom('shipment_event')
    .select(['from_state', 'to_state'])
    .where('shipment_id', '=', shipmentId)
    .orderBy('event_id')
    .execute()
const stateOf = async (shipmentId: string) => (await shipments.find('acme', shipmentId))?.state
const attemptsOf = (shipmentId: string) =>
  clone.db.selectFrom('cancel_attempt').selectAll().where('shipment_id', '=', shipmentId).execute()

/** Resolves when a statement in this database waits for a lock. */
async function waitsForLock(): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { rows } = await sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(clone.db)
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('no statement waits')
}

/** Creates a booked shipment at a new carrier. */
async function booked(overrides: Parameters<typeof insertShipmentOf>[2] = {}) {
  const carrier = await insertCarrier(clone.db)
  const id = await insertShipmentOf(clone.db, carrier, { booked_at: new Date(), ...overrides })
  return { carrier, id, ref: `SBX-OK-${id}`, scan: scanOf(carrier, `SBX-OK-${id}`) }
}

describe('what only a lookup has reported', () => {
  const reportOf = (shipmentId: string) =>
    clone.db.selectFrom('lookup_report').selectAll().where('shipment_id', '=', shipmentId).executeTakeFirst()

  test('is to be verified after a scan that has moved the shipment', async () => {
    const { id, ref, scan } = await booked()
    expect(await tracking.recordScan(scan, true)).toBe('moved')
    const report = await reportOf(id)
    expect(report).toMatchObject({ reported: 'scanned', carrier_ref: ref, account_id: 'acme', lookups: 0 })
    expect(Math.round(((report?.verify_at?.getTime() ?? 0) - Date.now()) / 10_000)).toBe(6)
    expect(await tracking.recordScan(scan, true)).toBe('known')
    expect(await reportOf(id)).toEqual(report)
  })

  test.each([
    ['an event with the same scan', {}, false],
    ['an event with another scan', { eventId: 'e2' }, false],
    ['a lookup with another scan', { eventId: 'e2' }, true],
  ])('is verified by %s', async (_name, overrides, isFound) => {
    const { id, scan } = await booked()
    await tracking.recordScan(scan, true)
    await tracking.recordScan({ ...scan, ...overrides }, isFound)
    expect(await reportOf(id)).toMatchObject({ verify_at: null })
  })

  test('needs no verification if an event has reported the scan, or another one is known', async () => {
    const { id, scan } = await booked()
    await tracking.recordScan(scan)
    expect(await reportOf(id)).toBeUndefined()
    const other = await booked()
    await clone.db
      .insertInto('carrier_scan')
      .values({
        ...{ account_id: 'acme', carrier_code: other.carrier, carrier_ref: other.ref, event_id: 'e0' },
        ...{ occurred_at: inSeconds(-90), shipment_id: other.id },
      })
      .execute()
    expect(await tracking.recordScan(other.scan, true)).toBe('moved')
    expect(await reportOf(other.id)).toBeUndefined()
  })

  test('is to be verified after a cancellation that a lookup has found', async () => {
    const routine = await booked()
    await tracking.recordCancelledAtCarrier({
      ...{ shipmentId: routine.id, accountId: 'acme', carrierCode: routine.carrier, carrierRef: routine.ref },
    })
    const doubted = await booked()
    const begun = await shipments.beginCancellation('acme', doubted.id, LONG)
    if (begun?.ticket === undefined) throw new Error('no ticket')
    await shipments.acceptCancellation(begun.ticket, 'carrier', undefined, true)
    const answered = await booked()
    const other = await shipments.beginCancellation('acme', answered.id, LONG)
    if (other?.ticket === undefined) throw new Error('no ticket')
    await shipments.acceptCancellation(other.ticket, 'carrier')
    const expected = { reported: 'cancelled', carrier_ref: null, verify_at: expect.any(Date) }
    for (const { id } of [routine, doubted]) expect(await reportOf(id)).toMatchObject(expected)
    expect(await reportOf(answered.id)).toBeUndefined()
  })

  test('is an anomaly if a later lookup contradicts it', async () => {
    const { id, scan } = await booked()
    await tracking.recordScan(scan, true)
    await sql`UPDATE lookup_report SET contradiction = 'announced again', contradicted_at = clock_timestamp()
      WHERE shipment_id = ${id}`.execute(clone.db)
    const { anomalies } = await readAttention(clone.db, { openForMs: 0, withinMs: 60_000 })
    expect(anomalies).toContainEqual(expect.objectContaining({ shipmentId: id, anomaly: 'announced again' }))
  })
})

describe('a scan', () => {
  test('moves a booked shipment to in transit once; repetitions and later scans have no effect', async () => {
    const { carrier, id, ref, scan } = await booked()
    expect(await tracking.recordScan(scan)).toBe('moved')
    expect(await tracking.recordScan(scan)).toBe('known')
    expect(await tracking.recordScan({ ...scan, eventId: 'e2' })).toBe('known')
    expect(await stateOf(id)).toBe('in_transit')
    expect(await eventsOf(id)).toEqual([{ from_state: 'booked', to_state: 'in_transit' }])
    expect(await scansOf(carrier)).toEqual([
      { event_id: 'e1', carrier_ref: ref, shipment_id: id },
      { event_id: 'e2', carrier_ref: ref, shipment_id: id },
    ])
    const { version } = await clone.db
      .selectFrom('shipment')
      .select('version')
      .where('shipment_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(version).toBe(2)
  })

  test('that is recorded eight times concurrently moves the shipment once', async () => {
    const { id, scan } = await booked()
    const effects = await Promise.all(Array.from({ length: 8 }, () => tracking.recordScan(scan)))
    expect(effects.sort()).toEqual([...Array(7).fill('known'), 'moved'])
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('of a cancelled shipment is an anomaly the first time', async () => {
    const { id, scan } = await booked({
      state: 'cancelled',
      cancelled_at: new Date(),
      cancelled_by: 'carrier',
    })
    expect(await tracking.recordScan(scan)).toBe('anomaly')
    expect(await tracking.recordScan(scan)).toBe('known')
    expect(await tracking.recordScan({ ...scan, eventId: 'e2' })).toBe('anomaly')
    expect(await stateOf(id)).toBe('cancelled')
    expect(await eventsOf(id)).toEqual([])
  })

  test('without a matching shipment is stored once, however often it is recorded', async () => {
    const carrier = await insertCarrier(clone.db)
    const scan = scanOf(carrier, 'R1')
    expect(await tracking.recordScan(scan)).toBe('unmatched')
    expect(await tracking.recordScan(scan)).toBe('unmatched')
    expect(await scansOf(carrier)).toEqual([{ event_id: 'e1', carrier_ref: 'R1', shipment_id: null }])
  })

  test('applies only to shipments of its carrier', async () => {
    const { id, ref } = await booked()
    expect(await tracking.recordScan(scanOf(await insertCarrier(clone.db), ref))).toBe('unmatched')
    expect(await stateOf(id)).toBe('booked')
  })

  test.each([
    ['91 days before the booking belongs to an earlier parcel', -91, 'stale', 'booked'],
    ['89 days before the booking belongs to this shipment', -89, 'moved', 'in_transit'],
    ['after the booking belongs to this shipment', 1, 'moved', 'in_transit'],
  ])('%s', async (_name, days, effect, state) => {
    const { carrier, id, ref } = await booked()
    const scan = scanOf(carrier, ref, { at: inSeconds(days * DAY).toISOString() })
    expect(await tracking.recordScan(scan)).toBe(effect)
    expect(await stateOf(id)).toBe(state)
    expect(await scansOf(carrier)).toMatchObject([{ shipment_id: effect === 'stale' ? null : id }])
  })

  test('from before a shipment that was archived since then is accepted again, also if its number is reused', async () => {
    const { carrier, id, ref } = await booked()
    const early = scanOf(carrier, ref, { eventId: 'early', at: '2001-01-01T00:00:00Z' })
    expect(await tracking.recordScan(early)).toBe('stale')
    await clone.db.deleteFrom('shipment').where('shipment_id', '=', id).execute()
    expect(await tracking.recordScan(early)).toBe('unmatched')
    const other = await insertShipmentOf(clone.db, carrier, {
      ...{ account_id: 'other', carrier_ref: ref, booked_at: new Date() },
    })
    expect(await tracking.recordScan(early)).toBe('stale')
    expect((await shipments.find('other', other))?.state).toBe('booked')
    expect(await tracking.recordScan(scanOf(carrier, ref))).toBe('moved')
  })

  test('is compared with the time of creation if the time of booking is unknown', async () => {
    const { carrier, ref } = await booked({ booked_at: null })
    const early = scanOf(carrier, ref, { eventId: 'early', at: '2001-01-01T00:00:00Z' })
    expect(await tracking.recordScan(early)).toBe('stale')
    expect(await tracking.recordScan(scanOf(carrier, ref))).toBe('moved')
  })

  test('of a number that was assigned twice applies to the newest shipment', async () => {
    const { carrier, id, ref, scan } = await booked({ created_at: inSeconds(-DAY) })
    const newer = await insertShipmentOf(clone.db, carrier, { carrier_ref: ref, booked_at: new Date() })
    expect(await tracking.recordScan(scan)).toBe('moved')
    expect([await stateOf(id), await stateOf(newer)]).toEqual(['booked', 'in_transit'])
  })

  test('that is concurrent with a cancellation leaves one state, and an anomaly in either order', async () => {
    const ends = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { id, scan } = await booked()
        const { ticket } = (await shipments.beginCancellation('acme', id, LONG)) ?? {}
        if (ticket === undefined) throw new Error('no ticket')
        const [effect, accepted] = await Promise.all([
          tracking.recordScan(scan),
          shipments.acceptCancellation(ticket, 'carrier'),
        ])
        const [attempt] = await attemptsOf(id)
        return { effect, accepted, state: await stateOf(id), marked: attempt?.anomaly !== null }
      }),
    )
    const scannedFirst = { effect: 'moved', accepted: 'in_transit', state: 'in_transit', marked: true }
    const cancelledFirst = { effect: 'anomaly', accepted: 'cancelled', state: 'cancelled', marked: false }
    for (const end of ends) expect([scannedFirst, cancelledFirst]).toContainEqual(end)
  })
})

describe('a scan that arrives before the booking is recorded', () => {
  const draft = async () => {
    const carrier = await insertCarrier(clone.db)
    const id = await insertShipmentOf(clone.db, carrier, DRAFT)
    return { carrier, id, ref: `R-${id}`, parcel: { carrierCode: carrier, carrierRef: `R-${id}` } }
  }

  test('is applied when the booking is recorded', async () => {
    const { carrier, id, ref, parcel } = await draft()
    expect(await tracking.recordScan(scanOf(carrier, ref))).toBe('unmatched')
    await shipments.markBooked('acme', id, ref, 1_000)
    await tracking.applyUnmatchedScans(parcel)
    await tracking.applyUnmatchedScans(parcel)
    expect(await stateOf(id)).toBe('in_transit')
    expect(await eventsOf(id)).toEqual([
      { from_state: 'draft', to_state: 'booked' },
      { from_state: 'booked', to_state: 'in_transit' },
    ])
    expect(await scansOf(carrier)).toMatchObject([{ shipment_id: id }])
    expect(await tracking.recordScan(scanOf(carrier, ref))).toBe('known')
  })

  test('is applied when it is sent again', async () => {
    const { carrier, id, ref } = await draft()
    await tracking.recordScan(scanOf(carrier, ref))
    await shipments.markBooked('acme', id, ref, 1_000)
    expect(await tracking.recordScan(scanOf(carrier, ref))).toBe('moved')
    expect(await scansOf(carrier)).toMatchObject([{ shipment_id: id }])
  })

  test('is stored once if another process is just storing it without a shipment', async () => {
    const { carrier, id, ref, parcel } = await draft()
    const scan = scanOf(carrier, ref)
    await shipments.markBooked('acme', id, ref, 1_000)
    const effect = await clone.db.transaction().execute(async (other) => {
      await sql`INSERT INTO carrier_scan (carrier_code, event_id, carrier_ref, occurred_at)
        VALUES (${carrier}, ${scan.eventId}, ${ref}, ${scan.at}::timestamptz)`.execute(other)
      return { recorded: tracking.recordScan(scan) }
    })
    expect(await effect.recorded).toBe('moved')
    await tracking.applyUnmatchedScans(parcel)
    expect(await scansOf(carrier)).toMatchObject([{ shipment_id: id }])
  })

  test('is not applied if it belongs to an earlier parcel or to another carrier', async () => {
    const { carrier, id, ref, parcel } = await draft()
    await tracking.recordScan(scanOf(carrier, ref, { at: inSeconds(-91 * DAY).toISOString() }))
    await tracking.recordScan(scanOf(await insertCarrier(clone.db), ref))
    await shipments.markBooked('acme', id, ref, 1_000)
    await tracking.applyUnmatchedScans(parcel)
    expect(await stateOf(id)).toBe('booked')
  })

  test('is not assumed: without a scan the shipment does not change', async () => {
    const { id, ref, parcel } = await draft()
    await shipments.markBooked('acme', id, ref, 1_000)
    await tracking.applyUnmatchedScans(parcel)
    expect(await stateOf(id)).toBe('booked')
  })
})

describe('recording a shipment as cancelled at its carrier', () => {
  const lookupOf = ({ carrier, id, ref }: { carrier: string; id: string; ref: string }): Lookup => ({
    ...{ shipmentId: id, accountId: 'acme', carrierCode: carrier, carrierRef: ref },
  })

  test('cancels it once, with an attempt that has no sends', async () => {
    const parcel = await booked()
    expect(await tracking.recordCancelledAtCarrier(lookupOf(parcel))).toBe(true)
    expect(await tracking.recordCancelledAtCarrier(lookupOf(parcel))).toBe(false)
    const [attempt] = await attemptsOf(parcel.id)
    expect(attempt).toMatchObject({
      ...{ phase: 'accepted', sends: 0, account_id: 'acme', carrier_code: parcel.carrier },
      anomaly: 'found cancelled at the carrier',
    })
    expect(await shipments.cancelProgress('acme', parcel.id, 0)).toEqual({
      ...{ state: 'cancelled', attempt: 'none', cancelledBy: 'carrier' },
    })
    const events = await clone.db
      .selectFrom('shipment_event')
      .select(['to_state', 'attempt_id'])
      .where('shipment_id', '=', parcel.id)
      .execute()
    expect(events).toEqual([{ to_state: 'cancelled', attempt_id: attempt?.attempt_id }])
  })

  test.each([
    ['in transit', { state: 'in_transit' as const }],
    ['cancelled', { state: 'cancelled' as const, cancelled_at: new Date() }],
  ])('does not change a shipment that is %s', async (_name, overrides) => {
    const parcel = await booked(overrides)
    expect(await tracking.recordCancelledAtCarrier(lookupOf(parcel))).toBe(false)
    expect(await attemptsOf(parcel.id)).toEqual([])
  })

  test('does not change a shipment that has another tracking number in the meantime', async () => {
    const parcel = await booked()
    expect(await tracking.recordCancelledAtCarrier(lookupOf({ ...parcel, ref: 'other' }))).toBe(false)
    expect(await stateOf(parcel.id)).toBe('booked')
  })

  test('leaves a shipment with an open attempt to that attempt', async () => {
    const parcel = await booked()
    await insertAttempt(clone.db, parcel.id)
    expect(await tracking.recordCancelledAtCarrier(lookupOf(parcel))).toBe(false)
    expect([await stateOf(parcel.id), await attemptsOf(parcel.id)]).toMatchObject([
      'booked',
      [{ phase: 'pending' }],
    ])
  })

  test('leaves a shipment to an attempt that is opened concurrently', async () => {
    const parcel = await booked()
    let recorded: Promise<boolean> | undefined
    await clone.db.transaction().execute(async (transaction) => {
      await shipmentStore(transaction, 'caller').beginCancellation('acme', parcel.id, LONG)
      recorded = tracking.recordCancelledAtCarrier(lookupOf(parcel))
      await waitsForLock()
    })
    expect(await recorded).toBe(false)
  })

  test('cancels a shipment whose cancellation was refused before', async () => {
    const parcel = await booked()
    const { ticket } = (await shipments.beginCancellation('acme', parcel.id, LONG)) ?? {}
    if (ticket === undefined) throw new Error('no ticket')
    await shipments.refuseCancellation(ticket, { code: 'WINDOW_CLOSED', reason: 'no' }, 'X1', undefined)
    expect(await tracking.recordCancelledAtCarrier(lookupOf(parcel))).toBe(true)
    expect(await stateOf(parcel.id)).toBe('cancelled')
  })
})

const START = { accountId: '', shipmentId: '' }

test('booked shipments are listed in pages ordered by account and id, without other states', async () => {
  const { id: other } = await booked({ account_id: 'other' })
  await booked({ state: 'in_transit' })
  await booked({ state: 'cancelled', cancelled_at: new Date() })
  const { rows } = await sql<{ shipment_id: string }>`
    SELECT shipment_id FROM shipment WHERE state = 'booked' ORDER BY account_id, shipment_id`.execute(
    clone.db,
  )
  const seen: string[] = []
  for (let last = START; ; ) {
    const page = await tracking.bookedAfter(last, 3)
    expect(page.length).toBeLessThanOrEqual(3)
    seen.push(...page.map(({ shipmentId }) => shipmentId))
    const end = page.at(-1)
    if (end === undefined) break
    last = end
  }
  expect(seen).toEqual(rows.map(({ shipment_id }) => shipment_id))
  const [found] = (await tracking.bookedAfter(START, 1_000)).filter(({ shipmentId }) => shipmentId === other)
  expect(found).toEqual({
    ...{ shipmentId: other, accountId: 'other', carrierCode: expect.any(String) },
    carrierRef: `SBX-OK-${other}`,
    bookedAt: expect.stringMatching(/^\d{4}-/),
  })
})

test('booked shipments that are missing in the schedule are added, others are not', async () => {
  const carrier = await insertCarrier(clone.db)
  const due = inSeconds(1_234)
  const [kept, missing, ...others] = [
    await insertShipmentOf(clone.db, carrier, { next_track_at: due }),
    await insertShipmentOf(clone.db, carrier, { next_track_at: due }),
    await insertShipmentOf(clone.db, carrier, { state: 'in_transit' }),
    await insertShipmentOf(clone.db, carrier, { state: 'cancelled', cancelled_at: new Date() }),
    await insertShipmentOf(clone.db, carrier, DRAFT),
  ]
  await clone.db
    .deleteFrom('lookup_schedule')
    .where('shipment_id', 'in', [missing, ...others])
    .execute()
  await clone.db
    .updateTable('lookup_schedule')
    .set({ due_at: inSeconds(9_999) })
    .where('shipment_id', '=', kept)
    .execute()
  const rows = () =>
    clone.db.selectFrom('lookup_schedule').selectAll().where('carrier_code', '=', carrier).execute()
  const before = await rows()
  for (let times = 0; times < 2; times += 1) {
    await scheduleMissingLookups(clone.db)
    const added = (await rows()).filter(({ shipment_id }) => shipment_id !== kept)
    expect(added).toMatchObject([
      { account_id: 'acme', shipment_id: missing, due_at: due, in_transit: false },
    ])
    expect((await rows()).filter(({ shipment_id }) => shipment_id === kept)).toEqual(before)
  }
})

test('numbers of booked and tracked shipments that are missing are added, and their scans found', async () => {
  const carrier = await insertCarrier(clone.db)
  const numbersOf = async () => {
    const query = clone.db.selectFrom('carrier_number').select(['carrier_ref', 'shipment_id'])
    return (await query.where('carrier_code', '=', carrier).orderBy('carrier_ref').execute()).map(
      ({ carrier_ref, shipment_id }) => `${shipment_id} ${carrier_ref}`,
    )
  }
  const single = await insertShipmentOf(clone.db, carrier, { carrier_ref: 'N1', booked_at: new Date() })
  const whole = await insertShipmentOf(clone.db, carrier, { carrier_ref: 'N2', parcel_refs: ['N2', 'N3'] })
  await insertShipmentOf(clone.db, carrier, DRAFT)
  const recorded = await numbersOf()
  expect(recorded).toEqual([`${single} N1`, `${whole} N2`, `${whole} N3`])
  // As if the triggers had been disabled.
  await clone.db
    .deleteFrom('carrier_number')
    .where('carrier_code', '=', carrier)
    .where('carrier_ref', '<>', 'N2')
    .execute()
  expect(await tracking.recordScan(scanOf(carrier, 'N1'))).toBe('unmatched')
  for (let times = 0; times < 2; times += 1) {
    await recordMissingNumbers(clone.db)
    expect(await numbersOf()).toEqual(recorded)
  }
  expect(await tracking.recordScan(scanOf(carrier, 'N1'))).toBe('moved')
})

test('old unmatched scans are deleted, other scans are kept', async () => {
  const { carrier, ref, scan } = await booked()
  await tracking.recordScan(scan)
  await tracking.recordScan(scanOf(carrier, 'R-old'))
  await sql`UPDATE carrier_scan SET received_at = received_at - interval '2 days'
    WHERE carrier_code = ${carrier}`.execute(clone.db)
  await tracking.recordScan(scanOf(carrier, 'R-new'))
  expect(await tracking.forgetUnmatchedScans(DAY * 1_000, 500)).toBe(1)
  expect((await scansOf(carrier)).map(({ carrier_ref }) => carrier_ref).sort()).toEqual(['R-new', ref].sort())
})

test('unmatched scans are deleted in batches, the oldest first', async () => {
  const carrier = await insertCarrier(clone.db)
  for (const age of [2, 4, 3]) {
    await tracking.recordScan(scanOf(carrier, `R-${age}`))
    await sql`UPDATE carrier_scan SET received_at = received_at - ${age} * interval '1 day'
      WHERE carrier_code = ${carrier} AND carrier_ref = ${`R-${age}`}`.execute(clone.db)
  }
  expect(await tracking.forgetUnmatchedScans(DAY * 1_000, 2)).toBe(2)
  expect((await scansOf(carrier)).map(({ carrier_ref }) => carrier_ref)).toEqual(['R-2'])
  expect(await tracking.forgetUnmatchedScans(DAY * 1_000, 2)).toBe(1)
})

test('a delivery before the booking is applied as a whole or not at all', async () => {
  const carrier = await insertCarrier(clone.db)
  const id = await insertShipmentOf(clone.db, carrier, DRAFT)
  const parcel = { carrierCode: carrier, carrierRef: `R-${id}` }
  await tracking.recordScan({ ...scanOf(carrier, parcel.carrierRef), isDelivery: true })
  await shipments.markBooked('acme', id, parcel.carrierRef, 1_000)
  // The statement that records the delivery fails, as if the process or the connection had ended before it.
  await sql`ALTER TABLE shipment ADD CONSTRAINT none_delivered CHECK (delivered_at IS NULL) NOT VALID`.execute(
    clone.db,
  )
  await expect(tracking.applyUnmatchedScans(parcel)).rejects.toThrow('none_delivered')
  await sql`ALTER TABLE shipment DROP CONSTRAINT none_delivered`.execute(clone.db)
  expect([await stateOf(id), await scansOf(carrier)]).toMatchObject(['booked', [{ shipment_id: null }]])
  await tracking.applyUnmatchedScans(parcel)
  const { delivered_at } = await clone.db
    .selectFrom('shipment')
    .select('delivered_at')
    .where('shipment_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(delivered_at).not.toBeNull()
})

describe('deliveries', () => {
  const ref = ({ carrier, id }: { carrier: string; id: string }) => ({
    ...{ carrierCode: carrier, carrierRef: `SBX-OK-${id}` },
  })
  const rowOf = (id: string) =>
    clone.db
      .selectFrom('shipment')
      .select(['state', 'delivered_at', 'version'])
      .where('shipment_id', '=', id)
      .executeTakeFirstOrThrow()
  const scheduled = async (id: string) =>
    (await clone.db.selectFrom('lookup_schedule').selectAll().where('shipment_id', '=', id).execute()).map(
      ({ in_transit, due_at }) => [in_transit, Math.round((Number(due_at) - Date.now()) / 3_600_000)],
    )

  test('end the tracking of a shipment, and are told once', async () => {
    const parcel = await booked()
    const scan = { ...ref(parcel), eventId: 'pick-up', at: '2026-11-20T09:00:00.000Z' }
    expect(await tracking.recordScan(scan)).toBe('moved')
    expect(await scheduled(parcel.id)).toEqual([[true, 24]])
    await tracking.recordDelivery(ref(parcel))
    expect((await rowOf(parcel.id)).delivered_at).toBeNull()
    const delivery = { ...scan, eventId: 'door', at: '2026-11-21T10:00:00.000Z', isDelivery: true }
    expect(await tracking.recordScan(delivery)).toBe('known')
    await tracking.recordDelivery(ref(parcel))
    const { version, ...row } = await rowOf(parcel.id)
    expect(row).toEqual({ state: 'in_transit', delivered_at: new Date(delivery.at) })
    expect(await scheduled(parcel.id)).toEqual([])
    // Late scans and repeated deliveries change nothing.
    expect(await tracking.recordScan({ ...scan, eventId: 'late', at: '2026-11-22T10:00:00.000Z' })).toBe(
      'known',
    )
    expect(await tracking.recordScan({ ...delivery, eventId: 'again', at: '2026-11-23T10:00:00.000Z' })).toBe(
      'known',
    )
    await tracking.recordDelivery(ref(parcel))
    expect(await rowOf(parcel.id)).toEqual({ ...row, version })
    const events = await clone.db
      .selectFrom('account_event')
      .select(['type', 'state'])
      .where('shipment_id', '=', parcel.id)
      .orderBy('event_id')
      .execute()
    expect(events.slice(-2)).toEqual([
      { type: 'shipment.in_transit', state: 'in_transit' },
      { type: 'shipment.delivered', state: 'delivered' },
    ])
  })

  test('need all parcels that are not cancelled', async () => {
    const parcel = await booked()
    const { id, reference } = { id: parcel.id, reference: ref(parcel) }
    const [first, second, third] = [reference.carrierRef, `${id}-b`, `${id}-c`]
    await clone.db
      .updateTable('shipment')
      .set({ parcel_refs: [first, second, third], cancelled_refs: [third] })
      .where('shipment_id', '=', id)
      .execute()
    const deliver = async (carrierRef: string, at: string) => {
      await tracking.recordScan({ ...reference, carrierRef, eventId: 'door', at, isDelivery: true })
      await tracking.recordDelivery({ ...reference, carrierRef })
      return (await rowOf(id)).delivered_at?.toISOString()
    }
    expect(await deliver(second, '2026-11-22T10:00:00.000Z')).toBeUndefined()
    expect(await deliver(first, '2026-11-21T10:00:00.000Z')).toBe('2026-11-22T10:00:00.000Z')
  })
  test('that arrive while a cancellation is pending leave it refused in transit', async () => {
    const parcel = await booked()
    const begun = await shipments.beginCancellation('acme', parcel.id, LONG)
    const delivery = { ...ref(parcel), eventId: 'door', at: inSeconds(-60).toISOString(), isDelivery: true }
    expect(await tracking.recordScan(delivery)).toBe('moved')
    await tracking.recordDelivery(ref(parcel))
    if (begun?.ticket === undefined) throw new Error('no attempt was opened')
    const refusal = { code: 'SCANNED', reason: 'delivered' } as const
    expect(await shipments.refuseCancellation(begun.ticket, refusal, 'X1', undefined)).toBe('in_transit')
    expect(await shipments.beginCancellation('acme', parcel.id, LONG)).toMatchObject({ state: 'in_transit' })
    const { rows } = await sql`SELECT type, state FROM account_event
      WHERE shipment_id = ${parcel.id} ORDER BY event_id DESC LIMIT 2`.execute(clone.db)
    expect(rows).toEqual([
      { type: 'shipment.cancellation_refused', state: 'delivered' },
      { type: 'shipment.delivered', state: 'delivered' },
    ])
  })

  test('leave the acceptance of a pending cancellation without effect', async () => {
    const parcel = await booked()
    const begun = await shipments.beginCancellation('acme', parcel.id, LONG)
    const delivery = { ...ref(parcel), eventId: 'door', at: inSeconds(-60).toISOString(), isDelivery: true }
    await tracking.recordScan(delivery)
    await tracking.recordDelivery(ref(parcel))
    if (begun?.ticket === undefined) throw new Error('no attempt was opened')
    expect(await shipments.acceptCancellation(begun.ticket, 'carrier')).toBe('in_transit')
    expect(await rowOf(parcel.id)).toMatchObject({ state: 'in_transit', delivered_at: expect.any(Date) })
  })
})
