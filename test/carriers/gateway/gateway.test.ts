/**
 * What the gateway adds to connectors: the time limit, errors as results, cleaned messages, the limit on concurrent
 * calls, and a circuit breaker per channel.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connector, ConnectorBookings } from '../../../src/carriers/connector.ts'
import { CARRIER_TEXT_MAX, cleanText } from '../../../src/carriers/gateway/answers.ts'
import { CALLER_LIMITS } from '../../../src/carriers/gateway/bulkhead.ts'
import type { Carriers } from '../../../src/carriers/gateway/channels.ts'
import {
  CARRIER_TIMEOUT_MS,
  carrierGateway,
  type GatewayOptions,
} from '../../../src/carriers/gateway/gateway.ts'
import { sandboxInProcess } from '../../../src/carriers/sandbox/connector.ts'
import type { CarrierBookAnswer } from '../../../src/core/shipments/booking.ts'
import type { CancelTicket, CarrierCancelAnswer } from '../../../src/core/shipments/cancellation.ts'
import type { Shipment } from '../../../src/core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../../src/core/shipments/tracking.ts'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'
import type { Admission, CarrierGateway } from '../../../src/operations/ports/carriers.ts'
import type { Alert } from '../../../src/operations/ports/ports.ts'

function ticket(carrierRef: string, sends = 1): CancelTicket {
  return {
    attemptId: 'key',
    shipmentId: 'shp_1',
    accountId: 'acme',
    carrierCode: 'rondeel',
    carrierRef,
    fence: sends,
    sends,
    ageMs: 0,
  }
}

const shipment: Shipment = {
  shipmentId: 'shp_1',
  state: 'draft',
  productId: 1201,
  carrierCode: 'rondeel',
  from: { country: 'NL' },
  to: { country: 'DE' },
  priceCents: 985,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
}

/** Bookings that no lookup finds. */
function bookingsThat(book: ConnectorBookings['book']): ConnectorBookings {
  return { book, find: async () => ({ kind: 'none' }) }
}

/** All accounts share the carrier's credentials. */
const sharedChannel: Carriers['channelOf'] = (carrierCode) => ({ key: carrierCode })

/** Carriers with this connector, or without one. A connector that has no `cancel` must not be called for it. */
function carriersWith(connector: Partial<Connector> | undefined, rest: Partial<Carriers> = {}): Carriers {
  const whole = connector && { cancel: () => Promise.reject(new Error('not asked for')), ...connector }
  return {
    connectorOf: () => whole,
    channelOf: sharedChannel,
    cancelsEachParcel: () => false,
    canLookUp: () => true,
    lookupLagMs: () => 60_000,
    ...rest,
  }
}

/** A gateway to one connector, with defaults for everything else. */
function gatewayTo(connector: Partial<Connector>, timeoutMs = 8_000) {
  const canLookUp = () => connector.track !== undefined
  return carrierGateway(carriersWith(connector, { canLookUp }), { timeoutMs })
}

const UNUSABLE_BOOKING = { kind: 'unknown', cause: 'unusable tracking number' }

