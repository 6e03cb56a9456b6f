/**
 * Compiles a selection set to a plan: its cost as a function of the sizes of its lists. Plans are created once per
 * document and add up in advance all fields whose cost does not depend on the variables. Evaluating a plan takes
 * microseconds.
 *
 * The cost is an upper bound. A field is counted each time it is selected, even if graphql-js merges the selections. If
 * a field may have several types, the most expensive one is counted (docs/decisions/api.md#d115). Lists are assumed to
 * have their maximum length.
 */
import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLField,
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
import { argumentReader } from '../execution/arguments.ts'
import type { VariableValues } from '../execution/variables.ts'
import type { Fragments } from '../guards.ts'
import { FIELD_UNITS, LIST_SIZES, type Sizes } from './sizes.ts'

/** The cost of a selection set on one object type. */
export type Plan = {
  /** True for `InputProblem`. The requested work was not done, so only the response is charged. */
  readonly isInputProblem: boolean
  /** Number of fields whose cost does not depend on the variables. */
  readonly fields: number
  readonly parts: readonly PlanPart[]
}

/** A field that is a list or needs extra work, or a selection with a condition. */
type PlanPart = {
  readonly conditions: readonly Conditional[]
  /** Number of entries; 1 if the field is not a list. */
  readonly size: (sizes: Sizes) => number
  /** Cost besides that of the entries, in units of operations/points.ts. */
  readonly units: (sizes: Sizes, variables: VariableValues) => number
  /** The plan of an entry, for each type that it may have. */
  readonly entryPlans: readonly Plan[]
}

/** A node that may have `@skip` or `@include`. */
export type Conditional = { readonly directives?: readonly DirectiveNode[] }

export type Planner = {
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  readonly introspectionSizes: ReadonlyMap<string, number>
  /** Collects the selections of the contents of shipments. */
  readonly contentSelections: ContentSelection[]
}

export type ContentField = 'parcels' | 'contentItems'

/** A field that returns a part of the contents of a shipment. */
export type ContentSelection = {
  readonly field: ContentField
  /** The response names from the root. Selections with the same path are merged to one field. */
  readonly path: string
  readonly plan: Plan
}

/** Where a selection set is: its field as `Type.field`, and the response names from the root. */
export type SelectionPlace = { readonly coordinate: string; readonly path: string }

const CONTENT_FIELDS: ReadonlyMap<string, ContentField> = new Map([
  ['Shipment.parcels', 'parcels'],
  ['Shipment.contentItems', 'contentItems'],
])

const FIELD_COST = responseUnits(1)
const ONE = () => 1
const ZERO = () => 0
const LEAF: readonly Plan[] = [{ isInputProblem: false, fields: 1, parts: [] }]

/** Throws a GraphQLError if a required argument is null. That includes the arguments of `@skip` and `@include`. */
export function planUnits({ fields, parts }: Plan, sizes: Sizes, variables: VariableValues): number {
  let units = fields * FIELD_COST
  for (const part of parts)
    if (part.conditions.every((node) => isIncluded(node, variables)))
      units +=
        part.units(sizes, variables) + part.size(sizes) * highestUnits(part.entryPlans, sizes, variables)
  return units
}

/** The units of the most expensive plan. */
export function highestUnits(plans: readonly Plan[], sizes: Sizes, variables: VariableValues): number {
  let highest = 0
  for (const plan of plans) highest = Math.max(highest, planUnits(plan, sizes, variables))
  return highest
}

/** Evaluates `@skip` and `@include`. */
export function isIncluded(node: Conditional, variables: VariableValues): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false
}

/** Plans the selection set of a field, for each object type that the field may have. */
export function createPlans(
  planner: Planner,
  type: GraphQLNamedType,
  set: SelectionSetNode | undefined,
  parent: SelectionPlace,
): readonly Plan[] {
  if (set === undefined) return LEAF
  const types = isAbstractType(type) ? planner.schema.getPossibleTypes(type) : [type]
  return types
    .filter((type) => isObjectType(type))
    .map((type) => planSelectionSet(planner, type, set, parent))
}

