/** Resolvers of shipments and of the mutations. */
import { type ShipmentState as CoreState, isShipmentId } from '../../core/shipments/shipment.ts'
import { bookShipment } from '../../operations/book-shipment.ts'
import { cancelShipment } from '../../operations/cancel-shipment.ts'
import { createDraftShipment } from '../../operations/create-draft-shipment.ts'
import { listShipments } from '../../operations/list-shipments.ts'
import type { Context } from '../context.ts'
import type {
  MutationResolvers,
  QueryResolvers,
  ResolversParentTypes,
  ShipmentResolvers,
  ShipmentState,
} from '../generated.ts'
import { unlistedCarrier } from '../loaders.ts'
import { presentInputProblem } from '../presenters/input-problem.ts'
import { presentAttempt, presentPage, presentParcels, presentShipment } from '../presenters/shipments.ts'
import { typed } from '../presenters/typed.ts'
import { ratesInput, selectionInput } from './rates.ts'

const STATES: Readonly<Record<ShipmentState, CoreState>> = {
  DRAFT: 'draft',
  BOOKED: 'booked',
  IN_TRANSIT: 'in_transit',
  CANCELLED: 'cancelled',
}

const DEFAULT_PAGE = 20

export const shipmentQueries: Required<Pick<QueryResolvers, 'shipment' | 'shipments'>> = {
  shipment: async (_root, { id }, { loaders }) => {
    const shipment = isShipmentId(id) ? await loaders.shipment.load(id) : undefined
    return shipment === undefined ? null : presentShipment(shipment)
  },
  shipments: async (_root, { first, after, state }, { ports, caller }) => {
    const page = await listShipments(ports, caller, {
      first: first ?? DEFAULT_PAGE,
      ...(after != null && { after }),
      ...(state != null && { state: STATES[state] }),
    })
    return 'kind' in page ? presentInputProblem(page) : presentPage(page)
  },
}

export const shipmentMutations: Required<MutationResolvers> = {
  cancelShipment: async (_root, { input }, { ports, caller, effects, loaders }) => {
    const outcome = await cancelShipment(ports, caller, input.shipmentId)
    loaders.attempts.clear(input.shipmentId)
    effects.hasMutated = true
    if (outcome.kind !== 'ShipmentNotCancelled') return typed(outcome)
    const { refusal, ...rest } = outcome
    return typed({ ...rest, refusalCode: refusal?.code ?? null, carrierReason: refusal?.reason ?? null })
  },
  bookShipment: async (_root, { input }, { ports, caller, effects }) => {
    const outcome = await bookShipment(ports, caller, input.shipmentId)
    effects.hasMutated = true
    return typed(outcome)
  },
  createDraftShipment: async (_root, { input }, { ports, caller, loaders, effects }) => {
    const { rates, preferredShippingOption } = input
    const selection = selectionInput(rates)
    const outcome = await createDraftShipment(
      ports,
      caller,
      ratesInput(rates),
      preferredShippingOption,
      selection,
    )
    effects.hasMutated = true
    switch (outcome.kind) {
      case 'DraftShipmentCreated':
        loaders.shipment.prime(outcome.shipmentId, outcome.shipment)
        return typed({ kind: outcome.kind, shipmentId: outcome.shipmentId })
      case 'OptionNotAvailable':
        return typed(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome, ['rates'])
    }
  },
}

export const shipmentFields: Required<Pick<ShipmentResolvers, 'carrier' | 'product' | 'cancelAttempts'>> = {
  carrier: async ({ carrierCode }, _arguments, { loaders }) =>
    (await loaders.carrier.load(carrierCode)) ?? unlistedCarrier(carrierCode),
  product: async ({ productId }, _arguments, { loaders }) => (await loaders.product.load(productId)) ?? null,
  cancelAttempts: async ({ id, state }, _arguments, { loaders }) =>
    // Drafts are cancelled without the carrier.
    state === 'DRAFT' ? [] : (await loaders.attempts.load(id)).map(presentAttempt),
}

/** The `shipment` field of outcomes: the shipment after the operation, loaded if selected. */
export const outcomeShipment = {
  shipment: async (
    { shipmentId }: { readonly shipmentId: string },
    _arguments: unknown,
    { loaders }: Context,
  ): Promise<ResolversParentTypes['Shipment']> => {
    const shipment = await loaders.shipment.load(shipmentId)
    if (shipment === undefined)
      throw new Error(`the outcome of an operation refers to shipment ${shipmentId}, which does not exist`)
    return presentShipment(shipment)
  },
}

/** The fields of a cancellation that its carrier has not confirmed. */
export const pendingCancellation = {
  ...outcomeShipment,
  parcels: async (
    { shipmentId }: { readonly shipmentId: string },
    _arguments: unknown,
    { loaders }: Context,
  ): Promise<ResolversParentTypes['ParcelCancellation'][]> => {
    const attempts = await loaders.attempts.load(shipmentId)
    return presentParcels(attempts.find(({ phase }) => phase === 'pending'))
  },
}
