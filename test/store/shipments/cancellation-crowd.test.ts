/** Many processes cancel and book the same shipments at the same time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { type SandboxCarrier, sandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import { sandboxInProcess } from '../../../src/carriers/sandbox/connector.ts'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'
import { bookShipment } from '../../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import type { CarrierGateway } from '../../../src/operations/ports/carriers.ts'
import type { Alert } from '../../../src/operations/ports/ports.ts'
import { SYSTEM_EFFECTS } from '../../../src/operations/ports/ports.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { openInFlight } from '../../../src/operations/ports/work.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { DRAFT_TERMS } from '../../support/app/draft-terms.ts'
import { estimatePorts } from '../../support/app/memory-estimates.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { demoRateBook } from '../../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../../support/rates/exchange-rates.ts'
import { DRAFT, insertParties, insertShipment } from './shipment-rows.ts'

let clone: ClonedDatabase
let one: ShipmentStore
beforeAll(async () => {
  // Hundreds of callers share ten connections. On a slow machine one may wait longer than the service allows.
  clone = await cloneDatabase({ connectionWaitMs: 60_000, statementTimeoutMs: 30_000 })
  await insertParties(clone.db)
  one = shipmentStore(clone.db, 'one')
})
afterAll(() => clone.drop())

const LONG = { mayOpen: true, leaseMs: 600_000, refusalMemoryMs: 600_000 }

let count = 0
async function newShipment(overrides: Parameters<typeof insertShipment>[2] = {}): Promise<string> {
  count += 1
  await insertShipment(clone.db, `shp_${count}`, overrides)
  return `shp_${count}`
}

const eventsOf = (shipmentId: string) =>
  clone.db.selectFrom('shipment_event').select('to_state').where('shipment_id', '=', shipmentId).execute()

describe('a crowd of callers', () => {
  /** Eight processes. Each has its own store, so that calls are not combined in memory. */
  const crowd = (carriers: CarrierGateway) =>
    Array.from({ length: 8 }, (_unused, index) => ({
      shipments: watched(shipmentStore(clone.db, `crowd-${index}`)),
      tracking: trackingStore(clone.db),
      carriers,
      ...SYSTEM_EFFECTS,
      inFlight: openInFlight(),
      draftTerms: DRAFT_TERMS,
      ...estimatePorts(Date.now),
      reference: {
        rateBook: demoRateBook,
        customsTables: () => NO_RATES,
      },
      reportFault: (error: unknown) => failures.push(error),
      alert: (alert: Alert) => failures.push(alert),
    }))
  /** A gateway to the sandbox as the only carrier. */
  const gatewayTo = (sandbox: SandboxCarrier) => {
    const connector = sandboxInProcess(sandbox)
    return carrierGateway({
      connectorOf: () => connector,
      channelOf: (key) => ({ key }),
      cancelsEachParcel: () => false,
      canLookUp: () => true,
      lookupLagMs: () => 60_000,
    })
  }
  /** Errors of the store when it records answers. Recording is repeated, so the outcomes would not show a deadlock. */
  const failures: unknown[] = []
  const watched = (store: ShipmentStore): ShipmentStore => {
    const watch = (error: unknown) => {
      failures.push(error)
      throw error
    }
    return {
      ...store,
      acceptCancellation: (...given) => store.acceptCancellation(...given).catch(watch),
      refuseCancellation: (...given) => store.refuseCancellation(...given).catch(watch),
    }
  }
  const ACME = { accountId: 'acme' }
  // Long enough for a slow machine: no caller gives up, and no lease expires.
  const POLICY = { ...CANCEL_POLICY, ...LONG, deadlineMs: 600_000 }

  test('makes one call to the carrier and one change per shipment: 8 callers for each of 40 shipments', async () => {
    const sandbox = sandboxCarrier()
    const ids: string[] = []
    for (let n = 0; n < 40; n += 1)
      ids.push(await newShipment(n % 4 === 3 ? { carrier_ref: `SBX-WINDOW-CLOSED-${n}` } : {}))
    const ends = await Promise.all(
      crowd(gatewayTo(sandbox)).flatMap((ports) => ids.map((id) => cancelShipment(ports, ACME, id, POLICY))),
    )
    const refused = ends.filter((end) => end.kind === 'ShipmentNotCancelled')
    const cancelled = ends.filter((end) => end.kind === 'ShipmentCancelled')
    expect([cancelled.length, refused.length]).toEqual([8 * 30, 8 * 10])
    for (const [n, id] of ids.entries()) {
      const shipment = await one.find('acme', id)
      expect(sandbox.cancelCalls(shipment?.carrierRef)).toBe(1)
      expect(shipment?.state).toBe(n % 4 === 3 ? 'booked' : 'cancelled')
      expect(await eventsOf(id)).toHaveLength(n % 4 === 3 ? 0 : 1)
    }
    expect(sandbox.cancelCalls()).toBe(40)
    expect(failures).toEqual([])
  }, 60_000)

  test('never reaches the carrier for drafts, and one caller cancels each', async () => {
    const sandbox = sandboxCarrier()
    const id = await newShipment(DRAFT)
    const ends = await Promise.all(
      crowd(gatewayTo(sandbox)).map((ports) => cancelShipment(ports, ACME, id, POLICY)),
    )
    const first = ends.filter((end) => end.kind === 'ShipmentCancelled' && !end.alreadyCancelled)
    expect(first).toHaveLength(1)
    expect(sandbox.cancelCalls()).toBe(0)
  })

  test('that books and cancels drafts at once leaves no shipment booked at the carrier only', async () => {
    const sandbox = sandboxCarrier()
    const ids: string[] = []
    for (let n = 0; n < 40; n += 1) ids.push(await newShipment(DRAFT))
    const [booker, canceller] = crowd(gatewayTo(sandbox))
    if (booker === undefined || canceller === undefined) throw new Error('no crowd')
    const ends = await Promise.all(
      ids.flatMap((id) => [
        bookShipment(booker, ACME, id, POLICY),
        cancelShipment(canceller, ACME, id, POLICY),
      ]),
    )
    expect(ends.filter((end) => end.kind === 'ShipmentCancelled')).toHaveLength(40)
    for (const [index, id] of ids.entries()) {
      const shipment = await one.find('acme', id)
      expect(shipment?.state).toBe('cancelled')
      if (shipment?.carrierRef !== undefined) expect(sandbox.isCancelled(shipment.carrierRef)).toBe(true)
      // If the draft was being booked, the cancellation waited for the booking and then notified the carrier.
      const wasBooked = shipment?.carrierRef !== undefined
      expect(ends[2 * index + 1]).toMatchObject({ alreadyCancelled: false, carrierNotified: wasBooked })
      expect(sandbox.cancelCalls(shipment?.carrierRef ?? 'none')).toBe(wasBooked ? 1 : 0)
      expect((await eventsOf(id)).filter(({ to_state }) => to_state === 'cancelled')).toHaveLength(1)
    }
    expect(failures).toEqual([])
  }, 60_000)
})
