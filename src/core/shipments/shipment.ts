/** A shipment, its states, and the attempts to cancel it. See docs/cancellation.md#states-of-a-shipment. */

import type { Contacts } from '../contact.ts'
import type { ContentItem } from '../customs/request.ts'
import type { Place } from '../place.ts'
import type { RateCardHead } from '../rating/card-version.ts'
import type { Parcel, ParcelType } from '../rating/request.ts'
import type { Service } from '../rating/sender-service.ts'
import type { ServiceInputs } from '../rating/service-inputs.ts'

/** draft → booked → in_transit. Drafts and booked shipments can become cancelled. */
export type ShipmentState = 'draft' | 'booked' | 'in_transit' | 'cancelled'

/** As accounts see it. A delivered shipment is one in transit whose parcels are all delivered; it changes no more. */
export type ShownState = ShipmentState | 'delivered'

export function shownState({ state, deliveredAt }: Pick<Shipment, 'state' | 'deliveredAt'>): ShownState {
  return deliveredAt === undefined ? state : 'delivered'
}

/** A shipment of one account. Money in cents, times as ISO 8601 in UTC. */
export type Shipment = {
  readonly shipmentId: string
  readonly state: ShipmentState
  /** The account's own reference. Not unique. */
  readonly reference?: string
  readonly productId: number
  readonly carrierCode: string
  /** The carrier's tracking number. Present once the shipment is booked. */
  readonly carrierRef?: string
  /** All numbers of the carrier, the one of `carrierRef` first. Present if there are several. */
  readonly parcelRefs?: readonly string[]
  readonly from: Place
  readonly to: Place
  /** The price at its creation, excluding VAT. */
  readonly priceCents: number
  /** The version of the rate card that priced it. Absent for imported shipments. */
  readonly rateCardVersion?: Pick<RateCardHead, 'code' | 'versionNo'>
  readonly createdAt: string
  /** Present once the shipment is booked. */
  readonly bookedAt?: string
  /** When its state, its numbers or the outcome of a cancellation last changed. */
  readonly updatedAt: string
  readonly cancelledAt?: string
  /** When its last parcel was delivered, by the carrier's clock. */
  readonly deliveredAt?: string
  /** Present while a draft that is being booked waits to be cancelled. It has no attempt yet. */
  readonly cancelRequestedAt?: string
  /** Removed with the contents of a draft. */
  readonly contacts?: Contacts
  /** Those that the sender chose. Present if there are any. */
  readonly services?: readonly Service[]
  /** Present if any of the services has inputs. */
  readonly serviceInputs?: ServiceInputs
}

/** What is in a shipment, as declared when the draft was created. */
export type ShipmentContents = {
  readonly shipmentId: string
  readonly parcelType: ParcelType
  /** Empty for imported shipments. */
  readonly parcels: readonly Parcel[]
  /** Empty if no content items were declared. */
  readonly contentItems: readonly ContentItem[]
}

/** The sizes of the contents of a shipment. */
export type ContentSizes = {
  readonly parcelRows: number
  readonly items: number
  /** Of all items together. */
  readonly quantities: number
  /** Of the stored text. */
  readonly bytes: number
}

/** The longest reference, in characters. */
export const MAX_REFERENCE_LENGTH = 100

export function isCancellable(state: ShipmentState): boolean {
  return state === 'draft' || state === 'booked'
}

const SHIPMENT_ID = /^[A-Za-z0-9_-]{1,64}$/

/** True if the text can be a shipment's id. Other texts are not sent to the database. */
export function isShipmentId(text: string): boolean {
  return SHIPMENT_ID.test(text)
}

export type CancelAttemptPhase = 'pending' | 'accepted' | 'refused'

/** An attempt to cancel a shipment at its carrier, as its account sees it. Times as ISO 8601 in UTC. */
export type CancelAttempt = {
  readonly shipmentId: string
  readonly at: string
  readonly phase: CancelAttemptPhase
  /** Present if the carrier refused. */
  readonly refusal?: Refusal
  /** The carrier's own code. Present if the carrier refused. */
  readonly carrierRefusalCode?: string
  readonly settledAt?: string
  /** Who ended the attempt. Present if it is settled. */
  readonly settledBy?: 'carrier' | 'operator'
  /** The time by which the attempt is sent again. Present while the attempt is open. */
  readonly nextTryAt?: string
  /** How often it was sent, always with the same idempotency key. */
  readonly sends: number
  /** The parcels, if the shipment has several numbers. */
  readonly parcels?: readonly ParcelCancellation[]
}

/** A parcel of a shipment with several numbers, as its account sees it. */
export type ParcelCancellation = {
  readonly carrierRef: string
  readonly state: CancelAttemptPhase
  /** Present if the carrier refused to cancel this parcel. */
  readonly refusal?: Refusal
}

/** The reason of a final refusal, with the same codes for all carriers. */
export type RefusalCode =
  /** Picked up or scanned. */
  | 'SCANNED'
  /** The carrier's time limit for cancellations has passed. */
  | 'WINDOW_CLOSED'
  /** The carrier has no such parcel. */
  | 'UNKNOWN_PARCEL'
  /** Any other reason. */
  | 'NOT_CANCELLABLE'

export type Refusal = {
  readonly code: RefusalCode
  /** The carrier's own text, cleaned and truncated. */
  readonly reason: string
}
