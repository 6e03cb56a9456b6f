/**
 * Converts the cells of an import file to typed rows, and back. A table is described by its columns (`TableSpec`);
 * csv-cells.ts has the types of cells. Every cell that cannot be read is a fault. A reading records the line of each
 * row, so that findings of core about a row can name its place in the file.
 */
import type { Cell, SureCell } from './csv-cells.ts'
import { type TableVisitor, visitCsv, writeCsv } from './csv-table.ts'
import { type FaultLog, type FaultPlace, nameHint, openFaultLog } from './import-fault.ts'
import type { CellStyle, TableFile } from './table-file.ts'

/** The cell of each field. A required field needs a `SureCell`, which has a value in every row. */
export type Fields<Raw> = {
  readonly [Field in keyof Raw]-?: object extends Pick<Raw, Field>
    ? Cell<Exclude<Raw[Field], undefined>>
    : SureCell<Raw[Field]>
}

/** Reports a fault of the current row. Returns undefined, so that callers can `return report(...)`. */
export type Report = (column: string, expected: string, found?: string) => undefined

/** Describes a file of an import format. */
export type TableSpec<Raw, Row> = {
  readonly file: string
  /** Whether the file must exist and have at least one row. */
  readonly required: boolean
  readonly fields: Fields<Raw>
  /** Builds a row from its cells. Returns undefined, after a report, if they contradict each other. */
  readonly build: (raw: Raw, report: Report) => Row | undefined
  /** The columns of fields that `Row` has and `Raw` does not. */
  readonly columns?: Readonly<Record<string, string>>
}

/** Describes a file that is written as well. */
export type WritableTableSpec<Raw, Row> = TableSpec<Raw, Row> & {
  /** The reverse of `build`. */
  readonly rawOf: (row: Row) => Raw
}

/** The rows of a file, and their places in it. */
export type TableReading<Row> = {
  readonly rows: readonly Row[]
  readonly log: FaultLog
  /** The place of a field of a row. Without `index`, the file; without `field`, the row. */
  placeOf(index?: number, field?: string): FaultPlace
}

/** Columns for people. They are allowed in every file, and not read. */
const REMARK_COLUMNS = ['note', 'archetype']

/** Describes a file whose rows have exactly the fields of its cells. */
export function plainTable<Row>(
  file: string,
  required: boolean,
  fields: Fields<Row>,
): WritableTableSpec<Row, Row> {
  return { file, required, fields, build: (raw) => raw, rawOf: (row) => row }
}

/** Reads a CSV file row by row. Rows with faults are left out. */
export function readTable<Raw, Row>(spec: TableSpec<Raw, Row>, bytes: Uint8Array): TableReading<Row> {
  const log = openFaultLog(spec.file)
  const { visitor, finish } = openRows(spec, log)
  return finish(visitCsv(bytes, visitor, log))
}

/** The same for a CSV file or a sheet, in which numbers and days may have the style of a spreadsheet. */
export function readTableFile<Raw, Row>(spec: TableSpec<Raw, Row>, file: TableFile): TableReading<Row> {
  const log = openFaultLog(file.name)
  const style = file.style()
  const { visitor, finish } = openRows({ ...spec, file: file.name }, log, style)
  const isWhole = file.visit(visitor, log)
  style.finish(log)
  return finish(isWhole)
}

/** The reading of a table that does not exist, which is a fault if it is required. */
export function readMissing<Raw, Row>(spec: TableSpec<Raw, Row>, expected: string): TableReading<Row> {
  const log = openFaultLog(spec.file)
  if (spec.required) log.fault(undefined, undefined, expected)
  return openRows(spec, log).finish(false)
}

/** Reads rows one after the other. */
export type RowReader<Row> = {
  readonly visitor: TableVisitor
  /** Returns the rows. `isWhole` is true if the file was read to its end. */
  finish(isWhole: boolean): TableReading<Row>
}

/** Without a `style`, numbers and days must have the format of import files. */
export function openRows<Raw, Row>(
  spec: TableSpec<Raw, Row>,
  log: FaultLog,
  style?: CellStyle,
): RowReader<Row> {
  const rows: Row[] = []
  const lines: number[] = []
  let plan: readonly PlannedCell[] | undefined
  let line = 0
  let count = 0
  const report: Report = (column, expected, found) => log.fault(line, column, expected, found)
  const placeOf = (index?: number, field?: string): FaultPlace => {
    const row = index === undefined ? undefined : lines[index]
    const column = field === undefined ? undefined : columnOf(spec, field)
    return { file: spec.file, ...(row !== undefined && { row }), ...(column !== undefined && { column }) }
  }
  return {
    visitor: {
      header(names, lineOfHeader) {
        plan = checkHeader(names, lineOfHeader, spec.fields, log)
      },
      row(record, lineOfRow) {
        count += 1
        if (plan === undefined) return
        line = lineOfRow
        const raw = readRecord<Raw>(record, plan, line, log, style)
        const row = raw && spec.build(raw, report)
        if (row === undefined) return
        rows.push(row)
        lines.push(line)
      },
    },
    finish(isWhole) {
      if (isWhole && plan !== undefined && spec.required && count === 0 && log.faults().length === 0)
        log.fault(undefined, undefined, 'at least one row below the header')
      return { rows, log, placeOf }
    },
  }
}

