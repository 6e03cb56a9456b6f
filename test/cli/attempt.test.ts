/** `waybill attempt list`, `show` and `settle` on a real database. */
import { userInfo } from 'node:os'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openCallRecords } from '../../src/store/shipments/carrier-calls.ts'
import { readAttention } from '../../src/store/shipments/operators/audit.ts'
import { inSeconds, insertAttempt, insertParties, insertShipment } from '../store/shipments/shipment-rows.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { runWaybill, type Setting } from './run-waybill.ts'

let cloned: ClonedDatabase
let attemptId: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  await insertParties(cloned.db)
  await sql`INSERT INTO carrier (carrier_code, name, connector) VALUES ('dpd', 'DPD', 'dpd')`.execute(
    cloned.db,
  )
})
beforeEach(async () => {
  await sql`DELETE FROM shipment`.execute(cloned.db)
  await insertShipment(cloned.db, 'shp_1')
  attemptId = await insertAttempt(cloned.db, 'shp_1', {
    ...{ begun_at: inSeconds(-7_500), sends: 9, last_cause: 'HTTP 500' },
  })
})
afterAll(() => cloned.drop())

const attempt = (words: string, setting?: Setting) => runWaybill(cloned, `attempt ${words}`, setting)
const settle = (options: string, setting?: Setting) =>
  attempt(`settle shp_1 ${options} --reason 'asked by phone'`, setting)
const rowOf = async () => ({
  ...(await cloned.db.selectFrom('shipment').select('state').executeTakeFirstOrThrow()),
  ...(await cloned.db.selectFrom('cancel_attempt').select(['phase', 'operator']).executeTakeFirstOrThrow()),
})
const decisions = () =>
  cloned.db
    .selectFrom('attempt_decision')
    .selectAll()
    .where('attempt_id', '=', attemptId)
    .orderBy('decision_id')
    .execute()
const OPEN = { state: 'booked', phase: 'pending', operator: null }
const DUE = { lease_until: inSeconds(-60), next_try_at: inSeconds(-60) }

describe('an id that two accounts have', () => {
  const SEVERAL = 'several accounts have the shipment shp_1; name one of acme, other with --account'
  beforeEach(async () => {
    await insertShipment(cloned.db, 'shp_1', { account_id: 'other' })
    await cloned.db
      .insertInto('cancel_attempt')
      .values({ ...DUE, shipment_id: 'shp_1', account_id: 'other', carrier_code: 'rondeel' })
      .execute()
  })

  test('is refused until --account names one', async () => {
    const refused = `waybill: ${SEVERAL}`
    expect(await attempt('show shp_1')).toMatchObject({ code: 1, err: refused })
    expect(await settle('--refused --yes')).toMatchObject({ code: 1, err: refused })
    expect((await attempt('show shp_1 --account acme')).out).toContain(`Attempt ${attemptId} `)
    expect((await attempt(`show ${attemptId}`)).code).toBe(0)
  })

  test('settles only the attempt of that account', async () => {
    expect((await settle('--cancelled --yes --account other')).code).toBe(0)
    const { rows } = await sql<{ account_id: string; state: string; phase: string }>`
      SELECT account_id, state, phase FROM shipment JOIN cancel_attempt USING (account_id, shipment_id)
        ORDER BY account_id`.execute(cloned.db)
    expect(rows).toEqual([
      { account_id: 'acme', state: 'booked', phase: 'pending' },
      { account_id: 'other', state: 'cancelled', phase: 'accepted' },
    ])
  })

  test('gets numbers only with --account', async () => {
    const add = (options: string) => runWaybill(cloned, `shipment add-numbers shp_1 SBX-OK-2 ${options}`)
    expect(await add('')).toMatchObject({
      ...{ code: 1, err: `waybill: nothing was added: ${SEVERAL}` },
    })
    await sql`DELETE FROM cancel_attempt`.execute(cloned.db)
    expect((await add('--account other')).code).toBe(0)
    const { rows } = await sql`SELECT account_id, parcel_refs FROM shipment ORDER BY account_id`.execute(
      cloned.db,
    )
    expect(rows).toEqual([
      { account_id: 'acme', parcel_refs: null },
      { account_id: 'other', parcel_refs: ['SBX-OK-shp_1', 'SBX-OK-2'] },
    ])
  })
})

