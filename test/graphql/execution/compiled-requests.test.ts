/** Requests in unusual forms get the same response whether compiled queries are enabled or not. */
import { setTimeout as delay } from 'node:timers/promises'
import { ApolloServer } from '@apollo/server'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { fakePorts, shipment } from '../fake-ports.ts'
import { CREDENTIALS, type Instance, openInstance } from '../instance.ts'

afterEach(() => vi.restoreAllMocks())

const shipments = ['s1', 's2', 's3'].map((shipmentId) => shipment({ shipmentId }))
const compiling = openInstance({ ports: fakePorts({ shipments }) })
const plain = openInstance({ ports: fakePorts({ shipments }), compiledQueries: false })

type Headers = Readonly<Record<string, string>>

async function send({ app }: Instance, payload: string | Buffer, headers: Headers = {}) {
  const {
    statusCode,
    headers: answered,
    body,
  } = await app.inject({
    ...{ method: 'POST', url: '/graphql', payload },
    headers: {
      ...{ 'content-type': 'application/json', 'x-pp-api': CREDENTIALS, 'x-request-id': 'an-id' },
      ...headers,
    },
  })
  const kept = Object.entries(answered).filter(([name]) => name !== 'date' && !name.startsWith('ratelimit-'))
  return { statusCode, headers: Object.fromEntries(kept), body }
}

/** Sends the request until it is answered with a compiled query. */
async function compile(body: object): Promise<void> {
  const executions = vi.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest')
  for (let requests = 0; requests < 200; requests++) {
    executions.mockClear()
    const { statusCode } = await send(compiling, JSON.stringify(body))
    expect(statusCode).toBe(200)
    if (executions.mock.calls.length === 0) return
    // Compilation takes a limited share of the time.
    if (requests > 20) await delay(10)
  }
  throw new Error('the query was not compiled')
}

async function expectSame(payload: string | Buffer, headers?: Headers) {
  const expected = await send(plain, payload, headers)
  // Twice, because an answer must not depend on earlier requests.
  for (let repeat = 0; repeat < 2; repeat++)
    expect(await send(compiling, payload, headers), payload.toString()).toEqual(expected)
  return expected
}

const RATES = `query Rates($input: RatesInput!) {
  rates(input: $input) { __typename ... on RateQuote { options { price { amount } product { id name } } }
    ... on InputProblem { message fields { path code message } } }
}`
const PARCEL = { count: 1, weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20 }
const INPUT = { from: { country: 'NL' }, to: { country: 'ES' }, parcels: { boxes: [PARCEL] } }
const LIST = `query Ships($first: Int = 2, $filter: ShipmentFilter, $sort: ShipmentSort! = OLDEST, $on: Boolean! = true) {
  shipments(first: $first, filter: $filter, sort: $sort) {
    nodes { id @include(if: $on) state ...Dates @skip(if: $on) } totalCount
  }
}
fragment Dates on Shipment { createdAt updatedAt }`
const NESTED = `query ($country: CountryCode!, $kg: Decimal!, $parcel: BoxInput!, $sort: RateSort) {
  rates(input: { from: { country: $country }, to: { country: "ES" }, sort: $sort,
    parcels: { boxes: [$parcel, { count: 1, weightKg: $kg, lengthCm: 40, widthCm: 30, heightCm: 20 }] } }) {
    ... on RateQuote { options { price { amount } } }
    ... on InputProblem { fields { path code message } }
  }
}`
const MIXED = 'query A { carriers { id } } query B { carriers { name __typename t: __typename } __typename }'

const COMPILED: Readonly<Record<string, object>> = {
  rates: { query: RATES, operationName: 'Rates', variables: { input: INPUT } },
  list: { query: LIST, variables: {} },
  nested: { query: NESTED, variables: { country: 'NL', kg: '5', parcel: PARCEL } },
  mixed: { query: MIXED, operationName: 'B' },
  shipment: { query: 'query ($id: ID!) { shipment(id: $id) { id } }', variables: { id: 's1' } },
}

beforeAll(async () => {
  for (const body of Object.values(COMPILED)) await compile(body)
})

/** Values for a place in the variables, as JSON. */
const VALUES = [
  ...['null', '""', '"x"', '[]', '[null]', '{}', '[[]]', 'true', '0', '-0', '-1', '1.0', '1.5', '1e400'],
  ...['12345678901234567890', '1e21', '5e-324', '2147483648', '"5"', '"5.00"', '"1e3"', '"NaN"', '" 5 "'],
  ...['"a\\u2028b"', '"\\u0000"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\u007f\\n\\t\\""', '"NL"', '"PRICE"'],
  ...['["NL"]', '{"country":"NL"}', '{"__proto__":{}}', '{"__proto__":null,"country":"NL"}', '"__proto__"'],
  ...['"constructor"', '"toString"', '{"toString":1}', `"${'x'.repeat(600)}"`],
]

