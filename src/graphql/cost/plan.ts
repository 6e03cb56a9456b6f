/**
 * What it costs to answer a selection, as a function of the sizes of its lists. A plan is made once per document;
 * fields that cost the same whatever the variables say are added up in it, so that evaluating it takes microseconds.
 *
 * The cost is an upper bound: a selection counts as often as it is written and spread, also where equal ones are
 * answered once; of the types that a field may have, the dearest counts; a list is as long as it can become.
 */
import {
  type DirectiveNode,
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { responseUnits } from '../../operations/points.ts'
import type { Fragments } from '../guards.ts'
import type { VariableValues } from '../variables.ts'
import { FIELD_UNITS, LIST_SIZES, type Sizes } from './sizes.ts'

/** A selection set within one object type. */
export type Plan = {
  /** True for the faults of an input: the work that it asks for is then not done. */
  readonly isRefusal: boolean
  /** Fields that are answered once, whatever the variables say. */
  readonly fields: number
  readonly parts: readonly PlanPart[]
}

/** A part of a selection that depends on the variables: a list, a field with work behind it, or a condition. */
type PlanPart = {
  readonly conditions: readonly Conditional[]
  /** Entries; 1 where it is no list. */
  readonly size: (sizes: Sizes) => number
  /** Beside what the entries cost. */
  readonly units: (sizes: Sizes) => number
  /** What each entry costs, for each type that it may have: the dearest counts. */
  readonly entry: readonly Plan[]
}

/** A node that `@skip` or `@include` may leave out. */
export type Conditional = { readonly directives?: readonly DirectiveNode[] }

/** What plans are made with. */
export type Planner = {
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  readonly introspectionSizes: ReadonlyMap<string, number>
}

const FIELD_COST = responseUnits(1)
const ONE = () => 1
const NOTHING = () => 0
const REFUSAL = 'InputProblem'
const LEAF: readonly Plan[] = [{ isRefusal: false, fields: 1, parts: [] }]

/** The units of one selection set with these sizes. Throws a GraphQLError where a condition has no value. */
export function planUnits({ fields, parts }: Plan, sizes: Sizes, variables: VariableValues): number {
  let units = fields * FIELD_COST
  for (const { conditions, size, units: own, entry } of parts)
    if (conditions.every((node) => isIncluded(node, variables)))
      units += own(sizes) + size(sizes) * dearest(entry, sizes, variables)
  return units
}

/** The units of the dearest of several plans. */
export function dearest(plans: readonly Plan[], sizes: Sizes, variables: VariableValues): number {
  let most = 0
  for (const plan of plans) most = Math.max(most, planUnits(plan, sizes, variables))
  return most
}

/** False where `@skip` or `@include` leaves the node out. */
export function isIncluded(node: Conditional, variables: VariableValues): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false
}

/** The plans of a field's selection: one for each type that it may have. `around` is the field, by type and name. */
export function plansOf(
  planner: Planner,
  type: GraphQLNamedType,
  set: SelectionSetNode | undefined,
  around: string,
): readonly Plan[] {
  if (set === undefined) return LEAF
  const types = isAbstractType(type) ? planner.schema.getPossibleTypes(type) : [type]
  return types.filter((one) => isObjectType(one)).map((one) => planSet(planner, one, set, around))
}

function planSet(planner: Planner, type: GraphQLObjectType, set: SelectionSetNode, around: string): Plan {
  const selected = set.selections.map((selection) => planSelection(planner, type, selection, around))
  return { ...joined(selected), isRefusal: type.name === REFUSAL }
}

function planSelection(
  planner: Planner,
  type: GraphQLObjectType,
  selection: SelectionNode,
  around: string,
): Plan {
  if (selection.kind === Kind.FIELD) return planField(planner, type, selection, around)
  const spread =
    selection.kind === Kind.INLINE_FRAGMENT ? selection : planner.fragments.get(selection.name.value)
  if (spread === undefined || !concerns(planner.schema, spread.typeCondition?.name.value, type))
    return joined([])
  return underCondition(selection, planSet(planner, type, spread.selectionSet, around))
}

function planField(planner: Planner, type: GraphQLObjectType, field: FieldNode, around: string): Plan {
  const name = field.name.value
  const definition = type.getFields()[name]
  // `__typename`, and the fields that introspection adds to the root.
  if (definition === undefined) return underCondition(field, planOf(1))
  const coordinate = `${type.name}.${name}`
  const entry = plansOf(planner, getNamedType(definition.type), field.selectionSet, coordinate)
  const size = entriesOf(planner, definition.type, coordinate, `${around}.${name}`)
  const units = FIELD_UNITS[coordinate] ?? NOTHING
  const [only] = entry
  if (size === ONE && units === NOTHING && entry.length === 1 && only !== undefined) {
    const inner = field.selectionSet === undefined ? only : { ...only, fields: only.fields + 1 }
    return underCondition(field, inner)
  }
  return underCondition(field, planOf(1, [{ conditions: [], size, units, entry }]))
}

/**
 * How many entries a field has, by its type and name or by the field around it and name. A list that is not known
 * would be free, so it is a fault; a test looks at every list of the schema.
 */
export function entriesOf(
  planner: Planner,
  type: GraphQLOutputType,
  coordinate: string,
  place = coordinate,
): (sizes: Sizes) => number {
  if (!isListType(isNonNullType(type) ? type.ofType : type)) return ONE
  const size = LIST_SIZES[place] ?? LIST_SIZES[coordinate]
  if (size !== undefined) return size
  const known = planner.introspectionSizes.get(place) ?? planner.introspectionSizes.get(coordinate)
  if (known === undefined) throw new Error(`the cost rule knows no size of ${coordinate}`)
  return () => known
}

function underCondition(node: Conditional, plan: Plan): Plan {
  if (node.directives === undefined || node.directives.length === 0) return plan
  return planOf(0, [{ conditions: [node], size: ONE, units: NOTHING, entry: [plan] }])
}

function joined(plans: readonly Plan[]): Plan {
  return planOf(
    plans.reduce((sum, { fields }) => sum + fields, 0),
    plans.flatMap(({ parts }) => parts),
  )
}

function planOf(fields: number, parts: readonly PlanPart[] = []): Plan {
  return { isRefusal: false, fields, parts }
}

/** True where a fragment on a type selects from objects of another. */
function concerns(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}
