/** One question to a carrier and its settlement: what each answer comes to, and what is said of it. */
import { describe, expect, test } from 'vitest'
import type { CancelTicket, NotSent } from '../../../src/core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import { askCarrier } from '../../../src/operations/ask-carrier.ts'
import type { CarrierGateway } from '../../../src/operations/ports/carriers.ts'
import type { StoredShipment } from '../shipment-memory.ts'
import { answers, aShipment, type Said, shipmentWorld } from '../shipment-world.ts'

const NOW: Said = { kind: 'cancelled', how: 'now' }
const REFUSED: Said = { kind: 'refused', reason: 'UNKNOWN_PARCEL', code: 'X9', message: 'No such parcel' }
const UNKNOWN: Said = { kind: 'unknown', cause: 'HTTP 503' }
const UNSENT: Said = { kind: 'not_sent', cause: 'too many calls are running' }
const CANCELLED = { kind: 'ShipmentCancelled', carrierNotified: true, labelMustBeDestroyed: false }
const REFUSAL = {
  kind: 'ShipmentNotCancelled',
  code: 'CARRIER_REFUSED',
  retryable: false,
  refusal: { code: 'UNKNOWN_PARCEL', reason: 'No such parcel' },
}
const PENDING = { kind: 'CancellationPending', code: 'CARRIER_UNREACHABLE' }
const IN_TRANSIT = { kind: 'ShipmentNotCancelled', code: 'ALREADY_IN_TRANSIT' }

/** A world at the moment of the `sends`th question about its shipment, `ageMs` after the first; `says` answers it. */
async function atSend(sends: number, says: Said, gateway: Partial<CarrierGateway> = {}, ageMs = 0) {
  const world = shipmentWorld([aShipment()], answers(says), gateway)
  const ports = world.process()
  let ticket: CancelTicket | undefined
  for (let send = 1; send <= sends; send += 1) {
    const leaseMs = send === sends ? world.policy.leaseMs : 0
    if (send === 2) world.pass(ageMs)
    ticket = (await ports.shipments.beginCancellation('acme', 'shp_1', { leaseMs, refusalMemoryMs: 0 }))
      ?.ticket
  }
  if (ticket === undefined) throw new Error('no ticket')
  const shipment = world.shipments.get('shp_1') as StoredShipment
  const [attempt] = world.attempts
  const held = ticket
  return {
    world,
    ports,
    ticket,
    shipment,
    attempt,
    ask: () => askCarrier(ports, held, 'caller', world.policy),
  }
}

describe('a carrier that cancelled', () => {
  test.each(['now', 'already', 'accepted'] as const)('"%s" ends the shipment', async (how) => {
    const { ask, shipment, attempt, ports, world } = await atSend(1, { kind: 'cancelled', how })
    expect(await ask()).toMatchObject({ ...CANCELLED, alreadyCancelled: false })
    expect([shipment.state, shipment.cancelledBy, attempt?.phase]).toEqual([
      'cancelled',
      'carrier',
      'accepted',
    ])
    expect([ports.alerts, world.looked]).toEqual([[], []])
  })

  test('by releasing it was not told, and the label must be destroyed', async () => {
    const { ask, shipment } = await atSend(1, { kind: 'cancelled', how: 'released' })
    expect(await ask()).toMatchObject({ carrierNotified: false, labelMustBeDestroyed: true })
    expect(shipment.cancelledBy).toBe('release')
  })

  test('what is in transit here is for people, and the caller reads that it is in transit', async () => {
    const { ask, shipment, attempt, ports } = await atSend(1, NOW)
    shipment.state = 'in_transit'
    expect(await ask()).toMatchObject(IN_TRANSIT)
    expect(attempt).toMatchObject({ phase: 'accepted', anomaly: expect.stringContaining('in transit') })
    expect(ports.alerts).toEqual([
      { kind: 'ACCEPTED_IN_TRANSIT', carrierCode: 'rondeel', shipmentId: 'shp_1' },
    ])
  })

  test('what was never booked is a fault of ours', async () => {
    const { ask, shipment } = await atSend(1, NOW)
    shipment.state = 'draft'
    await expect(ask()).rejects.toThrow('shipment shp_1, which is draft')
  })

  test('is heard also by who lost the lease', async () => {
    const { ask, ports, shipment } = await atSend(1, NOW)
    await ports.shipments.releaseLeases()
    await ports.recovery.claimAttempts([{ carrierCode: 'rondeel', accountId: 'acme', room: 1 }], 60_000)
    expect(await ask()).toMatchObject(CANCELLED)
    expect(shipment.state).toBe('cancelled')
  })
})

