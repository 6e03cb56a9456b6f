/** The requests of functions: nothing leaves after the function has ended, and repeats stop nobody else. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectorTypeOf } from '../../../../src/carriers/connectors/define/connector-type.ts'
import type {
  CarrierRequest,
  ConnectorDefinition,
  Conversation,
} from '../../../../src/carriers/connectors/define/definition.ts'
import { carrierGateway } from '../../../../src/carriers/gateway/gateway.ts'
import { openCarriers } from '../../../../src/carriers/registry.ts'
import { type FakeCarrier, startFake } from '../../fakes/fake-carrier.ts'
import { EXAMPLE } from './example.ts'

const TOKEN_MS = 400
const TIMEOUT_MS = 800
const GET: CarrierRequest = { method: 'GET', path: '/parcel' }
const DELETE: CarrierRequest = { method: 'DELETE', path: '/parcel' }

let fake: FakeCarrier
let tokenMs: number
beforeEach(async () => {
  tokenMs = TOKEN_MS
  fake = await startFake(async ({ path }) => {
    if (path === '/token') await sleep(tokenMs)
    if (path === '/slow') await sleep(2_000)
    return { status: 200, body: { access_token: 'tok', expires_in: 60 } }
  })
})
afterEach(() => fake.close())

type Talk = (conversation: Conversation) => Promise<unknown>

function cancelWith(talk: Talk, more: object = {}) {
  const token = { request: () => ({ path: '/token', body: '' }) }
  const cancel = (_: unknown, conversation: Conversation) => talk(conversation)
  const type = connectorTypeOf({ ...EXAMPLE, token, cancel, ...more } as ConnectorDefinition)
  const carriers = openCarriers(() => 'example', {
    sandboxUrl: undefined,
    settings: new Map([
      ['c', { baseUrl: fake.baseUrl, credentials: { apiKey: 'key' }, accounts: new Map() }],
    ]),
    connectors: new Map([['example', type]]),
  })
  const parcel = { accountId: 'shop', carrierCode: 'c', carrierRef: 'N1' }
  return carrierGateway(carriers, { timeoutMs: TIMEOUT_MS }).cancel({
    ...parcel,
    ...{ attemptId: 'a', shipmentId: 's', fence: 1, sends: 1, ageMs: 0 },
  })
}

const sent = () =>
  fake.requests.flatMap(({ method, path }) => (path === '/token' ? [] : [`${method} ${path}`]))

test('a request that waits for a token does not leave after the function has ended', async () => {
  const answer = await cancelWith(({ send }) => Promise.all([send(GET, { limitMs: 50 }), send(DELETE)]))
  expect(answer).toMatchObject({ kind: 'not_sent' })
  await sleep(TOKEN_MS + 200)
  expect(sent()).toEqual([])
})

test('a request that is begun after the end does not leave', async () => {
  const answer = await cancelWith(async ({ send }) => {
    setTimeout(() => send(DELETE), 50)
    await send(GET)
    return { kind: 'cancelled', how: 'now' }
  })
  expect(answer).toEqual({ kind: 'cancelled', how: 'now' })
  await cancelWith(async ({ send }) => void setTimeout(() => send(DELETE), 50))
  await sleep(TOKEN_MS + 200)
  // The first one was still in time.
  expect(sent().sort()).toEqual(['DELETE /parcel', 'GET /parcel'])
})

test('a request that has left and is not awaited makes the call unknown', async () => {
  const answer = await cancelWith(
    async ({ send }) => {
      void send({ ...DELETE, path: '/slow' })
      while (sent().length === 0) await sleep(10)
      return send({ method: 'GET', path: 'no-slash' })
    },
    { token: undefined },
  )
  expect(answer).toEqual({ kind: 'unknown', cause: 'the path of a request must begin with /' })
})

test('a call that ends while its function waits for a token has sent nothing', async () => {
  tokenMs = 5_000
  expect(await cancelWith(({ send }) => send(DELETE))).toMatchObject({ kind: 'not_sent' })
})

test.each<[string, CarrierRequest, token: object | undefined]>([
  ['after the end of the call', { ...GET, path: '/slow' }, undefined],
  ['a request that cannot be made', { ...GET, path: 'no-slash' }, undefined],
])('a function that repeats at once stops nobody: %s', async (_, request, token) => {
  let turns = 0
  let isCounting = true
  const count = () => {
    turns += 1
    if (isCounting) setImmediate(count)
  }
  count()
  let repeats = 0
  const answer = await cancelWith(
    async ({ send }) => {
      for (;;)
        try {
          return await send(request)
        } catch {
          repeats += 1
        }
    },
    { token },
  )
  expect(answer.kind).toBe('unknown')
  await sleep(300)
  const before = repeats
  await sleep(100)
  isCounting = false
  expect(repeats).toBe(before)
  expect(repeats).toBeGreaterThan(0)
  expect(turns).toBeGreaterThan(100)
})

test('a function that never ends is left alone', async () => {
  const type = connectorTypeOf({ ...EXAMPLE, check: () => new Promise(() => {}) } as ConnectorDefinition)
  const { check } = type.open({ baseUrl: fake.baseUrl, credentials: {} })
  await expect(check?.(AbortSignal.timeout(50))).rejects.toThrow('the call was aborted')
})

test('a request that nobody waits for does not end the process', async () => {
  await cancelWith(
    async ({ send }) => {
      void send({ ...GET, path: 'no-slash' })
      await sleep(20)
    },
    { token: undefined },
  )
})
