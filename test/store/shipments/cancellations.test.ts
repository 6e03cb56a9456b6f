/** Each statement of the cancellation protocol. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CancelTicket } from '../../../src/core/shipments/cancellation.ts'
import type { Refusal, ShipmentState } from '../../../src/core/shipments/shipment.ts'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'
import { NotExecuted, type ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { BEGIN_VALID_MS } from '../../../src/store/shipments/cancellations.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { DRAFT, insertParties, insertShipment, whileLocked } from './shipment-rows.ts'

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

const LONG = { mayOpen: true, leaseMs: 600_000, refusalMemoryMs: 600_000 }
const MEMORY_MS = LONG.refusalMemoryMs
const TOO_LATE: Refusal = { code: 'WINDOW_CLOSED', reason: 'too late' }
/** The next attempt is due in a second, also for callers. */
const SOON = { retryInMs: 1_000, callerWaitMs: 1_000 }
/** A lease that expires at once, and no memory of refusals. */
const NONE = { mayOpen: true, leaseMs: 0, refusalMemoryMs: 0 }

let count = 0
/** Creates a shipment of "acme". Default: booked. */
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
/** Moves the beginning of an attempt into the past. */
const aged = (shipmentId: string, milliseconds: number) =>
  sql`UPDATE cancel_attempt SET begun_at = begun_at - ${milliseconds} * interval '1 ms'
    WHERE shipment_id = ${shipmentId}`.execute(clone.db)
const setState = (shipmentId: string, state: ShipmentState) =>
  clone.db.updateTable('shipment').set({ state }).where('shipment_id', '=', shipmentId).execute()
const stateOf = async (shipmentId: string) => (await one.find('acme', shipmentId))?.state

describe('a statement that begins and is delayed on its way', () => {
  /** A process that makes its statements `delayMs` before they reach the database. */
  async function delayedProcess() {
    let delayMs = 0
    const store = shipmentStore(clone.db, 'delayed', () => performance.now() - delayMs)
    // The first result tells the process the time of the database.
    await store.beginCancellation('acme', await newShipment(), { ...NONE, mayOpen: false })
    return { store, delay: (ms: number) => (delayMs = ms) }
  }
  const LATE_MS = BEGIN_VALID_MS + 100

  test.each<[string, Parameters<typeof insertShipment>[2]]>([
    ['cancels no draft', DRAFT],
    ['records no request for a draft that is being booked', { ...DRAFT, booking_until: new Date() }],
    ['opens no attempt', {}],
  ])('%s', async (_name, columns) => {
    const id = await newShipment(columns)
    const before = await one.find('acme', id)
    const { store, delay } = await delayedProcess()
    delay(LATE_MS)
    await expect(store.beginCancellation('acme', id, LONG)).rejects.toBeInstanceOf(NotExecuted)
    expect(await one.find('acme', id)).toEqual(before)
    expect(await attemptsOf(id)).toEqual([])
  })

  test('takes no attempt over', async () => {
    const id = await newShipment()
    await ticketFor(one, id, NONE)
    const before = await attemptsOf(id)
    const { store, delay } = await delayedProcess()
    delay(LATE_MS)
    await expect(store.beginCancellation('acme', id, NONE)).rejects.toBeInstanceOf(NotExecuted)
    expect(await attemptsOf(id)).toEqual(before)
  })

  test('does not cancel a shipment that another process was refused in the meantime', async () => {
    const id = await newShipment()
    const terms = { ...LONG, refusalMemoryMs: CANCEL_POLICY.refusalMemoryMs }
    const { store, delay } = await delayedProcess()
    await one.refuseCancellation(await ticketFor(one, id, terms), TOO_LATE, 'X1', undefined)
    // The refusal is no longer remembered when the statement arrives.
    await sql`UPDATE shipment SET cancel_refused_at = cancel_refused_at - interval '31 s'
      WHERE shipment_id = ${id}`.execute(clone.db)
    delay(40_000)
    await expect(store.beginCancellation('acme', id, terms)).rejects.toBeInstanceOf(NotExecuted)
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'refused' }])
  })

  test('does nothing if it has waited for the lock for too long', async () => {
    const id = await newShipment()
    const { store, delay } = await delayedProcess()
    delay(BEGIN_VALID_MS - 100)
    let begun: Promise<unknown> | undefined
    await whileLocked(clone.db, id, async () => {
      begun = store.beginCancellation('acme', id, LONG).catch((error) => error)
      await new Promise((resolve) => setTimeout(resolve, 300))
    })
    expect(await begun).toBeInstanceOf(NotExecuted)
    expect(await attemptsOf(id)).toEqual([])
  })

  test('is repeated with the time that the late one has found', async () => {
    const id = await newShipment()
    const { store, delay } = await delayedProcess()
    delay(LATE_MS)
    await expect(store.beginCancellation('acme', id, LONG)).rejects.toBeInstanceOf(NotExecuted)
    expect((await store.beginCancellation('acme', id, LONG))?.ticket).toBeDefined()
  })

  test('is valid for a shorter time than refusals are remembered, less the longest wait for a lock', () => {
    const STATEMENT_TIMEOUT_MS = 3_000
    expect(CANCEL_POLICY.refusalMemoryMs).toBeGreaterThan(BEGIN_VALID_MS + STATEMENT_TIMEOUT_MS)
  })
})

