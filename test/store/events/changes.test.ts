/** Which changes of a shipment record which events. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CancelTicket } from '../../../src/core/shipments/cancellation.ts'
import type { TrackingStore } from '../../../src/operations/ports/recovery.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { settleByOperator } from '../../../src/store/shipments/operators/audit.ts'
import { importShipments } from '../../../src/store/shipments/operators/shipment-import.ts'
import { restoreStore } from '../../../src/store/shipments/restores.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { DRAFT, inSeconds, insertAttempt, insertParties, insertShipment } from '../shipments/shipment-rows.ts'

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

const TERMS = { mayOpen: true, leaseMs: 600_000, refusalMemoryMs: 600_000 }
const PARCEL = { count: 1, weightGrams: 5000, lengthCm: 40, widthCm: 30, heightCm: 20, stackable: false }
const OLD_DRAFT = { ...DRAFT, parcels: JSON.stringify([PARCEL]), created_at: inSeconds(-31 * 86_400) }
const RELEASE = { cause: 'HTTP 503', times: { retryInMs: 0, callerWaitMs: 0 } }

type Columns = Parameters<typeof insertShipment>[2]
type Recorded = { readonly type: string; readonly state: string; readonly refusal?: string }

let count = 0

/** Inserts a shipment, runs `change`, and returns the events that it recorded. */
async function eventsOf(columns: Columns, change: (id: string) => Promise<unknown>): Promise<Recorded[]> {
  count += 1
  const id = `shp_${count}`
  await insertShipment(clone.db, id, columns)
  await sql`DELETE FROM account_event`.execute(clone.db)
  await change(id)
  return recorded()
}

async function recorded(): Promise<Recorded[]> {
  const rows = await clone.db.selectFrom('account_event').selectAll().orderBy('event_id').execute()
  return rows.map(({ type, state, refusal_code: refusal }) => ({
    ...{ type: type.replace('shipment.', ''), state },
    ...(refusal !== null && { refusal }),
  }))
}

async function cancelTicket(id: string): Promise<CancelTicket> {
  const begun = await store.beginCancellation('acme', id, TERMS)
  if (begun?.ticket === undefined) throw new Error('no ticket')
  return begun.ticket
}

async function begunBooking(id: string): Promise<string> {
  const begun = await store.beginBooking('acme', id, { mayOpen: true, leaseMs: 600_000 })
  return begun?.lease ?? ''
}

const scanOf = (id: string, eventId = 'e1') => ({
  ...{ carrierCode: 'rondeel', carrierRef: `SBX-OK-${id}`, eventId, at: new Date().toISOString() },
})
const lookupOf = (id: string) => ({
  ...{ shipmentId: id, accountId: 'acme', carrierCode: 'rondeel', carrierRef: `SBX-OK-${id}` },
  bookedAt: new Date().toISOString(),
})
const byOperator = async (id: string, outcome: 'cancelled' | 'refused') => {
  const ticket = await cancelTicket(id)
  const decision = { by: 'jane', systemUser: 'root', reason: 'asked', isReversal: false } as const
  const settled = await settleByOperator(
    clone.db,
    ticket,
    { ...decision, outcome, cancelledBy: 'carrier' },
    () => undefined,
  )
  expect(settled.kind).toBe('Settled')
}

const PENDING = { type: 'cancellation_pending', state: 'booked' }
const CANCELLED = { type: 'cancelled', state: 'cancelled' }
const IN_TRANSIT = { type: 'in_transit', state: 'in_transit' }
const REFUSED = { type: 'cancellation_refused', state: 'booked', refusal: 'WINDOW_CLOSED' }
const REFUSAL = { code: 'WINDOW_CLOSED', reason: 'too late' } as const

