/**
 * Executes repeated operations with compiled functions, without Apollo. Responses to repeated introspection queries are
 * kept instead, because they depend only on the schema and the variables. A request gets a result here only if Apollo
 * would answer it with data and no errors. All others are left to Apollo, so their responses stay the same. See
 * docs/graphql.md#compiled-queries.
 */
import {
  type DocumentNode,
  executeSync,
  type FormattedExecutionResult,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { RequestStopped } from '../../operations/ports/work.ts'
import type { FindExcess, ParsedOperation } from '../admission.ts'
import { exceedsResponse, hasOnly, INTROSPECTION_FIELDS, isStatic } from '../answer.ts'
import type { Context } from '../context.ts'
import { DEADLINE_EXCEEDED, reportError } from '../errors.ts'
import { fragmentsIn } from '../guards.ts'
import { type Compilation, type CompiledQuery, compileQuery } from './compiler.ts'
import { coerceVariables, type VariableValues } from './variables.ts'

/** The parameters of a request that determine its execution. */
export type QueryRequest = {
  readonly query: string
  /** A valid name of GraphQL. */
  readonly operationName: string | undefined
  readonly variables: VariableValues
  /** GET executes queries, but no mutations. */
  readonly isGet: boolean
}

export type CompiledQueries = {
  /** Counts an operation that passed all checks. */
  admitted(parsed: ParsedOperation): void
  /**
   * Executes a compiled query. Undefined if the query is not compiled, or if Apollo must answer the request. If
   * `context.effects.isAdmitted` is set then, the request has been checked and charged.
   */
  execute(
    request: QueryRequest,
    context: Context,
  ): CompiledResult | undefined | Promise<CompiledResult | undefined>
  /**
   * Whether all root fields of the operation are static (see answer.ts). False for an operation that is not repeated.
   */
  isStatic(request: QueryRequest): boolean
}

/** The text of a whole response with data, or a result with errors. */
export type CompiledResult = string | FormattedExecutionResult

/** A query is compiled when it is executed for the third time. */
const EXECUTIONS_BEFORE = 2
const MAX_COUNTED = 2_000
/** The maximum total length of the counted queries, in characters. */
const MAX_COUNTED_LENGTH = 2_000_000
const MAX_QUERIES = 500
/** All fields of `dutiesEstimate`, one a line, take 13,000 characters. */
const MAX_TEXT_LENGTH = 30_000
/** In characters of generated code, of all queries together. They take about 50 MB of memory. */
const MAX_SIZE = 8_000_000
/** A parsed document takes about 65 bytes per character of its text, as much as ten characters of code. */
const CODE_PER_TEXT = 10
/**
 * If the cache is full, one in this many repeated queries replaces another one. This prevents thrashing when more than
 * MAX_QUERIES queries are used in rotation.
 */
const REPLACED_EVERY = 8
/** The cache counts as full with this share of MAX_SIZE, because the code of a query is added after the query. */
const FULL_SHARE = 0.9
/** Different values of the variables in `@skip` and `@include` need different functions. */
const MAX_VARIANTS = 8
/** The maximum length of the variables of an introspection query, in characters of JSON. */
const MAX_VALUES_LENGTH = 500
/** Compilation takes at most this share of the time. */
const COMPILE_SHARE = 0.05

type CompilableQuery = {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly isStatic: boolean
  readonly isIntrospection: boolean
  /** The variables in `@skip` and `@include`. */
  readonly conditions: readonly string[]
  /**
   * By the values of `conditions`, and for introspection by the values of all variables. Undefined if the query cannot
   * be compiled.
   */
  readonly variants: Map<string, Compilation | undefined>
}

/** In characters of generated code. */
function sizeOf({ variants }: CompilableQuery, text: string): number {
  let size = CODE_PER_TEXT * text.length
  for (const variant of variants.values()) size += variant?.codeLength ?? 0
  return size
}

export function openCompiledQueries(
  schema: GraphQLSchema,
  findExcess: FindExcess,
  now: () => number = () => performance.now(),
): CompiledQueries {
  const isRepeated = countExecutions()
  const queries = new LRUCache<string, CompilableQuery>({
    max: MAX_QUERIES,
    maxSize: MAX_SIZE,
    sizeCalculation: sizeOf,
  })
  let nextCompilation = Number.NEGATIVE_INFINITY
  let notKept = 0

  const variantOf = (
    key: string,
    query: CompilableQuery,
    variables: VariableValues,
  ): CompiledQuery | undefined => {
    const { variants } = query
    const values = variantKey(query, variables)
    if (values === undefined) return undefined
    if (variants.has(values)) return variants.get(values)?.run
    const startedAt = now()
    if (variants.size >= MAX_VARIANTS || startedAt < nextCompilation) return undefined
    const compiled = tryToCompile(() => compileVariant(schema, query, variables))
    nextCompilation = startedAt + (now() - startedAt) / COMPILE_SHARE
    variants.set(values, compiled)
    // Drops other queries if there is too much code. A copy, because the cache does not measure the same object again.
    queries.set(key, { ...query })
    return compiled?.run
  }

  return {
    admitted({ request: { query = '', operationName }, document, operation }) {
      if (operation === undefined || query.length > MAX_TEXT_LENGTH) return
      const key = keyOf({ query, operationName })
      if (!isRepeated(key) || queries.has(key)) return
      if (isFull(queries) && ++notKept % REPLACED_EVERY !== 0) return
      queries.set(key, compilable(document, operation, isStatic(document, operationName)))
    },
    execute(request, context) {
      const key = keyOf(request)
      const query = queries.get(key)
      if (query === undefined || (request.isGet && query.operation.operation !== 'query')) return undefined
      const variables = admit({ schema, findExcess }, query, request, context)
      if (variables === undefined) return undefined
      return whenConfirmed(context, () => {
        context.effects.isAdmitted = true
        const compiled = variantOf(key, query, variables)
        return compiled && executeCompiled(compiled, context, variables)
      })
    },
    isStatic: (request) => queries.get(keyOf(request))?.isStatic === true,
  }
}

/** Checks and charges a request. Returns its variables, or undefined if Apollo must answer it. */
function admit(
  { schema, findExcess }: { readonly schema: GraphQLSchema; readonly findExcess: FindExcess },
  { document, operation }: CompilableQuery,
  { variables: inputs }: QueryRequest,
  context: Context,
): VariableValues | undefined {
  try {
    const coerced = coerceVariables(schema, operation, inputs)
    if ('errors' in coerced) return undefined
    const admittable = { document, operation, inputs, variables: coerced.values }
    return findExcess(admittable, context) === undefined ? coerced.values : undefined
  } catch {
    // Apollo checks the request again, and reports the error.
    return undefined
  }
}

type Execution = ReturnType<CompiledQueries['execute']>

/** Runs a query that was charged. Without the points, Apollo checks the request again, and refuses it. */
function whenConfirmed({ allowance, effects }: Context, run: () => Execution): Execution {
  const confirming = allowance.confirm?.(effects.points)
  if (confirming === undefined) return run()
  return confirming.then((wait) => (wait === undefined ? run() : undefined))
}

/** Returns a function that counts an execution of a query, and returns whether the query was executed often enough. */
function countExecutions(): (key: string) => boolean {
  const counts = new LRUCache<string, number>({
    max: MAX_COUNTED,
    maxSize: MAX_COUNTED_LENGTH,
    sizeCalculation: (_count, key) => key.length,
  })
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count > EXECUTIONS_BEFORE
  }
}

