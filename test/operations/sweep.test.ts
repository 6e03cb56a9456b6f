/** One round of the sweeper: the work it claims, and the result. */
import { describe, expect, test } from 'vitest'
import type { CarrierTrackAnswer } from '../../src/core/shipments/tracking.ts'
import { cancelShipment } from '../../src/operations/cancel-shipment.ts'
import type { CarrierCallKind, CarrierGateway } from '../../src/operations/ports/carriers.ts'
import { reportOverdue, type SweepPolicy, sweep } from '../../src/operations/sweep/sweep.ts'
import type { StoredAttempt, StoredShipment } from './shipment-memory.ts'
import {
  answers,
  aShipment,
  type CarrierReply,
  delayedAnswer,
  type Process,
  shipmentWorld,
} from './shipment-world.ts'

const ACME = { accountId: 'acme' }
const NOW: CarrierReply = { kind: 'cancelled', how: 'now' }
const UNKNOWN: CarrierReply = { kind: 'unknown', cause: 'HTTP 503' }
const REFUSED: CarrierReply = {
  kind: 'refused',
  reason: 'UNKNOWN_PARCEL',
  code: 'X9',
  message: 'No such parcel',
}
const SCANNED: CarrierTrackAnswer = {
  kind: 'scanned',
  scan: { eventId: 'e1', at: '2026-11-02T08:00:00.000Z' },
}
const { carrierRef: _, ...DRAFT } = aShipment({ state: 'draft' })

type World = ReturnType<typeof shipmentWorld>

/** Runs one round and waits for all work that it began. */
async function round(world: World, ports: Process, policy: SweepPolicy = world.policy): Promise<void> {
  await sweep(ports, policy)
  await ports.inFlight.drain()
}

/** Booked shipments with one due attempt each, spread over `carriers` in turn. */
function withDueAttempts(
  count: number,
  carrier: () => Promise<CarrierReply>,
  gateway: Partial<CarrierGateway> = {},
  carriers: readonly string[] = ['rondeel'],
): World {
  const shipments = Array.from({ length: count }, (_unused, index) =>
    aShipment({
      shipmentId: `shp_${index}`,
      carrierRef: `REF${index}`,
      carrierCode: carriers[index % carriers.length] ?? 'rondeel',
    }),
  )
  const world = shipmentWorld(shipments, carrier, gateway)
  world.attempts.push(...shipments.map((shipment) => anAttempt(shipment)))
  return world
}

function anAttempt(shipment: StoredShipment, overrides: Partial<StoredAttempt> = {}): StoredAttempt {
  const { shipmentId, accountId, carrierCode } = shipment
  return {
    ...{ attemptId: `attempt-of-${shipmentId}`, shipmentId, accountId, carrierCode, phase: 'pending' },
    ...{ fence: 1, sends: 1, begunAt: 0, leaseUntil: 0, retryAt: 0, lookups: 0 },
    ...overrides,
  }
}

