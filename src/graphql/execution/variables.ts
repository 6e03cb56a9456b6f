/**
 * Coerces the variables of an operation. Replaces `getVariableValues` of graphql-js, whose errors repeat the whole
 * value. Here an error gives the path of the invalid value, and coercion stops after a few errors.
 *
 * Valid values take a fast path with a coercion function per type, several times faster than graphql-js. Only invalid
 * values are then coerced by graphql-js, which produces the errors.
 */
import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql'
import { badInput, excess, MAX_LISTED_ERRORS } from '../errors.ts'

/** Counts list entries and object fields. A batch with 1,000 parcel rows has about 10,000. */
export const MAX_VALUES = 15_000

/** By variable name. */
export type VariableValues = Readonly<Record<string, unknown>>

/** Returns the coerced values or at most `MAX_LISTED_ERRORS` errors. The last one may say that there are more. */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  inputs: VariableValues,
): { readonly values: VariableValues } | { readonly errors: readonly GraphQLError[] } {
  const tooMany = excess('values in the variables', countValues(inputs), MAX_VALUES)
  if (tooMany.length > 0) return { errors: tooMany }
  const errors: GraphQLError[] = []
  const report: Report = (error) => {
    if (errors.length >= MAX_LISTED_ERRORS - 1) throw MORE
    errors.push(error)
  }
  try {
    const values = Object.fromEntries(
      variableDefinitions.flatMap((definition) => variableValue(schema, definition, inputs, report)),
    )
    return errors.length === 0 ? { values } : { errors }
  } catch (error) {
    if (error !== MORE) throw error
    return { errors: [...errors, MORE] }
  }
}

/** Iterative, because JSON may be nested 100,000 levels deep. Stops above the maximum. */
function countValues(root: object): number {
  const pending: object[] = [root]
  let count = 0
  for (let value = pending.pop(); value !== undefined && count <= MAX_VALUES; value = pending.pop())
    for (const key in value) {
      count++
      const inner = (value as Readonly<Record<string, unknown>>)[key]
      if (typeof inner === 'object' && inner !== null) pending.push(inner)
    }
  return count
}

type Report = (error: GraphQLError) => void

const MORE = badInput('There are more errors in the variables; they are not listed')

type Declaration = { readonly type: GraphQLInputType; readonly coerce: Coerce }

/** A cache: Apollo reuses the documents of recent queries. */
const declarations = new WeakMap<VariableDefinitionNode, Declaration>()

function declare(schema: GraphQLSchema, definition: VariableDefinitionNode): Declaration {
  const type = typeFromAST(schema, definition.type)
  if (!isInputType(type))
    throw new Error('the type of a variable is not an input type: the document was not validated')
  const declaration = { type, coerce: createCoercion(type) }
  declarations.set(definition, declaration)
  return declaration
}

/** Returns an empty list if the variable has no value. */
function variableValue(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  inputs: VariableValues,
  report: Report,
): readonly (readonly [name: string, value: unknown])[] {
  const name = definition.variable.name.value
  const { type, coerce } = declarations.get(definition) ?? declare(schema, definition)
  if (!Object.hasOwn(inputs, name)) {
    if (definition.defaultValue !== undefined) return [[name, valueFromAST(definition.defaultValue, type)]]
    if (isNonNullType(type))
      report(badInput(`Variable "$${name}" of required type "${type}" was not provided.`, definition))
    return []
  }
  const input = inputs[name]
  if (input === null && isNonNullType(type)) {
    report(badInput(`Variable "$${name}" of non-null type "${type}" must not be null.`, definition))
    return []
  }
  const coerced = coerce(input)
  if (coerced !== MISFIT) return [[name, coerced]]
  const value = coerceInputValue(input, type, (path, _invalid, { message }) => {
    const location = path.length === 0 ? '' : ` at "${name}${path.map(segment).join('')}"`
    report(badInput(`Variable "$${name}" got invalid value${location}; ${message}`, definition))
  })
  return [[name, value]]
}

function segment(key: string | number): string {
  return typeof key === 'number' ? `[${key}]` : `.${key}`
}

/** Returns the same value as `coerceInputValue` of graphql-js, or `MISFIT`. */
export type Coerce = (value: unknown) => unknown

/** The result of coercing a value that does not match its type. */
export const MISFIT = Symbol('misfit')

export function createCoercion(type: GraphQLInputType): Coerce {
  if (!isNonNullType(type)) {
    const coerce = createNonNullCoercion(type)
    return (value) => (value === null || value === undefined ? null : coerce(value))
  }
  const coerce = createNonNullCoercion(type.ofType)
  return (value) => (value === null || value === undefined ? MISFIT : coerce(value))
}

/** Input objects may contain each other, so their coercions are created on first use. */
const objectCoercions = new WeakMap<GraphQLInputType, Coerce>()

function createNonNullCoercion(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) return createCoercion(type)
  if (isListType(type)) return createListCoercion(createCoercion(type.ofType))
  if (!isInputObjectType(type))
    return (value) => {
      try {
        return type.parseValue(value)
      } catch {
        return MISFIT
      }
    }
  let coerce = objectCoercions.get(type)
  return (value) => {
    if (coerce === undefined) {
      coerce = objectCoercions.get(type) ?? createObjectCoercion(type)
      objectCoercions.set(type, coerce)
    }
    return coerce(value)
  }
}

/** GraphQL coerces a single value to a list of one. */
function createListCoercion(coerce: Coerce): Coerce {
  return (value) => {
    const entries: unknown[] = []
    for (const entry of Array.isArray(value) ? value : [value]) {
      const coerced = coerce(entry)
      if (coerced === MISFIT) return MISFIT
      entries.push(coerced)
    }
    return entries
  }
}

function createObjectCoercion(type: GraphQLInputObjectType): Coerce {
  const fields = Object.values(type.getFields()).map(({ name, type, defaultValue }) => ({
    name,
    defaultValue,
    isRequired: isNonNullType(type),
    coerce: createCoercion(type),
  }))
  const names = new Set(fields.map(({ name }) => name))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return MISFIT
    for (const key in value) if (!names.has(key)) return MISFIT
    const coerced: Record<string, unknown> = {}
    for (const { name, defaultValue, isRequired, coerce } of fields) {
      const field = (value as Readonly<Record<string, unknown>>)[name]
      if (field !== undefined) {
        const inner = coerce(field)
        if (inner === MISFIT) return MISFIT
        coerced[name] = inner
      } else if (defaultValue !== undefined) coerced[name] = defaultValue
      else if (isRequired) return MISFIT
    }
    if (type.isOneOf && !hasOneValue(coerced)) return MISFIT
    return coerced
  }
}

/** Of an object whose type has `@oneOf`: exactly one field is given, and it is not null. */
function hasOneValue(coerced: object): boolean {
  const values: readonly unknown[] = Object.values(coerced)
  return values.length === 1 && values[0] !== null
}
