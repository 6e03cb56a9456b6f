/**
 * HTTP requests to carriers: one request, its reply up to a size limit, and readers for its JSON. Replies are
 * untrusted: values of an unexpected type count as missing.
 */
import { Agent, type Dispatcher, fetch, Request, type Response } from 'undici'
import { beginExchange, countRequest, discountRequest, isConnectError, NotSentError } from './not-sent.ts'
import { type CarrierProxy, proxyConnector } from './proxy.ts'
import type { SentExchange } from './sent-exchange.ts'

/** Largest body of a reply, in bytes. */
export const BODY_MAX = 256 * 1024

export type HttpReply = {
  readonly status: number
  /**
   * The parsed body; undefined if it is missing, too long, or not JSON. Integers of 16 and more digits are texts,
   * because a JavaScript number would change their last digits. Some carriers send tracking numbers as JSON numbers.
   */
  readonly json: unknown
  /** The body as text. Undefined if it is missing or too long, and for carriers in this process. */
  readonly text?: string | undefined
  /** A header's value, trimmed; undefined if it is missing or empty. `name` is case-insensitive. */
  header(name: string): string | undefined
}

/** The headers in which carriers identify a request. UPS reads the first one from the request. */
const ID_HEADERS = [
  ...['transId', 'transactionId', 'X-Customer-Transaction-Id', 'Correlation-Id', 'X-Correlation-Id'],
  ...['Invocation-Id', 'Message-Reference', 'X-Request-Id', 'Request-Id', 'X-Amzn-Requestid'],
]
const CARRIER_ID_MAX = 200
/** Of a longer body only the length is recorded, in characters. */
const RECORDED_MAX = 32_000
/** The headers that never contain credentials. */
const PLAIN_HEADERS = new Set(['accept', 'content-type', ...ID_HEADERS.map((name) => name.toLowerCase())])

/** An object in `body` is sent as JSON. */
export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | object
  /** A longer body of the reply counts as missing. In bytes; default `BODY_MAX`. */
  readonly replyMaxBytes?: number
}

/**
 * Shorter than the time limit of a call, so that a host that does not answer at all is known not to have received the
 * request. Node's own `fetch` waits ten seconds and cannot be configured.
 */
const CONNECT_LIMIT_MS = 4_000

const direct = new Agent({ connect: { timeout: CONNECT_LIMIT_MS } })

let dispatcher: Dispatcher = direct

/** Opens all later connections of this process through a proxy; undefined opens them directly. */
export function sendThroughProxy(proxy: CarrierProxy | undefined): void {
  dispatcher = proxy === undefined ? direct : new Agent({ connect: proxyConnector(proxy, CONNECT_LIMIT_MS) })
}

/**
 * Sends one request. Decompresses bodies. Does not follow redirects, because they would send the credentials to another
 * URL. Throws if there is no reply: a `NotSentError` if the request certainly never left (invalid, aborted before it
 * was started, or no connection), otherwise another error (reset, or `signal` aborted).
 */
export async function exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
  if (signal.aborted) throw new NotSentError(causeOf(signal.reason))
  const prepared = fetchRequestOf(request, signal)
  const note = recorder(request, prepared.headers, signal)
  countRequest(signal)
  const reply = await fetch(prepared, { dispatcher }).catch((error: unknown) => {
    note({ status: null, fault: causeOf(error) })
    if (!isConnectError(error)) throw new Error(causeOf(error))
    discountRequest(signal)
    throw new NotSentError(causeOf(error), { reason: 'no_connection' })
  })
  const { status, headers } = reply
  const text = await bodyOf(reply, request.replyMaxBytes ?? BODY_MAX).catch((error: unknown) => {
    note({ status, fault: causeOf(error) }, headers)
    throw error
  })
  const json = parse(text)
  note({ status, reply: isRecordable(text) ? (json ?? text) : text }, headers)
  return { status, json, text, header: (name) => headers.get(name)?.trim() || undefined }
}

/** Reading and redacting a longer body would take the time of other requests. */
function isRecordable(text: string | undefined): boolean {
  return text !== undefined && text.length <= RECORDED_MAX
}

/** Adds the request to the record of its call. Returns the function that adds how it ended. */
function recorder(
  { method, url, body: requestBody }: HttpRequest,
  sent: Response['headers'],
  signal: AbortSignal,
) {
  const begunAt = performance.now()
  const entry = (
    end: Pick<SentExchange, 'status' | 'fault' | 'reply'>,
    received?: Response['headers'],
  ): SentExchange => ({
    method,
    url,
    requestBody,
    durationMs: Math.round(performance.now() - begunAt),
    carrierIds: carrierIdsOf(sent, received, end.reply),
    ...(/^text\/html\b/i.test(received?.get('content-type') ?? '') && { isPage: true }),
    headerValues: [...sent].flatMap(([name, value]) => (PLAIN_HEADERS.has(name) ? [] : [value])),
    ...end,
  })
  const replace = beginExchange(signal, entry({ status: null, fault: 'no reply until the call ended' }))
  return (...end: Parameters<typeof entry>): void => replace(entry(...end))
}