describe('the gateway', () => {
  test('does not wait for a connector that ignores the abort signal', async () => {
    const gateway = gatewayTo({ cancel: () => new Promise(() => {}) }, 5)
    expect(await gateway.cancel(ticket('X'))).toEqual({ kind: 'unknown', cause: 'no answer within 5 ms' })
  })

  test('aborts the signal of a connector at the time limit', async () => {
    let aborted = false
    const gateway = gatewayTo(
      {
        cancel: (_request, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              aborted = true
              reject(new Error('aborted'))
            })
          }),
      },
      5,
    )
    expect(await gateway.cancel(ticket('X'))).toMatchObject({ kind: 'unknown' })
    expect(aborted).toBe(true)
  })

  test.each([
    ['an error', new Error('reset\nby peer')],
    ['text', 'reset\nby peer'],
  ])('returns `unknown` if a connector throws: %s', async (_name, thrown) => {
    const gateway = gatewayTo({ cancel: () => Promise.reject(thrown) })
    expect(await gateway.cancel(ticket('X'))).toEqual({ kind: 'unknown', cause: 'reset by peer' })
  })

  test('passes on when an inconclusive request can be repeated', async () => {
    const gateway = gatewayTo({
      cancel: async () => ({ kind: 'unknown', cause: 'HTTP\n500', repeatAfterMs: 7_000 }),
    })
    const answer = { kind: 'unknown', cause: 'HTTP 500', repeatAfterMs: 7_000 }
    expect(await gateway.cancel(ticket('X'))).toEqual(answer)
  })

  test('returns `unknown` if a connector throws synchronously', async () => {
    const gateway = gatewayTo({
      cancel: () => {
        throw new Error('at once')
      },
    })
    expect(await gateway.cancel(ticket('X'))).toEqual({ kind: 'unknown', cause: 'at once' })
  })

  test('passes the attempt as idempotency key, its age, and the number of sends', async () => {
    const requests: unknown[] = []
    const gateway = gatewayTo({
      cancel: async (request) => {
        requests.push(request)
        return { kind: 'cancelled', how: 'now' }
      },
    })
    await gateway.cancel({ ...ticket('X', 2), ageMs: 7_000 })
    expect(requests).toEqual([
      { carrierCode: 'rondeel', carrierRef: 'X', idempotencyKey: 'key', sends: 2, ageMs: 7_000 },
    ])
  })

  test.each([
    ['two\r\nlines\u0000 and\u2028more', 'two lines and more'],
    ['\u202eevil\u202c text', 'evil text'],
    ['\ud800lone', '\ufffdlone'],
    [' \u0007 ', 'no reason given'],
    ['x'.repeat(1_000_000), 'x'.repeat(CARRIER_TEXT_MAX)],
  ])('cleans and shortens the message of a refusal', async (message, expected) => {
    const answer: CarrierCancelAnswer = { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'C\n1', message }
    const gateway = gatewayTo({ cancel: async () => answer })
    expect(await gateway.cancel(ticket('X'))).toEqual({ ...answer, code: 'C 1', message: expected })
  })

  test('never splits a character when it shortens', () => {
    expect(cleanText('😀'.repeat(CARRIER_TEXT_MAX + 1))).toBe('😀'.repeat(CARRIER_TEXT_MAX))
  })

  test.each([
    '',
    'with blank',
    'x'.repeat(65),
    'zero\u0000',
  ])('returns `unknown` for a booking with the reference "%s"', async (carrierRef) => {
    const gateway = gatewayTo({ bookings: bookingsThat(async () => ({ kind: 'booked', carrierRef })) })
    expect(await gateway.book('acme', shipment)).toEqual(UNUSABLE_BOOKING)
  })

  test.each([
    ['a number twice', ['A', 'B', 'A']],
    ['another first number', ['B', 'A']],
    ['only one number', ['A']],
    ['more than 20 numbers', ['A', ...Array.from({ length: 20 }, (_, index) => `B${index}`)]],
    ['a blank in a number', ['A', 'B B']],
    ['a number that is not in the carrier’s format', ['A', 'nope']],
  ])('returns `unknown` for a booking of several parcels with %s, and raises an alert', async (_what, parcelRefs) => {
    const alerts: Alert[] = []
    const bookings = bookingsThat(async () => ({ kind: 'booked', carrierRef: 'A', parcelRefs }))
    const carriers = carriersWith(
      { bookings },
      {
        trackingNumberFault: (_carrierCode, number) =>
          number === 'nope' ? 'must be something else' : undefined,
        cancelsEachParcel: () => true,
      },
    )
    const gateway = carrierGateway(carriers, { alert: (alert) => alerts.push(alert) })
    expect(await gateway.book('acme', shipment)).toEqual(UNUSABLE_BOOKING)
    expect(alerts).toMatchObject([{ kind: 'CARRIER_CONFIGURATION', detail: 'unusable tracking number' }])
  })
})

const CANCELLED: CarrierCancelAnswer = { kind: 'cancelled', how: 'now' }
const ANNOUNCED: CarrierTrackAnswer = { kind: 'announced' }
const CIRCUIT_OPEN = { kind: 'not_sent', cause: 'calls to this carrier are paused after several failures' }

const parcel = (carrierRef: string) => ({ accountId: 'acme', carrierCode: 'rondeel', carrierRef })

