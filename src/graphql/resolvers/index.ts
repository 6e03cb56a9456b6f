/** The resolver map: the resolvers of the other files, those of carriers, and the scalars. */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { withoutTrailingZeros } from '../../core/quantity.ts'
import type { Context } from '../context.ts'
import type { CarrierResolvers, ProductResolvers, QueryResolvers, Resolvers } from '../generated.ts'
import { catalogueOf } from '../loaders.ts'
import { checkoutMutations } from './checkout.ts'
import { declarationQueries } from './declaration.ts'
import { dutiesQueries } from './duties.ts'
import { estimateFields } from './estimate-fields.ts'
import { federationQueries } from './federation.ts'
import { keptEstimateMutations, keptEstimateQueries } from './kept-estimates.ts'
import { quoteFields, ratesQueries } from './rates.ts'
import {
  connectionFields,
  expiredFields,
  outcomeShipment,
  pendingCancellation,
  shipmentFields,
  shipmentMutations,
  shipmentQueries,
} from './shipments.ts'
import { webhookFields, webhookMutations, webhookQueries } from './webhooks.ts'

const carrierQueries: Required<Pick<QueryResolvers, 'carriers' | 'carrier' | 'product'>> = {
  carriers: (_root, _arguments, context) => [...catalogueOf(context).carriers.values()],
  carrier: (_root, { id }, context) => catalogueOf(context).carriers.get(id) ?? null,
  product: (_root, { id }, context) => catalogueOf(context).products.get(id) ?? null,
}

const carrierFields: Required<Pick<CarrierResolvers, 'name' | 'products'>> = {
  name: ({ id, name }, _arguments, context) => catalogueOf(context).carriers.get(id)?.name ?? name,
  products: ({ id }, _arguments, context) => catalogueOf(context).carrierProducts.get(id) ?? [],
}

const productFields: Required<Pick<ProductResolvers, 'name' | 'carrier'>> = {
  name: ({ id, name }, _arguments, context) => catalogueOf(context).products.get(id)?.name ?? name,
  carrier: ({ id, carrier }, _arguments, context) =>
    catalogueOf(context).products.get(id)?.carrier ?? carrier,
}

const Query: Required<QueryResolvers> = {
  ...ratesQueries,
  ...dutiesQueries,
  ...declarationQueries,
  ...keptEstimateQueries,
  ...carrierQueries,
  ...shipmentQueries,
  ...webhookQueries,
  ...federationQueries,
}

const Mutation = startedOnce({
  ...shipmentMutations,
  ...checkoutMutations,
  ...keptEstimateMutations,
  ...webhookMutations,
})

type Mutations = Readonly<Record<string, (root: never, args: never, context: Context) => Promise<unknown>>>

/** See `Context.effects.startedMutation`. */
function startedOnce<Resolvers extends Mutations>(resolvers: Resolvers): Resolvers {
  const wrapped = Object.entries(resolvers).map(([name, resolve]): [string, typeof resolve] => [
    name,
    (root, args, context) => context.effects.startedMutation ?? resolve(root, args, context),
  ])
  return Object.fromEntries(wrapped) as Resolvers
}

// Scalars check only the type of a value. Core validates the value: it reports all faults of a request with their
// paths, whereas graphql-js refuses the request at the first scalar that throws.

const EXPECTED = {
  Decimal: 'a number, or a string such as "12.5"',
  Date: 'a string such as "2026-11-21"',
  DateTime: 'a string such as "2026-11-21T09:30:00Z"',
  CountryCode: 'a string such as "NL"',
} as const

type ScalarName = keyof typeof EXPECTED

/** Numbers become their exact text. They are never rounded. */
const Decimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  serialize: (value) => expectText('Decimal', value),
  parseValue: (value) =>
    plainDecimal(typeof value === 'number' ? String(value) : expectText('Decimal', value)),
  parseLiteral: (node) => {
    // The characters of the literal: 12345678901234567.89 keeps all digits.
    const isNumber = node.kind === Kind.INT || node.kind === Kind.FLOAT
    return plainDecimal(isNumber ? node.value : expectLiteralText('Decimal', node))
  },
})

/** Zeros at the end do not count as decimals: "5.00" becomes "5". Text in another form is returned as it is. */
function plainDecimal(text: string): string {
  const [, whole, fraction] = /^(-?\d+)\.(\d+)$/.exec(text) ?? []
  if (whole === undefined || fraction === undefined) return text
  const decimals = withoutTrailingZeros(fraction)
  return decimals === '' ? whole : `${whole}.${decimals}`
}

function textScalar(name: ScalarName): GraphQLScalarType<string, string> {
  return new GraphQLScalarType<string, string>({
    name,
    serialize: (value) => expectText(name, value),
    parseValue: (value) => expectText(name, value),
    parseLiteral: (node) => expectLiteralText(name, node),
  })
}

function expectText(name: ScalarName, value: unknown): string {
  if (typeof value === 'string') return value
  throw new GraphQLError(`${name} must be ${EXPECTED[name]}`)
}

function expectLiteralText(name: ScalarName, node: ValueNode): string {
  if (node.kind === Kind.STRING) return node.value
  throw new GraphQLError(`${name} must be ${EXPECTED[name]}`, { nodes: node })
}

const scalars = {
  Decimal,
  Date: textScalar('Date'),
  DateTime: textScalar('DateTime'),
  CountryCode: textScalar('CountryCode'),
}

/** Fields without a resolver here are read from the parent object by graphql-js. */
export const resolvers: Resolvers = {
  Query,
  Mutation,
  ...scalars,
  Carrier: carrierFields,
  Product: productFields,
  ...quoteFields,
  ...estimateFields,
  Shipment: shipmentFields,
  ShipmentConnection: connectionFields,
  ShipmentCancelled: outcomeShipment,
  ShipmentNotCancelled: outcomeShipment,
  CancellationPending: pendingCancellation,
  DraftShipmentCreated: outcomeShipment,
  OptionExpired: expiredFields,
  ShipmentBooked: outcomeShipment,
  ShipmentNotBooked: outcomeShipment,
  DraftPriceExpired: outcomeShipment,
  WebhookEndpoint: webhookFields,
}
