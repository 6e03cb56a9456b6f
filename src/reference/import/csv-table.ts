/**
 * Reads and writes CSV files as rows of cells below a header. Format: RFC 4180 in UTF-8. A line may end with CR or LF
 * alone, cells may have whitespace around them, and the file may begin with a byte order mark. The delimiter is the one
 * of comma, semicolon and tab that occurs most often in the header, unless a first line such as "sep=;" names it. Blank
 * rows are skipped. Cells that a spreadsheet would run as a formula are written with an apostrophe in front, which
 * reading removes.
 *
 * The number of columns and rows and the length of cells are limited (import-limits.ts). A file is scanned record by
 * record, so that memory holds only what the caller keeps. csv-parse is not used here because it builds whole records,
 * and an error object per malformed row, before a caller can refuse them; tests compare the scanner with it.
 */
import { Buffer, isUtf8 } from 'node:buffer'
import type { FaultLog } from './import-fault.ts'
import {
  atMost,
  bytesText,
  figureText,
  MAX_CELL_LENGTH,
  MAX_COLUMNS,
  MAX_ROWS,
  MAX_TABLE_CELLS,
  MAX_TABLE_ROWS,
} from './import-limits.ts'

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

const DELIMITERS = [',', ';', '\t']
const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Passes the rows of a CSV file to a visitor. Returns false, with a fault in the log, if the file is empty, not UTF-8,
 * malformed or above a limit; the visitor has then received the rows before the fault.
 */
export function visitCsv(bytes: Uint8Array, visitor: TableVisitor, log: FaultLog): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isUtf8(bytes) || isUtf16(bytes)) {
    reportEncoding(buffer, log)
    return false
  }
  const { delimiter, headerLine } = formatOf(buffer)
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

/** The delimiter, and the line of the header. */
type CsvFormat = { readonly delimiter: string; readonly headerLine: number }

/** Excel reads the delimiter from such a line, which may be in quotes and end with delimiters. */
const DECLARED_DELIMITER = /^\ufeff?"?sep=([^"])"?[,;\t]*$/i

/** True for a first line that names the delimiter. The header is then the second one. */
export function isDelimiterLine(line: string): boolean {
  return DECLARED_DELIMITER.test(line)
}

function formatOf(bytes: Buffer): CsvFormat {
  const begin = bytes.subarray(0, 65_536).toString('utf8')
  const [firstLine = ''] = begin.split(/[\r\n]/, 1)
  const [, declared] = DECLARED_DELIMITER.exec(firstLine) ?? []
  if (declared !== undefined) return { delimiter: declared, headerLine: 2 }
  const unquoted = firstLine.replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length)
  return { delimiter: DELIMITERS[counts.indexOf(Math.max(...counts))]!, headerLine: 1 }
}

/** Begins with a byte order mark, or with an ASCII character in two bytes. Decoded as UTF-8, it can be valid. */
function isUtf16([first, second]: Uint8Array): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  return second !== undefined && (first === 0) !== (second === 0)
}

const SAVE_AS = 'save it as "CSV UTF-8" in Excel, or with the character set UTF-8 elsewhere'

/** Other files that are not UTF-8 are usually in the character set of Windows for Western Europe. */
function reportEncoding(bytes: Buffer, log: FaultLog): void {
  if (isUtf16(bytes) || bytes.includes(0)) {
    const kind = isUtf16(bytes) ? 'UTF-16' : 'not text'
    log.fault(undefined, undefined, `text in UTF-8, and this is ${kind}: ${SAVE_AS}`)
    return
  }
  const { line = firstLineNotUtf8(bytes), column, found } = foreignCell(bytes) ?? {}
  log.fault(line, column, `text in UTF-8, and this is probably Windows-1252: ${SAVE_AS}`, found)
}

type ForeignCell = { readonly line: number; readonly column: string | undefined; readonly found: string }

/** What a byte that is not UTF-8 is decoded as. */
const REPLACEMENT = '\ufffd'

/** The characters of the bytes 128 to 159. Those of other bytes are as in Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Corrects a text that was decoded as Latin-1. `TextDecoder` of Node 20 decodes Windows-1252 as Latin-1 too. */
function fromWindows(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]!)
}

/** The first cell that is not UTF-8, decoded as Windows-1252. Undefined if a fault of the format comes before it. */
function foreignCell(bytes: Buffer): ForeignCell | undefined {
  const { delimiter, headerLine } = formatOf(bytes)
  let names: readonly string[] = []
  let place: { readonly line: number; readonly at: number } | undefined
  scanCsv(bytes, delimiter.charCodeAt(0), (cells, line) => {
    if (line === headerLine) names = cells
    const at = cells.findIndex((cell) => cell.includes(REPLACEMENT))
    if (at !== -1) place ??= { line, at }
  })
  if (place === undefined) return undefined
  const { line: foreignLine, at } = place
  const decoded = Buffer.from(bytes.toString('latin1'))
  let found = ''
  scanCsv(decoded, delimiter.charCodeAt(0), (cells, line) => {
    if (line === foreignLine) found = fromWindows(cells[at] ?? '')
  })
  const name = foreignLine === headerLine ? undefined : names[at]?.trim()
  return { line: foreignLine, column: name === '' ? undefined : name, found }
}

