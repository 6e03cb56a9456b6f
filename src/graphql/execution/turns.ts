/**
 * The one place where an operation lets other requests run while it is executed: before each root field of a query, and
 * before each entry of a list of objects. Resolvers and presenters work as if they had the process for themselves.
 * graphql-js and compiled functions take an entry from a list only after they have completed the one before.
 * See docs/limits.md#fair-use-of-the-processor.
 */
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql'
import type { Context } from '../context.ts'

/** Wraps the resolvers of the schema. Mutations are never delayed. */
export function executeInTurns(schema: GraphQLSchema): void {
  const query = schema.getQueryType()
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (isListOfObjects(field)) field.resolve = entriesInTurns(field)
      if (type === query) field.resolve = startInTurn(field)
    }
  }
}

type Field = GraphQLField<unknown, Context>
/** No resolver reads `info`. */
type Resolve = (source: unknown, args: object, context: Context) => unknown

function isListOfObjects({ type }: Field): boolean {
  return isListType(getNullableType(type)) && isCompositeType(getNamedType(type))
}

function resolverOf({ name, resolve }: Field): Resolve {
  if (resolve === undefined) return (source) => (source as Readonly<Record<string, unknown>>)[name]
  if (resolve.length > 3) throw new Error(`the resolver of ${name} reads info`)
  return resolve as Resolve
}

/** Most queries are answered within one turn. Their resolvers wait for nothing. */
function startInTurn(field: Field): Resolve {
  const resolve = resolverOf(field)
  return (source, args, context) =>
    context.turns.over()
      ? context.turns.next().then(() => resolve(source, args, context))
      : resolve(source, args, context)
}

function entriesInTurns(field: Field): Resolve {
  const resolve = resolverOf(field)
  return (source, args, context) => {
    const list = resolve(source, args, context)
    return list instanceof Promise
      ? list.then((entries) => inTurns(entries, context))
      : inTurns(list, context)
  }
}

function inTurns(list: unknown, context: Context): unknown {
  return Array.isArray(list) && list.length > 0 ? yieldInTurns(list, context) : list
}

/** When the turn is over, the remaining entries are promises that wait for their turns. */
function* yieldInTurns(entries: readonly unknown[], context: Context): Generator<unknown> {
  const { turns, effects } = context
  // After a mutation, a stop would withhold its result.
  for (const entry of entries)
    yield turns.over() && !effects.hasMutated ? context.turns.next().then(() => entry) : entry
}
