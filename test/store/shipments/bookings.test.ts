/** The statements of bookings. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { DRAFT, insertCarrier, insertParties, insertShipmentOf } from './shipment-rows.ts'

let clone: ClonedDatabase
let one: ShipmentStore
let two: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  one = shipmentStore(clone.db, 'one')
  two = shipmentStore(clone.db, 'two')
})
afterAll(() => clone.drop())

const LEASE_MS = 600_000
const LONG = { mayOpen: true, leaseMs: LEASE_MS, refusalMemoryMs: 600_000 }

/** Creates a draft at a new carrier. */
async function newDraft(overrides: Parameters<typeof insertShipmentOf>[2] = {}) {
  const carrier = await insertCarrier(clone.db)
  const id = await insertShipmentOf(clone.db, carrier, { ...DRAFT, ...overrides })
  return { carrier, id }
}
/** The number of tries, and the seconds until the booking is due, rounded to ten. */
const bookingOf = async (shipmentId: string) => {
  const { rows } = await sql<{ tries: number; due_in_s: number | null }>`
    SELECT booking_tries AS tries, 10 * round(extract(epoch FROM booking_until - clock_timestamp()) / 10)::integer AS due_in_s
      FROM shipment WHERE shipment_id = ${shipmentId}`.execute(clone.db)
  return rows[0]
}

/** The lease of the running booking. */
const leaseOf = async (shipmentId: string) => {
  const { rows } = await sql<{ lease: string | null }>`
    SELECT (extract(epoch FROM booking_until) * 1000000)::bigint::text AS lease
      FROM shipment WHERE shipment_id = ${shipmentId}`.execute(clone.db)
  return rows[0]?.lease ?? '0'
}

const rowOf = (shipmentId: string) =>
  clone.db.selectFrom('shipment').selectAll().where('shipment_id', '=', shipmentId).executeTakeFirstOrThrow()
const attemptsOf = (shipmentId: string) =>
  clone.db.selectFrom('cancel_attempt').selectAll().where('shipment_id', '=', shipmentId).execute()
const eventsOf = (shipmentId: string) =>
  clone.db
    .selectFrom('shipment_event')
    .select(['from_state', 'to_state', 'attempt_id'])
    .where('shipment_id', '=', shipmentId)
    .orderBy('event_id')
    .execute()
