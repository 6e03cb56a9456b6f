/**
 * The age of data sets: when the next edition is due, and how much the age of an edition lowers the reliability of its
 * figures. See docs/customs-data.md#reliability.
 */
import type { Confidence } from './row-types/table.ts'
import type { DataSetRow } from './rows.ts'

/** The most reliable first. */
export const CONFIDENCES: readonly Confidence[] = ['high', 'medium', 'low']

/** `high` if there are no parts. After a part with `low`, the others are not read. */
export function lowestConfidence<Part>(
  parts: readonly Part[],
  confidenceOf: (part: Part) => Confidence,
): Confidence {
  let lowest: Confidence = 'high'
  for (const part of parts) {
    const confidence = confidenceOf(part)
    if (confidence === 'low') return confidence
    if (confidence === 'medium') lowest = confidence
  }
  return lowest
}

const DAY_MS = 86_400_000

/** Two years. An overdue edition that is older is unreliable. */
const UNRELIABLE_DAYS = 731

type Edition = Pick<DataSetRow, 'date' | 'cycleDays'>

/** The day on which the next edition is due ('YYYY-MM-DD'): one cycle after this one. Undefined without a cycle. */
export function nextEditionDue({ date, cycleDays }: Edition): string | undefined {
  if (cycleDays === null) return undefined
  return new Date(Date.parse(date) + cycleDays * DAY_MS).toISOString().slice(0, 10)
}

/** Whether a newer edition should exist on a day ('YYYY-MM-DD'). False on the day on which it is due. */
export function isOverdue(edition: Edition, day: string): boolean {
  return edition.cycleDays !== null && ageInDays(edition, day) > edition.cycleDays
}

/** Days since the next edition was due. 0 if it is not overdue, or has no cycle. */
export function overdueDays(edition: Edition, day: string): number {
  return isOverdue(edition, day) ? ageInDays(edition, day) - (edition.cycleDays ?? 0) : 0
}

function ageInDays({ date }: Edition, day: string): number {
  return (Date.parse(day) - Date.parse(date)) / DAY_MS
}

/**
 * The reliability of a figure on a day. An edition that is older than two of its cycles costs one grade. One that is
 * overdue and older than two years is unreliable.
 */
export function agedConfidence(
  confidence: Confidence,
  edition: Edition | undefined,
  day: string,
): Confidence {
  if (confidence === 'low' || edition === undefined || edition.cycleDays === null) return confidence
  const age = ageInDays(edition, day)
  if (age <= edition.cycleDays) return confidence
  if (age > UNRELIABLE_DAYS) return 'low'
  if (age <= 2 * edition.cycleDays) return confidence
  return confidence === 'high' ? 'medium' : 'low'
}

/** The sets that are overdue on a day, in their order. */
export function overdueSets<Set extends Edition>(sets: Iterable<Set>, day: string): readonly Set[] {
  return [...sets].filter((set) => isOverdue(set, day))
}
