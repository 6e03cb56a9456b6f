/**
 * The sandbox carrier at a socket, so that the connector, and anybody's program, meets it as it would a carrier.
 * For trials: it asks nobody who they are.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { type SandboxCarrier, sandboxCarrier } from './carrier.ts'
import type { SandboxReply } from './scripts.ts'

/** Where to listen, and the carrier that answers: a new one when left out. Port 0 picks a free one. */
export type SandboxServerOptions = {
  readonly host?: string
  readonly port?: number
  readonly carrier?: SandboxCarrier
}

/** A server that listens. */
export type SandboxServer = {
  /** Such as "http://127.0.0.1:4010": what a connector calls the base URL. */
  readonly address: string
  /** Stops it at once, connections included. */
  close(): Promise<void>
}

/** Longest body that is read, in bytes; a booking has some hundred. */
const BODY_MAX = 64 * 1024

/** Starts the server. Rejects when it cannot listen there. */
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
  const left = new AbortController()
  // A slow answer that nobody waits for any more ends.
  outgoing.once('close', () => left.abort())
  const { method = 'GET', headers } = incoming
  send(outgoing, await carrier.answer({ method, path, headers, text }, left.signal))
}

/** Undefined when it is too long. */
async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    // The rest is read all the same, or the answer would not get through.
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
