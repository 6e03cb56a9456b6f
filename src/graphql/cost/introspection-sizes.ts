/**
 * How long the lists of introspection are: facts of the schema. All types have `fields` on the average; a type that
 * is asked for by name, or that another leads to, may be the one with the most.
 */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'

/** The entries of each list of introspection, by type and field, or by the field around it and field. */
export function introspectionSizes(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap())
  const lists: Readonly<Record<string, (type: GraphQLNamedType) => number>> = {
    fields: (type) => fieldsOf(type).length,
    inputFields: (type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0),
    enumValues: (type) => (isEnumType(type) ? type.getValues().length : 0),
    interfaces: (type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0),
    possibleTypes: (type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0),
  }
  const sizes = new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', schema.getDirectives().length],
    ['__Directive.locations', most(schema.getDirectives(), ({ locations }) => locations.length)],
    ['__Directive.args', most(schema.getDirectives(), ({ args }) => args.length)],
    // On the average of a type's fields, which are always listed together.
    ['__Field.args', most(types, argumentsPerField)],
  ])
  for (const [name, count] of Object.entries(lists)) {
    sizes.set(`__Type.${name}`, most(types, count))
    sizes.set(`__Schema.types.${name}`, types.reduce((sum, type) => sum + count(type), 0) / types.length)
  }
  return sizes
}

function fieldsOf(type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
}

function argumentsPerField(type: GraphQLNamedType): number {
  const fields = fieldsOf(type)
  return fields.reduce((sum, { args }) => sum + args.length, 0) / Math.max(1, fields.length)
}

function most<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((highest, item) => Math.max(highest, count(item)), 0)
}
