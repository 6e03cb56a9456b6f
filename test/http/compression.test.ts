/** Compressed responses. docs/limits.md#compression */
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyPluginAsync } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { sendJson } from '../../src/http/json-response.ts'
import { type Coding, negotiate, openCompressor } from '../../src/http/outbox.ts'
import { listen, rawRequest, talk, testServer } from './test-socket.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const SMALL = { text: 'x'.repeat(500) }
const MEDIUM = { text: 'x'.repeat(5_000) }
/** Compressed on another thread. */
const LARGE = { text: 'Zürich '.repeat(50_000) }

/** GET /small, /medium, /large and /plain. The last one is not compressed. */
const door: FastifyPluginAsync = async (app) => {
  const compressed = { access: 'public', compress: true } as const
  for (const [path, body] of Object.entries({ '/small': SMALL, '/medium': MEDIUM, '/large': LARGE }))
    app.get(path, { config: compressed }, async (_request, reply) => sendJson(reply, { status: 200, body }))
  app.get('/plain', { config: { access: 'public' } }, async (_request, reply) =>
    sendJson(reply, { status: 200, body: MEDIUM }),
  )
  app.get('/varies', { config: compressed }, async (_request, reply) =>
    sendJson(reply.header('vary', 'accept'), { status: 200, body: MEDIUM }),
  )
  app.get('/empty', { config: compressed }, async (_request, reply) => reply.code(204).send())
}

function server() {
  const { app } = testServer([door])
  open.push(app)
  return app
}

async function get(url: string, acceptEncoding?: string, method: 'GET' | 'HEAD' = 'GET') {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }
  const {
    statusCode: status,
    headers: answered,
    rawPayload,
  } = await server().inject({ method, url, headers })
  return { status, headers: answered, rawPayload, coding: answered['content-encoding'] }
}

function decoded(coding: unknown, payload: Buffer): unknown {
  const bytes =
    coding === 'br' ? brotliDecompressSync(payload) : coding === 'gzip' ? gunzipSync(payload) : payload
  return JSON.parse(bytes.toString('utf8'))
}

