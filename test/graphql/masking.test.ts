import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { fakePorts, shipment } from './fake-ports.ts'
import { Outage, openInstance } from './instance.ts'

function failing(error: unknown) {
  const fail = async () => {
    throw error
  }
  const rateBook = () => {
    throw error
  }
  const ports = fakePorts({ store: { list: fail, findMany: fail, attempts: fail }, reference: { rateBook } })
  return openInstance({ ports })
}

const SECRET = 'relation "account_secret" does not exist'

describe('a fault of ours', () => {
  const thrown: [string, unknown][] = [
    ['an error', new Error(SECRET)],
    [
      'an error that calls itself the caller’s',
      Object.assign(new Error(SECRET), { extensions: { code: 'BAD_USER_INPUT' } }),
    ],
    ['a GraphQL error of a library', new GraphQLError(SECRET)],
    ['an error with a cause', new Error('outer', { cause: new Error(SECRET) })],
    ['text', SECRET],
  ]
  for (const [name, error] of thrown)
    test(`${name} is hidden and logged under the request id`, async () => {
      const { ask, faults } = failing(error)
      const { text, errors, headers } = await ask('{ shipments { edges { cursor } } }')
      expect(text).not.toContain('account_secret')
      expect(errors).toEqual([
        expect.objectContaining({
          message: 'Internal error',
          path: ['shipments'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        }),
      ])
      expect(faults).toHaveLength(1)
      expect(faults[0]).toMatchObject({ requestId: headers['x-request-id'] })
    })

  test('a fault of a synchronous resolver is hidden as well', async () => {
    const { ask, faults } = failing(new Error(SECRET))
    const { text, errors } = await ask('{ carriers { id } }')
    expect(text).not.toContain('account_secret')
    expect(errors[0]).toMatchObject({ message: 'Internal error' })
    expect(faults).toHaveLength(1)
  })

  test('a value that does not fit the schema is a fault, not an answer', async () => {
    const broken = shipment({ createdAt: 7 as unknown as string })
    const { ask, faults } = openInstance({ ports: fakePorts({ shipments: [broken] }) })
    const { errors } = await ask('{ shipment(id: "demo-booked") { createdAt } }')
    expect(errors[0]).toMatchObject({
      message: 'Internal error',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    })
    expect(faults).toHaveLength(1)
  })

  test('one failed statement behind many fields is logged once', async () => {
    const shipments = ['a', 'b', 'c'].map((shipmentId) => shipment({ shipmentId }))
    const fail = async () => {
      throw new Error(SECRET)
    }
    const { ask, faults } = openInstance({ ports: fakePorts({ shipments, store: { attempts: fail } }) })
    const { text, errors } = await ask('{ shipments { edges { node { cancellations { at } } } } }')
    expect(text).not.toContain('account_secret')
    expect(errors.length).toBeGreaterThan(0)
    expect(faults).toHaveLength(1)
  })
})

describe('an outage', () => {
  const UNAVAILABLE = {
    message: 'The service is temporarily unavailable; try again shortly',
    extensions: { code: 'SERVICE_UNAVAILABLE' },
  }

  test('is 503 with Retry-After, and logged', async () => {
    const { ask, faults } = failing(new Outage('connect ECONNREFUSED 10.0.0.7'))
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const answer = await ask('{ shipments { edges { cursor } } }', undefined, { accept })
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('2')
      expect(answer.text).not.toContain('10.0.0.7')
      expect(answer.errors).toEqual([expect.objectContaining(UNAVAILABLE)])
    }
    expect(faults).toHaveLength(2)
  })

  test('behind a nullable field is 503 as well', async () => {
    const { ask } = failing(new Outage('gone'))
    const answer = await ask('{ shipment(id: "x") { id } }')
    expect(answer).toMatchObject({ status: 503, data: { shipment: null }, errors: [UNAVAILABLE] })
  })
})

test('what the request itself causes is told and not logged', async () => {
  const { ask, faults } = openInstance()
  const mistakes: [string, unknown, string][] = [
    ['{ carriers {', undefined, 'GRAPHQL_PARSE_FAILED'],
    ['{ nope }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ['query ($id: ID!) { shipment(id: $id) { id } }', {}, 'BAD_USER_INPUT'],
    ['query ($n: Int) { shipments(first: $n) { edges { cursor } } }', { n: 1.5 }, 'BAD_USER_INPUT'],
    ['query A { carriers { id } } query B { carriers { id } }', undefined, 'OPERATION_RESOLUTION_FAILURE'],
  ]
  for (const [query, variables, code] of mistakes) {
    const { status, errors } = await ask(query, variables)
    expect(status).toBe(400)
    expect(errors[0]?.extensions).toEqual({ code })
    expect(errors[0]?.message).not.toBe('Internal error')
  }
  expect(faults).toEqual([])
})
