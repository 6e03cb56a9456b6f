/** What drafts take up, and their end. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { DRAFT, insertParties, insertShipment } from './shipment-rows.ts'

let clone: ClonedDatabase
let store: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  await sql`DELETE FROM shipment`.execute(clone.db)
  store = shipmentStore(clone.db, 'one')
})
afterAll(() => clone.drop())

const PARCEL = { count: 2, weightGrams: 5000, lengthCm: 40, widthCm: 30, heightCm: 20, stackable: false }
const OLD = { created_at: new Date(Date.now() - 31 * 86_400_000) }
const STORED = { ...DRAFT, parcels: JSON.stringify([PARCEL]) }

/** A draft as an operation inserts it. */
const NEW_DRAFT = {
  ...{ productId: 1201, carrierCode: 'rondeel', priceCents: 1_000, rateCardVersion: 'demo@1' },
  ...({ from: { country: 'NL' }, to: { country: 'DE' }, recipient: 'business' } as const),
  ...({ parcelType: 'NONDOC', parcels: [PARCEL] } as const),
}

const stateOf = async (shipmentId: string) => {
  const shipment = await store.find('acme', shipmentId)
  const [contents] = await store.contents('acme', [shipmentId])
  return { state: shipment?.state, parcels: contents?.parcels.length }
}

const eventsOf = (shipmentId: string) =>
  clone.db
    .selectFrom('shipment_event')
    .select(['from_state', 'to_state'])
    .where('shipment_id', '=', shipmentId)
    .execute()

test('counts the unbooked shipments of an account with the bytes of their contents', async () => {
  const before = await store.draftUsage('acme')
  await insertShipment(clone.db, 'usage-draft', STORED)
  await insertShipment(clone.db, 'usage-cancelled', {
    ...STORED,
    ...{ state: 'cancelled', cancelled_at: new Date(), cancelled_by: 'draft' },
  })
  await insertShipment(clone.db, 'usage-booked', { parcels: JSON.stringify([PARCEL]) })
  await insertShipment(clone.db, 'usage-imported', { ...DRAFT, tariff_version: 'imported' })
  await insertShipment(clone.db, 'usage-other', { ...STORED, account_id: 'other' })
  const after = await store.draftUsage('acme')
  expect(after.count - before.count).toBe(2)
  expect(after.bytes - before.bytes).toBeGreaterThanOrEqual(2 * JSON.stringify([PARCEL]).length)
})

test('returns the request that a draft was priced for, to its account only', async () => {
  await insertShipment(clone.db, 'priced', { ...STORED, insured_value_cents: 5_000 })
  expect(await store.pricedRequest('acme', 'priced')).toEqual({
    from: { country: 'NL', zipcode: '1012 LG' },
    to: { country: 'DE', city: 'Berlin' },
    parcelType: 'NONDOC',
    parcels: [PARCEL],
    recipient: 'business',
    insuredValueCents: 5_000,
  })
  expect(await store.pricedRequest('other', 'priced')).toBeUndefined()
  await insertShipment(clone.db, 'priced-imported', DRAFT)
  expect(await store.pricedRequest('acme', 'priced-imported')).toBeUndefined()
})

test('stores the services that the sender chose', async () => {
  const chosen = ['SATURDAY', 'SIGNATURE'] as const
  const { shipmentId, services } = await store.insertDraft('acme', { ...NEW_DRAFT, services: chosen })
  expect(services).toEqual(chosen)
  expect((await store.find('acme', shipmentId))?.services).toEqual(services)
  expect((await store.pricedRequest('acme', shipmentId))?.services).toEqual(services)
  expect(await store.insertDraft('acme', NEW_DRAFT)).not.toHaveProperty('services')
})

test('stores the inputs of services, and reads drafts of a former version without them', async () => {
  const serviceInputs = {
    slots: { TIME_SLOT: 'evening' },
    cashOnDelivery: { currency: 'PLN', hundredths: 10_050 },
    dangerousGoods: [
      {
        unNumber: 'UN1263',
        hazardClass: 'CLASS_3',
        packingGroup: 'II',
        limitedQuantity: true,
        netGrams: 250,
      },
      { unNumber: 'UN3481', limitedQuantity: false, packages: 2 },
    ],
  } as const
  const services = ['TIME_SLOT', 'CASH_ON_DELIVERY', 'DANGEROUS_GOODS'] as const
  const stored = await store.insertDraft('acme', { ...NEW_DRAFT, services, serviceInputs })
  expect(stored).toMatchObject({ services, serviceInputs })
  expect(await store.find('acme', stored.shipmentId)).toEqual(stored)
  expect(await store.pricedRequest('acme', stored.shipmentId)).toMatchObject({ services, serviceInputs })
  await clone.db
    .updateTable('shipment')
    .set({ service_inputs: null })
    .where('shipment_id', '=', stored.shipmentId)
    .execute()
  for (const read of [store.find, store.pricedRequest]) {
    const former = await read('acme', stored.shipmentId)
    expect(former?.services).toEqual(services)
    expect(former).not.toHaveProperty('serviceInputs')
  }
})

