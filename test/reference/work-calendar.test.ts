/** The shipped calendars, against lists of holidays that were written by hand. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { groupBy } from '../../src/core/group-by.ts'
import { COUNTRY_CODES } from '../../src/core/place.ts'
import { dayNumber, dayText, weekdayOf } from '../../src/core/rating/delivery/work-calendar.ts'
import { openWorkCalendar } from '../../src/reference/work-calendar.ts'

const calendar = openWorkCalendar()
const FOLDER = '../../src/reference/work-calendars'
const YEARS = [2026, 2027, 2028, 2029, 2030, 2031, 2032, 2033, 2034, 2035]

/**
 * National holidays that are not on a Sunday. Easter Sunday is 5 April 2026 and 28 March 2027; Ascension Day is 39 days
 * later, Whit Monday 50 and Corpus Christi 60. Sources:
 *
 * - NL: rijksoverheid.nl, "Officiële feestdagen", without Good Friday and 5 May, on which most people work.
 * - DE: the days that the holiday acts of all states name, and article 2 of the Unification Treaty.
 * - FR: Code du travail, article L3133-1.
 * - ES: Real Decreto 2001/1983, article 45, as published each year in the Boletín Oficial del Estado.
 * - PL: act of 18 January 1951 on days off work, with 24 December since 2025.
 */
const HOLIDAYS: readonly (readonly [country: string, year: number, days: string])[] = [
  ['NL', 2026, '01-01 04-06 04-27 05-14 05-25 12-25 12-26'],
  ['NL', 2027, '01-01 03-29 04-27 05-06 05-17 12-25'],
  ['DE', 2026, '01-01 04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26'],
  ['DE', 2027, '01-01 03-26 03-29 05-01 05-06 05-17 12-25'],
  ['FR', 2026, '01-01 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-11 12-25'],
  ['FR', 2027, '01-01 03-29 05-01 05-06 05-08 05-17 07-14 11-01 11-11 12-25'],
  ['ES', 2026, '01-01 01-06 04-03 05-01 08-15 10-12 12-08 12-25'],
  ['ES', 2027, '01-01 01-06 03-26 05-01 10-12 11-01 12-06 12-08 12-25'],
  ['PL', 2026, '01-01 01-06 04-06 05-01 06-04 08-15 11-11 12-24 12-25 12-26'],
  ['PL', 2027, '01-01 01-06 03-29 05-01 05-03 05-27 11-01 11-11 12-24 12-25'],
]

const daysOf = (year: number): readonly number[] => {
  const first = dayNumber(`${year}-01-01`)
  return Array.from({ length: dayNumber(`${year + 1}-01-01`) - first }, (_, index) => first + index)
}

describe('the shipped calendars', () => {
  test.each(HOLIDAYS)('have the holidays of %s in %i', (country, year, expected) => {
    const holidays = daysOf(year).filter(
      (day) => weekdayOf(day) !== 7 && calendar.kindOf(country, day) === 'holiday',
    )
    expect(holidays.map((day) => dayText(day).slice(5)).join(' ')).toBe(expected)
  })

  test.each([
    ['NL', '2026-11-27', 'working'],
    ['NL', '2026-11-28', 'weekend'],
    ['NL', '2026-11-29', 'weekend'],
    ['AE', '2026-11-27', 'working'],
    ['AE', '2026-11-28', 'weekend'],
    ['SA', '2026-11-27', 'weekend'],
    ['SA', '2026-11-28', 'weekend'],
    ['SA', '2026-11-29', 'working'],
    ['IN', '2026-11-28', 'working'],
    ['IN', '2026-11-29', 'weekend'],
  ])('know the weekend of %s: %s is %s', (country, day, kind) => {
    expect(calendar.kindOf(country, dayNumber(day))).toBe(kind)
  })

  test('know the years of the files and no others', () => {
    expect(
      ['2025-12-31', '2026-01-02', '2035-12-31', '2036-01-01'].map((day) =>
        calendar.kindOf('NL', dayNumber(day)),
      ),
    ).toEqual([undefined, 'working', 'working', undefined])
  })

  test('do not know countries without data', () => {
    const day = dayNumber('2026-11-27')
    const missing = COUNTRY_CODES.filter((country) => calendar.kindOf(country, day) === undefined)
    expect(missing).toEqual(expect.arrayContaining(['AF', 'AQ', 'KW', 'QA']))
    expect(missing).not.toEqual(expect.arrayContaining(['US']))
    expect(calendar.localTime('QA', 0)).toBeUndefined()
    const page = readFileSync(path.join(import.meta.dirname, '../../docs/delivery-dates.md'), 'utf8')
    expect(page.replaceAll('\n', ' ')).toContain(` ${missing.join(' ')}.`)
  })

  test.each([
    ['NL', '2026-11-28T15:05:30Z', '2026-11-28', 16 * 60 + 5],
    ['NL', '2026-07-01T22:30:00Z', '2026-07-02', 30],
    ['US', '2026-11-28T02:00:00Z', '2026-11-27', 21 * 60],
    ['NZ', '2026-11-28T12:00:00Z', '2026-11-29', 60],
    ['NP', '2026-11-28T12:00:00Z', undefined, undefined],
    ['IN', '2026-11-28T18:30:00Z', '2026-11-29', 0],
  ])('know the time in the capital of %s at %s', (country, instant, day, minutes) => {
    const expected = day === undefined ? undefined : { day: dayNumber(day), minutes }
    expect(calendar.localTime(country, Date.parse(instant))).toEqual(expected)
  })

  test('know the time again in a later minute', () => {
    const at = Date.parse('2026-11-28T15:05:30Z')
    expect([at, at + 29_000, at + 30_000].map((ms) => calendar.localTime('NL', ms)?.minutes)).toEqual([
      965, 965, 966,
    ])
  })

  test('know the time wherever they know the holidays', () => {
    const day = dayNumber('2026-11-27')
    const known = COUNTRY_CODES.filter((country) => calendar.kindOf(country, day) !== undefined)
    expect(known.length).toBeGreaterThan(200)
    expect(known.filter((country) => calendar.localTime(country, Date.now()) === undefined)).toEqual([])
  })

  test('have all years of every country, with a plausible number of days', () => {
    const rows = readFileSync(path.join(import.meta.dirname, `${FOLDER}/holidays.csv`), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]{2},/.test(line))
      .map((line) => line.split(','))
    const years = groupBy(rows, ([country = '']) => country)
    for (const [country, list] of years) {
      expect([country, list.map(([, year]) => Number(year))]).toEqual([country, YEARS])
      for (const [, year, days = ''] of list) {
        const texts = days.split(' ').map((day) => `${year}-${day}`)
        expect(texts.map((day) => dayText(dayNumber(day)))).toEqual(texts)
        expect(texts).toEqual([...new Set(texts)].sort())
        expect([country, year, texts.length >= 4 && texts.length <= 31]).toEqual([country, year, true])
      }
    }
    expect(years.size).toBeGreaterThan(200)
  })
})
