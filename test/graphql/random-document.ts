/** Random queries that the schema and the limits accept. */
import fc from 'fast-check'
import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { checkText } from '../../src/graphql/document-text.ts'
import { checkLimits } from '../../src/graphql/guards.ts'

/** A root field: its name, declarations of its variables, its arguments, and the values to choose from. */
export type RandomRoot = {
  readonly field: string
  /** `input: RatesInput!` declares a variable that is passed to the argument of the same name. */
  readonly variables: Readonly<Record<string, string>>
  readonly values: readonly object[]
}

export type RandomDocument = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }

/** Up to three root fields, each under its own alias and with its own variables. */
export function randomDocument(
  schema: GraphQLSchema,
  roots: readonly RandomRoot[],
): fc.Arbitrary<RandomDocument> {
  const query = schema.getQueryType()
  if (query == null) throw new Error('the schema has no query type')
  return fc
    .array(fc.constantFrom(...roots), { minLength: 1, maxLength: 3 })
    .chain((chosen) => fc.tuple(...chosen.map((root, index) => randomRoot(schema, query, root, index))))
    .map((parts) => ({
      query: writeQuery(parts),
      variables: Object.assign({}, ...parts.map(({ variables }) => variables)) as RandomDocument['variables'],
    }))
    .filter(({ query }) => isAccepted(schema, query))
}

type RootPart = {
  readonly declarations: readonly string[]
  readonly selection: string
  readonly variables: object
}

function randomRoot(
  schema: GraphQLSchema,
  query: GraphQLObjectType,
  { field, variables, values }: RandomRoot,
  index: number,
): fc.Arbitrary<RootPart> {
  const definition = query.getFields()[field]
  if (definition === undefined) throw new Error(`the schema has no root field ${field}`)
  const names = Object.keys(variables)
  const inputs = names.map((name) => `${name}: $${name}${index}`).join(', ')
  return fc
    .tuple(selectionOf(schema, definition.type, [`Query.${field}`]), fc.constantFrom(...values))
    .map(([selection, value]) => ({
      declarations: names.map((name) => `$${name}${index}: ${variables[name]}`),
      selection: `r${index}: ${field}${inputs === '' ? '' : `(${inputs})`}${selection}`,
      variables: Object.fromEntries(Object.entries(value).map(([name, given]) => [`${name}${index}`, given])),
    }))
}

function writeQuery(parts: readonly RootPart[]): string {
  const declarations = parts.flatMap((part) => part.declarations).join(', ')
  return `query Random${declarations === '' ? '' : `(${declarations})`} { ${parts.map(({ selection }) => selection).join(' ')} }`
}

/** Empty for scalars. `path` contains the enclosing fields, because a field may not contain itself. */
function selectionOf(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  path: readonly string[],
): fc.Arbitrary<string> {
  const named = getNamedType(type)
  if (isAbstractType(named)) {
    const members = schema.getPossibleTypes(named)
    const interfaces = Object.values(schema.getTypeMap()).filter(
      (other) => isInterfaceType(other) && members.some((member) => schema.isSubType(other, member)),
    )
    return fc
      .tuple(...[...members, ...interfaces].map((member) => fragmentOn(schema, member, path)))
      .map((fragments) => `{ __typename ${fragments.join(' ')} }`)
  }
  if (!isObjectType(named)) return fc.constant('')
  return fieldsOf(schema, named, path).map((fields) => `{ ${fields} }`)
}

function fragmentOn(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  path: readonly string[],
): fc.Arbitrary<string> {
  if (!isObjectType(type) && !isInterfaceType(type)) return fc.constant('')
  return fieldsOf(schema, type, path).map((fields) => `... on ${type.name} { ${fields} }`)
}

function fieldsOf(
  schema: GraphQLSchema,
  type: {
    readonly name: string
    getFields(): GraphQLObjectType['getFields'] extends () => infer F ? F : never
  },
  path: readonly string[],
): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter(
    ({ name }) => !path.includes(`${type.name}.${name}`) && path.length < 14,
  )
  const chosen = fc
    .subarray(fields, { minLength: 1 })
    .chain((some) =>
      fc.tuple(
        ...some.map(({ name, type: inner }) =>
          selectionOf(schema, inner, [...path, `${type.name}.${name}`]).map(
            (selection) => `${name}${selection}`,
          ),
        ),
      ),
    )
  // Clients recommend selecting the id always: Apollo loses data if one selection of a field has the id and another has
  // not.
  const always = 'id' in type.getFields() ? 'id ' : ''
  return chosen.map((selections) => `${always}${selections.join(' ')}`)
}

/** Whether the schema and the limits accept the query. */
export function isAccepted(schema: GraphQLSchema, query: string): boolean {
  const document = parse(query)
  return (
    checkText(query).length === 0 &&
    checkLimits(schema, document).length === 0 &&
    validate(schema, document).length === 0
  )
}
