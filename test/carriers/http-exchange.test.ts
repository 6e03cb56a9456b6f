/** One exchange with an untrusted carrier, and the readers of its JSON. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  basicAuthorization,
  exchange,
  listAt,
  retryAfterMs,
  textAt,
  valueAt,
} from '../../src/carriers/http-exchange.ts'
import { openCallSignal } from '../../src/carriers/not-sent.ts'
import { type FakeReply, type FakeRequest, startFake } from './fakes/fake-carrier.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const soon = () => AbortSignal.timeout(5_000)

async function fakeOf(answer: (request: FakeRequest) => Promise<FakeReply> | FakeReply) {
  const fake = await startFake(answer)
  closing.push(fake.close)
  return fake
}

/** The parsed reply. */
async function replyOf(reply: FakeReply) {
  const { baseUrl } = await fakeOf(() => reply)
  return exchange({ method: 'GET', url: baseUrl }, soon())
}

/** Starts a server on raw sockets, for replies that HTTP fakes cannot send. Returns its URL. */
async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The error of an exchange; the test fails if there was a reply. */
async function reasonOf(exchanged: Promise<unknown>): Promise<string> {
  const error = await exchanged.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('there was a reply')
  return error.message
}

describe('a request has the right headers and body for', () => {
  test.each<[string, string | object | undefined, Record<string, string>, object, string]>([
    ['no body', undefined, {}, { accept: 'application/json' }, ''],
    ['an object', { a: 'é' }, {}, { 'content-type': 'application/json' }, '{"a":"é"}'],
    [
      'an object with another media type',
      {},
      { 'content-type': 'a/b', accept: 'c/d' },
      { accept: 'c/d' },
      '{}',
    ],
    ['a text', 'a=b', { 'content-type': 'a/form' }, { 'content-type': 'a/form' }, 'a=b'],
  ])('%s', async (_name, body, headers, expected, text) => {
    const fake = await fakeOf(() => ({ status: 204 }))
    const request = { method: 'PUT' as const, url: `${fake.baseUrl}/a%2Fb?c=d`, headers }
    await exchange(body === undefined ? request : { ...request, body }, soon())
    expect(fake.requests).toMatchObject([{ method: 'PUT', path: '/a/b', headers: expected, text }])
    expect(fake.requests[0]?.query.get('c')).toBe('d')
    if (body === undefined) expect(fake.requests[0]?.headers).not.toHaveProperty('content-type')
  })
})

