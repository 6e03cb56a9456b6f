/**
 * How much one document may ask for. Without these limits one document with 500 aliased mutations ran them
 * all (measured on Apollo Server 5.5). Lists in the input are bounded by core.
 */
import {
  type ASTVisitor,
  type FieldNode,
  GraphQLError,
  type GraphQLNamedType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql'

/** The limits of one operation; fragments are counted each time they are spread. */
export const LIMITS = {
  /** Lexical tokens of the whole document. */
  tokens: 2_000,
  /** Fields inside fields; introspection by the usual tools takes 15. */
  depth: 15,
  /** Fields under another name. */
  aliases: 15,
  /** Fields at the root of a query, apart from `__typename`. */
  queryRoots: 10,
  /** `ratesBatch` at the root of a query: each is up to fifty requests. */
  batches: 1,
  /** `landedCost` at the root of a query: each is as many estimates as there are prices. */
  landedCosts: 3,
  /** `outcome` of alternatives: each is an estimate per alternative of every item. */
  outcomes: 2,
  /** The same for every option of a landed cost would be thousands of estimates. */
  landedOutcomes: 0,
  /** Fields at the root of a mutation: each has effects of its own, so it gets a request of its own. */
  mutationRoots: 1,
  /** Fields within themselves: a carrier's products' carrier's products grow by a factor with each turn. */
  loops: 0,
  /** Selections in all: fields, inline fragments and spreads. */
  selections: 500,
} as const

type Tally = {
  depth: number
  aliases: number
  roots: number
  batches: number
  landedCosts: number
  outcomes: number
  landedOutcomes: number
  selections: number
  loops: number
}

/** Where a selection set stands: the type it selects from, and the fields and fragments around it. */
type Place = {
  readonly type: GraphQLNamedType | undefined
  readonly depth: number
  readonly around: readonly string[]
}

/** Validation rule: refuses operations that pass a limit. */
export function limitOperations(context: ValidationContext): ASTVisitor {
  return {
    [Kind.OPERATION_DEFINITION]: (operation: OperationDefinitionNode) => {
      const root = context.getSchema().getRootType(operation.operation)
      if (root == null)
        context.reportError(new GraphQLError(`There is no ${operation.operation}`, { nodes: operation }))
      const tally: Tally = {
        depth: 0,
        aliases: 0,
        roots: 0,
        batches: 0,
        landedCosts: 0,
        outcomes: 0,
        landedOutcomes: 0,
        selections: 0,
        loops: 0,
      }
      count(context, operation.selectionSet, { type: root ?? undefined, depth: 1, around: [] }, tally)
      for (const message of excesses(operation, tally))
        context.reportError(new GraphQLError(message, { nodes: operation }))
      return false
    },
  }
}

/** Adds up a selection set with all it spreads; gives up where the operation is refused anyway. */
function count(context: ValidationContext, set: SelectionSetNode, place: Place, tally: Tally): void {
  for (const selection of set.selections) {
    tally.selections++
    if (tally.selections > LIMITS.selections) return
    if (selection.kind === Kind.FIELD) {
      countField(context, selection, place, tally)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const type = typeNamed(context, selection.typeCondition?.name.value) ?? place.type
      count(context, selection.selectionSet, { ...place, type }, tally)
    } else {
      const spread = `...${selection.name.value}`
      const fragment = context.getFragment(selection.name.value)
      // A fragment within itself is refused by a rule of its own; here it must only not run for ever.
      if (fragment == null || place.around.includes(spread)) continue
      const type = typeNamed(context, fragment.typeCondition.name.value)
      count(context, fragment.selectionSet, { ...place, type, around: [...place.around, spread] }, tally)
    }
  }
}

function countField(context: ValidationContext, field: FieldNode, place: Place, tally: Tally): void {
  const { type, depth, around } = place
  const name = field.name.value
  tally.depth = Math.max(tally.depth, depth)
  if (field.alias !== undefined) tally.aliases++
  if (depth === 1 && name !== '__typename') tally.roots++
  if (depth === 1 && name === 'ratesBatch') tally.batches++
  if (depth === 1 && name === 'landedCost') tally.landedCosts++
  if (field.selectionSet === undefined || depth > LIMITS.depth) return
  // Introspection has types within types by its nature; graphql-js has a rule of its own for its depth.
  const ours = type !== undefined && 'getFields' in type && !type.name.startsWith('__')
  const definition = ours ? type.getFields()[name] : undefined
  const here = `${type?.name}.${name}`
  if (definition !== undefined && around.includes(here)) {
    tally.loops++
    return
  }
  if (here === 'HsAlternative.outcome') {
    tally.outcomes++
    if (around.includes('Query.landedCost')) tally.landedOutcomes++
  }
  // "[Product!]!" without its brackets and marks.
  const inner = typeNamed(context, definition && String(definition.type).replace(/[[\]!]/g, ''))
  count(context, field.selectionSet, { type: inner, depth: depth + 1, around: [...around, here] }, tally)
}

function typeNamed(context: ValidationContext, name: string | undefined): GraphQLNamedType | undefined {
  return name === undefined ? undefined : context.getSchema().getType(name)
}

function excesses(operation: OperationDefinitionNode, tally: Tally): readonly string[] {
  const roots = operation.operation === 'mutation' ? LIMITS.mutationRoots : LIMITS.queryRoots
  const measured: readonly (readonly [what: string, actual: number, limit: number])[] = [
    ['levels deep', tally.depth, LIMITS.depth],
    ['aliases', tally.aliases, LIMITS.aliases],
    [`root ${roots === 1 ? 'field' : 'fields'} per ${operation.operation}`, tally.roots, roots],
    ['ratesBatch per query', tally.batches, LIMITS.batches],
    ['landedCost per query', tally.landedCosts, LIMITS.landedCosts],
    ['outcome of alternatives per query', tally.outcomes, LIMITS.outcomes],
    ['outcome of alternatives in landedCost', tally.landedOutcomes, LIMITS.landedOutcomes],
    ['selections', tally.selections, LIMITS.selections],
    ['fields within themselves', tally.loops, LIMITS.loops],
  ]
  return measured
    .filter(([, actual, limit]) => actual > limit)
    .map(
      ([what, , limit]) =>
        `The operation asks for too much: ${limit === 0 ? 'no' : `at most ${limit}`} ${what}`,
    )
}
