/** Requests that are answered with a compiled query get the same response as from Apollo and graphql-js. */
import { setTimeout as delay } from 'node:timers/promises'
import { ApolloServer } from '@apollo/server'
import { makeExecutableSchema } from '@graphql-tools/schema'
import fc from 'fast-check'
import {
  buildSchema,
  getIntrospectionQuery,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
} from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import type { Context } from '../../../src/graphql/context.ts'
import { type CompiledQueries, openCompiledQueries } from '../../../src/graphql/execution/compiled-queries.ts'
import { EXAMPLES } from '../../../src/graphql/playground/examples.ts'
import { readSchemaText } from '../../../src/graphql/schema-files.ts'
import { RequestStopped, type Turns, UNLIMITED_ALLOWANCE } from '../../../src/operations/ports/work.ts'
import { readDocuments } from '../../docs/pages.ts'
import { DEMO, openTestApp, type TestApp } from '../../support/app/test-app.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { fakePorts } from '../fake-ports.ts'
import { Outage, openInstance } from '../instance.ts'
import { type RandomRoot, randomDocument } from '../random-document.ts'
import { rewritten } from '../random-syntax.ts'

let executions: MockInstance
beforeEach(() => {
  executions = vi.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest')
})

type Send<Response> = () => Promise<Response>

/**
 * Compilation takes a limited share of the time, so it can take more than three requests, and seconds on a busy
 * machine.
 */
const MAX_REQUESTS = 2_000

/** The long forms of the tests with random documents take minutes. */
const LONG_TEST_MS = 1_200_000

/** The response without and with Apollo. Throws if Apollo executes all requests. */
async function sendBoth<Response>(send: Send<Response>): Promise<{ apollo: Response; compiled: Response }> {
  executions.mockClear()
  const apollo = await send()
  expect(executions).toHaveBeenCalledOnce()
  for (let requests = 1; requests < MAX_REQUESTS; requests++) {
    executions.mockClear()
    const compiled = await send()
    if (executions.mock.calls.length === 0) return { apollo, compiled }
    if (requests > 20) await delay(10)
  }
  throw new Error('the query was not compiled')
}

describe('in the app,', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await openTestApp({ WAYBILL_POINTS_PER_MINUTE: '100000000' })
  })
  afterAll(() => app.close())

  const send = (query: string, variables: object, accept?: string, operationName?: string) => async () => {
    const { statusCode, headers, body } = await app.app.server.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', 'x-pp-api': DEMO, ...(accept && { accept }) },
      payload: JSON.stringify({ query, variables, operationName }),
    })
    const { date: _date, 'x-request-id': _id, ...rest } = headers
    const kept = Object.entries(rest).filter(([name]) => !name.startsWith('ratelimit-'))
    return { statusCode, headers: Object.fromEntries(kept), body }
  }

  async function expectSame(query: string, variables: object, accept?: string): Promise<void> {
    const { apollo, compiled } = await sendBoth(send(query, variables, accept))
    expect(compiled).toEqual(apollo)
    expect(compiled.statusCode).toBe(200)
  }

  const isQuery = (query: string) => getOperationAST(parse(query))?.operation === 'query'

  test.each(EXAMPLES.filter(({ query }) => isQuery(query)))('a tab of the playground: $query', (example) =>
    expectSame(example.query, example.variables))

  test.each(
    readDocuments().filter(({ text, isRefused }) => isQuery(text) && !isRefused),
  )('an example of $page, line $line', ({ text, variables }) => expectSame(text, variables))

  test.each([
    'application/json',
    'application/graphql-response+json',
    'application/graphql-response+json,application/json;q=0.9',
    '*/*',
  ])('a request that accepts %s', (accept) => expectSame('{ carriers { id } }', {}, accept))

  const schema = buildSchema(readSchemaText())

  /** The same query in a text that was not sent before. Random documents repeat, and are compiled then. */
  const neverSent = (query: string): string => `# ${++sentQueries}\n${query}`
  let sentQueries = 0

  test(
    'random documents',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomDocument(schema, RANDOM_ROOTS), ({ query, variables }) =>
          expectSame(neverSent(query), variables),
        ),
        { numRuns: caseCount(15, 1_000) },
      )
    },
    LONG_TEST_MS,
  )

  test(
    'random documents in unusual forms',
    async () => {
      const documents = rewritten(schema, randomDocument(schema, RANDOM_ROOTS))
      const outcomes = { compiled: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(documents, async ({ query, variables, operationName }) => {
          // Earlier cases may have compiled the same query.
          const text = `${query} # ${outcomes.compiled}`
          const request = send(text, variables, undefined, operationName)
          const { statusCode, body } = await request()
          // Refused because of its cost or its variables.
          if (statusCode !== 200) return void outcomes.refused++
          outcomes.compiled++
          expect(body).not.toContain('"errors"')
          const { apollo, compiled } = await sendBoth(request)
          expect(compiled).toEqual(apollo)
        }),
        { numRuns: caseCount(20, 2_000) },
      )
      expect(outcomes.compiled).toBeGreaterThan(3 * outcomes.refused)
    },
    LONG_TEST_MS,
  )
})

