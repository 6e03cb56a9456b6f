/**
 * Turns an execution result into the body and status of the response, and decides which responses caches may store.
 * Limits the number of errors and the size of the body. Large bodies are written in turns, so that other requests run
 * in between.
 */
import {
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql'
import type { Forbidden } from '../operations/ports/key-rules.ts'
import type { Turns } from '../operations/ports/work.ts'
import { RequestStopped } from '../operations/ports/work.ts'
import type { RequestScope } from './context.ts'
import {
  DEADLINE_EXCEEDED,
  excess,
  listErrors,
  RESULT_UNAVAILABLE,
  type Refusal,
  SERVICE_UNAVAILABLE,
  withRequestId,
} from './errors.ts'
import { type Fragments, fragmentsIn } from './guards.ts'

/** In UTF-8. */
export const MAX_RESPONSE_BYTES = 8_000_000

export type Answer = {
  readonly text: string
  /** If given, replaces the status that Apollo chose. */
  readonly status?: number
  readonly retryAfterSeconds?: number
}

/** The code of `Forbidden` errors that a resolver throws: the token does not permit what the request asks for. */
const CHECKOUT_TOKEN_REJECTED: Forbidden['code'] = 'CHECKOUT_TOKEN_REJECTED'

/** `Retry-After` of responses with status 503 or 504. */
const RETRY_AFTER_SECONDS = 2

/**
 * If the request is stopped while its response is written, the answer is the same as for a stop during execution. An
 * outage after a mutation gets 504 instead of 503.
 */
export async function writeAnswer(
  result: FormattedExecutionResult,
  scope: Pick<RequestScope, 'requestId' | 'turns' | 'logDeadline' | 'effects'>,
): Promise<Answer> {
  const { requestId, turns, logDeadline, effects } = scope
  if (effects.refusal !== undefined) return refuse(effects.refusal, requestId)
  const { errors = [] } = result
  const stopped = errors.find(hasCode(DEADLINE_EXCEEDED.extensions.code))
  const isUnavailable = errors.some(hasCode(SERVICE_UNAVAILABLE))
  if (effects.hasMutated && (stopped !== undefined || isUnavailable))
    return refusal(504, [RESULT_UNAVAILABLE], requestId)
  const rejected = errors.filter(hasCode(CHECKOUT_TOKEN_REJECTED))
  if (rejected.length > 0) return refusal(403, rejected, requestId)
  // Which fields are complete is arbitrary, so no partial data is sent.
  if (stopped !== undefined) return refusal(503, [stopped], requestId)
  const listed = errors.length === 0 ? result : { ...result, errors: presentErrors(errors, requestId) }
  try {
    const text = await writeJson(listed, turns)
    if (typeof text === 'number') {
      return refuse({ errors: excess('response size', text, MAX_RESPONSE_BYTES) }, requestId)
    }
    return isUnavailable ? { text, status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS } : { text }
  } catch (error) {
    if (!(error instanceof RequestStopped)) throw error
    if (error.reason === 'deadline') logDeadline()
    return effects.hasMutated
      ? refusal(504, [RESULT_UNAVAILABLE], requestId)
      : refusal(503, [DEADLINE_EXCEEDED], requestId)
  }
}

/** With 429 if the API key has too few points left, otherwise with 400. */
function refuse({ errors, retryAfterSeconds }: Refusal, requestId: string): Answer {
  const formatted = errors.map((error) => error.toJSON())
  if (retryAfterSeconds === undefined) return refusal(400, formatted, requestId)
  return { ...refusal(429, formatted, requestId), retryAfterSeconds }
}

function hasCode(code: string): (error: GraphQLFormattedError) => boolean {
  return ({ extensions }) => extensions?.['code'] === code
}

function presentErrors(
  errors: readonly GraphQLFormattedError[],
  requestId: string,
): readonly GraphQLFormattedError[] {
  return listErrors(errors).map((error) => withRequestId(error, requestId))
}

/** A response without data. */
function refusal(status: number, errors: readonly GraphQLFormattedError[], requestId: string): Answer {
  const text = JSON.stringify({ errors: presentErrors(errors, requestId) })
  return status < 500 ? { text, status } : { text, status, retryAfterSeconds: RETRY_AFTER_SECONDS }
}

/**
 * Characters that are written without checking whether the turn is over. Smaller responses are therefore never delayed
 * or stopped. This matters for mutations, which have already taken effect.
 */
const TURN_CHARACTERS = 50_000

/** Whether a text is too large for a response. In UTF-8, a code unit has at most three bytes. */
export function exceedsResponse(text: string): boolean {
  if (text.length > MAX_RESPONSE_BYTES) return true
  return 3 * text.length > MAX_RESPONSE_BYTES && Buffer.byteLength(text) > MAX_RESPONSE_BYTES
}

/** Returns the JSON text, or, if it exceeds the maximum, the number of bytes counted so far. */
async function writeJson(value: object, turns: Turns): Promise<string | number> {
  const pieces: (string | Unwritten)[] = []
  splitIntoPieces(value, 0, pieces)
  let size = 0
  let bytes = 0
  let nextTurnAt = TURN_CHARACTERS
  for (const [index, piece] of pieces.entries()) {
    // Names and separators are ASCII.
    const isName = typeof piece === 'string'
    const text = isName ? piece : JSON.stringify(piece.value)
    size += text.length
    bytes += isName ? text.length : Buffer.byteLength(text)
    if (bytes > MAX_RESPONSE_BYTES) return bytes
    pieces[index] = text
    if (size < nextTurnAt) continue
    nextTurnAt = size + TURN_CHARACTERS
    if (turns.over()) await turns.next()
  }
  return pieces.join('')
}

/** A part of the result that one `JSON.stringify` call writes. */
type Unwritten = { readonly value: unknown }

/** Objects are split down to this depth: the result, its data, and the root fields. */
const SPLIT_DEPTH = 3

/** Entries of a list, such as a rate option or a tax line, become one piece each. */
function splitIntoPieces(value: unknown, depth: number, pieces: (string | Unwritten)[]): void {
  if (Array.isArray(value)) {
    let separator = '['
    for (const entry of value) {
      pieces.push(separator, { value: entry })
      separator = ','
    }
    pieces.push(value.length === 0 ? '[]' : ']')
  } else if (typeof value === 'object' && value !== null && depth < SPLIT_DEPTH) {
    let separator = '{'
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      pieces.push(`${separator}${JSON.stringify(name)}:`)
      separator = ','
      splitIntoPieces(field, depth + 1, pieces)
    }
    pieces.push(separator === '{' ? '{}' : '}')
  } else pieces.push({ value })
}

