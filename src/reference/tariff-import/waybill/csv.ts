/**
 * Customs files in Waybill's own columns, one table per file. The shipped data sets and the files of operators are read
 * here; writing a table and reading it back gives the same rows. Without `--table`, the columns determine the table.
 * See docs/customs-files.md#waybills-own-columns.
 */

import type { MeasureRow } from '../../../core/customs/data/row-types/measures.ts'
import type { TaxRateRow } from '../../../core/customs/data/row-types/taxes.ts'
import {
  CUSTOMS_TABLE_NAMES,
  CUSTOMS_TABLES,
  type CustomsRow,
  type CustomsTableName,
  keyOf,
} from '../../../core/customs/data/rows.ts'
import { openRows, readTable, type TableReading, type TableSpec, writeTable } from '../../import/csv-rows.ts'
import type { FaultLog } from '../../import/import-fault.ts'
import {
  type CustomsImport,
  type ImportDefaults,
  type ImportedTables,
  type ImportTally,
  importCsv,
  type KnownNames,
  type RowImporter,
  warnOfCurrency,
  warnOfOrigins,
} from '../customs-import.ts'
import { type FileDefaults, tableCells } from './cells.ts'
import { ROW_CHECKS } from './checks.ts'

/** The cell values of a row, by field. */
type Cells = Record<string, unknown>

/** Reads a file of the shipped data. The log has the faults; rows with faults may be left out. */
export function readShippedTable<Table extends CustomsTableName>(
  table: Table,
  file: string,
  bytes: Uint8Array,
  dataSet: string,
  defaults: FileDefaults,
): { readonly rows: readonly CustomsRow[Table][]; readonly log: FaultLog } {
  const reading = readTable(tableSpec(table, dataSet, defaults, file), bytes)
  refuseDuplicates(table, reading)
  return reading
}

/** Reads a file of one table for an import. */
export function readWaybillCsv(
  bytes: Uint8Array,
  defaults: ImportDefaults,
  tally: ImportTally,
): CustomsImport {
  return importCsv(bytes, tally, (header) => {
    const table = defaults.table ?? tableOfHeader(header, defaults)
    if (table !== undefined) return openImporter(table, header, defaults, tally)
    const expected = `the columns of one table: ${CUSTOMS_TABLE_NAMES.join(', ')} (--table names it)`
    return tally.log.fault(1, undefined, expected, header.join(','))
  })
}

/** Reads a file of tax rates for an import. Without the column `tax`, the rates are of value added tax. */
export function readTaxRates(bytes: Uint8Array, defaults: ImportDefaults, tally: ImportTally): CustomsImport {
  return importCsv(bytes, tally, (header) => openImporter('taxRates', header, defaults, tally))
}

/** Reads the rows of a table, with warnings for names that are not in the customs data. */
export function openImporter<Table extends CustomsTableName>(
  table: Table,
  header: readonly string[],
  defaults: ImportDefaults,
  tally: ImportTally,
): RowImporter {
  const spec = tableSpec(table, defaults.dataSet, fileDefaults(defaults))
  const { visitor, finish } = openRows(spec, tally.log)
  visitor.header(header, 1)
  return {
    row(cells, line) {
      tally.read()
      visitor.row(cells, line)
    },
    finish(): ImportedTables {
      const reading = finish(true)
      const duplicates = refuseDuplicates(table, reading)
      const rows = reading.rows.filter((_, index) => !duplicates.has(index))
      const warn = WARNINGS[table]
      if (warn !== undefined)
        reading.rows.forEach((row, index) => {
          if (!duplicates.has(index)) warn(row, reading.placeOf(index).row!, defaults.known, tally)
        })
      tally.used(rows.length)
      return { [table]: rows }
    },
  }
}

function fileDefaults({ jurisdiction, measureType, validFrom }: ImportDefaults): FileDefaults {
  return { jurisdiction, measureType, validFrom }
}

