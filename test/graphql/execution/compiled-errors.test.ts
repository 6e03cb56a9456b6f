/**
 * Requests that fail get the same response, and the same lines in the log, whether compiled queries are enabled or not.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ApolloServer } from '@apollo/server'
import { GraphQLError } from 'graphql'
import { beforeAll, expect, test, vi } from 'vitest'
import type { ShipmentStore } from '../../../src/operations/ports/shipments.ts'
import { RequestStopped, type Turns } from '../../../src/operations/ports/work.ts'
import { type FakePorts, fakePorts, shipment } from '../fake-ports.ts'
import { CREDENTIALS, type Instance, Outage, openInstance } from '../instance.ts'

const SECRET = 'canary-of-a-secret'

/** The values that fields throw, or reject with. */
const FAILURES: readonly (readonly [string, () => unknown])[] = [
  ['a fault', () => new Error(SECRET)],
  ['an outage', () => new Outage(SECRET)],
  ['a deadline', () => new RequestStopped('deadline')],
  ['a disconnected client', () => new RequestStopped('disconnected')],
  ['a GraphQL error', () => new GraphQLError('too much', { extensions: { code: 'BAD_USER_INPUT' } })],
  ['a GraphQL error without a code', () => new GraphQLError(SECRET)],
  [
    'a fault that looks like an error of the request',
    () => Object.assign(new Error(SECRET), { extensions: { code: 'BAD_USER_INPUT' } }),
  ],
  ['a fault with a path', () => Object.assign(new Error(SECRET), { path: ['x'], locations: [{ line: 9 }] })],
  ['text', () => SECRET],
  ['null', () => null],
  ['undefined', () => undefined],
]

/** Set while a request is sent: the method that fails, and its result. */
let failing: { readonly name: string; readonly fail: () => unknown } | undefined

const shipments = ['s1', 's2', 's3'].map((shipmentId) => shipment({ shipmentId }))

function failingPorts(): FakePorts {
  const ports = fakePorts({
    shipments,
    contents: shipments.map(({ shipmentId }) => ({ shipmentId, parcels: [], contentItems: [] }) as never),
  })
  const wrap = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(object, name, receiver) {
        const value: unknown = Reflect.get(object, name, receiver)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => (failing?.name === name ? failing.fail() : value.apply(object, given))
      },
    })
  return { ...ports, shipments: wrap(ports.shipments), reference: wrap(ports.reference) }
}

/** `turns` end when `isStopped` is true. */
let isStopped = false
const turns: Turns = {
  over: () => isStopped,
  next: async () => {
    throw new RequestStopped('deadline')
  },
}

const instances = [true, false].map((compiledQueries) =>
  openInstance({ ports: failingPorts(), compiledQueries, turns: () => turns }),
)
const [compiling, plain] = instances as [Instance, Instance]

const QUERY = `query All($on: Boolean!) {
  a: shipment(id: "s1") { id carrier { id name products { id name } } product { id carrier { name } }
    parcels { count } contentItems { description } pendingCancelAttempt { outcome } cancelAttempts { outcome sends } }
  b: shipment(id: "s2") { id ...Rest @include(if: $on) }
  none: shipment(id: "none") { id }
  shipments(first: 2) { __typename totalCount nodes { ...Rest } edges { cursor } }
  carriers { id name }
  _entities(representations: [{ __typename: "Shipment", id: "s3" }]) { ... on Shipment { state carrier { name } } }
}
fragment Rest on Shipment { state pendingCancelAttempt { retryAfterSeconds } contentItems { description } product { name } }`

async function send({ app, faults, lines }: Instance, accept: string, query = QUERY) {
  const [faultsBefore, linesBefore] = [faults.length, lines.length]
  const { statusCode, headers, body } = await app.inject({
    ...{ method: 'POST', url: '/graphql', payload: { query, variables: { on: true } } },
    headers: { 'x-pp-api': CREDENTIALS, 'x-request-id': 'an-id', accept },
  })
  const kept = Object.entries(headers).filter(([name]) => name !== 'date' && !name.startsWith('ratelimit-'))
  return {
    ...{ statusCode, headers: Object.fromEntries(kept), body },
    faults: faults.slice(faultsBefore).map(({ error }) => String(error)),
    lines: lines.slice(linesBefore).map(({ msg }) => msg),
  }
}

const ACCEPTED = ['application/json', 'application/graphql-response+json']

beforeAll(async () => {
  const executions = vi.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest')
  for (const accept of ACCEPTED)
    for (let requests = 0; ; requests++) {
      if (requests > 200) throw new Error('the query was not compiled')
      executions.mockClear()
      const { statusCode, body } = await send(compiling, accept)
      expect({ statusCode, errors: JSON.parse(body).errors }).toEqual({ statusCode: 200 })
      if (executions.mock.calls.length === 0) break
      if (requests > 20) await delay(10)
    }
})

async function expectSame(accept: string) {
  const expected = await send(plain, accept)
  expect(await send(compiling, accept)).toEqual(expected)
  expect(expected.body).not.toContain(SECRET)
  return expected
}

const METHODS: readonly (keyof ShipmentStore | 'rateBook')[] = [
  ...(['findMany', 'list', 'count', 'contentSizes', 'contents', 'attempts', 'rateBook'] as const),
]

for (const name of METHODS)
  for (const accept of ACCEPTED)
    test.each(FAILURES)(`${name} fails with %s: ${accept}`, async (_name, create) => {
      const rejections = [
        () => {
          throw create()
        },
        () => Promise.reject(create()),
        async () => {
          await delay(1)
          throw create()
        },
      ]
      // Rate books are read without a promise.
      for (const fail of name === 'rateBook' ? rejections.slice(0, 1) : rejections) {
        failing = { name, fail }
        try {
          const { statusCode } = await expectSame(accept)
          expect([200, 400, 500, 503]).toContain(statusCode)
        } finally {
          failing = undefined
        }
      }
      // The failure leaves nothing behind.
      expect((await expectSame(accept)).body).not.toContain('errors')
    })

test.each(METHODS)('%s returns values that do not match the schema', async (name) => {
  const values = [
    ...[undefined, null, 'text', 7, {}, [null], [{}]],
    [{ shipmentId: 's1', state: 'unknown' }],
    [{ ...shipment({ shipmentId: 's1' }), createdAt: null }],
    { kind: 'Page', edges: [null], hasNextPage: 1, hasPreviousPage: null },
    { kind: 'Page', edges: [{ cursor: null, node: shipments[0] }] },
    Number.NaN,
    new Error(SECRET),
  ]
  for (const value of values)
    for (const fail of [() => value, () => Promise.resolve(value)]) {
      failing = { name, fail }
      try {
        await expectSame('application/json')
      } finally {
        failing = undefined
      }
    }
})

test.each(ACCEPTED)('the request is stopped: %s', async (accept) => {
  isStopped = true
  try {
    await expectSame(accept)
  } finally {
    isStopped = false
  }
})
