/** Storing, reading, listing and booking shipments; the demo shipments. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewDraftShipment } from '../../../src/core/shipments/draft-shipment.ts'
import type { Refusal } from '../../../src/core/shipments/shipment.ts'
import { listShipments } from '../../../src/operations/list-shipments.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { resetDemoShipments, seedDemoShipments } from '../../../src/store/demo/shipments.ts'
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

  test('is stored as it was quoted, under an unguessable id', async () => {
    const draft = await store.insertDraft('acme', NEW_DRAFT)
    const another = await store.insertDraft('acme', NEW_DRAFT)
    expect(draft.shipmentId).toMatch(/^shp_[A-Za-z0-9_-]{27}$/)
    expect(another.shipmentId).not.toBe(draft.shipmentId)
    expect(draft).toEqual({
      shipmentId: draft.shipmentId,
      state: 'draft',
      productId: 1201,
      carrierCode: 'rondeel',
      from: NEW_DRAFT.from,
      to: NEW_DRAFT.to,
      priceCents: 123_456_789_012,
      createdAt: expect.stringMatching(INSTANT),
    })
    expect(await store.find('acme', draft.shipmentId)).toEqual(draft)
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

describe('the list of shipments', () => {
  const caller = { accountId: 'other' }
  const at = (minute: number) => ({
    created_at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    account_id: 'other',
  })

  beforeAll(async () => {
    await clone.db.deleteFrom('shipment').where('account_id', '=', 'other').execute()
    // Shipments of the same instant are ordered by id.
    for (const [id, minute] of [
      ['l1', 1],
      ['l2', 2],
      ['l3', 2],
      ['l4', 2],
      ['l5', 3],
    ] as const)
      await insertShipment(clone.db, id, { ...at(minute), ...(id === 'l3' ? DRAFT : {}) })
  })

  test.each([1, 2, 3, 4, 5, 100])('has every shipment once, newest first, in pages of %i', async (first) => {
    const seen: string[] = []
    let after: string | undefined
    for (let pages = 0; pages < 6; pages += 1) {
      const page = await listShipments({ shipments: store }, caller, { first, ...(after && { after }) })
      if ('kind' in page) throw new Error(page.message)
      expect(page.hasPreviousPage).toBe(after !== undefined)
      seen.push(...page.edges.map(({ shipment }) => shipment.shipmentId))
      after = page.edges.at(-1)?.cursor
      expect(page.hasNextPage).toBe(seen.length < 5)
      if (!page.hasNextPage) break
    }
    expect(seen).toEqual(['l5', 'l4', 'l3', 'l2', 'l1'])
  })

  test('can be filtered by state', async () => {
    const page = await listShipments({ shipments: store }, caller, { first: 10, state: 'draft' })
    expect(page).toMatchObject({ edges: [{ shipment: { shipmentId: 'l3' } }], hasNextPage: false })
  })

  test.each([0, -1, 101, 1.5, Number.NaN])('refuses pages of %d', async (first) => {
    expect(await listShipments({ shipments: store }, caller, { first })).toMatchObject({
      kind: 'InputProblem',
      fields: [{ path: ['first'] }],
    })
  })

  test.each([
    '',
    '!!',
    'x'.repeat(10_000),
    Buffer.from('1.').toString('base64url'),
    Buffer.from('x.shp_1').toString('base64url'),
    Buffer.from('99999999999999999.shp_1').toString('base64url'),
    Buffer.from('1.a\u0000').toString('base64url'),
  ])('refuses an invalid cursor', async (after) => {
    expect(await listShipments({ shipments: store }, caller, { first: 1, after })).toMatchObject({
      kind: 'InputProblem',
      fields: [{ path: ['after'] }],
    })
  })

  test('shows no shipments of another account for a cursor of that account', async () => {
    const [edge] = (await store.list('other', { first: 1 }))?.edges ?? []
    const page = await store.list('acme', { first: 100, after: edge?.cursor ?? '' })
    expect(page?.edges.some(({ shipment }) => shipment.shipmentId.startsWith('l'))).toBe(false)
  })

  test('accepts a cursor with the largest possible time', async () => {
    const after = Buffer.from('99999999999999.shp_1').toString('base64url')
    expect((await store.list('other', { first: 100, after }))?.edges).toHaveLength(5)
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
      const page = await store.list('demo-shop', { first: 100 })
      return page?.edges.map(({ shipment }) => [shipment.shipmentId, shipment.state])
    }
    const asSeeded = [
      ['demo-draft', 'draft'],
      ['demo-booked', 'booked'],
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
    expect(await states()).toHaveLength(6)
    expect((await store.find('demo-shop', 'demo-draft'))?.state).toBe('cancelled')
    await resetDemoShipments(db)
    expect(await states()).toEqual(asSeeded)
    expect(await store.attempts('demo-shop', ['demo-booked'])).toEqual([])
  })
})
