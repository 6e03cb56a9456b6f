/** Shipment ids and states. */
import { expect, test } from 'vitest'
import { bookedAlready } from '../../../src/core/shipments/booking.ts'
import { isCancellable, isShipmentId, type Shipment } from '../../../src/core/shipments/shipment.ts'

test('an id has 1 to 64 URL-safe characters', () => {
  expect(['a', 'shp_A-9', 'x'.repeat(64)].every(isShipmentId)).toBe(true)
  const impossible = ['', 'x'.repeat(65), 'a b', 'a\u0000', 'a\n', 'é', "' or 1=1", '../x']
  expect(impossible.some(isShipmentId)).toBe(false)
})

test('only drafts and booked shipments can be cancelled', () => {
  expect((['draft', 'booked', 'in_transit', 'cancelled'] as const).map(isCancellable)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a booked shipment without a tracking number is a fault, not an outcome', () => {
  const shipment: Shipment = {
    shipmentId: 's',
    state: 'booked',
    productId: 1201,
    carrierCode: 'rondeel',
    from: { country: 'NL' },
    to: { country: 'DE' },
    priceCents: 1,
    createdAt: '2026-11-01T10:00:00.000Z',
    updatedAt: '2026-11-01T10:00:00.000Z',
  }
  expect(() => bookedAlready(shipment)).toThrow('no tracking number')
})
