/**
 * The model of the sweeper's claims and of tracking. The database chooses which of several rows that are due
 * at the same instant a claim takes. The model checks the choice and follows it.
 */
import type { CancelTicket } from '../../../src/core/shipments/cancellation.ts'
import type { ParcelReference, Scan, ScanEffect } from '../../../src/core/shipments/tracking.ts'
import type {
  ClaimRoom,
  DueBooking,
  DueWork,
  Lookup,
  OverdueAttempt,
  ReportToVerify,
  Verification,
  WorkKind,
} from '../../../src/operations/ports/recovery.ts'
import { leaseOf } from './cancelling.ts'
import {
  ACCOUNTS,
  asRead,
  attemptOf,
  CARRIERS,
  cancel,
  hasNumber,
  isScheduled,
  issueTicket,
  type Model,
  type ModelScan,
  type ModelShipment,
  move,
  noteScan,
  openAttempt,
  openNew,
  report,
  shipmentOf,
  takeOver,
} from './state.ts'

/** Amount of each kind of work by carrier and account, including work that is leased. */
export function dueWork(model: Model, countedUpTo: number): readonly DueWork[] {
  const { attempts, shipments, now } = model
  const due: Readonly<Record<WorkKind, readonly Claimable[]>> = {
    attempts: attempts.filter(({ phase, nextTryAt }) => phase === 'pending' && nextTryAt <= now),
    verifications: attempts.filter(({ verifyAt }) => isDue(verifyAt, now)),
    reports: model.reports.filter(({ verifyAt }) => isDue(verifyAt, now)),
    bookings: shipments.filter(({ bookingUntil }) => isDue(bookingUntil, now)),
    lookups: shipments.filter((one) => isScheduled(one) && one.nextTrackAt <= now),
  }
  return (Object.keys(due) as WorkKind[])
    .flatMap((work) =>
      CARRIERS.flatMap((carrierCode) =>
        ACCOUNTS.map((accountId) => {
          const rows = due[work].filter(
            (row) => row.carrierCode === carrierCode && row.accountId === accountId,
          )
          return { work, carrierCode, accountId, count: Math.min(rows.length, countedUpTo) }
        }),
      ),
    )
    .filter(({ count }) => count > 0)
}

function isDue(at: number | null, now: number): boolean {
  return at !== null && at <= now
}

/** Claims attempts that are due and have no lease. */
export function claimAttempts(
  model: Model,
  rooms: readonly ClaimRoom[],
  { owner, leaseMs }: { readonly owner: string; readonly leaseMs: number },
  answered: readonly string[],
): readonly CancelTicket[] {
  const free = model.attempts.filter(
    (one) => one.phase === 'pending' && one.nextTryAt <= model.now && one.leaseUntil <= model.now,
  )
  return lawful(free, rooms, ({ nextTryAt }) => nextTryAt, answered).map((attempt) => {
    takeOver(model, attempt, owner, leaseMs)
    return issueTicket(model, attempt)
  })
}

/** Claims settled attempts to verify. */
export function claimVerifications(
  model: Model,
  rooms: readonly ClaimRoom[],
  leaseMs: number,
  answered: readonly string[],
): readonly Verification[] {
  const due = model.attempts.filter(({ verifyAt }) => isDue(verifyAt, model.now))
  return lawful(due, rooms, ({ verifyAt }) => verifyAt ?? 0, answered).map((attempt) => {
    attempt.verifyAt = model.now + leaseMs
    attempt.lookups += 1
    const phase = attempt.phase === 'accepted' ? 'accepted' : 'refused'
    return { phase, ticket: issueTicket(model, attempt), lookups: attempt.lookups }
  })
}

/** Plans another verification of an attempt that is still in this phase, or none. */
export function settleVerification(
  model: Model,
  { phase, ticket }: Pick<Verification, 'phase' | 'ticket'>,
  againInMs: number | undefined,
  anomaly: string | undefined,
): void {
  const attempt = attemptOf(model, ticket)
  if (attempt?.phase !== phase) return
  attempt.verifyAt = againInMs === undefined ? null : model.now + againInMs
  if (anomaly !== undefined) attempt.anomaly = anomaly
}

