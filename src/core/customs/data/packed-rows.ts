/**
 * Rows of a customs table, packed by column: each distinct value once, and a small index per row. Goods codes are
 * numbers, which sort like the codes. 100,000 measures take about 2 MB, and reading them from a file needs no parsing.
 * See docs/decisions/customs.md#d170.
 */
import {
  CUSTOMS_TABLE_NAMES,
  type CustomsRow,
  type CustomsTableName,
  fieldsOf,
  type SetRows,
} from './rows.ts'

/** One element per row. */
export type RowIndexes = Uint8Array | Uint16Array | Uint32Array

/** The values of one field. */
export type PackedColumn = {
  /** The distinct values: JSON values. Empty if `codes` is present. */
  readonly values: readonly unknown[]
  /** For each row, the position of its value in `values`. Undefined if all rows have the first value. */
  readonly indexes: RowIndexes | undefined
  /** For each row, the key of its goods code (see `codeKey`). Undefined if the field is not a code. */
  readonly codes: Float64Array | undefined
}

/** The rows of one table, from any number of data sets. */
export type PackedTable<Table extends CustomsTableName = CustomsTableName> = {
  readonly table: Table
  readonly rowCount: number
  /** By field, including `dataSet`. */
  readonly columns: { readonly [Field in keyof CustomsRow[Table] & string]: PackedColumn }
}

/** Packed rows of several tables. Tables without rows are absent. */
export type PackedTables = { readonly [Table in CustomsTableName]?: PackedTable<Table> }

const CODE_DIGITS = 10
const LENGTHS = 16

/** The code as a number: its digits, filled up to ten, and its length. Keys sort like codes. Up to ten digits. */
export function codeKey(code: string): number {
  return Number(code.padEnd(CODE_DIGITS, '0')) * LENGTHS + code.length
}

export function codeOfKey(key: number): string {
  return String(Math.floor(key / LENGTHS))
    .padStart(CODE_DIGITS, '0')
    .slice(0, key % LENGTHS)
}

export function codeLength(key: number): number {
  return key % LENGTHS
}

/** The value of a column in a row. */
export function valueAt({ values, indexes, codes }: PackedColumn, row: number): unknown {
  if (codes !== undefined) return codeOfKey(codes[row]!)
  return values[indexes === undefined ? 0 : indexes[row]!]
}

/** The distinct values of a text field. A column may also list values that its rows no longer have. */
export function valuesInUse<Table extends CustomsTableName>(
  packed: PackedTable<Table> | undefined,
  field: keyof PackedTable<Table>['columns'],
): readonly string[] {
  if (packed === undefined || packed.rowCount === 0) return []
  const { values, indexes } = packed.columns[field] as PackedColumn
  return Array.from(indexes === undefined ? [0] : new Set(indexes), (index) => String(values[index]))
}

/** The fields of a table in the order of its rows. */
export function packedFields(table: CustomsTableName): readonly { name: string; isCode: boolean }[] {
  const fields = fieldsOf(table).map(([name, { kind }]) => ({ name, isCode: kind === 'codePrefix' }))
  return [{ name: 'dataSet', isCode: false }, ...fields]
}

export function packRows<Table extends CustomsTableName>(
  table: Table,
  rows: readonly CustomsRow[Table][],
): PackedTable<Table> {
  // A row has a value for each of its fields.
  const cells = rows as readonly Readonly<Record<string, unknown>>[]
  const columns = packedFields(table).map(({ name, isCode }) => {
    const column = isCode
      ? {
          values: [],
          indexes: undefined,
          codes: Float64Array.from(cells, (row) => codeKey(String(row[name]))),
        }
      : packColumn(cells, name)
    return [name, column] as const
  })
  return packedTable(table, rows.length, columns)
}

/** A table of columns that are complete. */
export function packedTable<Table extends CustomsTableName>(
  table: Table,
  rowCount: number,
  columns: Iterable<readonly [field: string, column: PackedColumn]>,
): PackedTable<Table> {
  return { table, rowCount, columns: Object.fromEntries(columns) as PackedTable<Table>['columns'] }
}

function packColumn(rows: readonly Readonly<Record<string, unknown>>[], field: string): PackedColumn {
  const values = openValues()
  const indexes = new Uint32Array(rows.length)
  for (let row = 0; row < rows.length; row += 1) indexes[row] = values.indexOf(rows[row]![field])
  return { values: values.list, indexes: narrowed(indexes, values.list.length), codes: undefined }
}

