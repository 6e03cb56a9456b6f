/**
 * Converts the cells of an import file to typed rows, and back. A table is described by its columns (`TableSpec`);
 * csv-cells.ts has the types of cells. Every cell that cannot be read is a fault. A reading records the line of each
 * row, so that findings of core about a row can name its place in the file.
 */
import type { Cell, SureCell } from './csv-cells.ts'
import { type CsvVisitor, visitCsv, writeCsv } from './csv-table.ts'
import { type FaultLog, type FaultPlace, nameHint, openFaultLog } from './import-fault.ts'

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

/** Reads a file row by row. Rows with faults are left out. `bytes` is undefined if the file does not exist. */
export function readTable<Raw, Row>(
  spec: TableSpec<Raw, Row>,
  bytes: Uint8Array | undefined,
): TableReading<Row> {
  const log = openFaultLog(spec.file)
  const { visitor, finish } = openRows(spec, log)
  if (bytes !== undefined) return finish(visitCsv(bytes, visitor, log))
  if (spec.required) log.fault(undefined, undefined, 'this file, which every rate card needs')
  return finish(false)
}

/** Reads rows one after the other. */
export type RowReader<Row> = {
  readonly visitor: CsvVisitor
  /** Returns the rows. `isWhole` is true if the file was read to its end. */
  finish(isWhole: boolean): TableReading<Row>
}

export function openRows<Raw, Row>(spec: TableSpec<Raw, Row>, log: FaultLog): RowReader<Row> {
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
      header(names) {
        plan = checkHeader(names, spec.fields, log)
      },
      row(record, lineOfRow) {
        count += 1
        if (plan === undefined) return
        line = lineOfRow
        const raw = readRecord<Raw>(record, plan, line, log)
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
  fields: Readonly<Record<string, Cell<unknown>>>,
  log: FaultLog,
): readonly PlannedCell[] | undefined {
  const known = new Set(Object.values(fields).map(({ column }) => column))
  let isSound = checkDuplicates(header, log)
  for (const name of header) if (!known.has(name)) warnUnknown(name, [...known], header, log)
  const plan: PlannedCell[] = []
  for (const [field, cell] of Object.entries(fields)) {
    const position = header.indexOf(cell.column)
    if (position === -1 && cell.needs !== 'nothing') {
      log.fault(1, cell.column, 'this column in the header')
      isSound = false
    }
    plan.push({ field, cell, position, lastText: '', lastValue: cell.whenEmpty })
  }
  return isSound ? plan : undefined
}

/** Reports columns that occur twice, except unnamed ones. Returns true if there are none. */
function checkDuplicates(header: readonly string[], log: FaultLog): boolean {
  const twice = new Set(header.filter((name, index) => name !== '' && header.indexOf(name) !== index))
  for (const name of twice) log.fault(1, name, 'this column once in the header')
  return twice.size === 0
}

/** Warns of a column that is not read, and suggests the missing column whose name is closest. */
function warnUnknown(name: string, known: readonly string[], header: readonly string[], log: FaultLog): void {
  if (REMARK_COLUMNS.includes(name)) return
  const missing = known.filter((column) => !header.includes(column))
  if (name === '') log.warn(1, undefined, 'a name for every column; a column without a name is not read')
  else log.warn(1, name, `a column of the format${nameHint(name, missing)}; it is not read`)
}

function readRecord<Raw>(
  record: readonly string[],
  plan: readonly PlannedCell[],
  line: number,
  log: FaultLog,
): Raw | undefined {
  const row: Record<string, unknown> = {}
  let isSound = true
  for (const planned of plan) {
    const text = planned.position === -1 ? '' : record[planned.position]!.trim()
    const value = text === planned.lastText ? planned.lastValue : readCell(planned, text)
    if (value !== undefined) row[planned.field] = value
    else if (text !== '' || planned.cell.needs === 'value') {
      log.fault(line, planned.cell.column, planned.cell.expected(text), text)
      isSound = false
    }
  }
  return isSound ? (row as Raw) : undefined
}

function readCell(planned: PlannedCell, text: string): unknown {
  planned.lastText = text
  planned.lastValue = text === '' ? planned.cell.whenEmpty : planned.cell.parse(text)
  return planned.lastValue
}

/** Writes a file with all columns of the format. A default value is written as an empty cell. */
export function writeTable<Raw, Row>(
  { fields, rawOf }: WritableTableSpec<Raw, Row>,
  rows: readonly Row[],
): string {
  const cells = Object.entries<Cell<unknown>>(fields as Readonly<Record<string, Cell<unknown>>>)
  const lines = rows.map((row) => {
    const raw = rawOf(row) as Readonly<Record<string, unknown>>
    return cells.map(([field, cell]) => writeCell(cell, raw[field]))
  })
  return writeCsv([cells.map(([, { column }]) => column), ...lines])
}

function writeCell({ whenEmpty, write }: Cell<unknown>, value: unknown): string {
  return value === undefined || value === whenEmpty ? '' : write(value)
}
