/**
 * The response is "nothing was sent" only if nothing is recorded. Otherwise it is "pending", and the cancellation is
 * carried out. Tests lost results of statements, and deadlines that pass at each step.
 */
import { describe, expect, test } from 'vitest'
import type { CancelOutcome } from '../../../src/core/shipments/cancellation.ts'
import { bookShipment } from '../../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import type { Admission } from '../../../src/operations/ports/carriers.ts'
import { NotExecuted } from '../../../src/operations/ports/shipments.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import { answers, aShipment, type CarrierReply, type Process, shipmentWorld } from '../shipment-world.ts'

const ACME = { accountId: 'acme' }
const NOW: CarrierReply = { kind: 'cancelled', how: 'now' }
const REFUSED = { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X', message: 'no' } as const
const UNSENT = { kind: 'not_sent', cause: 'too many calls are running' } as const
const PENDING = { kind: 'CancellationPending' }
const UNAVAILABLE = { kind: 'ShipmentNotCancelled', code: 'CARRIER_UNAVAILABLE' }

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A promise that the test resolves later. */
function later<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((given) => {
    resolve = given
  })
  return { promise, resolve }
}

/** A cancellation whose callers wait for 20 real milliseconds. */
function shortly(ports: Process, policy: Parameters<typeof cancelShipment>[3]): Promise<CancelOutcome> {
  if (policy === undefined) throw new Error('no policy')
  return cancelShipment(ports, ACME, 'shp_1', { ...policy, deadlineMs: 20 })
}

describe('a deadline that passes', () => {
  test('while the call waits for a slot is answered "nothing was sent", and nothing is recorded later', async () => {
    const { promise, resolve } = later<Admission>()
    const world = shipmentWorld([aShipment()], answers(NOW), { admit: () => promise })
    const ports = world.process()
    expect(await shortly(ports, world.policy)).toMatchObject(UNAVAILABLE)
    let returned = 0
    resolve({ kind: 'admitted', leave: () => (returned += 1) })
    await ports.inFlight.drain()
    expect([world.asked, world.attempts, returned]).toEqual([[], [], 1])
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
  })

  test('while an open attempt waits for a slot is answered "pending"', async () => {
    const { promise, resolve } = later<Admission | typeof UNSENT>()
    let admissions = 0
    const admit = () => (admissions++ === 0 ? Promise.resolve(ADMITTED) : promise)
    const world = shipmentWorld([aShipment()], answers({ kind: 'unknown', cause: 'HTTP 503' }), { admit })
    const ports = world.process()
    expect(await shortly(ports, world.policy)).toMatchObject(PENDING)
    world.pass(1_000)
    expect(await shortly(ports, world.policy)).toMatchObject(PENDING)
    resolve(UNSENT)
    await ports.inFlight.drain()
    expect(world.attempts).toMatchObject([{ phase: 'pending', sends: 1 }])
  })

  test.each([
    ['admits the call', { kind: 'admitted', leave: () => {} } as const, [1]],
    ['has no slot', UNSENT, []],
  ])('while the first statement runs is answered "pending", and the attempt is recorded even if the gateway %s', async (_name, admission, sends) => {
    const world = shipmentWorld([aShipment()], answers(NOW), { admit: async () => admission })
    const ports = world.process()
    const gate = later<void>()
    const { beginCancellation } = ports.shipments
    ports.shipments.beginCancellation = async (...given) => {
      if (!given[2].mayOpen) await gate.promise
      return beginCancellation(...given)
    }
    expect(await shortly(ports, world.policy)).toMatchObject(PENDING)
    expect(world.attempts).toEqual([])
    gate.resolve()
    await ports.inFlight.drain()
    expect(world.asked.map((ticket) => ticket.sends)).toEqual(sends)
    world.pass(1_000)
    await sweep(ports, world.policy)
    await ports.inFlight.drain()
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
  })

  test.each([
    ['a booked shipment', 'booked', true],
    ['a draft', 'draft', false],
  ] as const)('before a statement for %s is repeated is answered "pending", and the request is carried out', async (_name, state, mayOpen) => {
    const { carrierRef, ...shipment } = aShipment({ state })
    const world = shipmentWorld([state === 'draft' ? shipment : aShipment()], answers(NOW))
    const pause = later<void>()
    const ports = { ...world.process(), sleep: () => pause.promise }
    const { beginCancellation } = ports.shipments
    let failures = 1
    ports.shipments.beginCancellation = async (...given) => {
      if (given[2].mayOpen === mayOpen && failures-- > 0) throw new NotExecuted(new Error('no connection'))
      return beginCancellation(...given)
    }
    expect(await shortly(ports, world.policy)).toMatchObject(PENDING)
    pause.resolve()
    await ports.inFlight.drain()
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
  })

  test('before a booking is recorded again is answered "pending", and the shipment is booked', async () => {
    const { carrierRef: _, ...draft } = aShipment({ state: 'draft' })
    const world = shipmentWorld([draft], answers(NOW))
    const pause = later<void>()
    const ports = { ...world.process(), sleep: () => pause.promise }
    const { beginBooking } = ports.shipments
    let failures = 1
    ports.shipments.beginBooking = async (...given) => {
      if (given[2].mayOpen && failures-- > 0) throw new NotExecuted(new Error('no connection'))
      return beginBooking(...given)
    }
    const policy = { ...world.policy, deadlineMs: 20 }
    expect(await bookShipment(ports, ACME, 'shp_1', policy)).toMatchObject({ code: 'CARRIER_UNREACHABLE' })
    pause.resolve()
    await ports.inFlight.drain()
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
  })

  test('is answered alike for callers who joined', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW), { admit: () => new Promise(() => {}) })
    const ports = world.process()
    const both = await Promise.all([shortly(ports, world.policy), shortly(ports, world.policy)])
    expect(both).toMatchObject([UNAVAILABLE, UNAVAILABLE])
  })
})

