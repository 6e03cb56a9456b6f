/**
 * Operation: asks the carrier of a suspect draft whether it has a booking under the shipment's id, and records the
 * answer. See docs/operations.md#after-a-failover-or-a-restore.
 */
import type { BookingLookup } from '../../core/shipments/booking.ts'
import type { NotSent, SuspectDraft } from '../../core/shipments/cancellation.ts'
import type { Release } from '../../core/shipments/parcels.ts'
import type { CallOrigin } from '../ports/carriers.ts'
import type { Ports } from '../ports/ports.ts'
import type { CancelPolicy } from './policy.ts'

/** Without `unsent`, the first send would count as the second one. */
const WITHDRAWAL_NOT_SENT: Release = {
  cause: 'the booking was found, and nothing was sent yet',
  times: { retryInMs: 0, callerWaitMs: 0 },
  unsent: true,
}

export type CheckPorts = Pick<Ports, 'shipments' | 'tracking' | 'carriers'>

/**
 * After `booked`, the shipment is booked under the carrier's numbers; after `none`, the draft is no longer suspect.
 * After the other answers nothing has changed. Throws if the store fails.
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
      const { carrierRef, parcelRefs, orderRef } = found
      const mark = await shipments.markBooked(
        accountId,
        shipmentId,
        carrierRef,
        leaseMs,
        parcelRefs,
        orderRef,
      )
      // A cancellation waited for another booking of the draft. The lease is free for its callers and for the sweeper.
      if (mark?.withdrawal !== undefined)
        await shipments.releaseCancellation(mark.withdrawal, WITHDRAWAL_NOT_SENT)
      for (const number of parcelRefs ?? [carrierRef])
        await tracking.applyUnmatchedScans({ carrierCode, carrierRef: number })
      return found
    }
    case 'unknown':
    case 'not_sent':
      return found
  }
}
