/**
 * The shipped calendars: time zone, weekend and national public holidays of countries. See docs/delivery-dates.md for
 * their sources. The files are read at the first use, and the days of a country at its first use. Both are kept, so the
 * size of the files bounds the memory.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type DayKind,
  dayNumber,
  type LocalTime,
  type WorkCalendar,
  weekdayOf,
} from '../core/rating/delivery/work-calendar.ts'

const FOLDER = path.join(import.meta.dirname, 'work-calendars')

/** Does not read the files yet. */
export function openWorkCalendar(): WorkCalendar {
  const countries = new Map<string, CountryCalendar | undefined>()
  let rows: CalendarRows | undefined
  const calendarOf = (country: string): CountryCalendar | undefined => {
    if (countries.has(country)) return countries.get(country)
    rows ??= readRows()
    const calendar = compile(country, rows)
    countries.set(country, calendar)
    return calendar
  }
  return {
    kindOf: (country, day) => calendarOf(country)?.kindOf(day),
    localTime: (country, instantMs) => calendarOf(country)?.localTime(instantMs),
  }
}

type CalendarRows = {
  /** Time zone and weekend by country. */
  readonly countries: ReadonlyMap<string, readonly [timeZone: string, weekend: string]>
  /** The rows of holidays.csv by country: the year, and the days as 'MM-DD' with blanks between them. */
  readonly holidays: ReadonlyMap<string, readonly (readonly [year: string, days: string])[]>
}

function readRows(): CalendarRows {
  const countries = new Map(
    readCells('countries.csv').map(([country, timeZone, weekend]) => [country, [timeZone, weekend] as const]),
  )
  const holidays = new Map<string, (readonly [string, string])[]>()
  for (const [country, year, days] of readCells('holidays.csv')) {
    const years = holidays.get(country) ?? []
    holidays.set(country, years)
    years.push([year, days])
  }
  return { countries, holidays }
}

/** The cells of a file with three columns, without comments and the header. */
function readCells(file: string): readonly (readonly [string, string, string])[] {
  const lines = readFileSync(path.join(FOLDER, file), 'utf8').split('\n')
  const [, ...rows] = lines.filter((line) => line !== '' && !line.startsWith('#'))
  return rows.map((row) => {
    const [first = '', second = '', third = ''] = row.split(',')
    return [first, second, third]
  })
}

type CountryCalendar = {
  kindOf(day: number): DayKind | undefined
  localTime(instantMs: number): LocalTime
}

function compile(country: string, { countries, holidays }: CalendarRows): CountryCalendar | undefined {
  const [timeZone, weekendText] = countries.get(country) ?? []
  const years = holidays.get(country)
  if (timeZone === undefined || weekendText === undefined || years === undefined) return undefined
  const weekend = new Set(weekendText.split(' ').map(Number))
  const days = new Set(
    years.flatMap(([year, list]) => list.split(' ').map((day) => dayNumber(`${year}-${day}`))),
  )
  const first = dayNumber(`${years[0]![0]}-01-01`)
  const last = dayNumber(`${years.at(-1)![0]}-12-31`)
  return {
    kindOf(day) {
      if (day < first || day > last) return undefined
      if (days.has(day)) return 'holiday'
      return weekend.has(weekdayOf(day)) ? 'weekend' : 'working'
    },
    localTime: openLocalTime(timeZone),
  }
}

const MINUTE_MS = 60_000

/** Formatting a time takes microseconds, and a batch needs it thousands of times, so the last minute is kept. */
function openLocalTime(timeZone: string): (instantMs: number) => LocalTime {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  let lastMinute: number | undefined
  let last: LocalTime | undefined
  return (instantMs) => {
    const minute = Math.floor(instantMs / MINUTE_MS)
    if (last !== undefined && minute === lastMinute) return last
    // "2026-11-28 16:05"
    const [day = '', time = ''] = format.format(instantMs).split(' ')
    const [hours, minutes] = time.split(':')
    last = { day: dayNumber(day), minutes: Number(hours) * 60 + Number(minutes) }
    lastMinute = minute
    return last
  }
}