function planSelectionSet(
  planner: Planner,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  parent: SelectionPlace,
): Plan {
  const plans = set.selections.map((selection) => planSelection(planner, type, selection, parent))
  return { ...joinPlans(plans), isInputProblem: type.name === 'InputProblem' }
}

function planSelection(
  planner: Planner,
  type: GraphQLObjectType,
  selection: SelectionNode,
  parent: SelectionPlace,
): Plan {
  if (selection.kind === Kind.FIELD) return planField(planner, type, selection, parent)
  const fragment =
    selection.kind === Kind.INLINE_FRAGMENT ? selection : planner.fragments.get(selection.name.value)
  // graphql-js reads the conditions of a fragment before its type.
  if (fragment === undefined || !appliesTo(planner.schema, fragment.typeCondition?.name.value, type))
    return withCondition(selection, createPlan(0))
  return withCondition(selection, planSelectionSet(planner, type, fragment.selectionSet, parent))
}

function planField(
  planner: Planner,
  type: GraphQLObjectType,
  field: FieldNode,
  parent: SelectionPlace,
): Plan {
  const name = field.name.value
  const definition = type.getFields()[name]
  // `__typename`. Introspection fields of the root are planned in operation-cost.ts.
  if (definition === undefined) return withCondition(field, createPlan(1))
  const coordinate = `${type.name}.${name}`
  const path = `${parent.path}.${field.alias?.value ?? name}`
  const entryPlans = createPlans(planner, getNamedType(definition.type), field.selectionSet, {
    coordinate,
    path,
  })
  const size = listSize(planner, definition.type, coordinate, `${parent.coordinate}.${name}`)
  const units = fieldUnits(definition, field, FIELD_UNITS[coordinate] ?? ZERO)
  const [first] = entryPlans
  if (size === ONE && units === ZERO && entryPlans.length === 1 && first !== undefined) {
    const plan = field.selectionSet === undefined ? first : { ...first, fields: first.fields + 1 }
    return withCondition(field, plan)
  }
  const plan = createPlan(1, [{ conditions: [], size, units, entryPlans }])
  const content = CONTENT_FIELDS.get(coordinate)
  if (content !== undefined) planner.contentSelections.push({ field: content, path, plan })
  return withCondition(field, plan)
}

/** Reads the arguments too, because this throws if a required one is null. */
function fieldUnits(
  definition: GraphQLField<unknown, unknown>,
  field: FieldNode,
  units: (sizes: Sizes) => number,
): PlanPart['units'] {
  if (field.arguments === undefined || field.arguments.length === 0) return units
  const readArguments = argumentReader(definition, field)
  return (sizes, variables) => {
    readArguments(variables)
    return units(sizes)
  }
}

/**
 * Returns the function that gives the number of entries of a field; 1 if the field is not a list. `path` is the parent
 * field and the name, and takes precedence over `coordinate`. Throws if a list has no known size; otherwise it would be
 * free. A test checks every list of the schema.
 */
export function listSize(
  planner: Planner,
  type: GraphQLOutputType,
  coordinate: string,
  path = coordinate,
): (sizes: Sizes) => number {
  if (!isListType(isNonNullType(type) ? type.ofType : type)) return ONE
  const size = LIST_SIZES[path] ?? LIST_SIZES[coordinate]
  if (size !== undefined) return size
  const entries = planner.introspectionSizes.get(path) ?? planner.introspectionSizes.get(coordinate)
  if (entries === undefined) throw new Error(`LIST_SIZES has no entry for ${coordinate}`)
  return () => entries
}

function withCondition(node: Conditional, plan: Plan): Plan {
  if (node.directives === undefined || node.directives.length === 0) return plan
  return createPlan(0, [{ conditions: [node], size: ONE, units: ZERO, entryPlans: [plan] }])
}

function joinPlans(plans: readonly Plan[]): Plan {
  return createPlan(
    plans.reduce((sum, { fields }) => sum + fields, 0),
    plans.flatMap(({ parts }) => parts),
  )
}

function createPlan(fields: number, parts: readonly PlanPart[] = []): Plan {
  return { isInputProblem: false, fields, parts }
}

/** Whether a fragment with this type condition selects fields of `type`. */
function appliesTo(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}
