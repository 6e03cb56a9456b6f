/** The SQL statements of a landed cost request. */
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DEMO, OTHER, openTestApp, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ WAYBILL_RATE_BOOK_POLL_MS: '3600000' })
})
afterAll(() => app.close())

const PARCEL = { count: 1, weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20 }
const RATES = {
  from: { country: 'NL' },
  to: { country: 'GB', postalCode: 'SW1A 1AA' },
  parcels: { boxes: [PARCEL] },
  recipientType: 'BUSINESS',
}
const GOODS = [
  { description: 'cotton t-shirts', count: 20, value: { amount: '12.50' } },
  { description: 'leather handbag', count: 2, value: { amount: '85' }, hsCode: '4202.21' },
]

const LANDED = `query ($input: LandedCostInput!) { landedCost(input: $input) { ... on LandedCost { options {
  rateOption { product { id carrier { name } } price { amount } } total { amount }
  duties { total { amount } date taxes { name amount { amount } description formula rule { dataSet { title } } }
    items { total { amount } } } } } } }`

/** Statements of the service itself: polling for new versions and for due work. */
const IN_BACKGROUND = /^listen |^select revision from |^[\s(]*[A-Z]{4,} /

/** The statements that a query causes. All statements of this process go through `Client`. */
async function statementsOf(document: string, variables: object, credentials: string) {
  const sent = vi.spyOn(Client.prototype, 'query')
  const { data, errors } = await app.graphql(document, variables, credentials)
  const statements = sent.mock.calls
    .map(([statement]) => textOf(statement))
    .filter((text) => !IN_BACKGROUND.test(text))
  sent.mockRestore()
  expect(errors).toBeUndefined()
  return { data, statements }
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : String((statement as { readonly text?: unknown }).text)
}

test('a landed cost request queries the credentials only', async () => {
  const input = { rates: RATES, contentItems: GOODS }
  const { data, statements } = await statementsOf(LANDED, { input }, OTHER)
  const { options } = data?.['landedCost'] as { options: unknown[] }
  expect(options.length).toBeGreaterThan(1)
  expect(statements.length).toBeGreaterThan(0)
  expect(statements.filter((statement) => !statement.includes('"api_key"'))).toEqual([])
})

test('the statement of a query for a shipment is recorded, so the test above can fail', async () => {
  const { statements } = await statementsOf('{ shipment(id: "demo-booked") { state } }', {}, DEMO)
  expect(statements).toContainEqual(expect.stringContaining('"shipment"'))
})
