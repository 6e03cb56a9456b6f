/** Booking a draft, with and without a concurrent cancellation. */
import { describe, expect, test } from 'vitest'
import type { BookingNotOffered, CarrierBookAnswer } from '../../src/core/shipments/booking.ts'
import type { CancelOutcome, CarrierCancelAnswer, NotSent } from '../../src/core/shipments/cancellation.ts'
import { newDraftShipment, priceOf } from '../../src/core/shipments/draft-shipment.ts'
import { bookShipment } from '../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../src/operations/cancel-shipment.ts'
import type { Admission } from '../../src/operations/ports/carriers.ts'
import { NotExecuted } from '../../src/operations/ports/shipments.ts'
import { sweep } from '../../src/operations/sweep/sweep.ts'
import {
  ORDINARY_DAY,
  optionOf,
  parcelInput,
  quoteInput,
  requestOf,
} from '../support/rates/demo-rate-book.ts'
import { aShipment, type Process, shipmentWorld } from './shipment-world.ts'

const ACME = { accountId: 'acme' }

const settled = () => new Promise((resolve) => setImmediate(resolve))

function world(state: 'draft' | 'booked' | 'in_transit' | 'cancelled' = 'draft') {
  const { carrierRef, ...shipment } = aShipment({ state })
  const stored = state === 'draft' || state === 'cancelled' ? shipment : { ...shipment, carrierRef: 'REF1' }
  return shipmentWorld([stored], async () => ({ kind: 'cancelled', how: 'now' }))
}

/** `beginBooking` whose recording fails: it is not executed (`sure`), or it is executed and its result is lost. */
function failing(ports: Process, how: 'sure' | 'lost'): Process['shipments']['beginBooking'] {
  const { beginBooking } = ports.shipments
  let left = how === 'sure' ? 2 : 1
  return async (...given) => {
    if (!given[2].mayOpen || left-- <= 0) return beginBooking(...given)
    const error = new Error('the database is down')
    if (how === 'sure') throw new NotExecuted(error)
    await beginBooking(...given)
    throw error
  }
}

