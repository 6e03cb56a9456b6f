/** Idempotency keys of drafts: one draft for each key, whatever happens at the same time or in between. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewDraftShipment } from '../../../src/core/shipments/draft-shipment.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { openDatabase } from '../../../src/store/database/open.ts'
import { insertDraftAs, shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { insertParties } from './shipment-rows.ts'

let clone: ClonedDatabase
let store: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  store = shipmentStore(clone.db, 'one')
})
afterAll(() => clone.drop())

const DRAFT: NewDraftShipment = {
  ...{ productId: 1201, carrierCode: 'rondeel', priceCents: 1_050, rateCardVersion: 'demo@1' },
  ...{ from: { country: 'NL' }, to: { country: 'DE' }, parcelType: 'DOC', recipient: 'business' },
  parcels: [{ count: 1, weightGrams: 0, lengthCm: 0, widthCm: 0, heightCm: 0, stackable: false }],
}

let keys = 0
const newKey = (input = 'input') => {
  keys += 1
  return { key: `key ${keys}`, input }
}

const draftsOf = async (accountId: string): Promise<number> => (await store.draftUsage(accountId)).count

/** Ages a key by hours. */
const age = (key: string, hours: number) =>
  sql`UPDATE draft_key SET created_at = created_at - ${hours} * interval '1 hour'
    WHERE idempotency_key = ${key}`.execute(clone.db)

test('a repeated key returns the draft of the first call', async () => {
  const key = newKey()
  expect(await store.keyedDraft('acme', key)).toBeUndefined()
  const before = await draftsOf('acme')
  const first = await store.insertKeyedDraft('acme', key, DRAFT)
  expect(first).toMatchObject({ isNew: true, isSameInput: true, shipment: { priceCents: 1_050 } })
  const repeated = { ...first, isNew: false }
  expect(await store.insertKeyedDraft('acme', key, { ...DRAFT, priceCents: 1 })).toEqual(repeated)
  expect(await store.keyedDraft('acme', key)).toEqual(repeated)
  expect(await draftsOf('acme')).toBe(before + 1)
})

test('another input with the key is noticed, and stores nothing', async () => {
  const key = newKey()
  const { shipment } = await store.insertKeyedDraft('acme', key, DRAFT)
  const before = await draftsOf('acme')
  const other = { ...key, input: 'another input' }
  expect(await store.insertKeyedDraft('acme', other, DRAFT)).toEqual({
    ...{ shipment, isSameInput: false, isNew: false },
  })
  expect(await store.keyedDraft('acme', other)).toMatchObject({ isSameInput: false })
  expect(await draftsOf('acme')).toBe(before)
})

test('accounts do not share keys', async () => {
  const key = newKey()
  const { shipment } = await store.insertKeyedDraft('acme', key, DRAFT)
  expect(await store.keyedDraft('other', key)).toBeUndefined()
  const other = await store.insertKeyedDraft('other', key, DRAFT)
  expect(other).toMatchObject({ isNew: true })
  expect(other.shipment.shipmentId).not.toBe(shipment.shipmentId)
})

test('of twenty concurrent calls from two processes, one stores its draft and all return it', async () => {
  const second = openDatabase(clone.source)
  try {
    const stores = [store, shipmentStore(second, 'two')]
    const key = newKey()
    const before = await draftsOf('acme')
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => stores[index % 2]!.insertKeyedDraft('acme', key, DRAFT)),
    )
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(results.map(({ shipment }) => shipment.shipmentId)).size).toBe(1)
    expect(results.every(({ isSameInput }) => isSameInput)).toBe(true)
    expect(await draftsOf('acme')).toBe(before + 1)
  } finally {
    await second.destroy()
  }
})

