/**
 * Reads duties and dates in the spelling of tariffs and spreadsheets. See docs/customs-files.md.
 */
import type { MeasureRow } from '../../core/customs/data/row-types/measures.ts'
import {
  type DutyParts,
  formatDutyParts,
  isMeursingTerm,
  parseDutyRate,
} from '../../core/customs/tariff/duty-text.ts'
import { isDay } from '../../core/input.ts'

/** The fields of a measure that are read from its duty text. */
export type DutyFields = Pick<
  MeasureRow,
  'adValoremPpm' | 'specific' | 'minimum' | 'maximum' | 'condition' | 'text'
>

/** Longer than any rate. Limits the size of a database row. */
const MAX_TEXT_LENGTH = 500

/** 1,000%, in parts per million. Higher rates are refused, because the decimal point is probably misplaced. */
export const HIGHEST_PPM = 10_000_000

export const EXPECTED_RATE = 'a rate of at most 1000%'

/** True for a rate above `HIGHEST_PPM`. */
export function isTooHigh({ adValoremPpm }: Pick<DutyFields, 'adValoremPpm'>): boolean {
  return adValoremPpm !== null && adValoremPpm > HIGHEST_PPM
}

/**
 * Reads a duty text. Amounts without a currency are in `currency`. A text that cannot be parsed is stored unchanged
 * with the condition `not_parsed`. A duty with an agricultural component is read without it, with the condition
 * `meursing`.
 */
export function dutyFieldsOf(text: string, currency: string): DutyFields {
  const rate = parseDutyRate(text, currency)
  if (rate === undefined)
    return {
      adValoremPpm: null,
      specific: '',
      minimum: '',
      maximum: '',
      condition: 'not_parsed',
      text: text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text,
    }
  const { base, minimum, maximum } = rate
  const specific = formatDutyParts({ specifics: base.specifics, open: base.open })
  const open = [base, minimum, maximum].flatMap((parts: DutyParts | undefined) => parts?.open ?? [])
  return {
    adValoremPpm: base.adValoremPpm ?? null,
    specific,
    minimum: minimum === undefined ? '' : formatDutyParts(minimum),
    maximum: maximum === undefined ? '' : formatDutyParts(maximum),
    condition: open.some(isMeursingTerm) ? 'meursing' : '',
    text: open.length > 0 ? text : '',
  }
}

export const EXPECTED_DAY = 'a day of the calendar such as 2026-01-31 or 31-01-2026'

const DAY_MILLISECONDS = 86_400_000

/**
 * Reads a date such as "2026-01-31", or day first "31-01-2026", as 'YYYY-MM-DD'. A time after it is ignored. Undefined
 * if it is not a day of the calendar.
 */
export function readDay(text: string): string | undefined {
  const [, year, month = '', day = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text) ?? []
  if (year !== undefined) return calendarDay(year, month, day)
  const [, first = '', second = '', last] =
    /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ].*)?$/.exec(text) ?? []
  return last === undefined ? undefined : calendarDay(last, second, first)
}

/** Tariffs write a day such as 9999-12-31 for "no last day". */
const LAST_YEAR = '2200'

/** The day, or null if it stands for "no last day". */
export function lastDayOrOpen(day: string | null): string | null {
  return day !== null && day.slice(0, 4) > LAST_YEAR ? null : day
}

/** The next day. Turns an inclusive last day into the first day on which a row no longer applies. */
export function dayAfter(day: string): string {
  return dayAt(Date.parse(day) + DAY_MILLISECONDS)
}

function calendarDay(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

function dayAt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}
