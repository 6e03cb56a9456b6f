/** Shipments with several numbers on PostgreSQL: tickets, results of single parcels, scans, and older versions. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CancelTicket, CarrierRefusal } from '../../../src/core/shipments/cancellation.ts'
import type { TrackingStore } from '../../../src/operations/ports/recovery.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { readAttention } from '../../../src/store/shipments/operators/audit.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { applyAllUnmatchedScans, trackingStore } from '../../../src/store/shipments/tracking.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { DRAFT, insertCarrier, insertParties, insertShipment } from './shipment-rows.ts'

let clone: ClonedDatabase
let store: ShipmentStore
let tracking: TrackingStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  store = shipmentStore(clone.db, 'one')
  tracking = trackingStore(clone.db)
})
afterAll(() => clone.drop())

const REFUSAL: CarrierRefusal = { kind: 'refused', reason: 'WINDOW_CLOSED', code: 'X1', message: 'Too late' }
const OTHER: CarrierRefusal = { kind: 'refused', reason: 'SCANNED', code: 'X2', message: 'Picked up' }
const AT_ONCE = { retryInMs: 0, callerWaitMs: 0 }
const CANCELLED = { kind: 'cancelled', isLater: false } as const

let count = 0
/** A booked shipment with three numbers: <id>-1 to <id>-3. */
async function threeParcels(): Promise<string> {
  count += 1
  const id = `parcels_${count}`
  await insertShipment(clone.db, id, {
    carrier_ref: `${id}-1`,
    parcel_refs: [1, 2, 3].map((no) => `${id}-${no}`),
  })
  return id
}

async function begin(shipmentId: string): Promise<CancelTicket> {
  const terms = { mayOpen: true, leaseMs: 60_000, refusalMemoryMs: 0 }
  const begun = await store.beginCancellation('acme', shipmentId, terms)
  if (begun?.ticket === undefined) throw new Error('no ticket')
  return begun.ticket
}

async function nextTicket(ticket: CancelTicket): Promise<CancelTicket> {
  await store.releaseCancellation(ticket, { cause: 'again', times: AT_ONCE })
  return begin(ticket.shipmentId)
}

const rowOf = (shipmentId: string) =>
  clone.db.selectFrom('shipment').selectAll().where('shipment_id', '=', shipmentId).executeTakeFirstOrThrow()

