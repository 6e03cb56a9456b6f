/** A rate card with expressions, published beside the demo card, through both doors. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRateCardFiles, readRateCard } from '../../src/reference/rate-cards/rate-card-csv.ts'
import { importRateCard, publishRateCard } from '../../src/store/rate-cards/versions.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'

const FOLDER = fileURLToPath(new URL('../fixtures/rate-cards/rule-sheet', import.meta.url))

/** A Thursday. */
const clock = () => new Date('2026-10-01T12:00:00Z')

let app: TestApp
beforeAll(async () => {
  const { card } = readRateCard(openRateCardFiles(FOLDER))
  const version = { code: 'rules', name: 'Rules', audience: 'everyone', validFrom: '2026-01-01' } as const
  app = await openTestApp({}, clock, {
    prepare: async (db) => publishRateCard(db, await importRateCard(db, { ...version, card: card! })),
  })
})
afterAll(() => app.close())

test('REST has the prices of the lists', async () => {
  const { status, json } = await app.rest('/rates', {
    ...{ fromCountry: 'NL', toCountry: 'ES', toZipcode: '07001', insured: false, recipientType: 'business' },
    parcels: [{ type: 'NONDOC', count: 1, weight: 300, length: 310, width: 30, height: 20 }],
  })
  expect(status).toBe(200)
  const { data } = json as { data: readonly { productId: number; price: number; priceBreakdown: unknown }[] }
  const priceOf = (id: number) => data.find(({ productId }) => productId === id)?.price
  // By zone 20.50; 2.25 × 300 kg, at most 560.00; two started metres; 250 kg above 50; two limits; one piece.
  expect([2701, 2702, 2703, 2704, 2705, 2710].map(priceOf)).toEqual([30.5, 570, 250, 1010, 17.92, 104])
  expect(data.find(({ productId }) => productId === 2702)?.priceBreakdown).toMatchObject([
    { item: 'Freight', amount: 10 },
    { item: 'Remote area', amount: 560, reason: 'Remote area' },
  ])
})

const QUERY = `query ($input: RatesInput!) {
  rates(input: $input) {
    ... on RateQuote {
      options { price { amount } breakdown { kind amount { amount } rule { formula figures { name value } } } }
    }
  }
}`

test('GraphQL explains a formula with its figures', async () => {
  const { data, errors } = await app.graphql(QUERY, {
    input: {
      ...{ from: { country: 'NL' }, to: { country: 'PL' }, filter: { productIds: ['2703'] } },
      parcels: { boxes: [{ weightKg: '10', lengthCm: 310, widthCm: 20, heightCm: 20, count: 2 }] },
    },
  })
  expect(errors).toBeUndefined()
  const { options } = data?.['rates'] as {
    options: readonly { price: object; breakdown: readonly object[] }[]
  }
  expect(options[0]?.price).toEqual({ amount: '500.00' })
  expect(options[0]?.breakdown[1]).toEqual({
    kind: 'OVERSIZE',
    amount: { amount: '480.00' },
    rule: {
      formula: '2 × (120 * ceil((310 cm - 200 cm) / 100 cm))',
      figures: [
        { name: 'trigger', value: 'always' },
        { name: 'condition', value: 'longest > 200 cm' },
        { name: 'row 1 longest', value: '310 cm' },
        { name: 'method', value: 'formula, for each parcel that triggers it' },
        { name: 'formula', value: '120 * ceil((longest - 200 cm) / 100 cm)' },
        { name: 'row 1 units', value: '2' },
      ],
    },
  })
})