/** Distinct values and their positions. Lists are equal if their elements are. */
function openValues() {
  const list: unknown[] = []
  const positions = new Map<unknown, number>()
  return {
    list,
    indexOf(value: unknown): number {
      const key = Array.isArray(value) ? `list ${JSON.stringify(value)}` : value
      let position = positions.get(key)
      if (position === undefined) {
        position = list.length
        positions.set(key, position)
        list.push(value)
      }
      return position
    },
  }
}

/** The same indexes in as few bytes as their range needs. */
function narrowed(indexes: Uint32Array, valueCount: number): RowIndexes | undefined {
  if (valueCount <= 1) return undefined
  if (valueCount <= 2 ** 8) return Uint8Array.from(indexes)
  return valueCount <= 2 ** 16 ? Uint16Array.from(indexes) : indexes
}

export function rowAt<Table extends CustomsTableName>(
  { columns }: PackedTable<Table>,
  row: number,
): CustomsRow[Table] {
  const cells: Record<string, unknown> = {}
  for (const field in columns) cells[field] = valueAt(columns[field as keyof typeof columns], row)
  return cells as CustomsRow[Table]
}

export function unpackRows<Table extends CustomsTableName>(
  packed: PackedTable<Table> | undefined,
): readonly CustomsRow[Table][] {
  return packed === undefined ? [] : Array.from({ length: packed.rowCount }, (_, row) => rowAt(packed, row))
}

/** Packs the rows of a set. */
export function packSet(rows: SetRows): PackedTables {
  const packed = <Table extends CustomsTableName>(table: Table): readonly [Table, PackedTable<Table>][] => {
    const list: readonly CustomsRow[Table][] = rows[table] ?? []
    return list.length === 0 ? [] : [[table, packRows(table, list)]]
  }
  return Object.fromEntries(
    CUSTOMS_TABLE_NAMES.flatMap((table): readonly [string, unknown][] => packed(table)),
  )
}

/** The given rows of a table, in the given order. */
export function pickRows<Table extends CustomsTableName>(
  packed: PackedTable<Table>,
  rows: ArrayLike<number>,
): PackedTable<Table> {
  const pick = <Values extends RowIndexes | Float64Array>(from: Values | undefined): Values | undefined => {
    if (from === undefined) return undefined
    const to = new (from.constructor as new (length: number) => Values)(rows.length)
    for (let index = 0; index < rows.length; index += 1) to[index] = from[rows[index]!]!
    return to
  }
  const columns = Object.entries<PackedColumn>(packed.columns).map(
    ([field, { values, indexes, codes }]) =>
      [field, { values, indexes: pick(indexes), codes: pick(codes) }] as const,
  )
  return packedTable(packed.table, rows.length, columns)
}

/** The rows of all tables, one after the other. */
export function joinPacked<Table extends CustomsTableName>(
  parts: readonly PackedTable<Table>[],
): PackedTable<Table> | undefined {
  const [first, ...others] = parts
  if (first === undefined || others.length === 0) return first
  const rowCount = parts.reduce((sum, part) => sum + part.rowCount, 0)
  const columns = packedFields(first.table).map(({ name, isCode }) => {
    const list = parts.map((part) => ({
      column: part.columns[name as keyof typeof part.columns] as PackedColumn,
      rowCount: part.rowCount,
    }))
    return [name, isCode ? joinCodes(list, rowCount) : joinColumns(list, rowCount)] as const
  })
  return packedTable(first.table, rowCount, columns)
}

type Part = { readonly column: PackedColumn; readonly rowCount: number }

function joinCodes(parts: readonly Part[], rowCount: number): PackedColumn {
  const codes = new Float64Array(rowCount)
  let start = 0
  for (const { column, rowCount: count } of parts) {
    if (column.codes !== undefined) codes.set(column.codes, start)
    start += count
  }
  return { values: [], indexes: undefined, codes }
}

function joinColumns(parts: readonly Part[], rowCount: number): PackedColumn {
  const values = openValues()
  const joined = new Uint32Array(rowCount)
  let start = 0
  for (const { column, rowCount: count } of parts) {
    const positions = column.values.map((value) => values.indexOf(value))
    for (let row = 0; row < count; row += 1)
      joined[start + row] = positions[column.indexes === undefined ? 0 : column.indexes[row]!]!
    start += count
  }
  return { values: values.list, indexes: narrowed(joined, values.list.length), codes: undefined }
}
