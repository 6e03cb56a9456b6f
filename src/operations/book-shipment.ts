/**
 * Operation: books a draft with its carrier. The shipment's id is the idempotency key, so a booking whose
 * answer was lost is found again by repeating. A cancellation that comes in between wins: the draft stays
 * cancelled, and the booking at the carrier is withdrawn by an attempt like any other.
 * Source: schema/shipments.graphql; specification section 3 names the states.
 */
import { afterMark, type BookOutcome, bookedAlready, carrierDidNotBook } from '../core/shipments/booking.ts'
import { shipmentNotFound } from '../core/shipments/cancellation.ts'
import { askCarrier, CANCEL_TERMS, type CancelTerms } from './cancel-shipment.ts'
import type { Caller, Ports } from './ports.ts'
import { runOnce } from './run-once.ts'

/**
 * Books a draft, now or already before. `ShipmentNotBooked`: the shipment is cancelled, the carrier refused, or
 * what the carrier did is not known (repeat). Throws only when the store is out of reach.
 */
export function bookShipment(
  ports: Pick<Ports, 'shipments' | 'carriers'>,
  caller: Pick<Caller, 'accountId'>,
  shipmentId: string,
  terms: CancelTerms = CANCEL_TERMS,
): Promise<BookOutcome> {
  return runOnce(ports.shipments, `book ${caller.accountId} ${shipmentId}`, async () => {
    const { shipments, carriers } = ports
    const shipment = await shipments.find(caller.accountId, shipmentId)
    if (shipment === undefined) return shipmentNotFound()
    const already = bookedAlready(shipment)
    if (already !== undefined) return already

    const answer = await carriers.book(shipment)
    if (answer.kind !== 'booked') return carrierDidNotBook(shipmentId, answer)

    const mark = await shipments.markBooked(caller.accountId, shipmentId, answer.carrierRef, terms.leaseMs)
    if (mark === undefined) return shipmentNotFound()
    if (mark.withdrawal !== undefined) await askCarrier(ports, mark.withdrawal, terms)
    return afterMark(shipmentId, mark)
  })
}