describe('beginCancellation', () => {
  test('cancels a draft at once, with an event and without an attempt', async () => {
    const id = await newShipment(DRAFT)
    expect(await one.beginCancellation('acme', id, LONG)).toEqual({
      state: 'cancelled',
      draftCancelled: true,
      cancelledBy: 'draft',
    })
    expect(await one.beginCancellation('acme', id, LONG)).toEqual({
      state: 'cancelled',
      draftCancelled: false,
      cancelledBy: 'draft',
    })
    expect(await one.find('acme', id)).toMatchObject({ state: 'cancelled', cancelledAt: expect.any(String) })
    expect(await attemptsOf(id)).toEqual([])
    expect(await eventsOf(id)).toEqual([{ from_state: 'draft', to_state: 'cancelled', attempt_id: null }])
  })

  test('returns the draft that it cancels, if it is asked to', async () => {
    const terms = { ...LONG, withShipment: true }
    const drafts = [DRAFT, { ...DRAFT, reference: 'ref "1"', from_zipcode: '1000', from_city: 'Łódź' }]
    for (const draft of drafts) {
      const id = await newShipment(draft)
      expect(await one.beginCancellation('acme', id, terms)).toEqual({
        ...{ state: 'cancelled', draftCancelled: true, cancelledBy: 'draft' },
        shipment: await one.find('acme', id),
      })
      expect(await one.beginCancellation('acme', id, terms)).toEqual({
        ...{ state: 'cancelled', draftCancelled: false, cancelledBy: 'draft' },
      })
    }
    const booked = await newShipment()
    expect(await one.beginCancellation('acme', booked, terms)).not.toHaveProperty('shipment')
    expect(await one.beginCancellation('other', await newShipment(DRAFT), terms)).toBeUndefined()
  })

  test('records the request for a draft whose booking is running, and changes nothing else', async () => {
    for (const leaseMs of [600_000, 0]) {
      const id = await newShipment(DRAFT)
      await one.beginBooking('acme', id, { mayOpen: true, leaseMs: leaseMs })
      const row = () =>
        clone.db.selectFrom('shipment').selectAll().where('shipment_id', '=', id).executeTakeFirstOrThrow()
      const before = await row()
      expect(before.cancel_requested_at).toBeNull()
      expect(await two.beginCancellation('acme', id, LONG)).toEqual({ state: 'draft', draftCancelled: false })
      const after = await row()
      expect(after).toEqual({ ...before, cancel_requested_at: expect.any(Date) })
      // A repeat changes nothing.
      expect(await one.beginCancellation('acme', id, LONG)).toEqual({ state: 'draft', draftCancelled: false })
      expect(await row()).toEqual(after)
      expect(await two.cancelProgress('acme', id, MEMORY_MS)).toEqual({ state: 'draft', attempt: 'working' })
      expect([await attemptsOf(id), await eventsOf(id)]).toEqual([[], []])
    }
  })

  test('records no request for the draft of another account', async () => {
    const id = await newShipment({ ...DRAFT, account_id: 'other' })
    await one.beginBooking('other', id, { mayOpen: true, leaseMs: 600_000 })
    expect(await one.beginCancellation('acme', id, LONG)).toBeUndefined()
    expect(await one.cancelProgress('acme', id, MEMORY_MS)).toBeUndefined()
    const wish = clone.db.selectFrom('shipment').select('cancel_requested_at').where('shipment_id', '=', id)
    expect(await wish.execute()).toEqual([{ cancel_requested_at: null }])
  })

  test('reports no running work for a draft that is not being booked', async () => {
    const id = await newShipment(DRAFT)
    expect(await one.cancelProgress('acme', id, MEMORY_MS)).toEqual({ state: 'draft', attempt: 'none' })
  })

  test('opens an attempt for a booked shipment; a second caller gets none', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(ticket).toEqual({
      ...{ attemptId: expect.any(String), shipmentId: id, accountId: 'acme', carrierCode: 'rondeel' },
      ...{ carrierRef: `SBX-OK-${id}`, fence: 1, sends: 1, ageMs: expect.any(Number) },
      bookedAt: expect.stringMatching(/^\d{4}-/),
    })
    expect(ticket.ageMs).toBeGreaterThanOrEqual(0)
    expect(await two.beginCancellation('acme', id, LONG)).toEqual({
      state: 'booked',
      draftCancelled: false,
    })
    expect(await two.cancelProgress('acme', id, MEMORY_MS)).toMatchObject({
      state: 'booked',
      attempt: 'working',
    })
    expect(await attemptsOf(id)).toMatchObject([{ fence: 1, sends: 1, lease_owner: 'one' }])
  })

  test('takes over an expired lease with the same idempotency key', async () => {
    const id = await newShipment()
    const first = await ticketFor(one, id, NONE)
    await aged(id, 90_000)
    const progress = await two.cancelProgress('acme', id, MEMORY_MS)
    expect(progress).toMatchObject({ attempt: 'waiting', dueInMs: expect.any(Number) })
    expect(progress?.dueInMs).toBeLessThanOrEqual(0)
    const second = await ticketFor(two, id)
    expect(second).toEqual({ ...first, fence: 2, sends: 2, ageMs: expect.any(Number) })
    expect(second.ageMs).toBeGreaterThanOrEqual(90_000)
    expect(await attemptsOf(id)).toMatchObject([{ lease_owner: 'two' }])
  })

  test('does not change a shipment in transit', async () => {
    const id = await newShipment({ state: 'in_transit' })
    expect(await one.beginCancellation('acme', id, LONG)).toMatchObject({ state: 'in_transit' })
    expect(await attemptsOf(id)).toEqual([])
  })

  test('does not find or change the shipment of another account', async () => {
    const id = await newShipment({ ...DRAFT, account_id: 'other' })
    expect(await one.beginCancellation('acme', id, LONG)).toBeUndefined()
    expect(await one.cancelProgress('acme', id, MEMORY_MS)).toBeUndefined()
    expect((await one.find('other', id))?.state).toBe('draft')
  })

  test.each([
    '',
    'a\u0000b',
    'x'.repeat(100_000),
    "' or true --",
  ])('does not find an impossible id', async (id) => {
    expect(await one.beginCancellation('acme', id, LONG)).toBeUndefined()
    expect(await one.cancelProgress('acme', id, MEMORY_MS)).toBeUndefined()
  })
})

