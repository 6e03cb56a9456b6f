/** A carrier on loopback that knows no carrier: it answers each request with what a case says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

export type ReceivedRequest = {
  readonly method: string
  /** Decoded, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  /** The parsed body if it is JSON, otherwise the text. */
  readonly body: unknown
}

/** `body` is sent as it is. `cut`: the connection is closed after the headers and a part of the body. */
export type GivenReply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly cut?: boolean
}

/** `reset`: the connection is closed without a reply. `silence`: there is no reply at all. */
export type Reaction = GivenReply | 'reset' | 'silence'

export type GenericFake = {
  readonly baseUrl: string
  /** Those that were read, in the order of their arrival. */
  readonly requests: readonly ReceivedRequest[]
  close(): Promise<void>
}

export async function startGenericFake(react: (request: ReceivedRequest) => Reaction): Promise<GenericFake> {
  const requests: ReceivedRequest[] = []
  const server = createServer((incoming, outgoing) => {
    readRequest(incoming)
      .then((request) => {
        requests.push(request)
        send(outgoing, react(request))
      })
      .catch(() => outgoing.destroy())
  })
  return listening(server, 'http', requests, () => server.closeAllConnections())
}

/** Accepts connections and completes no TLS handshake, so no request can be sent. */
export async function startMuteServer(): Promise<GenericFake> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).resume()
  })
  return listening(server, 'https', [], () => {
    for (const socket of sockets) socket.destroy()
  })
}

/** A port that nobody listens on. */
export async function closedServer(): Promise<GenericFake> {
  const server = await startGenericFake(() => 'reset')
  await server.close()
  return { ...server, close: async () => {} }
}

async function listening(
  server: Server,
  protocol: string,
  requests: GenericFake['requests'],
  closeConnections: () => void,
): Promise<GenericFake> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `${protocol}://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        closeConnections()
        server.close(() => resolve())
      }),
  }
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams: query } = new URL(incoming.url ?? '/', 'http://fake')
  return {
    method: incoming.method ?? '',
    path: decodeURIComponent(pathname),
    query,
    headers: incoming.headers,
    body: jsonOr(Buffer.concat(chunks).toString('utf8')),
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function send(outgoing: ServerResponse, reaction: Reaction): void {
  if (reaction === 'silence') return
  if (reaction === 'reset') {
    outgoing.destroy()
    return
  }
  const { status, headers, body = '', cut = false } = reaction
  if (!cut) {
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
    outgoing.end(body)
    return
  }
  const length = Buffer.byteLength(body)
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': String(length),
  })
  outgoing.write(Buffer.from(body).subarray(0, Math.floor(length / 2)), () => outgoing.destroy())
}
