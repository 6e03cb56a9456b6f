/** Rates through both doors: the same request gets the same options, prices and faults. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const QUERY = `query ($input: RatesInput!) { rates(input: $input) { __typename
  ... on RateQuote {
    options { product { id name carrier { name } } price { amount currency }
      transit { maxWorkingDays } breakdown { name amount { amount } reason } }
    declined { product { id } code message } }
  ... on InputProblem { code fields { path message } } } }`

type Parcel = Readonly<Record<string, unknown>>
type Request = {
  readonly from: readonly [country: string, zipcode?: string, city?: string]
  readonly to: readonly [country: string, zipcode?: string, city?: string]
  readonly parcels: readonly Parcel[]
  readonly recipientType?: 'individual' | 'business'
  readonly insured?: boolean
  readonly totalValue?: number
}

/** A common form of both responses: options, or faults with REST paths. */
type Story = { readonly options: readonly unknown[] } | { readonly faults: readonly string[] }

async function throughRest(request: Request): Promise<Story> {
  const [fromCountry, fromZipcode, fromCity] = request.from
  const [toCountry, toZipcode, toCity] = request.to
  const { parcels, recipientType, insured, totalValue } = request
  const { status, json } = await app.rest('/rates', {
    ...{ fromCountry, fromZipcode, fromCity, toCountry, toZipcode, toCity },
    ...{ parcels, recipientType, insured, totalValue },
  })
  const body = json as { message: string; data: RestOption[] }
  if (status === 400) return { faults: body.message.split('; ') }
  return {
    options: body.data.map((option) => ({
      carrier: option.carrier,
      product: option.product,
      productId: option.productId,
      price: option.price,
      days: option.estimatedTransitTimeInWorkingDays,
      breakdown: option.priceBreakdown,
    })),
  }
}
type RestOption = {
  readonly carrier: string
  readonly product: string
  readonly productId: number
  readonly price: number
  readonly estimatedTransitTimeInWorkingDays: number
  readonly priceBreakdown: readonly {
    readonly item: string
    readonly amount: number
    readonly reason?: string
  }[]
}

const GRAPHQL_NAMES: Readonly<Record<string, string>> = {
  weight: 'weightKg',
  length: 'lengthCm',
  width: 'widthCm',
  height: 'heightCm',
}
const place = ([country, zipcode, city]: Request['from']) => ({ country, zipcode, city })

async function throughGraphql(request: Request): Promise<Story> {
  const parcels = request.parcels.map((parcel) =>
    Object.fromEntries(Object.entries(parcel).map(([name, value]) => [GRAPHQL_NAMES[name] ?? name, value])),
  )
  const { data } = await app.graphql(QUERY, {
    input: {
      from: place(request.from),
      to: place(request.to),
      parcels,
      recipientType: request.recipientType?.toUpperCase(),
      insured: request.insured,
      totalValue: request.totalValue?.toString(),
    },
  })
  const result = data?.['rates'] as GraphqlResult
  if (result.__typename === 'InputProblem')
    return { faults: result.fields.map(({ path, message }) => `${restPath(path)}: ${message}`) }
  return {
    options: result.options.map(({ product, price, transit, breakdown }) => ({
      carrier: product.carrier.name,
      product: product.name,
      productId: Number(product.id),
      price: Number(price.amount),
      days: transit.maxWorkingDays,
      breakdown: breakdown.map(({ name, amount, reason }) => ({
        item: name,
        amount: Number(amount.amount),
        ...(reason !== null && { reason }),
      })),
    })),
  }
}
type GraphqlResult =
  | { readonly __typename: 'InputProblem'; readonly fields: readonly { path: string[]; message: string }[] }
  | {
      readonly __typename: 'RateQuote'
      readonly options: readonly {
        readonly product: {
          readonly id: string
          readonly name: string
          readonly carrier: { readonly name: string }
        }
        readonly price: { readonly amount: string }
        readonly transit: { readonly maxWorkingDays: number }
        readonly breakdown: readonly { name: string; amount: { amount: string }; reason: string | null }[]
      }[]
    }

