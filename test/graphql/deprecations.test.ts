/** Counting deprecated elements, with a small schema, and the log line of the door. */
import { buildSchema, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql'
import { describe, expect, test, vi } from 'vitest'
import { createDeprecationFinder } from '../../src/graphql/deprecations.ts'
import { CREDENTIALS, openInstance } from './instance.ts'

const DEPRECATED = '@deprecated(reason: "No replacement. Removal: 2027-06-01.")'

const schema = buildSchema(`
  type Query {
    old: Int ${DEPRECATED}
    shipments(first: Int, limit: Int ${DEPRECATED}, filter: Filter, sort: Sort = OLD, ids: [ID!]): [Shipment!]!
    node: Node
  }
  interface Node { id: ID!, legacyId: ID ${DEPRECATED} }
  type Shipment implements Node { id: ID!, legacyId: ID ${DEPRECATED}, at: String ${DEPRECATED}, state: String }
  enum Sort { NEW OLD ${DEPRECATED} }
  input Filter { states: [State!], state: State ${DEPRECATED}, inner: [Filter!] }
  enum State { DRAFT LOST ${DEPRECATED} }
`)

const finder = createDeprecationFinder(schema)

function find(text: string, variables: Readonly<Record<string, unknown>> = {}, operationName?: string) {
  const document = parse(text)
  expect(validate(schema, document)).toEqual([])
  return [...finder(document, getOperationAST(document, operationName)!, variables)].sort()
}

describe('the deprecated elements of an operation', () => {
  test.each([
    ['{ shipments(first: 1) { id state } }', []],
    ['{ old }', ['Query.old']],
    ['{ a: old b: old }', ['Query.old']],
    ['{ shipments(limit: 1) { id at } }', ['Query.shipments(limit:)', 'Shipment.at']],
    ['{ node { legacyId ... on Shipment { legacyId } } }', ['Node.legacyId', 'Shipment.legacyId']],
    ['{ shipments(sort: OLD) { id } }', ['Sort.OLD']],
    ['{ shipments(filter: { state: DRAFT }) { id } }', ['Filter.state']],
    ['{ shipments(filter: { inner: [{ states: [DRAFT, LOST] }] }) { id } }', ['State.LOST']],
    ['query ($s: Sort = OLD) { shipments(sort: $s) { id } }', ['Sort.OLD']],
    ['{ ...A } fragment A on Query { ...B } fragment B on Query { old }', ['Query.old']],
  ])('of %s are %j', (text, expected) => {
    expect(find(text)).toEqual(expected)
  })

  test.each([
    [{ filter: { states: ['DRAFT'] } }, []],
    [{ filter: { state: 'DRAFT' } }, ['Filter.state']],
    [{ filter: { states: 'LOST' } }, ['State.LOST']],
    [{ filter: { inner: [{ state: null }, { states: ['LOST'] }] } }, ['Filter.state', 'State.LOST']],
    [{ sort: 'OLD' }, ['Sort.OLD']],
    [{ sort: 'constructor', filter: 'malformed' }, []],
    [{}, []],
  ])('include those in the variables %j', (variables, expected) => {
    const text = 'query ($filter: Filter, $sort: Sort) { shipments(filter: $filter, sort: $sort) { id } }'
    expect(find(text, variables)).toEqual(expected)
  })

  test.each([
    ['none', 'type Query { a(b: In, c: E): Int } input In { d: Int } enum E { F }', []],
    [
      'a field',
      `type Query { a(b: In, c: E): Int ${DEPRECATED} } input In { d: Int } enum E { F }`,
      ['Query.a'],
    ],
    [
      'an argument',
      `type Query { a(b: In ${DEPRECATED}, c: E): Int } input In { d: Int } enum E { F }`,
      ['Query.a(b:)'],
    ],
    [
      'an input field',
      `type Query { a(b: In, c: E): Int } input In { d: Int ${DEPRECATED} } enum E { F }`,
      ['In.d'],
    ],
    [
      'an enum value',
      `type Query { a(b: In, c: E): Int } input In { d: Int } enum E { F ${DEPRECATED} }`,
      ['E.F'],
    ],
  ])('are found if %s is all that is deprecated', (_what, types, expected) => {
    const document = parse('{ a(b: { d: 1 }, c: F) }')
    expect(createDeprecationFinder(buildSchema(types))(document, getOperationAST(document)!, {})).toEqual(
      expected,
    )
  })

  test('are those of the selected operation', () => {
    const text = 'query A { old } query B { shipments { ...C } } fragment C on Shipment { at }'
    expect(find(text, {}, 'A')).toEqual(['Query.old'])
    expect(find(text, {}, 'B')).toEqual(['Shipment.at'])
  })

  test('are computed once per document', () => {
    const document = parse('query ($ids: [ID!]) { old shipments(ids: $ids) { at } }')
    const operation = getOperationAST(document)!
    const first = finder(document, operation, { ids: ['1'] })
    expect(finder(document, operation, { ids: ['2'] })).toBe(first)
  })
})

// The real schema has no deprecated element. This adds one.
vi.mock('../../src/graphql/deprecations.ts', async (load) => {
  const actual = await load<typeof import('../../src/graphql/deprecations.ts')>()
  const withDeprecation = (real: GraphQLSchema) => {
    const carriers = real.getQueryType()?.getFields()['carriers']
    if (carriers !== undefined) carriers.deprecationReason = 'No replacement. Removal: 2027-06-01.'
    return actual.createDeprecationFinder(real)
  }
  return { ...actual, createDeprecationFinder: withDeprecation }
})

const { ask, lines } = openInstance({ logLevel: 'info' })

test('a request that uses deprecated elements has a log line with them and the account', async () => {
  const logged = () => lines.filter(({ deprecated }) => deprecated !== undefined)
  expect((await ask('{ carriers { id } }', undefined, { 'x-pp-api': CREDENTIALS })).status).toBe(200)
  expect(logged()).toMatchObject([
    {
      level: 'info',
      msg: 'the request uses deprecated elements',
      deprecated: ['Query.carriers'],
      account: expect.any(String),
      requestId: expect.any(String),
    },
  ])
  await ask('{ shipment(id: "1") { id } }')
  await ask('{ carriers { nothing } }')
  expect(logged()).toHaveLength(1)
  for (let repeat = 0; repeat < 5; repeat++) await ask('{ carriers { id } }')
  expect(logged()).toHaveLength(6)
})
