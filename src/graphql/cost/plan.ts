/**
 * Compiles an operation to a plan: its cost as a function of the variables. Plans are created once per document and add
 * up in advance everything that does not depend on the variables.
 *
 * The cost of a field is that of the field itself, and for a list the declared number of entries times the cost of an
 * entry. A field is counted each time it is selected, even if graphql-js merges the selections. If a field may have
 * several types, the most expensive one is counted.
 */
import {
  type DirectiveNode,
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql'
import { isJsonObject } from '../../core/input.ts'
import { responseUnits } from '../../operations/points.ts'
import { argumentReader, type ReadArguments } from '../execution/arguments.ts'
import type { VariableValues } from '../execution/variables.ts'
import type { Fragments } from '../guards.ts'
import { type AnyField, type DeclaredCost, type DeclaredCosts, isList } from './declared-costs.ts'
import { INPUT_UNITS, type ReadUnits } from './input-units.ts'

/** One calculation of a plan: the variables, and what is counted besides the units. */
export type Calculation = {
  readonly variables: VariableValues
  /** Units of the introspection fields. */
  introspection: number
  /** Representations of all `_entities` fields. */
  representations: number
}

/** A number, or a function if it depends on the variables. It throws a GraphQLError if a required argument is null. */
export type Amount = number | ((calculation: Calculation) => number)

export function evaluate(amount: Amount, calculation: Calculation): number {
  return typeof amount === 'number' ? amount : amount(calculation)
}

/** What a list was charged in advance: for `size` entries of `entryUnits` each. */
export type ListPlan = { readonly size: Amount; readonly entryUnits: Amount }

export type Planner = {
  readonly schema: GraphQLSchema
  readonly costs: DeclaredCosts
  readonly fragments: Fragments
  readonly introspectionSizes: ReadonlyMap<string, number>
  /** Collects the lists of the operation. */
  readonly lists: Map<FieldNode, ListPlan>
}

/** The field that a selection set belongs to. */
type Parent = {
  /** `Type.field`; empty for the root of the operation. */
  readonly coordinate: string
  /** The sizes of lists in the selection set that are determined by arguments of the field. */
  readonly sizes: ReadonlyMap<string, Amount>
}

export const ROOT: Parent = { coordinate: '', sizes: new Map() }

/** A field, or an entry of a list. */
const ELEMENT_UNITS = responseUnits(1)

/** Numeric arguments may ask for at most 100 entries, and lists may have at most 1,000. Larger ones are refused. */
const MAX_SIZES = { number: 100, list: 1_000 }

export function planSelectionSet(
  planner: Planner,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  parent: Parent,
): Amount {
  return sum(set.selections.map((selection) => planSelection(planner, type, selection, parent)))
}

function planSelection(
  planner: Planner,
  type: GraphQLObjectType,
  selection: SelectionNode,
  parent: Parent,
): Amount {
  if (selection.kind === Kind.FIELD)
    return conditional(selection, planField(planner, type, selection, parent))
  const fragment =
    selection.kind === Kind.INLINE_FRAGMENT ? selection : planner.fragments.get(selection.name.value)
  // graphql-js reads the conditions of a fragment before its type.
  if (fragment === undefined || !appliesTo(planner.schema, fragment.typeCondition?.name.value, type))
    return conditional(selection, 0)
  return conditional(selection, planSelectionSet(planner, type, fragment.selectionSet, parent))
}

function planField(planner: Planner, type: GraphQLObjectType, node: FieldNode, parent: Parent): Amount {
  const name = node.name.value
  const field = fieldOf(planner.schema, type, name)
  // `__typename`
  if (field === undefined) return ELEMENT_UNITS
  const coordinate = `${type.name}.${name}`
  const declared = planner.costs(field)
  const readArguments = field.args.length === 0 ? undefined : argumentReader(field, node)
  const measured = measuredSize(declared, readArguments)
  const sizes = new Map(declared.sizedFields.map((sized) => [sized, measured]))
  const entry = planEntry(planner, getNamedType(field.type), node, { coordinate, sizes })
  if (!isList(field)) return withArguments(type, name, readArguments, sum([declared.units, entry]))
  const entryUnits = sum([ELEMENT_UNITS, entry])
  const size =
    planner.introspectionSizes.get(`${parent.coordinate}.${name}`) ??
    planner.introspectionSizes.get(coordinate) ??
    parent.sizes.get(name) ??
    measured
  const known = planner.lists.get(node)
  planner.lists.set(node, known === undefined ? { size, entryUnits } : cautious(known, { size, entryUnits }))
  return withArguments(type, name, readArguments, sum([declared.units, product(size, entryUnits)]))
}

/** The cost of the most expensive type that a field or an entry may have. */
function planEntry(planner: Planner, type: GraphQLNamedType, node: FieldNode, parent: Parent): Amount {
  const { selectionSet } = node
  if (selectionSet === undefined) return 0
  const types = isAbstractType(type) ? planner.schema.getPossibleTypes(type) : [type]
  return combine(
    types.filter(isObjectType).map((member) => planSelectionSet(planner, member, selectionSet, parent)),
    (amounts) => Math.max(0, ...amounts),
  )
}

function fieldOf(schema: GraphQLSchema, type: GraphQLObjectType, name: string): AnyField | undefined {
  const isQuery = type === schema.getQueryType()
  const meta = isQuery && [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name)
  return meta || type.getFields()[name]
}

/** The number of entries for the arguments of a field. */
function measuredSize(
  { assumedSize, slicingArguments }: DeclaredCost,
  readArguments: ReadArguments | undefined,
): Amount {
  if (readArguments === undefined || slicingArguments.length === 0) return assumedSize
  return ({ variables }) => {
    const args = readArguments(variables)
    const sizes = slicingArguments.flatMap((path) => sizeOf(path.reduce(read, args)))
    return sizes.length === 0 ? assumedSize : Math.max(...sizes)
  }
}

function read(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined
}

function sizeOf(value: unknown): readonly number[] {
  if (Array.isArray(value)) return [Math.min(value.length, MAX_SIZES.list)]
  return typeof value === 'number' ? [Math.min(Math.max(value, 0), MAX_SIZES.number)] : []
}

/** Adds the work that the arguments request. Reads all arguments, because this throws if a required one is null. */
function withArguments(
  type: GraphQLObjectType,
  name: string,
  readArguments: ReadArguments | undefined,
  units: Amount,
): Amount {
  const readers: Readonly<Record<string, Readonly<Record<string, ReadUnits>>>> = INPUT_UNITS
  const inputUnits = readers[type.name]?.[name]
  const isIntrospection = name.startsWith('__')
  if (readArguments === undefined && !isIntrospection) return units
  return (calculation) => {
    const args = readArguments?.(calculation.variables) ?? {}
    const total = evaluate(units, calculation) + (inputUnits?.(args) ?? 0)
    if (isIntrospection) calculation.introspection += total
    if (name === '_entities' && Array.isArray(args['representations']))
      calculation.representations += args['representations'].length
    return total
  }
}

/** For a fragment that is used in several places: the size of the shortest list, and the most expensive entry. */
function cautious(a: ListPlan, b: ListPlan): ListPlan {
  return {
    size: combine([a.size, b.size], (sizes) => Math.min(...sizes)),
    entryUnits: combine([a.entryUnits, b.entryUnits], (units) => Math.max(...units)),
  }
}

function sum(amounts: readonly Amount[]): Amount {
  return combine(amounts, (values) => values.reduce((total, value) => total + value, 0))
}

function product(a: Amount, b: Amount): Amount {
  return combine([a, b], ([first = 0, second = 0]) => first * second)
}

/** Combines the values of amounts: at once if all are numbers. */
function combine(amounts: readonly Amount[], join: (values: readonly number[]) => number): Amount {
  const fixed = amounts.filter((amount) => typeof amount === 'number')
  if (fixed.length === amounts.length) return join(fixed)
  return (calculation) => join(amounts.map((amount) => evaluate(amount, calculation)))
}

/** A node that may have `@skip` or `@include`. */
type Conditional = { readonly directives?: readonly DirectiveNode[] }

function conditional(node: Conditional, units: Amount): Amount {
  if (node.directives === undefined || node.directives.length === 0) return units
  return (calculation) => (isIncluded(node, calculation.variables) ? evaluate(units, calculation) : 0)
}

/** Throws a GraphQLError if a condition is null. */
function isIncluded(node: Conditional, variables: VariableValues): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false
}

/** Whether a fragment with this type condition selects fields of `type`. */
function appliesTo(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}
