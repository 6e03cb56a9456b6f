/**
 * The kinds of cells that only the product's own customs files have: codes, lists by blanks, decimal amounts,
 * duty parts. Decided here: what each may hold, and that an empty cell of a column that may be empty is the row's
 * "nothing" (null, '' or no items).
 */
import { formatDutyParts, parseDutyParts } from '../../../core/customs/tariff/duty-text.ts'
import { withoutTrailingZeros } from '../../../core/quantity.ts'
import {
  cellOf,
  choice,
  day,
  figure,
  optionalOr,
  remark,
  type SureCell,
  text,
} from '../../import/csv-cells.ts'
import { HIGHEST_PPM, lastDayOrOpen } from '../cell-text.ts'

/** Of texts, in characters. */
const MAX_LENGTH = 1_000

/** The same cell where an empty one is null. */
export function orNull<Value>(cell: SureCell<Value>): SureCell<Value | null> {
  const nullable: SureCell<Value | null> = {
    ...cell,
    write: (value) => (value === null ? '' : cell.write(value)),
  }
  return optionalOr(nullable, null)
}

/** Text on one line that may be missing. */
export function textOrNothing(column: string): SureCell<string> {
  return optionalOr(text(column, MAX_LENGTH), '')
}

/** Text of any number of lines that may be missing. */
export function remarkOrNothing(column: string): SureCell<string> {
  return optionalOr(remark(column, MAX_LENGTH), '')
}

/** Digits of a goods code, 2 to 10 of them; dots between them do not count. */
export function codePrefix(column: string): SureCell<string> {
  const parse = (value: string): string | undefined => {
    const digits = value.replaceAll('.', '')
    return /^\d{2,10}$/.test(digits) ? digits : undefined
  }
  return cellOf(column, parse, 'the first 2 to 10 digits of a goods code')
}

/** A name of letters, digits, dots, hyphens and underscores: jurisdictions, groups, types, lists. */
export function name(column: string): SureCell<string> {
  const parse = (value: string): string | undefined =>
    /^[A-Za-z0-9._-]{1,80}$/.test(value) ? value : undefined
  return cellOf(column, parse, 'a name of letters, digits, dots, hyphens and underscores')
}

/** Names separated by blanks; none where the cell is empty. */
export function names(column: string): SureCell<readonly string[]> {
  return listOfBlanks(name(column), 'names separated by blanks')
}

/** Code prefixes separated by blanks; none where the cell is empty. */
export function codePrefixes(column: string): SureCell<readonly string[]> {
  return listOfBlanks(codePrefix(column), 'beginnings of goods codes, separated by blanks')
}

function listOfBlanks(one: SureCell<string>, expected: string): SureCell<readonly string[]> {
  const parse = (list: string): readonly string[] | undefined => {
    const items = list.split(/\s+/).map((item) => one.parse(item))
    return items.includes(undefined) ? undefined : (items as string[])
  }
  const none: readonly string[] = []
  const cell = cellOf(one.column, parse, expected, (values: readonly string[]) => values.join(' '))
  return optionalOr({ ...cell, write: (values) => values.join(' ') }, none)
}

/** A percentage from 0 to 1,000 with at most four decimals, as parts per million. */
export function percentPpm(column: string): SureCell<number> {
  const cell = figure(column, 4, 0)
  const parse = (value: string): number | undefined => {
    const ppm = cell.parse(value)
    return ppm === undefined || ppm > HIGHEST_PPM ? undefined : ppm
  }
  const expected = (value: string): string =>
    Number(value) > HIGHEST_PPM / 10_000 ? 'a percentage of at most 1000' : cell.expected(value)
  return { ...cell, parse, expected }
}

const AMOUNT = 'a number from 0 to 999999999999 with at most 6 decimals'

/** An amount of 0 or more as decimal text, without superfluous zeros; empty where the cell is. */
export function amount(column: string): SureCell<string> {
  const parse = (value: string): string | undefined => plainDecimal(value)
  return optionalOr(cellOf(column, parse, AMOUNT), '')
}

/** Decimal text without superfluous zeros; undefined when it is no number of 0 or more with at most 6 decimals. */
export function plainDecimal(value: string): string | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(value) ?? []
  if (whole === undefined) return undefined
  const kept = withoutTrailingZeros(fraction)
  return `${Number(whole)}${kept === '' ? '' : `.${kept}`}`
}

/** A currency by its three letters. */
export function currency(column: string): SureCell<string> {
  const parse = (value: string): string | undefined => (/^[A-Z]{3}$/.test(value) ? value : undefined)
  return cellOf(column, parse, 'a currency of three capital letters')
}

/** A sum of duty parts in the words of duty-text.ts, in the one spelling Waybill uses. */
export function dutyParts(column: string): SureCell<string> {
  const parse = (value: string): string | undefined => {
    const parts = parseDutyParts(value)
    return parts && formatDutyParts(parts)
  }
  return optionalOr(cellOf(column, parse, 'a duty such as "9 EUR/100 kg + 2 EUR/hl"'), '')
}

/** yes or no; `whenEmpty` where the cell is empty. */
export function yesOrNo(column: string, whenEmpty: boolean): SureCell<boolean> {
  return optionalOr(choice(column, { yes: true, no: false }), whenEmpty)
}

/** A last day, or null where the cell is empty or says a day that stands for none. */
export function dayOrOpen(column: string): SureCell<string | null> {
  const cell = day(column)
  const parse = (value: string): string | null | undefined => {
    const last = cell.parse(value)
    return last === undefined ? undefined : lastDayOrOpen(last)
  }
  return optionalOr<string | null>({ ...cell, parse, write: (value) => value ?? '' }, null)
}

/** A day, or the day the operator gave for the file, or null. */
export function firstDay(column: string, given: string | undefined): SureCell<string | null> {
  const cell = orNull(day(column))
  return given === undefined ? cell : optionalOr<string | null>(cell, given)
}
