/**
 * Where a parcel stands by the events its carrier tells of. Every connector sorts its own codes by meaning; what follows
 * from them is the same for all, and is conservative: an event that is on no list stands in the way of `announced`,
 * since it may be a scan.
 */
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import type { Connector } from '../connector.ts'
import { refused, unknown } from './judgement.ts'

/**
 * What an event says of the parcel itself. `announcement`: there is data, nobody has touched it. `scan`: it was in the
 * carrier's hands. `cancellation`: the carrier will not carry it. `unclear`: could be any of these.
 */
export type EventMeaning = 'announcement' | 'scan' | 'cancellation' | 'unclear'

/** An event of a parcel. */
export type ParcelEvent = {
  readonly meaning: EventMeaning
  /** The carrier's own code. */
  readonly code: string
  /** ISO 8601 in UTC; undefined when the carrier tells none that can be used. */
  readonly at: string | undefined
}

const CODE_MAX = 100

/**
 * `events` with the newest first, as carriers tell them; `current` is the parcel's status, where the carrier has one
 * beside its events. A scan beats everything, for it cannot be undone. A cancellation counts when it is the newest event
 * or the status, and beats what is unclear; an older one stands in the way, since the parcel may be announced anew. Of
 * scans the earliest counts, of several at the same instant the one that is told first.
 */
export function parcelStateOf(events: readonly ParcelEvent[], current?: ParcelEvent): CarrierTrackAnswer {
  const all = current === undefined ? events : [...events, current]
  const scans = all.filter(({ meaning }) => meaning === 'scan')
  if (scans.length > 0) return scannedBy(scans)
  if ([events[0], current].some((event) => event?.meaning === 'cancellation')) return { kind: 'cancelled' }
  const doubtful = all.find(({ meaning }) => meaning !== 'announcement')
  if (doubtful !== undefined) return unknown(`unclear event ${doubtful.code}`)
  return all.length > 0 ? { kind: 'announced' } : unknown('no events')
}

function scannedBy(scans: readonly ParcelEvent[]): CarrierTrackAnswer {
  let first: { readonly at: string; readonly code: string } | undefined
  for (const { at, code } of scans) {
    if (at !== undefined && (first === undefined || at < first.at)) first = { at, code }
  }
  // Scanned for sure, but a scan without its time cannot be kept.
  if (first === undefined) return unknown('scanned at an unknown time')
  const code = first.code.slice(0, CODE_MAX).replace(/[^\x20-\x7e]/g, '?')
  return { kind: 'scanned', scan: { eventId: `${first.at}/${code}`, at: first.at } }
}

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/

/**
 * A carrier's ISO 8601 time in UTC, or undefined. A time without an offset is taken as UTC: which zone the place of the
 * event is in cannot be known, and an event that is off by hours still tells that there was one.
 */
export function utcTime(text: string | undefined): string | undefined {
  const [, date, time, offset = 'Z'] = ISO_TIME.exec(text ?? '') ?? []
  if (date === undefined || time === undefined) return undefined
  const colon = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset
  const instant = new Date(`${date}T${time}${colon}`)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}

// Cancelling with a carrier that takes no cancellations: when it has not scanned the parcel, the shipment is released
// here and its label must be destroyed; else it is on its way. Source: design/cancellation.md, "Carriers".
// The risk: a scan may be made, or become visible, after the look-up. It ends as an anomaly when the scan comes in. What
// can be done here is done: only a parcel that the carrier knows and calls unscanned is released, never one that it does
// not know (yet) or speaks unclearly of.

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
