/** Resolvers of shipments and of the mutations. */
import { priceValidUntil } from '../../core/shipments/draft-terms.ts'
import { type CancelAttempt, isShipmentId, type ShownState } from '../../core/shipments/shipment.ts'
import { CANCEL_POLICY } from '../../operations/ask-carrier/policy.ts'
import { bookShipment } from '../../operations/book-shipment.ts'
import { cancelShipment } from '../../operations/cancel-shipment.ts'
import { createDraftShipment } from '../../operations/create-draft-shipment.ts'
import { listShipments } from '../../operations/list-shipments.ts'
import { optionToken } from '../../operations/option-tokens.ts'
import type { Context } from '../context.ts'
import { badArguments, shipmentArchived } from '../errors.ts'
import type {
  MutationResolvers,
  OptionExpiredResolvers,
  QueryResolvers,
  ResolversParentTypes,
  ShipmentConnectionResolvers,
  ShipmentResolvers,
  ShipmentSort,
  ShipmentState,
} from '../generated.ts'
import { catalogueOf, unlistedCarrier } from '../loaders.ts'
import { parcelsIn } from '../parcels.ts'
import { presentContentItem } from '../presenters/duties.ts'
import { presentPage } from '../presenters/pages.ts'
import { presentDeclined } from '../presenters/rates.ts'
import {
  presentAttempt,
  presentConnection,
  presentParcels,
  presentShipment,
  presentShipmentParcel,
  presentTrackingEvent,
  presentWaiting,
} from '../presenters/shipments.ts'
import { presentInputProblem, presentMoney, typed } from '../presenters/typed.ts'
import { itemInput } from './duties.ts'
import { loadPage } from './pages.ts'
import { presentPriceIn, ratesInput, selectionInput } from './rates.ts'

const STATES: Readonly<Record<ShipmentState, ShownState>> = {
  DRAFT: 'draft',
  BOOKED: 'booked',
  IN_TRANSIT: 'in_transit',
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
}

const SORTS = { NEWEST: 'newest', OLDEST: 'oldest' } as const satisfies Record<ShipmentSort, string>

export const shipmentQueries: Required<Pick<QueryResolvers, 'shipment' | 'shipments'>> = {
  shipment: async (_root, { id }, { loaders }) => {
    const shipment = isShipmentId(id) ? await loaders.shipment.load(id) : undefined
    return shipment === undefined ? null : presentShipment(shipment)
  },
  shipments: async (_root, { filter, sort, ...position }, { ports, caller }) => {
    const outcome = await listShipments(ports, caller, {
      ...position,
      filter: { ...filter, states: filter?.states?.map((state) => STATES[state]) },
      sort: SORTS[sort ?? 'NEWEST'],
    })
    switch (outcome.kind) {
      case 'ShipmentConnection':
        return presentConnection(outcome)
      case 'InputProblem':
        throw badArguments(presentInputProblem(outcome).fields)
    }
  },
}

export const shipmentMutations = {
  cancelShipment: async (_root, { input }, { ports, caller, requestId, effects, loaders }) => {
    const by = { accountId: caller.accountId, requestId }
    const outcome = await cancelShipment(ports, by, input.shipmentId, CANCEL_POLICY, true)
    effects.hasMutated = true
    if (outcome.kind === 'ShipmentCancelled' && outcome.shipment !== undefined)
      loaders.shipment.prime(outcome.shipmentId, outcome.shipment)
    if (outcome.kind !== 'ShipmentNotCancelled') return typed(outcome)
    const { refusal, ...rest } = outcome
    return typed({ ...rest, refusalCode: refusal?.code ?? null, carrierReason: refusal?.reason ?? null })
  },
  bookShipment: async (_root, { input }, { ports, caller, effects }) => {
    const outcome = await bookShipment(ports, caller, input.shipmentId)
    effects.hasMutated = true
    switch (outcome.kind) {
      case 'ShipmentBooked':
      case 'ShipmentNotFound':
        return typed(outcome)
      case 'ShipmentNotBooked': {
        const { refusal, ...rest } = outcome
        return typed({
          ...rest,
          carrierRefusalCode: refusal?.code ?? null,
          carrierReason: refusal?.message ?? null,
        })
      }
      case 'DraftPriceExpired': {
        const { priceCents, currentPriceCents, ...rest } = outcome
        return typed({
          ...rest,
          price: presentMoney(priceCents),
          currentPrice: currentPriceCents === undefined ? null : presentMoney(currentPriceCents),
        })
      }
    }
  },
  createDraftShipment: async (_root, { input }, { ports, caller, loaders, effects }) => {
    const { rates, contentItems, preferredShippingOption, optionToken: token, ...rest } = input
    const outcome = await createDraftShipment(ports, caller, {
      ...rest,
      preferredShippingOption: preferredShippingOption ?? undefined,
      optionToken: token ?? undefined,
      rates: ratesInput(rates),
      selection: selectionInput(rates),
      contentItems: contentItems?.map(itemInput),
    })
    effects.hasMutated = true
    switch (outcome.kind) {
      case 'DraftShipmentCreated':
        loaders.shipment.prime(outcome.shipmentId, outcome.shipment)
        return typed({
          kind: outcome.kind,
          shipmentId: outcome.shipmentId,
          alreadyCreated: outcome.alreadyCreated,
        })
      case 'OptionNotAvailable': {
        const { declined, ...rest } = outcome
        return typed({ ...rest, declined: declined === undefined ? null : presentDeclined(declined) })
      }
      case 'OptionExpired': {
        const { quotedPriceCents, current, ...rest } = outcome
        return typed({
          ...rest,
          quotedPrice: presentMoney(quotedPriceCents),
          currentPrice: current === undefined ? null : presentMoney(current.priceCents),
          current,
        })
      }
      case 'IdempotencyConflict':
      case 'DraftQuotaExceeded':
        return typed(outcome)
      case 'InputProblem':
        return presentInputProblem(outcome, parcelsIn(rates.parcels).list)
    }
  },
} satisfies Required<Omit<MutationResolvers, 'createCheckoutToken' | 'replayWebhook' | 'saveEstimate'>>

