/** One HTTP request of the attacker. The response is counted to its end and kept only in part. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'

/** A request. */
export type Attack = {
  /** What it is, for reports. */
  readonly label: string
  readonly path: string
  /** POST unless given. */
  readonly method?: string
  /** The value of X-PP-API. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** The local address it is sent from; any address of 127.0.0.0/8 works on Linux. */
  readonly from?: string
  /** After this time the client gives up; 30 s unless given. */
  readonly timeoutMs?: number
  /** Closes the connection at once, whatever is going on. */
  readonly signal?: AbortSignal
}

/** What came back. */
export type Reply = {
  /** Undefined when there was no answer. */
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  /** Length of the body, as far as it was read. */
  readonly bytes: number
  /** The beginning of the body. */
  readonly text: string
  /** Whether the body names the code INTERNAL_SERVER_ERROR. */
  readonly isInternalError: boolean
  readonly ms: number
  /** Why there was no answer or only a part of one, such as `ECONNRESET` or `timeout`. */
  readonly failure?: string
}

const TIMEOUT_MS = 30_000
const MAX_TEXT = 64 * 1024
/** More than this shows nothing new, so the rest is not read. */
const MAX_BYTES = 32 * 1024 * 1024
const INTERNAL_ERROR = 'INTERNAL_SERVER_ERROR'

/** Sends a request on a connection of its own. Never rejects. */
export function send(port: number, attack: Attack): Promise<Reply> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const body = collector()
    let response: IncomingMessage | undefined
    const request = open(port, attack)
    const timer = setTimeout(() => request.destroy(new Error('timeout')), attack.timeoutMs ?? TIMEOUT_MS)
    const over = (error?: Error & { code?: string }): void => {
      clearTimeout(timer)
      resolve({
        status: response?.statusCode,
        headers: response?.headers ?? {},
        ...body.result(),
        ms: performance.now() - startedAt,
        ...(error !== undefined && { failure: error.code ?? error.message }),
      })
    }
    request.on('error', over)
    request.on('response', (received) => {
      response = received
      received.on('data', (chunk: Buffer) => {
        if (body.add(chunk) > MAX_BYTES) request.destroy(new Error('too large to be read'))
      })
      received.on('end', () => over())
      received.on('error', over)
    })
    request.end(attack.body)
  })
}

function open(
  port: number,
  { path, method = 'POST', key, headers, body, from, signal }: Attack,
): ClientRequest {
  return httpRequest({
    ...{ host: '127.0.0.1', port, path, method, agent: false },
    ...(from !== undefined && { localAddress: from }),
    ...(signal !== undefined && { signal }),
    headers: {
      'content-type': 'application/json',
      'content-length': body === undefined ? 0 : Buffer.byteLength(body),
      ...(key !== undefined && { 'x-pp-api': key }),
      ...headers,
    },
  })
}

function collector() {
  let bytes = 0
  let text = ''
  let end = ''
  let isInternalError = false
  return {
    /** The length so far. */
    add(chunk: Buffer): number {
      bytes += chunk.length
      if (text.length < MAX_TEXT) text += chunk.toString('utf8').slice(0, MAX_TEXT - text.length)
      // The code may be cut in two by chunks.
      const latest = end + chunk.toString('latin1')
      isInternalError ||= latest.includes(INTERNAL_ERROR)
      end = latest.slice(-INTERNAL_ERROR.length)
      return bytes
    },
    result: () => ({ bytes, text, isInternalError }),
  }
}
