/**
 * Cancelling with a carrier that takes no cancellations: when it has not scanned the parcel, the shipment is released
 * here and its label must be destroyed; else it is on its way. Source: design/cancellation.md, "Carriers".
 *
 * The risk: a scan may be made, or become visible, after the look-up. It ends as an anomaly when the scan comes in. What
 * can be done here is done: only a parcel that the carrier knows and calls unscanned is released, never one that it does
 * not know (yet) or speaks unclearly of.
 */
import type { CarrierTrackAnswer } from '../core/shipments/tracking.ts'
import type { Connector } from './connector.ts'
import { refused } from './judgement.ts'

/** A connector that looks parcels up with `track` and cancels by it. */
export function releaseIfUnscanned(
  track: (carrierRef: string, signal: AbortSignal) => Promise<CarrierTrackAnswer>,
): Required<Pick<Connector, 'cancel' | 'track'>> {
  return {
    track,
    async cancel({ carrierRef }, signal) {
      const standing = await track(carrierRef, signal)
      switch (standing.kind) {
        case 'announced':
          return { kind: 'cancelled', how: 'released' }
        case 'cancelled':
          return { kind: 'cancelled', how: 'already' }
        case 'scanned': {
          const { eventId, at } = standing.scan
          return refused('SCANNED', eventId, `The carrier scanned the parcel at ${at}`)
        }
        case 'unknown':
          return standing
      }
    },
  }
}
