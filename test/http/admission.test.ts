/** The limits of bodies in transit, requests in flight and unread responses. docs/limits.md#connections-and-bodies */
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { digestOf, secretMatcher } from '../../src/store/accounts/credentials.ts'
import { memoryCredentials } from '../support/app/memory-credentials.ts'
import { CALLER, listen, probeDoor, rawRequest, talk, testServer } from './test-socket.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

/** Every account has the key `<account>-key` with the secret `secret`. */
const accounts = memoryCredentials({
  isKnown: () => true,
  findKey: async (keyId) => ({
    keyId,
    caller: { ...CALLER, accountId: keyId.replace('-key', '') },
    secretDigests: [digestOf('secret')],
  }),
})

function server(
  answer: () => unknown,
  limits: NonNullable<Parameters<typeof testServer>[1]>['limits'],
  credentials = accounts,
) {
  const { app, lines } = testServer([probeDoor(answer)], {
    ports: { credentials, secrets: secretMatcher },
    ...(limits && { limits }),
  })
  open.push(app)
  return {
    app,
    lines,
    post: (account: string) =>
      app.inject({ method: 'POST', url: '/probe', headers: { 'x-pp-api': `${account}-key@secret` } }),
  }
}

/** A promise and the function that resolves it. */
function releasablePromise() {
  let release = () => {}
  const promise = new Promise<void>((resolve) => {
    release = resolve
  })
  return { promise, release }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 50))

test('refuses a request above the limit of requests in flight, but not a health check', async () => {
  const { promise, release } = releasablePromise()
  const { app, post } = server(() => promise.then(() => 'done'), { inFlight: 2 })
  const running = [post('a'), post('b')]
  await soon()
  const refused = await post('c')
  expect(refused.statusCode).toBe(503)
  expect(refused.headers['retry-after']).toBe('1')
  expect(refused.body).toBe('{"kind":"OVERLOADED","message":"The service is busy; try again shortly"}')
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  release()
  expect((await Promise.all(running)).map((answer) => answer.statusCode)).toEqual([200, 200])
  expect((await post('c')).statusCode).toBe(200)
})

test('gives one account at most half of the requests in flight', async () => {
  const { promise, release } = releasablePromise()
  const { post } = server(() => promise.then(() => 'done'), { inFlight: 8 })
  const running = Array.from({ length: 6 }, () => post('a'))
  await soon()
  const other = Array.from({ length: 4 }, () => post('b'))
  await soon()
  release()
  const statuses = (await Promise.all(running)).map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([200, 200, 200, 200, 503, 503])
  expect((await Promise.all(other)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
})

test('frees the slot of a request when its client disconnects', async () => {
  const { app, post } = server(() => new Promise(() => {}), { inFlight: 1 })
  const port = await listen(app)
  await talk(port, rawRequest('POST /probe', ['X-PP-API: a-key@secret']), 100)
  await soon()
  const answer = await Promise.race([post('b'), soon()])
  // No response: the request was admitted and waits for the route.
  expect(answer).toBeUndefined()
})

test('frees the slots of pipelined requests when their client disconnects', async () => {
  const { app, lines, post } = server(() => new Promise(() => {}), { inFlight: 6 })
  const port = await listen(app)
  const request = 'POST /probe HTTP/1.1\r\nHost: test\r\nX-PP-API: a-key@secret\r\n\r\n'
  for (let round = 0; round < 3; round++) await talk(port, request.repeat(3), 100)
  await soon()
  const completed = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request completed')
  // One line per request. None was refused.
  expect(completed).toEqual(Array(9).fill(expect.objectContaining({ abandoned: true })))
  for (const line of completed) expect(line).not.toHaveProperty('status')
  expect(await Promise.race([post('a'), soon()])).toBeUndefined()
})

test('logs no status if the client disconnects just before the first turn', async () => {
  const { app, lines } = server(() => 'done', {})
  // The turn begins before the event `close`.
  app.addHook('preValidation', (request, _reply, done) => {
    request.raw.socket.destroy()
    done()
  })
  const port = await listen(app)
  await talk(port, 'POST /probe HTTP/1.1\r\nHost: test\r\nX-PP-API: a-key@secret\r\n\r\n', 100)
  await soon()
  const completed = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request completed')
  expect(completed).toEqual([expect.objectContaining({ abandoned: true })])
  expect(completed[0]).not.toHaveProperty('status')
})

test.each([
  ['with a body', 'Content-Length: 5', '1'],
  ['without a body', 'Accept: */*', ''],
])('counts no request %s whose client disconnects while its key is looked up', async (_name, header, body) => {
  const { promise, release } = releasablePromise()
  const slow = memoryCredentials({
    isKnown: () => true,
    findKey: (keyId) => promise.then(() => accounts.findKey(keyId)),
  })
  const { app, post } = server(() => 'done', { inFlight: 20 }, slow)
  const port = await listen(app)
  const request = rawRequest('POST /probe', ['X-PP-API: a-key@secret', header], body)
  await Promise.all(Array.from({ length: 70 }, () => talk(port, request, 150)))
  await soon()
  release()
  await soon()
  const answer = app.inject({
    ...{ method: 'POST', url: '/probe', payload: '{}' },
    headers: { 'x-pp-api': 'a-key@secret' },
  })
  expect((await answer).statusCode).toBe(200)
  expect((await post('a')).statusCode).toBe(200)
})

test('counts slow bodies against their sender only', async () => {
  const { app, post } = server(() => 'done', { inFlight: 4 })
  const port = await listen(app)
  const slow = rawRequest('POST /probe', ['X-PP-API: a-key@secret', 'Content-Length: 5'], '1')
  const talks = Array.from({ length: 70 }, () => talk(port, slow, 1_500))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await post('b')).statusCode).toBe(200)
  // The limit of the sender is 64 bodies in transit.
  const answers = await Promise.all(talks)
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 503'))).toHaveLength(6)
  expect((await post('a')).statusCode).toBe(200)
})

