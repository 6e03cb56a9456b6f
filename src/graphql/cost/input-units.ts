/**
 * The work that the arguments of a root field request, in units of operations/points.ts, so REST and GraphQL charge the
 * same for it. Input that core refuses, such as a thousand parcel rows, is charged as if it were accepted, because it
 * must be read.
 */
import {
  type CostedItem,
  classificationUnits,
  dutiesUnits,
  filterUnits,
  ratesUnits,
  servicesUnits,
  storedItemsUnits,
} from '../../operations/points.ts'
import type {
  ContentItemInput,
  MutationCreateCheckoutTokenArgs,
  MutationCreateDraftShipmentArgs,
  MutationResolvers,
  MutationSaveEstimateArgs,
  QueryClassifyArgs,
  QueryCustomsDeclarationArgs,
  QueryDutiesEstimateArgs,
  QueryLandedCostArgs,
  QueryRatesArgs,
  QueryRatesBatchArgs,
  QueryResolvers,
  RatesInput,
} from '../generated.ts'
import { parcelsIn } from '../parcels.ts'

/**
 * `args` are the coerced arguments of the field. Declared as a method so that TypeScript accepts functions whose
 * parameter has the argument type of their field. graphql-js types the arguments as a record.
 */
export type ReadUnits = { read(args: Readonly<Record<string, unknown>>): number }['read']

const nothing = (): number => 0

/** Root fields whose work does not depend on their arguments have a `@cost` in the schema. */
export const INPUT_UNITS: {
  readonly Query: Readonly<Record<keyof QueryResolvers, ReadUnits>>
  readonly Mutation: Readonly<Record<keyof MutationResolvers, ReadUnits>>
} = {
  Query: {
    rates: ({ input }: QueryRatesArgs) => quoteUnits(input),
    ratesBatch: ({ inputs }: QueryRatesBatchArgs) =>
      inputs.reduce((sum, input) => sum + quoteUnits(input), 0),
    dutiesEstimate: ({ input }: QueryDutiesEstimateArgs) => goodsUnits(input.contentItems),
    // The estimates of the options are charged when the number of options is known.
    landedCost: ({ input: { rates, contentItems } }: QueryLandedCostArgs) =>
      quoteUnits(rates) + goodsUnits(contentItems),
    classify: ({ description, facts }: QueryClassifyArgs) => classificationUnits({ description, facts }),
    customsCoverage: nothing,
    customsDeclaration: ({ input: { items } }: QueryCustomsDeclarationArgs) =>
      goodsUnits(items.map(({ goods }) => goods)),
    keptEstimate: nothing,
    sellerRegistrations: nothing,
    carriers: nothing,
    carrier: nothing,
    product: nothing,
    shipment: nothing,
    shipments: nothing,
    webhookEndpoints: nothing,
    webhookEndpoint: nothing,
    _service: nothing,
    _entities: nothing,
  },
  Mutation: {
    createDraftShipment: ({ input: { rates, contentItems } }: MutationCreateDraftShipmentArgs) =>
      quoteUnits(rates) + storedItemsUnits(contentItems?.length ?? 0),
    saveEstimate: ({ input: { estimate } }: MutationSaveEstimateArgs) =>
      goodsUnits(estimate.contentItems) + storedItemsUnits(estimate.contentItems.length),
    bookShipment: nothing,
    cancelShipment: nothing,
    replayWebhook: nothing,
    // Nothing is priced or classified. The rows and items are checked and hashed.
    createCheckoutToken: ({ input: { rates, contentItems } }: MutationCreateCheckoutTokenArgs) =>
      quoteUnits(rates) + storedItemsUnits(contentItems?.length ?? 0),
  },
}

/** A request without rows is charged like one row. */
function quoteUnits({ parcels, filter, services }: RatesInput): number {
  const rows = Math.max(1, parcelsIn(parcels).rows.length)
  const names = (filter?.carrierIds?.length ?? 0) + (filter?.productIds?.length ?? 0)
  return ratesUnits(rows) + servicesUnits(services?.length ?? 0, rows) + filterUnits(names)
}

function goodsUnits(items: readonly ContentItemInput[]): number {
  return dutiesUnits(items.map(costedItem))
}

/** The item with the field names of REST, by which points.ts charges. */
function costedItem({ description, hsCode, facts }: ContentItemInput): CostedItem {
  return { description, tariff: hsCode, facts }
}
