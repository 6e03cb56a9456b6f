/** The files of spreadsheets that commands read: CSV files and Excel workbooks. */
import path from 'node:path'
import { ImportRefusal, readImportFile } from '../../reference/import/import-limits.ts'
import { csvFile, type TableFile } from '../../reference/import/table-file.ts'
import { readWorkbook, type Workbook } from '../../reference/import/workbook-sheet.ts'
import { Refusal, refuseOnError } from './errors.ts'

export function isWorkbook(location: string): boolean {
  return /\.xlsx$/i.test(location)
}

/** Throws a Refusal that names the file if it cannot be read. */
export function readWorkbookFile(location: string): Workbook {
  const bytes = refuseOnError(() => readImportFile(location))
  // A zip begins with PK. The usual cause is another kind of file with the name of a workbook.
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
    throw new Refusal(`${location} is not an Excel workbook: save it as .xlsx in Excel, or as CSV UTF-8`)
  return namingFile(location, () => readWorkbook(bytes))
}

/** Reads a CSV file, or the sheet of a workbook that `select` finds. Throws a Refusal as `readWorkbookFile` does. */
export function readTableAt(location: string, select: (workbook: Workbook) => TableFile): TableFile {
  if (!isWorkbook(location))
    return csvFile(
      path.basename(location),
      refuseOnError(() => readImportFile(location)),
    )
  const workbook = readWorkbookFile(location)
  return namingFile(location, () => select(workbook))
}

function namingFile<Result>(location: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error
    throw new Refusal(`${location} is refused: ${error.message}`)
  }
}