test('does not count a complete body as in transit', async () => {
  const { app } = server(() => 'done', {})
  const port = await listen(app)
  const request = rawRequest('POST /probe', ['X-PP-API: a-key@secret', 'Content-Length: 2'], '{}')
  for (let round = 0; round < 70; round++) expect(await talk(port, request)).toMatch(/^HTTP\/1.1 200 /)
})

test('disconnects a client that does not read its response', async () => {
  const big = 'x'.repeat(6_000_000)
  const { app } = server(() => big, { stalledMs: 400 })
  const port = await listen(app)
  const closed = await new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause()
      socket.write(rawRequest('POST /probe', ['X-PP-API: a-key@secret']))
    })
    socket.on('error', () => {})
    const lost = setInterval(() => {
      app.server.getConnections((_error, count) => {
        if (count > 0) return
        clearInterval(lost)
        clearTimeout(gaveUp)
        socket.destroy()
        resolve(true)
      })
    }, 50)
    const gaveUp = setTimeout(() => {
      clearInterval(lost)
      socket.destroy()
      resolve(false)
    }, 10_000)
  })
  expect(closed).toBe(true)
})

test.each([
  ['ASCII', 'x'.repeat(6_000_000)],
  ['not ASCII', '€'.repeat(2_000_000)],
])('closes the oldest connections when the unread responses of an account exceed the limit in bytes: %s', async (_name, big) => {
  const { app } = server(() => big, {})
  const port = await listen(app)
  const sockets = []
  let lost = 0
  for (let client = 0; client < 5; client++) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause()
      socket.write(rawRequest('POST /probe', ['X-PP-API: a-key@secret']))
    })
    socket.on('error', () => {})
    sockets.push(socket)
    await soon()
  }
  await soon()
  lost = await new Promise<number>((resolve) => {
    app.server.getConnections((_error, count) => resolve(5 - count))
  })
  for (const socket of sockets) socket.destroy()
  // The limit of 16 MiB has room for two responses of 6 MB.
  expect(lost).toBe(3)
})

test('an unread response that alone exceeds the limit of its account is closed too', async () => {
  const { app } = server(() => 'x'.repeat(17 * 1024 * 1024), {})
  const socket = connect(await listen(app), '127.0.0.1', () => {
    socket.pause()
    socket.write(rawRequest('POST /probe', ['X-PP-API: a-key@secret']))
  })
  socket.on('error', () => {})
  // Until the connection is accepted and the response is sent.
  await soon()
  await expect
    .poll(() => new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count))), {
      timeout: 60_000,
    })
    .toBe(0)
  socket.destroy()
})
