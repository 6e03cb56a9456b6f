/**
 * Operation: finds and repairs what the database has lost by a restore, or a failover to an asynchronous standby:
 * bookings, open attempts and cancelled drafts that the journal of the service names, and drafts that only their
 * carriers know to be booked. See docs/audit.md#repair-from-the-log.
 */
import { groupBy } from '../../core/group-by.ts'
import type { BookedNumbers, BookingLookup } from '../../core/shipments/booking.ts'
import type { NotSent, SuspectDraft } from '../../core/shipments/cancellation.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import { type CheckPorts, checkDraft } from '../ask-carrier/check-draft.ts'
import { CANCEL_POLICY } from '../ask-carrier/policy.ts'
import { type BookPorts, driveBooking } from '../book-shipment.ts'
import type { LoggedAttempt, NamedShipment, RestoreStore } from '../ports/recovery.ts'
import {
  compareAll,
  type FirstOf,
  list,
  type MutableFirst,
  openPatience,
  PAGE,
  PATIENCE_MS,
  type Patience,
} from './audit-shipments.ts'

/** A shipment as the log names it. */
export type LoggedShipment = NamedShipment

export type LoggedBooking = LoggedShipment & BookedNumbers & { readonly carrierCode: string }

/** A line of the journal. */
export type LogEntry =
  | { readonly kind: 'draft cancelled'; readonly draft: LoggedShipment }
  | { readonly kind: 'booked'; readonly booking: LoggedBooking }
  | { readonly kind: 'opened'; readonly attempt: LoggedAttempt }
  | {
      readonly kind: 'settled'
      readonly attemptId: string
      readonly outcome: 'accepted' | 'refused'
      readonly shipment?: LoggedShipment
    }

/** Drafts that the log says were cancelled, and that are not cancelled in the database. */
export type RevivedDrafts = {
  /** Drafts again. With `cancel`, they were cancelled again. */
  readonly drafts: FirstOf<LoggedShipment>
  /** Booked since the restore, and perhaps in transit. They are never changed. */
  readonly booked: FirstOf<LoggedShipment>
  readonly cancelledAgain: boolean
}

/** A lost booking that could not be repaired. */
export type UnrepairedBooking = LoggedShipment & { readonly cause: string }

/** Bookings that the log names, and that are not in the database. */
export type LostBookings = {
  /** Drafts here. With `repair`, those without a failure are booked again. */
  readonly drafts: FirstOf<LoggedBooking>
  /** Cancelled here as drafts. With `repair`, the carrier is asked to cancel them. */
  readonly cancelled: FirstOf<LoggedBooking>
  /** Shipments that the database does not have at all: they were created after the backup. */
  readonly missing: FirstOf<LoggedBooking>
  readonly failed: FirstOf<UnrepairedBooking>
  readonly repaired: boolean
}

/** Attempts that the log says were opened and not refused, of shipments that are booked here without them. */
export type LostAttempts = {
  /** With `repair`, they are open again. */
  readonly attempts: FirstOf<LoggedAttempt>
  readonly repaired: boolean
}

export type LogAudit = {
  readonly revivedDrafts: RevivedDrafts
  readonly lostBookings: LostBookings
  readonly lostAttempts: LostAttempts
}

export type LogAuditOptions = {
  /** Cancel revived drafts again. */
  readonly cancelDrafts: boolean
  /** Restore bookings and attempts. */
  readonly repair: boolean
}

export type LogAuditPorts = BookPorts & { readonly restores: RestoreStore }

/**
 * Compares the log with the database. Reads the log as a stream, in any order of its lines; memory grows only with what
 * is lost. Bookings are restored before attempts, because an attempt needs a booked shipment.
 */
export async function auditLog(
  ports: LogAuditPorts,
  entries: AsyncIterable<LogEntry>,
  options: LogAuditOptions,
): Promise<LogAudit> {
  const { drafts, bookings, attempts, refused } = await collectLost(ports, entries)
  const lostBookings = await repairBookings(ports, [...bookings.values()], options)
  const lost = [...attempts.values()].filter(({ attemptId }) => !refused.has(attemptId))
  const lostAttempts = await repairAttempts(ports, lost, options)
  const cancelled = [...drafts.values()].filter(({ shipmentId }) => !bookings.has(shipmentId))
  return { revivedDrafts: await repairDrafts(ports, cancelled, options), lostBookings, lostAttempts }
}

type Lost = {
  readonly drafts: Map<string, LoggedShipment>
  readonly bookings: Map<string, LoggedBooking>
  readonly attempts: Map<string, LoggedAttempt>
  /** Of the attempts that the database lacks. */
  readonly refused: Set<string>
}

