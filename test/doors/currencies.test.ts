/** A rate card in pounds, published beside the demo card, through both doors. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRateCardFiles, readRateCard } from '../../src/reference/rate-cards/rate-card-csv.ts'
import { importRateCard, publishRateCard } from '../../src/store/rate-cards/versions.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'

const FOLDER = fileURLToPath(new URL('../fixtures/rate-cards/net-pounds', import.meta.url))

/** The shipped rate of GBP is 0.858176, of 2026-09-29. */
const clock = () => new Date('2026-10-01T12:00:00Z')

let app: TestApp
beforeAll(async () => {
  const { card } = readRateCard(openRateCardFiles(FOLDER))
  const version = { code: 'uk', name: 'UK', audience: 'everyone', validFrom: '2026-01-01' } as const
  app = await openTestApp({}, clock, {
    prepare: async (db) => publishRateCard(db, await importRateCard(db, { ...version, card: card! })),
  })
})
afterAll(() => app.close())

const INPUT = {
  from: { country: 'GB' },
  to: { country: 'GB' },
  parcels: { boxes: [{ weightKg: '1', lengthCm: 15, widthCm: 15, heightCm: 15 }] },
}
const onlyUk = { ...INPUT, filter: { productIds: ['2401'] } }

// 3.35 + fuel 0.29 = GBP 3.64; 3.64 / 0.858176 = 4.241554… → 4.24. 3.903628… + 0.337925…: 3.90 + 0.33, and a cent more.
test('REST has the price in euro without VAT', async () => {
  const { status, json } = await app.rest('/rates', {
    ...{ fromCountry: 'GB', toCountry: 'GB', insured: false },
    parcels: [{ type: 'NONDOC', count: 1, weight: 1, length: 15, width: 15, height: 15 }],
  })
  const { data } = json as { data: readonly { productId: number }[] }
  expect(status).toBe(200)
  expect(data.find(({ productId }) => productId === 2401)).toMatchObject({
    price: 4.24,
    priceBreakdown: [
      { item: 'Freight', amount: 3.9 },
      { item: 'Fuel surcharge', amount: 0.34 },
    ],
  })
})

const QUERY = `query ($input: RatesInput!, $currency: String) {
  rates(input: $input) {
    ... on RateQuote {
      options {
        price { amount currency }
        priceIn(currency: $currency) {
          currency amount amountWithVat vatRatePercent missing exchangeRates { currency unitsPerEuro validFrom }
        }
      }
      declined { product { id } code message }
    }
  }
}`

test('GraphQL also has the price in other currencies and with VAT', async () => {
  const priceIn = async (currency?: string) => {
    const { data, errors } = await app.graphql(QUERY, { input: onlyUk, currency })
    expect(errors).toBeUndefined()
    const { options } = data?.['rates'] as { options: readonly { price: object; priceIn: object }[] }
    expect(options.map(({ price }) => price)).toEqual([{ amount: '4.24', currency: 'EUR' }])
    return options[0]?.priceIn
  }
  const pound = { currency: 'GBP', unitsPerEuro: '0.858176', validFrom: '2026-09-29' }
  // 3.64 × 1.2 = 4.368, and 4.368 / 0.858176 = 5.089865….
  expect(await priceIn()).toEqual({
    ...{ currency: 'GBP', amount: '3.64', amountWithVat: '4.37', vatRatePercent: '20' },
    ...{ missing: [], exchangeRates: [] },
  })
  expect(await priceIn('EUR')).toEqual({
    ...{ currency: 'EUR', amount: '4.24', amountWithVat: '5.09', vatRatePercent: '20' },
    ...{ missing: [], exchangeRates: [pound] },
  })
  expect(await priceIn('XXX')).toEqual({
    ...{ currency: 'XXX', amount: null, amountWithVat: null, vatRatePercent: '20' },
    ...{ missing: ['EXCHANGE_RATE'], exchangeRates: [] },
  })
})

test('GraphQL names the VAT rate that a card does not state', async () => {
  const input = { ...INPUT, from: { country: 'NO' }, to: { country: 'DE' }, filter: { productIds: ['1201'] } }
  const { data } = await app.graphql(QUERY, { input })
  const { options } = data?.['rates'] as { options: readonly { price: { amount: string } }[] }
  expect(options).toEqual([
    {
      price: { amount: options[0]?.price.amount, currency: 'EUR' },
      priceIn: {
        ...{ currency: 'EUR', amount: options[0]?.price.amount, amountWithVat: null, vatRatePercent: null },
        ...{ missing: ['VAT_RATE'], exchangeRates: [] },
      },
    },
  ])
})

test.each(['pounds', 'gbp', ''])('GraphQL refuses the currency %j', async (currency) => {
  const { data, errors } = await app.graphql(QUERY, { input: onlyUk, currency })
  expect(data ?? null).toBeNull()
  expect(errors?.map(({ message }) => message)).toEqual([
    'Invalid arguments: currency: must be an ISO 4217 code such as GBP',
  ])
})

test('the product is declined on a day without a recent exchange rate', async () => {
  const asOf = '2026-10-07T12:00:00Z'
  const { data } = await app.graphql(QUERY, { input: { ...onlyUk, asOf } })
  const { declined } = data?.['rates'] as { declined: readonly { product: { id: string } }[] }
  expect(declined.find(({ product }) => product.id === '2401')).toEqual({
    product: { id: '2401' },
    code: 'NO_EXCHANGE_RATE',
    message: 'Priced in GBP, and there is no exchange rate of the last 7 days',
  })
})

test('a draft has the price in euro', async () => {
  const { data } = await app.graphql(
    `mutation ($rates: RatesInput!) {
      createDraftShipment(input: { rates: $rates, preferredShippingOption: "2401" }) {
        ... on DraftShipmentCreated { shipment { price { amount currency } } }
      }
    }`,
    { rates: INPUT },
  )
  expect(data).toEqual({
    createDraftShipment: { shipment: { price: { amount: '4.24', currency: 'EUR' } } },
  })
})