describe('booking', () => {
  test('moves a draft to booked with the tracking number of the carrier, and reports a repeat as already booked', async () => {
    const { process, shipments } = world()
    const ports = process()
    const booked = { kind: 'ShipmentBooked', shipmentId: 'shp_1', carrierRef: 'REF-shp_1' }
    expect(await bookShipment(ports, ACME, 'shp_1')).toEqual({ ...booked, alreadyBooked: false })
    expect(await bookShipment(ports, ACME, 'shp_1')).toEqual({ ...booked, alreadyBooked: true })
    expect(shipments.get('shp_1')?.state).toBe('booked')
  })

  test('books once if two processes book at the same time', async () => {
    const { process } = world()
    const asked: string[] = []
    const two = [process(), process()]
    for (const { carriers } of two)
      carriers.book = async (_accountId, { shipmentId }) => {
        asked.push(shipmentId)
        return { kind: 'booked', carrierRef: `REF-${shipmentId}` }
      }
    const ends = await Promise.all(two.map((ports) => bookShipment(ports, ACME, 'shp_1')))
    // The second process finds the booking in progress. A repeat returns its result.
    expect(ends).toMatchObject([
      { kind: 'ShipmentBooked', alreadyBooked: false },
      { kind: 'ShipmentNotBooked', code: 'CARRIER_UNREACHABLE', retryable: true },
    ])
    expect(await Promise.all(two.map((ports) => bookShipment(ports, ACME, 'shp_1')))).toMatchObject([
      { kind: 'ShipmentBooked', alreadyBooked: true },
      { kind: 'ShipmentBooked', alreadyBooked: true },
    ])
    expect(asked).toEqual(['shp_1'])
  })

  test('reports a shipment in transit as already booked', async () => {
    expect(await bookShipment(world('in_transit').process(), ACME, 'shp_1')).toMatchObject({
      kind: 'ShipmentBooked',
      alreadyBooked: true,
      carrierRef: 'REF1',
    })
  })

  test('refuses a cancelled shipment', async () => {
    expect(await bookShipment(world('cancelled').process(), ACME, 'shp_1')).toMatchObject({
      kind: 'ShipmentNotBooked',
      code: 'NOT_BOOKABLE',
      retryable: false,
    })
  })

  test('does not find a shipment of another account or an unknown one', async () => {
    const ports = world().process()
    expect(await bookShipment(ports, { accountId: 'other' }, 'shp_1')).toEqual(
      await bookShipment(ports, ACME, 'shp_none'),
    )
  })

  test.each<[string, CarrierBookAnswer | BookingNotOffered | NotSent, object]>([
    [
      'not offered',
      { kind: 'not_offered', code: 'SERVICE_NOT_OFFERED', services: ['SATURDAY'] },
      {
        ...{ code: 'NOT_BOOKABLE', refusal: { code: 'SERVICE_NOT_OFFERED' }, retryable: false },
        message: 'Waybill cannot pass SATURDAY on to this carrier; nothing was sent',
      },
    ],
    [
      'refused',
      { kind: 'refused', code: 'B1', message: 'No pick-up there' },
      { code: 'CARRIER_REFUSED', message: expect.stringContaining('No pick-up there'), retryable: false },
    ],
    [
      'not sent',
      { kind: 'not_sent', cause: 'too many calls are running' },
      {
        code: 'CARRIER_UNAVAILABLE',
        message: expect.stringContaining('nothing was sent'),
        retryable: true,
      },
    ],
  ])('leaves the draft, with nothing on record, if it is %s', async (_name, answer, expected) => {
    const { process, shipments } = world()
    const ports = process()
    ports.carriers.book = async () => answer
    expect(await bookShipment(ports, ACME, 'shp_1')).toMatchObject({ kind: 'ShipmentNotBooked', ...expected })
    expect(shipments.get('shp_1')).toMatchObject({ state: 'draft', bookingTries: 0 })
    expect(shipments.get('shp_1')).not.toHaveProperty('bookingUntil')
  })

  test('leaves the draft with its booking on record when the outcome is unknown, and sends no second request', async () => {
    const { process, shipments, pass, policy } = world()
    const ports = process()
    const { book } = ports.carriers
    ports.carriers.book = async () => ({ kind: 'unknown', cause: 'HTTP 503' })
    const pending = { kind: 'ShipmentNotBooked', code: 'CARRIER_UNREACHABLE', retryable: true }
    expect(await bookShipment(ports, ACME, 'shp_1', policy)).toMatchObject(pending)
    expect(shipments.get('shp_1')).toMatchObject({ state: 'draft', bookingUntil: 1_000, bookingTries: 1 })
    ports.carriers.book = book
    pass(999)
    expect(await bookShipment(ports, ACME, 'shp_1', policy)).toMatchObject(pending)
    pass(1)
    expect(await bookShipment(ports, ACME, 'shp_1', policy)).toMatchObject({
      kind: 'ShipmentBooked',
      alreadyBooked: false,
    })
    expect(shipments.get('shp_1')).not.toHaveProperty('bookingUntil')
  })

  test('keeps a booking on record that may have been received when the next try cannot be sent', async () => {
    const { process, shipments, pass, policy } = world()
    const ports = process()
    ports.carriers.book = async () => ({ kind: 'unknown', cause: 'HTTP 503' })
    await bookShipment(ports, ACME, 'shp_1', policy)
    pass(1_000)
    ports.carriers.book = async () => ({
      kind: 'not_sent',
      cause: 'calls to this carrier are paused after several failures',
    })
    expect(await bookShipment(ports, ACME, 'shp_1', policy)).toMatchObject({ code: 'CARRIER_UNREACHABLE' })
    expect(shipments.get('shp_1')).toMatchObject({ bookingUntil: 3_000, bookingTries: 2 })
  })

  test('applies a scan that arrived before the answer of the carrier', async () => {
    const { process, shipments, scans } = world()
    const scan = {
      carrierCode: 'rondeel',
      carrierRef: 'REF-shp_1',
      eventId: 'e1',
      at: '2026-11-01T10:00:00Z',
    }
    scans.push(scan)
    const ports = process()
    expect((await bookShipment(ports, ACME, 'shp_1')).kind).toBe('ShipmentBooked')
    expect(shipments.get('shp_1')?.state).toBe('in_transit')
    expect(scans).toEqual([{ ...scan, shipmentId: 'shp_1' }])
  })

  test('throws if the statement that records it was certainly not executed', async () => {
    const { process, shipments } = world()
    const ports = process()
    ports.shipments.beginBooking = failing(ports, 'sure')
    await expect(bookShipment(ports, ACME, 'shp_1')).rejects.toBeInstanceOf(NotExecuted)
    expect(shipments.get('shp_1')).not.toHaveProperty('bookingUntil')
  })

  test('is pending if the result of that statement is lost, and the sweeper books', async () => {
    const { process, shipments, pass, policy } = world()
    const ports = process()
    ports.shipments.beginBooking = failing(ports, 'lost')
    expect(await bookShipment(ports, ACME, 'shp_1')).toMatchObject({
      code: 'CARRIER_UNREACHABLE',
      retryable: true,
    })
    pass(policy.leaseMs)
    await sweep(ports, policy)
    await ports.inFlight.drain()
    expect(shipments.get('shp_1')?.state).toBe('booked')
  })

  test('drives a second booking on if the settlement of the first one is lost and repeated meanwhile', async () => {
    const { process, shipments } = world()
    const one = process()
    one.carriers.book = async () => ({ kind: 'refused', code: 'B1', message: 'No pick-up there' })
    const two = process()
    two.carriers.book = async () => ({ kind: 'unknown', cause: 'no answer' })
    const { settleBooking } = one.shipments
    let calls = 0
    one.shipments.settleBooking = async (...given) => {
      await settleBooking(...given)
      calls += 1
      if (calls === 1) throw new Error('the result is lost')
    }
    const sleep = async () => {
      await bookShipment(two, ACME, 'shp_1')
    }
    await bookShipment({ ...one, sleep }, ACME, 'shp_1')
    expect(calls).toBe(2)
    expect(shipments.get('shp_1')).toMatchObject({ state: 'draft', bookingUntil: expect.any(Number) })
  })

  test('records nothing if the carrier cannot be called, or the time is over before', async () => {
    const { process, shipments, policy } = world()
    const ports = process()
    const unsent = { kind: 'not_sent', cause: 'too many calls are running' } as const
    const busy = { ...ports, carriers: { ...ports.carriers, admit: async () => unsent } }
    expect(await bookShipment(busy, ACME, 'shp_1')).toMatchObject({ code: 'CARRIER_UNAVAILABLE' })
    let admit: (admission: Admission) => void = () => {}
    const waiting = new Promise<Admission>((resolve) => {
      admit = resolve
    })
    const slow = { ...ports, carriers: { ...ports.carriers, admit: () => waiting } }
    const late = await bookShipment(slow, ACME, 'shp_1', { ...policy, deadlineMs: 20 })
    expect(late).toMatchObject({ code: 'CARRIER_UNAVAILABLE' })
    admit({ kind: 'admitted', leave: () => {} })
    await ports.inFlight.drain()
    expect(shipments.get('shp_1')).toMatchObject({ state: 'draft' })
    expect(shipments.get('shp_1')).not.toHaveProperty('bookingUntil')
  })

  test('is pending if the answer of the carrier cannot be recorded', async () => {
    const { process } = world()
    const ports = process()
    ports.shipments.markBooked = () => Promise.reject(new Error('the database is down'))
    expect(await bookShipment(ports, ACME, 'shp_1')).toMatchObject({ code: 'CARRIER_UNREACHABLE' })
    expect(ports.faults).toHaveLength(1)
  })

  test('applies earlier scans even if the result of recording the booking is lost', async () => {
    const ports = world().process()
    const { markBooked } = ports.shipments
    let losses = 1
    ports.shipments.markBooked = async (...given) => {
      const mark = await markBooked(...given)
      if (losses-- > 0) throw new Error('the result is lost')
      return mark
    }
    const applied: unknown[] = []
    ports.tracking.applyUnmatchedScans = async (parcel) => {
      applied.push(parcel)
    }
    expect(await bookShipment(ports, ACME, 'shp_1')).toMatchObject({ kind: 'ShipmentBooked' })
    expect(applied).toEqual([{ carrierCode: 'rondeel', carrierRef: 'REF-shp_1' }])
  })

  test('succeeds even if reading the scans fails', async () => {
    const ports = world().process()
    ports.tracking.applyUnmatchedScans = () => Promise.reject(new Error('database down'))
    expect((await bookShipment(ports, ACME, 'shp_1')).kind).toBe('ShipmentBooked')
    expect(ports.faults).toEqual([new Error('database down')])
  })
})

