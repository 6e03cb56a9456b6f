/**
 * Rates through both doors: the same request gets the same options, prices and faults. Translated by parity-table.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO, OTHER, openTestApp, TEST_CLOCK, type TestApp } from '../support/app/test-app.ts'
import { documentFor, type RestSettings, toGraphqlInput, toRestBody } from './parity.ts'
import { PARITY, type Result } from './parity-table.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({}, TEST_CLOCK, {
    prepare: (db) =>
      db
        .updateTable('account')
        .set({ transit_form: 'range', price_breakdown: false })
        .where('account_id', '=', 'other-shop')
        .execute(),
  })
})
afterAll(() => app.close())

type Parcel = Readonly<Record<string, unknown>>
/** The body of a REST request. */
type Request = {
  readonly fromCountry: string
  readonly fromZipcode?: string
  readonly fromCity?: string
  readonly toCountry: string
  readonly toZipcode?: string
  readonly toCity?: string
  readonly parcels: readonly Parcel[]
  readonly recipientType?: 'individual' | 'business'
  readonly insured?: boolean
  readonly totalValue?: number
}
type Body = {
  readonly message: string
  readonly data: readonly { readonly productId: number; readonly price: number }[]
}

const throughRest = async (request: Request, credentials = DEMO) => {
  const { status, json } = await app.rest('/rates', request, { 'x-pp-api': credentials })
  return { status, body: json as Body }
}

const QUERY = documentFor(PARITY.rates)

/** The result of GraphQL for the same request, and the REST body that it corresponds to. */
async function throughGraphql(request: Request, credentials = DEMO, settings?: RestSettings) {
  const input = toGraphqlInput(PARITY.rates.request, request)
  const result = (await app.graphql(QUERY, { input }, credentials)).data?.['rates'] as Result
  return { result, body: toRestBody(PARITY.rates, result, settings) }
}

const parcel = (overrides: Parcel = {}): Parcel => ({
  type: 'NONDOC',
  weight: '5.0',
  length: 40,
  width: 30,
  height: 20,
  count: 1,
  ...overrides,
})
const pallet = (overrides: Parcel = {}): Parcel =>
  parcel({
    type: 'PALLET',
    weight: '240',
    length: 120,
    width: 80,
    height: 110,
    stackable: true,
    ...overrides,
  })

/** Requests with the prices (product: euro) expected of both doors. */
const PRICED: readonly [string, Request, Readonly<Record<number, number>>][] = [
  [
    'a parcel from the Netherlands to Spain',
    { fromCountry: 'NL', toCountry: 'ES', parcels: [parcel()], recipientType: 'business' },
    { 1201: 15.81, 1301: 19.5, 1202: 21.29, 1103: 34.11, 1101: 64.12 },
  ],
  [
    'two insured parcels to Corsica',
    {
      fromCountry: 'DE',
      toCountry: 'FR',
      toZipcode: '20000',
      parcels: [parcel({ weight: '12.4', length: 60, width: 40, height: 40, count: 2 })],
      recipientType: 'individual',
      insured: true,
      totalValue: 900,
    },
    { 1301: 77.2, 1103: 84.9, 1201: 96.77, 1202: 109.04, 1101: 181.7 },
  ],
  [
    'a pallet within the Netherlands',
    { fromCountry: 'NL', toCountry: 'NL', parcels: [pallet()], recipientType: 'business' },
    { 1501: 71.07, 1502: 92.38, 1601: 113.52 },
  ],
  [
    'documents within the Netherlands',
    { fromCountry: 'NL', toCountry: 'NL', parcels: [{ type: 'DOC', count: 1 }] },
    { 1302: 3.95, 1102: 20.11 },
  ],
  [
    'a pallet to Brazil, which no product carries',
    { fromCountry: 'NL', toCountry: 'BR', parcels: [pallet()], recipientType: 'business' },
    {},
  ],
]

describe.each(PRICED)('%s', (_name, request, prices) => {
  test('both doors return the same prices, cheapest first', async () => {
    const { status, body } = await throughRest(request)
    const graphql = await throughGraphql(request)
    expect([status, graphql.result.__typename]).toEqual([200, 'RateQuote'])
    expect(body).toEqual(graphql.body)
    expect(Object.fromEntries(body.data.map(({ productId, price }) => [productId, price]))).toEqual(prices)
    const inOrder = body.data.map(({ price }) => price)
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b))
  })
})

test('both doors return the same options to an account with a range of transit times and no breakdown', async () => {
  const request: Request = { fromCountry: 'NL', toCountry: 'ES', parcels: [parcel()] }
  const { body } = await throughRest(request, OTHER)
  expect(JSON.stringify(body)).toContain('minEstimatedTransitTimeInWorkingsDays')
  expect(body).toEqual((await throughGraphql(request, OTHER, new Set(['range of transit times']))).body)
})