const CHANGES: readonly [string, Columns, (id: string) => Promise<unknown>, readonly Recorded[]][] = [
  ['a draft is cancelled', DRAFT, (id) => store.beginCancellation('acme', id, TERMS), [CANCELLED]],
  [
    'a draft is booked',
    DRAFT,
    async (id) => {
      await begunBooking(id)
      await store.markBooked('acme', id, `R-${id}`, 60_000)
    },
    [{ type: 'booked', state: 'booked' }],
  ],
  [
    'the carrier does not accept a booking',
    DRAFT,
    async (id) => store.settleBooking('acme', id, await begunBooking(id), undefined),
    [{ type: 'not_booked', state: 'draft' }],
  ],
  [
    'a draft is cancelled while it is being booked, and the booking fails',
    DRAFT,
    async (id) => {
      const lease = await begunBooking(id)
      await store.beginCancellation('acme', id, TERMS)
      await store.settleBooking('acme', id, lease, undefined)
    },
    [CANCELLED],
  ],
  [
    'a draft is cancelled while it is being booked, and the booking succeeds',
    DRAFT,
    async (id) => {
      await begunBooking(id)
      await store.beginCancellation('acme', id, TERMS)
      await store.markBooked('acme', id, `R-${id}`, 60_000)
    },
    [{ type: 'booked', state: 'booked' }, PENDING],
  ],
  [
    'the carrier confirms a cancellation',
    {},
    async (id) => store.acceptCancellation(await cancelTicket(id), 'carrier', undefined, false),
    [PENDING, CANCELLED],
  ],
  [
    'the carrier refuses a cancellation',
    {},
    async (id) => store.refuseCancellation(await cancelTicket(id), REFUSAL, 'X1', undefined),
    [PENDING, REFUSED],
  ],
  ['an operator settles a cancellation', {}, (id) => byOperator(id, 'cancelled'), [PENDING, CANCELLED]],
  [
    'an operator refuses a cancellation',
    {},
    (id) => byOperator(id, 'refused'),
    [PENDING, { ...REFUSED, refusal: 'NOT_CANCELLABLE' }],
  ],
  [
    'an attempt is opened again from the log',
    {},
    (id) =>
      restoreStore(clone.db).reopenAttempt({
        ...{ attemptId: '0b7f2a4e-5d5b-4b8e-9d59-6f1f0c0f0a11', shipmentId: id, accountId: 'acme' },
        ...{ carrierCode: 'rondeel', at: new Date().toISOString() },
      }),
    [PENDING],
  ],
  ['the parcel is scanned', {}, (id) => tracking.recordScan(scanOf(id)), [IN_TRANSIT]],
  [
    'a scan was received before the booking',
    DRAFT,
    async (id) => {
      await tracking.recordScan(scanOf(id))
      await begunBooking(id)
      await store.markBooked('acme', id, `SBX-OK-${id}`, 60_000)
      await tracking.applyUnmatchedScans(scanOf(id))
    },
    [{ type: 'booked', state: 'booked' }, IN_TRANSIT],
  ],
  [
    'a scan ends the attempt of a parcel that its carrier refused',
    { parcel_refs: ['SBX-OK-shp_scan', 'P2'], cancelled_refs: ['P2'], carrier_ref: 'SBX-OK-shp_scan' },
    async (id) => {
      const refusal = { kind: 'refused', reason: 'SCANNED', code: 'X1', message: 'scanned' } as const
      await insertAttempt(clone.db, id, {
        parcels: JSON.stringify({ 'SBX-OK-shp_scan': { refusal } }),
      })
      await tracking.recordScan({ ...scanOf(id), carrierRef: 'SBX-OK-shp_scan' })
    },
    [PENDING, IN_TRANSIT, { type: 'cancellation_refused', state: 'in_transit', refusal: 'SCANNED' }],
  ],
  [
    'a lookup finds the shipment cancelled',
    {},
    (id) => tracking.recordCancelledAtCarrier(lookupOf(id)),
    [CANCELLED],
  ],
  ['a draft expires', OLD_DRAFT, () => store.expireDrafts(30, 10), [{ type: 'expired', state: 'cancelled' }]],
]