type LoadedShipmentField =
  | 'carrier'
  | 'product'
  | 'parcels'
  | 'contentItems'
  | 'priceValidUntil'
  | 'trackingEvents'
  | 'cancelAttempts'
  | 'pendingCancelAttempt'

export const shipmentFields: Required<Pick<ShipmentResolvers, LoadedShipmentField>> = {
  carrier: ({ carrierCode }, _arguments, context) =>
    catalogueOf(context).carriers.get(carrierCode) ?? unlistedCarrier(carrierCode),
  product: ({ productId }, _arguments, context) =>
    catalogueOf(context).products.get(String(productId)) ?? null,
  parcels: async ({ id }, _arguments, { contents }) => {
    const found = await contents.load(id)
    return (found?.parcels ?? []).map((parcel) =>
      presentShipmentParcel(found?.parcelType ?? 'NONDOC', parcel),
    )
  },
  contentItems: async ({ id }, _arguments, { contents }) => {
    const found = await contents.load(id)
    return (found?.contentItems ?? []).map(presentContentItem)
  },
  priceValidUntil: (shipment, _arguments, { ports }) =>
    shipment.state === 'DRAFT'
      ? (priceValidUntil(shipment, ports.reference.rateBook(), ports.draftTerms) ?? null)
      : null,
  trackingEvents: async ({ id }, position, { loaders }) =>
    presentPage(await loadPage(loaders.trackingEvents, id, position), presentTrackingEvent),
  cancelAttempts: (shipment, _arguments, { loaders }) =>
    afterAttempts(shipment, loaders, (attempts) =>
      attempts.map((attempt) => presentAttempt(attempt, shipment.state)),
    ),
  pendingCancelAttempt: (shipment, _arguments, { loaders }) => {
    const { state, cancelRequestedAt } = shipment
    if (cancelRequestedAt !== undefined) return presentWaiting(cancelRequestedAt)
    return afterAttempts(shipment, loaders, (attempts) => {
      const attempt = attempts.find(isPending)
      return attempt === undefined ? null : presentAttempt(attempt, state)
    })
  },
}

export const connectionFields: Required<Pick<ShipmentConnectionResolvers, 'totalCount'>> = {
  totalCount: async ({ list }) => (await list.countShipments()) ?? null,
}

function isPending({ phase }: CancelAttempt): boolean {
  return phase === 'pending'
}

/**
 * Calls `read` with the shipment's attempts. Drafts are cancelled without the carrier, so they have none, and nothing
 * is loaded. A cancelled shipment can have a pending attempt, which withdraws a booking.
 */
function afterAttempts<Result>(
  { id, state }: ResolversParentTypes['Shipment'],
  { attempts }: Context['loaders'],
  read: (attempts: readonly CancelAttempt[]) => Result,
): Result | Promise<Result> {
  return state === 'DRAFT' ? read([]) : attempts.load(id).then(read)
}

export const expiredFields: Required<Pick<OptionExpiredResolvers, 'currentPriceIn' | 'currentToken'>> = {
  currentPriceIn: ({ current }, { currency }) =>
    current === undefined ? null : presentPriceIn(current, currency),
  currentToken: ({ current }, _arguments, { ports, caller }) =>
    current === undefined ? null : optionToken(ports, caller, current),
}

/** The `shipment` field of outcomes: the shipment after the operation, loaded if selected. */
export const outcomeShipment = {
  shipment: async (
    { shipmentId }: { readonly shipmentId: string },
    _arguments: unknown,
    { loaders }: Context,
  ): Promise<ResolversParentTypes['Shipment']> => {
    const shipment = await loaders.shipment.load(shipmentId)
    if (shipment === undefined) throw shipmentArchived()
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
    return presentParcels(attempts.find(isPending))
  },
}
