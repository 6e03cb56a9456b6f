/**
 * What recovery and tracking need from the store: the part of ports.ts that is about work nobody is waiting for.
 */
import type { CancelTicket } from '../../core/shipments/cancellation.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { ParcelReference, Scan, ScanEffect, TrackedParcel } from '../../core/shipments/tracking.ts'

/** An attempt whose refusal has to be looked into: it followed a send of unknown end. */
export type Verification = {
  readonly ticket: CancelTicket
  /** How often it was looked into, this time included. */
  readonly looks: number
}

/** A booking that nobody is at, and whose end at the carrier is not known. */
export type DueBooking = { readonly shipment: Shipment; readonly accountId: string; readonly tries: number }

/** A booked shipment to be looked up at its carrier. */
export type LookUp = TrackedParcel & { readonly shipmentId: string }

/** What is due with a carrier. */
export type DueWork = {
  readonly carrierCode: string
  readonly attempts: boolean
  readonly verifications: boolean
  readonly bookings: boolean
  readonly lookUps: boolean
}

/** How many rows of a carrier may be taken on now. */
export type CarrierRoom = { readonly carrierCode: string; readonly room: number }

/** An attempt that has been open for too long. */
export type OverdueAttempt = {
  readonly shipmentId: string
  readonly carrierCode: string
  readonly sends: number
  readonly ageMs: number
  readonly lastCause: string | undefined
}

/**
 * What is left to be driven to its end, whoever began it: the work of the sweeper in every replica. Each method is
 * one statement, and each claim skips what another process holds, so replicas share the work.
 */
export interface RecoveryStore {
  /** What is due, by carrier; empty when nothing is. */
  dueWork(): Promise<readonly DueWork[]>
  /** Takes over due attempts. */
  claimAttempts(rooms: readonly CarrierRoom[], leaseMs: number): Promise<readonly CancelTicket[]>
  /** Takes on refusals that are due to be looked into. */
  claimVerifications(rooms: readonly CarrierRoom[], leaseMs: number): Promise<readonly Verification[]>
  /** Looked into: when again, or undefined for never; `anomaly` is for people. */
  settleVerification(
    ticket: CancelTicket,
    againInMs: number | undefined,
    anomaly: string | undefined,
  ): Promise<void>
  /** Takes on bookings that were begun and not ended. */
  claimBookings(rooms: readonly CarrierRoom[], leaseMs: number): Promise<readonly DueBooking[]>
  /** Booked shipments to look up now; each is due again in `everyMs`. */
  claimLookUps(rooms: readonly CarrierRoom[], everyMs: number): Promise<readonly LookUp[]>
  /** Attempts open for longer than `ageMs`, each reported once. */
  overdueAttempts(ageMs: number): Promise<readonly OverdueAttempt[]>
}

/** Where what carriers say about parcels goes. */
export interface TrackingStore {
  /** Keeps a scan, once, and moves its shipment. */
  recordScan(scan: Scan): Promise<ScanEffect>
  /** Scans of a parcel that came before its booking was on record count now. */
  applyKeptScans(parcel: ParcelReference): Promise<void>
  /**
   * The carrier holds it as cancelled though nobody here was told: cancels it here, on record as an attempt that was
   * found so. False when it is not booked any more, or an attempt is open.
   */
  recordCancelledAtCarrier(lookUp: LookUp): Promise<boolean>
  /** The booked shipments behind an id, in the order of their ids, `size` of them at most. */
  bookedAfter(shipmentId: string, size: number): Promise<readonly LookUp[]>
  /** Forgets scans of parcels that nobody booked here, older than `ageMs`; answers how many. */
  forgetKeptScans(ageMs: number): Promise<number>
}