/** Bookings in progress, also of drafts that were cancelled meanwhile. */
export function claimBookings(
  model: Model,
  rooms: readonly ClaimRoom[],
  leaseMs: number,
  answered: readonly string[],
): readonly DueBooking[] {
  const due = model.shipments.filter(({ bookingUntil }) => isDue(bookingUntil, model.now))
  return lawful(due, rooms, ({ bookingUntil }) => bookingUntil ?? 0, answered).map((shipment) => {
    shipment.bookingUntil = model.now + leaseMs
    shipment.bookingTries += 1
    const { accountId, bookingTries: tries } = shipment
    return { shipment: asRead(shipment), accountId, tries, lease: leaseOf(shipment.bookingUntil) }
  })
}

/** Booked shipments, and undelivered ones in transit, whose lookup is due. */
export function claimLookups(
  model: Model,
  rooms: readonly ClaimRoom[],
  { everyMs, inTransitEveryMs }: { readonly everyMs: number; readonly inTransitEveryMs: number },
  answered: readonly string[],
): readonly Lookup[] {
  const due = model.shipments.filter((one) => isScheduled(one) && one.nextTrackAt <= model.now)
  return lawful(due, rooms, ({ nextTrackAt }) => nextTrackAt, answered).map((shipment) => {
    shipment.nextTrackAt = model.now + (shipment.state === 'booked' ? everyMs : inTransitEveryMs)
    return lookupOf(shipment)
  })
}

type Claimable = { readonly id: string; readonly carrierCode: string; readonly accountId: string }

/**
 * Returns the claimed rows if they are a valid choice: per carrier and account as many as its room allows,
 * and none that became due later than one left out. Otherwise returns the expected rows.
 */
function lawful<Row extends Claimable>(
  due: readonly Row[],
  rooms: readonly ClaimRoom[],
  at: (row: Row) => number,
  answered: readonly string[],
): Row[] {
  return rooms.flatMap(({ carrierCode, accountId, room }) => {
    const candidates = due
      .filter((row) => row.carrierCode === carrierCode && row.accountId === accountId)
      .sort((a, b) => at(a) - at(b))
    const taken = candidates.filter(({ id }) => answered.includes(id))
    const latest = Math.max(...taken.map(at))
    const fits = taken.length === Math.min(room, candidates.length)
    const isInOrder = candidates.every((row) => taken.includes(row) || at(row) >= latest)
    return fits && isInOrder ? taken : candidates.slice(0, room)
  })
}

/** Claims what only a lookup has reported. A cancellation is verified with all numbers. */
export function claimReports(
  model: Model,
  rooms: readonly ClaimRoom[],
  leaseMs: number,
  answered: readonly string[],
): readonly ReportToVerify[] {
  const due = model.reports.filter(({ verifyAt }) => isDue(verifyAt, model.now))
  return lawful(due, rooms, ({ verifyAt }) => verifyAt ?? 0, answered).map((found) => {
    found.verifyAt = model.now + leaseMs
    found.lookups += 1
    const shipment = shipmentOf(model, found.id)
    const { parcelRefs, carrierRef } = shipment
    const scanned = found.carrierRef
    const numbers = { parcelRefs: scanned === null ? parcelRefs : null, cancelledRefs: null }
    return {
      reported: found.reported,
      ageMs: Math.max(0, model.now - found.reportedAt),
      lookup: lookupOf({ ...shipment, ...numbers, carrierRef: scanned ?? carrierRef }),
    }
  })
}

/** Plans another verification of a report of this kind, or none. */
export function settleReport(
  model: Model,
  shipmentId: string,
  reported: ReportToVerify['reported'],
  againInMs: number | undefined,
  contradiction: string | undefined,
): void {
  const found = model.reports.find((one) => one.id === shipmentId && one.reported === reported)
  if (found === undefined) return
  found.verifyAt = againInMs === undefined ? null : model.now + againInMs
  if (contradiction !== undefined) Object.assign(found, { contradiction, contradictedAt: model.now })
}

/** Records that operators know about these attempts. */
export function recordOverdueAlerts(model: Model, attemptIds: readonly string[]): void {
  for (const attempt of model.attempts) if (attemptIds.includes(attempt.id)) attempt.alertedAt ??= model.now
}

/** Attempts that have been open for this long and that operators do not know about. */
export function overdueAttempts(model: Model, olderThanMs: number): readonly OverdueAttempt[] {
  return model.attempts
    .filter(
      ({ phase, alertedAt, begunAt }) =>
        phase === 'pending' && alertedAt === null && begunAt <= model.now - olderThanMs,
    )
    .map((attempt) => {
      const { id: attemptId, shipmentId, carrierCode, sends, lastCause } = attempt
      return {
        attemptId,
        shipmentId,
        carrierCode,
        sends,
        ageMs: model.now - attempt.begunAt,
        lastCause: lastCause ?? undefined,
      }
    })
}

