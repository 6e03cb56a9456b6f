/**
 * Operation: books a draft with its carrier. The booking is recorded before the carrier is called. The shipment's id is
 * the idempotency key, so if an answer is lost, a retry by the caller or the sweeper gets the existing booking. A
 * cancellation that arrives during the booking waits until it ends. It then cancels the booked shipment, or the draft
 * if nothing was booked.
 * See docs/cancellation.md#states-of-a-shipment.
 */
import {
  afterMark,
  type BookingBegun,
  type BookOutcome,
  bookedAlready,
  bookingPending,
  bookingUnavailable,
  carrierDidNotBook,
  type DraftPriceExpired,
  draftPriceExpired,
  type NoBooking,
} from '../core/shipments/booking.ts'
import {
  type CancelOutcome,
  type CancelTicket,
  type NotSent,
  retryDelayMs,
  shipmentNotFound,
} from '../core/shipments/cancellation.ts'
import { priceValidUntil } from '../core/shipments/draft-terms.ts'
import type { Shipment } from '../core/shipments/shipment.ts'
import { CANCEL_POLICY, type CancelPolicy } from './ask-carrier/policy.ts'
import { settleWithRetries } from './ask-carrier/settlement.ts'
import { type CancelPorts, continueAttempt } from './cancel-shipment.ts'
import type { Caller } from './ports/caller.ts'
import type { Admission, CallOrigin } from './ports/carriers.ts'
import { observed } from './ports/observer.ts'
import type { Ports } from './ports/ports.ts'
import { quoteToday } from './quote-rates.ts'
import { answerLate, openRecording, type Recording, record } from './recording.ts'

/** With the retry delays, try 50 is about 15 minutes after the first one. */
const TRIES_BEFORE_ALERT = 50

export type BookPorts = CancelPorts

type RequestPorts = BookPorts & Pick<Ports, 'reference' | 'clock' | 'draftTerms'>

/**
 * Books a draft. Safe to repeat. Returns `ShipmentNotBooked` if the shipment is cancelled, the carrier refused or could
 * not be called, or its answer is unknown (then `retryable` is true). Throws only if the store fails and nothing was
 * recorded.
 */
export function bookShipment(
  ports: RequestPorts,
  caller: Pick<Caller, 'accountId'>,
  shipmentId: string,
  policy: CancelPolicy = CANCEL_POLICY,
): Promise<BookOutcome> {
  const { accountId } = caller
  const begin = () => {
    const recording = openRecording()
    const late = (): BookOutcome =>
      answerLate(recording) === 'pending' ? bookingPending(shipmentId) : bookingUnavailable(shipmentId)
    const outcome = book({ ports, accountId, shipmentId, policy, recording })
    return { outcome, limitMs: policy.deadlineMs, late }
  }
  return observed<BookOutcome>(ports, 'bookShipment', () =>
    ports.inFlight.runWithLimit(`book ${accountId} ${shipmentId}`, begin),
  )
}

/** One run of the operation, shared by its callers. */
type Booking = {
  readonly ports: RequestPorts
  readonly accountId: string
  readonly shipmentId: string
  readonly policy: CancelPolicy
  readonly recording: Recording
}

async function book(work: Booking): Promise<BookOutcome> {
  const { ports, accountId, shipmentId, policy, recording } = work
  let admission: Admission | NotSent | undefined
  try {
    const draft = await read(work)
    if (draft === undefined) return shipmentNotFound()
    const already = bookedAlready(draft.shipment)
    if (already !== undefined) return already
    if (draft.earlier === 'working') return bookingPending(shipmentId)
    recording.mayBeRecorded = recording.callers === 'got pending' || draft.earlier === 'waiting'
    const expired = draft.earlier === 'none' ? await expiredPrice(work, draft.shipment) : undefined
    if (expired !== undefined) return expired
    admission = await ports.carriers.admit({ accountId, carrierCode: draft.shipment.carrierCode })
    if (recording.callers === 'got nothing sent') return bookingUnavailable(shipmentId)
    if (admission.kind === 'not_sent')
      return draft.earlier === 'waiting' ? bookingPending(shipmentId) : bookingUnavailable(shipmentId)
    const begun = await begin(work, draft.bookingNo)
    if (begun === undefined) return shipmentNotFound()
    if (!begun.begun) return bookedAlready(begun.shipment) ?? bookingPending(shipmentId)
    return await driveBooking(ports, accountId, begun.shipment, begun, admission, policy)
  } catch (error) {
    if (!recording.mayBeRecorded) throw error
    // The sweeper carries out what is recorded.
    ports.reportFault(error)
    return bookingPending(shipmentId)
  } finally {
    if (admission?.kind === 'admitted') admission.leave()
  }
}

/** Reads the draft and its booking, and records nothing. */
async function read(work: Booking): Promise<BookingBegun | undefined> {
  const { ports, accountId, shipmentId, policy, recording } = work
  // Until the draft is read, an earlier booking may be on record.
  recording.mayBeRecorded = true
  try {
    return await ports.shipments.beginBooking(accountId, shipmentId, {
      mayOpen: false,
      leaseMs: policy.leaseMs,
    })
  } catch (error) {
    recording.mayBeRecorded = recording.callers === 'got pending'
    throw error
  }
}

