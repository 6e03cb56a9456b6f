/** Erasure of old shipments. docs/growth.md#erasure */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseShipments } from '../../../src/store/shipments/erasure.ts'
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
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
})
afterAll(() => clone.drop())

const DAYS = 86_400
const OLD = { created_at: inSeconds(-400 * DAYS), updated_at: inSeconds(-100 * DAYS) }
const PERSONAL = {
  ...{ reference: 'order 7 of J. Doe', from_zipcode: '1012 LG', from_city: 'Amsterdam' },
  ...{ to_zipcode: '10115', to_city: 'Berlin', parcels: JSON.stringify([{ count: 1 }]) },
  contacts: JSON.stringify({ recipient: { name: 'J. Doe', email: 'j@example.com' } }),
  content_items: JSON.stringify([{ description: 'cap', quantity: 1 }]),
}
const erasedIds = async () =>
  (
    await clone.db.selectFrom('shipment').select('shipment_id').where('erased_at', 'is not', null).execute()
  ).map((row) => row.shipment_id)
const rowOf = (id: string) =>
  clone.db.selectFrom('shipment').selectAll().where('shipment_id', '=', id).executeTakeFirstOrThrow()

test('personal data and scans are erased, and a repeated cancellation is answered as before', async () => {
  const carrier = await insertCarrier(clone.db)
  const cancelled = { state: 'cancelled', cancelled_at: new Date(), cancelled_by: 'release' } as const
  const id = await insertShipmentOf(clone.db, carrier, { ...OLD, ...PERSONAL, ...cancelled })
  const moving = await insertShipmentOf(clone.db, carrier, { ...OLD, ...PERSONAL, state: 'in_transit' })
  await clone.db
    .insertInto('carrier_scan')
    .values({
      ...{
        account_id: 'acme',
        carrier_code: carrier,
        event_id: 'e',
        carrier_ref: `SBX-OK-${id}`,
        shipment_id: id,
      },
      occurred_at: inSeconds(-90 * DAYS),
    })
    .execute()
  const before = await rowOf(id)
  expect(await eraseShipments(clone.db, 101, 500)).toBe(0)
  expect(await eraseShipments(clone.db, 99, 500)).toBe(2)
  const after = await rowOf(id)
  expect(after).toEqual({
    ...before,
    ...{ reference: null, from_zipcode: null, from_city: null, to_zipcode: null, to_city: null },
    ...{ parcels: [], content_items: null, contacts: null, erased_at: expect.any(Date) },
    ...{ parcel_rows: 0, item_count: 0, quantity_count: 0, content_bytes: 0 },
  })
  expect(
    await clone.db.selectFrom('carrier_scan').selectAll().where('shipment_id', '=', id).execute(),
  ).toEqual([])
  expect(await eraseShipments(clone.db, 99, 500)).toBe(0)

  const shipments = shipmentStore(clone.db, 'eraser')
  const begin = (shipmentId: string) =>
    shipments.beginCancellation('acme', shipmentId, {
      ...{ mayOpen: false, leaseMs: 12_000, refusalMemoryMs: 30_000 },
    })
  expect(await begin(id)).toMatchObject({ state: 'cancelled', cancelledBy: 'release', draftCancelled: false })
  expect(await begin(moving)).toMatchObject({ state: 'in_transit' })
  // A late scan of the erased shipment is still a contradiction.
  const scan = {
    carrierCode: carrier,
    carrierRef: `SBX-OK-${id}`,
    eventId: 'late',
    at: new Date().toISOString(),
  }
  expect(await trackingStore(clone.db).recordScan(scan)).toBe('anomaly')
})

test('an erased booked shipment can be cancelled, and its row has nothing of the recipient', async () => {
  const carrier = await insertCarrier(clone.db)
  const id = await insertShipmentOf(clone.db, carrier, { ...OLD, ...PERSONAL })
  expect(await eraseShipments(clone.db, 99, 500)).toBe(1)
  expect(JSON.stringify(await rowOf(id))).not.toMatch(/Doe|Berlin|10115|Amsterdam|1012|cap/)
  const shipments = shipmentStore(clone.db, 'eraser')
  const terms = { mayOpen: true, leaseMs: 12_000, refusalMemoryMs: 30_000 }
  const begun = await shipments.beginCancellation('acme', id, terms)
  expect(begun?.ticket).toMatchObject({ carrierRef: `SBX-OK-${id}` })
  if (begun?.ticket === undefined) throw new Error('no attempt was opened')
  expect(await shipments.acceptCancellation(begun.ticket, 'carrier')).toBe('cancelled')
  // The end of a cancellation is a change, so an event of its own, and no expiry of a draft.
  const events = await clone.db
    .selectFrom('account_event')
    .select('type')
    .where('shipment_id', '=', id)
    .orderBy('event_id')
    .execute()
  expect(events.at(-1)?.type).toBe('shipment.cancelled')
  expect(await shipments.beginCancellation('acme', id, terms)).toMatchObject({ state: 'cancelled' })
})

test('shipments with open work, drafts and locked ones are left', async () => {
  const carrier = await insertCarrier(clone.db)
  const [pending, verified, reported, locked, free] = [
    await insertShipmentOf(clone.db, carrier, OLD),
    await insertShipmentOf(clone.db, carrier, OLD),
    await insertShipmentOf(clone.db, carrier, { ...OLD, state: 'in_transit' }),
    await insertShipmentOf(clone.db, carrier, OLD),
    await insertShipmentOf(clone.db, carrier, OLD),
  ]
  await insertShipmentOf(clone.db, carrier, { ...OLD, ...DRAFT })
  await insertAttempt(clone.db, pending)
  await insertAttempt(clone.db, verified, { ...REFUSED, verify_at: inSeconds(60) })
  await insertReport(clone.db, reported, { verify_at: inSeconds(60) })
  const known = await erasedIds()
  await whileLocked(clone.db, locked, async () => {
    expect(await eraseShipments(clone.db, 30, 500)).toBe(1)
  })
  expect((await erasedIds()).filter((id) => !known.includes(id))).toEqual([free])
  expect(await eraseShipments(clone.db, 30, 500)).toBe(1)
})

test('a batch has a limit', async () => {
  const carrier = await insertCarrier(clone.db)
  for (let count = 0; count < 3; count += 1) await insertShipmentOf(clone.db, carrier, OLD)
  expect(await eraseShipments(clone.db, 30, 2)).toBe(2)
  expect(await eraseShipments(clone.db, 30, 2)).toBe(1)
})
