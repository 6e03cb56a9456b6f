/**
 * Composes Waybill with a second subgraph and queries the result through Hive Gateway. Both subgraphs are on loopback.
 */
import { composeServices as composeWithApollo } from '@apollo/composition'
import { createGatewayRuntime, type Gateway } from '@graphql-hive/gateway-runtime'
import { composeServices as composeWithGuild } from '@theguild/federation-composition'
import { parse } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_REPRESENTATIONS } from '../../src/graphql/cost/operation-cost.ts'
import { resetDemo } from '../../src/store/demo/reset.ts'
import { DEMO, OTHER, openTestApp, type TestApp } from '../support/app/test-app.ts'
import { ORDERS_SCHEMA, type OrdersSubgraph, serveOrders } from './orders-subgraph.ts'

let app: TestApp
let orders: OrdersSubgraph
let waybillUrl: string
let waybillSchema: string

beforeAll(async () => {
  app = await openTestApp({ WAYBILL_POINTS_PER_MINUTE: '1000000', WAYBILL_INTROSPECTION: 'false' })
  waybillUrl = `${await app.app.server.listen({ host: '127.0.0.1', port: 0 })}/graphql`
  orders = await serveOrders()
  const { data } = await app.graphql('{ _service { sdl } }')
  waybillSchema = (data as { _service: { sdl: string } })._service.sdl
})
afterAll(async () => {
  orders.close()
  await app.close()
})
beforeEach(() => resetDemo(app.clone.db))

const COMPOSERS: readonly (readonly [string, typeof composeWithApollo])[] = [
  ['@apollo/composition', composeWithApollo],
  ['@theguild/federation-composition', composeWithGuild],
]

