/**
 * Reads the JSON body of a request, for every door. It must be a JSON object in UTF-8, not compressed, sent as
 * `application/json`. The server limits its size (docs/limits.md#connections-and-bodies). The messages are part of the
 * REST contract (docs/rest-contract.md#r6).
 */
import { isUtf8 } from 'node:buffer'
import { isJsonObject, type JsonObject } from '../core/input.ts'

/** The parts of a request that carry its body. */
export type BodySource = {
  readonly headers: {
    readonly 'content-type'?: string | undefined
    readonly 'content-encoding'?: string | undefined
  }
  /** A Buffer; undefined if the request has no body. */
  readonly body: unknown
}

export type JsonBody =
  | { readonly kind: 'JsonBody'; readonly fields: JsonObject }
  | { readonly kind: 'UnreadableBody'; readonly status: 400 | 415; readonly message: string }

/** Longer Content-Type headers are refused; real ones have about 30 characters. */
const MAX_TYPE_LENGTH = 200

export function readJsonBody({ headers, body }: BodySource): JsonBody {
  const unsupported = unsupportedHeader(headers)
  if (unsupported !== undefined) return { kind: 'UnreadableBody', status: 415, message: unsupported }
  const text = decode(body)
  if (text === undefined) return malformed('must be encoded in UTF-8')
  const value = parse(text)
  if (value === undefined) return malformed('must be valid JSON')
  return isJsonObject(value) ? { kind: 'JsonBody', fields: value } : malformed('must be a JSON object')
}

/** Why a body with these headers cannot be read; undefined if it can. */
function unsupportedHeader(headers: BodySource['headers']): string | undefined {
  const contentType = headers['content-type'] ?? ''
  const encoding = headers['content-encoding']
  // Fast path: most requests have exactly these headers.
  if (contentType === 'application/json' && encoding === undefined) return undefined
  const [type = '', ...parameters] = contentType.length > MAX_TYPE_LENGTH ? [] : contentType.split(';')
  if (type.trim().toLowerCase() !== 'application/json') return 'Content-Type must be application/json'
  if (!parameters.every(isUtf8Charset)) return 'The charset in Content-Type must be utf-8'
  if ((encoding ?? 'identity').trim().toLowerCase() !== 'identity') return 'Content-Encoding is not supported'
  return undefined
}

/** False for a charset other than UTF-8. Parameters other than `charset` are ignored. */
function isUtf8Charset(parameter: string): boolean {
  const [name = '', value] = parameter.split('=', 2).map((part) => part.trim().toLowerCase())
  return name !== 'charset' || ['utf-8', '"utf-8"'].includes(value ?? '')
}

/** Undefined for invalid UTF-8. Replacing invalid bytes would change the caller's text. */
function decode(body: unknown): string | undefined {
  if (!Buffer.isBuffer(body)) return ''
  if (!isUtf8(body)) return undefined
  const text = body.toString('utf8')
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}

const BYTE_ORDER_MARK = 0xfeff

/** Undefined for invalid JSON. The parser's message quotes the body, so it is dropped. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function malformed(clause: string): JsonBody {
  return { kind: 'UnreadableBody', status: 400, message: `body: ${clause}` }
}