describe('attempts', () => {
  test('are continued once they are due', async () => {
    const world = shipmentWorld([aShipment()], answers(UNKNOWN, UNKNOWN, NOW))
    const ports = world.process()
    await cancelShipment(ports, ACME, 'shp_1', world.policy)
    world.pass(999)
    await round(world, ports)
    expect(world.asked).toHaveLength(1)
    world.pass(1)
    await round(world, ports)
    expect(world.attempts).toMatchObject([{ phase: 'pending', sends: 2, retryAt: 3_000 }])
    world.pass(2_000)
    await round(world, ports)
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
    expect(world.asked.map(({ attemptId }) => attemptId)).toEqual(['attempt-1', 'attempt-1', 'attempt-1'])
    await round(world, ports)
    expect(world.asked).toHaveLength(3)
  })

  test('of a process that died are taken over when the lease expires', async () => {
    const carriers = [() => new Promise<CarrierReply>(() => {}), answers(NOW)]
    const world = shipmentWorld([aShipment()], () => carriers.shift()?.() ?? Promise.resolve(UNKNOWN))
    void cancelShipment(world.process(), ACME, 'shp_1', world.policy)
    const sweeper = world.process()
    await new Promise((resolve) => setImmediate(resolve))
    world.pass(world.policy.leaseMs - 1)
    await round(world, sweeper)
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
    world.pass(1)
    await round(world, sweeper)
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
  })

  test('are claimed up to the room at their carrier, the rest in later rounds', async () => {
    const rooms: CarrierCallKind[] = []
    const room: CarrierGateway['room'] = (_carrierCode, _accountId, kind) => {
      rooms.push(kind)
      return 2
    }
    const world = withDueAttempts(5, answers(NOW), { room })
    const ports = world.process()
    const asked: number[] = []
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await round(world, ports)
      asked.push(world.asked.length)
    }
    expect(asked).toEqual([2, 4, 5, 5])
    expect(new Set(rooms)).toEqual(new Set(['command']))
  })

  test('of a carrier without room wait, without delaying those of another carrier', async () => {
    const room = (carrierCode: string) => (carrierCode === 'rondeel' ? 0 : 9)
    const world = withDueAttempts(4, answers(NOW), { room }, ['rondeel', 'kwiklijn'])
    await round(world, world.process())
    expect(world.asked.map(({ carrierCode }) => carrierCode)).toEqual(['kwiklijn', 'kwiklijn'])
    expect(world.attempts.filter(({ phase }) => phase === 'pending')).toMatchObject([
      { sends: 1, fence: 1 },
      { sends: 1, fence: 1 },
    ])
  })

  test('that are refused after an unconfirmed send stay open for a quarter of an hour while lookups are inconclusive', async () => {
    const world = withDueAttempts(1, answers(REFUSED))
    const [attempt] = world.attempts
    const ports = world.process()
    for (const at of [0, 2_000, 6_000, 14_000]) {
      world.pass(at - ports.clock().getTime())
      await round(world, ports)
      expect(attempt).toMatchObject({ phase: 'pending' })
    }
    world.pass(900_000 - 14_000)
    await round(world, ports)
    // After the refusal the parcel is only looked up.
    expect(attempt).toMatchObject({ phase: 'refused', sends: 2, verifyAt: 900_000 + 60_000 })
    expect(world.asked).toHaveLength(1)
    expect(world.lookups).toHaveLength(5)
    expect(world.shipments.get('shp_0')?.state).toBe('booked')
  })

  test('that are refused after an unconfirmed send are accepted as soon as a lookup finds the parcel cancelled', async () => {
    let lookups = 0
    const track: CarrierGateway['track'] = async () => {
      lookups += 1
      return lookups < 3 ? { kind: 'unknown', cause: 'HTTP 503' } : { kind: 'cancelled' }
    }
    const world = withDueAttempts(1, answers(REFUSED), { track })
    const ports = world.process()
    for (const waitMs of [0, 2_000, 4_000]) {
      expect(world.shipments.get('shp_0')?.state).toBe('booked')
      world.pass(waitMs)
      await round(world, ports)
    }
    expect(world.shipments.get('shp_0')).toMatchObject({ state: 'cancelled', cancelledBy: 'carrier' })
    expect([world.attempts[0]?.phase, ports.alerts]).toEqual(['accepted', []])
  })

  test('are claimed once, however many replicas sweep', async () => {
    const world = withDueAttempts(6, answers(NOW))
    const replicas = [world.process(), world.process(), world.process()]
    await Promise.all(replicas.map((ports) => round(world, ports)))
    expect(world.asked.map(({ shipmentId }) => shipmentId).sort()).toEqual([...world.shipments.keys()])
  })

  test('that cannot be sent are not counted, and wait', async () => {
    const world = withDueAttempts(1, answers({ kind: 'not_sent', cause: 'the carrier is left alone' }))
    await round(world, world.process())
    expect(world.attempts).toMatchObject([{ phase: 'pending', sends: 1, retryAt: 2_000 }])
  })

  test('are awaited by a shutdown, but not by the round that began them', async () => {
    const { carrier, answer } = delayedAnswer()
    const world = withDueAttempts(1, carrier)
    const ports = world.process()
    await sweep(ports, world.policy)
    expect(world.asked).toHaveLength(1)
    const drained = ports.inFlight.drain()
    answer(NOW)
    await drained
    expect(world.shipments.get('shp_0')?.state).toBe('cancelled')
  })

  test('are reported if their outcome cannot be stored, and are due again when the lease expires', async () => {
    const world = withDueAttempts(1, answers(NOW))
    const ports = world.process()
    ports.shipments.acceptCancellation = () => Promise.reject(new Error('database down'))
    await round(world, ports)
    expect(ports.faults).toEqual([new Error('database down')])
    expect(world.attempts).toMatchObject([{ phase: 'pending', retryAt: world.policy.leaseMs }])
  })

  test('that are still open after a quarter of an hour raise one alert', async () => {
    const world = withDueAttempts(2, answers(UNKNOWN))
    const ports = world.process()
    Object.assign(world.attempts[0] ?? {}, { sends: 3, lastCause: 'HTTP 503' })
    Object.assign(world.attempts[1] ?? {}, { begunAt: 1 })
    world.pass(15 * 60_000 - 1)
    await reportOverdue(ports, world.policy)
    expect(ports.alerts).toEqual([])
    world.pass(1)
    const overdue = { kind: 'CANCELLATION_OVERDUE', carrierCode: 'rondeel' }
    await reportOverdue(ports, world.policy)
    await reportOverdue(world.process(), world.policy)
    expect(ports.alerts).toEqual([
      { ...overdue, shipmentId: 'shp_0', detail: 'sent 3 times in 15 minutes; last: HTTP 503' },
    ])
    world.pass(60_001)
    await reportOverdue(ports, world.policy)
    expect(ports.alerts.slice(1)).toEqual([
      { ...overdue, shipmentId: 'shp_1', detail: 'sent once in 16 minutes; last: no answer' },
    ])
  })
})

