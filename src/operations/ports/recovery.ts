/**
 * What recovery and tracking need from the store: the part of ports.ts about background work.
 */
import type { CancelTicket } from '../../core/shipments/cancellation.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { ParcelReference, Scan, ScanEffect, TrackedParcel } from '../../core/shipments/tracking.ts'

/** A refused attempt that has to be verified, because it followed a send of unknown outcome. */
export type Verification = {
  readonly ticket: CancelTicket
  /** How often it has been verified, this time included. */
  readonly lookups: number
}

/** A booking whose outcome at the carrier is not known, and that no process works on. */
export type DueBooking = { readonly shipment: Shipment; readonly accountId: string; readonly tries: number }

/** A booked shipment to look up at its carrier. */
export type LookUp = TrackedParcel & { readonly shipmentId: string }

/** The kinds of background work. */
export type WorkKind = 'attempts' | 'verifications' | 'bookings' | 'lookUps'

/** How many rows of one kind of work are due for an account at a carrier, at least one. */
export type DueWork = {
  readonly work: WorkKind
  readonly carrierCode: string
  readonly accountId: string
  /** Counted up to the limit that was asked for. */
  readonly count: number
}

/** How many due rows of an account at a carrier a claim may take. */
export type ClaimRoom = { readonly carrierCode: string; readonly accountId: string; readonly room: number }

/** An attempt that has been open for longer than it should. */
export type OverdueAttempt = {
  readonly shipmentId: string
  readonly carrierCode: string
  readonly sends: number
  readonly ageMs: number
  readonly lastCause: string | undefined
}

/**
 * Work that was begun and has not ended, whichever process began it; the sweepers of all replicas share it. Every
 * method is one statement. A claim takes only rows of the carriers and accounts it is given, skips rows that another
 * process has locked, and postpones what it takes, so that no two processes claim the same row.
 */
export interface RecoveryStore {
  /**
   * What is due, by kind, carrier and account, each counted up to `countedUpTo`. The cost depends on the number of
   * accounts with such work, not on the number of due rows.
   */
  dueWork(countedUpTo: number): Promise<readonly DueWork[]>
  /** Takes over due attempts, longest due first. */
  claimAttempts(rooms: readonly ClaimRoom[], leaseMs: number): Promise<readonly CancelTicket[]>
  /** Takes refusals that are due to be verified. */
  claimVerifications(rooms: readonly ClaimRoom[], leaseMs: number): Promise<readonly Verification[]>
  /** Ends a verification: the next one is due in `againInMs`, or never (undefined); `anomaly` is kept for people. */
  settleVerification(
    ticket: CancelTicket,
    againInMs: number | undefined,
    anomaly: string | undefined,
  ): Promise<void>
  /** Takes bookings that were begun and have not ended. */
  claimBookings(rooms: readonly ClaimRoom[], leaseMs: number): Promise<readonly DueBooking[]>
  /** Takes booked shipments to look up now; each is due again in `everyMs`. */
  claimLookUps(rooms: readonly ClaimRoom[], everyMs: number): Promise<readonly LookUp[]>
  /** Attempts that have been open for longer than `ageMs`. Each is answered once. */
  overdueAttempts(ageMs: number): Promise<readonly OverdueAttempt[]>
}

/** Where what carriers say about parcels goes. */
export interface TrackingStore {
  /** Keeps a scan, once, and moves its shipment. */
  recordScan(scan: Scan): Promise<ScanEffect>
  /** Scans of a parcel that came before its booking was on record count now. */
  applyUnmatchedScans(parcel: ParcelReference): Promise<void>
  /**
   * The carrier holds it as cancelled though nobody here was told: cancels it here, on record as an attempt that was
   * found so. False when it is not booked any more, or an attempt is open.
   */
  recordCancelledAtCarrier(lookUp: LookUp): Promise<boolean>
  /** The booked shipments behind an id, in the order of their ids, `size` of them at most. */
  bookedAfter(shipmentId: string, size: number): Promise<readonly LookUp[]>
  /** Forgets scans of parcels that nobody booked here, older than `ageMs`; answers how many. */
  forgetUnmatchedScans(ageMs: number): Promise<number>
}
