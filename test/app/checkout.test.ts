/** A checkout through GraphQL: tokens of options, drafts at their price, and repeated requests (docs/checkout.md). */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO, OTHER, openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
let nowMs = TEST_CLOCK().getTime()
const log: string[] = []
beforeAll(async () => {
  app = await openTestApp({ WAYBILL_OPTION_TOKEN_MINUTES: '20', LOG_LEVEL: 'trace' }, () => new Date(nowMs), {
    log: { level: 'trace', stream: { write: (line: string) => log.push(line) } },
  })
})
afterAll(() => app.close())

const RATES = {
  from: { country: 'NL' },
  to: { country: 'ES' },
  recipientType: 'BUSINESS',
  parcels: { boxes: [{ weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20 }] },
}

const LOOK = `query ($input: RatesInput!) { rates(input: $input) {
  ... on RateQuote { options { token product { id } price { amount } priceIn { amount amountWithVat vatRatePercent } } } } }`
const CREATE = `mutation ($input: CreateDraftShipmentInput!) { createDraftShipment(input: $input) { __typename
  ... on DraftShipmentCreated { alreadyCreated shipment { id state price { amount } product { id } } }
  ... on OptionExpired { quotedPrice { amount } expiredAt currentPrice { amount } currentToken
    currentPriceIn { amount amountWithVat vatRatePercent } }
  ... on InputProblem { fields { path code message } }
  ... on Problem { code message retryable } } }`

type Option = { token: string; product: { id: string }; price: { amount: string }; priceIn: object }
type Created = {
  __typename: string
  alreadyCreated: boolean
  shipment: { id: string; state: string; price: { amount: string } }
  currentToken: string
}

async function look(rates: object = RATES, credentials = DEMO): Promise<Option> {
  const { data, errors } = await app.graphql(LOOK, { input: rates }, credentials)
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
  const { options } = data?.['rates'] as { options: Option[] }
  const option = options.find(({ product }) => product.id === '1201')
  if (option === undefined) throw new Error('not offered')
  return option
}

async function create(input: object, credentials = DEMO): Promise<Created> {
  const { data, errors } = await app.graphql(CREATE, { input: { rates: RATES, ...input } }, credentials)
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
  return data?.['createDraftShipment'] as Created
}

const raisePrices = async (): Promise<void> => {
  await sql`INSERT INTO contract (account_id, valid_from, freight_bps, fuel_bps, hidden)
    VALUES ('demo-shop', '2026-01-01', 5000, 0, false)`.execute(app.clone.db)
  await sql`UPDATE rate_book SET revision = revision + 1`.execute(app.clone.db)
}

test('a draft has the price of its token, also after the prices have changed, until the token expires', async () => {
  const seen = await look()
  await raisePrices()
  await expect.poll(async () => (await look()).price.amount, { timeout: 60_000 }).not.toBe(seen.price.amount)
  const created = await create({ optionToken: seen.token })
  expect(created).toMatchObject({
    ...{ __typename: 'DraftShipmentCreated', alreadyCreated: false },
    shipment: { state: 'DRAFT', price: seen.price, product: { id: '1201' } },
  })
  nowMs += 20 * 60_000
  const current = await look()
  const expired = await create({ optionToken: seen.token })
  expect(expired).toMatchObject({
    ...{ __typename: 'OptionExpired', code: 'PRICE_EXPIRED', retryable: false },
    ...{ quotedPrice: seen.price, currentPrice: current.price, expiredAt: '2026-10-20T12:20:00.000Z' },
    currentPriceIn: { ...current.priceIn, amount: current.price.amount, vatRatePercent: '21' },
  })
  expect(await create({ optionToken: expired.currentToken })).toMatchObject({
    shipment: { price: current.price },
  })
})

test('a double click and a retry get one draft, as it is now', async () => {
  const input = { optionToken: (await look()).token, idempotencyKey: 'cart 1042', reference: 'order 1042' }
  const both = await Promise.all([create(input), create(input)])
  expect(both.map(({ alreadyCreated }) => alreadyCreated).sort()).toEqual([false, true])
  const [{ shipment }] = both as [Created, Created]
  expect(both[1]?.shipment).toEqual(shipment)
  const cancelled = await app.rest(`/shipments/${shipment.id}/cancel`, undefined, { 'x-pp-api': DEMO })
  expect(cancelled.status).toBe(200)
  expect(await create(input)).toMatchObject({ shipment: { ...shipment, state: 'CANCELLED' } })
  expect(await create({ ...input, reference: 'order 1043' })).toMatchObject({
    ...{ __typename: 'IdempotencyConflict', code: 'IDEMPOTENCY_CONFLICT', retryable: false },
  })
  expect(await create({ ...input, optionToken: (await look(RATES, OTHER)).token }, OTHER)).toMatchObject({
    alreadyCreated: false,
  })
})

test('a token of another account, and another request, are refused', async () => {
  const { token } = await look()
  expect(await create({ optionToken: token }, OTHER)).toMatchObject({
    ...{ __typename: 'InputProblem' },
    fields: [{ path: ['optionToken'], code: 'UNKNOWN_VALUE', message: 'the token is not valid' }],
  })
  const rates = { ...RATES, to: { country: 'FR' } }
  expect(await create({ optionToken: token, rates })).toMatchObject({
    fields: [{ path: ['rates', 'to'], code: 'CONFLICT' }],
  })
  const insured = { ...RATES, insured: true, totalValue: { amount: '10' } }
  expect(await create({ optionToken: token, rates: insured })).toMatchObject({
    fields: [{ path: ['rates', 'totalValue', 'amount'], code: 'CONFLICT' }],
  })
})

test('a token is for the options of landed cost too', async () => {
  const query = `query ($input: LandedCostInput!) { landedCost(input: $input) {
    ... on LandedCost { options { rateOption { token product { id } price { amount } } } } } }`
  const contentItems = [{ description: 'Cotton shirt', count: 1, value: { amount: '10' }, hsCode: '610910' }]
  const { data } = await app.graphql(query, { input: { rates: RATES, contentItems } })
  const { options } = data?.['landedCost'] as { options: { rateOption: Option }[] }
  const rate = options[0]?.rateOption
  expect(await create({ optionToken: rate?.token })).toMatchObject({ shipment: { price: rate?.price } })
})

test('without a token, the draft has the current price, and one of both is required', async () => {
  const { price } = await look()
  expect(await create({ preferredShippingOption: '1201' })).toMatchObject({ shipment: { price } })
  expect(await create({})).toMatchObject({
    fields: [{ path: ['preferredShippingOption'], code: 'REQUIRED' }],
  })
})

test('tokens are not in the log', async () => {
  const { token } = await look()
  await create({ optionToken: token })
  await create({ optionToken: `${token}x` })
  const signature = token.slice(-43)
  expect(log.length).toBeGreaterThan(0)
  expect(log.filter((line) => line.includes(signature))).toEqual([])
})
