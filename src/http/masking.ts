/**
 * Errors for the log, without the texts of the request that caused them: messages of databases and libraries quote
 * them.
 */
import type { FastifyRequest } from 'fastify'

export type ErrorRecord = {
  readonly type: string
  readonly code?: string
  readonly message: string
  readonly stack?: string
  readonly cause?: ErrorRecord
}

const MAX_STACK_LENGTH = 4_000
const MAX_CAUSES = 3
const MAX_TEXTS = 5_000
/** Masking shorter texts ("NL", "1") would make messages unreadable, and they identify no person. */
const MIN_TEXT_LENGTH = 3

/**
 * An error for the log, with its causes. Occurrences of `texts` (see textsOf) are masked, because messages of databases
 * and libraries quote the values that caused them.
 */
export function describeError(error: unknown, texts: readonly string[], depth = 0): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error, message: mask(String(error), texts) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message: mask(error.message, texts),
    ...(error.stack !== undefined && { stack: mask(error.stack, texts).slice(0, MAX_STACK_LENGTH) }),
    ...(error.cause !== undefined &&
      depth < MAX_CAUSES && { cause: describeError(error.cause, texts, depth + 1) }),
  }
}

/** For errors that a library logs itself: its message may quote the request. */
export function withoutMessage({ type, code, stack = '' }: ErrorRecord) {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return { type, ...(code !== undefined && { code }), message: '[withheld]', stack: frames.join('\n') }
}

function mask(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '[masked]'), text)
}

/**
 * The texts of a request that must not appear in the log, the longest first: headers with credentials, query values,
 * and all strings of a JSON body.
 */
export function textsOf(request: FastifyRequest): string[] {
  const { headers } = request
  const credentials = [
    headers['x-pp-api'],
    headers['x-waybill-signature'],
    headers['x-checkout-token'],
    headers.authorization,
    headers.cookie,
  ].flatMap((value) => value ?? [])
  const secrets = credentials.map((credential) => credential.slice(credential.indexOf('@') + 1))
  const query = [...new URLSearchParams(request.url.split('?')[1] ?? '').values()]
  return [...credentials, ...secrets, ...textsIn(query), ...textsIn(bodyOf(request))]
    .filter((text) => text.length >= MIN_TEXT_LENGTH)
    .sort((a, b) => b.length - a.length)
}

function bodyOf({ body }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body)) return body
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Not recursive: a body can be nested a hundred thousand levels deep. */
function textsIn(root: unknown): string[] {
  const texts: string[] = []
  const pending: unknown[] = [root]
  while (pending.length > 0 && texts.length < MAX_TEXTS) {
    const value = pending.pop()
    if (typeof value === 'string') texts.push(value, value.trim(), ...literalsIn(value))
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) pending.push(inner)
  }
  return texts
}

/** The string literals in a text that is itself a GraphQL document or JSON. */
function literalsIn(text: string): string[] {
  return [...text.matchAll(/"([^"\\]+)"/g)].flatMap(([, literal]) => literal ?? [])
}