describe('the sender and the recipient', () => {
  const contacts = { sender: { name: 'Ada' }, recipient: { company: 'Bo BV', email: 'bo@example.com' } }

  test('are stored with a draft, count for the quota, and are removed when it expires', async () => {
    const before = await store.draftUsage('acme')
    await store.insertDraft('acme', NEW_DRAFT)
    const { bytes } = await store.draftUsage('acme')
    const { shipmentId, contacts: stored } = await store.insertDraft('acme', { ...NEW_DRAFT, contacts })
    expect(stored).toEqual(contacts)
    const usage = await store.draftUsage('acme')
    expect(usage.bytes - bytes).toBeGreaterThanOrEqual(bytes - before.bytes + JSON.stringify(contacts).length)
    expect((await store.find('acme', shipmentId))?.contacts).toEqual(contacts)
    expect(shipmentId).toMatch(/^shp[1-9A-HJ-NP-Za-km-z]{27}$/)

    await sql`UPDATE shipment SET created_at = created_at - interval '31 days'
      WHERE shipment_id = ${shipmentId}`.execute(clone.db)
    expect(await store.expireDrafts(30, 10)).toBe(1)
    expect(await store.find('acme', shipmentId)).not.toHaveProperty('contacts')
    await sql`DELETE FROM shipment_event`.execute(clone.db)
    await sql`DELETE FROM shipment WHERE product_id = 1201`.execute(clone.db)
  })
})

describe('an expired draft', () => {
  test('is cancelled without its contents, and no longer counts', async () => {
    await insertShipment(clone.db, 'expired', { ...STORED, ...OLD })
    await insertShipment(clone.db, 'fresh', STORED)
    const before = await store.draftUsage('acme')
    expect(await store.expireDrafts(30, 10)).toBe(1)
    expect(await stateOf('expired')).toEqual({ state: 'cancelled', parcels: 0 })
    expect(await stateOf('fresh')).toEqual({ state: 'draft', parcels: 1 })
    expect((await store.draftUsage('acme')).count).toBe(before.count - 1)
    expect(await eventsOf('expired')).toEqual([{ from_state: 'draft', to_state: 'cancelled' }])
    // Repeated cancellations by the account succeed, as for every cancelled shipment.
    const terms = { mayOpen: false, leaseMs: 1_000, refusalMemoryMs: 0 }
    expect(await store.beginCancellation('acme', 'expired', terms)).toMatchObject({ state: 'cancelled' })
  })

  test('does not include shipments that are booked, being booked, imported, or perhaps booked before a restore', async () => {
    await insertShipment(clone.db, 'kept-suspect', { ...STORED, ...OLD, lineage: 'before-the-restore.0' })
    await insertShipment(clone.db, 'kept-booked', { ...OLD, parcels: JSON.stringify([PARCEL]) })
    await insertShipment(clone.db, 'kept-booking', { ...STORED, ...OLD, booking_until: new Date() })
    await insertShipment(clone.db, 'kept-imported', { ...DRAFT, ...OLD, tariff_version: 'imported' })
    expect(await store.expireDrafts(30, 10)).toBe(0)
    expect(await stateOf('kept-suspect')).toEqual({ state: 'draft', parcels: 1 })
    expect(await stateOf('kept-booked')).toEqual({ state: 'booked', parcels: 1 })
    expect(await stateOf('kept-booking')).toEqual({ state: 'draft', parcels: 1 })
    expect(await stateOf('kept-imported')).toEqual({ state: 'draft', parcels: 0 })
  })

  test.each([
    ['', 'expired-cancelled', {}],
    [', also before a failover', 'expired-suspect', { lineage: 'before-the-failover.0' }],
  ])('loses its contents also if it was cancelled before%s, without another event', async (_when, id, lineage) => {
    const cancelledAt = new Date(Date.now() - 86_400_000)
    await insertShipment(clone.db, id, {
      ...{ ...STORED, ...OLD, ...lineage },
      ...{ state: 'cancelled', cancelled_at: cancelledAt, cancelled_by: 'draft' },
    })
    expect(await store.expireDrafts(30, 10)).toBe(1)
    expect(await stateOf(id)).toEqual({ state: 'cancelled', parcels: 0 })
    expect((await store.find('acme', id))?.cancelledAt).toBe(cancelledAt.toISOString())
    expect(await eventsOf(id)).toEqual([])
  })
})
