/** Compiled queries return the same data as graphql-js, or fail where it reports errors. */
import { makeExecutableSchema } from '@graphql-tools/schema'
import type { IResolvers } from '@graphql-tools/utils'
import fc from 'fast-check'
import {
  type DocumentNode,
  execute,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Context } from '../../../src/graphql/context.ts'
import { compileQuery, MAX_COMPILED_FIELDS } from '../../../src/graphql/execution/compiler.ts'
import { fragmentsIn } from '../../../src/graphql/guards.ts'
import { caseCount } from '../../support/random/case-count.ts'

const typeDefs = `
  type Query { node: Node  must: Node!  any: Any  named: Named  nodes: [Node!]  deep: [[Int]!]
    echo(text: String = "default", list: [Int!], on: Boolean): String }
  interface Named { name: String }
  type Node implements Named {
    id: ID!  name: String  count: Int  share: Float  on: Boolean  colour: Colour  amount: Amount!
    next: Node  must: Node!  others: [Node]  required: [Node!]!  tags: [String!]  any: Any  named: [Named]
    echo(text: String): String
  }
  type Leaf implements Named { name: String  id: ID! }
  union Any = Node | Leaf
  enum Colour { RED GREEN }
  scalar Amount
`

const resolvers = {
  Query: {
    node: (_root: unknown, _args: unknown, { value }: { value: unknown }) => value,
    must: (_root: unknown, _args: unknown, { value }: { value: unknown }) => value,
    any: (_root: unknown, _args: unknown, { value }: { value: unknown }) => value,
    named: (_root: unknown, _args: unknown, { value }: { value: unknown }) => value,
    nodes: (_root: unknown, _args: unknown, { value }: { value: unknown }) => [value, value],
    deep: async () => [[1, null], Promise.resolve([2])],
    echo: (_root: unknown, args: object) => JSON.stringify(args),
  },
}

/** Reads a property like graphql-js, which also calls functions. */
const propertyOf =
  (name: string) =>
  (source: Record<string, unknown>, args: object): unknown => {
    const value = source[name]
    return typeof value === 'function' ? value.call(source, args) : value
  }

const fieldsOf = (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, propertyOf(name)]))

/** All fields have resolvers, whose results can be promises. */
const schema = makeExecutableSchema({
  typeDefs,
  resolvers: {
    ...resolvers,
    Node: fieldsOf('id name count share on colour amount next must others required tags any named echo'),
    Leaf: fieldsOf('name id'),
  },
})

/** Fields without a resolver are properties, which are neither promises nor functions. */
const propertySchema = makeExecutableSchema({ typeDefs, resolvers })

type Request = {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Creates the value of the root fields, for each execution. */
  readonly value?: () => unknown
}

const ERRORS = 'errors'
const UNSUPPORTED = 'unsupported'

/** The response as text, `ERRORS` or `UNSUPPORTED`. */
async function runCompiled(within: GraphQLSchema, document: DocumentNode, request: Request): Promise<string> {
  const { variables = {}, value = () => ({}) } = request
  const operation = getOperationAST(document) as OperationDefinitionNode
  const compiled = compileQuery(within, fragmentsIn(document), operation, variables)
  if (compiled === undefined) return UNSUPPORTED
  try {
    return `{"data":${await compiled.run({ value: value() } as unknown as Context, variables)}}`
  } catch {
    return ERRORS
  }
}

async function runGraphqlJs(
  within: GraphQLSchema,
  document: DocumentNode,
  request: Request,
): Promise<string> {
  const { variables = {}, value = () => ({}) } = request
  const contextValue = { value: value() }
  const result = await execute({ schema: within, document, contextValue, variableValues: variables })
  return result.errors === undefined ? JSON.stringify({ data: result.data }) : ERRORS
}

async function expectSame(request: Request, within = schema): Promise<string> {
  const document = parse(request.query)
  expect(validate(within, document)).toEqual([])
  const compiled = await runCompiled(within, document, request)
  expect(compiled).toBe(await runGraphqlJs(within, document, request))
  return compiled
}