describe('Accept-Encoding', () => {
  const cases: readonly (readonly [string, Coding | undefined, boolean?])[] = [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;Q=1.0', 'gzip'],
    ['gzip;q=0.8, br;q=0.5', 'gzip'],
    ['gzip ; q=0.001', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0.5, gzip;q=0.9', 'gzip'],
    ['', undefined],
    ['deflate, zstd, compress', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000, br;q=0', undefined],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=1', 'gzip'],
    ['identity;q=0, gzip', 'gzip', true],
    ['*;q=0', undefined, true],
    ['gzip, *;q=0', 'gzip', true],
    ['identity, *;q=0', undefined],
    ['gzip;q=2', undefined],
    ['gzip;q=0.1234', undefined],
    ['gzip;q=', undefined],
    ['gzip;level=9', undefined],
    ['gzip;q=1;q=0', undefined],
    [',,;,', undefined],
  ]
  test.each(
    cases.map(([header, coding, isIdentityRefused = false]) => [header, coding, isIdentityRefused] as const),
  )('%j selects %s', (header, coding, isIdentityRefused) => {
    expect(negotiate(header)).toEqual({ coding, isIdentityRefused })
  })
})

describe('a response', () => {
  test.each([
    ['/medium', 'br', MEDIUM],
    ['/medium', 'gzip', MEDIUM],
    ['/large', 'br', LARGE],
    ['/large', 'gzip', LARGE],
  ] as const)('of %s is compressed with %s', async (path, coding, body) => {
    const answer = await get(path, coding)
    expect(answer.coding).toBe(coding)
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(answer.rawPayload.length).toBeLessThan(JSON.stringify(body).length / 10)
    expect(decoded(coding, answer.rawPayload)).toEqual(body)
  })

  test.each([
    undefined,
    'identity',
    'gzip;q=0',
    'deflate',
  ] as const)('is not compressed for %s', async (header) => {
    const answer = await get('/large', header)
    expect(answer.coding).toBeUndefined()
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(decoded(undefined, answer.rawPayload)).toEqual(LARGE)
  })

  test('below 1 KB is compressed only if the client refuses uncompressed responses', async () => {
    expect((await get('/small', 'gzip')).coding).toBeUndefined()
    const answer = await get('/small', 'gzip, identity;q=0')
    expect(answer.coding).toBe('gzip')
    expect(decoded('gzip', answer.rawPayload)).toEqual(SMALL)
  })

  test('of a route without `compress` is the same with and without Accept-Encoding', async () => {
    const answer = await get('/plain', 'gzip, br')
    expect(answer.coding).toBeUndefined()
    expect(answer.headers.vary).toBeUndefined()
    expect(decoded(undefined, answer.rawPayload)).toEqual(MEDIUM)
  })

  test('keeps the other names in Vary', async () => {
    expect((await get('/varies', 'br')).headers.vary).toBe('accept, accept-encoding')
    expect((await get('/varies')).headers.vary).toBe('accept, accept-encoding')
  })

  test.each(['/medium', '/large'])('to HEAD %s has the headers of the response to GET', async (path) => {
    const [head, full] = [await get(path, 'gzip', 'HEAD'), await get(path, 'gzip')]
    expect(head.rawPayload).toHaveLength(0)
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
      expect(head.headers[name], name).toBe(full.headers[name])
  })

  test('without a body stays without one', async () => {
    const answer = await get('/empty', 'gzip, identity;q=0')
    expect([answer.status, answer.coding, answer.rawPayload.length]).toEqual([204, undefined, 0])
  })

  test('is complete on a real connection', async () => {
    const port = await listen(server())
    const answer = await talk(port, rawRequest('GET /large', ['Accept-Encoding: gzip']))
    const [head = '', ...body] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^content-encoding: gzip\r?$/im)
    expect(decoded('gzip', Buffer.from(body.join('\r\n\r\n'), 'latin1'))).toEqual(LARGE)
  })

  test('to a client that has disconnected does no harm', async () => {
    const app = server()
    const port = await listen(app)
    for (let index = 0; index < 50; index++) {
      const socket = connect(port, '127.0.0.1')
      socket.write(rawRequest('GET /large', ['Accept-Encoding: br']), () => socket.destroy())
      await new Promise((resolve) => socket.once('close', resolve))
    }
    const answer = await talk(port, rawRequest('GET /large', ['Accept-Encoding: gzip']))
    expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*content-encoding: gzip/)
  })

  test('that is being compressed is completed during a shutdown', async () => {
    const { app } = testServer([door], { limits: { lameDuckMs: 0, closingMs: 15_000 } })
    const port = await listen(app)
    const answer = talk(port, rawRequest('GET /large', ['Accept-Encoding: br']))
    await new Promise<void>((resolve) => app.server.once('request', () => resolve()))
    await app.drain()
    expect(await answer).toMatch(/^HTTP\/1.1 200 [\s\S]*content-encoding: br/)
  })
})

describe('the compressor', () => {
  const never = () => false
  const text = 'a'.repeat(100_000)

  test('leaves texts uncompressed while it has too much to compress', async () => {
    const compress = openCompressor(250_000)
    const results = await Promise.all([1, 2, 3, 4].map(() => compress(text, 'br', never)))
    expect(results.map((result) => result !== undefined)).toEqual([true, true, false, false])
    expect(await compress(text, 'gzip', never)).toBeInstanceOf(Buffer)
  })

  test('completes texts that had to wait', async () => {
    const compress = openCompressor()
    const results = await Promise.all(Array.from({ length: 20 }, () => compress(text, 'gzip', never)))
    for (const result of results) expect(gunzipSync(result ?? '').toString()).toBe(text)
  })

  test('skips texts whose client has disconnected, and then has room for others', async () => {
    const compress = openCompressor(250_000)
    for (let index = 0; index < 10; index++) expect(await compress(text, 'br', () => true)).toBeUndefined()
    expect(await compress(text, 'br', never)).toBeInstanceOf(Buffer)
  })
})
