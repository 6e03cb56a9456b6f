/** What background work and tracking need from the store. Types only; `store/` implements them. */
import type { CancelTicket, SuspectDraft } from '../../core/shipments/cancellation.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { ParcelReference, Scan, ScanEffect, TrackedParcel } from '../../core/shipments/tracking.ts'

/**
 * A settled attempt that has to be verified by a lookup: the refusal followed an unconfirmed send, or the carrier
 * accepted the cancellation for later.
 */
export type Verification = {
  readonly phase: 'accepted' | 'refused'
  readonly ticket: CancelTicket
  /** The number of lookups for this verification, including the current one. */
  readonly lookups: number
}

/** A cancellation or a scan that only a lookup has reported, to be verified by another one. */
export type ReportToVerify = {
  readonly reported: 'cancelled' | 'scanned'
  /** All numbers of a cancelled shipment, or the one that was scanned. */
  readonly lookup: Lookup
  /** Time since the report, in milliseconds by the database's clock. */
  readonly ageMs: number
}

/** A booking whose outcome at the carrier is unknown, and whose lease has expired. */
export type DueBooking = {
  readonly shipment: Shipment
  readonly accountId: string
  readonly tries: number
  /** See `BookingBegun.lease`. */
  readonly lease: string
}

/** A booked shipment to look up at its carrier. */
export type Lookup = TrackedParcel & {
  readonly shipmentId: string
  /** The numbers to look up, if the shipment has several. Without the ones that the carrier has cancelled. */
  readonly parcelRefs?: readonly string[]
}

export type WorkKind = 'attempts' | 'verifications' | 'reports' | 'bookings' | 'lookups'

/** How many rows of one kind of work are due for an account at a carrier; at least 1. */
export type DueWork = {
  readonly work: WorkKind
  readonly carrierCode: string
  readonly accountId: string
  /** Counted up to the limit given to `dueWork`. */
  readonly count: number
}

/** How many due rows of an account at a carrier a claim may take. */
export type ClaimRoom = { readonly carrierCode: string; readonly accountId: string; readonly room: number }

/** How long shipments are looked up, in milliseconds. */
export type LookupTerms = {
  /** The interval for shipments in transit, until they are delivered. Absent: they are not looked up. */
  readonly inTransitEveryMs?: number | undefined
  /** Lookups end this long after the booking, and after the first scan. Absent: never. */
  readonly forMs?: number | undefined
}

export type OverdueAttempt = {
  readonly attemptId: string
  readonly shipmentId: string
  readonly carrierCode: string
  readonly sends: number
  readonly ageMs: number
  readonly lastCause: string | undefined
}

/**
 * Unfinished work of all processes, shared by the sweepers of all replicas. Every method is one statement. A claim
 * takes only rows of the given carriers and accounts, skips rows that another process has locked, and postpones the
 * rows that it takes, so two processes never claim the same row.
 */
export interface RecoveryStore {
  /**
   * Due work by kind, carrier and account, each counted up to `countedUpTo`. If a carrier has a large backlog, not all
   * accounts are in each answer, but each one is after some rounds. See docs/growth.md#a-round-of-the-sweeper.
   */
  dueWork(countedUpTo: number): Promise<readonly DueWork[]>
  /** Claims due attempts, longest due first. */
  claimAttempts(rooms: readonly ClaimRoom[], leaseMs: number): Promise<readonly CancelTicket[]>
  claimVerifications(rooms: readonly ClaimRoom[], leaseMs: number): Promise<readonly Verification[]>
  /**
   * Ends a verification. `againInMs` is the delay until the next one (undefined: none), `anomaly` the text that an
   * audit lists.
   */
  settleVerification(
    verification: Pick<Verification, 'phase' | 'ticket'>,
    againInMs: number | undefined,
    anomaly: string | undefined,
  ): Promise<void>
  claimReports(rooms: readonly ClaimRoom[], leaseMs: number): Promise<readonly ReportToVerify[]>
  /**
   * Ends the verification of a report. `againInMs` is the delay until the next one (undefined: none). `contradiction`
   * is what the lookup said instead, for the audit.
   */
  settleReport(
    report: ReportToVerify,
    againInMs: number | undefined,
    contradiction: string | undefined,
  ): Promise<void>
  claimBookings(rooms: readonly ClaimRoom[], leaseMs: number): Promise<readonly DueBooking[]>
  /**
   * Claims shipments to look up; each booked one is due again in `everyMs`. Where lookups have ended, a booked one is
   * returned a last time, one in transit is not, and neither is due again.
   */
  claimLookups(rooms: readonly ClaimRoom[], everyMs: number, terms?: LookupTerms): Promise<readonly Lookup[]>
  /**
   * Erases the personal data and the scans of up to `limit` shipments that have not changed for `olderThanDays`.
   * Returns how many.
   */
  eraseShipments(olderThanDays: number, limit: number): Promise<number>
  /** Attempts that have been open for longer than `ageMs`, and that operators do not know about. */
  overdueAttempts(ageMs: number): Promise<readonly OverdueAttempt[]>
  /** Records that operators know about these overdue attempts. */
  recordOverdueAlerts(attemptIds: readonly string[]): Promise<void>
}

