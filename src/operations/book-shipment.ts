/**
 * Operation: books a draft with its carrier. The booking is on record before the carrier hears of it, and the
 * shipment's id is the idempotency key, so a booking whose answer was lost is found again by a repeat or by the
 * sweeper. A cancellation that comes in between waits for the end of the booking: of one that was made it is an attempt
 * like any other, of one that was not it is that of a draft.
 * Source: schema/shipments.graphql; specification section 3 names the states.
 */
import {
  afterMark,
  type BookOutcome,
  bookedAlready,
  bookingPending,
  type CarrierBookAnswer,
  carrierDidNotBook,
} from '../core/shipments/booking.ts'
import {
  type CancelOutcome,
  type CancelTicket,
  type NotSent,
  retryDelayMs,
  shipmentNotFound,
} from '../core/shipments/cancellation.ts'
import type { Shipment } from '../core/shipments/shipment.ts'
import { askCarrier, CANCEL_TERMS, type CancelTerms, insist } from './ask-carrier.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import { runOnce, withinDeadline } from './run-once.ts'

/** About a quarter of an hour of asking. */
const TRIES_BEFORE_ALERT = 50

type BookPorts = Pick<Ports, 'shipments' | 'tracking' | 'carriers' | 'alert' | 'reportFault'>

/**
 * Books a draft, now or already before. `ShipmentNotBooked`: the shipment is cancelled, the carrier refused or cannot
 * be asked, or what the carrier did is not known (repeat). Throws only when the store is out of reach.
 */
export function bookShipment(
  ports: BookPorts,
  caller: Pick<Caller, 'accountId'>,
  shipmentId: string,
  terms: CancelTerms = CANCEL_TERMS,
): Promise<BookOutcome> {
  const { accountId } = caller
  const work = runOnce(ports.shipments, `book ${accountId} ${shipmentId}`, async () => {
    const begun = await ports.shipments.beginBooking(accountId, shipmentId, terms.leaseMs)
    if (begun === undefined) return shipmentNotFound()
    const already = bookedAlready(begun.shipment)
    if (already !== undefined) return already
    if (!begun.begun) return bookingPending(shipmentId)
    return driveBooking(ports, accountId, begun.shipment, begun.tries, terms)
  })
  return withinDeadline(work, terms.deadlineMs, () => bookingPending(shipmentId))
}

/**
 * Asks the carrier for the `tries`th time and writes its answer down. Also for a shipment that was cancelled since:
 * what may lie at the carrier is found by its key and withdrawn.
 */
export async function driveBooking(
  ports: BookPorts,
  accountId: string,
  shipment: Shipment,
  tries: number,
  terms: CancelTerms,
): Promise<BookOutcome> {
  const { shipments, carriers } = ports
  const { shipmentId } = shipment
  const answer = await carriers.book(accountId, shipment, terms.origin)
  if (answer.kind !== 'booked') {
    // Nothing lies at the carrier after a refusal, or when this would have been the first time that it was asked.
    const over = answer.kind === 'refused' || (answer.kind === 'not_sent' && tries === 1)
    const retryInMs = over ? undefined : retryDelayMs(tries, 0, terms.jitter())
    await insist(terms, () => shipments.settleBooking(accountId, shipmentId, tries, retryInMs))
    const doubt = doubtOf(answer, tries)
    if (doubt !== undefined)
      ports.alert({ kind: 'BOOKING_IN_DOUBT', carrierCode: shipment.carrierCode, shipmentId, detail: doubt })
    return carrierDidNotBook(shipmentId, answer)
  }

  const { carrierRef } = answer
  const mark = await insist(terms, () =>
    shipments.markBooked(accountId, shipmentId, carrierRef, terms.leaseMs),
  )
  if (mark === undefined) return shipmentNotFound()
  // First, so that a scan that came before is known when the carrier answers.
  if (mark.booked) await applyUnmatchedScans(ports, shipment, carrierRef)
  const cancellation = await cancelWhatWaited(ports, mark.withdrawal, terms)
  return afterMark(shipmentId, mark, cancellation)
}

/** The booking stands, and the attempt is on record, whatever becomes of this. */
async function cancelWhatWaited(
  ports: BookPorts,
  ticket: CancelTicket | undefined,
  terms: CancelTerms,
): Promise<CancelOutcome | undefined> {
  try {
    return ticket && (await askCarrier(ports, ticket, terms))
  } catch (error) {
    ports.reportFault(error)
    return undefined
  }
}

/** What people have to know of a booking that may have been made and is not on record. */
function doubtOf(answer: CarrierBookAnswer | NotSent, tries: number): string | undefined {
  if (answer.kind === 'refused' && tries > 1)
    return `refused (${answer.code}) after ${tries - 1} tries of unknown end`
  return answer.kind === 'unknown' && tries === TRIES_BEFORE_ALERT
    ? `asked ${tries} times; last: ${answer.cause}`
    : undefined
}

/** A carrier's scanner may have been faster than its answer. The booking stands whatever becomes of this. */
async function applyUnmatchedScans(
  { tracking, reportFault }: BookPorts,
  { carrierCode }: Shipment,
  carrierRef: string,
): Promise<void> {
  try {
    await tracking.applyUnmatchedScans({ carrierCode, carrierRef })
  } catch (error) {
    reportFault(error)
  }
}
