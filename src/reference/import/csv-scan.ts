/**
 * Scans CSV files record by record, so that memory holds only what the caller keeps. Format: RFC 4180. A line may end
 * with CR or LF alone, cells may have whitespace around them, and the file may begin with a byte order mark. The number
 * of columns and rows and the length of cells are limited (import-limits.ts).
 *
 * csv-parse is not used here because it builds whole records, and an error object per malformed row, before a caller
 * can refuse them; tests compare the scanner with it.
 */
import type { Buffer } from 'node:buffer'
import { atMost, bytesText, figureText, MAX_CELL_LENGTH, MAX_COLUMNS, MAX_ROWS } from './import-limits.ts'

const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

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
