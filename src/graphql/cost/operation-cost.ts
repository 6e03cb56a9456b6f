/**
 * Calculates an upper bound of the cost of an operation, in points, before it runs: the work that its arguments request
 * and the largest response that its selections can produce. The selections are compiled to a plan once per document;
 * the plan is evaluated with the arguments of each request. See docs/limits.md#graphql-operations.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { pointsFor, responseUnits } from '../../operations/points.ts'
import { argumentReader, type ReadArguments } from '../execution/arguments.ts'
import type { VariableValues } from '../execution/variables.ts'
import { fragmentsIn } from '../guards.ts'
import type { BookBounds } from './book-bounds.ts'
import { type ContentsExcess, contentsExcess } from './contents-cost.ts'
import { type ReadExtents, ROOT_EXTENTS } from './extents.ts'
import {
  type Conditional,
  type ContentSelection,
  createPlans,
  highestUnits,
  isIncluded,
  listSize,
  type Plan,
  type Planner,
  planUnits,
} from './plan.ts'
import { introspectionSizes, NO_SIZES, type Sizes } from './sizes.ts'

/** Per operation. About one second of one core. */
export const MAX_POINTS = 1_000

/** Lower than MAX_POINTS, because introspection cannot pause: it blocks all other requests. */
export const MAX_INTROSPECTION_POINTS = 100

/** Per operation. Ten pages of `shipments`, the most that one query can select, have as many shipments. */
export const MAX_REPRESENTATIONS = 1_000

export type OperationCost = {
  readonly points: number
  /** Included in `points`. */
  readonly introspectionPoints: number
  /** Of all `_entities` fields together. */
  readonly representations: number
  /** Undefined if the operation reads no contents of shipments, or has paid for the largest ones. */
  readonly contents: ContentsExcess | undefined
}

type OperationPlan = {
  readonly rootFields: readonly RootField[]
  /** Empty for mutations; see `MAX_CONTENTS` in extents.ts. */
  readonly contentSelections: readonly ContentSelection[]
}

/** A root field of the operation, selected directly or in a fragment. */
type RootField = {
  /** Cost besides that of the arguments and the entries, in units of operations/points.ts. */
  readonly units: number
  readonly readArguments: ReadArguments
  /** Undefined for `__typename` and introspection fields. */
  readonly readExtents: ReadExtents | undefined
  readonly conditions: readonly Conditional[]
  /** Number of entries; 1 if the field is not a list. */
  readonly size: (sizes: Sizes) => number
  /** The plan of an entry, for each type that it may have. */
  readonly entryPlans: readonly Plan[]
}

/** The returned function expects valid documents of this schema, and coerced variables. */
export function createCostCalculator(schema: GraphQLSchema) {
  const sizes = introspectionSizes(schema)
  const cache = new WeakMap<OperationDefinitionNode, OperationPlan>()
  const plan = (document: DocumentNode, operation: OperationDefinitionNode): OperationPlan => {
    const fragments = fragmentsIn(document)
    const planner: Planner = { schema, fragments, introspectionSizes: sizes, contentSelections: [] }
    const type = schema.getRootType(operation.operation)
    const rootFields = type == null ? [] : planRootFields(planner, type, operation.selectionSet, [])
    const contentSelections = operation.operation === 'query' ? planner.contentSelections : []
    return { rootFields, contentSelections }
  }
  /** Returns a GraphQLError if a variable is null or missing where a value is required. */
  return (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: VariableValues,
    bounds: BookBounds,
  ): OperationCost | GraphQLError => {
    const planned = cache.get(operation) ?? plan(document, operation)
    cache.set(operation, planned)
    try {
      return calculateCost(planned, variables, bounds)
    } catch (error) {
      // Thrown by graphql-js when it reads arguments.
      if (error instanceof GraphQLError) return error
      throw error
    }
  }
}

function calculateCost(
  { rootFields, contentSelections }: OperationPlan,
  variables: VariableValues,
  bounds: BookBounds,
): OperationCost {
  let units = 0
  let introspection = 0
  let representations = 0
  for (const root of rootFields) {
    units += root.units
    if (!root.conditions.every((node) => isIncluded(node, variables))) continue
    // Also for introspection fields: this throws if a required argument is null.
    const values = root.readArguments(variables)
    if (root.readExtents === undefined) {
      introspection += highestUnits(root.entryPlans, NO_SIZES, variables)
      continue
    }
    const extents = root.readExtents(values, bounds)
    units += rootUnits(root, extents, variables)
    for (const { sizes } of extents) representations += sizes.representations
  }
  return {
    points: pointsFor(units + introspection),
    introspectionPoints: introspection === 0 ? 0 : pointsFor(introspection),
    representations,
    contents: contentSelections.length === 0 ? undefined : contentsExcess(contentSelections, variables),
  }
}

function rootUnits(
  { size, entryPlans }: RootField,
  extents: ReturnType<ReadExtents>,
  variables: VariableValues,
): number {
  let sum = 0
  for (const { units, sizes } of extents) {
    let highest = 0
    for (const plan of entryPlans) {
      const response = size(sizes) * planUnits(plan, sizes, variables)
      highest = Math.max(highest, plan.isInputProblem ? response : units + response)
    }
    sum += highest
  }
  return sum
}

function planRootFields(
  planner: Planner,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  outerConditions: readonly Conditional[],
): readonly RootField[] {
  return set.selections.flatMap((selection): readonly RootField[] => {
    const conditions = [...outerConditions, selection]
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return planRootFields(planner, type, selection.selectionSet, conditions)
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = planner.fragments.get(selection.name.value)
      return fragment === undefined ? [] : planRootFields(planner, type, fragment.selectionSet, conditions)
    }
    const field = rootDefinition(type, selection.name.value)
    // `__typename` costs nothing. It is listed because reading its conditions throws if they are null.
    if (field === undefined) return [{ ...TYPENAME, conditions }]
    const coordinate = `${type.name}.${field.name}`
    const place = { coordinate, path: selection.alias?.value ?? field.name }
    return [
      {
        units: responseUnits(1),
        readArguments: argumentReader(field, selection),
        readExtents: extentsReader(type, field),
        conditions,
        size: listSize(planner, field.type, coordinate),
        entryPlans: createPlans(planner, getNamedType(field.type), selection.selectionSet, place),
      },
    ]
  })
}

const TYPENAME: Omit<RootField, 'conditions'> = {
  units: 0,
  readArguments: () => ({}),
  readExtents: undefined,
  size: () => 1,
  entryPlans: [],
}

function rootDefinition(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
  return [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name) ?? type.getFields()[name]
}

function extentsReader(
  type: GraphQLObjectType,
  { name }: GraphQLField<unknown, unknown>,
): ReadExtents | undefined {
  if (name.startsWith('__')) return undefined
  const readers: Readonly<Record<string, Readonly<Record<string, ReadExtents>>>> = ROOT_EXTENTS
  const reader = readers[type.name]?.[name]
  if (reader === undefined) throw new Error(`ROOT_EXTENTS has no entry for ${type.name}.${name}`)
  return reader
}
