/** Booking a draft, also against a cancellation. */
import { describe, expect, test } from 'vitest'
import type { CarrierBookAnswer } from '../../src/core/shipments/booking.ts'
import type { NotSent } from '../../src/core/shipments/cancellation.ts'
import { bookShipment } from '../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../src/operations/cancel-shipment.ts'
import { aShipment, shipmentWorld } from './shipment-world.ts'

const ACME = { accountId: 'acme' }

function world(state: 'draft' | 'booked' | 'in_transit' | 'cancelled' = 'draft') {
  const { carrierRef, ...shipment } = aShipment({ state })
  const stored = state === 'draft' || state === 'cancelled' ? shipment : { ...shipment, carrierRef: 'REF1' }
  return shipmentWorld([stored], async () => ({ kind: 'cancelled', how: 'now' }))
}

describe('booking', () => {
  test('moves a draft to booked with the reference of the carrier; repeating it is already booked', async () => {
    const { process, shipments } = world()
    const ports = process()
    const booked = { kind: 'ShipmentBooked', shipmentId: 'shp_1', carrierRef: 'REF-shp_1' }
    expect(await bookShipment(ports, ACME, 'shp_1')).toEqual({ ...booked, alreadyBooked: false })
    expect(await bookShipment(ports, ACME, 'shp_1')).toEqual({ ...booked, alreadyBooked: true })
    expect(shipments.get('shp_1')?.state).toBe('booked')
  })

  test('in two processes at once books once', async () => {
    const { process } = world()
    const asked: string[] = []
    const two = [process(), process()]
    for (const { carriers } of two)
      carriers.book = async (_accountId, { shipmentId }) => {
        asked.push(shipmentId)
        return { kind: 'booked', carrierRef: `REF-${shipmentId}` }
      }
    const ends = await Promise.all(two.map((ports) => bookShipment(ports, ACME, 'shp_1')))
    // The second finds the first at it, and a repeat tells it the end.
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

  test('of a shipment in transit has succeeded before', async () => {
    expect(await bookShipment(world('in_transit').process(), ACME, 'shp_1')).toMatchObject({
      kind: 'ShipmentBooked',
      alreadyBooked: true,
      carrierRef: 'REF1',
    })
  })

  test('of a cancelled shipment is not possible', async () => {
    expect(await bookShipment(world('cancelled').process(), ACME, 'shp_1')).toMatchObject({
      kind: 'ShipmentNotBooked',
      code: 'NOT_BOOKABLE',
      retryable: false,
    })
  })

  test('of another account, or an unknown one, is not found', async () => {
    const ports = world().process()
    expect(await bookShipment(ports, { accountId: 'other' }, 'shp_1')).toEqual(
      await bookShipment(ports, ACME, 'shp_none'),
    )
  })

  test.each<[string, CarrierBookAnswer | NotSent, object]>([
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
  ])('that is %s leaves the draft, with nothing on record', async (_name, answer, expected) => {
    const { process, shipments } = world()
    const ports = process()
    ports.carriers.book = async () => answer
    expect(await bookShipment(ports, ACME, 'shp_1')).toMatchObject({ kind: 'ShipmentNotBooked', ...expected })
    expect(shipments.get('shp_1')).toMatchObject({ state: 'draft', bookingTries: 0 })
    expect(shipments.get('shp_1')).not.toHaveProperty('bookingUntil')
  })

  test('that is in doubt leaves the draft with its booking on record, and nobody asks again for a second', async () => {
    const { process, shipments, pass, terms } = world()
    const ports = process()
    const { book } = ports.carriers
    ports.carriers.book = async () => ({ kind: 'unknown', cause: 'HTTP 503' })
    const pending = { kind: 'ShipmentNotBooked', code: 'CARRIER_UNREACHABLE', retryable: true }
    expect(await bookShipment(ports, ACME, 'shp_1', terms)).toMatchObject(pending)
    expect(shipments.get('shp_1')).toMatchObject({ state: 'draft', bookingUntil: 1_000, bookingTries: 1 })
    ports.carriers.book = book
    pass(999)
    expect(await bookShipment(ports, ACME, 'shp_1', terms)).toMatchObject(pending)
    pass(1)
    expect(await bookShipment(ports, ACME, 'shp_1', terms)).toMatchObject({
      kind: 'ShipmentBooked',
      alreadyBooked: false,
    })
    expect(shipments.get('shp_1')).not.toHaveProperty('bookingUntil')
  })

  test('that may have got through is kept when the next try cannot be sent', async () => {
    const { process, shipments, pass, terms } = world()
    const ports = process()
    ports.carriers.book = async () => ({ kind: 'unknown', cause: 'HTTP 503' })
    await bookShipment(ports, ACME, 'shp_1', terms)
    pass(1_000)
    ports.carriers.book = async () => ({ kind: 'not_sent', cause: 'the carrier fails and is left alone' })
    expect(await bookShipment(ports, ACME, 'shp_1', terms)).toMatchObject({ code: 'CARRIER_UNAVAILABLE' })
    expect(shipments.get('shp_1')).toMatchObject({ bookingUntil: 3_000, bookingTries: 2 })
  })

  test('finds a scan that was faster than the answer of the carrier', async () => {
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

  test('stands, whatever becomes of the scans', async () => {
    const ports = world().process()
    ports.tracking.applyKeptScans = () => Promise.reject(new Error('database down'))
    expect((await bookShipment(ports, ACME, 'shp_1')).kind).toBe('ShipmentBooked')
    expect(ports.faults).toEqual([new Error('database down')])
  })
})

describe('a cancellation while the carrier is booking', () => {
  test('wins, and the booking is withdrawn at the carrier', async () => {
    const { process, shipments, attempts, asked, terms } = world()
    const ports = process()
    ports.carriers.book = async () => {
      expect((await cancelShipment(process(), ACME, 'shp_1', terms)).kind).toBe('ShipmentCancelled')
      return { kind: 'booked', carrierRef: 'REF9' }
    }
    expect(await bookShipment(ports, ACME, 'shp_1', terms)).toMatchObject({ code: 'NOT_BOOKABLE' })
    expect(shipments.get('shp_1')).toMatchObject({ state: 'cancelled', carrierRef: 'REF9' })
    expect(asked.map(({ carrierRef }) => carrierRef)).toEqual(['REF9'])
    expect(attempts).toMatchObject([{ phase: 'accepted' }])
  })

  test('leaves an attempt on record when the withdrawal is in doubt', async () => {
    const { process, shipments, attempts, terms } = world()
    const ports = process()
    ports.carriers.book = async () => {
      await cancelShipment(process(), ACME, 'shp_1', terms)
      return { kind: 'booked', carrierRef: 'REF9' }
    }
    ports.carriers.cancel = async () => ({ kind: 'unknown', cause: 'HTTP 503' })
    expect(await bookShipment(ports, ACME, 'shp_1', terms)).toMatchObject({ code: 'NOT_BOOKABLE' })
    expect(attempts).toMatchObject([{ phase: 'pending', retryAt: 1_000 }])
    expect(shipments.get('shp_1')?.state).toBe('cancelled')
  })

  test('is told to people when the carrier refuses to withdraw', async () => {
    const { process, attempts, terms } = world()
    const ports = process()
    ports.carriers.book = async () => {
      await cancelShipment(process(), ACME, 'shp_1', terms)
      return { kind: 'booked', carrierRef: 'REF9' }
    }
    const refused = { kind: 'refused', reason: 'SCANNED', code: 'X1', message: 'Picked up' } as const
    ports.carriers.cancel = async () => refused
    expect(await bookShipment(ports, ACME, 'shp_1', terms)).toMatchObject({ code: 'NOT_BOOKABLE' })
    expect(attempts).toMatchObject([{ phase: 'refused', anomaly: expect.stringContaining('cancelled here') }])
    expect(ports.alerts).toEqual([
      { kind: 'WITHDRAWAL_REFUSED', carrierCode: 'rondeel', shipmentId: 'shp_1', detail: 'Picked up' },
    ])
  })
})