describe('an event is recorded when', () => {
  test.each(CHANGES)('%s', async (_name, columns, change, expected) => {
    expect(await eventsOf(columns, change)).toEqual(expected)
  })

  test('a draft is created', async () => {
    await sql`DELETE FROM account_event`.execute(clone.db)
    const draft = await store.insertDraft('acme', {
      ...{ productId: 1201, carrierCode: 'rondeel', from: { country: 'NL' }, to: { country: 'DE' } },
      ...{ parcelType: 'NONDOC', parcels: [PARCEL], recipient: 'business', priceCents: 985 },
      rateCardVersion: 'demo@1',
    })
    expect(await recorded()).toEqual([{ type: 'created', state: 'draft' }])
    const event = await clone.db.selectFrom('account_event').selectAll().executeTakeFirstOrThrow()
    expect(event).toMatchObject({ shipment_id: draft.shipmentId, account_id: 'acme', tracking_number: null })
    expect(event.key).toMatch(/^[0-9a-f]{12}$/)
  })

  test('a shipment is registered that was booked elsewhere', async () => {
    await sql`DELETE FROM account_event`.execute(clone.db)
    await importShipments(clone.db, [
      {
        ...{
          shipmentId: 'elsewhere',
          accountId: 'acme',
          state: 'in_transit',
          productId: 1201,
          priceCents: 900,
        },
        ...{ carrierCode: 'rondeel', carrierRef: 'R-1', from: { country: 'NL' }, to: { country: 'DE' } },
      },
    ])
    expect(await recorded()).toEqual([{ type: 'created', state: 'in_transit' }])
  })

  test('any statement changes a state, also one that does not know of events', async () => {
    const events = await eventsOf({}, (id) =>
      sql`UPDATE shipment SET state = 'in_transit' WHERE shipment_id = ${id}`.execute(clone.db),
    )
    expect(events).toEqual([IN_TRANSIT])
  })
})

describe('no event is recorded when', () => {
  const WITHOUT: readonly [string, Columns, (id: string) => Promise<unknown>][] = [
    ['a booking begins', DRAFT, begunBooking],
    [
      'a booking is postponed',
      DRAFT,
      async (id) => store.settleBooking('acme', id, await begunBooking(id), 30_000),
    ],
    [
      'a cancelled shipment is cancelled again',
      { state: 'cancelled', cancelled_at: new Date() },
      (id) => store.beginCancellation('acme', id, TERMS),
    ],
    [
      'the contents of a cancelled draft expire',
      { ...OLD_DRAFT, state: 'cancelled', cancelled_at: new Date() },
      () => store.expireDrafts(30, 10),
    ],
    [
      'the booking of a cancelled draft is withdrawn',
      { ...DRAFT, state: 'cancelled', cancelled_at: new Date() },
      (id) => store.markBooked('acme', id, `R-${id}`, 60_000),
    ],
    [
      'the parcel of a cancelled shipment is scanned',
      { state: 'cancelled', cancelled_at: new Date() },
      (id) => tracking.recordScan(scanOf(id)),
    ],
    [
      'a transaction is rolled back',
      {},
      (id) =>
        clone.db
          .transaction()
          .execute(async (trx) => {
            await sql`UPDATE shipment SET state = 'in_transit' WHERE shipment_id = ${id}`.execute(trx)
            throw new Error('rolled back')
          })
          .catch(() => {}),
    ],
  ]
  test.each(WITHOUT)('%s', async (_name, columns, change) => {
    expect(await eventsOf(columns, change)).toEqual([])
  })

  test('an attempt is sent again, and a scan is received again', async () => {
    const events = await eventsOf({}, async (id) => {
      await store.releaseCancellation(await cancelTicket(id), RELEASE)
      await cancelTicket(id)
      await tracking.recordScan(scanOf(id))
      await tracking.recordScan(scanOf(id))
      await tracking.recordScan(scanOf(id, 'e2'))
    })
    expect(events).toEqual([PENDING, IN_TRANSIT])
  })
})
