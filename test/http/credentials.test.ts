/** Authentication, and the limits of requests, points and failures. docs/rest-contract.md#r5, docs/limits.md */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { AllowanceExceeded } from '../../src/operations/ports/work.ts'
import { secretMatcher } from '../../src/store/accounts/credentials.ts'
import { memoryCredentials } from '../support/app/memory-credentials.ts'
import {
  GOOD_HEADER,
  keysInMemory,
  listen,
  Outage,
  probeDoor,
  rawRequest,
  talk,
  testServer,
} from './test-socket.ts'

const POST = { method: 'POST', url: '/probe' } as const
const REFUSED =
  '{"kind":"UNAUTHENTICATED","message":"The X-PP-API header must contain a valid API key and secret"}'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

function server(...[options]: [Parameters<typeof testServer>[1]?]) {
  const { app } = testServer([probeDoor()], options)
  open.push(app)
  return app
}

const BAD_HEADERS: [string, string | undefined][] = [
  ['missing', undefined],
  ['empty', ''],
  ['without a separator', 'a-key'],
  ['without a key', '@s3cret'],
  ['without a secret', 'a-key@'],
  ['of an unknown key', 'no-key@s3cret@with-at'],
  ['with a wrong secret', 'a-key@wrong'],
  ["with another key's secret", 'a-key@b-secret'],
  ['with a secret cut at its own @', 'a-key@s3cret'],
  ['with a digest for a secret', `a-key@${'0'.repeat(64)}`],
  ['longer than 512 bytes', `a-key@${'x'.repeat(507)}`],
  ['outside printable ASCII', 'a-key@s3cr\u00e9t'],
]

describe('responds with the same 401 to a header', () => {
  test.each(BAD_HEADERS)('%s', async (_name, header) => {
    const credentials = keysInMemory()
    const findKey = vi.spyOn(credentials, 'findKey')
    const matches = vi.fn(secretMatcher.matches)
    const app = server({ ports: { credentials, secrets: { matches } } })
    const answer = await app.inject({ ...POST, headers: header === undefined ? {} : { 'x-pp-api': header } })
    expect(answer.statusCode).toBe(401)
    expect(answer.body).toBe(REFUSED)
    const { date: _date, 'x-request-id': _id, ...headers } = answer.headers
    expect(headers).toEqual({
      'cache-control': 'no-store',
      connection: 'keep-alive',
      'content-length': String(REFUSED.length),
      'content-type': 'application/json; charset=utf-8',
      'www-authenticate': 'X-PP-API realm="waybill"',
      'x-content-type-options': 'nosniff',
    })
    // The same work as for valid credentials, so that timing reveals nothing.
    expect(findKey).toHaveBeenCalledTimes(1)
    expect(matches).toHaveBeenCalledTimes(1)
  })
})

test('accepts a key with any of its secrets, and splits the header at the first @', async () => {
  const app = server()
  for (const header of [GOOD_HEADER, 'a-key@an-older-secret', 'b-key@b-secret'])
    expect((await app.inject({ ...POST, headers: { 'x-pp-api': header } })).body).toBe('{"probed":true}')
})

test('refuses a header that was sent twice, even if both are valid', async () => {
  const port = await listen(server())
  const good = `X-PP-API: ${GOOD_HEADER}`
  const once = await talk(port, rawRequest('POST /probe', [good]))
  const twice = await talk(port, rawRequest('POST /probe', [good, good]))
  const mixed = await talk(port, rawRequest('POST /probe', [good, `x-pp-api: ${GOOD_HEADER}`]))
  expect(once).toMatch(/^HTTP\/1.1 200 /)
  expect(twice).toMatch(/^HTTP\/1.1 401 /)
  expect(mixed).toMatch(/^HTTP\/1.1 401 /)
})

test('responds 503 with Retry-After when the credential store is unavailable', async () => {
  const app = server({
    ports: {
      credentials: memoryCredentials({
        findKey: () => Promise.reject(new Outage('connection refused by 10.0.0.7')),
        isKnown: () => true,
      }),
      secrets: secretMatcher,
    },
  })
  const answer = await app.inject({ ...POST, headers: { 'x-pp-api': GOOD_HEADER } })
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('2')
  expect(answer.body).toBe(
    '{"kind":"UNAVAILABLE","message":"The service is temporarily unavailable; try again shortly"}',
  )
})

test('counts requests per key, and responds 429 with Retry-After above the limit', async () => {
  const app = server({ limits: { requestsPerMinute: 2 } })
  const ask = (header: string) => app.inject({ ...POST, headers: { 'x-pp-api': header } })
  expect((await ask(GOOD_HEADER)).statusCode).toBe(200)
  expect((await ask('a-key@an-older-secret')).statusCode).toBe(200)
  const third = await ask(GOOD_HEADER)
  expect(third.statusCode).toBe(429)
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(55)
  expect(Number(third.headers['retry-after'])).toBeLessThanOrEqual(61)
  expect(third.body).toBe('{"kind":"RATE_LIMITED","message":"Too many requests; try again later"}')
  expect((await ask('b-key@b-secret')).statusCode).toBe(200)
})