/** Root fields whose value depends only on the schema. */
export const INTROSPECTION_FIELDS: ReadonlySet<string> = new Set(['__schema', '__type', '__typename'])

/** Root fields whose value depends only on the account, the published rate cards and the version of Waybill. */
export const STATIC_FIELDS: ReadonlySet<string> = new Set([
  'carriers',
  'carrier',
  'product',
  '_service',
  ...INTROSPECTION_FIELDS,
])

/** Whether all root fields of the selected operation are static. The document must be valid. */
export function isStatic(document: DocumentNode, operationName: string | undefined): boolean {
  const operation = getOperationAST(document, operationName)
  return operation != null && hasOnly(STATIC_FIELDS, operation.selectionSet, fragmentsIn(document))
}

/** Whether all fields of a selection set, directly or in fragments, have one of the names. */
export function hasOnly(
  names: ReadonlySet<string>,
  { selections }: SelectionSetNode,
  fragments: Fragments,
): boolean {
  return selections.every((selection) => {
    if (selection.kind === Kind.FIELD) return names.has(selection.name.value)
    if (selection.kind === Kind.INLINE_FRAGMENT) return hasOnly(names, selection.selectionSet, fragments)
    const fragment = fragments.get(selection.name.value)
    return fragment !== undefined && hasOnly(names, fragment.selectionSet, fragments)
  })
}
