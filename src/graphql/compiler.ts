/**
 * Compiles a query to a JavaScript function that returns the same `data` as graphql-js, several times faster. The
 * function handles only executions without errors: where graphql-js would report an error, it throws, and the caller
 * executes the query again with graphql-js. Queries have no side effects, so this is safe.
 *
 * The generated code contains no text of the document except names, and these only as JSON strings. Everything else is
 * referred to by number.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  GraphQLBoolean,
  type GraphQLField,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getArgumentValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql'
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js'
import type { Context } from './context.ts'
import type { VariableValues } from './variables.ts'

/** Returns `data`. Throws, or rejects, if graphql-js would report an error. */
export type CompiledQuery = (
  context: Context,
  variables: VariableValues,
) => ResponseData | Promise<ResponseData>

export type ResponseData = Record<string, unknown>

/** The generated code grows with the number of fields; a field counts for each type that its parent can have. */
export const MAX_COMPILED_FIELDS = 2_000

/**
 * Compiles a valid query for the given values of the variables in `@skip` and `@include`. Returns undefined if the query
 * uses something that is not supported: introspection, resolvers that read `info`, `resolveType`, `isTypeOf`, or too many
 * fields.
 */
export function compileQuery(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  operation: OperationDefinitionNode,
  variables: VariableValues,
): CompiledQuery | undefined {
  const type = schema.getQueryType()
  if (type == null || operation.operation !== 'query') return undefined
  const unit: Unit = {
    ...{ schema, variables, fragments: Object.fromEntries(fragments) },
    ...{ functions: [], helpers: new Map(), fields: 0 },
  }
  try {
    const fields = collectFields(schema, unit.fragments, variables, type, operation.selectionSet)
    const root = emitFunction(unit, emitObject(unit, type, fields))
    const code = `"use strict"; ${unit.functions.join('\n')}\nreturn ${root}`
    const complete: Complete = new Function(...unit.helpers.values(), code)(...unit.helpers.keys())
    return (context, variables) => run(complete, context, variables)
  } catch (error) {
    if (error === UNSUPPORTED) return undefined
    throw error
  }
}

const UNSUPPORTED = new Error('the query cannot be compiled')

/** Thrown where graphql-js would report an error. */
const FAILED = new Error('the compiled query failed')

/** The state of one execution. */
type Execution = {
  readonly context: Context
  readonly variables: VariableValues
  /** Promises so far. */
  promises: number
  /** Promises whose values are not in the response yet. */
  waiting: number
  done: () => void
  failed: (error: unknown) => void
}

/** Returns the value as it is written in the response, or a promise of it. */
type Complete = (value: unknown, execution: Execution) => unknown

