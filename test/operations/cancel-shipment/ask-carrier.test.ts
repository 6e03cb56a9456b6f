/** One cancellation call to a carrier and its settlement: the effect and the outcome of each answer. */
import { describe, expect, test } from 'vitest'
import type { CancelTicket, CarrierRefusal, NotSent } from '../../../src/core/shipments/cancellation.ts'
import type { RefusalCode } from '../../../src/core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import { cancelShipment, continueAttempt } from '../../../src/operations/cancel-shipment.ts'
import type { CarrierGateway } from '../../../src/operations/ports/carriers.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import type { StoredShipment } from '../shipment-memory.ts'
import { answers, aShipment, type CarrierReply, shipmentWorld } from '../shipment-world.ts'

const CANCELLED_NOW: CarrierReply = { kind: 'cancelled', how: 'now' }
const REFUSED: CarrierRefusal = {
  kind: 'refused',
  reason: 'UNKNOWN_PARCEL',
  code: 'X9',
  message: 'No such parcel',
}
const UNKNOWN: CarrierReply = { kind: 'unknown', cause: 'HTTP 503' }
const UNSENT: CarrierReply = { kind: 'not_sent', cause: 'too many calls are running' }
const CANCELLED = { kind: 'ShipmentCancelled', carrierNotified: true, labelMustBeDestroyed: false }
const REFUSAL = {
  kind: 'ShipmentNotCancelled',
  code: 'CARRIER_REFUSED',
  retryable: false,
  refusal: { code: 'UNKNOWN_PARCEL', reason: 'No such parcel' },
}
const PENDING = { kind: 'CancellationPending', code: 'CARRIER_UNREACHABLE' }
const IN_TRANSIT = { kind: 'ShipmentNotCancelled', code: 'ALREADY_IN_TRANSIT' }

/**
 * A world at cancellation call number `sends` for its shipment, `ageMs` after the first. The carrier answers `reply`.
 */
async function atSend(sends: number, reply: CarrierReply, gateway: Partial<CarrierGateway> = {}, ageMs = 0) {
  const world = shipmentWorld([aShipment()], answers(reply), gateway)
  const ports = world.process()
  let ticket: CancelTicket | undefined
  for (let send = 1; send <= sends; send += 1) {
    const leaseMs = send === sends ? world.policy.leaseMs : 0
    if (send === 2) world.pass(ageMs)
    ticket = (
      await ports.shipments.beginCancellation('acme', 'shp_1', { mayOpen: true, leaseMs, refusalMemoryMs: 0 })
    )?.ticket
  }
  if (ticket === undefined) throw new Error('no ticket')
  const shipment = world.shipments.get('shp_1') as StoredShipment
  const [attempt] = world.attempts
  const sent = ticket
  return {
    world,
    ports,
    ticket,
    shipment,
    attempt,
    ask: () => continueAttempt(ports, sent, 'caller', world.now(), world.policy),
  }
}

describe('an acceptance by the carrier', () => {
  test.each(['now', 'already', 'accepted'] as const)('cancels the shipment ("%s")', async (how) => {
    const { ask, shipment, attempt, ports, world } = await atSend(1, { kind: 'cancelled', how })
    expect(await ask()).toMatchObject({ ...CANCELLED, alreadyCancelled: false })
    expect([shipment.state, shipment.cancelledBy, attempt?.phase]).toEqual([
      'cancelled',
      'carrier',
      'accepted',
    ])
    expect([ports.alerts, world.lookups]).toEqual([[], []])
  })

  test('by release does not notify the carrier, and the label must be destroyed', async () => {
    const { ask, shipment } = await atSend(1, { kind: 'cancelled', how: 'released' })
    expect(await ask()).toMatchObject({ carrierNotified: false, labelMustBeDestroyed: true })
    expect(shipment.cancelledBy).toBe('release')
  })

  test('raises an alert if the shipment is in transit, and the caller is informed that it is in transit', async () => {
    const { ask, shipment, attempt, ports } = await atSend(1, CANCELLED_NOW)
    shipment.state = 'in_transit'
    expect(await ask()).toMatchObject(IN_TRANSIT)
    expect(attempt).toMatchObject({ phase: 'accepted', anomaly: expect.stringContaining('in transit') })
    expect(ports.alerts).toEqual([
      { kind: 'ACCEPTED_IN_TRANSIT', carrierCode: 'rondeel', shipmentId: 'shp_1' },
    ])
  })

  test('for a shipment that was never booked is an internal error', async () => {
    const { ask, shipment } = await atSend(1, CANCELLED_NOW)
    shipment.state = 'draft'
    await expect(ask()).rejects.toThrow('shipment shp_1, which is draft')
  })

  test('is recorded even if the lease was lost', async () => {
    const { ask, ports, shipment } = await atSend(1, CANCELLED_NOW)
    await ports.shipments.releaseLeases()
    await ports.recovery.claimAttempts([{ carrierCode: 'rondeel', accountId: 'acme', room: 1 }], 60_000)
    expect(await ask()).toMatchObject(CANCELLED)
    expect(shipment.state).toBe('cancelled')
  })
})