/**
 * The results of a cancellation and of the booking that it interrupts, when the carrier answers the booking with
 * `answer`.
 */
async function cancelledWhileBooking(
  { process, shipments, policy }: ReturnType<typeof world>,
  answer: CarrierBookAnswer | NotSent,
  cancel: CarrierCancelAnswer | NotSent = { kind: 'cancelled', how: 'now' },
) {
  const [booker, canceller] = [process(), process()]
  let cancelling: Promise<CancelOutcome> | undefined
  let waited: unknown
  booker.carriers.book = async () => {
    cancelling = cancelShipment(canceller, ACME, 'shp_1', policy)
    await settled()
    waited = { ...shipments.get('shp_1') }
    return answer
  }
  const { cancel: send } = booker.carriers
  booker.carriers.cancel = async (ticket) => {
    await send(ticket)
    return cancel
  }
  const booking = await bookShipment(booker, ACME, 'shp_1', policy)
  const cancellation = await cancelling
  // During the call to the carrier, the shipment is a draft with a cancellation on record.
  expect(waited).toMatchObject({ state: 'draft', cancelWantedAt: 0, bookingUntil: policy.leaseMs })
  expect([booker.faults, canceller.faults]).toEqual([[], []])
  return { booking, cancellation, booker }
}

describe('a cancellation while the carrier is booking', () => {
  const BOOKED: CarrierBookAnswer = { kind: 'booked', carrierRef: 'REF9' }

  test('waits for the booking, then cancels at the carrier and answers both callers', async () => {
    const open = world()
    const { shipments, attempts, asked } = open
    const { booking, cancellation, booker } = await cancelledWhileBooking(open, BOOKED)
    expect(cancellation).toMatchObject({
      ...{ kind: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: true },
      labelMustBeDestroyed: false,
    })
    expect(booking).toMatchObject({ kind: 'ShipmentNotBooked', code: 'NOT_BOOKABLE', retryable: false })
    const shipment = shipments.get('shp_1')
    expect(shipment).toMatchObject({ state: 'cancelled', cancelledBy: 'carrier', carrierRef: 'REF9' })
    for (const key of ['cancelWantedAt', 'bookingUntil']) expect(shipment).not.toHaveProperty(key)
    expect(asked.map(({ carrierRef, sends }) => [carrierRef, sends])).toEqual([['REF9', 1]])
    expect(attempts).toMatchObject([{ phase: 'accepted' }])
    expect(booker.alerts).toEqual([])
  })

  test('marks the label to be destroyed if the carrier takes no cancellations, and answers both callers', async () => {
    const released = { kind: 'cancelled', how: 'released' } as const
    const { booking, cancellation } = await cancelledWhileBooking(world(), BOOKED, released)
    expect(cancellation).toMatchObject({ kind: 'ShipmentCancelled', labelMustBeDestroyed: true })
    expect(booking).toMatchObject({ code: 'NOT_BOOKABLE' })
  })

  test('leaves the shipment booked if the carrier refuses, and answers both callers', async () => {
    const open = world()
    const refused = { kind: 'refused', reason: 'WINDOW_CLOSED', code: 'X1', message: 'Too late' } as const
    const { booking, cancellation, booker } = await cancelledWhileBooking(open, BOOKED, refused)
    expect(cancellation).toMatchObject({
      ...{ kind: 'ShipmentNotCancelled', code: 'CARRIER_REFUSED', retryable: false },
      refusal: { code: 'WINDOW_CLOSED', reason: 'Too late' },
    })
    expect(booking).toEqual({
      ...{ kind: 'ShipmentBooked', shipmentId: 'shp_1', carrierRef: 'REF9', alreadyBooked: false },
    })
    expect(open.shipments.get('shp_1')).toMatchObject({ state: 'booked', carrierRef: 'REF9' })
    expect(open.shipments.get('shp_1')).not.toHaveProperty('cancelWantedAt')
    expect(open.attempts).toMatchObject([{ phase: 'refused', sends: 1 }])
    expect(open.attempts[0]).not.toHaveProperty('anomaly')
    expect(booker.alerts).toEqual([])
  })

  test.each<[string, CarrierBookAnswer | NotSent, string]>([
    ['refuses to book', { kind: 'refused', code: 'B1', message: 'No pick-up there' }, 'CARRIER_REFUSED'],
    ['was not asked', { kind: 'not_sent', cause: 'too many calls are running' }, 'CARRIER_UNAVAILABLE'],
  ])('cancels the draft if the carrier %s', async (_name, answer, code) => {
    const open = world()
    const { shipments, attempts, asked } = open
    const { booking, cancellation } = await cancelledWhileBooking(open, answer)
    expect(cancellation).toMatchObject({
      ...{ kind: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: false },
      labelMustBeDestroyed: false,
    })
    expect(booking).toMatchObject({ kind: 'ShipmentNotBooked', code })
    const shipment = shipments.get('shp_1')
    expect(shipment).toMatchObject({ state: 'cancelled', cancelledBy: 'draft', bookingTries: 0 })
    for (const key of ['cancelWantedAt', 'bookingUntil', 'carrierRef'])
      expect(shipment).not.toHaveProperty(key)
    expect([asked, attempts]).toEqual([[], []])
  })

  test.each<[string, CarrierBookAnswer, object, number, readonly string[]]>([
    ['it was made', BOOKED, { carrierNotified: true }, 1, []],
    [
      'it was not made',
      { kind: 'refused', code: 'B1', message: 'No pick-up there' },
      { carrierNotified: false },
      0,
      // The first try may have booked the parcel, so an operator is alerted.
      ['BOOKING_IN_DOUBT'],
    ],
  ])('is pending at its deadline when the end of the booking is unknown; the sweeper finds that %s and ends it', async (_name, later, repeated, calls, alerts) => {
    const open = world()
    const { process, shipments, asked, policy } = open
    const unknown = { kind: 'unknown', cause: 'HTTP 503' } as const
    const { booking, cancellation } = await cancelledWhileBooking(open, unknown)
    const sweeper = process()
    expect(sweeper.clock().getTime()).toBeGreaterThanOrEqual(policy.deadlineMs)
    expect(cancellation).toMatchObject({ kind: 'CancellationPending', code: 'CARRIER_UNREACHABLE' })
    expect(booking).toMatchObject({ code: 'CARRIER_UNREACHABLE', retryable: true })
    expect(shipments.get('shp_1')).toMatchObject({
      ...{ state: 'draft', cancelWantedAt: 0, bookingUntil: policy.firstPollMs + 1_000, bookingTries: 1 },
    })
    sweeper.carriers.book = async () => later
    await sweep(sweeper, policy)
    await sweeper.inFlight.drain()
    expect(shipments.get('shp_1')?.state).toBe('cancelled')
    expect(asked).toHaveLength(calls)
    expect(await cancelShipment(process(), ACME, 'shp_1', policy)).toMatchObject({
      ...{ kind: 'ShipmentCancelled', alreadyCancelled: true, ...repeated },
    })
    expect(sweeper.alerts.map(({ kind }) => kind)).toEqual(alerts)
  })

  test('makes a repeat wait until the sweeper ends it', async () => {
    const open = world()
    const { process, asked, policy } = open
    await cancelledWhileBooking(open, { kind: 'unknown', cause: 'HTTP 503' })
    const sweeper = process()
    sweeper.carriers.book = async () => BOOKED
    const sleep = async (milliseconds: number) => {
      await repeat.sleep(milliseconds)
      await sweep(sweeper, policy)
    }
    const repeat = process()
    const from = repeat.clock().getTime()
    expect(await cancelShipment({ ...repeat, sleep }, ACME, 'shp_1', policy)).toMatchObject({
      ...{ kind: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: true },
    })
    expect(repeat.clock().getTime() - from).toBeLessThan(1_000)
    expect(asked).toHaveLength(1)
  })

  test('leaves the shipment booked with an attempt on record if it is in doubt, and the sweeper ends it', async () => {
    const open = world()
    const { process, shipments, attempts, policy } = open
    const unknown = { kind: 'unknown', cause: 'HTTP 503' } as const
    const { booking, cancellation } = await cancelledWhileBooking(open, BOOKED, unknown)
    expect(booking).toMatchObject({ kind: 'ShipmentBooked', carrierRef: 'REF9', alreadyBooked: false })
    expect(cancellation).toMatchObject({ kind: 'CancellationPending' })
    const retryAt = policy.firstPollMs + 1_000
    expect(attempts).toMatchObject([{ phase: 'pending', retryAt, lastCause: 'HTTP 503' }])
    expect(shipments.get('shp_1')?.state).toBe('booked')
    const sweeper = process()
    sweeper.carriers.cancel = async () => ({ kind: 'cancelled', how: 'already' })
    await sweep(sweeper, policy)
    await sweeper.inFlight.drain()
    expect(shipments.get('shp_1')).toMatchObject({ state: 'cancelled', cancelledBy: 'carrier' })
  })

  test('stays on record if it cannot be sent, because a caller may have been promised it', async () => {
    const open = world()
    const unsent = { kind: 'not_sent', cause: 'too many calls are running' } as const
    const { booking, cancellation } = await cancelledWhileBooking(open, BOOKED, unsent)
    expect(cancellation).toMatchObject({ kind: 'CancellationPending' })
    expect(booking).toMatchObject({ kind: 'ShipmentBooked', alreadyBooked: false })
    expect(open.shipments.get('shp_1')?.state).toBe('booked')
    expect(open.attempts).toMatchObject([{ phase: 'pending', sends: 0 }])
  })

  test('asks the carrier once for several callers in several processes, and gives all the same answer', async () => {
    const { process, asked, policy } = world()
    const booker = process()
    let cancelling: Promise<CancelOutcome>[] = []
    booker.carriers.book = async () => {
      cancelling = [1, 2, 3].map(() => cancelShipment(process(), ACME, 'shp_1', policy))
      await settled()
      return BOOKED
    }
    expect(await bookShipment(booker, ACME, 'shp_1', policy)).toMatchObject({ code: 'NOT_BOOKABLE' })
    const [first, ...others] = await Promise.all(cancelling)
    expect(first).toMatchObject({ kind: 'ShipmentCancelled', carrierNotified: true })
    for (const other of others) expect(other).toEqual(first)
    expect(asked).toHaveLength(1)
  })

  test('is made by the sweeper when the mark was stored but its answer was lost', async () => {
    const { process, shipments, asked, policy } = world()
    const booker = process()
    const { markBooked } = booker.shipments
    let failures = 1
    booker.shipments.markBooked = async (...given) => {
      const mark = await markBooked(...given)
      if (failures-- > 0) throw new Error('connection lost')
      return mark
    }
    let cancelling: Promise<CancelOutcome> | undefined
    booker.carriers.book = async () => {
      cancelling = cancelShipment(process(), ACME, 'shp_1', policy)
      await settled()
      return BOOKED
    }
    expect(await bookShipment(booker, ACME, 'shp_1', policy)).toMatchObject({ kind: 'ShipmentBooked' })
    expect((await cancelling)?.kind).toBe('CancellationPending')
    const sweeper = process()
    await sweep(sweeper, policy)
    await sweeper.inFlight.drain()
    // The lease of the process that marked the booking has to expire first.
    expect(asked).toEqual([])
    await sweeper.sleep(policy.leaseMs)
    await sweep(sweeper, policy)
    await sweeper.inFlight.drain()
    expect(asked.map(({ carrierRef }) => carrierRef)).toEqual(['REF9'])
    expect(shipments.get('shp_1')?.state).toBe('cancelled')
  })

  test.each<[string, CarrierCancelAnswer, readonly string[]]>([
    ['refuses', { kind: 'refused', reason: 'SCANNED', code: 'X1', message: 'Picked up' }, []],
    ['leaves it open', { kind: 'unknown', cause: 'HTTP 503' }, []],
    ['accepts', { kind: 'cancelled', how: 'now' }, ['ACCEPTED_IN_TRANSIT']],
  ])('finds the parcel in transit for both callers if a scan precedes the answer of the carrier, which %s', async (_name, answer, alerts) => {
    const open = world()
    open.scans.push({
      ...{ carrierCode: 'rondeel', carrierRef: 'REF9', eventId: 'e1', at: '2026-11-01T10:00:00Z' },
    })
    const { booking, cancellation, booker } = await cancelledWhileBooking(open, BOOKED, answer)
    expect(booking).toMatchObject({ kind: 'ShipmentBooked', carrierRef: 'REF9', alreadyBooked: false })
    expect(cancellation).toMatchObject({ kind: 'ShipmentNotCancelled', code: 'ALREADY_IN_TRANSIT' })
    expect(open.shipments.get('shp_1')?.state).toBe('in_transit')
    expect(booker.alerts.map(({ kind }) => kind)).toEqual(alerts)
  })
})

