/**
 * Which failures of an exchange prove that the request never left, against sockets on loopback; and how the requests of
 * one call are counted.
 */
import { getEventListeners } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { exchange, type HttpRequest } from '../../src/carriers/http-exchange.ts'
import { NotSentError, openCallSignal, withinLimit } from '../../src/carriers/not-sent.ts'
import { readOAuthToken, tokenSource } from '../../src/carriers/token-source.ts'
import { startFake } from './fakes/fake-carrier.ts'
import { TLS } from './fakes/self-signed.ts'

const closing: (() => void)[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const close of closing.splice(0)) close()
})

/** Listens on a free port of loopback. Returns the host and port. */
async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closedPort(): Promise<string> {
  const server = createServer()
  const host = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return host
}

/** The error of a request with a call's signal, and whether the call may have sent something. */
async function failureOf(request: Partial<HttpRequest> & Pick<HttpRequest, 'url'>) {
  const { signal, mayHaveSent } = openCallSignal()
  const error = await exchange({ method: 'POST', ...request }, signal).then(
    () => expect.unreachable('a reply'),
    (thrown: unknown) => thrown,
  )
  return { error, mayHaveSent: mayHaveSent() }
}

const NEVER_LEFT: readonly (readonly [
  string,
  () => Promise<Partial<HttpRequest> & Pick<HttpRequest, 'url'>>,
])[] = [
  ['the port is closed', async () => ({ url: `http://${await closedPort()}/` })],
  [
    'the port is closed at both addresses',
    async () => ({ url: `http://localhost:${(await closedPort()).split(':')[1]}/` }),
  ],
  ['the host has no address', async () => ({ url: 'http://carrier.invalid/' })],
  // Its TLS handshake does not end, as the TCP handshake with a host behind a silent firewall.
  ['the host does not answer', async () => ({ url: `https://${await listen(createServer())}/` })],
  ['the URL is invalid', async () => ({ url: 'http://' })],
  ['a header is invalid', async () => ({ url: `http://${await closedPort()}/`, headers: { key: 'a\nb' } })],
  ['the certificate is not trusted', async () => ({ url: `https://${await listen(createTlsServer(TLS))}/` })],
  [
    'the server does not speak TLS',
    async () => ({
      url: `https://${await listen(createHttpServer((_request, response) => response.end()))}/`,
    }),
  ],
  [
    'the connection is closed during the TLS handshake',
    async () => ({
      url: `https://${await listen(createServer((socket) => socket.once('data', () => socket.end())))}/`,
    }),
  ],
  [
    'the connection is reset during the TLS handshake',
    async () => ({
      url: `https://${await listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())))}/`,
    }),
  ],
  [
    'the TLS handshake fails because the server wants a certificate (TLS 1.2)',
    async () => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      const server = createTlsServer({
        ...TLS,
        maxVersion: 'TLSv1.2',
        requestCert: true,
        rejectUnauthorized: true,
      })
      return { url: `https://${await listen(server)}/` }
    },
  ],
]

describe('a request certainly never left if', () => {
  test.each(NEVER_LEFT)('%s', async (_name, request) => {
    const { error, mayHaveSent } = await failureOf(await request())
    expect(error).toBeInstanceOf(NotSentError)
    expect(mayHaveSent).toBe(false)
  })

  test('its signal was aborted before it was started', async () => {
    const { signal, abort, mayHaveSent } = openCallSignal()
    abort()
    const sent = exchange({ method: 'POST', url: `http://${await closedPort()}/` }, signal)
    await expect(sent).rejects.toBeInstanceOf(NotSentError)
    expect(mayHaveSent()).toBe(false)
  })
})

const MAY_HAVE_LEFT: readonly (readonly [string, () => Promise<string>])[] = [
  [
    'the connection is closed without a reply',
    async () => `http://${await listen(createServer((socket) => socket.once('data', () => socket.end())))}/`,
  ],
  [
    'the connection is reset without a reply',
    async () =>
      `http://${await listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())))}/`,
  ],
  [
    'a connection that is used again is reset',
    async () => {
      let requests = 0
      const server = createHttpServer((request, response) => {
        requests += 1
        if (requests === 1) response.end('{}')
        else request.socket.resetAndDestroy()
      })
      const url = `http://${await listen(server)}/`
      await exchange({ method: 'POST', url }, AbortSignal.timeout(5_000))
      return url
    },
  ],
  [
    'the server rejects the missing certificate after the handshake (TLS 1.3)',
    async () => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      const server = createTlsServer({
        ...TLS,
        minVersion: 'TLSv1.3',
        requestCert: true,
        rejectUnauthorized: true,
      })
      return `https://${await listen(server)}/`
    },
  ],
  [
    'the connection is closed after the handshake',
    async () => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      const server = createTlsServer(TLS, (socket) => socket.once('data', () => socket.destroy()))
      return `https://${await listen(server)}/`
    },
  ],
]

