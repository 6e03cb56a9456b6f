/** Cancelling while the database fails and during shutdown. */
import { describe, expect, test } from 'vitest'
import type { CarrierCancelAnswer } from '../../../src/core/shipments/cancellation.ts'
import { cancelShipment, settleBeforeShutdown } from '../../../src/operations/cancel-shipment.ts'
import { NotExecuted } from '../../../src/operations/ports/shipments.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import { answers, aShipment, delayedAnswer, shipmentWorld } from '../shipment-world.ts'

const ACME = { accountId: 'acme' }
const NOW: CarrierCancelAnswer = { kind: 'cancelled', how: 'now' }
const UNKNOWN: CarrierCancelAnswer = { kind: 'unknown', cause: 'HTTP 503' }

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a store that fails', () => {
  test('once before the carrier is called is retried, and the caller does not notice', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    const { beginCancellation } = ports.shipments
    let tries = 0
    ports.shipments.beginCancellation = async (...given) => {
      tries += 1
      if (tries === 1) throw new Error('connection lost')
      return beginCancellation(...given)
    }
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      ...{ kind: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: true },
    })
    // Two tries without permission to open an attempt, of which the first failed, and one with permission.
    expect([tries, world.asked.length, ports.faults]).toEqual([3, 1, []])
  })

  test('once after the attempt began is read again: the outcome is pending, and the sweeper calls the carrier', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    const { beginCancellation } = ports.shipments
    let failures = 1
    ports.shipments.beginCancellation = async (...given) => {
      const begun = await beginCancellation(...given)
      if (given[2].mayOpen && failures-- > 0) throw new Error('connection lost')
      return begun
    }
    expect((await cancelShipment(ports, ACME, 'shp_1', world.policy)).kind).toBe('CancellationPending')
    expect([world.asked, world.attempts.length]).toEqual([[], 1])
    world.pass(world.policy.leaseMs)
    await sweep(ports, world.policy)
    await ports.inFlight.drain()
    expect(world.asked.map(({ attemptId, sends }) => [attemptId, sends])).toEqual([['attempt-1', 2]])
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      ...{ kind: 'ShipmentCancelled', alreadyCancelled: true },
    })
  })

  test('once after a draft was cancelled is read again: the draft is cancelled', async () => {
    const { carrierRef: _, ...draft } = aShipment({ state: 'draft' })
    const world = shipmentWorld([draft], answers(NOW))
    const ports = world.process()
    const { beginCancellation } = ports.shipments
    let failures = 1
    ports.shipments.beginCancellation = async (...given) => {
      const begun = await beginCancellation(...given)
      if (failures-- > 0) throw new Error('connection lost')
      return begun
    }
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      ...{ kind: 'ShipmentCancelled', carrierNotified: false },
    })
  })

  test('during following leads to a pending outcome and a report', async () => {
    const { carrier, answer } = delayedAnswer()
    const world = shipmentWorld([aShipment()], carrier)
    const first = cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    const follower = world.process()
    follower.shipments.cancelProgress = () => Promise.reject(new Error('database down'))
    expect(await cancelShipment(follower, ACME, 'shp_1', world.policy)).toMatchObject({
      ...{ kind: 'CancellationPending', code: 'CARRIER_UNREACHABLE', retryable: true },
    })
    expect(follower.faults).toEqual([new Error('database down')])
    answer(NOW)
    expect(await first).toMatchObject({ kind: 'ShipmentCancelled' })
    expect(world.asked).toHaveLength(1)
  })

  test('twice before the carrier is called throws for all joined callers, and the next call starts again', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    const { beginCancellation } = ports.shipments
    let tries = 0
    ports.shipments.beginCancellation = () => {
      tries += 1
      return Promise.reject(new NotExecuted(new Error('database down')))
    }
    const outcomes = [1, 2].map(() => cancelShipment(ports, ACME, 'shp_1', world.policy))
    for (const outcome of outcomes) await expect(outcome).rejects.toThrow('database down')
    expect([world.asked, tries, ports.faults]).toEqual([[], 2, []])
    ports.shipments.beginCancellation = beginCancellation
    expect((await cancelShipment(ports, ACME, 'shp_1', world.policy)).kind).toBe('ShipmentCancelled')
  })

  test('after the carrier accepted is retried, even if the first write succeeded', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    const { acceptCancellation } = ports.shipments
    let failures = 2
    ports.shipments.acceptCancellation = async (...given) => {
      const state = await acceptCancellation(...given)
      if (failures-- > 0) throw new Error('connection lost')
      return state
    }
    expect((await cancelShipment(ports, ACME, 'shp_1', world.policy)).kind).toBe('ShipmentCancelled')
    expect(world.asked).toHaveLength(1)
  })

  test('permanently after the carrier accepted leads to a pending outcome and a report; a repeat finds the result', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW, { kind: 'cancelled', how: 'already' }))
    const ports = world.process()
    const { acceptCancellation } = ports.shipments
    ports.shipments.acceptCancellation = () => Promise.reject(new Error('database down'))
    expect((await cancelShipment(ports, ACME, 'shp_1', world.policy)).kind).toBe('CancellationPending')
    expect(ports.faults).toEqual([new Error('database down')])
    ports.shipments.acceptCancellation = acceptCancellation
    world.pass(world.policy.leaseMs)
    expect((await cancelShipment(ports, ACME, 'shp_1', world.policy)).kind).toBe('ShipmentCancelled')
    expect(world.asked.map(({ attemptId, sends }) => [attemptId, sends])).toEqual([
      ['attempt-1', 1],
      ['attempt-1', 2],
    ])
  })
})

describe('shutdown', () => {
  test('waits for a running carrier call and its settlement', async () => {
    const { carrier, answer } = delayedAnswer()
    const world = shipmentWorld([aShipment()], carrier)
    const ports = world.process()
    void cancelShipment(ports, ACME, 'shp_1', world.policy)
    const shutdown = settleBeforeShutdown(ports, 60_000)
    await settled()
    answer(NOW)
    await shutdown
    expect(world.attempts).toMatchObject([{ phase: 'accepted' }])
    await ports.inFlight.drain()
  })

  test('releases the leases of calls that take too long, so that other processes can take over', async () => {
    const first = delayedAnswer()
    const carriers = [first.carrier, answers(NOW)]
    const world = shipmentWorld([aShipment()], () => carriers.shift()?.() ?? Promise.resolve(UNKNOWN))
    const ports = world.process()
    void cancelShipment(ports, ACME, 'shp_1', world.policy)
    await settleBeforeShutdown(ports, 0)
    expect((await cancelShipment(world.process(), ACME, 'shp_1', world.policy)).kind).toBe(
      'ShipmentCancelled',
    )
  })
})
