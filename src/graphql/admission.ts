/**
 * Decides whether an operation may run. The document must be valid and within the limits, the variables must match
 * their types, the API key must have the scopes, the cost must not exceed the maximum, and the key must have enough
 * points left. All checks run before execution. An operation that is refused as too expensive is not charged.
 */
import {
  type ApolloServerPlugin,
  type GraphQLRequestContextResponseForOperation,
  type GraphQLResponse,
  HeaderMap,
} from '@apollo/server'
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import type { Context } from './context.ts'
import {
  createCostCalculator,
  MAX_INTROSPECTION_POINTS,
  MAX_POINTS,
  MAX_REPRESENTATIONS,
} from './cost/operation-cost.ts'
import { createDeprecationFinder } from './deprecations.ts'
import { badInput, excess, RATE_LIMITED, type Refusal, reportError } from './errors.ts'
import { coerceVariables, type VariableValues } from './execution/variables.ts'
import { createDocumentCheck } from './guards.ts'
import { createFindRootFields } from './root-fields.ts'
import { createFindForbidden } from './scopes.ts'

export type AdmissionOptions = {
  readonly introspection: boolean
  /** Masks an error for the caller. */
  readonly maskError: (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError
  readonly findExcess: FindExcess
  /** Called before an admitted operation is executed. */
  readonly admitted: (parsed: ParsedOperation) => void
}

/** The state after Apollo has parsed the document and selected the operation. */
type Parsed = GraphQLRequestContextResponseForOperation<Context>

export type ParsedOperation = Pick<Parsed, 'request' | 'document' | 'operation'>

export type Admittable = {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  /** As they were sent. */
  readonly inputs: VariableValues
  readonly variables: VariableValues
}

/**
 * Charges the caller for a valid operation and logs the deprecated elements that it uses, or returns why it is too
 * expensive. An operation that was admitted before is only planned again, because its document was parsed again.
 */
export type FindExcess = (admittable: Admittable, context: Context) => Refusal | undefined

/** Throws if the schema has a list without a declared size. */
export function createFindExcess(schema: GraphQLSchema): FindExcess {
  const calculator = createCostCalculator(schema)
  const findDeprecated = createDeprecationFinder(schema)
  const findForbidden = createFindForbidden()
  const findRootFields = createFindRootFields()
  return ({ document, operation, inputs, variables }, context) => {
    context.logged.operation = findRootFields(document, operation)
    const { caller, allowance, effects } = context
    const forbidden = findForbidden(schema, document, operation, caller)
    if (forbidden.length > 0) return { errors: forbidden, isForbidden: true }
    const cost = calculator(document, operation, variables)
    if (cost instanceof GraphQLError) return { errors: [nullInput(cost, variables)] }
    if (effects.isAdmitted) {
      effects.cost = cost
      return undefined
    }
    const { points, introspectionPoints, representations } = cost
    const errors = [
      ...excess('cost', points, MAX_POINTS),
      ...excess('introspection cost', introspectionPoints, MAX_INTROSPECTION_POINTS),
      ...excess('representations', representations, MAX_REPRESENTATIONS),
    ]
    if (errors.length > 0) return { errors }
    const retryAfterSeconds = allowance.charge(points)
    if (retryAfterSeconds !== undefined) return { errors: [RATE_LIMITED], retryAfterSeconds }
    effects.cost = cost
    effects.points = points
    const deprecated = findDeprecated(document, operation, inputs)
    if (deprecated.length > 0) context.logDeprecated(deprecated)
    return undefined
  }
}

/** Adds the variables that are null to an error of graphql-js, which names only the argument. */
function nullInput({ message, nodes: [node] = [] }: GraphQLError, variables: VariableValues): GraphQLError {
  if (node === undefined) return badInput(message)
  const names = new Set<string>()
  visit(node, {
    Variable: ({ name: { value: name } }) => {
      if (variables[name] === null) names.add(`"$${name}"`)
    },
  })
  if (names.size === 0) return badInput(message, node)
  const subject = `${names.size === 1 ? 'Variable' : 'Variables'} ${[...names].join(', ')}`
  return badInput(`${subject} ${names.size === 1 ? 'is' : 'are'} null: ${message}`, node)
}

/** Refuses operations with HTTP 400, 403 or 429. Requires that Apollo's own validation is turned off. */
export function admitOperations({
  introspection,
  maskError,
  findExcess,
  admitted,
}: AdmissionOptions): ApolloServerPlugin<Context> {
  const check = createDocumentCheck({ introspection })
  const findRefusal = (parsed: Parsed): Refusal | undefined => {
    const { schema, document, operation, request, contextValue } = parsed
    const { isAdmitted } = contextValue.effects
    const invalid = check(schema, document)
    if (invalid.length > 0) return { errors: invalid }
    // `operationName` selects no operation. Apollo refuses such requests.
    if (operation === undefined) return undefined
    const inputs = request.variables ?? {}
    const coerced = coerceVariables(schema, operation, inputs)
    if ('errors' in coerced) return coerced
    const admittable = { document, operation, inputs, variables: coerced.values }
    const refusal = findExcess(admittable, contextValue)
    if (refusal === undefined && !isAdmitted) admitted(parsed)
    return refusal
  }
  return {
    requestDidStart: async () => ({
      responseForOperation: async (parsed) => {
        try {
          const { allowance, effects } = parsed.contextValue
          const { isAdmitted } = effects
          let refusal = findRefusal(parsed)
          if (refusal === undefined && !isAdmitted) {
            const retryAfterSeconds = await allowance.confirm?.(effects.points)
            if (retryAfterSeconds !== undefined) refusal = { errors: [RATE_LIMITED], retryAfterSeconds }
          }
          return refusal === undefined ? null : refusalResponse(refusal, maskError)
        } catch (error) {
          // Not rethrown: Apollo would log it without the request id.
          reportError(error, parsed.contextValue)
          return response(500, [maskError({ message: '' }, error)])
        }
      },
    }),
  }
}

function refusalResponse(
  { errors, retryAfterSeconds, isForbidden }: Refusal,
  maskError: AdmissionOptions['maskError'],
): GraphQLResponse {
  const formatted = errors.map((error) => {
    // `http` is for Apollo only.
    const { http: _, ...extensionsOfError } = error.extensions
    const extensions = { code: 'GRAPHQL_VALIDATION_FAILED', ...extensionsOfError }
    const { message, locations } = error.toJSON()
    return maskError({ message, ...(locations !== undefined && { locations }), extensions }, error)
  })
  if (retryAfterSeconds === undefined) return response(isForbidden === true ? 403 : 400, formatted)
  return response(429, formatted, new HeaderMap([['retry-after', String(retryAfterSeconds)]]))
}

function response(
  status: number,
  errors: readonly GraphQLFormattedError[],
  headers = new HeaderMap(),
): GraphQLResponse {
  return { http: { status, headers }, body: { kind: 'single', singleResult: { errors } } }
}
