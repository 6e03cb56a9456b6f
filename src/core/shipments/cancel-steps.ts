/**
 * The protocol of a cancellation, without I/O: `decide` gets what has just happened and returns what to do next.
 * src/operations/cancel-shipment.ts does it and reports what happened. docs/cancellation.md#every-step shows all pairs.
 */
import type { BookingLookup } from './booking.ts'
import {
  alreadyInTransit,
  type CancelBegun,
  type CancellableParcel,
  type CancelOutcome,
  type CancelProgress,
  type CancelTicket,
  type CancelTimes,
  cancellationPending,
  carrierRefused,
  carrierUnavailable,
  type NotSent,
  type SuspectDraft,
  shipmentCancelled,
  shipmentNotFound,
  windowClosed,
} from './cancellation.ts'
import {
  type ParcelResult,
  postponement,
  type Round,
  type Settlement,
  settlementOf,
  unsentParcels,
} from './parcels.ts'
import type { ShipmentState } from './shipment.ts'

/**
 * What the callers of a run know. Their time may be over at any moment: some then got "pending", which has to become
 * true, or "nothing was sent", which has to stay true. `none`: no caller waits for this work.
 */
export type Callers = 'waiting' | 'got pending' | 'got nothing sent' | 'none'

export type CancelState = { readonly shipmentId: string; readonly callers: Callers }

/** The statement that begins. It may open an attempt, or take one over, only after the admission. */
export type Begin = {
  readonly kind: 'Begin'
  readonly after: 'arrival' | 'booking lookup' | 'admission'
  /** Why the attempt cannot be sent now, although it has to be recorded. */
  readonly notSent?: NotSent
}

/** Record how the attempt is settled, after what is new about some of its parcels. */
export type Settle = {
  readonly kind: 'Settle'
  readonly ticket: CancelTicket
  readonly settlement: Settlement
  readonly parcels?: readonly (readonly [string, ParcelResult])[]
}

/** The next poll of a follower, after a pause. `waitedMs`: all pauses until then. They bound the wait. */
export type Poll = { readonly kind: 'Poll'; readonly pauseMs: number; readonly waitedMs: number }

/** Something to do. `mayBeRecorded`: whether the cancellation is, or may be, on record in the meantime. */
export type CancelTask =
  | Begin
  /** Ask the carrier whether it has a booking of the draft. */
  | { readonly kind: 'FindBooking'; readonly draft: SuspectDraft; readonly mayBeRecorded: boolean }
  /** Record that the draft is being booked. This gets the booking that the carrier may have, to be cancelled. */
  | { readonly kind: 'RecordBooking' }
  /** Reserve a slot at the carrier. */
  | { readonly kind: 'Admit'; readonly parcel: CancellableParcel; readonly mayBeRecorded: boolean }
  /** Take every parcel a step further: `parcels.ts` decides which. */
  | { readonly kind: 'Ask'; readonly ticket: CancelTicket }
  | Settle
  | Poll

/** To be raised before the rest of the effect. */
export type CancelAlert = {
  readonly kind: 'ACCEPTED_IN_TRANSIT' | 'WITHDRAWAL_REFUSED' | 'PARTLY_CANCELLED'
  readonly ticket: CancelTicket
  readonly detail?: string
}

export type CancelEffect = (
  | CancelTask
  | { readonly kind: 'Answer'; readonly outcome: CancelOutcome }
  /** Another process settles the attempt, and no caller waits. */
  | { readonly kind: 'Leave' }
) & { readonly alert?: CancelAlert }

/** The result of each task. */
export type CancelEvent =
  | { readonly kind: 'Begun'; readonly begin: Begin; readonly begun: CancelBegun | undefined }
  | { readonly kind: 'BookingLookedUp'; readonly found: (BookingLookup | NotSent)['kind'] }
  | { readonly kind: 'BookingRecorded' }
  | { readonly kind: 'Admitted'; readonly admission: { readonly kind: 'admitted' } | NotSent }
  | { readonly kind: 'Asked'; readonly round: Round }
  /** `state` is the state of the shipment; undefined if another process has taken the attempt over. */
  | { readonly kind: 'Settled'; readonly settle: Settle; readonly state: ShipmentState | undefined }
  | {
      readonly kind: 'Polled'
      readonly poll: Poll
      readonly progress: CancelProgress | undefined
      /** How long the callers still wait. */
      readonly leftMs: number
    }

/** `random` (0 to 1) takes off up to half of a delay. */
export function decide(
  state: CancelState,
  event: CancelEvent,
  times: CancelTimes,
  random: number,
): CancelEffect {
  const { shipmentId, callers } = state
  switch (event.kind) {
    case 'Begun':
      return afterBegin(state, event.begin, event.begun, times, random)
    case 'BookingLookedUp':
      // Without an answer of the carrier nothing is cancelled, unless a caller got "pending": then the draft is booked,
      // and the booking cancelled.
      if (callers === 'got nothing sent') return answer(carrierUnavailable(shipmentId))
      if (event.found === 'booked' || event.found === 'none')
        return { kind: 'Begin', after: 'booking lookup' }
      return callers === 'got pending' ? { kind: 'RecordBooking' } : answer(carrierUnavailable(shipmentId))
    case 'BookingRecorded':
      return { kind: 'Begin', after: 'booking lookup' }
    case 'Admitted': {
      // An attempt is only recorded for a call that follows, unless a caller got "pending": the sweeper then sends it.
      if (callers === 'got nothing sent') return answer(carrierUnavailable(shipmentId))
      const { admission } = event
      if (admission.kind === 'admitted') return { kind: 'Begin', after: 'admission' }
      return callers === 'got pending'
        ? { kind: 'Begin', after: 'admission', notSent: admission }
        : follow(state)
    }
    case 'Asked': {
      const { round } = event
      const settlement = settlementOf(round, times, random)
      return { kind: 'Settle', ticket: round.ticket, settlement, parcels: unsentParcels(round) }
    }
    case 'Settled':
      return afterSettlement(state, event.settle, event.state)
    case 'Polled':
      return afterPoll(shipmentId, event, times)
  }
}