const NODE = { __typename: 'Node', id: '1', name: 'a "name"\u2028', amount: '1.50', count: 3, share: 0.1 }

describe('a compiled query returns the data of graphql-js for', () => {
  test.each<[string, string, () => unknown]>([
    [
      'scalars and enums',
      '{ node { id name count share amount on colour } }',
      () => ({ ...NODE, colour: 'RED', on: false }),
    ],
    [
      'values that a scalar converts',
      '{ node { id name count share } }',
      () => ({ id: 7, name: true, count: '3', share: '1' }),
    ],
    [
      'nulls and missing properties',
      '{ node { name next { id } others { id } tags } }',
      () => ({ next: null, tags: null }),
    ],
    [
      'aliases',
      '{ a: node { id: name, name: id, toString: count, constructor: id } b: node { id } }',
      () => NODE,
    ],
    ['an alias that is the name of the prototype', '{ node { __proto__: name, id } }', () => NODE],
    [
      'merged selections',
      '{ node { next { id } name next { name } ... on Node { id } } }',
      () => ({ ...NODE, next: NODE }),
    ],
    ['unions', '{ any { __typename ... on Node { id } ... on Leaf { name } } }', () => NODE],
    [
      'interfaces',
      '{ named { name __typename ... on Leaf { id } } }',
      () => ({ ...NODE, __typename: 'Leaf' }),
    ],
    [
      'fragments',
      '{ node { ...F } } fragment F on Node { id ...G } fragment G on Named { name }',
      () => NODE,
    ],
    [
      'promises',
      '{ node { name next { id } others { id } } }',
      () =>
        Promise.resolve({
          name: Promise.resolve('a'),
          next: Promise.resolve(NODE),
          others: Promise.resolve([Promise.resolve(NODE), null]),
        }),
    ],
    [
      'functions',
      '{ node { name next { id } echo(text: "x") } }',
      () => ({
        name: () => 'a',
        next: async () => NODE,
        echo: ({ text }: { text: string }) => `${text}${text}`,
      }),
    ],
    [
      'functions that read their object',
      '{ node { name } }',
      () => ({
        own: 'a',
        name(this: { own: string }) {
          return this.own
        },
      }),
    ],
    ['lists in lists', '{ deep }', () => undefined],
    [
      'iterables',
      '{ node { tags others { id } } }',
      () => ({ tags: new Set(['a', 'b']), others: new Map([[1, NODE]]).values() }),
    ],
    [
      'instances of classes',
      '{ node { id name } }',
      () => Object.create({ id: 'inherited', name: () => 'too' }),
    ],
  ])('%s', async (_name, query, value) => {
    expect(await expectSame({ query, value })).toMatch(/^\{"data"/)
  })

  test.each([
    [{}],
    [{ on: true }],
    [{ on: false }],
    [{ on: true, off: true }],
  ])('@include and @skip with %j', async (given) => {
    const variables = { on: false, off: false, ...given }
    const query = `query ($on: Boolean!, $off: Boolean!) {
      node { name @include(if: $on) id ...F @skip(if: $off) ... @include(if: $on) { count } name @skip(if: $on) }
    }
    fragment F on Node { share next { id @skip(if: true) name } }`
    await expectSame({ query, variables, value: () => ({ ...NODE, next: NODE }) })
  })

  test.each([
    [{}],
    [{ text: 'x', on: true }],
    [{ text: null, list: [1, 2] }],
  ])('arguments with the variables %j', async (variables) => {
    await expectSame({
      query: `query ($text: String, $list: [Int!], $on: Boolean) {
        echo(text: $text, list: $list, on: $on) again: echo(text: """a "block" \${x}""", list: 1) none: echo
      }`,
      variables,
    })
  })
})

describe('a compiled query fails where graphql-js reports an error:', () => {
  const circular = (): unknown => Promise.reject(new Error('late'))
  test.each<[string, string, () => unknown]>([
    ['a null where a value is required', '{ must { id } }', () => null],
    ['a required field without a value', '{ node { next { amount } } }', () => ({ next: {} })],
    ['a value that a scalar refuses', '{ node { count } }', () => ({ count: 'many' })],
    ['a value that is not in the enum', '{ node { colour } }', () => ({ colour: 'BLUE' })],
    ['an error as value', '{ node { next { id } } }', () => ({ next: new Error('no') })],
    ['an error as value of a scalar', '{ node { name } }', () => ({ name: new Error('no') })],
    ['an error in a list', '{ node { others { id } } }', () => ({ others: [NODE, new Error('no')] })],
    [
      'a function that throws',
      '{ node { name } }',
      () => ({
        name: () => {
          throw new Error('no')
        },
      }),
    ],
    ['a rejected promise', '{ node { name } }', () => ({ name: circular() })],
    ['a type that is not a member', '{ any { __typename } }', () => ({ __typename: 'Query' })],
    ['a value without a type', '{ any { __typename } }', () => ({})],
    ['a value that is not a list', '{ node { tags } }', () => ({ tags: 'a' })],
    ['a null in a list', '{ node { tags } }', () => ({ tags: ['a', null] })],
  ])('%s', async (_name, query, value) => {
    expect(await expectSame({ query, value })).toBe(ERRORS)
  })
})

test.each<[string, object]>([
  ['a promise', { name: Promise.resolve('a') }],
  ['a promise of an object', { next: Promise.resolve(NODE) }],
  ['a function', { name: () => 'a' }],
  ['a function that returns a list', { others: () => [NODE] }],
])('a property that is %s is left to graphql-js', async (_name, node) => {
  const query = '{ node { name next { id } others { id } } }'
  expect(await runCompiled(propertySchema, parse(query), { query, value: () => node })).toBe(ERRORS)
})

describe('a query is not compiled', () => {
  const compile = (within: GraphQLSchema, query: string) => runCompiled(within, parse(query), { query })

  test.each([
    ['if it contains several mutations', 'mutation { __typename a: __typename }'],
    ['if it reads the schema', '{ __schema { description } }'],
    ['if it reads a type', '{ __type(name: "Node") { name } }'],
  ])('%s', async (_name, query) => {
    expect(await compile(schema, query)).toBe(UNSUPPORTED)
  })

  test.each<[string, IResolvers]>([
    [
      'resolver reads `info`',
      { Query: { a: (_r: unknown, _a: unknown, _c: unknown, info: unknown) => info } },
    ],
    ['union has `resolveType`', { Query: { u: () => ({}) }, U: { __resolveType: () => 'T' } }],
    ['type has `isTypeOf`', { Query: { t: () => ({}) }, T: { __isTypeOf: () => true } }],
  ])('if a %s', async (_name, given) => {
    const other = makeExecutableSchema({
      typeDefs: 'type Query { a: String u: U t: T } union U = T type T { a: String }',
      resolvers: given,
    })
    expect(await compile(other, '{ a u { ... on T { a } } t { a } }')).toBe(UNSUPPORTED)
  })

  test('if it selects too many fields', async () => {
    const fields = Array.from({ length: MAX_COMPILED_FIELDS }, (_unused, index) => `f${index}: id`)
    expect(await compile(schema, `{ node { ${fields.slice(1).join(' ')} } }`)).toMatch(/^\{"data"|errors/)
    expect(await compile(schema, `{ node { ${fields.join(' ')} } }`)).toBe(UNSUPPORTED)
  })
})

/** Values of a node, of every kind that a resolver can return, also invalid ones. */
const randomNode = (areProperties: boolean) =>
  fc.letrec<{ node: unknown; value: unknown }>((tie) => {
    const wrapped = (value: fc.Arbitrary<unknown>) =>
      areProperties
        ? value
        : fc.oneof(
            { weight: 6, arbitrary: value },
            { weight: 1, arbitrary: value.map((settled) => ({ promise: settled })) },
            { weight: 1, arbitrary: value.map((returned) => ({ call: returned })) },
          )
    const rarely = (value: fc.Arbitrary<unknown>, other: unknown) =>
      fc.oneof({ weight: 15, arbitrary: value }, { weight: 1, arbitrary: fc.constant(other) })
    const node = fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constant(null), tie('node'))
    return {
      value: fc.constant(null),
      node: fc.record({
        __typename: fc.constantFrom('Node', 'Node', 'Node', 'Leaf'),
        id: wrapped(rarely(fc.string(), null)),
        name: wrapped(fc.option(fc.string())),
        amount: wrapped(rarely(fc.constant('1.50'), { error: true })),
        count: wrapped(fc.oneof(fc.integer(), fc.constant(1e12), fc.constant('12'))),
        share: wrapped(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant('x'))),
        colour: wrapped(fc.constantFrom('RED', 'GREEN', null, 'RED', 'GREEN')),
        on: wrapped(fc.option(fc.boolean())),
        next: wrapped(node),
        must: wrapped(node),
        any: wrapped(node),
        others: wrapped(fc.array(node, { maxLength: 3 })),
        required: wrapped(fc.array(node, { maxLength: 3 })),
        named: wrapped(fc.array(node, { maxLength: 2 })),
        tags: wrapped(fc.array(fc.string(), { maxLength: 3 })),
      }),
    }
  }).node

