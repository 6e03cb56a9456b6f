import { describe, expect, test } from 'vitest'
import { compileRateBook } from '../../../src/core/rating/book/rate-book.ts'
import type { CancelAttempt, ShipmentContents } from '../../../src/core/shipments/shipment.ts'
import type { TrackingEvent } from '../../../src/core/shipments/tracking.ts'
import type { ShipmentPageRequest } from '../../../src/operations/ports/shipments.ts'
import { UNLIMITED_TURNS } from '../../../src/operations/ports/work.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { compileRows } from '../../support/rates/rate-cards.ts'
import { fakePorts, shipment } from '../fake-ports.ts'
import { openInstance } from '../instance.ts'

const STATES = ['booked', 'draft', 'in_transit', 'cancelled'] as const
const BOOKED = {
  ...{ reference: 'PO-1', bookedAt: '2026-11-20T09:40:00.000Z', updatedAt: '2026-11-20T10:00:01.000Z' },
}
const many = Array.from({ length: 25 }, (_, index) =>
  shipment({
    shipmentId: `s${index}`,
    ...(index === 0 && BOOKED),
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

const trackingEvents: readonly TrackingEvent[] = [
  { shipmentId: 's0', type: 'draft', at: '2026-11-20T09:00:00.000Z' },
  { shipmentId: 's0', type: 'scanned', at: '2026-11-20T10:00:00.000Z', carrierRef: 'R-1' },
  { shipmentId: 's0', type: 'in_transit', at: '2026-11-20T10:00:01.000Z' },
  { shipmentId: 's2', type: 'cancelled', at: '2026-11-20T11:00:00.000Z' },
]

const contents: readonly ShipmentContents[] = [
  {
    shipmentId: 's0',
    parcelType: 'PALLET',
    parcels: [
      {
        ...{ count: 2, weightGrams: 250_500, lengthCm: 120, widthCm: 80, heightCm: 100, stackable: true },
        ...{ shape: 'IRREGULAR', packaging: 'CRATE', freightClassTenths: 775 },
      },
    ],
    contentItems: [
      {
        ...{ description: 'Gin', numberOfItems: 6, costSteps: 12_500_100, tariff: '220850' },
        ...{ originCountry: 'GB', weightGrams: 1_250, quantities: [{ unit: 'l', amountMicros: 700_000 }] },
      },
      { description: 'Glasses', numberOfItems: 2, costSteps: 0 },
    ],
  },
  {
    shipmentId: 's4',
    parcelType: 'DOC',
    parcels: [
      { count: 1, weightGrams: 0, lengthCm: 0, widthCm: 0, heightCm: 0, stackable: false },
      { count: 1, weightGrams: 75, lengthCm: 0, widthCm: 0, heightCm: 0, stackable: false },
    ],
    contentItems: [],
  },
]

function open() {
  const ports = fakePorts({ shipments: many, attempts, trackingEvents, contents })
  let books = 0
  const { rateBook } = ports.reference
  ports.reference.rateBook = () => {
    books++
    return rateBook()
  }
  // The end of a turn could divide what one statement reads.
  return { ...openInstance({ ports, turns: () => UNLIMITED_TURNS }), ports, books: () => books }
}

const NODE = `id state carrier { id name products { id } } product { id name carrier { name } } trackingNumber
  from { country postalCode city } to { country postalCode city } price { amount } createdAt cancelledAt cancellable
  cancelAttempts { createdAt outcome refusalCode carrierReason carrierRefusalCode sends settledAt settledBy nextTryAt }`

test('a page of shipments needs two statements and one read of the rate book', async () => {
  const { ask, ports, books } = open()
  const { data, errors } = await ask(
    `{ shipments(first: 20) { edges { cursor node { ${NODE} } } pageInfo { hasNextPage } } }`,
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
      from: { country: 'NL', postalCode: '1012 JS', city: 'Amsterdam' },
      to: { country: 'ES', postalCode: null, city: null },
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

test('what happened to the shipments of a page is read with one statement', async () => {
  const { ask, ports } = open()
  const { data, errors } = await ask(
    `{ shipments(first: 3) { nodes { trackingEvents { nodes { type occurredAt trackingNumber } } } } }`,
  )
  expect(errors).toEqual([])
  expect(ports.calls).toEqual(['list', 'trackingEvents'])
  expect(data).toEqual({
    shipments: {
      nodes: [
        {
          trackingEvents: {
            nodes: [
              { type: 'CREATED', occurredAt: '2026-11-20T09:00:00.000Z', trackingNumber: null },
              { type: 'SCANNED', occurredAt: '2026-11-20T10:00:00.000Z', trackingNumber: 'R-1' },
              { type: 'IN_TRANSIT', occurredAt: '2026-11-20T10:00:01.000Z', trackingNumber: null },
            ],
          },
        },
        { trackingEvents: { nodes: [] } },
        {
          trackingEvents: {
            nodes: [{ type: 'CANCELLED', occurredAt: '2026-11-20T11:00:00.000Z', trackingNumber: null }],
          },
        },
      ],
    },
  })
})

test('each page of events that an operation selects is read with one statement for all shipments', async () => {
  const { ask, ports } = open()
  const { errors } = await ask(`{ shipments(first: 9) { nodes {
    oldest: trackingEvents(first: 2) { nodes { type } } newest: trackingEvents(last: 2) { nodes { type } }
  } } }`)
  expect(errors).toEqual([])
  expect(ports.calls).toEqual(['list', 'trackingEvents', 'trackingEvents'])
})

test.each([
  ['first: 0', 'first: must be 1 to 100'],
  ['first: 101', 'first: must be 1 to 100'],
  ['first: 1, last: 1', 'first: cannot be combined with `last`'],
  ['before: "x"', 'last: required with `before`'],
  ['after: "x"', 'after: must be a cursor that a page has returned'],
])('trackingEvents(%s) is a top-level error', async (position, message) => {
  const { ask } = open()
  const { errors, data } = await ask(
    `{ shipment(id: "s0") { trackingEvents(${position}) { nodes { type } } } }`,
  )
  expect(data).toEqual({ shipment: null })
  expect(errors).toMatchObject([
    {
      message: `Invalid arguments: ${message}`,
      path: ['shipment', 'trackingEvents'],
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ])
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
  const query = `query ($after: String) { shipments(first: 10, after: $after) { edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
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
    '{ shipments { edges { cursor } pageInfo { hasNextPage startCursor endCursor } } }',
  )
  expect(data).toEqual({
    shipments: { edges: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } },
  })
})

test('shipments can be filtered by state', async () => {
  const { ask } = open()
  const { data } = await ask(
    '{ shipments(filter: { states: [IN_TRANSIT] }, first: 2) { edges { node { id state cancellable } } } }',
  )
  const node = (id: string) => ({ node: { id, state: 'IN_TRANSIT', cancellable: false } })
  expect(data).toEqual({ shipments: { edges: [node('s2'), node('s6')] } })
})

test('an invalid page size or cursor is a top-level error that lists every fault with its path', async () => {
  const { ask, faults } = open()
  for (const page of [
    'first: 0',
    'first: 101',
    'last: -1',
    'after: "nope"',
    'after: ""',
    'last: 1, before: ""',
  ]) {
    const { data, errors, status } = await ask(`{ list: shipments(${page}) { totalCount } carriers { id } }`)
    expect(status, page).toBe(400)
    expect(data, page).toBeNull()
    const argument = /before/.test(page) ? 'before' : page.split(':')[0]
    expect(errors, page).toEqual([
      {
        message: expect.stringMatching(`^Invalid arguments: ${argument}: `),
        path: ['list'],
        locations: [{ line: 1, column: 3 }],
        extensions: {
          code: 'BAD_USER_INPUT',
          fields: [{ path: [argument], code: expect.any(String), message: expect.any(String) }],
        },
      },
    ])
  }
  const { errors } = await ask('{ shipments(first: 0, last: 200) { totalCount } }')
  expect(errors).toMatchObject([
    {
      message: 'Invalid arguments: first: cannot be combined with `last`; last: must be 1 to 100',
      extensions: { fields: [{ path: ['first'] }, { path: ['last'] }] },
    },
  ])
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
    parcels: { boxes: [{ count: 1, weightKg: 5, lengthCm: 40, widthCm: 30, heightCm: 20 }] } }) {
    ... on RateQuote { options { product { id carrier { name products { id } } } } } } }`)
  expect((data as { rates: { options: unknown[] } }).rates.options.length).toBeGreaterThan(3)
  // The quote and the products of the carriers use the same book.
  expect(books()).toBe(1)
})

test('a shipment has what was declared when it was created', async () => {
  const { ask, ports } = open()
  const fields = `reference bookedAt updatedAt
    parcels { type count weight { kilograms } lengthCm widthCm heightCm stackable shape packaging freightClass }
    contentItems { description count value { amount } hsCode originCountry weight { kilograms } quantities { unit amount } }`
  const { data, errors } = await ask(
    `{ a: shipment(id: "s0") { ${fields} } b: shipment(id: "s4") { ${fields} } c: shipment(id: "s8") { ${fields} } }`,
  )
  expect(errors).toEqual([])
  const unknown = { reference: null, bookedAt: null, updatedAt: '2026-11-20T09:30:00.000Z' }
  expect(data).toEqual({
    a: {
      ...BOOKED,
      parcels: [
        {
          ...{ type: 'PALLET', count: 2, weight: { kilograms: '250.5' }, stackable: true },
          ...{ lengthCm: 120, widthCm: 80, heightCm: 100, shape: 'IRREGULAR', packaging: 'CRATE' },
          freightClass: '77.5',
        },
      ],
      contentItems: [
        {
          ...{
            description: 'Gin',
            count: 6,
            value: { amount: '12.5001' },
            hsCode: '220850',
            originCountry: 'GB',
          },
          ...{ weight: { kilograms: '1.25' }, quantities: [{ unit: 'l', amount: '0.7' }] },
        },
        {
          ...{
            description: 'Glasses',
            count: 2,
            value: { amount: '0.00' },
            hsCode: null,
            originCountry: null,
          },
          ...{ weight: null, quantities: [] },
        },
      ],
    },
    b: {
      ...unknown,
      parcels: [
        {
          ...{ type: 'DOCUMENT', count: 1, weight: null, stackable: null },
          ...{
            lengthCm: null,
            widthCm: null,
            heightCm: null,
            shape: null,
            packaging: null,
            freightClass: null,
          },
        },
        {
          ...{ type: 'DOCUMENT', count: 1, weight: { kilograms: '0.075' }, stackable: null },
          ...{
            lengthCm: null,
            widthCm: null,
            heightCm: null,
            shape: null,
            packaging: null,
            freightClass: null,
          },
        },
      ],
      contentItems: [],
    },
    c: { ...unknown, parcels: [], contentItems: [] },
  })
  expect(ports.calls).toEqual(['findMany', 'contentSizes', 'contents'])
})

test('a pending cancellation is returned with the time after which to repeat the request', async () => {
  const { ask } = open()
  const { data } = await ask(
    `{ ${['s0', 's1', 's4'].map((id) => `${id}: shipment(id: "${id}") { pendingCancelAttempt { createdAt outcome retryAfterSeconds } }`).join(' ')} }`,
  )
  const none = { pendingCancelAttempt: null }
  expect(data).toEqual({
    s0: {
      pendingCancelAttempt: { createdAt: '2026-11-20T11:00:00Z', outcome: 'PENDING', retryAfterSeconds: 5 },
    },
    s1: none,
    s4: none,
  })
})

test('a draft that waits for the end of its booking to be cancelled is to be asked for again', async () => {
  const shipments = [
    shipment({ shipmentId: 'waits', state: 'draft', cancelRequestedAt: '2026-11-20T10:00:00.000Z' }),
    shipment({ shipmentId: 'withdrawn', state: 'cancelled' }),
  ]
  const withdrawal = { ...attempts[1]!, shipmentId: 'withdrawn' }
  const { ask } = openInstance({ ports: fakePorts({ shipments, attempts: [withdrawal] }) })
  const fields = '{ pendingCancelAttempt { createdAt outcome sends nextTryAt retryAfterSeconds } }'
  const { data } = await ask(
    `{ waits: shipment(id: "waits") ${fields} withdrawn: shipment(id: "withdrawn") ${fields} }`,
  )
  expect(data).toEqual({
    waits: {
      pendingCancelAttempt: {
        createdAt: '2026-11-20T10:00:00.000Z',
        ...{ outcome: 'PENDING', sends: 0, nextTryAt: null, retryAfterSeconds: 5 },
      },
    },
    // The carrier has not confirmed yet, but a repeated request returns that the shipment is cancelled.
    withdrawn: {
      pendingCancelAttempt: expect.objectContaining({ outcome: 'PENDING', retryAfterSeconds: null }),
    },
  })
})

test('a page has the nodes of its edges, and a count if it is selected', async () => {
  const { ask, ports } = open()
  const { data } = await ask(`{ shipments(last: 2, sort: OLDEST, filter: { states: [DRAFT] }) {
    totalCount nodes { id } edges { cursor node { id } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`)
  expect(data).toEqual({
    shipments: {
      totalCount: 6,
      nodes: [{ id: 's5' }, { id: 's1' }],
      edges: [
        { cursor: 's5', node: { id: 's5' } },
        { cursor: 's1', node: { id: 's1' } },
      ],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: 's5', endCursor: 's1' },
    },
  })
  expect(ports.calls).toEqual(['list', 'count'])
})

test('the count is null above 10,000', async () => {
  const { ask } = openInstance({ ports: fakePorts({ store: { count: async () => 10_001 } }) })
  const { data } = await ask('{ shipments { totalCount } }')
  expect(data).toEqual({ shipments: { totalCount: null } })
})

test('all arguments reach the store', async () => {
  const requests: unknown[] = []
  const list = async (_account: string, request: ShipmentPageRequest) => {
    requests.push(request)
    return { kind: 'Page' as const, edges: [], hasNextPage: false, hasPreviousPage: false }
  }
  const { ask } = openInstance({ ports: fakePorts({ store: { list } }) })
  const query = `query ($filter: ShipmentFilter, $sort: ShipmentSort, $first: Int) {
    shipments(filter: $filter, sort: $sort, first: $first, after: "x") { __typename } }`
  const createdFrom = '2026-11-01T00:00:00+01:00'
  const filter = { states: ['BOOKED', 'IN_TRANSIT'], ids: ['b', 'a'], reference: ' R ', createdFrom }
  await ask(query, { filter, sort: 'OLDEST', first: 7 })
  await ask(query, { filter: null, sort: null, first: null })
  const position = { direction: 'forward', cursor: 'x' }
  expect(requests).toEqual([
    {
      ...{ ...position, size: 7, sort: 'oldest' },
      filter: {
        ...{ states: ['booked', 'in_transit'], ids: ['a', 'b'], reference: 'R' },
        createdFrom: '2026-10-31T23:00:00.000Z',
      },
    },
    { ...position, size: 20, sort: 'newest', filter: {} },
  ])
})

test('a carrier or product is found by its id, and is null if the id is unknown', async () => {
  const { ask, books } = open()
  const { data, errors } = await ask(`{ carrier(id: "rondeel") { id name products { id } }
    product(id: 1202) { id name carrier { id name } }
    a: carrier(id: "RONDEEL") { id } b: carrier(id: "__proto__") { id }
    ${['', '01202', '1202.0', '1e3', '99', '999999999999'].map((id, index) => `p${index}: product(id: "${id}") { id }`).join(' ')} }`)
  expect(errors).toEqual([])
  const { carrier, product, ...others } = data as Record<string, unknown>
  expect(carrier).toEqual({
    ...{ id: 'rondeel', name: 'Rondeel Parcel' },
    products: [{ id: '1201' }, { id: '1202' }],
  })
  expect(product).toEqual({
    ...{ id: '1202', name: 'Priority', carrier: { id: 'rondeel', name: 'Rondeel Parcel' } },
  })
  expect(new Set(Object.values(others))).toEqual(new Set([null]))
  expect(books()).toBe(1)
})

test('a product has one name in a response, also in prices of another version of its rate card', async () => {
  const { content, ...rest } = readDemoRateBook()
  const products = content.products.map((product) =>
    product.productId === 1201 ? { ...product, name: 'Classic Plus' } : product,
  )
  const head = { code: 'demo', audience: 'everyone' } as const
  const cards = [
    compileRows({ ...content, ...head, versionNo: 1, validFrom: '2026-01-01' }, rest.carriers),
    compileRows({ ...content, products, ...head, versionNo: 2, validFrom: '2026-12-01' }, rest.carriers),
  ]
  const book = compileRateBook({ ...rest, cards, revision: 1, since: '2000-01-01', contracts: [] })
  const { ask } = openInstance({ ports: fakePorts({ reference: { rateBook: () => book } }) })
  const quote = (asOf: string) => `rates(input: { from: { country: "NL" }, to: { country: "ES" },
    recipientType: BUSINESS, parcels: { documents: [{ count: 1 }] }, asOf: "${asOf}" }) {
    ... on RateQuote { options { product { id name } } declined { product { id name } } } }`
  const { text, errors } =
    await ask(`{ old: ${quote('2026-11-20T00:00:00Z')} new: ${quote('2026-12-01T00:00:00Z')}
    product(id: 1201) { id name } shipment(id: "demo-booked") { product { id name } } carriers { products { id name } } }`)
  expect(errors).toEqual([])
  const found = [...text.matchAll(/"id":"1201","name":"([^"]*)"/g)].map(([, name]) => name)
  expect(found).toEqual(Array(5).fill('Classic Plus'))
})

describe('cards that only the contracts of other accounts name', () => {
  const { content, ...rest } = readDemoRateBook()
  const carriers = [...rest.carriers, { ...rest.carriers[0]!, code: 'rivals', name: 'Fleet of a rival' }]
  const classic = content.products.find(({ productId }) => productId === 1201)!
  /** A card with product 9001, which is a copy of product 1201. */
  const soldByContract = (code: string, name: string, carrierCode: string) => {
    const of9001 = <Row extends { productId: number }>(rows: readonly Row[]): Row[] =>
      rows.filter(({ productId }) => productId === 1201).map((row) => ({ ...row, productId: 9001 }))
    const contractContent = {
      ...content,
      products: [{ ...classic, productId: 9001, name, carrierCode }],
      ...{ prices: of9001(content.prices), transit: of9001(content.transit) },
      ...{ laneTransit: [], surcharges: [] },
    }
    const head = { code, audience: 'contract', versionNo: 1, validFrom: '2026-01-01' } as const
    return compileRows({ ...contractContent, ...head }, carriers)
  }
  const terms = { validFrom: '2026-01-01', freightBps: 0, fuelBps: 0, hidden: false }
  const open = (contracts: readonly { accountId: string; cardCode: string }[]) => {
    const head = { code: 'demo', audience: 'everyone', versionNo: 1, validFrom: '2026-01-01' } as const
    const cards = [
      compileRows({ ...content, ...head }, carriers),
      soldByContract('a-ours', 'Ours', 'rondeel'),
      soldByContract('b-theirs', 'Theirs', 'rivals'),
    ]
    const rows = contracts.map((contract) => ({ ...contract, ...terms }))
    const book = compileRateBook({
      ...rest,
      carriers,
      cards,
      revision: 1,
      since: '2000-01-01',
      contracts: rows,
    })
    const shipments = [shipment({ productId: 9001 })]
    return openInstance({ ports: fakePorts({ shipments, reference: { rateBook: () => book } }) })
  }
  const QUERY = `{
    product(id: 9001) { id name carrier { id name } }
    carriers { id name products { id name } }
    carrier(id: "rivals") { name }
    shipment(id: "demo-booked") { product { name carrier { name } } }
    _entities(representations: [{ __typename: "Product", id: 9001 }, { __typename: "Carrier", id: "rivals" }]) {
      ... on Product { name carrier { name } }
      ... on Carrier { name products { id } }
    }
    rates(input: { from: { country: "NL" }, to: { country: "DE" }, recipientType: BUSINESS, filter: { carrierIds: ["rivals"] }
      parcels: { boxes: [{ weightKg: "5", lengthCm: 40, widthCm: 30, heightCm: 20, count: 1 }] } }) {
      ... on InputProblem { fields { path } } ... on RateQuote { options { product { name } } }
    }
  }`
  const THEIRS = { accountId: 'other', cardCode: 'b-theirs' }

  test('are not visible in any field', async () => {
    for (const contracts of [[], [THEIRS]]) {
      const { text, data, errors } = await open(contracts).ask(QUERY)
      expect(errors).toEqual([])
      expect(text).not.toMatch(/9001|Ours|Theirs|Fleet/)
      expect(data).toMatchObject({ product: null, carrier: null, _entities: [null, null] })
      expect(data).toMatchObject({ rates: { fields: [{ path: ['filter', 'carrierIds', '0'] }] } })
    }
  })

  test('do not change the name of a product with the same id in a card of the account', async () => {
    const { text, data, errors } = await open([{ accountId: 'demo', cardCode: 'a-ours' }, THEIRS]).ask(QUERY)
    expect(errors).toEqual([])
    expect(text).not.toMatch(/Theirs|Fleet/)
    const carrier = { id: 'rondeel', name: 'Rondeel Parcel' }
    expect(data).toMatchObject({
      product: { id: '9001', name: 'Ours', carrier },
      shipment: { product: { name: 'Ours' } },
      _entities: [{ name: 'Ours' }, null],
    })
    const { carriers } = data as { carriers: { id: string; products: unknown[] }[] }
    expect(carriers.find(({ id }) => id === 'rondeel')?.products.at(-1)).toEqual({ id: '9001', name: 'Ours' })
  })
})
