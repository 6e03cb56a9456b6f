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

/** A fake that is open. `replies` are those that may not have been sent. */
type OpenFake = {
  readonly react: (request: ReceivedRequest) => Reaction
  readonly requests: ReceivedRequest[]
  readonly replies: Set<ServerResponse>
}

/** By the first part of the path. Binding a port for each of thousands of fakes would take longer than the calls. */
const openFakes = new Map<string, OpenFake>()
/** Open as long as a fake is. */
let sharedServer: Promise<ListeningServer> | undefined
let started = 0

export async function startGenericFake(react: (request: ReceivedRequest) => Reaction): Promise<GenericFake> {
  started += 1
  const name = String(started)
  const fake: OpenFake = { react, requests: [], replies: new Set() }
  openFakes.set(name, fake)
  sharedServer ??= startSharedServer()
  const { baseUrl } = await sharedServer
  return {
    baseUrl: `${baseUrl}/${name}`,
    requests: fake.requests,
    async close() {
      openFakes.delete(name)
      for (const reply of fake.replies) reply.destroy()
      if (openFakes.size > 0) return
      const last = sharedServer
      sharedServer = undefined
      await (await last)?.close()
    },
  }
}

function startSharedServer(): Promise<ListeningServer> {
  // Without a time limit, a connection is not closed while a connector sends on it.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const [, name = '', ...rest] = (incoming.url ?? '').split('/')
    const fake = openFakes.get(name)
    if (fake === undefined) {
      outgoing.destroy()
      return
    }
    fake.replies.add(outgoing)
    outgoing.on('close', () => fake.replies.delete(outgoing))
    readRequest(incoming, `/${rest.join('/')}`)
      .then((request) => {
        fake.requests.push(request)
        send(outgoing, fake.react(request))
      })
      .catch(() => outgoing.destroy())
  })
  return listening(server, 'http', () => server.closeAllConnections())
}

/** Accepts connections and completes no TLS handshake, so no request can be sent. */
export async function startMuteServer(): Promise<GenericFake> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).resume()
  })
  const { baseUrl, close } = await listening(server, 'https', () => {
    for (const socket of sockets) socket.destroy()
  })
  return { baseUrl, requests: [], close }
}

/** A port that nobody listens on. */
export async function closedServer(): Promise<GenericFake> {
  const server = await startMuteServer()
  await server.close()
  return { ...server, close: async () => {} }
}

type ListeningServer = Omit<GenericFake, 'requests'>

async function listening(
  server: Server,
  protocol: string,
  closeConnections: () => void,
): Promise<ListeningServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `${protocol}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        closeConnections()
        server.close(() => resolve())
      }),
  }
}

/** `url` is that of the request without the name of the fake. */
async function readRequest(incoming: IncomingMessage, url: string): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams: query } = new URL(url, 'http://fake')
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