describe('a refusal by the carrier', () => {
  test('at the first call is final without a lookup', async () => {
    const { ask, shipment, attempt, world } = await atSend(1, REFUSED)
    expect(await ask()).toMatchObject(REFUSAL)
    expect(attempt).toMatchObject({
      phase: 'refused',
      refusal: { code: 'UNKNOWN_PARCEL', reason: 'No such parcel' },
      carrierRefusalCode: 'X9',
    })
    expect(attempt).not.toHaveProperty('verifyAt')
    expect([shipment.state, world.lookups]).toEqual(['booked', []])
  })

  test.each([
    0, 60_000,
  ])('after an unconfirmed call is verified within 2.5 s, and ignored if the lookup finds the parcel cancelled (attempt of %i ms)', async (ageMs) => {
    const track = async () => ({ kind: 'cancelled' }) as const
    const { ask, shipment, attempt, world, ports } = await atSend(2, REFUSED, { track }, ageMs)
    expect(await ask()).toMatchObject({ ...CANCELLED, alreadyCancelled: false })
    expect([shipment.state, shipment.cancelledBy, attempt?.phase]).toEqual([
      'cancelled',
      'carrier',
      'accepted',
    ])
    expect(world.lookups).toMatchObject([{ carrierRef: 'REF1', accountId: 'acme', timeoutMs: 2_500 }])
    expect(ports.alerts).toEqual([])
  })

  const SCANNED: CarrierTrackAnswer = {
    kind: 'scanned',
    scan: { eventId: 'e', at: '2026-11-01T10:00:00Z' },
  }
  const NOT_KNOWN: CarrierTrackAnswer = { kind: 'unknown', cause: 'HTTP 502' }
  const NO_ROOM: NotSent = { kind: 'not_sent', cause: 'too many lookups are running' }
  const NEVER: Partial<CarrierGateway> = {
    canLookUp: () => false,
    track: async () => ({ kind: 'not_sent', cause: 'this carrier has no lookup' }),
  }

  test.each<[string, Partial<CarrierGateway>, number, number | undefined]>([
    ['scanned: permanently', { track: async () => SCANNED }, 0, undefined],
    ['scanned: permanently', { track: async () => SCANNED }, 60_000, undefined],
    ['at a carrier without lookups: to be verified in a minute', NEVER, 0, 60_000],
    ['at a carrier without lookups: to be verified in a minute', NEVER, 60_000, 120_000],
  ])('after an unconfirmed call is recorded when the parcel is %s', async (_name, gateway, ageMs, verifyAt) => {
    const { ask, shipment, attempt, world } = await atSend(2, REFUSED, gateway, ageMs)
    expect(await ask()).toMatchObject(REFUSAL)
    expect([shipment.state, attempt?.phase, attempt?.verifyAt]).toEqual(['booked', 'refused', verifyAt])
    expect(world.lookups).toHaveLength(1)
  })

  test.each<[string, CarrierTrackAnswer | NotSent, number]>([
    ['is not found', NOT_KNOWN, 0],
    ['is not found', NOT_KNOWN, 9_000_000],
    ['could not be looked up', NO_ROOM, 0],
    ['could not be looked up', NO_ROOM, 9_000_000],
  ])('after an unconfirmed call is in doubt when the parcel %s: %j after %i ms', async (_name, seen, ageMs) => {
    const track = async () => seen
    const { ask, shipment, attempt, world, ports } = await atSend(2, REFUSED, { track }, ageMs)
    expect(await ask()).toMatchObject(PENDING)
    expect(attempt).toMatchObject({
      ...{ phase: 'pending', sends: 2, retryAt: ageMs + 2_000 },
      doubt: { refusal: REFUSED, at: ageMs },
    })
    expect(attempt?.lastCause).toContain('X9')
    expect(attempt?.lastCause).toContain('cause' in seen ? seen.cause : 'no cause')
    for (const key of ['owner', 'verifyAt', 'refusal']) expect(attempt).not.toHaveProperty(key)
    // The refusal is not remembered, so a repeat cannot return it.
    for (const key of ['refusal', 'refusedAt']) expect(shipment).not.toHaveProperty(key)
    expect([shipment.state, world.lookups.length, ports.alerts]).toEqual(['booked', 1, []])
  })

  test.each<[string, CarrierTrackAnswer | NotSent]>([
    ['is not found', NOT_KNOWN],
    ['could not be looked up', NO_ROOM],
  ])('is trusted, and to be verified, when the parcel %s for a quarter of an hour after it', async (_name, seen) => {
    const { ports, ticket, world, attempt } = await atSend(2, REFUSED, { track: async () => seen })
    for (const [ageMs, outcome] of [
      [899_999, PENDING],
      [900_000, REFUSAL],
    ] as const) {
      const doubt = { refusal: REFUSED, ageMs }
      Object.assign(attempt ?? {}, { owner: 'process-1', leaseUntil: 60_000, fence: ticket.fence })
      expect(
        await continueAttempt(ports, { ...ticket, doubt }, 'caller', world.now(), world.policy),
      ).toMatchObject(outcome)
    }
    expect(attempt).toMatchObject({ phase: 'refused', verifyAt: 60_000 })
    expect(world.asked).toEqual([])
  })

  test('in doubt reports a shipment in transit as in transit', async () => {
    const { ask, shipment, attempt } = await atSend(2, REFUSED, { track: async () => NOT_KNOWN })
    shipment.state = 'in_transit'
    expect(await ask()).toMatchObject(IN_TRANSIT)
    expect(attempt).toMatchObject({ phase: 'pending', retryAt: 2_000 })
  })

  test('reports a shipment in transit as in transit', async () => {
    const { ask, shipment, attempt, ports } = await atSend(1, REFUSED)
    shipment.state = 'in_transit'
    expect(await ask()).toMatchObject(IN_TRANSIT)
    expect([attempt?.phase, ports.alerts]).toEqual(['refused', []])
  })

  test('raises an alert about the booking if the shipment is cancelled', async () => {
    const { ask, shipment, attempt, ports } = await atSend(1, REFUSED)
    shipment.state = 'cancelled'
    expect(await ask()).toBeUndefined()
    expect(attempt).toMatchObject({ phase: 'refused', anomaly: expect.stringContaining('cancelled here') })
    expect(ports.alerts).toEqual([
      { kind: 'WITHDRAWAL_REFUSED', carrierCode: 'rondeel', shipmentId: 'shp_1', detail: 'No such parcel' },
    ])
  })
})