const PARCEL = { count: 1, weightKg: '5', lengthCm: 40, widthCm: 30, heightCm: 20 }
const RATES = {
  from: { country: 'NL' },
  to: { country: 'ES' },
  parcels: { boxes: [PARCEL] },
  recipientType: 'BUSINESS',
}
const GOODS = [
  { description: 'cotton t-shirt', count: 2, value: { amount: '25' }, hsCode: '610910' },
  { description: 'ceramic mug', count: 1, value: { amount: '9.95' } },
]
const ESTIMATE = { from: { country: 'US' }, to: { country: 'NL' }, contentItems: GOODS }

const RANDOM_ROOTS: readonly RandomRoot[] = [
  {
    field: 'rates',
    variables: { input: 'RatesInput!' },
    values: [{ input: RATES }, { input: { ...RATES, parcels: { boxes: [] } } }],
  },
  { field: 'ratesBatch', variables: { inputs: '[RatesInput!]!' }, values: [{ inputs: [RATES, RATES] }] },
  { field: 'dutiesEstimate', variables: { input: 'DutiesEstimateInput!' }, values: [{ input: ESTIMATE }] },
  {
    field: 'landedCost',
    variables: { input: 'LandedCostInput!' },
    values: [{ input: { rates: { ...RATES, to: { country: 'US' } }, contentItems: GOODS } }],
  },
  { field: 'carriers', variables: {}, values: [{}] },
  { field: 'shipment', variables: { id: 'ID!' }, values: [{ id: 'demo-booked' }, { id: 'none' }] },
]

const CARRIERS = 'query A { carriers { id name } } query B { carriers { name } }'
const RATES_QUERY = 'query ($input: RatesInput!) { rates(input: $input) { __typename } }'

const KIND =
  'query ($name: String!, $on: Boolean = true) { __type(name: $name) { kind name @include(if: $on) } }'

describe('introspection', () => {
  test.each([
    ['of tools', getIntrospectionQuery()],
    [
      'of tools, with all options',
      getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, schemaDescription: true }),
    ],
    [
      'in a fragment',
      '{ ...Root t: __typename } fragment Root on Query { __schema { directives(includeDeprecated: true) { name } } }',
    ],
  ])('%s is answered with the kept response', async (_name, query) => {
    const { ask } = openInstance()
    const { apollo, compiled } = await sendBoth(async () => (await ask(query)).text)
    expect(compiled).toBe(apollo)
  })

  test('is kept for each value of the variables', async () => {
    const [keeping, plain] = [openInstance(), openInstance({ compiledQueries: false })]
    const values = ['Query', 'Money', 'no', '"', 'x'.repeat(1_000)].flatMap((name) => [
      { name },
      { name, on: false },
      { name, on: true },
    ])
    for (const variables of [...values, ...values, ...values]) {
      expect((await keeping.ask(KIND, variables)).text).toBe((await plain.ask(KIND, variables)).text)
      await delay(10)
    }
    const { compiled } = await sendBoth(async () => (await keeping.ask(`${KIND} `, values[0])).text)
    expect(compiled).toBe('{"data":{"__type":{"kind":"OBJECT","name":"Query"}}}')
  })

  test('is charged, and refused if the variables are null', async () => {
    const charged: number[] = []
    const { ask } = openInstance({
      allowance: { charge: (points) => void charged.push(points), overdraw: () => {} },
    })
    await sendBoth(async () => (await ask(KIND, { name: 'Query' })).text)
    charged.length = 0
    expect((await ask(KIND, { name: 'Query' })).status).toBe(200)
    expect(charged).toHaveLength(1)
    for (const variables of [{ name: null }, { name: 'Query', on: null }])
      expect(await ask(KIND, variables)).toMatchObject({ status: 400, errors: [{}] })
  })

  test('next to other fields is left to Apollo', async () => {
    const { ask } = openInstance()
    executions.mockClear()
    for (let request = 0; request < 10; request++)
      await ask('{ __schema { types { name } } carriers { id } }')
    expect(executions).toHaveBeenCalledTimes(10)
  })
})

