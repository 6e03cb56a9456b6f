/**
 * The day of pick-up and the days between which a shipment arrives. Rules: docs/delivery-dates.md.
 */
import type { TransitTime } from '../book/book-product.ts'
import type { BookTerms } from '../rate-card.ts'
import { type DayKind, dayNumber, dayText, type WorkCalendar, weekdayOf } from './work-calendar.ts'

/** 'YYYY-MM-DD'. A day is undefined if the calendar does not know it, or if it is more than a year away. */
export type DeliveryDates = {
  readonly pickup: string | undefined
  readonly earliest: string | undefined
  readonly latest: string | undefined
}

export type PickupTerms = Pick<BookTerms, 'pickupDays' | 'cutOffMinutes'>

/** A product on a route. */
export type Transport = {
  readonly fromCountry: string
  readonly toCountry: string
  readonly terms: PickupTerms
  readonly transit: TransitTime
}

/** Without `shippingDate` ('YYYY-MM-DD'), the shipment is ready today. */
export type ShippingTime = { readonly shippingDate: string | undefined; readonly nowMs: number }

export function deliveryDates(
  calendar: WorkCalendar,
  transport: Transport,
  time: ShippingTime,
): DeliveryDates {
  const pickup = pickupDay(calendar, transport, time)
  if (pickup === undefined) return { pickup: undefined, earliest: undefined, latest: undefined }
  const { minDays, maxDays } = transport.transit
  return {
    pickup: dayText(pickup),
    earliest: textOf(deliveryDay(calendar, transport, pickup, minDays)),
    latest: textOf(deliveryDay(calendar, transport, pickup, maxDays)),
  }
}

/** Limits the search to a year. */
const SEARCH_DAYS = 366

/**
 * The first day from `shippingDate` on, and not before today, on which the carrier picks up. Today is too late from the
 * cut-off on.
 */
function pickupDay(
  calendar: WorkCalendar,
  { fromCountry, terms }: Transport,
  { shippingDate, nowMs }: ShippingTime,
): number | undefined {
  const now = calendar.localTime(fromCountry, nowMs)
  if (now === undefined) return undefined
  const isTooLate = terms.cutOffMinutes !== undefined && now.minutes >= terms.cutOffMinutes
  const soonest = isTooLate ? now.day + 1 : now.day
  const first = shippingDate === undefined ? soonest : Math.max(dayNumber(shippingDate), soonest)
  for (let day = first; day < first + SEARCH_DAYS; day++) {
    const kind = calendar.kindOf(fromCountry, day)
    if (kind === undefined) return undefined
    if (isPickedUp(terms, day, kind)) return day
  }
  return undefined
}

/** Pick-up days of the card replace the working week of the country. There is no pick-up on a public holiday. */
function isPickedUp({ pickupDays }: PickupTerms, day: number, kind: DayKind): boolean {
  if (pickupDays === undefined) return kind === 'working'
  return kind !== 'holiday' && pickupDays.includes(weekdayOf(day))
}

/**
 * The working day at the destination on which the transit time ends. The first day of transit is also a working day at
 * the origin. A transit time of 0 days ends on the day of pick-up, or on the next working day at the destination.
 */
function deliveryDay(
  calendar: WorkCalendar,
  { fromCountry, toCountry }: Transport,
  pickup: number,
  transitDays: number,
): number | undefined {
  let remaining = transitDays
  for (let day = transitDays === 0 ? pickup : pickup + 1; day < pickup + SEARCH_DAYS; day++) {
    const there = calendar.kindOf(toCountry, day)
    const here = remaining === transitDays && transitDays > 0 ? calendar.kindOf(fromCountry, day) : 'working'
    if (there === undefined || here === undefined) return undefined
    if (there !== 'working' || here !== 'working') continue
    remaining--
    if (remaining <= 0) return day
  }
  return undefined
}

function textOf(day: number | undefined): string | undefined {
  return day === undefined ? undefined : dayText(day)
}
