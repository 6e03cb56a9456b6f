/**
 * The last step of a request: what was worked out becomes the body and the status of the answer. Decided here: how
 * many errors are listed, how large a response may be, and that a large one is written in turns. It is written in
 * pieces and given up where it becomes too large, before the pieces are one text.
 */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import type { Turns } from '../operations/ports/work.ts'
import { RequestStopped } from '../operations/ports/work.ts'
import type { RequestTerms } from './context.ts'
import { DEADLINE_EXCEEDED, excess, listErrors, SERVICE_UNAVAILABLE } from './errors.ts'

/** Characters of a response at most. */
export const MAX_RESPONSE_CHARACTERS = 8_000_000

/** An answer that is ready to be sent. */
export type Answer = {
  readonly text: string
  /** Undefined where the result does not change the status. */
  readonly status?: number
  readonly retryAfterSeconds?: number
}

/** Seconds a caller is asked to wait after an outage or a deadline. */
const RETRY_AFTER_SECONDS = 2

/** Writes a result. A request that is stopped meanwhile is answered as one that was stopped before. */
export async function writeAnswer(
  result: FormattedExecutionResult,
  { turns, logDeadline }: Pick<RequestTerms, 'turns' | 'logDeadline'>,
): Promise<Answer> {
  const { errors = [] } = result
  const stopped = errors.find(hasCode(DEADLINE_EXCEEDED.extensions.code))
  // What is there of a stopped request depends on where it stood, so nothing of it is sent.
  if (stopped !== undefined) return unavailable({ errors: [stopped] })
  const listed = errors.length === 0 ? result : { ...result, errors: listErrors(errors) }
  try {
    const text = await writeJson(listed, turns)
    if (typeof text === 'number') return tooLarge(text)
    return errors.some(hasCode(SERVICE_UNAVAILABLE))
      ? { text, status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS }
      : { text }
  } catch (error) {
    if (!(error instanceof RequestStopped)) throw error
    if (error.reason === 'deadline') logDeadline()
    return unavailable({ errors: [DEADLINE_EXCEEDED] })
  }
}

function hasCode(code: string): (error: GraphQLFormattedError) => boolean {
  return ({ extensions }) => extensions?.['code'] === code
}

function unavailable(result: FormattedExecutionResult): Answer {
  return { text: JSON.stringify(result), status: 503, retryAfterSeconds: RETRY_AFTER_SECONDS }
}

function tooLarge(size: number): Answer {
  const errors = excess('response size', size, MAX_RESPONSE_CHARACTERS).map(({ message, extensions }) => {
    const { http: _, ...rest } = extensions
    return { message, extensions: rest }
  })
  return { text: JSON.stringify({ errors }), status: 400 }
}

/**
 * Characters that are written in one turn, whatever time it has left. A smaller answer is never held up or stopped:
 * that of a mutation, above all, which has been carried out by now.
 */
const TURN_CHARACTERS = 50_000

/** The JSON text of a value, or how much there was of it when it passed the maximum. */
async function writeJson(value: object, turns: Turns): Promise<string | number> {
  const pieces: (string | Unwritten)[] = []
  takeApart(value, 0, pieces)
  let size = 0
  let nextTurnAt = TURN_CHARACTERS
  for (const [index, piece] of pieces.entries()) {
    const text = typeof piece === 'string' ? piece : JSON.stringify(piece.value)
    size += text.length
    if (size > MAX_RESPONSE_CHARACTERS) return size
    pieces[index] = text
    if (size < nextTurnAt) continue
    nextTurnAt = size + TURN_CHARACTERS
    if (turns.over()) await turns.next()
  }
  return pieces.join('')
}

/** A part of a value that is written at once. */
type Unwritten = { readonly value: unknown }

/** Objects around those at this depth are taken apart: the result, its data, and a root field of it. */
const PIECE_DEPTH = 3

/** An entry of a list is written at once, such as an option, a tax line, a quote of a batch. */
function takeApart(value: unknown, depth: number, pieces: (string | Unwritten)[]): void {
  if (Array.isArray(value)) {
    let before = '['
    for (const entry of value) {
      pieces.push(before, { value: entry })
      before = ','
    }
    pieces.push(value.length === 0 ? '[]' : ']')
  } else if (typeof value === 'object' && value !== null && depth < PIECE_DEPTH) {
    let before = '{'
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      pieces.push(`${before}${JSON.stringify(name)}:`)
      before = ','
      takeApart(field, depth + 1, pieces)
    }
    pieces.push(before === '{' ? '{}' : '}')
  } else pieces.push({ value })
}
