/**
 * Reads the costs that `schema/` declares with `@cost` and `@listSize`, the directives of the GraphQL cost
 * specification (https://ibm.github.io/graphql-specs/cost-spec.html). Throws if a list has no declared size, so a
 * service with such a schema does not start.
 */
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isAbstractType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql'
import { responseUnits, unitsOf } from '../../operations/points.ts'

export type AnyField = GraphQLField<unknown, unknown>

export type DeclaredCost = {
  /** Of the field itself, in units of operations/points.ts. */
  readonly units: number
  /** The number of entries if no argument determines it. */
  readonly assumedSize: number
  /** Paths of the arguments that determine the number of entries. Empty if there are none. */
  readonly slicingArguments: readonly (readonly string[])[]
  /** The lists that the arguments measure. Empty if the field itself is the list. */
  readonly sizedFields: readonly string[]
}

export type DeclaredCosts = (field: AnyField) => DeclaredCost

/** Fields without a directive, such as those of introspection. */
const DEFAULT: DeclaredCost = {
  units: responseUnits(1),
  assumedSize: 0,
  slicingArguments: [],
  sizedFields: [],
}

export function readDeclaredCosts(schema: GraphQLSchema): DeclaredCosts {
  const costs = new Map<AnyField, DeclaredCost>()
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) costs.set(field, readCost(schema, type, field))
  }
  return (field) => costs.get(field) ?? DEFAULT
}

export function isList({ type }: { readonly type: GraphQLOutputType }): boolean {
  return isListType(getNullableType(type))
}

function isListOfLists({ type }: AnyField): boolean {
  const list = getNullableType(type)
  return isListType(list) && isListType(getNullableType(list.ofType))
}

function readCost(schema: GraphQLSchema, type: GraphQLObjectType, field: AnyField): DeclaredCost {
  const fail = (fault: string): never => {
    throw new Error(`${type.name}.${field.name} ${fault}`)
  }
  const cost = valuesOf(schema, field, 'cost')
  const units = cost === undefined ? DEFAULT.units : unitsOf(Number(cost['weight']))
  if (!(units >= 0)) fail('must have a @cost with a weight in points, such as "0.5"')
  const list = valuesOf(schema, field, 'listSize')
  if (isListOfLists(field)) fail('is a list of lists, which cannot be sized')
  if (list === undefined) return isList(field) ? fail('is a list and needs @listSize') : { ...DEFAULT, units }
  const { assumedSize = 0 } = list
  const [slicingArguments = [], sizedFields = []] = [list['slicingArguments'], list['sizedFields']]
  if (typeof assumedSize !== 'number' || !areNames(slicingArguments) || !areNames(sizedFields))
    return fail('must have a valid @listSize')
  if (list['assumedSize'] === undefined && slicingArguments.length === 0)
    fail('needs assumedSize or slicingArguments in its @listSize')
  const paths = slicingArguments.map((path) => path.split('.'))
  for (const [name] of paths)
    if (field.args.every((argument) => argument.name !== name)) fail(`has no argument ${name}`)
  for (const name of sizedFields) if (!hasList(schema, field, name)) fail(`returns no list ${name}`)
  if (sizedFields.length === 0 && !isList(field)) fail('is not a list, so its @listSize needs sizedFields')
  return { units, assumedSize, slicingArguments: paths, sizedFields }
}

function valuesOf(schema: GraphQLSchema, { astNode }: AnyField, name: string) {
  const directive = schema.getDirective(name)
  return directive == null || astNode == null ? undefined : getDirectiveValues(directive, astNode)
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function hasList(schema: GraphQLSchema, { type }: AnyField, name: string): boolean {
  const named = getNamedType(type)
  const types = isAbstractType(named) ? schema.getPossibleTypes(named) : [named]
  return types.some((member) => {
    const field = isObjectType(member) ? member.getFields()[name] : undefined
    return field !== undefined && isList(field)
  })
}
