/** Weekdays and times of day as they are written in rate cards. */

/** The names of weekdays in rate cards. ISO weekday 1 is the first. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** 960 minutes since midnight are "16:00". */
export function clockText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