function firstLineNotUtf8(bytes: Uint8Array): number {
  let line = 1
  let start = 0
  for (;;) {
    const end = bytes.indexOf(LF, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
    line += 1
  }
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}

function cellCount(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`
}

/** Why a file cannot be scanned further. */
export type CsvFault = { readonly line?: number; readonly expected: string; readonly found?: string }

/** Receives a record and the line on which it begins, counted from 1. The callback may keep and change the array. */
export type OnRecord = (cells: string[], line: number) => void

/** The text of cells with a single byte, if it is ASCII, indexed by the byte. A lookup is cheaper than decoding. */
const SINGLE = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte).trim())

/** The position of a scan. `line` is the line of `at`; `cell` is the cell that was read last. */
type Scan = { readonly bytes: Buffer; readonly delimiter: number; at: number; line: number; cell: string }

/**
 * Scans UTF-8 text whose cells are separated by the byte `delimiter`. Returns the first fault, or undefined. Records
 * before the fault have been passed to `onRecord`.
 */
export function scanCsv(bytes: Buffer, delimiter: number, onRecord: OnRecord): CsvFault | undefined {
  const begin = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? BYTE_ORDER_MARK.length : 0
  const scan: Scan = { bytes, delimiter, at: begin, line: 1, cell: '' }
  let records = 0
  while (scan.at < bytes.length) {
    const line = scan.line
    const cells: string[] = []
    const fault = readRecord(scan, cells)
    if (fault !== undefined) return fault
    records += 1
    if (records <= MAX_ROWS) onRecord(cells, line)
  }
  if (records <= MAX_ROWS) return undefined
  return { expected: atMost(MAX_ROWS, 'rows'), found: figureText(records) }
}

/** Reads the cells of one record and the line end after it. */
function readRecord(scan: Scan, cells: string[]): CsvFault | undefined {
  const line = scan.line
  for (let count = 1; ; count += 1) {
    const fault = readCell(scan)
    if (fault !== undefined) return fault
    if (count <= MAX_COLUMNS) cells.push(scan.cell)
    if (scan.bytes[scan.at] === scan.delimiter) {
      scan.at += 1
      continue
    }
    skipLineEnd(scan)
    if (count <= MAX_COLUMNS) return undefined
    return { line, expected: atMost(MAX_COLUMNS, 'columns'), found: figureText(count) }
  }
}

/** Reads a cell into `scan.cell` and stops at the delimiter, line end or end of file that ends it. */
function readCell(scan: Scan): CsvFault | undefined {
  const { bytes, at } = scan
  const end = endOfPlain(scan, at)
  if (bytes[end] === QUOTE)
    return isBlankCell(bytes, at, end) ? readQuotedCell(scan, end + 1) : misplacedQuote(scan.line)
  scan.at = end
  if (end - at > MAX_CELL_LENGTH) return tooLong(scan.line, end - at)
  // Most cells of price tables are empty or have one digit.
  scan.cell =
    end === at
      ? ''
      : ((end === at + 1 ? SINGLE[bytes[at]!] : undefined) ?? bytes.toString('utf8', at, end).trim())
  return undefined
}

/** Reads a quoted cell; `start` is the position after its opening quote. */
function readQuotedCell(scan: Scan, start: number): CsvFault | undefined {
  const { bytes, line } = scan
  let close = bytes.indexOf(QUOTE, start)
  let hasQuotes = false
  while (close !== -1 && bytes[close + 1] === QUOTE) {
    hasQuotes = true
    close = bytes.indexOf(QUOTE, close + 2)
  }
  if (close === -1) return { line, expected: 'a closing quote' }
  if (close - start > MAX_CELL_LENGTH) return tooLong(line, close - start)
  const text = bytes.toString('utf8', start, close)
  scan.cell = hasQuotes ? text.replaceAll('""', '"') : text
  scan.line += lineEndsIn(text)
  scan.at = endOfPlain(scan, close + 1)
  const isSound = bytes[scan.at] !== QUOTE && isBlankCell(bytes, close + 1, scan.at)
  return isSound ? undefined : misplacedQuote(scan.line)
}

/** The first delimiter, line end or quote from `at` on, or the end of the file. */
function endOfPlain({ bytes, delimiter }: Scan, at: number): number {
  let end = at
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end]
    if (byte === delimiter || byte === LF || byte === CR || byte === QUOTE) break
  }
  return end
}

function isBlankCell(bytes: Buffer, start: number, end: number): boolean {
  return start === end || (end - start <= MAX_CELL_LENGTH && bytes.toString('utf8', start, end).trim() === '')
}

function skipLineEnd(scan: Scan): void {
  const { bytes } = scan
  if (scan.at >= bytes.length) return
  scan.at += bytes[scan.at] === CR && bytes[scan.at + 1] === LF ? 2 : 1
  scan.line += 1
}

function lineEndsIn(text: string): number {
  return text.includes('\n') || text.includes('\r') ? text.split(/\r\n|\r|\n/).length - 1 : 0
}

function misplacedQuote(line: number): CsvFault {
  return { line, expected: 'quotes only around a whole cell, and doubled inside it' }
}

function tooLong(line: number, length: number): CsvFault {
  return { line, expected: `at most ${bytesText(MAX_CELL_LENGTH)} in a cell`, found: bytesText(length) }
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
