/** Concurrent cancellations of a shipment, in one process and in several: one calls the carrier, the others follow. */
import { describe, expect, test } from 'vitest'
import type { CarrierCancelAnswer } from '../../../src/core/shipments/cancellation.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import { answers, aShipment, type CarrierReply, delayedAnswer, shipmentWorld } from '../shipment-world.ts'

const ACME = { accountId: 'acme' }
const NOW: CarrierReply = { kind: 'cancelled', how: 'now' }
const REFUSED: CarrierReply = {
  kind: 'refused',
  reason: 'WINDOW_CLOSED',
  code: 'X1',
  message: 'Too late for that',
}
const UNKNOWN: CarrierReply = { kind: 'unknown', cause: 'HTTP 503' }
const UNSENT: CarrierReply = { kind: 'not_sent', cause: 'this carrier is not configured' }

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('many callers at once', () => {
  test.each([
    ['cancelled', NOW],
    ['refused', REFUSED],
    ['unknown', UNKNOWN],
    ['not sent', UNSENT],
  ])('in one process call the carrier once and all get the same outcome: %s', async (_name, carrierAnswer) => {
    const { carrier, answer } = delayedAnswer()
    const world = shipmentWorld([aShipment()], carrier)
    const ports = world.process()
    const { beginCancellation } = ports.shipments
    let begun = 0
    ports.shipments.beginCancellation = (...given) => {
      if (given[2].mayOpen) begun += 1
      return beginCancellation(...given)
    }
    const outcomes = Array.from({ length: 20 }, () => cancelShipment(ports, ACME, 'shp_1', world.policy))
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
    ['not sent', UNSENT],
  ])('in two processes call the carrier once as well: %s', async (_name, carrierAnswer) => {
    const { carrier, answer } = delayedAnswer()
    const world = shipmentWorld([aShipment()], carrier)
    const leader = cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    await settled()
    const follower = cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    await settled()
    answer(carrierAnswer)
    expect(await follower).toEqual(await leader)
    expect(world.asked).toHaveLength(1)
  })

  test('of two accounts do not share an answer', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    const [mine, foreign] = await Promise.all([
      cancelShipment(ports, ACME, 'shp_1', world.policy),
      cancelShipment(ports, { accountId: 'other' }, 'shp_1', world.policy),
    ])
    expect(mine.kind).toBe('ShipmentCancelled')
    expect(foreign.kind).toBe('ShipmentNotFound')
  })

  test('as followers of a dead leader wait 12 seconds for a sweeper, whenever the lease expires', async () => {
    const dead = () => new Promise<CarrierCancelAnswer>(() => {})
    for (const leaseMs of [5_000, 60_000]) {
      const world = shipmentWorld([aShipment()], dead)
      const policy = { ...world.policy, leaseMs }
      void cancelShipment(world.process(), ACME, 'shp_1', policy)
      await settled()
      const follower = world.process()
      expect(await cancelShipment(follower, ACME, 'shp_1', policy)).toMatchObject({
        kind: 'CancellationPending',
      })
      const waitedMs = follower.clock().getTime()
      expect(waitedMs).toBeGreaterThanOrEqual(12_000)
      expect(waitedMs).toBeLessThan(12_200)
      expect(world.asked).toHaveLength(1)
    }
  })

  test('as followers of a dead leader return the result of the sweeper as soon as the lease has expired', async () => {
    const carriers = [() => new Promise<CarrierCancelAnswer>(() => {}), answers(NOW)]
    const world = shipmentWorld([aShipment()], () => carriers.shift()?.() ?? Promise.resolve(UNKNOWN))
    const policy = { ...world.policy, leaseMs: 5_000 }
    void cancelShipment(world.process(), ACME, 'shp_1', policy)
    await settled()
    const [follower, sweeper] = [world.process(), world.process()]
    const sleep = async (milliseconds: number) => {
      await follower.sleep(milliseconds)
      await sweep(sweeper, policy)
    }
    expect(await cancelShipment({ ...follower, sleep }, ACME, 'shp_1', policy)).toMatchObject({
      kind: 'ShipmentCancelled',
    })
    expect(follower.clock().getTime()).toBeGreaterThanOrEqual(5_000)
    expect(follower.clock().getTime()).toBeLessThan(5_500)
    expect(world.asked.map(({ attemptId, sends }) => [attemptId, sends])).toEqual([
      ['attempt-1', 1],
      ['attempt-1', 2],
    ])
  })

  test('as followers are pending at once if the attempt is due after their deadline', async () => {
    const world = shipmentWorld([aShipment()], answers(UNKNOWN))
    const ports = world.process()
    await cancelShipment(ports, ACME, 'shp_1', world.policy)
    const [attempt] = world.attempts
    Object.assign(attempt ?? {}, { leaseUntil: 5_000, retryAt: 20_000 })
    expect((await cancelShipment(ports, ACME, 'shp_1', world.policy)).kind).toBe('CancellationPending')
    expect(ports.clock().getTime()).toBe(0)
  })

  test('as followers do not wait forever if the clock stops', async () => {
    const world = shipmentWorld([aShipment()], () => new Promise(() => {}))
    let pausedMs = 0
    const sleep = async (milliseconds: number) => {
      pausedMs += milliseconds
    }
    void cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    await settled()
    const outcome = await cancelShipment({ ...world.process(), sleep }, ACME, 'shp_1', world.policy)
    expect(outcome.kind).toBe('CancellationPending')
    expect(pausedMs).toBeLessThan(12_200)
  })
})