/** An attempt to cancel that the log of the service says was opened. */
export type LoggedAttempt = {
  readonly attemptId: string
  readonly accountId: string
  readonly shipmentId: string
  readonly carrierCode: string
  /** When it was opened, ISO 8601. */
  readonly at: string
}

export type NamedShipment = { readonly accountId: string; readonly shipmentId: string }

/** What an audit reads and repairs after a restore. */
export interface RestoreStore {
  /** Those of the shipments that were booked and have been archived. */
  archived(shipments: readonly NamedShipment[]): Promise<readonly NamedShipment[]>
  /** Up to `size` suspect drafts behind this one, ordered by account and id. Empty texts: from the first one on. */
  suspectDraftsAfter(place: NamedShipment, size: number): Promise<readonly SuspectDraft[]>
  /**
   * Those of the attempts that the database lacks, without those of archived shipments, and of shipments for which an
   * attempt was opened later.
   */
  missingAttempts(attempts: readonly LoggedAttempt[]): Promise<readonly LoggedAttempt[]>
  /**
   * Opens an attempt again under its id, which is the idempotency key, so that the sweeper sends it. Returns false if
   * the shipment is not booked, or if the attempt is not missing any more.
   */
  reopenAttempt(attempt: LoggedAttempt): Promise<boolean>
}

/**
 * Thrown by methods of `TrackingStore` that record scans, if the account of the parcel is closed because it is moved to
 * another cell. Scans of other accounts are not affected. `cause` is the error of the database.
 */
export class AccountClosed extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Records what carriers report about parcels. */
export interface TrackingStore {
  /**
   * Stores a scan, unless it is already stored, and moves its shipment. If the shipment was partly cancelled and the
   * carrier has refused this parcel, the attempt is refused. With `isFound`, only a lookup has reported the scan; if it
   * moves the shipment and there is no other scan, lookups verify it.
   */
  recordScan(scan: Scan, isFound?: boolean): Promise<ScanEffect>
  /** Records that the shipment is delivered, if it is in transit and all its parcels are. */
  recordDelivery(parcel: ParcelReference): Promise<void>
  /** Applies scans of a parcel that arrived before its booking was recorded. */
  applyUnmatchedScans(parcel: ParcelReference): Promise<void>
  /**
   * Cancels a shipment that its carrier has cancelled without a request from Waybill, and records an attempt for it.
   * Returns false if the shipment is no longer booked, or an attempt is open.
   */
  recordCancelledAtCarrier(lookup: Lookup): Promise<boolean>
  /** Up to `size` booked shipments behind this one, ordered by account and id. Empty texts: from the first one on. */
  bookedAfter(place: Pick<Lookup, 'accountId' | 'shipmentId'>, size: number): Promise<readonly Lookup[]>
  /** Deletes up to `limit` scans of parcels that are not booked here and are older than `ageMs`. Returns how many. */
  forgetUnmatchedScans(ageMs: number, limit: number): Promise<number>
}
