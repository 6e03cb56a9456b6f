/**
 * Limits on the shape of a document, counted before it is validated: they keep validation fast, and an operation to
 * what no client needs more of. What an operation costs to answer is for cost/ to say. Fragments are counted each
 * time they are spread.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OverlappingFieldsCanBeMergedRule,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from 'graphql'
import { excess, LISTED_ERRORS } from './errors.ts'

/** The limits of one document and of each operation in it. */
export const LIMITS = {
  /** Operations of the document: every one is checked, although one is run. */
  operations: 10,
  /** Fragments of the document. */
  fragments: 50,
  /** Fields inside fields; introspection by the usual tools takes 15. */
  depth: 15,
  /** Fields under another name. */
  aliases: 15,
  /** Fields at the root of a query, apart from `__typename`. */
  queryRoots: 10,
  /** Fields at the root of a mutation: each has effects of its own, so it gets a request of its own. */
  mutationRoots: 1,
  /** Fields within themselves: a carrier's products' carrier's products grow by a factor with each turn. */
  loops: 0,
  /** Selections of one response name at one place. Validation compares each with all others. */
  repeats: 30,
  /** Selections in all: fields, inline fragments and spreads. */
  selections: 500,
} as const

/** The fragments of a document, by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** The fragments of a document, by name. */
export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
}

/** The limits that a document exceeds, in any of its operations; empty for what may be validated. */
export function checkLimits(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  // Two of one name count as two.
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const tooMany = [
    ...excess('operations', operations.length, LIMITS.operations),
    ...excess('fragments', fragments.length, LIMITS.fragments),
  ]
  if (tooMany.length > 0) return tooMany
  const byName = fragmentsOf(document)
  return operations.flatMap((operation) => checkOperation(schema, byName, operation))
}

type Tally = {
  depth: number
  aliases: number
  roots: number
  selections: number
  loops: number
  /** How often each response name is selected, by its path from the root. */
  readonly repeats: Map<string, number>
}

/** Where a selection set stands: the type it selects from, its path, and the fields and fragments around it. */
type Place = {
  readonly type: GraphQLNamedType | undefined
  readonly depth: number
  readonly path: string
  readonly around: readonly string[]
}

type Walk = { readonly schema: GraphQLSchema; readonly fragments: Fragments; readonly tally: Tally }

function checkOperation(
  schema: GraphQLSchema,
  fragments: Fragments,
  operation: OperationDefinitionNode,
): readonly GraphQLError[] {
  const type = schema.getRootType(operation.operation)
  if (type == null) return [new GraphQLError(`There is no ${operation.operation}`, { nodes: operation })]
  const tally: Tally = { depth: 0, aliases: 0, roots: 0, selections: 0, loops: 0, repeats: new Map() }
  count({ schema, fragments, tally }, operation.selectionSet, { type, depth: 1, path: '', around: [] })
  const isMutation = operation.operation === 'mutation'
  return [
    ...excess('depth', tally.depth, LIMITS.depth, operation),
    ...excess('aliases', tally.aliases, LIMITS.aliases, operation),
    ...(isMutation
      ? excess('fields at the root of a mutation', tally.roots, LIMITS.mutationRoots, operation)
      : excess('fields at the root of a query', tally.roots, LIMITS.queryRoots, operation)),
    ...excess('fields within themselves', tally.loops, LIMITS.loops, operation),
    ...excess('selections of one field', Math.max(0, ...tally.repeats.values()), LIMITS.repeats, operation),
    ...excess('selections', tally.selections, LIMITS.selections, operation),
  ]
}

/** Adds up a selection set with all it spreads; gives up where the operation is refused anyway. */
function count(walk: Walk, set: SelectionSetNode, place: Place): void {
  const { fragments, tally } = walk
  for (const selection of set.selections) {
    if (tally.selections > LIMITS.selections) return
    tally.selections++
    if (selection.kind === Kind.FIELD) {
      countField(walk, selection, place)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const type = typeNamed(walk, selection.typeCondition?.name.value) ?? place.type
      count(walk, selection.selectionSet, { ...place, type })
    } else {
      const spread = `...${selection.name.value}`
      const fragment = fragments.get(selection.name.value)
      // A fragment within itself is refused by a rule of graphql-js; here it must only not run for ever.
      if (fragment === undefined || place.around.includes(spread)) continue
      const type = typeNamed(walk, fragment.typeCondition.name.value)
      count(walk, fragment.selectionSet, { ...place, type, around: [...place.around, spread] })
    }
  }
}

function countField(walk: Walk, field: FieldNode, place: Place): void {
  const { tally } = walk
  const { type, depth, around } = place
  const name = field.name.value
  const path = `${place.path}.${field.alias?.value ?? name}`
  tally.repeats.set(path, (tally.repeats.get(path) ?? 0) + 1)
  tally.depth = Math.max(tally.depth, depth)
  if (field.alias !== undefined) tally.aliases++
  if (depth === 1 && name !== '__typename') tally.roots++
  if (field.selectionSet === undefined || depth > LIMITS.depth) return
  // Introspection has types within types by its nature; graphql-js has a rule of its own for its depth.
  const ours = (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__')
  const definition = ours ? type.getFields()[name] : undefined
  const here = `${type?.name}.${name}`
  if (definition !== undefined && around.includes(here)) {
    tally.loops++
    return
  }
  const inner = definition && getNamedType(definition.type)
  count(walk, field.selectionSet, { type: inner, depth: depth + 1, path, around: [...around, here] })
}

function typeNamed({ schema }: Walk, name: string | undefined): GraphQLNamedType | undefined {
  return name === undefined ? undefined : schema.getType(name)
}

// Whether a document may run: the limits first, which are cheap, then the rules of graphql-js, and last the one that
// compares fields with each other, whose work the limits and the other rules bound. Apollo would run all rules in one
// pass and the limits among them.

const CHEAP_RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)
/** One place is left for the note of graphql-js that there are more. */
const OPTIONS = { maxErrors: LISTED_ERRORS - 1 }

/** Checks documents against a schema; a document that Apollo still has is checked once. */
export function documentCheck({ introspection }: { readonly introspection: boolean }) {
  const rules = introspection ? CHEAP_RULES : [...CHEAP_RULES, NoSchemaIntrospectionCustomRule]
  const checked = new WeakMap<DocumentNode, readonly GraphQLError[]>()
  return (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
    const known = checked.get(document)
    if (known !== undefined) return known
    const found = faultsOf(schema, document, rules)
    checked.set(document, found)
    return found
  }
}

function faultsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: typeof specifiedRules,
): readonly GraphQLError[] {
  const excesses = checkLimits(schema, document)
  if (excesses.length > 0) return excesses
  const faults = validate(schema, document, rules, OPTIONS)
  if (faults.length > 0) return faults
  return validate(schema, document, [OverlappingFieldsCanBeMergedRule], OPTIONS)
}
