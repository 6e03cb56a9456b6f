/**
 * Compiles an operation to a JavaScript function that returns the JSON text of the same `data` as graphql-js, several
 * times faster. No object of the response is built. The function handles only executions without errors: where
 * graphql-js would report an error, it throws, and the caller executes the operation again with graphql-js. Queries
 * have no side effects, so this is safe. The result of a mutation is kept in `Context.effects.startedMutation`, so that
 * graphql-js does not start it again. This is possible for one mutation per operation.
 *
 * The generated code contains no text of the document except names, and these only as JSON strings. Everything else is
 * referred to by number.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  GraphQLBoolean,
  type GraphQLEnumType,
  type GraphQLField,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql'
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js'
import { MAX_RESPONSE_BYTES } from '../answer.ts'
import type { Context } from '../context.ts'
import { argumentReader } from './arguments.ts'
import type { Place } from './turns.ts'
import type { VariableValues } from './variables.ts'

/** Returns `data` as JSON text. Throws, or rejects, if graphql-js would report an error. */
export type CompiledQuery = (context: Context, variables: VariableValues) => string | Promise<string>

/** The generated code grows with the number of fields; a field counts for each type that its parent can have. */
export const MAX_COMPILED_FIELDS = 1_000

export type Compilation = {
  readonly run: CompiledQuery
  /** Characters of the generated code. It takes 4 to 12 bytes of memory per character. */
  readonly codeLength: number
}

/**
 * Compiles a valid operation for the given values of the variables in `@skip` and `@include`. Returns undefined if it
 * uses something that is not supported: several mutations, introspection, resolvers that read `info`, `resolveType`,
 * `isTypeOf`, or too many fields.
 */