describe('waybill attempt list', () => {
  test('shows the age, the sends and the last cause of open attempts, oldest first', async () => {
    await insertShipment(cloned.db, 'shp_2')
    const second = await insertAttempt(cloned.db, 'shp_2', { begun_at: inSeconds(-100_000) })
    const { code, out } = await attempt('list')
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      'ATTEMPT SHIPMENT ACCOUNT CARRIER AGE SENDS LAST',
      `${second} shp_2 acme rondeel 1 d 3 h 1 no answer`,
      `${attemptId} shp_1 acme rondeel 2 h 5 min 9 HTTP 500`,
    ])
    expect(JSON.parse((await attempt('list --json --older-than 600')).out)).toMatchObject([
      { attemptId: second, shipmentId: 'shp_2', sends: 1 },
    ])
  })
})

describe('waybill attempt show', () => {
  const CALL = {
    ...{ carrierCode: 'rondeel', accountId: 'acme', subject: 'SBX-OK-shp_1' },
    ...{ begunAt: new Date().toISOString(), durationMs: 130 },
  }
  const SENT = {
    ...{
      method: 'DELETE',
      url: 'https://rondeel.example/v1/labels/SBX-OK-shp_1',
      durationMs: 118,
      status: 500,
    },
    ...{ carrierIds: { 'X-Request-Id': 'r-1' }, request: null, reply: '{"code":"E1"}' },
  }

  test('shows the attempt and each request to its carrier', async () => {
    const records = openCallRecords(cloned.db, { keptDays: 30, onFault: () => {} })
    records.keep({
      ...{ ...CALL, purpose: 'cancel', attemptId, outcome: 'unknown', cause: 'HTTP 500', exchanges: [SENT] },
    })
    records.keep({ ...CALL, purpose: 'lookup', outcome: 'not_sent', cause: 'no token', exchanges: [] })
    await records.close()
    const { code, out } = await attempt('show shp_1')
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replace(/ +/g, ' ').trim())).toEqual([
      `Attempt ${attemptId} to cancel shipment shp_1 of account acme at rondeel (SBX-OK-shp_1)`,
      'Open for 2 h 5 min, sent 9 times. Last: HTTP 500',
      'AT CALL ABOUT REQUEST STATUS TIME ANSWER CAUSE IDS OF THE CARRIER',
      `${CALL.begunAt} cancel SBX-OK-shp_1 DELETE /v1/labels/SBX-OK-shp_1 500 118 ms unknown HTTP 500 X-Request-Id r-1`,
      `${CALL.begunAt} lookup SBX-OK-shp_1 nothing sent 130 ms not_sent no token`,
    ])
    expect(JSON.parse((await attempt(`show ${attemptId} --json`)).out)).toMatchObject({
      ...{ attemptId, sends: 9, calls: [{ exchanges: [SENT] }, { exchanges: [] }] },
    })
  })

  test('says how an attempt ended', async () => {
    await settle('--refused --yes')
    expect((await attempt('show shp_1')).out).toContain('\nBegun 2 h 5 min ago, sent 9 times, refused\n')
  })

  test('says that no calls are recorded, and refuses an unknown id', async () => {
    await sql`DELETE FROM carrier_call`.execute(cloned.db)
    expect((await attempt('show shp_1')).out).toMatch(/No calls to the carrier are recorded\.$/)
    expect(await attempt('show shp_9')).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('there is no attempt to cancel shp_9') },
    })
  })
})

