/**
 * What callers see of an error. Faults of the request keep their message; an outage invites a retry; everything
 * else is a fault of ours: hidden from the caller and logged under the request id. Each fault and outage is
 * logged once.
 */
import type { ApolloServerPlugin } from '@apollo/server'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { InputProblem } from '../core/problem.ts'
import type { Context } from './context.ts'

/** What masking has to know. */
export type MaskingOptions = {
  /** Production hides the schema's names from error messages. */
  readonly production: boolean
  /** True for errors that mean "not now" (the database is out of reach) rather than "wrong". */
  readonly isOutage: (error: unknown) => boolean
}

/** Seconds a caller is asked to wait after an outage. */
const RETRY_AFTER_SECONDS = '2'

/** Codes of errors that the request itself causes: their messages are for the caller. */
const REQUEST_CODES: ReadonlySet<unknown> = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
])

/** Apollo's `formatError`. */
export function maskErrors({ production, isOutage }: MaskingOptions) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const { message, path, locations } = formatted
    const where = { ...(path !== undefined && { path }), ...(locations !== undefined && { locations }) }
    if (isOutage(causeOf(error)))
      return {
        message: 'The service is temporarily unavailable; try again shortly',
        ...where,
        extensions: { code: 'SERVICE_UNAVAILABLE' },
      }
    if (!isRequestError(error, formatted.extensions?.['code']))
      return { message: 'Internal error', ...where, extensions: { code: 'INTERNAL_SERVER_ERROR' } }
    if (formatted.extensions?.['validationErrorCode'] === 'INTROSPECTION_DISABLED')
      return { message: 'Introspection is not allowed', ...where, extensions: formatted.extensions }
    return production ? { ...formatted, message: withoutSuggestion(message) } : formatted
  }
}

/** Logs what is masked, and answers an outage with 503 whatever else the answer holds. */
export function reportErrors({ isOutage }: MaskingOptions): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      didEncounterErrors: async ({ errors, contextValue }) => {
        // One failed statement may end many fields: the same error object is one line in the log.
        const causes = errors.filter((error) => !isRequestError(error, error.extensions['code'])).map(causeOf)
        for (const cause of new Set(causes)) contextValue.logFault(cause)
      },
      willSendResponse: async ({ errors, response: { http } }) => {
        if (errors?.some((error) => isOutage(causeOf(error))) !== true) return
        http.status = 503
        http.headers.set('retry-after', RETRY_AFTER_SECONDS)
      },
    }),
  }
}

/** Faults of the arguments of a field that has no result type for them, as an error for the caller. */
export function badArguments({ fields }: InputProblem): GraphQLError {
  const message = fields.map((field) => `${field.path.join('.')}: ${field.message}`).join('; ')
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } })
}

/**
 * True for what the request itself caused. The code alone does not tell: graphql-js copies the `extensions` of
 * whatever is thrown, and a foreign error may have some.
 */
function isRequestError(error: unknown, code: unknown): boolean {
  const cause = causeOf(error)
  if (!isGraphQLError(cause)) return false
  // Variables that do not fit are found in execution and carry no code until Apollo formats them.
  return REQUEST_CODES.has(code) || REQUEST_CODES.has(cause.extensions['code'])
}

/** What was thrown in the first place; graphql-js and Apollo each wrap it once. */
function causeOf(error: unknown): unknown {
  let cause = error
  while (isGraphQLError(cause) && cause.originalError !== undefined) cause = cause.originalError
  return cause
}

/** By its tag: a test runner loads graphql-js twice, as a module and as CommonJS, and `instanceof` knows one. */
function isGraphQLError(error: unknown): error is GraphQLError {
  return Object.prototype.toString.call(error) === '[object GraphQLError]'
}

/** graphql-js ends its messages with names from the schema that resemble the wrong one. */
function withoutSuggestion(message: string): string {
  return message.replace(/ ?Did you mean .*\?$/s, '')
}
