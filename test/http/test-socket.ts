/** A test server with the real authentication and keys in memory, and functions to send raw bytes to it. */

import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { openLog } from '../../src/http/log.ts'
import { buildServer, type ServerOptions } from '../../src/http/server.ts'
import type { ApiKey, Caller, CredentialStore } from '../../src/operations/ports/caller.ts'
import { checkoutTokens } from '../../src/store/accounts/checkout-tokens.ts'
import { digestOf, secretMatcher } from '../../src/store/accounts/credentials.ts'
import { memoryCredentials } from '../support/app/memory-credentials.ts'

/** The account that the header `GOOD_HEADER` belongs to. */
export const CALLER: Caller = {
  accountId: 'a-shop',
  accountName: 'A Shop',
  transitForm: 'single',
  priceBreakdown: true,
  countAverages: true,
}

/** A valid value of X-PP-API. The secret contains the separator, which is allowed. */
export const GOOD_HEADER = 'a-key@s3cret@with-at'

/** Thrown instead of the error of a database that does not respond. */
export class Outage extends Error {}

/** Keys in memory: `a-key`, and `b-key` of the same account. */
export function keysInMemory(caller: Caller = CALLER): CredentialStore {
  const keys = new Map<string, ApiKey>(
    [['a-key', ['an-older-secret', 's3cret@with-at']] as const, ['b-key', ['b-secret']] as const].map(
      ([keyId, secrets]) => [keyId, { keyId, caller, secretDigests: secrets.map(digestOf) }],
    ),
  )
  return memoryCredentials({
    findKey: async (keyId) => keys.get(keyId),
    isKnown: (keyId) => keys.has(keyId),
  })
}

export type TestServer = { readonly app: FastifyInstance; readonly lines: string[] }

export type TestOptions = Partial<Omit<ServerOptions, 'ports'>> & { readonly ports?: Partial<ServerPorts> }

type ServerPorts = ServerOptions['ports']

/** A server with the given doors and defaults for the other options. `lines` is its log. */
export function testServer(doors: readonly FastifyPluginAsync[], options: TestOptions = {}): TestServer {
  const lines: string[] = []
  const app = buildServer({
    isOutage: (error) => error instanceof Outage,
    ready: async () => true,
    log: openLog({ level: 'debug', stream: { write: (line) => lines.push(line) } }),
    ...options,
    ports: {
      credentials: keysInMemory(),
      secrets: secretMatcher,
      checkoutTokens,
      clock: () => new Date(),
      ...options.ports,
    },
    // Other tests may occupy the processor, so no wait counts as an overload.
    limits: { overloadWaitMs: 60_000, ...options.limits },
    doors,
  })
  return { app, lines }
}

/** A door with one route, POST /probe. The body of its faults has the kind. */
export function probeDoor(answer: (body: unknown) => unknown = () => ({ probed: true })): FastifyPluginAsync {
  return async (app) => {
    app.post('/probe', { config: { envelope: (kind, message) => ({ kind, message }) } }, async (request) =>
      answer(request.body),
    )
  }
}

/** Listens on loopback and returns the port. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Sends bytes on a new connection and returns everything until the server closes it. */
export function talk(port: number, bytes: string | Buffer, waitMs = 5_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const end = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', end)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? end() : reject(error),
    )
    socket.setTimeout(waitMs, end)
  })
}

/** A request as text, with `Connection: close`. */
export function rawRequest(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: test', 'Connection: close', ...headers, '', body].join('\r\n')
}