async function collectLost(
  { shipments, restores }: LogAuditPorts,
  entries: AsyncIterable<LogEntry>,
): Promise<Lost> {
  const lost: Lost = { drafts: new Map(), bookings: new Map(), attempts: new Map(), refused: new Set() }
  const compare = async (batch: readonly LogEntry[]): Promise<void> => {
    const named = batch.flatMap((entry) => shipmentOf(entry) ?? [])
    const states = new Map<string, Shipment>()
    for (const [accountId, ofAccount] of groupBy(named, (shipment) => shipment.accountId)) {
      const ids = [...new Set(ofAccount.map(({ shipmentId }) => shipmentId))]
      for (const found of await shipments.findMany(accountId, ids)) states.set(found.shipmentId, found)
    }
    const unknown = batch.flatMap((entry) =>
      entry.kind === 'booked' && !states.has(entry.booking.shipmentId) ? [entry.booking] : [],
    )
    const archived = new Set((await restores.archived(unknown)).map(keyOf))
    for (const entry of batch) {
      const found = states.get(shipmentOf(entry)?.shipmentId ?? '')
      if (entry.kind === 'booked' && isLostBooking(found) && !archived.has(keyOf(entry.booking)))
        lost.bookings.set(entry.booking.shipmentId, entry.booking)
      if (entry.kind === 'draft cancelled' && found !== undefined && found.state !== 'cancelled')
        lost.drafts.set(entry.draft.shipmentId, entry.draft)
    }
    const opened = batch.flatMap((entry) => (entry.kind === 'opened' ? [entry.attempt] : []))
    // An attempt can have several lines. The first one has its age.
    for (const attempt of await restores.missingAttempts(opened)) {
      const known = lost.attempts.get(attempt.attemptId)
      if (known === undefined || attempt.at < known.at) lost.attempts.set(attempt.attemptId, attempt)
    }
    const refusals = batch.flatMap((entry) =>
      entry.kind === 'settled' && entry.outcome === 'refused'
        ? [refusedAttempt(entry.attemptId, entry.shipment)]
        : [],
    )
    for (const { attemptId } of await restores.missingAttempts(refusals)) lost.refused.add(attemptId)
  }
  let batch: LogEntry[] = []
  for await (const entry of entries) {
    batch.push(entry)
    if (batch.length < PAGE) continue
    await compare(batch)
    batch = []
  }
  await compare(batch)
  return lost
}

function keyOf({ accountId, shipmentId }: LoggedShipment): string {
  return `${accountId} ${shipmentId}`
}

function shipmentOf(entry: LogEntry): LoggedShipment | undefined {
  switch (entry.kind) {
    case 'draft cancelled':
      return entry.draft
    case 'booked':
      return entry.booking
    case 'opened':
    case 'settled':
      return undefined
  }
}

/** A shipment keeps the tracking number of its booking when it is cancelled. */
function isLostBooking(found: Shipment | undefined): boolean {
  return found?.carrierRef === undefined
}

/**
 * To find out whether the database has an attempt that was refused. Other attempts of the shipment do not matter, so
 * its time is after all of them. Without the account it is never found, which takes memory only.
 */
function refusedAttempt(attemptId: string, shipment?: LoggedShipment): LoggedAttempt {
  const { accountId = '', shipmentId = '' } = shipment ?? {}
  return { attemptId, accountId, shipmentId, carrierCode: '', at: '9999-12-31T00:00:00Z' }
}

async function repairBookings(
  ports: LogAuditPorts,
  lost: readonly LoggedBooking[],
  { repair }: LogAuditOptions,
): Promise<LostBookings> {
  const drafts: MutableFirst<LoggedBooking> = { count: 0, first: [] }
  const cancelled: MutableFirst<LoggedBooking> = { count: 0, first: [] }
  const missing: MutableFirst<LoggedBooking> = { count: 0, first: [] }
  const failed: MutableFirst<UnrepairedBooking> = { count: 0, first: [] }
  await compareAll(ports, lost, async (booking) => {
    const { accountId, shipmentId, carrierRef, parcelRefs, orderRef } = booking
    const found = await ports.shipments.find(accountId, shipmentId)
    if (found === undefined) return list(missing, booking)
    if (!isLostBooking(found)) return
    list(found.state === 'draft' ? drafts : cancelled, booking)
    if (!repair) return
    if (found.state === 'cancelled') {
      // Opens an attempt that withdraws the booking. Its lease ends at once, so that the service sends it.
      await ports.shipments.markBooked(accountId, shipmentId, carrierRef, 0, parcelRefs, orderRef)
      return
    }
    const cause = await bookAgain(ports, booking)
    if (cause !== undefined) list(failed, { accountId, shipmentId, cause })
  })
  return { drafts, cancelled, missing, failed, repaired: repair }
}

