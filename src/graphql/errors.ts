/**
 * Which part of an error callers see, and what is logged.
 * - Errors caused by the request keep their message, cut to a maximum length because it may repeat the request.
 *   The schema is public, so messages may name its parts (docs/limits.md#graphql-operations).
 * - Outages and deadlines get a fixed message that suggests a retry.
 * - Everything else is a fault of Waybill. Callers see a fixed message; the cause is logged under the request id.
 */
import type { ApolloServerPlugin } from '@apollo/server'
import { type ASTNode, GraphQLError, type GraphQLFormattedError } from 'graphql'
import { Forbidden } from '../operations/ports/key-rules.ts'
import { RequestStopped } from '../operations/ports/work.ts'
import type { ResolversParentTypes } from './generated.ts'

/** Per response. If there are more, the last one gives the number of omitted errors. */
export const MAX_LISTED_ERRORS = 10

export const MAX_MESSAGE_CHARACTERS = 500

export const SERVICE_UNAVAILABLE = 'SERVICE_UNAVAILABLE'
export const METHOD_NOT_ALLOWED = 'METHOD_NOT_ALLOWED'

export const DEADLINE_EXCEEDED = {
  message: 'The request took too long; ask for less at once, or try again later',
  extensions: { code: 'DEADLINE_EXCEEDED' },
} as const

/** Replaces an outage or a deadline after a mutation, because 503 means that nothing was done. */
export const RESULT_UNAVAILABLE = {
  message:
    'The mutation was processed, but its result cannot be read at the moment; repeat the request shortly',
  extensions: { code: 'RESULT_UNAVAILABLE' },
} as const

const TOO_LARGE = 'OPERATION_TOO_LARGE'
const SHIPMENT_ARCHIVED = 'SHIPMENT_ARCHIVED'

/** Codes of errors caused by the request. */
const REQUEST_CODES: ReadonlySet<unknown> = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'FORBIDDEN',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'RATE_LIMITED',
  SHIPMENT_ARCHIVED,
  TOO_LARGE,
])

/** A value that does not fit its type, or is out of bounds. */
export function badInput(message: string, node?: ASTNode): GraphQLError {
  return new GraphQLError(message, {
    ...(node !== undefined && { nodes: node }),
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
  })
}

/** The field `shipment` of an outcome. The other fields of the outcome are known. See docs/growth.md#archive. */
export function shipmentArchived(): GraphQLError {
  return new GraphQLError(
    'The shipment has been archived and cannot be read; request the outcome without `shipment`',
    { extensions: { code: SHIPMENT_ARCHIVED } },
  )
}

/**
 * The faults of arguments, for a field whose type is no union. `fields` has the form of `InputProblem.fields`, with
 * paths within the arguments. graphql-js adds the path of the field to the error.
 */
export function badArguments(fields: ResolversParentTypes['InputProblem']['fields']): GraphQLError {
  const faults = fields.map(({ path, message }) => `${path.join('.')}: ${message}`)
  return new GraphQLError(`Invalid arguments: ${faults.join('; ')}`, {
    extensions: { code: 'BAD_USER_INPUT', fields, http: { status: 400 } },
  })
}

/**
 * Returns an error if `actual` exceeds `maximum`, otherwise an empty list. `actual` may be too low, because counting
 * may stop when the maximum is exceeded.
 */
export function excess(
  limit: string,
  actual: number,
  maximum: number,
  node?: ASTNode,
): readonly GraphQLError[] {
  if (actual <= maximum) return []
  const message = `The operation is too large: ${limit} ${actual}, the maximum is ${maximum}`
  const extensions = { code: TOO_LARGE, limit, actual, maximum }
  return [new GraphQLError(message, { ...(node !== undefined && { nodes: node }), extensions })]
}

/** The caller's log then has the id, even if it contains no response headers. */
export function withRequestId(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
  return { ...error, extensions: { ...error.extensions, requestId } }
}

export function moreErrors(count: number): string {
  return `${count} more errors are not listed`
}

