/**
 * Reads the Harmonized Tariff Schedule of the United States from its CSV export, or from its JSON export, which is an
 * array with an entry per line. Faults in JSON name the number of the entry, counted from 1. The CSV export has no
 * footnotes; references to chapter 99 are read from a column for footnotes or additional duties if there is one.
 * Source: the exports of hts.usitc.gov.
 */
import { isUtf8 } from 'node:buffer'
import { isJsonObject, toPlainText } from '../../../core/input.ts'
import { readCsvTable } from '../../import/csv-table.ts'
import {
  atMost,
  figureText,
  MAX_CELL_LENGTH,
  MAX_JSON_VALUES,
  MAX_TABLE_ROWS,
} from '../../import/import-limits.ts'
import type { CustomsImport, ImportDefaults, ImportTally } from '../customs-import.ts'
import { findColumns, hasColumns, neededColumn, possibleColumn } from '../sheets/sheet-table.ts'
import { type UsitcLine, usitcTables } from './lines.ts'

const CSV_COLUMNS = {
  number: neededColumn('HTS Number', 'htsno', 'HTS No', 'Heading/Subheading', 'hts8', 'hts code'),
  general: neededColumn('General Rate of Duty', 'general', 'General Rate', 'mfn_text_rate'),
  special: possibleColumn('Special Rate of Duty', 'special', 'Special Rate'),
  other: possibleColumn('Column 2 Rate of Duty', 'other', 'Column 2 Rate', 'col2_text_rate'),
  additional: possibleColumn('Additional Duties', 'additionalDuties'),
  footnotes: possibleColumn('Footnotes', 'Footnote'),
}

/** True for the header of the CSV export. */
export function isUsitcHeader(header: readonly string[]): boolean {
  return hasColumns(header, CSV_COLUMNS.number, CSV_COLUMNS.general)
}

/** Reads the CSV export. */
export function readUsitcCsv(bytes: Uint8Array, defaults: ImportDefaults, tally: ImportTally): CustomsImport {
  const table = readCsvTable(bytes, tally.log)
  const columns = table && findColumns(CSV_COLUMNS, { header: table.header, headerLine: 1 }, tally.log)
  if (table === undefined || columns === undefined) return tally.finish({})
  const titleOf = (column: 'number' | 'general' | 'special' | 'other'): string =>
    columns.titleOf(column) ?? CSV_COLUMNS[column].names[0]!
  const lines = table.records.map(
    (record, index): UsitcLine => ({
      row: table.lines[index]!,
      number: withLeadingZero(columns.textOf(record, 'number'), (text) =>
        tally.zeroRestored(table.lines[index]!, columns.titleOf('number'), text),
      ),
      general: columns.textOf(record, 'general'),
      special: columns.textOf(record, 'special'),
      other: columns.textOf(record, 'other'),
      footnotes: [columns.textOf(record, 'footnotes'), columns.textOf(record, 'additional')],
    }),
  )
  const titles = {
    number: titleOf('number'),
    general: titleOf('general'),
    special: titleOf('special'),
    other: titleOf('other'),
  }
  return tally.finish(usitcTables(lines, titles, defaults, tally))
}

/** Restores the leading zero that spreadsheets remove from codes without dots. */
function withLeadingZero(number: string, onRepair: (number: string) => void): string {
  if (!/^\d+$/.test(number) || number.length % 2 === 0) return number
  onRepair(number)
  return `0${number}`
}

const JSON_FIELDS = { number: 'htsno', general: 'general', special: 'special', other: 'other' }

/** Reads the JSON export. */
export function readUsitcJson(
  bytes: Uint8Array,
  defaults: ImportDefaults,
  tally: ImportTally,
): CustomsImport {
  const refuse = (expected: string, found?: string): CustomsImport => {
    tally.log.fault(undefined, undefined, expected, found)
    return tally.finish({})
  }
  const values = countJsonValues(bytes)
  if (values > MAX_JSON_VALUES)
    return refuse(atMost(MAX_JSON_VALUES, 'values in a JSON file'), figureText(values))
  const entries = readEntries(bytes)
  if (typeof entries === 'string') return refuse(entries)
  if (entries.length > MAX_TABLE_ROWS)
    return refuse(atMost(MAX_TABLE_ROWS, 'entries'), figureText(entries.length))
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
  return tally.finish(usitcTables(lines, JSON_FIELDS, defaults, tally))
}

const [QUOTE, COMMA, LIST, BACKSLASH, OBJECT] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b]

/**
 * Counts arrays, objects and the commas between values, without parsing: parsed values take far more memory than their
 * text. Malformed JSON is counted in the same way.
 */
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

/** The entries, or what was expected if there are none. */
function readEntries(bytes: Uint8Array): readonly unknown[] | string {
  if (!isUtf8(bytes)) return 'text in UTF-8'
  let content: unknown
  try {
    content = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return 'JSON that is complete and not damaged'
  }
  if (Array.isArray(content)) return content
  const lists = isJsonObject(content) ? Object.values(content).filter(Array.isArray) : []
  return lists.length === 1 ? lists[0]! : 'an array with an entry for each line of the schedule'
}

/** The line of an entry; undefined if the entry is not a line. Lines that only group others may have null for `htsno`. */
function lineOf(entry: unknown, row: number): UsitcLine | undefined {
  if (!isJsonObject(entry)) return undefined
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
    .filter(isJsonObject)
    .map((note) => textOf(note['value']))
    .filter((text) => text !== '')
}

function textsOf({ number, general, special, other, footnotes }: UsitcLine): readonly string[] {
  return [number, general, special, other, ...footnotes]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? toPlainText(value) : ''
}
