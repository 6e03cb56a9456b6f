/**
 * Converts shipments and cancellation attempts to the types of the schema. Carrier and product are loaded if selected.
 */

import type { Contact as CoreContact } from '../../core/contact.ts'
import type { Place as CorePlace } from '../../core/place.ts'
import { freightClassText, type Parcel, type ParcelType } from '../../core/rating/request.ts'
import { CANCEL_RETRY_AFTER_SECONDS } from '../../core/shipments/cancellation.ts'
import {
  type CancelAttempt,
  type CancelAttemptPhase,
  type Shipment as CoreShipment,
  isCancellable,
  type ShownState,
  shownState,
} from '../../core/shipments/shipment.ts'
import type { TrackingEvent } from '../../core/shipments/tracking.ts'
import type { ShipmentList } from '../../operations/list-shipments.ts'
import type {
  CancelAttemptOutcome,
  Contact,
  Place,
  ResolversParentTypes,
  ShipmentParcel,
  ShipmentState,
  TrackingEventType,
} from '../generated.ts'
import { PARCEL_TYPES } from '../parcels.ts'
import { presentPage } from './pages.ts'
import { presentShipmentServices } from './services.ts'
import { presentMoney, presentWeight, typed } from './typed.ts'

const STATES: Readonly<Record<ShownState, ShipmentState>> = {
  draft: 'DRAFT',
  booked: 'BOOKED',
  in_transit: 'IN_TRANSIT',
  delivered: 'DELIVERED',
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
  delivered: 'DELIVERED',
  cancelled: 'CANCELLED',
}

const SETTLED_BY = { carrier: 'CARRIER', operator: 'OPERATOR' } as const

export function presentShipment(shipment: CoreShipment): ResolversParentTypes['Shipment'] {
  const { shipmentId, state, carrierCode, productId, carrierRef, createdAt, cancelledAt } = shipment
  return {
    id: shipmentId,
    state: STATES[shownState(shipment)],
    reference: shipment.reference ?? null,
    carrierCode,
    productId,
    trackingNumber: carrierRef ?? null,
    trackingNumbers: shipment.parcelRefs ?? (carrierRef === undefined ? [] : [carrierRef]),
    from: presentPlace(shipment.from),
    to: presentPlace(shipment.to),
    sender: presentContact(shipment.contacts?.sender),
    recipient: presentContact(shipment.contacts?.recipient),
    services: presentShipmentServices(shipment),
    price: presentMoney(shipment.priceCents),
    rateCardVersion: shipment.rateCardVersion,
    createdAt,
    bookedAt: shipment.bookedAt ?? null,
    updatedAt: shipment.updatedAt,
    cancelledAt: cancelledAt ?? null,
    deliveredAt: shipment.deliveredAt ?? null,
    cancellable: isCancellable(state),
    cancelRequestedAt: shipment.cancelRequestedAt,
  }
}

export function presentShipmentParcel(
  type: ParcelType,
  { count, weightGrams, lengthCm, widthCm, heightCm, stackable, ...stated }: Parcel,
): ShipmentParcel {
  const isMeasured = type !== 'DOC'
  const { shape, packaging, freightClassTenths } = stated
  return {
    type: PARCEL_TYPES[type],
    count,
    weight: isMeasured || weightGrams > 0 ? presentWeight(weightGrams) : null,
    lengthCm: isMeasured ? lengthCm : null,
    widthCm: isMeasured ? widthCm : null,
    heightCm: isMeasured ? heightCm : null,
    stackable: type === 'PALLET' ? stackable : null,
    shape: shape ?? null,
    packaging: packaging ?? null,
    freightClass: freightClassTenths === undefined ? null : freightClassText(freightClassTenths),
  }
}

export function presentConnection(list: ShipmentList) {
  return typed({ kind: list.kind, ...presentPage(list.page, presentShipment), list })
}

export function presentAttempt(
  attempt: CancelAttempt,
  state: ShipmentState,
): ResolversParentTypes['CancelAttempt'] {
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
    // In other states, a repeated request returns a final outcome even if an attempt is open.
    retryAfterSeconds: phase === 'pending' && state === 'BOOKED' ? CANCEL_RETRY_AFTER_SECONDS : null,
    parcels: presentParcels(attempt),
  }
}

/** A cancellation that waits until the booking of its draft has ended. The carrier has not been asked yet. */
export function presentWaiting(cancelRequestedAt: string): ResolversParentTypes['CancelAttempt'] {
  const waiting = { shipmentId: '', at: cancelRequestedAt, phase: 'pending', sends: 0 } as const
  return { ...presentAttempt(waiting, 'DRAFT'), retryAfterSeconds: CANCEL_RETRY_AFTER_SECONDS }
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

export function presentPlace({ country, zipcode, city }: CorePlace): Place {
  return { country, postalCode: zipcode ?? null, city: city ?? null }
}

function presentContact(contact: CoreContact | undefined): Contact | null {
  if (contact === undefined) return null
  const { name, company, street, phone, email, vatNumber, eoriNumber } = contact
  return {
    name: name ?? null,
    company: company ?? null,
    street: street ?? null,
    phone: phone ?? null,
    email: email ?? null,
    vatNumber: vatNumber ?? null,
    eoriNumber: eoriNumber ?? null,
  }
}
