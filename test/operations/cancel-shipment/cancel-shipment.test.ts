/** The cancellation protocol: who calls the carrier, who waits, and the outcome for each caller. */
import { describe, expect, test } from 'vitest'
import type { CarrierCancelAnswer, NotSent } from '../../../src/core/shipments/cancellation.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import { answers, aShipment, delayedAnswer, shipmentWorld } from '../shipment-world.ts'

const ACME = { accountId: 'acme' }
const NOW: CarrierCancelAnswer = { kind: 'cancelled', how: 'now' }
const REFUSED: CarrierCancelAnswer = {
  kind: 'refused',
  reason: 'WINDOW_CLOSED',
  code: 'X1',
  message: 'Too late for that',
}
const UNKNOWN: CarrierCancelAnswer = { kind: 'unknown', cause: 'HTTP 503' }
const UNSENT: NotSent = { kind: 'not_sent', cause: 'this carrier is not configured' }
const UNAVAILABLE = {
  kind: 'ShipmentNotCancelled',
  code: 'CARRIER_UNAVAILABLE',
  message: expect.stringContaining('nothing was sent'),
  retryable: true,
}
const PENDING_TEXT = 'The carrier has not confirmed the cancellation yet; repeat the same request'

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('one cancellation', () => {
  test('treats an unknown id and a shipment of another account alike', async () => {
    const world = shipmentWorld([aShipment({ accountId: 'other' })], answers(NOW))
    const ports = world.process()
    const wrong = await cancelShipment(ports, ACME, 'shp_none', world.policy)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toEqual(wrong)
    expect(wrong).toEqual({
      kind: 'ShipmentNotFound',
      code: 'NOT_FOUND',
      message: 'Shipment not found',
      retryable: false,
    })
    expect(world.asked).toEqual([])
  })

  test('cancels a draft without calling a carrier', async () => {
    const { carrierRef: _, ...draft } = aShipment({ state: 'draft' })
    const world = shipmentWorld([draft], answers(NOW))
    const ports = world.process()
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      kind: 'ShipmentCancelled',
      alreadyCancelled: false,
      carrierNotified: false,
    })
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
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
  ] as const)('cancels the shipment if the carrier answers "%s"', async (how) => {
    const world = shipmentWorld([aShipment()], answers({ kind: 'cancelled', how }))
    const ports = world.process()
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      kind: 'ShipmentCancelled',
      alreadyCancelled: false,
      carrierNotified: true,
    })
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      alreadyCancelled: true,
    })
    expect(world.asked).toHaveLength(1)
  })

  test('leaves a shipment in transit unchanged, without calling the carrier', async () => {
    const world = shipmentWorld([aShipment({ state: 'in_transit' })], answers(NOW))
    expect(await cancelShipment(world.process(), ACME, 'shp_1', world.policy)).toEqual({
      kind: 'ShipmentNotCancelled',
      shipmentId: 'shp_1',
      code: 'ALREADY_IN_TRANSIT',
      message: 'The shipment is already in transit and cannot be cancelled',
      retryable: false,
    })
    expect(world.asked).toEqual([])
  })

  test('returns the reason of a refusal, and remembers it for 30 seconds', async () => {
    const world = shipmentWorld([aShipment()], answers(REFUSED))
    const ports = world.process()
    const refused = await cancelShipment(ports, ACME, 'shp_1', world.policy)
    expect(refused).toMatchObject({
      kind: 'ShipmentNotCancelled',
      code: 'CARRIER_REFUSED',
      message: expect.stringContaining('Too late for that'),
      refusal: { code: 'WINDOW_CLOSED', reason: 'Too late for that' },
    })
    world.pass(29_999)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toEqual(refused)
    expect(world.asked).toHaveLength(1)
    world.pass(1)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toEqual(refused)
    expect(world.asked.map(({ attemptId }) => attemptId)).toEqual(['attempt-1', 'attempt-2'])
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
  })

  test("is pending after an unknown answer; a repeat calls no carrier and returns the sweeper's result under the same key", async () => {
    const world = shipmentWorld([aShipment()], answers(UNKNOWN, UNKNOWN, NOW))
    const ports = world.process()
    const pending = await cancelShipment(ports, ACME, 'shp_1', world.policy)
    expect(pending).toEqual({
      kind: 'CancellationPending',
      shipmentId: 'shp_1',
      code: 'CARRIER_UNREACHABLE',
      message: PENDING_TEXT,
      retryable: true,
      retryAfterSeconds: 5,
    })
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
    expect(world.attempts).toMatchObject([{ phase: 'pending', leaseUntil: 1_000, retryAt: 1_000 }])
    const sweeper = world.process()
    const sleep = async (milliseconds: number) => {
      await ports.sleep(milliseconds)
      await sweep(sweeper, world.policy)
    }
    const repeated = await cancelShipment({ ...ports, sleep }, ACME, 'shp_1', world.policy)
    expect(repeated).toMatchObject({ kind: 'ShipmentCancelled', alreadyCancelled: false })
    expect(world.asked.map(({ attemptId, fence, sends }) => [attemptId, fence, sends])).toEqual([
      ['attempt-1', 1, 1],
      ['attempt-1', 2, 2],
      ['attempt-1', 3, 3],
    ])
  })

  test('lets a repeat wait 12 seconds for a sweeper; after the pause, a repeat calls the carrier itself', async () => {
    const world = shipmentWorld([aShipment()], answers(UNKNOWN, UNKNOWN, NOW))
    const ports = world.process()
    const repeat = () => cancelShipment(ports, ACME, 'shp_1', world.policy)
    const pending = await repeat()
    const askedAt = ports.clock().getTime()
    expect(await repeat()).toEqual(pending)
    expect(world.asked).toHaveLength(1)
    expect(ports.clock().getTime() - askedAt).toBeGreaterThanOrEqual(12_000)
    expect(await repeat()).toEqual(pending)
    expect(world.attempts).toMatchObject([{ retryAt: ports.clock().getTime() + 2_000 }])
    world.pass(2_000)
    expect((await repeat()).kind).toBe('ShipmentCancelled')
    expect(world.asked.map(({ attemptId, sends }) => [attemptId, sends])).toEqual([
      ['attempt-1', 1],
      ['attempt-1', 2],
      ['attempt-1', 3],
    ])
  })

  test('lets a caller retry after at most 5 seconds, even if the sweeper retries later', async () => {
    const world = shipmentWorld([aShipment()], answers(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, NOW))
    const ports = world.process()
    for (const waitMs of [1_000, 2_000, 4_000]) {
      await cancelShipment(ports, ACME, 'shp_1', world.policy)
      world.pass(waitMs)
    }
    await cancelShipment(ports, ACME, 'shp_1', world.policy)
    expect(world.attempts).toMatchObject([{ leaseUntil: 12_000, retryAt: 15_000 }])
    world.pass(5_000)
    expect((await cancelShipment(ports, ACME, 'shp_1', world.policy)).kind).toBe('ShipmentCancelled')
  })

  test('releases a parcel without scans at a carrier that takes no cancellations, and the label must be destroyed', async () => {
    const world = shipmentWorld([aShipment()], answers({ kind: 'cancelled', how: 'released' }))
    const ports = world.process()
    const released = { kind: 'ShipmentCancelled', carrierNotified: false, labelMustBeDestroyed: true }
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      ...released,
      alreadyCancelled: false,
      message: expect.stringContaining('Destroy its label'),
    })
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      ...released,
      alreadyCancelled: true,
    })
  })

  test('records no attempt if the carrier cannot be asked', async () => {
    const admissions = [UNSENT, { kind: 'admitted', leave: () => {} }] as const
    let next = 0
    const admit = async () => admissions[next++] ?? UNSENT
    const world = shipmentWorld([aShipment()], answers(NOW), { admit })
    const ports = world.process()
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(UNAVAILABLE)
    expect([world.attempts, ports.alerts, ports.faults]).toEqual([[], [], []])
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      kind: 'ShipmentCancelled',
      alreadyCancelled: false,
    })
    expect(world.asked.map(({ sends }) => sends)).toEqual([1])
  })

  test('leaves a shipment in transit if it is scanned while the carrier accepts', async () => {
    const { carrier, answer } = delayedAnswer()
    const world = shipmentWorld([aShipment()], carrier)
    const ports = world.process()
    const outcome = cancelShipment(ports, ACME, 'shp_1', world.policy)
    await settled()
    const shipment = world.shipments.get('shp_1')
    if (shipment !== undefined) shipment.state = 'in_transit'
    answer(NOW)
    expect(await outcome).toMatchObject({ kind: 'ShipmentNotCancelled', code: 'ALREADY_IN_TRANSIT' })
    expect(world.shipments.get('shp_1')?.state).toBe('in_transit')
    expect(ports.alerts).toEqual([
      { kind: 'ACCEPTED_IN_TRANSIT', carrierCode: 'rondeel', shipmentId: 'shp_1' },
    ])
  })
})
