/**
 * The Harmonized Tariff Schedule of the United States as CSV. Decided here: the names of its columns. The file has no
 * footnotes; references to chapter 99 that a column holds in their place are read from it.
 * Source: the export of hts.usitc.gov.
 */
import { readCsvTable } from '../../import/csv-table.ts'
import {
  type CustomsImport,
  type ImportDefaults,
  openImportTally,
  type ReadingProgress,
} from '../customs-import.ts'
import { findColumns, hasColumns, neededColumn, possibleColumn } from '../sheets/sheet-columns.ts'
import { type UsitcLine, usitcTables } from './lines.ts'

const COLUMNS = {
  number: neededColumn('HTS Number', 'htsno', 'HTS No', 'Heading/Subheading', 'hts8', 'hts code'),
  general: neededColumn('General Rate of Duty', 'general', 'General Rate', 'mfn_text_rate'),
  special: possibleColumn('Special Rate of Duty', 'special', 'Special Rate'),
  other: possibleColumn('Column 2 Rate of Duty', 'other', 'Column 2 Rate', 'col2_text_rate'),
  additional: possibleColumn('Additional Duties', 'additionalDuties'),
  footnotes: possibleColumn('Footnotes', 'Footnote'),
}

/** True for a header of this file. */
export function isUsitcHeader(header: readonly string[]): boolean {
  return hasColumns(header, COLUMNS.number, COLUMNS.general)
}

/** Reads such a file; measures of the United States. */
export function readUsitcCsv(
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
): CustomsImport {
  const tally = openImportTally(fileName, onProgress)
  const table = readCsvTable(bytes, tally.log)
  const columns = table && findColumns(COLUMNS, { header: table.header, headerLine: 1 }, tally.log)
  if (table === undefined || columns === undefined) return tally.finish({})
  const titleOf = (column: 'number' | 'general' | 'special' | 'other'): string =>
    columns.titleOf(column) ?? COLUMNS[column].names[0]!
  const lines = table.records.map(
    (record, index): UsitcLine => ({
      row: table.lines[index]!,
      number: withLeadingZero(columns.textOf(record, 'number'), (text) =>
        tally.zeroPutBack(table.lines[index]!, columns.titleOf('number'), text),
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

/** A spreadsheet makes a number of "0101" and of digits without dots. */
function withLeadingZero(number: string, onRepair: (number: string) => void): string {
  if (!/^\d+$/.test(number) || number.length % 2 === 0) return number
  onRepair(number)
  return `0${number}`
}