const ADMITTED = { kind: 'admitted', leave: () => {} } as const

describe('a gateway without a slot', () => {
  test('leads to "pending" if another process has opened an attempt in the meantime', async () => {
    const { promise, resolve } = later<typeof UNSENT>()
    const world = shipmentWorld([aShipment()], answers({ kind: 'unknown', cause: 'HTTP 503' }))
    const [one, two] = [world.process(), world.process()]
    const carriers = { ...one.carriers, admit: () => promise }
    const outcome = cancelShipment({ ...one, carriers }, ACME, 'shp_1', world.policy)
    await settled()
    expect(await cancelShipment(two, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
    resolve(UNSENT)
    expect(await outcome).toMatchObject(PENDING)
  })

  test('returns every slot that was reserved', async () => {
    const slots = countedSlots()
    const world = shipmentWorld([aShipment()], answers(NOW), { admit: slots.admit })
    const ports = world.process()
    ports.shipments.beginCancellation = failing(ports.shipments.beginCancellation, 'sure', 9)
    await expect(cancelShipment(ports, ACME, 'shp_1', world.policy)).rejects.toThrow('down')
    expect(slots.reserved()).toBe(0)
  })
})

test('a process that waits for the result of another one returns its slot first', async () => {
  const slots = countedSlots()
  const answer = later<CarrierReply>()
  const world = shipmentWorld([aShipment()], () => answer.promise)
  const [one, two] = [world.process(), world.process()]
  const gate = later<void>()
  const { beginCancellation } = two.shipments
  two.shipments.beginCancellation = async (...given) => {
    if (given[2].mayOpen) await gate.promise
    return beginCancellation(...given)
  }
  const carriers = { ...two.carriers, admit: slots.admit }
  const reservedWhilePolling: number[] = []
  const sleep = async (milliseconds: number) => {
    reservedWhilePolling.push(slots.reserved())
    answer.resolve(NOW)
    await two.sleep(milliseconds)
  }
  const follower = cancelShipment({ ...two, carriers, sleep }, ACME, 'shp_1', world.policy)
  await settled()
  expect(slots.reserved()).toBe(1)
  const holder = cancelShipment(one, ACME, 'shp_1', world.policy)
  await settled()
  gate.resolve()
  const cancelled = { kind: 'ShipmentCancelled' }
  expect(await Promise.all([holder, follower])).toMatchObject([cancelled, cancelled])
  expect(reservedWhilePolling[0]).toBe(0)
})

/** Admits every call and counts the slots that were not returned. */
function countedSlots() {
  const reserved = new Set<Admission>()
  const admit = async (): Promise<Admission> => {
    const admission: Admission = { kind: 'admitted', leave: () => reserved.delete(admission) }
    reserved.add(admission)
    return admission
  }
  return { admit, reserved: () => reserved.size }
}

type Begin = Process['shipments']['beginCancellation']

/**
 * The statement that opens the attempt fails `times` times: `sure`, it was not executed; `lost before`, it was not
 * executed, but that is not known; `lost after`, it was executed.
 */
function failing(begin: Begin, how: 'sure' | 'lost before' | 'lost after', times: number): Begin {
  let left = times
  return async (...given) => {
    if (!given[2].mayOpen || left-- <= 0) return begin(...given)
    if (how === 'lost after') await begin(...given)
    const error = new Error('the database is down')
    throw how === 'sure' ? new NotExecuted(error) : error
  }
}

describe('the statement that opens the attempt', () => {
  test('if it was certainly not executed twice, is an outage', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    ports.shipments.beginCancellation = failing(ports.shipments.beginCancellation, 'sure', 2)
    await expect(cancelShipment(ports, ACME, 'shp_1', world.policy)).rejects.toBeInstanceOf(NotExecuted)
    expect([world.attempts, ports.faults]).toEqual([[], []])
  })

  test.each([
    1, 2, 6,
  ])('if its result is lost %i times before it is executed, is repeated until it is', async (times) => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    ports.shipments.beginCancellation = failing(ports.shipments.beginCancellation, 'lost before', times)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
      kind: 'ShipmentCancelled',
    })
    expect(world.asked).toHaveLength(1)
  })

  test('if its result is lost after it was executed, leads to "pending", and the sweeper sends', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    ports.shipments.beginCancellation = failing(ports.shipments.beginCancellation, 'lost after', 1)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
    expect(world.asked).toEqual([])
    world.pass(world.policy.leaseMs)
    await sweep(ports, world.policy)
    await ports.inFlight.drain()
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
  })

  test('is repeated for two minutes after the caller got "pending", and then reported', async () => {
    const world = shipmentWorld([aShipment()], answers(NOW))
    const ports = world.process()
    ports.shipments.beginCancellation = failing(ports.shipments.beginCancellation, 'lost before', 1_000)
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
    expect(ports.clock().getTime()).toBeGreaterThanOrEqual(120_000)
    expect(ports.clock().getTime()).toBeLessThan(126_000)
    expect(ports.faults).toHaveLength(1)
  })
})

