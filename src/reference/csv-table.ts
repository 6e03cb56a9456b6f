/**
 * A CSV file as a table of cells, with the line each row begins on. Decided here: UTF-8 only; the delimiter
 * (comma, semicolon or tab) is the one the header line uses most; rows without any text are left out.
 */
import { isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import type { FaultLog } from './import-fault.ts'

/** The cells of a CSV file; every record has as many as the header. */
export type CsvTable = {
  /** Names of the columns, trimmed. */
  readonly header: readonly string[]
  /** The rows below the header that are not blank. */
  readonly records: readonly (readonly string[])[]
  /** The line that each record begins on; the header is on line 1. */
  readonly lines: Int32Array
}

const DELIMITERS = [',', ';', '\t']
const LINE_FEED = 0x0a
const QUOTE = 0x22

/** Reads a CSV file. Undefined, with a fault in the log, where it is empty, not UTF-8 or no CSV. */
export function readCsvTable(bytes: Uint8Array, log: FaultLog): CsvTable | undefined {
  if (!isUtf8(bytes))
    return log.fault(firstLineNotUtf8(bytes), undefined, 'text in UTF-8 (in Excel: save as "CSV UTF-8")')
  const rows = parseRows(bytes, log)
  if (rows === undefined) return undefined
  const [header] = rows
  if (header === undefined || header.every(isBlank))
    return log.fault(header && 1, undefined, 'a header row with the names of the columns')
  const lines = linesOf(rows, bytes.includes(QUOTE))
  let kept = 0
  for (let index = 1; index < rows.length; index += 1) {
    const row = rows[index]!
    const line = lines[index]!
    if (row.every(isBlank)) continue
    if (row.length !== header.length) {
      log.fault(line, undefined, `${cells(header.length)}, as in the header`, cells(row.length))
      continue
    }
    rows[kept] = row
    lines[kept] = line
    kept += 1
  }
  rows.length = kept
  return { header: header.map((name) => name.trim()), records: rows, lines: lines.subarray(0, kept) }
}

function parseRows(bytes: Uint8Array, log: FaultLog): string[][] | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Blank rows are kept until their lines are counted: csv-parse can tell lines itself, but takes twice as long.
  const options = {
    bom: true,
    delimiter: delimiterOf(buffer),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    trim: true,
  }
  try {
    return parse(buffer, options)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED')
      return log.fault(Number(error['lines']), undefined, 'quotes around whole cells only, doubled within')
    const before = Number(error['records'])
    const sound: string[][] = before === 0 ? [] : parse(buffer, { ...options, to: before })
    return log.fault(linesOf([...sound, []], true).at(-1), undefined, 'a closing quote')
  }
}

/** Cells within quotes may hold line ends: each moves the rows below it by a line. */
function linesOf(rows: readonly (readonly string[])[], quoted: boolean): Int32Array {
  const lines = new Int32Array(rows.length)
  let line = 1
  for (let index = 0; index < rows.length; index += 1) {
    lines[index] = line
    line += 1
    if (!quoted) continue
    for (const cell of rows[index]!) if (/[\r\n]/.test(cell)) line += cell.split(/\r\n|\r|\n/).length - 1
  }
  return lines
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
