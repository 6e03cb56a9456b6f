/**
 * Layouts of price lists: how the columns, products, zones and units of a carrier's own list are called here. A layout
 * is kept and used again for the list of the next year. See docs/rate-card-files.md#lists-in-a-layout-of-their-own.
 */
import { type Cell, cellOf, optionalOr, text, whole, word } from '../import/csv-cells.ts'
import { readTableFile, type TableSpec } from '../import/csv-rows.ts'
import type { TableVisitor } from '../import/csv-table.ts'
import { type FaultLog, type ImportFault, nameHint } from '../import/import-fault.ts'
import { type CellStyle, csvFile, onlySheet, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'
import { bandColumn, UP_TO } from './price-columns.ts'
import { unitOfPrice } from './price-files.ts'

/** The column whose texts the rows of a kind give a meaning, and its cells. */
const MEANT = {
  product: { column: 'product_id', cell: whole('product_id'), example: 'a product id such as 1201' },
  zone: { column: 'zone', cell: whole('zone', 0), example: 'a zone such as 1' },
  unit: {
    column: 'unit',
    cell: unitOfPrice('unit'),
    example: 'KG, PER100KG, or a class such as PALLET:HALF, SIZE:M or CLASS:70',
  },
  up_to: { column: 'up_to', cell: UP_TO, example: 'a weight such as 31.5' },
} as const satisfies Readonly<Record<string, { column: string; cell: Cell<unknown>; example: string }>>

type MeantKind = keyof typeof MEANT
const MEANT_KINDS = Object.keys(MEANT) as readonly MeantKind[]
const KINDS = ['sheet', 'column', 'ignore', ...MEANT_KINDS, 'empty'] as const
type Kind = (typeof KINDS)[number]

/** A row of a layout. `name` is a text of the list, and `value` says what it means. */
type LayoutRow = { readonly kind: Kind; readonly name: string; readonly value: string }

/** A price list as a table whose columns have the names of the format. */
export type PriceTable = TableFile & {
  /** The name that a column has in the list. */
  titleOf(column: string): string
  /** Whether a band begins at the last price of its zone, so that zones can have different bands. */
  readonly skipsEmpty: boolean
}

export type PriceLayout = {
  /** The sheet with the prices; undefined if the columns decide. */
  readonly sheet: string | undefined
  /** The column of the format for each column of the list. */
  readonly columns: ReadonlyMap<string, string>
  /** The empty name stands for all columns without a name. */
  readonly ignored: ReadonlySet<string>
  /** By column of the format. */
  readonly meanings: ReadonlyMap<string, Meaning>
  readonly skipsEmpty: boolean
}

/** What the cells of a column mean. */
type Meaning = {
  /** The value of all rows, if the list has no such column. */
  readonly everywhere: string | undefined
  /** The value of each text; empty if its rows are left out. Without texts, the cells are values of the format. */
  readonly texts: ReadonlyMap<string, string>
}

const COLUMN = /^(?:product_id|zone|unit|over|up_to|price|step|step_price|zone \d{1,9})$/
const EMPTY = 'no band'

function expectedOf(kind: Kind): string {
  switch (kind) {
    case 'sheet':
      return 'the name of a sheet in the column name, and nothing here'
    case 'column':
      return 'a column of a price list, such as up_to, price, "zone 1" or "up_to 50"'
    case 'ignore':
      return 'nothing: the column is left out'
    case 'product':
    case 'zone':
    case 'unit':
    case 'up_to':
      return `${MEANT[kind].example}, or nothing if rows with this name are left out`
    case 'empty':
      return `"${EMPTY}": the next band of the zone begins at its last price`
  }
}

function isValid({ kind, name, value }: LayoutRow): boolean {
  switch (kind) {
    case 'sheet':
    case 'ignore':
      return value === ''
    case 'column':
      return COLUMN.test(value) || bandColumn(value) !== undefined
    case 'product':
    case 'zone':
    case 'unit':
    case 'up_to':
      return value === '' ? name !== '' : MEANT[kind].cell.parse(value) !== undefined
    case 'empty':
      return name === '' && value === EMPTY
  }
}

function specOf(file: string): TableSpec<LayoutRow, LayoutRow> {
  const seen = new Set<string>()
  const anyText = cellOf('name', (value) => value, 'a text')
  return {
    file,
    required: true,
    fields: {
      kind: word('kind', KINDS),
      name: optionalOr(anyText, ''),
      value: optionalOr(text('value'), ''),
    },
    build(row, report) {
      if (!isValid(row)) return report('value', expectedOf(row.kind), row.value)
      if (row.name === '' && ['sheet', 'column'].includes(row.kind))
        return report('name', 'a text of the list', '')
      const key =
        row.kind === 'sheet' ? 'sheet' : `${row.kind === 'ignore' ? 'column' : row.kind} ${row.name}`
      if (seen.has(key)) return report('name', `one row for each ${row.kind}`, row.name)
      seen.add(key)
      if (row.kind !== 'column') return row
      const target = `value ${row.value}`
      if (seen.has(target)) return report('value', 'one row for each column of a price list', row.value)
      seen.add(target)
      return row
    },
  }
}

export type LayoutReading = {
  /** Undefined when there are faults. */
  readonly layout: PriceLayout | undefined
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
}

/** Reads a layout, a CSV file. Does not throw: problems of the file are faults. */
export function readPriceLayout(file: string, bytes: Uint8Array): LayoutReading {
  const { rows, log } = readTableFile(specOf(file), csvFile(file, bytes))
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind)
  const layout: PriceLayout = {
    sheet: of('sheet')[0]?.name,
    columns: new Map(of('column').map(({ name, value }) => [name, value])),
    ignored: new Set(of('ignore').map(({ name }) => name)),
    meanings: new Map(MEANT_KINDS.map((kind) => [MEANT[kind].column, meaningOf(of(kind))])),
    skipsEmpty: of('empty').length > 0,
  }
  if (rows.length > 0) checkMeanings(layout, log)
  const faults = log.faults()
  return { layout: faults.length > 0 ? undefined : layout, faults, warnings: log.warnings() }
}

