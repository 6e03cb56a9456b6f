import { buildSchema } from 'graphql'
import { describe, expect, test, vi } from 'vitest'
import { MAX_REPRESENTATIONS } from '../../../src/graphql/cost/operation-cost.ts'
import { readSchemaText } from '../../../src/graphql/schema-files.ts'
import type { Turns } from '../../../src/operations/ports/work.ts'
import { type FakeMemory, fakePorts, shipment } from '../fake-ports.ts'
import { type InstanceOptions, Outage, openInstance, SHORT_TURNS } from '../instance.ts'

const shipments = Array.from({ length: MAX_REPRESENTATIONS }, (_, index) =>
  shipment({ shipmentId: `s${index}` }),
)

const QUERY = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Shipment { id state product { name } cancelAttempts { outcome } }
    ... on Carrier { id name }
    ... on Product { id name carrier { id } }
  }
}`

const shipmentKey = (id: unknown) => ({ __typename: 'Shipment', id })

function open(memory: FakeMemory = {}, options: Omit<InstanceOptions, 'ports'> = {}) {
  const ports = fakePorts({ shipments, ...memory })
  const { ask, ...instance } = openInstance({ ports, ...options })
  return { ...instance, ports, entities: (representations: unknown) => ask(QUERY, { representations }), ask }
}

test('`_service` returns the schema files, also if introspection is off', async () => {
  const { ask } = open({}, { introspection: false })
  const { data, errors } = await ask('{ _service { sdl } }')
  expect(errors).toEqual([])
  const { sdl } = (data as { _service: { sdl: string } })._service
  expect(sdl).toBe(readSchemaText())
  expect(buildSchema(sdl).getDirective('key')).toBeDefined()
})

describe('`_entities`', () => {
  const instance = open()

  test('returns the entities in the order of their representations', async () => {
    const { entities } = instance
    const { data, errors } = await entities([
      { __typename: 'Product', id: '1201' },
      shipmentKey('s2'),
      { __typename: 'Carrier', id: 'rondeel' },
      shipmentKey('s1'),
      shipmentKey('s2'),
    ])
    expect(errors).toEqual([])
    expect(data).toEqual({
      _entities: [
        { __typename: 'Product', id: '1201', name: 'Classic', carrier: { id: 'rondeel' } },
        {
          __typename: 'Shipment',
          id: 's2',
          state: 'BOOKED',
          product: { name: 'Classic' },
          cancelAttempts: [],
        },
        { __typename: 'Carrier', id: 'rondeel', name: 'Rondeel Parcel' },
        {
          __typename: 'Shipment',
          id: 's1',
          state: 'BOOKED',
          product: { name: 'Classic' },
          cancelAttempts: [],
        },
        {
          __typename: 'Shipment',
          id: 's2',
          state: 'BOOKED',
          product: { name: 'Classic' },
          cancelAttempts: [],
        },
      ],
    })
  })

  test('reads all shipments with one statement, and their attempts with another one', async () => {
    const endless: Turns = { over: () => false, next: async () => {} }
    const { entities, ports } = open({}, { turns: () => endless })
    const ids = shipments.map(({ shipmentId }) => shipmentId)
    const { data, errors } = await entities(ids.map(shipmentKey))
    expect(errors).toEqual([])
    expect((data as { _entities: { id: string }[] })._entities.map(({ id }) => id)).toEqual(ids)
    expect(ports.calls).toEqual(['findMany', 'attempts'])
  })

  test('lets other requests run while it presents many entities', async () => {
    let turns = 0
    const counted: Turns = {
      ...SHORT_TURNS,
      next: () => {
        turns++
        return SHORT_TURNS.next()
      },
    }
    const { entities } = open({}, { turns: () => counted })
    const { data, errors } = await entities(
      shipments.slice(0, 100).map(({ shipmentId }) => shipmentKey(shipmentId)),
    )
    expect(errors).toEqual([])
    expect((data as { _entities: { id: string }[] })._entities.map(({ id }) => id)).toEqual(
      shipments.slice(0, 100).map(({ shipmentId }) => shipmentId),
    )
    expect(turns).toBeGreaterThanOrEqual(100)
  })

  test('returns null for unknown ids, without an error', async () => {
    const { entities, ports } = open()
    const unknown = [
      ...['Carrier', 'Product'].flatMap((name) =>
        ['nobody', '', '0', '01201', '1e3', '__proto__'].map((id) => ({ __typename: name, id })),
      ),
      ...['', '\u0000', '\ud800', "' or 1=1", 'x'.repeat(10_000)].map(shipmentKey),
    ]
    const { data, errors } = await entities(unknown)
    expect(errors).toEqual([])
    expect(data).toEqual({ _entities: unknown.map(() => null) })
    expect(ports.calls).toEqual([])
    expect((await entities([shipmentKey('nobody')])).data).toEqual({ _entities: [null] })
  })

  test('reads a whole number as an id, like every ID input', async () => {
    const { entities } = instance
    const { data } = await entities([{ __typename: 'Product', id: 1201 }])
    expect(data).toMatchObject({ _entities: [{ id: '1201' }] })
  })

  test('reads representations that are written in the document, also with variables inside', async () => {
    const { ask } = instance
    const { data, errors } = await ask(
      `query ($id: ID!) {
        _entities(representations: [
          { __typename: "Shipment", id: $id }
          { __typename: "Product", id: 1202 }
          { __typename: "Product", id: [[[{ a: { b: 1 } }]]] }
        ]) { ... on Shipment { id } ... on Product { id } }
      }`,
      { id: 's7' },
    )
    expect(data).toEqual({ _entities: [{ id: 's7' }, { id: '1202' }, null] })
    expect(errors).toMatchObject([
      { path: ['_entities', 2], message: 'Invalid representation: "id" must be a string' },
    ])
  })

  test('returns an empty list for no representations', async () => {
    expect((await instance.entities([])).data).toEqual({ _entities: [] })
  })
})

describe('an invalid representation', () => {
  const { entities, faults } = open()
  const deep = JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)
  const TYPENAME = '"__typename" must be Shipment, Carrier, Product'
  const KEY = 'the key of an entity is "id"; leave out all other fields'
  test.each<readonly [string, unknown, string]>([
    ['without `__typename`', { id: 's1' }, TYPENAME],
    ['of an unknown type', { __typename: 'Order', id: 's1' }, TYPENAME],
    ['of a type that is no entity', { __typename: 'Money', id: 's1' }, TYPENAME],
    ['of the type `__proto__`', { __typename: '__proto__', id: 's1' }, TYPENAME],
    ['of the type `constructor`', { __typename: 'constructor', id: 's1' }, TYPENAME],
    ['with a list as `__typename`', { __typename: ['Shipment'], id: 's1' }, TYPENAME],
    ['without `id`', { __typename: 'Shipment' }, '"id" must be a string'],
    ['with null as `id`', shipmentKey(null), '"id" must be a string'],
    ['with true as `id`', shipmentKey(true), '"id" must be a string'],
    ['with a fraction as `id`', shipmentKey(1.5), '"id" must be a string'],
    ['with a number that is not exact as `id`', shipmentKey(1e21), '"id" must be a string'],
    ['with an object as `id`', shipmentKey({ toString: 's1' }), '"id" must be a string'],
    ['with a deep `id`', shipmentKey(deep), '"id" must be a string'],
    ['with another field', { ...shipmentKey('s1'), state: 'DRAFT' }, KEY],
    ['with a deep field', { ...shipmentKey('s1'), deep }, KEY],
    [
      'with a field `__proto__`',
      JSON.parse('{"__typename":"Shipment","id":"s1","__proto__":{"id":"s2"}}'),
      KEY,
    ],
    [
      'with `__proto__` instead of fields',
      JSON.parse('{"__proto__":{"__typename":"Shipment","id":"s1"}}'),
      TYPENAME,
    ],
    ['that is text', 's1', 'a representation must be an object'],
    ['that is a list', [shipmentKey('s1')], 'a representation must be an object'],
    ['that is a number', 1, 'a representation must be an object'],
  ])('%s is a client error and does not affect other entities', async (_name, invalid, message) => {
    const { status, data, errors } = await entities([shipmentKey('s1'), invalid, shipmentKey('s3')])
    expect(status).toBe(200)
    expect(data).toMatchObject({ _entities: [{ id: 's1' }, null, { id: 's3' }] })
    expect(errors).toEqual([
      {
        message: `Invalid representation: ${message}`,
        path: ['_entities', 1],
        locations: expect.anything(),
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ])
    expect(faults).toEqual([])
  })

  test('is reported by a short message, however long it is', async () => {
    const { text } = await entities([{ __typename: 'x'.repeat(100_000), id: 1 }])
    expect(text.length).toBeLessThan(500)
  })

  test('is null or missing: the operation is refused, because the type of the list does not allow null', async () => {
    for (const representations of [[null], null, undefined]) {
      const { status, errors } = await entities(representations)
      expect(status).toBe(400)
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    }
  })

  test('in each of many places leads to ten errors at most', async () => {
    const { data, errors } = await entities([...Array(100).fill(shipmentKey(null)), shipmentKey('s1')])
    expect((data as { _entities: unknown[] })._entities.filter((entity) => entity !== null)).toHaveLength(1)
    expect(errors).toHaveLength(10)
    expect(errors.at(-1)?.message).toBe('91 more errors are not listed')
  })
})

describe('many representations', () => {
  test('that are invalid create ten errors, not one each', async () => {
    const { entities } = open()
    const stacks = vi.spyOn(Error, 'captureStackTrace')
    const { errors } = await entities(Array(1_000).fill(shipmentKey(null)))
    const created = stacks.mock.calls.length
    stacks.mockRestore()
    expect(errors).toHaveLength(10)
    expect(errors.at(-1)?.message).toBe('991 more errors are not listed')
    expect(created).toBeLessThan(100)
  })
})

describe('the limits of `_entities`', () => {
  const REFUSED = {
    code: 'OPERATION_TOO_LARGE',
    limit: 'representations',
    actual: MAX_REPRESENTATIONS + 1,
    maximum: MAX_REPRESENTATIONS,
  }
  const tooMany = Array(MAX_REPRESENTATIONS + 1).fill(shipmentKey('s1'))

  test('refuse more representations than the maximum before anything is read', async () => {
    const { entities, ports } = open()
    const { status, errors } = await entities(tooMany)
    expect(status).toBe(400)
    expect(errors).toMatchObject([{ extensions: REFUSED }])
    expect(ports.calls).toEqual([])
  })

  test('count the representations of all `_entities` fields of an operation', async () => {
    const { ask, ports } = open()
    const { errors } = await ask(
      `query ($a: [_Any!]!, $b: [_Any!]!) {
        a: _entities(representations: $a) { __typename }
        b: _entities(representations: $b) { __typename }
      }`,
      { a: tooMany.slice(0, 1), b: tooMany.slice(1) },
    )
    expect(errors).toMatchObject([{ extensions: REFUSED }])
    expect(ports.calls).toEqual([])
  })

  test('charge an entity like a root field', async () => {
    const charged: number[] = []
    const allowance = {
      charge: (points: number): undefined => {
        charged.push(points)
      },
      overdraw: () => {},
    }
    const { ask } = open({}, { allowance })
    const fields = 'id state price { amount currency } createdAt from { country } to { country }'
    const roots = Array.from(
      { length: 10 },
      (_, index) => `a${index}: shipment(id: "s${index}") { ${fields} }`,
    )
    const entity = `query ($representations: [_Any!]!) {
      _entities(representations: $representations) { ... on Shipment { ${fields} } }
    }`
    for (let index = 0; index < 10; index++) await ask(`{ ${roots.join(' ')} }`)
    await ask(entity, {
      representations: shipments.slice(0, 100).map(({ shipmentId }) => shipmentKey(shipmentId)),
    })
    const entityCost = charged.pop()!
    // Each request costs one point besides its fields.
    const lookupCost = charged.reduce((sum, points) => sum + points - 1, 0)
    expect(entityCost).toBeGreaterThan(lookupCost)
  })
})

describe('a fault while entities are loaded', () => {
  test('of the database is answered with 503, like for every other field', async () => {
    const { entities } = open({ store: { findMany: () => Promise.reject(new Outage()) } })
    const { status, errors } = await entities([shipmentKey('s1'), { __typename: 'Carrier', id: 'rondeel' }])
    expect(status).toBe(503)
    expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }])
  })
})
