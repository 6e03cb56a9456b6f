/**
 * Mutations get the same response, and the same lines in the log, whether compiled queries are enabled or not, and each
 * request starts its mutation once, also if reading the result fails.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ApolloServer } from '@apollo/server'
import { GraphQLError } from 'graphql'
import { beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import type { CancelOutcome } from '../../../src/core/shipments/cancellation.ts'
import type { Shipment } from '../../../src/core/shipments/shipment.ts'
import { bookShipment } from '../../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { createDraftShipment } from '../../../src/operations/create-draft-shipment.ts'
import { RequestStopped, type Turns } from '../../../src/operations/ports/work.ts'
import { fakePorts, shipment } from '../fake-ports.ts'
import { CREDENTIALS, type Instance, Outage, openInstance } from '../instance.ts'

const stored = shipment({ shipmentId: 's1', state: 'cancelled' })

/** What the store answers when a shipment is loaded. */
let load: () => Promise<readonly Shipment[]>

/** The turns of a request end when this is true. */
let isStopped = false
const turns: Turns = {
  over: () => isStopped,
  next: async () => {
    throw new RequestStopped('deadline')
  },
}

const instances = [true, false].map((compiledQueries) => {
  const ports = fakePorts({ shipments: [stored] })
  const shipments = { ...ports.shipments, findMany: () => load() }
  return openInstance({ ports: { ...ports, shipments }, compiledQueries, turns: () => turns })
})
const [compiling, plain] = instances as [Instance, Instance]

const CANCEL = `mutation ($id: ID!) { cancelShipment(input: { shipmentId: $id }) {
  __typename ... on ShipmentCancelled { message alreadyCancelled shipment { id state parcels { count } } } } }`
const BOOK = `mutation ($id: ID!) { bookShipment(input: { shipmentId: $id }) {
  ... on ShipmentBooked { alreadyBooked shipment { id state parcels { count } } } } }`
const CREATE = `mutation ($id: ID!) { createDraftShipment(input: { preferredShippingOption: $id, rates: {
    from: { country: "NL" }, to: { country: "ES" }, parcels: { boxes: [] } } }) {
  ... on DraftShipmentCreated { shipment { id state parcels { count } } } } }`

const cancelled: CancelOutcome = {
  ...{ kind: 'ShipmentCancelled', shipmentId: 's1', message: 'done', alreadyCancelled: false },
  ...{ carrierNotified: false, labelMustBeDestroyed: false },
}

const MUTATIONS = [
  ['cancelShipment', CANCEL, vi.mocked(cancelShipment)],
  ['bookShipment', BOOK, vi.mocked(bookShipment)],
  ['createDraftShipment', CREATE, vi.mocked(createDraftShipment)],
] as const

let executions: MockInstance

function mockOperations(): void {
  executions = vi.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest')
  executions.mockClear()
  load = async () => [stored]
  isStopped = false
  for (const [, , operation] of MUTATIONS) operation.mockClear()
  vi.mocked(cancelShipment).mockImplementation(async () => cancelled)
  vi.mocked(bookShipment).mockImplementation(async () => ({
    ...{ kind: 'ShipmentBooked', shipmentId: 's1', carrierRef: 'RP1', alreadyBooked: false },
  }))
  vi.mocked(createDraftShipment).mockImplementation(async () => ({
    ...{ kind: 'DraftShipmentCreated', shipmentId: 's1', shipment: stored, alreadyCreated: false },
  }))
}

beforeEach(mockOperations)

async function send({ app, faults, lines }: Instance, query: string, variables: object = { id: 's1' }) {
  const [faultsBefore, linesBefore] = [faults.length, lines.length]
  const { statusCode, headers, body } = await app.inject({
    ...{ method: 'POST', url: '/graphql', payload: { query, variables } },
    headers: { 'x-pp-api': CREDENTIALS, 'x-request-id': 'an-id' },
  })
  const kept = Object.entries(headers).filter(([name]) => name !== 'date' && !name.startsWith('ratelimit-'))
  return {
    ...{ statusCode, headers: Object.fromEntries(kept), body },
    faults: faults.slice(faultsBefore).map(({ error }) => String(error)),
    lines: lines.slice(linesBefore).map(({ msg }) => msg),
  }
}

