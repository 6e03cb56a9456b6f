import { getIntrospectionQuery } from 'graphql'
import { describe, expect, test } from 'vitest'
import { fakePorts } from '../fake-ports.ts'
import { type Answer, openInstance } from '../instance.ts'

const ports = fakePorts()
const { ask } = openInstance({ ports })
const closed = openInstance({ introspection: false })

function refused(answer: Answer, message: string) {
  expect(answer).toMatchObject({ status: 400, data: undefined })
  expect(answer.errors.map((error) => error.message).join()).toContain(message)
}

/** Expects a refusal with these values. If counting stops at the limit, `actual` is just above `maximum`. */
function exceeds(answer: Answer, limit: string, actual: number, maximum: number) {
  expect(answer).toMatchObject({ status: 400, data: undefined })
  expect(answer.errors).toContainEqual(
    expect.objectContaining({
      message: `The operation is too large: ${limit} ${actual}, the maximum is ${maximum}`,
      extensions: { code: 'OPERATION_TOO_LARGE', limit, actual, maximum },
    }),
  )
}

const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ')

const CANCEL = 'cancelShipment(input: { shipmentId: "x" }) { __typename }'

describe('limits', () => {
  const MUTATION_ROOTS = 'fields at the root of a mutation'

  test('500 aliased mutations are refused', async () => {
    exceeds(
      await ask(`mutation { ${repeat(100, (index) => `m${index}: ${CANCEL}`)} }`),
      MUTATION_ROOTS,
      100,
      1,
    )
    const many = await ask(`mutation { ${repeat(500, (index) => `m${index}: ${CANCEL}`)} }`)
    exceeds(many, 'tokens', 7_503, 2_000)
    expect(ports.calls).toEqual([])
  })

  test('mutations in fragments are counted', async () => {
    const query = `mutation { ...A ... on Mutation { ${CANCEL} } } fragment A on Mutation { b: ${CANCEL} }`
    exceeds(await ask(query), MUTATION_ROOTS, 2, 1)
  })

  test('`__typename` beside a mutation is not counted', async () => {
    const { status } = await ask(
      'mutation { __typename cancelShipment(input: { shipmentId: "?" }) { __typename } }',
    )
    expect(status).toBe(200)
  })

  test('ten root fields of a query pass, eleven do not', async () => {
    const roots = (count: number) => `{ ${repeat(count, (index) => `r${index}: carriers { id }`)} }`
    expect((await ask(roots(10))).errors).toEqual([])
    exceeds(await ask(roots(11)), 'fields at the root of a query', 11, 10)
  })

  test('fifteen aliases pass, sixteen do not', async () => {
    const aliases = (count: number) => `{ carriers { ${repeat(count, (index) => `a${index}: name`)} } }`
    expect((await ask(aliases(15))).errors).toEqual([])
    exceeds(await ask(aliases(16)), 'aliases', 16, 15)
  })

  test('fifteen levels pass, sixteen do not', async () => {
    const nested = (levels: number) =>
      `{ __type(name: "Money") { ${'ofType { '.repeat(levels - 2)} name ${'} '.repeat(levels - 2)} } }`
    expect((await ask(nested(15))).errors).toEqual([])
    exceeds(await ask(nested(16)), 'depth', 16, 15)
  })

  test('a field inside itself is refused, also if it is in a fragment', async () => {
    const limit = 'recursive fields'
    exceeds(await ask('{ carriers { products { carrier { products { id } } } } }'), limit, 1, 0)
    const query = `{ shipments { edges { node { product { ...P } } } } }
      fragment P on Product { carrier { products { ... on Product { carrier { id } } } } }`
    exceeds(await ask(query), limit, 1, 0)
  })

  test('a field inside a field of the same name in another type passes', async () => {
    const parcels = '{ documents: [{ count: 1 }] }'
    const { errors } =
      await ask(`{ rates(input: { from: { country: "NL" }, to: { country: "ES" }, parcels: ${parcels} }) {
      ... on RateQuote { options { chargeable { chargeable { kilograms } } } } } }`)
    expect(errors).toEqual([])
  })

  test('a fragment counts each time it is spread', async () => {
    const fields = repeat(30, () => '... on Carrier { __typename }')
    const query = (spreads: number) =>
      `{ carriers { ${repeat(spreads, (index) => `products { a${index}: carrier { ...F } }`)} } }
        fragment F on Carrier { ${fields} }`
    expect((await ask(query(7))).errors).toEqual([])
    exceeds(await ask(query(8)), 'selections', 501, 500)
  })

  test('a field may be selected 30 times at one path, fragments included, but not 31 times', async () => {
    const query = (spreads: number) =>
      `{ carriers { id ${repeat(spreads, () => '...F')} } } fragment F on Carrier { ... on Carrier { id } }`
    expect((await ask(query(29))).errors).toEqual([])
    exceeds(await ask(query(30)), 'selections of one field', 31, 30)
  })

  test('a document may have ten operations and fifty fragments', async () => {
    const operations = (count: number) => repeat(count, (index) => `query Q${index} { carriers { id } }`)
    refused(await ask(operations(10)), 'Must provide operation name')
    exceeds(await ask(operations(11)), 'operations', 11, 10)
    const fragments = (count: number) => repeat(count, (index) => `fragment F${index} on Carrier { id }`)
    refused(await ask(`{ carriers { id } } ${fragments(50)}`), 'is never used')
    exceeds(await ask(`{ carriers { id } } ${fragments(51)}`), 'fragments', 51, 50)
  })

  test('counting stops at the limit if fragments multiply', async () => {
    const bomb = repeat(48, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)
    const answer = await ask(`{ ...F0 } ${bomb} fragment F48 on Query { carriers { id } }`)
    exceeds(answer, 'selections', 501, 500)
  })

  test('fragments inside themselves are refused', async () => {
    refused(
      await ask('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
      'Cannot spread fragment',
    )
    refused(
      await ask('{ carriers { ...A } } fragment A on Carrier { products { carrier { ...A } } }'),
      'Cannot spread fragment',
    )
  })

  test('the limits apply to every operation of a document, not only the one that runs', async () => {
    exceeds(
      await ask(`query A { carriers { id } } mutation B { a: ${CANCEL} b: ${CANCEL} }`),
      MUTATION_ROOTS,
      2,
      1,
    )
  })

  test('a subscription is refused', async () => {
    refused(await ask('subscription { anything }'), 'The schema has no subscription type')
  })

  test('extreme documents are refused with 400 and at most ten errors', async () => {
    const worst = [
      `{ ${repeat(650, () => 'carriers{id}').slice(0, 7_000)}`,
      `{ ${repeat(480, () => 'carriers{id}')} }`,
      `{ carriers { ${repeat(1_900, () => 'name')} } }`,
      `{ classify(description: ${'['.repeat(1_900)}`,
      `{ classify(description: ${'['.repeat(990)}${']'.repeat(990)}) { code } }`,
      `{ classify(description: ${'{a:'.repeat(490)}1${'}'.repeat(490)}) { code } }`,
      `query (${repeat(600, (index) => `$v${index}:Int`)}) { carriers { id } }`,
      `query ($v: ${'['.repeat(900)}Int${']'.repeat(900)}) { carriers { id } }`,
      `${'{ carriers '.repeat(900)}${'}'.repeat(900)}`,
      `{ carriers ${repeat(600, () => '@include(if: true)').slice(0, 8_000)} { id } }`,
      `{ carriers { ${repeat(170, (index) => `...F${index}`)} } } ${repeat(170, (index) => `fragment F${index} on Carrier { id name }`)}`,
      `${'\n'.repeat(1_900)}{ carriers { ...F0 } } ${repeat(50, (index) => `fragment F${index} on Carrier { ...F${(index + 1) % 50} }`)}`,
      `${'\n'.repeat(1_900)}{ carriers { products { ${repeat(15, () => 'id: name')} } products { ${repeat(15, () => 'id')} } } }`,
    ]
    for (const query of worst) {
      const { status, errors } = await ask(query)
      expect.soft(status, query.slice(0, 60)).toBe(400)
      expect.soft(errors.length, query.slice(0, 60)).toBeLessThanOrEqual(10)
      expect.soft(errors[0]?.extensions.code, query.slice(0, 60)).toMatch(/^GRAPHQL_|^OPERATION_TOO_LARGE$/)
    }
  })
})

describe('validation', () => {
  test('applies every rule of graphql-js', async () => {
    const invalid = [
      '{ carriers { nope } }',
      '{ carriers }',
      '{ carriers { id { x } } }',
      '{ carriers { id: name id } }',
      '{ carriers { ...F } }',
      'query ($x: Int) { carriers { id } }',
      '{ shipments(first: $n) { edges { cursor } } }',
      '{ shipments(first: "1") { edges { cursor } } }',
      '{ carriers { id @nope } }',
      '{ shipments(nope: 1) { edges { cursor } } }',
      '{ shipment { id } }',
    ]
    for (const query of invalid) {
      const { status, data, errors } = await ask(query)
      expect.soft(status, query).toBe(400)
      expect.soft(data, query).toBeUndefined()
      expect.soft(errors[0]?.extensions.code, query).toBe('GRAPHQL_VALIDATION_FAILED')
    }
  })

  test('lists at most ten errors and says that there are more', async () => {
    const { errors } = await ask(`{ carriers { ${repeat(100, (index) => `nope${index}`)} } }`)
    expect(errors).toHaveLength(10)
    expect(errors[0]?.message).toContain('"nope0"')
    expect(errors.at(-1)?.message).toContain('Too many validation errors')
  })

  test('gives the same errors for a document from the cache', async () => {
    const query = '{ carriers { seenBefore } }'
    const { errors } = await ask(query)
    expect(errors).toHaveLength(1)
    expect((await ask(query)).errors).toEqual(errors)
  })
})

describe('the schema', () => {
  test('can be queried if introspection is on', async () => {
    const { errors } = await ask(
      getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true }),
    )
    expect(errors).toEqual([])
  })

  test('cannot be queried with lists of fields nested in each other', async () => {
    const nested = (levels: number): string =>
      levels === 0 ? 'name' : `fields { type { ${nested(levels - 1)} } }`
    expect((await ask(`{ __type(name: "Money") { ${nested(2)} } }`)).errors).toEqual([])
    exceeds(await ask(`{ __type(name: "Money") { ${nested(3)} } }`), 'introspection depth', 3, 2)
    const inFragment = `{ ...A } fragment A on Query { a:__type(name: "Money"){ ...B } } fragment B on __Type { ${nested(3)} }`
    exceeds(await ask(inFragment), 'introspection depth', 3, 2)
  })

  test('cannot be queried if introspection is off', async () => {
    for (const query of [getIntrospectionQuery(), '{ __type(name: "Money") { name } }'])
      refused(await closed.ask(query), 'introspection has been disabled')
    expect((await closed.ask('{ __typename carriers { __typename } }')).errors).toEqual([])
  })

  test('is public: error messages suggest names, also if introspection is off', async () => {
    const misspelt: [string, unknown?][] = [
      ['{ carriars { id } }'],
      ['{ carriers { nam } }'],
      ['query ($input: RateInput!) { carriers { id } }'],
      ['{ rates(input: { form: 1 }) { __typename } }'],
      ['{ shipments(sort: NEWST) { edges { cursor } } }'],
      ['query ($s: ShipmentSort) { shipments(sort: $s) { edges { cursor } } }', { s: 'NEWST' }],
      ['{ rates(input: {}) { options { price { amount } } } }'],
    ]
    for (const [query, variables] of misspelt)
      for (const instance of [{ ask }, closed]) {
        const answer = await instance.ask(query, variables)
        expect(answer.status).toBe(400)
        expect(answer.text, query).toContain('Did you mean')
      }
  })
})
