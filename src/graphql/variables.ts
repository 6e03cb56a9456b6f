/**
 * The values of an operation's variables. As `getVariableValues` of graphql-js, which repeats the whole value in each
 * error: here an error names the place and what is wrong there, and after a few errors the rest is not looked at.
 */
import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputField,
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
import { badInput, excess, LISTED_ERRORS } from './errors.ts'

/**
 * Values within the variables of a request at most: entries of lists and fields of objects. A batch of a thousand
 * parcel rows has about ten thousand.
 */
const MAX_VALUES = 15_000

/** Coerced values by variable name. */
export type VariableValues = Readonly<Record<string, unknown>>

/** The coerced values, or the errors for the caller: ten at most, the last of which may say that there are more. */
export function coerceVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  inputs: VariableValues,
): { readonly values: VariableValues } | { readonly errors: readonly GraphQLError[] } {
  const tooMany = excess('values in the variables', countValues(inputs), MAX_VALUES)
  if (tooMany.length > 0) return { errors: tooMany }
  const errors: GraphQLError[] = []
  const report: Report = (error) => {
    if (errors.length >= LISTED_ERRORS - 1) throw MORE
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

/** Not recursive: JSON may nest a hundred thousand deep. Stops above the maximum. */
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

/** What a variable is declared as, by its node: documents come many times. */
const known = new WeakMap<VariableDefinitionNode, Declaration>()

type Declaration = { readonly type: GraphQLInputType; readonly coerce: Coerce }

function declare(schema: GraphQLSchema, definition: VariableDefinitionNode): Declaration {
  const type = typeFromAST(schema, definition.type)
  if (!isInputType(type)) throw new Error('validation let a variable pass that is of no input type')
  const declaration = { type, coerce: coercionOf(type) }
  known.set(definition, declaration)
  return declaration
}

/** The variable with its value; nothing where it has none. */
function variableValue(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  inputs: VariableValues,
  report: Report,
): readonly (readonly [name: string, value: unknown])[] {
  const name = definition.variable.name.value
  const { type, coerce } = known.get(definition) ?? declare(schema, definition)
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
  const fitting = coerce(input)
  if (fitting !== MISFIT) return [[name, fitting]]
  const value = coerceInputValue(input, type, (path, _invalid, { message }) => {
    const place = path.length === 0 ? '' : ` at "${name}${path.map(segment).join('')}"`
    report(badInput(`Variable "$${name}" got invalid value${place}; ${message}`, definition))
  })
  return [[name, value]]
}

function segment(key: string | number): string {
  return typeof key === 'number' ? `[${key}]` : `.${key}`
}

// Coerces values that fit their input type, which almost all do, several times faster than graphql-js: what a type
// asks for is looked up once. Whether a value fits, and what is wrong with it, is for graphql-js to say in the end.

/** The coerced value, as `coerceInputValue` of graphql-js makes it; `MISFIT` where the value does not fit. */
export type Coerce = (value: unknown) => unknown

/** Stands for a value that does not fit. */
export const MISFIT = Symbol('misfit')

/** What coerces values of a type. */
export function coercionOf(type: GraphQLInputType): Coerce {
  if (!isNonNullType(type)) {
    const coerce = coercionOfPresent(type)
    return (value) => (value === null || value === undefined ? null : coerce(value))
  }
  const coerce = coercionOfPresent(type.ofType)
  return (value) => (value === null || value === undefined ? MISFIT : coerce(value))
}

/** Input objects may hold each other, so each is made when it is first needed. */
const objects = new WeakMap<GraphQLInputType, Coerce>()

function coercionOfPresent(type: GraphQLInputType): Coerce {
  if (isNonNullType(type)) return coercionOf(type)
  if (isListType(type)) return coercionOfList(coercionOf(type.ofType))
  if (!isInputObjectType(type))
    return (value) => {
      try {
        return type.parseValue(value)
      } catch {
        return MISFIT
      }
    }
  let coerce = objects.get(type)
  return (value) => {
    if (coerce === undefined) {
      coerce = objects.get(type) ?? coercionOfObject(type.getFields())
      objects.set(type, coerce)
    }
    return coerce(value)
  }
}

/** A value that is no list is a list of one. */
function coercionOfList(coerce: Coerce): Coerce {
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

function coercionOfObject(definitions: Readonly<Record<string, GraphQLInputField>>): Coerce {
  const fields = Object.values(definitions).map(({ name, type, defaultValue }) => ({
    name,
    defaultValue,
    isRequired: isNonNullType(type),
    coerce: coercionOf(type),
  }))
  const names = new Set(fields.map(({ name }) => name))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return MISFIT
    for (const key in value) if (!names.has(key)) return MISFIT
    const coerced: Record<string, unknown> = {}
    for (const { name, defaultValue, isRequired, coerce } of fields) {
      const given = (value as Readonly<Record<string, unknown>>)[name]
      if (given !== undefined) {
        const inner = coerce(given)
        if (inner === MISFIT) return MISFIT
        coerced[name] = inner
      } else if (defaultValue !== undefined) coerced[name] = defaultValue
      else if (isRequired) return MISFIT
    }
    return coerced
  }
}