describe('the work of several accounts', () => {
  /** "acme" has its own channel at every carrier; all other accounts share the carrier's. */
  const channelOf: CarrierGateway['channelOf'] = (carrierCode, accountId) =>
    accountId === 'acme' ? `${carrierCode} acme` : carrierCode

  /** Booked shipments with a due attempt, `counts` per account. */
  function worldOf(counts: Readonly<Record<string, number>>, gateway: Partial<CarrierGateway>): World {
    const shipments = Object.entries(counts).flatMap(([accountId, count]) =>
      Array.from({ length: count }, (_unused, index) => {
        const name = `${accountId}-${index}`
        return aShipment({ accountId, shipmentId: `shp_${name}`, carrierRef: name })
      }),
    )
    const world = shipmentWorld(shipments, answers(NOW), { channelOf, ...gateway })
    world.attempts.push(...shipments.map((shipment) => anAttempt(shipment)))
    return world
  }

  /** The number of attempts of each account that were sent to the carrier. */
  const askedOf = ({ asked }: World) => {
    const counts: Record<string, number> = {}
    for (const { accountId } of asked) counts[accountId] = (counts[accountId] ?? 0) + 1
    return counts
  }

  test('waits where the channel has no room, and continues in other channels', async () => {
    const room: CarrierGateway['room'] = (_code, accountId) => (accountId === 'acme' ? 0 : 9)
    const world = worldOf({ acme: 50, bravo: 2, charlie: 1 }, { room })
    const ports = world.process()
    await round(world, ports)
    expect(askedOf(world)).toEqual({ bravo: 2, charlie: 1 })
    const left = world.attempts.filter(({ phase }) => phase === 'pending')
    expect(left).toHaveLength(50)
    expect(left.every(({ sends, fence, retryAt }) => sends === 1 && fence === 1 && retryAt === 0)).toBe(true)
    // An open shared channel does not stop the account with its own channel either.
    const other: CarrierGateway['room'] = (_code, accountId) => (accountId === 'acme' ? 9 : 0)
    const reverse = worldOf({ acme: 2, bravo: 50 }, { room: other })
    await round(reverse, reverse.process())
    expect(askedOf(reverse)).toEqual({ acme: 2 })
  })

  test('is claimed one row at a time while the circuit of its channel is half-open', async () => {
    const room: CarrierGateway['room'] = (_code, accountId) => (accountId === 'acme' ? 1 : 9)
    const world = worldOf({ acme: 5, bravo: 4 }, { room })
    await round(world, world.process())
    expect(askedOf(world)).toEqual({ acme: 1, bravo: 4 })
  })

  test('is spread evenly over the room of a channel, and uses all of it', async () => {
    const world = worldOf({ bravo: 40, charlie: 1, delta: 3, echo: 40 }, { room: () => 12 })
    const ports = world.process()
    await round(world, ports)
    expect(askedOf(world)).toEqual({ bravo: 4, charlie: 1, delta: 3, echo: 4 })
    await round(world, ports)
    expect(askedOf(world)).toEqual({ bravo: 10, charlie: 1, delta: 3, echo: 10 })
  })

  test('is picked at random when a channel has less room than accounts', async () => {
    const accounts = ['bravo', 'charlie', 'delta', 'echo', 'foxtrot']
    const world = worldOf(Object.fromEntries(accounts.map((account) => [account, 9])), { room: () => 2 })
    const ports = world.process()
    const served: string[][] = []
    for (const chance of [0, 0.2, 0.4, 0.6, 0.8, 0.99, 1]) {
      const before = world.asked.length
      await round(world, { ...ports, random: () => chance })
      served.push(world.asked.slice(before).map(({ accountId }) => accountId))
    }
    expect(served).toEqual([
      ['bravo', 'charlie'],
      ['charlie', 'delta'],
      ['delta', 'echo'],
      ['echo', 'foxtrot'],
      ['foxtrot', 'bravo'],
      ['foxtrot', 'bravo'],
      ['bravo', 'charlie'],
    ])
  })

  test('is finished in every channel after a circuit closed again, with one cancellation per attempt', async () => {
    let isOpen = true
    const room: CarrierGateway['room'] = (_code, accountId) => (accountId === 'acme' && isOpen ? 0 : 3)
    const world = worldOf({ acme: 7, bravo: 7 }, { room })
    const replicas = [world.process(), world.process()]
    for (let rounds = 0; rounds < 6; rounds += 1) {
      if (rounds === 3) isOpen = false
      await Promise.all(replicas.map((ports) => round(world, ports)))
    }
    expect(askedOf(world)).toEqual({ acme: 7, bravo: 7 })
    expect(world.attempts.every(({ phase, sends }) => phase === 'accepted' && sends === 2)).toBe(true)
  })

  test.each<'verifications' | 'bookings' | 'lookups'>([
    'verifications',
    'bookings',
    'lookups',
  ])('is claimed by channel for %s too', async (work) => {
    const served: string[] = []
    const shipments = ['acme', 'bravo'].map((accountId) => {
      const names = { accountId, shipmentId: `shp_${accountId}`, carrierRef: accountId }
      if (work === 'lookups') return aShipment({ ...names, nextTrackAt: 0 })
      if (work === 'verifications') return aShipment(names)
      return { ...DRAFT, accountId, shipmentId: names.shipmentId, bookingUntil: 0, bookingTries: 1 }
    })
    const world = shipmentWorld(shipments, answers(NOW), {
      channelOf,
      room: (_code, accountId) => (accountId === 'acme' ? 0 : 9),
      track: async ({ accountId }) => {
        served.push(accountId)
        return { kind: 'announced' }
      },
      book: async (accountId) => {
        served.push(accountId)
        return { kind: 'booked', carrierRef: accountId }
      },
    })
    if (work === 'verifications')
      world.attempts.push(
        ...shipments.map((shipment) => anAttempt(shipment, { phase: 'refused', sends: 2, verifyAt: 0 })),
      )
    await round(world, world.process())
    expect(served).toEqual(['bravo'])
  })
})

