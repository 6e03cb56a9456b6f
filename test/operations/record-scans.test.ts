/** What carriers say about parcels, told or looked up. */
import { describe, expect, test } from 'vitest'
import type { CarrierTrackAnswer, Scan } from '../../src/core/shipments/tracking.ts'
import { applyLookup, recordScans } from '../../src/operations/record-scans.ts'
import { answers, aShipment, shipmentWorld } from './shipment-world.ts'

const AT = '2026-11-02T08:00:00.000Z'
const scan = (carrierRef: string, eventId = 'e1'): Scan => ({
  ...{ carrierCode: 'rondeel', carrierRef, eventId, at: AT },
})
const LOOK_UP = { shipmentId: 'shp_1', accountId: 'acme', carrierCode: 'rondeel', carrierRef: 'REF1' }

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

describe('scans that are told', () => {
  test('are counted by what they did, and told twice they come to the same', async () => {
    const { ports, shipments } = world()
    const told = [scan('REF1'), scan('REF1'), scan('REF1', 'e2'), scan('REF2'), scan('nobody')]
    const counts = { moved: 1, known: 2, anomaly: 1, kept: 1, stale: 0 }
    expect(await recordScans(ports, told)).toEqual(counts)
    expect([...shipments.values()].map(({ state }) => state)).toEqual(['in_transit', 'cancelled'])
    expect(await recordScans(ports, told)).toEqual({ moved: 0, known: 4, anomaly: 0, kept: 1, stale: 0 })
  })

  test('of a parcel that is cancelled here are for people, once', async () => {
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

  test('that are kept while the booking is written down count all the same', async () => {
    const { ports, shipments } = world()
    const shipment = shipments.get('shp_1')
    const { recordScan } = ports.tracking
    ports.tracking.recordScan = async (one) => {
      const effect = await recordScan(one)
      Object.assign(shipment ?? {}, { carrierRef: 'REF9' })
      return effect
    }
    expect(await recordScans(ports, [scan('REF9')])).toMatchObject({ kept: 1 })
    expect(shipment?.state).toBe('in_transit')
  })

  test('stay kept when the store fails at a later one', async () => {
    const { ports, shipments } = world()
    const { recordScan } = ports.tracking
    ports.tracking.recordScan = (one) =>
      one.carrierRef === 'REF2' ? Promise.reject(new Error('database down')) : recordScan(one)
    await expect(recordScans(ports, [scan('REF1'), scan('REF2')])).rejects.toThrow('database down')
    expect(shipments.get('shp_1')?.state).toBe('in_transit')
  })

  test('may be none', async () => {
    expect(await recordScans(world().ports, [])).toEqual({
      moved: 0,
      known: 0,
      anomaly: 0,
      kept: 0,
      stale: 0,
    })
  })
})

describe('a parcel that is looked up', () => {
  const SCANNED: CarrierTrackAnswer = { kind: 'scanned', scan: { eventId: 'e1', at: AT } }

  test.each<[CarrierTrackAnswer, string, string]>([
    [{ kind: 'announced' }, 'unchanged', 'booked'],
    [{ kind: 'unknown', cause: 'HTTP 503' }, 'unknown', 'booked'],
    [SCANNED, 'in_transit', 'in_transit'],
    [{ kind: 'cancelled' }, 'cancelled', 'cancelled'],
  ])('%j', async (answer, effect, state) => {
    const { ports, shipments } = world()
    expect(await applyLookup(ports, LOOK_UP, answer)).toBe(effect)
    expect(shipments.get('shp_1')?.state).toBe(state)
    expect(ports.alerts).toEqual(
      effect === 'cancelled'
        ? [{ kind: 'CANCELLED_AT_CARRIER', carrierCode: 'rondeel', shipmentId: 'shp_1' }]
        : [],
    )
  })

  test('and found cancelled is on record as an attempt that asked nobody', async () => {
    const { ports, attempts, asked } = world()
    await applyLookup(ports, LOOK_UP, { kind: 'cancelled' })
    expect(attempts).toMatchObject([{ phase: 'accepted', sends: 0, anomaly: expect.any(String) }])
    expect(asked).toEqual([])
  })

  test('twice changes nothing the second time', async () => {
    const { ports } = world()
    expect(await applyLookup(ports, LOOK_UP, SCANNED)).toBe('in_transit')
    expect(await applyLookup(ports, LOOK_UP, SCANNED)).toBe('unchanged')
    expect(await applyLookup(ports, LOOK_UP, { kind: 'cancelled' })).toBe('unchanged')
    expect(ports.alerts).toEqual([])
  })

  test('and found cancelled while an attempt is open is for that attempt to tell', async () => {
    const { ports, shipments } = world()
    await ports.shipments.beginCancellation('acme', 'shp_1', { leaseMs: 1_000, refusalMemoryMs: 0 })
    expect(await applyLookup(ports, LOOK_UP, { kind: 'cancelled' })).toBe('unchanged')
    expect(shipments.get('shp_1')?.state).toBe('booked')
  })
})
