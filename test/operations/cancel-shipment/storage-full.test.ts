/** Cancelling while PostgreSQL can read but not write because its disk is full (SQLSTATE 53100). */

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { carrierGateway } from '../../../src/carriers/gateway/gateway.ts'
import { sandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import { sandboxInProcess } from '../../../src/carriers/sandbox/connector.ts'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { NotExecuted } from '../../../src/operations/ports/shipments.ts'
import { openInFlight } from '../../../src/operations/ports/work.ts'
import { type SweepPolicy, type SweepPorts, sweep } from '../../../src/operations/sweep/sweep.ts'
import { isOutage } from '../../../src/store/database/outage.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { trackingStore } from '../../../src/store/shipments/tracking.ts'
import { DRAFT, insertParties, insertShipment } from '../../store/shipments/shipment-rows.ts'
import { DRAFT_TERMS } from '../../support/app/draft-terms.ts'
import { estimatePorts } from '../../support/app/memory-estimates.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'

const ACME = { accountId: 'acme' }
/** Short leases, so that abandoned work becomes due during the test. */
const POLICY: SweepPolicy = {
  ...CANCEL_POLICY,
  leaseMs: 100,
  callerWaitMs: 20,
  refusalMemoryMs: 600_000,
  trackEveryMs: 0,
  overdueMs: 600_000,
}
const READS = new Set(['find', 'findMany', 'list', 'attempts', 'cancelProgress', 'dueWork', 'bookedAfter'])
const SEED = 20_261_121

let clone: ClonedDatabase
/** Whether a write fails because the disk is full. */
let isFull: (method: string) => boolean = () => false
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
})
afterEach(() => {
  isFull = () => false
})
afterAll(() => clone.drop())

/** A store whose writes fail while the disk is full. */
function onDisk<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string' || READS.has(name)) return method
      return (...given: unknown[]) =>
        isFull(name)
          ? Promise.reject(name.startsWith('begin') ? new NotExecuted(noRoom()) : noRoom())
          : Reflect.apply(method, target, given)
    },
  })
}

function noRoom(): Error {
  const error = new pg.DatabaseError('could not extend file "base/1/2": No space left on device', 60, 'error')
  error.code = '53100'
  return error
}

function world() {
  const sandbox = sandboxCarrier()
  const faults: unknown[] = []
  const ports: SweepPorts & { readonly clock: () => Date } = {
    inFlight: openInFlight(),
    clock: () => new Date(),
    monotonicMs: () => performance.now(),
    draftTerms: DRAFT_TERMS,
    ...estimatePorts(Date.now),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 10))),
    random: () => 1,
    shipments: onDisk(shipmentStore(clone.db, 'one')),
    recovery: onDisk(recoveryStore(clone.db, 'one')),
    tracking: onDisk(trackingStore(clone.db)),
    carriers: carrierGateway({
      connectorOf: () => sandboxInProcess(sandbox),
      channelOf: (key) => ({ key }),
      cancelsEachParcel: () => false,
      canLookUp: () => true,
      lookupLagMs: () => 50,
    }),
    alert: () => {},
    reportFault: (error) => faults.push(error),
  }
  return { sandbox, faults, ports }
}

let count = 0
async function newShipment(script = 'SBX-OK', overrides: Parameters<typeof insertShipment>[2] = {}) {
  count += 1
  const [id, ref] = [`full_${count}`, `${script}-${count}`]
  await insertShipment(clone.db, id, { carrier_ref: ref, ...overrides })
  return { id, ref }
}

async function storedState(id: string) {
  const { rows } = await sql<{ state: string; open: number; events: number }>`
    SELECT state,
      (SELECT count(*) FROM cancel_attempt c WHERE c.shipment_id = s.shipment_id AND phase = 'pending') AS open,
      (SELECT count(*) FROM shipment_event e WHERE e.shipment_id = s.shipment_id AND to_state = 'cancelled')
        AS events
      FROM shipment s WHERE shipment_id = ${id}`.execute(clone.db)
  return rows[0]
}

