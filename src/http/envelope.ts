/**
 * How the socket answers for a route when the route itself never runs: no credentials, too many requests,
 * body too large, outage, fault. Each route says in its `config` what such an answer looks like there, so
 * that every endpoint keeps to its own error body:
 *
 *     app.post('/partners-api/v1/rates', { config: { envelope: (kind, message) =>
 *       ({ errors: true, message, data: [] }) } }, …)
 *     app.post('/graphql', { config: { envelope: (kind, message) =>
 *       ({ errors: [{ message, extensions: { code: kind } }] }) } }, …)
 *
 * A route needs credentials unless it says `config: { access: 'public' }` (a playground page, health), or `'signed'`:
 * the route itself checks a signature over the body, and answers 401 when it is none. Then `request.caller` stays
 * null. A route without an envelope answers with the message as a JSON string.
 */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../operations/ports/caller.ts'
import type { Allowance, Turns } from '../operations/ports/work.ts'
import type { BudgetState } from './budget.ts'

/** Why the socket answers instead of the route. Usable as a GraphQL `extensions.code`. */
export type FaultKind =
  | 'BAD_REQUEST'
  | 'UNAUTHENTICATED'
  | 'UNSIGNED'
  | 'BODY_TOO_LARGE'
  | 'TOO_MANY_HEADERS'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'OVERLOADED'
  | 'DEADLINE_EXCEEDED'
  | 'UNAVAILABLE'
  | 'INTERNAL_SERVER_ERROR'

/** Makes the body of a fault; what it returns goes out as JSON, so a string becomes a JSON string. */
export type Envelope = (kind: FaultKind, message: string) => unknown

declare module 'fastify' {
  interface FastifyContextConfig {
    envelope?: Envelope
    access?: 'public' | 'signed'
    /**
     * For signed routes: the carrier that the headers claim to come from, or undefined when they cannot be those of a
     * valid signature. Called before the body is read.
     */
    claimedSigner?: (request: FastifyRequest) => string | undefined
  }
  interface FastifyRequest {
    /** Who calls; null only on public and signed routes. */
    caller: Caller | null
    /** Whose shares the request counts against: an account, or a carrier that signs. Empty on public routes. */
    sender: string
    /** Frees the request's place among the bodies in transit; null when it never had one. */
    bodyArrived: (() => void) | null
    /** What is left of the limits of the caller's key; null before the key is known. */
    limitState: (() => BudgetState) | null
    /** The turns that this request works in. */
    turns: Turns
    /** What the caller's key may still spend. */
    allowance: Allowance
  }
}

/** The media type of every JSON answer. */
export const JSON_TYPE = 'application/json; charset=utf-8'

const FAULTS: Readonly<Record<FaultKind, { readonly status: number; readonly message: string }>> = {
  BAD_REQUEST: { status: 400, message: 'The request is malformed' },
  UNAUTHENTICATED: { status: 401, message: 'The X-PP-API header must hold a valid API key and secret' },
  UNSIGNED: {
    status: 401,
    message: 'The X-Waybill-Signature header must hold a valid, recent signature of the body',
  },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large' },
  TOO_MANY_HEADERS: { status: 431, message: 'The request has too many headers' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Content-Type must be application/json' },
  RATE_LIMITED: { status: 429, message: 'Too many requests; try again later' },
  OVERLOADED: { status: 503, message: 'The service is busy; try again shortly' },
  DEADLINE_EXCEEDED: {
    status: 503,
    message: 'The request took too long; ask for less at once, or try again later',
  },
  UNAVAILABLE: { status: 503, message: 'The service is temporarily unavailable; try again shortly' },
  INTERNAL_SERVER_ERROR: { status: 500, message: 'An internal error occurred; the request id identifies it' },
}

/** Answers a request with a fault, in its route's envelope. `retryAfterSeconds` becomes `Retry-After`. */
export function answerFault(reply: FastifyReply, kind: FaultKind, retryAfterSeconds?: number): FastifyReply {
  const { status, message } = FAULTS[kind]
  const body = reply.request.routeOptions.config?.envelope?.(kind, message) ?? message
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (kind === 'UNAUTHENTICATED') reply.header('www-authenticate', 'X-PP-API realm="waybill"')
  if (kind === 'UNSIGNED') reply.header('www-authenticate', 'X-Waybill-Signature realm="waybill"')
  return answerJson(reply, status, body)
}

/** Sends a JSON body that no cache may keep. */
export function answerJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body))
}

// The id that ties an answer to its log lines, on every answer as X-Request-Id. A caller's own id is kept
// when it cannot do harm in a log. Source: decision 25 of the README.

/** The header, in both directions. */
export const REQUEST_ID_HEADER = 'x-request-id'

const ACCEPTABLE = /^[A-Za-z0-9_-]{1,200}$/

/** A fresh id, a UUID. */
export function newRequestId(): string {
  return randomUUID()
}

/** The caller's id when it is 1 to 200 of `[A-Za-z0-9_-]` (so not when sent twice), otherwise a fresh one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const given = message.headers[REQUEST_ID_HEADER]
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : newRequestId()
}