describe('a request may have left if', () => {
  test.each(MAY_HAVE_LEFT)('%s', async (_name, urlOf) => {
    const { error, mayHaveSent } = await failureOf({ url: await urlOf() })
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(NotSentError)
    expect(mayHaveSent).toBe(true)
  })

  test('its signal is aborted later', async () => {
    const { signal, abort, mayHaveSent } = openCallSignal()
    const host = await listen(createServer((socket) => socket.once('data', abort)))
    const error = await exchange({ method: 'POST', url: `http://${host}/` }, signal).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).not.toBeInstanceOf(NotSentError)
    expect(mayHaveSent()).toBe(true)
  })
})

describe('a call may have sent something if', () => {
  test('an earlier request may have left, and a later one did not', async () => {
    const fake = await startFake(() => ({ status: 200 }))
    const { signal, mayHaveSent } = openCallSignal()
    await exchange({ method: 'DELETE', url: fake.baseUrl }, signal)
    await fake.close()
    const second = exchange({ method: 'DELETE', url: fake.baseUrl }, signal)
    await expect(second).rejects.toBeInstanceOf(NotSentError)
    expect(mayHaveSent()).toBe(true)
  })

  test('the earlier request had a shorter time limit', async () => {
    const fake = await startFake(() => 'cut')
    const { signal, mayHaveSent } = openCallSignal()
    const get = (part: AbortSignal) => exchange({ method: 'GET', url: fake.baseUrl }, part)
    await withinLimit(signal, 5_000, get).catch(() => {})
    await fake.close()
    await exchange({ method: 'GET', url: fake.baseUrl }, signal).catch(() => {})
    expect(mayHaveSent()).toBe(true)
  })
})

describe('a limit', () => {
  /** Resolves to the reason when the signal is aborted. */
  const ended = (signal: AbortSignal) =>
    new Promise<unknown>((resolve) => {
      if (signal.aborted) resolve(signal.reason)
      signal.addEventListener('abort', () => resolve(signal.reason))
    })

  test('remains when memory is collected', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { signal } = openCallSignal()
    const aborted = withinLimit(signal, 300, ended)
    for (let round = 0; round < 5; round += 1) {
      collect()
      await sleep(20)
    }
    expect(await Promise.race([aborted, sleep(2_000, 'lost')])).toMatchObject({ name: 'TimeoutError' })
  })

  test('ends with the call, also if that has ended before', async () => {
    const { signal, abort } = openCallSignal()
    const limited = withinLimit(signal, 5_000, ended)
    abort()
    expect(await limited).toBe(signal.reason)
    expect(await withinLimit(signal, 5_000, ended)).toBe(signal.reason)
  })

  test('leaves no listener on the signal of the call, whether its part succeeds or fails', async () => {
    const { signal } = openCallSignal()
    await withinLimit(signal, 5_000, async () => 'done')
    await withinLimit(signal, 5_000, () => Promise.reject(new Error('failed'))).catch(() => {})
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a call with an access token', () => {
  /** `parcel` is the status of the request that needs the token. */
  async function callOf(tokenReplies: readonly number[], parcel: number) {
    let issued = 0
    const fake = await startFake(({ path }) => {
      if (path !== '/token') return { status: parcel }
      const status = tokenReplies[issued++] ?? 503
      return { status, body: { access_token: `canary-${issued}`, expires_in: 3_600 } }
    })
    closing.push(() => void fake.close())
    const tokens = tokenSource({ method: 'POST', url: `${fake.baseUrl}/token` }, readOAuthToken)
    const { signal, mayHaveSent } = openCallSignal()
    const send = tokens.send(() => ({ method: 'DELETE', url: `${fake.baseUrl}/parcel` }), signal)
    const result = await send.catch((thrown: unknown) => thrown)
    return { result, mayHaveSent: mayHaveSent() }
  }

  test.each([
    ['the carrier issues no token', [503], 200],
    ['the carrier rejects the credentials', [401], 200],
    ['the token is rejected, and there is no new one', [200, 503], 401],
  ])('has sent nothing if %s', async (_name, tokenReplies, parcel) => {
    const { result, mayHaveSent } = await callOf(tokenReplies, parcel)
    expect(result).toBeInstanceOf(NotSentError)
    expect(mayHaveSent).toBe(false)
  })

  test.each([
    ['the carrier replies', [200], 500],
    ['the carrier rejects the second token as well', [200, 200], 401],
  ])('may have sent something if %s', async (_name, tokenReplies, parcel) => {
    const { result, mayHaveSent } = await callOf(tokenReplies, parcel)
    expect(result).toMatchObject({ status: parcel })
    expect(mayHaveSent).toBe(true)
  })
})