describe('acceptCancellation', () => {
  test('cancels once, however often it is called', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(await one.acceptCancellation(ticket, 'carrier')).toBe('cancelled')
    expect(await one.acceptCancellation(ticket, 'carrier')).toBe('cancelled')
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'accepted', anomaly: null, lease_owner: null }])
    expect(await eventsOf(id)).toEqual([
      { from_state: 'booked', to_state: 'cancelled', attempt_id: ticket.attemptId },
    ])
    expect(await two.cancelProgress('acme', id, MEMORY_MS)).toEqual({
      ...{ state: 'cancelled', attempt: 'none', cancelledBy: 'carrier' },
    })
  })

  test.each([
    'carrier',
    'release',
  ] as const)('records that the shipment was cancelled by %s', async (cancelledBy) => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    await one.acceptCancellation(ticket, cancelledBy)
    // A second call does not change it.
    await one.acceptCancellation(ticket, cancelledBy === 'carrier' ? 'release' : 'carrier')
    expect(await two.beginCancellation('acme', id, LONG)).toEqual({
      ...{ state: 'cancelled', draftCancelled: false, cancelledBy },
    })
  })

  test.each([
    ['the carrier, if there is a tracking number', `SBX-OK-OLD`, 'carrier'],
    ['Waybill, if there is none', null, 'draft'],
  ])('is not needed to find out who cancelled a shipment without `cancelled_by`: %s', async (_name, carrier_ref, cancelledBy) => {
    const id = await newShipment({ state: 'cancelled', cancelled_at: new Date(), carrier_ref })
    expect(await one.beginCancellation('acme', id, LONG)).toMatchObject({ cancelledBy })
    expect(await one.cancelProgress('acme', id, MEMORY_MS)).toMatchObject({ cancelledBy })
  })

  test('does not need the current fence, and overrides a refusal', async () => {
    const id = await newShipment()
    const first = await ticketFor(one, id, NONE)
    const second = await ticketFor(two, id)
    expect(await two.refuseCancellation(second, TOO_LATE, 'X1', 60_000)).toBe('booked')
    expect(await one.acceptCancellation(first, 'carrier')).toBe('cancelled')
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'accepted', reason: 'too late', verify_at: null }])
    expect(await two.beginCancellation('acme', id, LONG)).toMatchObject({ state: 'cancelled' })
  })

  test('leaves a shipment that was scanned in transit, and records an anomaly', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    await setState(id, 'in_transit')
    expect(await one.acceptCancellation(ticket, 'carrier')).toBe('in_transit')
    expect(await attemptsOf(id)).toMatchObject([
      { phase: 'accepted', anomaly: 'carrier accepted, shipment in transit' },
    ])
    expect(await eventsOf(id)).toEqual([])
  })

  test('throws for an attempt that does not exist', async () => {
    const ticket = { ...(await ticketFor(one, await newShipment())), shipmentId: 'none' }
    await expect(one.acceptCancellation(ticket, 'carrier')).rejects.toThrow('does not exist')
  })
})

