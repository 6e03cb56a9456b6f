/**
 * Everything that operations use from outside, as types. `store/`, `carriers/`, `classifiers/` and `http/` implement
 * the ports, `app.ts` puts them together, and tests replace them one by one.
 */

import type { CredentialStore, SecretMatcher } from './caller.ts'
import type { CarrierGateway } from './carriers.ts'
import type { Classifier, ReferenceData } from './engine.ts'
import type { RecoveryStore, TrackingStore } from './recovery.ts'
import type { ShipmentStore } from './shipments.ts'

/** The only clock. */
export type Clock = () => Date

/** Something people have to look at; it is logged as an error with its `kind`. */
export type Alert = {
  readonly kind: /** An attempt is still open after a quarter of an hour. */
    | 'CANCELLATION_OVERDUE'
    /** The carrier cancelled a parcel that is in transit here. */
    | 'ACCEPTED_IN_TRANSIT'
    /** The carrier scanned a parcel that is cancelled here. */
    | 'SCANNED_AFTER_CANCELLATION'
    /** A booking of a shipment that is cancelled here could not be withdrawn. */
    | 'WITHDRAWAL_REFUSED'
    /** A booking was refused after a try of unknown end, which may have made it; or its end is unknown for long. */
    | 'BOOKING_IN_DOUBT'
    /** A refusal after an unconfirmed send could not be looked into. */
    | 'REFUSAL_NOT_VERIFIED'
    /** The carrier had cancelled what was booked here. */
    | 'CANCELLED_AT_CARRIER'
    /** Calls to a carrier fail one after the other and are paused. */
    | 'CIRCUIT_OPENED'
  readonly carrierCode: string
  /** Of `CIRCUIT_OPENED`: only calls with this account's own credentials are affected. */
  readonly accountId?: string
  readonly shipmentId?: string
  readonly detail?: string
}

/** Everything outside that operations use. */
export type Ports = {
  readonly clock: Clock
  readonly reference: ReferenceData
  readonly classifier: Classifier
  readonly credentials: CredentialStore
  readonly secrets: SecretMatcher
  readonly shipments: ShipmentStore
  readonly recovery: RecoveryStore
  readonly tracking: TrackingStore
  readonly carriers: CarrierGateway
  /** Logs what went wrong where the caller gets an answer all the same. Never throws. */
  readonly reportFault: (error: unknown) => void
  /** Tells people. Never throws. */
  readonly alert: (alert: Alert) => void
}

/** The UTC day of this instant, 'YYYY-MM-DD': the day that is meant where a request names none. */
export function today(clock: Clock): string {
  return clock().toISOString().slice(0, 10)
}
