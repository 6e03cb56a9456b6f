/**
 * From the cells of an import file to rows, and back: every cell is read by the kind its column has, and each that
 * cannot be read is a fault of its own. What rows mean together is for the core to check. The names of fields and
 * columns stay known, so that a finding of the core about a row can be shown where it stands in the file.
 */
import type { Cell, SureCell } from './csv-cells.ts'
import { type CsvTable, type CsvVisitor, visitCsv, withFormulaGuard } from './csv-table.ts'
import { type FaultLog, type FaultPlace, openFaultLog } from './import-fault.ts'

/** The cell of each field of a row; one that a row always has needs a cell that always comes to a value. */
export type Fields<Raw> = {
  readonly [Field in keyof Raw]-?: object extends Pick<Raw, Field>
    ? Cell<Exclude<Raw[Field], undefined>>
    : SureCell<Raw[Field]>
}

/** Notes a fault of the row at hand; answers undefined, for `return report(...)`. */
export type Report = (column: string, expected: string, found?: string) => undefined

/** What a file of the format holds. */
export type TableSpec<Raw, Row> = {
  readonly file: string
  /** True: the file has to be there, with at least one row. */
  readonly required: boolean
  readonly fields: Fields<Raw>
  /** Makes the row of what its cells say; undefined, with a report, where they do not fit each other. */
  readonly build: (raw: Raw, report: Report) => Row | undefined
  /** Columns of the fields of `Row` that have no cell of their own. */
  readonly columns?: Readonly<Record<string, string>>
}

/** What a file of the format holds, and how its rows are written. */
export type CardTableSpec<Raw, Row> = TableSpec<Raw, Row> & {
  /** The reverse of `build`: what the cells of a row say. */
  readonly rawOf: (row: Row) => Raw
}

/** The rows of a file, and where each stands in it. */
export type TableReading<Row> = {
  readonly rows: readonly Row[]
  readonly log: FaultLog
  /** Where a field of a row stands; without an index the file, without a field the row. */
  placeOf(index?: number, field?: string): FaultPlace
}

/** Columns for people, in any file. */
const COLUMNS_FOR_PEOPLE = ['note', 'archetype']

/** The spec of a file whose rows are just what their cells say. */
export function plainTable<Row>(
  file: string,
  required: boolean,
  fields: Fields<Row>,
): CardTableSpec<Row, Row> {
  return { file, required, fields, build: (raw) => raw, rawOf: (row) => row }
}

/** Reads a file row by row, keeping nothing else of it. Rows with faults are left out. */
export function readTable<Raw, Row>(
  spec: TableSpec<Raw, Row>,
  bytes: Uint8Array | undefined,
): TableReading<Row> {
  const log = openFaultLog(spec.file)
  const { visitor, finish } = openRows(spec, log)
  if (bytes !== undefined) return finish(visitCsv(bytes, visitor, log))
  if (spec.required) log.fault(undefined, undefined, 'this file, which every rate card has')
  return finish(false)
}

/** Reads the rows of a table; none where there is no table. */
export function readRows<Raw, Row>(
  spec: TableSpec<Raw, Row>,
  table: CsvTable | undefined,
  log: FaultLog,
): TableReading<Row> {
  const { visitor, finish } = openRows(spec, log)
  if (table === undefined) return finish(false)
  visitor.header(table.header)
  table.records.forEach((record, index) => {
    visitor.row(record, table.lines[index]!)
  })
  return finish(true)
}

/** Reads rows as they come. */
export type RowReader<Row> = {
  readonly visitor: CsvVisitor
  /** What was read; `isWhole` when the file was gone through to its end. */
  finish(isWhole: boolean): TableReading<Row>
}

/** Opens the reading of a file of this kind. */
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
      if (isWhole && plan !== undefined && spec.required && count === 0)
        log.fault(undefined, undefined, 'at least one row below the header')
      return { rows, log, placeOf }
    },
  }
}

function columnOf<Raw, Row>({ fields, columns }: TableSpec<Raw, Row>, field: string): string | undefined {
  const cells = fields as Readonly<Record<string, Cell<unknown>>>
  return columns?.[field] ?? cells[field]?.column
}

/** A field and the position of its column, with the text last read there: columns often repeat themselves. */
type PlannedCell = {
  readonly field: string
  readonly cell: Cell<unknown>
  readonly position: number
  lastText: string
  lastValue: unknown
}

