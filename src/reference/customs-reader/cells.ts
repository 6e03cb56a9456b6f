/**
 * The cells of the customs data files the product ships. Decided here: how a file is cut into cells, and what a
 * word, a percentage, an amount, a day and a list look like (README, section Customs). Whatever cannot be read
 * throws, for it is a fault of the product; files of an operator are read by `tariff-import/`.
 */
import { formatDecimal, parseDecimal } from '../../core/quantity.ts'

/** A row by column name. Columns that the file does not have are absent. */
export type Line = Readonly<Record<string, string>>

/**
 * The rows of a file, in its order; the first line names the columns. No cell runs over several lines. A cell that
 * is empty, or whose column the file does not have, is that of `defaults`.
 */
export function readLines(text: string, defaults: Line = {}): readonly Line[] {
  const [header = '', ...rows] = text.split('\n')
  const columns = cellsOf(header)
  const filledIn = Object.entries(defaults)
  const lines: Line[] = []
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? ''
    if (row === '') continue
    const cells = cellsOf(row)
    if (cells.length !== columns.length)
      throw new Error(`line ${index + 2} has ${cells.length} cells for ${columns.length} columns: ${row}`)
    const line: Record<string, string> = {}
    for (let at = 0; at < columns.length; at++) line[columns[at] ?? ''] = cells[at] ?? ''
    for (const [column, value] of filledIn) line[column] ||= value
    lines.push(line)
  }
  return lines
}

/** Splitting at commas is most of what a start with new data costs; quotes are in few lines. */
function cellsOf(row: string): readonly string[] {
  if (!row.includes('"')) return row.split(',')
  const cells: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  let end = ','
  while (end === ',') {
    const match = cell.exec(row)
    if (match === null) throw new Error(`quotes do not close: ${row}`)
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    end = match[3] ?? ''
  }
  return cells
}

/** A cell; empty where the file does not have the column. */
export function cell(line: Line, column: string): string {
  return line[column] ?? ''
}

/** A cell that must not be empty. */
export function requiredCell(line: Line, column: string): string {
  const text = cell(line, column)
  if (text === '') throw new Error(`${column} is missing`)
  return text
}

/** One of the allowed words; an empty cell is `otherwise` where there is one. */
export function word<Word extends string>(
  line: Line,
  column: string,
  words: readonly Word[],
  otherwise?: Word,
): Word {
  const text = cell(line, column)
  if (text === '' && otherwise !== undefined) return otherwise
  const found = words.find((allowed) => allowed === text)
  if (found === undefined) throw new Error(`${column} must be one of ${words.join(', ')}, not "${text}"`)
  return found
}

/** "yes" or "no"; an empty cell is `otherwise`. */
export function yesNo(line: Line, column: string, otherwise: boolean): boolean {
  return word(line, column, ['yes', 'no'], otherwise ? 'yes' : 'no') === 'yes'
}

/** A percentage of at most four decimals in parts per million ("6.5" is 65000); null for an empty cell. */
export function ppm(line: Line, column: string): number | null {
  const text = cell(line, column)
  if (text === '') return null
  const steps = parseDecimal(text, 4)
  if (steps === undefined || steps < 0) throw new Error(`${column} is no percentage: "${text}"`)
  return steps
}

/** A percentage that must be there. */
export function requiredPpm(line: Line, column: string): number {
  const rate = ppm(line, column)
  if (rate === null) throw new Error(`${column} is missing`)
  return rate
}

/** An amount as decimal text, in one spelling; empty for an empty cell. */
export function amount(line: Line, column: string): string {
  const text = cell(line, column)
  if (text === '') return ''
  const steps = parseDecimal(text, 6)
  if (steps === undefined || steps < 0) throw new Error(`${column} is no amount: "${text}"`)
  return formatDecimal(steps, 6)
}

/** A day; null for an empty cell. */
export function day(line: Line, column: string): string | null {
  return cell(line, column) === '' ? null : requiredDay(line, column)
}

/** A day that must be there. */
export function requiredDay(line: Line, column: string): string {
  const text = requiredCell(line, column)
  if (!knownDays.has(text)) {
    if (!isDay(text)) throw new Error(`${column} is no day: "${text}"`)
    knownDays.add(text)
  }
  return text
}

/** A tariff has one day on all its lines. */
const knownDays = new Set<string>()

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  )
}

/** The beginning of a code: digits, or nothing for all codes. */
export function prefix(line: Line, column: string): string {
  const text = cell(line, column)
  if (!/^\d{0,10}$/.test(text)) throw new Error(`${column} is no beginning of a code: "${text}"`)
  return text
}

/** Words with blanks between them. */
export function list(line: Line, column: string): readonly string[] {
  const text = cell(line, column)
  return text === '' ? NONE : text.split(' ').filter((item) => item !== '')
}

/** Beginnings of codes with blanks between them. */
export function prefixes(line: Line, column: string): readonly string[] {
  const items = list(line, column)
  for (const item of items)
    if (!/^\d{2,10}$/.test(item)) throw new Error(`${column} holds no beginning of a code: "${item}"`)
  return items
}

/** Most lists are empty; they are one list. */
const NONE: readonly string[] = []
