/**
 * A CSV file as rows of cells below a header, with the line each row begins on. Decided here: UTF-8 only; the delimiter
 * (comma, semicolon or tab) is the one the header line uses most; rows without any text are left out; an apostrophe
 * that only keeps a spreadsheet from running a cell as a formula is taken off again (see spreadsheet-formula.ts).
 */
import { isUtf8 } from 'node:buffer'
import { scanCsv } from './csv-scan.ts'
import type { FaultLog } from './import-fault.ts'
import { atMost, figureText, MAX_TABLE_CELLS, MAX_TABLE_ROWS } from './import-limits.ts'
import { withoutFormulaGuard } from './spreadsheet-formula.ts'

/** The cells of a CSV file; every record has as many as the header. */
export type CsvTable = {
  /** Names of the columns, trimmed. */
  readonly header: readonly string[]
  /** The rows below the header that are not blank. */
  readonly records: readonly (readonly string[])[]
  /** The line that each record begins on; the header is on line 1. */
  readonly lines: readonly number[]
}

/** Receives the rows of a CSV file as they are read. */
export type CsvVisitor = {
  /** The names of the columns, trimmed; comes first. */
  header(names: readonly string[]): void
  /** A row that is not blank and has as many cells as the header. The visitor may keep the array. */
  row(cells: readonly string[], line: number): void
}

const DELIMITERS = [',', ';', '\t']
const LINE_FEED = 0x0a

/**
 * Passes the rows of a CSV file to a visitor and keeps none of them. Returns false, with a fault in the log, when the
 * file is empty, not UTF-8, malformed or above a limit; the visitor has then seen the rows before the fault.
 */
export function visitCsv(bytes: Uint8Array, visitor: CsvVisitor, log: FaultLog): boolean {
  if (!isUtf8(bytes)) {
    log.fault(firstLineNotUtf8(bytes), undefined, 'text in UTF-8 (in Excel: save as "CSV UTF-8")')
    return false
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let width: number | undefined
  const fault = scanCsv(buffer, delimiterOf(buffer).charCodeAt(0), (row, line) => {
    if (line > 1 && row.every(isBlank)) return
    for (let cell = 0; cell < row.length; cell += 1) row[cell] = withoutFormulaGuard(row[cell]!)
    if (width === undefined) {
      width = row.every(isBlank) ? 0 : row.length
      if (width > 0) visitor.header(row.map((name) => name.trim()))
    } else if (row.length === width) visitor.row(row, line)
    else if (width > 0) log.fault(line, undefined, `${cells(width)}, as in the header`, cells(row.length))
  })
  if (fault !== undefined) log.fault(fault.line, undefined, fault.expected, fault.found)
  else if (width === undefined || width === 0)
    log.fault(width === 0 ? 1 : undefined, undefined, 'a header row with the names of the columns')
  return fault === undefined && width !== undefined && width > 0
}

/** Reads a CSV file as a whole. Undefined, with a fault in the log, where `visitCsv` fails or there are too many cells. */
export function readCsvTable(bytes: Uint8Array, log: FaultLog): CsvTable | undefined {
  let header: readonly string[] = []
  const records: (readonly string[])[] = []
  const lines: number[] = []
  let [rowCount, cellCount] = [0, 0]
  const visitor: CsvVisitor = {
    header(names) {
      header = names
    },
    row(row, line) {
      rowCount += 1
      cellCount += row.length
      if (rowCount > MAX_TABLE_ROWS || cellCount > MAX_TABLE_CELLS) return
      records.push(row)
      lines.push(line)
    },
  }
  if (!visitCsv(bytes, visitor, log)) return undefined
  if (rowCount > MAX_TABLE_ROWS)
    return log.fault(undefined, undefined, atMost(MAX_TABLE_ROWS, 'rows'), figureText(rowCount))
  if (cellCount > MAX_TABLE_CELLS)
    return log.fault(undefined, undefined, atMost(MAX_TABLE_CELLS, 'cells'), figureText(cellCount))
  return { header, records, lines }
}

function delimiterOf(bytes: Buffer): string {
  const [headerLine = ''] = bytes
    .subarray(0, 65_536)
    .toString('utf8')
    .split(/[\r\n]/, 1)
  const unquoted = headerLine.replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

function firstLineNotUtf8(bytes: Uint8Array): number {
  let line = 1
  let start = 0
  for (;;) {
    const end = bytes.indexOf(LINE_FEED, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
    line += 1
  }
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

function cells(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`
}
