/**
 * Checks what a definition returned. Anything but a complete answer is `unknown`: a definition cannot say that nothing
 * was sent. `hide` replaces credentials in texts.
 */
import { isJsonObject, type JsonObject } from '../../../core/input.ts'
import type { BookedNumbers, BookingLookup, CarrierBookAnswer } from '../../../core/shipments/booking.ts'
import type { CarrierCancelAnswer } from '../../../core/shipments/cancellation.ts'
import type { RefusalCode } from '../../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../../core/shipments/tracking.ts'
import type { CheckAnswer, ManyTracked } from '../../connector.ts'
import { ACCEPTED, refused, type Unknown, unknown } from '../judgement.ts'
import type { Existence, NoData } from '../parcel-history.ts'
import type { LookUpFirst } from './definition.ts'

export type Hide = (text: string) => string

const HOW = ['now', 'already', 'accepted', 'released'] as const
const REASONS: readonly RefusalCode[] = ['SCANNED', 'WINDOW_CLOSED', 'UNKNOWN_PARCEL', 'NOT_CANCELLABLE']

const INVALID = unknown('the connector returned an invalid answer')

function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

const DAY_MS = 86_400_000

/** At most a day. */
function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.min(value, DAY_MS) : undefined
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599
}

function objectOf(answer: unknown): JsonObject {
  return isJsonObject(answer) ? answer : {}
}

/** An `unknown` answer with its details. An answer of another kind is invalid, which is `unknown` too. */
function unknownOf(answer: unknown, hide: Hide): Unknown {
  const { kind, cause, status, configuration, ...more } = objectOf(answer)
  if (kind !== 'unknown' || !isText(cause)) return INVALID
  const retryAfterMs = milliseconds(more['retryAfterMs'])
  const repeatAfterMs = milliseconds(more['repeatAfterMs'])
  return unknown(hide(cause), {
    ...(isStatus(status) && { status }),
    ...(configuration === true && { configuration }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(repeatAfterMs !== undefined && { repeatAfterMs }),
  })
}

export function cancelAnswerOf(answer: unknown, hide: Hide): CarrierCancelAnswer | LookUpFirst {
  const { kind, otherwise, ifAnnounced, ifNoData } = objectOf(answer)
  if (kind !== 'look_up') return settledAnswerOf(answer, hide)
  return {
    kind,
    otherwise: unknownOf(otherwise, hide),
    ...(ifAnnounced !== undefined && { ifAnnounced: settledAnswerOf(ifAnnounced, hide) }),
    ...(ifNoData !== undefined && { ifNoData: settledAnswerOf(ifNoData, hide) }),
  }
}

function settledAnswerOf(answer: unknown, hide: Hide): CarrierCancelAnswer {
  const { kind, how, reason, code, message } = objectOf(answer)
  if (kind === 'cancelled') {
    const known = oneOf(HOW, how)
    return known === undefined ? INVALID : { kind, how: known }
  }
  if (kind !== 'refused') return unknownOf(answer, hide)
  const known = oneOf(REASONS, reason)
  if (known === undefined || !isText(code) || !isText(message)) return INVALID
  return refused(known, hide(code), hide(message))
}

export function trackAnswerOf(answer: unknown, hide: Hide): CarrierTrackAnswer | NoData {
  const { kind, cause, scan, delivery } = objectOf(answer)
  if (kind === 'announced' || kind === 'cancelled') return { kind }
  if (kind === 'no_data') return isText(cause) ? { kind, cause: hide(cause) } : INVALID
  if (kind !== 'scanned') return unknownOf(answer, hide)
  // The gateway checks the format of the id and the time.
  const first = scanOf(scan)
  const last = delivery === undefined ? undefined : scanOf(delivery)
  if (first === undefined || (delivery !== undefined && last === undefined)) return INVALID
  return { kind, scan: first, ...(last !== undefined && { delivery: last }) }
}

function scanOf(scan: unknown): { readonly eventId: string; readonly at: string } | undefined {
  const { eventId, at } = objectOf(scan)
  return isText(eventId) && isText(at) ? { eventId, at } : undefined
}

export function manyTrackedOf(answer: unknown, hide: Hide): ManyTracked {
  const { kind, parcels } = objectOf(answer)
  if (kind !== 'tracked') return unknownOf(answer, hide)
  if (!(parcels instanceof Map)) return INVALID
  const checked = [...parcels].map(([number, one]): [string, CarrierTrackAnswer] => {
    const lookup = trackAnswerOf(one, hide)
    return [String(number), lookup.kind === 'no_data' ? unknown(lookup.cause) : lookup]
  })
  return { kind, parcels: new Map(checked) }
}

export function checkAnswerOf(answer: unknown, hide: Hide): CheckAnswer {
  return objectOf(answer)['kind'] === 'accepted' ? ACCEPTED : unknownOf(answer, hide)
}

export function existenceOf(answer: unknown, hide: Hide): Existence {
  return answer === 'proven' || answer === 'not proven' ? answer : unknownOf(answer, hide)
}

export function bookAnswerOf(answer: unknown, hide: Hide): CarrierBookAnswer {
  const { kind, code, message } = objectOf(answer)
  if (kind === 'booked') return bookedOf(answer)
  if (kind !== 'refused') return unknownOf(answer, hide)
  return isText(code) && isText(message) ? { kind, code: hide(code), message: hide(message) } : INVALID
}

export function bookingLookupOf(answer: unknown, hide: Hide): BookingLookup {
  const { kind } = objectOf(answer)
  if (kind === 'none') return { kind }
  return kind === 'booked' ? bookedOf(answer) : unknownOf(answer, hide)
}

/** The gateway checks the format of the numbers. */
function bookedOf(answer: unknown): ({ readonly kind: 'booked' } & BookedNumbers) | Unknown {
  const { carrierRef, parcelRefs, orderRef } = objectOf(answer)
  if (!isText(carrierRef) || (orderRef !== undefined && !isText(orderRef))) return INVALID
  const order = orderRef === undefined ? {} : { orderRef }
  if (parcelRefs === undefined) return { kind: 'booked', carrierRef, ...order }
  if (!Array.isArray(parcelRefs) || !parcelRefs.every(isText)) return INVALID
  return { kind: 'booked', carrierRef, parcelRefs, ...order }
}