describe('refusals to be verified', () => {
  test('are not claimed again while the numbers of a shipment are looked up one after the other', async () => {
    const several = aShipment({ carrierRef: 'P1', parcelRefs: ['P1', 'P2', 'P3'] })
    const world = shipmentWorld([several], answers(NOW), { track: () => new Promise(() => {}) })
    const attempt = anAttempt(several, { phase: 'refused', sends: 2, verifyAt: 0 })
    world.attempts.push(attempt)
    await sweep(world.process(), world.policy)
    await world.until(() => world.lookups.length === 1)
    world.pass(2 * world.policy.leaseMs)
    await sweep(world.process(), world.policy)
    expect([attempt.lookups, world.lookups.length]).toEqual([1, 1])
    world.pass(world.policy.leaseMs)
    await sweep(world.process(), world.policy)
    await world.until(() => world.lookups.length === 2)
  })

  function refused(gateway: Partial<CarrierGateway>): World & { ports: Process; attempt: StoredAttempt } {
    const shipment = aShipment()
    const refusal = { code: 'UNKNOWN_PARCEL', reason: 'No such parcel' } as const
    const attempt = anAttempt(shipment, { phase: 'refused', sends: 2, refusal, verifyAt: 0 })
    const world = shipmentWorld([shipment], answers(NOW), gateway)
    world.attempts.push(attempt)
    return { ...world, ports: world.process(), attempt }
  }
  const parcel = { carrierCode: 'rondeel', shipmentId: 'shp_1' }

  test('become cancellations with an alert if the carrier has cancelled', async () => {
    const world = refused({ track: async () => ({ kind: 'cancelled' }) })
    await round(world, world.ports)
    expect(world.shipments.get('shp_1')).toMatchObject({ state: 'cancelled', cancelledBy: 'carrier' })
    expect(world.attempt.phase).toBe('accepted')
    expect(world.ports.alerts).toEqual([
      { kind: 'CANCELLED_AT_CARRIER', ...parcel, detail: 'the carrier had refused before' },
    ])
    expect(world.asked).toEqual([])
  })

  test.each<[CarrierTrackAnswer, string]>([
    [{ kind: 'announced' }, 'booked'],
    [SCANNED, 'in_transit'],
  ])('become final after %j', async (answer, state) => {
    const world = refused({ track: async () => answer })
    await round(world, world.ports)
    expect(world.shipments.get('shp_1')?.state).toBe(state)
    expect(world.attempt).toMatchObject({ phase: 'refused', lookups: 1 })
    expect(world.attempt).not.toHaveProperty('verifyAt')
    expect(world.ports.alerts).toEqual([])
  })

  test('that lookups cannot settle are looked up less and less often, without end, and raise one alert', async () => {
    const world = refused({})
    const pauses: number[] = []
    for (let lookups = 1; lookups <= 11; lookups += 1) {
      await round(world, world.ports)
      const pauseMs = (world.attempt.verifyAt ?? Number.NaN) - world.ports.clock().getTime()
      pauses.push(pauseMs / 1_000)
      world.pass(pauseMs)
    }
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
    expect(world.ports.alerts).toEqual([
      { kind: 'REFUSAL_NOT_VERIFIED', ...parcel, detail: 'looked up 6 times; last: HTTP 503' },
    ])
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
  })

  test('of a carrier without lookups are marked and raise an alert', async () => {
    const world = refused({ canLookUp: () => false })
    await round(world, world.ports)
    await round(world, world.ports)
    expect(world.attempt).toMatchObject({ phase: 'refused', anomaly: expect.stringContaining('no lookup') })
    expect(world.attempt).not.toHaveProperty('verifyAt')
    expect(world.ports.alerts).toMatchObject([{ kind: 'REFUSAL_NOT_VERIFIED', ...parcel }])
    expect(world.lookups).toEqual([])
  })

  test('wait while there is no room for lookups', async () => {
    const room: CarrierGateway['room'] = (_code, _account, kind) => (kind === 'lookup' ? 0 : 9)
    const world = refused({ room })
    await round(world, world.ports)
    expect([world.lookups, world.attempt.lookups]).toEqual([[], 0])
  })
})

