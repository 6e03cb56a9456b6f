/**
 * A published table, whether it comes as CSV or as an Excel workbook. Decided here: where in a workbook the table
 * begins (titles and empty rows above the header do not matter), and that every sheet with that header is read.
 */
import { readCsvTable } from '../../import/csv-table.ts'
import type { FaultLog } from '../../import/import-fault.ts'
import { ImportRefusal } from '../../import/import-limits.ts'
import { isZip } from '../../import/zip-archive.ts'
import { dayAfter, EXPECTED_DAY, lastDayOrOpen, readDay, readSerialDay } from '../cell-text.ts'
import { readWorkbook, type Workbook, type WorkbookSheet } from './workbook-sheet.ts'

/** The cells of a table; records may be shorter than the header. */
export type SheetTable = {
  readonly header: readonly string[]
  readonly headerLine: number
  readonly records: readonly (readonly string[])[]
  /** The row each record stands in. */
  readonly lines: ArrayLike<number>
  /** The day a cell says; undefined when it says none. */
  dayOf(text: string): string | undefined
}

/** A header stands among the first rows. */
const MAX_HEADER_ROW = 40

/** Days from 1 January 1904, as days of the usual count. */
const DAYS_OF_1904 = 1_462

/**
 * Reads the tables of a file: one of a CSV file, of a workbook those whose header `isHeader` knows. None, with a fault
 * in the log, when the file is neither or has none.
 */
export function readSheetTables(
  bytes: Uint8Array,
  isHeader: (cells: readonly string[]) => boolean,
  log: FaultLog,
): readonly SheetTable[] {
  if (!isZip(bytes)) {
    const table = readCsvTable(bytes, log)
    if (table === undefined) return []
    return [{ ...table, headerLine: 1, dayOf: readDay }]
  }
  const workbook = readOrNote(bytes, log)
  if (workbook === undefined) return []
  const tables = workbook.sheets.flatMap((sheet) => tableOf(sheet, workbook, isHeader) ?? [])
  if (tables.length === 0)
    log.fault(undefined, undefined, 'a sheet with the header row of the format among its first rows')
  return tables
}

function readOrNote(bytes: Uint8Array, log: FaultLog): Workbook | undefined {
  try {
    return readWorkbook(bytes)
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    return log.fault(undefined, undefined, error.expected, error.found)
  }
}

function tableOf(
  { rows }: WorkbookSheet,
  { countsFrom1904 }: Workbook,
  isHeader: (cells: readonly string[]) => boolean,
): SheetTable | undefined {
  const at = rows.slice(0, MAX_HEADER_ROW).findIndex(({ cells }) => isHeader(cells))
  const header = rows[at]
  if (header === undefined) return undefined
  const below = rows.slice(at + 1).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  return {
    header: header.cells.map((name) => name.trim()),
    headerLine: header.line,
    records: below.map(({ cells }) => cells),
    lines: below.map(({ line }) => line),
    dayOf: (text) => readDay(text) ?? readSerialDay(countsFrom1904 ? shifted(text) : text),
  }
}

function shifted(serial: string): string {
  return /^\d{1,7}(\.\d+)?$/.test(serial) ? String(Math.floor(Number(serial)) + DAYS_OF_1904) : serial
}

/** When a row of a published table holds; null is open. */
export type ReadPeriod = { readonly validFrom: string | null; readonly validTo: string | null }

/**
 * Reads a first and a last day, which published tables both count in. An empty first day is `whenEmpty`. Undefined,
 * with a fault, when one cannot be read or the last comes before the first.
 */
export function readPeriod(
  table: Pick<SheetTable, 'dayOf'>,
  start: { readonly text: string; readonly column: string | undefined },
  end: { readonly text: string; readonly column: string | undefined },
  whenEmpty: string | null,
  report: (column: string | undefined, expected: string, found: string) => undefined,
): ReadPeriod | undefined {
  const validFrom = start.text === '' ? whenEmpty : table.dayOf(start.text)
  const found = end.text === '' ? null : table.dayOf(end.text)
  if (validFrom === undefined) return report(start.column, EXPECTED_DAY, start.text)
  if (found === undefined) return report(end.column, EXPECTED_DAY, end.text)
  const last = lastDayOrOpen(found)
  if (validFrom !== null && last !== null && last < validFrom)
    return report(end.column, `a day that is not before the first, ${validFrom}`, end.text)
  return { validFrom, validTo: last === null ? null : dayAfter(last) }
}
