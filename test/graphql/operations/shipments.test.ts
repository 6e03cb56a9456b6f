import { expect, test } from 'vitest'
import type { CancelAttempt } from '../../../src/core/shipments/shipment.ts'
import { fakePorts, shipment } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const STATES = ['booked', 'draft', 'in_transit', 'cancelled'] as const
const many = Array.from({ length: 25 }, (_, index) =>
  shipment({
    shipmentId: `s${index}`,
    state: STATES[index % 4]!,
    carrierCode: index === 3 ? 'gone' : 'rondeel',
    productId: index === 3 ? 99 : 1201,
  }),
)
const attempts: readonly CancelAttempt[] = [
  {
    ...{ shipmentId: 's0', at: '2026-11-20T10:00:00Z', phase: 'refused', sends: 1 },
    refusal: { code: 'WINDOW_CLOSED', reason: 'Too late' },
    carrierRefusalCode: 'W-17',
    settledAt: '2026-11-20T10:00:01Z',
    settledBy: 'operator',
  },
  {
    ...{ shipmentId: 's0', at: '2026-11-20T11:00:00Z', phase: 'pending', sends: 3 },
    nextTryAt: '2026-11-20T11:00:07Z',
  },
  {
    ...{ shipmentId: 's4', at: '2026-11-20T12:00:00Z', phase: 'accepted', sends: 1 },
    settledAt: '2026-11-20T12:00:01Z',
    settledBy: 'carrier',
  },
]

function open() {
  const ports = fakePorts({ shipments: many, attempts })
  let books = 0
  const { rateBook } = ports.reference
  ports.reference.rateBook = () => {
    books++
    return rateBook()
  }
  return { ...openInstance({ ports }), ports, books: () => books }
}

const NODE = `id state carrier { id name products { id } } product { id name carrier { name } } trackingNumber
  from { country zipcode city } to { country zipcode city } price { amount } createdAt cancelledAt cancellable
  cancelAttempts { createdAt outcome refusalCode carrierReason carrierRefusalCode sends settledAt settledBy nextTryAt }`

test('a page of shipments needs two statements and one read of the rate book', async () => {
  const { ask, ports, books } = open()
  const { data, errors } = await ask(
    `{ shipments(first: 20) { ... on ShipmentConnection { edges { cursor node { ${NODE} } } pageInfo { hasNextPage } } } }`,
  )
  expect(errors).toEqual([])
  expect(ports.calls).toEqual(['list', 'attempts'])
  expect(books()).toBe(1)
  expect(data).toMatchObject({
    shipments: {
      edges: many.slice(0, 20).map(({ shipmentId }) => ({ cursor: shipmentId, node: { id: shipmentId } })),
    },
  })
})

test('a shipment is returned with all fields', async () => {
  const { ask, ports } = open()
  const { data } = await ask(`{ shipment(id: "s0") { ${NODE} } }`)
  expect(data).toEqual({
    shipment: {
      id: 's0',
      state: 'BOOKED',
      carrier: { id: 'rondeel', name: 'Rondeel Parcel', products: [{ id: '1201' }, { id: '1202' }] },
      product: { id: '1201', name: 'Classic', carrier: { name: 'Rondeel Parcel' } },
      trackingNumber: 'RP123',
      from: { country: 'NL', zipcode: '1012 JS', city: 'Amsterdam' },
      to: { country: 'ES', zipcode: null, city: null },
      price: { amount: '12.50' },
      createdAt: '2026-11-20T09:30:00.000Z',
      cancelledAt: null,
      cancellable: true,
      cancelAttempts: [
        {
          ...{ createdAt: '2026-11-20T10:00:00Z', outcome: 'REFUSED', sends: 1 },
          ...{ refusalCode: 'WINDOW_CLOSED', carrierReason: 'Too late', carrierRefusalCode: 'W-17' },
          ...{ settledAt: '2026-11-20T10:00:01Z', settledBy: 'OPERATOR', nextTryAt: null },
        },
        {
          ...{ createdAt: '2026-11-20T11:00:00Z', outcome: 'PENDING', sends: 3 },
          ...{ refusalCode: null, carrierReason: null, carrierRefusalCode: null },
          ...{ settledAt: null, settledBy: null, nextTryAt: '2026-11-20T11:00:07Z' },
        },
      ],
    },
  })
  expect(ports.calls).toEqual(['findMany', 'attempts'])
})

test('ten shipments by id need one statement', async () => {
  const { ask, ports } = open()
  const roots = Array.from({ length: 10 }, (_, index) => `a${index}: shipment(id: "s${index}") { id }`)
  expect((await ask(`{ ${roots.join(' ')} }`)).errors).toEqual([])
  expect(ports.calls).toEqual(['findMany'])
})

