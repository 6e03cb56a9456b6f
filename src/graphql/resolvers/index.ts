/** All resolvers. What is not here is read from the objects by the default resolver. */

import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import type { CarrierResolvers, MutationResolvers, QueryResolvers, Resolvers } from '../generated.ts'
import { dutiesQueries } from './duties.ts'
import { landedCostQueries } from './landed-cost.ts'
import { ratesQueries } from './rates.ts'
import { shipmentFields, shipmentMutations, shipmentOfOutcome, shipmentQueries } from './shipments.ts'

// The query `carriers`, and a carrier's products.

/** `Query.carriers`. */
export const carrierQueries: Required<Pick<QueryResolvers, 'carriers'>> = {
  carriers: (_root, _arguments, { ports }) =>
    ports.reference.rateBook().carriers.map(({ code, name }) => ({ id: code, name })),
}

/** The fields of `Carrier` that are looked up. */
export const carrierFields: Required<Pick<CarrierResolvers, 'products'>> = {
  products: ({ id }, _arguments, { loaders }) => loaders.productsOf.load(id),
}

// The scalars of the schema. They only settle the wire type: whether a figure, an instant or a country makes
// sense is for core to say, which names every fault of a request at once and by its path. A scalar that
// refused them would end the request at the first one.

/** Exact decimals: text in and out; a number is taken over as its text, never rounded. */
export const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  serialize: (value) => textOf('Decimal', value),
  parseValue: (value) => (typeof value === 'number' ? String(value) : textOf('Decimal', value)),
  parseLiteral: (node) => {
    // The literal's own characters: 1.10 stays "1.10" and 12345678901234567.89 keeps its digits.
    if (node.kind === Kind.INT || node.kind === Kind.FLOAT) return node.value
    return literalText('Decimal', node)
  },
})

/** Instants as ISO 8601 text. */
export const DateTime = textScalar('DateTime')

/** ISO 3166-1 alpha-2 codes as text. */
export const CountryCode = textScalar('CountryCode')

function textScalar(name: string): GraphQLScalarType<string, string> {
  return new GraphQLScalarType<string, string>({
    name,
    serialize: (value) => textOf(name, value),
    parseValue: (value) => textOf(name, value),
    parseLiteral: (node) => literalText(name, node),
  })
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new GraphQLError(`${name} must be text`)
}

function literalText(name: string, node: ValueNode): string {
  if (node.kind === Kind.STRING) return node.value
  throw new GraphQLError(`${name} must be text`, { nodes: node })
}

const Query: Required<QueryResolvers> = {
  ...ratesQueries,
  ...dutiesQueries,
  ...landedCostQueries,
  ...carrierQueries,
  ...shipmentQueries,
}
const Mutation: Required<MutationResolvers> = shipmentMutations

/** The resolver map of the schema. */
export const resolvers: Resolvers = {
  Query,
  Mutation,
  Decimal,
  DateTime,
  CountryCode,
  Carrier: carrierFields,
  Shipment: shipmentFields,
  ShipmentCancelled: shipmentOfOutcome,
  ShipmentNotCancelled: shipmentOfOutcome,
  CancellationPending: shipmentOfOutcome,
  DraftShipmentCreated: shipmentOfOutcome,
  ShipmentBooked: shipmentOfOutcome,
  ShipmentNotBooked: shipmentOfOutcome,
}
