/** Drafts through the service: their quota, and the end of their price (docs/limits.md#drafts). */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO, OTHER, openTestApp, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp(
    // The sweeper would cancel the old draft, sometimes before it is booked.
    { WAYBILL_DRAFTS_PER_ACCOUNT: '6', WAYBILL_DRAFT_PRICE_DAYS: '10', WAYBILL_DRAFT_DAYS: '3650' },
    () => new Date(),
  )
})
afterAll(() => app.close())

type Outcome = { readonly __typename: string; readonly shipment?: { readonly id: string } }

const CREATE = `mutation ($input: CreateDraftShipmentInput!) { createDraftShipment(input: $input) { __typename
  ... on DraftShipmentCreated { shipment { id price { amount } createdAt priceValidUntil } }
  ... on Problem { code message retryable } } }`
const BOOK = `mutation ($id: ID!) { bookShipment(input: { shipmentId: $id }) { __typename
  ... on DraftPriceExpired { code retryable price { amount } validUntil currentPrice { amount } shipment { state } }
  ... on ShipmentBooked { shipment { id state priceValidUntil } } } }`
const INPUT = {
  rates: {
    from: { country: 'NL' },
    to: { country: 'ES' },
    recipientType: 'BUSINESS',
    parcels: { boxes: [{ weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }] },
  },
  preferredShippingOption: '1201',
}

async function create(credentials: string): Promise<Outcome> {
  const { data, errors } = await app.graphql(CREATE, { input: INPUT }, credentials)
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
  return data?.['createDraftShipment'] as Outcome
}

test('a draft of 400 days ago is not booked at its price; the answer has both prices', async () => {
  const created = await create(DEMO)
  const id = created.shipment?.id ?? ''
  expect(created.shipment).toMatchObject({ priceValidUntil: expect.any(String) })
  await sql`UPDATE shipment SET created_at = created_at - interval '400 days', price_cents = 100
    WHERE shipment_id = ${id}`.execute(app.clone.db)
  const { data } = await app.graphql(BOOK, { id })
  expect(data?.['bookShipment']).toEqual({
    ...{ __typename: 'DraftPriceExpired', code: 'PRICE_EXPIRED', retryable: false },
    price: { amount: '1.00' },
    validUntil: expect.any(String),
    currentPrice: { amount: expect.stringMatching(/^\d{2}\.\d{2}$/) },
    shipment: { state: 'DRAFT' },
  })
  const cancelled = await app.rest(`/shipments/${id}/cancel`, undefined, { 'x-pp-api': DEMO })
  expect(cancelled).toMatchObject({ status: 200, json: { cancelled: true } })
})

test('a draft keeps its sender and recipient', async () => {
  const given = {
    sender: { company: 'Janssen BV', eoriNumber: 'nl001' },
    recipient: { name: 'Ada', phone: '+34 91 555' },
  }
  const { data } = await app.graphql(CREATE, { input: { ...INPUT, ...given } })
  const { shipment } = data?.['createDraftShipment'] as Outcome
  const query = `query ($id: ID!) { shipment(id: $id) { sender { ...C } recipient { ...C } } }
    fragment C on Contact { name company street phone email vatNumber eoriNumber }`
  const none = {
    name: null,
    company: null,
    street: null,
    phone: null,
    email: null,
    vatNumber: null,
    eoriNumber: null,
  }
  expect((await app.graphql(query, { id: shipment?.id })).data).toEqual({
    shipment: {
      sender: { ...none, company: 'Janssen BV', eoriNumber: 'NL001' },
      recipient: { ...none, name: 'Ada', phone: '+34 91 555' },
    },
  })
  const faulty = { ...INPUT, recipient: { email: 'ada' } }
  const fields = '{ createDraftShipment(input: $input) { ... on InputProblem { fields { path code } } } }'
  const refused = await app.graphql(`mutation ($input: CreateDraftShipmentInput!) ${fields}`, {
    input: faulty,
  })
  expect(refused.data).toEqual({
    createDraftShipment: { fields: [{ path: ['recipient', 'email'], code: 'MALFORMED' }] },
  })
  await app.rest(`/shipments/${shipment?.id}/cancel`, undefined, { 'x-pp-api': DEMO })
  await sql`UPDATE shipment SET parcel_rows = 0 WHERE shipment_id = ${shipment?.id ?? ''}`.execute(
    app.clone.db,
  )
})

test('an account cannot create more drafts than its quota, and other accounts are not affected', async () => {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM shipment
    WHERE account_id = 'other' AND carrier_ref IS NULL AND parcel_rows > 0`.execute(app.clone.db)
  for (let stored = rows[0]?.count ?? 0; stored < 6; stored += 1)
    expect((await create(OTHER)).__typename).toBe('DraftShipmentCreated')
  expect(await create(OTHER)).toMatchObject({
    ...{ __typename: 'DraftQuotaExceeded', code: 'QUOTA_EXCEEDED', retryable: false },
  })
})

test('the demo draft can be booked, whenever the demo data were added', async () => {
  expect((await app.graphql(BOOK, { id: 'demo-draft' })).data?.['bookShipment']).toMatchObject({
    __typename: 'ShipmentBooked',
  })
})
