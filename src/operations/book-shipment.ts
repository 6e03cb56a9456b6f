/**
 * Operation: books a draft with its carrier. The booking is recorded before the carrier is called. The shipment's id is
 * the idempotency key, so if an answer is lost, a retry by the caller or the sweeper gets the existing booking. A
 * cancellation that arrives during the booking waits until it ends. It then cancels the booked shipment, or the draft
 * if nothing was booked.
 * See docs/cancellation.md#states-of-a-shipment.
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
import { askCarrier, CANCEL_POLICY, type CancelPolicy, settleWithRetries } from './ask-carrier.ts'
import type { Caller } from './ports/caller.ts'
import type { CallOrigin } from './ports/carriers.ts'
import type { Ports } from './ports/ports.ts'
import { withTimeout } from './ports/work.ts'

/** With the retry delays, try 50 is about 15 minutes after the first one. */
const TRIES_BEFORE_ALERT = 50

type BookPorts = Pick<
  Ports,
  'shipments' | 'tracking' | 'carriers' | 'inFlight' | 'sleep' | 'random' | 'alert' | 'reportFault'
>

/**
 * Books a draft. Safe to repeat. Returns `ShipmentNotBooked` if the shipment is cancelled, the carrier refused or could
 * not be called, or its answer is unknown (then `retryable` is true). Throws only if the store fails.
 */
export function bookShipment(
  ports: BookPorts,
  caller: Pick<Caller, 'accountId'>,
  shipmentId: string,
  policy: CancelPolicy = CANCEL_POLICY,
): Promise<BookOutcome> {
  const { accountId } = caller
  const work = ports.inFlight.run(`book ${accountId} ${shipmentId}`, async () => {
    const begun = await ports.shipments.beginBooking(accountId, shipmentId, policy.leaseMs)
    if (begun === undefined) return shipmentNotFound()
    const already = bookedAlready(begun.shipment)
    if (already !== undefined) return already
    if (!begun.begun) return bookingPending(shipmentId)
    return driveBooking(ports, accountId, begun.shipment, begun.tries, 'caller', policy)
  })
  return withTimeout(work, policy.deadlineMs, () => bookingPending(shipmentId))
}

/**
 * Sends the booking to the carrier and records the answer; `tries` counts the sends, this one included. If the shipment
 * has been cancelled in the meantime, the carrier's booking is withdrawn afterwards.
 */
export async function driveBooking(
  ports: BookPorts,
  accountId: string,
  shipment: Shipment,
  tries: number,
  origin: CallOrigin,
  policy: CancelPolicy,
): Promise<BookOutcome> {
  const { shipments, carriers } = ports
  const { shipmentId } = shipment
  const answer = await carriers.book(accountId, shipment, origin)
  if (answer.kind !== 'booked') {
    // The booking ends with a refusal. It also ends if the first request was not sent: the carrier then has no booking.
    const ended = answer.kind === 'refused' || (answer.kind === 'not_sent' && tries === 1)
    const retryInMs = ended ? undefined : retryDelayMs(tries, 0, ports.random())
    await settleWithRetries(ports, () => shipments.settleBooking(accountId, shipmentId, tries, retryInMs))
    const doubt = doubtAbout(answer, tries)
    if (doubt !== undefined)
      ports.alert({ kind: 'BOOKING_IN_DOUBT', carrierCode: shipment.carrierCode, shipmentId, detail: doubt })
    return carrierDidNotBook(shipmentId, answer)
  }

  const { carrierRef } = answer
  const mark = await settleWithRetries(ports, () =>
    shipments.markBooked(accountId, shipmentId, carrierRef, policy.leaseMs),
  )
  if (mark === undefined) return shipmentNotFound()
  // Scans are applied before the withdrawal, so that its answer is compared with the current state.
  if (mark.booked) await applyUnmatchedScans(ports, shipment, carrierRef)
  const cancellation = await cancelAfterBooking(ports, mark.withdrawal, origin, policy)
  return afterMark(shipmentId, mark, cancellation)
}

/** Carries out the cancellation that waited for the booking. A failure does not affect the booking. */
async function cancelAfterBooking(
  ports: BookPorts,
  ticket: CancelTicket | undefined,
  origin: CallOrigin,
  policy: CancelPolicy,
): Promise<CancelOutcome | undefined> {
  try {
    return ticket && (await askCarrier(ports, ticket, origin, policy))
  } catch (error) {
    ports.reportFault(error)
    return undefined
  }
}

/** The detail of the alert, if the carrier may have a booking that Waybill has not recorded. */
function doubtAbout(answer: CarrierBookAnswer | NotSent, tries: number): string | undefined {
  if (answer.kind === 'refused' && tries > 1)
    return `refused (${answer.code}) after ${tries - 1} unconfirmed sends`
  return answer.kind === 'unknown' && tries === TRIES_BEFORE_ALERT
    ? `sent ${tries} times; last: ${answer.cause}`
    : undefined
}

/** Applies scans that arrived before the booking was recorded. A failure does not affect the booking. */
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