describe('a reply', () => {
  const json = { done: [true, 'é'] }
  const text = JSON.stringify(json)

  test.each<[string, FakeReply, unknown]>([
    ['with JSON is read', { status: 200, body: json }, json],
    [
      'with JSON of another media type is read',
      { status: 200, body: text, headers: { 'content-type': 'text/html' } },
      json,
    ],
    ['with JSON and an error status is read', { status: 503, body: json }, json],
    ['compressed with gzip is read', packed(gzipSync(text), 'gzip'), json],
    ['compressed with deflate is read', packed(deflateSync(text), 'deflate'), json],
    ['that is not JSON has no value', { status: 200, body: '<html>Bad gateway</html>' }, undefined],
    ['that is truncated JSON has no value', { status: 200, body: text.slice(0, -1) }, undefined],
    ['without bytes has no value', { status: 200, body: '' }, undefined],
    ['without a body has no value', { status: 204 }, undefined],
    ['with null is read', { status: 200, body: 'null' }, null],
    ...[
      ['[340434161094042557]', ['340434161094042557']],
      ['{"a":1234567890123456}', { a: '1234567890123456' }],
      [
        '[999999999999999,-1234567890123456,0.1234567890123456,1.5e300]',
        [999999999999999, -1234567890123456, 0.1234567890123456, 1.5e300],
      ],
      ['"1234567890123456"', '1234567890123456'],
      ['["\\"1234567890123456","\\\\",1234567890123456]', ['"1234567890123456', '\\', '1234567890123456']],
      ['{"1234567890123456":[ 1234567890123456 , 1 ]}', { '1234567890123456': ['1234567890123456', 1] }],
      ['[00123456789012345678]', undefined],
    ].map(
      ([body, read]) =>
        [`with ${body} keeps all digits`, { status: 200, body }, read] as [string, FakeReply, unknown],
    ),
  ])('%s', async (_name, reply, expected) => {
    const { status, json: read } = await replyOf(reply)
    expect(read).toEqual(expected)
    expect(status).toBe(reply === 'cut' ? undefined : reply.status)
  })

  test.each<[number, boolean]>([
    [256 * 1024, true],
    [256 * 1024 + 1, false],
  ])('with a body of %i bytes is read: %s', async (length, isRead) => {
    const { status, json: read } = await replyOf({
      status: 202,
      body: JSON.stringify('x'.repeat(length - 2)),
    })
    expect(status).toBe(202)
    expect(typeof read).toBe(isRead ? 'string' : 'undefined')
  })

  test('with a small body that decompresses above the limit is not read', async () => {
    const bomb = gzipSync(JSON.stringify('x'.repeat(20_000_000)))
    expect(bomb.length).toBeLessThan(50_000)
    expect((await replyOf(packed(bomb, 'gzip'))).json).toBeUndefined()
  })

  test('without end is abandoned, and its connection is closed', async () => {
    let isOpen = true
    const url = await serverOf((_request, response) => {
      const writing = setInterval(() => response.write('x'.repeat(64 * 1024)), 1)
      response.once('close', () => {
        clearInterval(writing)
        isOpen = false
      })
    })
    expect(await exchange({ method: 'GET', url }, soon())).toMatchObject({ status: 200, json: undefined })
    await vi.waitFor(() => expect(isOpen).toBe(false), { timeout: 60_000, interval: 5 })
  })

  function packed(body: Buffer, encoding: string): FakeReply {
    return { status: 200, body, headers: { 'content-encoding': encoding } }
  }
})

test('a byte order mark before JSON is ignored', async () => {
  const { json } = await replyOf({ status: 200, body: '\uFEFF{"done":true,"number":340434161094042557}' })
  expect(json).toEqual({ done: true, number: '340434161094042557' })
})

describe('headers', () => {
  test.each<[string, string | undefined]>([
    ['error', 'CODE'],
    ['Error', 'CODE'],
    ['message', 'a text, with more'],
    ['empty', undefined],
    ['blank', undefined],
    ['missing', undefined],
  ])('%s', async (name, expected) => {
    const headers = { error: '  CODE ', message: 'a text, with more', empty: '', blank: '  ' }
    expect((await replyOf({ status: 400, headers })).header(name)).toBe(expected)
  })
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('%i is returned as the reply and not followed', async (status) => {
    const elsewhere = await fakeOf(() => ({ status: 200, body: { done: true } }))
    const reply = await replyOf({ status, headers: { location: elsewhere.baseUrl }, body: { moved: true } })
    expect([reply.status, elsewhere.requests.length]).toEqual([status, 0])
  })
})