/** Where the cells of a row stand. Undefined, with faults, where a column is missing or there twice. */
function checkHeader(
  header: readonly string[],
  fields: Readonly<Record<string, Cell<unknown>>>,
  log: FaultLog,
): readonly PlannedCell[] | undefined {
  const known = new Set(Object.values(fields).map(({ column }) => column))
  let sound = noDuplicates(header, log)
  for (const name of header) if (!known.has(name)) warnUnknown(name, [...known], header, log)
  const plan: PlannedCell[] = []
  for (const [field, cell] of Object.entries(fields)) {
    const position = header.indexOf(cell.column)
    if (position === -1 && cell.needs !== 'nothing') {
      log.fault(1, cell.column, 'this column in the header')
      sound = false
    }
    plan.push({ field, cell, position, lastText: '', lastValue: cell.whenEmpty })
  }
  return sound ? plan : undefined
}

/** Notes a column that stands in a header twice; true when there is none. Columns without a name do not count. */
function noDuplicates(header: readonly string[], log: FaultLog): boolean {
  const twice = new Set(header.filter((name, index) => name !== '' && header.indexOf(name) !== index))
  for (const name of twice) log.fault(1, name, 'this column once in the header')
  return twice.size === 0
}

/** Warns of a column that is not read; names the known one it may have been meant to be, unless that is there too. */
function warnUnknown(name: string, known: readonly string[], header: readonly string[], log: FaultLog): void {
  if (COLUMNS_FOR_PEOPLE.includes(name)) return
  const absent = known.filter((column) => !header.includes(column))
  const meant = closestName(name, absent)
  const hint = meant === undefined ? '' : ` (perhaps ${meant})`
  if (name === '') log.warn(1, undefined, 'a name for every column; one without is not read')
  else log.warn(1, name, `a column of the format${hint}; it is not read`)
}

function readRecord<Raw>(
  record: readonly string[],
  plan: readonly PlannedCell[],
  line: number,
  log: FaultLog,
): Raw | undefined {
  const row: Record<string, unknown> = {}
  let sound = true
  for (const planned of plan) {
    const text = planned.position === -1 ? '' : record[planned.position]!.trim()
    const value = text === planned.lastText ? planned.lastValue : readCell(planned, text)
    if (value !== undefined) row[planned.field] = value
    else if (text !== '' || planned.cell.needs === 'value') {
      log.fault(line, planned.cell.column, planned.cell.expected(text), text)
      sound = false
    }
  }
  return sound ? (row as Raw) : undefined
}

function readCell(planned: PlannedCell, text: string): unknown {
  planned.lastText = text
  planned.lastValue = text === '' ? planned.cell.whenEmpty : planned.cell.parse(text)
  return planned.lastValue
}

/** A file of these rows, with every column of the format; what an empty cell means is left empty. */
export function writeTable<Raw, Row>(
  { fields, rawOf }: CardTableSpec<Raw, Row>,
  rows: readonly Row[],
): string {
  const cells = Object.entries<Cell<unknown>>(fields as Readonly<Record<string, Cell<unknown>>>)
  const lines = rows.map((row) => {
    const raw = rawOf(row) as Readonly<Record<string, unknown>>
    return cells.map(([field, cell]) => writeCell(cell, raw[field]))
  })
  return writeCsv([cells.map(([, { column }]) => column), ...lines])
}

/**
 * Rows of cells, the names of the columns first, as the text of a CSV file that a spreadsheet opens without running any
 * cell as a formula.
 */
export function writeCsv([header = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [header.map(headerCell), ...rows.map((cells) => cells.map(dataCell))]
  return `${lines.map((cells) => cells.join(',')).join('\n')}\n`
}

function writeCell({ whenEmpty, write }: Cell<unknown>, value: unknown): string {
  return value === undefined || value === whenEmpty ? '' : write(value)
}

/** Blanks at the ends of a cell would be lost without quotes. */
function dataCell(text: string): string {
  const cell = withFormulaGuard(text)
  return /[",\r\n]|^\s|\s$/.test(cell) ? quoted(cell) : cell
}

/** The delimiter of a file is told by its header: others in a name are within quotes. */
function headerCell(text: string): string {
  return /[;\t]/.test(text) ? quoted(withFormulaGuard(text)) : dataCell(text)
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

// Which of the known names an unknown one may have been meant to be.

/** The known name that at most two letters set apart from `name` (one in a short name); undefined when none is near. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  let closest: string | undefined
  let least = lower.length < 5 ? 1 : 2
  for (const candidate of known) {
    const distance = editDistance(lower, candidate, least)
    if (distance > least || (distance === least && closest !== undefined)) continue
    closest = candidate
    least = distance
  }
  return closest
}

/** How many letters to insert, drop or replace; anything above `limit` may come out as `limit + 1`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1))
    }
    above = row
  }
  return above[b.length]!
}
