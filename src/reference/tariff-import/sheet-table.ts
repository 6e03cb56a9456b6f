/**
 * Reads published tables from a CSV file or an Excel workbook. A column may have different names in different editions;
 * any of them matches. In a workbook, every sheet with a matching header is read, from the row after the header.
 */
import { toPlainText } from '../../core/input.ts'
import { visitTable } from '../import/csv-table.ts'
import { dayOfNumber } from '../import/day-number.ts'
import type { FaultLog } from '../import/import-fault.ts'
import { ImportRefusal } from '../import/import-limits.ts'
import { readWorkbook, type Workbook, type WorkbookSheet } from '../import/workbook-sheet.ts'
import { isZip } from '../import/zip-archive.ts'
import { dayAfter, EXPECTED_DAY, lastDayOrOpen, readDay } from './cell-text.ts'

/** The header of a table, and how its cells are read. */
export type SheetHead = {
  readonly header: readonly string[]
  readonly headerLine: number
  /** Reads a cell as a day, 'YYYY-MM-DD'; undefined if it is none. */
  dayOf(text: string): string | undefined
}

/**
 * Receives the rows of a table one by one. A row may be shorter than the header. `line` is its number in the file or
 * sheet.
 */
export type OnSheetRow = (record: readonly string[], line: number) => void

/** The header is one of the first rows of a sheet. */
const MAX_HEADER_ROW = 40

/**
 * Reads the table of a CSV file, or the tables of a workbook whose header `isHeader` accepts. `open` gets the head of a
 * table, and returns what receives its rows, or undefined to skip them. Returns false, with a fault in the log, if the
 * file cannot be read or has no such table.
 */
export function visitSheetTables(
  bytes: Uint8Array,
  isHeader: (cells: readonly string[]) => boolean,
  log: FaultLog,
  open: (head: SheetHead) => OnSheetRow | undefined,
): boolean {
  if (!isZip(bytes)) return visitCsvTable(bytes, log, open)
  const workbook = readWorkbookOrLog(bytes, log)
  if (workbook === undefined) return false
  const tables = workbook.sheets.flatMap((sheet) => tableOf(sheet, workbook, isHeader) ?? [])
  if (tables.length === 0)
    log.fault(undefined, undefined, 'a sheet with the header row of the format among its first rows')
  for (const { head, rows } of tables) {
    const onRow = open(head)
    if (onRow !== undefined) for (const { cells, line } of rows) onRow(cells, line)
  }
  return tables.length > 0
}

function visitCsvTable(
  bytes: Uint8Array,
  log: FaultLog,
  open: (head: SheetHead) => OnSheetRow | undefined,
): boolean {
  let onRow: OnSheetRow | undefined
  const visitor = {
    header(header: readonly string[]) {
      onRow = open({ header, headerLine: 1, dayOf: readDay })
    },
    row(record: readonly string[], line: number) {
      onRow?.(record, line)
    },
  }
  return visitTable(bytes, visitor, log)
}

function readWorkbookOrLog(bytes: Uint8Array, log: FaultLog): Workbook | undefined {
  try {
    return readWorkbook(bytes)
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    return log.fault(undefined, undefined, error.expected, error.found)
  }
}

function tableOf(
  { rows }: WorkbookSheet,
  { countsFrom1904 }: Workbook,
  isHeader: (cells: readonly string[]) => boolean,
): { readonly head: SheetHead; readonly rows: WorkbookSheet['rows'] } | undefined {
  const at = rows.slice(0, MAX_HEADER_ROW).findIndex(({ cells }) => isHeader(cells))
  const header = rows[at]
  if (header === undefined) return undefined
  return {
    head: {
      header: header.cells.map((name) => name.trim()),
      headerLine: header.line,
      dayOf: (text) => readDay(text) ?? dayOfNumber(text, countsFrom1904),
    },
    rows: rows.slice(at + 1).filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
  }
}

/** Names of a column in different editions. The first one found in a header is used. */
export type ColumnNames = { readonly names: readonly string[]; readonly needed: boolean }

