/**
 * The schema for clients: one flat document without the parts for gateways. `extend type` is merged into its type,
 * because Relay takes extensions for fields of the client, and refuses `extend schema`. The files in `schema/` are the
 * schema of a subgraph; see docs/graphql-federation.md.
 */
import {
  type DefinitionNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  visit,
} from 'graphql'

const FEDERATION_DIRECTIVES: ReadonlySet<string> = new Set(['link', 'key', 'shareable'])

/** A leading underscore, or a prefix with two, marks names of federation. */
const FEDERATION_NAME = /^_|^(?:link|federation)__/

export function apiSchemaText(subgraphSchema: string): string {
  const document = visit(parse(subgraphSchema, { noLocation: true }), {
    Directive: ({ name }) => (FEDERATION_DIRECTIVES.has(name.value) ? null : undefined),
    FieldDefinition: ({ name }) => (FEDERATION_NAME.test(name.value) ? null : undefined),
  })
  const added = new Map<string, readonly FieldDefinitionNode[]>()
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_EXTENSION) continue
    const { name, fields = [] } = definition
    added.set(name.value, [...(added.get(name.value) ?? []), ...fields])
  }
  const definitions = document.definitions
    .filter(isForClients)
    .map((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION ? withFields(definition, added) : definition,
    )
  return `${print({ kind: Kind.DOCUMENT, definitions })}\n`
}

function isForClients(definition: DefinitionNode): boolean {
  switch (definition.kind) {
    case Kind.SCHEMA_EXTENSION:
    case Kind.OBJECT_TYPE_EXTENSION:
      return false
    case Kind.DIRECTIVE_DEFINITION:
      return !FEDERATION_DIRECTIVES.has(definition.name.value)
    case Kind.SCHEMA_DEFINITION:
      return true
    default:
      return !('name' in definition && FEDERATION_NAME.test(definition.name?.value ?? ''))
  }
}

function withFields(
  definition: ObjectTypeDefinitionNode,
  added: ReadonlyMap<string, readonly FieldDefinitionNode[]>,
): ObjectTypeDefinitionNode {
  const { name, fields = [] } = definition
  return { ...definition, fields: [...fields, ...(added.get(name.value) ?? [])] }
}