test('counts wrong secrets per address and key, and still accepts the correct secret', async () => {
  const app = server({ limits: { failuresPerMinute: 3 }, trustProxy: true })
  const ask = (header: string, address: string) =>
    app.inject({ ...POST, headers: { 'x-pp-api': header, 'x-forwarded-for': address } })
  const statuses: number[] = []
  for (let attempt = 0; attempt < 5; attempt++)
    statuses.push((await ask('a-key@guess', '192.0.2.1')).statusCode)
  expect(statuses).toEqual([401, 401, 401, 429, 429])
  expect((await ask(GOOD_HEADER, '192.0.2.1')).statusCode).toBe(200)
  expect((await ask('a-key@guess', '192.0.2.2')).statusCode).toBe(401)
  expect((await ask('b-key@guess', '192.0.2.1')).statusCode).toBe(401)
})

test('refuses an address that guesses keys without a lookup, but accepts known keys', async () => {
  const credentials = keysInMemory()
  const findKey = vi.spyOn(credentials, 'findKey')
  const app = server({
    ports: { credentials, secrets: secretMatcher },
    limits: { failuresPerMinute: 2 },
    trustProxy: true,
  })
  const ask = (header: string, address: string) =>
    app.inject({ ...POST, headers: { 'x-pp-api': header, 'x-forwarded-for': address } })
  const statuses: number[] = []
  for (let attempt = 0; attempt < 14; attempt++)
    statuses.push((await ask(`key-${attempt}@guess`, '2001:db8::1')).statusCode)
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
  expect(findKey).toHaveBeenCalledTimes(10)
  // The whole /64 of an IPv6 address counts as one.
  expect((await ask('another@guess', '2001:db8::ffff')).statusCode).toBe(429)
  expect((await ask('another@guess', '2001:db8:0:1::1')).statusCode).toBe(401)
  expect((await ask(GOOD_HEADER, '2001:db8::1')).statusCode).toBe(200)
})

test('keeps the budget of a key while unauthenticated requests are counted', async () => {
  const app = server({ limits: { requestsPerMinute: 2 } })
  const ask = (header: string) => app.inject({ ...POST, headers: { 'x-pp-api': header } })
  for (let request = 0; request < 2; request++) expect((await ask(GOOD_HEADER)).statusCode).toBe(200)
  for (let request = 0; request < 500; request++) await ask(`key-${request}@guess`)
  expect((await ask(GOOD_HEADER)).statusCode).toBe(429)
})

test('sends the tighter of the two limits with every response to a caller', async () => {
  const app = server({ limits: { requestsPerMinute: 4, pointsPerMinute: 1_000 } })
  const ask = () => app.inject({ ...POST, headers: { 'x-pp-api': GOOD_HEADER } })
  const { headers } = await ask()
  expect(headers).toMatchObject({
    'ratelimit-policy': '4;w=60, 1000;w=60',
    'ratelimit-limit': '4',
    'ratelimit-remaining': '3',
  })
  expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(55)
  for (let request = 0; request < 3; request++) await ask()
  expect((await ask()).headers).toMatchObject({ 'ratelimit-remaining': '0' })
  const stranger = await app.inject({ ...POST })
  expect(stranger.headers).not.toHaveProperty('ratelimit-limit')
})

test('lets a route charge points, and responds 429 when none are left', async () => {
  const charged: (number | undefined)[] = []
  const { app } = testServer(
    [
      async (door) => {
        door.post('/work', async (request) => {
          const wait = request.allowance.charge(400)
          charged.push(wait)
          if (wait !== undefined) throw new AllowanceExceeded(wait)
          return 'done'
        })
      },
    ],
    { limits: { pointsPerMinute: 1_000 } },
  )
  open.push(app)
  const ask = (key: string) => app.inject({ method: 'POST', url: '/work', headers: { 'x-pp-api': key } })
  expect((await ask(GOOD_HEADER)).headers['ratelimit-remaining']).toBe('600')
  await ask(GOOD_HEADER)
  const third = await ask(GOOD_HEADER)
  expect(third.statusCode).toBe(429)
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(55)
  expect(third.body).toBe('"Too many requests; try again later"')
  expect((await ask('b-key@b-secret')).statusCode).toBe(200)
  expect(charged.map((wait) => wait === undefined)).toEqual([true, true, false, true])
})

test('lets a route overdraw the points, and refuses the key until they are available again', async () => {
  const { app } = testServer(
    [
      async (door) => {
        door.post('/overdraw', async ({ allowance }) => allowance.overdraw(1_500))
        door.post('/charge', async ({ allowance }) => allowance.charge(1) ?? 0)
      },
    ],
    { limits: { pointsPerMinute: 1_000 } },
  )
  open.push(app)
  const ask = (url: string) => app.inject({ method: 'POST', url, headers: { 'x-pp-api': GOOD_HEADER } })
  expect((await ask('/charge')).body).toBe('0')
  const { statusCode, headers } = await ask('/overdraw')
  expect(statusCode).toBe(200)
  expect(headers['ratelimit-remaining']).toBe('0')
  expect(Number((await ask('/charge')).body)).toBeGreaterThan(55)
})

test('ignores X-Forwarded-For without a trusted proxy', async () => {
  const app = server({ limits: { failuresPerMinute: 1 } })
  const ask = (address: string) =>
    app.inject({ ...POST, headers: { 'x-pp-api': 'a-key@guess', 'x-forwarded-for': address } })
  expect((await ask('192.0.2.1')).statusCode).toBe(401)
  expect((await ask('192.0.2.2')).statusCode).toBe(429)
})
