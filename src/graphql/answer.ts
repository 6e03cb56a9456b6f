/**
 * The last step of a request: what was worked out becomes the body and the status of the answer. Decided here: how
 * many errors are listed, how large a response may be, and that a large one is written in turns. The size is counted
 * before any text is made.
 */
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { RequestStopped } from '../operations/ports/work.ts'
import type { Turns } from '../operations/ports.ts'
import type { RequestTerms } from './context.ts'
import { DEADLINE_EXCEEDED, listErrors, SERVICE_UNAVAILABLE } from './errors.ts'
import { excess } from './too-large.ts'

/** Characters of a response at most. Escapes in texts are not counted, a number counts as `NUMBER_CHARACTERS`. */
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

/** Values that take more characters than this are written piece by piece. */
const LARGE = 100_000
const NUMBER_CHARACTERS = 8

/** The JSON text of a value, or its size where that is above the maximum. */
async function writeJson(value: object, turns: Turns): Promise<string | number> {
  const large = new Set<object>()
  const size = measure(value, large)
  if (size > MAX_RESPONSE_CHARACTERS) return size
  if (large.size === 0) return JSON.stringify(value)
  const pieces: string[] = []
  const write = async (part: unknown): Promise<void> => {
    if (typeof part !== 'object' || part === null || !large.has(part)) {
      pieces.push(JSON.stringify(part))
      if (turns.over()) await turns.next()
      return
    }
    const isList = Array.isArray(part)
    let separator = isList ? '[' : '{'
    for (const [key, entry] of Object.entries(part)) {
      if (entry === undefined) continue
      pieces.push(isList ? separator : `${separator}${JSON.stringify(key)}:`)
      separator = ','
      await write(entry)
    }
    pieces.push(isList ? ']' : '}')
  }
  await write(value)
  return pieces.join('')
}

/** About how many characters the text of a value has, and which parts of it are large; stops above the maximum. */
function measure(value: unknown, large: Set<object>): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value === 'number') return NUMBER_CHARACTERS
  if (typeof value !== 'object' || value === null) return 5
  let size = 2
  if (Array.isArray(value)) {
    for (const entry of value) {
      size += measure(entry, large) + 1
      if (size > MAX_RESPONSE_CHARACTERS) return size
    }
  } else {
    for (const key in value) {
      size += key.length + 4 + measure((value as Readonly<Record<string, unknown>>)[key], large)
      if (size > MAX_RESPONSE_CHARACTERS) return size
    }
  }
  if (size > LARGE) large.add(value)
  return size
}
