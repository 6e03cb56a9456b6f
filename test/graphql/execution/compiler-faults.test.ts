/**
 * Compiled queries agree with graphql-js for random values of every type, with a fault at any position: an exception, a
 * rejected promise, an error as value, a null or a value of another type. The random documents have nested arguments
 * with defaults, enums and input objects, conditions, and lists of lists.
 */
import { makeExecutableSchema } from '@graphql-tools/schema'
import fc from 'fast-check'
import {
  buildSchema,
  execute,
  type GraphQLOutputType,
  GraphQLScalarType,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { expect, test } from 'vitest'
import type { Context } from '../../../src/graphql/context.ts'
import { compileQuery } from '../../../src/graphql/execution/compiler.ts'
import { coerceVariables } from '../../../src/graphql/execution/variables.ts'
import { fragmentsIn } from '../../../src/graphql/guards.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { type RandomRoot, randomDocument } from '../random-document.ts'
import { type RewrittenDocument, rewritten } from '../random-syntax.ts'

const typeDefs = `
  type Query { tree(where: Where, sort: Sort! = UP, ids: [ID!]): Tree  trees(first: Int = 2): [Tree!]!  any: Any
    named: Named!  grid: [[Tree]!]  must: Tree! }
  interface Named { name: String  self: Named }
  interface Counted implements Named { name: String  self: Named  count(by: Int! = 1): Int! }
  type Tree implements Named & Counted { id: ID!  name: String  self: Named  count(by: Int! = 1): Int!  leaf: Leaf
    leaves(where: Where = { sort: DOWN, limits: [1, 2] }): [Leaf!]!  rows: [[Leaf!]]!  sort: Sort  sorts: [Sort!]
    numbers: [[Float!]!]  any: Any!  anys: [Any]  on: Boolean!  amount: Amount }
  type Leaf implements Named { id: ID!  name: String  self: Named  text(of: [String] = ["a", null], where: Where): String!
    amount: Amount!  branch: Branch }
  type Branch { colour: Sort!  tags: [String]!  share: Float  echo(on: Boolean, sort: Sort = UP): String }
  union Any = Tree | Leaf | Branch
  enum Sort { UP DOWN }
  input Where { name: String = "x"  sort: Sort = UP  limits: [Int!]  inner: Where }
  scalar Amount
`

/** Decides what a value is, from 0 to 999, by its path. */
type Draw = (path: string) => number

/** How a position of the response fails; undefined for a valid value. */
type FaultAt = (path: string) => unknown

type Source = { readonly draw: Draw; readonly faultAt: FaultAt }

const FAULTS: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  undefined: () => undefined,
  error: () => new Error('a value'),
  rejected: () => {
    const promise = Promise.reject(new Error('rejected'))
    // graphql-js leaves later entries of a list unhandled.
    promise.catch(() => {})
    return promise
  },
  throwing: () => () => {
    throw new Error('thrown')
  },
  'rejected later': () => async () => {
    await Promise.resolve()
    throw new Error('rejected later')
  },
  object: () => ({}),
  text: () => 'text',
  number: () => 0.5,
  list: () => [],
}
const FAULT_NAMES = Object.keys(FAULTS)

/**
 * graphql-js accepts some of these, for example text or a function in a list where an object is expected. A compiled
 * query may fail then, because graphql-js executes it again.
 */
const MAY_FAIL: ReadonlySet<string> = new Set([
  'object',
  'text',
  'number',
  'list',
  'throwing',
  'rejected later',
])

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}

/**
 * A value of the type, as a resolver could return it: plain, a promise or an iterable. The same path has the same
 * value. Properties that are read without a resolver are no promises.
 */
function valueFor(type: GraphQLOutputType, path: string, source: Source, isProperty = false): unknown {
  const fault = source.faultAt(path)
  if (fault !== undefined) return FAULTS[String(fault)]?.()
  const drawn = source.draw(path)
  if (!isNonNullType(type) && drawn < 80) return drawn < 40 ? null : undefined
  const value = plainFor(isNonNullType(type) ? type.ofType : type, path, source)
  return drawn > 850 && !isProperty ? Promise.resolve(value) : value
}