/** `begun` is undefined if there is no such shipment. */
function afterBegin(
  state: CancelState,
  { after, notSent }: Begin,
  begun: CancelBegun | undefined,
  times: CancelTimes,
  random: number,
): CancelEffect {
  const { shipmentId, callers } = state
  if (begun === undefined) return answer(shipmentNotFound())
  const { ticket, cancellable, suspectDraft, recentRefusal } = begun
  if (ticket !== undefined) {
    if (after === 'admission' && notSent === undefined) return { kind: 'Ask', ticket }
    const cause = notSent?.cause ?? 'no slot was reserved'
    return { kind: 'Settle', ticket, settlement: postponement(ticket, cause, times, random) }
  }
  if (after !== 'admission') {
    const isPromised = callers === 'got pending'
    if (cancellable !== undefined)
      return { kind: 'Admit', parcel: cancellable, mayBeRecorded: isPromised || cancellable.attemptIsOpen }
    if (suspectDraft !== undefined)
      return after === 'arrival'
        ? { kind: 'FindBooking', draft: suspectDraft, mayBeRecorded: isPromised }
        : // The lineage has changed once more.
          answer(carrierUnavailable(shipmentId))
  }
  switch (begun.state) {
    case 'draft':
    case 'booked':
      if (begun.isWindowClosed === true) return answer(windowClosed(shipmentId))
      return recentRefusal === undefined ? follow(state) : answer(carrierRefused(shipmentId, recentRefusal))
    case 'in_transit':
      return answer(alreadyInTransit(shipmentId))
    case 'cancelled':
      return answer({
        ...shipmentCancelled(shipmentId, begun.cancelledBy, !begun.draftCancelled),
        ...(begun.shipment !== undefined && { shipment: begun.shipment }),
      })
  }
}

function afterSettlement(
  state: CancelState,
  { ticket, settlement }: Settle,
  shipmentState: ShipmentState | undefined,
): CancelEffect {
  const { shipmentId } = state
  switch (settlement.kind) {
    case 'Accept':
      if (shipmentState === 'cancelled')
        return answer(shipmentCancelled(shipmentId, settlement.cancelledBy, false))
      if (shipmentState !== 'in_transit')
        throw new Error(`the carrier cancelled shipment ${shipmentId}, which is ${shipmentState}`)
      return { ...answer(alreadyInTransit(shipmentId)), alert: { kind: 'ACCEPTED_IN_TRANSIT', ticket } }
    case 'Refuse': {
      const { refusal } = settlement
      if (shipmentState === 'booked') return answer(carrierRefused(shipmentId, refusal))
      if (shipmentState === 'in_transit') return answer(alreadyInTransit(shipmentId))
      if (shipmentState !== 'cancelled') return follow(state)
      return { ...follow(state), alert: { kind: 'WITHDRAWAL_REFUSED', ticket, detail: refusal.reason } }
    }
    case 'Release': {
      const { release, part } = settlement
      if (shipmentState === undefined) return follow(state)
      const isMoving = shipmentState === 'in_transit'
      const outcome = isMoving ? alreadyInTransit(shipmentId) : cancellationPending(shipmentId)
      if (part === undefined) return answer(outcome)
      const next: CancelEffect = isMoving ? { kind: 'Settle', ticket, settlement: part } : answer(outcome)
      if (ticket.isPartAlerted === true) return next
      return { ...next, alert: { kind: 'PARTLY_CANCELLED', ticket, detail: release.cause } }
    }
  }
}

/**
 * Polls again if the attempt may be settled while the callers wait. If the shipment is booked and has neither an
 * attempt nor a remembered refusal, nothing was sent.
 */
function afterPoll(
  shipmentId: string,
  { poll, progress, leftMs }: Extract<CancelEvent, { kind: 'Polled' }>,
  { firstPollMs, slowestPollMs }: CancelTimes,
): CancelEffect {
  if (progress === undefined) return answer(shipmentNotFound())
  switch (progress.state) {
    case 'cancelled':
      return answer(shipmentCancelled(shipmentId, progress.cancelledBy, false))
    case 'in_transit':
      return answer(alreadyInTransit(shipmentId))
    case 'draft':
    case 'booked': {
      const { attempt, dueInMs = 0, recentRefusal } = progress
      if (progress.isWindowClosed === true) return answer(windowClosed(shipmentId))
      if (attempt === 'none')
        return answer(
          recentRefusal === undefined
            ? carrierUnavailable(shipmentId)
            : carrierRefused(shipmentId, recentRefusal),
        )
      if (leftMs <= 0 || (attempt === 'waiting' && dueInMs >= leftMs))
        return answer(cancellationPending(shipmentId))
      const pauseMs =
        poll.pauseMs === 0 ? firstPollMs : Math.min(slowestPollMs, Math.ceil(poll.pauseMs * 1.5))
      return { kind: 'Poll', pauseMs, waitedMs: poll.waitedMs + pauseMs }
    }
  }
}

function answer(outcome: CancelOutcome): CancelEffect {
  return { kind: 'Answer', outcome }
}

/** Waits for another process to settle the attempt. */
function follow({ callers }: CancelState): CancelEffect {
  return callers === 'none' ? { kind: 'Leave' } : { kind: 'Poll', pauseMs: 0, waitedMs: 0 }
}
