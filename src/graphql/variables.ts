/**
 * The values of an operation's variables. As `getVariableValues` of graphql-js, which repeats the whole value in each
 * error: here an error names the place and what is wrong there, and after a few errors the rest is not looked at.
 */
import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql'
import { badInput, LISTED_ERRORS } from './errors.ts'
import { type Coerce, coercionOf, MISFIT } from './input-coercion.ts'
import { excess } from './too-large.ts'

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
