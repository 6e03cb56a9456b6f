import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql'
import { expect, test } from 'vitest'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { openInstance } from './instance.ts'

const schema = buildSchema(readSchemaText())
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
)

function undescribed(type: GraphQLNamedType): string[] {
  const parts: { description?: string | null | undefined; at: string }[] = []
  parts.push({ description: type.description, at: type.name })
  if (isEnumType(type))
    for (const value of type.getValues())
      parts.push({ description: value.description, at: `${type.name}.${value.name}` })
  if (isInputObjectType(type))
    for (const field of Object.values(type.getFields()))
      parts.push({ description: field.description, at: `${type.name}.${field.name}` })
  if (isObjectType(type) || isInterfaceType(type))
    for (const field of Object.values(type.getFields())) {
      parts.push({ description: field.description, at: `${type.name}.${field.name}` })
      for (const argument of field.args)
        parts.push({
          description: argument.description,
          at: `${type.name}.${field.name}(${argument.name})`,
        })
    }
  return parts.filter(({ description }) => !description?.trim()).map(({ at }) => at)
}

test('every type, field, argument and enum value has a description', () => {
  expect(types.flatMap(undescribed)).toEqual([])
  expect(schema.description).toMatch(/./)
})

test('every argument and input field that takes a value has an example', () => {
  const takesValue = ({ type }: { type: GraphQLInputType }) => {
    const named = getNamedType(type)
    return isScalarType(named) && named.name !== 'Boolean' && named.name !== '_Any'
  }
  const inputs = types.flatMap((type) =>
    isInputObjectType(type)
      ? Object.values(type.getFields())
      : isObjectType(type) && !type.name.startsWith('_')
        ? Object.values(type.getFields()).flatMap(({ args }) => args)
        : [],
  )
  const without = inputs
    .filter(takesValue)
    .filter(({ description }) => !/such as|for example/i.test(description ?? ''))
  // Cursors and tokens are opaque.
  const opaque = new Set(['after', 'before', 'optionToken'])
  expect(without.map(({ name }) => name).filter((name) => !opaque.has(name))).toEqual([])
})

test('every scalar has its description and the address of its specification, also by introspection', async () => {
  const { data } = await openInstance().ask('{ __schema { types { kind name description specifiedByURL } } }')
  type Found = { kind: string; name: string; description: string | null; specifiedByURL: string | null }
  const found = (data as { __schema: { types: Found[] } }).__schema.types.filter(
    ({ kind, name }) => kind === 'SCALAR' && /^(Decimal|Date|DateTime|CountryCode)$/.test(name),
  )
  expect(found).toHaveLength(4)
  for (const { description, specifiedByURL } of found) {
    expect(description).toMatch(/such as/)
    expect(specifiedByURL).toMatch(/^https:/)
  }
})

test('every outcome of an operation except success is a Problem', () => {
  const problem = schema.getType('Problem')
  if (!isInterfaceType(problem)) throw new Error('Problem is not an interface')
  const successes = types
    .filter(isUnionType)
    // Defined by Apollo Federation.
    .filter(({ name }) => name !== '_Entity')
    .map((union) => union.getTypes().filter((member) => !schema.isSubType(problem, member)))
  // The outcome of a cancellation is not known yet: neither a success nor a problem.
  const names = successes.map((members) =>
    members.map(({ name }) => name).filter((name) => name !== 'CancellationPending'),
  )
  expect(names.filter((members) => members.length !== 1)).toEqual([])
})

test('a field is called `id` only if it identifies its object among all objects of its type', () => {
  const withId = types.filter((type) => isObjectType(type) && 'id' in type.getFields())
  // Caches use `__typename` and `id` as the key of an object.
  expect(withId.map(({ name }) => name).sort()).toEqual([
    ...['Carrier', 'KeptEstimate', 'Product', 'Shipment', 'WebhookDelivery', 'WebhookEndpoint'],
  ])
})

test('a root field with arguments returns a union with a problem, a connection, or is nullable', () => {
  for (const root of [schema.getQueryType(), schema.getMutationType()])
    for (const { name, args, type } of Object.values(root?.getFields() ?? {})) {
      // `_entities` is a list whose entries are nullable.
      if (args.length === 0 || !isNonNullType(type) || name === '_entities') continue
      // Clients support lists that are plain connections only. Invalid arguments are top-level errors.
      if (/Connection!$/.test(String(type))) continue
      const named = getNamedType(type)
      const members = isUnionType(named) ? named.getTypes().map((member) => member.name) : []
      expect(
        ['InputProblem', 'ShipmentNotFound'].some((problem) => members.includes(problem)),
        name,
      ).toBe(true)
    }
})

test('introspection returns the descriptions and specifications of the schema files', async () => {
  const { ask } = openInstance()
  const names = ['Decimal', 'Date', 'DateTime', 'CountryCode', 'Query', 'Mutation']
  const fields = names.map((name) => `${name}: __type(name: "${name}") { description specifiedByURL }`)
  const { data } = await ask(`{ __schema { description } ${fields.join(' ')} }`)
  expect(data).toEqual({
    __schema: { description: schema.description },
    ...Object.fromEntries(
      names.map((name) => {
        const type = schema.getType(name)!
        const specifiedByURL = isScalarType(type) ? (type.specifiedByURL ?? null) : null
        return [name, { description: type.description, specifiedByURL }]
      }),
    ),
  })
})