describe('an unknown answer of the carrier', () => {
  test.each([
    [1, 0, 1_000, 1_000],
    [3, 0, 4_000, 4_000],
    [4, 0, 8_000, 5_000],
    [4, 1, 4_000, 4_000],
    [9, 0, 20_000, 5_000],
  ])('leads to call %i (random %d) after %i ms, or after %i ms from a caller', async (sends, chance, retryInMs, callerWaitMs) => {
    const { ports, ticket, world, attempt, shipment } = await atSend(sends, UNKNOWN)
    expect(
      await continueAttempt({ ...ports, random: () => chance }, ticket, 'caller', world.now(), world.policy),
    ).toMatchObject(PENDING)
    expect(attempt).toMatchObject({
      ...{ phase: 'pending', sends, lastCause: 'HTTP 503' },
      ...{ retryAt: retryInMs, leaseUntil: callerWaitMs },
    })
    expect(attempt).not.toHaveProperty('owner')
    expect(shipment.state).toBe('booked')
  })

  test('is not followed by another call, also from a caller, before the carrier can answer something new', async () => {
    const { ask, attempt } = await atSend(2, { kind: 'unknown', cause: 'HTTP 500', repeatAfterMs: 60_000 })
    expect(await ask()).toMatchObject(PENDING)
    expect(attempt).toMatchObject({ phase: 'pending', retryAt: 60_000, leaseUntil: 60_000 })
  })
})