describe('nothing is sent to the carrier', () => {
  test('if it has no connector', async () => {
    const asked: unknown[] = []
    const carriers = carriersWith(undefined, {
      connectorOf(...who) {
        asked.push(who)
        return undefined
      },
    })
    const gateway = carrierGateway(carriers)
    const notSent = { kind: 'not_sent', cause: 'this carrier is not configured' }
    expect(await gateway.cancel(ticket('X'))).toEqual(notSent)
    expect(await gateway.track({ ...parcel('X'), accountId: 'globex' })).toEqual(notSent)
    expect(await gateway.book('initech', shipment)).toEqual(notSent)
    expect(asked).toEqual([
      ['rondeel', 'acme'],
      ['rondeel', 'globex'],
      ['rondeel', 'initech'],
    ])
  })

  test('for a lookup if the connector has no lookups', async () => {
    const gateway = gatewayTo({})
    expect(gateway.canLookUp('rondeel')).toBe(false)
    const answer = await gateway.track(parcel('X'))
    expect(answer).toEqual({ kind: 'not_sent', cause: 'this carrier has no lookup' })
  })

  test('for a booking if the connector has no bookings', async () => {
    expect(await gatewayTo({}).book('acme', shipment)).toEqual({
      kind: 'not_offered',
      code: 'NOT_OFFERED',
    })
  })

  test('for a booking with services that the connector cannot pass on', async () => {
    let calls = 0
    const bookings = {
      services: new Set(['SIGNATURE'] as const),
      book: async () => {
        calls += 1
        return { kind: 'booked', carrierRef: 'R1' } as const
      },
      find: async () => ({ kind: 'none' }) as const,
    }
    const gateway = gatewayTo({ bookings })
    expect(
      await gateway.book('acme', { ...shipment, services: ['SATURDAY', 'SIGNATURE', 'CASH_ON_DELIVERY'] }),
    ).toEqual({
      kind: 'not_offered',
      code: 'SERVICE_NOT_OFFERED',
      services: ['SATURDAY', 'CASH_ON_DELIVERY'],
    })
    const { services: _, ...unaware } = bookings
    expect(
      await gatewayTo({ bookings: unaware }).book('acme', { ...shipment, services: ['SIGNATURE'] }),
    ).toMatchObject({
      kind: 'not_offered',
      services: ['SIGNATURE'],
    })
    expect(calls).toBe(0)
    expect(await gateway.book('acme', { ...shipment, services: ['SIGNATURE'] })).toMatchObject({
      kind: 'booked',
    })
    expect(calls).toBe(1)
  })
})

test('a booking without the input of a service is refused, as in drafts of a former version', async () => {
  const { bookings } = sandboxInProcess()
  const gateway = gatewayTo({ bookings: bookings! })
  const services = ['CASH_ON_DELIVERY', 'DANGEROUS_GOODS', 'TIME_SLOT'] as const
  const cashOnDelivery = { currency: 'EUR', hundredths: 100 }
  const dangerousGoods = [{ unNumber: 'UN3481', limitedQuantity: false }]
  expect(await gateway.book('acme', { ...shipment, services })).toEqual({
    ...{ kind: 'not_offered', code: 'SERVICE_NOT_OFFERED' },
    services: ['CASH_ON_DELIVERY', 'DANGEROUS_GOODS'],
  })
  expect(
    await gateway.book('acme', { ...shipment, services, serviceInputs: { cashOnDelivery } }),
  ).toMatchObject({ services: ['DANGEROUS_GOODS'] })
  expect(
    await gateway.book('acme', { ...shipment, services, serviceInputs: { cashOnDelivery, dangerousGoods } }),
  ).toMatchObject({ kind: 'booked' })
})

