/** The settlement of an attempt by an operator, with running sends and late answers of the carrier. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CancelTicket } from '../../../src/core/shipments/cancellation.ts'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import {
  findAttempts,
  type OperatorOutcome,
  readAttention,
  settleByOperator,
} from '../../../src/store/shipments/operators/audit.ts'
import { recoveryStore } from '../../../src/store/shipments/recovery.ts'
import { shipmentStore } from '../../../src/store/shipments/shipments.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { insertParties, insertShipment } from './shipment-rows.ts'

let clone: ClonedDatabase
let store: ShipmentStore
beforeAll(async () => {
  clone = await cloneDatabase()
  await insertParties(clone.db)
  store = shipmentStore(clone.db, 'one')
})
afterAll(() => clone.drop())

let count = 0
/** A booked shipment whose attempt has been sent and waits for the next send. */
async function pending(overrides: Parameters<typeof insertShipment>[2] = {}): Promise<CancelTicket> {
  count += 1
  const shipmentId = `shp_${count}`
  await insertShipment(clone.db, shipmentId, overrides)
  const terms = { mayOpen: true, leaseMs: 600_000, refusalMemoryMs: 600_000 }
  const begun = await store.beginCancellation('acme', shipmentId, terms)
  if (begun?.ticket === undefined) throw new Error('no ticket')
  return begun.ticket
}

const release = (ticket: CancelTicket) =>
  store.releaseCancellation(ticket, { cause: 'HTTP 503', times: { retryInMs: 0, callerWaitMs: 0 } })

const settle = (
  ticket: CancelTicket,
  outcome: OperatorOutcome,
  refuse: Parameters<typeof settleByOperator>[3] = () => undefined,
) =>
  settleByOperator(
    clone.db,
    ticket,
    { ...{ outcome, by: 'jane', systemUser: 'root', reason: 'asked by phone' }, ...CARRIER_DECISION },
    refuse,
  )

const CARRIER_DECISION = { isReversal: false, cancelledBy: 'carrier' } as const

const attemptOf = ({ attemptId }: CancelTicket) =>
  clone.db
    .selectFrom('cancel_attempt')
    .selectAll()
    .where('attempt_id', '=', attemptId)
    .executeTakeFirstOrThrow()
const stateOf = async ({ shipmentId }: CancelTicket) => (await store.find('acme', shipmentId))?.state
const anomaliesOf = async ({ shipmentId }: CancelTicket) => {
  const { anomalies } = await readAttention(clone.db, { openForMs: 0, withinMs: 60_000 })
  return anomalies.filter((found) => found.shipmentId === shipmentId).map(({ anomaly }) => anomaly)
}
const REFUSAL = { code: 'SCANNED', reason: 'picked up' } as const

