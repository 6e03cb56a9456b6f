/** Cancellations and scans that only a lookup has reported are verified by later lookups. */
import { describe, expect, test } from 'vitest'
import type { CarrierTrackAnswer } from '../../src/core/shipments/tracking.ts'
import { cancelShipment } from '../../src/operations/cancel-shipment.ts'
import type { CarrierGateway } from '../../src/operations/ports/carriers.ts'
import { recordScans } from '../../src/operations/record-scans.ts'
import { sweep } from '../../src/operations/sweep/sweep.ts'
import { answers, aShipment, type CarrierReply, shipmentWorld } from './shipment-world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const SCANNED: CarrierTrackAnswer = {
  kind: 'scanned',
  scan: { eventId: 'e1', at: '2026-11-02T08:00:00.000Z' },
}
const ANNOUNCED: CarrierTrackAnswer = { kind: 'announced' }
const CANCELLED: CarrierTrackAnswer = { kind: 'cancelled' }
const NOT_LISTED: CarrierTrackAnswer = { kind: 'unknown', cause: 'HTTP 404' }
const REFUSED: CarrierReply = { kind: 'refused', reason: 'NOT_CANCELLABLE', code: 'X', message: 'no' }

/** A booked shipment whose routine lookup is due. Lookups get the answers in turn; the last one repeats. */
function lookedUp(list: readonly CarrierTrackAnswer[], gateway: Partial<CarrierGateway> = {}) {
  let lookup = 0
  const track = async () => list[Math.min(lookup++, list.length - 1)] ?? NOT_LISTED
  const stored = aShipment({ nextTrackAt: 0 })
  const carrier = answers({ kind: 'unknown', cause: 'reset' }, REFUSED)
  const world = shipmentWorld([stored], carrier, { track, ...gateway })
  const ports = world.process()
  const round = async (afterMs: number) => {
    world.pass(afterMs)
    await sweep(ports, world.policy)
    await ports.inFlight.drain()
  }
  return { world, ports, round, shipment: world.shipments.get('shp_1'), report: () => world.reports[0] }
}

describe('what only a lookup has reported', () => {
  test.each([
    ['cancellation', CANCELLED, 'cancelled'],
    ['scan', SCANNED, 'in_transit'],
  ] as const)('a %s, is verified after a minute and the next day', async (_name, answer, state) => {
    const { world, ports, round, shipment, report } = lookedUp([answer])
    await round(0)
    const alerts = ports.alerts.length
    await round(MINUTE_MS - 1)
    expect(world.lookups).toHaveLength(1)
    await round(1)
    expect(world.lookups).toHaveLength(2)
    await round(DAY_MS)
    await round(DAY_MS)
    expect([world.lookups.length, shipment?.state, ports.alerts.length]).toEqual([3, state, alerts])
    expect(report()).not.toHaveProperty('contradiction')
  })

  test.each([
    ['cancelled', 'announced', CANCELLED, ANNOUNCED, 'cancelled'],
    ['scanned', 'announced', SCANNED, ANNOUNCED, 'in_transit'],
    ['scanned', 'cancelled', SCANNED, CANCELLED, 'in_transit'],
  ] as const)('(%s) raises an alert if the next lookup says %s, and the state stays', async (first, second, answer, other, state) => {
    const { world, ports, round, shipment, report } = lookedUp([answer, other])
    await round(0)
    ports.alerts.length = 0
    await round(MINUTE_MS)
    const detail = `REF1: a lookup reported ${first}, and a later one reports ${second}`
    const alert = { kind: 'LOOKUP_CONTRADICTED', carrierCode: 'rondeel', shipmentId: 'shp_1', detail }
    expect(ports.alerts).toEqual([alert])
    expect([report()?.contradiction, shipment?.state]).toEqual([detail, state])
    await round(DAY_MS)
    await round(DAY_MS)
    expect([world.lookups.length, ports.alerts.length]).toEqual([3, 2])
  })

  test('a cancellation, raises both alerts if the parcel is scanned the next day', async () => {
    const { ports, round, shipment } = lookedUp([CANCELLED, CANCELLED, SCANNED])
    for (const ms of [0, MINUTE_MS, DAY_MS]) await round(ms)
    const kinds = ports.alerts.map(({ kind }) => kind)
    expect(kinds).toEqual(['CANCELLED_AT_CARRIER', 'SCANNED_AFTER_CANCELLATION', 'LOOKUP_CONTRADICTED'])
    expect(shipment?.state).toBe('cancelled')
  })

  test('is looked up at growing intervals for five days while the lookups are inconclusive', async () => {
    const { world, ports, round } = lookedUp([CANCELLED, NOT_LISTED])
    await round(0)
    for (let hours = 0; hours < 24 * 8; hours += 0.25) await round(DAY_MS / 96)
    expect(world.lookups.length).toBeGreaterThan(8)
    expect(world.lookups.length).toBeLessThan(20)
    expect(ports.alerts.map(({ kind }) => kind)).toEqual(['CANCELLED_AT_CARRIER'])
  })

  test('is looked up later if no lookup can be sent', async () => {
    const busy = { track: async () => ({ kind: 'not_sent', cause: 'quota' }) as const }
    const { world, ports, round, report } = lookedUp([], busy)
    await ports.tracking.recordCancelledAtCarrier({
      ...{ shipmentId: 'shp_1', accountId: 'acme', carrierCode: 'rondeel', carrierRef: 'REF1' },
    })
    await round(MINUTE_MS)
    expect(report()?.verifyAt).toBe(world.now() + 3_600_000)
  })

  test('repeats the alert if the process dies before it is recorded', async () => {
    const { world, ports, round } = lookedUp([CANCELLED, ANNOUNCED])
    await round(0)
    world.pass(MINUTE_MS)
    const dying = world.process()
    dying.recovery.settleReport = () => new Promise<never>(() => {})
    await sweep(dying, world.policy)
    await world.until(() => dying.alerts.length > 0)
    await round(world.policy.leaseMs)
    expect([dying.alerts, ports.alerts.slice(1)]).toMatchObject([
      [{ kind: 'LOOKUP_CONTRADICTED' }],
      [{ kind: 'LOOKUP_CONTRADICTED' }],
    ])
  })
})