describe('the result', () => {
  const scanned = (eventId: string, at: string): CarrierTrackAnswer => ({
    kind: 'scanned',
    scan: { eventId, at },
  })
  const AT = '2026-11-20T09:15:00.000Z'
  const unusable = { kind: 'unknown', cause: 'unusable scan' }

  test.each<[CarrierTrackAnswer, object]>([
    [ANNOUNCED, ANNOUNCED],
    [{ kind: 'cancelled' }, { kind: 'cancelled' }],
    [
      { kind: 'unknown', cause: ' two\r\nlines\u0000' },
      { kind: 'unknown', cause: 'two lines' },
    ],
    [scanned('e 1', '2026-11-20T10:15:00+01:00'), scanned('e 1', AT)],
    [scanned('e', AT), scanned('e', AT)],
    [scanned('x'.repeat(200), AT), scanned('x'.repeat(200), AT)],
    [scanned('x'.repeat(201), AT), unusable],
    [scanned('', AT), unusable],
    [scanned('line\nbreak', AT), unusable],
    [scanned('é', AT), unusable],
    [scanned('e', 'yesterday'), unusable],
    [scanned('e', ''), unusable],
  ])('of a lookup: %j', async (answer, expected) => {
    expect(await gatewayTo({ track: async () => answer }).track(parcel('X'))).toEqual(expected)
  })

  test('of a lookup may depend on the time of the booking', async () => {
    const track = vi.fn(async () => ANNOUNCED)
    const gateway = gatewayTo({ track })
    await gateway.track(parcel('X'))
    await gateway.track({ ...parcel('X'), bookedAt: AT })
    expect(track.mock.calls).toEqual([
      ['X', expect.any(AbortSignal), {}],
      ['X', expect.any(AbortSignal), { bookedAt: AT }],
    ])
  })

  test('of a lookup is awaited for a separate time limit', async () => {
    const gateway = gatewayTo({ track: () => new Promise(() => {}) })
    expect(await gateway.track(parcel('X'), 5)).toEqual({ kind: 'unknown', cause: 'no answer within 5 ms' })
  })

  test.each<[CarrierBookAnswer, object]>([
    [
      { kind: 'booked', carrierRef: '1Z999' },
      { kind: 'booked', carrierRef: '1Z999' },
    ],
    [
      { kind: 'refused', code: 'C\n1', message: '\u202eevil' },
      { kind: 'refused', code: 'C 1', message: 'evil' },
    ],
    [
      { kind: 'unknown', cause: 'a\tb' },
      { kind: 'unknown', cause: 'a b' },
    ],
  ])('of a booking: %j', async (answer, expected) => {
    const gateway = gatewayTo({ bookings: bookingsThat(async () => answer) })
    expect(await gateway.book('acme', shipment)).toEqual(expected)
  })
})

describe('the booking of a suspect draft', () => {
  const found = (find: ConnectorBookings['find']) => {
    const book: ConnectorBookings['book'] = () => Promise.reject(new Error('not asked for'))
    return gatewayTo({ bookings: { book, find } }).findBooking({ accountId: 'acme', ...shipment })
  }

  test('is looked up by the id of the shipment, and its numbers are checked like those of a booking', async () => {
    const numbers = ['A', 'B']
    expect(
      await found(async (id) => ({ kind: 'booked', carrierRef: `${id}-1`, parcelRefs: [`${id}-1`, 'B'] })),
    ).toEqual({ kind: 'booked', carrierRef: 'shp_1-1', parcelRefs: ['shp_1-1', 'B'] })
    expect(await found(async () => ({ kind: 'booked', carrierRef: 'C', parcelRefs: numbers }))).toEqual(
      UNUSABLE_BOOKING,
    )
    expect(await found(async () => ({ kind: 'none' }))).toEqual({ kind: 'none' })
  })

  test('is unknown if the carrier does not answer', async () => {
    expect(await found(() => Promise.reject(new Error('a\tb')))).toEqual({ kind: 'unknown', cause: 'a b' })
  })

  test('does not exist at a carrier that is not booked with, even if it is not configured', async () => {
    const carriers = carriersWith(undefined, { books: (carrierCode) => carrierCode === 'rondeel' })
    const draft = { accountId: 'acme', ...shipment }
    const gateway = carrierGateway(carriers)
    expect(await gateway.findBooking(draft)).toMatchObject({ kind: 'not_sent' })
    expect(await gateway.findBooking({ ...draft, carrierCode: 'far' })).toEqual({ kind: 'none' })
    expect(await gatewayTo({}).findBooking(draft)).toEqual({ kind: 'none' })
  })
})

