/** The model of cancellation and booking: effects and results of the shipment store's methods. */
import type { BookingBegun, BookingMark } from '../../../src/core/shipments/booking.ts'
import type {
  CancelBegun,
  CancelledBy,
  CancelProgress,
  CancelTicket,
} from '../../../src/core/shipments/cancellation.ts'
import type { ParcelResult, Release } from '../../../src/core/shipments/parcels.ts'
import type {
  CancelAttempt,
  CancelAttemptPhase,
  ParcelCancellation,
  Refusal,
  ShipmentState,
} from '../../../src/core/shipments/shipment.ts'
import type { BookingBeginTerms, CancelBeginTerms } from '../../../src/operations/ports/shipments.ts'
import {
  asRead,
  attemptOf,
  cancel,
  heldAttempt,
  issueTicket,
  type Model,
  type ModelParcel,
  move,
  openAttempt,
  openNew,
  owned,
  remembered,
  report,
  shipmentOf,
  takeOver,
  whoCancelled,
} from './state.ts'

/** A shipment, and the account that requests an operation. */
export type About = { readonly accountId: string; readonly shipmentId: string }

/**
 * Cancels a draft. If it is being booked, records the request until the booking has ended. For a booked
 * shipment, issues the ticket to one caller at a time, unless a refusal is remembered. `newId` is the id of
 * the attempt in the database.
 */
export function begin(
  model: Model,
  { accountId, shipmentId }: About,
  owner: string,
  { mayOpen, leaseMs, refusalMemoryMs }: CancelBeginTerms,
  newId: string,
): CancelBegun | undefined {
  const shipment = owned(model, accountId, shipmentId)
  if (shipment === undefined) return undefined
  const refusal = remembered(model, shipment, refusalMemoryMs)
  const draftCancelled = shipment.state === 'draft' && shipment.bookingUntil === null
  if (shipment.state === 'draft' && !draftCancelled) shipment.wantedAt ??= model.now
  if (draftCancelled) cancel(model, shipment, 'draft', null)
  const found = { state: shipment.state, draftCancelled, ...whoCancelled(shipment), ...refusal }
  if (shipment.state !== 'booked' || refusal.recentRefusal !== undefined) return found
  const open = openAttempt(model, shipmentId)
  if (!mayOpen) {
    if (open !== undefined && open.leaseUntil > model.now) return found
    const { carrierCode, carrierRef } = shipment
    if (carrierRef === null) throw new Error('a booked shipment has a tracking number')
    const parcel = { accountId, carrierCode, carrierRef }
    return { ...found, cancellable: { ...parcel, attemptIsOpen: open !== undefined } }
  }
  if (open === undefined)
    return { ...found, ticket: issueTicket(model, openNew(model, shipment, newId, { owner, leaseMs })) }
  if (open.leaseUntil > model.now) return found
  takeOver(model, open, owner, leaseMs)
  return { ...found, ticket: issueTicket(model, open) }
}

/** Progress of a cancellation. A booking that has not ended counts as work in progress. */
export function progress(
  model: Model,
  { accountId, shipmentId }: About,
  refusalMemoryMs: number,
): CancelProgress | undefined {
  const shipment = owned(model, accountId, shipmentId)
  if (shipment === undefined) return undefined
  const open = openAttempt(model, shipmentId)
  const leased = open !== undefined && open.owner !== null && open.leaseUntil > model.now
  const beingBooked = shipment.state === 'draft' && shipment.bookingUntil !== null
  return {
    state: shipment.state,
    attempt: leased || beingBooked ? 'working' : open === undefined ? 'none' : 'waiting',
    ...(open !== undefined && { dueInMs: open.nextTryAt - model.now }),
    ...whoCancelled(shipment),
    ...remembered(model, shipment, refusalMemoryMs),
  }
}

/**
 * Always takes effect, also after a refusal and with a stale ticket. A parcel in transit keeps its state, and
 * the attempt is marked.
 */
export function accept(
  model: Model,
  ticket: CancelTicket,
  by: CancelledBy,
  verifyInMs: number | undefined,
  isFound: boolean,
): ShipmentState {
  const shipment = shipmentOf(model, ticket.shipmentId)
  const attempt = attemptOf(model, ticket)
  if (attempt === undefined || attempt.phase === 'accepted') return shipment.state
  attempt.phase = 'accepted'
  attempt.settledAt = model.now
  attempt.verifyAt = verifyInMs === undefined ? null : model.now + verifyInMs
  attempt.owner = null
  attempt.anomaly = shipment.state === 'in_transit' ? 'carrier accepted, shipment in transit' : null
  if (shipment.state === 'booked') {
    cancel(model, shipment, by, attempt)
    if (isFound) report(model, shipment, 'cancelled', null)
  }
  return shipment.state
}

