/**
 * Compiles an operation to a JavaScript function that returns the JSON text of the same `data` as graphql-js, several
 * times faster. No object of the response is built. The function handles only executions without errors: where graphql-js
 * would report an error, it throws, and the caller executes the operation again with graphql-js. Queries have no side
 * effects, so this is safe. The result of a mutation is kept in `Context.effects.startedMutation`, so that graphql-js
 * does not start it again. This is possible for one mutation per operation.
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
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql'
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js'
import { quote } from '../core/json-text.ts'
import { MAX_RESPONSE_BYTES } from './answer.ts'
import { argumentReader } from './arguments.ts'
import type { Context } from './context.ts'
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
    ...{ schema, variables, fragments: Object.fromEntries(fragments) },
    ...{ functions: [], helpers: new Map(), fields: 0 },
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

function completeLater(value: PromiseLike<unknown>, execution: Execution, complete: Complete) {
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

/** After a failure nothing else handles the rejections of later entries. */
function ignoreRejections(entries: readonly unknown[]): void {
  for (const entry of entries) if (isPromise(entry)) entry.then(undefined, ignore)
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

/** Returns the name of a function with the parameters `v` (a value), `x` (the execution) and the variable `t`. It is a `Complete`. */
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

/** From the first promise on, the parts are collected in `o` instead of `s`. */
function emitList(unit: Unit, type: GraphQLOutputType, nodes: readonly FieldNode[]): string {
  const complete = emitCompletion(unit, type, nodes)
  const [joining, silencing] = [addHelper(unit, join), addHelper(unit, ignoreRejections)]
  return `const n = x.promises; let s = '[', o
    try {
      for (let i = 0; i < v.length; i++) {
        const c = ${complete}(v[i], x), p = i === 0 ? '' : ','
        if (o !== undefined) o.push(p, c)
        else if (x.promises === n) s += p + c
        else o = [s + p, c]
      }
    } catch (e) { ${silencing}(v); throw e }
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
  const complete = emitCompletion(unit, field.type, nodes)
  const isMutation = parent === unit.schema.getMutationType()
  if (field.resolve)
    return `${addHelper(unit, (isMutation ? mutationCall : resolverCall)(field, node))}(v, x, ${complete})`
  if (isMutation || parent === unit.schema.getQueryType()) throw UNSUPPORTED
  const property = `(t = v[${JSON.stringify(name)}])`
  const inner = isNonNullType(field.type) ? field.type.ofType : field.type
  const call = `${addHelper(unit, propertyCall(field, node))}(t, v, x, ${complete})`
  if (!isLeafType(inner)) return `typeof ${property} === 'function' ? ${call} : ${complete}(t, x)`
  const { test, value } = emitLeaf(unit, inner)
  return `(${property}, ${test}) ? ${value} : typeof t === 'function' ? ${call} : ${complete}(t, x)`
}

/** `test` holds for the usual values of a scalar or an enum in `t`; `value` is then their JSON text. */
function emitLeaf(unit: Unit, type: GraphQLLeafType): { readonly test: string; readonly value: string } {
  switch (type) {
    case GraphQLString:
    case GraphQLID:
      return { test: "typeof t === 'string'", value: `${addHelper(unit, quote)}(t)` }
    case GraphQLBoolean:
      return { test: "typeof t === 'boolean'", value: "(t ? 'true' : 'false')" }
    case GraphQLInt:
      return { test: '(t | 0) === t', value: "('' + t)" }
    case GraphQLFloat:
      return { test: "typeof t === 'number' && t - t === 0", value: "('' + t)" }
  }
  return { test: "typeof t === 'string'", value: `${addHelper(unit, serialization(type))}(t)` }
}

type Serialize = (value: unknown) => string

const serializations = new WeakMap<GraphQLLeafType, Serialize>()

/** One function per type, so that the generated code shares it. */
function serialization(type: GraphQLLeafType): Serialize {
  const known = serializations.get(type)
  if (known !== undefined) return known
  const names = isEnumType(type) ? quotedNames(type) : undefined
  const serialize: Serialize = (value) => {
    const name = names?.get(value)
    if (name !== undefined) return name
    const serialized = type.serialize(value)
    if (typeof serialized === 'string') return quote(serialized)
    return serialized === undefined || serialized === null ? fail() : JSON.stringify(serialized)
  }
  serializations.set(type, serialize)
  return serialize
}

/** The JSON text of an enum's names, by the values that resolvers return. */
function quotedNames(type: GraphQLEnumType): ReadonlyMap<unknown, string> {
  return new Map(type.getValues().map(({ name, value }) => [value, quote(name)]))
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
      if (value === undefined || value === null) return isRequired ? fail() : 'null'
      if (isPromise(value)) return completeLater(value, execution, complete)
      return value instanceof Error ? fail() : serialize(value)
    })
  known.set(type, complete)
  return complete
}

type CompleteOther = (value: unknown, execution: Execution, complete: Complete) => ReturnType<Complete>

/** Completes values other than objects. `complete` is called with the value of a promise. */
const completeOther: Readonly<Record<'required' | 'optional', CompleteOther>> = {
  required: (value, execution, complete) =>
    isPromise(value) ? completeLater(value, execution, complete) : fail(),
  optional: (value, execution, complete) =>
    value === undefined || value === null ? 'null' : completeOther.required(value, execution, complete),
}

/** Completes values other than arrays. */
const completeOtherList: typeof completeOther = {
  required: (value, execution, complete) =>
    isIterable(value) ? complete([...value], execution) : completeOther.required(value, execution, complete),
  optional: (value, execution, complete) =>
    value === undefined || value === null ? 'null' : completeOtherList.required(value, execution, complete),
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

type AnyField = GraphQLField<unknown, unknown>

type Resolve = (source: unknown, args: object, context: Context) => unknown

function resolverOf(field: AnyField): Resolve {
  const resolve = field.resolve as Resolve | undefined
  // A resolver with four parameters reads `info`.
  if (resolve === undefined || resolve.length > 3) throw UNSUPPORTED
  return resolve
}

type FieldCall = (source: unknown, execution: Execution, complete: Complete) => ReturnType<Complete>

function resolverCall(field: AnyField, node: FieldNode): FieldCall {
  const resolve = resolverOf(field)
  const readArguments = argumentReader(field, node)
  return (source, execution, complete) =>
    complete(resolve(source, readArguments(execution.variables), execution.context), execution)
}

function mutationCall(field: AnyField, node: FieldNode): FieldCall {
  const resolve = resolverOf(field)
  const readArguments = argumentReader(field, node)
  return (source, execution, complete) => {
    const { context, variables } = execution
    const args = readArguments(variables)
    // If the resolver throws, the promise rejects. The mutation is then still recorded as started.
    const result = new Promise((settle) => settle(resolve(source, args, context)))
    context.effects.startedMutation = result
    return complete(result, execution)
  }
}

type PropertyCall = (
  property: (args: object, context: Context) => unknown,
  source: unknown,
  execution: Execution,
  complete: Complete,
) => ReturnType<Complete>

/** Calls a property that is a function, like the default resolver of graphql-js. */
function propertyCall(field: AnyField, node: FieldNode): PropertyCall {
  if (field.args.length === 0) return callProperty
  const readArguments = argumentReader(field, node)
  return (property, source, execution, complete) => {
    if (property.length > 2) return fail()
    const args = readArguments(execution.variables)
    return complete(property.call(source, args, execution.context), execution)
  }
}

const callProperty: PropertyCall = (property, source, execution, complete) =>
  property.length > 2 ? fail() : complete(property.call(source, {}, execution.context), execution)