describe('a cancellation that ended a refusal in doubt', () => {
  test('is verified, and an alert is raised if the parcel is announced again', async () => {
    const { world, ports, round } = lookedUp([CANCELLED, ANNOUNCED])
    const cancel = () => cancelShipment(ports, { accountId: 'acme' }, 'shp_1', world.policy)
    expect(await cancel()).toMatchObject({ kind: 'CancellationPending' })
    world.pass(5_000)
    expect(await cancel()).toMatchObject({ kind: 'ShipmentCancelled' })
    await round(MINUTE_MS)
    expect(ports.alerts.map(({ kind }) => kind)).toEqual(['LOOKUP_CONTRADICTED'])
    expect(await cancel()).toMatchObject({ kind: 'ShipmentCancelled' })
  })

  test('is verified with all numbers of the shipment', async () => {
    const answered = new Map<string, number>()
    const stored = aShipment({ carrierRef: 'P1', parcelRefs: ['P1', 'P2'] })
    const world = shipmentWorld(
      [stored],
      async ({ carrierRef }) => {
        const sends = (answered.get(carrierRef) ?? 0) + 1
        answered.set(carrierRef, sends)
        if (carrierRef === 'P1') return { kind: 'cancelled', how: 'now' }
        return sends === 1 ? { kind: 'unknown', cause: 'reset' } : REFUSED
      },
      { cancelsEachParcel: () => true, track: async () => CANCELLED },
    )
    const ports = world.process()
    await cancelShipment(ports, { accountId: 'acme' }, 'shp_1', world.policy)
    for (const ms of [5_000, MINUTE_MS]) {
      world.pass(ms)
      await sweep(ports, world.policy)
      await ports.inFlight.drain()
    }
    expect(world.shipments.get('shp_1')?.state).toBe('cancelled')
    expect(world.lookups.map(({ carrierRef }) => carrierRef)).toEqual(['P2', 'P1', 'P2'])
  })
})

describe('a scan by an event of the carrier', () => {
  const event = (eventId: string) => ({
    ...{ carrierCode: 'rondeel', carrierRef: 'REF1', eventId, at: '2026-11-02T09:00:00.000Z' },
  })

  test('is not verified', async () => {
    const { world, ports, round } = lookedUp([SCANNED])
    await recordScans(ports, [event('e1')])
    await round(MINUTE_MS)
    expect([world.lookups, world.reports]).toEqual([[], []])
  })

  test.each([
    ['the same', 'e1'],
    ['another', 'e2'],
  ])('ends the verification of the scan that a lookup has reported (%s)', async (_name, eventId) => {
    const { world, ports, round } = lookedUp([SCANNED])
    await round(0)
    await recordScans(ports, [event(eventId)])
    await round(MINUTE_MS)
    expect(world.lookups).toHaveLength(1)
  })
})
