/** Requests to carriers through an HTTP proxy: what it receives, and which failures prove that nothing was sent. */
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { exchange, sendThroughProxy } from '../../src/carriers/http-exchange.ts'
import { NotSentError, openCallSignal } from '../../src/carriers/not-sent.ts'
import { TLS } from './fakes/self-signed.ts'

const closing: (() => void)[] = []
beforeEach(() => {
  // The certificate of the fake carriers is self-signed.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
})
afterEach(() => {
  sendThroughProxy(undefined)
  vi.unstubAllEnvs()
  for (const close of closing.splice(0)) close()
})

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A carrier with TLS on loopback. Returns its port. */
const startCarrier = (answer: (socket: TLSSocket) => void): Promise<number> =>
  listen(
    createTlsServer(TLS, (socket) => void socket.on('error', () => {}).once('data', () => answer(socket))),
  )

const replies = (socket: TLSSocket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')

type ProxyAnswer = (socket: Duplex) => void

/** Starts a proxy and uses it. Returns the requests for tunnels. */
async function startProxy(answer: ProxyAnswer, exceptHosts = ''): Promise<IncomingMessage[]> {
  const tunnels: IncomingMessage[] = []
  const server = createHttpServer((_request, response) => response.writeHead(500).end())
  server.on('connect', (request, socket) => {
    tunnels.push(request)
    answer(socket.on('error', () => {}))
  })
  sendThroughProxy({ url: `http://me:p%40ss@127.0.0.1:${await listen(server)}`, exceptHosts })
  return tunnels
}

const OPENED = 'HTTP/1.1 200 Connection established\r\n\r\n'

/** Opens tunnels to a port of loopback, whatever their target is. */
const tunnelTo =
  (port: number): ProxyAnswer =>
  (socket) => {
    const carrier = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(OPENED)
    carrier.pipe(socket).pipe(carrier)
  }

const refusal =
  (status: string): ProxyAnswer =>
  (socket) =>
    void socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)

async function post(url: string) {
  const { signal, mayHaveSent } = openCallSignal()
  const result = await exchange({ method: 'POST', url, body: { a: 1 } }, signal).catch(
    (error: unknown) => error,
  )
  return { result, mayHaveSent: mayHaveSent() }
}

const CARRIER = 'https://carrier.example/void'

test('a tunnel to the carrier is requested with the credentials of the proxy, and the carrier replies', async () => {
  const tunnels = await startProxy(tunnelTo(await startCarrier(replies)))
  expect((await post(CARRIER)).result).toMatchObject({ status: 200, json: {} })
  expect(tunnels.map(({ url, headers }) => [url, headers['proxy-authorization'], headers.host])).toEqual([
    ['carrier.example:443', `Basic ${Buffer.from('me:p@ss').toString('base64')}`, 'carrier.example:443'],
  ])
})

test.each([
  ['https on loopback', '', 'https'],
  ['hosts of NO_PROXY', 'other.example, LOCALHOST', 'https'],
  ['http', '', 'http'],
])('is not used for %s', async (_what, exceptHosts, protocol) => {
  const tunnels = await startProxy(refusal('403 Forbidden'), exceptHosts)
  const port =
    protocol === 'https'
      ? await startCarrier(replies)
      : await listen(createHttpServer((_request, response) => response.end('{}')))
  expect((await post(`${protocol}://localhost:${port}/`)).result).toMatchObject({ status: 200 })
  expect(tunnels).toEqual([])
})

test.each([
  ['carrier.example', true],
  ['.example', true],
  ['*.example', true],
  ['example:443', true],
  ['*', true],
  ['example:8443', false],
  ['rier.example', false],
  ['carrier.example.com', false],
])('NO_PROXY=%s covers carrier.example: %s', async (exceptHosts, isCovered) => {
  const tunnels = await startProxy(refusal('403 Forbidden'), exceptHosts)
  // The name has no address, so a direct connection fails.
  const { result } = await post('https://carrier.example/')
  expect(result).toBeInstanceOf(NotSentError)
  expect(tunnels).toHaveLength(isCovered ? 0 : 1)
})

describe('nothing was sent if the proxy', () => {
  const failures: readonly (readonly [string, ProxyAnswer, string])[] = [
    ['forbids the host', refusal('403 Forbidden'), 'the proxy refused the connection (status 403)'],
    ['rejects the credentials', refusal('407 Proxy Authentication Required'), '(status 407)'],
    ['cannot reach the carrier', refusal('502 Bad Gateway'), '(status 502)'],
    ['closes the connection', (socket) => socket.destroy(), 'ECONNRESET'],
    ['does not answer', () => {}, 'the proxy did not answer within 3000 ms'],
    ['opens the tunnel and sends nothing through it', (socket) => void socket.write(OPENED), 'TIMEOUT'],
    [
      'closes the tunnel during the TLS handshake',
      (socket) => {
        socket.write(OPENED)
        socket.once('data', () => socket.destroy())
      },
      'ECONNRESET',
    ],
    [
      'sends a page of its own into the tunnel',
      (socket) => {
        socket.write(OPENED)
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
      },
      'SSL',
    ],
  ]
  test.each(failures)('%s', async (_what, answer, reason) => {
    const tunnels = await startProxy(answer)
    const { result, mayHaveSent } = await post(CARRIER)
    expect(result).toBeInstanceOf(NotSentError)
    expect(String(result)).toContain(reason)
    expect([mayHaveSent, tunnels.length]).toEqual([false, 1])
  })

  test.each([
    ['is not there', 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['has no address', 'http://proxy.invalid:3128', 'ENOTFOUND'],
  ])('%s', async (_what, url, reason) => {
    sendThroughProxy({ url, exceptHosts: '' })
    const { result, mayHaveSent } = await post(CARRIER)
    expect(result).toBeInstanceOf(NotSentError)
    expect([mayHaveSent, String(result)]).toEqual([false, expect.stringContaining(reason)])
  })
})

test('a request may have left if the tunnel breaks after it', async () => {
  await startProxy(tunnelTo(await startCarrier((socket) => socket.destroy())))
  const { result, mayHaveSent } = await post(CARRIER)
  expect(result).not.toBeInstanceOf(NotSentError)
  expect([result instanceof Error, mayHaveSent]).toEqual([true, true])
})