describe('refuseCancellation', () => {
  test('is remembered on the shipment for a while; after that a new attempt can begin', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(await one.refuseCancellation(ticket, TOO_LATE, 'X1', 60_000)).toBe('booked')
    expect(await one.refuseCancellation(ticket, TOO_LATE, 'X1', 60_000)).toBeUndefined()
    // Sent once, so no verification is scheduled, although the call gives a time for one.
    expect(await attemptsOf(id)).toMatchObject([
      {
        ...{ phase: 'refused', reason: 'too late', refusal_code: 'WINDOW_CLOSED' },
        ...{ carrier_refusal_code: 'X1', verify_at: null, lease_owner: null },
      },
    ])
    expect(await two.beginCancellation('acme', id, LONG)).toEqual({
      state: 'booked',
      draftCancelled: false,
      recentRefusal: TOO_LATE,
    })
    expect(await two.cancelProgress('acme', id, MEMORY_MS)).toEqual({
      state: 'booked',
      attempt: 'none',
      recentRefusal: TOO_LATE,
    })
    // A refusal that is older than the memory is not returned.
    expect(await two.cancelProgress('acme', id, 0)).toEqual({ state: 'booked', attempt: 'none' })
    const again = await ticketFor(two, id, { ...LONG, refusalMemoryMs: 0 })
    expect(again).toMatchObject({ fence: 1, sends: 1 })
    expect(again.attemptId).not.toBe(ticket.attemptId)
  })

  test('has no effect with an older fence', async () => {
    const id = await newShipment()
    const stale = await ticketFor(one, id, NONE)
    await ticketFor(two, id)
    expect(await one.refuseCancellation(stale, TOO_LATE, 'X1', 60_000)).toBeUndefined()
    expect(await one.releaseCancellation(stale, { cause: 'HTTP 503', times: SOON })).toBeUndefined()
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'pending', lease_owner: 'two', reason: null }])
    expect(await two.cancelProgress('acme', id, MEMORY_MS)).not.toHaveProperty('recentRefusal')
  })

  test('after an ambiguous send schedules a verification', async () => {
    const id = await newShipment()
    await ticketFor(one, id, NONE)
    const refusal = { code: 'UNKNOWN_PARCEL', reason: 'not found' } as const
    await one.refuseCancellation(await ticketFor(one, id), refusal, 'X2', 60_000)
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'refused', verify_at: expect.any(Date) }])
  })

  test('after a lookup confirmed the refusal schedules no verification', async () => {
    const id = await newShipment()
    await ticketFor(one, id, NONE)
    await one.refuseCancellation(await ticketFor(one, id), TOO_LATE, 'X1', undefined)
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'refused', sends: 2, verify_at: null }])
  })

  test.each([
    ['SCANNED', true],
    ['WINDOW_CLOSED', false],
  ] as const)('with the code %s makes the next lookup due at once: %s', async (code, isDue) => {
    const id = await newShipment({ next_track_at: new Date(Date.now() + 3_600_000) })
    await one.refuseCancellation(await ticketFor(one, id), { code, reason: 'no' }, 'X1', undefined)
    const { rows } = await sql<{ due: boolean }>`
      SELECT next_track_at <= clock_timestamp() AS due FROM shipment WHERE shipment_id = ${id}`.execute(
      clone.db,
    )
    expect(rows).toEqual([{ due: isDue }])
  })

  test('returns "in transit" for a shipment that was scanned in the meantime', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    await setState(id, 'in_transit')
    expect(await one.refuseCancellation(ticket, TOO_LATE, 'X1', undefined)).toBe('in_transit')
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'refused', anomaly: null }])
  })

  test('never undoes an acceptance', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    await one.acceptCancellation(ticket, 'carrier')
    expect(await one.refuseCancellation(ticket, TOO_LATE, 'X1', 60_000)).toBeUndefined()
    expect(await stateOf(id)).toBe('cancelled')
  })
})

