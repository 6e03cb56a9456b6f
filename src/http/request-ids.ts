/**
 * The ids of requests: `X-Request-Id`, and the caller's trace (`traceparent` of W3C Trace Context, level 2). See
 * docs/operations.md#traces, docs/rest-contract.md#r24 and docs/rest-contract.md#r25.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Carries the request id in requests and responses. */
export const REQUEST_ID_HEADER = 'x-request-id'

const ACCEPTABLE_ID = /^[A-Za-z0-9_-]{1,200}$/

/** A new UUID. */
export function newRequestId(): string {
  return randomUUID()
}

/** The id from the caller if it is acceptable and was sent once, otherwise a new one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const given = message.headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : newRequestId()
}

const TRACEPARENT = 'traceparent'

/** Version, trace id, parent id, flags. Later versions may append more fields. */
const FIELDS = [/^[0-9a-f]{2}$/, /^[0-9a-f]{32}$/, /^[0-9a-f]{16}$/, /^[0-9a-f]{2}$/]

/** Sampled and random-trace-id. The other flags are reserved and must be 0. */
const KNOWN_FLAGS = 0x03

export type Trace = {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Of the caller, 16 hexadecimal digits. */
  readonly parentId: string
  /** Of this request, 16 hexadecimal digits. */
  readonly spanId: string
  /** The caller's flags, as two hexadecimal digits. */
  readonly flags: string
}

/** Undefined if the header is absent or invalid. */
export function traceOf(header: unknown): Trace | undefined {
  if (typeof header !== 'string') return undefined
  const fields = header.split('-')
  if (!FIELDS.every((format, index) => format.test(fields[index] ?? ''))) return undefined
  const [version, traceId = '', parentId = '', flags = ''] = fields
  if (version === 'ff' || (version === '00' && fields.length > FIELDS.length)) return undefined
  if (isZero(traceId) || isZero(parentId)) return undefined
  const known = Number.parseInt(flags, 16) & KNOWN_FLAGS
  return { traceId, parentId, spanId: randomBytes(8).toString('hex'), flags: `0${known}` }
}

function isZero(digits: string): boolean {
  return /^0+$/.test(digits)
}

/**
 * Begins the span of a request. Gets the caller's span, and returns that of the request, or undefined if the request is
 * not traced. Flags are those of W3C Trace Context.
 */
export type BeginSpan = (request: FastifyRequest, caller: SpanIds | undefined) => SpanIds | undefined

type SpanIds = { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }

/**
 * If a request has a valid `traceparent`, its log lines have the trace id and a new span id, and the response has a
 * `traceparent` with both. With `begin`, each request has both ids in the log.
 */
export function joinTrace(request: FastifyRequest, reply: FastifyReply, begin?: BeginSpan): void {
  const header = request.headers[TRACEPARENT]
  if (header === undefined && begin === undefined) return
  const given = traceOf(header)
  const ids = begin?.(request, given && callerOf(given)) ?? given
  if (ids === undefined) return
  const { traceId, spanId } = ids
  request.log = request.log.child({ traceId, spanId })
  reply.log = request.log
  if (given !== undefined) reply.header(TRACEPARENT, `00-${traceId}-${spanId}-${given.flags}`)
}

function callerOf({ traceId, parentId, flags }: Trace) {
  return { traceId, spanId: parentId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
