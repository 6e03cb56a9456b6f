/** What a cancellation does with the slot that it has reserved at the carrier, and with each number of a shipment. */
import { expect, test } from 'vitest'
import type { CancelOutcome } from '../../../src/core/shipments/cancellation.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import type { Admission, CallOrigin } from '../../../src/operations/ports/carriers.ts'
import { NotExecuted } from '../../../src/operations/ports/shipments.ts'
import { answers, aShipment, type CarrierReply, type Process, shipmentWorld } from '../shipment-world.ts'

const ACME = { accountId: 'acme' }
const NOW: CarrierReply = { kind: 'cancelled', how: 'now' }
const UNKNOWN: CarrierReply = { kind: 'unknown', cause: 'HTTP 503' }
const REFUSED: CarrierReply = { kind: 'refused', reason: 'UNKNOWN_PARCEL', code: 'X', message: 'no' }
const CANCELLED = { kind: 'ShipmentCancelled' }
const PENDING = { kind: 'CancellationPending' }

const never = () => new Promise<never>(() => {})

/** A slot, and how often it was left. */
function aSlot() {
  const leave = () => {
    slot.left += 1
  }
  const admission: Admission = { kind: 'admitted', leave }
  const slot = { left: 0, admission }
  return slot
}

/** A cancellation whose callers wait for 20 real milliseconds. */
function shortly(ports: Process, world: ReturnType<typeof shipmentWorld>): Promise<CancelOutcome> {
  return cancelShipment(ports, ACME, 'shp_1', { ...world.policy, deadlineMs: 20 })
}

test('the first parcel to be sent uses the reserved slot, and the others take slots of callers', async () => {
  const { admission } = aSlot()
  const world = shipmentWorld(
    [aShipment({ carrierRef: 'P1', parcelRefs: ['P1', 'P2', 'P3'] })],
    answers(NOW, NOW, NOW),
    { admit: async () => admission, cancelsEachParcel: () => true },
  )
  const ports = world.process()
  const slots = new Map<string, CallOrigin | Admission | undefined>()
  const { cancel } = ports.carriers
  const carriers = {
    ...ports.carriers,
    cancel: (...given: Parameters<typeof cancel>) => {
      slots.set(given[0].carrierRef, given[1])
      return cancel(...given)
    },
  }
  expect(await cancelShipment({ ...ports, carriers }, ACME, 'shp_1', world.policy)).toMatchObject(CANCELLED)
  expect([...slots]).toEqual([
    ['P1', admission],
    ['P2', 'caller'],
    ['P3', 'caller'],
  ])
})

test('a round that only looks a parcel up leaves the slot before', async () => {
  const slot = aSlot()
  const leftAtLookup: number[] = []
  const world = shipmentWorld([aShipment()], answers(UNKNOWN, REFUSED), {
    admit: async () => slot.admission,
    track: async () => {
      leftAtLookup.push(slot.left)
      slot.left = 0
      return { kind: 'announced' }
    },
  })
  const ports = world.process()
  for (let request = 1; request <= 3; request += 1) {
    slot.left = 0
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
    world.pass(6_000)
  }
  // The second request has used its slot to send.
  expect(leftAtLookup).toEqual([0, 1])
})

test('a caller who got "pending" leaves the slot when the statement fails again', async () => {
  const slot = aSlot()
  const world = shipmentWorld([aShipment()], answers(NOW), { admit: async () => slot.admission })
  const pauses: (() => void)[] = []
  const sleep = () => new Promise<void>((resolve) => pauses.push(resolve))
  const ports = { ...world.process(), sleep }
  const { beginCancellation } = ports.shipments
  ports.shipments.beginCancellation = async (...given) => {
    if (given[2].mayOpen) throw new NotExecuted(new Error('no connection'))
    return beginCancellation(...given)
  }
  expect(await shortly(ports, world)).toMatchObject(PENDING)
  expect([slot.left, pauses.length]).toEqual([0, 1])
  pauses[0]?.()
  await new Promise((resolve) => setImmediate(resolve))
  expect([slot.left, pauses.length]).toEqual([1, 2])
})

test('a follower without a slot gets "pending" if another process has opened an attempt', async () => {
  const world = shipmentWorld([aShipment()], answers(NOW), {
    admit: async () => {
      const terms = { mayOpen: true, leaseMs: 60_000, refusalMemoryMs: 0 }
      await world.process().shipments.beginCancellation('acme', 'shp_1', terms)
      return { kind: 'not_sent', cause: 'no slot' }
    },
  })
  expect(await shortly({ ...world.process(), sleep: never }, world)).toMatchObject(PENDING)
})

test.each([
  ['one number', ['REF1'], true],
  ['several numbers that are cancelled together', ['REF1', 'REF2'], false],
])('no parcel is recorded for a shipment with %s', async (_name, numbers, isEach) => {
  const parcels = numbers.length > 1 ? { parcelRefs: numbers } : {}
  const world = shipmentWorld([aShipment(parcels)], answers(NOW), { cancelsEachParcel: () => isEach })
  const ports = world.process()
  ports.shipments.recordParcel = () => Promise.reject(new Error('a parcel is recorded'))
  expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(CANCELLED)
  expect(world.asked).toHaveLength(1)
})
