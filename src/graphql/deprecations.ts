/**
 * Finds the deprecated fields, arguments, input fields and enum values that an operation uses, so that the log counts
 * them. See docs/schema-changelog.md#deprecation.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isInterfaceType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { fragmentsIn } from './guards.ts'

/** The result for an operation without its variables. */
type Uses = {
  /** Coordinates, such as `Shipment.state` and `Query.shipments(first:)`. */
  readonly elements: readonly string[]
  /** The variables whose values may contain deprecated elements. Usually none. */
  readonly variables: readonly { readonly name: string; readonly type: GraphQLInputType }[]
}

export type DeprecationFinder = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => readonly string[]

/**
 * The returned function expects a valid document. It caches its result per operation, so that a repeated operation
 * costs one lookup, unless the types of its variables have deprecated elements.
 */
export function createDeprecationFinder(schema: GraphQLSchema): DeprecationFinder {
  const cache = new WeakMap<OperationDefinitionNode, Uses>()
  const affected = affectedInputTypes(schema)
  if (affected.size === 0 && !hasDeprecatedFields(schema)) return () => []
  return (document, operation, variables) => {
    let uses = cache.get(operation)
    if (uses === undefined) {
      uses = findUses(schema, affected, document, operation)
      cache.set(operation, uses)
    }
    if (uses.variables.length === 0) return uses.elements
    const found = new Set(uses.elements)
    for (const { name, type } of uses.variables) addFromValue(found, type, variables[name])
    return [...found]
  }
}

function findUses(
  schema: GraphQLSchema,
  affected: ReadonlySet<string>,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Uses {
  const found = new Set<string>()
  addFromDocument(found, schema, document, operation)
  const variables = (operation.variableDefinitions ?? []).flatMap(({ variable, type: node }) => {
    const type = typeFromAST(schema, node)
    if (type === undefined || !isInputType(type) || !affected.has(getNamedType(type).name)) return []
    return [{ name: variable.name.value, type }]
  })
  return { elements: [...found], variables }
}

/** Adds what the operation and the fragments that it spreads use. */
function addFromDocument(
  found: Set<string>,
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): void {
  const fragments = fragmentsIn(document)
  const pending: (OperationDefinitionNode | FragmentDefinitionNode)[] = [operation]
  const seen = new Set<string>()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const info = new TypeInfo(schema)
    const add = (coordinate: string, element: { deprecationReason?: unknown } | null | undefined) => {
      if (element?.deprecationReason != null) found.add(coordinate)
    }
    visit(
      node,
      visitWithTypeInfo(info, {
        Field: ({ name }) => add(`${info.getParentType()?.name}.${name.value}`, info.getFieldDef()),
        Argument({ name }) {
          const field = info.getFieldDef()
          if (info.getDirective() != null || field == null) return
          add(`${info.getParentType()?.name}.${field.name}(${name.value}:)`, info.getArgument())
        },
        ObjectField({ name }) {
          const type = getNamedType(info.getParentInputType())
          if (isInputObjectType(type)) add(`${type.name}.${name.value}`, type.getFields()[name.value])
        },
        EnumValue({ value }) {
          add(`${getNamedType(info.getInputType())?.name}.${value}`, info.getEnumValue())
        },
        FragmentSpread({ name }) {
          const fragment = fragments.get(name.value)
          if (fragment === undefined || seen.has(name.value)) return
          seen.add(name.value)
          pending.push(fragment)
        },
      }),
    )
  }
}

/** Adds what a value of a variable uses. The value need not match the type. */
function addFromValue(found: Set<string>, type: GraphQLInputType, value: unknown): void {
  const nullable = getNullableType(type)
  if (value == null) return
  if (isListType(nullable)) {
    // A single value counts as a list of one.
    for (const entry of Array.isArray(value) ? value : [value]) addFromValue(found, nullable.ofType, entry)
  } else if (isEnumType(nullable)) {
    const definition = typeof value === 'string' ? nullable.getValue(value) : undefined
    if (definition?.deprecationReason != null) found.add(`${nullable.name}.${definition.name}`)
  } else if (isInputObjectType(nullable) && typeof value === 'object') {
    const given: Readonly<Record<string, unknown>> = { ...value }
    for (const field of Object.values(nullable.getFields())) {
      if (given[field.name] === undefined) continue
      if (field.deprecationReason != null) found.add(`${nullable.name}.${field.name}`)
      addFromValue(found, field.type, given[field.name])
    }
  }
}

/** Whether a field or an argument is deprecated. */
function hasDeprecatedFields(schema: GraphQLSchema): boolean {
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) => Object.values(type.getFields()))
    .some((field) => [field, ...field.args].some(({ deprecationReason }) => deprecationReason != null))
}

/** The names of the input types and enums that contain a deprecated element, directly or in a field. */
function affectedInputTypes(schema: GraphQLSchema): ReadonlySet<string> {
  const types = Object.values(schema.getTypeMap())
  const affected = new Set<string>()
  for (let size = -1; size !== affected.size; ) {
    size = affected.size
    for (const type of types) {
      const isAffected = isEnumType(type)
        ? type.getValues().some(({ deprecationReason }) => deprecationReason != null)
        : isInputObjectType(type) &&
          Object.values(type.getFields()).some(
            (field) => field.deprecationReason != null || affected.has(getNamedType(field.type).name),
          )
      if (isAffected) affected.add(type.name)
    }
  }
  return affected
}
