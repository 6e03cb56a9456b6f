/**
 * Days in expressions: '2026-11-21' is 20261121, and the day of every year '11-21' is 1121. Movable days have another
 * number in each year. See docs/rate-card-expressions.md#days.
 */
import { WEEKDAYS } from '../clock-text.ts'
import { ExpressionFault } from './expression-fault.ts'
import type { Syntax } from './syntax.ts'

/** A day, or a day of every year: `in` gives its number 1121 in a year. */
export type Day =
  | { readonly kind: 'date'; readonly number: number }
  | { readonly kind: 'yearly'; readonly in: (year: number) => number }

const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

const EXPECTED =
  'expected a day such as 2026-12-24, 12-24 (of every year), easter, easter - 2, nth(4, Thu, Nov) or last(Mon, May)'

/** Easter is on 22 March at the earliest, and orthodox Easter on 8 May at the latest, so the year stays the same. */
const MAX_EASTER_DAYS = 80

/** Throws an ExpressionFault. */
export function dayOf(syntax: Syntax): Day {
  switch (syntax.kind) {
    case 'day':
      return fixedDay(syntax.text, syntax.at)
    case 'name': {
      const easter = EASTERS[syntax.name]
      if (easter !== undefined && syntax.index === undefined) return easterDay(easter, 0)
      break
    }
    case 'arithmetic': {
      const { operator, left, right, at } = syntax
      const easter = left.kind === 'name' ? EASTERS[left.name] : undefined
      if (easter === undefined || (operator !== '+' && operator !== '-')) break
      const days = wholeNumber(right)
      if (days === undefined || days > MAX_EASTER_DAYS)
        throw new ExpressionFault(
          at,
          `expected a number of days, at most ${MAX_EASTER_DAYS}, as in easter - 2`,
        )
      return easterDay(easter, operator === '+' ? days : -days)
    }
    case 'call':
      if (syntax.name === 'nth' || syntax.name === 'last') return weekdayDay(syntax)
  }
  throw new ExpressionFault(syntax.at, EXPECTED)
}

function fixedDay(text: string, at: number): Day {
  const [year, month = 0, day = 0] = text.length === 5 ? [undefined, ...parts(text)] : parts(text)
  const isLeapless = year !== undefined && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))
  const last = month === 2 && isLeapless ? 28 : (DAYS_OF_MONTH[month - 1] ?? 0)
  if (day < 1 || day > last)
    throw new ExpressionFault(at, `${text} is not a day; to subtract, put blanks around the minus sign`)
  const number = month * 100 + day
  return year === undefined
    ? { kind: 'yearly', in: () => number }
    : { kind: 'date', number: year * 10_000 + number }
}

function parts(text: string): number[] {
  return text.split('-').map(Number)
}

/** Easter Sunday as days after 1 March of the Gregorian calendar. */
type Easter = (year: number) => number

function easterDay(easter: Easter, days: number): Day {
  return movable((year) => numberOf(year, 3, 1 + easter(year) + days))
}

/** Remembers the number of the latest year, because most prices are those of one day. */
function movable(numberIn: (year: number) => number): Day {
  let latest = { year: 0, number: 0 }
  return {
    kind: 'yearly',
    in: (year) => {
      if (year !== latest.year) latest = { year, number: numberIn(year) }
      return latest.number
    },
  }
}

/** The number of a day, which may lie outside its month. */
function numberOf(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month - 1, day))
  return (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
}

const EASTERS: Readonly<Record<string, Easter>> = { easter: westernEaster, orthodox_easter: orthodoxEaster }

/** The algorithm of Meeus, Jones and Butcher: J. Meeus, Astronomical Algorithms, 2nd edition, chapter 8. */
function westernEaster(year: number): number {
  const golden = year % 19
  const [century, yearOfCentury] = [Math.floor(year / 100), year % 100]
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const moon = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - moon - (yearOfCentury % 4)) % 7
  const late = Math.floor((golden + 11 * moon + 22 * weekday) / 451)
  return 21 + moon + weekday - 7 * late
}

/** Easter in the Julian calendar, by Meeus's algorithm in the same chapter, as a Gregorian day. */
function orthodoxEaster(year: number): number {
  const moon = (19 * (year % 19) + 15) % 30
  const weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
  const julianAfterMarch = 21 + moon + weekday
  return julianAfterMarch + Math.floor(year / 100) - Math.floor(year / 400) - 2
}

/** `nth(4, Thu, Nov)`, `last(Mon, May)`. */
function weekdayDay({ name, parts: given, at }: Extract<Syntax, { kind: 'call' }>): Day {
  const [count, ...words] = name === 'nth' ? [wholeNumber(given[0]), ...given.slice(1)] : [0, ...given]
  const [weekday, month] = words.map((part) => (part?.kind === 'name' ? part.name : ''))
  const isWeekday = WEEKDAYS.indexOf(weekday as (typeof WEEKDAYS)[number])
  const monthAt = MONTHS.indexOf(month as (typeof MONTHS)[number])
  const isCount = name === 'last' || (count !== undefined && count >= 1 && count <= 4)
  if (!isCount || isWeekday === -1 || monthAt === -1 || words.length !== 2)
    throw new ExpressionFault(
      at,
      `expected ${name === 'nth' ? 'nth(4, Thu, Nov), with 1 to 4' : 'last(Mon, May)'}`,
    )
  return movable((year) => {
    // Of the last weekday, the last seven days of the month decide; of the nth, the days from 7 * (n - 1) + 1 on.
    const first =
      name === 'last' ? new Date(Date.UTC(year, monthAt + 1, -6)) : new Date(Date.UTC(year, monthAt, 1))
    const days = (isWeekday - ((first.getUTCDay() + 6) % 7) + 7) % 7
    return numberOf(year, monthAt + 1, first.getUTCDate() + days + (name === 'last' ? 0 : 7 * (count! - 1)))
  })
}

function wholeNumber(syntax: Syntax | undefined): number | undefined {
  return syntax?.kind === 'number' && syntax.unit === '' && /^\d{1,3}$/.test(syntax.text)
    ? Number(syntax.text)
    : undefined
}