/** Requires the current ticket. Plans a verification if an earlier send may have reached the carrier. */
export function refuse(
  model: Model,
  ticket: CancelTicket,
  { code, reason }: Refusal,
  carrierCode: string,
  verifyInMs: number | undefined,
): ShipmentState | undefined {
  const attempt = heldAttempt(model, ticket)
  if (attempt === undefined) return undefined
  const shipment = shipmentOf(model, ticket.shipmentId)
  const known = (ticket.parcels ?? []).filter(({ isCancelled }) => isCancelled)
  const isNews = (number: string) => !known.some(({ carrierRef }) => carrierRef === number)
  if (shipment.cancelledRefs?.some(isNews) === true) return undefined
  Object.assign(attempt, { phase: 'refused', settledAt: model.now, owner: null, reason, refusalCode: code })
  attempt.carrierRefusalCode = carrierCode
  attempt.verifyAt = attempt.sends > 1 && verifyInMs !== undefined ? model.now + verifyInMs : null
  attempt.anomaly = shipment.state === 'cancelled' ? 'carrier refused, shipment is cancelled here' : null
  Object.assign(shipment, { refusedAt: model.now, refusal: reason, refusalCode: code })
  // A shipment in transit keeps its place in the schedule.
  if (code === 'SCANNED' && shipment.state === 'booked' && shipment.requestedAt !== model.now)
    shipment.nextTrackAt = model.now
  if (code === 'SCANNED') shipment.requestedAt = model.now
  return shipment.state
}

/** Requires the current ticket. */
export function release(
  model: Model,
  ticket: CancelTicket,
  { cause, times, unsent, doubt }: Release,
): ShipmentState | undefined {
  const attempt = heldAttempt(model, ticket)
  if (attempt === undefined) return undefined
  if (unsent === true && attempt.owner !== null) attempt.sends -= 1
  if (doubt !== undefined) attempt.doubt ??= { refusal: doubt, at: model.now }
  attempt.owner = null
  attempt.leaseUntil = model.now + times.callerWaitMs
  attempt.nextTryAt = model.now + times.retryInMs
  attempt.lastCause = cause
  return shipmentOf(model, ticket.shipmentId).state
}

/**
 * Records what is known about one parcel. A cancelled parcel counts always: its number stays with the shipment, and
 * that the carrier cancels it later is recorded while the attempt is open. Everything else requires the current ticket.
 * Undefined if the shipment has no such attempt.
 */
export function recordParcel(
  model: Model,
  ticket: CancelTicket,
  number: string,
  result: ParcelResult,
): CancelAttemptPhase | undefined {
  const attempt = attemptOf(model, ticket)
  if (attempt === undefined) return undefined
  const shipment = shipmentOf(model, ticket.shipmentId)
  const cancelled = shipment.cancelledRefs ?? []
  const isNews = shipment.parcelRefs?.includes(number) === true && !cancelled.includes(number)
  if (result.kind === 'cancelled' && isNews) shipment.cancelledRefs = [...cancelled, number]
  const counts = result.kind === 'cancelled' || attempt.fence === ticket.fence
  if (attempt.phase !== 'pending' || !counts) return attempt.phase
  const before = attempt.parcels?.[number] ?? {}
  attempt.parcels = { ...attempt.parcels, [number]: { ...before, ...learned(model, before, result) } }
  return attempt.phase
}

function learned({ now }: Model, before: ModelParcel, result: ParcelResult): ModelParcel {
  switch (result.kind) {
    case 'cancelled':
      return { ...(result.isLater && { isLater: true }), ...(result.isFound && { isFound: true }) }
    case 'refused':
      return { refusal: result.refusal }
    case 'doubted':
      return { doubt: before.doubt ?? { refusal: result.refusal, at: now } }
    case 'unsent':
      return { unsent: result.total }
  }
}

/** Does not need the current ticket. */
export function recordPartAlert(model: Model, ticket: CancelTicket): void {
  const attempt = model.attempts.find(
    ({ id, accountId }) => id === ticket.attemptId && accountId === ticket.accountId,
  )
  if (attempt !== undefined) attempt.partlyAlertedAt ??= model.now
}

/** Ends the leases of this process. */
export function releaseLeases(model: Model, owner: string): number {
  const held = model.attempts.filter((one) => one.phase === 'pending' && one.owner === owner)
  for (const attempt of held)
    Object.assign(attempt, {
      owner: null,
      leaseUntil: model.now,
      nextTryAt: model.now,
      lastCause: 'shutdown',
    })
  return held.length
}

/** Recorded before the carrier is called, unless another process is booking. */
export function beginBooking(
  model: Model,
  { accountId, shipmentId }: About,
  { mayOpen, leaseMs, bookingNo: expected }: BookingBeginTerms,
): BookingBegun | undefined {
  const shipment = owned(model, accountId, shipmentId)
  if (shipment === undefined) return undefined
  const { bookingUntil, bookingNo } = shipment
  const earlier = bookingUntil === null ? 'none' : bookingUntil > model.now ? 'working' : 'waiting'
  const isLate = expected !== undefined && expected !== bookingNo
  if (shipment.state !== 'draft' || earlier === 'working' || !mayOpen || isLate)
    return { shipment: asRead(shipment), begun: false, earlier, bookingNo, tries: 0, lease: '' }
  shipment.bookingUntil = model.now + leaseMs
  shipment.bookingTries += 1
  shipment.bookingNo += 1
  const { bookingTries: tries, bookingUntil: until } = shipment
  return { shipment: asRead(shipment), begun: true, earlier, bookingNo, tries, lease: leaseOf(until) }
}

