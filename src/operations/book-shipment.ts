/**
 * Operation: books a draft with its carrier. The booking is on record before the carrier hears of it, and the
 * shipment's id is the idempotency key, so a booking whose answer was lost is found again by a repeat or by the
 * sweeper. A cancellation that comes in between wins: the draft stays cancelled, and the booking at the carrier is
 * withdrawn by an attempt like any other.
 * Source: schema/shipments.graphql; specification section 3 names the states.
 */
import {
  afterMark,
  type BookOutcome,
  bookedAlready,
  bookingPending,
  carrierDidNotBook,
} from '../core/shipments/booking.ts'
import { retryDelayMs, shipmentNotFound } from '../core/shipments/cancellation.ts'
import type { Shipment } from '../core/shipments/shipment.ts'
import { askCarrier, CANCEL_TERMS, type CancelTerms, insist } from './ask-carrier.ts'
import type { Caller, Ports } from './ports.ts'
import { runOnce, withinDeadline } from './run-once.ts'

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
  const answer = await carriers.book(accountId, shipment)
  if (answer.kind !== 'booked') {
    // Nothing lies at the carrier after a refusal, or when this would have been the first time that it was asked.
    const over = answer.kind === 'refused' || (answer.kind === 'not_sent' && tries === 1)
    const retryInMs = over ? undefined : retryDelayMs(tries, 0, terms.jitter())
    await insist(terms, () => shipments.settleBooking(accountId, shipmentId, tries, retryInMs))
    return carrierDidNotBook(shipmentId, answer)
  }

  const { carrierRef } = answer
  const mark = await insist(terms, () =>
    shipments.markBooked(accountId, shipmentId, carrierRef, terms.leaseMs),
  )
  if (mark === undefined) return shipmentNotFound()
  if (mark.withdrawal !== undefined) await askCarrier(ports, mark.withdrawal, terms)
  if (mark.booked) await applyKeptScans(ports, shipment, carrierRef)
  return afterMark(shipmentId, mark)
}

/** A carrier's scanner may have been faster than its answer. The booking stands whatever becomes of this. */
async function applyKeptScans(
  { tracking, reportFault }: BookPorts,
  { carrierCode }: Shipment,
  carrierRef: string,
): Promise<void> {
  try {
    await tracking.applyKeptScans({ carrierCode, carrierRef })
  } catch (error) {
    reportFault(error)
  }
}
