/** One HTTP request of the attacker. The response is counted to its end, but only its beginning is stored. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'

export type Attack = {
  /** Name in reports. */
  readonly label: string
  readonly path: string
  /** Default: POST. */
  readonly method?: string
  /** Value of X-PP-API. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Local address of the connection. On Linux, any address of 127.0.0.0/8 works. */
  readonly from?: string
  /** Time limit of the client; default 30 s. */
  readonly timeoutMs?: number
  /** Closes the connection at once. */
  readonly signal?: AbortSignal
}

export type Reply = {
  /** Undefined without an answer. */
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  /** Bytes of the body that were read. */
  readonly bytes: number
  /** The beginning of the body. */
  readonly text: string
  /** Whether the body contains the code INTERNAL_SERVER_ERROR. */
  readonly isInternalError: boolean
  readonly ms: number
  /** Why there was no complete answer, such as `ECONNRESET` or `timeout`. */
  readonly failure?: string
}

const TIMEOUT_MS = 30_000
const MAX_TEXT = 64 * 1024
/** The client reads no more than this. */
const MAX_BYTES = 32 * 1024 * 1024
const INTERNAL_ERROR = 'INTERNAL_SERVER_ERROR'

/** Sends a request on a new connection. Never rejects. */
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
    /** Returns the length so far. */
    add(chunk: Buffer): number {
      bytes += chunk.length
      if (text.length < MAX_TEXT) text += chunk.toString('utf8').slice(0, MAX_TEXT - text.length)
      // The code may be split between chunks.
      const latest = end + chunk.toString('latin1')
      isInternalError ||= latest.includes(INTERNAL_ERROR)
      end = latest.slice(-INTERNAL_ERROR.length)
      return bytes
    },
    result: () => ({ bytes, text, isInternalError }),
  }
}
