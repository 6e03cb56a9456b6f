/** The journal changes nothing in the calls that it writes down. */
import { expect, test } from 'vitest'
import { withJournal } from '../../src/operations/journal.ts'
import { sweep } from '../../src/operations/sweep/sweep.ts'
import { answers, aShipment, shipmentWorld } from './shipment-world.ts'

const MINUTE_MS = 60_000

test('a journaled cancellation that only a lookup reports is verified by another lookup', async () => {
  const carrier = answers(
    { kind: 'unknown', cause: 'reset' },
    { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X', message: 'no' },
  )
  const world = shipmentWorld([aShipment()], carrier, { track: async () => ({ kind: 'cancelled' }) })
  const plain = world.process()
  const ports = { ...plain, ...withJournal(plain, () => {}) }
  const { beginCancellation } = ports.shipments
  await beginCancellation('acme', 'shp_1', { mayOpen: true, leaseMs: 0, refusalMemoryMs: 0 })
  for (let round = 0; round < 5; round += 1) {
    await sweep(ports, world.policy)
    await ports.inFlight.drain()
    world.pass(MINUTE_MS)
  }
  expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
  expect(world.reports).toMatchObject([{ reported: 'cancelled' }])
})

test('every method of journaled ports passes all its arguments on', async () => {
  const { process } = shipmentWorld([], answers())
  const { shipments, recovery, carriers } = process()
  const calls: unknown[] = []
  const recording = <Store extends object>(store: Store): Store =>
    // The methods have the names of those of the store.
    Object.fromEntries(
      Object.keys(store).map((name) => [
        name,
        async (...given: readonly unknown[]) => {
          calls.push([name, given.length])
          return []
        },
      ]),
    ) as Store
  const recorded = {
    shipments: recording(shipments),
    recovery: recording(recovery),
    carriers: recording(carriers),
  }
  const journaled = withJournal(recorded, () => {})
  const expected: unknown[] = []
  for (const store of Object.values(journaled))
    for (const [name, method] of Object.entries(store)) {
      expected.push([name, 8])
      await (method as (...given: readonly unknown[]) => unknown)({}, 2, 3, 4, 5, 6, 7, 8)
    }
  expect(calls).toEqual(expected)
})

test('an attempt is written before each send, also if earlier entries could not be written', async () => {
  const world = shipmentWorld([aShipment()], answers({ kind: 'cancelled', how: 'now' }))
  const plain = world.process()
  const written: object[] = []
  let isBroken = true
  const ports = {
    ...plain,
    ...withJournal(plain, (entry) => {
      if (isBroken) throw new Error('the disk is full')
      written.push(entry)
    }),
  }
  const begin = ports.shipments.beginCancellation('acme', 'shp_1', {
    mayOpen: true,
    leaseMs: 0,
    refusalMemoryMs: 0,
  })
  await expect(begin).rejects.toThrow('the disk is full')
  const sweepOnce = async () => {
    await sweep(ports, world.policy).catch(() => {})
    await ports.inFlight.drain()
    world.pass(MINUTE_MS)
  }
  for (let round = 0; round < 4; round += 1) await sweepOnce()
  expect(world.shipments.get('shp_1')?.state).toBe('booked')
  isBroken = false
  for (let round = 0; round < 2; round += 1) await sweepOnce()
  expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
  expect(written.map((entry) => Object.keys(entry)[0])).toEqual(['openedCancellation', 'settledCancellation'])
})