export function compileQuery(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  operation: OperationDefinitionNode,
  variables: VariableValues,
): Compilation | undefined {
  const type = schema.getRootType(operation.operation)
  if (type == null) return undefined
  const unit: Unit = {
    schema,
    variables,
    fragments: Object.fromEntries(fragments),
    functions: [],
    helpers: new Map(),
    fields: 0,
  }
  try {
    const fields = collectFields(schema, unit.fragments, variables, type, operation.selectionSet)
    if (operation.operation !== 'query' && fields.size !== 1) return undefined
    const root = emitFunction(unit, emitObject(unit, type, fields))
    const code = `"use strict"; ${unit.functions.join('\n')}\nreturn ${root}`
    const complete: Complete = new Function(...unit.helpers.values(), code)(...unit.helpers.keys())
    return {
      run: (context, variables) => complete(undefined, { context, variables, promises: 0, joined: 0 }),
      codeLength: code.length,
    }
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
  /** The number of promises so far. */
  promises: number
  /** Characters of the texts that were joined so far. Texts within each other count more than once. */
  joined: number
}

/** Returns the JSON text of the value, or a promise of it. */
type Complete = (value: unknown, execution: Execution) => string | Promise<string>

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

/** Completes the result of a resolver, or an entry of a list. */
function completeAny(value: unknown, execution: Execution, complete: Complete): ReturnType<Complete> {
  if (!isPromise(value)) return complete(value, execution)
  execution.promises++
  const completed = Promise.resolve(value).then((settled) => complete(settled, execution))
  // If the execution fails before `join` is called, nothing else handles a rejection.
  completed.catch(ignore)
  return completed
}

function ignore(): void {}

/**
 * Far above the largest response. Long aliases of the fields of many entries could otherwise fill the memory before the
 * response is refused. graphql-js repeats no names in memory.
 */
const MAX_JOINED = 4 * MAX_RESPONSE_BYTES

/** Joins parts of a text, some of which are promises. `Promise.all` would wrap the plain strings in promises too. */
function join(parts: (string | Promise<string>)[], execution: Execution): Promise<string> {
  const joined = new Promise<string>((resolve, reject) => {
    const finish = (): void => {
      for (const part of parts) execution.joined += typeof part === 'string' ? part.length : 0
      if (execution.joined > MAX_JOINED) reject(FAILED)
      else resolve(parts.join(''))
    }
    let missing = 0
    for (const [index, part] of parts.entries()) {
      if (typeof part === 'string') continue
      missing++
      part.then((text) => {
        parts[index] = text
        if (--missing === 0) finish()
      }, reject)
    }
    if (missing === 0) finish()
  })
  joined.catch(ignore)
  return joined
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

/**
 * Returns the name of a function with the parameters `v` (a value), `x` (the execution) and the variable `t`. It is a
 * `Complete`.
 */
function emitFunction(unit: Unit, body: string): string {
  const name = `f${unit.functions.length}`
  unit.functions.push(`function ${name}(v, x) { let t; ${body} }`)
  return name
}

/** The name of a function that completes a value of this type. The value is not a promise. */
function emitCompletion(unit: Unit, type: GraphQLOutputType, nodes: readonly FieldNode[]): string {
  const isRequired = isNonNullType(type)
  const inner = getNullableType(type)
  if (isLeafType(inner)) return emitFunction(unit, `return ${emitLeaf(unit, inner, isRequired, 'v')}`)
  const failing = `${addHelper(unit, fail)}()`
  const body = isListType(inner) ? emitList(unit, inner.ofType, nodes) : emitComposite(unit, inner, nodes)
  return emitFunction(
    unit,
    `if (v == null) return ${isRequired ? failing : "'null'"}; if (${addHelper(unit, isUnusual)}(v)) ${failing}; ${body}`,
  )
}

/** The value is not an object, or one that graphql-js treats in another way. */
function isUnusual(value: unknown): boolean {
  return typeof value !== 'object' || isPromise(value) || value instanceof Error
}

/** From the first promise on, the parts are collected in `o` instead of `s`. */
function emitList(unit: Unit, type: GraphQLOutputType, nodes: readonly FieldNode[]): string {
  const complete = emitCompletion(unit, type, nodes)
  const joining = addHelper(unit, join)
  return `const n = x.promises; let s = '[', p = '', o
    for (const e of v) {
      const c = ${addHelper(unit, completeAny)}(e, x, ${complete})
      if (o !== undefined) o.push(p, c)
      else if (x.promises === n) s += p + c
      else o = [s + p, c]
      p = ','
    }
    if (o === undefined) return s + ']'
    o.push(']')
    return ${joining}(o, x)`
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
  // All fields can be excluded by `@skip`.
  if (fields.size === 0) return "return '{}'"
  const names = [...fields.keys()].map((key, index) => `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`)
  const values = [...fields.values()].map((nodes, index) => `a${index} = ${emitField(unit, type, nodes)}`)
  const parts = names.map((name, index) => `${JSON.stringify(name)}, a${index}`).join(', ')
  const text = names.map((name, index) => `${JSON.stringify(name)} + a${index}`).join(' + ')
  return `const n = x.promises, ${values.join(', ')}
    return x.promises === n ? ${text} + '}' : ${addHelper(unit, join)}([${parts}, '}'], x)`
}

/** An expression for a field of the object `v`. */
function emitField(unit: Unit, parent: GraphQLObjectType, nodes: readonly FieldNode[]): string {
  const [node] = nodes
  if (node === undefined) throw UNSUPPORTED
  const name = node.name.value
  if (name === '__typename') return JSON.stringify(JSON.stringify(parent.name))
  const field = parent.getFields()[name]
  if (field === undefined) throw UNSUPPORTED
  if (field.resolve) {
    const call = (parent === unit.schema.getMutationType() ? mutationCall : resolverCall)(field, node, nodes)
    return `${addHelper(unit, call)}(v, x, ${emitCompletion(unit, field.type, nodes)})`
  }
  const property = `v[${JSON.stringify(name)}]`
  const type = getNullableType(field.type)
  return isLeafType(type)
    ? emitLeaf(unit, type, isNonNullType(field.type), property)
    : `${emitCompletion(unit, field.type, nodes)}(${property}, x)`
}

/** An expression for a scalar or an enum. */
function emitLeaf(unit: Unit, type: GraphQLLeafType, isRequired: boolean, value: string): string {
  const none = isRequired ? `${addHelper(unit, fail)}()` : "'null'"
  return `(t = ${value}) == null ? ${none} : ${addHelper(unit, serialization(type))}(t)`
}

/** Returns JSON text. */
type Serialize = (value: unknown) => string

const serializations = new WeakMap<GraphQLLeafType, Serialize>()

/** One function per type, so that the generated code shares it. */
function serialization(type: GraphQLLeafType): Serialize {
  const known = serializations.get(type)
  if (known !== undefined) return known
  const serialize: Serialize = (value) => {
    if (value instanceof Error) return fail()
    const serialized = type.serialize(value)
    return serialized === undefined || serialized === null ? fail() : JSON.stringify(serialized)
  }
  const quicker = usualValues(type, serialize)
  serializations.set(type, quicker)
  return quicker
}

/** Writes the values that resolvers usually return several times faster than `serialize`. */
function usualValues(type: GraphQLLeafType, serialize: Serialize): Serialize {
  if (isEnumType(type)) {
    const names = quotedNames(type)
    return (value) => names.get(value) ?? serialize(value)
  }
  switch (type) {
    case GraphQLString:
    case GraphQLID:
      return (value) => (typeof value === 'string' ? JSON.stringify(value) : serialize(value))
    case GraphQLBoolean:
      return (value) => (typeof value === 'boolean' ? String(value) : serialize(value))
    case GraphQLInt:
      return (value) =>
        Number.isInteger(value) && value === (Number(value) | 0) ? String(value) : serialize(value)
  }
  return serialize
}

/** The JSON text of an enum's names, by the values that resolvers return. */
function quotedNames(type: GraphQLEnumType): ReadonlyMap<unknown, string> {
  return new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]))
}

function fail(): never {
  throw FAILED
}

type AnyField = GraphQLField<unknown, unknown>

type Resolve = (source: unknown, args: object, context: Context, place: Place) => unknown

function resolverOf(field: AnyField): Resolve {
  const resolve = field.resolve as Resolve | undefined
  // A resolver with four parameters reads `info`. Those of turns.ts take a part of it as rest parameter.
  if (resolve === undefined || resolve.length > 3) throw UNSUPPORTED
  return resolve
}

type FieldCall = (source: unknown, execution: Execution, complete: Complete) => ReturnType<Complete>

function resolverCall(field: AnyField, node: FieldNode, fieldNodes: readonly FieldNode[]): FieldCall {
  const resolve = resolverOf(field)
  const readArguments = argumentReader(field, node)
  const place = { fieldNodes }
  return (source, execution, complete) => {
    const { context, variables } = execution
    return completeAny(resolve(source, readArguments(variables), context, place), execution, complete)
  }
}

function mutationCall(field: AnyField, node: FieldNode, fieldNodes: readonly FieldNode[]): FieldCall {
  const resolve = resolverOf(field)
  const readArguments = argumentReader(field, node)
  return (source, execution, complete) => {
    const { context, variables } = execution
    const args = readArguments(variables)
    // If the resolver throws, the promise rejects. The mutation is then still recorded as started.
    const result = new Promise((settle) => settle(resolve(source, args, context, { fieldNodes })))
    context.effects.startedMutation = result
    return completeAny(result, execution, complete)
  }
}