/** The columns of a table. */
export type FoundColumns<Name extends string> = {
  /**
   * The text of a cell on one line, trimmed. Empty if there is no such column, or if the cell has a word such as
   * "#N/A".
   */
  textOf(record: readonly string[], column: Name): string
  /** The name of the column in the file; undefined if it is missing. */
  titleOf(column: Name): string | undefined
  /** The position of the column; -1 if it is missing. */
  positionOf(column: Name): number
}

/** Empty cells in the open data of the United Kingdom and in spreadsheets. */
const EMPTY_WORDS = /^(#NA|#N\/A|NULL)$/i

/** A column that a table must have. */
export function neededColumn(...names: readonly string[]): ColumnNames {
  return { names, needed: true }
}

/** A column that a table may have. */
export function possibleColumn(...names: readonly string[]): ColumnNames {
  return { names, needed: false }
}

/**
 * Finds the columns. Returns undefined, with faults in the log, if a needed column is missing or a column occurs twice.
 */
export function findColumns<Name extends string>(
  columns: Readonly<Record<Name, ColumnNames>>,
  { header, headerLine }: Pick<SheetHead, 'header' | 'headerLine'>,
  log: FaultLog,
): FoundColumns<Name> | undefined {
  const plain = header.map(plainName)
  const found = new Map<string, number>()
  let isSound = true
  for (const [column, { names, needed }] of Object.entries<ColumnNames>(columns)) {
    const position = positionOf(names, plain)
    if (position !== -1 && plain.indexOf(plain[position]!, position + 1) !== -1) {
      log.fault(headerLine, header[position], 'this column once in the header')
      isSound = false
    }
    found.set(column, position)
    if (position !== -1 || !needed) continue
    log.fault(headerLine, names[0], `a column with one of these names: ${names.join(', ')}`)
    isSound = false
  }
  if (!isSound) return undefined
  return {
    textOf(record, column) {
      const position = found.get(column)!
      const text = position === -1 ? '' : toPlainText(record[position] ?? '').trim()
      return EMPTY_WORDS.test(text) ? '' : text
    },
    titleOf(column) {
      return header[found.get(column)!]
    },
    positionOf: (column) => found.get(column)!,
  }
}

/** True if a header has all of these columns. */
export function hasColumns(header: readonly string[], ...columns: readonly ColumnNames[]): boolean {
  return countColumns(header, columns) === columns.length
}

/** How many of these columns a header has. */
export function countColumns(header: readonly string[], columns: readonly ColumnNames[]): number {
  const plain = header.map(plainName)
  return columns.filter(({ names }) => positionOf(names, plain) !== -1).length
}

/** A column name in lower case, with letters, digits and £ only: " Meas. type code" is "meastypecode". */
export function plainName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9£]/g, '')
}

function positionOf(names: readonly string[], plain: readonly string[]): number {
  for (const name of names) {
    const position = plain.indexOf(plainName(name))
    if (position !== -1) return position
  }
  return -1
}

/** The days on which a published row applies; `validTo` is the first day on which it no longer does. Null is open. */
export type ReadPeriod = { readonly validFrom: string | null; readonly validTo: string | null }

/**
 * Reads a first day and a last day that is included. An empty first day is `whenEmpty`. Returns undefined, with a
 * fault, if a day cannot be read or the last is before the first.
 */
export function readPeriod(
  table: Pick<SheetHead, 'dayOf'>,
  start: { readonly text: string; readonly column: string | undefined },
  end: { readonly text: string; readonly column: string | undefined },
  whenEmpty: string | null,
  report: (column: string | undefined, expected: string, found: string) => undefined,
): ReadPeriod | undefined {
  const validFrom = start.text === '' ? whenEmpty : table.dayOf(start.text)
  const found = end.text === '' ? null : table.dayOf(end.text)
  if (validFrom === undefined) return report(start.column, EXPECTED_DAY, start.text)
  if (found === undefined) return report(end.column, EXPECTED_DAY, end.text)
  const last = lastDayOrOpen(found)
  if (validFrom !== null && last !== null && last < validFrom)
    return report(end.column, `a day that is not before the first, ${validFrom}`, end.text)
  return { validFrom, validTo: last === null ? null : dayAfter(last) }
}
