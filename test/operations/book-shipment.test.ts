/** Booking a draft, also against a cancellation. */
import { describe, expect, test } from 'vitest'
import type { CarrierBookAnswer } from '../../src/core/shipments/booking.ts'
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
    const ends = await Promise.all([process(), process()].map((ports) => bookShipment(ports, ACME, 'shp_1')))
    expect(ends.map((end) => end.kind === 'ShipmentBooked' && end.alreadyBooked)).toEqual([false, true])
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

  test.each<[string, CarrierBookAnswer, object]>([
    [
      'refused',
      { kind: 'refused', code: 'B1', message: 'No pick-up there' },
      { code: 'CARRIER_REFUSED', message: expect.stringContaining('No pick-up there'), retryable: false },
    ],
    ['in doubt', { kind: 'unknown', cause: 'HTTP 503' }, { code: 'CARRIER_UNREACHABLE', retryable: true }],
  ])('that is %s leaves the draft', async (_name, answer, expected) => {
    const { process, shipments } = world()
    const ports = process()
    ports.carriers.book = async () => answer
    expect(await bookShipment(ports, ACME, 'shp_1')).toMatchObject({ kind: 'ShipmentNotBooked', ...expected })
    expect(shipments.get('shp_1')?.state).toBe('draft')
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
})