/** Requests with the faults expected of both doors. */
const FAULTY: readonly [string, Request, readonly string[]][] = [
  [
    'a parcel of no size to nowhere',
    { fromCountry: 'NL', toCountry: 'XX', parcels: [parcel({ length: 0, height: -1 })] },
    [
      'parcels[0].length: must be greater than zero',
      'parcels[0].height: must be greater than zero',
      'toCountry: must be an ISO 3166-1 alpha-2 country code',
    ],
  ],
  [
    'a pallet without recipient',
    { fromCountry: 'NL', toCountry: 'NL', parcels: [pallet({ count: 1_000 })] },
    ['parcels[0].count: must be at most 999', 'recipientType: required for PALLET'],
  ],
  [
    'insurance without a value',
    { fromCountry: 'NL', toCountry: 'NL', parcels: [parcel()], insured: true },
    ['totalValue: required when insured is true'],
  ],
  [
    'a weight of 0',
    { fromCountry: 'NL', toCountry: 'NL', parcels: [parcel(), parcel({ weight: '0' })] },
    ['parcels[1].weight: must be greater than zero'],
  ],
]

describe.each(FAULTY)('%s', (_name, request, faults) => {
  test('both doors refuse it with the same faults', async () => {
    const { status, body } = await throughRest(request)
    expect([status, body.message.split('; ')]).toEqual([400, faults])
    const graphql = await throughGraphql(request)
    expect(graphql.result).toMatchObject({ __typename: 'InputProblem', code: 'INVALID_INPUT' })
    expect(body).toEqual(graphql.body)
  })
})

/** Faults that the types of GraphQL exclude, with the first message of REST. */
const EXCLUDED: readonly [string, Request, string, object, string][] = [
  [
    'a parcel without measures',
    { fromCountry: 'NL', toCountry: 'NL', parcels: [{ type: 'NONDOC', count: 1 }] },
    'parcels[0].weight: required for NONDOC',
    { boxes: [{ count: 1 }] },
    'Field "weightKg" of required type "Decimal!" was not provided.',
  ],
  [
    'a pallet without stackable',
    { fromCountry: 'NL', toCountry: 'NL', parcels: [pallet({ stackable: undefined })] },
    'parcels[0].stackable: required for PALLET',
    { pallets: [{ weightKg: 240, lengthCm: 120, widthCm: 80, heightCm: 110 }] },
    'Field "stackable" of required type "Boolean!" was not provided.',
  ],
  [
    'two parcel types',
    { fromCountry: 'NL', toCountry: 'NL', parcels: [parcel(), { type: 'DOC', count: 1 }] },
    'parcels: must all have the same type, found NONDOC and DOC',
    { boxes: [], documents: [] },
    'Exactly one key must be specified for OneOf type "ParcelsInput".',
  ],
]

test.each(
  EXCLUDED,
)('%s is a fault in REST and does not fit the types of GraphQL', async (_name, request, fault, parcels, message) => {
  const { status, body } = await throughRest(request)
  expect([status, body.message.split('; ')[0]]).toEqual([400, fault])
  const input = { from: { country: 'NL' }, to: { country: 'NL' }, parcels }
  const { errors = [] } = await app.graphql(QUERY, { input })
  expect(errors[0]?.message).toContain(message)
  expect(errors[0]?.message).toContain('input.parcels')
})

test('returns the price at another instant in GraphQL', async () => {
  const input = (asOf: string) => ({
    from: { country: 'NL' },
    to: { country: 'NL' },
    recipientType: 'INDIVIDUAL',
    parcels: { boxes: [{ weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }] },
    asOf,
  })
  const itemsOn = async (day: string) =>
    JSON.stringify((await app.graphql(QUERY, { input: input(day) })).data)
  expect(await itemsOn('2026-11-14T12:00:00Z')).not.toContain('Peak season')
  expect(await itemsOn('2026-11-15T12:00:00Z')).toContain('Peak season')
})

test('filters and sorts in GraphQL, and ignores both fields in REST', async () => {
  const parcels = [{ type: 'NONDOC', weight: 5, length: 40, width: 30, height: 20, count: 1 }]
  const body = { fromCountry: 'NL', toCountry: 'ES', recipientType: 'business', parcels }
  const filter = { carrierIds: ['rondeel'] }
  const plain = await app.rest('/rates', body)
  expect(await app.rest('/rates', { ...body, filter, sort: 'VALUE' })).toMatchObject({
    status: 200,
    text: plain.text,
  })
  const { data } = await app.graphql(QUERY, {
    input: {
      from: { country: 'NL' },
      to: { country: 'ES' },
      recipientType: 'BUSINESS',
      parcels: { boxes: [{ weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }] },
      filter,
      sort: 'TRANSIT',
    },
  })
  const { options } = data?.['rates'] as { readonly options: readonly { product: { id: string } }[] }
  expect(options.map(({ product }) => product.id)).toEqual(['1202', '1201'])
})
