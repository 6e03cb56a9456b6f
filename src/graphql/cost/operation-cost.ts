/**
 * What an operation costs, in points, before it runs: the work that its arguments ask for, and the answer that its
 * selection can become. Made once per document, evaluated for each request.
 */
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { pointsFor, responseUnits } from '../../operations/points.ts'
import { fragmentsOf } from '../guards.ts'
import type { VariableValues } from '../variables.ts'
import type { BookBounds } from './book-bounds.ts'
import { type ReadExtents, ROOT_EXTENTS } from './extents.ts'
import {
  type Conditional,
  dearest,
  entriesOf,
  isIncluded,
  type Plan,
  type Planner,
  plansOf,
  planUnits,
} from './plan.ts'
import { introspectionSizes, type Sizes } from './sizes.ts'

/** The most points of one operation: about a second of one core. */
export const MAX_POINTS = 1_000

/** The most points of introspection within an operation: it is answered in one piece, while everybody waits. */
export const MAX_INTROSPECTION_POINTS = 100

/** Points of an operation, and how many of them are for introspection. */
export type OperationCost = { readonly points: number; readonly introspectionPoints: number }

/** A field at the root, wherever it is spread from. */
type RootField = {
  readonly node: FieldNode
  readonly field: GraphQLField<unknown, unknown>
  /** Undefined for fields of introspection. */
  readonly read: ReadExtents | undefined
  readonly conditions: readonly Conditional[]
  /** Entries; 1 where it is no list. */
  readonly size: (sizes: Sizes) => number
  readonly entry: readonly Plan[]
}

/** Evaluates operations of one schema. Documents are valid, variables coerced. */
export function costRule(schema: GraphQLSchema) {
  const sizes = introspectionSizes(schema)
  const known = new WeakMap<OperationDefinitionNode, readonly RootField[]>()
  const rootsOf = (document: DocumentNode, operation: OperationDefinitionNode): readonly RootField[] => {
    const planner = { schema, fragments: fragmentsOf(document), introspectionSizes: sizes }
    const type = schema.getRootType(operation.operation)
    return type == null ? [] : rootFields(planner, type, operation.selectionSet, [])
  }
  /** The cost, or the fault of a variable that is null or absent in a place where it must not be. */
  return (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: VariableValues,
    bounds: BookBounds,
  ): OperationCost | GraphQLError => {
    const roots = known.get(operation) ?? rootsOf(document, operation)
    known.set(operation, roots)
    try {
      return costOf(roots, variables, bounds)
    } catch (error) {
      // graphql-js throws it where arguments are read.
      if (error instanceof GraphQLError) return error
      throw error
    }
  }
}

function costOf(roots: readonly RootField[], variables: VariableValues, bounds: BookBounds): OperationCost {
  let units = responseUnits(roots.length)
  let introspection = 0
  for (const root of roots) {
    if (!root.conditions.every((node) => isIncluded(node, variables))) continue
    if (root.read === undefined) introspection += dearest(root.entry, NO_SIZES, variables)
    else units += rootUnits(root, root.read, variables, bounds)
  }
  return {
    points: pointsFor(units + introspection),
    introspectionPoints: introspection === 0 ? 0 : pointsFor(introspection),
  }
}

/** Introspection depends on the schema alone. */
const NO_SIZES = {} as Sizes

function rootUnits(
  { node, field, size, entry }: RootField,
  read: ReadExtents,
  variables: VariableValues,
  bounds: BookBounds,
): number {
  // The schema says what arguments a field has, and ROOT_EXTENTS reads those of each field.
  const args = getArgumentValues(field, node, variables) as never
  let sum = 0
  for (const { units, sizes } of read(args, bounds)) {
    let most = 0
    for (const plan of entry) {
      const answer = size(sizes) * planUnits(plan, sizes, variables)
      most = Math.max(most, plan.isRefusal ? answer : units + answer)
    }
    sum += most
  }
  return sum
}

function rootFields(
  planner: Planner,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  conditions: readonly Conditional[],
): readonly RootField[] {
  return set.selections.flatMap((selection): readonly RootField[] => {
    const within = [...conditions, selection]
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return rootFields(planner, type, selection.selectionSet, within)
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = planner.fragments.get(selection.name.value)
      return fragment === undefined ? [] : rootFields(planner, type, fragment.selectionSet, within)
    }
    const field = rootDefinition(type, selection.name.value)
    // `__typename` costs next to nothing.
    if (field === undefined) return []
    const coordinate = `${type.name}.${field.name}`
    const entry = plansOf(planner, getNamedType(field.type), selection.selectionSet, coordinate)
    const size = entriesOf(planner, field.type, coordinate)
    return [{ node: selection, field, read: readerOf(type, field), conditions: within, size, entry }]
  })
}

function rootDefinition(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
  return [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name) ?? type.getFields()[name]
}

function readerOf(
  type: GraphQLObjectType,
  { name }: GraphQLField<unknown, unknown>,
): ReadExtents | undefined {
  if (name.startsWith('__')) return undefined
  const readers: Readonly<Record<string, Readonly<Record<string, ReadExtents>>>> = ROOT_EXTENTS
  const read = readers[type.name]?.[name]
  if (read === undefined) throw new Error(`the cost rule does not know ${type.name}.${name}`)
  return read
}
