/** Scans that carriers send, and the results of lookups. */
import { describe, expect, test } from 'vitest'
import type { CarrierTrackAnswer, Scan } from '../../src/core/shipments/tracking.ts'
import { applyLookup, recordScans } from '../../src/operations/record-scans.ts'
import { answers, aShipment, shipmentWorld } from './shipment-world.ts'

const AT = '2026-11-02T08:00:00.000Z'
const scan = (carrierRef: string, eventId = 'e1'): Scan => ({
  ...{ carrierCode: 'rondeel', carrierRef, eventId, at: AT },
})
const LOOKUP = { shipmentId: 'shp_1', accountId: 'acme', carrierCode: 'rondeel', carrierRef: 'REF1' }

function world() {
  const opened = shipmentWorld(
    [
      aShipment(),
      aShipment({ shipmentId: 'shp_2', carrierRef: 'REF2', state: 'cancelled', cancelledBy: 'carrier' }),
    ],
    answers({ kind: 'cancelled', how: 'now' }),
  )
  return { ...opened, ports: opened.process() }
}

describe('scans that a carrier sends', () => {
  test('are counted by effect, and have no effect the second time', async () => {
    const { ports, shipments } = world()
    const scans = [scan('REF1'), scan('REF1'), scan('REF1', 'e2'), scan('REF2'), scan('nobody')]
    const counts = { moved: 1, known: 2, anomaly: 1, unmatched: 1, stale: 0 }
    expect(await recordScans(ports, scans)).toEqual(counts)
    expect([...shipments.values()].map(({ state }) => state)).toEqual(['in_transit', 'cancelled'])
    expect(await recordScans(ports, scans)).toEqual({
      moved: 0,
      known: 4,
      anomaly: 0,
      unmatched: 1,
      stale: 0,
    })
  })

  test('of a cancelled parcel raise one alert', async () => {
    const { ports } = world()
    await recordScans(ports, [scan('REF2'), scan('REF2')])
    expect(ports.alerts).toEqual([
      {
        kind: 'SCANNED_AFTER_CANCELLATION',
        carrierCode: 'rondeel',
        detail: `parcel REF2 was scanned at ${AT}`,
      },
    ])
  })

  test('are counted as unmatched if the booking is stored at the same time', async () => {
    const { ports, shipments } = world()
    const shipment = shipments.get('shp_1')
    const { recordScan } = ports.tracking
    ports.tracking.recordScan = async (one) => {
      const effect = await recordScan(one)
      Object.assign(shipment ?? {}, { carrierRef: 'REF9' })
      return effect
    }
    expect(await recordScans(ports, [scan('REF9')])).toMatchObject({ unmatched: 1 })
    expect(shipment?.state).toBe('in_transit')
  })

  test('stay stored when the store fails at a later scan', async () => {
    const { ports, shipments } = world()
    const { recordScan } = ports.tracking
    ports.tracking.recordScan = (one) =>
      one.carrierRef === 'REF2' ? Promise.reject(new Error('database down')) : recordScan(one)
    await expect(recordScans(ports, [scan('REF1'), scan('REF2')])).rejects.toThrow('database down')
    expect(shipments.get('shp_1')?.state).toBe('in_transit')
  })

  test('may be an empty list', async () => {
    expect(await recordScans(world().ports, [])).toEqual({
      moved: 0,
      known: 0,
      anomaly: 0,
      unmatched: 0,
      stale: 0,
    })
  })
})

describe('a lookup', () => {
  const SCANNED: CarrierTrackAnswer = { kind: 'scanned', scan: { eventId: 'e1', at: AT } }

  test.each<[CarrierTrackAnswer, string, string]>([
    [{ kind: 'announced' }, 'unchanged', 'booked'],
    [{ kind: 'unknown', cause: 'HTTP 503' }, 'unknown', 'booked'],
    [SCANNED, 'in_transit', 'in_transit'],
    [{ kind: 'cancelled' }, 'cancelled', 'cancelled'],
  ])('applies %j', async (answer, effect, state) => {
    const { ports, shipments } = world()
    expect(await applyLookup(ports, LOOKUP, answer)).toBe(effect)
    expect(shipments.get('shp_1')?.state).toBe(state)
    expect(ports.alerts).toEqual(
      effect === 'cancelled'
        ? [{ kind: 'CANCELLED_AT_CARRIER', carrierCode: 'rondeel', shipmentId: 'shp_1' }]
        : [],
    )
  })

  test('of a cancelled parcel adds an attempt that called no carrier', async () => {
    const { ports, attempts, asked } = world()
    await applyLookup(ports, LOOKUP, { kind: 'cancelled' })
    expect(attempts).toMatchObject([{ phase: 'accepted', sends: 0, anomaly: expect.any(String) }])
    expect(asked).toEqual([])
  })

  test('changes nothing the second time', async () => {
    const { ports } = world()
    expect(await applyLookup(ports, LOOKUP, SCANNED)).toBe('in_transit')
    expect(await applyLookup(ports, LOOKUP, SCANNED)).toBe('unchanged')
    expect(await applyLookup(ports, LOOKUP, { kind: 'cancelled' })).toBe('unchanged')
    expect(ports.alerts).toEqual([])
  })

  test('of a cancelled parcel leaves the decision to an open attempt', async () => {
    const { ports, shipments } = world()
    await ports.shipments.beginCancellation('acme', 'shp_1', {
      mayOpen: true,
      leaseMs: 1_000,
      refusalMemoryMs: 0,
    })
    expect(await applyLookup(ports, LOOKUP, { kind: 'cancelled' })).toBe('unchanged')
    expect(shipments.get('shp_1')?.state).toBe('booked')
  })
})