describe('an attempt that an operator settles', () => {
  test('as cancelled: the shipment is cancelled once, and the decision is recorded', async () => {
    const ticket = await pending()
    await release(ticket)
    expect(await settle(ticket, 'cancelled')).toEqual({ kind: 'Settled', at: expect.any(String) })
    expect(await stateOf(ticket)).toBe('cancelled')
    expect(await attemptOf(ticket)).toMatchObject({
      ...{ phase: 'accepted', operator: 'jane', operator_outcome: 'cancelled' },
      ...{ operator_reason: 'asked by phone', fence: ticket.fence + 1, lease_owner: null, reason: null },
    })
    const events = await clone.db
      .selectFrom('shipment_event')
      .select(['from_state', 'to_state', 'attempt_id'])
      .where('shipment_id', '=', ticket.shipmentId)
      .execute()
    expect(events).toEqual([{ from_state: 'booked', to_state: 'cancelled', attempt_id: ticket.attemptId }])
    const { settlements } = await readAttention(clone.db, { openForMs: 0, withinMs: 60_000 })
    expect(settlements).toContainEqual(
      expect.objectContaining({ shipmentId: ticket.shipmentId, outcome: 'cancelled', by: 'jane' }),
    )
    expect(await store.attempts('acme', [ticket.shipmentId])).toMatchObject([
      { phase: 'accepted', settledBy: 'operator' },
    ])
  })

  test('as refused: the shipment stays booked, callers get a refusal without the reason, and nothing is verified', async () => {
    const ticket = await pending()
    await release(ticket)
    await settle(ticket, 'refused')
    expect(await stateOf(ticket)).toBe('booked')
    expect(await attemptOf(ticket)).toMatchObject({ phase: 'refused', operator: 'jane', verify_at: null })
    const terms = { mayOpen: true, leaseMs: 600_000, refusalMemoryMs: 600_000 }
    const again = await store.beginCancellation('acme', ticket.shipmentId, terms)
    expect(again?.recentRefusal).toEqual({
      code: 'NOT_CANCELLABLE',
      reason: 'settled as refused by an operator of this service',
    })
    expect(await store.attempts('acme', [ticket.shipmentId])).toMatchObject([
      { phase: 'refused', settledBy: 'operator' },
    ])
  })

  test('is not sent again by the sweeper', async () => {
    const ticket = await pending()
    await release(ticket)
    await settle(ticket, 'refused')
    const room = { carrierCode: 'rondeel', accountId: 'acme', room: 1_000 }
    const claimed = await recoveryStore(clone.db, 'two').claimAttempts([room], 600_000)
    expect(claimed.map(({ attemptId }) => attemptId)).not.toContain(ticket.attemptId)
  })

  test('does not change if the operator may not settle it, which is checked under the lock', async () => {
    const ticket = await pending()
    const done = await settle(ticket, 'cancelled', ({ isRunning }) => (isRunning ? 'running' : undefined))
    expect(done).toEqual({ kind: 'NotSettled', why: 'running' })
    expect(await stateOf(ticket)).toBe('booked')
    expect(await attemptOf(ticket)).toMatchObject({ phase: 'pending', operator: null, fence: ticket.fence })
  })

  test('waits for a process that is settling it, and sees its result', async () => {
    const ticket = await pending()
    let settled: ReturnType<typeof settle> | undefined
    await clone.db.transaction().execute(async (trx) => {
      await shipmentStore(trx, 'one').acceptCancellation(ticket, 'carrier')
      settled = settle(ticket, 'refused', ({ phase }) => phase)
      // The other transaction waits for the lock on the shipment, or has not begun.
      await sql`SELECT 1`.execute(trx)
    })
    expect(await settled).toEqual({ kind: 'NotSettled', why: 'accepted' })
    expect(await stateOf(ticket)).toBe('cancelled')
  })
})

describe('the decisions of operators', () => {
  const decisionsOf = ({ attemptId }: CancelTicket) =>
    clone.db
      .selectFrom('attempt_decision')
      .select(['outcome', 'operator', 'system_user_name', 'reason', 'is_reversal'])
      .where('attempt_id', '=', attemptId)
      .orderBy('decision_id')
      .execute()
  const listed = async ({ attemptId }: CancelTicket) => {
    const { settlements } = await readAttention(clone.db, { openForMs: 0, withinMs: 60_000 })
    return settlements.filter((one) => one.attemptId === attemptId).map(({ outcome, by }) => [outcome, by])
  }

  test('all stay when an attempt is settled again', async () => {
    const ticket = await pending()
    await settle(ticket, 'refused')
    const john = { by: 'john', systemUser: 'ops', reason: 'the carrier called', isReversal: true }
    await settleByOperator(
      clone.db,
      ticket,
      { outcome: 'cancelled', ...john, cancelledBy: 'carrier' },
      () => undefined,
    )
    expect(await decisionsOf(ticket)).toEqual([
      {
        ...{ outcome: 'refused', operator: 'jane', system_user_name: 'root' },
        ...{ reason: 'asked by phone', is_reversal: false },
      },
      {
        ...{ outcome: 'cancelled', operator: 'john', system_user_name: 'ops' },
        ...{ reason: 'the carrier called', is_reversal: true },
      },
    ])
    expect((await listed(ticket)).sort()).toEqual([
      ['cancelled', 'john'],
      ['refused', 'jane'],
    ])
  })

  test.each([
    "UPDATE attempt_decision SET reason = 'another'",
    'DELETE FROM attempt_decision',
    'TRUNCATE attempt_decision',
  ])('cannot be changed or deleted: %s', async (statement) => {
    const ticket = await pending()
    await settle(ticket, 'refused')
    await expect(sql.raw(statement).execute(clone.db)).rejects.toThrow('never changed or deleted')
    expect(await decisionsOf(ticket)).toHaveLength(1)
  })

  test('stay when the shipment is deleted', async () => {
    const ticket = await pending()
    await settle(ticket, 'refused')
    await sql`DELETE FROM shipment WHERE shipment_id = ${ticket.shipmentId}`.execute(clone.db)
    expect(await decisionsOf(ticket)).toHaveLength(1)
  })

  test('of an older version are listed, and kept when the attempt is settled again', async () => {
    const ticket = await pending()
    await sql`UPDATE cancel_attempt SET phase = 'refused', reason = 'no', settled_at = now(), operator = 'alice',
      operator_outcome = 'refused', operator_reason = 'by phone', operator_at = now()
      WHERE attempt_id = ${ticket.attemptId}`.execute(clone.db)
    expect(await listed(ticket)).toEqual([['refused', 'alice']])
    await settle(ticket, 'cancelled')
    expect(await decisionsOf(ticket)).toMatchObject([
      { operator: 'alice', outcome: 'refused', system_user_name: null },
      { operator: 'jane', outcome: 'cancelled' },
    ])
    expect(await listed(ticket)).toHaveLength(2)
  })
})

