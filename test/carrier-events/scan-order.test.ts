/** Scan events that are repeated, reordered, or concurrent with a cancellation lead to a valid state. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carrierEventsDoor } from '../../src/carrier-events/routes.ts'
import type { Alert } from '../../src/operations/ports/ports.ts'
import { trackingStore } from '../../src/store/shipments/tracking.ts'
import { testServer } from '../http/test-socket.ts'
import { insertShipment } from '../store/shipments/shipment-rows.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { NOW, SECRET, sendEvents } from './signed-events.ts'

const SEED = 20_261_120

let opened: TestApp
let door: ReturnType<typeof testServer>['app']
const alerts: Alert[] = []
beforeAll(async () => {
  opened = await openTestApp()
  const ports = {
    clock: () => new Date(NOW),
    tracking: trackingStore(opened.clone.db),
    alert: (alert: Alert) => void alerts.push(alert),
  }
  door = testServer([carrierEventsDoor(ports, () => SECRET)]).app
})
afterAll(async () => {
  await door.close()
  await opened.close()
})

/** A step in the life of a parcel: a request with events (by index in EVENTS), or a cancellation. */
type Step = 'cancel' | readonly number[]

/**
 * Possible events. The last two, an announcement and a scan a year earlier, do not mean that this parcel was picked up.
 */
const EVENTS = [
  { eventId: 'picked-up', at: '2026-11-20T08:00:00Z', type: 'scan' },
  { eventId: 'sorted', at: '2026-11-20T08:30:00Z', type: 'scan' },
  { eventId: 'loaded', at: '2026-11-20T09:00:00Z', type: 'scan' },
  { eventId: 'announced', at: '2026-11-19T08:00:00Z', type: 'announced' },
  { eventId: 'earlier', at: '2025-11-20T08:00:00Z', type: 'scan' },
]
const counts = (scan: number): boolean => scan < 3

let shipments = 0
async function aBookedShipment(): Promise<string> {
  const shipmentId = `order-${++shipments}`
  await insertShipment(opened.clone.db, shipmentId, {
    account_id: 'demo-shop',
    booked_at: new Date('2026-11-19T12:00:00Z'),
  })
  return shipmentId
}

async function take(shipmentId: string, step: Step): Promise<Record<string, unknown>> {
  if (step === 'cancel') {
    const { status, json } = await opened.rest(`/shipments/${shipmentId}/cancel`)
    return { status, ...(json as object) }
  }
  const events = step.map((number) => ({ ...EVENTS[number], trackingNumber: `SBX-OK-${shipmentId}` }))
  const answer = await sendEvents(door, { events })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

async function historyOf(shipmentId: string): Promise<string[]> {
  const { rows } = await sql<{ to_state: string }>`
    SELECT to_state FROM shipment_event WHERE shipment_id = ${shipmentId} ORDER BY event_id`.execute(
    opened.clone.db,
  )
  return rows.map(({ to_state }) => to_state)
}

async function stateOf(shipmentId: string): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM shipment WHERE shipment_id = ${shipmentId}`.execute(opened.clone.db)
  return rows[0]?.state ?? 'none'
}

const batch = fc.array(fc.nat(EVENTS.length - 1), { maxLength: 6 })
const steps = fc
  .tuple(fc.array(batch, { maxLength: 5 }), fc.nat(5))
  .map(([batches, place]): Step[] => [...batches.slice(0, place), 'cancel', ...batches.slice(place)])

describe('events of a parcel whose cancellation a partner requests', () => {
  test('have the effect of the first one if they are sent one after another, and each scan counts once', async () => {
    const property = fc.asyncProperty(steps, async (taken) => {
      const shipmentId = await aBookedShipment()
      const seen = new Set<number>()
      let state = 'booked'
      for (const step of taken) {
        const answer = await take(shipmentId, step)
        if (step === 'cancel') {
          expect(answer).toMatchObject(
            state === 'booked' ? { status: 200 } : { status: 409, cancelled: false },
          )
          if (state === 'booked') state = 'cancelled'
          continue
        }
        const expected = { moved: 0, known: 0, kept: 0, stale: 0, anomalies: 0, ignored: 0 }
        for (const number of step) {
          if (number === 3) expected.ignored += 1
          else if (number === 4) expected.stale += 1
          else if (state === 'booked') expected.moved += 1
          else if (state === 'cancelled' && !seen.has(number)) expected.anomalies += 1
          else expected.known += 1
          if (counts(number)) seen.add(number)
          if (counts(number) && state === 'booked') state = 'in_transit'
        }
        expect(answer).toEqual({ received: step.length, ...expected })
      }
      expect(await stateOf(shipmentId)).toBe(state)
      expect(await historyOf(shipmentId)).toEqual([state])
    })
    await fc.assert(property, { seed: SEED, numRuns: 20 })
  })

  test("leave it cancelled or in transit if they are sent at the same time, and the partner's response agrees", async () => {
    const property = fc.asyncProperty(steps, async (taken) => {
      const shipmentId = await aBookedShipment()
      const before = alerts.length
      const answers = await Promise.all(taken.map((step) => take(shipmentId, step)))
      const sum = (name: string): number =>
        answers.reduce((total, { [name]: n }) => total + Number(n ?? 0), 0)
      const cancelled = answers.some(({ status }) => status === 200)
      const scanned = taken.some((step) => step !== 'cancel' && step.some(counts))
      const state = await stateOf(shipmentId)
      expect(state).toBe(cancelled ? 'cancelled' : 'in_transit')
      if (!cancelled) expect(scanned).toBe(true)
      expect(await historyOf(shipmentId)).toEqual([state])
      expect(sum('moved')).toBe(cancelled ? 0 : 1)
      // Each scan of a cancelled parcel raises one alert.
      const distinct = new Set(taken.flatMap((step) => (step === 'cancel' ? [] : step.filter(counts))))
      expect(sum('anomalies')).toBe(cancelled ? distinct.size : 0)
      expect(alerts.length - before).toBe(sum('anomalies'))
    })
    await fc.assert(property, { seed: SEED, numRuns: 20 })
  })

  test('are stored once if no shipment is booked under the number yet', async () => {
    const scan = { ...EVENTS[0], trackingNumber: 'SBX-OK-order-later' }
    expect((await sendEvents(door, { events: [scan, scan] })).json()).toMatchObject({ kept: 2, moved: 0 })
    const { rows } = await sql`
      SELECT event_id FROM carrier_scan WHERE carrier_ref = 'SBX-OK-order-later'`.execute(opened.clone.db)
    expect(rows).toHaveLength(1)
    await insertShipment(opened.clone.db, 'order-later', { account_id: 'demo-shop' })
    expect((await sendEvents(door, { events: [scan] })).json()).toMatchObject({ moved: 1 })
    expect(await stateOf('order-later')).toBe('in_transit')
  })
})
