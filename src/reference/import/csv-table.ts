/**
 * Reads and writes CSV files as rows of cells below a header. Blank rows are skipped. Cells that a spreadsheet would
 * run as a formula are written with an apostrophe in front, which reading removes.
 */
import { Buffer } from 'node:buffer'
import { csvFormatOf, DELIMITERS, isUtf8Text, reportEncoding } from './csv-format.ts'
import { scanCsv } from './csv-scan.ts'
import type { FaultLog } from './import-fault.ts'
import { atMost, figureText, MAX_TABLE_CELLS, MAX_TABLE_ROWS } from './import-limits.ts'

/** The cells of a CSV file; every record has as many as the header. */
export type CsvTable = {
  /** Trimmed. */
  readonly header: readonly string[]
  /** The rows below the header that are not blank. */
  readonly records: readonly (readonly string[])[]
  /** The line on which each record begins. The header is on line 1. */
  readonly lines: readonly number[]
}

/** Receives the rows of a CSV file or a sheet as they are read. */
export type TableVisitor = {
  /** The names of the columns, trimmed, and their line. Called first. */
  header(names: readonly string[], line: number): void
  /** A row that is not blank and has as many cells as the header. The visitor may keep the array. */
  row(cells: readonly string[], line: number): void
}

/**
 * Passes the rows of a CSV file to a visitor. Returns false, with a fault in the log, if the file is empty, not UTF-8,
 * malformed or above a limit; the visitor has then received the rows before the fault.
 */
export function visitCsv(bytes: Uint8Array, visitor: TableVisitor, log: FaultLog): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isUtf8Text(buffer)) {
    reportEncoding(buffer, log)
    return false
  }
  const { delimiter, headerLine } = csvFormatOf(buffer)
  if (!DELIMITERS.includes(delimiter)) {
    log.fault(1, undefined, 'sep= with a comma, a semicolon or a tab', `sep=${delimiter}`)
    return false
  }
  let width: number | undefined
  const fault = scanCsv(buffer, delimiter.charCodeAt(0), (row, line) => {
    if (line < headerLine || (line > headerLine && row.every(isBlank))) return
    for (let cell = 0; cell < row.length; cell += 1) row[cell] = composed(withoutFormulaGuard(row[cell]!))
    if (width === undefined) {
      width = row.every(isBlank) ? 0 : row.length
      if (width > 0)
        visitor.header(
          row.map((name) => name.trim()),
          line,
        )
    } else if (row.length === width) visitor.row(row, line)
    else if (width > 0)
      log.fault(line, undefined, `${cellCount(width)}, as in the header`, cellCount(row.length))
  })
  if (fault !== undefined) log.fault(fault.line, undefined, fault.expected, fault.found)
  else if (width === undefined || width === 0)
    log.fault(width === 0 ? headerLine : undefined, undefined, 'a header row with the names of the columns')
  return fault === undefined && width !== undefined && width > 0
}

/**
 * Like `visitCsv`, with the limits of a table. Rows above a limit are counted and not passed on; then there is a fault
 * in the log, and the result is false.
 */
export function visitTable(bytes: Uint8Array, visitor: TableVisitor, log: FaultLog): boolean {
  let [rows, cells] = [0, 0]
  const limited: TableVisitor = {
    header: visitor.header,
    row(row, line) {
      rows += 1
      cells += row.length
      if (rows <= MAX_TABLE_ROWS && cells <= MAX_TABLE_CELLS) visitor.row(row, line)
    },
  }
  const isWhole = visitCsv(bytes, limited, log)
  if (isWhole && rows > MAX_TABLE_ROWS)
    log.fault(undefined, undefined, atMost(MAX_TABLE_ROWS, 'rows'), figureText(rows))
  else if (isWhole && cells > MAX_TABLE_CELLS)
    log.fault(undefined, undefined, atMost(MAX_TABLE_CELLS, 'cells'), figureText(cells))
  return isWhole && rows <= MAX_TABLE_ROWS && cells <= MAX_TABLE_CELLS
}

/** Reads a whole CSV file into memory. Returns undefined, with a fault in the log, if `visitTable` fails. */
export function readCsvTable(bytes: Uint8Array, log: FaultLog): CsvTable | undefined {
  let header: readonly string[] = []
  const records: (readonly string[])[] = []
  const lines: number[] = []
  const visitor: TableVisitor = {
    header(names) {
      header = names
    },
    row(row, line) {
      records.push(row)
      lines.push(line)
    },
  }
  return visitTable(bytes, visitor, log) ? { header, records, lines } : undefined
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

function cellCount(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`
}

/** The text of a CSV file. The first row is the header. No cell runs as a formula in a spreadsheet. */
export function writeCsv([header = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [header.map(headerCell), ...rows.map((cells) => cells.map(dataCell))]
  return `${lines.map((cells) => cells.join(',')).join('\n')}\n`
}

/** Quotes delimiters in column names as well, because readers detect the delimiter in the header. */
function headerCell(text: string): string {
  return /[;\t]/.test(text) ? quoted(withFormulaGuard(text)) : dataCell(text)
}

function dataCell(text: string): string {
  return quotedIfNeeded(withFormulaGuard(text))
}

/** A cell in quotes if it contains a comma, quote or line end, or begins or ends with whitespace. */
export function quotedIfNeeded(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? quoted(cell) : cell
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

/** Plain numbers such as -5.00, and a sign alone, are not formulas. */
const HARMLESS = /^(?:[+-]?\d+(?:\.\d+)?|[=+\-@])$/
/**
 * Formulas begin with one of these signs; a tab or line end may hide one. Apostrophes in front of such a sign count as
 * well, because reading removes one.
 */
const NEEDS_GUARD = /^'*[=+\-@\t\r\n]/
const GUARDED = /^'+[=+\-@\t\r\n]/

/** The text to write for a cell: with an apostrophe in front if a spreadsheet would run the cell ("=HYPERLINK(…)"). */
export function withFormulaGuard(cell: string): string {
  return NEEDS_GUARD.test(cell) && !HARMLESS.test(cell) ? `'${cell}` : cell
}

/** The first combining character. Texts below it are composed already. */
const MAY_BE_DECOMPOSED = /[\u0300-\uffff]/

/** The text in Unicode's composed form (NFC). Files of macOS may have "ä" as "a" with two dots, which looks alike. */
export function composed(text: string): string {
  return MAY_BE_DECOMPOSED.test(text) ? text.normalize('NFC') : text
}

/** Removes the apostrophe that `withFormulaGuard` has added. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && GUARDED.test(cell) ? cell.slice(1) : cell
}
