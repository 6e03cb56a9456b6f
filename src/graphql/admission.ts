/**
 * Which operations run: the document is valid and within the limits, the variables fit, the operation costs no more
 * than the maximum, and the caller's key can pay for it. All of it is settled before anything is executed. An
 * operation that costs too much is not charged.
 */
import {
  type ApolloServerPlugin,
  type GraphQLRequestContextResponseForOperation,
  type GraphQLResponse,
  HeaderMap,
} from '@apollo/server'
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql'
import type { Context } from './context.ts'
import { boundsFor } from './cost/book-bounds.ts'
import { costRule, MAX_INTROSPECTION_POINTS, MAX_POINTS } from './cost/operation-cost.ts'
import { badInput, excess, reportError } from './errors.ts'
import { documentCheck } from './guards.ts'
import { coerceVariables } from './variables.ts'

/** How operations are admitted. */
export type AdmissionOptions = {
  /** Whether the schema may be asked for. */
  readonly introspection: boolean
  /** What callers see of an error. */
  readonly present: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError
}

/** What Apollo knows when a document is parsed and its operation is chosen. */
type Parsed = GraphQLRequestContextResponseForOperation<Context>

/** Why an operation does not run. */
type Refusal = { readonly errors: readonly GraphQLError[]; readonly retryAfterSeconds?: number }

/** Refuses operations before they are executed, with HTTP 400 or 429. Apollo must not validate them itself. */
export function admitOperations({ introspection, present }: AdmissionOptions): ApolloServerPlugin<Context> {
  const check = documentCheck({ introspection })
  let rule: ReturnType<typeof costRule> | undefined
  const costIn = (schema: GraphQLSchema): ReturnType<typeof costRule> => {
    rule ??= costRule(schema)
    return rule
  }
  const refusalOf = (parsed: Parsed): Refusal | undefined => {
    const { schema, document, operation, request, contextValue } = parsed
    const faults = check(schema, document)
    if (faults.length > 0) return { errors: faults }
    // Executing it says which operations there are.
    if (operation === undefined) return undefined
    const coerced = coerceVariables(schema, operation, request.variables ?? {})
    if ('errors' in coerced) return coerced
    const { ports, caller, allowance } = contextValue
    const bounds = boundsFor(ports.reference.rateBook(), caller.accountId)
    const cost = costIn(schema)(document, operation, coerced.values, bounds)
    if (cost instanceof GraphQLError) return { errors: [badInput(cost.message, cost.nodes?.[0])] }
    const { points, introspectionPoints } = cost
    const errors = [
      ...excess('cost', points, MAX_POINTS),
      ...excess('introspection cost', introspectionPoints, MAX_INTROSPECTION_POINTS),
    ]
    if (errors.length > 0) return { errors }
    const retryAfterSeconds = allowance.charge(points)
    return retryAfterSeconds === undefined ? undefined : { errors: [RATE_LIMITED], retryAfterSeconds }
  }
  return {
    requestDidStart: async () => ({
      responseForOperation: async (parsed) => {
        try {
          const refusal = refusalOf(parsed)
          return refusal === undefined ? null : responseOf(refusal, present)
        } catch (error) {
          // Apollo would log the message as it is, without the request's id.
          reportError(error, parsed.contextValue)
          return response(500, [present({ message: '' }, error)])
        }
      },
    }),
  }
}

/** Same message as that of http/faults.ts for a key without requests. */
const RATE_LIMITED = new GraphQLError('Too many requests; try again later', {
  extensions: { code: 'RATE_LIMITED' },
})

function responseOf(
  { errors, retryAfterSeconds }: Refusal,
  present: AdmissionOptions['present'],
): GraphQLResponse {
  const formatted = errors.map((error) => {
    const { http: _, ...given } = error.extensions
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', ...given }
    const { message, locations } = error.toJSON()
    return present({ message, ...(locations !== undefined && { locations }), extensions }, error)
  })
  if (retryAfterSeconds === undefined) return response(400, formatted)
  return response(429, formatted, new HeaderMap([['retry-after', String(retryAfterSeconds)]]))
}

function response(
  status: number,
  errors: readonly GraphQLFormattedError[],
  headers = new HeaderMap(),
): GraphQLResponse {
  return { http: { status, headers }, body: { kind: 'single', singleResult: { errors } } }
}
