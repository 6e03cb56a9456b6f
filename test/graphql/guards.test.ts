import { getIntrospectionQuery } from 'graphql'
import { describe, expect, test } from 'vitest'
import { fakePorts } from './fake-ports.ts'
import { type Answer, openInstance } from './instance.ts'

const ports = fakePorts()
const { ask } = openInstance({ ports })
const production = openInstance({ production: true, introspection: false })

function refused(answer: Answer, message: string) {
  expect(answer).toMatchObject({ status: 400, data: undefined })
  expect(answer.errors.map((error) => error.message).join()).toContain(message)
}

const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ')

const CANCEL = 'cancelShipment(input: { shipmentId: "x" }) { __typename }'

describe('limits', () => {
  test('500 aliased mutations run none', async () => {
    refused(
      await ask(`mutation { ${repeat(100, (index) => `m${index}: ${CANCEL}`)} }`),
      'at most 1 root field per mutation',
    )
    refused(await ask(`mutation { ${repeat(500, (index) => `m${index}: ${CANCEL}`)} }`), '2000 tokens')
    expect(ports.calls).toEqual([])
  })

  test('two mutations hidden in fragments count as two', async () => {
    const query = `mutation { ...A ... on Mutation { ${CANCEL} } } fragment A on Mutation { b: ${CANCEL} }`
    refused(await ask(query), 'at most 1 root field per mutation')
  })

  test('one mutation with __typename passes', async () => {
    const { status } = await ask(
      'mutation { __typename cancelShipment(input: { shipmentId: "?" }) { __typename } }',
    )
    expect(status).toBe(200)
  })

  test('ten roots of a query pass, eleven do not', async () => {
    const roots = (count: number) => `{ ${repeat(count, (index) => `r${index}: carriers { id }`)} }`
    expect((await ask(roots(10))).errors).toEqual([])
    refused(await ask(roots(11)), 'at most 10 root fields per query')
  })

  test('fifteen aliases pass, sixteen do not', async () => {
    const aliases = (count: number) => `{ carriers { ${repeat(count, (index) => `a${index}: name`)} } }`
    expect((await ask(aliases(15))).errors).toEqual([])
    refused(await ask(aliases(16)), 'at most 15 aliases')
  })

  test('fifteen levels pass, sixteen do not', async () => {
    const nested = (levels: number) =>
      `{ __type(name: "Money") { ${'ofType { '.repeat(levels - 2)} name ${'} '.repeat(levels - 2)} } }`
    expect((await ask(nested(15))).errors).toEqual([])
    refused(await ask(nested(16)), 'at most 15 levels deep')
  })

  test('a field within itself is refused, also by way of fragments: answers would grow with each turn', async () => {
    refused(
      await ask('{ carriers { products { carrier { products { id } } } } }'),
      'no fields within themselves',
    )
    const query = `{ shipments { edges { node { product { ...P } } } } }
      fragment P on Product { carrier { products { ... on Product { carrier { id } } } } }`
    refused(await ask(query), 'no fields within themselves')
  })

  test('fields of the same name in different types are no such thing', async () => {
    const parcels = '[{ type: DOC, count: 1 }]'
    const { errors } =
      await ask(`{ rates(input: { from: { country: "NL" }, to: { country: "ES" }, parcels: ${parcels} }) {
      ... on RateQuote { options { chargeable { chargeable { kilograms } } } } } }`)
    expect(errors).toEqual([])
  })

  test('a fragment counts each time it is spread', async () => {
    const fields = repeat(30, () => 'name')
    const query = (spreads: number) =>
      `{ carriers { ${repeat(spreads, () => '...F')} } } fragment F on Carrier { ${fields} }`
    expect((await ask(query(15))).errors).toEqual([])
    refused(await ask(query(17)), 'at most 500 selections')
  })

  test('a fragment bomb is refused at once', async () => {
    const bomb = repeat(60, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)
    const started = performance.now()
    refused(
      await ask(`{ ...F0 } ${bomb} fragment F60 on Query { carriers { id } }`),
      'at most 500 selections',
    )
    expect(performance.now() - started).toBeLessThan(500)
  })

  test('fragments within themselves are refused', async () => {
    refused(
      await ask('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }'),
      'Cannot spread fragment',
    )
    refused(
      await ask('{ carriers { ...A } } fragment A on Carrier { products { carrier { ...A } } }'),
      'Cannot spread fragment',
    )
  })

  test('every operation of a document is held to the limits, not only the one that runs', async () => {
    refused(
      await ask(`query A { carriers { id } } mutation B { a: ${CANCEL} b: ${CANCEL} }`),
      'root field per mutation',
    )
  })

  test('a subscription is the fault of the request: there is none', async () => {
    refused(await ask('subscription { anything }'), 'There is no subscription')
  })

  test('the worst documents within the token limit are refused quickly and never as a fault', async () => {
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
    ]
    for (const query of worst) {
      const started = performance.now()
      const { status, errors } = await ask(query)
      expect.soft(performance.now() - started, query.slice(0, 60)).toBeLessThan(1_500)
      expect.soft(status, query.slice(0, 60)).toBe(400)
      expect.soft(errors[0]?.extensions.code, query.slice(0, 60)).toMatch(/^GRAPHQL_/)
    }
  })
})

describe('the schema', () => {
  test('may be asked for where introspection is on', async () => {
    const { errors } = await ask(
      getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true }),
    )
    expect(errors).toEqual([])
  })

  test('may not be asked for where it is off', async () => {
    for (const query of [getIntrospectionQuery(), '{ __type(name: "Money") { name } }'])
      refused(await production.ask(query), 'Introspection is not allowed')
  })

  test('its names are suggested in development and hidden in production', async () => {
    const misspelt: [string, unknown?][] = [
      ['{ carrier { id } }'],
      ['{ carriers { nam } }'],
      ['query ($input: RateInput!) { carriers { id } }'],
      ['{ rates(input: { form: 1 }) { __typename } }'],
      ['{ shipments(state: BOKED) { edges { cursor } } }'],
      ['query ($s: ShipmentState) { shipments(state: $s) { edges { cursor } } }', { s: 'BOKED' }],
      ['{ rates(input: {}) { options { price { amount } } } }'],
    ]
    for (const [query, variables] of misspelt) {
      expect((await ask(query, variables)).text, query).toContain('Did you mean')
      const hidden = await production.ask(query, variables)
      expect(hidden.status).toBe(400)
      expect(hidden.text, query).not.toContain('Did you mean')
    }
  })
})
