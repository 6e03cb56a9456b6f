/**
 * What must be true of the rows after every command, however they came about. The rows are the model's by then, so
 * this also guards the model against a mistake that it shares with the SQL.
 */
import type { ShipmentState } from '../../../src/core/shipments/shipment.ts'
import { Mismatch } from './rows.ts'
import type { Model } from './state.ts'

const NEXT: Readonly<Record<ShipmentState, readonly ShipmentState[]>> = {
  draft: ['booked', 'cancelled'],
  booked: ['in_transit', 'cancelled'],
  in_transit: [],
  cancelled: [],
}

/** Throws where the protocol's promises are broken. */
export function checkInvariants({ shipments, attempts, events }: Model): void {
  for (const { id, state, carrierRef, bookingUntil, wantedAt } of shipments) {
    if (wantedAt !== null && (state !== 'draft' || bookingUntil === null))
      throw new Mismatch(`${id} waits for a booking that has ended`, null, wantedAt)
    const own = attempts.filter(({ shipmentId }) => shipmentId === id)
    if (own.filter(({ phase }) => phase === 'pending').length > 1)
      throw new Mismatch(`${id} has two open attempts`, 1, own)
    let last: ShipmentState | null = null
    for (const { from, to } of events.filter(({ shipmentId }) => shipmentId === id)) {
      if (from !== last || (last === null ? to !== 'draft' : !NEXT[last].includes(to)))
        throw new Mismatch(`${id} went a way that there is not`, last, { from, to })
      last = to
    }
    if (last !== state) throw new Mismatch(`${id} is not where its events lead`, last, state)
    const accepted = own.find(({ phase }) => phase === 'accepted')
    if (accepted === undefined) continue
    const marked = state === 'in_transit' && own.some(({ anomaly }) => anomaly !== null)
    if (carrierRef === null || (state !== 'cancelled' && !marked))
      throw new Mismatch(`${id} is cancelled at its carrier alone`, 'cancelled', state)
  }
}
