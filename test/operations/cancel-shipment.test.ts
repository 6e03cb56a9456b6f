/** Cancelling, by the protocol: who asks the carrier, who waits, and what everyone is told. */
import { describe, expect, test } from 'vitest'
import type { CarrierCancelAnswer } from '../../src/core/shipments/cancellation.ts'
import { cancelShipment } from '../../src/operations/cancel-shipment.ts'
import { answers, aShipment, held, shipmentWorld } from './shipment-world.ts'

const ACME = { accountId: 'acme' }
const NOW: CarrierCancelAnswer = { kind: 'cancelled', how: 'now' }
const REFUSED: CarrierCancelAnswer = {
  kind: 'refused',
  reason: 'WINDOW_CLOSED',
  code: 'X1',
  message: 'Too late for that',
}
const UNKNOWN: CarrierCancelAnswer = { kind: 'unknown', cause: 'HTTP 503' }
const PENDING_TEXT = 'The carrier has not confirmed yet; repeat the same request'

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('one caller', () => {
  test('a wrong id and the shipment of another account end alike', async () => {
    const world = shipmentWorld([aShipment({ accountId: 'other' })], answers(NOW))
    const ports = world.process()
    const wrong = await cancelShipment(ports, ACME, 'shp_none', world.terms)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toEqual(wrong)
    expect(wrong).toEqual({
      kind: 'ShipmentNotFound',
      code: 'NOT_FOUND',
      message: 'Shipment not found',
      retryable: false,
    })
    expect(world.asked).toEqual([])
  })

  test('a draft is cancelled here and no carrier hears of it', async () => {
    const { carrierRef: _, ...draft } = aShipment({ state: 'draft' })
    const world = shipmentWorld([draft], answers(NOW))
    const ports = world.process()
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toMatchObject({
      kind: 'ShipmentCancelled',
      alreadyCancelled: false,
      carrierNotified: false,
    })
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toMatchObject({
      kind: 'ShipmentCancelled',
      alreadyCancelled: true,
      carrierNotified: false,
    })
    expect(world.asked).toEqual([])
  })

  test.each([
    'now',
    'already',
    'accepted',
  ] as const)('a carrier that says "%s" has cancelled', async (how) => {
    const world = shipmentWorld([aShipment()], answers({ kind: 'cancelled', how }))
    const ports = world.process()
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toMatchObject({
      kind: 'ShipmentCancelled',
      alreadyCancelled: false,
      carrierNotified: true,
    })
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toMatchObject({
      alreadyCancelled: true,
    })
    expect(world.asked).toHaveLength(1)
  })

  test('a shipment in transit stays so, and the carrier is not asked', async () => {
    const world = shipmentWorld([aShipment({ state: 'in_transit' })], answers(NOW))
    expect(await cancelShipment(world.process(), ACME, 'shp_1', world.terms)).toEqual({
      kind: 'ShipmentNotCancelled',
      shipmentId: 'shp_1',
      code: 'ALREADY_IN_TRANSIT',
      message: 'The shipment is already in transit and cannot be cancelled',
      retryable: false,
    })
    expect(world.asked).toEqual([])
  })

  test('a refusal gives the reason of the carrier and is remembered for 30 seconds', async () => {
    const world = shipmentWorld([aShipment()], answers(REFUSED))
    const ports = world.process()
    const refused = await cancelShipment(ports, ACME, 'shp_1', world.terms)
    expect(refused).toMatchObject({
      kind: 'ShipmentNotCancelled',
      code: 'CARRIER_REFUSED',
      message: expect.stringContaining('Too late for that'),
      carrierReason: 'Too late for that',
    })
    world.pass(29_999)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toEqual(refused)
    expect(world.asked).toHaveLength(1)
    world.pass(1)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toEqual(refused)
    expect(world.asked.map(({ attemptId }) => attemptId)).toEqual(['attempt-1', 'attempt-2'])
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
  })

  test('a doubt is pending, and repeating asks again under the same key', async () => {
    const world = shipmentWorld([aShipment()], answers(UNKNOWN, UNKNOWN, NOW))
    const ports = world.process()
    const pending = await cancelShipment(ports, ACME, 'shp_1', world.terms)
    expect(pending).toEqual({
      kind: 'CancellationPending',
      shipmentId: 'shp_1',
      code: 'CARRIER_UNREACHABLE',
      message: PENDING_TEXT,
      retryable: true,
    })
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
    expect(world.attempts).toMatchObject([{ phase: 'pending', retryAt: 1_000 }])
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toEqual(pending)
    expect(world.attempts).toMatchObject([{ phase: 'pending', retryAt: 2_000 }])
    expect(await cancelShipment(ports, ACME, 'shp_1', world.terms)).toMatchObject({
      kind: 'ShipmentCancelled',
    })
    expect(world.asked.map(({ attemptId, sends }) => [attemptId, sends])).toEqual([
      ['attempt-1', 1],
      ['attempt-1', 2],
      ['attempt-1', 3],
    ])
  })

  test('a shipment scanned while the carrier accepted stays in transit', async () => {
    const { carrier, answer } = held()
    const world = shipmentWorld([aShipment()], carrier)
    const outcome = cancelShipment(world.process(), ACME, 'shp_1', world.terms)
    await settled()
    const shipment = world.shipments.get('shp_1')
    if (shipment !== undefined) shipment.state = 'in_transit'
    answer(NOW)
    expect(await outcome).toMatchObject({ kind: 'ShipmentNotCancelled', code: 'ALREADY_IN_TRANSIT' })
    expect(world.shipments.get('shp_1')?.state).toBe('in_transit')
  })
})

