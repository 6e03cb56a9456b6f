/** Cross-origin requests: preflight, and the headers of responses. docs/browser-keys.md#cross-origin-requests */
import type { FastifyPluginAsync } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { memoryCredentials } from '../support/app/memory-credentials.ts'
import { GOOD_HEADER, keysInMemory, probeDoor, type TestOptions, testServer } from './test-socket.ts'

const CONFIGURED = 'https://admin.example'
const OF_KEY = 'https://shop.example'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

/** Routes like those of the doors: with a parameter, cacheable, public and signed. */
const otherRoutes: FastifyPluginAsync = async (app) => {
  app.get('/probe', async (_request, reply) => reply.header('vary', 'accept').send('"cached"'))
  app.post('/things/:id/cancel', {
    onRequest: async (request) => {
      request.headers = {}
    },
    handler: async () => '"cancelled"',
  })
  app.get('/public', { config: { access: 'public' } }, async () => '"public"')
  app.post('/signed', { config: { access: 'signed' } }, async () => '"signed"')
}

function server(options: TestOptions & { readonly origins?: readonly string[] } = {}) {
  const { origins = [], ...rest } = options
  const credentials = memoryCredentials(keysInMemory(), { origins })
  const { app } = testServer([probeDoor(), otherRoutes], { ...rest, ports: { credentials, ...rest.ports } })
  open.push(app)
  return app
}

const both = () => server({ corsOrigins: [CONFIGURED], origins: [OF_KEY] })

const preflight = (origin: string | undefined, url = '/probe') => ({
  method: 'OPTIONS' as const,
  url,
  headers: {
    ...(origin !== undefined && { origin }),
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-pp-api',
  },
})

describe('a preflight request', () => {
  test.each([CONFIGURED, OF_KEY])('from %s is allowed', async (origin) => {
    const { statusCode, headers, body } = await both().inject(preflight(origin))
    expect([statusCode, body]).toEqual([204, ''])
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers':
        'Content-Type, X-PP-API, X-Checkout-Token, X-Request-Id, Traceparent, If-None-Match, *',
      'access-control-max-age': '600',
      vary: 'origin',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    expect(headers['x-request-id']).toBeDefined()
  })

  test('is allowed for a path with a parameter', async () => {
    const { statusCode, headers } = await both().inject(preflight(OF_KEY, '/things/7/cancel?x=1'))
    expect([statusCode, headers['access-control-allow-methods']]).toEqual([204, 'POST'])
  })

  test.each([
    ['from another origin', preflight('https://evil.example'), 405],
    ['from a subdomain', preflight('https://a.shop.example'), 405],
    ['without an origin', preflight(undefined), 405],
    ['for an unknown path', preflight(OF_KEY, '/nothing'), 404],
    ['for a public path', preflight(OF_KEY, '/public'), 405],
    ['for a signed path', preflight(OF_KEY, '/signed'), 405],
    ['that asks for no method', { ...preflight(OF_KEY), headers: { origin: OF_KEY } }, 405],
  ])('%s is refused', async (_name, request, status) => {
    const { statusCode, headers } = await both().inject(request)
    expect(statusCode).toBe(status)
    expect(headers).not.toHaveProperty('access-control-allow-methods')
  })

  test('waits for the list of origins if the origin is unknown', async () => {
    const keys = keysInMemory()
    const pageOrigins = {
      isEmpty: () => false,
      has: () => true,
      find: (origin: string) => Promise.resolve(origin === OF_KEY),
    }
    const app = server({ ports: { credentials: { ...keys, pageOrigins } } })
    expect((await app.inject(preflight(OF_KEY))).statusCode).toBe(204)
    expect((await app.inject(preflight('https://evil.example'))).statusCode).toBe(405)
  })
})

describe('without origins', () => {
  test('nothing changes', async () => {
    const app = server()
    const { statusCode, headers, body } = await app.inject(preflight(OF_KEY))
    expect([statusCode, body, headers['allow']]).toEqual([405, '"Method not allowed"', 'GET, HEAD, POST'])
    const answer = await app.inject({
      method: 'POST',
      url: '/probe',
      headers: { 'x-pp-api': GOOD_HEADER, origin: OF_KEY },
    })
    for (const name of [...Object.keys(headers), ...Object.keys(answer.headers)])
      expect(name).not.toMatch(/^(access-control|vary)/)
  })
})

const EXPOSED =
  'ETag, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Retry-After, Traceparent, ' +
  'WWW-Authenticate, X-Estimate-Complete, X-Estimate-Reliability, X-Request-Id'

describe('a response', () => {
  const ask = (app: ReturnType<typeof server>, more: object = {}, headers: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/probe',
      ...more,
      headers: { 'x-pp-api': GOOD_HEADER, origin: OF_KEY, ...headers },
    })
  const allowed = {
    'access-control-allow-origin': OF_KEY,
    'access-control-expose-headers': EXPOSED,
    vary: 'origin',
  }

  test('can be read by allowed origins, whatever its status', async () => {
    const app = server({ origins: [OF_KEY], limits: { bodyBytes: 10, requestsPerMinute: 2 } })
    const good = await ask(app)
    expect([good.statusCode, good.headers]).toEqual([200, expect.objectContaining(allowed)])
    const wrong = await ask(app, {}, { 'x-pp-api': 'a-key@wrong' })
    expect([wrong.statusCode, wrong.headers]).toEqual([401, expect.objectContaining(allowed)])
    const large = await ask(app, { payload: 'x'.repeat(100) }, { 'content-type': 'application/json' })
    expect([large.statusCode, large.headers]).toEqual([413, expect.objectContaining(allowed)])
    const third = await ask(app)
    expect([third.statusCode, third.headers]).toEqual([429, expect.objectContaining(allowed)])
    const unknown = await ask(app, { url: '/nothing' })
    expect([unknown.statusCode, unknown.headers]).toEqual([404, expect.objectContaining(allowed)])
    const method = await ask(app, { method: 'DELETE' })
    expect([method.statusCode, method.headers]).toEqual([405, expect.objectContaining(allowed)])
    const cancelled = await ask(app, { url: '/things/7/cancel' }, { 'x-pp-api': 'b-key@b-secret' })
    expect([cancelled.statusCode, cancelled.headers]).toEqual([200, expect.objectContaining(allowed)])
  })

  test('can be read when the service is overloaded', async () => {
    const app = server({ origins: [OF_KEY], limits: { inFlight: 0 } })
    const { statusCode, headers } = await ask(app)
    expect([statusCode, headers]).toEqual([503, expect.objectContaining(allowed)])
    expect(headers['retry-after']).toBe('1')
  })

  test('cannot be read by other origins, but depends on the origin', async () => {
    const app = both()
    const without = app.inject({ method: 'POST', url: '/probe', headers: { 'x-pp-api': GOOD_HEADER } })
    for (const { headers } of [
      await ask(app, {}, { origin: 'https://evil.example' }),
      await ask(app, {}, { origin: 'null' }),
      await without,
    ]) {
      expect(headers['vary']).toBe('origin')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  test('keeps what else it depends on', async () => {
    expect((await ask(both(), { method: 'GET' })).headers['vary']).toBe('accept, origin')
  })

  test('of a public or signed route has no such headers', async () => {
    const app = both()
    for (const more of [{ method: 'GET', url: '/public' }, { url: '/signed' }])
      expect((await ask(app, more)).headers).not.toHaveProperty('access-control-allow-origin')
  })
})
