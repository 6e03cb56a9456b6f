/**
 * Limits of imported files, and the reading of a file within its limit. The limits keep every import within seconds and
 * about 700 MB of memory. A file above a limit is refused as a whole, with the limit and the actual value. See
 * docs/limits.md#imported-files.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Bytes of a file on disk, of an unpacked gzip file, and of the unpacked CSV files of a rate card together: 64 MiB. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Rows of a CSV file, blank ones included, and prices of a price list. */
export const MAX_ROWS = 2_000_000
/** Columns of a CSV file. */
export const MAX_COLUMNS = 2_000
/** Bytes of a cell of a CSV file, and characters of a cell of a workbook. Excel has the same limit. */
export const MAX_CELL_LENGTH = 32_767
/** Rows of a table that is read into memory: a customs file, the sheets of a workbook, a file of descriptions. */
export const MAX_TABLE_ROWS = 300_000
/** Cells of such a table. */
export const MAX_TABLE_CELLS = 8_000_000
/** Bytes of the layout of a price list: 1 MiB. */
export const MAX_LAYOUT_BYTES = 1024 * 1024
/** Rows of a file of `waybill fuel import`. */
export const MAX_FUEL_ROWS = 10_000
/** Rows of the discounts of one contract. */
export const MAX_DISCOUNT_ROWS = 2_000
/** Rows of the file of margins. */
export const MAX_MARGIN_ROWS = 20_000
/** Rows created from a customs file. A line of the US schedule creates one row per programme. */
export const MAX_ROWS_MADE = 500_000

/** Bytes of an entry of a JSON file: 1 MiB. Entries are parsed one by one. */
export const MAX_ENTRY_BYTES = 1024 * 1024

/** Files and folders in the zip of a rate card. A rate card has at most 14 files. */
export const MAX_CARD_ENTRIES = 64
/** Files in a workbook. */
export const MAX_WORKBOOK_ENTRIES = 1_000
/** Bytes of the XML of a workbook, unpacked: 192 MiB. The 250,000 rows of TARIC are about 90 MB. */
export const MAX_WORKBOOK_BYTES = 192 * 1024 * 1024
/** Elements of the XML of a workbook; a cell is two or three. */
export const MAX_WORKBOOK_ELEMENTS = 12_000_000
/** Bytes of one text or tag, up to the next "<". */
export const MAX_XML_RUN_BYTES = 1024 * 1024
/** Nesting depth of elements. */
export const MAX_XML_DEPTH = 100
/** Sheets of a workbook. */
export const MAX_SHEETS = 100
/** Texts that the cells of a workbook share. */
export const MAX_SHARED_STRINGS = 1_000_000
/** Merged areas of a sheet; together they span at most `MAX_TABLE_CELLS`. */
export const MAX_MERGES = 100_000
/** Characters of all cells of a workbook. A text shared by several cells counts for each of them. */
export const MAX_WORKBOOK_CHARACTERS = 192 * 1024 * 1024

/** A file exceeds a limit or is damaged. The message is one sentence and does not name the file. */
export class ImportRefusal extends Error {
  override readonly name = 'ImportRefusal'
  readonly expected: string
  readonly found: string
  constructor(expected: string, found: string) {
    super(`expected ${expected}, found ${found}`)
    this.expected = expected
    this.found = found
  }
}

/** A whole number with thousands separators: "1,500,000". */
export function figureText(number: number): string {
  return number.toLocaleString('en-US')
}

/** A size as "64 MiB" when it is a whole number of MiB, otherwise in bytes. */
export function bytesText(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  return Number.isInteger(mebibytes) ? `${figureText(mebibytes)} MiB` : `${figureText(bytes)} bytes`
}

/** The expectation of a refusal: "at most 1,500,000 rows". */
export function atMost(limit: number, what: string): string {
  return `at most ${figureText(limit)} ${what}`
}

const FIRST_BYTES = 64 * 1024

/**
 * Reads a file or pipe to its end. The reported size is not trusted. Throws an error whose message names the file if it
 * does not exist, cannot be read, is a folder or has more than `maxBytes`.
 */
export function readImportFile(location: string, maxBytes: number = MAX_FILE_BYTES): Buffer {
  const file = describingErrors(location, () => openSync(location, 'r'))
  try {
    const stats = describingErrors(location, () => fstatSync(file))
    if (stats.isDirectory()) throw new Error(`${location} is not a file`)
    if (stats.size > maxBytes) throw tooLarge(location, bytesText(stats.size), maxBytes)
    let buffer = Buffer.allocUnsafe(Math.max(stats.size, FIRST_BYTES) + 1)
    let length = 0
    for (;;) {
      const read = describingErrors(location, () =>
        readSync(file, buffer, length, buffer.length - length, null),
      )
      if (read === 0) return buffer.subarray(0, length)
      length += read
      if (length > maxBytes) throw tooLarge(location, `more than ${bytesText(maxBytes)}`, maxBytes)
      if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, maxBytes + 1))
    }
  } finally {
    closeSync(file)
  }
}

function tooLarge(location: string, found: string, maxBytes: number): Error {
  return new Error(`${location} has ${found}; the limit is ${bytesText(maxBytes)}`)
}

function describingErrors<Value>(location: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${message}`
    throw new Error(`${location} ${problem}`, { cause: error })
  }
}
