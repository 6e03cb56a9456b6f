/**
 * What a connector to one carrier's interface must do. The gateway around it keeps the time, catches what is
 * thrown and cleans texts; a connector knows its carrier's calls and codes, and judges.
 * Source: design/cancellation.md, "Carriers".
 */
import type { CarrierBookAnswer } from '../core/shipments/booking.ts'
import type { CarrierCancelAnswer } from '../core/shipments/cancellation.ts'
import type { Shipment } from '../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../core/shipments/tracking.ts'

/** A cancellation as it goes to a carrier. */
export type CancelRequest = {
  readonly carrierCode: string
  /** The carrier's tracking number. */
  readonly carrierRef: string
  /** The same on every send of one attempt; carriers without such a key are asked without. */
  readonly idempotencyKey: string
  /**
   * How often it was sent, this time included. From 2 on an earlier send may have got through, and "not found"
   * may mean "already cancelled".
   */
  readonly sends: number
}

/**
 * One carrier's interface for one set of credentials. Every method makes one try, gives up when `signal` says so, and
 * may throw: the gateway makes that `unknown`. `refused` is answered only by a code on the carrier's list of final
 * refusals, or by an unrecognised code of a 4xx with a readable message; time-out, reset, 408, 429, 5xx, an unreadable
 * or meaningless body are `unknown`.
 */
export interface Connector {
  cancel(request: CancelRequest, signal: AbortSignal): Promise<CarrierCancelAnswer>
  /** Where the parcel stands. Absent: this carrier cannot be looked up. */
  track?(carrierRef: string, signal: AbortSignal): Promise<CarrierTrackAnswer>
  /**
   * Books the shipment; its id is the key. The same id is booked once and answers the same reference, also
   * after that booking was cancelled: where the carrier has no such key, the connector looks it up first.
   * Absent: shipments are not booked with this carrier through here.
   */
  book?(shipment: Shipment, signal: AbortSignal): Promise<CarrierBookAnswer>
}

/** Where a carrier's interface is, and with what to enter. `credentials` are secrets: never in an error or a log. */
export type CarrierAccess = {
  /** Without a slash at the end; a path may precede what the connector appends. */
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
}

/** A connector as configuration meets it. */
export type ConnectorType = {
  /** The names of the credentials it needs, all required. */
  readonly credentials: readonly string[]
  /** The names of those it can use and does without. */
  readonly optionalCredentials?: readonly string[]
  /** Where the carrier's live interface is, for the documentation; configuration always names one itself. */
  readonly liveUrl: string
  open(access: CarrierAccess): Connector
}
