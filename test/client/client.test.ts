/** The client package with a replaced `fetch`: failures, time limits, repeats and the helpers for results. */
import type { PossibleTypesMap } from '@apollo/client/cache'
import { buildSchema, isAbstractType, isScalarType, isSpecifiedScalarType, parse, validate } from 'graphql'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as client from '../../client/src/index.ts'
import {
  assertNever,
  BookShipmentDocument,
  CancelShipmentDocument,
  CarriersDocument,
  CreateDraftShipmentDocument,
  cancelAndWait,
  codegenScalars,
  createWaybillClient,
  isProblem,
  possibleTypes,
  unknownValue,
  unwrap,
  type WaybillClient,
  WaybillError,
} from '../../client/src/index.ts'
import { isRepeatable } from '../../client/src/repeat.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'

const URL = 'http://localhost/graphql'

type Reply = Response | Error | 'never'

const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init)

/** A client whose `fetch` gives these replies in turn, the last one again and again. Records the requests. */
function clientWith(replies: readonly Reply[], options: object = {}) {
  const sent: { url: string; init: RequestInit }[] = []
  const fetch = async (url: string | globalThis.URL | Request, init: RequestInit = {}): Promise<Response> => {
    const reply = replies[Math.min(sent.length, replies.length - 1)]!
    sent.push({ url: String(url), init })
    if (reply instanceof Response) return reply.clone()
    if (reply instanceof Error) throw reply
    return new Promise((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    )
  }
  return { client: createWaybillClient({ url: URL, apiKey: 'key@secret', fetch, ...options }), sent }
}

async function failure(promise: Promise<unknown>): Promise<WaybillError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(WaybillError)
  return error as WaybillError
}

const CARRIERS = { data: { carriers: [] } }

describe('a request', () => {
  test('sends document, variables, credentials and headers, and returns the data', async () => {
    const { client, sent } = clientWith([json(CARRIERS)], { headers: { 'x-a': '1', 'x-b': '1' } })
    const data = await client.request(CarriersDocument, {}, { headers: { 'x-b': '2' } })
    expect(data).toEqual({ carriers: [] })
    const [{ url, init } = { url: '', init: {} }] = sent
    expect(url).toBe(URL)
    expect(init).toMatchObject({
      method: 'POST',
      redirect: 'error',
      headers: { 'x-pp-api': 'key@secret', 'x-a': '1', 'x-b': '2', 'content-type': 'application/json' },
    })
    expect(JSON.parse(String(init.body))).toEqual({ query: CarriersDocument, variables: {} })
  })

  test('has no credentials if there is no API key', async () => {
    const { client, sent } = clientWith([json(CARRIERS)], { apiKey: undefined })
    await client.request(CarriersDocument)
    expect(sent[0]?.init.headers).not.toHaveProperty('x-pp-api')
  })

  test('accepts a document that is an object with its text', async () => {
    const { client, sent } = clientWith([json(CARRIERS)])
    await client.request({ toString: () => '{carriers{id}}' })
    expect(JSON.parse(String(sent[0]?.init.body)).query).toBe('{carriers{id}}')
  })
})