/** Resolves when a statement waits for a lock. */
async function lockWaiter(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ waiting: number }>`
          SELECT count(*)::integer AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(clone.db)
        return rows[0]?.waiting
      },
      { timeout: 60_000, interval: 10 },
    )
    .toBe(1)
}

/** Begins a booking that no other process is running, and returns its lease. */
async function begin(store: ShipmentStore, shipmentId: string, leaseMs = LEASE_MS): Promise<string> {
  const begun = await store.beginBooking('acme', shipmentId, { mayOpen: true, leaseMs })
  expect(begun).toMatchObject({ begun: true })
  return begun?.lease ?? ''
}

describe('beginning a booking', () => {
  test('succeeds for one process; another process can continue after the lease', async () => {
    const { id } = await newDraft()
    const shipment = await one.find('acme', id)
    expect(await one.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })).toEqual({
      shipment,
      begun: true,
      earlier: 'none',
      bookingNo: 0,
      tries: 1,
      lease: await leaseOf(id),
    })
    expect(await two.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })).toEqual({
      shipment,
      begun: false,
      earlier: 'working',
      bookingNo: 1,
      tries: 0,
      lease: '',
    })
    expect(await bookingOf(id)).toEqual({ tries: 1, due_in_s: 600 })
    await sql`UPDATE shipment SET booking_until = clock_timestamp() WHERE shipment_id = ${id}`.execute(
      clone.db,
    )
    expect(await two.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })).toMatchObject({
      begun: true,
      earlier: 'waiting',
      tries: 2,
    })
  })

  test('without permission records nothing', async () => {
    const { id } = await newDraft()
    const terms = { mayOpen: false, leaseMs: LEASE_MS }
    expect(await one.beginBooking('acme', id, terms)).toMatchObject({ begun: false, earlier: 'none' })
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
  })

  test('has no effect if another booking has begun since the draft was read', async () => {
    const { id } = await newDraft()
    const terms = { mayOpen: true, leaseMs: LEASE_MS, bookingNo: 0 }
    const lease = (await one.beginBooking('acme', id, terms))?.lease ?? ''
    await one.settleBooking('acme', id, lease, undefined, true)
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
    // A copy of the same statement that arrives late.
    expect(await one.beginBooking('acme', id, terms)).toMatchObject({ begun: false, bookingNo: 1 })
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
    expect(await one.beginBooking('acme', id, { ...terms, bookingNo: 1 })).toMatchObject({ begun: true })
  })

  test('succeeds for one of eight concurrent processes', async () => {
    const { id } = await newDraft()
    const begun = await Promise.all(
      Array.from({ length: 8 }, (_unused, index) =>
        shipmentStore(clone.db, `p${index}`).beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS }),
      ),
    )
    expect(begun.filter((end) => end?.begun)).toHaveLength(1)
  })

  test.each([
    'booked',
    'in_transit',
    'cancelled',
  ] as const)('has no effect on a shipment that is %s', async (state) => {
    const at = state === 'cancelled' ? { cancelled_at: new Date() } : {}
    const { id } = await newDraft({ state, carrier_ref: 'R1', ...at })
    expect(await one.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })).toMatchObject({
      ...{ shipment: { shipmentId: id, state }, begun: false, tries: 0 },
    })
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
  })

  test('finds neither the draft of another account nor an impossible id', async () => {
    const { id } = await newDraft()
    expect(await one.beginBooking('other', id, { mayOpen: true, leaseMs: LEASE_MS })).toBeUndefined()
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
    for (const impossible of ['', 'none', 'a\u0000b', 'x'.repeat(100_000)])
      expect(await one.beginBooking('acme', impossible, { mayOpen: true, leaseMs: LEASE_MS })).toBeUndefined()
  })
})

describe('settling a booking', () => {
  test('with an unknown outcome keeps it open, due later, with its number of tries', async () => {
    const { id } = await newDraft()
    const lease = await begin(one, id)
    await one.settleBooking('acme', id, lease, 30_000)
    expect(await bookingOf(id)).toEqual({ tries: 1, due_in_s: 30 })
    expect(await two.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })).toMatchObject({
      begun: false,
    })
  })

  test('as failed allows a new booking at once', async () => {
    const { id } = await newDraft()
    const lease = await begin(one, id)
    await one.settleBooking('acme', id, lease, undefined)
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
    expect(await two.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })).toMatchObject({
      begun: true,
      tries: 1,
    })
  })

  test('has no effect on the next booking of the shipment if its result is lost and it is repeated', async () => {
    const { id } = await newDraft()
    const lease = await begin(one, id)
    await one.settleBooking('acme', id, lease, undefined)
    const next = await begin(two, id)
    const before = await rowOf(id)
    await one.settleBooking('acme', id, lease, undefined)
    await one.settleBooking('acme', id, lease, 30_000)
    expect(await rowOf(id)).toEqual(before)
    await two.settleBooking('acme', id, next, 30_000)
    expect(await bookingOf(id)).toEqual({ tries: 1, due_in_s: 30 })
  })

  test('has no effect when another process has taken over', async () => {
    const { id } = await newDraft()
    const lease = await begin(one, id, 0)
    expect(await two.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })).toMatchObject({
      begun: true,
      tries: 2,
    })
    await one.settleBooking('acme', id, lease, undefined)
    expect(await bookingOf(id)).toMatchObject({ tries: 2, due_in_s: 600 })
  })

  test('affects only running bookings of the account', async () => {
    const begun = await newDraft()
    const lease = await begin(one, begun.id)
    await one.settleBooking('other', begun.id, lease, undefined)
    expect(await bookingOf(begun.id)).toMatchObject({ tries: 1, due_in_s: 600 })
    const never = await newDraft()
    await one.settleBooking('acme', never.id, '0', 30_000)
    expect(await bookingOf(never.id)).toEqual({ tries: 0, due_in_s: null })
    await one.markBooked('acme', begun.id, `R-${begun.id}`, LEASE_MS)
    await one.settleBooking('acme', begun.id, lease, 30_000)
    expect(await bookingOf(begun.id)).toMatchObject({ due_in_s: null })
    await one.settleBooking('acme', 'a\u0000b', lease, undefined)
  })
})

describe('a running booking', () => {
  test('ends when the shipment is marked as booked, and the parcel is looked up 15 minutes later', async () => {
    const { id } = await newDraft()
    await one.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })
    expect(await one.markBooked('acme', id, `R-${id}`, LEASE_MS)).toMatchObject({ booked: true })
    expect(await bookingOf(id)).toMatchObject({ due_in_s: null })
    const { rows } = await sql<{ seconds: number }>`
      SELECT 10 * round(extract(epoch FROM next_track_at - clock_timestamp()) / 10)::integer AS seconds
        FROM shipment WHERE shipment_id = ${id}`.execute(clone.db)
    expect(rows).toEqual([{ seconds: 900 }])
  })

  test('that ends after the draft was cancelled records its withdrawal with the tracking number', async () => {
    const { carrier, id } = await newDraft()
    const _lease = await begin(one, id, 0)
    const next = await begin(two, id)
    await two.settleBooking('acme', id, next, undefined)
    expect(await two.beginCancellation('acme', id, LONG)).toMatchObject({ draftCancelled: true })
    const before = await rowOf(id)
    const mark = await one.markBooked('acme', id, `R-${id}`, LEASE_MS)
    expect(mark).toEqual({
      ...{ state: 'cancelled', booked: false, carrierRef: `R-${id}` },
      withdrawal: {
        ...{ attemptId: expect.any(String), shipmentId: id, accountId: 'acme', carrierCode: carrier },
        ...{ carrierRef: `R-${id}`, fence: 1, sends: 1, ageMs: expect.any(Number) },
        bookedAt: expect.stringMatching(/^\d{4}-/),
      },
    })
    expect(await rowOf(id)).toEqual({
      ...{ ...before, carrier_ref: `R-${id}`, version: before.version + 1 },
      updated_at: expect.any(Date),
    })
    expect(await eventsOf(id)).toEqual([{ from_state: 'draft', to_state: 'cancelled', attempt_id: null }])
    expect(await bookingOf(id)).toMatchObject({ due_in_s: null })
  })
})

describe('a booking whose cancellation was requested', () => {
  /** A draft whose cancellation is requested through process "two" while process "one" books it. */
  async function draftToCancel(leaseMs = LEASE_MS) {
    const { carrier, id } = await newDraft()
    const lease = await begin(one, id, leaseMs)
    expect(await two.beginCancellation('acme', id, LONG)).toEqual({ state: 'draft', draftCancelled: false })
    const before = await rowOf(id)
    expect(before).toMatchObject({ state: 'draft', cancel_requested_at: expect.any(Date) })
    return { carrier, id, before, lease }
  }

  test('is marked as booked and gets its attempt in one statement', async () => {
    const { carrier, id, before } = await draftToCancel()
    expect(await one.markBooked('acme', id, `R-${id}`, LEASE_MS)).toEqual({
      ...{ state: 'booked', booked: true, carrierRef: `R-${id}` },
      withdrawal: {
        ...{ attemptId: expect.any(String), shipmentId: id, accountId: 'acme', carrierCode: carrier },
        ...{ carrierRef: `R-${id}`, fence: 1, sends: 1, ageMs: expect.any(Number) },
        bookedAt: expect.stringMatching(/^\d{4}-/),
      },
    })
    expect(await rowOf(id)).toMatchObject({
      ...{ state: 'booked', carrier_ref: `R-${id}`, booked_at: expect.any(Date), cancelled_at: null },
      ...{ cancel_requested_at: null, booking_until: null, cancelled_by: null },
      version: before.version + 1,
    })
    expect(await eventsOf(id)).toEqual([{ from_state: 'draft', to_state: 'booked', attempt_id: null }])
    expect(await attemptsOf(id)).toMatchObject([
      {
        ...{ phase: 'pending', account_id: 'acme', carrier_code: carrier, lease_owner: 'one' },
        ...{ fence: 1, sends: 1 },
      },
    ])
    const [attempt] = await attemptsOf(id)
    expect(Number(attempt?.lease_until) - Date.now()).toBeGreaterThan(LEASE_MS - 60_000)
    expect(Number(attempt?.next_try_at) - Date.now()).toBeGreaterThan(LEASE_MS - 60_000)
    // The caller who waits sees a running attempt. A second cancellation gets no ticket.
    expect(await two.cancelProgress('acme', id, LEASE_MS)).toMatchObject({ attempt: 'working' })
    expect(await two.beginCancellation('acme', id, LONG)).toEqual({ state: 'booked', draftCancelled: false })
  })

  test('is marked as booked once: the second call opens no attempt', async () => {
    const { id } = await draftToCancel()
    await one.markBooked('acme', id, `R-${id}`, LEASE_MS)
    const before = await rowOf(id)
    expect(await one.markBooked('acme', id, `R-${id}`, LEASE_MS)).toEqual({
      ...{ state: 'booked', booked: false, carrierRef: `R-${id}` },
    })
    expect(await rowOf(id)).toEqual(before)
    expect(await attemptsOf(id)).toHaveLength(1)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('is cancelled when its attempt is accepted, with both events', async () => {
    const { id, before } = await draftToCancel()
    const mark = await one.markBooked('acme', id, `R-${id}`, LEASE_MS)
    if (mark?.withdrawal === undefined) throw new Error('no withdrawal')
    const { attemptId } = mark.withdrawal
    expect(await one.acceptCancellation(mark.withdrawal, 'carrier')).toBe('cancelled')
    expect(await rowOf(id)).toMatchObject({
      ...{ state: 'cancelled', cancelled_by: 'carrier', version: before.version + 2 },
    })
    expect(await eventsOf(id)).toEqual([
      { from_state: 'draft', to_state: 'booked', attempt_id: null },
      { from_state: 'booked', to_state: 'cancelled', attempt_id: attemptId },
    ])
  })

  test('stays booked when its attempt is refused, and the refusal is remembered', async () => {
    const { id } = await draftToCancel()
    const mark = await one.markBooked('acme', id, `R-${id}`, LEASE_MS)
    if (mark?.withdrawal === undefined) throw new Error('no withdrawal')
    const refusal = { code: 'WINDOW_CLOSED', reason: 'too late' } as const
    expect(await one.refuseCancellation(mark.withdrawal, refusal, 'X1', undefined)).toBe('booked')
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'refused', anomaly: null }])
    expect(await two.cancelProgress('acme', id, LEASE_MS)).toEqual({
      ...{ state: 'booked', attempt: 'none', recentRefusal: refusal },
    })
  })

  test('that failed ends with a cancelled draft, its event, and no attempt', async () => {
    const { id, before, lease } = await draftToCancel()
    await one.settleBooking('acme', id, lease, undefined)
    const after = await rowOf(id)
    expect(after).toEqual({
      ...before,
      ...{ state: 'cancelled', cancelled_by: 'draft', cancelled_at: expect.any(Date) },
      updated_at: expect.any(Date),
      ...{ cancel_requested_at: null, booking_until: null, booking_tries: 0, version: before.version + 1 },
    })
    expect(await eventsOf(id)).toEqual([{ from_state: 'draft', to_state: 'cancelled', attempt_id: null }])
    expect(await attemptsOf(id)).toEqual([])
    expect(await two.cancelProgress('acme', id, LEASE_MS)).toEqual({
      ...{ state: 'cancelled', attempt: 'none', cancelledBy: 'draft' },
    })
    // The process repeats the statement if it did not get the first result.
    await one.settleBooking('acme', id, lease, undefined)
    expect(await rowOf(id)).toEqual(after)
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('that failed without a request keeps its version and gets no event', async () => {
    const { id } = await newDraft()
    const before = await rowOf(id)
    const lease = await begin(one, id)
    await one.settleBooking('acme', id, lease, undefined)
    expect(await rowOf(id)).toEqual({ ...before, booking_no: 1 })
    expect(await eventsOf(id)).toEqual([])
  })

  test('with an unknown outcome keeps the request until it is claimed again and ends', async () => {
    const { carrier, id, before, lease } = await draftToCancel()
    await one.settleBooking('acme', id, lease, 0)
    expect(await rowOf(id)).toEqual({ ...before, booking_until: expect.any(Date) })
    expect(await two.cancelProgress('acme', id, LEASE_MS)).toEqual({ state: 'draft', attempt: 'working' })
    const due = await recoveryStore(clone.db, 'two').claimBookings(
      [{ carrierCode: carrier, accountId: 'acme', room: 9 }],
      LEASE_MS,
    )
    expect(due).toMatchObject([{ shipment: { shipmentId: id, state: 'draft' }, tries: 2 }])
    expect(await rowOf(id)).toMatchObject({ cancel_requested_at: before.cancel_requested_at })
    expect((await two.markBooked('acme', id, `R-${id}`, LEASE_MS))?.withdrawal).toMatchObject({ sends: 1 })
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'pending', lease_owner: 'two' }])
  })

  test('cannot be settled by a process that was overtaken, or by another account', async () => {
    const { id, lease } = await draftToCancel(0)
    const next = await begin(two, id)
    const before = await rowOf(id)
    await one.settleBooking('acme', id, lease, undefined)
    await one.settleBooking('acme', id, lease, 30_000)
    await two.settleBooking('other', id, next, undefined)
    expect(await two.markBooked('other', id, `R-${id}`, LEASE_MS)).toBeUndefined()
    expect(await rowOf(id)).toEqual(before)
    expect([await eventsOf(id), await attemptsOf(id)]).toEqual([[], []])
  })

  test('is cancelled if the request arrives while settling the failed booking holds the lock', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await newDraft()
      const lease = await begin(one, id)
      const [begun] = await Promise.all([
        two.beginCancellation('acme', id, LONG),
        one.settleBooking('acme', id, lease, undefined),
      ])
      expect(await rowOf(id)).toMatchObject({
        ...{ state: 'cancelled', cancelled_by: 'draft', cancel_requested_at: null, booking_until: null },
      })
      expect(['draft', 'cancelled']).toContain(begun?.state)
      expect(begun?.draftCancelled).toBe(begun?.state === 'cancelled')
      expect(await eventsOf(id)).toHaveLength(1)
    }
  })

  test('gets one attempt if the request arrives while marking it as booked holds the lock', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await newDraft()
      await one.beginBooking('acme', id, { mayOpen: true, leaseMs: LEASE_MS })
      const [begun, mark] = await Promise.all([
        two.beginCancellation('acme', id, LONG),
        one.markBooked('acme', id, `R-${id}`, LEASE_MS),
      ])
      expect(mark).toMatchObject({ state: 'booked', booked: true })
      expect([begun?.ticket, mark?.withdrawal].filter((ticket) => ticket !== undefined)).toHaveLength(1)
      expect(await attemptsOf(id)).toMatchObject([{ phase: 'pending', fence: 1, sends: 1 }])
      expect(await rowOf(id)).toMatchObject({ state: 'booked', cancel_requested_at: null })
    }
  })

  test.each([
    'marking it as booked',
    'settling its failure',
  ])('has the state after %s if the request waited for the lock', async (what) => {
    const { id } = await newDraft()
    const lease = await begin(one, id)
    let begun: ReturnType<ShipmentStore['beginCancellation']> | undefined
    await clone.db.transaction().execute(async (transaction) => {
      await sql`SELECT 1 FROM shipment WHERE shipment_id = ${id} FOR UPDATE`.execute(transaction)
      begun = two.beginCancellation('acme', id, LONG)
      await lockWaiter()
      const within = shipmentStore(transaction, 'one')
      if (what === 'marking it as booked') await within.markBooked('acme', id, `R-${id}`, LEASE_MS)
      else await within.settleBooking('acme', id, lease, undefined)
    })
    if (what === 'marking it as booked')
      expect(await begun).toMatchObject({ state: 'booked', ticket: { sends: 1 } })
    else expect(await begun).toEqual({ state: 'cancelled', draftCancelled: true, cancelledBy: 'draft' })
    expect((await rowOf(id)).cancel_requested_at).toBeNull()
  })

  test.each([
    'marked',
    'ended',
  ])('can be %s by a process that waited for the lock held by the request', async (how) => {
    const { id } = await newDraft()
    const lease = await begin(one, id)
    let ended: Promise<unknown> | undefined
    await clone.db.transaction().execute(async (transaction) => {
      await sql`SELECT 1 FROM shipment WHERE shipment_id = ${id} FOR UPDATE`.execute(transaction)
      ended =
        how === 'marked'
          ? one.markBooked('acme', id, `R-${id}`, LEASE_MS)
          : one.settleBooking('acme', id, lease, undefined)
      await lockWaiter()
      expect(await shipmentStore(transaction, 'two').beginCancellation('acme', id, LONG)).toEqual({
        ...{ state: 'draft', draftCancelled: false },
      })
    })
    if (how === 'marked') expect(await ended).toMatchObject({ state: 'booked', withdrawal: { sends: 1 } })
    else await ended
    expect(await rowOf(id)).toMatchObject({
      ...{ state: how === 'marked' ? 'booked' : 'cancelled', cancel_requested_at: null, booking_until: null },
    })
  })
})
