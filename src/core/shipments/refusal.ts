/**
 * A carrier's final no to a cancellation, in words that are the same for all carriers.
 * Source: specification section 3 ("already picked up or in transit, or carrier refuses").
 */

/** Why a carrier refuses for good, whatever its own codes are. */
export type RefusalCode =
  /** Picked up or scanned. */
  | 'SCANNED'
  /** Past the carrier's time for cancelling. */
  | 'WINDOW_CLOSED'
  /** The carrier knows no such parcel. */
  | 'UNKNOWN_PARCEL'
  /** Any other final no. */
  | 'NOT_CANCELLABLE'

/** A carrier's final no. */
export type Refusal = {
  readonly code: RefusalCode
  /** The carrier's own words, cleaned and capped. */
  readonly reason: string
}
