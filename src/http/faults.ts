/**
 * Error responses that the server sends instead of a route: no credentials, too many requests, body too large, outage,
 * bug. They have the error format of the route, which the route declares as an `envelope` in its `config`:
 *
 *     app.post('/partners-api/v1/rates', { config: { envelope: (kind, message) =>
 *       ({ errors: true, message, data: [] }) } }, …)
 *     app.post('/graphql', { config: { envelope: (kind, message, { id }) =>
 *       ({ errors: [{ message, extensions: { code: kind, requestId: id } }] }) } }, …)
 *
 * Without an envelope the body is the message as a JSON string. Requests need an API key, unless the route declares
 * `access: 'public'` (health, playground) or `'signed'`. A signed route checks a signature over the body and throws
 * `NotSigned` if it is invalid. See docs/architecture.md#errors.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../operations/ports/caller.ts'
import { Forbidden, type Scope } from '../operations/ports/key-rules.ts'
import {
  type Allowance,
  AllowanceExceeded,
  NotSigned,
  RequestStopped,
  type Turns,
} from '../operations/ports/work.ts'
import { sendJson } from './json-response.ts'
import type { BudgetState } from './limits/budget.ts'
import { describeError, textsOf } from './masking.ts'

/** Also the `extensions.code` of GraphQL errors. */
export type FaultKind =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'UNSIGNED'
  | 'FORBIDDEN'
  | 'CHECKOUT_TOKEN_REJECTED'
  | 'BODY_TOO_LARGE'
  | 'TOO_MANY_HEADERS'
  | 'UNSUPPORTED_TRANSFER_ENCODING'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'OVERLOADED'
  | 'DEADLINE_EXCEEDED'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR'

/** Makes the body of a fault. The result is serialized as JSON. */
export type Envelope = (kind: FaultKind, message: string, request: FastifyRequest) => unknown

declare module 'fastify' {
  interface FastifyContextConfig {
    envelope?: Envelope
    /** The Content-Type header of a fault. Default: JSON. */
    faultType?: (request: FastifyRequest) => string
    /** The body of 405, if it is not the message as a JSON string. */
    methodFault?: (message: string, request: FastifyRequest) => unknown
    access?: 'public' | 'signed'
    /** For the log. The GraphQL door names those of each request itself. */
    operation?: string
    /** The scopes that the API key needs. The GraphQL door checks those of its fields itself. */
    scopes?: readonly Scope[]
    /** The response stays open. It does not count as a request in flight; its route limits how many there are. */
    isStream?: boolean
    /**
     * For signed routes: the carrier that the headers claim, or undefined if they cannot belong to a valid signature.
     * Called before the body is read.
     */
    claimedSigner?: (request: FastifyRequest) => string | undefined
  }
  interface FastifyRequest {
    /** Null on public and signed routes only. */
    caller: Caller | null
    /** The account of the key, for the log; even if the request is then refused. Empty if it is unknown. */
    account: string
    /** The account, publishable key or signing carrier whose limits it counts against. Empty on public routes. */
    sender: string
    /** For the log, if it is not that of the route. */
    operation: string
    /** Whether the request counts among the bodies in transit. */
    isInTransit: boolean
    /** Whether it counts among the requests in flight. */
    isInFlight: boolean
    /** The network that a signed body in transit counts against. Otherwise empty. */
    signedFrom: string
    /** Whether it counts among the signed bodies of networks that have not signed correctly lately. */
    isStranger: boolean
    /** Set by the route when it has checked the signature. */
    isSignatureValid: boolean
    /** The limits of the caller's key: requests, then points. Null before the key is identified. */
    limitStates: (() => readonly [BudgetState, BudgetState]) | null
    /** True if the request has a publishable key and comes from one of its origins. */
    isFromPage: boolean
    /** True if the request was refused because of overload. */
    isShed: boolean
    turns: Turns
    allowance: Allowance
  }
}