function isFull({ size, calculatedSize }: LRUCache<string, CompilableQuery>): boolean {
  return size >= MAX_QUERIES || calculatedSize >= FULL_SHARE * MAX_SIZE
}

function compilable(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  isStatic: boolean,
): CompilableQuery {
  const isIntrospection = hasOnly(INTROSPECTION_FIELDS, operation.selectionSet, fragmentsIn(document))
  const conditions = conditionsIn(document)
  return { document, operation, isStatic, isIntrospection, conditions, variants: new Map() }
}

/** Undefined if graphql-js must execute the query. */
function variantKey(
  { isIntrospection, conditions }: CompilableQuery,
  variables: VariableValues,
): string | undefined {
  // If a condition is null, graphql-js must report the error.
  if (conditions.some((name) => variables[name] === null)) return undefined
  if (!isIntrospection) return conditions.map((name) => (variables[name] === true ? '1' : '0')).join('')
  const values = JSON.stringify(variables)
  return values.length <= MAX_VALUES_LENGTH ? values : undefined
}

function compileVariant(
  schema: GraphQLSchema,
  query: CompilableQuery,
  variables: VariableValues,
): Compilation | undefined {
  const { document, operation, isIntrospection } = query
  return isIntrospection
    ? introspect(schema, query, variables)
    : compileQuery(schema, fragmentsIn(document), operation, variables)
}

/** The variables of introspection are text and conditions, so their coerced values are the same as those given. */
function introspect(
  schema: GraphQLSchema,
  { document, operation }: CompilableQuery,
  variableValues: VariableValues,
): Compilation | undefined {
  const operationName = operation.name?.value
  const { data, errors } = executeSync({ schema, document, operationName, variableValues })
  if (errors !== undefined) return undefined
  const text = JSON.stringify(data)
  return { run: () => text, codeLength: text.length }
}

/** Node can forbid to generate code (`--disallow-code-generation-from-strings`). */
function tryToCompile(compile: () => Compilation | undefined): Compilation | undefined {
  try {
    return compile()
  } catch {
    return undefined
  }
}

/** `operationName` must be a name. No document can start with a name and NUL. */
function keyOf({ query, operationName }: Pick<QueryRequest, 'query' | 'operationName'>): string {
  return operationName === undefined ? query : `${operationName}\0${query}`
}

function conditionsIn(document: DocumentNode): readonly string[] {
  const names = new Set<string>()
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}

function executeCompiled(
  compiled: CompiledQuery,
  context: Context,
  variables: VariableValues,
): CompiledResult | undefined | Promise<CompiledResult | undefined> {
  const failed = (error: unknown): CompiledResult | undefined => {
    if (context.effects.refusal !== undefined) return REFUSED
    // graphql-js executes the operation again and finds the same error, or none. It does not repeat a mutation.
    if (!(error instanceof RequestStopped) || context.effects.startedMutation !== undefined) return undefined
    reportError(error, context)
    return { errors: [DEADLINE_EXCEEDED] }
  }
  const complete = (data: string): CompiledResult | undefined =>
    context.effects.refusal === undefined ? responseText(data) : REFUSED
  try {
    const data = compiled(context, variables)
    return typeof data === 'string' ? complete(data) : data.then(complete).catch(failed)
  } catch (error) {
    return failed(error)
  }
}

/** `writeAnswer` replaces this result by the refusal in the context. */
const REFUSED: CompiledResult = { errors: [] }

/** Undefined if the response is too large. Apollo then executes the query again and refuses it. */
function responseText(data: string): string | undefined {
  const text = `{"data":${data}}`
  return exceedsResponse(text) ? undefined : text
}