describe('many callers at once', () => {
  test.each([
    ['cancelled', NOW],
    ['refused', REFUSED],
    ['unknown', UNKNOWN],
  ])('in one process ask the carrier once and all get the same end: %s', async (_name, carrierAnswer) => {
    const { carrier, answer } = held()
    const world = shipmentWorld([aShipment()], carrier)
    const ports = world.process()
    const { beginCancellation } = ports.shipments
    let begun = 0
    ports.shipments.beginCancellation = (...given) => {
      begun += 1
      return beginCancellation(...given)
    }
    const outcomes = Array.from({ length: 20 }, () => cancelShipment(ports, ACME, 'shp_1', world.terms))
    await settled()
    answer(carrierAnswer)
    const [first, ...others] = await Promise.all(outcomes)
    expect([begun, world.asked.length]).toEqual([1, 1])
    for (const other of others) expect(other).toEqual(first)
  })

  test.each([
    ['cancelled', NOW],
    ['refused', REFUSED],
    ['unknown', UNKNOWN],
  ])('in two processes as well: %s', async (_name, carrierAnswer) => {
    const { carrier, answer } = held()
    const world = shipmentWorld([aShipment()], carrier)
    const leader = cancelShipment(world.process(), ACME, 'shp_1', world.terms)
    await settled()
    const follower = cancelShipment(world.process(), ACME, 'shp_1', world.terms)
    await settled()
    answer(carrierAnswer)
    expect(await follower).toEqual(await leader)
    expect(world.asked).toHaveLength(1)
  })

  test('of two accounts do not share an answer', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    const [own, foreign] = await Promise.all([
      cancelShipment(ports, ACME, 'shp_1', world.terms),
      cancelShipment(ports, { accountId: 'other' }, 'shp_1', world.terms),
    ])
    expect(own.kind).toBe('ShipmentCancelled')
    expect(foreign.kind).toBe('ShipmentNotFound')
  })

  test('a follower whose leader died is pending, at the end of the lease or of its own 12 seconds', async () => {
    const dead = () => new Promise<CarrierCancelAnswer>(() => {})
    for (const leaseMs of [5_000, 60_000]) {
      const world = shipmentWorld([aShipment()], dead)
      const terms = { ...world.terms, leaseMs }
      void cancelShipment(world.process(), ACME, 'shp_1', terms)
      await settled()
      const follower = world.process()
      expect(await cancelShipment(follower, ACME, 'shp_1', terms)).toMatchObject({
        kind: 'CancellationPending',
      })
      const waitedMs = follower.clock().getTime()
      expect(waitedMs).toBeGreaterThanOrEqual(Math.min(leaseMs, 12_000))
      expect(waitedMs).toBeLessThan(Math.min(leaseMs, 12_000) + 200)
      expect(world.asked).toHaveLength(1)
    }
  })

  test('a clock that stands still does not keep a follower for ever', async () => {
    const world = shipmentWorld([aShipment()], () => new Promise(() => {}))
    let pausedMs = 0
    const pause = async (milliseconds: number) => {
      pausedMs += milliseconds
    }
    void cancelShipment(world.process(), ACME, 'shp_1', world.terms)
    await settled()
    const outcome = await cancelShipment(world.process(), ACME, 'shp_1', { ...world.terms, pause })
    expect(outcome.kind).toBe('CancellationPending')
    expect(pausedMs).toBeLessThan(12_200)
  })
})

describe('after a take-over', () => {
  test('the late refusal of the first is void, and it reports what the second achieved', async () => {
    const first = held()
    const carriers = [first.carrier, answers(NOW)]
    const world = shipmentWorld([aShipment()], () => carriers.shift()?.() ?? Promise.resolve(UNKNOWN))
    const late = cancelShipment(world.process(), ACME, 'shp_1', world.terms)
    await settled()
    world.pass(world.terms.leaseMs)
    const second = await cancelShipment(world.process(), ACME, 'shp_1', world.terms)
    first.answer(REFUSED)
    expect(await late).toEqual(second)
    expect(second.kind).toBe('ShipmentCancelled')
    expect(world.asked.map(({ attemptId }) => attemptId)).toEqual(['attempt-1', 'attempt-1'])
  })

  test('the late acceptance of the first wins over the refusal of the second', async () => {
    const first = held()
    const carriers = [first.carrier, answers(REFUSED)]
    const world = shipmentWorld([aShipment()], () => carriers.shift()?.() ?? Promise.resolve(UNKNOWN))
    const late = cancelShipment(world.process(), ACME, 'shp_1', world.terms)
    await settled()
    world.pass(world.terms.leaseMs)
    expect(await cancelShipment(world.process(), ACME, 'shp_1', world.terms)).toMatchObject({
      code: 'CARRIER_REFUSED',
    })
    first.answer(NOW)
    expect(await late).toMatchObject({ kind: 'ShipmentCancelled' })
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
  })
})