export function listErrors(errors: readonly GraphQLFormattedError[]): readonly GraphQLFormattedError[] {
  if (errors.length <= MAX_LISTED_ERRORS) return errors
  const listed = errors.slice(0, MAX_LISTED_ERRORS - 1)
  const [next] = errors.slice(listed.length)
  const message = moreErrors(errors.length - listed.length)
  return [...listed, { message, extensions: { code: next?.extensions?.['code'] } }]
}

/** Same message as in http/faults.ts. */
const INTERNAL_ERROR = 'An internal error occurred; quote the request id when you report it'

/** Same message as in http/faults.ts. */
export const RATE_LIMITED = new GraphQLError('Too many requests; try again later', {
  extensions: { code: 'RATE_LIMITED' },
})

/** Why an operation is not executed, or not to its end. */
export type Refusal = {
  readonly errors: readonly GraphQLError[]
  /** True if the API key may not ask for it. */
  readonly isForbidden?: true
  /** Present if the API key has too few points left. */
  readonly retryAfterSeconds?: number
}

export type MaskingOptions = {
  /** True for errors that are temporary, such as an unreachable database. */
  readonly isOutage: (error: unknown) => boolean
}

/** Creates Apollo's `formatError`. */
export function maskErrors({ isOutage }: MaskingOptions) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const { path, locations } = formatted
    const position = { ...(path !== undefined && { path }), ...(locations !== undefined && { locations }) }
    const cause = rootCause(error)
    if (cause instanceof RequestStopped) return DEADLINE_EXCEEDED
    if (cause instanceof Forbidden)
      return { message: cause.message, ...position, extensions: { code: cause.code } }
    if (isOutage(cause))
      return {
        message: 'The service is temporarily unavailable; try again shortly',
        ...position,
        extensions: { code: SERVICE_UNAVAILABLE },
      }
    if (!isRequestError(error, formatted.extensions?.['code']))
      return { message: INTERNAL_ERROR, ...position, extensions: { code: 'INTERNAL_SERVER_ERROR' } }
    return { ...formatted, message: cutMessage(formatted.message) }
  }
}

function cutMessage(message: string): string {
  return message.length <= MAX_MESSAGE_CHARACTERS
    ? message
    : `${message.slice(0, MAX_MESSAGE_CHARACTERS - 1)}…`
}

/** The part of the context that errors are logged with. */
type ErrorLog = { readonly logFault: (error: unknown) => void; readonly logDeadline: () => void }

/** Logs each masked error once. */
export const reportErrors: ApolloServerPlugin<ErrorLog> = {
  requestDidStart: async () => ({
    didEncounterErrors: async ({ errors, contextValue }) => {
      // One failed statement may fail many fields with the same error object.
      const causes = errors.filter((error) => !isRequestError(error, error.extensions['code'])).map(rootCause)
      const stopped = causes.find((cause) => cause instanceof RequestStopped)
      const faults = causes.filter((cause) => !(cause instanceof RequestStopped))
      for (const cause of new Set(stopped === undefined ? faults : [stopped, ...faults]))
        reportError(cause, contextValue)
    },
  }),
  // Errors outside resolvers, for example in a hook.
  unexpectedErrorProcessingRequest: async ({ requestContext, error }) =>
    reportError(error, requestContext.contextValue),
}

/** A deadline is logged as a warning. A disconnected client is not logged. */
export function reportError(cause: unknown, { logFault, logDeadline }: ErrorLog): void {
  if (!(cause instanceof RequestStopped)) logFault(cause)
  else if (cause.reason === 'deadline') logDeadline()
}

/**
 * The code alone does not prove that the request caused an error: graphql-js copies `extensions` from any thrown error,
 * so the error must be a GraphQLError too.
 */
function isRequestError(error: unknown, code: unknown): boolean {
  const cause = rootCause(error)
  if (cause instanceof Forbidden) return true
  if (!(cause instanceof GraphQLError)) return false
  // Errors that resolvers throw carry the code themselves. Apollo wraps its own errors and adds the code there.
  return REQUEST_CODES.has(code) || REQUEST_CODES.has(cause.extensions['code'])
}

/** Unwraps the layers that graphql-js and Apollo add. */
function rootCause(error: unknown): unknown {
  let cause = error
  while (cause instanceof GraphQLError && cause.originalError !== undefined) cause = cause.originalError
  return cause
}