test('a product that is in no rate card any more is null; its carrier has the code as name', async () => {
  const { ask } = open()
  const { data } = await ask('{ shipment(id: "s3") { carrier { id name products { id } } product { id } } }')
  expect(data).toEqual({ shipment: { carrier: { id: 'gone', name: 'gone', products: [] }, product: null } })
})

test('a draft has no attempts, and none are read', async () => {
  const { ask, ports } = open()
  const { data } = await ask('{ shipment(id: "s1") { cancelAttempts { createdAt } } }')
  expect(data).toEqual({ shipment: { cancelAttempts: [] } })
  expect(ports.calls).toEqual(['findMany'])
})

test('an unknown or malformed id returns null', async () => {
  const { ask, ports } = open()
  expect((await ask('{ shipment(id: "nope") { id } }')).data).toEqual({ shipment: null })
  ports.calls.length = 0
  for (const id of ['', '\u0000', '\ud800', 'x'.repeat(10_000), "' or 1=1"]) {
    const { data } = await ask('query ($id: ID!) { shipment(id: $id) { id } }', { id })
    expect(data).toEqual({ shipment: null })
  }
  expect(ports.calls).toEqual([])
})

test('cursors lead through all pages', async () => {
  const { ask } = open()
  const query = `query ($after: String) { shipments(first: 10, after: $after) { ... on ShipmentConnection { edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
  type Page = {
    shipments: {
      edges: { node: { id: string } }[]
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string }
    }
  }
  const seen: string[] = []
  let after: string | undefined
  for (const expected of [
    { hasNextPage: true, hasPreviousPage: false },
    { hasNextPage: true, hasPreviousPage: true },
    { hasNextPage: false, hasPreviousPage: true },
  ]) {
    const { shipments } = (await ask(query, { after })).data as Page
    expect(shipments.pageInfo).toMatchObject(expected)
    seen.push(...shipments.edges.map(({ node }) => node.id))
    after = shipments.pageInfo.endCursor
  }
  expect(seen).toEqual(many.map(({ shipmentId }) => shipmentId))
})

test('an empty page has no cursors', async () => {
  const { ask } = openInstance({ ports: fakePorts({ shipments: [] }) })
  const { data } = await ask(
    '{ shipments { ... on ShipmentConnection { edges { cursor } pageInfo { hasNextPage startCursor endCursor } } } }',
  )
  expect(data).toEqual({
    shipments: { edges: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } },
  })
})

test('shipments can be filtered by state', async () => {
  const { ask } = open()
  const { data } = await ask(
    '{ shipments(state: IN_TRANSIT, first: 2) { ... on ShipmentConnection { edges { node { id state cancellable } } } } }',
  )
  const node = (id: string) => ({ node: { id, state: 'IN_TRANSIT', cancellable: false } })
  expect(data).toEqual({ shipments: { edges: [node('s2'), node('s6')] } })
})

test('an invalid page size or cursor is an InputProblem with its path, and does not affect other fields', async () => {
  const { ask, faults } = open()
  for (const page of ['first: 0', 'first: 101', 'first: -1', 'after: "nope"', 'after: ""']) {
    const { data, errors, status } = await ask(
      `{ shipments(${page}) { __typename ... on InputProblem { code fields { path } } } carriers { __typename } }`,
    )
    expect(status, page).toBe(200)
    expect(errors, page).toEqual([])
    expect(data, page).toMatchObject({
      shipments: {
        __typename: 'InputProblem',
        code: 'INVALID_INPUT',
        fields: [{ path: [page.split(':')[0]] }],
      },
      carriers: expect.arrayContaining([expect.anything()]),
    })
  }
  expect(faults).toEqual([])
})

test('carriers are returned with their products', async () => {
  const { ask, books } = open()
  const { data } = await ask('{ carriers { id name products { id name carrier { id } } } }')
  expect(data).toMatchObject({
    carriers: [
      {
        id: 'hanzo',
        name: 'Hanzo Pallet',
        products: [{ id: '1501' }, { id: '1502' }, { id: '1503' }, { id: '1504' }],
      },
      { id: 'kwiklijn' },
      { id: 'noordster' },
      { id: 'polderpost' },
      { id: 'rondeel', products: [{ id: '1201', carrier: { id: 'rondeel' } }, { id: '1202' }] },
      { id: 'transmarque', products: [{ id: '1601', name: 'Groupage' }] },
    ],
  })
  expect(books()).toBeLessThanOrEqual(2)
})

test('rate options include their carriers without a lookup for each', async () => {
  const { ask, books } = open()
  const { data } =
    await ask(`{ rates(input: { from: { country: "NL" }, to: { country: "ES" }, recipientType: BUSINESS,
    parcels: [{ type: NONDOC, count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }] }) {
    ... on RateQuote { options { product { id carrier { name products { id } } } } } } }`)
  expect((data as { rates: { options: unknown[] } }).rates.options.length).toBeGreaterThan(3)
  // The quote and the products of the carriers use the same book.
  expect(books()).toBe(1)
})