function run(
  complete: Complete,
  context: Context,
  variables: VariableValues,
): ResponseData | Promise<ResponseData> {
  const execution: Execution = {
    ...{ context, variables, promises: 0, waiting: 0 },
    ...{ done: () => {}, failed: () => {} },
  }
  const data = complete(undefined, execution) as ResponseData
  if (execution.waiting === 0) return data
  return new Promise<ResponseData>((resolve, reject) => {
    execution.done = () => resolve(data)
    execution.failed = reject
  })
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** The returned promise stays in the response until `settle` replaces it. */
function completeLater(value: PromiseLike<unknown>, execution: Execution, complete: Complete) {
  execution.promises++
  const completed = Promise.resolve(value).then((settled) => complete(settled, execution))
  // If the execution fails before `settle` is called, nothing else handles a rejection.
  completed.catch(() => {})
  return completed
}

/** Replaces the promises in an object or a list by their values, when they have them. */
function settle(execution: Execution, target: Record<string | number, unknown>): void {
  for (const key of Object.keys(target)) {
    const value = target[key]
    if (!(value instanceof Promise)) continue
    execution.waiting++
    value.then(
      (settled) => {
        target[key] = settled
        execution.waiting--
        if (execution.waiting === 0) execution.done()
      },
      (error) => execution.failed(error),
    )
  }
}

/** After a failure nothing else handles the rejections of later entries. */
function ignoreRejections(entries: readonly unknown[]): void {
  for (const entry of entries) if (isPromise(entry)) entry.then(undefined, () => {})
}

/** What is being compiled. */
type Unit = {
  readonly schema: GraphQLSchema
  readonly variables: VariableValues
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  /** The source of functions. They refer to each other as `f0`, `f1` and so on. */
  readonly functions: string[]
  /** Values that the source refers to, with their names: `h0`, `h1` and so on. */
  readonly helpers: Map<unknown, string>
  fields: number
}

function addHelper(unit: Unit, helper: unknown): string {
  const name = unit.helpers.get(helper) ?? `h${unit.helpers.size}`
  unit.helpers.set(helper, name)
  return name
}

/** Returns the name of a function with the parameters `v` (a value), `x` (the execution) and the variable `t`. */
function emitFunction(unit: Unit, body: string): string {
  const name = `f${unit.functions.length}`
  unit.functions.push(`function ${name}(v, x) { let t; ${body} }`)
  return name
}

/** The name of a function that completes a value of this type, except functions. */
function emitCompletion(unit: Unit, type: GraphQLOutputType, nodes: readonly FieldNode[]): string {
  const isRequired = isNonNullType(type)
  const inner = isRequired ? type.ofType : type
  if (isLeafType(inner)) return addHelper(unit, leafCompletion(inner, isRequired))
  // The function passes itself to the helper, which calls it again with the value of a promise.
  const self = `f${unit.functions.length}`
  const other = addHelper(
    unit,
    (isListType(inner) ? completeOtherList : completeOther)[isRequired ? 'required' : 'optional'],
  )
  emitFunction(unit, '')
  const index = unit.functions.length - 1
  const body = isListType(inner)
    ? `if (!Array.isArray(v)) return ${other}(v, x, ${self}); ${emitList(unit, inner.ofType, nodes)}`
    : `if (v === null || typeof v !== 'object' || typeof v.then === 'function' || v instanceof Error)
        return ${other}(v, x, ${self}); ${emitComposite(unit, inner, nodes)}`
  unit.functions[index] = `function ${self}(v, x) { let t; ${body} }`
  return self
}

function emitList(unit: Unit, type: GraphQLOutputType, nodes: readonly FieldNode[]): string {
  const complete = emitCompletion(unit, type, nodes)
  const [settling, silencing] = [addHelper(unit, settle), addHelper(unit, ignoreRejections)]
  return `const n = x.promises; const o = []
    try { for (let i = 0; i < v.length; i++) o.push(${complete}(v[i], x)) } catch (e) { ${silencing}(v); throw e }
    if (x.promises !== n) ${settling}(x, o)
    return o`
}

function emitComposite(
  unit: Unit,
  type: GraphQLObjectType | GraphQLAbstractType,
  nodes: readonly FieldNode[],
): string {
  const fieldsFor = (objectType: GraphQLObjectType): Fields =>
    collectSubfields(unit.schema, unit.fragments, unit.variables, objectType, nodes)
  if (isObjectType(type)) return emitObject(unit, type, fieldsFor(type))
  if (type.resolveType) throw UNSUPPORTED
  const cases = unit.schema.getPossibleTypes(type).map((member) => {
    const complete = emitFunction(unit, emitObject(unit, member, fieldsFor(member)))
    return `case ${JSON.stringify(member.name)}: return ${complete}(v, x)`
  })
  return `switch (v.__typename) { ${cases.join('; ')} } ${addHelper(unit, fail)}()`
}

type Fields = ReturnType<typeof collectFields>

/** The body of a function that completes an object. */
function emitObject(unit: Unit, type: GraphQLObjectType, fields: Fields): string {
  if (type.isTypeOf) throw UNSUPPORTED
  unit.fields += fields.size
  if (unit.fields > MAX_COMPILED_FIELDS) throw UNSUPPORTED
  const settling = addHelper(unit, settle)
  const properties = [...fields].map(([key, nodes]) => {
    // As a plain key, this name would set the prototype.
    const name = key === '__proto__' ? '["__proto__"]' : JSON.stringify(key)
    return `${name}: ${emitField(unit, type, nodes)}`
  })
  return `const n = x.promises; const o = { ${properties.join(', ')} }
    if (x.promises !== n) ${settling}(x, o)
    return o`
}

/** An expression for a field of the object `v`. */
function emitField(unit: Unit, parent: GraphQLObjectType, nodes: readonly FieldNode[]): string {
  const [node] = nodes
  if (node === undefined) throw UNSUPPORTED
  const name = node.name.value
  if (name === '__typename') return JSON.stringify(parent.name)
  const field = parent.getFields()[name]
  if (field === undefined) throw UNSUPPORTED
  const complete = emitCompletion(unit, field.type, nodes)
  if (field.resolve) return `${addHelper(unit, resolverCall(field, node))}(v, x, ${complete})`
  if (parent === unit.schema.getQueryType()) throw UNSUPPORTED
  const property = `(t = v[${JSON.stringify(name)}])`
  const inner = isNonNullType(field.type) ? field.type.ofType : field.type
  const call = `${addHelper(unit, propertyCall(field, node))}(t, v, x, ${complete})`
  if (!isLeafType(inner)) return `typeof ${property} === 'function' ? ${call} : ${complete}(t, x)`
  const { test, value } = emitLeaf(unit, inner)
  return `(${property}, ${test}) ? ${value} : typeof t === 'function' ? ${call} : ${complete}(t, x)`
}

/** `test` holds for the usual values of a scalar or an enum in `t`; `value` is then how they are written. */
function emitLeaf(unit: Unit, type: GraphQLLeafType): { readonly test: string; readonly value: string } {
  switch (type) {
    case GraphQLString:
    case GraphQLID:
      return { test: "typeof t === 'string'", value: 't' }
    case GraphQLBoolean:
      return { test: "typeof t === 'boolean'", value: 't' }
    case GraphQLInt:
      return { test: '(t | 0) === t', value: 't' }
    case GraphQLFloat:
      return { test: "typeof t === 'number' && t - t === 0", value: 't' }
  }
  return { test: "typeof t === 'string'", value: `${addHelper(unit, serialization(type))}(t)` }
}

const serializations = new WeakMap<GraphQLLeafType, (value: unknown) => unknown>()

/** One function per type, so that the generated code shares it. */
function serialization(type: GraphQLLeafType): (value: unknown) => unknown {
  const known = serializations.get(type)
  if (known !== undefined) return known
  const serialize = (value: unknown): unknown => {
    const serialized = type.serialize(value)
    return serialized === undefined || serialized === null ? fail() : serialized
  }
  serializations.set(type, serialize)
  return serialize
}

function fail(): never {
  throw FAILED
}

/** One function per type, for types that are required and for others. */
const leafCompletions = {
  required: new WeakMap<GraphQLLeafType, Complete>(),
  optional: new WeakMap<GraphQLLeafType, Complete>(),
}

function leafCompletion(type: GraphQLLeafType, isRequired: boolean): Complete {
  const known = leafCompletions[isRequired ? 'required' : 'optional']
  const serialize = serialization(type)
  const complete: Complete =
    known.get(type) ??
    ((value, execution) => {
      if (value === undefined || value === null) return isRequired ? fail() : null
      if (isPromise(value)) return completeLater(value, execution, complete)
      return value instanceof Error ? fail() : serialize(value)
    })
  known.set(type, complete)
  return complete
}

type CompleteOther = (value: unknown, execution: Execution, complete: Complete) => unknown

/** Completes values other than objects. `complete` is called with the value of a promise. */
const completeOther: Readonly<Record<'required' | 'optional', CompleteOther>> = {
  required: (value, execution, complete) =>
    isPromise(value) ? completeLater(value, execution, complete) : fail(),
  optional: (value, execution, complete) =>
    value === undefined || value === null ? null : completeOther.required(value, execution, complete),
}

/** Completes values other than arrays. */
const completeOtherList: typeof completeOther = {
  required: (value, execution, complete) =>
    isIterable(value) ? complete([...value], execution) : completeOther.required(value, execution, complete),
  optional: (value, execution, complete) =>
    value === undefined || value === null ? null : completeOtherList.required(value, execution, complete),
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

type AnyField = GraphQLField<unknown, unknown>

/** Calls a resolver, which must not use `info`. */
function resolverCall(field: AnyField, node: FieldNode) {
  const resolve = field.resolve as ((source: unknown, args: object, context: Context) => unknown) | undefined
  if (resolve === undefined || resolve.length > 3) throw UNSUPPORTED
  return (source: unknown, execution: Execution, complete: Complete): unknown => {
    const args = field.args.length === 0 ? {} : getArgumentValues(field, node, execution.variables)
    return complete(resolve(source, args, execution.context), execution)
  }
}

type PropertyCall = (
  property: (args: object, context: Context) => unknown,
  source: unknown,
  execution: Execution,
  complete: Complete,
) => unknown

/** Calls a property that is a function, like the default resolver of graphql-js. */
function propertyCall(field: AnyField, node: FieldNode): PropertyCall {
  if (field.args.length === 0) return callProperty
  return (property, source, execution, complete) => {
    if (property.length > 2) return fail()
    return complete(
      property.call(source, getArgumentValues(field, node, execution.variables), execution.context),
      execution,
    )
  }
}

const callProperty: PropertyCall = (property, source, execution, complete) =>
  property.length > 2 ? fail() : complete(property.call(source, {}, execution.context), execution)
