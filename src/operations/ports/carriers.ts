/** Calls to carriers. Types only; `carriers/` implements them. */

import type { CarrierBookAnswer } from '../../core/shipments/booking.ts'
import type { CancelTicket, CarrierCancelAnswer, NotSent } from '../../core/shipments/cancellation.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer, TrackedParcel } from '../../core/shipments/tracking.ts'

/**
 * Calls carriers. Each method makes one try and never throws; it answers within its time limit and a short wait for a
 * slot. `unknown`: the outcome is not certain. `not_sent`: it is certain that nothing was sent. Carriers' texts are
 * cleaned and truncated.
 */
export interface CarrierGateway {
  /** `ticket.attemptId` is the idempotency key, the same on every send. */
  cancel(ticket: CancelTicket, onBehalfOf?: CallOrigin): Promise<CarrierCancelAnswer | NotSent>
  /** The shipment's id is the idempotency key: a repeat books nothing more and answers the same reference. */
  book(accountId: string, shipment: Shipment, onBehalfOf?: CallOrigin): Promise<CarrierBookAnswer | NotSent>
  /** Where a parcel is, within `timeoutMs`. Also `not_sent` when the carrier has no look-up. */
  track(
    parcel: TrackedParcel,
    timeoutMs?: number,
    onBehalfOf?: CallOrigin,
  ): Promise<CarrierTrackAnswer | NotSent>
  /** Whether the carrier has a look-up. */
  canTrack(carrierCode: string): boolean
  /**
   * Identifies the set of credentials for the account's calls to a carrier. Accounts with the same channel share its
   * slots and its circuit; channels do not affect each other.
   */
  channelOf(carrierCode: string, accountId: string): string
  /**
   * How many calls of this kind background work may start now in the account's channel: none while the circuit is open,
   * one (the trial) while it is half-open, otherwise the free background slots.
   */
  room(carrierCode: string, accountId: string, kind: CarrierCallKind): number
}

/** Who waits for a call: a caller (the default), or nobody. Each has separate slots in a channel. */
export type CallOrigin = 'caller' | 'background'

/** Calls that change something at the carrier, and calls that only read. */
export type CarrierCallKind = 'command' | 'lookUp'