describe('after a takeover', () => {
  test('a late refusal of the first holder is ignored, and it returns the result of the second', async () => {
    const first = delayedAnswer()
    const carriers = [first.carrier, answers(NOW)]
    const world = shipmentWorld([aShipment()], () => carriers.shift()?.() ?? Promise.resolve(UNKNOWN))
    const late = cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    await settled()
    world.pass(world.policy.leaseMs)
    const second = await cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    first.answer(REFUSED)
    expect(await late).toEqual(second)
    expect(second.kind).toBe('ShipmentCancelled')
    expect(world.asked.map(({ attemptId }) => attemptId)).toEqual(['attempt-1', 'attempt-1'])
  })

  test('a late acceptance of the first holder overrides the refusal of the second', async () => {
    const first = delayedAnswer()
    const carriers = [first.carrier, answers(REFUSED)]
    const world = shipmentWorld([aShipment()], () => carriers.shift()?.() ?? Promise.resolve(UNKNOWN))
    const late = cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    await settled()
    const second = world.process()
    world.pass(world.policy.leaseMs)
    expect(await cancelShipment(second, ACME, 'shp_1', world.policy)).toMatchObject({
      kind: 'CancellationPending',
    })
    world.pass(world.policy.trustRefusalAfterMs)
    expect(await cancelShipment(second, ACME, 'shp_1', world.policy)).toMatchObject({
      code: 'CARRIER_REFUSED',
    })
    // Lookups were inconclusive for a quarter of an hour, so a verification of that refusal is due later.
    expect(world.attempts).toMatchObject([{ phase: 'refused', verifyAt: expect.any(Number) }])
    first.answer(NOW)
    expect(await late).toMatchObject({ kind: 'ShipmentCancelled' })
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
    expect(world.attempts[0]).not.toHaveProperty('verifyAt')
  })

  test('an earlier refusal of the second holder is in doubt, and the late acceptance of the first settles it', async () => {
    const first = delayedAnswer()
    const carriers = [first.carrier, answers(REFUSED)]
    const world = shipmentWorld([aShipment()], () => carriers.shift()?.() ?? Promise.resolve(UNKNOWN))
    const late = cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    await settled()
    world.pass(world.policy.leaseMs)
    expect(await cancelShipment(world.process(), ACME, 'shp_1', world.policy)).toMatchObject({
      kind: 'CancellationPending',
    })
    expect(world.attempts).toMatchObject([{ phase: 'pending', sends: 2 }])
    first.answer(NOW)
    expect(await late).toMatchObject({ kind: 'ShipmentCancelled', carrierNotified: true })
    expect(world.attempts).toMatchObject([{ phase: 'accepted' }])
    expect(world.shipments.get('shp_1')).not.toHaveProperty('refusal')
  })
})