describe('no reply is returned', () => {
  test('if the port is closed', async () => {
    const { baseUrl, close } = await startFake(() => 'cut')
    await close()
    expect(await reasonOf(exchange({ method: 'GET', url: baseUrl }, soon()))).toBe('ECONNREFUSED')
  })

  test('if the connection is cut before the reply', async () => {
    const { baseUrl } = await fakeOf(() => 'cut')
    const reason = await reasonOf(exchange({ method: 'POST', url: baseUrl }, soon()))
    expect(reason).toMatch(/^(UND_ERR_SOCKET|ECONNRESET)$/)
  })

  test('if the connection is cut within the reply', async () => {
    const url = await serverOf((_request, response) => {
      response.writeHead(200, { 'content-length': '20' })
      response.write('{"done":', () => response.destroy())
    })
    await expect(exchange({ method: 'GET', url }, soon())).rejects.toThrow()
  })

  test('if the server does not speak HTTP', async () => {
    const url = await serverOf((_request, response) => {
      response.socket?.end('SSH-2.0-OpenSSH\r\n')
    })
    const reason = await reasonOf(exchange({ method: 'GET', url }, soon()))
    // Node 22 gives a code, Node 24 a sentence. Neither contains the received bytes.
    expect(reason).toMatch(/^(HPE_|Response does not match the HTTP\/1\.1 protocol)/)
    expect(reason).not.toContain('SSH')
  })

  test('if the signal is aborted before the request', async () => {
    const { baseUrl, requests } = await fakeOf(() => ({ status: 200 }))
    await expect(exchange({ method: 'GET', url: baseUrl }, AbortSignal.abort())).rejects.toThrow()
    expect(requests).toEqual([])
  })

  test.each(['headers', 'body'])('if the signal is aborted while waiting for the %s', async (part) => {
    let isOpen: boolean | undefined
    const url = await serverOf((_request, response) => {
      isOpen = true
      response.once('close', () => {
        isOpen = false
      })
      if (part === 'body') response.write('{"half":')
    })
    const abort = new AbortController()
    const exchanged = expect(exchange({ method: 'GET', url }, abort.signal)).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(isOpen).toBe(true), { timeout: 60_000, interval: 5 })
    if (part === 'body') await new Promise((resolve) => setTimeout(resolve, 20))
    abort.abort()
    await exchanged
    await vi.waitFor(() => expect(isOpen).toBe(false), { timeout: 60_000, interval: 5 })
  })

  test.each<[string, Parameters<typeof exchange>[0]]>([
    ['a line break in a header', header('canary\nkey')],
    ['NUL in a header', header('canary\0key')],
    ['a letter that is not allowed in headers', header('canaryключ')],
    ['a password in the URL', { method: 'GET', url: 'http://:canary@127.0.0.1:9/' }],
    ['a user in the URL', { method: 'GET', url: 'http://canary@127.0.0.1:9/' }],
    ['no URL', { method: 'GET', url: 'canary' }],
    ['another protocol', { method: 'GET', url: 'ftp://127.0.0.1/canary' }],
    ['a port that fetch blocks', { method: 'GET', url: 'http://127.0.0.1:1/canary' }],
  ])('if the request is invalid; the error has no part of it: %s', async (_name, request) => {
    const reason = await reasonOf(exchange(request, soon()))
    expect(reason).not.toContain('canary')
    expect(reason).toMatch(
      /^(the URL or a credential in the settings is invalid|ERR_INVALID_URL|unknown scheme|bad port)/,
    )
  })

  function header(key: string): Parameters<typeof exchange>[0] {
    return { method: 'GET', url: 'http://127.0.0.1:9/', headers: { key } }
  }
})

describe('a value in JSON', () => {
  const json: unknown = JSON.parse(
    '{"a":{"b":["x",{"c":" text "}]},"n":0,"e":"","s":"  ","nul":null,"__proto__":{"p":1}}',
  )

  test.each<[(string | number)[], unknown]>([
    [[], json],
    [['a', 'b', 0], 'x'],
    [['a', 'b', 1, 'c'], ' text '],
    [['n'], 0],
    [['nul'], null],
    [['nul', 'x'], undefined],
    [['a', 'b', 2], undefined],
    [['a', 'b', 'length'], 2],
    [['a', 'b', 'map'], undefined],
    [['a', 'b', 0, 0], undefined],
    [['constructor'], undefined],
    [['toString'], undefined],
    [['__proto__', 'p'], 1],
    [['p'], undefined],
  ])('%j', (path, expected) => {
    expect(valueAt(json, ...path)).toEqual(expected)
  })

  test.each<[(string | number)[], string | undefined]>([
    [['a', 'b', 1, 'c'], 'text'],
    [['a', 'b'], undefined],
    [['n'], undefined],
    [['e'], undefined],
    [['s'], undefined],
    [['nul'], undefined],
    [['none'], undefined],
  ])('text at %j', (path, expected) => {
    expect(textAt(json, ...path)).toBe(expected)
  })

  test.each<[(string | number)[], number]>([
    [['a', 'b'], 2],
    [['a'], 0],
    [['e'], 0],
    [['nul'], 0],
    [['none'], 0],
  ])('the list at %j', (path, length) => {
    expect(listAt(json, ...path)).toHaveLength(length)
  })
})

