/**
 * Operation: asks the carrier of a suspect draft whether it has a booking under the shipment's id, and records the answer.
 * See docs/operations.md#after-a-failover-or-a-restore.
 */
import type { BookingLookup } from '../../core/shipments/booking.ts'
import type { NotSent, SuspectDraft } from '../../core/shipments/cancellation.ts'
import type { CallOrigin } from '../ports/carriers.ts'
import type { Ports } from '../ports/ports.ts'
import type { CancelPolicy } from './policy.ts'

export type CheckPorts = Pick<Ports, 'shipments' | 'tracking' | 'carriers'>

/**
 * After `booked`, the shipment is booked under the carrier's numbers; after `none`, the draft is no longer suspect. After
 * the other answers nothing has changed. Throws if the store fails.
 */
export async function checkDraft(
  { shipments, tracking, carriers }: CheckPorts,
  draft: SuspectDraft,
  origin: CallOrigin,
  { leaseMs }: Pick<CancelPolicy, 'leaseMs'>,
): Promise<BookingLookup | NotSent> {
  const { accountId, shipmentId, carrierCode } = draft
  const found = await carriers.findBooking(draft, origin)
  switch (found.kind) {
    case 'none':
      await shipments.confirmDraft(draft)
      return found
    case 'booked': {
      const { carrierRef, parcelRefs } = found
      await shipments.markBooked(accountId, shipmentId, carrierRef, leaseMs, parcelRefs)
      for (const number of parcelRefs ?? [carrierRef])
        await tracking.applyUnmatchedScans({ carrierCode, carrierRef: number })
      return found
    }
    case 'unknown':
    case 'not_sent':
      return found
  }
}
