/**
 * The product's own customs files: one CSV file for one table. Decided here: which table a file is, when nobody says
 * so, by its columns; and that what is written here is read back the same.
 */
import type { CustomsRows, CustomsTableName } from '../../../core/customs/data/rows.ts'
import type { Cell } from '../../import/csv-cells.ts'
import { readRows, type TableSpec, writeTable } from '../../import/csv-rows.ts'
import { type CsvTable, readCsvTable } from '../../import/csv-table.ts'
import {
  type CustomsImport,
  type ImportDefaults,
  type ImportTally,
  type KnownNames,
  openImportTally,
  type ReadingProgress,
  warnOfCurrency,
  warnOfOrigins,
} from '../customs-import.ts'
import { ROW_CHECKS, ROW_KEYS, type RowCheck } from './checks.ts'
import { type OwnRow, tableFields } from './fields.ts'

type AnyCells = Readonly<Record<string, Cell<unknown>>>

/** The tables a file may be. */
export const CUSTOMS_TABLES = Object.keys(ROW_KEYS) as readonly CustomsTableName[]

/** Reads a file of one table. */
export function readWaybillCsv(
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
): CustomsImport {
  const tally = openImportTally(fileName, onProgress)
  const csv = readCsvTable(bytes, tally.log)
  if (csv === undefined) return tally.finish({})
  const table = defaults.table ?? tableOfHeader(csv.header, defaults)
  if (table === undefined) {
    const expected = `the columns of one table: ${CUSTOMS_TABLES.join(', ')} (or say which it is)`
    tally.log.fault(1, undefined, expected, csv.header.join(','))
    return tally.finish({})
  }
  return tally.finish({ [table]: readOwnRows(table, csv, defaults, tally) })
}

/** The rows of a table; rows with faults are left out, and noted. */
export function readOwnRows<Table extends CustomsTableName>(
  table: Table,
  csv: CsvTable,
  defaults: ImportDefaults,
  tally: ImportTally,
): CustomsRows[Table] {
  const check = ROW_CHECKS[table] as RowCheck<Table> | undefined
  const spec: TableSpec<OwnRow<Table>, OwnRow<Table>> = {
    file: '',
    required: true,
    fields: tableFields(defaults)[table],
    build: (raw, report) => (check === undefined || check(raw, report) === true ? raw : undefined),
  }
  for (let index = 0; index < csv.records.length; index += 1) tally.read()
  const { rows, placeOf } = readRows(spec, csv, tally.log)
  const firsts = new Map<string, number>()
  const kept: (OwnRow<Table> & { readonly dataSet: string })[] = []
  rows.forEach((row, index) => {
    const key = JSON.stringify(ROW_KEYS[table].map((field) => row[field]))
    const first = firsts.get(key)
    if (first !== undefined) {
      const columns = ROW_KEYS[table].map((field) => placeOf(undefined, field).column).join(', ')
      tally.log.fault(
        placeOf(index).row,
        undefined,
        `${columns} once in the file; row ${placeOf(first).row} has the same`,
      )
      return
    }
    firsts.set(key, index)
    warnOfRow(table, row, placeOf(index).row!, defaults.known, tally)
    kept.push({ dataSet: defaults.dataSet, ...row })
    tally.used()
  })
  return kept as unknown as CustomsRows[Table]
}

/** Warns of what a row names that nobody has. */
function warnOfRow<Table extends CustomsTableName>(
  table: Table,
  row: OwnRow<Table>,
  line: number,
  known: KnownNames | undefined,
  { log }: ImportTally,
): void {
  if (table === 'measures') {
    const measure = row as unknown as OwnRow<'measures'>
    warnOfOrigins(log, line, 'origin_group', [measure.originGroup], known)
    warnOfOrigins(log, line, 'excluded_origins', measure.excludedOrigins, known)
    for (const column of ['specific', 'minimum', 'maximum'] as const)
      warnOfCurrency(log, line, column, { specific: measure[column], minimum: '', maximum: '' })
  }
  if (table !== 'taxRates' || known === undefined) return
  const { jurisdiction, tax } = row as unknown as OwnRow<'taxRates'>
  if (!known.taxes.has(`${jurisdiction} ${tax}`))
    log.warn(line, 'tax', `a tax of ${jurisdiction} that the taxes have; nobody levies this one`, tax)
}

/** The one table whose needed columns a header has, and of whose columns it has most; undefined when none stands out. */
export function tableOfHeader(
  header: readonly string[],
  defaults: ImportDefaults,
): CustomsTableName | undefined {
  const fields = tableFields(defaults)
  const fitting = CUSTOMS_TABLES.flatMap((table) => {
    const cells = Object.values(fields[table] as AnyCells)
    const needed = cells.filter(({ needs }) => needs !== 'nothing')
    const known = cells.filter(({ column }) => header.includes(column)).length
    const isWhole = needed.every(({ column }) => header.includes(column)) && known >= MIN_COLUMNS
    return isWhole ? [{ table, strange: header.length - known, known }] : []
  }).sort((a, b) => a.strange - b.strange || b.known - a.known)
  const [best, next] = fitting
  // Measures and tax rates need few columns: a file with many strange ones is neither.
  if (best === undefined || best.strange > best.known) return undefined
  return next !== undefined && next.strange === best.strange && next.known === best.known
    ? undefined
    : best.table
}

const MIN_COLUMNS = 2

/** Rows of one table as a file that is read back into the same rows; the set they are in is not in it. */
export function writeCustomsCsv<Table extends CustomsTableName>(
  table: Table,
  rows: CustomsRows[Table],
): string {
  const fields = tableFields({ dataSet: '' })[table]
  const own = rows as unknown as readonly OwnRow<Table>[]
  const spec = { file: '', required: true, fields, build: (raw: OwnRow<Table>) => raw }
  return writeTable({ ...spec, rawOf: (row: OwnRow<Table>) => row }, own)
}

// Rates of taxes on import, in the product's own columns. Decided here: a file without the column `tax` is about
// value added tax (the cell's default, see waybill-fields.ts).

/** Reads such a file. */
export function readTaxRates(
  fileName: string,
  bytes: Uint8Array,
  defaults: ImportDefaults,
  onProgress?: ReadingProgress,
): CustomsImport {
  const tally = openImportTally(fileName, onProgress)
  const csv = readCsvTable(bytes, tally.log)
  if (csv === undefined) return tally.finish({})
  return tally.finish({ taxRates: readOwnRows('taxRates', csv, defaults, tally) })
}
