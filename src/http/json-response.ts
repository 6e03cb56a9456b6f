/** Sends JSON responses, for every door. No cache may store them. */
import type { FastifyReply } from 'fastify'

export const JSON_TYPE = 'application/json; charset=utf-8'

export type JsonResponse = {
  readonly status: number
  /** Serialized as JSON: a string becomes a JSON string. */
  readonly body: unknown
  /** The Content-Type header. Default: JSON_TYPE. */
  readonly type?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

export function sendJson(reply: FastifyReply, { body, ...head }: JsonResponse): FastifyReply {
  return sendText(reply, { ...head, text: JSON.stringify(body) })
}

/** A response whose body has been serialized. */
export type TextResponse = {
  readonly status: number
  readonly text: string
  /** The Content-Type header. Default: JSON_TYPE. */
  readonly type?: string | undefined
  readonly retryAfterSeconds?: number | undefined
}

export function sendText(reply: FastifyReply, response: TextResponse): FastifyReply {
  const { status, text, type = JSON_TYPE, retryAfterSeconds } = response
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  return reply.code(status).header('content-type', type).header('cache-control', 'no-store').send(text)
}