/** The end of a booking's lease in microseconds. */
export function leaseOf(bookingUntil: number | null): string {
  return String((bookingUntil ?? 0) * 1_000)
}

/** Time until the first lookup after booking. */
const FIRST_LOOK_MS = 15 * 60_000

/** A draft becomes booked. If its cancellation was requested, or it was cancelled meanwhile, opens an attempt. */
export function markBooked(
  model: Model,
  { accountId, shipmentId }: About,
  numbers: readonly string[],
  lease: { readonly owner: string; readonly leaseMs: number },
  newId: string,
): BookingMark | undefined {
  const shipment = owned(model, accountId, shipmentId)
  if (shipment === undefined) return undefined
  const booked = shipment.state === 'draft'
  const tooLate = shipment.state === 'cancelled' && shipment.carrierRef === null
  const wanted = shipment.wantedAt !== null
  if (booked || tooLate) {
    shipment.carrierRef = numbers[0]!
    shipment.parcelRefs = numbers.length > 1 ? numbers : null
    Object.assign(shipment, { bookingUntil: null, wantedAt: null })
  }
  if (booked) {
    move(model, shipment, 'booked')
    shipment.bookedAt = model.now
    shipment.nextTrackAt = model.now + FIRST_LOOK_MS
    shipment.requestedAt = model.now + FIRST_LOOK_MS
  }
  const mark = {
    state: shipment.state,
    booked,
    ...(shipment.carrierRef !== null && { carrierRef: shipment.carrierRef }),
  }
  if (!tooLate && !wanted) return mark
  if (tooLate) shipment.version += 1
  const attempt = openNew(model, shipment, newId, lease)
  return { ...mark, withdrawal: issueTicket(model, attempt) }
}

/**
 * Ends a booking without a tracking number, either for good, which executes a waiting cancellation, or to be
 * repeated. No effect if another process has tried since, or there is a tracking number.
 */
export function settleBooking(
  model: Model,
  { accountId, shipmentId }: About,
  lease: string,
  retryInMs: number | undefined,
): void {
  const shipment = owned(model, accountId, shipmentId)
  if (shipment === undefined || shipment.bookingUntil === null) return
  if (leaseOf(shipment.bookingUntil) !== lease) return
  if (retryInMs !== undefined) {
    shipment.bookingUntil = model.now + retryInMs
    return
  }
  if (shipment.wantedAt !== null) cancel(model, shipment, 'draft', null)
  Object.assign(shipment, { bookingUntil: null, bookingTries: 0, wantedAt: null })
}

/** The parcels as the account sees them. Undefined if the shipment has one number. */
function parcelsOf(
  model: Model,
  { shipmentId, parcels }: Model['attempts'][number],
): readonly ParcelCancellation[] | undefined {
  const { parcelRefs, cancelledRefs } = shipmentOf(model, shipmentId)
  return parcelRefs?.map((carrierRef) => {
    const refusal = parcels?.[carrierRef]?.refusal
    if (cancelledRefs?.includes(carrierRef) === true) return { carrierRef, state: 'accepted' }
    if (refusal === undefined) return { carrierRef, state: 'pending' }
    return { carrierRef, state: 'refused', refusal: { code: refusal.reason, reason: refusal.message } }
  })
}

/** The attempts of a shipment, oldest first. */
export function attemptsOf(
  model: Model,
  accountId: string,
  shipmentIds: readonly string[],
): readonly CancelAttempt[] {
  return model.attempts
    .filter((one) => one.accountId === accountId && shipmentIds.includes(one.shipmentId))
    .sort((a, b) => a.begunAt - b.begunAt || (a.id < b.id ? -1 : 1))
    .map((one) => ({ ...one, numbered: parcelsOf(model, one) }))
    .map(({ shipmentId, begunAt, phase, sends, reason, refusalCode, numbered, ...attempt }) => ({
      ...{ shipmentId, at: new Date(begunAt).toISOString(), phase, sends },
      ...(numbered !== undefined && { parcels: numbered }),
      ...(reason !== null && { refusal: { code: refusalCode ?? 'NOT_CANCELLABLE', reason } }),
      ...(attempt.carrierRefusalCode !== null && { carrierRefusalCode: attempt.carrierRefusalCode }),
      ...(attempt.settledAt === null
        ? { nextTryAt: new Date(attempt.nextTryAt).toISOString() }
        : { settledAt: new Date(attempt.settledAt).toISOString(), settledBy: 'carrier' as const }),
    }))
}
