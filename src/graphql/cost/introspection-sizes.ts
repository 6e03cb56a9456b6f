/** The lengths of introspection lists, which depend only on the schema. */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'

/**
 * Number of entries of introspection lists, by `Type.field`. Below `__schema { types }` it is the
 * average, because all types are returned. Elsewhere it is the maximum.
 */
export function introspectionSizes(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap())
  const directives = schema.getDirectives()
  const lists: Readonly<Record<string, (type: GraphQLNamedType) => number>> = {
    fields: (type) => fieldsOf(type).length,
    inputFields: (type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0),
    enumValues: (type) => (isEnumType(type) ? type.getValues().length : 0),
    interfaces: (type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0),
    possibleTypes: (type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0),
  }
  const sizes = new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', directives.length],
    ['__Directive.locations', Math.max(...directives.map(({ locations }) => locations.length))],
    ['__Directive.args', Math.max(...directives.map(({ args }) => args.length))],
    // The average over a type's fields, because all of them are returned.
    ['__Field.args', Math.max(...types.map(argumentsPerField))],
  ])
  for (const [name, count] of Object.entries(lists)) {
    sizes.set(`__Type.${name}`, Math.max(...types.map(count)))
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