describe('cancellations that the carrier accepted for later', () => {
  const DAY_MS = 86_400_000
  const parcel = { carrierCode: 'rondeel', shipmentId: 'shp_1' }
  const ACCEPTED: CarrierReply = { kind: 'cancelled', how: 'accepted' }

  /** A shipment whose cancellation was accepted a day ago. */
  async function accepted(gateway: Partial<CarrierGateway>): Promise<World & { ports: Process }> {
    const world = shipmentWorld([aShipment()], answers(ACCEPTED), gateway)
    const ports = world.process()
    await cancelShipment(ports, ACME, 'shp_1')
    await round(world, ports)
    expect(world.lookups).toEqual([])
    world.pass(DAY_MS)
    return { ...world, ports }
  }

  test('are looked up the next day, and end if the carrier has cancelled the parcel', async () => {
    const world = await accepted({ track: async () => ({ kind: 'cancelled' }) })
    await round(world, world.ports)
    expect(world.attempts).toMatchObject([{ phase: 'accepted', lookups: 1 }])
    expect(world.attempts[0]).not.toHaveProperty('verifyAt')
    expect(world.ports.alerts).toEqual([])
  })

  test('raise an alert if the carrier has scanned the parcel', async () => {
    const world = await accepted({ track: async () => SCANNED })
    await round(world, world.ports)
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
    expect(world.attempts[0]).not.toHaveProperty('verifyAt')
    expect(world.ports.alerts).toMatchObject([{ kind: 'SCANNED_AFTER_CANCELLATION' }])
  })

  test.each<[CarrierTrackAnswer, alerts: number]>([
    [{ kind: 'announced' }, 5],
    [{ kind: 'unknown', cause: 'E_404_01' }, 0],
  ])('are looked up on five days while the lookup says %j', async (answer, alerts) => {
    const world = await accepted({ track: async () => answer })
    for (let day = 1; day <= 7; day += 1) {
      await round(world, world.ports)
      world.pass(DAY_MS)
    }
    expect(world.attempts).toMatchObject([{ phase: 'accepted', lookups: 5 }])
    expect(world.attempts[0]).not.toHaveProperty('verifyAt')
    expect(world.ports.alerts).toEqual(
      Array.from({ length: alerts }, () => ({
        ...{ kind: 'CANCELLATION_NOT_CARRIED_OUT', ...parcel },
        detail: expect.stringContaining('still lists the parcel as announced'),
      })),
    )
    expect(world.attempts[0]?.anomaly !== undefined).toBe(alerts > 0)
  })

  test('are not looked up if the carrier has no lookup', async () => {
    const world = await accepted({ canLookUp: () => false })
    await round(world, world.ports)
    expect(world.lookups).toEqual([])
    expect(world.attempts[0]).not.toHaveProperty('verifyAt')
    expect(world.ports.alerts).toEqual([])
  })
})