describe.each(COMPOSERS)('%s', (name, compose) => {
  const composed = (ordersSchema = ORDERS_SCHEMA) =>
    compose([
      { name: 'waybill', typeDefs: parse(waybillSchema), url: waybillUrl },
      { name: 'orders', typeDefs: parse(ordersSchema), url: orders.url },
    ])

  test('accepts Waybill alone', () => {
    const { errors } = compose([{ name: 'waybill', typeDefs: parse(waybillSchema), url: waybillUrl }])
    expect(errors ?? []).toEqual([])
  })

  test('accepts a subgraph that defines the shareable types as well', () => {
    const { errors } = composed(`${ORDERS_SCHEMA}
      type Place @shareable { country: CountryCode! postalCode: String city: String }
      type Weight @shareable { kilograms: Decimal! }
      type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
      type Depot { place: Place! capacity: Weight! }
      type Depots { nodes: [Depot!]! pageInfo: PageInfo! }
      scalar CountryCode
      extend type Query { depots: Depots! }`)
    expect(errors ?? []).toEqual([])
  })

  test('refuses a subgraph that defines a field of an entity without sharing it', () => {
    const { errors } = composed(
      ORDERS_SCHEMA.replace('trackingNumber: String @external', 'trackingNumber: String'),
    )
    expect(errors?.[0]?.message).toContain('trackingNumber')
  })

  describe('and Hive Gateway', () => {
    let gateway: Gateway
    beforeAll(() => {
      const { supergraphSdl } = composed()
      gateway = createGatewayRuntime({
        supergraph: supergraphSdl,
        logging: false,
        maskedErrors: false,
        propagateHeaders: {
          fromClientToSubgraphs: ({ request }) => ({ 'x-pp-api': request.headers.get('x-pp-api') ?? '' }),
        },
      })
    })
    afterAll(() => gateway[Symbol.asyncDispose]())

    type Answer = {
      readonly data?: Record<string, unknown> | null
      readonly errors?: readonly {
        readonly message: string
        readonly path?: readonly (string | number)[]
        readonly extensions?: Readonly<Record<string, unknown>>
      }[]
    }

    const ask = async (query: string, variables: object = {}, credentials = DEMO): Promise<Answer> => {
      const response = await gateway.fetch('http://gateway/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-pp-api': credentials },
        body: JSON.stringify({ query, variables }),
      })
      return (await response.json()) as Answer
    }

    const ORDERS = `query ($ids: [ID!]!) {
      orders(shipmentIds: $ids) {
        id
        total { amount currency }
        shipment { id state price { amount } carrier { name rating } trackingPage }
        carrier { name rating products { id } }
        product { name carrier { id } }
      }
    }`

    test('add shipments, carriers and products to orders', async () => {
      const { data, errors } = await ask(ORDERS, { ids: ['demo-booked', 'demo-draft'] })
      expect(errors).toBeUndefined()
      const shared = {
        total: { amount: '49.90', currency: 'EUR' },
        carrier: { name: 'Rondeel Parcel', rating: 4, products: [{ id: '1201' }, { id: '1202' }] },
        product: { name: 'Classic', carrier: { id: 'rondeel' } },
      }
      expect(data).toEqual({
        orders: [
          {
            ...{ id: 'demo-booked', ...shared },
            shipment: {
              ...{ id: 'demo-booked', state: 'BOOKED', price: { amount: '8.95' } },
              ...{ carrier: { name: 'Rondeel Parcel', rating: 4 } },
              trackingPage: expect.stringContaining('https://example.com/SBX-OK-DEMO'),
            },
          },
          {
            ...{ id: 'demo-draft', ...shared },
            shipment: {
              ...{ id: 'demo-draft', state: 'DRAFT', price: { amount: '9.85' } },
              ...{ carrier: { name: 'Rondeel Parcel', rating: 4 }, trackingPage: null },
            },
          },
        ],
      })
    })

    test('add orders to the shipments of a list', async () => {
      const { data, errors } = await ask(
        '{ shipments { edges { node { id order { id total { amount } } } } } }',
      )
      expect(errors).toBeUndefined()
      const ids = [
        'demo-draft',
        'demo-booked',
        'demo-slow',
        'demo-refused',
        'demo-in-transit',
        'demo-cancelled',
      ]
      expect(data).toEqual({
        shipments: { edges: ids.map((id) => ({ node: { id, order: { id, total: { amount: '49.90' } } } })) },
      })
    })

    test.each([
      ['an unknown shipment', 'nobody', DEMO],
      ['a shipment of another account', 'demo-booked', OTHER],
    ])('return null for %s, and the rest of the order', async (_what, id, credentials) => {
      const { data, errors } = await ask(ORDERS, { ids: [id] }, credentials)
      expect(data).toMatchObject({ orders: [{ id, shipment: null, product: { name: 'Classic' } }] })
      // The gateway reports that it has no value for fields that cannot be null.
      for (const { message } of errors ?? [])
        expect(message).toMatch(/^Cannot return null for non-nullable field/)
    })

    test('pass wrong credentials on, and the refusal back', async () => {
      const { data, errors } = await ask(ORDERS, { ids: ['demo-booked'] }, 'demo@wrong')
      expect(data).toMatchObject({ orders: [{ id: 'demo-booked', shipment: null, product: null }] })
      expect(errors).toContainEqual(
        expect.objectContaining({
          path: ['orders', 0, 'shipment', 'state'],
          extensions: expect.objectContaining({
            code: 'UNAUTHENTICATED',
            requestId: expect.any(String),
            serviceName: 'waybill',
          }),
        }),
      )
    })

    test('return problems as data', async () => {
      const { data, errors } = await ask(
        `mutation {
          cancelShipment(input: { shipmentId: "demo-in-transit" }) {
            __typename
            ... on Problem { code retryable }
            ... on ShipmentNotCancelled { shipment { id state order { id } } }
          }
        }`,
      )
      expect(errors).toBeUndefined()
      expect(data).toEqual({
        cancelShipment: {
          ...{ __typename: 'ShipmentNotCancelled', code: 'ALREADY_IN_TRANSIT', retryable: false },
          shipment: { id: 'demo-in-transit', state: 'IN_TRANSIT', order: { id: 'demo-in-transit' } },
        },
      })
      const faulty = await ask(
        `{
          carriers { id }
          rates(input: { from: { country: "NL" }, to: { country: "XX" }, parcels: { documents: [{ count: 1 }] } }) {
            ... on Problem { code }
            ... on InputProblem { fields { path code } }
          }
        }`,
      )
      expect(faulty.errors).toBeUndefined()
      expect(faulty.data).toMatchObject({
        carriers: expect.arrayContaining([{ id: 'rondeel' }]),
        rates: { code: 'INVALID_INPUT', fields: [{ path: ['to', 'country'], code: 'UNKNOWN_VALUE' }] },
      })
    })

    // The gateway takes seconds for so many errors, and the composer makes no difference to them.
    if (name !== '@apollo/composition') return

    test('report that one request has too many entities', async () => {
      const ids = Array.from({ length: MAX_REPRESENTATIONS + 1 }, (_, index) => `demo-${index}`)
      const { data, errors } = await ask(
        'query ($ids: [ID!]!) { orders(shipmentIds: $ids) { id shipment { state } } }',
        { ids },
      )
      expect(data).toEqual({ orders: ids.map((id) => ({ id, shipment: null })) })
      expect(errors?.[0]?.extensions).toMatchObject({
        code: 'OPERATION_TOO_LARGE',
        limit: 'representations',
        actual: MAX_REPRESENTATIONS + 1,
        maximum: MAX_REPRESENTATIONS,
      })
    })
  })
})
