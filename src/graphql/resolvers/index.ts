/** All resolvers. What is not here is read from the objects by the default resolver. */
import type { MutationResolvers, QueryResolvers, Resolvers } from '../generated.ts'
import { CountryCode, DateTime, Decimal } from '../scalars.ts'
import { carrierFields, carrierQueries } from './carriers.ts'
import { dutiesQueries } from './duties.ts'
import { landedCostQueries } from './landed-cost.ts'
import { ratesQueries } from './rates.ts'
import { shipmentFields, shipmentMutations, shipmentOfOutcome, shipmentQueries } from './shipments.ts'

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
