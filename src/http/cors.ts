/**
 * Cross-origin requests from web pages: the configured origins, and those of publishable keys. Covers the routes that
 * need an API key, their errors included: without the header, a page cannot read a 429. Cookies are not used, so
 * `Access-Control-Allow-Credentials` is never sent. See docs/browser-keys.md#cross-origin-requests.
 *
 * Source: https://fetch.spec.whatwg.org/#http-cors-protocol. @fastify/cors is not used, because it adds a route for
 * OPTIONS to every path, which would change 404 and 405 where no origin is allowed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageOrigins } from '../operations/ports/caller.ts'
import type { UnknownPaths } from './malformed.ts'
import { addVary } from './outbox.ts'

const MAX_AGE_SECONDS = 600

/** Old browsers ignore `*`, which covers what tracing tools add. */
const REQUEST_HEADERS =
  'Content-Type, X-PP-API, X-Checkout-Token, X-Request-Id, Traceparent, If-None-Match, *'

const RESPONSE_HEADERS = [
  'ETag',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Traceparent',
  'WWW-Authenticate',
  'X-Estimate-Complete',
  'X-Estimate-Reliability',
  'X-Request-Id',
].join(', ')

export type CrossOrigin = {
  /** Responds to a request that matches no route: to an allowed preflight request with 204. */
  preflight(request: FastifyRequest, reply: FastifyReply, paths: UnknownPaths): void
  /** Call it for every response. */
  addHeaders(request: FastifyRequest, reply: FastifyReply): void
}

export function crossOrigin(configured: readonly string[], pageOrigins: PageOrigins): CrossOrigin {
  const allowed = new Set(configured)
  const approve = (reply: FastifyReply, methods: ReadonlySet<string>): void => {
    reply
      .code(204)
      .header('access-control-allow-methods', [...methods].sort().join(', '))
      .header('access-control-allow-headers', REQUEST_HEADERS)
      .header('access-control-max-age', String(MAX_AGE_SECONDS))
      .send()
  }
  return {
    preflight(request, reply, paths) {
      const origin = preflightOrigin(request)
      const methods = origin === undefined ? undefined : paths.keyMethods(request)
      const decide = (isAllowed: boolean): void => {
        if (isAllowed && methods !== undefined) approve(reply, methods)
        else paths.refuse(request, reply)
      }
      if (origin === undefined || methods === undefined || methods.size === 0) return decide(false)
      const found = allowed.has(origin) || pageOrigins.find(origin)
      if (found instanceof Promise) found.then(decide)
      else decide(found)
    },
    addHeaders(request, reply) {
      if (allowed.size === 0 && pageOrigins.isEmpty() && !request.isFromPage) return
      if (request.routeOptions.config?.access !== undefined) return
      addVary(reply, 'origin')
      // Not `request.headers`: the route of cancellations replaces them.
      const { origin } = request.raw.headers
      if (origin === undefined) return
      if (!allowed.has(origin) && !request.isFromPage && !pageOrigins.has(origin)) return
      reply
        .header('access-control-allow-origin', origin)
        .header('access-control-expose-headers', RESPONSE_HEADERS)
    },
  }
}

/** The origin of a preflight request; undefined for other requests. */
function preflightOrigin({ method, raw: { headers } }: FastifyRequest): string | undefined {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined
  return headers.origin
}