describe('releaseCancellation', () => {
  test("frees the attempt for the sweeper at its due time, and for a caller after the caller's wait", async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    const times = { retryInMs: 60_000, callerWaitMs: 5_000 }
    expect(await one.releaseCancellation(ticket, { cause: 'HTTP 503', times: times })).toBe('booked')
    const [attempt] = await attemptsOf(id)
    expect(attempt).toMatchObject({ phase: 'pending', lease_owner: null, last_cause: 'HTTP 503', sends: 1 })
    const apartMs = Number(attempt?.next_try_at) - Number(attempt?.lease_until)
    expect(apartMs).toBeGreaterThanOrEqual(54_999)
    expect(apartMs).toBeLessThan(56_000)
    const progress = await two.cancelProgress('acme', id, MEMORY_MS)
    expect(progress?.attempt).toBe('waiting')
    expect(progress?.dueInMs).toBeGreaterThan(50_000)
    expect(progress?.dueInMs).toBeLessThanOrEqual(60_000)
    expect(await two.beginCancellation('acme', id, LONG)).not.toHaveProperty('ticket')
    await sql`UPDATE cancel_attempt SET lease_until = lease_until - interval '5 s'
      WHERE shipment_id = ${id}`.execute(clone.db)
    expect(await ticketFor(two, id)).toEqual({ ...ticket, fence: 2, sends: 2, ageMs: expect.any(Number) })
  })

  test('returns the state of a shipment that was scanned or cancelled in the meantime, and keeps the attempt', async () => {
    for (const [state, at] of [['in_transit'], ['cancelled', new Date()]] as const) {
      const id = await newShipment()
      const ticket = await ticketFor(one, id)
      await clone.db
        .updateTable('shipment')
        .set({ state, cancelled_at: at ?? null })
        .where('shipment_id', '=', id)
        .execute()
      expect(await one.releaseCancellation(ticket, { cause: 'HTTP 503', times: SOON })).toBe(state)
      expect(await attemptsOf(id)).toMatchObject([{ phase: 'pending', lease_owner: null, sends: 1 }])
    }
  })

  test('never undoes an acceptance', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    await one.acceptCancellation(ticket, 'carrier')
    expect(await one.releaseCancellation(ticket, { cause: 'HTTP 503', times: SOON })).toBeUndefined()
    expect(await attemptsOf(id)).toMatchObject([{ phase: 'accepted', last_cause: null }])
  })

  test('at shutdown releases every lease of this process and none of another', async () => {
    const ids = [await newShipment(), await newShipment()]
    const foreign = await newShipment()
    const leaving = shipmentStore(clone.db, 'leaving')
    for (const id of ids) await ticketFor(leaving, id)
    await ticketFor(two, foreign)
    expect(await leaving.releaseLeases()).toBe(2)
    expect(await leaving.releaseLeases()).toBe(0)
    for (const id of ids) expect(await ticketFor(two, id)).toMatchObject({ fence: 2, sends: 2 })
    expect(await attemptsOf(foreign)).toMatchObject([{ lease_owner: 'two', fence: 1 }])
  })
})