/** The ids of the reply, otherwise those of the request. FedEx has them in the body. */
function carrierIdsOf(
  sent: Response['headers'],
  received: Response['headers'] | undefined,
  reply: unknown,
): Readonly<Record<string, string>> {
  const ids = ID_HEADERS.map((name) => [name, received?.get(name) ?? sent.get(name) ?? ''] as const)
  const inBody = ['transactionId', 'customerTransactionId'].map(
    (name) => [name, textAt(reply, name) ?? ''] as const,
  )
  return Object.fromEntries(
    [...ids, ...inBody].flatMap(([name, id]) => (id === '' ? [] : [[name, id.slice(0, CARRIER_ID_MAX)]])),
  )
}

function fetchRequestOf({ method, url, headers = {}, body }: HttpRequest, signal: AbortSignal): Request {
  const isObject = typeof body === 'object'
  try {
    return new Request(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(isObject && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isObject ? JSON.stringify(body) : body }),
      redirect: 'manual',
      signal,
    })
  } catch (error) {
    throw new NotSentError(causeOf(error), { reason: 'invalid_request' })
  }
}

/** The message of the innermost cause. The message of `fetch` itself says only that the request failed. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: unknown }
  if (error.cause !== undefined) return causeOf(error.cause)
  if (typeof code === 'string') return code
  // The message for a malformed request quotes the header or URL, which may contain secrets.
  return error instanceof TypeError ? 'the URL or a credential in the settings is invalid' : error.message
}

async function bodyOf(reply: Response, maxBytes: number): Promise<string | undefined> {
  if (reply.body === null) return undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the transfer.
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(body: string | undefined): unknown {
  try {
    if (body === undefined) return undefined
    // A byte order mark before JSON may be ignored (RFC 8259, section 8.1).
    const text = body.replace(/^\uFEFF/, '')
    // Also rejects texts that are not JSON before anything is replaced.
    const json: unknown = JSON.parse(text)
    if (!/\d{16}/.test(text)) return json
    return JSON.parse(quoteLongIntegers(text))
  } catch {
    return undefined
  }
}

/** Turns integers of 16 and more digits into strings. `text` is valid JSON. Strings in it are not changed. */
function quoteLongIntegers(text: string): string {
  const quoted = (between: string): string =>
    between.replace(/[-+.\dEe]+/g, (token) => (/^\d{16,}$/.test(token) ? `"${token}"` : token))
  let result = ''
  let from = 0
  for (;;) {
    const start = text.indexOf('"', from)
    if (start === -1) return result + quoted(text.slice(from))
    let end = start + 1
    while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    result += quoted(text.slice(from, start)) + text.slice(start, end + 1)
    from = end + 1
  }
}

/** A carrier cannot stop calls for longer than this with one reply. */
const RETRY_AFTER_MAX_MS = 86_400_000
/** The first characters of an HTTP date: the name of a day. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/**
 * The header `Retry-After` in milliseconds, at most a day: seconds, or an HTTP date (RFC 9110, section 10.2.3).
 * Undefined if it is missing, malformed, or not in the future. A date is compared with the reply's own `Date`, so the
 * clocks need not agree.
 */
export function retryAfterMs({ header }: HttpReply): number | undefined {
  const value = header('retry-after') ?? ''
  const sentAt = httpDate(header('date')) ?? Date.now()
  const pauseMs = /^\d+$/.test(value) ? Number(value) * 1_000 : (httpDate(value) ?? sentAt) - sentAt
  return pauseMs > 0 ? Math.min(pauseMs, RETRY_AFTER_MAX_MS) : undefined
}

function httpDate(text = ''): number | undefined {
  if (!HTTP_DATE.test(text)) return undefined
  // The form of asctime has no zone. All forms are in GMT.
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(instant) ? undefined : instant
}

/** The value at a path of a JSON value; undefined if there is none. */
export function valueAt(json: unknown, ...path: readonly (string | number)[]): unknown {
  let value = json
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** The text at a path, trimmed; undefined if it is empty or of another type. */
export function textAt(json: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = valueAt(json, ...path)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

/** The list at a path; empty if there is none. */
export function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(json, ...path)
  return Array.isArray(value) ? value : []
}

/** `user:password` for HTTP Basic, as the value of the `authorization` header. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
