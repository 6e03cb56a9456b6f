/** Health checks and graceful shutdown. docs/operations.md#health-checks */
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { healthRoutes } from '../../src/http/health.ts'
import { VERSION } from '../../src/version.ts'
import { GOOD_HEADER, listen, probeDoor, rawRequest, talk, testServer } from './test-socket.ts'

const ready = async (check: () => Promise<boolean>) => {
  const { app } = testServer([], { ready: check })
  const answer = await app.inject('/readyz')
  return `${answer.statusCode} ${answer.body}`
}

test('is ready while the database responds', async () => {
  expect(await ready(async () => true)).toBe('200 {"status":"ready"}')
  expect(await ready(async () => false)).toBe('503 {"status":"not ready"}')
  expect(await ready(() => Promise.reject(new Error('no route to host')))).toBe('503 {"status":"not ready"}')
  expect(
    await ready(() => {
      throw new Error('pool is closed')
    }),
  ).toBe('503 {"status":"not ready"}')
})

test('tells the state of background work on request, with the same status', async () => {
  let failingMs = 0
  const answerTo = async (path: string, isReady = true) => {
    const { app } = testServer([], {
      ready: async () => isReady,
      backgroundWork: () => ({ sinceSuccessMs: failingMs + 1_400, failingMs }),
    })
    const { statusCode, body } = await app.inject(path)
    return { statusCode, ...JSON.parse(body) }
  }
  expect(await answerTo('/readyz')).toEqual({ statusCode: 200, status: 'ready' })
  expect(await answerTo('/readyz?verbose')).toEqual({
    ...{ statusCode: 200, status: 'ready' },
    backgroundWork: { status: 'ok', secondsSinceSuccess: 1, secondsFailing: 0 },
  })
  failingMs = 75_000
  const failing = { status: 'failing', secondsSinceSuccess: 76, secondsFailing: 75 }
  expect(await answerTo('/readyz?verbose')).toEqual({
    ...{ statusCode: 200, status: 'ready', backgroundWork: failing },
  })
  expect(await answerTo('/readyz?verbose=1', false)).toEqual({
    ...{ statusCode: 503, status: 'not ready', backgroundWork: failing },
  })
  expect(await answerTo('/readyz')).toEqual({ statusCode: 200, status: 'ready' })
})

test('is not ready when the database does not respond in time', async () => {
  const { app } = testServer([])
  const { app: slow } = testServer([
    async (door) => {
      await door.register(
        healthRoutes({ ready: () => new Promise(() => {}), draining: () => false, timeoutMs: 50 }),
        { prefix: '/slow' },
      )
    },
  ])
  expect((await slow.inject('/slow/readyz')).statusCode).toBe(503)
  expect((await app.inject('/healthz')).body).toBe(`{"status":"alive","version":"${VERSION}"}`)
})

test('checks the database once for all requests within half a second', async () => {
  let [now, checks] = [0, 0]
  const { app } = testServer([
    async (door) => {
      const ready = async () => {
        checks++
        return true
      }
      await door.register(healthRoutes({ ready, draining: () => false, now: () => now }), {
        prefix: '/probed',
      })
    },
  ])
  const ask = async () => (await app.inject('/probed/readyz')).statusCode
  expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(200))
  expect(checks).toBe(1)
  now = 499
  await ask()
  expect(checks).toBe(1)
  now = 500
  await ask()
  expect(checks).toBe(2)
})

test('does not start another check while one hangs', async () => {
  let [now, checks] = [0, 0]
  let finish = (_ready: boolean) => {}
  const ready = () => {
    checks++
    return new Promise<boolean>((resolve) => {
      finish = resolve
    })
  }
  const { app } = testServer([
    async (door) => {
      const readiness = { ready, draining: () => false, timeoutMs: 100, now: () => now }
      await door.register(healthRoutes(readiness), { prefix: '/probed' })
    },
  ])
  const ask = async () => (await app.inject('/probed/readyz')).statusCode
  for (now of [0, 600, 1_200]) expect(await ask()).toBe(503)
  expect(checks).toBe(1)
  finish(true)
  now = 1_800
  await new Promise((resolve) => setImmediate(resolve))
  const answer = ask()
  setTimeout(() => finish(true), 2)
  expect(await answer).toBe(200)
  expect(checks).toBe(2)
})

