/**
 * Rules that must hold after every command. They are checked when the rows of model and database are known to be
 * equal, so they also find mistakes that both have.
 */
import type { ShipmentState } from '../../../src/core/shipments/shipment.ts'
import { Mismatch } from './rows.ts'
import type { Model, ModelShipment } from './state.ts'

const NEXT: Readonly<Record<ShipmentState, readonly ShipmentState[]>> = {
  draft: ['booked', 'cancelled'],
  booked: ['in_transit', 'cancelled'],
  in_transit: [],
  cancelled: [],
}

/** Throws a Mismatch if a rule is violated. */
export function checkInvariants(model: Model): void {
  const { shipments, attempts, events } = model
  for (const shipment of shipments) checkParcels(model, shipment)
  for (const { id, state, carrierRef, bookingUntil, wantedAt } of shipments) {
    if (wantedAt !== null && (state !== 'draft' || bookingUntil === null))
      throw new Mismatch(`${id} waits for a booking that has ended`, null, wantedAt)
    const attemptsOfShipment = attempts.filter(({ shipmentId }) => shipmentId === id)
    if (attemptsOfShipment.filter(({ phase }) => phase === 'pending').length > 1)
      throw new Mismatch(`${id} has two open attempts`, 1, attemptsOfShipment)
    let last: ShipmentState | null = null
    for (const { from, to } of events.filter(({ shipmentId }) => shipmentId === id)) {
      if (from !== last || (last === null ? to !== 'draft' : !NEXT[last].includes(to)))
        throw new Mismatch(`${id} made a change that is not allowed`, last, { from, to })
      last = to
    }
    if (last !== state) throw new Mismatch(`${id} is not in the state of its last event`, last, state)
    const accepted = attemptsOfShipment.find(({ phase }) => phase === 'accepted')
    if (accepted === undefined) continue
    const marked = state === 'in_transit' && attemptsOfShipment.some(({ anomaly }) => anomaly !== null)
    if (carrierRef === null || (state !== 'cancelled' && !marked))
      throw new Mismatch(`${id} is cancelled only at its carrier`, 'cancelled', state)
  }
}

/**
 * A shipment with several numbers is cancelled only if all of them are, or it was a draft. A cancelled number never
 * disappears.
 */
function checkParcels({ everCancelled, events }: Model, shipment: ModelShipment): void {
  const { id, state, carrierRef, parcelRefs, cancelledRefs } = shipment
  const cancelled = cancelledRefs ?? []
  for (const number of cancelled) everCancelled.add(`${id} ${number}`)
  const known = [...everCancelled].filter((entry) => entry.startsWith(`${id} `))
  if (known.length !== cancelled.length)
    throw new Mismatch(`cancelled numbers of ${id} are lost or repeated`, known, cancelled)
  if (parcelRefs === null) {
    if (cancelled.length > 0)
      throw new Mismatch(`${id} has one number, and parcels are cancelled`, [], cancelled)
    return
  }
  if (carrierRef !== parcelRefs[0])
    throw new Mismatch(`${id} has another number than its first parcel`, parcelRefs, carrierRef)
  if (!cancelled.every((number) => parcelRefs.includes(number)))
    throw new Mismatch(`${id} has cancelled numbers of other shipments`, parcelRefs, cancelled)
  const wasDraft = events.some(
    ({ shipmentId, from, to }) => shipmentId === id && from === 'draft' && to === 'cancelled',
  )
  if (state === 'cancelled' && !wasDraft && cancelled.length < parcelRefs.length)
    throw new Mismatch(`${id} is cancelled, but not all its parcels are`, parcelRefs, cancelled)
}