describe('a failure', () => {
  test('of the API has code, request id, waiting time, errors and the partial data', async () => {
    const errors = [
      { message: 'Too many requests', extensions: { code: 'RATE_LIMITED', requestId: 'r-1' } },
      { message: 'another' },
    ]
    const { client } = clientWith([
      json({ errors, data: { carriers: null } }, { status: 429, headers: { 'retry-after': '7' } }),
    ])
    expect(await failure(client.request(CarriersDocument))).toMatchObject({
      name: 'WaybillError',
      message: 'Too many requests (and 1 more)',
      code: 'RATE_LIMITED',
      status: 429,
      requestId: 'r-1',
      retryAfterSeconds: 7,
      errors,
      data: { carriers: null },
    })
  })

  test.each([
    { text: '<h1>Bad Gateway</h1>', status: 502, code: 'HTTP_ERROR' },
    { text: '', status: 413, code: 'HTTP_ERROR' },
    { text: '"Not found"', status: 404, code: 'HTTP_ERROR' },
    { text: '{"errors":["odd"]}', status: 400, code: 'HTTP_ERROR' },
    { text: '<h1>Welcome</h1>', status: 200, code: 'INVALID_RESPONSE' },
    { text: '{"data":null}', status: 200, code: 'INVALID_RESPONSE' },
  ])('of a proxy that answers $status with $text has the code $code', async ({ text, status, code }) => {
    const { client } = clientWith([new Response(text, { status, headers: { 'x-request-id': 'r-2' } })])
    const error = await failure(client.request(CarriersDocument))
    expect(error).toMatchObject({ code, status, requestId: 'r-2', errors: [] })
    expect(error.message).toContain(String(status))
  })

  test('of the network has its cause', async () => {
    const cause = new TypeError('fetch failed')
    const { client } = clientWith([cause])
    const error = await failure(client.request(CarriersDocument))
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: undefined, cause })
  })
})