const FAULTS: Readonly<Record<FaultKind, { readonly status: number; readonly message: string }>> = {
  BAD_REQUEST: { status: 400, message: 'The request is malformed' },
  UNAUTHENTICATED: { status: 401, message: 'The X-PP-API header must contain a valid API key and secret' },
  UNSIGNED: {
    status: 401,
    message: 'The X-Waybill-Signature header must contain a valid, recent signature of the body',
  },
  FORBIDDEN: { status: 403, message: 'The API key may not be used for this request' },
  CHECKOUT_TOKEN_REJECTED: { status: 403, message: 'The checkout token is missing or not valid' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large' },
  TOO_MANY_HEADERS: { status: 431, message: 'The request has too many headers' },
  UNSUPPORTED_TRANSFER_ENCODING: { status: 501, message: 'Transfer-Encoding must be chunked' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Content-Type must be application/json' },
  RATE_LIMITED: { status: 429, message: 'Too many requests; try again later' },
  OVERLOADED: { status: 503, message: 'The service is busy; try again shortly' },
  DEADLINE_EXCEEDED: {
    status: 503,
    message: 'The request took too long; ask for less at once, or try again later',
  },
  UNAVAILABLE: { status: 503, message: 'The service is temporarily unavailable; try again shortly' },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    message: 'An internal error occurred; quote the request id when you report it',
  },
}

/** Sends a fault in the envelope of its route. `text` replaces the general message. */
export function sendFault(
  reply: FastifyReply,
  kind: FaultKind,
  retryAfterSeconds?: number,
  text?: string,
): FastifyReply {
  const { status, message: general } = FAULTS[kind]
  const message = text ?? general
  const { request } = reply
  const { envelope, faultType } = request.routeOptions.config ?? {}
  const body = envelope?.(kind, message, request) ?? message
  if (kind === 'UNAUTHENTICATED') reply.header('www-authenticate', 'X-PP-API realm="waybill"')
  if (kind === 'UNSIGNED') reply.header('www-authenticate', 'X-Waybill-Signature realm="waybill"')
  return sendJson(reply, { status, body, type: faultType?.(request), retryAfterSeconds })
}

export function sendForbidden(reply: FastifyReply, { code, message }: Forbidden): FastifyReply {
  return sendFault(reply, code, undefined, message)
}

const OVERLOADED_RETRY_SECONDS = 1

/** Refuses a request because of overload. */
export function sendOverloaded(reply: FastifyReply): FastifyReply {
  reply.request.isShed = true
  return sendFault(reply, 'OVERLOADED', OVERLOADED_RETRY_SECONDS)
}

/** Seconds in `Retry-After` after an outage or a deadline. */
const RETRY_AFTER_SECONDS = 2

/**
 * The error handler of the server. Refusals by Fastify and exceeded limits get their own status, and an outage gets
 * 503. Everything else is a bug and gets 500 with a general message; the details are only logged.
 */
export function errorHandler(isOutage: (error: unknown) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = refusalOf(error, request)
    if (refusal !== undefined) {
      // Fastify sets `Connection: close` when it stops reading a body, and many clients then never see the response.
      // Without that header, Node reads and discards the rest of the body, within the time limit of the request.
      reply.removeHeader('connection')
      return sendFault(reply, refusal)
    }
    if (error instanceof NotSigned) return sendFault(reply, 'UNSIGNED')
    if (error instanceof Forbidden) return sendForbidden(reply, error)
    if (error instanceof AllowanceExceeded) return sendFault(reply, 'RATE_LIMITED', error.retryAfterSeconds)
    if (error instanceof RequestStopped) return sendStopped(error, request, reply)
    logFault(error, request, isOutage)
    return isOutage(error)
      ? sendFault(reply, 'UNAVAILABLE', RETRY_AFTER_SECONDS)
      : sendFault(reply, 'INTERNAL_SERVER_ERROR')
  }
}

/**
 * Responds to a request that was stopped. If the client has disconnected, the response only ends Fastify's processing.
 */
export function sendStopped(
  { reason }: RequestStopped,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (reason === 'deadline')
    request.log.warn({ event: 'request.deadline' }, 'the request reached its deadline and was stopped')
  return sendFault(reply, 'DEADLINE_EXCEEDED', RETRY_AFTER_SECONDS)
}

/** Logs an error that is hidden from the caller: an outage as a warning, a bug as an error. */
export function logFault(
  error: unknown,
  request: FastifyRequest,
  isOutage: (error: unknown) => boolean,
): void {
  const described = describeError(error, textsOf(request))
  if (isOutage(error))
    request.log.warn(
      { event: 'request.outage', error: described },
      'request failed: a dependency is unavailable',
    )
  else request.log.error({ event: 'request.failed', error: described }, 'request failed')
}

/** Maps the errors that Fastify throws while it reads a request. Undefined for errors from our code. */
function refusalOf(error: unknown, request: FastifyRequest): FaultKind | undefined {
  if (!(error instanceof Error)) return undefined
  // The client disconnected while it sent the body.
  if (request.raw.errored !== null && request.raw.errored === error) return 'BAD_REQUEST'
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_')) return undefined
  if (statusCode === 413) return 'BODY_TOO_LARGE'
  if (statusCode === 415) return 'UNSUPPORTED_MEDIA_TYPE'
  return typeof statusCode === 'number' && statusCode < 500 ? 'BAD_REQUEST' : undefined
}
