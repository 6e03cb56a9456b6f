/**
 * The Harmonized Tariff Schedule of the United States as JSON: an array with an entry for each line. Decided here:
 * the names of its fields, and that a place in it is told by the number of the entry, counted from 1.
 * Source: the export of hts.usitc.gov.
 */
import { isUtf8 } from 'node:buffer'
import { toPlainText } from '../../../core/input.ts'
import {
  atMost,
  figureText,
  MAX_CELL_LENGTH,
  MAX_JSON_VALUES,
  MAX_TABLE_ROWS,
} from '../../import/import-limits.ts'
import {
  type CustomsImport,
  type ImportDefaults,
  openImportTally,
  type ReadingProgress,
} from '../customs-import.ts'
import { type UsitcLine, usitcTables } from './lines.ts'

const COLUMNS = { number: 'htsno', general: 'general', special: 'special', other: 'other' }

type Entry = Readonly<Record<string, unknown>>

/** Reads such a file; measures of the United States. */
export function readUsitcJson(
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
): CustomsImport {
  const tally = openImportTally(fileName, onProgress)
  const values = countJsonValues(bytes)
  if (values > MAX_JSON_VALUES) {
    const expected = atMost(MAX_JSON_VALUES, 'values in a JSON file')
    tally.log.fault(undefined, undefined, expected, figureText(values))
    return tally.finish({})
  }
  const entries = readEntries(bytes)
  if (typeof entries === 'string') {
    tally.log.fault(undefined, undefined, entries)
    return tally.finish({})
  }
  if (entries.length > MAX_TABLE_ROWS) {
    tally.log.fault(undefined, undefined, atMost(MAX_TABLE_ROWS, 'entries'), figureText(entries.length))
    return tally.finish({})
  }
  const lines: UsitcLine[] = []
  entries.forEach((entry, index) => {
    const line = lineOf(entry, index + 1)
    const longest = line && textsOf(line).reduce((most, text) => Math.max(most, text.length), 0)
    if (line === undefined || longest === undefined)
      tally.log.fault(index + 1, 'htsno', 'an entry with the text fields htsno, general, special and other')
    else if (longest > MAX_CELL_LENGTH) {
      const expected = atMost(MAX_CELL_LENGTH, 'characters in a text')
      tally.log.fault(index + 1, undefined, expected, figureText(longest))
    } else lines.push(line)
  })
  return tally.finish(usitcTables(lines, COLUMNS, defaults, tally))
}

/** The entries, or what was expected in their place. */
function readEntries(bytes: Uint8Array): readonly unknown[] | string {
  if (!isUtf8(bytes)) return 'text in UTF-8'
  let content: unknown
  try {
    content = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return 'JSON that is complete and not damaged'
  }
  if (Array.isArray(content)) return content
  const lists = isEntry(content) ? Object.values(content).filter(Array.isArray) : []
  return lists.length === 1 ? lists[0]! : 'an array with an entry for each line of the schedule'
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The line that an entry is; undefined when it is none. One that groups others may have null for its number. */
function lineOf(entry: unknown, row: number): UsitcLine | undefined {
  if (!isEntry(entry)) return undefined
  const { htsno, footnotes } = entry
  const isGroup = (htsno === null || htsno === undefined) && 'description' in entry
  if (typeof htsno !== 'string' && !isGroup) return undefined
  return {
    row,
    number: textOf(htsno).trim(),
    general: textOf(entry['general']),
    special: textOf(entry['special']),
    other: textOf(entry['other']),
    footnotes: footnotesOf(footnotes),
  }
}

function footnotesOf(footnotes: unknown): readonly string[] {
  if (!Array.isArray(footnotes)) return []
  return footnotes
    .filter(isEntry)
    .map((note) => textOf(note['value']))
    .filter((text) => text !== '')
}

function textsOf({ number, general, special, other, footnotes }: UsitcLine): readonly string[] {
  return [number, general, special, other, ...footnotes]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? toPlainText(value) : ''
}

// Counts the values of a JSON text before it is parsed: a parsed value takes far more memory than its text.

const [QUOTE, COMMA, LIST, BACKSLASH, OBJECT] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b]

/** Counts arrays, objects and the commas between values, ignoring string contents. Malformed JSON is counted the same way. */
export function countJsonValues(bytes: Uint8Array): number {
  let count = 0
  let isInText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isInText && byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isInText = !isInText
    else if (!isInText && (byte === COMMA || byte === LIST || byte === OBJECT)) count += 1
  }
  return count
}
