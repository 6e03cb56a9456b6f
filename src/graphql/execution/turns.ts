/**
 * What happens around every list of a response, and nowhere else: its entries are charged when their number is known
 * (cost/meter.ts), and other requests can run before each root field of a query, and before each entry of a list of
 * objects. Resolvers and presenters work as if they had the process for themselves. graphql-js and compiled functions
 * take an entry from a list only after they have completed the one before.
 * See docs/limits.md#fair-use-of-the-processor.
 */
import {
  type FieldNode,
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

/** The part of graphql-js's `info` that the wrapped resolvers read. */
export type Place = { readonly fieldNodes: readonly FieldNode[] }

/** Wraps the resolvers of the schema. Mutations are never delayed. */
export function executeInTurns(schema: GraphQLSchema): void {
  const query = schema.getQueryType()
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (isListType(getNullableType(field.type))) field.resolve = resolveList(field)
      if (type === query) field.resolve = startInTurn(field)
    }
  }
}

type Field = GraphQLField<unknown, Context>
/** No resolver reads `info`. */
type Resolve = (source: unknown, args: object, context: Context, ...place: [Place]) => unknown

function resolverOf({ name, resolve }: Field): Resolve {
  if (resolve === undefined) return (source) => (source as Readonly<Record<string, unknown>>)[name]
  if (resolve.length > 3) throw new Error(`the resolver of ${name} reads info`)
  return resolve as Resolve
}

/** Most queries are answered within one turn. Their resolvers wait for nothing. */
function startInTurn(field: Field): Resolve {
  const resolve = resolverOf(field)
  return (source, args, context, ...place) =>
    context.turns.over()
      ? context.turns.next().then(() => resolve(source, args, context, ...place))
      : resolve(source, args, context, ...place)
}

/** The list is empty if the operation is refused. */
function resolveList(field: Field): Resolve {
  const resolve = resolverOf(field)
  const hasObjects = isCompositeType(getNamedType(field.type))
  const present = (list: unknown, context: Context, { fieldNodes }: Place): unknown => {
    if (!Array.isArray(list) || list.length === 0) return list
    if (!context.meter.addEntries(fieldNodes, list.length)) return []
    return hasObjects ? yieldInTurns(list, context) : list
  }
  return (source, args, context, ...[place]) => {
    const list = resolve(source, args, context, place)
    return list instanceof Promise
      ? list.then((entries) => present(entries, context, place))
      : present(list, context, place)
  }
}

/** When the turn is over, the remaining entries are promises that wait for their turns. */
function* yieldInTurns(entries: readonly unknown[], context: Context): Generator<unknown> {
  const { turns, effects } = context
  for (const entry of entries) {
    if (effects.refusal !== undefined) return
    // After a mutation, a stop would withhold its result.
    yield turns.over() && !effects.hasMutated ? context.turns.next().then(() => entry) : entry
  }
}