/** Sends the request until Apollo no longer executes it. */
async function compile(query: string): Promise<void> {
  for (let requests = 0; requests < 200; requests++) {
    executions.mockClear()
    expect((await send(compiling, query)).statusCode).toBe(200)
    if (executions.mock.calls.length === 0) return
    if (requests > 20) await delay(10)
  }
  throw new Error('the mutation was not compiled')
}

beforeAll(async () => {
  mockOperations()
  for (const [, query] of MUTATIONS) await compile(query)
})

/** Returns the response. Throws unless both instances answer the same and start the mutation once. */
async function expectSame(
  query: string,
  operation: { readonly mock: { readonly calls: readonly unknown[] } },
) {
  const expected = await send(plain, query)
  expect(operation.mock.calls).toHaveLength(1)
  expect(await send(compiling, query)).toEqual(expected)
  expect(operation.mock.calls).toHaveLength(2)
  return expected
}

for (const [name, query, operation] of MUTATIONS) {
  test(`${name} is executed without Apollo`, async () => {
    expect((await expectSame(query, operation)).statusCode).toBe(200)
    // Once for the instance without compiled queries.
    expect(executions).toHaveBeenCalledOnce()
  })

  test.each<[string, () => unknown]>([
    ['a fault', () => new Error('broken')],
    ['an outage', () => new Outage('away')],
    ['a deadline', () => new RequestStopped('deadline')],
    ['a disconnected client', () => new RequestStopped('disconnected')],
    ['an error of GraphQL', () => new GraphQLError('no', { extensions: { code: 'BAD_USER_INPUT' } })],
    ['undefined', () => undefined],
  ])(`${name} is started once if it fails with %s`, async (_name, create) => {
    operation.mockImplementation(async () => {
      await delay(1)
      throw create()
    })
    expect((await expectSame(query, operation)).body).toContain('errors')
    operation.mockClear()
    operation.mockImplementation(() => {
      throw create()
    })
    expect((await expectSame(query, operation)).body).toContain('errors')
  })

  test(`${name} is started once if the response reaches its deadline`, async () => {
    operation.mockImplementation((() => {
      isStopped = true
      return Promise.reject(new RequestStopped('deadline'))
    }) as never)
    expect((await expectSame(query, operation)).statusCode).toBe(503)
  })
}

test.each<[string, () => Promise<readonly Shipment[]>, number]>([
  ['with a fault', () => Promise.reject(new Error('broken')), 200],
  ['with an outage', () => Promise.reject(new Outage('away')), 504],
  ['with a deadline', () => Promise.reject(new RequestStopped('deadline')), 504],
  ['because it is missing', async () => [], 200],
])('a mutation is started once if its shipment cannot be loaded: %s', async (_name, failing, status) => {
  load = failing
  for (const [query, operation] of [
    [CANCEL, vi.mocked(cancelShipment)],
    [BOOK, vi.mocked(bookShipment)],
  ] as const) {
    const { statusCode, body } = await expectSame(query, operation)
    expect([statusCode, body]).toEqual([status, expect.stringContaining('errors')])
    operation.mockClear()
  }
})

test('a mutation is not started if its variables are invalid', async () => {
  for (const instance of instances) {
    expect((await send(instance, CANCEL, { id: {} })).statusCode).toBe(400)
    expect((await send(instance, CANCEL, {})).statusCode).toBe(400)
  }
  expect(cancelShipment).not.toHaveBeenCalled()
})

test('the shipment is not loaded if the cancellation returned it', async () => {
  load = () => Promise.reject(new Error('it was loaded'))
  vi.mocked(cancelShipment).mockImplementation(async () => ({ ...cancelled, shipment: stored }))
  for (const instance of instances)
    expect(JSON.parse((await send(instance, CANCEL)).body).data.cancelShipment.shipment).toMatchObject({
      ...{ id: 's1', state: 'CANCELLED' },
    })
})
