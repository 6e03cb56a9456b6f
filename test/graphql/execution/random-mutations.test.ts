/**
 * Random operations with mutations get the same response, and start the same mutations with the same input in the same
 * order, whether compiled queries are enabled or not: with aliases, fragments, conditions, several root fields, and
 * faults.
 */
import { ApolloServer } from '@apollo/server'
import fc from 'fast-check'
import { beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import type { Shipment } from '../../../src/core/shipments/shipment.ts'
import { bookShipment } from '../../../src/operations/book-shipment.ts'
import { cancelShipment } from '../../../src/operations/cancel-shipment.ts'
import { RequestStopped } from '../../../src/operations/ports/work.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { fakePorts, shipment } from '../fake-ports.ts'
import { CREDENTIALS, type Instance, Outage, openInstance } from '../instance.ts'

const stored = shipment({ shipmentId: 's1', state: 'cancelled' })

/** What happens to the mutations of a request, in order, and to the loading of a shipment. */
type Events = { readonly mutations: readonly Happening[]; readonly loading: Happening }
type Happening = 'success' | 'fault' | 'outage' | 'deadline' | 'disconnected' | 'fault at once'

let events: Events = { mutations: [], loading: 'success' }
let started: string[] = []

function failWith(happening: Happening): void {
  switch (happening) {
    case 'fault':
    case 'fault at once':
      throw new Error('broken')
    case 'outage':
      throw new Outage('away')
    case 'deadline':
    case 'disconnected':
      throw new RequestStopped(happening)
    case 'success':
  }
}

function start<Result>(name: string, shipmentId: string, result: Result): Promise<Result> {
  const happening = events.mutations[started.length] ?? 'success'
  started.push(`${name} ${shipmentId}`)
  if (happening === 'fault at once') failWith(happening)
  return Promise.resolve().then(() => {
    failWith(happening)
    return result
  })
}

const [compiling, plain] = [true, false].map((compiledQueries) => {
  const ports = fakePorts({ shipments: [stored] })
  const findMany = async (): Promise<readonly Shipment[]> => {
    failWith(events.loading)
    return [stored]
  }
  return openInstance({ ports: { ...ports, shipments: { ...ports.shipments, findMany } }, compiledQueries })
}) as [Instance, Instance]

let executions: MockInstance

beforeEach(() => {
  executions = vi.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest')
  vi.mocked(cancelShipment).mockImplementation((_ports, _caller, shipmentId) =>
    start('cancel', shipmentId, {
      ...{ kind: 'ShipmentCancelled', shipmentId: 's1', message: 'done', alreadyCancelled: false },
      ...{ carrierNotified: false, labelMustBeDestroyed: false },
    }),
  )
  vi.mocked(bookShipment).mockImplementation((_ports, _caller, shipmentId) =>
    start('book', shipmentId, {
      ...{ kind: 'ShipmentBooked', shipmentId: 's1', carrierRef: 'RP1', alreadyBooked: false },
    }),
  )
})

const condition = fc.constantFrom(
  '',
  ' @skip(if: $a)',
  ' @include(if: $a)',
  ' @skip(if: $b)',
  ' @include(if: $b)',
)

/** A root field, also within a fragment. */
const root = fc
  .record({
    alias: fc.constantFrom('', 'x: ', 'y: '),
    field: fc.constantFrom(
      `cancelShipment(input: { shipmentId: $id }) { ... on ShipmentCancelled { message shipment { id state } } }`,
      `cancelShipment(input: { shipmentId: "s2" }) { __typename }`,
      `bookShipment(input: { shipmentId: $id }) { ... on ShipmentBooked { alreadyBooked shipment { id } } }`,
      '__typename',
    ),
    condition,
    outer: condition,
    place: fc.constantFrom('plain', 'plain', 'inline', 'fragment'),
  })
  .map(({ alias, field, condition: inner, outer, place }) => {
    const selection = `${alias}${field.replace(/ \{|$/, (brace) => `${inner}${brace}`)}`
    return { selection, outer, place }
  })

const document = fc
  .record({
    roots: fc.array(root, { minLength: 1, maxLength: 2 }),
    a: fc.constantFrom('Boolean!', 'Boolean = false', 'Boolean! = true'),
    b: fc.constantFrom('Boolean!', 'Boolean = true'),
  })
  .map(({ roots, a, b }) => {
    const fragments: string[] = []
    const selections = roots.map(({ selection, outer, place }, index) => {
      if (place === 'plain') return selection
      if (place === 'inline') return `...${outer} { ${selection} }`
      fragments.push(`fragment F${index} on Mutation { ${selection} }`)
      return `...F${index}${outer}`
    })
    const text = [`{ ${selections.join(' ')} }`, ...fragments].join(' ')
    const variables = [`$id: ID!`, `$a: ${a}`, `$b: ${b}`].filter((variable) =>
      text.includes(variable.slice(0, 2)),
    )
    return `mutation ${variables.length === 0 ? '' : `(${variables.join(', ')})`} ${text}`
  })

const happening = fc.constantFrom<Happening>(
  ...([
    'success',
    'success',
    'success',
    'success',
    'success',
    'success',
    'fault',
    'outage',
    'deadline',
    'disconnected',
    'fault at once',
  ] as const),
)

const send = fc.record({
  variables: fc.record(
    {
      id: fc.constantFrom('s1', 's1', 's3', 's3', null),
      a: fc.constantFrom(true, false, null),
      b: fc.constantFrom(true, false, null),
    },
    { requiredKeys: [] },
  ),
  events: fc.record({ mutations: fc.array(happening, { maxLength: 3 }), loading: happening }),
})

async function ask(instance: Instance, query: string, variables: object) {
  started = []
  const { statusCode, body } = await instance.app.inject({
    ...{ method: 'POST', url: '/graphql', payload: { query, variables } },
    headers: { 'x-pp-api': CREDENTIALS, 'x-request-id': 'an-id' },
  })
  return { statusCode, body, started }
}

test('random mutations are started as often as without compiled queries', {
  timeout: 1_200_000,
}, async () => {
  let compiled = 0
  await fc.assert(
    fc.asyncProperty(document, fc.array(send, { minLength: 15, maxLength: 20 }), async (query, sends) => {
      for (const { variables, events: given } of sends) {
        const complete = { id: 's1', a: true, b: true, ...variables }
        events = given
        const expected = await ask(plain, query, complete)
        const before = executions.mock.calls.length
        expect(await ask(compiling, query, complete)).toEqual(expected)
        if (executions.mock.calls.length === before) compiled++
      }
    }),
    { numRuns: caseCount(30, 1_000) },
  )
  // Many are not: operations with several root fields, invalid ones, and those that failed.
  expect(compiled).toBeGreaterThan(0)
})
