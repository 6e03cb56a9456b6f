/**
 * Days as numbers, and the calendar of working days that delivery dates are calculated with.
 * src/reference/work-calendar.ts implements the calendar. Rules: docs/delivery-dates.md.
 */

/** A day that is both in a weekend and a public holiday is a holiday. */
export type DayKind = 'working' | 'weekend' | 'holiday'

/** Days are numbers of days since 1970-01-01, because they are compared and counted. */
export interface WorkCalendar {
  /** Undefined if the public holidays of the country in that year are not known. */
  kindOf(country: string, day: number): DayKind | undefined
  /** The time in the capital at an instant, in milliseconds since 1970. Undefined if the time zone is not known. */
  localTime(country: string, instantMs: number): LocalTime | undefined
}

/** `minutes` is the number of minutes since midnight on the clock. */
export type LocalTime = { readonly day: number; readonly minutes: number }

const DAY_MS = 86_400_000

/** The number of a day 'YYYY-MM-DD'. */
export function dayNumber(day: string): number {
  return Date.parse(day) / DAY_MS
}

/** The day 'YYYY-MM-DD' of a number. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** From 1 (Monday) to 7 (Sunday), as in ISO 8601. Day 0 was a Thursday. `day` must not be negative. */
export function weekdayOf(day: number): number {
  return ((day + 3) % 7) + 1
}
