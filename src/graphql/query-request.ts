/**
 * Reads the parameters of a GraphQL request for compiled queries. Requests in an unusual form are left to Apollo, which
 * reads them again, and refuses them if they are invalid.
 */
import { isAbsent, isJsonObject, type JsonObject } from '../core/input.ts'
import type { VariableValues } from './variables.ts'

/** Where the parameters of a request are: in the body, or for GET in the query string. */
export type Parameters = { readonly body: JsonObject | undefined; readonly search: string }

/** The parameters that determine the execution of a request. */
export type QueryRequest = {
  readonly query: string
  /** A valid name of GraphQL. */
  readonly operationName: string | undefined
  readonly variables: VariableValues
  /** GET executes queries, but no mutations. */
  readonly isGet: boolean
}

/** Undefined unless the parameters are of the usual form. `contentType` is the Content-Type of the request. */
export function queryRequestIn(
  { body, search }: Parameters,
  contentType: string | undefined,
): QueryRequest | undefined {
  // Apollo refuses GET requests with most types.
  if (body === undefined) return contentType === undefined ? requestInSearch(search) : undefined
  const { query, operationName, variables, extensions } = body
  return requestOf({ query, operationName, variables, extensions }, false)
}

type GivenParameters = Readonly<Record<'query' | 'operationName' | 'variables' | 'extensions', unknown>>

function requestOf(given: GivenParameters, isGet: boolean): QueryRequest | undefined {
  const { query, operationName, variables, extensions } = given
  if (typeof query !== 'string' || !hasNoEffect(extensions)) return undefined
  if (!isAbsent(operationName) && !isName(operationName)) return undefined
  if (variables !== undefined && variables !== null && !isJsonObject(variables)) return undefined
  return {
    query,
    operationName: isName(operationName) ? operationName : undefined,
    variables: variables ?? {},
    isGet,
  }
}

/** Apollo reads no extension but `persistedQuery`. Apollo Client 4 sends its name and version with every request. */
function hasNoEffect(extensions: unknown): boolean {
  return isJsonObject(extensions)
    ? extensions['persistedQuery'] === undefined
    : extensions === undefined || extensions === null
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[_A-Za-z][_0-9A-Za-z]*$/.test(value)
}

function requestInSearch(search: string): QueryRequest | undefined {
  const parameters = new URLSearchParams(search)
  const seen = new Set<string>()
  for (const name of parameters.keys()) {
    if (seen.has(name)) return undefined
    seen.add(name)
  }
  const variables = jsonIn(parameters, 'variables')
  const extensions = jsonIn(parameters, 'extensions')
  if (variables === null || extensions === null) return undefined
  const [query, operationName] = [parameters.get('query'), parameters.get('operationName')]
  return requestOf({ query, operationName, variables, extensions }, true)
}

/** Undefined if there is no such parameter, null if it is not valid JSON. */
function jsonIn(parameters: URLSearchParams, name: string): unknown {
  const text = parameters.get(name)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