/**
 * A booking whose lease expires during the call to the carrier. Another process tries, is refused, and ends the
 * booking. The draft is then cancelled, and only afterwards does the first process learn that the carrier booked it.
 */
async function bookedAfterAll(
  { process, pass, policy }: ReturnType<typeof world>,
  cancel: CarrierCancelAnswer,
) {
  const [booker, other, canceller] = [process(), process(), process()]
  let calls = 0
  booker.carriers.book = async () => {
    calls += 1
    if (calls > 1) return { kind: 'refused', code: 'B1', message: 'No pick-up there' }
    pass(policy.leaseMs)
    expect(await bookShipment(other, ACME, 'shp_1', policy)).toMatchObject({ code: 'CARRIER_REFUSED' })
    expect(await cancelShipment(canceller, ACME, 'shp_1', policy)).toMatchObject({
      ...{ kind: 'ShipmentCancelled', alreadyCancelled: false, carrierNotified: false },
    })
    return { kind: 'booked', carrierRef: 'REF9' }
  }
  const { cancel: send } = booker.carriers
  booker.carriers.cancel = async (ticket) => {
    await send(ticket)
    return cancel
  }
  const booking = await bookShipment(booker, ACME, 'shp_1', policy)
  return { booking, booker }
}

describe('a booking that the carrier confirms after the draft was cancelled', () => {
  test('is withdrawn at the carrier', async () => {
    const open = world()
    const { booking } = await bookedAfterAll(open, { kind: 'cancelled', how: 'now' })
    expect(booking).toMatchObject({ code: 'NOT_BOOKABLE' })
    expect(open.shipments.get('shp_1')).toMatchObject({ state: 'cancelled', carrierRef: 'REF9' })
    expect(open.asked.map(({ carrierRef }) => carrierRef)).toEqual(['REF9'])
    expect(open.attempts).toMatchObject([{ phase: 'accepted' }])
  })

  test('leaves an attempt on record when the withdrawal is in doubt', async () => {
    const open = world()
    const { booking } = await bookedAfterAll(open, { kind: 'unknown', cause: 'HTTP 503' })
    expect(booking).toMatchObject({ code: 'NOT_BOOKABLE' })
    expect(open.attempts).toMatchObject([{ phase: 'pending', retryAt: open.policy.leaseMs + 1_000 }])
    expect(open.shipments.get('shp_1')?.state).toBe('cancelled')
  })

  test('alerts people when the carrier refuses to withdraw', async () => {
    const open = world()
    const refused = { kind: 'refused', reason: 'SCANNED', code: 'X1', message: 'Picked up' } as const
    const { booking, booker } = await bookedAfterAll(open, refused)
    expect(booking).toMatchObject({ code: 'NOT_BOOKABLE' })
    expect(open.attempts).toMatchObject([
      { phase: 'refused', anomaly: expect.stringContaining('cancelled here') },
    ])
    expect(booker.alerts).toEqual([
      { kind: 'WITHDRAWAL_REFUSED', carrierCode: 'rondeel', shipmentId: 'shp_1', detail: 'Picked up' },
    ])
  })
})