/** Replaces the value at a path of a JSON object by a JSON text. */
function withValue(body: object, path: string, json: string): string {
  const copy = structuredClone(body)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let inner: Record<string, unknown> = copy as Record<string, unknown>
  for (const step of steps) inner = inner[step] as Record<string, unknown>
  // Not assigned: that would set the prototype if the name is `__proto__`.
  Object.defineProperty(inner, last, { value: '<value>', enumerable: true })
  return JSON.stringify(copy).replace('"<value>"', () => json)
}

test.each([
  ['rates', 'variables'],
  ['rates', 'variables.input'],
  ['rates', 'variables.input.from'],
  ['rates', 'variables.input.from.country'],
  ['rates', 'variables.input.from.city'],
  ['rates', 'variables.input.parcels'],
  ['rates', 'variables.input.parcels.boxes'],
  ['rates', 'variables.input.parcels.documents'],
  ['rates', 'variables.input.parcels.boxes.0'],
  ['rates', 'variables.input.parcels.boxes.0.count'],
  ['rates', 'variables.input.parcels.boxes.0.weightKg'],
  ['rates', 'variables.input.parcels.boxes.0.unknown'],
  ['rates', 'variables.input.insured'],
  ['rates', 'variables.input.totalValue'],
  ['rates', 'variables.input.recipientType'],
  ['rates', 'variables.input.asOf'],
  ['rates', 'variables.input.sort'],
  ['rates', 'variables.input.filter'],
  ['rates', 'variables.input.unknown'],
  ['rates', 'variables.input.__proto__'],
  ['rates', 'variables.other'],
  ['list', 'variables.first'],
  ['list', 'variables.filter'],
  ['list', 'variables.sort'],
  ['list', 'variables.on'],
  ['nested', 'variables.country'],
  ['nested', 'variables.kg'],
  ['nested', 'variables.parcel'],
  ['nested', 'variables.sort'],
  ['shipment', 'variables.id'],
  ['mixed', 'operationName'],
  ['mixed', 'query'],
  ['mixed', 'extensions'],
  ['mixed', 'documentId'],
  ['mixed', 'variables'],
])('%s: any JSON value as %s', async (name, path) => {
  const statuses = new Set<number>()
  for (const value of VALUES) {
    const { statusCode } = await expectSame(withValue(COMPILED[name] ?? {}, path, value))
    statuses.add(statusCode)
  }
  expect([200, 400]).toEqual(expect.arrayContaining([...statuses]))
})

test.each([
  ['repeated keys', '{"query":"{ carriers { id } }","query":"{ carriers { name } }"}'],
  ['repeated variables', `{"query":${JSON.stringify(LIST)},"variables":{"first":1,"first":3}}`],
  ['an unknown operation', JSON.stringify({ query: MIXED, operationName: 'C' })],
  ['several operations without a name', JSON.stringify({ query: MIXED })],
  ['an unknown operation of a compiled query', JSON.stringify({ ...COMPILED['rates'], operationName: 'X' })],
  ['a batch', JSON.stringify([COMPILED['mixed'], COMPILED['mixed']])],
  ['no variables', JSON.stringify({ query: LIST })],
  ['a byte order mark', `\ufeff${JSON.stringify(COMPILED['mixed'])}`],
  ['a byte order mark in the document', JSON.stringify({ ...COMPILED['mixed'], query: `\ufeff${MIXED}` })],
  ['invalid JSON', '{"query":'],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ['spaces', ` \n${JSON.stringify(COMPILED['mixed'])}\n `],
])('%s', async (_name, payload) => {
  await expectSame(payload)
})

/** Whether Apollo executes the request. */
async function isLeftToApollo(send: () => Promise<unknown>): Promise<boolean> {
  const executions = vi.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest').mockClear()
  await send()
  return executions.mock.calls.length > 0
}

describe('extensions', () => {
  test.each([
    [null],
    [{}],
    [{ clientLibrary: { name: '@apollo/client', version: '4.3.8' } }],
  ])('%j have no effect', async (extensions) => {
    const payload = JSON.stringify({ ...COMPILED['rates'], extensions })
    expect((await expectSame(payload)).statusCode).toBe(200)
    expect(await isLeftToApollo(() => send(compiling, payload))).toBe(false)
  })

  test.each([
    ['x'],
    [[]],
    [{ persistedQuery: null }],
    [{ persistedQuery: { version: 1, sha256Hash: 'x' } }],
  ])('%j are left to Apollo', async (extensions) => {
    const payload = JSON.stringify({ ...COMPILED['rates'], extensions })
    await expectSame(payload)
    expect(await isLeftToApollo(() => send(compiling, payload))).toBe(true)
  })
})

