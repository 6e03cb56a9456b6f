/**
 * Calculates the cost of an operation, in points, before it runs: the work that its arguments request, and a response
 * whose lists have the declared sizes. What longer lists cost is known while the operation runs, and is charged by
 * meter.ts. See docs/limits.md#graphql-operations.
 */
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { pointsFor } from '../../operations/points.ts'
import type { VariableValues } from '../execution/variables.ts'
import { fragmentsIn } from '../guards.ts'
import { readDeclaredCosts } from './declared-costs.ts'
import { introspectionSizes } from './introspection-sizes.ts'
import {
  type Amount,
  type Calculation,
  evaluate,
  type ListPlan,
  type Planner,
  planSelectionSet,
  ROOT,
} from './plan.ts'

/** Per operation. About one second of one core. */
export const MAX_POINTS = 1_000

/**
 * Lower than MAX_POINTS, because introspection cannot pause: it blocks all other requests. The introspection query of
 * tools costs about 100.
 */
export const MAX_INTROSPECTION_POINTS = 150

/** Per operation. As many as the shipments of ten pages of `shipments`, the most that one query can select. */
export const MAX_REPRESENTATIONS = 1_000

export type OperationCost = {
  /** In units of operations/points.ts. */
  readonly units: number
  readonly points: number
  /** Included in `points`. */
  readonly introspectionPoints: number
  /** Of all `_entities` fields together. */
  readonly representations: number
  /** The units for the entries of a list beyond the declared size. `nodes` are its selections in the document. */
  readonly excessUnits: (nodes: readonly FieldNode[], length: number) => number
}

type OperationPlan = { readonly units: Amount; readonly lists: ReadonlyMap<FieldNode, ListPlan> }

/** The returned function expects valid documents of this schema, and coerced variables. */
export function createCostCalculator(schema: GraphQLSchema) {
  const costs = readDeclaredCosts(schema)
  const sizes = introspectionSizes(schema)
  const cache = new WeakMap<OperationDefinitionNode, OperationPlan>()
  const plan = (document: DocumentNode, operation: OperationDefinitionNode): OperationPlan => {
    const lists = new Map<FieldNode, ListPlan>()
    const fragments = fragmentsIn(document)
    const planner: Planner = { schema, costs, fragments, introspectionSizes: sizes, lists }
    const type = schema.getRootType(operation.operation)
    const units = type == null ? 0 : planSelectionSet(planner, type, operation.selectionSet, ROOT)
    return { units, lists }
  }
  /** Returns a GraphQLError if a variable is null or missing where a value is required. */
  return (
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: VariableValues,
  ): OperationCost | GraphQLError => {
    const planned = cache.get(operation) ?? plan(document, operation)
    cache.set(operation, planned)
    try {
      return calculateCost(planned, variables)
    } catch (error) {
      // Thrown by graphql-js when it reads arguments.
      if (error instanceof GraphQLError) return error
      throw error
    }
  }
}

function calculateCost(plan: OperationPlan, variables: VariableValues): OperationCost {
  const calculation: Calculation = { variables, introspection: 0, representations: 0 }
  const units = evaluate(plan.units, calculation)
  const { introspection, representations } = calculation
  return {
    units,
    points: pointsFor(units),
    introspectionPoints: introspection === 0 ? 0 : pointsFor(introspection),
    representations,
    excessUnits: (nodes, length) => excessUnits(plan.lists, nodes, length, calculation),
  }
}

function excessUnits(
  lists: OperationPlan['lists'],
  nodes: readonly FieldNode[],
  length: number,
  calculation: Calculation,
): number {
  let units = 0
  for (const node of nodes) {
    const list = lists.get(node)
    if (list === undefined) throw new Error(`the list ${node.name.value} is not in the plan of the operation`)
    const excess = length - evaluate(list.size, calculation)
    if (excess > 0) units += excess * evaluate(list.entryUnits, calculation)
  }
  return units
}