describe('results of single parcels', () => {
  test('prevent a refusal by a process whose ticket lacks a cancelled parcel', async () => {
    const id = await threeParcels()
    const old = await begin(id)
    const ticket = await nextTicket(old)
    await store.recordParcel(old, `${id}-1`, CANCELLED)
    const refusal = { code: 'WINDOW_CLOSED', reason: 'Too late' } as const
    expect(await store.refuseCancellation(ticket, refusal, 'X1', undefined)).toBeUndefined()
    expect(await store.attempts('acme', [id])).toMatchObject([{ phase: 'pending' }])
    const next = await nextTicket(ticket)
    expect(next.parcels?.[0]).toMatchObject({ isCancelled: true })
    expect(await store.refuseCancellation(next, refusal, 'X1', undefined)).toBe('booked')
  })

  test('that only a lookup has found are in the next ticket', async () => {
    const id = await threeParcels()
    const ticket = await begin(id)
    await store.recordParcel(ticket, `${id}-1`, { ...CANCELLED, isFound: true })
    expect((await nextTicket(ticket)).parcels?.[0]).toMatchObject({ isCancelled: true, isFound: true })
  })

  test('are in the next ticket', async () => {
    const id = await threeParcels()
    const ticket = await begin(id)
    expect(ticket.parcels).toEqual(
      [1, 2, 3].map((no) => ({ carrierRef: `${id}-${no}`, isCancelled: false, unsent: 0 })),
    )
    await store.recordParcel(ticket, `${id}-1`, { kind: 'cancelled', isLater: true })
    await store.recordParcel(ticket, `${id}-2`, { kind: 'refused', refusal: REFUSAL })
    await store.recordParcel(ticket, `${id}-3`, { kind: 'doubted', refusal: OTHER })
    await store.recordParcel(ticket, `${id}-3`, { kind: 'unsent', total: 1 })
    expect((await nextTicket(ticket)).parcels).toEqual([
      { carrierRef: `${id}-1`, isCancelled: true, isLater: true, unsent: 0 },
      { carrierRef: `${id}-2`, isCancelled: false, refusal: REFUSAL, unsent: 0 },
      {
        ...{ carrierRef: `${id}-3`, isCancelled: false, unsent: 1 },
        doubt: { refusal: OTHER, ageMs: expect.any(Number) },
      },
    ])
    expect(await store.attempts('acme', [id])).toMatchObject([
      {
        phase: 'pending',
        parcels: [
          { carrierRef: `${id}-1`, state: 'accepted' },
          { carrierRef: `${id}-2`, state: 'refused', refusal: { code: 'WINDOW_CLOSED', reason: 'Too late' } },
          { carrierRef: `${id}-3`, state: 'pending' },
        ],
      },
    ])
  })

  test('are all kept if they are recorded at once', async () => {
    const id = await threeParcels()
    const ticket = await begin(id)
    await Promise.all([1, 2, 3].map((no) => store.recordParcel(ticket, `${id}-${no}`, CANCELLED)))
    expect((await rowOf(id)).cancelled_refs?.toSorted()).toEqual([1, 2, 3].map((no) => `${id}-${no}`))
  })

  test('are recorded once if they are repeated, and the first doubt keeps its age', async () => {
    const id = await threeParcels()
    const ticket = await begin(id)
    await store.recordParcel(ticket, `${id}-1`, CANCELLED)
    await store.recordParcel(ticket, `${id}-1`, CANCELLED)
    await store.recordParcel(ticket, `${id}-2`, { kind: 'doubted', refusal: OTHER })
    await sql`UPDATE cancel_attempt SET begun_at = begun_at - interval '1 hour' WHERE shipment_id = ${id}`.execute(
      clone.db,
    )
    await store.recordParcel(ticket, `${id}-2`, { kind: 'doubted', refusal: REFUSAL })
    expect((await rowOf(id)).cancelled_refs).toEqual([`${id}-1`])
    const { parcels = [] } = await nextTicket(ticket)
    expect(parcels[1]?.doubt).toEqual({ refusal: OTHER, ageMs: expect.any(Number) })
    expect(parcels[1]?.doubt?.ageMs).toBeGreaterThanOrEqual(3_600_000)
  })

  test('need the current fence, except that a parcel is cancelled', async () => {
    const id = await threeParcels()
    const stale = await begin(id)
    const current = await nextTicket(stale)
    expect(await store.recordParcel(stale, `${id}-1`, CANCELLED)).toBe('pending')
    expect(await store.recordParcel(stale, `${id}-2`, { kind: 'refused', refusal: REFUSAL })).toBe('pending')
    expect(
      (await nextTicket(current)).parcels?.map(({ isCancelled, refusal }) => [isCancelled, refusal]),
    ).toEqual([
      [true, undefined],
      [false, undefined],
      [false, undefined],
    ])
  })

  test('with an old fence still record that the carrier cancels a parcel later', async () => {
    const id = await threeParcels()
    const stale = await begin(id)
    const current = await nextTicket(stale)
    await store.recordParcel(stale, `${id}-1`, { kind: 'cancelled', isLater: true })
    await store.recordParcel(current, `${id}-1`, CANCELLED)
    expect((await nextTicket(current)).parcels?.[0]).toEqual({
      ...{ carrierRef: `${id}-1`, isCancelled: true, isLater: true, unsent: 0 },
    })
  })

  test('of an attempt of another shipment record nothing', async () => {
    const [id, other] = [await threeParcels(), await threeParcels()]
    const ticket = await begin(id)
    await expect(
      store.recordParcel({ ...ticket, shipmentId: other }, `${other}-1`, CANCELLED),
    ).rejects.toThrow(`attempt ${ticket.attemptId} does not exist`)
    expect((await rowOf(other)).cancelled_refs).toBeNull()
  })

  test('of a refused attempt return its phase, and a cancelled parcel is still recorded', async () => {
    const id = await threeParcels()
    const ticket = await begin(id)
    await store.refuseCancellation(ticket, { code: 'WINDOW_CLOSED', reason: 'Too late' }, 'X1', undefined)
    expect(await store.recordParcel(ticket, `${id}-3`, CANCELLED)).toBe('refused')
    expect((await begin(id)).parcels?.map(({ isCancelled }) => isCancelled)).toEqual([false, false, true])
  })

  test('are forgotten by the next attempt, except that a parcel is cancelled', async () => {
    const id = await threeParcels()
    const ticket = await begin(id)
    await store.recordParcel(ticket, `${id}-1`, CANCELLED)
    await store.recordParcel(ticket, `${id}-2`, { kind: 'refused', refusal: REFUSAL })
    await store.refuseCancellation(
      await nextTicket(ticket),
      { code: 'WINDOW_CLOSED', reason: 'Too late' },
      'X1',
      undefined,
    )
    expect((await begin(id)).parcels).toEqual([
      { carrierRef: `${id}-1`, isCancelled: true, unsent: 0 },
      { carrierRef: `${id}-2`, isCancelled: false, unsent: 0 },
      { carrierRef: `${id}-3`, isCancelled: false, unsent: 0 },
    ])
  })
})

