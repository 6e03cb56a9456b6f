import { describe, expect, test } from 'vitest'
import { compileCondition } from '../../../src/core/expressions/expression.ts'
import { printExpression } from '../../../src/core/expressions/printer.ts'
import type { Vocabulary } from '../../../src/core/expressions/vocabulary.ts'
import { dayNumber } from '../../../src/core/rating/delivery/work-calendar.ts'
import { openWorkCalendar } from '../../../src/reference/work-calendar.ts'

const vocabulary: Vocabulary<number> = {
  measures: new Map([['date', { type: 'day', read: (day) => day }]]),
  lists: new Map(),
  unavailable: new Map(),
}
/** `day` is 'YYYY-MM-DD'. */
const holds = (text: string, day: string): boolean =>
  compileCondition(text, vocabulary).holds(Number(day.replaceAll('-', '')))

describe('Easter', () => {
  test.each([
    // The earliest and the latest possible days, exceptions of the rule, and recent years. U.S. Naval Observatory,
    // "The Date of Easter"; orthodox days from the World Council of Churches, "The date of Easter".
    ['easter', '1818-03-22'],
    ['easter', '1943-04-25'],
    ['easter', '1954-04-18'],
    ['easter', '1981-04-19'],
    ['easter', '2000-04-23'],
    ['easter', '2024-03-31'],
    ['easter', '2025-04-20'],
    ['easter', '2026-04-05'],
    ['easter', '2027-03-28'],
    ['easter', '2038-04-25'],
    ['orthodox_easter', '2023-04-16'],
    ['orthodox_easter', '2024-05-05'],
    ['orthodox_easter', '2025-04-20'],
    ['orthodox_easter', '2026-04-12'],
    ['orthodox_easter', '2027-05-02'],
  ])('%s is %s', (name, day) => {
    expect(holds(`date = ${name}`, day)).toBe(true)
    expect(holds(`date != ${name}`, day)).toBe(false)
    expect(holds(`date = ${name} + 1`, day)).toBe(false)
  })
})

describe('movable days are public holidays of the shipped calendars', () => {
  const calendar = openWorkCalendar()
  const days = Array.from({ length: 365 * 10 + 2 }, (_, index) =>
    new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
  )
  test.each([
    ['DE', 'easter - 2'],
    ['DE', 'easter + 1'],
    ['DE', 'easter + 39'],
    ['DE', 'easter + 50'],
    ['GR', 'orthodox_easter - 2'],
    ['GR', 'orthodox_easter + 1'],
    ['US', 'nth(4, Thu, Nov)'],
    ['US', 'last(Mon, May)'],
    ['US', 'nth(1, Mon, Sep)'],
    ['US', 'nth(3, Mon, Jan)'],
  ])('in %s: %s', (country, text) => {
    const condition = compileCondition(`date = ${text}`, vocabulary)
    const found = days.filter((day) => condition.holds(Number(day.replaceAll('-', ''))))
    expect(found.map((day) => day.slice(0, 4))).toEqual(
      Array.from({ length: 10 }, (_, index) => String(2026 + index)),
    )
    expect(found.filter((day) => calendar.kindOf(country, dayNumber(day)) !== 'holiday')).toEqual([])
  })
})

test.each([
  ['date in easter - 2..easter + 1', '2026-04-02', false],
  ['date in easter - 2..easter + 1', '2026-04-03', true],
  ['date in easter - 2..easter + 1', '2026-04-06', true],
  ['date in easter - 2..easter + 1', '2026-04-07', false],
  ['date in easter - 2..easter + 1', '2027-04-03', false],
  // Thanksgiving is 26 November 2026.
  ['date in nth(4, Thu, Nov)..01-05', '2026-11-25', false],
  ['date in nth(4, Thu, Nov)..01-05', '2026-11-26', true],
  ['date in nth(4, Thu, Nov)..01-05', '2027-01-05', true],
  ['date in nth(4, Thu, Nov)..01-05', '2027-01-06', false],
  ['date in (12-25, easter - 2, last(Sun, Feb))', '2028-02-27', true],
  ['date = last(Tue, Feb)', '2028-02-29', true],
  ['date not in (easter)', '2026-04-05', false],
])('%s on %s: %s', (text, day, expected) => {
  expect(holds(text, day)).toBe(expected)
})

test('the days of several years can be asked for in turn', () => {
  const { holds: isEaster } = compileCondition('date = easter', vocabulary)
  expect([20_260_405, 20_270_328, 20_260_405, 20_270_405].map(isEaster)).toEqual([true, true, true, false])
})

test('a movable day is printed as it is written', () => {
  const text = 'date in (easter - 2, nth(4, Thu, Nov)..12-24)'
  expect(printExpression(compileCondition(text, vocabulary).syntax, () => undefined)).toBe(text)
})

const EXPECTED =
  'expected a day such as 2026-12-24, 12-24 (of every year), easter, easter - 2, nth(4, Thu, Nov) or last(Mon, May)'

test.each([
  ['date = Easter', EXPECTED],
  ['date = easter * 2', EXPECTED],
  ['date = easter[1]', EXPECTED],
  ['date = 5', EXPECTED],
  ['date = nth', EXPECTED],
  ['date = easter - 81', 'expected a number of days, at most 80, as in easter - 2'],
  ['date = easter - 2.5', 'expected a number of days, at most 80, as in easter - 2'],
  ['date = easter - 2 kg', 'expected a number of days, at most 80, as in easter - 2'],
  ['date = nth(5, Thu, Nov)', 'expected nth(4, Thu, Nov), with 1 to 4'],
  ['date = nth(0, Thu, Nov)', 'expected nth(4, Thu, Nov), with 1 to 4'],
  ['date = nth(1, Thursday, Nov)', 'expected nth(4, Thu, Nov), with 1 to 4'],
  ['date = nth(1, Thu)', 'expected nth(4, Thu, Nov), with 1 to 4'],
  ['date = last(Mon, 5)', 'expected last(Mon, May)'],
  ['date = last(1, Mon, May)', 'expected last(Mon, May)'],
  ['date > easter', 'a day of every year can only be compared with =, != and in, as in 11-15..01-05'],
  ['date in easter..2026-12-24', 'either both ends of a range have a year, or none'],
  ['date = easter..', 'expected the end of the expression or an operator, found ..'],
])('refuses %s', (text, message) => {
  expect(() => compileCondition(text, vocabulary)).toThrow(message)
})
