/** A second subgraph for the tests: orders that reference shipments, carriers and products of Waybill. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema, execute, parse } from 'graphql'

export const ORDERS_SCHEMA = `
  extend schema
    @link(
      url: "https://specs.apollo.dev/federation/v2.0"
      import: ["@key", "@shareable", "@external", "@requires"]
    )

  type Query {
    "The orders of these shipments. An order has the id of its shipment."
    orders(shipmentIds: [ID!]!): [Order!]!
  }

  type Order @key(fields: "id") {
    id: ID!
    total: Money!
    shipment: Shipment
    carrier: Carrier
    product: Product
  }

  type Shipment @key(fields: "id") {
    id: ID!
    trackingNumber: String @external
    order: Order!
    trackingPage: String @requires(fields: "trackingNumber")
  }

  type Carrier @key(fields: "id") {
    id: ID!
    rating: Int!
  }

  type Product @key(fields: "id", resolvable: false) {
    id: ID!
  }

  type Money @shareable {
    amount: Decimal!
    currency: CurrencyCode!
  }

  scalar Decimal

  enum CurrencyCode {
    EUR
  }
`

const schema = buildSchema(
  `${ORDERS_SCHEMA}
  scalar _Any
  union _Entity = Order | Shipment | Carrier
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }`,
  // The definitions of the directives are missing.
  { assumeValidSDL: true },
)

type Representation = { readonly __typename: string; readonly id: string; readonly trackingNumber?: string }

const order = (id: string) => ({
  __typename: 'Order',
  id,
  total: { amount: '49.90', currency: 'EUR' },
  shipment: { __typename: 'Shipment', id },
  carrier: { __typename: 'Carrier', id: 'rondeel', rating: 4 },
  product: { __typename: 'Product', id: '1201' },
})

const entity = ({ __typename, id, trackingNumber }: Representation) => ({
  __typename,
  id,
  rating: 4,
  order: order(id),
  trackingPage: trackingNumber == null ? null : `https://example.com/${trackingNumber}`,
})

const rootValue = {
  orders: ({ shipmentIds }: { readonly shipmentIds: readonly string[] }) => shipmentIds.map(order),
  _entities: ({ representations }: { readonly representations: readonly Representation[] }) =>
    representations.map(entity),
}

export type OrdersSubgraph = { readonly url: string; close(): void }

export async function serveOrders(): Promise<OrdersSubgraph> {
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const { query, variables } = JSON.parse(Buffer.concat(chunks).toString())
    const result = await execute({ schema, document: parse(query), variableValues: variables, rootValue })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
