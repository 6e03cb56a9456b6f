/** Sends responses, for every door. No cache may store them, except those of `sendCacheable`. */
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

export const JSON_TYPE = 'application/json; charset=utf-8'

export type JsonResponse = {
  readonly status: number
  /** Serialized as JSON: a string becomes a JSON string. */
  readonly body: unknown
  /** The Content-Type header. Default: JSON_TYPE. */
  readonly type?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  /** Further headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export function sendJson(reply: FastifyReply, { body, ...head }: JsonResponse): FastifyReply {
  return sendText(reply, { ...head, text: JSON.stringify(body) })
}

/** A response whose body has been serialized. */
export type TextResponse = {
  readonly status: number
  readonly text: string | Buffer
  /** The Content-Type header. Default: JSON_TYPE. */
  readonly type?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly headers?: JsonResponse['headers']
}

export function sendText(reply: FastifyReply, response: TextResponse): FastifyReply {
  const { status, text, type = JSON_TYPE, retryAfterSeconds, headers } = response
  if (headers !== undefined) reply.headers(headers)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(status).header('content-type', type).header('cache-control', 'no-store').send(text)
}

export type CacheableResponse = {
  readonly text: string | Buffer
  readonly type: string
  /** `private` if the response depends on the caller. */
  readonly scope: 'private' | 'public'
  /** The request headers that the response depends on, in lower case. */
  readonly vary?: readonly string[]
}

/**
 * The methods of routes that call `sendCacheable`. They declare HEAD, because the HEAD route that Fastify adds to a GET
 * route sends `Content-Length: 0` with 304, and caches take that for the length of the stored response.
 */
export const CACHEABLE_METHODS = ['GET', 'HEAD']

/**
 * Sends a response that caches may store but must revalidate: 200, or 304 if the client has it already. The ETag is
 * weak, because the same text is also sent compressed.
 */
export function sendCacheable(reply: FastifyReply, response: CacheableResponse): FastifyReply {
  const { text, type, scope, vary = [] } = response
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag).header('cache-control', `${scope}, no-cache`)
  if (vary.length > 0) reply.header('vary', vary.join(', '))
  return names(reply.request.headers['if-none-match'], etag)
    ? reply.code(304).send()
    : reply.code(200).header('content-type', type).send(text)
}

/**
 * Whether an Accept header names HTML and gives it at least the weight of JSON, like those of browsers. Wildcards count
 * for JSON only.
 */
export function prefersHtml(accept = ''): boolean {
  const weights = new Map<string, number>()
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(type, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const html = weights.get('text/html') ?? 0
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0
  return html > 0 && html >= json
}

/** Whether an If-None-Match header names the ETag. Weak and strong tags are compared alike (RFC 9110, 13.1.2). */
function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}
