/**
 * The types of cells in import files, and how each is read and written: numbers as integers of their smallest unit,
 * words from a fixed list, days, lists. See docs/rate-card-files.md#format.
 */

import { clockText, WEEKDAYS } from '../../core/clock-text.ts'
import { EXPECTED_PLAIN_TEXT, isDay, MAX_TEXT_LENGTH, nameFault } from '../../core/input.ts'
import { formatCents } from '../../core/money.ts'
import { formatDecimal, parseDecimal } from '../../core/quantity.ts'

/** A rate is a number that usually has three or four decimals, such as an index value or an amount per kilogram. */
export type CellKind = 'number' | 'rate' | 'day'

/** Reads and writes the cells of one column. */
export type Cell<Value> = {
  readonly column: string
  /** What spreadsheets may write in another way; see `CellStyle` in table-file.ts. */
  readonly kind?: CellKind
  /** `value`: every row needs a value. `column`: the file needs the column, a cell may be empty. */
  readonly needs: 'value' | 'column' | 'nothing'
  /** The value of an empty cell. If undefined, the row does not have the field. */
  readonly whenEmpty?: Value
  /** Reads a text that is trimmed and not empty. Undefined if it is not valid. */
  parse(text: string): Value | undefined
  /** Writes a text that `parse` reads as `value`. */
  write(value: Value): string
  /** What was expected instead of a text that `parse` refused. */
  expected(text: string): string
}

/** A cell with a value in every row, because it is required or has a default. */
export type SureCell<Value> = Cell<Value> & { readonly sure: true }

const EXPECTED_REMARK = 'text without control characters'
/** The largest value of an integer column in the database. */
const MAX_INTEGER = 2_147_483_647
/** Without a limit, a typing error such as 1-800000000 would exhaust the memory. */
const MAX_ZONES = 1_000

/** The column may be missing and cells may be empty; the row then does not have the field. */
export function optional<Value>(cell: SureCell<Value>): Cell<Value> {
  return { ...cell, needs: 'nothing' }
}

/** The column may be missing and cells may be empty; the default is `value`. */
export function optionalOr<Value>(cell: SureCell<Value>, value: Value): SureCell<Value> {
  return { ...cell, needs: 'nothing', whenEmpty: value }
}

/** The column is required. A row with an empty cell does not have the field. */
export function mayBeEmpty<Value>(cell: SureCell<Value>): Cell<Value> {
  return { ...cell, needs: 'column' }
}

/** The column is required. The default of an empty cell is `value`. */
export function emptyOr<Value>(cell: SureCell<Value>, value: Value): SureCell<Value> {
  return { ...cell, needs: 'column', whenEmpty: value }
}

/** A required cell. `expected` describes the texts that `parse` accepts. */
export function cellOf<Value>(
  column: string,
  parse: (text: string) => Value | undefined,
  expected: string | ((text: string) => string),
  write: (value: Value) => string = String,
): SureCell<Value> {
  return {
    column,
    needs: 'value',
    parse,
    write,
    expected: typeof expected === 'string' ? () => expected : expected,
    sure: true,
  }
}

/**
 * A number with at most `places` decimals, as an integer of its smallest unit: "1.5" with 2 places is 150. At least
 * `least`, in that unit.
 */
export function figure(column: string, places: number, least: 0 | 1 = 1): SureCell<number> {
  const cell = cellOf(
    column,
    (text) => {
      const value = parseDecimal(text, places)
      return value === undefined || value < least || value > MAX_INTEGER ? undefined : value
    },
    (text) => expectedFigure(text, places, least),
    (value) => formatDecimal(value, places),
  )
  return { ...cell, kind: 'number' }
}

/** A `figure` in which a decimal comma may be followed by three digits, if other cells have decimal commas. */
export function rate(column: string, places: number, least: 0 | 1 = 1): SureCell<number> {
  return { ...figure(column, places, least), kind: 'rate' }
}

export function whole(column: string, least: 0 | 1 = 1): SureCell<number> {
  return figure(column, 0, least)
}

