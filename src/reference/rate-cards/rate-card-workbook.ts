/**
 * Writes a rate card as an Excel workbook: a sheet for each file of the format, also for those without rows, so that
 * rows can be added. Numbers and days are cells of these types; texts keep leading zeros when they are edited.
 */
import writeExcelFile, { type Cell, type SheetData } from 'write-excel-file/node'
import type { RateCardImport } from '../../core/rating/rate-card.ts'
import type { CellKind } from '../import/csv-cells.ts'
import type { WrittenTable } from '../import/csv-rows.ts'
import { cardTables, sheetOfFile } from './rate-card-csv.ts'

/** Widths in characters. */
const [NARROWEST, WIDEST] = [10, 50]
/** Rows that decide the width of a column. */
const MEASURED_ROWS = 200

/** The bytes of the workbook. Importing it gives the same card. */
export async function writeCardWorkbook(card: RateCardImport): Promise<Buffer> {
  const sheets = cardTables(card).map((table) => ({
    data: cellsOf(table),
    sheet: sheetOfFile(table.file),
    columns: table.columns.map(({ column }, at) => ({ width: widthOf(table, column, at) })),
    stickyRowsCount: 1,
  }))
  return writeExcelFile(sheets).toBuffer()
}

function cellsOf({ columns, rows }: WrittenTable): SheetData {
  const header = columns.map(({ column }): Cell => ({ value: column, type: String, fontWeight: 'bold' }))
  return [header, ...rows.map((row) => row.map((text, at) => cellOf(text, columns[at]?.kind)))]
}

function cellOf(text: string, kind: CellKind | undefined): Cell {
  if (text === '') return null
  switch (kind) {
    case 'number':
    case 'rate':
      return { value: Number(text), type: Number, ...(/\.\d\d$/.test(text) && { format: '0.00' }) }
    case 'day':
      if (text < FIRST_DAY) return { value: text, type: String, format: '@' }
      return { value: new Date(`${text}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' }
    case undefined:
      return { value: withEscapes(text), type: String, format: '@' }
  }
}

/** Workbooks have no number for earlier days that all programs read alike. */
const FIRST_DAY = '1900-03-01'

/** Escapes what a workbook would take for an escaped character: "_x0041_" is "A" there. */
function withEscapes(text: string): string {
  return text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
}

function widthOf({ rows }: WrittenTable, column: string, at: number): number {
  const longest = rows.slice(0, MEASURED_ROWS).reduce((most, row) => Math.max(most, row[at]!.length), 0)
  return Math.min(Math.max(column.length, longest, NARROWEST) + 2, WIDEST)
}
