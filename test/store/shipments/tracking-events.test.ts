/** Reading what happened to shipments. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRACKING_EVENTS_MAX } from '../../../src/core/shipments/tracking.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { insertParties, insertShipment } from './shipment-rows.ts'

let clone: ClonedDatabase
let store: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  store = shipmentStore(clone.db, 'one')
})
afterAll(() => clone.drop())

const hour = (hours: number) => new Date(Date.UTC(2026, 9, 20, hours)).toISOString()

async function scan(shipmentId: string, eventId: string, at: string): Promise<void> {
  const parcel = { carrierCode: 'rondeel', carrierRef: `SBX-OK-${shipmentId}` }
  await trackingStore(clone.db).recordScan({ ...parcel, eventId, at })
}

/** Inserts changes of state at full hours. */
async function states(shipmentId: string, ...changes: (readonly [state: string, hours: number])[]) {
  for (const [state, hours] of changes)
    await sql`INSERT INTO shipment_event (shipment_id, at, to_state) VALUES (${shipmentId}, ${hour(hours)}, ${state})`.execute(
      clone.db,
    )
}

const read = async (ids: readonly string[], accountId = 'acme') =>
  (await store.trackingEvents(accountId, ids)).map(({ shipmentId, type, at, carrierRef }) =>
    [shipmentId, type, at.slice(11, 13), ...(carrierRef === undefined ? [] : [carrierRef])].join(' '),
  )

test('gives the states and scans of several shipments of the account, oldest first', async () => {
  for (const id of ['a', 'b', 'c']) await insertShipment(clone.db, id, { booked_at: new Date(hour(2)) })
  await insertShipment(clone.db, 'foreign', { account_id: 'other' })
  await states('a', ['draft', 1], ['booked', 2])
  await scan('a', 'e2', hour(5))
  await scan('a', 'e1', hour(3))
  await states('b', ['draft', 1], ['booked', 1], ['cancelled', 4])
  await states('foreign', ['draft', 1])
  const events = await read(['b', 'a', 'c', 'foreign', 'unknown', 'a\u0000'])
  // The change to in_transit has the time at which the scan was received.
  expect(events.filter((event) => !event.includes('in_transit'))).toEqual([
    ...['a draft 01', 'a booked 02', 'a scanned 03 SBX-OK-a', 'a scanned 05 SBX-OK-a'],
    ...['b draft 01', 'b booked 01', 'b cancelled 04'],
  ])
  expect(events.filter((event) => event.startsWith('a in_transit'))).toHaveLength(1)
  expect(await read(['foreign'], 'other')).toEqual(['foreign draft 01'])
  expect(await read([])).toEqual([])
})

test('gives the newest events of a shipment that has many', async () => {
  await insertShipment(clone.db, 'many', { state: 'in_transit' })
  await states('many', ['draft', 1], ['booked', 2], ['in_transit', 3])
  await sql`INSERT INTO carrier_scan (carrier_code, event_id, carrier_ref, occurred_at, shipment_id)
    SELECT 'rondeel', 'scan-' || n, 'SBX-OK-many', ${hour(4)}::timestamptz + n * interval '1 minute', 'many'
      FROM generate_series(1, 60) AS n`.execute(clone.db)
  const events = await store.trackingEvents('acme', ['many'])
  expect(events).toHaveLength(TRACKING_EVENTS_MAX)
  expect(events.every(({ type }) => type === 'scanned')).toBe(true)
  expect(events[0]?.at).toBe('2026-10-20T04:11:00.000Z')
  expect(events.at(-1)?.at).toBe('2026-10-20T05:00:00.000Z')
})
