/** The outcome of a booking. */
import { describe, expect, test } from 'vitest'
import {
  afterMark,
  type BookingMark,
  bookedAlready,
  bookingPending,
} from '../../../src/core/shipments/booking.ts'
import {
  alreadyInTransit,
  type CancelOutcome,
  cancellationPending,
  carrierRefused,
  carrierUnavailable,
  shipmentCancelled,
} from '../../../src/core/shipments/cancellation.ts'

const MARKED: BookingMark = { state: 'booked', booked: true, carrierRef: 'R1' }
const BOOKED = { kind: 'ShipmentBooked', shipmentId: 's', carrierRef: 'R1', alreadyBooked: false }
const NOT_BOOKABLE = { kind: 'ShipmentNotBooked', shipmentId: 's', code: 'NOT_BOOKABLE', retryable: false }
const REFUSED = carrierRefused('s', { code: 'SCANNED', reason: 'picked up' })

describe('the outcome after marking a booking', () => {
  test.each<[string, BookingMark, CancelOutcome | undefined, object]>([
    ['booked', MARKED, undefined, BOOKED],
    ['booked before', { ...MARKED, booked: false }, undefined, { ...BOOKED, alreadyBooked: true }],
    [
      'in transit in the meantime',
      { ...MARKED, state: 'in_transit', booked: false },
      undefined,
      { ...BOOKED, alreadyBooked: true },
    ],
    ['cancelled in the meantime', { ...MARKED, state: 'cancelled', booked: false }, undefined, NOT_BOOKABLE],
    ['booked, and cancelled afterwards', MARKED, shipmentCancelled('s', 'carrier', false), NOT_BOOKABLE],
    ['booked, and released afterwards', MARKED, shipmentCancelled('s', 'release', false), NOT_BOOKABLE],
    ['booked, and its cancellation refused', MARKED, REFUSED, BOOKED],
    ['booked, and its cancellation unknown', MARKED, cancellationPending('s'), BOOKED],
    ['booked, and its cancellation not sent', MARKED, carrierUnavailable('s'), BOOKED],
    ['booked, and scanned before its cancellation', MARKED, alreadyInTransit('s'), BOOKED],
    [
      'cancelled in the meantime, and the withdrawal refused',
      { ...MARKED, state: 'cancelled', booked: false },
      REFUSED,
      NOT_BOOKABLE,
    ],
  ])('is right for a shipment that is %s', (_name, mark, cancellation, expected) => {
    expect(afterMark('s', mark, cancellation)).toMatchObject(expected)
  })

  test('is a fault for a booked shipment without a tracking number', () => {
    expect(() => afterMark('s', { state: 'booked', booked: true }, undefined)).toThrow(
      'booked shipment s has no tracking number',
    )
  })
})

test('only a draft has to be booked', () => {
  const shipment = {
    ...{ shipmentId: 's', productId: 1, carrierCode: 'c', carrierRef: 'R1', priceCents: 1 },
    ...{ from: { country: 'NL' }, to: { country: 'DE' } },
    ...{ createdAt: '2026-11-01T10:00:00.000Z', updatedAt: '2026-11-01T10:00:00.000Z' },
  }
  expect(bookedAlready({ ...shipment, state: 'draft' })).toBeUndefined()
  for (const state of ['booked', 'in_transit'] as const)
    expect(bookedAlready({ ...shipment, state })).toEqual({ ...BOOKED, alreadyBooked: true })
  expect(bookedAlready({ ...shipment, state: 'cancelled' })).toMatchObject(NOT_BOOKABLE)
  expect(bookingPending('s')).toMatchObject({ code: 'CARRIER_UNREACHABLE', retryable: true })
})
