/** Connections that an HTTP client cannot make: raw bytes, slow bodies, floods, clients that do not read. */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A response, parsed from the bytes of a connection. */
export type RawAnswer = { readonly status: number; readonly head: string; readonly body: string }

/** Parses responses from bytes as latin1 text, given in order. All responses must have a Content-Length. */
export function answerReader(onAnswer: (answer: RawAnswer) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    rest += text
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = rest.slice(0, end)
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
      const next = end + 4 + length
      if (rest.length < next) return
      onAnswer({ status: Number(head.slice(9, 12)), head, body: rest.slice(end + 4, next) })
      rest = rest.slice(next)
    }
  }
}

/** All responses of a closed connection, including those to HEAD, whose Content-Length does not match a body. */
function answersIn(text: string): RawAnswer[] {
  const parts = text.split(/(?=HTTP\/1\.1 \d{3} [A-Z])/).filter((part) => part !== '')
  return parts.map((part) => {
    const end = part.indexOf('\r\n\r\n')
    const [head, rest] = end === -1 ? [part, ''] : [part.slice(0, end), part.slice(end + 4)]
    const body = /^transfer-encoding: *chunked/im.test(head) ? withoutChunks(rest) : rest
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body }
  })
}

function withoutChunks(text: string): string {
  let body = ''
  for (let at = 0; ; ) {
    const [line, size] = /^([0-9a-f]+)[^\r]*\r\n/i.exec(text.slice(at)) ?? ['', '0']
    const length = Number.parseInt(size ?? '0', 16)
    if (length === 0) return body
    body += text.slice(at + line.length, at + line.length + length)
    at += line.length + length + 2
  }
}

/** The head of a request, with the empty line at the end. */
export function headOf(line: string, headers: readonly string[] = []): string {
  return `${[`${line} HTTP/1.1`, 'Host: waybill', ...headers].join('\r\n')}\r\n\r\n`
}

/** A complete request. `headers` come after Host; Content-Length is added. */
export function rawRequest(line: string, headers: readonly string[], body: string | Buffer = ''): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([
    Buffer.from(headOf(line, [...headers, `Content-Length: ${bytes.length}`]), 'latin1'),
    bytes,
  ])
}

/** Opens a connection. Errors only close it. */
export function openSocket(port: number, from?: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) })
  socket.on('error', () => {})
  return socket
}

/** Sends bytes on a new connection. Resolves with all responses when the server closes it, or after `waitMs`. */
export function talk(
  port: number,
  bytes: Buffer | string,
  { from, waitMs = 5_000, half = false }: { from?: string; waitMs?: number; half?: boolean } = {},
): Promise<readonly RawAnswer[]> {
  return new Promise((resolve) => {
    const socket = openSocket(port, from)
    const timer = setTimeout(() => socket.destroy(), waitMs)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answersIn(text))
    })
    if (half) socket.end(bytes)
    else socket.write(bytes)
  })
}

/** A flood of small requests. */
export type Flood = {
  readonly port: number
  readonly connections: number
  /** The n-th request, from 0. */
  readonly request: (n: number) => Buffer
  readonly count: number
  /** Requests per second over all connections; absent: as fast as they are answered. */
  readonly perSecond?: number
  /** The local address of the n-th connection. */
  readonly from?: (connection: number) => string | undefined
  readonly onAnswer: (answer: RawAnswer) => void
  /** False ends the flood early. */
  readonly goesOn: () => boolean
}

/**
 * Sends one request at a time on each connection, and reopens broken ones. Resolves with the number of
 * requests.
 */
export async function flood(flood: Flood): Promise<number> {
  const { count, perSecond, connections, goesOn } = flood
  const startedAt = performance.now()
  let sent = 0
  const isDue = (): boolean =>
    perSecond === undefined || sent < ((performance.now() - startedAt) / 1000) * perSecond
  const channel = async (connection: number): Promise<void> => {
    let open: Channel | undefined
    while (sent < count && goesOn()) {
      if (!isDue()) {
        await pause(5)
        continue
      }
      if (open === undefined || open.socket.destroyed) open = openLane(flood, connection)
      sent += 1
      await open.ask(flood.request(sent - 1))
    }
    open?.socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, (_unused, connection) => channel(connection)))
  return sent
}

type Channel = { readonly socket: Socket; ask(bytes: Buffer): Promise<void> }

const ANSWER_MS = 10_000

function openLane({ port, from, onAnswer }: Flood, connection: number): Channel {
  const socket = openSocket(port, from?.(connection))
  let done = (): void => {}
  socket.setEncoding('latin1').on(
    'data',
    answerReader((answer) => {
      onAnswer(answer)
      done()
    }),
  )
  socket.setTimeout(ANSWER_MS, () => socket.destroy())
  return {
    socket,
    ask: (bytes) =>
      new Promise((resolve) => {
        const over = (): void => {
          socket.off('close', over)
          resolve()
        }
        done = over
        socket.once('close', over)
        if (socket.destroyed) over()
        else socket.write(bytes)
      }),
  }
}
