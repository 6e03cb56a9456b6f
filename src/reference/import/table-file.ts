/**
 * The tables that people keep in spreadsheets: CSV files, and sheets of an Excel workbook. Both are read row by row.
 * Numbers and days may be written as spreadsheets do: with a decimal comma, or in a workbook as a day number.
 * See docs/rate-card-files.md#format.
 */
import type { CellKind } from './csv-cells.ts'
import { type TableVisitor, visitCsv } from './csv-table.ts'
import { dayOfNumber } from './day-number.ts'
import type { FaultLog } from './import-fault.ts'
import { ImportRefusal } from './import-limits.ts'
import type { Workbook, WorkbookSheet } from './workbook-sheet.ts'

export type TableFile = {
  /** The name in faults: "rates.csv", or "sheet rates". */
  readonly name: string
  /** Passes header and rows to a visitor. Returns false, with a fault in the log, if the table cannot be read. */
  visit(visitor: TableVisitor, log: FaultLog): boolean
  /** For one reading of the table. */
  style(): CellStyle
}

/** Converts cells to the format of import files. */
export type CellStyle = {
  /** Returns a text that it does not know unchanged, so that the cell reports it. */
  plain(kind: CellKind, text: string, line: number, column: string): string
  /** Reports what does not fit together in the whole table. */
  finish(log: FaultLog): void
}

/** A comma before exactly three digits may separate thousands. */
const DECIMAL_COMMA = /^-?\d+,(?:\d{1,2}|\d{4,})(?: ?%)?$/
const COMMA_BEFORE_THREE = /^-?\d+,\d{3}$/
const POINT_BEFORE_THREE = /^-?\d+\.\d{3}$/
/** The numbers of a sheet have no trailing zeros, so this is a cell of text. */
const TEXT_BEFORE_THREE = /^-?\d+\.\d{2}0$/

/** A number that a style cannot judge alone, and where it is. */
type Doubtful = { readonly text: string; readonly line: number; readonly column: string }

/**
 * Numbers with a decimal point or comma. A table with decimal commas must not have points where they may separate
 * thousands. A rate with a comma before three digits needs a decimal comma in another cell.
 */
function numberStyle(mayBeThousands: RegExp): CellStyle {
  let hasCommas = false
  let point: Doubtful | undefined
  let comma: Doubtful | undefined
  return {
    plain(kind, text, line, column) {
      if (kind === 'day') return text
      if (mayBeThousands.test(text)) point ??= { text, line, column }
      if (kind === 'rate' && COMMA_BEFORE_THREE.test(text)) comma ??= { text, line, column }
      else if (DECIMAL_COMMA.test(text)) hasCommas = true
      else return text
      return text.replace(',', '.')
    },
    finish(log) {
      if (hasCommas && point !== undefined)
        log.fault(
          point.line,
          point.column,
          'a decimal comma, as in other cells: this point may separate thousands',
          point.text,
        )
      if (!hasCommas && comma !== undefined)
        log.fault(
          comma.line,
          comma.column,
          'a decimal point, because no other cell has a decimal comma: this comma may separate thousands',
          comma.text,
        )
    },
  }
}

export function csvFile(name: string, bytes: Uint8Array): TableFile {
  return {
    name,
    visit: (visitor, log) => visitCsv(bytes, visitor, log),
    style: () => numberStyle(POINT_BEFORE_THREE),
  }
}

/** Rows above the header, such as a title. */
const MAX_ROWS_ABOVE = 40
/** Smaller numbers are not taken for days: 2026 would be a day of 1905. */
const FIRST_DAY = '2000-01-01'

export type SheetOptions = {
  /** Whether a row with these names is the header. If none of the first rows is, the first row counts as the header. */
  isHeader(names: readonly string[]): boolean
  /** A column whose empty cells continue the cell above. */
  readonly continued?: string
}

/** A sheet. Cells beside the columns with a name are not read. */
export function sheetFile(
  { name, rows }: WorkbookSheet,
  { countsFrom1904 }: Pick<Workbook, 'countsFrom1904'>,
  { isHeader, continued }: SheetOptions,
): TableFile {
  return {
    name: `sheet ${name}`,
    visit(visitor, log) {
      const at = headerIn(rows, { isHeader }) ?? 0
      const header = rows[at]
      if (header === undefined) {
        log.fault(undefined, undefined, 'a header row with the names of the columns')
        return false
      }
      const names = namesIn(header.cells)
      visitor.header(names, header.line)
      const columnContinued = continued === undefined ? -1 : names.indexOf(continued)
      let above = ''
      for (const { cells, line } of rows.slice(at + 1)) {
        if (cells.every((cell) => cell.trim() === '')) continue
        const record = names.map((_, column) => cells[column] ?? '')
        const own = record[columnContinued]
        if (own !== undefined) above = record[columnContinued] = own.trim() === '' ? above : own
        visitor.row(record, line)
      }
      return true
    },
    style: () => sheetStyle(countsFrom1904),
  }
}

function sheetStyle(countsFrom1904: boolean): CellStyle {
  const { plain, finish } = numberStyle(TEXT_BEFORE_THREE)
  return {
    plain(kind, text, line, column) {
      if (kind !== 'day') return plain(kind, text, line, column)
      const day = dayOfNumber(text, countsFrom1904)
      return day === undefined || day < FIRST_DAY ? text : day
    },
    finish,
  }
}

/** The names of a header, up to the last one. */
function namesIn(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1)
}

/** The sheet of a workbook that has a header. Throws ImportRefusal if it cannot be told which sheet is meant. */
export function onlySheet(workbook: Workbook, columns: string, options: SheetOptions): TableFile {
  const filled = workbook.sheets.filter(({ rows }) => rows.length > 0)
  const fitting = filled.filter(({ rows }) => headerIn(rows, options) !== undefined)
  const [sheet, ...others] = fitting.length === 0 ? filled : fitting
  if (sheet !== undefined && others.length === 0) return sheetFile(sheet, workbook, options)
  const names = filled.map(({ name }) => name).join(', ')
  throw new ImportRefusal(
    `one sheet with the columns ${columns}`,
    names === '' ? 'no sheet with content' : `the sheets ${names}`,
  )
}

/** The position of the header. */
function headerIn(
  rows: WorkbookSheet['rows'],
  { isHeader }: Pick<SheetOptions, 'isHeader'>,
): number | undefined {
  const found = rows.slice(0, MAX_ROWS_ABOVE).findIndex(({ cells }) => isHeader(namesIn(cells)))
  return found === -1 ? undefined : found
}