/** A GraphQL path in the spelling of REST: parcels[0].weight for ["parcels", "0", "weightKg"]. */
function restPath(path: readonly string[]): string {
  const [head = '', second = '', third] = path
  if (['from', 'to'].includes(head)) return head + second.charAt(0).toUpperCase() + second.slice(1)
  if (second === '') return head
  const field = Object.entries(GRAPHQL_NAMES).find(([, name]) => name === third)?.[0] ?? third
  return `${head}[${second}]${field === undefined ? '' : `.${field}`}`
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
    { from: ['NL'], to: ['ES'], parcels: [parcel()], recipientType: 'business' },
    { 1201: 15.81, 1301: 19.5, 1202: 21.29, 1103: 34.11, 1101: 64.12 },
  ],
  [
    'two insured parcels to Corsica',
    {
      from: ['DE'],
      to: ['FR', '20000'],
      parcels: [parcel({ weight: '12.4', length: 60, width: 40, height: 40, count: 2 })],
      recipientType: 'individual',
      insured: true,
      totalValue: 900,
    },
    { 1301: 77.2, 1103: 84.9, 1201: 96.77, 1202: 109.04, 1101: 181.7 },
  ],
  [
    'a pallet within the Netherlands',
    { from: ['NL'], to: ['NL'], parcels: [pallet()], recipientType: 'business' },
    { 1501: 71.07, 1502: 92.38, 1601: 113.52 },
  ],
  [
    'documents within the Netherlands',
    { from: ['NL'], to: ['NL'], parcels: [{ type: 'DOC', count: 1 }] },
    { 1302: 3.95, 1102: 20.11 },
  ],
  [
    'a pallet to Brazil, which no product carries',
    { from: ['NL'], to: ['BR'], parcels: [pallet()], recipientType: 'business' },
    {},
  ],
]

describe.each(PRICED)('%s', (_name, request, prices) => {
  test('both doors return the same prices, cheapest first', async () => {
    const rest = await throughRest(request)
    expect(rest).toEqual(await throughGraphql(request))
    const options = 'options' in rest ? (rest.options as RestOption[]) : []
    expect(Object.fromEntries(options.map(({ productId, price }) => [productId, price]))).toEqual(prices)
    const inOrder = options.map(({ price }) => price)
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b))
  })
})

/** Requests with the faults expected of both doors. */
const FAULTY: readonly [string, Request, readonly string[]][] = [
  [
    'a parcel without measures to nowhere',
    { from: ['NL'], to: ['XX'], parcels: [{ type: 'NONDOC', count: 1 }] },
    [
      'parcels[0].weight: required for NONDOC',
      'parcels[0].length: required for NONDOC',
      'parcels[0].width: required for NONDOC',
      'parcels[0].height: required for NONDOC',
      'toCountry: must be an ISO 3166-1 alpha-2 country code',
    ],
  ],
  [
    'a pallet without stackable and recipient',
    { from: ['NL'], to: ['NL'], parcels: [pallet({ stackable: undefined })] },
    ['parcels[0].stackable: required for PALLET', 'recipientType: required for PALLET'],
  ],
  [
    'two parcel types',
    { from: ['NL'], to: ['NL'], parcels: [parcel(), { type: 'DOC', count: 1 }] },
    ['parcels: types cannot be combined: NONDOC and DOC'],
  ],
  [
    'insurance without a value',
    { from: ['NL'], to: ['NL'], parcels: [parcel()], insured: true },
    ['totalValue: required when insured is true'],
  ],
  [
    'a weight of two decimals',
    { from: ['NL'], to: ['NL'], parcels: [parcel(), parcel({ weight: '1.25' })] },
    ['parcels[1].weight: must be a number with at most 1 decimal'],
  ],
]

describe.each(FAULTY)('%s', (_name, request, faults) => {
  test('both doors refuse it with the same faults', async () => {
    expect(await throughRest(request)).toEqual({ faults })
    expect(await throughGraphql(request)).toEqual({ faults })
  })
})

test('returns the price at another instant in GraphQL', async () => {
  const input = (asOf: string) => ({
    from: { country: 'NL' },
    to: { country: 'NL' },
    recipientType: 'INDIVIDUAL',
    parcels: [{ type: 'NONDOC', weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }],
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
      parcels: [{ type: 'NONDOC', weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }],
      filter,
      sort: 'TRANSIT',
    },
  })
  const { options } = data?.['rates'] as Extract<GraphqlResult, { __typename: 'RateQuote' }>
  expect(options.map(({ product }) => product.id)).toEqual(['1202', '1201'])
})