test('a call that waits for one that is rolled back stores its own draft', async () => {
  const key = newKey()
  const keyDigest = { key: key.key, inputDigest: Buffer.alloc(32) }
  let waiting: ReturnType<ShipmentStore['insertKeyedDraft']> | undefined
  const rolledBack = clone.db.transaction().execute(async (transaction) => {
    await insertDraftAs(transaction, `rolled-back-${keys}`, 'acme', DRAFT, keyDigest)
    waiting = store.insertKeyedDraft('acme', key, DRAFT)
    await expect
      .poll(async () => {
        const { rows } = await sql<{ waiting: number }>`
          SELECT count(*)::integer AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(clone.db)
        return rows[0]?.waiting
      })
      .toBe(1)
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await waiting).toMatchObject({ isNew: true })
  expect(await store.find('acme', `rolled-back-${keys}`)).toBeUndefined()
})

test('a statement that is repeated after its result was lost returns its draft', async () => {
  const keyDigest = { key: newKey().key, inputDigest: Buffer.alloc(32, 5) }
  const id = `lost-result-${keys}`
  const first = await insertDraftAs(clone.db, id, 'acme', DRAFT, keyDigest)
  expect(await insertDraftAs(clone.db, id, 'acme', DRAFT, keyDigest)).toEqual(first)
})

describe('after the draft has changed, its key', () => {
  test('returns it as it is now', async () => {
    const key = newKey()
    const { shipment } = await store.insertKeyedDraft('acme', key, DRAFT)
    const { shipmentId } = shipment
    await store.beginCancellation('acme', shipmentId, { mayOpen: true, leaseMs: 1_000, refusalMemoryMs: 0 })
    expect(await store.insertKeyedDraft('acme', key, DRAFT)).toMatchObject({
      shipment: { shipmentId, state: 'cancelled' },
      isNew: false,
    })
    const booked = newKey()
    const { shipment: other } = await store.insertKeyedDraft('acme', booked, DRAFT)
    await store.beginBooking('acme', other.shipmentId, { mayOpen: true, leaseMs: 1_000 })
    await store.markBooked('acme', other.shipmentId, `SBX-OK-${booked.key}`, 1_000)
    expect(await store.keyedDraft('acme', booked)).toMatchObject({ shipment: { state: 'booked' } })
  })
})

describe('a key', () => {
  test('is kept for 24 hours', async () => {
    const key = newKey()
    const { shipment } = await store.insertKeyedDraft('acme', key, DRAFT)
    await age(key.key, 23.9)
    expect(await store.keyedDraft('acme', key)).toMatchObject({ shipment })
    expect(await store.expireDraftKeys(100)).toBe(0)
    await age(key.key, 0.2)
    expect(await store.keyedDraft('acme', key)).toBeUndefined()
  })

  test('can be used again after that, before and after the sweeper has removed it', async () => {
    const key = newKey()
    const { shipment } = await store.insertKeyedDraft('acme', key, DRAFT)
    await age(key.key, 25)
    const second = await store.insertKeyedDraft('acme', { ...key, input: 'another input' }, DRAFT)
    expect(second).toMatchObject({ isNew: true, isSameInput: true })
    expect(second.shipment.shipmentId).not.toBe(shipment.shipmentId)
    await age(key.key, 25)
    await store.expireDraftKeys(100)
    expect(await store.insertKeyedDraft('acme', key, DRAFT)).toMatchObject({ isNew: true })
    expect(await store.find('acme', shipment.shipmentId)).toEqual(shipment)
  })

  test('that is used again by concurrent calls gets one draft', async () => {
    const key = newKey()
    await store.insertKeyedDraft('acme', key, DRAFT)
    await age(key.key, 25)
    const results = await Promise.all(
      Array.from({ length: 8 }, () => store.insertKeyedDraft('acme', key, DRAFT)),
    )
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(results.map(({ shipment }) => shipment.shipmentId)).size).toBe(1)
  })

  test('is removed in batches, the oldest first', async () => {
    await store.expireDraftKeys(1_000)
    const three = [newKey(), newKey(), newKey()]
    for (const [index, key] of three.entries()) {
      await store.insertKeyedDraft('acme', key, DRAFT)
      await age(key.key, 30 - index)
    }
    const left = async () => {
      const { rows } = await sql<{ key: string }>`SELECT idempotency_key AS key FROM draft_key
        WHERE created_at < clock_timestamp() - interval '24 hours' ORDER BY created_at`.execute(clone.db)
      return rows.map(({ key }) => key)
    }
    expect(await store.expireDraftKeys(2)).toBe(2)
    expect(await left()).toEqual([three[2]!.key])
    expect(await store.expireDraftKeys(2)).toBe(1)
    expect(await left()).toEqual([])
  })
})
