/** Booking on record before the carrier hears of it, on PostgreSQL. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStore } from '../../src/operations/ports.ts'
import { recoveryStore } from '../../src/store/recovery.ts'
import { shipmentStore } from '../../src/store/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/clone-database.ts'
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
const LONG = { leaseMs: LEASE_MS, refusalMemoryMs: 600_000 }

/** A draft of a carrier of its own. */
async function newDraft(overrides: Parameters<typeof insertShipmentOf>[2] = {}) {
  const carrier = await insertCarrier(clone.db)
  const id = await insertShipmentOf(clone.db, carrier, { ...DRAFT, ...overrides })
  return { carrier, id }
}
/** How often it was tried, and when it is due, to the nearest ten seconds. */
const bookingOf = async (shipmentId: string) => {
  const { rows } = await sql<{ tries: number; due_in_s: number | null }>`
    SELECT booking_tries AS tries, 10 * round(extract(epoch FROM booking_until - clock_timestamp()) / 10)::integer AS due_in_s
      FROM shipment WHERE shipment_id = ${shipmentId}`.execute(clone.db)
  return rows[0]
}

describe('beginning to book', () => {
  test('puts a draft on record for one process; the lease over, another may go on', async () => {
    const { id } = await newDraft()
    const shipment = await one.find('acme', id)
    expect(await one.beginBooking('acme', id, LEASE_MS)).toEqual({ shipment, begun: true, tries: 1 })
    expect(await two.beginBooking('acme', id, LEASE_MS)).toEqual({ shipment, begun: false, tries: 0 })
    expect(await bookingOf(id)).toEqual({ tries: 1, due_in_s: 600 })
    await sql`UPDATE shipment SET booking_until = clock_timestamp() WHERE shipment_id = ${id}`.execute(
      clone.db,
    )
    expect(await two.beginBooking('acme', id, LEASE_MS)).toMatchObject({ begun: true, tries: 2 })
  })

  test('by eight at once is begun by one', async () => {
    const { id } = await newDraft()
    const begun = await Promise.all(
      Array.from({ length: 8 }, (_unused, index) =>
        shipmentStore(clone.db, `p${index}`).beginBooking('acme', id, LEASE_MS),
      ),
    )
    expect(begun.filter((end) => end?.begun)).toHaveLength(1)
  })

  test.each(['booked', 'in_transit', 'cancelled'] as const)('is not for what is %s', async (state) => {
    const at = state === 'cancelled' ? { cancelled_at: new Date() } : {}
    const { id } = await newDraft({ state, carrier_ref: 'R1', ...at })
    expect(await one.beginBooking('acme', id, LEASE_MS)).toMatchObject({
      ...{ shipment: { shipmentId: id, state }, begun: false, tries: 0 },
    })
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
  })

  test("does not find another account's draft, nor an impossible id", async () => {
    const { id } = await newDraft()
    expect(await one.beginBooking('other', id, LEASE_MS)).toBeUndefined()
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
    for (const impossible of ['', 'none', 'a\u0000b', 'x'.repeat(100_000)])
      expect(await one.beginBooking('acme', impossible, LEASE_MS)).toBeUndefined()
  })
})

describe('settling a booking', () => {
  test('of unknown end keeps it, due after a while, with its count', async () => {
    const { id } = await newDraft()
    await one.beginBooking('acme', id, LEASE_MS)
    await one.settleBooking('acme', id, 1, 30_000)
    expect(await bookingOf(id)).toEqual({ tries: 1, due_in_s: 30 })
    expect(await two.beginBooking('acme', id, LEASE_MS)).toMatchObject({ begun: false })
  })

  test('for good lets it be begun anew at once, as the first time', async () => {
    const { id } = await newDraft()
    await one.beginBooking('acme', id, LEASE_MS)
    await one.settleBooking('acme', id, 1, undefined)
    expect(await bookingOf(id)).toEqual({ tries: 0, due_in_s: null })
    expect(await two.beginBooking('acme', id, LEASE_MS)).toMatchObject({ begun: true, tries: 1 })
  })

  test('is void when another has tried since', async () => {
    const { id } = await newDraft()
    await one.beginBooking('acme', id, 0)
    expect(await two.beginBooking('acme', id, LEASE_MS)).toMatchObject({ begun: true, tries: 2 })
    await one.settleBooking('acme', id, 1, undefined)
    expect(await bookingOf(id)).toMatchObject({ tries: 2, due_in_s: 600 })
  })

  test('is of the own account, and of nothing that was not begun or is booked', async () => {
    const begun = await newDraft()
    await one.beginBooking('acme', begun.id, LEASE_MS)
    await one.settleBooking('other', begun.id, 1, undefined)
    expect(await bookingOf(begun.id)).toMatchObject({ tries: 1, due_in_s: 600 })
    const never = await newDraft()
    await one.settleBooking('acme', never.id, 0, 30_000)
    expect(await bookingOf(never.id)).toEqual({ tries: 0, due_in_s: null })
    await one.markBooked('acme', begun.id, `R-${begun.id}`, LEASE_MS)
    await one.settleBooking('acme', begun.id, 1, 30_000)
    expect(await bookingOf(begun.id)).toMatchObject({ due_in_s: null })
    await one.settleBooking('acme', 'a\u0000b', 1, undefined)
  })
})

describe('the booking under way', () => {
  test('ends when it is marked, and the parcel is looked up a quarter of an hour later', async () => {
    const { id } = await newDraft()
    await one.beginBooking('acme', id, LEASE_MS)
    expect(await one.markBooked('acme', id, `R-${id}`, LEASE_MS)).toMatchObject({ booked: true })
    expect(await bookingOf(id)).toMatchObject({ due_in_s: null })
    const { rows } = await sql<{ seconds: number }>`
      SELECT 10 * round(extract(epoch FROM next_track_at - clock_timestamp()) / 10)::integer AS seconds
        FROM shipment WHERE shipment_id = ${id}`.execute(clone.db)
    expect(rows).toEqual([{ seconds: 900 }])
  })

  test('is found again after a cancellation, and its withdrawal is on record with the reference', async () => {
    const { carrier, id } = await newDraft()
    await one.beginBooking('acme', id, 0)
    expect(await two.beginCancellation('acme', id, LONG)).toMatchObject({ draftCancelled: true })
    const due = await recoveryStore(clone.db, 'one').claimBookings(
      [{ carrierCode: carrier, room: 9 }],
      LEASE_MS,
    )
    expect(due).toMatchObject([{ shipment: { shipmentId: id, state: 'cancelled' }, tries: 2 }])
    const mark = await one.markBooked('acme', id, `R-${id}`, LEASE_MS)
    expect(mark).toEqual({
      ...{ state: 'cancelled', booked: false, carrierRef: `R-${id}` },
      withdrawal: {
        ...{ attemptId: expect.any(String), shipmentId: id, accountId: 'acme', carrierCode: carrier },
        ...{ carrierRef: `R-${id}`, fence: 1, sends: 1, ageMs: 0 },
      },
    })
    expect(await bookingOf(id)).toMatchObject({ due_in_s: null })
  })
})