function tableSpec<Table extends CustomsTableName>(
  table: Table,
  dataSet: string,
  defaults: FileDefaults,
  file = '',
): TableSpec<Cells, CustomsRow[Table]> {
  const check = ROW_CHECKS[table]
  return {
    file,
    required: true,
    fields: tableCells(table, defaults),
    build: (cells, report) => {
      // The cells are those of the fields of the table, so together they are a row of it.
      const row = Object.assign(cells, { dataSet }) as CustomsRow[Table]
      return check === undefined || check(row, report) === true ? row : undefined
    },
  }
}

/** Logs a fault for each row with the same key as an earlier row. Returns the indexes of these rows. */
function refuseDuplicates<Table extends CustomsTableName>(
  table: Table,
  { rows, placeOf, log }: TableReading<CustomsRow[Table]>,
): ReadonlySet<number> {
  const firsts = new Map<string, number>()
  const duplicates = new Set<number>()
  for (const [index, row] of rows.entries()) {
    const key = keyOf(table, row)
    const first = firsts.get(key)
    if (first === undefined) {
      firsts.set(key, index)
      continue
    }
    duplicates.add(index)
    const columns = CUSTOMS_TABLES[table].key.map((field) => placeOf(undefined, field).column).join(', ')
    const expected = `${columns} once in the file; row ${placeOf(first).row} has the same`
    log.fault(placeOf(index).row, undefined, expected)
  }
  return duplicates
}

type Warning<Row> = (row: Row, line: number, known: KnownNames | undefined, tally: ImportTally) => void

/** Warnings about names in a row that are defined nowhere, and the lists that it names. */
const WARNINGS: { readonly [Table in CustomsTableName]?: Warning<CustomsRow[Table]> } = {
  measures: warnOfMeasure,
  taxRates: warnOfTaxRate,
}

function warnOfMeasure(
  row: MeasureRow,
  line: number,
  known: KnownNames | undefined,
  tally: ImportTally,
): void {
  const { log } = tally
  warnOfOrigins(log, line, 'origin_group', [row.originGroup], known)
  warnOfOrigins(log, line, 'excluded_origins', row.excludedOrigins, known)
  for (const column of ['specific', 'minimum', 'maximum'] as const)
    warnOfCurrency(log, line, column, { specific: row[column], minimum: '', maximum: '' })
  if (row.scopeList !== '') tally.namesList(row.scopeList, line, 'scope_list')
  if (row.exemptList !== '') tally.namesList(row.exemptList, line, 'exempt_list')
}

function warnOfTaxRate(
  row: TaxRateRow,
  line: number,
  known: KnownNames | undefined,
  { log }: ImportTally,
): void {
  const { jurisdiction, tax } = row
  if (known === undefined || known.taxes.has(`${jurisdiction} ${tax}`)) return
  log.warn(line, 'tax', `a tax of ${jurisdiction} that is in the customs data`, tax)
}

/**
 * The table whose required columns are all in a header and that recognises most of its columns. Undefined if there is
 * none, or if two fit equally.
 */
export function tableOfHeader(
  header: readonly string[],
  defaults: ImportDefaults,
): CustomsTableName | undefined {
  const fitting = CUSTOMS_TABLE_NAMES.flatMap((table) => {
    const cells = Object.values(tableCells(table, fileDefaults(defaults)))
    const needed = cells.filter(({ needs }) => needs !== 'nothing')
    const known = cells.filter(({ column }) => header.includes(column)).length
    const isWhole = needed.every(({ column }) => header.includes(column)) && known >= MIN_COLUMNS
    return isWhole ? [{ table, unknown: header.length - known, known }] : []
  }).sort((a, b) => a.unknown - b.unknown || b.known - a.known)
  const [best, next] = fitting
  // Measures and tax rates need few columns, so a file with many unknown ones is neither.
  if (best === undefined || best.unknown > best.known) return undefined
  return next !== undefined && next.unknown === best.unknown && next.known === best.known
    ? undefined
    : best.table
}

const MIN_COLUMNS = 2

/** Writes rows of one table. Reading the file gives the same rows. It does not contain the name of the data set. */
export function writeCustomsCsv<Table extends CustomsTableName>(
  table: Table,
  rows: readonly CustomsRow[Table][],
): string {
  const fields = tableCells(table)
  const spec = { file: '', required: true, fields, build: (cells: Cells) => cells }
  return writeTable({ ...spec, rawOf: (row: Cells) => row }, rows)
}
