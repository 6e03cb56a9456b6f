/** The statements of the cancellation protocol on PostgreSQL, one by one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CancelTicket } from '../../src/core/shipments/cancellation.ts'
import type { ShipmentStore } from '../../src/operations/ports.ts'
import { shipmentStore } from '../../src/store/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/clone-database.ts'
import { DRAFT, insertParties, insertShipment } from './shipment-rows.ts'

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

const LONG = { leaseMs: 600_000, refusalMemoryMs: 600_000 }
/** A lease that has run out when it begins, and no memory. */
const NONE = { leaseMs: 0, refusalMemoryMs: 0 }

let count = 0
/** A new shipment of "acme"; booked unless told otherwise. */
async function newShipment(overrides: Parameters<typeof insertShipment>[2] = {}): Promise<string> {
  count += 1
  await insertShipment(clone.db, `shp_${count}`, overrides)
  return `shp_${count}`
}

async function ticketFor(store: ShipmentStore, shipmentId: string, terms = LONG): Promise<CancelTicket> {
  const begun = await store.beginCancellation('acme', shipmentId, terms)
  if (begun?.ticket === undefined) throw new Error(`no ticket: ${JSON.stringify(begun)}`)
  return begun.ticket
}

const attemptsOf = (shipmentId: string) =>
  clone.db.selectFrom('cancel_attempt').selectAll().where('shipment_id', '=', shipmentId).execute()
const eventsOf = (shipmentId: string) =>
  clone.db
    .selectFrom('shipment_event')
    .select(['from_state', 'to_state', 'attempt_id'])
    .where('shipment_id', '=', shipmentId)
    .orderBy('event_id')
    .execute()
const stateOf = async (shipmentId: string) => (await one.find('acme', shipmentId))?.state

describe('begin', () => {
  test('cancels a draft at once, with its event, and opens no attempt', async () => {
    const id = await newShipment(DRAFT)
    expect(await one.beginCancellation('acme', id, LONG)).toEqual({
      state: 'cancelled',
      draftCancelled: true,
    })
    expect(await one.beginCancellation('acme', id, LONG)).toEqual({
      state: 'cancelled',
      draftCancelled: false,
    })
    expect(await one.find('acme', id)).toMatchObject({ state: 'cancelled', cancelledAt: expect.any(String) })
    expect(await attemptsOf(id)).toEqual([])
    expect(await eventsOf(id)).toEqual([{ from_state: 'draft', to_state: 'cancelled', attempt_id: null }])
  })

  test('opens an attempt for a booked shipment; a second caller follows', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(ticket).toMatchObject({ shipmentId: id, carrierCode: 'rondeel', fence: 1, sends: 1 })
    expect(ticket.carrierRef).toBe(`SBX-OK-${id}`)
    expect(await two.beginCancellation('acme', id, LONG)).toEqual({
      state: 'booked',
      draftCancelled: false,
      carrierRef: ticket.carrierRef,
    })
    expect(await two.cancelStanding('acme', id)).toMatchObject({ state: 'booked', attempt: 'working' })
    expect(await attemptsOf(id)).toMatchObject([{ fence: 1, sends: 1, lease_owner: 'one' }])
  })

  test('takes over a lease that has run out, under the same key', async () => {
    const id = await newShipment()
    const first = await ticketFor(one, id, NONE)
    expect(await two.cancelStanding('acme', id)).toMatchObject({ attempt: 'waiting' })
    expect(await ticketFor(two, id)).toEqual({ ...first, fence: 2, sends: 2 })
    expect(await attemptsOf(id)).toMatchObject([{ lease_owner: 'two' }])
  })

  test('leaves a shipment in transit alone', async () => {
    const id = await newShipment({ state: 'in_transit' })
    expect(await one.beginCancellation('acme', id, LONG)).toMatchObject({ state: 'in_transit' })
    expect(await attemptsOf(id)).toEqual([])
  })

  test('does not find the shipment of another account, nor touch it', async () => {
    const id = await newShipment({ ...DRAFT, account_id: 'other' })
    expect(await one.beginCancellation('acme', id, LONG)).toBeUndefined()
    expect(await one.cancelStanding('acme', id)).toBeUndefined()
    expect((await one.find('other', id))?.state).toBe('draft')
  })

  test.each([
    '',
    'a\u0000b',
    'x'.repeat(100_000),
    "' or true --",
  ])('does not find an impossible id', async (id) => {
    expect(await one.beginCancellation('acme', id, LONG)).toBeUndefined()
    expect(await one.cancelStanding('acme', id)).toBeUndefined()
  })
})

describe('accept', () => {
  test('cancels once, however often it is said', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(await one.acceptCancellation(ticket)).toBe('cancelled')
    expect(await one.acceptCancellation(ticket)).toBe('cancelled')
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'accepted', anomaly: null, lease_owner: null }])
    expect(await eventsOf(id)).toEqual([
      { from_state: 'booked', to_state: 'cancelled', attempt_id: ticket.attemptId },
    ])
    expect(await two.cancelStanding('acme', id)).toMatchObject({ state: 'cancelled', attempt: 'none' })
  })

  test('needs no current fence, and wins over a refusal, also one from before', async () => {
    const id = await newShipment()
    const first = await ticketFor(one, id, NONE)
    const second = await ticketFor(two, id)
    expect(await two.refuseCancellation(second, 'too late', 60_000)).toBe(true)
    expect(await one.acceptCancellation(first)).toBe('cancelled')
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'accepted', reason: 'too late', verify_at: null }])
    expect(await two.beginCancellation('acme', id, LONG)).toMatchObject({ state: 'cancelled' })
  })

  test('leaves a shipment scanned meanwhile in transit, and marks the attempt', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    await clone.db
      .updateTable('shipment')
      .set({ state: 'in_transit' })
      .where('shipment_id', '=', id)
      .execute()
    expect(await one.acceptCancellation(ticket)).toBe('in_transit')
    expect(await attemptsOf(id)).toMatchObject([
      { phase: 'accepted', anomaly: 'carrier accepted, shipment in transit' },
    ])
    expect(await eventsOf(id)).toEqual([])
  })

  test('of an attempt that does not exist is a fault', async () => {
    const ticket = { ...(await ticketFor(one, await newShipment())), shipmentId: 'none' }
    await expect(one.acceptCancellation(ticket)).rejects.toThrow('no attempt')
  })
})

