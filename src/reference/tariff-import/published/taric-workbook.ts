/**
 * Reads the "Duties Import" workbook of TARIC that the European Commission publishes, a part of it, or a sheet saved as
 * CSV. Source: column names of the published workbook.
 */
import type { CustomsImport, ImportDefaults, ImportTally } from '../customs-import.ts'
import {
  type ColumnNames,
  countColumns,
  findColumns,
  hasColumns,
  neededColumn,
  possibleColumn,
} from '../sheet-table.ts'
import type { MeasureColumn } from './measures.ts'
import { importMeasures } from './rows.ts'

const COLUMNS: Readonly<Record<MeasureColumn, ColumnNames>> = {
  code: neededColumn('Goods code', 'Goods nom. item id', 'Goods nomenclature code', 'TARIC code'),
  typeId: neededColumn('Meas. type code', 'Measure type code', 'Meas type'),
  typeWords: possibleColumn('Measure type', 'Measure type description'),
  duty: neededColumn('Duty', 'Duty expression', 'Duty rate'),
  start: neededColumn('Start date', 'Validity start date'),
  end: possibleColumn('End date', 'Validity end date'),
  origin: neededColumn('Origin code', 'Geographical area code'),
  originWords: possibleColumn('Origin', 'Geographical area'),
  excluded: possibleColumn('Excluded countries', 'Excluded country code', 'Excluded origins', 'Exclusions'),
  additionalCode: possibleColumn('Add code', 'Additional code', 'Add. code'),
  orderNumber: possibleColumn('Order No.', 'Order number', 'Quota order number'),
  conditions: possibleColumn('Conditions'),
  direction: possibleColumn('Trade direction'),
  operation: possibleColumn('Operation', 'Update type'),
  law: possibleColumn('Legal base', 'Regulation'),
}

/** A row with this many known columns is read as the header, so that faults can name the missing columns. */
const MIN_HEADER_COLUMNS = 3

/** True for the header of this workbook. */
export function isTaricHeader(header: readonly string[]): boolean {
  return hasColumns(header, COLUMNS.code, COLUMNS.duty, COLUMNS.typeId)
}

/** Reads all sheets. The default jurisdiction is the EU. */
export function readTaricDuties(
  bytes: Uint8Array,
  defaults: ImportDefaults,
  tally: ImportTally,
): CustomsImport {
  const jurisdiction = defaults.jurisdiction ?? 'EU'
  const isHeader = (cells: readonly string[]): boolean =>
    countColumns(cells, Object.values(COLUMNS)) >= MIN_HEADER_COLUMNS
  return importMeasures(bytes, isHeader, jurisdiction, defaults, tally, (head) => {
    const columns = findColumns(COLUMNS, head, tally.log)
    const validFrom = defaults.validFrom ?? null
    return columns && { columns, currency: 'EUR', validFrom }
  })
}