/** The same key returns the booking that the carrier has. Returns why the shipment is still not booked. */
async function bookAgain(
  ports: LogAuditPorts,
  { accountId, shipmentId }: LoggedBooking,
): Promise<string | undefined> {
  const terms = { mayOpen: true, leaseMs: CANCEL_POLICY.leaseMs }
  const begun = await ports.shipments.beginBooking(accountId, shipmentId, terms)
  if (begun?.begun !== true) return 'the shipment is being booked'
  const outcome = await driveBooking(ports, accountId, begun.shipment, begun, 'background', CANCEL_POLICY)
  return outcome.kind === 'ShipmentNotBooked' ? outcome.message : undefined
}

async function repairAttempts(
  { shipments, restores }: LogAuditPorts,
  lost: readonly LoggedAttempt[],
  { repair }: LogAuditOptions,
): Promise<LostAttempts> {
  const attempts: MutableFirst<LoggedAttempt> = { count: 0, first: [] }
  for (const attempt of lost) {
    const found = await shipments.find(attempt.accountId, attempt.shipmentId)
    if (found?.state !== 'booked') continue
    if (!repair || (await restores.reopenAttempt(attempt))) list(attempts, attempt)
  }
  return { attempts, repaired: repair }
}

async function repairDrafts(
  { shipments }: LogAuditPorts,
  revived: readonly LoggedShipment[],
  { cancelDrafts }: LogAuditOptions,
): Promise<RevivedDrafts> {
  const drafts: MutableFirst<LoggedShipment> = { count: 0, first: [] }
  const booked: MutableFirst<LoggedShipment> = { count: 0, first: [] }
  // Without `mayOpen` only drafts are cancelled, so the other terms are not used.
  const terms = { mayOpen: false, leaseMs: 1_000, refusalMemoryMs: 0 }
  for (const draft of revived) {
    const { accountId, shipmentId } = draft
    const found = await shipments.find(accountId, shipmentId)
    if (found === undefined || found.state === 'cancelled') continue
    list(found.state === 'draft' ? drafts : booked, draft)
    if (!cancelDrafts || found.state !== 'draft') continue
    const begun = await shipments.beginCancellation(accountId, shipmentId, terms)
    if (begun?.suspectDraft === undefined) continue
    // The log shows that it was a draft to the end, so the carrier has no booking.
    await shipments.confirmDraft(begun.suspectDraft)
    await shipments.beginCancellation(accountId, shipmentId, terms)
  }
  return { drafts, booked, cancelledAgain: cancelDrafts }
}

/** A draft of which the carrier could not tell whether it is booked. */
export type UncheckedDraft = LoggedShipment & { readonly carrierCode: string; readonly cause: string }

export type DraftAudit = {
  readonly checked: number
  /** Booked at their carriers, and now here. Always empty in a dry run, which asks no carrier. */
  readonly booked: FirstOf<LoggedShipment>
  readonly unchecked: FirstOf<UncheckedDraft>
}

type DraftAuditPorts = CheckPorts & { readonly restores: RestoreStore }

/** Asks the carriers of all suspect drafts, and records their answers. In a dry run, only counts the drafts. */
export async function auditSuspectDrafts(
  ports: DraftAuditPorts,
  { dryRun, patienceMs = PATIENCE_MS }: { readonly dryRun: boolean; readonly patienceMs?: number },
): Promise<DraftAudit> {
  let checked = 0
  const booked: MutableFirst<LoggedShipment> = { count: 0, first: [] }
  const unchecked: MutableFirst<UncheckedDraft> = { count: 0, first: [] }
  const pauseFor = openPatience(patienceMs)
  const check = async (draft: SuspectDraft): Promise<void> => {
    const { accountId, shipmentId, carrierCode } = draft
    checked += 1
    if (dryRun) return
    const found = await checkPatiently(ports, draft, pauseFor)
    if (found.kind === 'booked') list(booked, { accountId, shipmentId })
    if (found.kind === 'unknown' || found.kind === 'not_sent')
      list(unchecked, { accountId, shipmentId, carrierCode, cause: found.cause })
  }
  let after: NamedShipment = { accountId: '', shipmentId: '' }
  for (;;) {
    const page = await ports.restores.suspectDraftsAfter(after, PAGE)
    await compareAll(ports, page, check)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return { checked, booked, unchecked }
    after = last
  }
}

async function checkPatiently(
  ports: CheckPorts,
  draft: SuspectDraft,
  pauseFor: Patience,
): Promise<BookingLookup | NotSent> {
  const { carriers } = ports
  const { accountId, carrierCode } = draft
  for (;;) {
    const found = await checkDraft(ports, draft, 'background', CANCEL_POLICY)
    if (found.kind !== 'not_sent' || carriers.room(carrierCode, accountId, 'lookup') > 0) return found
    const pause = pauseFor(carriers.channelOf(carrierCode, accountId))
    if (pause === undefined) return found
    await pause
  }
}