/** Whether a header has all columns that a table needs. */
export function hasNeeded({ fields }: { readonly fields: object }, header: readonly string[]): boolean {
  const cells = Object.values(fields as Readonly<Record<string, Cell<unknown>>>)
  return cells.every(({ column, needs }) => needs === 'nothing' || header.includes(column))
}

function columnOf<Raw, Row>({ fields, columns }: TableSpec<Raw, Row>, field: string): string | undefined {
  const cells = fields as Readonly<Record<string, Cell<unknown>>>
  return columns?.[field] ?? cells[field]?.column
}

/** A field and the position of its column, -1 if missing. The last value is cached, because cells often repeat. */
type PlannedCell = {
  readonly field: string
  readonly cell: Cell<unknown>
  readonly position: number
  lastText: string
  lastValue: unknown
}

/** Finds the columns. Returns undefined, with faults, if a column is missing or occurs twice. */
function checkHeader(
  header: readonly string[],
  line: number,
  fields: Readonly<Record<string, Cell<unknown>>>,
  log: FaultLog,
): readonly PlannedCell[] | undefined {
  const known = new Set(Object.values(fields).map(({ column }) => column))
  let isSound = checkDuplicates(header, line, log)
  for (const name of header) if (!known.has(name)) warnUnknown(name, [...known], header, line, log)
  const plan: PlannedCell[] = []
  for (const [field, cell] of Object.entries(fields)) {
    const position = header.indexOf(cell.column)
    if (position === -1 && cell.needs !== 'nothing') {
      log.fault(line, cell.column, 'this column in the header')
      isSound = false
    }
    plan.push({ field, cell, position, lastText: '', lastValue: cell.whenEmpty })
  }
  return isSound ? plan : undefined
}

/** Reports columns that occur twice, except unnamed ones. Returns true if there are none. */
function checkDuplicates(header: readonly string[], line: number, log: FaultLog): boolean {
  const twice = new Set(header.filter((name, index) => name !== '' && header.indexOf(name) !== index))
  for (const name of twice) log.fault(line, name, 'this column once in the header')
  return twice.size === 0
}

/** Warns of a column that is not read, and suggests the missing column whose name is closest. */
function warnUnknown(
  name: string,
  known: readonly string[],
  header: readonly string[],
  line: number,
  log: FaultLog,
): void {
  if (REMARK_COLUMNS.includes(name)) return
  const missing = known.filter((column) => !header.includes(column))
  if (name === '') log.warn(line, undefined, 'a name for every column; a column without a name is not read')
  else log.warn(line, name, `a column of the format${nameHint(name, missing)}; it is not read`)
}

function readRecord<Raw>(
  record: readonly string[],
  plan: readonly PlannedCell[],
  line: number,
  log: FaultLog,
  style: CellStyle | undefined,
): Raw | undefined {
  const row: Record<string, unknown> = {}
  let isSound = true
  for (const planned of plan) {
    const text = planned.position === -1 ? '' : record[planned.position]!.trim()
    const value = text === planned.lastText ? planned.lastValue : readCell(planned, text, line, style)
    if (value !== undefined) row[planned.field] = value
    else if (text !== '' || planned.cell.needs === 'value') {
      log.fault(line, planned.cell.column, planned.cell.expected(text), text)
      isSound = false
    }
  }
  return isSound ? (row as Raw) : undefined
}

function readCell(planned: PlannedCell, text: string, line: number, style: CellStyle | undefined): unknown {
  const { kind, column, whenEmpty, parse } = planned.cell
  planned.lastText = text
  const plain = kind === undefined || style === undefined ? text : style.plain(kind, text, line, column)
  planned.lastValue = text === '' ? whenEmpty : parse(plain)
  return planned.lastValue
}

/** A table as it is written: its columns, and the texts of its cells. */
export type WrittenTable = {
  readonly file: string
  readonly columns: readonly Pick<Cell<unknown>, 'column' | 'kind'>[]
  readonly rows: readonly (readonly string[])[]
}

/** The cells of all columns of the format. A default value is an empty cell. */
export function tableOf<Raw, Row>(
  { file, fields, rawOf }: WritableTableSpec<Raw, Row>,
  rows: readonly Row[],
): WrittenTable {
  const cells = Object.entries<Cell<unknown>>(fields as Readonly<Record<string, Cell<unknown>>>)
  return {
    file,
    columns: cells.map(([, cell]) => cell),
    rows: rows.map((row) => {
      const raw = rawOf(row) as Readonly<Record<string, unknown>>
      return cells.map(([field, cell]) => writeCell(cell, raw[field]))
    }),
  }
}

/** A table as a CSV file. */
export function csvOf({ columns, rows }: WrittenTable): string {
  return writeCsv([columns.map(({ column }) => column), ...rows])
}

/** Writes a CSV file with all columns of the format. */
export function writeTable<Raw, Row>(spec: WritableTableSpec<Raw, Row>, rows: readonly Row[]): string {
  return csvOf(tableOf(spec, rows))
}

function writeCell({ whenEmpty, write }: Cell<unknown>, value: unknown): string {
  return value === undefined || value === whenEmpty ? '' : write(value)
}
