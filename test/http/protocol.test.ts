/** Invalid, slow and oversized requests on real connections. */
import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { GOOD_HEADER, listen, probeDoor, rawRequest, talk, testServer } from './test-socket.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

async function listening(options: Parameters<typeof testServer>[1] = {}): Promise<number> {
  const { app } = testServer([probeDoor((body) => ({ bytes: (body as Buffer).length }))], options)
  open.push(app)
  return listen(app)
}

const AUTH = `X-PP-API: ${GOOD_HEADER}`

describe('responds 400 with a request id to invalid HTTP', () => {
  test.each([
    ['with random bytes', '\x16\x03\x01\x02\x00\x01\x00'],
    ['without HTTP', 'HELLO WORLD\r\n\r\n'],
    ['with an unknown version', 'POST /probe HTTP/9.9\r\nHost: test\r\n\r\n'],
    ['with a space in a header name', 'POST /probe HTTP/1.1\r\nHost : test\r\n\r\n'],
    ['with two lengths', rawRequest('POST /probe', [AUTH, 'Content-Length: 1', 'Content-Length: 2'], 'ab')],
    [
      'with a length and chunks',
      rawRequest('POST /probe', [AUTH, 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    ],
    [
      'with an invalid chunk',
      rawRequest('POST /probe', [AUTH, 'Transfer-Encoding: chunked'], 'zz\r\nab\r\n'),
    ],
    ['with NUL in a header', 'POST /probe HTTP/1.1\r\nHost: test\r\nX-PP-API: a\x00b\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    const answer = await talk(await listening(), bytes)
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/)
    expect(answer).toMatch(/\r\n\r\n"Bad Request"$/)
  })
})

test('responds 400 in the envelope of the route to HTTP/1.1 without Host', async () => {
  const answer = await talk(await listening(), 'POST /probe HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
  expect(answer).toMatch(/x-request-id: /)
  expect(answer).toContain('{"kind":"BAD_REQUEST","message":"The request is malformed"}')
})

test.each([
  ['gzip, chunked', 501],
  ['identity, chunked', 501],
  ['x, gzip, Chunked', 501],
  ['chunked', 200],
  [' CHUNKED ', 200],
])('Transfer-Encoding: %s gets %i', async (coding, status) => {
  const head = rawRequest('POST /probe', [AUTH, `Transfer-Encoding: ${coding}`])
  const answer = await talk(await listening(), `${head}2\r\nab\r\n0\r\n\r\n`)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toContain(status === 200 ? '{"bytes":2}' : '"kind":"UNSUPPORTED_TRANSFER_ENCODING"')
})

test('responds 431 to headers above 16 KiB', async () => {
  const answer = await talk(await listening(), rawRequest('POST /probe', [`X-Filler: ${'x'.repeat(20_000)}`]))
  expect(answer).toMatch(/^HTTP\/1.1 431 .*\r\nX-Request-Id: /s)
})

test('supports Expect: 100-continue, and responds 417 to other expectations', async () => {
  const port = await listening()
  const refused = await talk(port, rawRequest('POST /probe', [AUTH, 'Expect: a-miracle']))
  expect(refused).toMatch(/^HTTP\/1.1 417 .*x-request-id: /is)
  const met = await talk(
    port,
    rawRequest('POST /probe', [AUTH, 'Expect: 100-continue', 'Content-Length: 2'], 'ab'),
  )
  expect(met).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 .*\{"bytes":2\}$/s)
})

describe('closes a slow connection that has sent', () => {
  const limits = { headersMs: 300, requestMs: 600, checkEveryMs: 50 }
  const lasts = async (bytes: string) => {
    const port = await listening({ limits })
    return talk(port, bytes, 60_000)
  }
  test.each([
    ['nothing', ''],
    ['half of its headers', 'POST /probe HTTP/1.1\r\nHost: te'],
  ])('%s', async (_name, bytes) => {
    expect(await lasts(bytes)).toMatch(/^HTTP\/1.1 408 .*\r\nX-Request-Id: /s)
  })
  test('half of a body', async () => {
    const answer = await lasts(rawRequest('POST /probe', [AUTH, 'Content-Length: 10'], 'abc'))
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
  })
  test('has default limits of 5 seconds for headers and 10 for the body', () => {
    const { app } = testServer([])
    open.push(app)
    expect(app.server.headersTimeout).toBe(5_000)
    expect(app.server.requestTimeout).toBe(10_000)
    expect(app.server.keepAliveTimeout).toBe(65_000)
    const { connectionsCheckingInterval } = app.server as unknown as { connectionsCheckingInterval?: number }
    expect(connectionsCheckingInterval ?? 1_000).toBe(1_000)
  })
})

describe('a body above 256 KiB', () => {
  const TOO_LARGE = '{"kind":"BODY_TOO_LARGE","message":"The body is too large"}'
  test('gets 413 in the envelope, which the caller can read', async () => {
    const body = 'x'.repeat(256 * 1024 + 1)
    const head = rawRequest('POST /probe', [AUTH, `Content-Length: ${body.length}`])
    const answer = await talk(await listening(), head + body)
    expect(answer).toMatch(/^HTTP\/1.1 413 .*x-request-id: /is)
    expect(answer).toContain(TOO_LARGE)
  })
  test('gets 413 when it is sent in chunks', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const head = rawRequest('POST /probe', [AUTH, 'Transfer-Encoding: chunked'])
    const answer = await talk(await listening(), `${head}${chunk.repeat(20)}0\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(answer).toContain(TOO_LARGE)
  })
  test('is refused, but one of exactly 256 KiB is accepted', async () => {
    const body = 'x'.repeat(256 * 1024)
    const head = rawRequest('POST /probe', [AUTH, `Content-Length: ${body.length}`])
    expect(await talk(await listening(), head + body)).toContain('{"bytes":262144}')
  })
  test('leaves the connection usable for the next request', async () => {
    const body = 'x'.repeat(300_000)
    const first = `POST /probe HTTP/1.1\r\nHost: t\r\n${AUTH}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const answer = await talk(
      await listening(),
      first + rawRequest('POST /probe', [AUTH, 'Content-Length: 1'], 'a'),
    )
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })
})

test('logs no error when a caller disconnects while sending the body', async () => {
  const { app, lines } = testServer([probeDoor()])
  open.push(app)
  const port = await listen(app)
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(rawRequest('POST /probe', [AUTH, 'Content-Length: 10'], 'abc'))
      setTimeout(() => {
        socket.destroy()
        resolve()
      }, 50)
    })
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const answered = lines.filter((line) => line.includes('"request completed"'))
  expect(answered).toHaveLength(1)
  expect(lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
  expect((await app.inject('/healthz')).statusCode).toBe(200)
})

test('does not corrupt a response in progress when invalid bytes follow', async () => {
  const { app } = testServer([
    async (door) => {
      door.post('/part', { config: { access: 'public' } }, async (_request, reply) => {
        reply.hijack()
        reply.raw.writeHead(200, { 'content-length': '10' })
        reply.raw.write('part')
      })
    },
  ])
  open.push(app)
  const port = await listen(app)
  const answer = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write('POST /part HTTP/1.1\r\nHost: t\r\n\r\n'))
    socket.on('data', (chunk) => {
      text += chunk.toString()
      if (text.endsWith('part')) socket.write('GARBAGE\r\n\r\n')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  expect(answer).toMatch(/\r\n\r\npart$/)
  expect(answer).not.toContain('400')
})
