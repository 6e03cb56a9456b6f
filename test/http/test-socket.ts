/** A socket with the real credentials check over keys in memory, and bytes sent to it by hand. */

import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { buildServer, type ServerOptions } from '../../src/http/server.ts'
import type { ApiKey, Caller, CredentialStore } from '../../src/operations/ports/caller.ts'
import { digestOf, secretMatcher } from '../../src/store/accounts/credentials.ts'

/** The account that the header `GOOD_HEADER` belongs to. */
export const CALLER: Caller = {
  accountId: 'a-shop',
  accountName: 'A Shop',
  transitForm: 'single',
  priceBreakdown: true,
}

/** The value of X-PP-API that is let in. The secret holds the separator, as it may. */
export const GOOD_HEADER = 'a-key@s3cret@with-at'

/** What is thrown in place of a database that does not answer. */
export class Outage extends Error {}

/** Keys in memory: `a-key`, and `b-key` of the same account. */
export function keysInMemory(caller: Caller = CALLER): CredentialStore {
  const keys = new Map<string, ApiKey>(
    [['a-key', ['an-older-secret', 's3cret@with-at']] as const, ['b-key', ['b-secret']] as const].map(
      ([keyId, secrets]) => [keyId, { keyId, caller, secretDigests: secrets.map(digestOf) }],
    ),
  )
  return { findKey: async (keyId) => keys.get(keyId), isKnown: (keyId) => keys.has(keyId) }
}

/** A server and the log lines it has written. */
export type TestServer = { readonly app: FastifyInstance; readonly lines: string[] }

/** A server with the given doors; everything else has a default. */
export function testServer(
  doors: readonly FastifyPluginAsync[],
  options: Partial<ServerOptions> = {},
): TestServer {
  const lines: string[] = []
  const app = buildServer({
    ports: { credentials: keysInMemory(), secrets: secretMatcher },
    isOutage: (error) => error instanceof Outage,
    ready: async () => true,
    log: { level: 'debug', stream: { write: (line) => lines.push(line) } },
    ...options,
    doors,
  })
  return { app, lines }
}

/** A door with one route, POST /probe, whose faults say what kind they are. */
export function probeDoor(answer: (body: unknown) => unknown = () => ({ probed: true })): FastifyPluginAsync {
  return async (app) => {
    app.post('/probe', { config: { envelope: (kind, message) => ({ kind, message }) } }, async (request) =>
      answer(request.body),
    )
  }
}

/** Listens on loopback; the port. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Sends bytes on a connection of their own and returns all that comes back until the server hangs up. */
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

/** A request as text; ends the connection after its answer unless the headers say otherwise. */
export function rawRequest(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: test', 'Connection: close', ...headers, '', body].join('\r\n')
}