describe('releaseCancellation of a ticket that was not sent', () => {
  const UNSENT = { cause: 'left alone', times: SOON, unsent: true }

  test('keeps an attempt that was never sent, and does not count this send', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(
      await one.releaseCancellation(ticket, { ...UNSENT, times: { retryInMs: 0, callerWaitMs: 0 } }),
    ).toBe('booked')
    expect(await attemptsOf(id)).toMatchObject([
      { phase: 'pending', sends: 0, fence: 1, lease_owner: null, last_cause: 'left alone' },
    ])
    expect(await ticketFor(two, id)).toMatchObject({ attemptId: ticket.attemptId, sends: 1, fence: 2 })
  })

  test('is not counted off a second time, or with an older fence', async () => {
    const id = await newShipment()
    const first = await ticketFor(one, id, NONE)
    const ticket = await ticketFor(one, id)
    expect(await one.releaseCancellation(first, UNSENT)).toBeUndefined()
    for (const _ of ['first', 'second']) expect(await one.releaseCancellation(ticket, UNSENT)).toBe('booked')
    expect(await attemptsOf(id)).toMatchObject([{ sends: 1, lease_owner: null }])
  })
})

describe('a refusal in doubt', () => {
  const REFUSAL = {
    kind: 'refused',
    reason: 'UNKNOWN_PARCEL',
    code: 'X9',
    message: 'No such parcel',
  } as const
  const DOUBTED = { cause: 'in doubt', times: { retryInMs: 0, callerWaitMs: 0 }, doubt: REFUSAL }

  test('is part of later tickets, which count no send', async () => {
    const id = await newShipment()
    await ticketFor(one, id, NONE)
    await one.releaseCancellation(await ticketFor(one, id), DOUBTED)
    const ticket = await ticketFor(two, id)
    expect(ticket).toMatchObject({
      sends: 2,
      fence: 3,
      doubt: { refusal: REFUSAL, ageMs: expect.any(Number) },
    })
    await two.releaseCancellation(ticket, { cause: 'HTTP 503', times: DOUBTED.times })
    expect(await ticketFor(one, id)).toMatchObject({ sends: 2, fence: 4, doubt: { refusal: REFUSAL } })
  })

  test('keeps its first text and time', async () => {
    const id = await newShipment()
    await one.releaseCancellation(await ticketFor(one, id), DOUBTED)
    await sql`UPDATE cancel_attempt SET doubted_at = doubted_at - interval '1 h'
      WHERE shipment_id = ${id}`.execute(clone.db)
    const ticket = await ticketFor(one, id)
    await one.releaseCancellation(ticket, { ...DOUBTED, doubt: { ...REFUSAL, code: 'X10' } })
    const { doubt } = await ticketFor(one, id)
    expect(doubt?.refusal.code).toBe('X9')
    expect(doubt?.ageMs).toBeGreaterThanOrEqual(3_600_000)
  })
})