function plainFor(type: GraphQLOutputType, path: string, source: Source): unknown {
  const drawn = source.draw(`${path}?`)
  if (isListType(type)) {
    const entries = Array.from({ length: drawn % 4 }, (_unused, index) =>
      valueFor(type.ofType, `${path}.${index}`, source),
    )
    return drawn > 900 ? new Set(entries) : entries
  }
  if (isLeafType(type)) return leafOf(type.name, drawn)
  const members = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
  const member = members[drawn % members.length]
  if (!isObjectType(member)) throw new Error('an object type was expected')
  return objectOf(member.name, path, source)
}

function leafOf(name: string, drawn: number): unknown {
  switch (name) {
    case 'Boolean':
      return drawn % 2 === 0
    case 'Int':
      return drawn - 500
    case 'Float':
      return drawn / 7
    case 'Sort':
      return drawn % 2 === 0 ? 'UP' : 'DOWN'
    default:
      return drawn % 5 === 0 ? `"\\ ${String.fromCharCode(drawn)} \u2028 \ud800` : `text ${drawn}`
  }
}

/** About half of the fields, and all with arguments. */
function hasResolver(typeName: string, fieldName: string, argumentCount: number): boolean {
  return argumentCount > 0 || hash(`${typeName}.${fieldName}`) % 2 === 0
}

/** Reads a property like graphql-js, which also calls functions. */
const propertyOf =
  (name: string) =>
  (source: Record<string, unknown>, args: object): unknown => {
    const value = source[name]
    return typeof value === 'function' ? value.call(source, args) : value
  }

/** The values of the fields are created when they are read, because types contain themselves. */
function objectOf(typeName: string, path: string, source: Source): object {
  const type = schema.getType(typeName)
  if (!isObjectType(type)) throw new Error(`the schema has no type ${typeName}`)
  const object = { __typename: typeName }
  for (const [name, { type: fieldType, args }] of Object.entries(type.getFields())) {
    const at = `${path}.${name}`
    const isProperty = !hasResolver(typeName, name, args.length)
    const read = (): unknown => valueFor(fieldType, at, source, isProperty)
    const call = (given: object): unknown => {
      const found = read()
      const value: unknown = typeof found === 'function' ? found() : found
      // The arguments are part of the response.
      return typeof value === 'string' && fieldType.toString().startsWith('String')
        ? `${value} ${JSON.stringify(given)}`
        : value
    }
    const isCall = args.length > 0 || (!isProperty && source.draw(`${at}()`) > 800)
    Object.defineProperty(object, name, { enumerable: true, get: () => (isCall ? call : read()) })
  }
  return object
}

const rootResolver =
  (name: string) =>
  (_root: unknown, args: object, source: Source): unknown => {
    const type = schema.getQueryType()?.getFields()[name]?.type
    if (type === undefined) throw new Error(`the schema has no field ${name}`)
    const value = valueFor(type, `${name}${JSON.stringify(args)}`, source)
    return typeof value === 'function' ? value() : value
  }

const ROOT_NAMES = ['tree', 'trees', 'any', 'named', 'grid', 'must']
const OBJECT_TYPES = ['Tree', 'Leaf', 'Branch']
const types = buildSchema(typeDefs).getTypeMap()
const fieldResolvers = (typeName: string): Record<string, ReturnType<typeof propertyOf>> => {
  const type = types[typeName]
  if (!isObjectType(type)) throw new Error(`the schema has no type ${typeName}`)
  return Object.fromEntries(
    Object.values(type.getFields())
      .filter(({ name, args }) => hasResolver(typeName, name, args.length))
      .map(({ name }) => [name, propertyOf(name)]),
  )
}