describe('a compiled query', () => {
  test('is used from the fourth request on', async () => {
    const { ask } = openInstance()
    for (let request = 0; request < 3; request++) await ask('{ carriers { id } }')
    expect(executions).toHaveBeenCalledTimes(3)
    await ask('{ carriers { id } }')
    expect(executions).toHaveBeenCalledTimes(3)
  })

  test('is not used if compiled queries are disabled', async () => {
    const { ask } = openInstance({ compiledQueries: false })
    for (let request = 0; request < 10; request++) await ask('{ carriers { id } }')
    expect(executions).toHaveBeenCalledTimes(10)
  })

  test.each(['A', 'B'])('of a document with several operations is %s if that is named', async (name) => {
    const { app } = openInstance()
    const send = async () => {
      const { body } = await app.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/json', 'x-pp-api': DEMO },
        payload: { query: CARRIERS, operationName: name },
      })
      return body
    }
    const { apollo, compiled } = await sendBoth(send)
    expect(compiled).toBe(apollo)
  })

  test('depends on the variables of @include and @skip', async () => {
    const query =
      'query ($on: Boolean!) { carriers { id name @include(if: $on) products @skip(if: $on) { id } } }'
    const responses = new Map<boolean, string>()
    for (const on of [true, false]) {
      const { ask } = openInstance()
      const { apollo, compiled } = await sendBoth(async () => (await ask(query, { on })).text)
      expect(compiled).toBe(apollo)
      responses.set(on, apollo)
    }
    const { ask } = openInstance()
    for (let request = 0; request < 20; request++) {
      const on = request % 2 === 0
      expect((await ask(query, { on })).text).toBe(responses.get(on))
    }
  })

  test('is charged once', async () => {
    const charged: number[] = []
    const charge = (points: number) => {
      charged.push(points)
      return undefined
    }
    const { ask } = openInstance({ allowance: { charge, overdraw: () => {} } })
    await sendBoth(async () => (await ask('{ carriers { id } }')).text)
    expect(new Set(charged)).toEqual(new Set([1]))
  })

  test.each([
    [{}],
    [{ input: null }],
    [{ input: { ...RATES, from: {} } }],
    [{ input: { ...RATES, parcels: { boxes: [{ ...PARCEL, type: 'BOX' }] } } }],
  ])('leaves requests with the invalid variables %j to Apollo', async (variables) => {
    const { ask } = openInstance()
    const withoutId = async () => {
      const { status, errors } = await ask(RATES_QUERY, variables)
      return { status, errors }
    }
    const expected = await withoutId()
    await sendBoth(async () => (await ask(RATES_QUERY, { input: RATES })).text)
    executions.mockClear()
    expect(await withoutId()).toEqual(expected)
    expect(executions).toHaveBeenCalledOnce()
  })

  test.each([
    '{ carriers { id } }',
    '{ carriers { ...Name } } fragment Name on Carrier { id @skip(if: $on) }',
  ])('leaves requests with null for a condition to Apollo: %s', async (selection) => {
    const { ask, faults } = openInstance()
    const query = `query ($on: Boolean = true) ${selection.replace('{ carriers', '{ carriers @include(if: $on)')}`
    await sendBoth(async () => (await ask(query, { on: true })).text)
    for (let request = 0; request < 3; request++)
      expect(await ask(query, { on: null })).toMatchObject({
        ...{ status: 400, data: undefined },
        errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
      })
    expect(faults).toEqual([])
    const { apollo, compiled } = await sendBoth(async () => (await ask(`${query} `, { on: false })).text)
    expect(compiled).toBe(apollo)
  })

  test('leaves requests beyond the allowance to Apollo', async () => {
    let isExhausted = false
    const { ask } = openInstance({
      allowance: { charge: () => (isExhausted ? 7 : undefined), overdraw: () => {} },
    })
    await sendBoth(async () => (await ask('{ carriers { id } }')).text)
    isExhausted = true
    expect(await ask('{ carriers { id } }')).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
  })

  test.each([
    ['a fault', () => new Error('a secret'), 200, 'INTERNAL_SERVER_ERROR'],
    ['an outage', () => new Outage('a secret'), 503, 'SERVICE_UNAVAILABLE'],
  ])('leaves requests with %s to graphql-js, which reports it once', async (_name, create, status, code) => {
    let failure: Error | undefined
    const charged: number[] = []
    const { ask, faults } = openInstance({
      ports: fakePorts({
        store: {
          findMany: async () => {
            if (failure !== undefined) throw failure
            return []
          },
        },
      }),
      allowance: {
        charge: (points) => {
          charged.push(points)
          return undefined
        },
        overdraw: () => {},
      },
    })
    const query = '{ shipment(id: "s1") { id } carriers { id } }'
    await sendBoth(async () => (await ask(query)).text)
    failure = create()
    charged.length = 0
    const response = await ask(query)
    expect(response).toMatchObject({ status, errors: [{ path: ['shipment'], extensions: { code } }] })
    expect(charged).toHaveLength(1)
    expect(faults).toHaveLength(1)
  })

  test('stops at the deadline with the response of Apollo', async () => {
    let isLate = false
    const turns: Turns = {
      over: () => isLate,
      next: async () => {
        throw new RequestStopped('deadline')
      },
    }
    const { ask, lines } = openInstance({ turns: () => turns })
    const variables = { input: RATES }
    isLate = true
    const { status, headers, errors } = await ask(RATES_QUERY, variables)
    isLate = false
    await sendBoth(async () => (await ask(RATES_QUERY, variables)).text)
    isLate = true
    executions.mockClear()
    expect(await ask(RATES_QUERY, variables)).toMatchObject({ status, errors })
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '2' })
    expect(executions).not.toHaveBeenCalled()
    expect(lines.map(({ msg }) => msg)).toEqual(Array(2).fill('the request reached its deadline'))
  })
})

