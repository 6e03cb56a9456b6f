/**
 * Converts shipments and cancellation attempts to the types of the schema. Carrier and product are loaded if selected.
 */
import type { Place as CorePlace } from '../../core/place.ts'
import type { Parcel, ParcelType } from '../../core/rating/request.ts'
import {
  type CancelAttempt,
  type CancelAttemptPhase,
  type Shipment as CoreShipment,
  type ShipmentState as CoreState,
  isCancellable,
} from '../../core/shipments/shipment.ts'
import type { TrackingEvent } from '../../core/shipments/tracking.ts'
import type { ShipmentList } from '../../operations/list-shipments.ts'
import type {
  CancelAttemptOutcome,
  Place,
  ResolversParentTypes,
  ShipmentParcel,
  ShipmentState,
  TrackingEventType,
} from '../generated.ts'
import { presentMoney, presentWeight, typed } from './typed.ts'

const STATES: Readonly<Record<CoreState, ShipmentState>> = {
  draft: 'DRAFT',
  booked: 'BOOKED',
  in_transit: 'IN_TRANSIT',
  cancelled: 'CANCELLED',
}

const PHASES: Readonly<Record<CancelAttemptPhase, CancelAttemptOutcome>> = {
  pending: 'PENDING',
  accepted: 'ACCEPTED',
  refused: 'REFUSED',
}

const TRACKING_EVENT_TYPES: Readonly<Record<TrackingEvent['type'], TrackingEventType>> = {
  draft: 'CREATED',
  booked: 'BOOKED',
  scanned: 'SCANNED',
  in_transit: 'IN_TRANSIT',
  cancelled: 'CANCELLED',
}

const SETTLED_BY = { carrier: 'CARRIER', operator: 'OPERATOR' } as const

export function presentShipment(shipment: CoreShipment): ResolversParentTypes['Shipment'] {
  const { shipmentId, state, carrierCode, productId, carrierRef, createdAt, cancelledAt } = shipment
  return {
    id: shipmentId,
    state: STATES[state],
    reference: shipment.reference ?? null,
    carrierCode,
    productId,
    trackingNumber: carrierRef ?? null,
    trackingNumbers: shipment.parcelRefs ?? (carrierRef === undefined ? [] : [carrierRef]),
    from: presentPlace(shipment.from),
    to: presentPlace(shipment.to),
    price: presentMoney(shipment.priceCents),
    rateCardVersion: shipment.rateCardVersion,
    createdAt,
    bookedAt: shipment.bookedAt ?? null,
    updatedAt: shipment.updatedAt,
    cancelledAt: cancelledAt ?? null,
    cancellable: isCancellable(state),
    isCancelRequested: shipment.isCancelRequested ?? false,
  }
}

export function presentShipmentParcel(
  type: ParcelType,
  { count, weightGrams, lengthCm, widthCm, heightCm, stackable }: Parcel,
): ShipmentParcel {
  const isMeasured = type !== 'DOC'
  return {
    type,
    count,
    weight: isMeasured ? presentWeight(weightGrams) : null,
    lengthCm: isMeasured ? lengthCm : null,
    widthCm: isMeasured ? widthCm : null,
    heightCm: isMeasured ? heightCm : null,
    stackable: type === 'PALLET' ? stackable : null,
  }
}

export function presentConnection(list: ShipmentList) {
  const { kind, page } = list
  const edges = page.edges.map(({ cursor, shipment }) => ({ cursor, node: presentShipment(shipment) }))
  return typed({
    kind,
    edges,
    nodes: edges.map(({ node }) => node),
    list,
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: page.hasPreviousPage,
      startCursor: page.edges.at(0)?.cursor ?? null,
      endCursor: page.edges.at(-1)?.cursor ?? null,
    },
  })
}

export function presentAttempt(attempt: CancelAttempt): ResolversParentTypes['CancelAttempt'] {
  const { at, phase, refusal, sends } = attempt
  return {
    createdAt: at,
    outcome: PHASES[phase],
    refusalCode: refusal?.code ?? null,
    carrierReason: refusal?.reason ?? null,
    carrierRefusalCode: attempt.carrierRefusalCode ?? null,
    sends,
    settledAt: attempt.settledAt ?? null,
    settledBy: attempt.settledBy === undefined ? null : SETTLED_BY[attempt.settledBy],
    nextTryAt: attempt.nextTryAt ?? null,
    parcels: presentParcels(attempt),
  }
}

export function presentTrackingEvent({
  type,
  at,
  carrierRef,
}: TrackingEvent): ResolversParentTypes['TrackingEvent'] {
  return { type: TRACKING_EVENT_TYPES[type], occurredAt: at, trackingNumber: carrierRef ?? null }
}

/** Empty if the shipment has one number. */
export function presentParcels(
  attempt: CancelAttempt | undefined,
): ResolversParentTypes['ParcelCancellation'][] {
  return (attempt?.parcels ?? []).map(({ carrierRef, state, refusal }) => ({
    trackingNumber: carrierRef,
    outcome: PHASES[state],
    refusalCode: refusal?.code ?? null,
    carrierReason: refusal?.reason ?? null,
  }))
}

function presentPlace({ country, zipcode, city }: CorePlace): Place {
  return { country, zipcode: zipcode ?? null, city: city ?? null }
}