test('an unknown answer about a shipment in transit is reported as in transit, and the attempt stays open', async () => {
  const { ask, shipment, attempt, ports } = await atSend(1, UNKNOWN)
  shipment.state = 'in_transit'
  expect(await ask()).toMatchObject(IN_TRANSIT)
  expect(attempt).toMatchObject({ phase: 'pending', lastCause: 'HTTP 503', retryAt: 1_000 })
  expect([shipment.state, ports.alerts]).toEqual(['in_transit', []])
})

test('an unknown answer about a cancelled shipment is pending, because its booking has to be withdrawn', async () => {
  const { ask, shipment, attempt } = await atSend(1, UNKNOWN)
  shipment.state = 'cancelled'
  expect(await ask()).toMatchObject(PENDING)
  expect(attempt).toMatchObject({ phase: 'pending', retryAt: 1_000 })
})

describe('a refusal in doubt', () => {
  const ANNOUNCED: CarrierTrackAnswer = { kind: 'announced' }

  /** An attempt whose refusal is in doubt since the second send, `at` milliseconds ago. */
  async function inDoubt(at: number, seen: CarrierTrackAnswer) {
    let lookup = ANNOUNCED
    const { ask, ports, world, attempt, shipment } = await atSend(2, REFUSED, { track: async () => lookup })
    expect(await ask()).toMatchObject(PENDING)
    lookup = seen
    world.pass(at)
    const [again] = await ports.recovery.claimAttempts(
      [{ carrierCode: 'rondeel', accountId: 'acme', room: 1 }],
      world.policy.leaseMs,
    )
    if (again === undefined) throw new Error('the attempt is not due')
    return {
      world,
      ports,
      attempt,
      shipment,
      look: () => continueAttempt(ports, again, 'background', world.now(), world.policy),
    }
  }

  test('of an announced parcel is looked up again after 20 seconds, and may be looked up earlier for a caller', async () => {
    const { ask, attempt } = await atSend(2, REFUSED, { track: async () => ANNOUNCED })
    expect(await ask()).toMatchObject(PENDING)
    expect(attempt).toMatchObject({ phase: 'pending', sends: 2, retryAt: 20_000, leaseUntil: 5_000 })
    expect(attempt?.lastCause).toContain('announced')
  })

  test.each<[string, CarrierTrackAnswer, object, object]>([
    ['announced', ANNOUNCED, REFUSAL, { phase: 'refused', verifyAt: 120_000 }],
    ['cancelled', { kind: 'cancelled' }, CANCELLED, { phase: 'accepted' }],
    ['unknown', { kind: 'unknown', cause: 'HTTP 500' }, PENDING, { phase: 'pending', retryAt: 64_000 }],
  ])('is settled by the second lookup, without a send: %s', async (_name, seen, outcome, expected) => {
    const { look, attempt, world } = await inDoubt(60_000, seen)
    expect(await look()).toMatchObject(outcome)
    expect(attempt).toMatchObject({ ...expected, sends: 2 })
    expect([world.asked.length, world.lookups.length]).toEqual([1, 2])
  })

  test('is looked up at growing intervals while the lookups are inconclusive', async () => {
    const { ports, world } = await inDoubt(60_000, { kind: 'unknown', cause: 'HTTP 500' })
    world.lookups.length = 0
    for (let seconds = 0; seconds < 600; seconds += 1) {
      world.pass(1_000)
      await sweep(ports, world.policy)
      await ports.inFlight.drain()
    }
    expect(world.lookups.length).toBeGreaterThan(10)
    expect(world.lookups.length).toBeLessThan(40)
  })

  test('is not trusted by an earlier lookup that finds the parcel announced', async () => {
    const { world, ports, attempt } = await inDoubt(60_000, ANNOUNCED)
    Object.assign(attempt ?? {}, {
      leaseUntil: 0,
      retryAt: 0,
      doubt: { refusal: REFUSED, at: 60_000 - 59_000 },
    })
    const [early] = await ports.recovery.claimAttempts(
      [{ carrierCode: 'rondeel', accountId: 'acme', room: 1 }],
      world.policy.leaseMs,
    )
    if (early === undefined) throw new Error('the attempt is not due')
    expect(await continueAttempt(ports, early, 'background', world.now(), world.policy)).toMatchObject(
      PENDING,
    )
    expect(attempt).toMatchObject({ phase: 'pending', retryAt: 61_000 })
  })
})

