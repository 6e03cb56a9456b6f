/**
 * Layouts of price lists: how the columns and products of a carrier's own list are called here. A layout is kept and
 * used again for the list of the next year. See docs/rate-card-files.md#lists-in-a-layout-of-their-own.
 */
import { cellOf, optionalOr, text, word } from '../import/csv-cells.ts'
import { readTableFile, type TableSpec } from '../import/csv-rows.ts'
import type { FaultLog, ImportFault } from '../import/import-fault.ts'
import { csvFile, onlySheet, type TableFile } from '../import/table-file.ts'
import type { Workbook } from '../import/workbook-sheet.ts'

const KINDS = ['sheet', 'column', 'ignore', 'product', 'empty'] as const
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
  readonly ignored: ReadonlySet<string>
  /** The product of each text of the product column; empty if its rows are left out. */
  readonly products: ReadonlyMap<string, string>
  /** The product of all rows, if the list has no column for it. */
  readonly product: string | undefined
  readonly skipsEmpty: boolean
}

const COLUMN = /^(?:product_id|zone|unit|over|up_to|price|step|step_price|zone \d{1,9})$/
const PRODUCT = /^(?:\d{1,9})?$/
const EMPTY = 'no band'

const EXPECTED: Readonly<Record<Kind, string>> = {
  sheet: 'the name of a sheet in the column name, and nothing here',
  column: 'a column of a price list, such as up_to, price or "zone 1"',
  ignore: 'nothing: the column is left out',
  product: 'a product id such as 1201, or nothing if the product is left out',
  empty: `"${EMPTY}": the next band of the zone begins at its last price`,
}

function isValid({ kind, name, value }: LayoutRow): boolean {
  switch (kind) {
    case 'sheet':
    case 'ignore':
      return value === ''
    case 'column':
      return COLUMN.test(value)
    case 'product':
      return PRODUCT.test(value) && (name !== '' || value !== '')
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
      if (!isValid(row)) return report('value', EXPECTED[row.kind], row.value)
      if (row.name === '' && ['sheet', 'column', 'ignore'].includes(row.kind))
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
  const products = of('product')
  const layout = {
    sheet: of('sheet')[0]?.name,
    columns: new Map(of('column').map(({ name, value }) => [name, value])),
    ignored: new Set(of('ignore').map(({ name }) => name)),
    products: new Map(products.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
    product: products.find(({ name }) => name === '')?.value,
    skipsEmpty: of('empty').length > 0,
  }
  const hasColumn = [...layout.columns.values()].includes('product_id')
  if (rows.length > 0 && hasColumn === (layout.product !== undefined))
    log.fault(undefined, undefined, 'either a column for product_id, or a row product without a name')
  const faults = log.faults()
  return { layout: faults.length > 0 ? undefined : layout, faults, warnings: log.warnings() }
}

/** Columns that are named when no sheet is found. */
const NAMED_COLUMNS = 10

/** The sheet of a workbook that a layout describes. Throws ImportRefusal if it cannot be told which one it is. */
export function layoutSheet(workbook: Workbook, { sheet, columns }: PriceLayout): TableFile {
  const named = workbook.sheets.filter(({ name }) => sheet === undefined || name.trim() === sheet)
  const [continued] = [...columns].find(([, column]) => column === 'product_id') ?? []
  const names = [...columns.keys()]
  const more = names.length - NAMED_COLUMNS
  const listed = names.slice(0, NAMED_COLUMNS).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return onlySheet({ ...workbook, sheets: named }, listed, {
    isHeader: (header) => names.every((name) => header.includes(name)),
    ...(continued !== undefined && { continued }),
  })
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
  return {
    name: file.name,
    style: file.style,
    skipsEmpty: layout.skipsEmpty,
    titleOf: (column) => titles.get(column) ?? column,
    visit(visitor, log) {
      let kept: readonly number[] = []
      let productAt = -1
      const products = productsOf(layout, log)
      return file.visit(
        {
          header(names, line) {
            const read = (name: string) => name !== '' && !layout.ignored.has(name)
            kept = names.flatMap((name, at) => (read(name) ? [at] : []))
            for (const name of names)
              if (read(name) && !layout.columns.has(name))
                log.fault(line, undefined, 'a column that the layout names or ignores', name)
            for (const name of layout.columns.keys())
              if (!names.includes(name)) log.fault(line, undefined, `the column "${name}" of the layout`)
            const columns = kept.map((at) => layout.columns.get(names[at]!) ?? names[at]!)
            productAt = columns.indexOf('product_id')
            visitor.header(layout.product === undefined ? columns : [...columns, 'product_id'], line)
          },
          row(cells, line) {
            const row = kept.map((at) => cells[at]!)
            if (layout.product !== undefined) visitor.row([...row, layout.product], line)
            if (productAt === -1) return
            const product = products(row[productAt]!, line)
            if (product !== undefined) visitor.row(row.with(productAt, product), line)
          },
        },
        log,
      )
    },
  }
}

/** Returns a function that gives the product id of a text; undefined if the row is left out. */
function productsOf({ products }: PriceLayout, log: FaultLog) {
  return (name: string, line: number): string | undefined => {
    if (products.size === 0) return name
    const product = products.get(name.trim())
    if (product === undefined) return log.fault(line, undefined, 'a product of the layout', name)
    return product === '' ? undefined : product
  }
}
