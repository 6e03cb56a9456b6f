/** The limits of bodies in transit, requests in flight and unread responses. docs/limits.md#connections-and-bodies */
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import type { CredentialStore } from '../../src/operations/ports/caller.ts'
import { digestOf, secretMatcher } from '../../src/store/accounts/credentials.ts'
import { CALLER, listen, probeDoor, rawRequest, talk, testServer } from './test-socket.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

/** Every account has the key `<account>-key` with the secret `secret`. */
const accounts: CredentialStore = {
  isKnown: () => true,
  findKey: async (keyId) => ({
    keyId,
    caller: { ...CALLER, accountId: keyId.replace('-key', '') },
    secretDigests: [digestOf('secret')],
  }),
}

function server(answer: () => unknown, limits: NonNullable<Parameters<typeof testServer>[1]>['limits']) {
  const { app } = testServer([probeDoor(answer)], {
    ports: { credentials: accounts, secrets: secretMatcher },
    ...(limits && { limits }),
  })
  open.push(app)
  return {
    app,
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