/** Undefined if the draft can be booked at its price. A booking on record keeps the price that it began with. */
async function expiredPrice(
  { ports, accountId, shipmentId }: Booking,
  draft: Shipment,
): Promise<DraftPriceExpired | undefined> {
  const book = ports.reference.rateBook()
  const validUntil = priceValidUntil(draft, book, ports.draftTerms)
  if (validUntil === undefined || ports.clock().toISOString() < validUntil) return undefined
  const request = await ports.shipments.pricedRequest(accountId, shipmentId)
  const offered = request && quoteToday(ports, request, accountId).options
  const option = offered?.find(({ product }) => product.productId === draft.productId)
  return draftPriceExpired(draft, validUntil, option?.priceCents)
}

/**
 * Records that the draft is being booked. The statement is repeated if its result is lost, and a copy of it may reach
 * the database after the booking has ended. It then finds that another booking has begun since the draft was read.
 */
function begin(work: Booking, bookingNo: number): Promise<BookingBegun | undefined> {
  const { ports, accountId, shipmentId, policy, recording } = work
  const terms = { mayOpen: true, leaseMs: policy.leaseMs, bookingNo }
  const statement = () => ports.shipments.beginBooking(accountId, shipmentId, terms)
  return record(ports, recording, statement, { withinMs: policy.deadlineMs })
}

/** The number of this try, and its lease. */
type BookingTry = Pick<BookingBegun, 'tries' | 'lease'>

/**
 * Sends the booking to the carrier and records the answer. If the shipment has been cancelled in the meantime, the
 * carrier's booking is withdrawn afterwards.
 */
export async function driveBooking(
  ports: BookPorts,
  accountId: string,
  shipment: Shipment,
  { tries, lease }: BookingTry,
  by: CallOrigin | Admission,
  policy: CancelPolicy,
): Promise<BookOutcome> {
  const { shipments, carriers } = ports
  const { shipmentId } = shipment
  const answer = await carriers.book(accountId, shipment, by)
  if (answer.kind !== 'booked') {
    // The booking ends with a refusal. It also ends if the first request was not sent: the carrier then has no booking.
    // After that, an earlier request may have booked the shipment, and every try counts, so that the delays grow.
    const wasAsked = answer.kind !== 'not_sent' && answer.kind !== 'not_offered'
    const ended = answer.kind === 'refused' || (!wasAsked && tries === 1)
    const retryInMs = ended ? undefined : retryDelayMs(tries, 0, ports.random())
    await settleWithRetries(ports, () =>
      shipments.settleBooking(accountId, shipmentId, lease, retryInMs, wasAsked),
    )
    const doubt = doubtAbout(answer, tries)
    if (doubt !== undefined)
      ports.alert({ kind: 'BOOKING_IN_DOUBT', carrierCode: shipment.carrierCode, shipmentId, detail: doubt })
    return ended ? carrierDidNotBook(shipmentId, answer) : bookingPending(shipmentId)
  }

  const { carrierRef, parcelRefs, orderRef } = answer
  let leasedAtMs = 0
  const mark = await settleWithRetries(ports, () => {
    leasedAtMs = ports.monotonicMs()
    return shipments.markBooked(accountId, shipmentId, carrierRef, policy.leaseMs, parcelRefs, orderRef)
  })
  if (mark === undefined) return shipmentNotFound()
  // Scans are applied before the withdrawal, so that its answer is compared with the current state.
  // `mark.booked` is false if the result of an earlier try to mark it was lost.
  if (mark.state === 'booked') await applyUnmatchedScans(ports, shipment, parcelRefs ?? [carrierRef])
  const cancellation = await cancelAfterBooking(
    ports,
    mark.withdrawal,
    typeof by === 'string' ? by : 'caller',
    leasedAtMs,
    policy,
  )
  return afterMark(shipmentId, mark, cancellation)
}

/** Carries out the cancellation that waited for the booking. A failure does not affect the booking. */
async function cancelAfterBooking(
  ports: BookPorts,
  ticket: CancelTicket | undefined,
  origin: CallOrigin,
  leasedAtMs: number,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  try {
    return ticket && (await continueAttempt(ports, ticket, origin, leasedAtMs, policy))
  } catch (error) {
    ports.reportFault(error)
    return undefined
  }
}

/** The detail of the alert, if the carrier may have a booking that Waybill has not recorded. */
function doubtAbout(answer: NoBooking, tries: number): string | undefined {
  if (answer.kind === 'refused')
    return tries > 1 ? `refused (${answer.code}) after ${tries - 1} unconfirmed tries` : undefined
  const last = answer.kind === 'not_offered' ? `not sent (${answer.code})` : answer.cause
  return tries === TRIES_BEFORE_ALERT ? `tried ${tries} times; last: ${last}` : undefined
}

/** Applies scans that arrived before the booking was recorded. A failure does not affect the booking. */
async function applyUnmatchedScans(
  { tracking, reportFault }: BookPorts,
  { carrierCode }: Shipment,
  carrierRefs: readonly string[],
): Promise<void> {
  try {
    for (const carrierRef of carrierRefs) await tracking.applyUnmatchedScans({ carrierCode, carrierRef })
  } catch (error) {
    reportFault(error)
  }
}
