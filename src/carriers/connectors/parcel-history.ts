/**
 * Derives the state of a parcel from its events at the carrier, and implements cancellation for carriers that only have
 * lookups. Each connector maps its codes to meanings; the rules are the same for all connectors. They are conservative:
 * an unlisted event may be a scan, so the parcel does not count as announced.
 */
import { parseInstant } from '../../core/input.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import { type CancelRequest, type Connector, hintsOf, type TrackHints } from '../connector.ts'
import { type Refused, refused, slowRepeatMs, type Unknown, unknown, withoutStatus } from './judgement.ts'

/**
 * `announcement`: the carrier has data and no parcel. `scan`: the carrier had the parcel in its hands. `delivery`: the
 * scan with which the recipient, or somebody for the recipient, got it. `cancellation`: the carrier will not carry it.
 * `unclear`: any of these.
 */
export type EventMeaning = 'announcement' | 'scan' | 'delivery' | 'cancellation' | 'unclear'

export type ParcelEvent = {
  readonly meaning: EventMeaning
  /** The carrier's own code. */
  readonly code: string
  /** ISO 8601 in UTC; undefined if the carrier sends no valid time. */
  readonly at: string | undefined
}

const CODE_MAX = 100

/**
 * The state of a parcel. `events` are in the order of the carrier, newest first. `current` is the current status, if
 * the carrier sends one in addition to the events. The first rule that matches applies:
 *
 * 1. If there is a scan: `scanned`, with the time of the earliest scan. If two have the same time, the first in the
 *    list is used. If the newest event or `current` is a delivery, it is added. An older one does not count: the parcel
 *    may be on its way back.
 * 2. If the newest event or `current` is a cancellation: `cancelled`, even if other events are unclear.
 * 3. If an event is unclear or an older cancellation: `unknown`. The parcel may have been announced again.
 * 4. If there are no events and no `current`: `unknown`.
 * 5. Otherwise `announced`.
 */
export function parcelStateOf(events: readonly ParcelEvent[], current?: ParcelEvent): CarrierTrackAnswer {
  const all = current === undefined ? events : [...events, current]
  const scans = all.filter(({ meaning }) => meaning === 'scan' || meaning === 'delivery')
  if (scans.length > 0) return scannedBy(scans, deliveryOf(events, current))
  if ([events[0], current].some((event) => event?.meaning === 'cancellation')) return { kind: 'cancelled' }
  const doubtful = all.find(({ meaning }) => meaning !== 'announcement')
  if (doubtful !== undefined) return unknown(`unclear event ${doubtful.code}`)
  return all.length > 0 ? { kind: 'announced' } : unknown('no events')
}

/** The delivery with its time, which the events may have if `current` does not. */
function deliveryOf(events: readonly ParcelEvent[], current?: ParcelEvent): ParcelEvent | undefined {
  const [newest] = events
  const isDelivered = [newest, current].some((event) => event?.meaning === 'delivery')
  const isOver = [newest, current].every((event) => event === undefined || event.meaning === 'delivery')
  if (!isDelivered || !isOver) return undefined
  return [newest, current].find((event) => event?.at !== undefined)
}

function scannedBy(scans: readonly ParcelEvent[], delivery: ParcelEvent | undefined): CarrierTrackAnswer {
  let first: { readonly at: string; readonly code: string } | undefined
  for (const { at, code } of scans) {
    if (at !== undefined && (first === undefined || at < first.at)) first = { at, code }
  }
  // A scan without a time cannot be stored.
  if (first === undefined) return unknown('scanned at an unknown time')
  const scan = scanOf(first.at, first.code)
  if (delivery?.at === undefined) return { kind: 'scanned', scan }
  return { kind: 'scanned', scan, delivery: scanOf(delivery.at, delivery.code) }
}

function scanOf(at: string, code: string): { readonly eventId: string; readonly at: string } {
  return { eventId: `${at}/${code.slice(0, CODE_MAX).replace(/[^\x20-\x7e]/g, '?')}`, at }
}

/**
 * Converts a carrier's ISO 8601 time to UTC; undefined if it is invalid. The offset may lack its colon. A time without
 * an offset counts as UTC: the time zone of the event is unknown, and an error of some hours does not matter.
 */
export function utcTime(text = ''): string | undefined {
  const local = text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
  const instant = parseInstant(/(Z|[+-]\d{2}:\d{2})$/.test(local) ? local : `${local}Z`)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

/** The carrier has no data about this parcel: nobody has scanned it, or the number is wrong. */
export type NoData = { readonly kind: 'no_data'; readonly cause: string }

/**
 * Connector methods for a carrier that takes no cancellations. If the carrier knows the parcel and has not scanned it,
 * the shipment is released: cancelled in Waybill only, and its label must be destroyed. A scan that follows the lookup
 * raises the alert SCANNED_AFTER_CANCELLATION. See docs/carriers.md.
 *
 * A parcel without data is released only if `exists` proves that the carrier has issued its label. Otherwise the answer
 * is `unknown`: the label may be new, or the number wrong. A refusal would make the partner ship it.
 */
export function releaseIfUnscanned(
  lookUp: (
    carrierRef: string,
    signal: AbortSignal,
    hints?: TrackHints,
  ) => Promise<CarrierTrackAnswer | NoData>,
  exists: (request: CancelRequest, signal: AbortSignal) => Promise<Existence> = async () => 'not proven',
): Required<Pick<Connector, 'cancel' | 'track'>> {
  return {
    async track(carrierRef, signal, hints) {
      const answer = await lookUp(carrierRef, signal, hints)
      return answer.kind === 'no_data' ? unknown(answer.cause) : answer
    },
    async cancel(request, signal) {
      const answer = await lookUp(request.carrierRef, signal, hintsOf(request))
      switch (answer.kind) {
        case 'announced':
          return { kind: 'cancelled', how: 'released' }
        case 'cancelled':
          return { kind: 'cancelled', how: 'already' }
        case 'scanned':
          return refusedAsScanned(answer)
        case 'no_data': {
          const existence = await exists(request, signal)
          if (existence === 'proven') return { kind: 'cancelled', how: 'released' }
          const repeatAfterMs = slowRepeatMs(request.ageMs)
          if (existence === 'not proven') return unknown(answer.cause, { repeatAfterMs })
          return { ...withoutStatus(existence), cause: `${answer.cause}; ${existence.cause}`, repeatAfterMs }
        }
        case 'unknown':
          return answer
      }
    },
  }
}

/** Whether the carrier has issued the label. `Unknown`: the call for it failed. */
export type Existence = 'proven' | 'not proven' | Unknown

/** The refusal that follows from a scan. */
export function refusedAsScanned({ scan }: Extract<CarrierTrackAnswer, { kind: 'scanned' }>): Refused {
  return refused('SCANNED', scan.eventId, `The carrier scanned the parcel at ${scan.at}`)
}
