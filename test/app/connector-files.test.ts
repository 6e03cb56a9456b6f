/** A connector of a file (WAYBILL_CONNECTORS) in the running service, with the numbers of orders. docs/connectors.md */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type FakeCarrier,
  type FakeReply,
  type FakeRequest,
  startFake,
} from '../carriers/fakes/fake-carrier.ts'
import { openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'

const ROYAL_MAIL = path.resolve(import.meta.dirname, '../../examples/connector-royal-mail/royal-mail.mjs')
const NUMBER = 'TT123456785GB'
const folder = mkdtempSync(path.join(tmpdir(), 'waybill-connector-files-'))

let fake: FakeCarrier
let answer: (request: FakeRequest) => FakeReply
let app: TestApp

const withSettings = (apiKey: string, file = 'carriers.json'): string => {
  const location = path.join(folder, file)
  const settings = { rondeel: { baseUrl: fake.baseUrl, credentials: { apiKey } } }
  writeFileSync(location, JSON.stringify(settings), { mode: 0o600 })
  return location
}

/** Makes Royal Mail the carrier of the demo. One booked shipment has the number of its order, the other has none. */
async function withRoyalMail(db: TestApp['clone']['db']): Promise<void> {
  await db
    .updateTable('carrier')
    .set({ connector: 'royal-mail' })
    .where('carrier_code', '=', 'rondeel')
    .execute()
  await db
    .updateTable('shipment')
    .set({ carrier_ref: NUMBER, carrier_order_ref: '1000123' })
    .where('shipment_id', '=', 'demo-booked')
    .execute()
}

beforeAll(async () => {
  fake = await startFake((request) => answer(request))
  app = await openTestApp(
    {
      ...{ WAYBILL_CARRIERS: withSettings('first-key'), WAYBILL_CONNECTORS: ROYAL_MAIL },
      ...{ WAYBILL_CARRIER_TEST: 'false', WAYBILL_TRACK_MINUTES: '0' },
    },
    TEST_CLOCK,
    { prepare: withRoyalMail },
  )
})
beforeEach(() => {
  fake.requests.splice(0)
})
afterAll(async () => {
  await app?.close()
  await fake?.close()
  rmSync(folder, { recursive: true })
})

const sent = () => fake.requests.map(({ method, path: requested }) => `${method} ${requested}`)

test('sends nothing if the number of the order is not registered', async () => {
  answer = () => ({ status: 500 })
  expect([(await app.rest('/shipments/demo-refused/cancel')).status, sent()]).toEqual([504, []])
  const attempts = await app.clone.db.selectFrom('cancel_attempt').select(['sends', 'last_cause']).execute()
  expect(attempts).toEqual([{ sends: 0, last_cause: 'the number of the order is not registered' }])
})

test('cancels by the number of the order, with settings that were read again', async () => {
  answer = ({ method }) =>
    method === 'GET'
      ? { status: 200, body: [{ orderIdentifier: 1000123, trackingNumber: NUMBER }] }
      : { status: 200, body: { deletedOrders: [{ orderIdentifier: 1000123 }], errors: [] } }
  withSettings('second-key')
  app.app.reloadCarriers()
  expect((await app.rest('/shipments/demo-booked/cancel')).status).toBe(200)
  expect(sent()).toEqual(['GET /orders/1000123', 'DELETE /orders/1000123'])
  expect(fake.requests[0]?.headers.authorization).toBe('Bearer second-key')
})

test.each([
  ['a missing file', 'none.mjs', /the connector .*none\.mjs cannot be loaded: there is no such file/],
  [
    'one that is loaded twice',
    `${ROYAL_MAIL},${ROYAL_MAIL}`,
    /name: expected a name that is not taken, found royal-mail/,
  ],
])('does not start with %s', async (_, files, message) => {
  await expect(openTestApp({ WAYBILL_CONNECTORS: files }, TEST_CLOCK)).rejects.toThrow(message)
})

test('does not start if a setting of the connector is missing', async () => {
  const file = path.join(folder, 'faulty.json')
  writeFileSync(file, JSON.stringify({ rondeel: { baseUrl: fake.baseUrl } }), { mode: 0o600 })
  const environment = { WAYBILL_CARRIERS: file, WAYBILL_CONNECTORS: ROYAL_MAIL }
  await expect(openTestApp(environment, TEST_CLOCK, { prepare: withRoyalMail })).rejects.toThrow(
    'rondeel.credentials.apiKey: required',
  )
})
