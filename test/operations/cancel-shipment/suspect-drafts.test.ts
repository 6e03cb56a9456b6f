/** Cancelling a draft whose booking may have been lost by a failover or a restore: the carrier is asked first. */
import { describe, expect, test } from 'vitest'
import type { BookingLookup } from '../../../src/core/shipments/booking.ts'
import type { NotSent } from '../../../src/core/shipments/cancellation.ts'
import { bookShipment } from '../../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { NotExecuted, type ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { sweep } from '../../../src/operations/sweep/sweep.ts'
import { aShipment, type Process, shipmentWorld } from '../shipment-world.ts'

const ACME = { accountId: 'acme' }
const BOOKED: BookingLookup = { kind: 'booked', carrierRef: 'REF-lost' }
const NO_ANSWER: BookingLookup = { kind: 'unknown', cause: 'HTTP 503' }
const NOT_SENT: NotSent = { kind: 'not_sent', cause: 'the circuit is open' }

function world(found: () => Promise<BookingLookup | NotSent>) {
  const { carrierRef, ...draft } = aShipment({ state: 'draft', suspectLineage: '2' })
  const asked: string[] = []
  const created = shipmentWorld([draft], async () => ({ kind: 'cancelled', how: 'now' }), {
    findBooking: async ({ shipmentId }) => {
      asked.push(shipmentId)
      return found()
    },
  })
  return { ...created, bookingsAsked: asked }
}

/** The method of the store, whose first call gets no connection. */
function refusingOnce({ shipments }: Process, name: keyof ShipmentStore): Partial<ShipmentStore> {
  let calls = 0
  const method = shipments[name] as (...given: readonly unknown[]) => Promise<unknown>
  return {
    [name]: async (...given: readonly unknown[]) => {
      calls += 1
      if (calls === 1) throw new NotExecuted(new Error('no connection became free'))
      return method(...given)
    },
  }
}

describe('cancelling a suspect draft', () => {
  test('cancels a lost booking at the carrier', async () => {
    const { process, shipments, asked } = world(async () => BOOKED)
    expect(await cancelShipment(process(), ACME, 'shp_1')).toMatchObject({
      ...{ kind: 'ShipmentCancelled', carrierNotified: true },
    })
    expect(asked.map(({ carrierRef }) => carrierRef)).toEqual(['REF-lost'])
    expect(shipments.get('shp_1')).toMatchObject({ state: 'cancelled', carrierRef: 'REF-lost' })
  })

  test('cancels the draft if the carrier has no booking, and asks once', async () => {
    const { process, asked, bookingsAsked } = world(async () => ({ kind: 'none' }))
    expect(await cancelShipment(process(), ACME, 'shp_1')).toMatchObject({
      ...{ kind: 'ShipmentCancelled', carrierNotified: false },
    })
    expect(await cancelShipment(process(), ACME, 'shp_1')).toMatchObject({ alreadyCancelled: true })
    expect(bookingsAsked).toEqual(['shp_1'])
    expect(asked).toEqual([])
  })

  test.each<BookingLookup | NotSent>([
    { kind: 'unknown', cause: 'HTTP 503' },
    NOT_SENT,
  ])('changes nothing while the carrier gives no answer: $kind', async (answer) => {
    const { process, shipments, asked } = world(async () => answer)
    expect(await cancelShipment(process(), ACME, 'shp_1')).toMatchObject({
      ...{ kind: 'ShipmentNotCancelled', code: 'CARRIER_UNAVAILABLE', retryable: true },
    })
    expect(shipments.get('shp_1')?.state).toBe('draft')
    expect(asked).toEqual([])
  })

  test('does not cancel the draft after a caller was told that nothing was sent', async () => {
    let answer: (found: BookingLookup) => void = () => {}
    const late = new Promise<BookingLookup>((resolve) => {
      answer = resolve
    })
    const { process, shipments, policy } = world(() => late)
    const ports = process()
    const outcome = await cancelShipment(ports, ACME, 'shp_1', { ...policy, deadlineMs: 5 })
    expect(outcome).toMatchObject({ code: 'CARRIER_UNAVAILABLE' })
    answer({ kind: 'none' })
    await ports.inFlight.drain()
    expect(shipments.get('shp_1')?.state).toBe('draft')
  })

  test.each<[string, BookingLookup, keyof ShipmentStore | undefined]>([
    ['the carrier gives no answer', NO_ANSWER, undefined],
    ['no connection is free to record that it gives none', NO_ANSWER, 'beginBooking'],
    ['no connection is free to record its answer', { kind: 'none' }, 'confirmDraft'],
  ])('keeps the promise of a cancellation whose first statement hung, although %s', async (_why, answer, refused) => {
    const { process, shipments, asked, pass, policy } = world(async () => answer)
    const ports = process()
    if (refused !== undefined) Object.assign(ports.shipments, refusingOnce(ports, refused))
    const { beginCancellation } = ports.shipments
    let proceed = () => {}
    const hanging = new Promise<void>((resolve) => {
      proceed = resolve
    })
    let begins = 0
    ports.shipments.beginCancellation = async (...given) => {
      begins += 1
      if (begins === 1) await hanging
      return beginCancellation(...given)
    }
    const outcome = await cancelShipment(ports, ACME, 'shp_1', { ...policy, deadlineMs: 5 })
    expect(outcome.kind).toBe('CancellationPending')
    proceed()
    await ports.inFlight.drain()
    // The lease of the booking ends. The sweeper books with the key of the lost booking, and withdraws it.
    pass(policy.leaseMs + 1)
    const sweeper = process()
    await sweep(sweeper, policy)
    await sweeper.inFlight.drain()
    expect(asked.map(({ carrierRef }) => carrierRef)).toEqual(['REF-shp_1'])
    expect(shipments.get('shp_1')?.state).toBe('cancelled')
  })
})