describe('compiled queries take a limited amount of memory:', () => {
  const FIELDS = Array.from({ length: 100 }, (_unused, index) => `f${index}`)
  const schema = makeExecutableSchema({
    typeDefs: `type Query { a: Node } type Node { ${FIELDS.map((field) => `${field}: String`).join(' ')} }`,
    resolvers: { Query: { a: () => ({}) } },
  })
  const context = { effects: {}, allowance: UNLIMITED_ALLOWANCE } as Context
  const open = () =>
    openCompiledQueries(
      schema,
      () => undefined,
      () => 0,
    )

  /** A short text with 900 fields. */
  const queryOf = (name: string) => {
    const roots = Array.from({ length: 9 }, (_unused, index) => `r${index}: a { ...F }`).join(' ')
    const conditions = ['x', 'y', 'z'].map((on) => `${on}: __typename @include(if: $${on})`).join(' ')
    return `query ${name}($x: Boolean!, $y: Boolean!, $z: Boolean!) { ${roots} ${conditions} } fragment F on Node { ${FIELDS.join(' ')} }`
  }

  /** Compiles all variants of a query. Returns whether each is executed. */
  const executeAll = (queries: CompiledQueries, query: string): readonly boolean[] => {
    const document = parse(query)
    const operation = getOperationAST(document) as OperationDefinitionNode
    // Three times, or up to eight more if the cache is full.
    for (let times = 0; times < 10; times++) queries.admitted({ request: { query }, document, operation })
    return Array.from({ length: 8 }, (_unused, bits) => {
      const variables = { x: (bits & 1) > 0, y: (bits & 2) > 0, z: (bits & 4) > 0 }
      return (
        queries.execute({ query, operationName: undefined, variables, isGet: false }, context) !== undefined
      )
    })
  }

  test('the least recently used query is dropped if there is too much code', () => {
    const queries = open()
    const isCompiled = (query: string) =>
      queries.execute(
        { query, operationName: undefined, variables: { x: true, y: true, z: true }, isGet: false },
        context,
      ) !== undefined
    const names = Array.from({ length: 30 }, (_unused, index) => `Q${index}`)
    for (const name of names) expect(executeAll(queries, queryOf(name))).toEqual(Array(8).fill(true))
    const compiled = names.map(queryOf).filter(isCompiled)
    expect(compiled.length).toBeGreaterThan(1)
    expect(compiled.length).toBeLessThan(20)
    expect(compiled).toContain(queryOf('Q29'))
  })

  test('some of the queries stay compiled if more than 500 take turns', () => {
    const queries = open()
    const documents = Array.from({ length: 1_000 }, (_unused, index) => {
      const query = `{ a { f0 } } # ${index}`
      const document = parse(query)
      return { query, document, operation: getOperationAST(document) as OperationDefinitionNode }
    })
    let compiled = 0
    for (let round = 0; round < 13; round++) {
      compiled = 0
      for (const { query, document, operation } of documents) {
        const request = { query, operationName: undefined, variables: {}, isGet: false }
        if (queries.execute(request, context) !== undefined) compiled++
        else queries.admitted({ request: { query }, document, operation })
      }
    }
    expect(compiled).toBeGreaterThan(400)
    // A new query is still compiled.
    expect(executeAll(queries, queryOf('New'))).toEqual(Array(8).fill(true))
  })

  test('a query with too many fields is not compiled', () => {
    const query = queryOf('Q').replace('r0:', 's: a { ...F } t: a { ...F } r0:')
    expect(executeAll(open(), query)).toEqual(Array(8).fill(false))
  })

  test('only a limited length of texts is counted', () => {
    const queries = open()
    const counted = (query: string) => {
      const document = parse(query)
      const operation = getOperationAST(document) as OperationDefinitionNode
      queries.admitted({ request: { query }, document, operation })
      return (
        queries.execute({ query, operationName: undefined, variables: {}, isGet: false }, context) !==
        undefined
      )
    }
    const texts = Array.from(
      { length: 100 },
      (_unused, index) => `{ a { f0 } } # ${'x'.repeat(29_900)}${index}`,
    )
    for (let times = 0; times < 4; times++) for (const text of texts) expect(counted(text)).toBe(false)
  })
})