describe('beginning without permission to open an attempt', () => {
  const CHECK = { ...LONG, mayOpen: false }

  test('cancels a draft', async () => {
    const id = await newShipment(DRAFT)
    expect(await one.beginCancellation('acme', id, CHECK)).toMatchObject({ draftCancelled: true })
    expect(await stateOf(id)).toBe('cancelled')
  })

  test('reports a booked shipment as cancellable, and records nothing', async () => {
    const id = await newShipment()
    expect(await one.beginCancellation('acme', id, CHECK)).toEqual({
      ...{ state: 'booked', draftCancelled: false },
      cancellable: {
        ...{ accountId: 'acme', carrierCode: 'rondeel', carrierRef: expect.any(String) },
        attemptIsOpen: false,
      },
    })
    expect(await attemptsOf(id)).toEqual([])
  })

  test('reports an attempt whose lease is free, and leaves it', async () => {
    const id = await newShipment()
    await ticketFor(one, id, NONE)
    expect(await two.beginCancellation('acme', id, CHECK)).toMatchObject({
      cancellable: { attemptIsOpen: true },
    })
    expect(await attemptsOf(id)).toMatchObject([{ fence: 1, sends: 1, lease_owner: 'one' }])
  })

  test('reports nothing to ask while another process holds the lease, or a refusal is remembered', async () => {
    const id = await newShipment()
    const ticket = await ticketFor(one, id)
    expect(await two.beginCancellation('acme', id, CHECK)).not.toHaveProperty('cancellable')
    await one.refuseCancellation(ticket, TOO_LATE, 'X1', undefined)
    const begun = await two.beginCancellation('acme', id, CHECK)
    expect(begun).toMatchObject({ recentRefusal: TOO_LATE })
    expect(begun).not.toHaveProperty('cancellable')
  })
})

describe('the database schema', () => {
  const insertAttempt = (shipment_id: string) =>
    clone.db
      .insertInto('cancel_attempt')
      .values({
        shipment_id,
        account_id: 'acme',
        carrier_code: 'rondeel',
        lease_until: new Date(),
        next_try_at: new Date(),
      })
      .execute()
  const insertCancelled = (shipment_id: string) =>
    clone.db
      .insertInto('shipment_event')
      .values({ account_id: 'acme', shipment_id, to_state: 'cancelled' })
      .execute()

  test('allows one open attempt and one cancelled event per shipment', async () => {
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
    ['booked, with the party that cancelled it', { cancelled_by: 'carrier' as const }],
    ['booked, with a running booking', { booking_until: new Date() }],
    ['a draft with a requested cancellation but no booking', { ...DRAFT, cancel_requested_at: new Date() }],
    ['booked, with a cancellation requested during its booking', { cancel_requested_at: new Date() }],
    [
      'cancelled, with a cancellation requested during its booking',
      {
        ...{ state: 'cancelled' as const, carrier_ref: null, cancelled_at: new Date() },
        ...{ booking_until: new Date(), cancel_requested_at: new Date() },
      },
    ],
  ])('refuses a shipment that is %s', async (_name, overrides) => {
    await expect(newShipment(overrides)).rejects.toMatchObject({ code: '23514' })
  })
})
