/**
 * Writes src/reference/work-calendars: the time zone, the weekend and the national public holidays of every country
 * that `date-holidays` knows. Run it after an update of that package:
 *
 *   node tools/install.mjs tools/work-calendars && node tools/work-calendars/write.mjs
 *
 * Sources: holidays and time zones from `date-holidays` (CC-BY-3.0), weekends from CLDR through `Intl`. Only national
 * holidays of the type `public` are written. A day is a holiday if the holiday covers noon in the country, so a
 * holiday that begins in the afternoon does not count, and one that lasts from sunset to sunset is one day.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import Holidays from 'date-holidays'

const YEARS = [2026, 2027, 2028, 2029, 2030, 2031, 2032, 2033, 2034, 2035]

/** The time zone of the capital, for countries with several time zones. Source: the IANA time zone database. */
const CAPITAL_ZONES = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KZ: 'Asia/Almaty',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
  VN: 'Asia/Ho_Chi_Minh',
}

const NOTICE = [
  'Written by tools/work-calendars/write.mjs; do not edit. docs/delivery-dates.md describes the sources.',
  'Contains data of date-holidays (https://github.com/commenthol/date-holidays) by commenthol and contributors,',
  'licensed under CC-BY-3.0 (https://creativecommons.org/licenses/by/3.0/): a selection, as a table of days.',
]

const countries = Object.keys(new Holidays().getCountries()).sort()
const zones = new Map(countries.map((country) => [country, timeZoneOf(country)]))
write(
  'countries.csv',
  'country,time_zone,weekend',
  [...zones].map(([country, zone]) => [country, zone, weekendOf(country)]),
)
write(
  'holidays.csv',
  'country,year,days',
  [...zones].flatMap(([country, zone]) => holidayRows(country, zone)),
)

function write(file, header, rows) {
  const lines = [...NOTICE.map((line) => `# ${line}`), header, ...rows.map((cells) => cells.join(','))]
  const folder = path.resolve(import.meta.dirname, '../../src/reference/work-calendars')
  writeFileSync(path.join(folder, file), `${lines.join('\n')}\n`)
}

function timeZoneOf(country) {
  const known = new Holidays(country).getTimezones()
  const timeZone = CAPITAL_ZONES[country] ?? (known.length === 1 ? known[0] : undefined)
  if (timeZone === undefined) throw new Error(`${country} has several time zones: ${known.join(' ')}`)
  return timeZone
}

/** Weekdays from 1 (Monday) to 7 (Sunday), with blanks between them. */
function weekendOf(country) {
  const locale = new Intl.Locale('und', { region: country })
  // Node.js 20 has the property, later versions the method.
  const { weekend } = locale.getWeekInfo?.() ?? locale.weekInfo
  return [...weekend].sort().join(' ')
}

/** Country, year, and sorted days as MM-DD. */
function holidayRows(country, timeZone) {
  const calendar = new Holidays(country, { types: ['public'], timezone: timeZone })
  const days = new Set()
  // Holidays of the first year may begin in the year before.
  for (const year of [YEARS[0] - 1, ...YEARS])
    for (const { start, end } of calendar.getHolidays(year))
      for (const day of daysAtNoon(start, end, timeZone)) days.add(day)
  const sorted = [...days].sort()
  return YEARS.map((year) => {
    const own = sorted.filter((day) => day.startsWith(`${year}-`))
    return [country, year, own.map((day) => day.slice('YYYY-'.length)).join(' ')]
  })
}

/** The local days whose noon is in the interval. */
function daysAtNoon(start, end, timeZone) {
  const first = localTime(start, timeZone)
  const last = localTime(end, timeZone)
  const days = []
  for (let at = Date.parse(first.day); at <= Date.parse(last.day); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    const isAfterStart = day !== first.day || first.time <= '12:00:00'
    const isBeforeEnd = day !== last.day || last.time > '12:00:00'
    if (isAfterStart && isBeforeEnd) days.push(day)
  }
  return days
}

function localTime(at, timeZone) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const [day, time] = format.format(at).split(' ')
  return { day, time }
}