test('needs no credentials for health checks, and sends a request id', async () => {
  const { app } = testServer([], { ready: async () => false })
  const answer = await app.inject('/healthz')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['x-request-id']).toBeDefined()
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('while draining, is not ready, serves requests with Connection: close, and then closes the socket', async () => {
  const { app } = testServer([probeDoor()], { limits: { lameDuckMs: 1_000 } })
  const port = await listen(app)
  const keepAlive = `POST /probe HTTP/1.1\r\nHost: t\r\nX-PP-API: ${GOOD_HEADER}\r\nContent-Length: 0\r\n\r\n`
  const drained = app.drain()
  let isDrained = false
  drained.then(() => {
    isDrained = true
  })
  expect(app.drain()).toBe(drained)
  const readiness = await talk(port, 'GET /readyz HTTP/1.1\r\nHost: t\r\n\r\n')
  expect(readiness).toMatch(/^HTTP\/1.1 503 .*connection: close.*\{"status":"draining"\}$/is)
  expect(await talk(port, keepAlive)).toMatch(/^HTTP\/1.1 200 .*connection: close/is)
  expect(await talk(port, rawRequest('GET /nowhere'))).toMatch(/^HTTP\/1.1 404 /)
  expect((await talk(port, rawRequest('GET /healthz'))).startsWith('HTTP/1.1 200')).toBe(true)
  expect(isDrained).toBe(false)
  await drained
  await expect(talk(port, rawRequest('GET /healthz'))).rejects.toThrow('ECONNREFUSED')
})

test('while draining, waits for running requests and closes those that do not end', async () => {
  const slow = testServer(
    [probeDoor(() => new Promise((resolve) => setTimeout(resolve, 300, { late: true })))],
    {
      limits: { lameDuckMs: 20 },
    },
  )
  const post = rawRequest('POST /probe', [`X-PP-API: ${GOOD_HEADER}`])
  const answer = talk(await listen(slow.app), post)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await slow.app.drain()
  expect(await answer).toMatch(/^HTTP\/1.1 200 .*\{"late":true\}$/s)

  const stuck = testServer([probeDoor(() => new Promise(() => {}))], {
    limits: { lameDuckMs: 20, closingMs: 100 },
  })
  // The caller itself would wait for longer than this test may take.
  const never = talk(await listen(stuck.app), post, 200_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await stuck.app.drain()
  expect(await never).toBe('')
})

test('while draining, serves a request whose body is still arriving', async () => {
  const { app } = testServer([probeDoor()], { limits: { lameDuckMs: 20 } })
  const port = await listen(app)
  const request = rawRequest('POST /probe', [`X-PP-API: ${GOOD_HEADER}`])
  const answer = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', async () => {
      socket.write(request.slice(0, 20))
      await new Promise((half) => setTimeout(half, 50))
      void app.drain()
      await new Promise((closing) => setTimeout(closing, 150))
      socket.write(request.slice(20))
    })
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('close', () => resolve(text))
  })
  expect(answer).toMatch(/^HTTP\/1.1 200 .*\{"probed":true\}$/s)
  await app.drain()
})

test('before it closes the socket, accepts the connections that wait', async () => {
  const { app } = testServer([probeDoor()], { limits: { lameDuckMs: 20 } })
  const port = await listen(app)
  const request = rawRequest('POST /probe', [`X-PP-API: ${GOOD_HEADER}`])
  const answers: Promise<string>[] = []
  // This timer runs in the same turn as that of `drain`, and before it.
  setTimeout(() => {
    for (let n = 0; n < 20; n += 1) answers.push(talk(port, request))
  }, 20)
  await app.drain()
  expect(answers).toHaveLength(20)
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200 /)
})