/** Turns the descriptions of promises, functions and errors into real ones. */
function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive)
  if (typeof value !== 'object' || value === null) return value
  const described = value as Record<string, unknown>
  if ('promise' in described) return Promise.resolve(described['promise']).then(revive)
  if ('call' in described) return () => revive(described['call'])
  if ('error' in described) return new Error('a value')
  return Object.fromEntries(Object.entries(described).map(([key, inner]) => [key, revive(inner)]))
}

const randomSelection: fc.Arbitrary<string> = fc.letrec<{ fields: string; field: string }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('id', 'name', 'count', 'share', 'on', 'colour', 'amount', 'tags', '__typename'),
    fc.constantFrom('x: id', 'name @include(if: $on)', 'id @skip(if: $on)', 'echo(text: $text)'),
    tie('fields').map((fields) => `next { ${fields} }`),
    tie('fields').map((fields) => `must { ${fields} }`),
    tie('fields').map((fields) => `others { ${fields} }`),
    tie('fields').map((fields) => `any { ... on Node { ${fields} } ... on Leaf { leafName: name } }`),
    tie('fields').map((fields) => `named { name ... on Node { ${fields} } }`),
    tie('fields').map((fields) => `... on Node @include(if: $on) { ${fields} }`),
  ),
  fields: fc.array(tie('field'), { minLength: 1, maxLength: 4 }).map((fields) => fields.join(' ')),
})).fields