describe('an answer of the carrier after the settlement', () => {
  test('that accepts after "refused" cancels the shipment and is an anomaly', async () => {
    const ticket = await pending()
    await settle(ticket, 'refused')
    expect(await store.acceptCancellation(ticket, 'carrier')).toBe('cancelled')
    expect(await stateOf(ticket)).toBe('cancelled')
    expect(await anomaliesOf(ticket)).toEqual(['carrier accepted, an operator had settled as refused'])
    expect(await attemptOf(ticket)).toMatchObject({ phase: 'accepted', operator_outcome: 'refused' })
    expect(await store.attempts('acme', [ticket.shipmentId])).toMatchObject([{ settledBy: 'carrier' }])
  })

  test('that refuses after "cancelled" is an anomaly, and the caller of the store can raise an alert', async () => {
    const ticket = await pending()
    await settle(ticket, 'cancelled')
    expect(await store.refuseCancellation(ticket, REFUSAL, 'X1', undefined)).toBe('cancelled')
    expect(await stateOf(ticket)).toBe('cancelled')
    expect(await anomaliesOf(ticket)).toEqual(['carrier refused, shipment is cancelled here'])
    expect(await attemptOf(ticket)).toMatchObject({ phase: 'accepted', operator: 'jane' })
  })

  test('that refuses one of several parcels after "cancelled" is an anomaly', async () => {
    const ticket = await pending({ carrier_ref: 'P1', parcel_refs: ['P1', 'P2'] })
    await settle(ticket, 'cancelled')
    const refusal = { kind: 'refused', reason: 'SCANNED', code: 'X2', message: 'Picked up' } as const
    expect(await store.recordParcel(ticket, 'P2', { kind: 'refused', refusal })).toBe('accepted')
    expect(await anomaliesOf(ticket)).toEqual(['carrier refused P2, shipment is cancelled here'])
  })

  test.each([
    ['accepts', 'cancelled'],
    ['refuses', 'refused'],
  ] as const)('that %s after "%s" changes nothing', async (answer, outcome) => {
    const ticket = await pending()
    await settle(ticket, outcome)
    const before = await attemptOf(ticket)
    if (answer === 'accepts') await store.acceptCancellation(ticket, 'carrier')
    else expect(await store.refuseCancellation(ticket, REFUSAL, 'X1', undefined)).toBeUndefined()
    expect(await attemptOf(ticket)).toEqual(before)
    expect(await anomaliesOf(ticket)).toEqual([])
  })

  test('that is inconclusive changes nothing', async () => {
    const ticket = await pending()
    await settle(ticket, 'refused')
    expect(await release(ticket)).toBeUndefined()
    expect(await attemptOf(ticket)).toMatchObject({ phase: 'refused' })
  })
})

describe('findAttempts', () => {
  test('finds an attempt by its id in any case, and the open attempt of a shipment', async () => {
    const ticket = await pending()
    const { attemptId, shipmentId } = ticket
    expect(await findAttempts(clone.db, attemptId.toUpperCase())).toMatchObject([
      { attemptId, isRunning: true },
    ])
    expect(await findAttempts(clone.db, shipmentId)).toMatchObject([{ attemptId, shipmentId, sends: 1 }])
    expect(await findAttempts(clone.db, shipmentId, 'acme')).toHaveLength(1)
    expect(await findAttempts(clone.db, shipmentId, 'other')).toEqual([])
    expect(await findAttempts(clone.db, 'nothing')).toEqual([])
  })
})