describe('a refusal in doubt at a carrier whose lookups lag behind by half an hour', () => {
  const HALF_AN_HOUR_MS = 30 * 60_000

  /** The parcel was cancelled by the first send, whose answer was lost. Lookups show it after `lagMs`. */
  async function lagging(reason: RefusalCode, lagMs: number, numbers: readonly string[] = ['REF1']) {
    const refusal: CarrierReply = { ...REFUSED, reason }
    const isSeen = () => world.now() >= lagMs
    const several = numbers.length > 1
    const sent = new Set<string>()
    const stored = aShipment({ carrierRef: numbers[0] ?? '', ...(several && { parcelRefs: numbers }) })
    const world = shipmentWorld(
      [stored],
      async ({ carrierRef }) => {
        const isFirst = !sent.has(carrierRef)
        sent.add(carrierRef)
        return isFirst ? UNKNOWN : refusal
      },
      {
        track: async () => (isSeen() ? { kind: 'cancelled' } : { kind: 'announced' }),
        lookupLagMs: () => HALF_AN_HOUR_MS,
        cancelsEachParcel: () => several,
      },
    )
    const ports = world.process()
    const answered: string[] = []
    const ask = async () => {
      const outcome = await cancelShipment(ports, { accountId: 'acme' }, 'shp_1', world.policy)
      const code = outcome.kind === 'ShipmentNotCancelled' ? outcome.code : outcome.kind
      if (answered.at(-1) !== code) answered.push(code)
    }
    return { world, ports, ask, answered }
  }

  test.each(
    (['NOT_CANCELLABLE', 'UNKNOWN_PARCEL'] as const).flatMap((reason) =>
      [5_000, 62_000, 75_000, 120_000, 900_000, 1_790_000].flatMap((lagMs) =>
        [['REF1'], ['P1', 'P2']].map((numbers) => [reason, lagMs, numbers] as const),
      ),
    ),
  )('(%s) is pending until the lookup shows the cancellation, after %i ms (%j)', async (reason, lagMs, numbers) => {
    const { world, ports, ask, answered } = await lagging(reason, lagMs, numbers)
    while (world.now() < HALF_AN_HOUR_MS + 300_000) {
      await ask()
      world.pass(7_000)
      await sweep(ports, world.policy)
      await ports.inFlight.drain()
    }
    expect(answered).toEqual(['CancellationPending', 'ShipmentCancelled'])
    expect(ports.alerts).toEqual([])
  })

  test('is looked up in growing steps, however often callers repeat the request', async () => {
    const { world, ports, ask, answered } = await lagging('NOT_CANCELLABLE', Number.POSITIVE_INFINITY)
    while (world.now() < HALF_AN_HOUR_MS + 60_000) {
      await ask()
      world.pass(1_000)
      await sweep(ports, world.policy)
      await ports.inFlight.drain()
    }
    expect(answered).toEqual(['CancellationPending', 'CARRIER_REFUSED'])
    // Callers cause one every 5 s in the first minute.
    expect(world.lookups.length).toBeLessThan(30)
  })

  test.each([
    'WINDOW_CLOSED',
    'SCANNED',
  ] as const)('is final after a minute if the code cannot mean "already cancelled": %s', async (reason) => {
    const { world, ports, ask, answered } = await lagging(reason, Number.POSITIVE_INFINITY)
    await ask()
    for (const seconds of [2, 59, 2]) {
      world.pass(seconds * 1_000)
      await sweep(ports, world.policy)
      await ports.inFlight.drain()
      if (seconds === 59) expect(world.attempts[0]?.phase).toBe('pending')
    }
    await ask()
    expect(answered).toEqual(['CancellationPending', 'CARRIER_REFUSED'])
  })

  test('stays open for as long if the lookups are inconclusive', async () => {
    const { world, ports, ask } = await lagging('NOT_CANCELLABLE', 0)
    const track = async () => UNKNOWN as CarrierTrackAnswer
    const silent = { ...ports, carriers: { ...ports.carriers, track } }
    await ask()
    for (const minutes of [1, 14, 10, 4]) {
      world.pass(minutes * 60_000)
      await sweep(silent, world.policy)
      await ports.inFlight.drain()
      expect(world.attempts[0]?.phase).toBe('pending')
    }
    world.pass(2 * 60_000)
    await sweep(silent, world.policy)
    await ports.inFlight.drain()
    expect(world.attempts[0]).toMatchObject({ phase: 'refused', verifyAt: expect.any(Number) })
  })
})