describe('concurrent calls', () => {
  /** A connector whose cancellations wait until the test answers them. */
  function waitingConnector() {
    const running = new Map<string, (answer: CarrierCancelAnswer) => void>()
    const cancel: Connector['cancel'] = ({ carrierRef }) =>
      new Promise((resolve) => running.set(carrierRef, resolve))
    return { running, connector: { cancel, track: async () => ANNOUNCED } }
  }

  function gatewayOf(connector: Partial<Connector>, bulkhead: GatewayOptions['bulkhead'], timeoutMs = 8_000) {
    return carrierGateway(carriersWith(connector), { timeoutMs, ...(bulkhead && { bulkhead }) })
  }

  test('a call without a free slot queues briefly, and then nothing is sent', async () => {
    const { running, connector } = waitingConnector()
    const gateway = gatewayOf(connector, { slots: 1, waitMs: 20 })
    const first = gateway.cancel(ticket('A'))
    const busy = { kind: 'not_sent', cause: 'too many calls are running' }
    // Lookups use the same slots.
    expect(await Promise.all([gateway.cancel(ticket('B')), gateway.track(parcel('C'))])).toEqual([busy, busy])
    // Another carrier has separate slots.
    expect(await gateway.track({ ...parcel('D'), carrierCode: 'other' })).toEqual(ANNOUNCED)
    expect([...running.keys()]).toEqual(['A'])
    running.get('A')?.(CANCELLED)
    expect(await first).toEqual(CANCELLED)
    expect(await gateway.track(parcel('E'))).toEqual(ANNOUNCED)
  })

  test('a queued call starts when another one ends', async () => {
    const { running, connector } = waitingConnector()
    const gateway = gatewayOf(connector, { slots: 1, waitMs: 5_000 })
    const both = [gateway.cancel(ticket('A')), gateway.cancel(ticket('B'))]
    await vi.waitFor(() => expect([...running.keys()]).toEqual(['A']), { timeout: 60_000, interval: 1 })
    running.get('A')?.(CANCELLED)
    await vi.waitFor(() => expect([...running.keys()]).toEqual(['A', 'B']), { timeout: 60_000, interval: 1 })
    running.get('B')?.(CANCELLED)
    expect(await Promise.all(both)).toEqual([CANCELLED, CANCELLED])
  })

  test('a call that fails or takes too long returns its slot', async () => {
    const cancel: Connector['cancel'] = ({ carrierRef }) =>
      carrierRef === 'slow' ? new Promise(() => {}) : Promise.reject(new Error('reset'))
    const gateway = gatewayOf({ cancel }, { slots: 1, waitMs: 0 }, 5)
    for (const carrierRef of ['slow', 'reset', 'slow', 'reset'])
      expect(await gateway.cancel(ticket(carrierRef))).toMatchObject({ kind: 'unknown' })
  })

  test('one account can use half of the shared slots; the rest is left to other accounts', async () => {
    const { running, connector } = waitingConnector()
    const gateway = gatewayOf(connector, { slots: 8, waitMs: 20 })
    const calls = Array.from({ length: 7 }, (_, number) => gateway.cancel(ticket(`A${number}`)))
    const busy = { kind: 'not_sent', cause: 'too many calls are running' }
    expect(await Promise.all(calls.slice(4))).toEqual([busy, busy, busy])
    expect(running.size).toBe(4)
    calls.push(gateway.cancel({ ...ticket('B'), accountId: 'bravo' }))
    await vi.waitFor(() => expect([...running.keys()]).toContain('B'), { timeout: 60_000, interval: 1 })
    for (const end of running.values()) end(CANCELLED)
    expect((await Promise.all(calls)).filter((answer) => answer === CANCELLED)).toHaveLength(5)
  })

  describe('an admission', () => {
    const BUSY = { kind: 'not_sent', cause: 'too many calls are running' }
    const cancel = async () => CANCELLED
    const about = { accountId: 'acme', carrierCode: 'rondeel', carrierRef: 'A' }

    async function admitted(gateway: CarrierGateway): Promise<Admission> {
      const admission = await gateway.admit(about)
      if (admission.kind === 'not_sent') throw new Error(admission.cause)
      return admission
    }

    test('reserves a slot until its call has ended', async () => {
      const gateway = gatewayOf({ cancel }, { slots: 1, waitMs: 0 })
      const admission = await admitted(gateway)
      expect(await gateway.admit(about)).toEqual(BUSY)
      expect(await gateway.cancel(ticket('B'))).toEqual(BUSY)
      expect(await gateway.cancel(ticket('A'), admission)).toEqual(CANCELLED)
      expect(await gateway.cancel(ticket('B'))).toEqual(CANCELLED)
    })

    test('returns its slot once, and is good for one call', async () => {
      const gateway = gatewayOf({ cancel }, { slots: 4, waitMs: 0 })
      const [used, returned] = [await admitted(gateway), await admitted(gateway)]
      await gateway.cancel(ticket('A'), used)
      for (let time = 0; time < 3; time += 1) {
        used.leave()
        returned.leave()
      }
      const gone = { kind: 'not_sent', cause: 'the reserved slot was returned' }
      expect(await gateway.cancel(ticket('A'), used)).toEqual(gone)
      expect(await gateway.cancel(ticket('A'), returned)).toEqual(gone)
      const both = [await admitted(gateway), await admitted(gateway)]
      expect(await gateway.admit(about)).toEqual(BUSY)
      for (const admission of both) admission.leave()
    })

    test('is refused for a number that cannot be sent, and for a carrier without a connector', async () => {
      const gateway = gatewayOf({ cancel }, { slots: 1, waitMs: 0 })
      expect(await gateway.admit({ ...about, carrierRef: '..' })).toMatchObject({ kind: 'not_sent' })
      expect(await carrierGateway(carriersWith(undefined)).admit(about)).toEqual({
        ...{ kind: 'not_sent', cause: 'this carrier is not configured' },
      })
    })

    test('is refused while the circuit is open, and is the trial when it is half-open', async () => {
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
      try {
        let works = false
        const trial = async () => (works ? CANCELLED : Promise.reject(new Error('reset')))
        const gateway = gatewayOf({ cancel: trial }, { slots: 9, waitMs: 0 })
        for (let parcelNumber = 0; parcelNumber < 8; parcelNumber += 1)
          await gateway.cancel(ticket(`P${parcelNumber}`))
        const paused = { kind: 'not_sent', cause: expect.stringContaining('paused') }
        expect(await gateway.admit(about)).toEqual(paused)
        vi.advanceTimersByTime(2_000)
        const unused = await admitted(gateway)
        expect(await gateway.admit(about)).toEqual(paused)
        // A trial that is not made is left to the next call.
        unused.leave()
        works = true
        expect(await gateway.cancel(ticket('A'), await admitted(gateway))).toEqual(CANCELLED)
        for (const admission of [await admitted(gateway), await admitted(gateway)]) admission.leave()
      } finally {
        vi.useRealTimers()
      }
    })
  })

  test('background work has its own slots, some of which are not available to lookups', async () => {
    const { running, connector } = waitingConnector()
    const gateway = gatewayOf(connector, { slots: 32, waitMs: 0 })
    const rooms = () => [
      gateway.room('rondeel', 'acme', 'command'),
      gateway.room('rondeel', 'acme', 'lookup'),
    ]
    const calls = Array.from({ length: 16 }, (_, number) => gateway.cancel(ticket(`A${number}`)))
    await vi.waitFor(() => expect(running.size).toBe(16), { timeout: 60_000, interval: 1 })
    // Calls of callers do not reduce the background slots.
    expect(rooms()).toEqual([32, 24])
    for (const number of ['B1', 'B2', 'B3']) calls.push(gateway.cancel(ticket(number), 'background'))
    await vi.waitFor(() => expect(running.size).toBe(19), { timeout: 60_000, interval: 1 })
    expect(rooms()).toEqual([29, 21])
    // Accounts with the same credentials share background slots. Another carrier has separate ones.
    expect(gateway.room('rondeel', 'bravo', 'command')).toBe(29)
    expect(gateway.room('other', 'acme', 'command')).toBe(32)
    for (const end of running.values()) end(CANCELLED)
    await Promise.all(calls)
    expect(rooms()).toEqual([32, 24])
    expect(gatewayOf({}, undefined).room('rondeel', 'acme', 'command')).toBe(32)
  })
})

