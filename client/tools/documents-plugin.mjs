/**
 * A plugin of graphql-codegen. Writes every operation of client/documents as a string with its result and variable
 * types, `possibleTypes`, `successTypes` and `graphcacheKeys`. The strings include their fragments, without blanks that
 * have no meaning.
 */
import {
  concatAST,
  isAbstractType,
  isObjectType,
  isUnionType,
  Kind,
  print,
  stripIgnoredCharacters,
  visit,
} from 'graphql'

export function plugin(schema, documents) {
  const { definitions } = concatAST(documents.map(({ document }) => document))
  const fragments = new Map(
    definitions
      .filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  )
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  return {
    prepend: ["import type { TypedDocumentString } from './document.ts'"],
    content: [
      ...operations.map((operation) => documentCode(operation, fragments)),
      possibleTypesCode(schema),
      successTypesCode(schema),
      graphcacheKeysCode(schema),
    ].join('\n\n'),
  }
}

function documentCode(operation, fragments) {
  const name = operation.name.value
  const type = `${name}${operation.operation === 'mutation' ? 'Mutation' : 'Query'}`
  const text = [operation, ...fragmentsIn(operation, fragments)].map(print).join('\n')
  const literal = JSON.stringify(stripIgnoredCharacters(text))
    .slice(1, -1)
    .replaceAll("'", "\\'")
    .replaceAll('\\"', '"')
  return `export const ${name}Document = '${literal}' as TypedDocumentString<\n  ${type},\n  ${type}Variables\n>`
}

/** The fragments that a node spreads, directly or within other fragments. Adds them to `found`. */
function fragmentsIn(node, fragments, found = new Set()) {
  visit(node, {
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value)
      if (fragment === undefined) throw new Error(`there is no fragment ${name.value}`)
      if (found.has(fragment)) return
      found.add(fragment)
      fragmentsIn(fragment, fragments, found)
    },
  })
  return [...found]
}

function possibleTypesCode(schema) {
  const types = Object.values(schema.getTypeMap())
    // A leading underscore marks types of federation.
    .filter((type) => isAbstractType(type) && !type.name.startsWith('_'))
    .map((type) => [
      type.name,
      schema
        .getPossibleTypes(type)
        .map(({ name }) => name)
        .sort(),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    '/** The members of every union and interface, in the form of the option `possibleTypes` of Apollo Client. */',
    // Not `as const`: Apollo's type of the option has no readonly lists.
    'export const possibleTypes: {',
    ...types.map(([name, members]) => `  ${name}: (${members.map((member) => `'${member}'`).join(' | ')})[]`),
    `} = ${JSON.stringify(Object.fromEntries(types), null, 2)}`,
  ].join('\n')
}

/** The members of unions that are not problems. A type that this version does not know is then a problem. */
function successTypesCode(schema) {
  const problems = schema.getPossibleTypes(schema.getType('Problem'))
  const names = Object.values(schema.getTypeMap())
    .filter((type) => isUnionType(type) && !type.name.startsWith('_'))
    .flatMap((union) => union.getTypes())
    .filter((member) => !problems.includes(member))
    .map(({ name }) => name)
  const list = [...new Set(names)].sort().map((name) => `'${name}'`)
  return `/** The results of operations that are not problems. */\nexport const successTypes = [\n  ${list.join(',\n  ')},\n] as const`
}

function graphcacheKeysCode(schema) {
  const roots = new Set([schema.getQueryType(), schema.getMutationType()])
  const names = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !roots.has(type) && !/^_/.test(type.name))
    .filter((type) => type.getFields().id === undefined)
    .map(({ name }) => name)
    .sort()
  return [
    '/**',
    ' * The option `keys` of graphcache, the normalised cache of urql: the types without an id. Without it, graphcache warns',
    ' * that they have no key.',
    ' */',
    'export const graphcacheKeys: Readonly<Record<string, () => null>> = /* @__PURE__ */ Object.fromEntries(',
    `  '${names.join(' ')}'.split(' ').map((name) => [name, () => null]),`,
    ')',
  ].join('\n')
}
