/** Turns the bytes of a request into a JSON object, or says why it cannot. Only uncompressed JSON in UTF-8 is read. */
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

/** Longer Content-Type headers are refused; real ones have about 30 characters. */
const MAX_TYPE_LENGTH = 200

/** Reads a body of which the endpoint needs every part. */
export function readJsonBody({ headers, body }: BodySource): JsonBody {
  const contentType = headers['content-type'] ?? ''
  const [type = '', ...parameters] = contentType.length > MAX_TYPE_LENGTH ? [] : contentType.split(';')
  if (type.trim().toLowerCase() !== 'application/json')
    return unsupported('Content-Type must be application/json')
  if (!parameters.every(isUtf8)) return unsupported('Content-Type: the charset must be utf-8')
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

/** False for a charset other than UTF-8; other parameters have no effect. */
function isUtf8(parameter: string): boolean {
  const [name = '', value] = parameter.split('=', 2).map((part) => part.trim().toLowerCase())
  return name !== 'charset' || ['utf-8', '"utf-8"'].includes(value ?? '')
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