describe('bookings', () => {
  test('without a working process are found again under their idempotency key', async () => {
    const booked: string[] = []
    const book: CarrierGateway['book'] = async (accountId, { shipmentId }) => {
      booked.push(`${accountId} ${shipmentId}`)
      return { kind: 'booked', carrierRef: 'REF9' }
    }
    const world = shipmentWorld([{ ...DRAFT, bookingUntil: 500, bookingTries: 1 }], answers(NOW), { book })
    const ports = world.process()
    await round(world, ports)
    expect(booked).toEqual([])
    world.pass(500)
    await round(world, ports)
    await round(world, ports)
    expect(booked).toEqual(['acme shp_1'])
    expect(world.shipments.get('shp_1')).toMatchObject({ state: 'booked', carrierRef: 'REF9' })
    expect(world.asked).toEqual([])
  })

  test('of drafts that were cancelled meanwhile are withdrawn at the carrier', async () => {
    const cancelled = { ...DRAFT, state: 'cancelled', cancelledBy: 'draft', bookingUntil: 0 } as const
    const world = shipmentWorld([{ ...cancelled, bookingTries: 1 }], answers(NOW))
    await round(world, world.process())
    expect(world.asked.map(({ carrierRef }) => carrierRef)).toEqual(['REF-shp_1'])
    expect(world.attempts).toMatchObject([{ phase: 'accepted' }])
    expect(world.shipments.get('shp_1')).toMatchObject({ state: 'cancelled', cancelledBy: 'draft' })
  })

  test('of drafts with a cancellation on record are cancelled at the carrier once they are found', async () => {
    const requested = { ...DRAFT, bookingUntil: 0, bookingTries: 1, cancelWantedAt: 0 }
    const world = shipmentWorld([requested], answers(NOW))
    const ports = world.process()
    await round(world, ports)
    expect(world.asked.map(({ carrierRef }) => carrierRef)).toEqual(['REF-shp_1'])
    expect(world.attempts).toMatchObject([{ phase: 'accepted', sends: 1 }])
    expect(world.shipments.get('shp_1')).toMatchObject({ state: 'cancelled', cancelledBy: 'carrier' })
    expect(ports.alerts).toEqual([])
  })

  test.each([
    [
      'refused',
      { kind: 'refused', code: 'B1', message: 'No' },
      { state: 'cancelled', cancelledBy: 'draft', bookingTries: 0 },
    ],
    [
      'unknown',
      { kind: 'unknown', cause: 'HTTP 503' },
      { state: 'draft', cancelWantedAt: 0, bookingUntil: 2_000 },
    ],
    [
      'not sent',
      { kind: 'not_sent', cause: 'left alone' },
      { state: 'draft', cancelWantedAt: 0, bookingUntil: 2_000 },
    ],
    [
      'not offered',
      { kind: 'not_offered', code: 'NOT_OFFERED' },
      { state: 'draft', cancelWantedAt: 0, bookingUntil: 2_000 },
    ],
  ] as const)('of drafts with a cancellation on record follow the answer %s', async (_name, answer, expected) => {
    const requested = { ...DRAFT, bookingUntil: 0, bookingTries: 1, cancelWantedAt: 0 }
    const world = shipmentWorld([requested], answers(NOW), { book: async () => answer })
    const ports = world.process()
    await round(world, ports)
    expect(world.shipments.get('shp_1')).toMatchObject(expected)
    expect([world.asked, world.attempts]).toEqual([[], []])
    expect(ports.alerts.map(({ kind }) => kind)).toEqual(
      answer.kind === 'refused' ? ['BOOKING_IN_DOUBT'] : [],
    )
  })

  test.each([
    ['unknown', { kind: 'unknown', cause: 'HTTP 503' }],
    ['not sent', { kind: 'not_sent', cause: 'ECONNREFUSED' }],
  ] as const)('that are still %s at try 50 raise an alert', async (_name, answer) => {
    const draft = { ...DRAFT, bookingUntil: 0, bookingTries: 49 }
    const world = shipmentWorld([draft], answers(NOW), { book: async () => answer })
    const ports = world.process()
    await round(world, ports)
    expect(ports.alerts).toMatchObject([
      { kind: 'BOOKING_IN_DOUBT', detail: `tried 50 times; last: ${answer.cause}` },
    ])
  })

  test.each([
    ['unknown', { kind: 'unknown', cause: 'HTTP 503' }, { bookingUntil: 2_000, bookingTries: 2 }],
    ['not sent', { kind: 'not_sent', cause: 'left alone' }, { bookingUntil: 2_000, bookingTries: 2 }],
    [
      'not offered',
      { kind: 'not_offered', code: 'NOT_OFFERED' },
      { state: 'draft', bookingUntil: 2_000, bookingTries: 2 },
    ],
    ['refused', { kind: 'refused', code: 'B1', message: 'No' }, { state: 'draft', bookingTries: 0 }],
  ] as const)('with the repeated answer %s are settled', async (_name, answer, expected) => {
    const draft = { ...DRAFT, bookingUntil: 0, bookingTries: 1 }
    const world = shipmentWorld([draft], answers(NOW), { book: async () => answer })
    await round(world, world.process())
    expect(world.shipments.get('shp_1')).toMatchObject(expected)
  })
})