/** Carriers reuse tracking numbers: a scan this long before the booking is about another parcel. */
const EARLIER_PARCEL_MS = 90 * 86_400_000

/** Without a booking time, the time of creation counts. */
function earliestScanTime({ bookedAt, createdAt }: ModelShipment): number {
  return (bookedAt ?? createdAt) - EARLIER_PARCEL_MS
}

/** The newest shipment that ever had this tracking number, perhaps among others; with `accountId`, of this account. */
function newestUnder(
  model: Model,
  { carrierCode, carrierRef }: ParcelReference,
  accountId?: string,
): ModelShipment | undefined {
  return model.shipments
    .filter((one) => one.carrierCode === carrierCode && hasNumber(one, carrierRef))
    .filter((one) => accountId === undefined || one.accountId === accountId)
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))[0]
}

/**
 * Stores a scan once, after those that have waited for the shipment. It belongs to the newest shipment with its number,
 * unless it is too old, and stays with its account. Changes a booked shipment to in transit.
 */
export function recordScan(model: Model, received: Scan, isFound: boolean): ScanEffect {
  const isMoved = matchWaitingScans(model, received)
  const effect = storeScan(model, received, isFound)
  return isMoved && effect === 'known' ? 'moved' : effect
}

function storeScan(
  model: Model,
  { eventId, at, carrierCode, carrierRef, isDelivery = false }: Scan,
  isFound: boolean,
): ScanEffect {
  const parcel = { carrierCode, carrierRef }
  const occurredAt = Date.parse(at)
  const known = model.scans.find(
    (one) => one.carrierCode === carrierCode && one.carrierRef === carrierRef && one.eventId === eventId,
  )
  const newest = (known && newestUnder(model, parcel, known.accountId)) ?? newestUnder(model, parcel)
  const isAboutParcel = newest !== undefined && occurredAt > earliestScanTime(newest)
  const shipmentId = isAboutParcel ? newest.id : null
  const scan: ModelScan = known ?? {
    ...{ carrierCode, eventId, carrierRef, occurredAt, receivedAt: model.now, shipmentId: null },
    ...{ accountId: newest?.accountId ?? '', receipts: 0 },
    isDelivery,
  }
  scan.receipts += 1
  if (known === undefined) model.scans.push(scan)
  scan.isDelivery ||= isDelivery
  if (scan.shipmentId === null) {
    scan.shipmentId = shipmentId
    noteScan(model, scan)
  }
  if (newest === undefined) return 'unmatched'
  if (!isAboutParcel) return 'stale'
  const stored = known?.shipmentId ?? newest.id
  if (stored === newest.id)
    verifyReportedScan(model, stored, !isFound || (known === undefined && !isDelivery))
  if (newest.state === 'booked' && stored === newest.id) {
    move(model, newest, 'in_transit')
    const others = model.scans.filter((one) => one.shipmentId === newest.id && one.eventId !== eventId)
    if (isFound && others.length === 0) report(model, newest, 'scanned', carrierRef)
    endPartlyCancelled(model, newest, carrierRef)
    return 'moved'
  }
  return newest.state === 'cancelled' && known === undefined ? 'anomaly' : 'known'
}

/** A scan by an event, or another one than the lookup has reported, verifies the report. */
function verifyReportedScan(model: Model, shipmentId: string, isVerified: boolean): void {
  const found = model.reports.find(({ id, reported }) => id === shipmentId && reported === 'scanned')
  if (found !== undefined && isVerified) found.verifyAt = null
}

/** Refuses the attempt if every parcel is cancelled or refused, at least one cancelled, and the scanned one refused. */
function endPartlyCancelled(model: Model, shipment: ModelShipment, scanned: string): void {
  const attempt = openAttempt(model, shipment.id)
  const cancelled = shipment.cancelledRefs ?? []
  const refusal = attempt?.parcels?.[scanned]?.refusal
  if (attempt === undefined || refusal === undefined || cancelled.length === 0) return
  const isDecided = (number: string): boolean =>
    cancelled.includes(number) || attempt.parcels?.[number]?.refusal !== undefined
  if (cancelled.includes(scanned) || shipment.parcelRefs?.every(isDecided) !== true) return
  Object.assign(attempt, { phase: 'refused', settledAt: model.now, owner: null, reason: refusal.message })
  Object.assign(attempt, { refusalCode: refusal.reason, carrierRefusalCode: refusal.code })
}