describe('a carrier that refused', () => {
  test('at the first question is believed without a look', async () => {
    const { ask, shipment, attempt, world } = await atSend(1, REFUSED)
    expect(await ask()).toMatchObject(REFUSAL)
    expect(attempt).toMatchObject({
      phase: 'refused',
      refusal: { code: 'UNKNOWN_PARCEL', reason: 'No such parcel' },
      carrierRefusalCode: 'X9',
    })
    expect(attempt).not.toHaveProperty('verifyAt')
    expect([shipment.state, world.looked]).toEqual(['booked', []])
  })

  test.each([
    0, 60_000,
  ])('after an unconfirmed question is looked up within 2.5 s, and has cancelled when the look-up says so (%i ms old)', async (ageMs) => {
    const track = async () => ({ kind: 'cancelled' }) as const
    const { ask, shipment, attempt, world, ports } = await atSend(2, REFUSED, { track }, ageMs)
    expect(await ask()).toMatchObject({ ...CANCELLED, alreadyCancelled: false })
    expect([shipment.state, shipment.cancelledBy, attempt?.phase]).toEqual([
      'cancelled',
      'carrier',
      'accepted',
    ])
    expect(world.looked).toMatchObject([{ carrierRef: 'REF1', accountId: 'acme', timeoutMs: 2_500 }])
    expect(ports.alerts).toEqual([])
  })

  const SCANNED: CarrierTrackAnswer = {
    kind: 'scanned',
    scan: { eventId: 'e', at: '2026-11-01T10:00:00Z' },
  }
  const NOT_KNOWN: CarrierTrackAnswer = { kind: 'unknown', cause: 'HTTP 502' }
  const NO_ROOM: NotSent = { kind: 'not_sent', cause: 'too many look-ups are running' }
  const NEVER: Partial<CarrierGateway> = {
    canLookUp: () => false,
    track: async () => ({ kind: 'not_sent', cause: 'this carrier has no lookup' }),
  }

  test.each<[string, Partial<CarrierGateway>, number, number | undefined]>([
    ['scanned: for good', { track: async () => SCANNED }, 0, undefined],
    ['scanned: for good', { track: async () => SCANNED }, 60_000, undefined],
    ['announced: again in a minute', { track: async () => ({ kind: 'announced' }) }, 0, 60_000],
    ['announced: again in a minute', { track: async () => ({ kind: 'announced' }) }, 60_000, 120_000],
    ['not known for a quarter of an hour: again in one', { track: async () => NOT_KNOWN }, 900_000, 960_000],
    [
      'not looked up for a quarter of an hour: again in one',
      { track: async () => NO_ROOM },
      900_000,
      960_000,
    ],
    ['never to be looked up: again in a minute', NEVER, 0, 60_000],
    ['never to be looked up: again in a minute', NEVER, 60_000, 120_000],
  ])('after an unconfirmed question stands when the parcel is %s', async (_name, gateway, ageMs, verifyAt) => {
    const { ask, shipment, attempt, world } = await atSend(2, REFUSED, gateway, ageMs)
    expect(await ask()).toMatchObject(REFUSAL)
    expect([shipment.state, attempt?.phase, attempt?.verifyAt]).toEqual(['booked', 'refused', verifyAt])
    expect(world.looked).toHaveLength(1)
  })

  test.each<[string, CarrierTrackAnswer | NotSent, number]>([
    ['is not known', NOT_KNOWN, 0],
    ['is not known', NOT_KNOWN, 899_999],
    ['could not be looked up', NO_ROOM, 0],
    ['could not be looked up', NO_ROOM, 899_999],
  ])('after an unconfirmed question is in doubt when the parcel %s: %j after %i ms', async (_name, seen, ageMs) => {
    const track = async () => seen
    const { ask, shipment, attempt, world, ports } = await atSend(2, REFUSED, { track }, ageMs)
    expect(await ask()).toMatchObject(PENDING)
    expect(attempt).toMatchObject({ phase: 'pending', sends: 2, retryAt: ageMs + 2_000 })
    expect(attempt?.lastCause).toContain('X9')
    expect(attempt?.lastCause).toContain('cause' in seen ? seen.cause : 'no cause')
    for (const key of ['owner', 'verifyAt', 'refusal']) expect(attempt).not.toHaveProperty(key)
    // Nobody may be told of that refusal from memory either.
    for (const key of ['refusal', 'refusedAt']) expect(shipment).not.toHaveProperty(key)
    expect([shipment.state, world.looked.length, ports.alerts]).toEqual(['booked', 1, []])
  })

  test('is in doubt for as long as the policy say', async () => {
    const { ports, ticket, world, attempt } = await atSend(
      2,
      REFUSED,
      { track: async () => NOT_KNOWN },
      5_000,
    )
    expect(
      await askCarrier(ports, ticket, 'caller', { ...world.policy, trustRefusalAfterMs: 5_000 }),
    ).toMatchObject(REFUSAL)
    expect(attempt).toMatchObject({ phase: 'refused', verifyAt: 65_000 })
  })

  test('in doubt, of what is in transit here, has said the same', async () => {
    const { ask, shipment, attempt } = await atSend(2, REFUSED, { track: async () => NOT_KNOWN })
    shipment.state = 'in_transit'
    expect(await ask()).toMatchObject(IN_TRANSIT)
    expect(attempt).toMatchObject({ phase: 'pending', retryAt: 2_000 })
  })

  test('what is in transit here has said the same', async () => {
    const { ask, shipment, attempt, ports } = await atSend(1, REFUSED)
    shipment.state = 'in_transit'
    expect(await ask()).toMatchObject(IN_TRANSIT)
    expect([attempt?.phase, ports.alerts]).toEqual(['refused', []])
  })

  test('what is cancelled here leaves a booking that people have to look at', async () => {
    const { ask, shipment, attempt, ports } = await atSend(1, REFUSED)
    shipment.state = 'cancelled'
    expect(await ask()).toBeUndefined()
    expect(attempt).toMatchObject({ phase: 'refused', anomaly: expect.stringContaining('cancelled here') })
    expect(ports.alerts).toEqual([
      { kind: 'WITHDRAWAL_REFUSED', carrierCode: 'rondeel', shipmentId: 'shp_1', detail: 'No such parcel' },
    ])
  })
})

