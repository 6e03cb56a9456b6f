/**
 * Validates documents. First checks limits on their shape, which keep validation fast, then applies the rules of
 * graphql-js. The rule that compares fields with each other runs last, because the limits and the other rules bound its
 * work. The cost of an operation is calculated later, in cost/. See docs/limits.md#graphql-operations.
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
  MaxIntrospectionDepthRule,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OverlappingFieldsCanBeMergedRule,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from 'graphql'
import { excess, MAX_LISTED_ERRORS } from './errors.ts'

/** Fragments are counted each time they are spread. */
export const LIMITS = {
  /** Per document. Every operation is checked, although only one is executed. */
  operations: 10,
  /** Per document. */
  fragments: 50,
  /** Levels of fields. The introspection query of common tools has 15. */
  depth: 15,
  aliases: 15,
  /** Without `__typename`. */
  queryRoots: 10,
  /** Each mutation has side effects, so it needs its own request. */
  mutationRoots: 1,
  /** Fields nested in themselves, such as `carriers { products { carrier { products`. They multiply the response. */
  recursiveFields: 0,
  /** Selections with the same path of response names. Validation compares each with all others. */
  repeats: 30,
  /** Fields, inline fragments and spreads. */
  selections: 500,
} as const

/** By name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

export function fragmentsIn({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
}

/** Run separately: the first is slow, and the second one is a limit. */
const SEPARATE_RULES: readonly unknown[] = [OverlappingFieldsCanBeMergedRule, MaxIntrospectionDepthRule]
const CHEAP_RULES = specifiedRules.filter((rule) => !SEPARATE_RULES.includes(rule))
/** Of MaxIntrospectionDepthRule: lists of fields, arguments, interfaces or possible types inside each other. */
export const INTROSPECTION_DEPTH = 2
/** graphql-js adds one more error: that there are too many. */
const OPTIONS = { maxErrors: MAX_LISTED_ERRORS - 1 }

/**
 * The returned function checks a valid document once; Apollo reuses the documents of recent queries. It does not keep
 * errors: until its `stack` is read, an error keeps the objects of the validation in memory, about 70 KB.
 */
export function createDocumentCheck({ introspection }: { readonly introspection: boolean }) {
  const rules = introspection ? CHEAP_RULES : [...CHEAP_RULES, NoSchemaIntrospectionCustomRule]
  const valid = new WeakSet<DocumentNode>()
  return (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
    if (valid.has(document)) return []
    const errors = checkDocument(schema, document, rules)
    if (errors.length === 0) valid.add(document)
    return errors
  }
}

function checkDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: typeof specifiedRules,
): readonly GraphQLError[] {
  const excesses = checkLimits(schema, document)
  if (excesses.length > 0) return excesses
  const errors = validate(schema, document, rules, OPTIONS)
  if (errors.length > 0) return errors
  const [tooDeep] = mayReadSchema(document)
    ? validate(schema, document, [MaxIntrospectionDepthRule], OPTIONS)
    : []
  if (tooDeep !== undefined)
    return excess('introspection depth', INTROSPECTION_DEPTH + 1, INTROSPECTION_DEPTH, tooDeep.nodes?.[0])
  return validate(schema, document, [OverlappingFieldsCanBeMergedRule], OPTIONS)
}

/** False if the text has neither `__schema` nor `__type`, so that most documents are visited once less. */
function mayReadSchema({ loc }: DocumentNode): boolean {
  return loc === undefined || /__(schema|type)\b/.test(loc.source.body)
}

/** Returns one error per limit that any of the document's operations exceeds. */
export function checkLimits(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  // Not `fragmentsIn`, because fragments with the same name count separately.
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const tooMany = [
    ...excess('operations', operations.length, LIMITS.operations),
    ...excess('fragments', fragments.length, LIMITS.fragments),
  ]
  if (tooMany.length > 0) return tooMany
  const byName = fragmentsIn(document)
  return operations.flatMap((operation) => checkOperation(schema, byName, operation))
}

