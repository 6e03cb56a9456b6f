/**
 * Scans and lookups of parcels at their carriers. Only scans move a shipment to `in_transit`, and no shipment goes
 * back. See docs/scan-events.md.
 */
import type { ShipmentState } from './shipment.ts'

export type ParcelReference = {
  readonly carrierCode: string
  /** The carrier's tracking number. */
  readonly carrierRef: string
}

/** A parcel to look up. The account selects the credentials. */
export type TrackedParcel = ParcelReference & {
  readonly accountId: string
  /** When the shipment was booked or imported, ISO 8601. Distinguishes parcels if the carrier reuses numbers. */
  readonly bookedAt?: string
  /** The number of the shipment's order at the carrier, if it is known. */
  readonly orderRef?: string
}

/** 1 to 64 printable ASCII characters without blanks. */
export const TRACKING_NUMBER_FORMAT = /^[\x21-\x7e]{1,64}$/

/** 1 to 200 printable ASCII characters. */
export const EVENT_ID_FORMAT = /^[\x20-\x7e]{1,200}$/

/** The carrier had the parcel in its hands: picked up, sorted, loaded or delivered. Not an announcement. */
export type Scan = ParcelReference & {
  /** Unique for the carrier. A repeated event has the same id. */
  readonly eventId: string
  /** ISO 8601 in UTC, by the carrier's clock. */
  readonly at: string
  /** The parcel was delivered with this scan. */
  readonly isDelivery?: boolean
}

/**
 * The result of a lookup. `announced`: known and not scanned. `scanned`: picked up or later, with the earliest scan.
 * `cancelled`: the carrier will not carry the parcel. `unknown`: inconclusive.
 */
export type CarrierTrackAnswer =
  | { readonly kind: 'announced' }
  | {
      readonly kind: 'scanned'
      readonly scan: Pick<Scan, 'eventId' | 'at'>
      /** The delivery, if it is the newest event. It may be the same as `scan`. */
      readonly delivery?: Pick<Scan, 'eventId' | 'at'>
    }
  | { readonly kind: 'cancelled' }
  | UnknownAnswer

/** A carrier's answer, or its absence, that settles nothing. */
export type UnknownAnswer = {
  readonly kind: 'unknown'
  /** Logged and stored. */
  readonly cause: string
  /** The HTTP status of the inconclusive reply. The circuit breaker and alerts depend on it. */
  readonly status?: number
  /** An operator has to correct the credentials or account settings. The gateway raises an alert. */
  readonly configuration?: boolean
  /** The carrier accepts no call of this kind during this time. The gateway pauses the channel. */
  readonly retryAfterMs?: number
  /** A repeat of this request within this time brings nothing new. Other calls are not affected. */
  readonly repeatAfterMs?: number
}

/** The result of looking up one number of a shipment. */
export type ParcelLookup = { readonly carrierRef: string; readonly answer: CarrierTrackAnswer }

/**
 * What the lookups of all numbers of a shipment say about the shipment. A scan of one parcel is a scan of the shipment,
 * and the result names that parcel. Otherwise the result has the first number. If the lookups differ, the result is
 * `unknown` and lists them, or `announced` if `whenMixed` says so and one parcel is. If all inconclusive lookups have
 * the same status, the result has it too. Expects at least one lookup.
 */
export function combineLookups(
  lookups: readonly ParcelLookup[],
  whenMixed: 'unknown' | 'announced' = 'unknown',
): ParcelLookup {
  const [lead] = lookups
  if (lead === undefined) throw new Error('a shipment was looked up without a number')
  const scanned = lookups.find(({ answer }) => answer.kind === 'scanned')
  if (scanned !== undefined) return scanned
  if (lookups.every(({ answer }) => answer.kind === lead.answer.kind && answer.kind !== 'unknown'))
    return lead
  if (lookups.length === 1) return lead
  const announced = lookups.find(({ answer }) => answer.kind === 'announced')
  if (whenMixed === 'announced' && announced !== undefined) return announced
  const found = lookups.map(({ carrierRef, answer }) =>
    answer.kind === 'unknown' ? `${carrierRef}: ${answer.cause}` : `${carrierRef}: ${answer.kind}`,
  )
  const statuses = new Set(
    lookups.flatMap(({ answer }) => (answer.kind === 'unknown' ? [answer.status] : [])),
  )
  const [status] = statuses.size === 1 ? statuses : []
  return {
    carrierRef: lead.carrierRef,
    answer: { kind: 'unknown', cause: found.join('; '), ...(status !== undefined && { status }) },
  }
}

/**
 * What a scan did to its shipment. `moved`: from booked to in transit. `known`: nothing new. `anomaly`: the shipment is
 * cancelled in Waybill. `unmatched`: no shipment has this number; the scan is stored and applied when one is booked.
 * `stale`: so long before the booking that it belongs to an earlier parcel with the same number.
 */
export type ScanEffect = 'moved' | 'known' | 'anomaly' | 'unmatched' | 'stale'

const DAY_MS = 86_400_000
/** A report younger than this has been verified for the first time only. */
const FIRST_VERIFICATION_UP_TO_MS = DAY_MS / 2
const FIRST_RETRY_MS = 60_000
const VERIFY_UP_TO_MS = 5 * DAY_MS

/** What a later lookup says about a cancellation or a scan that only a lookup has reported. */
export type ReportStep =
  | { readonly kind: 'Confirmed'; readonly againInMs?: number }
  | { readonly kind: 'Contradicted'; readonly contradiction: string; readonly againInMs?: number }
  /** The lookup was inconclusive. */
  | { readonly kind: 'Open'; readonly againInMs?: number }
  /** The parcel was not looked up. */
  | { readonly kind: 'Postponed' }

/** `againInMs` is the delay until the next lookup; undefined: none. `ageMs` is the age of the report. */
export function afterReport(
  reported: 'cancelled' | 'scanned',
  answer: CarrierTrackAnswer | { readonly kind: 'not_sent' },
  ageMs: number,
): ReportStep {
  if (answer.kind === 'not_sent') return { kind: 'Postponed' }
  if (answer.kind === 'unknown') {
    if (ageMs >= VERIFY_UP_TO_MS) return { kind: 'Open' }
    return { kind: 'Open', againInMs: Math.min(DAY_MS, Math.max(FIRST_RETRY_MS, ageMs)) }
  }
  const again = ageMs < FIRST_VERIFICATION_UP_TO_MS ? { againInMs: DAY_MS - ageMs } : {}
  if (answer.kind === reported) return { kind: 'Confirmed', ...again }
  const contradiction = `a lookup reported ${reported}, and a later one reports ${answer.kind}`
  return { kind: 'Contradicted', contradiction, ...again }
}

/** What happened to a shipment: it got this state, or its carrier scanned or delivered a parcel. */
export type TrackingEvent = {
  readonly shipmentId: string
  readonly type: ShipmentState | 'scanned' | 'delivered'
  /** ISO 8601 in UTC. */
  readonly at: string
  /** The number of a scanned or delivered parcel. */
  readonly carrierRef?: string
}