describe('with a clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-23T12:00:00Z') }))
  afterEach(() => void vi.useRealTimers())

  test('a date in `Retry-After` becomes seconds', async () => {
    const headers = { 'retry-after': 'Mon, 23 Nov 2026 12:00:05 GMT' }
    const { client } = clientWith([new Response('', { status: 503, headers })])
    expect((await failure(client.request(CarriersDocument))).retryAfterSeconds).toBe(5)
  })

  test('a request ends at its time limit, or at that of the client', async () => {
    const { client } = clientWith(['never'], { timeoutMs: 5_000 })
    const limits = [failure(client.request(CarriersDocument))]
    limits.push(failure(client.request(CarriersDocument, {}, { timeoutMs: 100 })))
    await vi.advanceTimersByTimeAsync(100)
    expect(await limits[1]).toMatchObject({ code: 'TIMEOUT', message: 'There was no response within 100 ms' })
    await vi.advanceTimersByTimeAsync(4_900)
    expect(await limits[0]).toMatchObject({ code: 'TIMEOUT' })
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each(['client', 'call'])('the signal of the %s aborts the request with its reason', async (whose) => {
    const controller = new AbortController()
    const { signal } = controller
    const { client } = clientWith(['never'], whose === 'client' ? { signal } : {})
    const call = client.request(CarriersDocument, {}, whose === 'call' ? { signal } : {})
    const aborted = expect(call).rejects.toBe('stop')
    controller.abort('stop')
    await aborted
    await expect(client.request(CarriersDocument, {}, { signal })).rejects.toBe('stop')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('nothing is repeated by default', async () => {
    const { client, sent } = clientWith([new TypeError('fetch failed')])
    await failure(client.request(CarriersDocument))
    expect(sent).toHaveLength(1)
  })

  test('a query is repeated after the waiting time of the response', async () => {
    const overloaded = json(
      { errors: [{ message: 'busy', extensions: { code: 'OVERLOADED' } }] },
      { status: 503, headers: { 'retry-after': '2' } },
    )
    const { client, sent } = clientWith([overloaded, json(CARRIERS)], { retries: 1 })
    const call = client.request(CarriersDocument)
    await vi.advanceTimersByTimeAsync(1_999)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await call).toEqual(CARRIERS.data)
    expect(sent).toHaveLength(2)
  })

  test('a query is repeated as often as `retries` allows, within the time limit', async () => {
    const gateway = new Response('Bad Gateway', { status: 502 })
    const { client, sent } = clientWith([gateway], { retries: 3 })
    const call = failure(client.request(CarriersDocument))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await call).toMatchObject({ code: 'HTTP_ERROR', status: 502 })
    expect(sent).toHaveLength(4)

    const slow = clientWith([gateway], { retries: 1_000, timeoutMs: 5_000 })
    const limited = failure(slow.client.request(CarriersDocument))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await limited).toMatchObject({ code: 'TIMEOUT' })
  })

  test.each([
    ['UNAUTHENTICATED', 401],
    ['DEADLINE_EXCEEDED', 503],
    ['INTERNAL_SERVER_ERROR', 200],
  ])('a response with %s is not repeated', async (code, status) => {
    const { client, sent } = clientWith(
      [json({ errors: [{ message: 'no', extensions: { code } }] }, { status })],
      {
        retries: 3,
      },
    )
    expect(await failure(client.request(CarriersDocument))).toMatchObject({ code })
    expect(sent).toHaveLength(1)
  })

  test('`createDraftShipment` is repeated only with a key, booking and cancelling are', async () => {
    const place = { country: 'NL' }
    const rates = { from: place, to: place, parcels: { boxes: [] } }
    const draft = clientWith([new TypeError('fetch failed')], { retries: 2 })
    await failure(
      draft.client.request(CreateDraftShipmentDocument, { input: { rates, preferredShippingOption: '1' } }),
    )
    expect(draft.sent).toHaveLength(1)

    const input = { shipmentId: 's' }
    const keyed = { rates, preferredShippingOption: '1', idempotencyKey: 'cart 7' }
    const repeatable = [
      (client: WaybillClient) => client.request(CreateDraftShipmentDocument, { input: keyed }),
      (client: WaybillClient) => client.request(BookShipmentDocument, { input }),
      (client: WaybillClient) => client.request(CancelShipmentDocument, { input }),
    ]
    for (const request of repeatable) {
      const { client, sent } = clientWith([new TypeError('fetch failed')], { retries: 2 })
      const call = failure(request(client))
      await vi.advanceTimersByTimeAsync(10_000)
      await call
      expect(sent).toHaveLength(3)
    }
  })

  describe('a pending cancellation', () => {
    const pending = (retryAfterSeconds: number) =>
      json({ data: { cancelShipment: { __typename: 'CancellationPending', retryAfterSeconds } } })
    const cancelled = json({ data: { cancelShipment: { __typename: 'ShipmentCancelled', message: 'done' } } })

    test('is repeated after the pauses that the service gives, until it ends', async () => {
      const { client, sent } = clientWith([pending(3), pending(10), cancelled])
      const seen: number[] = []
      const outcome = cancelAndWait(
        client,
        { shipmentId: 's' },
        { onPending: ({ retryAfterSeconds }) => seen.push(retryAfterSeconds) },
      )
      await vi.advanceTimersByTimeAsync(2_999)
      expect(sent).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(sent).toHaveLength(2)
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await outcome).toMatchObject({ __typename: 'ShipmentCancelled' })
      expect(seen).toEqual([3, 10])
    })

    test('is returned when the waiting time is over', async () => {
      const { client, sent } = clientWith([pending(4)])
      const outcome = cancelAndWait(client, { shipmentId: 's' }, { maxWaitMs: 9_000 })
      await vi.advanceTimersByTimeAsync(9_000)
      expect(await outcome).toMatchObject({ __typename: 'CancellationPending' })
      expect(sent).toHaveLength(3)
    })

    test('is left when the signal aborts', async () => {
      const controller = new AbortController()
      const { client } = clientWith([pending(60)])
      const outcome = cancelAndWait(client, { shipmentId: 's' }, { signal: controller.signal })
      const aborted = expect(outcome).rejects.toBe('stop')
      await vi.advanceTimersByTimeAsync(1_000)
      controller.abort('stop')
      await aborted
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

describe('a document counts as repeatable', () => {
  test.each([
    ['query A { carriers { id } }', true],
    ['{ carriers { id } }', true],
    ['# a mutation\n{ carriers { id } }', true],
    ['query { classify(description: "a mutation") { __typename } }', true],
    ['mutation { cancelShipment(input: { shipmentId: "createDraftShipment" }) { __typename } }', true],
    ['mutation { createCheckoutToken(input: $i) { __typename } }', true],
    ['mutation { createDraftShipment(input: $i) { __typename } }', false],
    ['mutation { saveEstimate(input: $i) { __typename } }', false],
    ['mutation { bookShipment: createDraftShipment(input: $i) { __typename } }', false],
    ['mutation { somethingNew { __typename } }', false],
  ])('%s: %s', (query, expected) => {
    expect(isRepeatable(query)).toBe(expected)
  })

  test('that creates a draft only if a variable has an idempotency key', () => {
    const query = 'mutation ($i: CreateDraftShipmentInput!) { createDraftShipment(input: $i) { __typename } }'
    expect(isRepeatable(query, { i: { idempotencyKey: 'k' } })).toBe(true)
    for (const variables of [undefined, {}, { i: {} }, { i: { idempotencyKey: '' } }, { i: null }])
      expect(isRepeatable(query, variables)).toBe(false)
  })

  test('only if somebody has decided so for each mutation', () => {
    const mutations = Object.keys(buildSchema(readSchemaText()).getMutationType()?.getFields() ?? {})
    expect(mutations.sort()).toEqual([
      'bookShipment',
      'cancelShipment',
      'createCheckoutToken',
      'createDraftShipment',
      'replayWebhook',
      'saveEstimate',
    ])
  })
})

describe('a result', () => {
  const problem = {
    __typename: 'ShipmentNotFound',
    code: 'NOT_FOUND',
    message: 'gone',
    retryable: false,
  } as const
  const success = { __typename: 'ShipmentBooked', alreadyBooked: false } as const
  const either = (isFound: boolean) => (isFound ? success : problem)

  test('is a problem if its type implements `Problem`', () => {
    expect(possibleTypes.Problem.every((__typename) => isProblem({ __typename }))).toBe(true)
    expect(isProblem(either(true))).toBe(false)
    // A problem of a newer service.
    const unknown = { __typename: 'BookingQuotaExceeded', code: 'NEW', message: 'Too many', retryable: true }
    expect(isProblem(unknown)).toBe(true)
    expect(() => unwrap(unknown)).toThrow('Too many')
    // The cancellation continues.
    expect(isProblem({ __typename: 'CancellationPending' })).toBe(false)
  })

  test('has its types in the form of the option of Apollo', () => {
    const option: PossibleTypesMap = possibleTypes
    const schema = buildSchema(readSchemaText())
    const abstract = Object.values(schema.getTypeMap()).filter(
      (type) => isAbstractType(type) && !type.name.startsWith('_'),
    )
    expect(Object.keys(option).sort()).toEqual(abstract.map(({ name }) => name).sort())
  })

  test('is unwrapped if it is a success, and thrown if it is a problem', () => {
    expect(unwrap(either(true)).alreadyBooked).toBe(false)
    expect(() => unwrap(either(false))).toThrow(
      expect.objectContaining({ name: 'ProblemError', message: 'gone', problem }),
    )
  })

  test('of an unexpected type is refused by assertNever', () => {
    expect(() => assertNever({ __typename: 'New' } as never)).toThrow(
      'unexpected value: {"__typename":"New"}',
    )
  })

  test('with an unknown value of an enum does not throw', () => {
    expect(unknownValue('NEW_STATE' as never)).toBe('NEW_STATE')
  })
})

test('there is a document for every operation', () => {
  const schema = buildSchema(readSchemaText())
  const operations = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}).filter((name) => !name.startsWith('_')),
  )
  const documents = Object.entries(client).flatMap(([name, value]) =>
    name.endsWith('Document') && typeof value === 'string' ? [parse(value)] : [],
  )
  const selected = documents.flatMap(({ definitions }) =>
    definitions.flatMap((node) =>
      node.kind === 'OperationDefinition'
        ? node.selectionSet.selections.map((field) => 'name' in field && field.name?.value)
        : [],
    ),
  )
  expect([...new Set(selected)].sort()).toEqual(operations.sort())
  expect(documents.flatMap((document) => validate(schema, document))).toEqual([])
})

test('the scalar settings cover every scalar of the API', () => {
  const scalars = Object.values(buildSchema(readSchemaText()).getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    // Names with a leading underscore or a prefix belong to federation.
    .filter(({ name }) => !name.includes('_'))
  expect(Object.keys(codegenScalars).sort()).toEqual(scalars.map(({ name }) => name).sort())
})
