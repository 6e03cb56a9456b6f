/** The encoding of a CSV file, which must be UTF-8, and its delimiter. Rules: docs/rate-card-files.md. */
import { Buffer, isUtf8 } from 'node:buffer'
import { scanCsv } from './csv-scan.ts'
import type { FaultLog } from './import-fault.ts'

export const DELIMITERS = [',', ';', '\t']

/** `headerLine` is the line of the header: 1, or 2 below a line that names the delimiter. */
export type CsvFormat = { readonly delimiter: string; readonly headerLine: number }

/** A first line such as "sep=;" tells Excel the delimiter. It may be in quotes, and end with delimiters. */
const DECLARED_DELIMITER = /^\ufeff?"?sep=([^"])"?[,;\t]*$/i

/** True for a first line that names the delimiter. The header is then on the second line. */
export function isDelimiterLine(line: string): boolean {
  return DECLARED_DELIMITER.test(line)
}

/**
 * The delimiter that the first line names, whatever it is. Without such a line: the one of comma, semicolon and tab
 * that occurs most often in the header.
 */
export function csvFormatOf(bytes: Buffer): CsvFormat {
  const begin = bytes.subarray(0, 65_536).toString('utf8')
  const [firstLine = ''] = begin.split(/[\r\n]/, 1)
  const [, declared] = DECLARED_DELIMITER.exec(firstLine) ?? []
  if (declared !== undefined) return { delimiter: declared, headerLine: 2 }
  const unquoted = firstLine.replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length)
  return { delimiter: DELIMITERS[counts.indexOf(Math.max(...counts))]!, headerLine: 1 }
}

/** False for UTF-16 too, which can be valid UTF-8. */
export function isUtf8Text(bytes: Buffer): boolean {
  return isUtf8(bytes) && !isUtf16(bytes)
}

/** True if the file begins with a byte order mark of UTF-16, or with an ASCII character in two bytes. */
function isUtf16([first, second]: Uint8Array): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true
  return second !== undefined && (first === 0) !== (second === 0)
}

const SAVE_AS = 'save it as "CSV UTF-8" in Excel, or with the character set UTF-8 elsewhere'

/**
 * Adds the fault of a file for which `isUtf8Text` is false. If it is text and not UTF-16, it is taken for Windows-1252,
 * the character set of Windows for Western Europe.
 */
export function reportEncoding(bytes: Buffer, log: FaultLog): void {
  if (isUtf16(bytes) || bytes.includes(0)) {
    const kind = isUtf16(bytes) ? 'UTF-16' : 'not text'
    log.fault(undefined, undefined, `text in UTF-8, and this is ${kind}: ${SAVE_AS}`)
    return
  }
  const { line = firstLineNotUtf8(bytes), column, found } = foreignCell(bytes) ?? {}
  log.fault(line, column, `text in UTF-8, and this is probably Windows-1252: ${SAVE_AS}`, found)
}

type ForeignCell = { readonly line: number; readonly column: string | undefined; readonly found: string }

/** Decoding as UTF-8 puts this in the place of other bytes. */
const REPLACEMENT = '\ufffd'

/** The characters of the bytes 128 to 159. The other bytes mean the same as in Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** For a text that was decoded as Latin-1, as `TextDecoder` of Node 20 does if asked for Windows-1252. */
function fromWindows(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]!)
}

/** The first cell that is not UTF-8, decoded as Windows-1252. Undefined if the scan ends before it with a fault. */
function foreignCell(bytes: Buffer): ForeignCell | undefined {
  const { delimiter, headerLine } = csvFormatOf(bytes)
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
    const end = bytes.indexOf(0x0a, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
    line += 1
  }
}