describe('booked parcels', () => {
  const unseen = (gateway: Partial<CarrierGateway>) => {
    const world = shipmentWorld([aShipment({ nextTrackAt: 0 })], answers(NOW), gateway)
    return { ...world, ports: world.process(), shipment: world.shipments.get('shp_1') }
  }

  test('that were scanned move to in transit', async () => {
    const world = unseen({ track: async () => SCANNED })
    await round(world, world.ports)
    expect(world.shipment?.state).toBe('in_transit')
    expect(world.ports.alerts).toEqual([])
  })

  test('that the carrier has cancelled are cancelled here, and raise an alert', async () => {
    const world = unseen({ track: async () => ({ kind: 'cancelled' }) })
    await round(world, world.ports)
    expect(world.shipment).toMatchObject({ state: 'cancelled', cancelledBy: 'carrier' })
    expect(world.attempts).toMatchObject([{ phase: 'accepted', sends: 0 }])
    expect(world.ports.alerts).toEqual([
      { kind: 'CANCELLED_AT_CARRIER', carrierCode: 'rondeel', shipmentId: 'shp_1' },
    ])
  })

  test.each([
    { kind: 'announced' },
    { kind: 'unknown', cause: 'HTTP 503' },
    { kind: 'not_sent', cause: 'too many calls are running' },
  ] as const)('are looked up again in half an hour after %j', async (answer) => {
    const world = unseen({ track: async () => answer })
    await round(world, world.ports)
    await round(world, world.ports)
    expect(world.shipment).toMatchObject({ state: 'booked', nextTrackAt: 1_800_000 })
    expect(world.lookups).toMatchObject([{ carrierRef: 'REF1' }])
    expect([world.ports.alerts, world.ports.faults]).toEqual([[], []])
  })

  test('are looked up a few per round, however much room there is', async () => {
    const many = Array.from({ length: 20 }, (_unused, index) =>
      aShipment({ shipmentId: `shp_${index}`, carrierRef: `REF${index}`, nextTrackAt: 0 }),
    )
    const room = { room: () => 100, track: async () => ({ kind: 'announced' }) as const }
    const world = shipmentWorld(many, answers(NOW), room)
    const ports = world.process()
    for (const seen of [8, 16, 20]) {
      await round(world, ports)
      expect(new Set(world.lookups.map(({ carrierRef }) => carrierRef)).size).toBe(seen)
    }
  })

  test('are looked up in batches, of all accounts that share the limits', async () => {
    const many = Array.from({ length: 70 }, (_unused, index) =>
      aShipment({
        ...{ shipmentId: `shp_${index}`, carrierRef: `REF${index}`, nextTrackAt: 0 },
        accountId: index % 2 === 0 ? 'acme' : 'globex',
      }),
    )
    const batches: number[] = []
    let calls = 2
    const world = shipmentWorld(many, answers(NOW), {
      trackingRoom: () => ({ key: 'shared', everyMs: 0, batch: 30, calls }),
      trackMany: async (parcels) => {
        batches.push(parcels.length)
        calls -= 1
        return parcels.map(({ carrierRef }) =>
          carrierRef === 'REF7' ? SCANNED : ({ kind: 'announced' } as const),
        )
      },
    })
    const ports = world.process()
    await round(world, ports)
    expect(batches).toEqual([30, 30])
    await round(world, ports)
    expect(batches).toHaveLength(2)
    calls = 9
    await round(world, ports)
    expect(batches).toEqual([30, 30, 10])
    const moved = [...world.shipments.values()].filter(({ state }) => state === 'in_transit')
    expect(moved.map(({ carrierRef }) => carrierRef)).toEqual(['REF7'])
    expect(ports.faults).toEqual([])
  })

  test('with several numbers are looked up in calls of the size that the carrier allows', async () => {
    const several = aShipment({ carrierRef: 'P1', parcelRefs: ['P1', 'P2', 'P3'], nextTrackAt: 0 })
    const sizes: number[] = []
    const world = shipmentWorld([several], answers(NOW), {
      trackingRoom: () => ({ key: 'shared', everyMs: 0, batch: 10, calls: 1 }),
      trackMany: async (parcels) => {
        sizes.push(parcels.length)
        return parcels.map(() => ({ kind: 'announced' }) as const)
      },
    })
    await round(world, world.process())
    expect(sizes).toEqual([3])
  })

  test('with several numbers move to in transit although the quota ends before their last number', async () => {
    const several = aShipment({ carrierRef: 'P1', parcelRefs: ['P1', 'P2', 'P3'], nextTrackAt: 0 })
    let calls = 0
    const world = shipmentWorld([several], answers(NOW), {
      trackMany: async (parcels) =>
        parcels.map(({ carrierRef }) => {
          calls += 1
          if (calls > 1) return { kind: 'not_sent', cause: 'quota' } as const
          return carrierRef === 'P3' ? SCANNED : ({ kind: 'announced' } as const)
        }),
    })
    const ports = world.process()
    await round(world, ports)
    expect(world.shipments.get('shp_1')?.state).toBe('booked')
    world.pass(world.policy.trackEveryMs)
    calls = 0
    // Another number is the first one now.
    await round(world, { ...ports, random: () => 0.9 })
    expect(world.shipments.get('shp_1')?.state).toBe('in_transit')
    expect(world.scans).toMatchObject([{ carrierRef: 'P3', shipmentId: 'shp_1' }])
  })

  test('are due again after the interval of the carrier, if that is longer than that of the operator', async () => {
    const due = (shipmentId: string, carrierCode: string) =>
      aShipment({ shipmentId, carrierRef: shipmentId, carrierCode, nextTrackAt: 0 })
    const world = shipmentWorld([due('s1', 'slow'), due('s2', 'quick')], answers(NOW), {
      trackingRoom: (key) => ({ key, everyMs: key === 'slow' ? 10_800_000 : 60_000, batch: 1, calls: 1 }),
    })
    await round(world, world.process())
    expect([...world.shipments.values()].map(({ nextTrackAt }) => nextTrackAt)).toEqual([
      10_800_000, 1_800_000,
    ])
  })

  test('are looked up only once after their scan, to verify it', async () => {
    const world = unseen({ track: async () => SCANNED })
    await round(world, world.ports)
    for (let rounds = 1; rounds <= 3; rounds += 1) {
      world.pass(100 * 86_400_000)
      await round(world, world.ports)
    }
    expect(world.lookups).toHaveLength(2)
  })

  test.each<[string, Partial<CarrierGateway>, trackEveryMs: number, nextTrackAt: number]>([
    ['the operator has disabled it', {}, 0, 3_600_000],
    ['their carrier has no lookup', { canLookUp: () => false }, 1_800_000, 3_600_000],
    ['there is no room', { room: (_code, _account, kind) => (kind === 'lookup' ? 0 : 9) }, 1_800_000, 0],
  ])('are not looked up when %s', async (_name, gateway, trackEveryMs, nextTrackAt) => {
    const world = unseen(gateway)
    await round(world, world.ports, { ...world.policy, trackEveryMs })
    expect(world.lookups).toEqual([])
    expect(world.shipment?.nextTrackAt).toBe(nextTrackAt)
  })

  test('are postponed in limited numbers, and looked up once they can be', async () => {
    const many = Array.from({ length: 1_500 }, (_unused, index) =>
      aShipment({ shipmentId: `shp_${index}`, carrierRef: `REF${index}`, nextTrackAt: 0 }),
    )
    let canLookUp = false
    const world = shipmentWorld(many, answers(NOW), {
      canLookUp: () => canLookUp,
      track: async () => ({ kind: 'announced' }),
    })
    const ports = world.process()
    const dueNow = () => [...world.shipments.values()].filter(({ nextTrackAt }) => nextTrackAt === 0).length
    await round(world, ports)
    expect(dueNow()).toBe(500)
    await round(world, ports)
    expect([dueNow(), world.lookups.length]).toEqual([0, 0])
    canLookUp = true
    world.pass(3_600_000)
    await round(world, ports)
    expect(world.lookups).toHaveLength(8)
  })
})