describe('a carrier that left it open', () => {
  test.each([
    [1, 0, 1_000, 1_000],
    [3, 0, 4_000, 4_000],
    [4, 0, 8_000, 5_000],
    [4, 1, 4_000, 4_000],
    [9, 0, 20_000, 5_000],
  ])('is asked for the %i. time again (chance %d) after %i ms, by a caller after %i ms', async (sends, chance, retryInMs, callerWaitMs) => {
    const { ports, ticket, world, attempt, shipment } = await atSend(sends, UNKNOWN)
    expect(
      await askCarrier({ ...ports, random: () => chance }, ticket, 'caller', world.policy),
    ).toMatchObject(PENDING)
    expect(attempt).toMatchObject({
      ...{ phase: 'pending', sends, lastCause: 'HTTP 503' },
      ...{ retryAt: retryInMs, leaseUntil: callerWaitMs },
    })
    expect(attempt).not.toHaveProperty('owner')
    expect(shipment.state).toBe('booked')
  })
})

test('a doubt about what is in transit here leaves nothing to wait for, and the attempt stays open', async () => {
  const { ask, shipment, attempt, ports } = await atSend(1, UNKNOWN)
  shipment.state = 'in_transit'
  expect(await ask()).toMatchObject(IN_TRANSIT)
  expect(attempt).toMatchObject({ phase: 'pending', lastCause: 'HTTP 503', retryAt: 1_000 })
  expect([shipment.state, ports.alerts]).toEqual(['in_transit', []])
})