describe('refuse', () => {
  test('is remembered on the shipment for a while, then the carrier is asked anew', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(await one.refuseCancellation(ticket, 'too late', 60_000)).toBe(true)
    expect(await one.refuseCancellation(ticket, 'too late', 60_000)).toBe(false)
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'refused', reason: 'too late', verify_at: null }])
    expect(await two.beginCancellation('acme', id, LONG)).toMatchObject({
      state: 'booked',
      recentRefusal: 'too late',
    })
    expect(await two.cancelStanding('acme', id)).toMatchObject({ attempt: 'none', refusal: 'too late' })
    const again = await ticketFor(two, id, { ...LONG, refusalMemoryMs: 0 })
    expect(again).toMatchObject({ fence: 1, sends: 1 })
    expect(again.attemptId).not.toBe(ticket.attemptId)
  })

  test('with an older fence is void', async () => {
    const id = await newShipment()
    const stale = await ticketFor(one, id, NONE)
    await ticketFor(two, id)
    expect(await one.refuseCancellation(stale, 'too late', 60_000)).toBe(false)
    expect(await one.releaseCancellation(stale, 'HTTP 503', 1_000)).toBe(false)
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'pending', lease_owner: 'two', reason: null }])
    expect(await two.cancelStanding('acme', id)).not.toHaveProperty('refusal')
  })

  test('after an ambiguous send is to be looked into', async () => {
    const id = await newShipment()
    await ticketFor(one, id, NONE)
    await one.refuseCancellation(await ticketFor(one, id), 'not found', 60_000)
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'refused', verify_at: expect.any(Date) }])
  })

  test('never undoes an acceptance', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    await one.acceptCancellation(ticket)
    expect(await one.refuseCancellation(ticket, 'too late', 60_000)).toBe(false)
    expect(await stateOf(id)).toBe('cancelled')
  })
})

describe('release', () => {
  test('frees the attempt for the next caller at once, and is due again by itself later', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(await one.releaseCancellation(ticket, 'HTTP 503', 60_000)).toBe(true)
    const [attempt] = await attemptsOf(id)
    expect(attempt).toMatchObject({ phase: 'pending', lease_owner: null, last_cause: 'HTTP 503' })
    const backoffMs = Number(attempt?.next_try_at) - Number(attempt?.lease_until)
    expect(backoffMs).toBeGreaterThanOrEqual(59_999)
    expect(backoffMs).toBeLessThan(61_000)
    expect(await two.cancelStanding('acme', id)).toMatchObject({ attempt: 'waiting' })
    expect(await ticketFor(two, id)).toEqual({ ...ticket, fence: 2, sends: 2 })
  })

  test('at shutdown gives up every lease of this process and none of another', async () => {
    const own = [await newShipment(), await newShipment()]
    const foreign = await newShipment()
    const leaving = shipmentStore(clone.db, 'leaving')
    for (const id of own) await ticketFor(leaving, id)
    await ticketFor(two, foreign)
    expect(await leaving.releaseLeases()).toBe(2)
    expect(await leaving.releaseLeases()).toBe(0)
    for (const id of own) expect(await ticketFor(two, id)).toMatchObject({ fence: 2, sends: 2 })
    expect(await attemptsOf(foreign)).toMatchObject([{ lease_owner: 'two', fence: 1 }])
  })
})

describe('the last line of defence', () => {
  const insertAttempt = (shipment_id: string) =>
    clone.db
      .insertInto('cancel_attempt')
      .values({ shipment_id, account_id: 'acme', lease_until: new Date(), next_try_at: new Date() })
      .execute()
  const insertCancelled = (shipment_id: string) =>
    clone.db.insertInto('shipment_event').values({ shipment_id, to_state: 'cancelled' }).execute()

  test('is one open attempt and one cancelled event per shipment', async () => {
    const id = await newShipment()
    await insertAttempt(id)
    await expect(insertAttempt(id)).rejects.toMatchObject({ code: '23505' })
    await insertCancelled(id)
    await expect(insertCancelled(id)).rejects.toMatchObject({ code: '23505' })
  })

  test.each([
    ['cancelled without a time', { state: 'cancelled' as const }],
    ['booked with a time of cancellation', { cancelled_at: new Date() }],
    ['booked without a reference', { carrier_ref: null }],
    ['in transit without a reference', { state: 'in_transit' as const, carrier_ref: null }],
    ['a draft with a reference', { state: 'draft' as const }],
    ['a refusal without a time', { cancel_refusal: 'no' }],
  ])('refuses a shipment that is %s', async (_name, overrides) => {
    await expect(newShipment(overrides)).rejects.toMatchObject({ code: '23514' })
  })
})