/** Sweeps until no work is open. */
async function sweepToTheEnd(ports: SweepPorts): Promise<void> {
  for (let round = 0; ; round += 1) {
    await sweep(ports, POLICY)
    await ports.inFlight.drain()
    const open = await sql<{ n: number }>`SELECT count(*) AS n FROM cancel_attempt WHERE phase = 'pending'`
    if ((await open.execute(clone.db)).rows[0]?.n === 0) return
    if (round > 400) throw new Error('an attempt is open for ever')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('a cancellation on a full disk', () => {
  test('that cannot begin is an outage and leaves no trace; the carrier is called once there is room', async () => {
    const { ports, sandbox } = world()
    const { id, ref } = await newShipment()
    isFull = () => true
    const failed = await cancelShipment(ports, ACME, id, POLICY).catch((error: unknown) => error)
    expect(isOutage(failed)).toBe(true)
    expect(sandbox.cancelCalls()).toBe(0)
    expect(await storedState(id)).toEqual({ state: 'booked', open: 0, events: 0 })
    isFull = () => false
    expect(await cancelShipment(ports, ACME, id, POLICY)).toMatchObject({ kind: 'ShipmentCancelled' })
    expect(sandbox.cancelCalls(ref)).toBe(1)
  })

  test('of a draft is an outage as well, and the draft stays', async () => {
    const { ports } = world()
    const { id } = await newShipment('', DRAFT)
    isFull = () => true
    const failed = await cancelShipment(ports, ACME, id, POLICY).catch((error: unknown) => error)
    expect(isOutage(failed)).toBe(true)
    expect((await storedState(id))?.state).toBe('draft')
  })

  test('that the carrier accepted is pending until it can be stored; the sweeper then finds it', async () => {
    const { ports, sandbox, faults } = world()
    const { id, ref } = await newShipment()
    isFull = (method) => method !== 'beginCancellation'
    expect(await cancelShipment(ports, ACME, id, POLICY)).toMatchObject({ kind: 'CancellationPending' })
    expect(faults.every(isOutage)).toBe(true)
    expect(faults).toHaveLength(1)
    await expect(sweepToTheEnd(ports)).rejects.toMatchObject({ code: '53100' })
    expect(await storedState(id)).toEqual({ state: 'booked', open: 1, events: 0 })
    isFull = () => false
    await sweepToTheEnd(ports)
    expect(await storedState(id)).toEqual({ state: 'cancelled', open: 0, events: 1 })
    expect(sandbox.isCancelled(ref)).toBe(true)
  })

  test('that the carrier refused is pending, because the refusal cannot be stored', async () => {
    const { ports, sandbox } = world()
    const { id, ref } = await newShipment('SBX-WINDOW-CLOSED')
    isFull = (method) => method !== 'beginCancellation'
    expect(await cancelShipment(ports, ACME, id, POLICY)).toMatchObject({ kind: 'CancellationPending' })
    isFull = () => false
    await sweepToTheEnd(ports)
    expect(await cancelShipment(ports, ACME, id, POLICY)).toMatchObject({ code: 'CARRIER_REFUSED' })
    expect(await storedState(id)).toEqual({ state: 'booked', open: 0, events: 0 })
    expect(sandbox.isCancelled(ref)).toBe(false)
  })
})

test('many cancellations on a disk that is full at times end here as at the carrier', async () => {
  const { ports, sandbox } = world()
  const dice = diceOf(SEED)
  const scripts = ['SBX-OK', 'SBX-LOST', 'SBX-503-TWICE', 'SBX-WINDOW-CLOSED', 'SBX-PENDING', 'SBX-SLOW-30']
  const shipments = await Promise.all(Array.from({ length: 48 }, () => newShipment(dice.pick(scripts))))
  isFull = () => dice.chance(0.4)
  const outcomes = await Promise.all(
    shipments.map(({ id }) => cancelShipment(ports, ACME, id, POLICY).catch((error: unknown) => error)),
  )
  expect(outcomes.filter((end) => end instanceof Error && !isOutage(end))).toEqual([])
  isFull = () => false
  await sweepToTheEnd(ports)
  const wrong = await Promise.all(
    shipments.map(async ({ id, ref }, index) => {
      const end = await storedState(id)
      const here = end?.state === 'cancelled'
      const isWrong =
        here !== sandbox.isCancelled(ref) ||
        end?.events !== (here ? 1 : 0) ||
        (kindOf(outcomes[index]) === 'ShipmentCancelled' && !here) ||
        (kindOf(outcomes[index]) === 'CancellationPending' && !here && !ref.startsWith('SBX-WINDOW-CLOSED'))
      return isWrong ? `seed ${SEED}: ${ref} is ${end?.state} after ${kindOf(outcomes[index])}` : undefined
    }),
  )
  expect(wrong.filter((line) => line !== undefined)).toEqual([])
}, 30_000)

function kindOf(end: unknown): string {
  return end instanceof Error ? end.name : (end as { kind: string }).kind
}
