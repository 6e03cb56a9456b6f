/**
 * Rates of taxes on import, in the product's own columns. Decided here: a file without the column `tax` is about
 * value added tax (the cell's default, see waybill-fields.ts).
 */
import { readCsvTable } from '../csv-table.ts'
import type { CustomsImport, ImportDefaults, ReadingProgress } from './customs-import.ts'
import { openImportTally } from './customs-import.ts'
import { readOwnRows } from './waybill-csv.ts'

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
