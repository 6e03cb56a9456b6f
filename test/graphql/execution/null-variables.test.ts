/**
 * A variable with a default value may be null, also where a value is required. The request is then refused before
 * anything runs, and the error names the variable.
 */
import fc from 'fast-check'
import {
  astFromValue,
  buildSchema,
  isInputType,
  isNonNullType,
  Kind,
  parse,
  print,
  typeFromAST,
  visit,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { readSchemaText } from '../../../src/graphql/schema-files.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { fakePorts } from '../fake-ports.ts'
import { CREDENTIALS, openInstance } from '../instance.ts'
import { isAccepted, type RandomDocument, type RandomRoot, randomDocument } from '../random-document.ts'
import { rewritten } from '../random-syntax.ts'

const ports = fakePorts()
const compiling = openInstance({ ports })
const plain = openInstance({ ports, compiledQueries: false })

const PLACES = 'from: { country: "NL" }, to: { country: "ES" }'
const CONDITION = 'Argument "if" of non-null type "Boolean!" must not be null.'
const CANCEL = 'cancelShipment(input: { shipmentId: "s1" }) { __typename }'

/** An operation with the variable $v, a value for it, and the reason of the refusal if it is null. */
const OPERATIONS: readonly (readonly [string, unknown, string])[] = [
  ['query ($v: Boolean = true) { __typename @skip(if: $v) }', false, CONDITION],
  ['query ($v: Boolean = true) { ... @include(if: $v) { __typename } }', true, CONDITION],
  [
    'query ($v: Boolean = true) { ...Root @skip(if: $v) } fragment Root on Query { __typename }',
    false,
    CONDITION,
  ],
  ['query ($v: Boolean = true) { carriers { id @include(if: $v) } }', true, CONDITION],
  [
    'query ($v: Boolean = true) { shipment(id: "no") { ... on Shipment @skip(if: $v) { id } } }',
    true,
    CONDITION,
  ],
  ['query ($v: Boolean = true) { __schema { types { name @include(if: $v) } } }', true, CONDITION],
  [
    'query ($v: Boolean = true) { ratesBatch(inputs: []) { ... on RatesBatch @skip(if: $v) { __typename } } }',
    true,
    CONDITION,
  ],
  [
    'query ($v: ID = "1201") { product(id: $v) { id } }',
    '1201',
    'Argument "id" of non-null type "ID!" must not be null.',
  ],
  [
    'query ($v: Boolean = true) { __schema { directives(includeDeprecated: $v) { name } } }',
    false,
    'Argument "includeDeprecated" of non-null type "Boolean!" must not be null.',
  ],
  [
    'query ($v: String = "Query") { __type(name: $v) { name } }',
    'Query',
    'Argument "name" of non-null type "String!" must not be null.',
  ],
  [
    `query ($v: RatesInput = { ${PLACES}, parcels: { boxes: [] } }) { ratesBatch(inputs: [$v]) { __typename } }`,
    { from: { country: 'NL' }, to: { country: 'ES' }, parcels: { boxes: [] } },
    'Argument "inputs" has invalid value [$v].',
  ],
  [
    `query ($v: Int = 1) { rates(input: { ${PLACES}, parcels: { documents: [{ count: $v }] } }) { __typename } }`,
    2,
    'Argument "input" has invalid value {from: {country: "NL"}, to: {country: "ES"}, parcels: {documents: [{count: $v}]}}.',
  ],
  [`mutation ($v: Boolean = true) { __typename @skip(if: $v) ${CANCEL} }`, false, CONDITION],
  [
    `mutation ($v: Boolean = true) { ${CANCEL.replace('__typename', '__typename @skip(if: $v)')} }`,
    true,
    CONDITION,
  ],
  [
    'mutation ($v: ID = "s1") { cancelShipment(input: { shipmentId: $v }) { __typename } }',
    undefined,
    'Argument "input" has invalid value {shipmentId: $v}.',
  ],
]

describe.each(OPERATIONS)('null in %s', (query, value, reason) => {
  const refused = {
    ...{ status: 400, data: undefined },
    errors: [{ message: `Variable "$v" is null: ${reason}`, extensions: { code: 'BAD_USER_INPUT' } }],
  }

  test('is refused, and nothing is executed', async () => {
    ports.calls.length = 0
    for (const instance of [plain, compiling])
      expect(await instance.ask(query, { v: null })).toMatchObject(refused)
    expect(ports.calls).toEqual([])
    expect([...plain.faults, ...compiling.faults]).toEqual([])
  })

  test.runIf(value !== undefined)('is refused by a compiled query', async () => {
    for (let requests = 0; requests < 5; requests++)
      expect(await compiling.ask(query, { v: value })).toMatchObject({ status: 200, errors: [] })
    expect(await compiling.ask(query, { v: null })).toMatchObject(refused)
  })

  test.runIf(query.startsWith('query'))('is refused in a GET request', async () => {
    const { statusCode, body } = await compiling.app.inject({
      url: `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent('{"v":null}')}`,
      headers: { 'x-pp-api': CREDENTIALS },
    })
    expect({ status: statusCode, data: undefined, ...JSON.parse(body) }).toMatchObject(refused)
  })
})

test('several variables that are null are named', async () => {
  const query = `query ($a: String = "NL", $b: RatesInput = { ${PLACES}, parcels: { boxes: [] } }) {
    ratesBatch(inputs: [$b, { from: { country: "NL", city: $a }, to: { country: "NL" }, parcels: { boxes: [] } }]) { __typename } }`
  const { status, errors } = await plain.ask(query, { a: null, b: null })
  expect(status).toBe(400)
  expect(errors[0]?.message).toMatch(
    /^Variables "\$b", "\$a" are null: Argument "inputs" has invalid value \[\$b, /,
  )
})

const schema = buildSchema(readSchemaText())

const RATES = { from: { country: 'NL' }, to: { country: 'ES' }, parcels: { documents: [{ count: 1 }] } }
const ROOTS: readonly RandomRoot[] = [
  { field: 'rates', variables: { input: 'RatesInput!' }, values: [{ input: RATES }] },
  {
    field: 'ratesBatch',
    variables: { inputs: '[RatesInput!]!' },
    values: [{ inputs: [RATES, RATES] }, { inputs: [] }],
  },
  { field: 'product', variables: { id: 'ID!' }, values: [{ id: '1201' }, { id: '1' }] },
  { field: 'shipment', variables: { id: 'ID!' }, values: [{ id: 'demo-booked' }, { id: 'no' }] },
  {
    field: 'shipments',
    variables: { first: 'Int', sort: 'ShipmentSort! = NEWEST', filter: 'ShipmentFilter' },
    values: [{ first: 2, sort: 'OLDEST', filter: { states: ['BOOKED'] } }, { first: null }],
  },
]

/** Gives required variables a default value, so that they may be null. */
function withDefaults({ query, variables }: RandomDocument): string {
  return print(
    visit(parse(query, { noLocation: true }), {
      VariableDefinition(node) {
        const type = typeFromAST(schema, node.type)
        if (!isInputType(type) || !isNonNullType(type) || node.type.kind !== Kind.NON_NULL_TYPE)
          return undefined
        const defaultValue = node.defaultValue ?? astFromValue(variables[node.variable.name.value], type)
        if (defaultValue == null) return undefined
        return { ...node, type: node.type.type, defaultValue: defaultValue as typeof node.defaultValue }
      },
    }),
  )
}

test('random nulls never lead to an internal error', { timeout: 1_200_000 }, async () => {
  const documents = rewritten(schema, randomDocument(schema, ROOTS)).map((document) => ({
    ...document,
    query: withDefaults(document),
  }))
  const outcomes = { executed: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      documents.filter(({ query }) => isAccepted(schema, query)),
      fc.infiniteStream(fc.nat(1)),
      async ({ query, variables, operationName }, bits) => {
        const names = query.match(/\$\w+(?=:)/g) ?? []
        const nulls = names.filter(() => bits.next().value === 1).map((name) => [name.slice(1), null])
        const given = { ...variables, ...Object.fromEntries(nulls) }
        for (const { app, faults } of [plain, compiling]) {
          const { statusCode, body } = await app.inject({
            ...{ method: 'POST', url: '/graphql', payload: { query, variables: given, operationName } },
            headers: { 'x-pp-api': CREDENTIALS },
          })
          expect(faults).toEqual([])
          const code = JSON.parse(body).errors?.[0].extensions.code
          expect({ statusCode, code }).toEqual(
            code === undefined ? { statusCode: 200 } : { statusCode: 400, code: 'BAD_USER_INPUT' },
          )
          outcomes[code === undefined ? 'executed' : 'refused']++
        }
      },
    ),
    { numRuns: caseCount(50, 3_000) },
  )
  expect(Math.min(outcomes.executed, outcomes.refused)).toBeGreaterThan(0)
})