test('a booking on record is not answered "nothing was sent" if the deadline passes in the first read', async () => {
  const { carrierRef: _, ...draft } = aShipment({ state: 'draft' })
  const world = shipmentWorld([{ ...draft, bookingUntil: 0, bookingTries: 1 }], async () => ({
    kind: 'cancelled',
    how: 'now',
  }))
  const ports = world.process()
  const { beginBooking } = ports.shipments
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  ports.shipments.beginBooking = async (...given) => {
    await gate
    return beginBooking(...given)
  }
  const outcome = await bookShipment(ports, ACME, 'shp_1', { ...world.policy, deadlineMs: 20 })
  open()
  await ports.inFlight.drain()
  expect(outcome).toMatchObject({ code: 'CARRIER_UNREACHABLE' })
})

describe('a draft whose price has ended', () => {
  const DAY_MS = 86_400_000
  const BEGIN_MS = Date.parse(`${ORDINARY_DAY}T00:00:00Z`)
  /** A draft of 5 kg from the Netherlands to Spain, stored at a price of EUR 1.00. */
  async function cheapDraft(days: number) {
    const { process, shipments, pass, now } = shipmentWorld([], async () => ({
      kind: 'cancelled',
      how: 'now',
    }))
    const ports = { ...process(), clock: () => new Date(BEGIN_MS + now()) }
    const draft = newDraftShipment(requestOf(parcelInput()), priceOf(cheapOption))
    const { shipmentId } = await ports.shipments.insertDraft('acme', draft)
    const stored = shipments.get(shipmentId)
    if (stored !== undefined) stored.createdAt = new Date(BEGIN_MS).toISOString()
    pass(days * DAY_MS)
    return { ports, shipmentId, shipments }
  }
  const option = optionOf(quoteInput(parcelInput()), 1201)
  if (option === undefined) throw new Error('the demo card has no product 1201')
  const cheapOption = { ...option, priceCents: 100 }

  test('is not booked; the answer has both prices', async () => {
    const { ports, shipmentId, shipments } = await cheapDraft(15)
    expect(await bookShipment(ports, ACME, shipmentId)).toEqual({
      kind: 'DraftPriceExpired',
      shipmentId,
      code: 'PRICE_EXPIRED',
      message: expect.stringContaining('EUR 1.00 was valid until 2026-11-03T00:00:00.000Z'),
      retryable: false,
      priceCents: 100,
      validUntil: '2026-11-03T00:00:00.000Z',
      currentPriceCents: option.priceCents,
    })
    expect(shipments.get(shipmentId)).toMatchObject({ state: 'draft' })
    expect(shipments.get(shipmentId)?.bookingUntil).toBeUndefined()
  })

  test('is booked at its price until then', async () => {
    const { ports, shipmentId } = await cheapDraft(13)
    expect(await bookShipment(ports, ACME, shipmentId)).toMatchObject({ kind: 'ShipmentBooked' })
  })

  test('is still booked if the booking began before', async () => {
    const { ports, shipmentId, shipments } = await cheapDraft(13)
    ports.carriers.book = async () => ({ kind: 'unknown', cause: 'HTTP 500' })
    expect(await bookShipment(ports, ACME, shipmentId)).toMatchObject({ code: 'CARRIER_UNREACHABLE' })
    await ports.sleep(2 * DAY_MS)
    ports.carriers.book = async () => ({ kind: 'booked', carrierRef: 'REF1' })
    expect(await bookShipment(ports, ACME, shipmentId)).toMatchObject({ kind: 'ShipmentBooked' })
    expect(shipments.get(shipmentId)?.state).toBe('booked')
  })
})