test('encodes user and password of HTTP Basic as UTF-8', () => {
  expect(basicAuthorization('user', 'pässword:')).toBe('Basic dXNlcjpww6Rzc3dvcmQ6')
})

test('integers that JavaScript would round are read as text, and everything else as it is', async () => {
  const json = String.raw`{"id": 340434292135100056, "list": [-1, 2.5e3, 1234567890123456, true, null],
    "text": "a \" 1234567890123456 \\", "exact": 123456789012345, "float": 1234567890123456.5}`
  const url = await serverOf((_request, response) => response.end(json))
  expect((await exchange({ method: 'GET', url }, soon())).json).toEqual({
    id: '340434292135100056',
    list: [-1, 2500, '1234567890123456', true, null],
    text: 'a " 1234567890123456 \\',
    exact: 123456789012345,
    float: 1234567890123456.5,
  })
})

describe('the time of Retry-After', () => {
  const DAY_MS = 86_400_000
  const DATE = 'Mon, 23 Nov 2026 10:00:00 GMT'

  test.each<[string | undefined, number | undefined]>([
    ['120', 120_000],
    ['1', 1_000],
    ['86401', DAY_MS],
    ['99999999999999999999', DAY_MS],
    ['0', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['5 minutes', undefined],
    ['soon', undefined],
    [undefined, undefined],
    ['Mon, 23 Nov 2026 10:05:00 GMT', 300_000],
    ['Monday, 23-Nov-26 10:05:00 GMT', 300_000],
    ['Mon Nov 23 10:05:00 2026', 300_000],
    ['Tue, 24 Nov 2026 10:00:01 GMT', DAY_MS],
    [DATE, undefined],
    ['Mon, 23 Nov 2026 09:59:59 GMT', undefined],
    ['Mon, 99 Nov 2026 10:05:00 GMT', undefined],
    ['2026-11-23T10:05:00Z', undefined],
  ])('%s', (value, expected) => {
    const headers: Readonly<Record<string, string | undefined>> = { date: DATE, 'retry-after': value }
    expect(retryAfterMs({ status: 429, json: undefined, header: (name) => headers[name] })).toBe(expected)
  })

  test('is relative to the clock of this machine if the reply has no date', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T10:04:00Z') })
    try {
      const header = (name: string) => (name === 'retry-after' ? 'Mon, 23 Nov 2026 10:05:00 GMT' : undefined)
      expect(retryAfterMs({ status: 429, json: undefined, header })).toBe(60_000)
    } finally {
      vi.useRealTimers()
    }
  })
})

test('the record of a call has a request whose reply has not arrived', async () => {
  const { signal, abort, exchanges } = openCallSignal()
  let receive = () => {}
  const received = new Promise<void>((resolve) => {
    receive = resolve
  })
  const { baseUrl } = await fakeOf(() => {
    receive()
    return new Promise<FakeReply>(() => {})
  })
  const ended = reasonOf(exchange({ method: 'DELETE', url: `${baseUrl}/1Z` }, signal))
  await received
  expect(exchanges()).toMatchObject([
    { method: 'DELETE', url: `${baseUrl}/1Z`, status: null, fault: 'no reply until the call ended' },
  ])
  abort()
  await ended
  expect(exchanges()).toHaveLength(1)
})

test('the record of a call has the text of a long reply, which is not redacted field by field', async () => {
  const { signal, exchanges } = openCallSignal()
  const replies = [{ code: 'x'.repeat(31_000) }, { code: 'x'.repeat(33_000) }]
  const { baseUrl } = await fakeOf(() => ({ status: 200, body: replies.shift() }))
  for (const url of [`${baseUrl}/short`, `${baseUrl}/long`]) {
    const { json } = await exchange({ method: 'GET', url }, signal)
    expect(textAt(json, 'code')).toMatch(/^x+$/)
  }
  expect(exchanges().map(({ reply }) => typeof reply)).toEqual(['object', 'string'])
})