describe('GET', () => {
  const get = async ({ app }: Instance, search: string, headers: Headers = {}) => {
    const {
      statusCode,
      headers: answered,
      body,
    } = await app.inject({
      url: `/graphql${search}`,
      headers: { 'x-pp-api': CREDENTIALS, 'x-request-id': 'an-id', ...headers },
    })
    const { date: _date, ...kept } = answered
    const named = Object.entries(kept).filter(([name]) => !name.startsWith('ratelimit-'))
    return { statusCode, headers: Object.fromEntries(named), body }
  }

  const searchOf = (parameters: object): string =>
    `?${new URLSearchParams(
      Object.entries(parameters).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )}`

  const expectSameGet = async (search: string, headers?: Headers) => {
    const expected = await get(plain, search, headers)
    expect(await get(compiling, search, headers), search).toEqual(expected)
    return expected
  }

  test.each(Object.keys(COMPILED))('of a compiled query: %s', async (name) => {
    const search = searchOf(COMPILED[name] ?? {})
    expect((await expectSameGet(search)).statusCode).toBe(200)
    expect(await isLeftToApollo(() => get(compiling, search))).toBe(false)
  })

  test('of static fields has an ETag', async () => {
    const body = { query: '{ carriers { id name } }' }
    await compile(body)
    const search = searchOf(body)
    const { headers } = await expectSameGet(search)
    const etag = String(headers['etag'])
    expect(etag).toMatch(/^W\//)
    expect((await expectSameGet(search, { 'if-none-match': etag })).statusCode).toBe(304)
    expect(await isLeftToApollo(() => get(compiling, search, { 'if-none-match': etag }))).toBe(false)
  })

  test('of a compiled mutation is refused', async () => {
    const body = { query: 'mutation { cancelShipment(input: { shipmentId: "none" }) { __typename } }' }
    await compile(body)
    expect((await expectSameGet(searchOf(body))).statusCode).toBe(405)
  })

  const RATES_SEARCH = searchOf(COMPILED['rates'] ?? {})
  test.each<[string, string, Headers?]>([
    ['an empty operation name', `?query=${encodeURIComponent(LIST)}&operationName=`],
    ['a repeated query', `${RATES_SEARCH}&query=x`],
    ['repeated variables', `${RATES_SEARCH}&variables={}`],
    ['a repeated other parameter', `${RATES_SEARCH}&x=1&x=2`],
    ['variables that are not JSON', `?query=${encodeURIComponent(LIST)}&variables={`],
    ['null as variables', `?query=${encodeURIComponent(LIST)}&variables=null`],
    ['a list as variables', `?query=${encodeURIComponent(LIST)}&variables=[]`],
    ['no text as variables', `?query=${encodeURIComponent(LIST)}&variables=`],
    ['invalid variables', `?query=${encodeURIComponent(LIST)}&variables={"first":"x"}`],
    ['extensions', `${RATES_SEARCH}&extensions={}`],
    ['null as extensions', `${RATES_SEARCH}&extensions=null`],
    ['a hash', `${RATES_SEARCH}&extensions={"persistedQuery":{"version":1,"sha256Hash":"x"}}`],
    ['an unknown operation', `${RATES_SEARCH.replace('operationName=Rates', 'operationName=X')}`],
    ['no query', '?variables={}'],
    ['a Content-Type', RATES_SEARCH, { 'content-type': 'application/json' }],
    ['an unsupported Content-Type', RATES_SEARCH, { 'content-type': 'text/plain' }],
    ['an Accept header', RATES_SEARCH, { accept: 'application/graphql-response+json' }],
    ['an unsupported Accept header', RATES_SEARCH, { accept: 'text/html' }],
    ['If-None-Match', RATES_SEARCH, { 'if-none-match': '*' }],
    ['compression', RATES_SEARCH, { 'accept-encoding': 'gzip' }],
  ])('with %s', async (_name, search, headers) => {
    // The character "{" is not valid in a URL, but clients send it.
    await expectSameGet(search.replaceAll('{', '%7B').replaceAll('"', '%22').replaceAll('}', '%7D'), headers)
  })
})

test.each<Headers>([
  { accept: '' },
  { accept: '*/*' },
  { accept: 'application/graphql-response+json; charset=utf-8, */*;q=0.1' },
  { accept: 'undefined' },
  { accept: 'text/html' },
  { 'content-type': 'application/json; charset=UTF-8' },
  { 'content-type': 'text/plain' },
  { 'content-encoding': 'gzip' },
  { 'accept-encoding': 'gzip;q=1, identity;q=0' },
  { 'apollo-require-preflight': 'x' },
  { 'x-pp-api': 'demo@wrong' },
])('headers %j', async (headers) => {
  for (const body of Object.values(COMPILED)) await expectSame(JSON.stringify(body), headers)
})

test('an operation name that is the first line of another document', async () => {
  const query = '\n{ carriers { id } }'
  await compile({ query: `# a\0${query}` })
  const { statusCode, body } = await expectSame(JSON.stringify({ query, operationName: '# a' }))
  expect(statusCode).toBe(400)
  expect(body).toContain('Unknown operation named')
})