test.each([
  ['resolvers', schema],
  ['properties', propertySchema],
])(
  'random queries give the same responses for random values of %s',
  async (_name, within) => {
    const outcomes = { data: 0, errors: 0 }
    await fc.assert(
      fc.asyncProperty(
        randomSelection,
        randomNode(within === propertySchema),
        fc.boolean(),
        async (selection, value, on) => {
          const query = `query ($on: Boolean!, $text: String) {
        node { ${selection} } nodes { name } any { ... on Node { id } } first: echo(text: $text)
      }`
          const document = parse(query)
          fc.pre(validate(within, document).length === 0)
          const request = { query, variables: { on, ...(on && { text: 'x' }) }, value: () => revive(value) }
          const compiled = await runCompiled(within, document, request)
          expect(compiled, query).toBe(await runGraphqlJs(within, document, request))
          outcomes[compiled === ERRORS ? 'errors' : 'data']++
        },
      ),
      { numRuns: caseCount(150, 20_000) },
    )
    expect(outcomes.data).toBeGreaterThan(20)
    expect(outcomes.errors).toBeGreaterThan(20)
    // The long form takes about five minutes.
  },
  1_200_000,
)

test('stops joining texts that are far above the largest response', async () => {
  const alias = 'x'.repeat(20_000)
  const query = `{ node { others { ${alias}: name } } }`
  const run = (count: number) => {
    const others = Array.from({ length: count }, () => Promise.resolve({ name: 'n' }))
    return runCompiled(schema, parse(query), { query, value: () => ({ others }) })
  }
  expect(JSON.parse(await run(10)).data.node.others).toHaveLength(10)
  expect(await run(2_000)).toBe(ERRORS)
})
