/** HTTP/1.1 requests as bytes, and the end of responses, for load generators that must use little CPU time. */

/** In bodies: replaced by a number with as many digits. */
export const MARK = '@@@@@@@@'

/** `markAt` is the position of the first MARK, or -1. */
export type PreparedRequest = { readonly bytes: Buffer; readonly markAt: number }

export type Target = {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export function prepareRequest({ port, path, headers }: Target, body: string): PreparedRequest {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return { bytes, markAt: bytes.indexOf(MARK) }
}

const END_OF_HEADERS = Buffer.from('\r\n\r\n')
const END_OF_CHUNKS = '\r\n0\r\n\r\n'

/** The bytes of the response that have not arrived; undefined if their number is not known yet. */
export function missingBytes(bytes: Buffer): number | undefined {
  const headersEnd = bytes.indexOf(END_OF_HEADERS)
  if (headersEnd < 0) return undefined
  const headers = bytes.toString('latin1', 0, headersEnd).toLowerCase()
  const start = headers.indexOf('\r\ncontent-length:')
  if (start >= 0) {
    const length = Number.parseInt(headers.slice(start + 17), 10)
    return headersEnd + END_OF_HEADERS.length + length - bytes.length
  }
  return bytes.toString('latin1', Math.max(0, bytes.length - END_OF_CHUNKS.length)) === END_OF_CHUNKS
    ? 0
    : undefined
}

/**
 * Keeps the process from sleeping. Waking it would count as CPU time of the server, and more for slow servers, because
 * fast ones leave it no time to sleep.
 */
export function stayAwake(goesOn: () => boolean): void {
  const poll = (): void => {
    if (goesOn()) setImmediate(poll)
  }
  poll()
}
