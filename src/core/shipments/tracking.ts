/**
 * What carriers say about parcels: scans, which alone make a shipment `in_transit`, and where a parcel stands when it
 * is looked up. A shipment follows its carrier; it never goes back.
 * Source: specification section 3 ("picked up or scanned"); design/cancellation.md.
 */

/** A parcel as a carrier knows it. */
export type ParcelReference = {
  readonly carrierCode: string
  /** The carrier's tracking number. */
  readonly carrierRef: string
}

/** A parcel that is looked up, with the account whose credentials may be needed. */
export type TrackedParcel = ParcelReference & { readonly accountId: string }

/** A reference is printed, compared and sent back: plain characters, or it is of no use. */
export const TRACKING_NUMBER_FORMAT = /^[\x21-\x7e]{1,64}$/

/** The same for the id of a scan. */
export const EVENT_ID_FORMAT = /^[\x20-\x7e]{1,200}$/

/** One scan of a parcel: it was picked up, sorted, loaded, delivered; never a mere announcement. */
export type Scan = ParcelReference & {
  /** Unique within the carrier; the same event told twice has the same one. 1 to 200 characters. */
  readonly eventId: string
  /** When it happened, by the carrier's clock; ISO 8601 in UTC. */
  readonly at: string
}

/**
 * What a look-up found. `announced`: known and not scanned. `scanned`: picked up or later; `scan` is the earliest one
 * there is. `cancelled`: the carrier will not carry it. `unknown` says nothing at all, so it changes nothing.
 */
export type CarrierTrackAnswer =
  | { readonly kind: 'announced' }
  | { readonly kind: 'scanned'; readonly scan: Pick<Scan, 'eventId' | 'at'> }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'unknown'; readonly cause: string }

/**
 * What a scan did to its shipment. `moved`: booked before, in transit now. `known`: nothing new. `anomaly`: cancelled
 * here before the carrier told of it. `kept`: no shipment is booked under that number; it counts when one is.
 * `stale`: so long before the booking that it is about an earlier parcel with the same number.
 */
export type ScanEffect = 'moved' | 'known' | 'anomaly' | 'kept' | 'stale'
