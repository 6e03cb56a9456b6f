/** Coercion gives the same values as graphql-js, and refuses the same values. */
import fc from 'fast-check'
import {
  buildSchema,
  coerceInputValue,
  type GraphQLInputType,
  isInputType,
  parseType,
  typeFromAST,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { createCoercion, MISFIT } from '../../../src/graphql/execution/variables.ts'
import { readSchemaText } from '../../../src/graphql/schema-files.ts'

const schema = buildSchema(`${readSchemaText()}
  input Nested { inner: Nested list: [[Int!]] required: [Boolean!]! text: String = "default" float: Float }
  extend type Query { nested(nested: Nested): Int }`)

function typeOf(text: string): GraphQLInputType {
  const type = typeFromAST(schema, parseType(text))
  if (!isInputType(type)) throw new Error(`${text} is not an input type`)
  return type
}

/** Coerces with graphql-js. `MISFIT` if it reports an error. */
function coerceWithGraphql(value: unknown, type: GraphQLInputType): unknown {
  let fits = true
  const coerced = coerceInputValue(value, type, () => {
    fits = false
  })
  return fits ? coerced : MISFIT
}

const types = [
  ...['Int', 'Int!', 'Float', 'String', 'Boolean!', 'ID', 'ID!', '[Int]', '[Int!]!', '[[ID!]]'],
  ...['RateSort', '[ParcelType!]', 'Decimal', 'DateTime!', 'CountryCode'],
  ...['RatesInput!', '[RatesInput!]!', 'LandedCostInput', 'ContentItemInput', 'Nested', 'Nested!'],
  ...['ParcelsInput', 'ParcelsInput!', '[ParcelsInput]', 'MoneyInput'],
]

const leaf = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    2 ** 31,
    '',
    'x',
    '1',
    'PRICE',
    'NONDOC',
    'NL',
    '2026-11-21',
  ),
  fc.string({ maxLength: 3 }),
  fc.double(),
)
const names = [
  ...[
    'from',
    'to',
    'parcels',
    'country',
    'postalCode',
    'type',
    'count',
    'weightKg',
    'rates',
    'contentItems',
    'insured',
  ],
  ...['filter', 'productIds', 'sort', 'description', 'count', 'value', 'quantities', 'unit', 'amount'],
  ...['boxes', 'documents', 'pallets', 'currency', 'boxes', 'documents'],
  ...['inner', 'list', 'required', 'text', 'float', 'unknown', '__proto__', 'constructor'],
]
const values = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc
    .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4 })
    .map((entries) =>
      JSON.parse(
        `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${JSON.stringify(inner) ?? null}`).join()}}`,
      ),
    ),
})).value

const PLACE = { country: 'NL' }
const ROW = { count: 1 }
const fitting: readonly (readonly [string, unknown])[] = [
  ['RatesInput!', { from: PLACE, to: PLACE, parcels: { documents: [ROW, ROW] } }],
  [
    'RatesInput!',
    { from: PLACE, to: PLACE, parcels: { documents: ROW }, filter: null, sort: 'VALUE', insured: null },
  ],
  ['[RatesInput!]!', { from: PLACE, to: PLACE, parcels: { boxes: [] } }],
  ['LandedCostInput', { rates: { from: PLACE, to: PLACE, parcels: { boxes: [] } }, contentItems: [] }],
  ['ParcelsInput', { boxes: [] }],
  ['MoneyInput', { amount: 1 }],
  ['Nested', { inner: { inner: null, required: true, list: [1, [2], null] }, required: [], text: null }],
  ['[[ID!]]', [['a', 1], 'b', null]],
  ['Int', null],
]

describe('coercion', () => {
  test.each([
    [{ boxes: [] }, true],
    [{ boxes: [], documents: [] }, false],
    [{ boxes: [], documents: null }, false],
    [{ boxes: null }, false],
    [{}, false],
  ])('accepts exactly one list of parcels: %j', (value, isAccepted) => {
    const type = typeOf('ParcelsInput')
    expect(createCoercion(type)(value) !== MISFIT).toBe(isAccepted)
    expect(coerceWithGraphql(value, type) !== MISFIT).toBe(isAccepted)
  })

  test('is the same as in graphql-js for values that fit', () => {
    for (const [name, value] of fitting) {
      const type = typeOf(name)
      const coerced = createCoercion(type)(value)
      expect(coerced, name).not.toBe(MISFIT)
      expect(coerced, name).toEqual(coerceWithGraphql(value, type))
    }
  })

  test('is the same as in graphql-js for random values', () => {
    let accepted = 0
    const check = fc.property(fc.constantFrom(...types), values, (name, value) => {
      const type = typeOf(name)
      const coerced = createCoercion(type)(value)
      const other = coerceWithGraphql(value, type)
      if (coerced !== MISFIT) accepted++
      expect(coerced === MISFIT).toBe(other === MISFIT)
      expect(coerced).toEqual(other)
    })
    fc.assert(check, { numRuns: 5_000, seed: 13 })
    expect(accepted).toBeGreaterThan(300)
  })

  test('is the same as in graphql-js for valid input with one field changed at random', () => {
    const changes = fc.tuple(fc.constantFrom(...fitting), fc.constantFrom(...names), values)
    const check = fc.property(changes, ([[name, base], field, value]) => {
      const type = typeOf(name)
      const changed = JSON.parse(JSON.stringify(base))
      // Like JSON.parse, which creates `__proto__` as an ordinary property.
      if (typeof changed === 'object' && changed !== null)
        Object.defineProperty(changed, field, { value, enumerable: true, configurable: true })
      const coerced = createCoercion(type)(changed)
      const other = coerceWithGraphql(changed, type)
      expect(coerced === MISFIT).toBe(other === MISFIT)
      expect(coerced).toEqual(other)
    })
    fc.assert(check, { numRuns: 5_000, seed: 13 })
  })
})