describe('parcels in transit', () => {
  const HOUR = 3_600_000
  const DELIVERED: CarrierTrackAnswer = {
    kind: 'scanned',
    scan: { eventId: 'e1', at: '2026-11-02T08:00:00.000Z' },
    delivery: { eventId: 'e9', at: '2026-11-04T09:30:00.000Z' },
  }
  const moving = (answer: () => CarrierTrackAnswer, tellsDeliveries = true) => {
    const shipment = aShipment({ state: 'in_transit', nextTrackAt: 0 })
    const world = shipmentWorld([shipment], answers(NOW), {
      trackingRoom: () => ({ key: 'one', everyMs: 0, batch: 1, calls: 9, tellsDeliveries }),
      track: async () => answer(),
    })
    const policy = { ...world.policy, trackInTransitEveryMs: 24 * HOUR }
    return { ...world, policy, ports: world.process(), shipment: world.shipments.get('shp_1') }
  }

  test('are looked up at their own interval until a lookup tells the delivery', async () => {
    let answer = SCANNED
    const world = moving(() => answer)
    await round(world, world.ports, world.policy)
    expect(world.shipment).toMatchObject({ state: 'in_transit', nextTrackAt: 24 * HOUR })
    expect(world.shipment?.deliveredAt).toBeUndefined()
    answer = DELIVERED
    world.pass(24 * HOUR)
    await round(world, world.ports, world.policy)
    expect(world.shipment).toMatchObject({ state: 'in_transit', deliveredAt: '2026-11-04T09:30:00.000Z' })
    world.pass(240 * HOUR)
    await round(world, world.ports, world.policy)
    expect(world.lookups).toHaveLength(2)
    expect([world.ports.alerts, world.ports.faults]).toEqual([[], []])
    expect(await cancelShipment(world.ports, ACME, 'shp_1', world.policy)).toMatchObject({
      kind: 'ShipmentNotCancelled',
      code: 'ALREADY_IN_TRANSIT',
    })
    expect(world.asked).toEqual([])
  })

  test.each([
    ['the carrier does not tell deliveries', false, 24 * HOUR],
    ['the operator has disabled it', true, 0],
  ])('are not looked up when %s', async (_name, tellsDeliveries, trackInTransitEveryMs) => {
    const world = moving(() => DELIVERED, tellsDeliveries)
    await round(world, world.ports, { ...world.policy, trackInTransitEveryMs })
    expect(world.lookups).toEqual([])
    expect(world.shipment?.deliveredAt).toBeUndefined()
  })
})
