/**
 * The id that ties an answer to its log lines, on every answer as X-Request-Id. A caller's own id is kept
 * when it cannot do harm in a log. Source: decision 25 of the README.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

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
