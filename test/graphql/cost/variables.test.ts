/** Errors in variables give the path of the faulty value, and never repeat the whole value. */
import { describe, expect, test } from 'vitest'
import { fakePorts } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const ports = fakePorts()
const { ask, faults, lines } = openInstance({ ports })

const RATES = 'query ($i: RatesInput!) { rates(input: $i) { __typename } }'
const ROW = { count: 1 }
const INPUT = { from: { country: 'NL' }, to: { country: 'ES' }, parcels: { documents: [ROW] } }

describe('faulty variables', () => {
  const wrong: readonly (readonly [string, string, unknown, string])[] = [
    ['a missing variable', RATES, {}, 'Variable "$i" of required type "RatesInput!" was not provided.'],
    ['null', RATES, { i: null }, 'Variable "$i" of non-null type "RatesInput!" must not be null.'],
    [
      'text for an object',
      RATES,
      { i: 'x' },
      'Variable "$i" got invalid value; Expected type "RatesInput" to be an object.',
    ],
    [
      'a wrong value within',
      RATES,
      { i: { ...INPUT, parcels: { documents: [ROW, { ...ROW, count: 1.5 }] } } },
      'Variable "$i" got invalid value at "i.parcels.documents[1].count"; Int cannot represent non-integer value: 1.5',
    ],
    [
      'two lists of parcels',
      RATES,
      { i: { ...INPUT, parcels: { documents: [ROW], boxes: [] } } },
      'Variable "$i" got invalid value at "i.parcels"; Exactly one key must be specified for OneOf type "ParcelsInput".',
    ],
    [
      'another currency',
      RATES,
      { i: { ...INPUT, totalValue: { amount: '1', currency: 'USD' } } },
      'Variable "$i" got invalid value at "i.totalValue.currency"; Value "USD" does not exist in "CurrencyCode" enum.',
    ],
    [
      'a missing field',
      RATES,
      { i: { ...INPUT, to: undefined } },
      'Variable "$i" got invalid value; Field "to" of required type "PlaceInput!" was not provided.',
    ],
    [
      'an unknown field',
      RATES,
      { i: { ...INPUT, form: 1 } },
      'Variable "$i" got invalid value; Field "form" is not defined by type "RatesInput". Did you mean "from" or "sort"?',
    ],
  ]
  for (const [name, query, variables, message] of wrong)
    test(`are reported with the path: ${name}`, async () => {
      const { status, data, errors } = await ask(query, variables)
      expect(status).toBe(400)
      expect(data).toBeUndefined()
      expect(errors).toEqual([
        { message, locations: [{ line: 1, column: 8 }], extensions: { code: 'BAD_USER_INPUT' } },
      ])
    })

  test('are not confused with defaults, single values for lists, and absent values', async () => {
    const query = `query ($first: Int = 1, $sort: ShipmentSort, $rows: [DocumentInput!]! = [{ count: 1 }]) {
      shipments(first: $first, sort: $sort) { edges { cursor } }
      rates(input: { from: { country: "NL" }, to: { country: "ES" }, parcels: { documents: $rows } }) { __typename } }`
    for (const variables of [undefined, null, {}, { first: 2, sort: null, rows: ROW }, { unknown: 1 }])
      expect((await ask(query, variables)).errors).toEqual([])
  })
})

/** Sends faulty variables, and checks that the errors are few and short. */
async function answerTo(variables: object) {
  const { status, text, errors } = await ask(RATES, variables)
  expect(status).toBe(400)
  expect(errors.length).toBeLessThanOrEqual(10)
  for (const { message } of errors) expect(message.length).toBeLessThanOrEqual(500)
  return { text, errors }
}