describe('the shipment', () => {
  test('has all numbers cancelled once its attempt is accepted', async () => {
    const id = await threeParcels()
    await store.acceptCancellation(await begin(id), 'carrier')
    expect(await rowOf(id)).toMatchObject({
      state: 'cancelled',
      cancelled_refs: [1, 2, 3].map((no) => `${id}-${no}`),
    })
  })

  test('cannot be cancelled by an older version that asked for the first parcel only', async () => {
    const id = await threeParcels()
    const statement = sql`UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(),
      cancelled_by = 'carrier' WHERE shipment_id = ${id}`
    await expect(statement.execute(clone.db)).rejects.toThrow('violates check constraint')
  })

  test('gets its numbers when it is booked, also if it was cancelled as a draft in the meantime', async () => {
    const numbers = ['B-1', 'B-2']
    await insertShipment(clone.db, 'to_book', DRAFT)
    await store.markBooked('acme', 'to_book', 'B-1', 60_000, numbers)
    expect(await store.find('acme', 'to_book')).toMatchObject({ carrierRef: 'B-1', parcelRefs: numbers })

    await insertShipment(clone.db, 'late', DRAFT)
    await store.beginCancellation('acme', 'late', { mayOpen: false, leaseMs: 1, refusalMemoryMs: 0 })
    const mark = await store.markBooked('acme', 'late', 'L-1', 60_000, ['L-1', 'L-2'])
    expect(mark).toMatchObject({ state: 'cancelled', withdrawal: { parcels: [{ carrierRef: 'L-1' }, {}] } })
  })
})

describe("the number of a shipment's order", () => {
  test('is in tickets and lookups, and is set when the shipment is booked', async () => {
    await insertShipment(clone.db, 'ordered', { carrier_ref: 'O-1', carrier_order_ref: '77' })
    expect(await begin('ordered')).toMatchObject({ carrierRef: 'O-1', orderRef: '77' })
    const lookups = await tracking.bookedAfter({ accountId: '', shipmentId: '' }, 1_000)
    expect(lookups.find(({ shipmentId }) => shipmentId === 'ordered')).toMatchObject({ orderRef: '77' })

    await insertShipment(clone.db, 'to_order', DRAFT)
    await store.markBooked('acme', 'to_order', 'O-2', 60_000, undefined, '78')
    expect(await begin('to_order')).toMatchObject({ carrierRef: 'O-2', orderRef: '78' })

    await insertShipment(clone.db, 'late_order', DRAFT)
    await store.beginCancellation('acme', 'late_order', { mayOpen: false, leaseMs: 1, refusalMemoryMs: 0 })
    const mark = await store.markBooked('acme', 'late_order', 'O-3', 60_000, undefined, '79')
    expect(mark?.withdrawal).toMatchObject({ carrierRef: 'O-3', orderRef: '79' })
  })

  test('is in the tickets and lookups of the background', async () => {
    const recovery = recoveryStore(clone.db, 'two')
    const carrierCode = await insertCarrier(clone.db)
    const rooms = [{ carrierCode, accountId: 'acme', room: 10 }]
    const row = { carrier_code: carrierCode, carrier_ref: 'O-4', carrier_order_ref: '80' }
    await insertShipment(clone.db, 'ordered_again', row)
    await store.releaseCancellation(await begin('ordered_again'), { cause: 'again', times: AT_ONCE })
    const tickets = await recovery.claimAttempts(rooms, 60_000)
    expect(tickets).toMatchObject([{ shipmentId: 'ordered_again', orderRef: '80' }])
    const lookups = await recovery.claimLookups(rooms, 60_000)
    expect(lookups).toMatchObject([{ shipmentId: 'ordered_again', orderRef: '80' }])
  })
})

describe('the audit', () => {
  test('lists a partly cancelled shipment once its attempt has ended', async () => {
    const id = await threeParcels()
    const ticket = await begin(id)
    await store.recordParcel(ticket, `${id}-1`, CANCELLED)
    const listed = async () =>
      (await readAttention(clone.db, { openForMs: 0, withinMs: 60_000 })).anomalies.filter(
        ({ shipmentId }) => shipmentId === id,
      )
    expect(await listed()).toEqual([])
    await store.refuseCancellation(
      await nextTicket(ticket),
      { code: 'WINDOW_CLOSED', reason: 'Too late' },
      'X1',
      undefined,
    )
    expect(await listed()).toMatchObject([
      { anomaly: `carrier cancelled ${id}-1 and not the other parcels`, at: expect.any(String) },
    ])
  })
})

