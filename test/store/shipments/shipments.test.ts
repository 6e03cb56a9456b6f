/** Storing, reading, listing and booking shipments; the demo shipments. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewDraftShipment } from '../../../src/core/shipments/draft-shipment.ts'
import type { Refusal } from '../../../src/core/shipments/shipment.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { resetDemoShipments, seedDemoShipments } from '../../../src/store/demo/accounts.ts'
import { insertDraftAs, shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { DRAFT, insertParties, insertShipment } from './shipment-rows.ts'

let clone: ClonedDatabase
let store: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  store = shipmentStore(clone.db, 'test')
})
afterAll(() => clone.drop())

const TERMS = { mayOpen: true, leaseMs: 600_000, refusalMemoryMs: 600_000 }

const TOO_LATE: Refusal = { code: 'WINDOW_CLOSED', reason: 'too late' }
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/

const NEW_DRAFT: NewDraftShipment = {
  productId: 1201,
  carrierCode: 'rondeel',
  priceCents: 123_456_789_012,
  rateCardVersion: 'demo@1',
  from: { country: 'NL', zipcode: '1012 LG' },
  to: { country: 'DE', city: 'Zürich "\\\' ß' },
  parcelType: 'NONDOC',
  parcels: [{ count: 2, weightGrams: 5_000, lengthCm: 40, widthCm: 30, heightCm: 20, stackable: false }],
  recipient: 'individual',
  insuredValueCents: 100_000,
  reference: 'PO-1',
  contentItems: [
    {
      ...{ description: 'T-shirt', numberOfItems: 2, costSteps: 12_500_000, tariff: '610910' },
      quantities: [{ unit: 'kg', amountMicros: 250_000 }],
    },
  ],
}

function sizesOf(shipmentId: string) {
  return clone.db
    .selectFrom('shipment')
    .select(['parcel_rows', 'item_count', 'quantity_count', 'content_bytes'])
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirst()
}

describe('a draft', () => {
  test('is inserted once if the insert is repeated while the first one is still running', async () => {
    const id = 'shp_repeated'
    let repeated: Promise<unknown> | undefined
    const first = await clone.db.transaction().execute(async (transaction) => {
      const inserted = await insertDraftAs(transaction, id, 'acme', NEW_DRAFT)
      repeated = insertDraftAs(clone.db, id, 'acme', NEW_DRAFT)
      await expect
        .poll(async () => {
          const { rows } = await sql<{ waiting: number }>`
            SELECT count(*)::integer AS waiting FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(clone.db)
          return rows[0]?.waiting
        })
        .toBe(1)
      return inserted
    })
    expect(await repeated).toEqual(first)
    const events = await clone.db
      .selectFrom('shipment_event')
      .select('to_state')
      .where('shipment_id', '=', id)
      .execute()
    expect(events).toEqual([{ to_state: 'draft' }])
  })

  test('has the sizes of its contents, which count bytes', async () => {
    const quantities = [
      { unit: 'kg', amountMicros: 1 },
      { unit: 'litre', amountMicros: 2 },
    ]
    const item = { description: '茶葉', numberOfItems: 1, costSteps: 1 }
    const contentItems = [{ ...item, quantities }, item, { ...item, quantities: quantities.slice(1) }]
    const [parcel] = NEW_DRAFT.parcels
    const parcels = parcel === undefined ? [] : [parcel, parcel]
    const { shipmentId } = await store.insertDraft('acme', { ...NEW_DRAFT, parcels, contentItems })
    const sizes = await sizesOf(shipmentId)
    expect(sizes).toMatchObject({ parcel_rows: 2, item_count: 3, quantity_count: 3 })
    // The database writes spaces that `JSON.stringify` does not.
    const bytes = Buffer.byteLength(JSON.stringify(parcels) + JSON.stringify(contentItems))
    expect(sizes?.content_bytes).toBeGreaterThan(bytes)
    expect(sizes?.content_bytes).toBeLessThan(1.3 * bytes)
    const { contentItems: _, ...withoutItems } = NEW_DRAFT
    const other = await store.insertDraft('acme', withoutItems)
    expect(await sizesOf(other.shipmentId)).toMatchObject({ item_count: 0, quantity_count: 0 })
  })

  test('from before the sizes were stored has the same ones, calculated when they are read', async () => {
    const { shipmentId } = await store.insertDraft('acme', NEW_DRAFT)
    const stored = await store.contentSizes('acme', [shipmentId, 'unknown'])
    expect(stored.get(shipmentId)).toMatchObject({ parcelRows: 1, items: 1, quantities: 1 })
    await sql`UPDATE shipment
      SET parcel_rows = NULL, item_count = NULL, quantity_count = NULL, content_bytes = NULL
      WHERE shipment_id = ${shipmentId}`.execute(clone.db)
    expect(await store.contentSizes('acme', [shipmentId])).toEqual(stored)
    expect(await store.contentSizes('other', [shipmentId])).toEqual(new Map())
  })

  test('is stored as it was quoted, under an unguessable id', async () => {
    const draft = await store.insertDraft('acme', NEW_DRAFT)
    const another = await store.insertDraft('acme', NEW_DRAFT)
    expect(draft.shipmentId).toMatch(/^shp[A-Za-z0-9]{27}$/)
    expect(another.shipmentId).not.toBe(draft.shipmentId)
    expect(draft).toEqual({
      shipmentId: draft.shipmentId,
      state: 'draft',
      productId: 1201,
      carrierCode: 'rondeel',
      from: NEW_DRAFT.from,
      to: NEW_DRAFT.to,
      reference: 'PO-1',
      rateCardVersion: { code: 'demo', versionNo: 1 },
      priceCents: 123_456_789_012,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: draft.createdAt,
    })
    expect(await store.find('acme', draft.shipmentId)).toEqual(draft)
    expect(await store.contents('acme', [draft.shipmentId, 'nobody', 'a\u0000'])).toEqual([
      {
        ...{ shipmentId: draft.shipmentId, parcelType: 'NONDOC' },
        ...{ parcels: NEW_DRAFT.parcels, contentItems: NEW_DRAFT.contentItems },
      },
    ])
    expect(await store.contents('other', [draft.shipmentId])).toEqual([])
    const row = await clone.db
      .selectFrom('shipment')
      .select(['parcels', 'recipient', 'insured_value_cents'])
      .where('shipment_id', '=', draft.shipmentId)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({
      parcels: NEW_DRAFT.parcels,
      recipient: 'individual',
      insured_value_cents: 100_000,
    })
    const events = await clone.db
      .selectFrom('shipment_event')
      .select(['from_state', 'to_state'])
      .where('shipment_id', '=', draft.shipmentId)
      .execute()
    expect(events).toEqual([{ from_state: null, to_state: 'draft' }])
  })
})

describe('the time of the last change', () => {
  const updatedAt = async (id: string) => (await store.find('acme', id))?.updatedAt

  test('is that of the creation or booking until something changes', async () => {
    const [created, booked] = [new Date('2026-01-01T10:00:00Z'), new Date('2026-01-02T10:00:00Z')]
    await insertShipment(clone.db, 'changed-1', { ...DRAFT, created_at: created })
    await insertShipment(clone.db, 'changed-2', { created_at: created, booked_at: booked })
    expect(await updatedAt('changed-1')).toBe(created.toISOString())
    expect(await updatedAt('changed-2')).toBe(booked.toISOString())
    // Neither a lease nor a lookup is a change that the account sees.
    await store.beginBooking('acme', 'changed-1', { mayOpen: true, leaseMs: 1 })
    await clone.db.updateTable('shipment').set({ next_track_at: new Date() }).execute()
    expect(await updatedAt('changed-1')).toBe(created.toISOString())
    expect(await updatedAt('changed-2')).toBe(booked.toISOString())
  })

  test('is set by every change of state, number and refusal', async () => {
    await insertShipment(clone.db, 'changed-3', { ...DRAFT, created_at: new Date(0) })
    const times = [await updatedAt('changed-3')]
    const next = async () => {
      times.push(await updatedAt('changed-3'))
      await clone.db
        .updateTable('shipment')
        .set({ updated_at: new Date(times.length * 1_000) })
        .where('shipment_id', '=', 'changed-3')
        .execute()
      times.push(await updatedAt('changed-3'))
    }
    const startedAt = new Date().toISOString()
    await store.markBooked('acme', 'changed-3', 'N1', 1_000)
    expect(await store.find('acme', 'changed-3')).toMatchObject({ bookedAt: expect.stringMatching(INSTANT) })
    await next()
    const begun = await store.beginCancellation('acme', 'changed-3', TERMS)
    expect(await updatedAt('changed-3')).toBe(times.at(-1))
    await store.refuseCancellation(begun!.ticket!, TOO_LATE, 'X1', undefined)
    await next()
    const again = await store.beginCancellation('acme', 'changed-3', { ...TERMS, refusalMemoryMs: 0 })
    await store.acceptCancellation(again!.ticket!, 'carrier')
    await next()
    const changes = times.filter((_time, index) => index % 2 === 1)
    expect(changes).toHaveLength(3)
    for (const time of changes)
      expect(Date.parse(time!)).toBeGreaterThanOrEqual(Date.parse(startedAt) - 1_000)
  })
})

describe('reading shipments', () => {
  test('finds the shipments of the account and no others', async () => {
    await insertShipment(clone.db, 'own-1')
    await insertShipment(clone.db, 'own-2')
    await insertShipment(clone.db, 'foreign', { account_id: 'other' })
    expect(await store.find('acme', 'foreign')).toBeUndefined()
    const ids = ['own-2', 'foreign', 'own-1', 'own-1', 'none', 'a\u0000', 'x'.repeat(100_000)]
    const found = await store.findMany('acme', ids)
    expect(found.map(({ shipmentId }) => shipmentId).sort()).toEqual(['own-1', 'own-2'])
    expect(await store.findMany('acme', ['a\u0000'])).toEqual([])
    expect(await store.find('acme', 'a\u0000')).toBeUndefined()
  })

  test('returns the attempts of several shipments, oldest first', async () => {
    await insertShipment(clone.db, 'tried-1')
    await insertShipment(clone.db, 'tried-2')
    const first = await store.beginCancellation('acme', 'tried-1', TERMS)
    if (first?.ticket === undefined) throw new Error('no ticket')
    await store.refuseCancellation(first.ticket, TOO_LATE, 'X1', undefined)
    await clone.db
      .updateTable('cancel_attempt')
      .set({ begun_at: new Date(0) })
      .execute()
    await store.beginCancellation('acme', 'tried-1', { ...TERMS, refusalMemoryMs: 0 })
    await store.beginCancellation('acme', 'tried-2', TERMS)
    const attempts = await store.attempts('acme', ['tried-2', 'tried-1', 'own-1', 'a\u0000'])
    expect(attempts.filter(({ shipmentId }) => shipmentId === 'tried-1')).toEqual([
      {
        shipmentId: 'tried-1',
        at: '1970-01-01T00:00:00.000Z',
        phase: 'refused',
        refusal: TOO_LATE,
        carrierRefusalCode: 'X1',
        settledAt: expect.stringMatching(INSTANT),
        settledBy: 'carrier',
        sends: 1,
      },
      {
        ...{ shipmentId: 'tried-1', at: expect.stringMatching(INSTANT), phase: 'pending', sends: 1 },
        nextTryAt: expect.stringMatching(INSTANT),
      },
    ])
    expect(attempts).toHaveLength(3)
    expect(await store.attempts('other', ['tried-1', 'tried-2'])).toEqual([])
    expect(await store.attempts('acme', [])).toEqual([])
  })
})

describe('marking a shipment as booked', () => {
  test('books a draft once and keeps the first tracking number', async () => {
    await insertShipment(clone.db, 'to-book', DRAFT)
    expect(await store.markBooked('acme', 'to-book', 'R1', 1_000)).toEqual({
      state: 'booked',
      booked: true,
      carrierRef: 'R1',
    })
    expect(await store.markBooked('acme', 'to-book', 'R1', 1_000)).toEqual({
      state: 'booked',
      booked: false,
      carrierRef: 'R1',
    })
    expect(await store.find('acme', 'to-book')).toMatchObject({ state: 'booked', carrierRef: 'R1' })
    expect(await store.markBooked('other', 'to-book', 'R1', 1_000)).toBeUndefined()
    expect(await store.markBooked('acme', 'none', 'R1', 1_000)).toBeUndefined()
  })

  test('that was cancelled as a draft opens one attempt that withdraws the booking', async () => {
    await insertShipment(clone.db, 'too-late', DRAFT)
    await store.beginCancellation('acme', 'too-late', TERMS)
    const mark = await store.markBooked('acme', 'too-late', 'R2', 600_000)
    expect(mark).toMatchObject({
      state: 'cancelled',
      booked: false,
      carrierRef: 'R2',
      withdrawal: { shipmentId: 'too-late', carrierCode: 'rondeel', carrierRef: 'R2', fence: 1, sends: 1 },
    })
    expect(await store.markBooked('acme', 'too-late', 'R2', 600_000)).not.toHaveProperty('withdrawal')
    if (mark?.withdrawal === undefined) throw new Error('no withdrawal')
    expect(await store.acceptCancellation(mark.withdrawal, 'carrier')).toBe('cancelled')
    expect(await store.attempts('acme', ['too-late'])).toMatchObject([{ phase: 'accepted' }])
  })

  test('records an anomaly if the carrier refuses the withdrawal', async () => {
    await insertShipment(clone.db, 'stuck', DRAFT)
    await store.beginCancellation('acme', 'stuck', TERMS)
    const mark = await store.markBooked('acme', 'stuck', 'R3', 600_000)
    if (mark?.withdrawal === undefined) throw new Error('no withdrawal')
    expect(await store.refuseCancellation(mark.withdrawal, TOO_LATE, 'X1', undefined)).toBe('cancelled')
    const attempt = await clone.db
      .selectFrom('cancel_attempt')
      .select('anomaly')
      .where('shipment_id', '=', 'stuck')
      .executeTakeFirstOrThrow()
    expect(attempt.anomaly).toBe('carrier refused, shipment is cancelled here')
  })
})

describe('the demo shipments', () => {
  test('are created once however often they are seeded, and are restored by a reset', async () => {
    const { db } = clone
    await db
      .insertInto('account')
      .values([
        { account_id: 'demo-shop', name: 'Demo Shop' },
        { account_id: 'other-shop', name: 'Other Shop' },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const states = async () => {
      const rows = await db
        .selectFrom('shipment')
        .select(['shipment_id', 'state'])
        .where('account_id', '=', 'demo-shop')
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map(({ shipment_id, state }) => [shipment_id, state])
    }
    const asSeeded = [
      ['demo-draft', 'draft'],
      ['demo-booked', 'booked'],
      ['demo-slow', 'booked'],
      ['demo-refused', 'booked'],
      ['demo-in-transit', 'in_transit'],
      ['demo-cancelled', 'cancelled'],
    ]
    await seedDemoShipments(db)
    await seedDemoShipments(db)
    expect(await states()).toEqual(asSeeded)
    expect((await store.find('other-shop', 'other-booked'))?.state).toBe('booked')
    const history = await db
      .selectFrom('shipment_event')
      .select(['from_state', 'to_state'])
      .where('shipment_id', 'in', ['demo-cancelled', 'demo-in-transit'])
      .orderBy('event_id')
      .execute()
    expect(history.map(({ to_state }) => to_state)).toEqual([
      'draft',
      'booked',
      'in_transit',
      'draft',
      'cancelled',
    ])

    await store.beginCancellation('demo-shop', 'demo-draft', TERMS)
    await store.beginCancellation('demo-shop', 'demo-booked', TERMS)
    await store.insertDraft('demo-shop', NEW_DRAFT)
    await seedDemoShipments(db)
    expect(await states()).toHaveLength(7)
    expect((await store.find('demo-shop', 'demo-draft'))?.state).toBe('cancelled')
    await resetDemoShipments(db)
    expect(await states()).toEqual(asSeeded)
    expect(await store.attempts('demo-shop', ['demo-booked'])).toEqual([])
  })
})