describe('calls are paused', () => {
  let isDown: boolean
  let asked: string[]
  let alerts: Alert[]
  let gateway: ReturnType<typeof carrierGateway>

  beforeEach(() => {
    // The breaker uses the system clock.
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    isDown = true
    asked = []
    alerts = []
    gateway = carrierGateway(
      {
        connectorOf: () => connector,
        channelOf: sharedChannel,
        cancelsEachParcel: () => false,
        canLookUp: () => true,
        lookupLagMs: () => 60_000,
      },
      { bulkhead: { slots: 16, waitMs: 50 }, alert: (alert) => alerts.push(alert) },
    )
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const connector: Required<Omit<Connector, 'trackMany' | 'prepare' | 'check'>> = {
    async cancel({ carrierRef }) {
      return answer(carrierRef, CANCELLED)
    },
    async track(carrierRef) {
      return answer(carrierRef, ANNOUNCED)
    },
    bookings: bookingsThat(async ({ shipmentId }) =>
      answer(shipmentId, { kind: 'booked', carrierRef: 'R1' }),
    ),
  }

  function answer<Answer>(parcelRef: string, whenUp: Answer) {
    asked.push(parcelRef)
    if (isDown) throw new Error('ECONN\nRESET')
    return whenUp
  }

  async function fail(count: number, name = 'P'): Promise<void> {
    for (let number = 1; number <= count; number += 1) await gateway.cancel(ticket(`${name}${number}`))
  }

  test('not when all parcels of one shipment fail', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `M${index}`)
    const parcels = numbers.map((carrierRef) => ({ carrierRef, isCancelled: false, unsent: 0 }))
    for (const number of numbers)
      expect(await gateway.cancel({ ...ticket(number), parcels })).toMatchObject({ kind: 'unknown' })
    expect(await gateway.cancel(ticket('P1'))).toMatchObject({ kind: 'unknown' })
  })

  test('when eight different parcels fail', async () => {
    await fail(7)
    expect(await gateway.cancel(ticket('P8'))).toEqual({ kind: 'unknown', cause: 'ECONN RESET' })
    expect(await gateway.cancel(ticket('P9'))).toEqual(CIRCUIT_OPEN)
    expect(await gateway.cancel(ticket('P1', 2))).toEqual(CIRCUIT_OPEN)
    expect(await gateway.book('acme', shipment)).toEqual(CIRCUIT_OPEN)
    expect(asked).toEqual(['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8'])
  })

  test('when cancellations are refused with 403, with an alert for the credentials', async () => {
    vi.spyOn(connector, 'cancel').mockResolvedValue({ kind: 'unknown', cause: 'HTTP 403', status: 403 })
    await fail(8)
    expect(await gateway.cancel(ticket('P9'))).toEqual(CIRCUIT_OPEN)
    expect(alerts.map(({ kind }) => kind)).toEqual(['CARRIER_CONFIGURATION', 'CIRCUIT_OPENED'])
  })

  test('not when three parcels fail twenty times', async () => {
    for (let sends = 1; sends <= 20; sends += 1) await gateway.cancel(ticket(`P${sends % 3}`, sends))
    expect(await gateway.cancel(ticket('Q'))).toMatchObject({ kind: 'unknown' })
    expect(asked).toHaveLength(21)
    expect(alerts).toEqual([])
  })

  test('not when the carrier refuses', async () => {
    isDown = false
    const refusal: CarrierCancelAnswer = { kind: 'refused', reason: 'SCANNED', code: 'S', message: 'No' }
    gateway = gatewayTo({ cancel: async () => refusal })
    for (let number = 1; number <= 20; number += 1)
      expect(await gateway.cancel(ticket(`P${number}`))).toEqual(refusal)
  })

  test('also when bookings fail, which count by shipment', async () => {
    await fail(7)
    await gateway.book('acme', shipment)
    expect(await gateway.book('acme', { ...shipment, shipmentId: 'shp_2' })).toEqual(CIRCUIT_OPEN)
    expect(asked.at(-1)).toBe('shp_1')
  })

  test('separately for lookups and for commands', async () => {
    for (let number = 1; number <= 9; number += 1) await gateway.track(parcel(`P${number}`))
    expect(await gateway.track(parcel('P1'))).toEqual(CIRCUIT_OPEN)
    expect(gateway.room('rondeel', 'acme', 'lookup')).toBe(0)
    expect(gateway.room('rondeel', 'acme', 'command')).toBe(16)
    isDown = false
    expect(await gateway.cancel(ticket('P1'))).toEqual(CANCELLED)
    expect(await gateway.track(parcel('P1'))).toEqual(CIRCUIT_OPEN)
    isDown = true
    vi.advanceTimersByTime(2_000)
    await fail(8)
    isDown = false
    expect(await gateway.cancel(ticket('P1'))).toEqual(CIRCUIT_OPEN)
    expect(await gateway.track(parcel('P1'))).toEqual(ANNOUNCED)
  })

  test('not when lookups of many parcels are inconclusive, but when they time out', async () => {
    const known = vi.spyOn(connector, 'track')
    const inconclusive = { kind: 'unknown', cause: 'HTTP 404', status: 404 } as const
    known.mockResolvedValue(inconclusive)
    for (let number = 1; number <= 20; number += 1)
      expect(await gateway.track(parcel(`P${number}`))).toEqual(inconclusive)
    known.mockReturnValue(new Promise(() => {}))
    const late = Array.from({ length: 8 }, (_, number) => gateway.track(parcel(`L${number}`), 100))
    await vi.advanceTimersByTimeAsync(100)
    expect(await Promise.all(late)).toEqual(
      Array(8).fill({ kind: 'unknown', cause: 'no answer within 100 ms' }),
    )
    expect(await gateway.track(parcel('P1'))).toEqual(CIRCUIT_OPEN)
    vi.restoreAllMocks()
  })

  test('for all accounts with the same credentials, and not for another carrier', async () => {
    await fail(8)
    expect(await gateway.cancel({ ...ticket('P9'), accountId: 'globex' })).toEqual(CIRCUIT_OPEN)
    isDown = false
    expect(await gateway.cancel({ ...ticket('P9'), carrierCode: 'other' })).toEqual(CANCELLED)
  })

  test('until one trial call succeeds after the pause', async () => {
    await fail(8)
    isDown = false
    vi.advanceTimersByTime(1_999)
    expect(await gateway.cancel(ticket('T'))).toEqual(CIRCUIT_OPEN)
    vi.advanceTimersByTime(1)
    const crowd = Array.from({ length: 6 }, (_, number) => gateway.cancel(ticket(`T${number}`)))
    expect(await Promise.all(crowd)).toEqual([CANCELLED, ...Array(5).fill(CIRCUIT_OPEN)])
    expect(await gateway.cancel(ticket('T6'))).toEqual(CANCELLED)
    expect(asked.slice(8)).toEqual(['T0', 'T6'])
  })

  test('for a longer time after a failed trial', async () => {
    await fail(8)
    vi.advanceTimersByTime(2_000)
    expect(await gateway.cancel(ticket('T'))).toMatchObject({ kind: 'unknown' })
    vi.advanceTimersByTime(3_999)
    expect(await gateway.cancel(ticket('T'))).toEqual(CIRCUIT_OPEN)
    vi.advanceTimersByTime(1)
    expect(await gateway.cancel(ticket('T'))).toMatchObject({ kind: 'unknown' })
  })

  test('and background work then has no slot while the circuit is open, one for the trial, then all again', async () => {
    const room = () => gateway.room('rondeel', 'acme', 'command')
    expect(room()).toBe(16)
    await fail(8)
    expect(room()).toBe(0)
    vi.advanceTimersByTime(2_000)
    expect(room()).toBe(1)
    isDown = false
    const trial = gateway.cancel(ticket('T'))
    await Promise.resolve()
    expect(room()).toBe(0)
    await trial
    expect(room()).toBe(16)
  })

  test('and the trial has no slot while background work uses all slots', async () => {
    await fail(8)
    vi.advanceTimersByTime(2_000)
    const waiting = new Promise<never>(() => {})
    vi.spyOn(connector, 'track').mockReturnValue(waiting)
    for (let number = 1; number <= 16; number += 1)
      void gateway.track(parcel(`L${number}`), undefined, 'background')
    await vi.waitFor(() => expect(connector.track).toHaveBeenCalledTimes(16), { timeout: 60_000 })
    expect(gateway.room('rondeel', 'acme', 'command')).toBe(0)
    vi.restoreAllMocks()
  })

  test('also for calls that queue for a slot when the circuit opens', async () => {
    gateway = carrierGateway(
      {
        connectorOf: () => connector,
        channelOf: sharedChannel,
        cancelsEachParcel: () => false,
        canLookUp: () => true,
        lookupLagMs: () => 60_000,
      },
      { bulkhead: { slots: 1, waitMs: 1_000 } },
    )
    const crowd = Array.from({ length: 20 }, (_, number) => gateway.cancel(ticket(`P${number}`)))
    const kinds = (await Promise.all(crowd)).map(({ kind }) => kind)
    expect(kinds).toEqual([...Array(8).fill('unknown'), ...Array(12).fill('not_sent')])
    expect(asked).toHaveLength(8)
  })

  test('and this is reported once per opening, with the last cause in one line', async () => {
    const alert = { kind: 'CIRCUIT_OPENED', carrierCode: 'rondeel', detail: 'ECONN RESET' }
    await fail(7)
    expect(alerts).toEqual([])
    await fail(3, 'Q')
    expect(alerts).toEqual([alert])
    vi.advanceTimersByTime(2_000)
    await fail(1, 'T')
    expect(alerts).toEqual([alert])
    vi.advanceTimersByTime(4_000)
    isDown = false
    await fail(1, 'T')
    isDown = true
    await fail(8)
    expect(alerts).toEqual([alert, alert])
  })
})

test('a lease outlasts a call, its lookup and the waits for their slots', () => {
  const longestMs = 2 * CALLER_LIMITS.waitMs + CARRIER_TIMEOUT_MS + CANCEL_POLICY.lookupTimeoutMs
  // Plus two seconds to store the answer.
  expect(CANCEL_POLICY.leaseMs).toBeGreaterThanOrEqual(longestMs + 2_000)
})