describe('many faults', () => {
  const unknown = (count: number, more: object = {}) => ({
    i: { ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1])), ...more },
  })

  test('are reported as ten errors, the last of which says that there are more', async () => {
    for (const variables of [unknown(11), unknown(55), unknown(9_000)]) {
      const { errors } = await answerTo(variables)
      expect(errors).toHaveLength(10)
      expect(errors.at(-1)).toEqual({
        message: 'There are more errors in the variables; they are not listed',
        extensions: { code: 'BAD_USER_INPUT' },
      })
    }
  })

  test('next to a long text do not repeat it', async () => {
    // With the errors of graphql-js, this text of 104 KB blocked the event loop for 38 s.
    const { text } = await answerTo(unknown(55, { x: 'Did you mean '.repeat(8_000) }))
    expect(text.length).toBeLessThan(5_000)
    expect(text).not.toContain('Did you mean Did you mean')
  })

  test('in a long text show only its beginning', async () => {
    const long = 'Did you mean '.repeat(400)
    const { text } = await answerTo({
      i: {
        ...INPUT,
        from: { country: { [long]: long } },
        parcels: Array(15).fill({ type: long, count: long }),
      },
    })
    expect(text.length).toBeLessThan(10_000)
  })

  test('in 240 KB of input lead to a short response', async () => {
    const rows = Array.from({ length: 2_000 }, () => ({
      type: 'NO_SUCH_TYPE',
      count: 'no number',
      weightKg: 'x'.repeat(40),
    }))
    const { text } = await answerTo({ i: { ...INPUT, parcels: rows } })
    expect(text.length).toBeLessThan(5_000)
  })

  test('are not searched for beyond the last one that is listed', async () => {
    let read = 0
    const counting = (value: object) =>
      new Proxy(value, {
        get: (target, key, receiver) => {
          read++
          return Reflect.get(target, key, receiver)
        },
      })
    const { buildSchema, getOperationAST, parse } = await import('graphql')
    const { readSchemaText } = await import('../../../src/graphql/schema-files.ts')
    const { coerceVariables } = await import('../../../src/graphql/execution/variables.ts')
    const schema = buildSchema(readSchemaText())
    const operation = getOperationAST(parse(RATES))!
    const reads = (rows: number): number => {
      read = 0
      const parcels = Array.from({ length: rows }, () => counting({ size: 'X', count: 'y' }))
      const coerced = coerceVariables(schema, operation, { i: { ...INPUT, parcels: { documents: parcels } } })
      expect(coerced).toMatchObject({ errors: { length: 10 } })
      return read
    }
    // Counting the values for the limit reads each once.
    expect(reads(2_000) - reads(1_000)).toBeLessThan(2.5 * 1_000)
  })

  test('in more than 15,000 values are not searched for', async () => {
    const { errors } = await answerTo({ i: { ...INPUT, parcels: { documents: Array(16_000).fill(ROW) } } })
    expect(errors).toEqual([
      {
        message: expect.stringContaining('values in the variables'),
        extensions: expect.objectContaining({
          code: 'OPERATION_TOO_LARGE',
          limit: 'values in the variables',
          maximum: 15_000,
        }),
      },
    ])
    expect(
      (await ask(RATES, { i: { ...INPUT, parcels: { documents: Array(7_000).fill(ROW) } } })).errors,
    ).toEqual([])
  })
})

describe('a nullable variable that is null where a value is required', () => {
  const cases: readonly (readonly [string, object, string])[] = [
    [
      'query ($d: String = "shoe") { classify(description: $d) { ... on HsCandidates { candidates { hsCode } } } }',
      { d: null },
      'Argument "description" of non-null type "String!" must not be null.',
    ],
    [
      'query ($b: Boolean = true) { carriers { id @include(if: $b) } }',
      { b: null },
      'Argument "if" of non-null type "Boolean!" must not be null.',
    ],
    [
      'query ($b: Boolean = true) { carriers @skip(if: $b) { id } }',
      { b: null },
      'Argument "if" of non-null type "Boolean!" must not be null.',
    ],
    [
      'query ($b: Boolean = true) { ...F @include(if: $b) } fragment F on Query { carriers { id } }',
      { b: null },
      'Argument "if" of non-null type "Boolean!" must not be null.',
    ],
    [
      'query ($id: ID = "x") { shipment(id: $id) { id } }',
      { id: null },
      'Argument "id" of non-null type "ID!" must not be null.',
    ],
    [
      'query ($p: PlaceInput = { country: "NL" }) { rates(input: { from: $p, to: $p, parcels: { boxes: [] } }) { __typename } }',
      { p: null },
      'Argument "input" has invalid value {from: $p, to: $p, parcels: {boxes: []}}.',
    ],
    [
      'mutation ($id: ID = "x") { bookShipment(input: { shipmentId: $id }) { __typename } }',
      { id: null },
      'Argument "input" has invalid value {shipmentId: $id}.',
    ],
    [
      'query ($n: String = "Money") { __type(name: $n) { name } }',
      { n: null },
      'Argument "name" of non-null type "String!" must not be null.',
    ],
    [
      'query ($c: CountryCode = "NL") { rates(input: { from: { country: $c }, to: { country: "ES" }, parcels: { boxes: [] } }) { __typename } }',
      { c: null },
      'Argument "input" has invalid value {from: {country: $c}, to: {country: "ES"}, parcels: {boxes: []}}.',
    ],
    [
      'query ($p: DocumentInput = { count: 1 }) { rates(input: { from: { country: "NL" }, to: { country: "ES" }, parcels: { documents: [$p] } }) { __typename } }',
      { p: null },
      'Argument "input" has invalid value {from: {country: "NL"}, to: {country: "ES"}, parcels: {documents: [$p]}}.',
    ],
    [
      'query ($b: Boolean = true) { shipment(id: "x") { carrier { name @skip(if: $b) } } }',
      { b: null },
      'Argument "if" of non-null type "Boolean!" must not be null.',
    ],
    [
      'query ($b: Boolean = true) { rates(input: { from: { country: "NL" }, to: { country: "ES" }, parcels: { boxes: [] } }) { ... on InputProblem { fields { ... @include(if: $b) { code } } } } }',
      { b: null },
      'Argument "if" of non-null type "Boolean!" must not be null.',
    ],
  ]
  for (const [query, variables, message] of cases)
    test(`is refused with 400: ${query}`, async () => {
      const { status, data, errors } = await ask(query, variables)
      expect(status).toBe(400)
      expect(data).toBeUndefined()
      const [name] = Object.keys(variables)
      expect(errors).toEqual([
        expect.objectContaining({
          ...{ message: `Variable "$${name}" is null: ${message}`, extensions: { code: 'BAD_USER_INPUT' } },
        }),
      ])
    })
})

test('no request of this file is logged', () => {
  expect(faults).toEqual([])
  expect(lines).toEqual([])
})
