/**
 * An HTTP server in front of a carrier's fake that fails as a whole interface does: its token endpoint fails, its port
 * is closed, requests are cut before or after the fake has seen them, or the day is closed. It counts the cancellation
 * requests that arrive.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { FakeReply } from '../../../carriers/fakes/fake-carrier.ts'

export type FrontRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** `hanging`: the connection stays open without a reply. */
export type TokenFault = 503 | 401 | 'hanging'

/** `before`: the fake does not see the request. `after`: its reply is lost. */
export type CutCancels = 'before' | 'after' | 'never'

/** How the requests of one carrier look. */
export type FrontKind = {
  readonly tokenPath?: string
  /** The tracking number, if the request is a cancellation. */
  cancelledNumber(request: FrontRequest): string | undefined
}

export type Front = {
  readonly baseUrl: string
  failTokens(fault: TokenFault | undefined): void
  cutCancels(when: CutCancels): void
  /** Replies instead of the fake. Undefined: the fake replies. */
  answerInstead(answer: ((request: FrontRequest) => FakeReply | undefined) | undefined): void
  /** Number of cancellation requests for a parcel that arrived. */
  cancelsOf(number: string): number
  /** Number of requests for a token that failed. */
  failedTokens(): number
  /** Refuses connections until `openPort`. */
  closePort(): Promise<void>
  openPort(): Promise<void>
  close(): Promise<void>
}

/** `origin`: the address of the fake. */
export async function startFront(origin: string, kind: FrontKind): Promise<Front> {
  let tokenFault: TokenFault | undefined
  let cut: CutCancels = 'never'
  let instead: ((request: FrontRequest) => FakeReply | undefined) | undefined
  let failedTokens = 0
  const cancels = new Map<string, number>()

  async function answer(request: FrontRequest): Promise<FakeReply> {
    if (request.url.pathname === kind.tokenPath && tokenFault !== undefined) {
      failedTokens += 1
      return tokenFault === 'hanging' ? new Promise(() => {}) : { status: tokenFault, body: {} }
    }
    const number = kind.cancelledNumber(request)
    if (number === undefined) return instead?.(request) ?? forward(origin, request)
    cancels.set(number, (cancels.get(number) ?? 0) + 1)
    if (cut === 'before') return 'cut'
    const when = cut
    const reply = instead?.(request) ?? (await forward(origin, request))
    return when === 'after' ? 'cut' : reply
  }

  let server = await listen(answer, 0)
  const { port } = server.address() as AddressInfo
  const closePort = async (): Promise<void> => {
    if (!server.listening) return
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    failTokens(fault) {
      tokenFault = fault
    },
    cutCancels(when) {
      cut = when
    },
    answerInstead(next) {
      instead = next
    },
    cancelsOf: (number) => cancels.get(number) ?? 0,
    failedTokens: () => failedTokens,
    closePort,
    async openPort() {
      server = await listen(answer, port)
    },
    close: closePort,
  }
}

/** Another process may use a closed port for a moment. */
async function listen(answer: (request: FrontRequest) => Promise<FakeReply>, port: number): Promise<Server> {
  for (let triesLeft = 50; ; triesLeft -= 1) {
    const server = createServer((incoming, outgoing) => {
      read(incoming)
        .then(answer)
        .then(
          (reply) => send(outgoing, reply),
          () => outgoing.destroy(),
        )
    })
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', resolve)
      })
      return server
    } catch (error) {
      if (triesLeft === 1) throw error
      await pause(100)
    }
  }
}

async function read(incoming: IncomingMessage): Promise<FrontRequest> {
  return {
    method: incoming.method ?? 'GET',
    url: new URL(incoming.url ?? '/', 'http://front'),
    headers: incoming.headers,
    text: await textOf(incoming),
  }
}

/** Headers of a connection, which the forwarded request and reply set themselves. */
const OF_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'date']

/** Throws if the fake cuts the connection. */
async function forward(origin: string, { method, url, headers, text }: FrontRequest): Promise<FakeReply> {
  const given = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name))
  const reply = await fetch(`${origin}${url.pathname}${url.search}`, {
    method,
    headers: given.map(([name, value]): [string, string] => [name, String(value)]),
    ...(text !== '' && { body: text }),
  })
  const kept = [...reply.headers].filter(([name]) => !OF_CONNECTION.includes(name))
  return { status: reply.status, body: await reply.text(), headers: Object.fromEntries(kept) }
}

function send(outgoing: ServerResponse, reply: FakeReply): void {
  if (reply === 'cut') {
    outgoing.destroy()
    return
  }
  const { status, body = '', headers = {} } = reply
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
}
