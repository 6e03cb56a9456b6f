/**
 * Decides whether an operation may run. The document must be valid and within the limits, the variables must match their
 * types, the cost must not exceed the maximum, and the caller's API key must have enough points left. All checks run
 * before execution. An operation that is refused as too expensive is not charged (docs/decisions/api.md#d116).
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
import {
  createCostCalculator,
  MAX_INTROSPECTION_POINTS,
  MAX_POINTS,
  MAX_REPRESENTATIONS,
} from './cost/operation-cost.ts'
import { createDeprecationFinder, type DeprecationFinder } from './deprecations.ts'
import { badInput, excess, reportError } from './errors.ts'
import { createDocumentCheck } from './guards.ts'
import { coerceVariables } from './variables.ts'

export type AdmissionOptions = {
  readonly introspection: boolean
  /** Masks an error for the caller. */
  readonly present: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError
}

/** The state after Apollo has parsed the document and selected the operation. */
type Parsed = GraphQLRequestContextResponseForOperation<Context>

type Refusal = {
  readonly errors: readonly GraphQLError[]
  /** Present if the API key has too few points left. */
  readonly retryAfterSeconds?: number
}

/** Refuses operations with HTTP 400 or 429. Requires that Apollo's own validation is turned off. */
export function admitOperations({ introspection, present }: AdmissionOptions): ApolloServerPlugin<Context> {
  const check = createDocumentCheck({ introspection })
  let calculator: ReturnType<typeof createCostCalculator> | undefined
  const calculatorFor = (schema: GraphQLSchema): ReturnType<typeof createCostCalculator> => {
    calculator ??= createCostCalculator(schema)
    return calculator
  }
  let findDeprecated: DeprecationFinder | undefined
  const logDeprecated = ({ schema, document, operation, request, contextValue }: Parsed) => {
    findDeprecated ??= createDeprecationFinder(schema)
    const elements = findDeprecated(document, operation, request.variables ?? {})
    if (elements.length > 0) contextValue.logDeprecated(elements)
  }
  const findRefusal = (parsed: Parsed): Refusal | undefined => {
    const { schema, document, operation, request, contextValue } = parsed
    const invalid = check(schema, document)
    if (invalid.length > 0) return { errors: invalid }
    // `operationName` selects no operation. Apollo refuses such requests.
    if (operation === undefined) return undefined
    const coerced = coerceVariables(schema, operation, request.variables ?? {})
    if ('errors' in coerced) return coerced
    const { ports, caller, allowance } = contextValue
    const bounds = boundsFor(ports.reference.rateBook(), caller.accountId)
    const cost = calculatorFor(schema)(document, operation, coerced.values, bounds)
    if (cost instanceof GraphQLError) return { errors: [badInput(cost.message, cost.nodes?.[0])] }
    const { points, introspectionPoints, representations } = cost
    const errors = [
      ...excess('cost', points, MAX_POINTS),
      ...excess('introspection cost', introspectionPoints, MAX_INTROSPECTION_POINTS),
      ...excess('representations', representations, MAX_REPRESENTATIONS),
    ]
    if (errors.length > 0) return { errors }
    const retryAfterSeconds = allowance.charge(points)
    if (retryAfterSeconds !== undefined) return { errors: [RATE_LIMITED], retryAfterSeconds }
    logDeprecated(parsed)
    return undefined
  }
  return {
    requestDidStart: async () => ({
      responseForOperation: async (parsed) => {
        try {
          const refusal = findRefusal(parsed)
          return refusal === undefined ? null : refusalResponse(refusal, present)
        } catch (error) {
          // Not rethrown: Apollo would log it without the request id.
          reportError(error, parsed.contextValue)
          return response(500, [present({ message: '' }, error)])
        }
      },
    }),
  }
}

/** Same message as in http/faults.ts. */
const RATE_LIMITED = new GraphQLError('Too many requests; try again later', {
  extensions: { code: 'RATE_LIMITED' },
})

function refusalResponse(
  { errors, retryAfterSeconds }: Refusal,
  present: AdmissionOptions['present'],
): GraphQLResponse {
  const formatted = errors.map((error) => {
    // `http` is for Apollo only.
    const { http: _, ...extensionsOfError } = error.extensions
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', ...extensionsOfError }
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
