/**
 * Reads the Harmonized Tariff Schedule of the United States from its CSV export, or from its JSON export, which is an
 * array with an entry per line. Faults in JSON name the number of the entry, counted from 1. The CSV export has no
 * footnotes; references to chapter 99 are read from a column for footnotes or additional duties if there is one.
 * Source: the exports of hts.usitc.gov.
 */
import { Buffer, isUtf8 } from 'node:buffer'
import { isJsonObject, toPlainText } from '../../../core/input.ts'
import { atMost, figureText, MAX_CELL_LENGTH } from '../../import/import-limits.ts'
import { type CustomsImport, type ImportDefaults, type ImportTally, importCsv } from '../customs-import.ts'
import { type FoundColumns, findColumns, hasColumns, neededColumn, possibleColumn } from '../sheet-table.ts'
import { visitJsonEntries } from './json-entries.ts'
import { type UsitcLine, usitcTables } from './lines.ts'

const CSV_COLUMNS = {
  number: neededColumn('HTS Number', 'htsno', 'HTS No', 'Heading/Subheading', 'hts8', 'hts code'),
  general: neededColumn('General Rate of Duty', 'general', 'General Rate', 'mfn_text_rate'),
  special: possibleColumn('Special Rate of Duty', 'special', 'Special Rate'),
  other: possibleColumn('Column 2 Rate of Duty', 'other', 'Column 2 Rate', 'col2_text_rate'),
  additional: possibleColumn('Additional Duties', 'additionalDuties'),
  footnotes: possibleColumn('Footnotes', 'Footnote'),
  indent: possibleColumn('Indent'),
  description: possibleColumn('Description', 'brief_description'),
}

/** True for the header of the CSV export. */
export function isUsitcHeader(header: readonly string[]): boolean {
  return hasColumns(header, CSV_COLUMNS.number, CSV_COLUMNS.general)
}

/** Reads the CSV export. */
export function readUsitcCsv(bytes: Uint8Array, defaults: ImportDefaults, tally: ImportTally): CustomsImport {
  return importCsv(bytes, tally, (header) => {
    const columns = findColumns(CSV_COLUMNS, { header, headerLine: 1 }, tally.log)
    if (columns === undefined) return undefined
    const titleOf = (column: 'number' | 'general' | 'special' | 'other'): string =>
      columns.titleOf(column) ?? CSV_COLUMNS[column].names[0]!
    const lines: UsitcLine[] = []
    const titles = {
      number: titleOf('number'),
      general: titleOf('general'),
      special: titleOf('special'),
      other: titleOf('other'),
    }
    return {
      row: (record, line) => lines.push(csvLine(columns, record, line, tally)),
      finish: () => usitcTables(lines, titles, defaults, tally),
    }
  })
}

function csvLine(
  columns: FoundColumns<keyof typeof CSV_COLUMNS>,
  record: readonly string[],
  row: number,
  tally: ImportTally,
): UsitcLine {
  return {
    row,
    number: withLeadingZero(columns.textOf(record, 'number'), (text) =>
      tally.zeroRestored(row, columns.titleOf('number'), text),
    ),
    general: columns.textOf(record, 'general'),
    special: columns.textOf(record, 'special'),
    other: columns.textOf(record, 'other'),
    footnotes: [columns.textOf(record, 'footnotes'), columns.textOf(record, 'additional')],
    depth: depthOf(columns.textOf(record, 'indent')),
    description: columns.textOf(record, 'description'),
  }
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
  const lines = readUsitcLines(bytes, tally)
  return tally.finish(lines === undefined ? {} : usitcTables(lines, JSON_FIELDS, defaults, tally))
}

/** The lines of the JSON export. Undefined, with a fault in the tally, if it is not an array in UTF-8. */
export function readUsitcLines(bytes: Uint8Array, tally: ImportTally): readonly UsitcLine[] | undefined {
  if (!isUtf8(bytes)) return tally.log.fault(undefined, undefined, 'text in UTF-8')
  const lines: UsitcLine[] = []
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const refusal = visitJsonEntries(buffer, (entry, number) => {
    const line = checkedLine(entry, number, tally)
    if (line !== undefined) lines.push(line)
  })
  if (refusal === undefined) return lines
  const { expected, found } = refusal
  return tally.log.fault(undefined, undefined, expected, found === '' ? undefined : found)
}

/** The line of an entry; undefined, with a fault, if it is not a line or has a text that is too long. */
function checkedLine(entry: unknown, row: number, { log }: ImportTally): UsitcLine | undefined {
  const line = lineOf(entry, row)
  if (line === undefined)
    return log.fault(row, 'htsno', 'an entry with the text fields htsno, general, special and other')
  const longest = textsOf(line).reduce((most, text) => Math.max(most, text.length), 0)
  if (longest <= MAX_CELL_LENGTH) return line
  return log.fault(row, undefined, atMost(MAX_CELL_LENGTH, 'characters in a text'), figureText(longest))
}

/**
 * The line of an entry; undefined if the entry is not a line. Lines that only group others may have null for `htsno`.
 */
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
    depth: depthOf(entry['indent']),
    description: textOf(entry['description']).slice(0, MAX_CELL_LENGTH),
  }
}

/** The indent of a line, "2". 0 if it is not given, so that no line inherits from another. */
function depthOf(indent: unknown): number {
  const text = typeof indent === 'number' ? String(indent) : textOf(indent).trim()
  return /^\d{1,2}$/.test(text) ? Number(text) : 0
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