/** Kilograms with at most 3 decimals, in grams; at least `least` grams. */
export function kilograms(column: string, least: 0 | 1 = 1): SureCell<number> {
  return figure(column, 3, least)
}

/** Euro with at most 2 decimals, in cents; at least `least` cents. */
export function euros(column: string, least: 0 | 1 = 0): SureCell<number> {
  return { ...figure(column, 2, least), write: formatCents }
}

/** A percentage with at most 2 decimals, 0 or more, in basis points. It may end with the sign. */
export function percent(column: string): SureCell<number> {
  const cell = figure(column, 2, 0)
  return { ...cell, parse: (text) => cell.parse(text.replace(/ ?%$/, '')) }
}

/** A change in percent with at most 2 decimals, such as -10 or +2.5, in basis points; above -100, or at least -100. */
export function signedPercent(column: string, least: 'above -100' | 'at least -100'): SureCell<number> {
  const lowest = least === 'above -100' ? -9_999 : -10_000
  const cell = cellOf(
    column,
    (text) => {
      const value = parseDecimal(text.replace(/ ?%$/, '').replace(/^\+(?=\d)/, ''), 2)
      return value === undefined || value < lowest || value > MAX_CHANGE_BPS ? undefined : value
    },
    `a percentage with at most 2 decimals, ${least} and at most 1000`,
    (value) => formatDecimal(value, 2),
  )
  return { ...cell, kind: 'number' }
}

/** 1,000%. A higher one probably has a misplaced decimal point. */
const MAX_CHANGE_BPS = 100_000

function expectedFigure(text: string, places: number, least: 0 | 1): string {
  const number = numberText(places)
  const value = parseDecimal(text, places)
  if (value === undefined) {
    if (/^-?\d+,\d+$/.test(text) && places > 0) return `${number}, written with a point`
    return /^\d{10,}(\.\d*)?$/.test(text) ? largest(places) : number
  }
  if (value > MAX_INTEGER) return largest(places)
  return least === 0 ? `${number}, not below 0` : `${number}, above 0`
}

function largest(places: number): string {
  return `a number of at most ${formatDecimal(MAX_INTEGER, places)}`
}

function numberText(places: number): string {
  return places === 0 ? 'a whole number' : `a number with at most ${places} decimals`
}

/** Text on one line, without control characters. */
export function text(column: string, maxLength: number = MAX_TEXT_LENGTH): SureCell<string> {
  return cellOf(
    column,
    (value) => (nameFault(value, maxLength) === undefined ? value : undefined),
    (value) => nameFault(value, maxLength) ?? 'a value',
  )
}

/** Text that may have several lines. */
export function remark(column: string, maxLength: number): SureCell<string> {
  const faultOf = (value: string): string | undefined => nameFault(value.replace(/[\t\r\n]/g, ' '), maxLength)
  return cellOf(
    column,
    (value) => (faultOf(value) === undefined ? value : undefined),
    (value) => (faultOf(value) === EXPECTED_PLAIN_TEXT ? EXPECTED_REMARK : (faultOf(value) ?? 'a value')),
  )
}

/** One of the words in `meanings`. If several words have the same meaning, the first is written. */
export function choice<Value>(column: string, meanings: Readonly<Record<string, Value>>): SureCell<Value> {
  const known = new Map(Object.entries(meanings))
  return cellOf(
    column,
    (word) => known.get(word),
    `one of ${[...known.keys()].join(', ')}`,
    (value) => [...known].find(([, meaning]) => meaning === value)![0],
  )
}

export function word<const Word extends string>(column: string, words: readonly Word[]): SureCell<Word> {
  const meanings = Object.fromEntries(words.map((value) => [value, value])) as Record<string, Word>
  return choice(column, meanings)
}

/** A day, 'YYYY-MM-DD'. */
export function day(column: string): SureCell<string> {
  const cell = cellOf(column, (value) => (isDay(value) ? value : undefined), 'a day such as 2026-01-31')
  return { ...cell, kind: 'day' }
}

