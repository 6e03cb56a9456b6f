/** Reading what happened to shipments. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TrackingEvent } from '../../../src/core/shipments/tracking.ts'
import type { Page, PageRequest } from '../../../src/operations/ports/pages.ts'
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

const hour = (hours: number) => new Date(Date.UTC(2026, 9, 20, 0, hours * 60)).toISOString()

async function scan(shipmentId: string, eventId: string, at: string): Promise<void> {
  const parcel = { carrierCode: 'rondeel', carrierRef: `SBX-OK-${shipmentId}` }
  await trackingStore(clone.db).recordScan({ ...parcel, eventId, at })
}

/** Inserts changes of state at full hours. */
async function states(shipmentId: string, ...changes: (readonly [state: string, hours: number])[]) {
  for (const [state, hours] of changes)
    await sql`INSERT INTO shipment_event (account_id, shipment_id, at, to_state)
      SELECT account_id, shipment_id, ${hour(hours)}, ${state} FROM shipment WHERE shipment_id = ${shipmentId}`.execute(
      clone.db,
    )
}

const FIRST: PageRequest = { size: 100, direction: 'forward' }

const texts = (page: Page<TrackingEvent> | undefined) =>
  (page?.edges ?? []).map(({ node: { shipmentId, type, at, carrierRef } }) =>
    [shipmentId, type, at.slice(11, 16), ...(carrierRef === undefined ? [] : [carrierRef])].join(' '),
  )

async function pages(ids: readonly string[], request = FIRST, accountId = 'acme') {
  const found = await store.trackingEvents(accountId, ids, request)
  if ('kind' in found) throw new Error('the cursor was refused')
  return found
}

/** The events of the shipments, by shipment in the order of the ids. */
async function read(ids: readonly string[], accountId?: string) {
  const found = await pages(ids, FIRST, accountId)
  return ids.flatMap((id) => texts(found.get(id)))
}

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
    ...['b draft 01:00', 'b booked 01:00', 'b cancelled 04:00'],
    ...['a draft 01:00', 'a booked 02:00', 'a scanned 03:00 SBX-OK-a', 'a scanned 05:00 SBX-OK-a'],
  ])
  expect(events.filter((event) => event.startsWith('a in_transit'))).toHaveLength(1)
  expect(await read(['foreign'], 'other')).toEqual(['foreign draft 01:00'])
  expect(await read([])).toEqual([])
})

describe('pages', () => {
  // Several events of the same time: two changes, two parcels with the same event id, and a longer id.
  const ALL = [
    ...['draft', 'booked'].map((type) => `many ${type} 04:00`),
    ...['SBX-1', 'SBX-2'].map((ref) => `many scanned 04:00 ${ref}`),
    'many scanned 04:00 SBX-1',
    'many in_transit 04:10',
    ...Array.from({ length: 30 }, (_, n) => `many scanned 04:${String(n + 11)} SBX-1`),
  ]
  beforeAll(async () => {
    await insertShipment(clone.db, 'many', { state: 'in_transit' })
    await states('many', ['draft', 4], ['booked', 4], ['in_transit', 4 + 10 / 60])
    const scans = (from: string) => sql`
      INSERT INTO carrier_scan (account_id, carrier_code, event_id, carrier_ref, occurred_at, shipment_id) ${sql.raw(from)}`
    await scans(`VALUES ('acme', 'rondeel', 'same', 'SBX-1', '2026-10-20T04:00:00Z', 'many'),
      ('acme', 'rondeel', 'same', 'SBX-2', '2026-10-20T04:00:00Z', 'many'),
      ('acme', 'rondeel', 'other', 'SBX-1', '2026-10-20T04:00:00Z', 'many')`).execute(clone.db)
    await scans(`SELECT 'acme', 'rondeel', 'scan ' || n, 'SBX-1', timestamptz '2026-10-20T04:10:00Z' + n * interval '1 minute', 'many'
      FROM generate_series(1, 30) AS n`).execute(clone.db)
  })

  const page = async (request: PageRequest) => (await pages(['many'], request)).get('many')

  test.each([
    1, 2, 3, 7, 35, 36, 100,
  ])('of %s events have every event once, in both directions', async (size) => {
    for (const direction of ['forward', 'backward'] as const) {
      const seen: string[][] = []
      let cursor: string | undefined
      do {
        const found = await page({ size, direction, ...(cursor !== undefined && { cursor }) })
        const isForward = direction === 'forward'
        seen.push(texts(found))
        const read = seen.flat().length
        expect(found).toMatchObject(
          isForward
            ? { hasNextPage: read < ALL.length, hasPreviousPage: seen.length > 1 }
            : { hasPreviousPage: read < ALL.length, hasNextPage: seen.length > 1 },
        )
        const hasMore = isForward ? found?.hasNextPage : found?.hasPreviousPage
        cursor = hasMore ? found?.edges.at(isForward ? -1 : 0)?.cursor : undefined
      } while (cursor !== undefined)
      expect((direction === 'forward' ? seen : seen.toReversed()).flat()).toEqual(ALL)
    }
  })

  test('keep their place when earlier events arrive late', async () => {
    await insertShipment(clone.db, 'late')
    await states('late', ['draft', 1], ['booked', 2], ['in_transit', 3])
    const first = (await pages(['late'], { size: 2, direction: 'forward' })).get('late')
    await scan('late', 'e1', hour(1.5))
    const cursor = first?.edges.at(-1)?.cursor ?? ''
    const next = (await pages(['late'], { size: 1, direction: 'forward', cursor })).get('late')
    expect(texts(next)).toEqual(['late in_transit 03:00'])
  })

  test.each([
    '',
    'x',
    '\u0000',
    Buffer.from('1.3.a b').toString('base64url'),
    'a'.repeat(5_000),
  ])('refuse the cursor %j', async (cursor) => {
    expect(await store.trackingEvents('acme', ['many'], { ...FIRST, cursor })).toEqual({
      kind: 'InvalidCursor',
      reason: 'malformed',
    })
  })
})
