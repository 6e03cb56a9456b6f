/**
 * The kinds of cells an import file has, and how each is read and written: figures as integers of their smallest
 * unit, words of a closed list, days, lists. Decided here: what a cell may hold, and the words that say so.
 */
import { EXPECTED_PLAIN_TEXT, isDay, MAX_TEXT_LENGTH, nameFault } from '../../core/input.ts'
import { formatCents } from '../../core/money.ts'
import { formatDecimal, parseDecimal } from '../../core/quantity.ts'

/** How the cells of one column are read and written. `parse` sees trimmed text, never empty. */
export type Cell<Value> = {
  readonly column: string
  /** Whether a row needs a value, a file only the column, or neither. */
  readonly needs: 'value' | 'column' | 'nothing'
  /** What an empty cell means; undefined: the field is left out of the row. */
  readonly whenEmpty?: Value
  parse(text: string): Value | undefined
  /** A text that `parse` reads as the value. */
  write(value: Value): string
  /** What was expected in place of a text that `parse` refused. */
  expected(text: string): string
}

/** A cell that always comes to a value. */
export type SureCell<Value> = Cell<Value> & { readonly sure: true }

const EXPECTED_REMARK = 'text without control characters'
/** The largest integer a column of the database holds. */
const MAX_INTEGER = 2_147_483_647
/** So that a slip such as 1-800000000 is a fault and not a list that fills the memory. */
const MAX_ZONES = 1_000

/** The same cell, in a column that may be missing; where there is no value, the field is left out. */
export function optional<Value>(cell: SureCell<Value>): Cell<Value> {
  return { ...cell, needs: 'nothing' }
}

/** The same cell, in a column that may be missing; no value means `value`. */
export function optionalOr<Value>(cell: SureCell<Value>, value: Value): SureCell<Value> {
  return { ...cell, needs: 'nothing', whenEmpty: value }
}

/** The same cell in a column that has to be there; where a row leaves it empty, the field is left out. */
export function mayBeEmpty<Value>(cell: SureCell<Value>): Cell<Value> {
  return { ...cell, needs: 'column' }
}

/** The same cell in a column that has to be there; an empty cell means `value`. */
export function emptyOr<Value>(cell: SureCell<Value>, value: Value): SureCell<Value> {
  return { ...cell, needs: 'column', whenEmpty: value }
}

/** A cell that has to hold what `parse` can read; `expected` says what that is. */
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
 * A figure with at most `places` decimals, as an integer of the smallest unit, of at least `least` in that unit:
 * 0, or 1 (the default) where nothing at all would make no sense.
 */
export function figure(column: string, places: number, least: 0 | 1 = 1): SureCell<number> {
  return cellOf(
    column,
    (text) => {
      const value = parseDecimal(text, places)
      return value === undefined || value < least || value > MAX_INTEGER ? undefined : value
    },
    (text) => expectedFigure(text, places, least),
    (value) => formatDecimal(value, places),
  )
}

/** A whole number of at least `least`. */
export function whole(column: string, least: 0 | 1 = 1): SureCell<number> {
  return figure(column, 0, least)
}

/** Kilograms, above 0 unless `least` is 0, as grams. */
export function kilograms(column: string, least: 0 | 1 = 1): SureCell<number> {
  return figure(column, 3, least)
}

/** Euro of 0 or more, as cents. */
export function euros(column: string): SureCell<number> {
  return { ...figure(column, 2, 0), write: formatCents }
}

/** A percentage of 0 or more, as basis points. */
export function percent(column: string): SureCell<number> {
  return figure(column, 2, 0)
}

function expectedFigure(text: string, places: number, least: 0 | 1): string {
  const number = numberOf(places)
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

function numberOf(places: number): string {
  return places === 0 ? 'a whole number' : `a number with at most ${places} decimals`
}

/** Text of one or more characters on one line: names, codes, reasons. */
export function text(column: string, maxLength: number = MAX_TEXT_LENGTH): SureCell<string> {
  return cellOf(
    column,
    (value) => (nameFault(value, maxLength) === undefined ? value : undefined),
    (value) => nameFault(value, maxLength) ?? 'a value',
  )
}

/** Text for people, which may have several lines. */
export function remark(column: string, maxLength: number): SureCell<string> {
  const faultOf = (value: string): string | undefined => nameFault(value.replace(/[\t\r\n]/g, ' '), maxLength)
  return cellOf(
    column,
    (value) => (faultOf(value) === undefined ? value : undefined),
    (value) => (faultOf(value) === EXPECTED_PLAIN_TEXT ? EXPECTED_REMARK : (faultOf(value) ?? 'a value')),
  )
}

/** One of the words that `meanings` explains; of several with one meaning the first is written. */
export function choice<Value>(column: string, meanings: Readonly<Record<string, Value>>): SureCell<Value> {
  const known = new Map(Object.entries(meanings))
  return cellOf(
    column,
    (word) => known.get(word),
    `one of ${[...known.keys()].join(', ')}`,
    (value) => [...known].find(([, meaning]) => meaning === value)![0],
  )
}

/** One of the given words. */
export function word<const Word extends string>(column: string, words: readonly Word[]): SureCell<Word> {
  const meanings = Object.fromEntries(words.map((own) => [own, own])) as Record<string, Word>
  return choice(column, meanings)
}

/** A day 'YYYY-MM-DD' of the calendar. */
export function day(column: string): SureCell<string> {
  return cellOf(column, (value) => (isDay(value) ? value : undefined), 'a day such as 2026-01-31')
}

/** A country code by its shape; whether a country has it is for the core to check. */
export function country(column: string): SureCell<string> {
  const parse = (code: string): string | undefined => (/^[A-Z]{2}$/.test(code) ? code : undefined)
  return cellOf(column, parse, 'a country code of two capital letters')
}

/** A country code, or `*` for all that are not listed. */
export function countryOrRest(column: string): SureCell<string> {
  const parse = (code: string): string | undefined => (/^([A-Z]{2}|\*)$/.test(code) ? code : undefined)
  return cellOf(column, parse, 'a country code of two capital letters, or *')
}

/** Values joined by `|`, each read by `one`; none may be empty. */
export function listOf<Value>(one: SureCell<Value>, expected: string): SureCell<readonly Value[]> {
  const parse = (list: string): readonly Value[] | undefined => {
    const items = list.split('|').map((item) => (item.trim() === '' ? undefined : one.parse(item.trim())))
    return items.includes(undefined) ? undefined : (items as Value[])
  }
  return cellOf(one.column, parse, expected, (values) => values.map((value) => one.write(value)).join('|'))
}

/** Zone numbers and ranges of them: `0-8`, `0|2|5-7`. Ascending, each once. */
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

/** The sides of a footprint in centimetres, the longer first. */
export function footprint(column: string): SureCell<readonly [longCm: number, shortCm: number]> {
  return cellOf(
    column,
    (value) => {
      const [, one = '0', other = '0'] = /^(\d{1,5})x(\d{1,5})$/.exec(value) ?? []
      const [long, short] = [Math.max(Number(one), Number(other)), Math.min(Number(one), Number(other))]
      return short > 0 ? [long, short] : undefined
    },
    'a footprint in whole centimetres such as 120x80',
    ([long, short]) => `${long}x${short}`,
  )
}