/** Two capital letters. Core checks whether the country exists. */
export function country(column: string): SureCell<string> {
  const parse = (code: string): string | undefined => (/^[A-Z]{2}$/.test(code) ? code : undefined)
  return cellOf(column, parse, 'a country code of two capital letters')
}

/** Two capital letters, or `*` for all countries that are not listed. */
export function countryOrRest(column: string): SureCell<string> {
  const parse = (code: string): string | undefined => (/^([A-Z]{2}|\*)$/.test(code) ? code : undefined)
  return cellOf(column, parse, 'a country code of two capital letters, or *')
}

/** Values of `item`, separated by `|`. None may be empty. */
export function listOf<Value>(item: SureCell<Value>, expected: string): SureCell<readonly Value[]> {
  const parse = (list: string): readonly Value[] | undefined => {
    const values = list.split('|').map((part) => (part.trim() === '' ? undefined : item.parse(part.trim())))
    return values.includes(undefined) ? undefined : (values as Value[])
  }
  return cellOf(item.column, parse, expected, (values) => values.map((value) => item.write(value)).join('|'))
}

/** Zone numbers and ranges, such as `0-8` or `0|2|5-7`; sorted, without duplicates. */
export function zoneList(column: string): SureCell<readonly number[]> {
  const expected = `zones such as 0-8 or 0|2|5-7 (at most ${MAX_ZONES})`
  return cellOf(column, parseZones, expected, (zones) => zones.join('|'))
}

function parseZones(value: string): readonly number[] | undefined {
  const zones = new Set<number>()
  for (const part of value.split('|')) {
    const [, first, last = first] = /^\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?$/.exec(part) ?? []
    if (first === undefined || Number(last) < Number(first)) return undefined
    if (Number(last) - Number(first) >= MAX_ZONES) return undefined
    for (let zone = Number(first); zone <= Number(last); zone += 1) zones.add(zone)
    if (zones.size > MAX_ZONES) return undefined
  }
  return [...zones].sort((a, b) => a - b)
}

/** Weekdays and ranges, such as `Mon-Fri` or `Mon|Wed|Sat-Sun`, as sorted ISO weekdays: 1 is Monday. */
export function weekdays(column: string): SureCell<readonly number[]> {
  const expected = `weekdays such as Mon-Fri or Mon|Wed|Fri (${WEEKDAYS.join(', ')})`
  return cellOf(column, parseWeekdays, expected, (days) => days.map((day) => WEEKDAYS[day - 1]).join('|'))
}

const WEEKDAY_NUMBERS: ReadonlyMap<string, number> = new Map(WEEKDAYS.map((name, index) => [name, index + 1]))

function parseWeekdays(value: string): readonly number[] | undefined {
  const days = new Set<number>()
  for (const part of value.split('|')) {
    const [first, last] = part.split('-').map((name) => WEEKDAY_NUMBERS.get(name.trim()))
    const end = part.includes('-') ? last : first
    if (first === undefined || end === undefined || part.split('-').length > 2) return undefined
    // Sat-Mon continues in the next week.
    for (let day = first; day <= (end < first ? end + 7 : end); day++) days.add(((day - 1) % 7) + 1)
  }
  return [...days].sort((a, b) => a - b)
}

/** A time such as `16:00`, from 00:00 to 23:59, in minutes since midnight. */
export function timeOfDay(column: string): SureCell<number> {
  const parse = (value: string): number | undefined => {
    const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? []
    return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
  }
  return cellOf(column, parse, 'a time such as 16:00', clockText)
}

/** A footprint such as 120x80: its sides in centimetres, the longer first. */
export function footprint(column: string): SureCell<readonly [longCm: number, shortCm: number]> {
  return cellOf(
    column,
    (value) => {
      const [, first = '0', second = '0'] = /^(\d{1,5})x(\d{1,5})$/.exec(value) ?? []
      const [long, short] = [Math.max(Number(first), Number(second)), Math.min(Number(first), Number(second))]
      return short > 0 ? [long, short] : undefined
    },
    'a footprint in whole centimetres such as 120x80',
    ([long, short]) => `${long}x${short}`,
  )
}
