import { GraphQLError } from 'graphql'
import { describe, expect, test, vi } from 'vitest'
import { writeAnswer } from '../../src/graphql/answer.ts'
import { MAX_FAULTS } from '../../src/graphql/presenters/typed.ts'
import { pointsFor } from '../../src/operations/points.ts'
import { demoRateBook } from '../support/rates/demo-rate-book.ts'
import { fakePorts, shipment } from './fake-ports.ts'
import { Outage, openInstance } from './instance.ts'

function failing(error: unknown) {
  const fail = async () => {
    throw error
  }
  const ports = fakePorts({ store: { list: fail, findMany: fail, attempts: fail } })
  return openInstance({ ports })
}

const SECRET = 'relation "account_secret" does not exist'

describe('a fault of the service', () => {
  const thrown: [string, unknown][] = [
    ['an error', new Error(SECRET)],
    [
      'an error with a code for faults of the caller',
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
          message: 'An internal error occurred; quote the request id when you report it',
          path: ['shipments'],
          extensions: { code: 'INTERNAL_SERVER_ERROR' },
        }),
      ])
      expect(faults).toHaveLength(1)
      expect(faults[0]).toMatchObject({ requestId: headers['x-request-id'] })
    })

  test('is hidden if a synchronous resolver throws it', async () => {
    const book = demoRateBook()
    Object.defineProperty(book, 'capitals', {
      get: () => {
        throw new Error(SECRET)
      },
    })
    const { ask, faults } = openInstance({ ports: fakePorts({ reference: { rateBook: () => book } }) })
    const parcels = '{ documents: [{ count: 1 }] }'
    const { text, errors } = await ask(
      `{ rates(input: { from: { country: "NL" }, to: { country: "ES" }, parcels: ${parcels} }) { __typename } }`,
    )
    expect(text).not.toContain('account_secret')
    expect(errors[0]).toMatchObject({
      message: 'An internal error occurred; quote the request id when you report it',
      path: ['rates'],
    })
    expect(faults).toHaveLength(1)
  })

  test('before execution is hidden, and logged once under the request id', async () => {
    for (const [error, status] of [
      [new Error(SECRET), 500],
      [new Outage(SECRET), 503],
    ] as const) {
      const { ask, faults, lines } = openInstance()
      vi.mocked(pointsFor).mockImplementationOnce(() => {
        throw error
      })
      const answer = await ask('{ carriers { id } }')
      expect(answer.status).toBe(status)
      expect(answer.data).toBeUndefined()
      expect(answer.text).not.toContain('account_secret')
      expect(faults).toEqual([{ error, requestId: answer.headers['x-request-id'] }])
      expect(lines).toEqual([])
    }
  })

  test('after execution is hidden, and logged once under the request id', async () => {
    const { ask, faults, lines } = openInstance()
    vi.mocked(writeAnswer).mockRejectedValueOnce(new Error(SECRET))
    const { status, text, errors, headers } = await ask('{ carriers { id } }')
    expect(status).toBe(500)
    expect(text).not.toContain('account_secret')
    expect(errors[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR')
    expect(faults).toEqual([])
    expect(lines).toEqual([
      expect.objectContaining({ level: 'error', requestId: headers['x-request-id'], msg: 'request failed' }),
    ])
  })

  test('is reported if a value does not fit the schema', async () => {
    const broken = Object.assign(shipment(), { createdAt: 7 })
    const { ask, faults } = openInstance({ ports: fakePorts({ shipments: [broken] }) })
    const { errors } = await ask('{ shipment(id: "demo-booked") { createdAt } }')
    expect(errors[0]).toMatchObject({
      message: 'An internal error occurred; quote the request id when you report it',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    })
    expect(faults).toHaveLength(1)
  })

  test('is logged once if one failed statement affects many fields', async () => {
    const shipments = ['a', 'b', 'c'].map((shipmentId) => shipment({ shipmentId }))
    const fail = async () => {
      throw new Error(SECRET)
    }
    const { ask, faults } = openInstance({ ports: fakePorts({ shipments, store: { attempts: fail } }) })
    const { text, errors } = await ask('{ shipments { edges { node { cancelAttempts { createdAt } } } } }')
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

  test('is answered with 503 and Retry-After, and logged', async () => {
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

  test('is answered with 503 if the failed field is nullable', async () => {
    const { ask } = failing(new Outage('gone'))
    const answer = await ask('{ shipment(id: "x") { id } }')
    expect(answer).toMatchObject({ status: 503, data: { shipment: null }, errors: [UNAVAILABLE] })
  })
})

test('errors that the request causes keep their message and are not logged', async () => {
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
    expect(errors[0]?.message).not.toBe('An internal error occurred; quote the request id when you report it')
  }
  expect(faults).toEqual([])
})

describe('the length of error messages', () => {
  const PARCEL = { count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }
  const ROUTE = { from: { country: 'NL' }, to: { country: 'ES' } }
  const RATES = `query ($input: RatesInput!) { rates(input: $input) { ... on InputProblem { message fields { path code message } } } }`
  type Problem = {
    readonly fields: readonly { readonly path: readonly string[]; readonly message: string }[]
  }

  test('is limited if the request contains a very long name', async () => {
    const { ask, faults } = openInstance()
    const long = 'x'.repeat(100_000)
    for (const query of [
      `{ ${long} }`,
      `{ carriers { id(a: "${long}") } }`,
      `{ classify(description: ${long}) { ... on HsCandidates { candidates { hsCode } } } }`,
      `query ($v: ${long}) { carriers { id } }`,
      `{ carriers { id } } ${long}`,
    ]) {
      const { status, text, errors } = await ask(query)
      expect(status).toBe(400)
      expect(text.length).toBeLessThan(10 * 600)
      expect(errors[0]?.message).toMatch(/^.{499}…$|^.{1,499}$/s)
    }
    expect(faults).toEqual([])
  })

  test('is limited by listing at most 100 faults of an input; the last one says how many are left out', async () => {
    const { ask } = openInstance()
    const faulty = (rows: number) => ({
      ...ROUTE,
      parcels: { boxes: Array(rows).fill({ ...PARCEL, count: 0, weightKg: '0' }) },
    })
    const fieldsOf = async (rows: number) => {
      const { data } = await ask(RATES, { input: faulty(rows) })
      return (data as { rates: Problem }).rates.fields
    }
    expect(await fieldsOf(50)).toHaveLength(MAX_FAULTS)
    expect((await fieldsOf(50)).at(-1)?.path).toEqual(['parcels', 'boxes', '49', 'count'])
    const listed = await fieldsOf(99)
    expect(listed).toHaveLength(MAX_FAULTS)
    expect(listed.at(-1)).toEqual({ path: [], code: 'OUT_OF_RANGE', message: '99 more faults' })
  })

  test('is limited for each request of a batch', async () => {
    const { ask } = openInstance()
    const input = {
      ...ROUTE,
      parcels: {
        pallets: Array(20).fill({
          ...PARCEL,
          count: 0,
          stackable: true,
          weightKg: '0',
          lengthCm: 0,
          widthCm: 0,
          heightCm: 0,
        }),
      },
    }
    const { text, data } = await ask(
      'query ($inputs: [RatesInput!]!) { ratesBatch(inputs: $inputs) { ... on RatesBatch { results { ... on InputProblem { fields { path code message } } } } } }',
      { inputs: Array(50).fill(input) },
    )
    for (const { fields } of (data as { ratesBatch: { results: readonly Problem[] } }).ratesBatch.results)
      expect(fields).toHaveLength(MAX_FAULTS)
    expect(text.length).toBeLessThan(600_000)
  })
})