describe('a call that could not be sent', () => {
  test('leaves the attempt open, also if it would have been the first', async () => {
    const { ask, attempt } = await atSend(1, UNSENT)
    expect(await ask()).toMatchObject(PENDING)
    expect(attempt).toMatchObject({ phase: 'pending', sends: 0, retryAt: 1_000 })
  })

  test.each([
    [2, 2_000, 2_000],
    [3, 4_000, 4_000],
    [4, 8_000, 5_000],
  ])('is not counted as number %i, and is due again after %i ms', async (sends, retryAt, leaseUntil) => {
    const { ask, attempt } = await atSend(sends, UNSENT)
    expect(await ask()).toMatchObject(PENDING)
    expect(attempt).toMatchObject({
      ...{ phase: 'pending', sends: sends - 1, lastCause: 'too many calls are running' },
      ...{ retryAt, leaseUntil },
    })
  })

  test('is repeated after growing delays although the number of sends does not grow', async () => {
    const world = shipmentWorld([aShipment()], answers(UNSENT))
    const ports = world.process()
    await cancelShipment(ports, { accountId: 'acme' }, 'shp_1', world.policy)
    const delays: number[] = []
    for (let round = 0; round < 8; round += 1) {
      const delayMs = (world.attempts[0]?.retryAt ?? 0) - world.now()
      delays.push(delayMs)
      world.pass(delayMs)
      await sweep(ports, world.policy)
      await ports.inFlight.drain()
    }
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000, 20_000])
    expect(world.attempts).toMatchObject([{ phase: 'pending', sends: 0 }])
  })
})

test.each([
  ['refusal', REFUSED],
  ['doubt', UNKNOWN],
  ['failure to send', UNSENT],
])('ignores the %s if the process has lost the lease', async (_name, reply) => {
  const { ask, ports, attempt } = await atSend(1, reply)
  await ports.shipments.releaseLeases()
  await ports.recovery.claimAttempts([{ carrierCode: 'rondeel', accountId: 'acme', room: 1 }], 60_000)
  const before = { ...attempt }
  expect(await ask()).toBeUndefined()
  expect(attempt).toEqual(before)
})

describe('storing the answer of the carrier', () => {
  test.each([0, 1, 2, 6])('survives a store that fails %i times', async (failures) => {
    const { ports, ticket, world } = await atSend(1, CANCELLED_NOW)
    const { acceptCancellation } = ports.shipments
    let left = failures
    ports.shipments.acceptCancellation = async (...given) => {
      if (left-- > 0) throw new Error('connection lost')
      return acceptCancellation(...given)
    }
    const pauses: number[] = []
    const sleep = async (milliseconds: number) => void pauses.push(milliseconds)
    expect(
      await continueAttempt({ ...ports, sleep }, ticket, 'caller', world.now(), world.policy),
    ).toMatchObject(CANCELLED)
    expect(pauses).toEqual([50, 400, 1_000, 1_000, 1_000, 1_000].slice(0, failures))
    expect(world.asked).toHaveLength(1)
  })

  test('fails if the store is down for the time of a lease, and the attempt stays open', async () => {
    const { ports, ask, attempt } = await atSend(1, CANCELLED_NOW)
    ports.shipments.acceptCancellation = () => Promise.reject(new Error('database down'))
    await expect(ask()).rejects.toThrow('database down')
    expect(ports.clock().getTime()).toBeGreaterThanOrEqual(15_000)
    expect(ports.clock().getTime()).toBeLessThan(16_001)
    expect(attempt?.phase).toBe('pending')
  })

  test('finds a refusal that was stored already, and leaves the outcome to the poll', async () => {
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
