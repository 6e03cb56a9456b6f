/**
 * The gateway's own answers for calls that are not sent, and the checks of answers. Texts of carriers are untrusted.
 */
import type { BookingLookup, CarrierBookAnswer } from '../../core/shipments/booking.ts'
import type { CarrierCancelAnswer, NotSent } from '../../core/shipments/cancellation.ts'
import { PARCELS_MAX } from '../../core/shipments/parcels.ts'
import {
  type CarrierTrackAnswer,
  EVENT_ID_FORMAT,
  TRACKING_NUMBER_FORMAT,
} from '../../core/shipments/tracking.ts'
import type { BatchParcel } from '../connector.ts'
import { type Unknown, unknown } from '../connectors/judgement.ts'

export const notSent = (cause: string): NotSent => ({ kind: 'not_sent', cause })

export const NOT_CONFIGURED = notSent('this carrier is not configured')
export const UNUSABLE_NUMBER = notSent('this number cannot be part of a URL')

/** `.` and `..` are path segments even if they are percent-encoded. */
export function isDotSegment(number: string): boolean {
  return /^\.{1,2}$/.test(number)
}

/** Whether the tracking number or the order number of a parcel is one. */
export function hasDotSegment({ carrierRef, orderRef = '' }: BatchParcel): boolean {
  return isDotSegment(carrierRef) || isDotSegment(orderRef)
}

/** The carrier may have a booking under a number that Waybill cannot use. An operator has to look. */
const UNUSABLE_BOOKING: Unknown = { kind: 'unknown', cause: 'unusable tracking number', configuration: true }

/** Without the details that the gateway has acted on. */
function checkedUnknown({ cause, status }: Unknown): Unknown {
  return unknown(cleanText(cause), status === undefined ? {} : { status })
}

export function checkedCancelAnswer(answer: CarrierCancelAnswer | NotSent): CarrierCancelAnswer | NotSent {
  switch (answer.kind) {
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: refusalText(answer.message) }
    case 'unknown':
      return {
        ...checkedUnknown(answer),
        ...(answer.repeatAfterMs !== undefined && { repeatAfterMs: answer.repeatAfterMs }),
      }
    case 'cancelled':
    case 'not_sent':
      return answer
  }
}

export function checkedBookAnswer(answer: CarrierBookAnswer | NotSent): CarrierBookAnswer | NotSent {
  switch (answer.kind) {
    case 'refused':
      return { ...answer, code: cleanText(answer.code), message: refusalText(answer.message) }
    case 'unknown':
      return checkedUnknown(answer)
    case 'booked':
    case 'not_sent':
      return answer
  }
}

/** Returns `unknown` if a number is unusable, or does not have the format of the carrier's numbers. */
export function usableBooking<Answer extends CarrierBookAnswer | BookingLookup>(
  answer: Answer,
  faultOf: (carrierRef: string) => string | undefined,
): Answer | Unknown {
  if (answer.kind !== 'booked') return answer
  const { carrierRef, parcelRefs, orderRef } = answer
  const isValid = (number: string) => TRACKING_NUMBER_FORMAT.test(number) && faultOf(number) === undefined
  const numbers = parcelRefs ?? [carrierRef]
  const isUsable =
    numbers.every(isValid) &&
    numbers[0] === carrierRef &&
    (orderRef === undefined || TRACKING_NUMBER_FORMAT.test(orderRef)) &&
    new Set(numbers).size === numbers.length &&
    (parcelRefs === undefined || (numbers.length > 1 && numbers.length <= PARCELS_MAX))
  return isUsable ? answer : UNUSABLE_BOOKING
}

type ReportedScan = { readonly eventId: string; readonly at: string }

function usableScan({ eventId, at }: ReportedScan): ReportedScan | undefined {
  const instant = Date.parse(at)
  if (!isPlausible(instant) || !EVENT_ID_FORMAT.test(eventId)) return undefined
  return { eventId, at: new Date(instant).toISOString() }
}

export function checkedTrackAnswer(answer: CarrierTrackAnswer | NotSent): CarrierTrackAnswer | NotSent {
  switch (answer.kind) {
    case 'scanned': {
      const scan = usableScan(answer.scan)
      if (scan === undefined) return unknown('unusable scan')
      const delivery = answer.delivery && usableScan(answer.delivery)
      return { kind: 'scanned', scan, ...(delivery !== undefined && { delivery }) }
    }
    case 'unknown':
      return checkedUnknown(answer)
    case 'announced':
    case 'cancelled':
    case 'not_sent':
      return answer
  }
}

const DAY_MS = 86_400_000

/** From 2000 on, and at most a day ahead (clock errors, time zones). False for NaN. */
function isPlausible(instant: number): boolean {
  return instant >= Date.UTC(2000) && instant <= Date.now() + DAY_MS
}

/** Longest text of a carrier that is stored, in characters. */
export const CARRIER_TEXT_MAX = 300

/** The cleaned text of a refusal; never empty. */
export function refusalText(message: string): string {
  const text = cleanText(message)
  return text === '' ? 'no reason given' : text
}

/**
 * The text without control characters (line breaks could forge log lines, PostgreSQL rejects NUL), marks that reverse
 * the direction of text, and lone surrogates. White space is collapsed. At most `CARRIER_TEXT_MAX` characters.
 */
export function cleanText(text: string): string {
  // Truncated first, so that cleaning a body of megabytes takes no longer.
  const whole = text.slice(0, 20 * CARRIER_TEXT_MAX).toWellFormed()
  const cleaned = whole
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  return [...cleaned].slice(0, CARRIER_TEXT_MAX).join('').trimEnd()
}