describe('a scan of a partly cancelled shipment', () => {
  const scanOf = (carrierRef: string) => ({
    ...{ carrierCode: 'rondeel', carrierRef, eventId: 'picked-up', at: new Date().toISOString() },
  })

  /** The first number is cancelled, and the others have these refusals. */
  async function partly(second: CarrierRefusal | undefined, third: CarrierRefusal | undefined) {
    const id = await threeParcels()
    const ticket = await begin(id)
    await store.recordParcel(ticket, `${id}-1`, CANCELLED)
    for (const [index, refusal] of [second, third].entries())
      if (refusal !== undefined)
        await store.recordParcel(ticket, `${id}-${index + 2}`, { kind: 'refused', refusal })
    return { id, ticket }
  }
  const attempts = (id: string) => store.attempts('acme', [id])

  test('ends the attempt with the refusal of the scanned parcel, and the audit lists the shipment', async () => {
    const { id, ticket } = await partly(REFUSAL, OTHER)
    expect(await tracking.recordScan(scanOf(`${id}-3`))).toBe('moved')
    expect(await attempts(id)).toMatchObject([
      {
        ...{ phase: 'refused', carrierRefusalCode: 'X2' },
        refusal: { code: 'SCANNED', reason: 'Picked up' },
      },
    ])
    expect(await store.releaseCancellation(ticket, { cause: 'late', times: AT_ONCE })).toBeUndefined()
    const { anomalies } = await readAttention(clone.db, { openForMs: 0, withinMs: 60_000 })
    expect(anomalies).toContainEqual(
      expect.objectContaining({
        shipmentId: id,
        anomaly: `carrier cancelled ${id}-1 and not the other parcels`,
      }),
    )
  })

  test('does not end the attempt if another parcel has no answer yet', async () => {
    const { id } = await partly(REFUSAL, undefined)
    expect(await tracking.recordScan(scanOf(`${id}-2`))).toBe('moved')
    expect(await attempts(id)).toMatchObject([{ phase: 'pending' }])
  })

  test('does not end the attempt if the cancelled parcel is scanned', async () => {
    const { id } = await partly(REFUSAL, OTHER)
    expect(await tracking.recordScan(scanOf(`${id}-1`))).toBe('moved')
    expect(await attempts(id)).toMatchObject([{ phase: 'pending' }])
  })
})

test('the alert about a partly cancelled shipment is in the next ticket', async () => {
  const ticket = await begin(await threeParcels())
  expect(ticket).not.toHaveProperty('isPartAlerted')
  await store.recordPartAlert(ticket)
  await store.recordPartAlert(ticket)
  expect(await nextTicket(ticket)).toMatchObject({ isPartAlerted: true })
})

describe('scans and lookups', () => {
  const scanOf = (carrierRef: string) => ({
    ...{ carrierCode: 'rondeel', carrierRef, eventId: 'picked-up' },
    at: new Date().toISOString(),
  })

  test('a scan of any number moves the shipment to in transit', async () => {
    const id = await threeParcels()
    expect(await tracking.recordScan(scanOf(`${id}-3`))).toBe('moved')
    expect((await rowOf(id)).state).toBe('in_transit')
  })

  test('a scan of any number that arrived before the import moves it as well', async () => {
    expect(await tracking.recordScan(scanOf('early-2'))).toBe('unmatched')
    await insertShipment(clone.db, 'early', { carrier_ref: 'early-1', parcel_refs: ['early-1', 'early-2'] })
    await applyAllUnmatchedScans(clone.db)
    expect((await rowOf('early')).state).toBe('in_transit')
  })

  test('numbers that are cancelled are not looked up', async () => {
    const id = await threeParcels()
    await store.recordParcel(await begin(id), `${id}-1`, CANCELLED)
    const page = await tracking.bookedAfter({ accountId: '', shipmentId: '' }, 1_000)
    expect(page.find(({ shipmentId }) => shipmentId === id)).toMatchObject({
      carrierRef: `${id}-1`,
      parcelRefs: [`${id}-2`, `${id}-3`],
    })
  })

  test('a shipment that was cancelled at the carrier has all numbers cancelled', async () => {
    const id = await threeParcels()
    const lookup = { shipmentId: id, accountId: 'acme', carrierCode: 'rondeel', carrierRef: `${id}-1` }
    expect(await tracking.recordCancelledAtCarrier(lookup)).toBe(true)
    expect((await rowOf(id)).cancelled_refs).toHaveLength(3)
  })
})
