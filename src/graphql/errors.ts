/**
 * What callers see of an error. Errors that the request causes keep their message; an outage and a deadline invite a
 * retry; everything else is a fault of ours: hidden from the caller and logged under the request id. Each fault and
 * outage is logged once. The schema is public, so messages may name what is in it. Messages repeat what a caller sent,
 * so they are cut before anything looks at them.
 */
import type { ApolloServerPlugin } from '@apollo/server'
import { type ASTNode, GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { InputProblem } from '../core/problem.ts'
import { RequestStopped } from '../operations/ports/work.ts'
import type { Context } from './context.ts'

// How an operation that exceeds a limit is refused: which limit, how much of it, and what is allowed.

/** The code of every such refusal. */
export const TOO_LARGE = 'OPERATION_TOO_LARGE'

/**
 * A limit that is exceeded, as an error for the caller, or nothing. Counting may end where the limit is passed, so
 * `actual` may be lower than the whole. A fraction counts as a whole.
 */
export function excess(
  limit: string,
  actual: number,
  maximum: number,
  node?: ASTNode,
): readonly GraphQLError[] {
  if (actual <= maximum) return []
  const message = `The operation is too large: ${limit} ${actual}, the maximum is ${maximum}`
  const extensions = { code: TOO_LARGE, limit, actual, maximum, http: { status: 400 } }
  return [new GraphQLError(message, { ...(node !== undefined && { nodes: node }), extensions })]
}

/** What masking has to know. */
export type MaskingOptions = {
  /** True for errors that mean "not now" (the database is out of reach) rather than "wrong". */
  readonly isOutage: (error: unknown) => boolean
}

/** Errors of one response at most; where there are more, the last one says so. */
export const LISTED_ERRORS = 10

/** Characters of a message at most. */
export const MESSAGE_CHARACTERS = 500

/** What a caller sees of an outage. */
export const SERVICE_UNAVAILABLE = 'SERVICE_UNAVAILABLE'

/** What a caller sees of a request that reached its deadline, whatever it was doing. */
export const DEADLINE_EXCEEDED = {
  message: 'The request took too long; ask for less at once, or try again shortly',
  extensions: { code: 'DEADLINE_EXCEEDED' },
} as const

/** Codes of errors that the request itself causes: their messages are for the caller. */
const REQUEST_CODES: ReadonlySet<unknown> = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'RATE_LIMITED',
  TOO_LARGE,
])

/** Apollo's `formatError`. */
export function maskErrors({ isOutage }: MaskingOptions) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const { path, locations } = formatted
    const where = { ...(path !== undefined && { path }), ...(locations !== undefined && { locations }) }
    const cause = causeOf(error)
    if (cause instanceof RequestStopped) return DEADLINE_EXCEEDED
    if (isOutage(cause))
      return {
        message: 'The service is temporarily unavailable; try again shortly',
        ...where,
        extensions: { code: SERVICE_UNAVAILABLE },
      }
    if (!isRequestError(error, formatted.extensions?.['code']))
      return { message: 'Internal error', ...where, extensions: { code: 'INTERNAL_SERVER_ERROR' } }
    return { ...formatted, message: cutMessage(formatted.message) }
  }
}

/** Logs what is masked. */
export const reportErrors: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    didEncounterErrors: async ({ errors, contextValue }) => {
      // One failed statement may end many fields: the same error object is one line in the log.
      const causes = errors.filter((error) => !isRequestError(error, error.extensions['code'])).map(causeOf)
      const stopped = causes.find((cause) => cause instanceof RequestStopped)
      const faults = causes.filter((cause) => !(cause instanceof RequestStopped))
      for (const cause of new Set(stopped === undefined ? faults : [stopped, ...faults]))
        reportError(cause, contextValue)
    },
  }),
  // What is thrown outside resolvers, such as in a hook.
  unexpectedErrorProcessingRequest: async ({ requestContext, error }) =>
    reportError(error, requestContext.contextValue),
}

/** Logs what a caller is not told of an error. A deadline is a warning, and a client that is gone is nothing. */
export function reportError(cause: unknown, { logFault, logDeadline }: Context): void {
  if (!(cause instanceof RequestStopped)) logFault(cause)
  else if (cause.reason === 'deadline') logDeadline()
}

/** At most ten errors of a response, of which the last says how many more there are. */
export function listErrors(errors: readonly GraphQLFormattedError[]): readonly GraphQLFormattedError[] {
  if (errors.length <= LISTED_ERRORS) return errors
  const listed = errors.slice(0, LISTED_ERRORS - 1)
  const [next] = errors.slice(listed.length)
  const message = `${errors.length - listed.length} more errors are not listed`
  return [...listed, { message, extensions: { code: next?.extensions?.['code'] } }]
}

/** A value that does not fit, as an error for the caller. */
export function badInput(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, {
    ...(node !== undefined && { nodes: node }),
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  })
}

/** Faults of the arguments of a field that has no result type for them, as an error for the caller. */
export function badArguments({ fields }: InputProblem): GraphQLError {
  const listed = fields.slice(0, LISTED_ERRORS).map(({ path, message }) => `${path.join('.')}: ${message}`)
  const more = fields.length > listed.length ? `; ${fields.length - listed.length} more` : ''
  return badInput(`${listed.join('; ')}${more}`)
}

function cutMessage(message: string): string {
  return message.length <= MESSAGE_CHARACTERS ? message : `${message.slice(0, MESSAGE_CHARACTERS - 1)}…`
}

/**
 * True for what the request itself caused. The code alone does not tell: graphql-js copies the `extensions` of
 * whatever is thrown, and a foreign error may have some.
 */
function isRequestError(error: unknown, code: unknown): boolean {
  const cause = causeOf(error)
  if (!(cause instanceof GraphQLError)) return false
  // An error that was thrown in a resolver carries its code itself, one that Apollo found is wrapped with its code.
  return REQUEST_CODES.has(code) || REQUEST_CODES.has(cause.extensions['code'])
}

/** What was thrown in the first place; graphql-js and Apollo each wrap it once. */
function causeOf(error: unknown): unknown {
  let cause = error
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError
  return cause
}
