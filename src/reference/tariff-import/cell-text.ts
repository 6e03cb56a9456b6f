/**
 * A published duty text as the fields of a measure. Decided here: a text that is not understood is kept as it is,
 * with the condition that says so; one that depends on an agricultural component is computed as far as it goes.
 */
import type { MeasureRow } from '../../core/customs/data/rows.ts'
import {
  type DutyParts,
  formatDutyParts,
  isMeursingTerm,
  parseDutyRate,
} from '../../core/customs/tariff/duty-text.ts'
import { isDay } from '../../core/input.ts'

/** The fields of a measure that its duty text decides. */
export type DutyFields = Pick<
  MeasureRow,
  'adValoremPpm' | 'specific' | 'minimum' | 'maximum' | 'condition' | 'text'
>

/** Longer than any rate, shorter than what a database row should carry around. */
const MAX_TEXT = 500

/** The largest rate that is kept; above it, a rate is a slip of the decimal point. In ppm: 1,000%. */
export const HIGHEST_PPM = 10_000_000

/** What is expected in place of a higher one. */
export const EXPECTED_RATE = 'a rate of at most 1000%'

/** True for a rate above the largest that is kept. */
export function isTooHigh({ adValoremPpm }: Pick<DutyFields, 'adValoremPpm'>): boolean {
  return adValoremPpm !== null && adValoremPpm > HIGHEST_PPM
}

/** Reads a text; amounts without a currency are in `currency`. */
export function dutyFieldsOf(text: string, currency: string): DutyFields {
  const rate = parseDutyRate(text, currency)
  if (rate === undefined)
    return {
      adValoremPpm: null,
      specific: '',
      minimum: '',
      maximum: '',
      condition: 'not_parsed',
      text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text,
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

// Days as tariffs and spreadsheets write them. Decided here: day before month where a date has no year in front, as
// the European and British publications do; a plain number is a day only in a workbook, where it counts from 1900
// or 1904; the day has to be one of the calendar; a last day after the year 2200 is none.

/** What is expected in place of a day that cannot be read. */
export const EXPECTED_DAY = 'a day of the calendar such as 2026-01-31 or 31-01-2026'

const DAY_MILLISECONDS = 86_400_000
/** Workbooks count days from here: the 60th of them is a 29 February 1900 that never was. */
const SERIAL_ZERO = Date.UTC(1899, 11, 30)
/** 31 December 9999. */
const LAST_SERIAL = 2_958_465

/** The day 'YYYY-MM-DD' a text says; a time of day behind it is dropped. Undefined when it is none. */
export function readDay(text: string): string | undefined {
  const [, year, month = '', day = ''] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text) ?? []
  if (year !== undefined) return existing(year, month, day)
  const [, first = '', second = '', last] =
    /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ].*)?$/.exec(text) ?? []
  return last === undefined ? undefined : existing(last, second, first)
}

/** The day a number in a workbook stands for; a part of a day is dropped. Undefined when it is none. */
export function readSerialDay(text: string): string | undefined {
  if (!/^\d{1,7}(\.\d+)?$/.test(text)) return undefined
  const serial = Math.floor(Number(text))
  if (serial < 61 || serial > LAST_SERIAL) return undefined
  return dayAt(SERIAL_ZERO + serial * DAY_MILLISECONDS)
}

/** Tariffs write days such as 9999-12-31 for no last day; no measure ends that late. */
const LAST_YEAR = '2200'

/** A last day, or null where it stands for none. */
export function lastDayOrOpen(day: string | null): string | null {
  return day !== null && day.slice(0, 4) > LAST_YEAR ? null : day
}

/** The day after: a last day included becomes the first day on which a row no longer holds. */
export function dayAfter(day: string): string {
  return dayAt(Date.parse(day) + DAY_MILLISECONDS)
}

function existing(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

function dayAt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10)
}
