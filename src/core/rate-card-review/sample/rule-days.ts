/** Days on which a rule with weekdays, seasons or dates can apply. */
import type { Surcharge } from '../../rating/book/surcharge.ts'
import type { RuleFigures } from './rule-figures.ts'

const [DAYS_OF_WEEK, DAYS_OF_YEAR] = [7, 366]
const DAY_MS = 86_400_000

/**
 * The day, or the first day of the rule if that is later; for rules with weekdays the week after it; and for rules with
 * dates the next ones with the days before and after them. `isWide`: every day of a year, because holidays move.
 */
export function daysOfRule(
  { validFrom }: Pick<Surcharge, 'validFrom'>,
  { names, days }: RuleFigures,
  { day, isWide }: { readonly day: string; readonly isWide: boolean },
): readonly string[] {
  const first = validFrom > day ? validFrom : day
  const usesDate = names.has('date')
  const following = usesDate && isWide ? DAYS_OF_YEAR : names.has('weekday') ? DAYS_OF_WEEK : 1
  const stated = usesDate ? days.flatMap((text) => nextOn(text, first)) : []
  const around = stated.flatMap((date) => [0, -1, 1].map((count) => dayAfter(date, count)))
  const all = [...Array.from({ length: following }, (_, count) => dayAfter(first, count)), ...around]
  return [...new Set(all)].filter((date) => date >= first)
}

/** `text` is 'YYYY-MM-DD', or 'MM-DD' of every year. The first such day on or after `first`; none for past days. */
function nextOn(text: string, first: string): readonly string[] {
  if (text.length > 5) return text >= first ? [text] : []
  const year = Number(first.slice(0, 4))
  const date = `${text >= first.slice(5) ? year : year + 1}-${text}`
  // Not every year has 29 February.
  return Number.isNaN(Date.parse(date)) ? [] : [date]
}

function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)
}
