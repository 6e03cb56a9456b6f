/** Both doors while an account is moved to another cell. docs/distribution.md#move-an-account */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAccountRows } from '../../src/store/moves/account-rows.ts'
import { leaveAccount, openAccount } from '../../src/store/moves/end-move.ts'
import { exportAccount } from '../../src/store/moves/export-account.ts'
import { importAccount } from '../../src/store/moves/import-account.ts'
import { DEMO, OTHER, openTestApp, type TestApp } from '../support/app/test-app.ts'

let source: TestApp
let target: TestApp
let lines: string[]
let confirmation: string
beforeAll(async () => {
  source = await openTestApp()
  target = await openTestApp()
  // The target has the other demo account only.
  await target.clone.db.transaction().execute((trx) => deleteAccountRows(trx, 'demo-shop'))
  lines = []
  const write = async (chunks: AsyncIterable<readonly string[]>) => {
    for await (const chunk of chunks) lines.push(...chunk)
  }
  await cancel(source, 'demo-refused')
  await exportAccount(source.clone.db, 'demo-shop', write, () => {})
})
afterAll(async () => {
  await source.close()
  await target.close()
})

const cancel = (app: TestApp, id: string, credentials = DEMO) =>
  app.rest(`/shipments/${id}/cancel`, undefined, { 'x-pp-api': credentials })
const CANCEL = `mutation ($id: ID!) { cancelShipment(input: { shipmentId: $id }) { __typename
  ... on ShipmentNotCancelled { code } } }`
const RATES = {
  parcels: [{ type: 'NONDOC', weight: '2', length: '20', width: '20', height: '10', count: '1' }],
  ...{ fromCountry: 'NL', toCountry: 'DE', recipientType: 'business' },
}

/** What both cells answer while the account is closed for writes. */
async function expectClosed(app: TestApp): Promise<void> {
  for (const id of ['demo-draft', 'demo-booked']) {
    const { status, headers } = await cancel(app, id)
    expect([id, status, Number(headers['retry-after']) > 0]).toEqual([id, 503, true])
    const { data, errors } = await app.graphql(CANCEL, { id })
    expect([data?.['cancelShipment'] ?? null, errors]).toEqual([
      null,
      [expect.objectContaining({ extensions: expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) })],
    ])
  }
  expect((await cancel(app, 'demo-cancelled')).json).toEqual({
    cancelled: true,
    message: 'The shipment is cancelled',
  })
  expect((await cancel(app, 'demo-in-transit')).status).toBe(409)
  expect((await cancel(app, 'unknown')).status).toBe(404)
  expect((await app.rest('/rates', RATES)).status).toBe(200)
  const { rows } = await sql`SELECT 1 FROM cancel_attempt
    WHERE account_id = 'demo-shop' AND shipment_id = 'demo-booked'`.execute(app.clone.db)
  expect(rows).toEqual([])
}

describe('an account that is moved', () => {
  test('gets 503 for changes in the former cell, and its other answers; other accounts are not affected', async () => {
    await expectClosed(source)
    expect((await cancel(source, 'other-booked', OTHER)).status).toBe(200)
  })

  test('gets the same in the new cell before it is opened there', async () => {
    const { db } = target.clone
    ;({ confirmation } = await importAccount(
      db,
      (async function* () {
        yield* lines
      })(),
    ))
    await expectClosed(target)
  })

  test('gets all answers in the new cell after it is opened, and none in the former one', async () => {
    const code = await leaveAccount(source.clone.db, 'demo-shop', confirmation, async () => {})
    await openAccount(target.clone.db, 'demo-shop', code)
    for (const [id, status] of [
      ...([
        ['demo-draft', 200],
        ['demo-booked', 200],
        ['demo-cancelled', 200],
      ] as const),
      ...([
        ['demo-in-transit', 409],
        ['demo-refused', 409],
      ] as const),
    ])
      expect([id, (await cancel(target, id)).status]).toEqual([id, status])
    const { data } = await target.graphql('{ shipments(first: 50) { edges { node { id } } } }')
    expect(JSON.stringify(data)).toContain('demo-booked')
    // The former cell forgets the keys within 5 seconds.
    await expect.poll(async () => (await cancel(source, 'demo-booked')).status, { timeout: 15_000 }).toBe(401)
  })
})