function meaningOf(rows: readonly LayoutRow[]): Meaning {
  return {
    everywhere: rows.find(({ name }) => name === '')?.value,
    texts: new Map(rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
  }
}

/** A value comes from a column of the list or from a row without a name, and every list has products. */
function checkMeanings({ columns, meanings }: PriceLayout, log: FaultLog): void {
  const given = new Set(columns.values())
  const zoneColumns = [...given].some((column) => column.startsWith('zone '))
  for (const kind of MEANT_KINDS) {
    const { column } = MEANT[kind]
    const { everywhere, texts } = meanings.get(column)!
    const ways = Number(given.has(column)) + Number(everywhere !== undefined)
    if (ways > 1 || (kind === 'product' && ways === 0))
      log.fault(undefined, undefined, `either a column for ${column}, or a row ${kind} without a name`)
    else if (texts.size > 0 && !given.has(column))
      log.fault(
        undefined,
        undefined,
        `a column for ${column}, because the layout has rows ${kind} with names`,
      )
    else if (kind === 'zone' && ways > 0 && zoneColumns)
      log.fault(
        undefined,
        undefined,
        'either columns for single zones such as "zone 1", or one zone in a row',
      )
  }
}

/** Names that a message lists. */
const LISTED_NAMES = 10

function listOf(names: readonly string[]): string {
  const more = names.length - LISTED_NAMES
  return names.slice(0, LISTED_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** The sheet of a workbook that a layout describes. Throws ImportRefusal if it cannot be told which one it is. */
export function layoutSheet(workbook: Workbook, { sheet, columns }: PriceLayout): TableFile {
  const named = workbook.sheets.filter(({ name }) => sheet === undefined || name.trim() === sheet)
  const names = [...columns.keys()]
  const isHeader = (header: readonly string[]) => names.every((name) => header.includes(name))
  return onlySheet({ ...workbook, sheets: named }, listOf(names), { isHeader })
}

/** A list in the format itself. */
export function plainPrices(file: TableFile): PriceTable {
  return { ...file, titleOf: (column) => column, skipsEmpty: false }
}

/**
 * A list in a layout, as a table in the format. A column that the layout does not know is a fault, because it may be a
 * new zone.
 */
export function inLayout(file: TableFile, layout: PriceLayout): PriceTable {
  const titles = new Map([...layout.columns].map(([name, column]) => [column, name]))
  const constants = [...layout.meanings].flatMap(([column, { everywhere }]) =>
    everywhere === undefined ? [] : [{ column, value: everywhere }],
  )
  return {
    name: file.name,
    style: () => styleOf(file, layout),
    skipsEmpty: layout.skipsEmpty,
    titleOf: (column) => titles.get(column) ?? column,
    visit(visitor, log) {
      let kept: readonly number[] = []
      let readers: readonly ColumnReader[] = []
      const checkUnnamed = openUnnamedCheck(layout, log)
      return file.visit(
        {
          header(names, line) {
            checkHeader(names, line, layout, log)
            checkUnnamed.header(names, line)
            kept = names.flatMap((name, at) => (isRead(name, layout) ? [at] : []))
            const columns = kept.map((at) => layout.columns.get(names[at]!) ?? names[at]!)
            readers = columns.map((column) => readerOf(column, layout, log))
            visitor.header([...columns, ...constants.map(({ column }) => column)], line)
          },
          row(cells, line) {
            const texts = textsIn(
              readers,
              kept.map((at) => cells[at]!),
            )
            if (readers.some(({ leavesOut }, column) => leavesOut(texts[column]!))) return
            checkUnnamed.row(cells, line)
            const values = readers.flatMap(({ translate }, column) => translate(texts[column]!, line) ?? [])
            if (values.length < readers.length) return
            visitor.row([...values, ...constants.map(({ value }) => value)], line)
          },
        },
        log,
      )
    },
  }
}

/** Reads values of a layout, which are written as in our own files, whatever style of numbers the list has. */
function styleOf(file: TableFile, { meanings }: PriceLayout): CellStyle {
  const { plain, finish } = file.style()
  const stated = new Set(
    [...meanings].flatMap(([column, { everywhere, texts }]) =>
      everywhere === undefined && texts.size === 0 ? [] : [column],
    ),
  )
  return {
    plain: (kind, text, line, column) => (stated.has(column) ? text : plain(kind, text, line, column)),
    finish,
  }
}

/** Reports the first value in a column without a name. Many spreadsheets write empty columns at the end. */
function openUnnamedCheck({ ignored }: PriceLayout, log: FaultLog): TableVisitor {
  let unnamed: readonly number[] = []
  return {
    header(names) {
      unnamed = ignored.has('') ? [] : names.flatMap((name, at) => (name === '' ? [at] : []))
    },
    row(cells, line) {
      const found = unnamed.map((at) => cells[at]!.trim()).find((text) => text !== '')
      if (found === undefined) return
      unnamed = []
      log.fault(line, undefined, 'a name of the column, or a row ignore without a name in the layout', found)
    },
  }
}

/** A text of a continued column that is not the one above ends the texts above in the columns to its right. */
function textsIn(readers: readonly ColumnReader[], cells: readonly string[]): readonly string[] {
  let isBesideNew = false
  return readers.map(({ textIn }, column) => {
    const { text, isNew } = textIn(cells[column]!, isBesideNew)
    isBesideNew ||= isNew
    return text
  })
}

function isRead(name: string, { ignored }: PriceLayout): boolean {
  return name !== '' && !ignored.has(name)
}

function checkHeader(names: readonly string[], line: number, layout: PriceLayout, log: FaultLog): void {
  for (const name of names)
    if (isRead(name, layout) && !layout.columns.has(name))
      log.fault(line, undefined, 'a column that the layout names or ignores', name)
  for (const name of layout.columns.keys())
    if (!names.includes(name)) log.fault(line, undefined, `the column "${name}" of the layout`)
}

type ColumnReader = {
  /**
   * The text of a cell, which is that of the cell above if the column continues it, and whether it differs from that.
   * `isBesideNew`: it does not continue it. Called for every row in order.
   */
  textIn(cell: string, isBesideNew: boolean): { readonly text: string; readonly isNew: boolean }
  leavesOut(text: string): boolean
  /** The value in the format; undefined, after a fault, if the layout does not know the text. */
  translate(text: string, line: number): string | undefined
}

/**
 * An empty cell continues the cell above, except in a column that may be empty in the format and has no texts in the
 * layout. A text that the layout does not know is a fault in its first row.
 */
function readerOf(column: string, { meanings }: PriceLayout, log: FaultLog): ColumnReader {
  const texts = meanings.get(column)?.texts ?? new Map<string, string>()
  const isContinued = texts.size > 0 || column === 'product_id' || column === 'zone'
  const unknown = new Set<string>()
  let above = ''
  return {
    textIn(cell, isBesideNew) {
      if (!isContinued) return { text: cell, isNew: false }
      const last = above
      if (isBesideNew || cell.trim() !== '') above = cell.trim()
      return { text: above, isNew: above !== last }
    },
    leavesOut: (text) => texts.get(text) === '',
    translate(text, line) {
      if (texts.size === 0) return text
      const value = texts.get(text)
      if (value !== undefined || unknown.has(text)) return value
      unknown.add(text)
      const known = [...texts.keys()]
      const expected = `a text that the layout has for ${column}, one of ${listOf(known)}`
      return log.fault(line, column, text === '' ? expected : `${expected}${nameHint(text, known)}`, text)
    },
  }
}