test('a booking that was not sent does not let the cancellation of a suspect draft go without asking the carrier', async () => {
  const { process, shipments } = world(async () => BOOKED)
  const booker = process()
  let answer: (found: NotSent) => void = () => {}
  const late = new Promise<NotSent>((resolve) => {
    answer = resolve
  })
  booker.carriers.book = () => late
  const booking = bookShipment(booker, ACME, 'shp_1')
  while (shipments.get('shp_1')?.bookingUntil === undefined)
    await new Promise((resolve) => setImmediate(resolve))
  const canceller = process()
  await canceller.shipments.beginCancellation('acme', 'shp_1', {
    ...{ mayOpen: false, leaseMs: 1_000, refusalMemoryMs: 0 },
  })
  answer(NOT_SENT)
  await booking
  expect(shipments.get('shp_1')).toMatchObject({ state: 'draft', cancelWantedAt: expect.any(Number) })
})

test('a cancellation that waited for another booking is sent for the first time when the lost booking is found', async () => {
  let answer: (found: BookingLookup) => void = () => {}
  const late = new Promise<BookingLookup>((resolve) => {
    answer = resolve
  })
  const { process, shipments, asked } = world(() => late)
  const outcome = cancelShipment(process(), ACME, 'shp_1')
  await new Promise((resolve) => setImmediate(resolve))
  const other = process()
  await other.shipments.beginBooking('acme', 'shp_1', { mayOpen: true, leaseMs: 15_000 })
  const terms = { mayOpen: false, leaseMs: 1_000, refusalMemoryMs: 0 }
  await other.shipments.beginCancellation('acme', 'shp_1', terms)
  answer(BOOKED)
  expect(await outcome).toMatchObject({ kind: 'ShipmentCancelled', carrierNotified: true })
  expect(asked.map(({ carrierRef, sends }) => ({ carrierRef, sends }))).toEqual([
    { carrierRef: 'REF-lost', sends: 1 },
  ])
  expect(shipments.get('shp_1')?.state).toBe('cancelled')
})
