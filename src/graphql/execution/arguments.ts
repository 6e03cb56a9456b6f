/** Reads the arguments of a field. Several times faster than graphql-js for arguments that are plain variables. */
import { type FieldNode, type GraphQLField, getArgumentValues, isNonNullType, Kind } from 'graphql'
import type { VariableValues } from './variables.ts'

/** Returns the arguments for the values of the variables, like `getArgumentValues` of graphql-js. May throw like it. */
export type ReadArguments = (variables: VariableValues) => Record<string, unknown>

type AnyField = GraphQLField<unknown, unknown>

/** The document must be valid, and the variables coerced. */
export function argumentReader(field: AnyField, node: FieldNode): ReadArguments {
  const plain = plainArguments(field, node)
  if (plain === undefined) return (variables) => getArgumentValues(field, node, variables)
  return (variables) => {
    const values: Record<string, unknown> = {}
    for (const { name, variable, isRequired } of plain) {
      const value = variables[variable]
      // Default values and errors are left to graphql-js.
      if (value === undefined || (value === null && isRequired))
        return getArgumentValues(field, node, variables)
      values[name] = value
    }
    return values
  }
}

type PlainArgument = { readonly name: string; readonly variable: string; readonly isRequired: boolean }

/** Undefined if an argument is missing, or is not a variable. */
function plainArguments({ args }: AnyField, node: FieldNode): readonly PlainArgument[] | undefined {
  const plain = args.flatMap(({ name, type }): readonly PlainArgument[] => {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value
    if (value?.kind !== Kind.VARIABLE || FORBIDDEN.has(name) || FORBIDDEN.has(value.name.value)) return []
    return [{ name, variable: value.name.value, isRequired: isNonNullType(type) }]
  })
  return plain.length === args.length ? plain : undefined
}

/** Names with a meaning for every object. */
const FORBIDDEN: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))
