/**
 * The columns of customs files in Waybill's own format: how a cell of each kind of field is read and written, and the
 * columns of each table. See docs/customs-files.md#waybills-own-columns.
 */
import { type Field, type FieldKind, snakeCase } from '../../../core/customs/data/field.ts'
import { type CustomsTableName, fieldsOf } from '../../../core/customs/data/rows.ts'
import { formatDutyParts, parseDutyParts } from '../../../core/customs/tariff/duty-text.ts'
import { withoutTrailingZeros } from '../../../core/quantity.ts'
import {
  cellOf,
  choice,
  country,
  day,
  figure,
  optionalOr,
  remark,
  type SureCell,
  text,
  whole,
  word,
} from '../../import/csv-cells.ts'
import { HIGHEST_PPM, lastDayOrOpen } from '../cell-text.ts'

/** Cells by the names of their fields. */
export type TableCells = Readonly<Record<string, SureCell<unknown>>>

/**
 * Values that apply to a whole file, as text of a cell, by the name of the field. They are used for empty cells of
 * fields with `fileDefault`.
 */
export type FileDefaults = Readonly<Record<string, string | undefined>>

/** The cells of a table. Throws if a default cannot be read as a cell of its field. */
export function tableCells(table: CustomsTableName, defaults: FileDefaults = {}): TableCells {
  return Object.fromEntries(
    fieldsOf(table).map(([fieldName, field]) => {
      const cell = fieldCell(fieldName, field)
      const given = field.fileDefault === true ? defaults[fieldName] : undefined
      if (given === undefined || given === '') return [fieldName, cell]
      const value = cell.parse(given)
      if (value === undefined)
        throw new Error(`${cell.column}: expected ${cell.expected(given)}, found ${given}`)
      return [fieldName, optionalOr(cell, value)]
    }),
  )
}

function fieldCell(fieldName: string, field: Field): SureCell<unknown> {
  const cell = CELLS[field.kind](field.column ?? columnName(fieldName, field), field)
  if (field.whenEmpty === undefined) return cell
  const write = (value: unknown): string => (value === null ? '' : cell.write(value))
  return optionalOr({ ...cell, write }, field.whenEmpty)
}

/** "codePrefix" is `code_prefix`; files have percentages, so "ratePpm" is `rate_percent`. */
function columnName(fieldName: string, { kind }: Field): string {
  return snakeCase(kind === 'percent' ? fieldName.replace(/Ppm$/, 'Percent') : fieldName)
}

/** The default maximum length of remarks, in characters. */
const MAX_REMARK_LENGTH = 1_000

const CELLS: Readonly<Record<FieldKind, (column: string, field: Field) => SureCell<unknown>>> = {
  name,
  names: (column) => listOf(name(column), 'names separated by spaces'),
  text: (column, { maxLength }) => text(column, maxLength),
  remark: (column, { maxLength = MAX_REMARK_LENGTH }) => remark(column, maxLength),
  word: (column, { words = [] }) => word(column, words),
  yesNo: (column) => choice(column, { yes: true, no: false }),
  codePrefix,
  codePrefixes: (column) =>
    listOf(codePrefix(column), 'goods code prefixes of 2 to 10 digits, separated by spaces'),
  country,
  currency: (column) =>
    cellOf(column, (value) => matching(value, /^[A-Z]{3}$/), 'a currency of three capital letters'),
  amount: (column) => cellOf(column, plainDecimal, AMOUNT),
  percent,
  count: (column) => whole(column),
  day,
  endDay,
  duty,
}

const AMOUNT = 'a number from 0 to 999999999999 with at most 6 decimals'

function matching(value: string, pattern: RegExp): string | undefined {
  return pattern.test(value) ? value : undefined
}

function name(column: string): SureCell<string> {
  const expected = 'a name of letters, digits, dots, hyphens and underscores'
  return cellOf(column, (value) => matching(value, /^[A-Za-z0-9._-]{1,80}$/), expected)
}

/** Dots between the digits are removed. */
function codePrefix(column: string): SureCell<string> {
  const parse = (value: string): string | undefined => matching(value.replaceAll('.', ''), /^\d{2,10}$/)
  return cellOf(column, parse, 'the first 2 to 10 digits of a goods code')
}

function listOf(item: SureCell<string>, expected: string): SureCell<readonly string[]> {
  const parse = (list: string): readonly string[] | undefined => {
    const items: string[] = []
    for (const part of list.split(/\s+/)) {
      const value = item.parse(part)
      if (value === undefined) return undefined
      items.push(value)
    }
    return items
  }
  return cellOf(item.column, parse, expected, (values) => values.join(' '))
}

/** From 0 to 1,000 percent with at most four decimals, as parts per million. */
function percent(column: string): SureCell<number> {
  const cell = figure(column, 4, 0)
  const parse = (value: string): number | undefined => {
    const ppm = cell.parse(value)
    return ppm === undefined || ppm > HIGHEST_PPM ? undefined : ppm
  }
  const expected = (value: string): string =>
    Number(value) > HIGHEST_PPM / 10_000 ? 'a percentage of at most 1000' : cell.expected(value)
  return { ...cell, parse, expected }
}

/** Decimal text without redundant zeros. Undefined unless it is a number of 0 or more with at most 6 decimals. */
export function plainDecimal(value: string): string | undefined {
  const [, integer, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(value) ?? []
  if (integer === undefined) return undefined
  const decimals = withoutTrailingZeros(fraction)
  return `${Number(integer)}${decimals === '' ? '' : `.${decimals}`}`
}

/** A day after the year 2200 is null: the row has no end. */
function endDay(column: string): SureCell<string | null> {
  const cell = day(column)
  const parse = (value: string): string | null | undefined => {
    const last = cell.parse(value)
    return last === undefined ? undefined : lastDayOrOpen(last)
  }
  return { ...cell, parse, write: (value) => value ?? '' }
}

/** A sum of duty parts, in the spelling that Waybill writes. */
function duty(column: string): SureCell<string> {
  const parse = (value: string): string | undefined => {
    const parts = parseDutyParts(value)
    return parts && formatDutyParts(parts)
  }
  return cellOf(column, parse, 'a duty such as "9 EUR/100 kg + 2 EUR/hl"')
}
