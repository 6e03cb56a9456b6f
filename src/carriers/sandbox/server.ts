/**
 * The sandbox carrier as an HTTP server. It does not authenticate callers, so use it only for trials.
 * See docs/sandbox-carrier.md.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { type SandboxCarrier, sandboxCarrier } from './carrier.ts'
import type { SandboxReply } from './scripts.ts'

/** Port 0 selects a free port. */
export type SandboxServerOptions = {
  readonly host?: string
  readonly port?: number
  readonly carrier?: SandboxCarrier
}

export type SandboxServer = {
  /** The base URL for a connector, such as "http://127.0.0.1:4010". */
  readonly address: string
  /** Closes the server and all connections at once. */
  close(): Promise<void>
}

/** In bytes. A booking has a few hundred. */
const BODY_MAX = 64 * 1024

/** Rejects if the server cannot listen at the address. */
export async function startSandboxServer({
  host = '127.0.0.1',
  port = 0,
  carrier = sandboxCarrier(),
}: SandboxServerOptions = {}): Promise<SandboxServer> {
  const server = createServer((incoming, outgoing) => {
    serve(carrier, incoming, outgoing).catch(() => send(outgoing, { status: 500 }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const bound = server.address()
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port
  return {
    address: `http://${isIPv6(host) ? `[${host}]` : host}:${boundPort}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  carrier: SandboxCarrier,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const text = await bodyOf(incoming)
  if (text === undefined)
    return send(outgoing, { status: 413, body: { code: 'TOO_LARGE', message: 'The body is too large' } })
  const [path = '/'] = (incoming.url ?? '/').split('?', 1)
  const disconnected = new AbortController()
  outgoing.once('close', () => disconnected.abort())
  const { method = 'GET', headers } = incoming
  send(outgoing, await carrier.answer({ method, path, headers, text }, disconnected.signal))
}

/** The body; undefined if it is too long. */
async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    // Reads the rest, because otherwise the client would not receive the reply.
    if (bytes <= BODY_MAX) chunks.push(chunk)
  }
  return bytes > BODY_MAX ? undefined : Buffer.concat(chunks).toString('utf8')
}

function send(outgoing: ServerResponse, reply: SandboxReply): void {
  if (reply === 'cut' || outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  const { status, body } = reply
  const isText = typeof body === 'string'
  outgoing.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' })
  outgoing.end(body === undefined || isText ? body : JSON.stringify(body))
}