test('a doubt about what is cancelled here is pending: its booking has to be withdrawn', async () => {
  const { ask, shipment, attempt } = await atSend(1, UNKNOWN)
  shipment.state = 'cancelled'
  expect(await ask()).toMatchObject(PENDING)
  expect(attempt).toMatchObject({ phase: 'pending', retryAt: 1_000 })
})

describe('a question that could not be sent', () => {
  test('leaves nothing behind when it would have been the first', async () => {
    const { ask, world } = await atSend(1, UNSENT)
    expect(await ask()).toBeUndefined()
    expect([world.attempts, world.looked]).toEqual([[], []])
  })

  test.each([
    [2, 2_000],
    [3, 4_000],
    [4, 5_000],
  ])('as the %i. one is not counted, and due again after %i ms', async (sends, retryAt) => {
    const { ask, attempt } = await atSend(sends, UNSENT)
    expect(await ask()).toMatchObject(PENDING)
    expect(attempt).toMatchObject({
      ...{ phase: 'pending', sends: sends - 1, lastCause: 'too many calls are running' },
      ...{ retryAt, leaseUntil: retryAt },
    })
  })

  test('stays to be asked when somebody was told that it is pending', async () => {
    const { ask, attempt } = await atSend(1, UNSENT)
    Object.assign(attempt as object, { owed: true })
    expect(await ask()).toMatchObject(PENDING)
    expect(attempt).toMatchObject({ phase: 'pending', sends: 0, retryAt: 1_000 })
  })
})

test.each([
  ['refusal', REFUSED],
  ['doubt', UNKNOWN],
  ['failure to send', UNSENT],
])('the %s that a process hears after it lost the lease is void', async (_name, says) => {
  const { ask, ports, attempt } = await atSend(1, says)
  await ports.shipments.releaseLeases()
  await ports.recovery.claimAttempts([{ carrierCode: 'rondeel', accountId: 'acme', room: 1 }], 60_000)
  const before = { ...attempt }
  expect(await ask()).toBeUndefined()
  expect(attempt).toEqual(before)
})

describe('writing down what the carrier said', () => {
  test.each([0, 1, 2])('survives a store that fails %i times', async (failures) => {
    const { ports, ticket, world } = await atSend(1, NOW)
    const { acceptCancellation } = ports.shipments
    let left = failures
    ports.shipments.acceptCancellation = async (...given) => {
      if (left-- > 0) throw new Error('connection lost')
      return acceptCancellation(...given)
    }
    const pauses: number[] = []
    const sleep = async (milliseconds: number) => void pauses.push(milliseconds)
    expect(await askCarrier({ ...ports, sleep }, ticket, 'caller', world.policy)).toMatchObject(CANCELLED)
    expect(pauses).toEqual([50, 400].slice(0, failures))
    expect(world.asked).toHaveLength(1)
  })

  test('fails with a store that fails three times, and the attempt stays open', async () => {
    const { ports, ask, attempt } = await atSend(1, NOW)
    ports.shipments.acceptCancellation = () => Promise.reject(new Error('database down'))
    await expect(ask()).rejects.toThrow('database down')
    expect(attempt?.phase).toBe('pending')
  })

  test('of a refusal that had got through finds it settled: its end is for the standing to tell', async () => {
    const { ports, ask, attempt } = await atSend(1, REFUSED)
    const { refuseCancellation } = ports.shipments
    let failures = 1
    ports.shipments.refuseCancellation = async (...given) => {
      const state = await refuseCancellation(...given)
      if (failures-- > 0) throw new Error('connection lost')
      return state
    }
    expect(await ask()).toBeUndefined()
    expect(attempt?.phase).toBe('refused')
  })
})
