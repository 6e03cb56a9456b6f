/**
 * From the bytes of a request to a JSON object, or why not: JSON in UTF-8 as it stands, in nothing else.
 * Source: specification section 4 (headers); decisions 1, 2 and 6 of the README.
 */
import { isWireObject, type WireObject } from './wire.ts'

/** The parts of a request that carry its body. */
export type BodySource = {
  readonly headers: {
    readonly 'content-type'?: string | undefined
    readonly 'content-encoding'?: string | undefined
  }
  /** The bytes; undefined when there was no body. */
  readonly body: unknown
}

/** A parsed object, or the status and message of the refusal. */
export type JsonBody =
  | { readonly kind: 'JsonObject'; readonly fields: WireObject }
  | { readonly kind: 'UnreadableBody'; readonly status: 400 | 415; readonly message: string }

const JSON_TYPE = /^application\/json[ \t]*(?:;(.*))?$/i
const CHARSET = /^[ \t]*charset[ \t]*=[ \t]*"?([^"]*?)"?[ \t]*$/i

/** Reads a body of which the endpoint needs every part. */
export function readJsonBody({ headers, body }: BodySource): JsonBody {
  const type = JSON_TYPE.exec(headers['content-type']?.trim() ?? '')
  if (type === null) return unsupported('Content-Type must be application/json')
  if (!isUtf8(type[1] ?? '')) return unsupported('Content-Type: the charset must be utf-8')
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity')
    return unsupported('Content-Encoding is not supported')
  const text = decode(body)
  if (text === undefined) return malformed('must be encoded in UTF-8')
  const value = parse(text)
  if (value === undefined) return malformed('must be valid JSON')
  return isWireObject(value.json)
    ? { kind: 'JsonObject', fields: value.json }
    : malformed('must be a JSON object')
}

function isUtf8(parameters: string): boolean {
  return parameters.split(';').every((parameter) => {
    const charset = CHARSET.exec(parameter)?.[1]
    return charset === undefined || charset.toLowerCase() === 'utf-8'
  })
}

/** Fatal: replacing bytes that are no UTF-8 would change what the caller said. */
function decode(body: unknown): string | undefined {
  if (!Buffer.isBuffer(body)) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Wrapped, for `null` is JSON too. The parser's own message quotes the body, so it goes nowhere. */
function parse(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function unsupported(message: string): JsonBody {
  return { kind: 'UnreadableBody', status: 415, message }
}

function malformed(clause: string): JsonBody {
  return { kind: 'UnreadableBody', status: 400, message: `body: ${clause}` }
}