function checkOperation(
  schema: GraphQLSchema,
  fragments: Fragments,
  operation: OperationDefinitionNode,
): readonly GraphQLError[] {
  const type = schema.getRootType(operation.operation)
  if (type == null)
    return [new GraphQLError(`The schema has no ${operation.operation} type`, { nodes: operation })]
  const tally: Tally = {
    depth: 0,
    aliases: 0,
    roots: 0,
    selections: 0,
    recursiveFields: 0,
    repeats: new Map(),
  }
  count({ schema, fragments, tally }, operation.selectionSet, { type, depth: 1, path: '', ancestors: [] })
  const isMutation = operation.operation === 'mutation'
  return [
    ...excess('depth', tally.depth, LIMITS.depth, operation),
    ...excess('aliases', tally.aliases, LIMITS.aliases, operation),
    ...(isMutation
      ? excess('fields at the root of a mutation', tally.roots, LIMITS.mutationRoots, operation)
      : excess('fields at the root of a query', tally.roots, LIMITS.queryRoots, operation)),
    ...excess('recursive fields', tally.recursiveFields, LIMITS.recursiveFields, operation),
    ...excess('selections of one field', Math.max(0, ...tally.repeats.values()), LIMITS.repeats, operation),
    ...excess('selections', tally.selections, LIMITS.selections, operation),
  ]
}

type Tally = {
  depth: number
  aliases: number
  roots: number
  selections: number
  recursiveFields: number
  /** Number of selections by path of response names from the root. */
  readonly repeats: Map<string, number>
}

type Walk = { readonly schema: GraphQLSchema; readonly fragments: Fragments; readonly tally: Tally }

/** The position of a selection set in the document. */
type QueryPosition = {
  /** The type that the set selects from. */
  readonly type: GraphQLNamedType | undefined
  readonly depth: number
  readonly path: string
  /** The enclosing fields as `Type.field`, and the enclosing fragments as `...Name`. */
  readonly ancestors: readonly string[]
}

/** Counts a selection set and the fragments it spreads. Stops when there are too many selections. */
function count(walk: Walk, set: SelectionSetNode, position: QueryPosition): void {
  const { fragments, tally } = walk
  for (const selection of set.selections) {
    if (tally.selections > LIMITS.selections) return
    tally.selections++
    if (selection.kind === Kind.FIELD) {
      countField(walk, selection, position)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const type = namedType(walk, selection.typeCondition?.name.value) ?? position.type
      count(walk, selection.selectionSet, { ...position, type })
    } else {
      const spread = `...${selection.name.value}`
      const fragment = fragments.get(selection.name.value)
      // Prevents endless recursion. A rule of graphql-js refuses fragments inside themselves.
      if (fragment === undefined || position.ancestors.includes(spread)) continue
      const type = namedType(walk, fragment.typeCondition.name.value)
      count(walk, fragment.selectionSet, { ...position, type, ancestors: [...position.ancestors, spread] })
    }
  }
}

function countField(walk: Walk, field: FieldNode, position: QueryPosition): void {
  const { tally } = walk
  const { type, depth, ancestors } = position
  const name = field.name.value
  const path = `${position.path}.${field.alias?.value ?? name}`
  tally.repeats.set(path, (tally.repeats.get(path) ?? 0) + 1)
  tally.depth = Math.max(tally.depth, depth)
  if (field.alias !== undefined) tally.aliases++
  if (depth === 1 && name !== '__typename') tally.roots++
  if (field.selectionSet === undefined || depth > LIMITS.depth) return
  // Introspection types are recursive, so they are not checked here. graphql-js has a rule for their depth.
  const isSchemaType = (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__')
  const definition = isSchemaType ? type.getFields()[name] : undefined
  const coordinate = `${type?.name}.${name}`
  if (definition !== undefined && ancestors.includes(coordinate)) {
    tally.recursiveFields++
    return
  }
  const inner = definition && getNamedType(definition.type)
  count(walk, field.selectionSet, {
    type: inner,
    depth: depth + 1,
    path,
    ancestors: [...ancestors, coordinate],
  })
}

function namedType({ schema }: Walk, name: string | undefined): GraphQLNamedType | undefined {
  return name === undefined ? undefined : schema.getType(name)
}