/** A shipment in transit is delivered when all numbers that are not cancelled are. The last delivery counts. */
export function recordDelivery(model: Model, parcel: ParcelReference): void {
  const shipment = newestUnder(model, parcel)
  if (shipment?.state !== 'in_transit' || shipment.deliveredAt !== null) return
  const { carrierRef, parcelRefs, cancelledRefs } = shipment
  const numbers = (parcelRefs ?? [carrierRef]).filter(
    (number) => cancelledRefs?.includes(number ?? '') !== true,
  )
  const times = numbers.map((number) =>
    model.scans
      .filter((one) => one.shipmentId === shipment.id && one.carrierRef === number && one.isDelivery)
      .map(({ occurredAt }) => occurredAt),
  )
  if (numbers.length === 0 || times.some((found) => found.length === 0)) return
  shipment.deliveredAt = Math.max(...times.flat())
  shipment.version += 1
}

/** Applies scans that arrived before the tracking number was recorded. */
export function applyUnmatchedScans(model: Model, parcel: ParcelReference): void {
  matchWaitingScans(model, parcel)
}

/** Returns whether the scans moved the shipment. */
function matchWaitingScans(model: Model, parcel: ParcelReference): boolean {
  const newest = newestUnder(model, parcel)
  if (newest === undefined) return false
  const waiting = model.scans.filter(
    (one) =>
      one.accountId === '' && one.carrierCode === parcel.carrierCode && one.carrierRef === parcel.carrierRef,
  )
  for (const scan of waiting) scan.accountId = newest.accountId
  const unmatched = waiting.filter((one) => one.occurredAt > earliestScanTime(newest))
  for (const scan of unmatched) {
    scan.shipmentId = newest.id
    noteScan(model, scan)
  }
  const isMoved = unmatched.length > 0 && newest.state === 'booked'
  if (isMoved) move(model, newest, 'in_transit')
  if (unmatched.some(({ isDelivery }) => isDelivery)) recordDelivery(model, parcel)
  return isMoved
}

/** Cancels a shipment that is booked with this number, unless it has an open attempt. */
export function recordCancelledAtCarrier(model: Model, { shipmentId, carrierRef }: Lookup): boolean {
  const shipment = shipmentOf(model, shipmentId)
  if (shipment.state !== 'booked' || shipment.carrierRef !== carrierRef) return false
  if (openAttempt(model, shipmentId) !== undefined) return false
  const found = openNew(model, shipment, '', { owner: '', leaseMs: 0 })
  Object.assign(found, { phase: 'accepted', sends: 0, owner: null, settledAt: model.now, promised: false })
  found.anomaly = 'found cancelled at the carrier'
  cancel(model, shipment, 'carrier', found)
  report(model, shipment, 'cancelled', null)
  return true
}

/** One page of booked shipments. */
export function bookedAfter(
  model: Model,
  after: Pick<Lookup, 'accountId' | 'shipmentId'>,
  size: number,
): readonly Lookup[] {
  const placeOf = ({ accountId, id }: { accountId: string; id: string }) => `${accountId} ${id}`
  const place = placeOf({ accountId: after.accountId, id: after.shipmentId })
  return model.shipments
    .filter((one) => one.state === 'booked' && placeOf(one) > place)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .slice(0, size)
    .map(lookupOf)
}

/** Deletes old scans without a shipment. */
export function forgetUnmatchedScans(model: Model, ageMs: number): number {
  const before = model.scans.length
  model.scans = model.scans.filter(
    ({ shipmentId, receivedAt }) => shipmentId !== null || receivedAt >= model.now - ageMs,
  )
  return before - model.scans.length
}

/** Covers all numbers that are not cancelled. */
export function lookupOf(shipment: ModelShipment): Lookup {
  const { id: shipmentId, accountId, carrierCode, carrierRef, cancelledRefs } = shipment
  if (carrierRef === null) throw new Error('the model looks up a parcel without a number')
  const bookedAt = new Date(shipment.bookedAt ?? shipment.createdAt).toISOString()
  const parcelRefs = (shipment.parcelRefs ?? []).filter((number) => cancelledRefs?.includes(number) !== true)
  return {
    ...{ shipmentId, accountId, carrierCode, carrierRef, bookedAt },
    ...(parcelRefs.length > 0 && { parcelRefs }),
  }
}
