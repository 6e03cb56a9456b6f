/**
 * The sweeper, the gateway and PostgreSQL together. The carrier replies 429 to one account that has its own
 * credentials. Cancellations of other accounts are carried out. No cancellation is lost or sent twice at the same time.
 */

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { openCarriers } from '../../../src/carriers/registry.ts'
import { carrierSettings } from '../../../src/carriers/settings.ts'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'
import type { Alert } from '../../../src/operations/ports/ports.ts'
import { SYSTEM_EFFECTS } from '../../../src/operations/ports/ports.ts'
import { openInFlight } from '../../../src/operations/ports/work.ts'
import { OVERDUE_MS, type SweepPolicy, type SweepPorts, sweep } from '../../../src/operations/sweep/sweep.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { type FakeCarrier, startFake } from '../../carriers/fakes/fake-carrier.ts'
import { DRAFT_TERMS } from '../../support/app/draft-terms.ts'
import { estimatePorts } from '../../support/app/memory-estimates.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { insertAttempt, insertCarrier, insertParties, insertShipmentOf } from './shipment-rows.ts'

let clone: ClonedDatabase
let acmeAccess: FakeCarrier
let carrierAccess: FakeCarrier
let isLimited = true
beforeAll(async () => {
  // The circuit breaker uses a fake clock, so a pause lasts until the test advances the clock.
  vi.useFakeTimers({ toFake: ['performance'] })
  clone = await cloneDatabase()
  await insertParties(clone.db)
  const cancelled = { status: 200, body: { status: 'cancelled' } }
  acmeAccess = await startFake(() => (isLimited ? { status: 429 } : cancelled))
  carrierAccess = await startFake(() => cancelled)
})
afterAll(async () => {
  vi.useRealTimers()
  await acmeAccess.close()
  await carrierAccess.close()
  await clone.drop()
})

test('an account whose quota is used up does not stop the sweeper from cancelling shipments of others', async () => {
  const carrier = await insertCarrier(clone.db)
  const idsOf = async (account_id: string, count: number) => {
    const ids: string[] = []
    for (let number = 0; number < count; number += 1) {
      const id = await insertShipmentOf(clone.db, carrier, { account_id })
      await insertAttempt(clone.db, id)
      ids.push(id)
    }
    return ids
  }
  const acme = await idsOf('acme', 40)
  const other = await idsOf('other', 10)

  const alerts: Alert[] = []
  const faults: unknown[] = []
  const settings = carrierSettings({
    [carrier]: { baseUrl: carrierAccess.baseUrl, accounts: { acme: { baseUrl: acmeAccess.baseUrl } } },
  })
  const ports: SweepPorts = {
    ...SYSTEM_EFFECTS,
    random: () => 0,
    inFlight: openInFlight(),
    draftTerms: DRAFT_TERMS,
    ...estimatePorts(Date.now),
    shipments: shipmentStore(clone.db, 'sweeper'),
    recovery: recoveryStore(clone.db, 'sweeper'),
    tracking: trackingStore(clone.db),
    carriers: carrierGateway(
      openCarriers(() => 'sandbox', { sandboxUrl: undefined, settings }),
      {
        alert: (alert) => alerts.push(alert),
      },
    ),
    alert: (alert) => alerts.push(alert),
    reportFault: (error) => faults.push(error),
  }
  const policy: SweepPolicy = {
    ...CANCEL_POLICY,
    trackEveryMs: 0,
    overdueMs: OVERDUE_MS,
  }
  const round = async () => {
    await sweep(ports, policy)
    await ports.inFlight.drain()
  }
  const attemptsOf = (ids: readonly string[]) =>
    clone.db.selectFrom('cancel_attempt').selectAll().where('shipment_id', 'in', ids).execute()

  await round()
  await round()
  expect((await attemptsOf(other)).map(({ phase }) => phase)).toEqual(Array(10).fill('accepted'))
  expect(carrierAccess.requests).toHaveLength(10)
  // The first round filled the background slots of acme's channel, and its failures opened the circuit.
  expect(acmeAccess.requests).toHaveLength(32)
  const untouched = (await attemptsOf(acme)).filter(({ sends }) => sends === 1)
  expect(untouched).toHaveLength(8)
  expect(
    untouched.every(({ phase, fence, lease_owner }) => phase === 'pending' && fence === 1 && !lease_owner),
  ).toBe(true)
  expect(alerts).toEqual([
    { kind: 'CIRCUIT_OPENED', carrierCode: carrier, accountId: 'acme', detail: 'HTTP 429' },
  ])

  isLimited = false
  const deadline = Date.now() + 60_000
  const isDone = async () => (await attemptsOf(acme)).every(({ phase }) => phase === 'accepted')
  while (!(await isDone()) && Date.now() < deadline) {
    vi.advanceTimersByTime(15_000)
    await round()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  expect(await isDone()).toBe(true)
  const shipments = await clone.db
    .selectFrom('shipment')
    .select('state')
    .where('shipment_id', 'in', [...acme, ...other])
    .execute()
  expect(shipments.map(({ state }) => state)).toEqual(Array(50).fill('cancelled'))
  // Each cancellation took effect at the carrier once: 32 were refused with 429, and all 40 succeeded later.
  expect(acmeAccess.requests).toHaveLength(72)
  expect(faults).toEqual([])
}, 120_000)
