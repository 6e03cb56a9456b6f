/** Paths, methods, headers, request ids, and the order of checks. docs/rest-contract.md#r23 */
import { afterEach, describe, expect, test } from 'vitest'
import { GOOD_HEADER, listen, probeDoor, rawRequest, talk, testServer } from './test-socket.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

function server(...parameters: Parameters<typeof testServer>) {
  const { app } = testServer(...parameters)
  open.push(app)
  return app
}

const GOOD = { 'x-pp-api': GOOD_HEADER }

describe('unknown paths and methods', () => {
  const NOT_FOUND: string[] = [
    '/',
    '/probe/',
    '/Probe',
    '//probe',
    '/probe/x',
    '/prob%',
    '/probe%zz',
    '/%ff/probe',
  ]
  test.each(
    NOT_FOUND,
  )('responds 404 with a JSON string to POST %s before credentials are checked', async (url) => {
    const answer = await server([probeDoor()]).inject({ method: 'POST', url })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toBe('"Not found"')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    'GET',
    'PUT',
    'DELETE',
    'PATCH',
    'OPTIONS',
    'TRACE',
  ] as const)('responds 405 with Allow to %s on a POST path', async (method) => {
    const answer = await server([probeDoor()]).inject({ method, url: '/probe?x=1' })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('POST')
    expect(answer.body).toBe('"Method not allowed"')
    expect(answer.headers['x-request-id']).toBeDefined()
  })

  test('responds 405 to HEAD on a POST path', async () => {
    const answer = await server([probeDoor()]).inject({ method: 'HEAD', url: '/probe' })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('POST')
  })

  test('responds 405 to methods that Node supports and no route has', async () => {
    const port = await listen(server([probeDoor()]))
    for (const method of ['PROPFIND', 'LOCK', 'PURGE', 'M-SEARCH', 'QUERY'])
      expect(await talk(port, rawRequest(`${method} /probe`))).toMatch(/^HTTP\/1.1 405 .*allow: POST/is)
  })

  test('matches a path with any value of its parameter except an empty one', async () => {
    const app = server([
      async (door) => {
        door.post('/things/:thingId/undo', { config: { access: 'public' } }, async () => ({}))
      },
    ])
    const ask = async (url: string) => (await app.inject({ method: 'GET', url })).statusCode
    expect(await ask('/things/42/undo')).toBe(405)
    expect(await ask('/things/a%2Fb/undo')).toBe(405)
    expect(await ask('/things//undo')).toBe(404)
    expect(await ask('/things/42/redo')).toBe(404)
    expect(await ask('/things/42/undo/')).toBe(404)
  })

  test('lists every method of the path in Allow', async () => {
    const answer = await server([]).inject({ method: 'POST', url: '/healthz' })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('GET, HEAD')
  })
})

describe('a request id', () => {
  const ask = async (id: string | undefined) => {
    const headers = id === undefined ? GOOD : { ...GOOD, 'x-request-id': id }
    const answer = await server([probeDoor()]).inject({ method: 'POST', url: '/probe', headers })
    return answer.headers['x-request-id']
  }
  test.each(['a', 'Order_17-b', 'x'.repeat(200)])('is kept if it is %s', async (id) => {
    expect(await ask(id)).toBe(id)
  })
  test.each([
    undefined,
    '',
    'a b',
    'a.b',
    'a\u00e9',
    '<script>',
    'x'.repeat(201),
  ])('is replaced if it is %j', async (id) => {
    expect(await ask(id)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })
  test('is replaced if it was sent twice', async () => {
    const port = await listen(server([probeDoor()]))
    const answer = await talk(port, rawRequest('GET /nowhere', ['X-Request-Id: one', 'X-Request-Id: two']))
    expect(answer).toMatch(/x-request-id: [0-9a-f-]{36}\r\n/)
  })
})

describe('headers', () => {
  const ask = async (...headers: string[]) => {
    const port = await listen(server([probeDoor()]))
    return talk(port, rawRequest('POST /probe', [`X-PP-API: ${GOOD_HEADER}`, ...headers]))
  }
  test('are refused with a second Host', async () => {
    expect(await ask('Host: test')).toMatch(/^HTTP\/1.1 400 /)
    expect(await ask('HOST: other')).toMatch(/^HTTP\/1.1 400 /)
  })
  test('are refused if there are too many, so that none is silently dropped', async () => {
    const filler = (count: number) => Array.from({ length: count }, () => 'A: b')
    expect(await ask(...filler(150))).toMatch(/^HTTP\/1.1 200 /)
    expect(await ask(...filler(2_100), 'X-PP-API: other@secret')).toMatch(/^HTTP\/1.1 431 /)
  })
})

describe('the server', () => {
  const big = Buffer.alloc(300 * 1024, 'x')
  const status = async (options: Parameters<typeof testServer>[1], request: object) =>
    (await server([probeDoor()], options).inject({ method: 'POST', url: '/probe', ...request })).statusCode

  test('checks the path before the limit on requests in flight', async () => {
    expect(await status({ limits: { inFlight: 0 } }, { url: '/nowhere' })).toBe(404)
  })
  test('checks credentials before the limit on requests in flight', async () => {
    expect(await status({ limits: { inFlight: 0 } }, {})).toBe(401)
    expect(await status({ limits: { inFlight: 0 } }, { headers: GOOD })).toBe(503)
  })
  test('checks the size of the body before the limit on requests in flight', async () => {
    expect(await status({ limits: { inFlight: 0 } }, { headers: GOOD, payload: big })).toBe(413)
  })
  test('checks credentials before the body', async () => {
    expect(await status({}, { payload: big })).toBe(401)
  })
  test('checks the request rate before the body', async () => {
    expect(await status({ limits: { requestsPerMinute: 0 } }, { headers: GOOD, payload: big })).toBe(429)
  })
  test('checks the size of the body before calling the route', async () => {
    expect(await status({}, { headers: { ...GOOD, 'content-type': 'text/plain' }, payload: big })).toBe(413)
  })
})

test('passes bodies to doors as bytes, whatever their type', async () => {
  const app = server([
    probeDoor((body) => ({ bytes: Buffer.isBuffer(body) ? body.toString('hex') : typeof body })),
  ])
  const send = async (type: string | undefined, payload?: Buffer) => {
    const headers = type === undefined ? GOOD : { ...GOOD, 'content-type': type }
    return (await app.inject({ method: 'POST', url: '/probe', headers, ...(payload && { payload }) })).body
  }
  const bytes = Buffer.from([0xff, 0x00, 0x7b])
  for (const type of ['application/json', 'text/plain', 'image/png', undefined])
    expect(await send(type, bytes)).toBe('{"bytes":"ff007b"}')
  expect(await send('application/json')).toBe('{"bytes":""}')
  expect(await send(undefined)).toBe('{"bytes":"undefined"}')
})