const schema = makeExecutableSchema({
  typeDefs,
  resolvers: {
    ...Object.fromEntries(OBJECT_TYPES.map((name) => [name, fieldResolvers(name)])),
    Amount: new GraphQLScalarType({
      name: 'Amount',
      serialize(value) {
        if (typeof value === 'string') return value
        throw new TypeError('an amount must be text')
      },
    }),
    Query: Object.fromEntries(ROOT_NAMES.map((name) => [name, rootResolver(name)])),
  },
})

const ROOTS: readonly RandomRoot[] = [
  {
    field: 'tree',
    variables: { where: 'Where', sort: 'Sort!', ids: '[ID!]' },
    values: [
      { where: { name: null, inner: { limits: [] } }, sort: 'DOWN', ids: ['1', '2'] },
      { where: null, sort: 'UP', ids: null },
    ],
  },
  { field: 'trees', variables: { first: 'Int' }, values: [{ first: 1 }, { first: null }] },
  ...['any', 'named', 'grid', 'must'].map((field) => ({ field, variables: {}, values: [{}] })),
]

const ERRORS = 'errors'

/** Undefined if the variables are invalid. */
async function runBoth(document: RewrittenDocument, source: Source) {
  const parsed = parse(document.query)
  const operation = getOperationAST(parsed, document.operationName) as OperationDefinitionNode
  const coerced = coerceVariables(schema, operation, document.variables)
  if ('errors' in coerced) return undefined
  const compilation = compileQuery(schema, fragmentsIn(parsed), operation, coerced.values)
  if (compilation === undefined) throw new Error('the query was not compiled')
  const runCompiled = async (): Promise<string> =>
    `{"data":${await compilation.run(source as unknown as Context, coerced.values)}}`
  const expected = await execute({
    ...{ schema, document: parsed, contextValue: source, variableValues: document.variables },
    operationName: document.operationName,
  })
  return {
    compiled: await runCompiled().catch(() => ERRORS),
    expected: expected.errors === undefined ? JSON.stringify({ data: expected.data }) : ERRORS,
  }
}

const documents = rewritten(schema, randomDocument(schema, ROOTS))
const drawBy =
  (seed: number): Draw =>
  (path) =>
    hash(`${seed} ${path}`) % 1_000

/** More positions take too long. They are chosen by their hash. */
const MAX_POSITIONS = 12

test('every fault at every position has the same result', async () => {
  const outcomes = { data: 0, errors: 0, faults: 0 }
  await fc.assert(
    fc.asyncProperty(documents, fc.nat(), async (document, seed) => {
      const draw = drawBy(seed)
      const positions = new Set<string>()
      const valid = await runBoth(document, {
        draw,
        faultAt: (path) => void positions.add(path),
      })
      if (valid === undefined) return
      expect(valid.compiled, document.query).toBe(valid.expected)
      outcomes[valid.expected === ERRORS ? 'errors' : 'data']++
      const chosen = [...positions].sort((a, b) => hash(a) - hash(b)).slice(0, MAX_POSITIONS)
      for (const position of chosen)
        for (const fault of FAULT_NAMES) {
          const faultAt = (path: string) => (path === position ? fault : undefined)
          const result = await runBoth(document, { draw, faultAt })
          if (result?.expected === ERRORS) outcomes.faults++
          if (result?.compiled === ERRORS && MAY_FAIL.has(fault)) continue
          expect(result?.compiled, `${fault} at ${position}: ${document.query}`).toBe(result?.expected)
        }
    }),
    { numRuns: caseCount(12, 300) },
  )
  // Faults of valid documents give errors, so both kinds were compared.
  expect(outcomes.data).toBeGreaterThan(5)
  expect(outcomes.faults).toBeGreaterThan(50)
}, 1_200_000)

test('a subscription is not compiled', () => {
  const operation = getOperationAST(parse('subscription { tree { id } }')) as OperationDefinitionNode
  expect(compileQuery(schema, new Map(), operation, {})).toBeUndefined()
})

test('incremental delivery is refused by validation', () => {
  for (const directive of ['defer', 'stream']) {
    const [error] = validate(schema, parse(`{ trees { leaves @${directive} { id } } }`))
    expect(error?.message).toBe(`Unknown directive "@${directive}".`)
  }
})