describe('waybill attempt settle', () => {
  test('cancels the shipment, after the operator has confirmed', async () => {
    const ran = await settle('--cancelled --by jane', { answer: 'y' })
    expect(ran).toMatchObject({
      code: 0,
      out: 'Settled as cancelled. Shipment shp_1 is cancelled.',
      err: 'ATTEMPT_SETTLED rondeel shp_1 cancelled by jane: asked by phone',
    })
    expect(ran.asked).toEqual([
      [
        `Attempt ${attemptId} to cancel shipment shp_1 of account acme at rondeel (SBX-OK-shp_1)`,
        'Open for 2 h 5 min, sent 9 times. Last: HTTP 500',
        'Settle the attempt as cancelled? [y/N] ',
      ].join('\n'),
    ])
    expect(await rowOf()).toEqual({ state: 'cancelled', phase: 'accepted', operator: 'jane' })
  })

  test('leaves the shipment booked with --refused, and records the user of the operating system', async () => {
    const { code, out } = await attempt(`settle ${attemptId} --refused --reason shipped --yes --json`)
    expect(code).toBe(0)
    const { username } = userInfo()
    expect(JSON.parse(out)).toEqual({
      ...{ attemptId, shipmentId: 'shp_1', accountId: 'acme', carrierCode: 'rondeel' },
      ...{ outcome: 'refused', by: username, systemUser: username, isReversal: false },
      ...{ reason: 'shipped', at: expect.any(String) },
    })
    expect(await rowOf()).toEqual({ state: 'booked', phase: 'refused', operator: username })
  })

  describe('a shipment with several parcels', () => {
    beforeEach(async () => {
      await sql`UPDATE shipment SET carrier_ref = 'A1', parcel_refs = '{A1,A2,A3}', cancelled_refs = '{A2}'`.execute(
        cloned.db,
      )
    })
    const parcels = () =>
      cloned.db
        .selectFrom('shipment')
        .select(['state', 'parcel_refs', 'cancelled_refs'])
        .executeTakeFirstOrThrow()

    test('is cancelled with all its parcels, after the operator has seen which ones are cancelled', async () => {
      const ran = await settle('--cancelled', { answer: 'y' })
      expect(ran).toMatchObject({ code: 0, out: 'Settled as cancelled. Shipment shp_1 is cancelled.' })
      expect(ran.asked[0]?.split('\n').slice(0, 2)).toEqual([
        `Attempt ${attemptId} to cancel shipment shp_1 of account acme at rondeel (A1, A2, A3)`,
        'The carrier has cancelled A2',
      ])
      const refs = ['A1', 'A2', 'A3']
      expect(await parcels()).toEqual({ state: 'cancelled', parcel_refs: refs, cancelled_refs: refs })
    })

    test('stays booked with --refused, and the cancelled parcels are named and listed by the audit', async () => {
      expect((await settle('--refused --yes')).out).toBe(
        'Settled as refused. Shipment shp_1 stays booked, but the carrier has cancelled A2.',
      )
      expect(await parcels()).toMatchObject({ state: 'booked', cancelled_refs: ['A2'] })
      const { anomalies } = await readAttention(cloned.db, { withinMs: 60_000, openForMs: 0 })
      expect(anomalies).toMatchObject([
        { shipmentId: 'shp_1', anomaly: 'carrier cancelled A2 and not the other parcels' },
      ])
    })
  })

  test('says that the label must be destroyed if the carrier takes no cancellations', async () => {
    await sql`UPDATE shipment SET carrier_code = 'dpd'`.execute(cloned.db)
    expect((await settle('--cancelled --yes')).out).toBe(
      'Settled as cancelled. Shipment shp_1 is cancelled. Its label must be destroyed.',
    )
    const row = await cloned.db.selectFrom('shipment').select('cancelled_by').executeTakeFirstOrThrow()
    expect(row.cancelled_by).toBe('release')
  })

  test('is listed by the audit, and needs no attention', async () => {
    await settle('--cancelled --yes --by jane')
    const { code, out } = await runWaybill(cloned, 'audit')
    expect(code).toBe(0)
    expect(out).toMatch(
      /\nSettled by operators:\nSHIPMENT .*\nshp_1 {5}acme {5}rondeel {2}\S+Z {2}cancelled {2}jane {2}\S+ +asked by phone\n/,
    )
  })

  test('changes nothing if the operator does not confirm', async () => {
    expect(await settle('--cancelled', { answer: 'n' })).toMatchObject({
      code: 1,
      out: 'Nothing was changed.',
    })
    expect(await rowOf()).toEqual(OPEN)
  })

  test.each([
    ['both outcomes', '--cancelled --refused --yes', 'give either --cancelled or --refused'],
    ['no outcome', '--yes', 'give either --cancelled or --refused'],
    ['no terminal and no --yes', '--cancelled', 'add --yes to confirm'],
  ])('refuses %s', async (_what, options, message) => {
    expect(await settle(options)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
    expect(await rowOf()).toEqual(OPEN)
  })

  test('needs a reason on one line', async () => {
    expect((await attempt('settle shp_1 --cancelled --yes')).code).toBe(2)
    expect((await attempt("settle shp_1 --cancelled --yes --reason ' '")).code).toBe(2)
    expect(await rowOf()).toEqual(OPEN)
  })

  test('refuses an attempt that is being sent at this moment', async () => {
    await sql`UPDATE cancel_attempt SET lease_owner = 'one', lease_until = now() + interval '10 s'`.execute(
      cloned.db,
    )
    expect(await settle('--cancelled --yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is being sent to the carrier at this moment'),
    })
    expect(await rowOf()).toEqual(OPEN)
  })

  test('refuses to cancel a shipment in transit, and can end its attempt as refused', async () => {
    await sql`UPDATE shipment SET state = 'in_transit'`.execute(cloned.db)
    expect(await settle('--cancelled --yes')).toMatchObject({
      code: 1,
      err: 'waybill: shipment shp_1 is in transit and cannot be cancelled',
    })
    expect((await settle('--refused --yes')).code).toBe(0)
    expect(await rowOf()).toMatchObject({ state: 'in_transit', phase: 'refused' })
  })

  test('refuses an attempt that is settled, also with --reverse by the same operator', async () => {
    await settle('--refused --yes --by jane')
    const refusals = [
      ['--refused --by john', 'is already settled as refused by jane'],
      ['--cancelled --by john', 'another operator can reverse that with --reverse'],
      ['--cancelled --by Jane --reverse', 'only another operator can reverse that'],
    ] as const
    for (const [options, message] of refusals)
      expect(await settle(`${options} --yes`)).toMatchObject({
        code: 1,
        err: expect.stringContaining(message),
      })
    expect(await rowOf()).toEqual({ state: 'booked', phase: 'refused', operator: 'jane' })
    expect(await decisions()).toMatchObject([{ operator: 'jane' }])
  })

  test('reverses a refusal of another operator, and keeps both decisions', async () => {
    await settle('--refused --yes --by jane')
    const ran = await settle('--cancelled --by john --reverse', { answer: 'y' })
    expect(ran).toMatchObject({
      code: 0,
      err: 'ATTEMPT_SETTLED rondeel shp_1 cancelled by john (reversing jane): asked by phone',
    })
    expect(ran.asked[0]).toContain('Settled as refused by jane: asked by phone')
    expect(await rowOf()).toEqual({ state: 'cancelled', phase: 'accepted', operator: 'john' })
    const systemUser = userInfo().username
    expect(await decisions()).toMatchObject([
      { outcome: 'refused', operator: 'jane', system_user_name: systemUser, is_reversal: false },
      { outcome: 'cancelled', operator: 'john', system_user_name: systemUser, is_reversal: true },
    ])
    const { out } = await attempt('list --settled 1')
    const lines = out.split('\n').map((line) => line.replace(/ +/g, ' '))
    // The decisions of other tests follow: they stay when the shipment is deleted.
    expect(lines.slice(0, 3)).toEqual([
      'SHIPMENT ACCOUNT CARRIER AT OUTCOME BY USER REASON',
      expect.stringMatching(/^shp_1 acme rondeel \S+Z cancelled \(reversal\) john \S+ asked by phone$/),
      expect.stringMatching(/^shp_1 acme rondeel \S+Z refused jane \S+ asked by phone$/),
    ])
    expect((await settle('--refused --yes --reverse')).err).toContain(
      'is already settled as cancelled by john',
    )
  })

  test('has nothing to reverse if only the carrier has refused', async () => {
    await sql`UPDATE cancel_attempt SET phase = 'refused', reason = 'no', settled_at = now()`.execute(
      cloned.db,
    )
    expect(await settle('--cancelled --yes --reverse')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is nothing to reverse'),
    })
    expect((await settle('--cancelled --yes')).code).toBe(0)
  })

  test('refuses an id without an attempt', async () => {
    expect(await attempt('settle nothing --cancelled --reason x --yes')).toMatchObject({
      code: 1,
      err: 'waybill: there is no attempt to cancel nothing',
    })
  })
})