test('a draft whose result is lost is "pending" and never "nothing was sent"', async () => {
  const { carrierRef: _, ...draft } = aShipment({ state: 'draft' })
  const world = shipmentWorld([draft], answers(NOW))
  const ports = world.process()
  const { beginCancellation } = ports.shipments
  ports.shipments.beginCancellation = async (...given) => {
    await beginCancellation(...given)
    throw new Error('the result is lost')
  }
  expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
  expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
})

test('an attempt that is not sent counts one send less, even if the result of its release is lost', async () => {
  const refused: CarrierReply = { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X9', message: 'no' }
  const carrier = answers({ kind: 'unknown', cause: 'HTTP 503' }, UNSENT, refused)
  const world = shipmentWorld([aShipment()], carrier, { track: async () => ({ kind: 'cancelled' }) })
  const ports = world.process()
  await cancelShipment(ports, ACME, 'shp_1', world.policy)
  const { releaseCancellation } = ports.shipments
  let losses = 1
  ports.shipments.releaseCancellation = async (...given) => {
    const state = await releaseCancellation(...given)
    if (losses-- > 0) throw new Error('the result is lost')
    return state
  }
  world.pass(2_000)
  await sweep(ports, world.policy)
  await ports.inFlight.drain()
  expect(world.attempts).toMatchObject([{ sends: 1 }])
  world.pass(5_000)
  // The refusal follows an unconfirmed send, so the parcel is looked up.
  expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject({
    kind: 'ShipmentCancelled',
  })
})

test('an attempt with a refusal in doubt keeps its count if there is no slot after the caller got "pending"', async () => {
  const refused: CarrierReply = { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X9', message: 'no' }
  let admission: Admission | typeof UNSENT = ADMITTED
  const world = shipmentWorld([aShipment()], answers({ kind: 'unknown', cause: 'HTTP 503' }, refused), {
    admit: async () => admission,
  })
  const ports = world.process()
  for (const _ of ['first send', 'second send']) {
    expect(await cancelShipment(ports, ACME, 'shp_1', world.policy)).toMatchObject(PENDING)
    world.pass(5_000)
  }
  admission = UNSENT
  const gate = later<void>()
  const { beginCancellation } = ports.shipments
  ports.shipments.beginCancellation = async (...given) => {
    if (!given[2].mayOpen) await gate.promise
    return beginCancellation(...given)
  }
  expect(await shortly(ports, world.policy)).toMatchObject(PENDING)
  gate.resolve()
  await ports.inFlight.drain()
  expect(world.attempts).toMatchObject([
    { phase: 'pending', sends: 2, fence: 3, doubt: { refusal: refused } },
  ])
})

test('a statement that is repeated in the background opens no attempt after another process has answered with a refusal', async () => {
  const refused: CarrierReply = { kind: 'refused', reason: 'WINDOW_CLOSED', code: 'X9', message: 'too late' }
  const world = shipmentWorld([aShipment()], answers(refused, NOW))
  const [one, two] = [world.process(), world.process()]
  const outage = later<void>()
  const ports = { ...one, sleep: () => outage.promise }
  ports.shipments.beginCancellation = failing(one.shipments.beginCancellation, 'lost before', 1)
  expect(await shortly(ports, world.policy)).toMatchObject(PENDING)
  expect(await cancelShipment(two, ACME, 'shp_1', world.policy)).toMatchObject({ code: 'CARRIER_REFUSED' })
  world.pass(100_000)
  outage.resolve()
  await ports.inFlight.drain()
  expect(world.asked).toHaveLength(1)
  expect(world.shipments.get('shp_1')?.state).toBe('booked')
})

test('a refusal whose doubt begins late is not trusted at its first inconclusive lookup', async () => {
  const world = shipmentWorld([aShipment()], async () =>
    world.asked.length > 8 ? REFUSED : { kind: 'unknown', cause: 'HTTP 503' },
  )
  const ports = world.process()
  await cancelShipment(ports, ACME, 'shp_1', world.policy)
  for (let round = 0; round < 7; round += 1) {
    world.pass(400_000)
    await sweep(ports, world.policy)
    await ports.inFlight.drain()
  }
  world.pass(400_000)
  expect((await cancelShipment(ports, ACME, 'shp_1', world.policy)).kind).toBe('CancellationPending')
})
