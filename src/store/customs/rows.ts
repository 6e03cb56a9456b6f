/**
 * Rows of imported customs data sets in the database. Columns are named like the fields of the rows, in snake case.
 * Rows are written and read in large statements, because a tariff has tens of thousands.
 */
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { snakeCase } from '../../core/customs/data/field.ts'
import {
  joinPacked,
  type PackedTable,
  type PackedTables,
  packRows,
} from '../../core/customs/data/packed-rows.ts'
import {
  CUSTOMS_TABLE_NAMES,
  CUSTOMS_TABLES,
  type CustomsRow,
  type CustomsTableName,
  fieldsOf,
  type SetRows,
} from '../../core/customs/data/rows.ts'
import type { Database } from '../database/database.ts'

/** Called with the number of rows written so far and the total. */
export type Progress = (rowsWritten: number, rowsTotal: number) => void

/** Rows per statement, written or read. 10,000 measures are about 5 MB of JSON. */
const CHUNK_ROWS = 10_000

/** Rows that are read and packed at a time. The service answers no requests meanwhile. */
const PAGE_ROWS = 1_000

/** The tables for which a set has rows. */
export function tablesOf(rows: SetRows): CustomsTableName[] {
  return CUSTOMS_TABLE_NAMES.filter((table) => (rows[table]?.length ?? 0) > 0)
}

export function countRows(rows: SetRows): number {
  return CUSTOMS_TABLE_NAMES.reduce((sum, table) => sum + (rows[table]?.length ?? 0), 0)
}

export async function writeSetRows(
  trx: Transaction<Database>,
  setId: number,
  rows: SetRows,
  onProgress: Progress = () => {},
): Promise<void> {
  const total = countRows(rows)
  let written = 0
  for (const name of tablesOf(rows)) {
    const list: readonly object[] = rows[name] ?? []
    const table = databaseTable(name)
    for (let start = 0; start < list.length; start += CHUNK_ROWS) {
      const chunk = list.slice(start, start + CHUNK_ROWS)
      const json = JSON.stringify(chunk.map((row, index) => columnsOf(row, setId, start + index)))
      // PostgreSQL converts the JSON to the column types of the table.
      await sql`INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, ${json}::json)`.execute(
        trx,
      )
      written += chunk.length
      onProgress(written, total)
    }
  }
}

function databaseTable(table: CustomsTableName): RawBuilder<unknown> {
  return sql.table(`customs_${CUSTOMS_TABLES[table].rowName}`)
}

function columnsOf(row: object, setId: number, sortNo: number): Readonly<Record<string, unknown>> {
  const columns: Record<string, unknown> = { set_id: setId, sort_no: sortNo }
  for (const [field, value] of Object.entries(row)) if (field !== 'dataSet') columns[columnOf(field)] = value
  return columns
}

const columnNames = new Map<string, string>()

function columnOf(field: string): string {
  const column = columnNames.get(field) ?? snakeCase(field)
  columnNames.set(field, column)
  return column
}

/** A set, and the tables for which it has rows. */
export type StoredSet = {
  readonly setId: number
  readonly name: string
  readonly tables: readonly CustomsTableName[]
}

/** Reads the rows of a set in the order of its file. */
export async function readSetRows(
  trx: Transaction<Database>,
  { setId, name, tables }: StoredSet,
): Promise<SetRows> {
  const lists: [CustomsTableName, readonly object[]][] = []
  for (const table of tables) lists.push([table, await readTableRows(trx, table, setId, name)])
  return Object.fromEntries(lists)
}

/** Like `readSetRows`, but packed. At most one page of rows is unpacked in memory at a time. */
export async function readPackedSet(
  trx: Transaction<Database>,
  { setId, name, tables }: StoredSet,
): Promise<PackedTables> {
  const packed: [CustomsTableName, PackedTable | undefined][] = []
  for (const table of tables) {
    const parts: PackedTable[] = []
    for await (const page of tablePages(trx, table, setId, name)) parts.push(packRows(table, page))
    packed.push([table, joinPacked(parts)])
  }
  return Object.fromEntries(packed.filter(([, table]) => table !== undefined))
}

async function readTableRows<Table extends CustomsTableName>(
  trx: Transaction<Database>,
  table: Table,
  setId: number,
  dataSet: string,
): Promise<readonly CustomsRow[Table][]> {
  const rows: CustomsRow[Table][] = []
  for await (const page of tablePages(trx, table, setId, dataSet)) for (const row of page) rows.push(row)
  return rows
}

/** The rows of a table in a set, in the order of its file, in pages. */
async function* tablePages<Table extends CustomsTableName>(
  trx: Transaction<Database>,
  table: Table,
  setId: number,
  dataSet: string,
): AsyncGenerator<readonly CustomsRow[Table][]> {
  const columns = fieldsOf(table).map(([field]) => sql.ref(columnOf(field)).as(field))
  for (let start = 0; ; start += PAGE_ROWS) {
    // Sort numbers count the rows from 0 (see `writeSetRows`).
    const { rows } = await sql<CustomsRow[Table]>`
      SELECT ${sql.lit(dataSet)} AS ${sql.ref('dataSet')}, ${sql.join(columns)}
      FROM ${databaseTable(table)}
      WHERE set_id = ${setId} AND sort_no >= ${start} AND sort_no < ${start + PAGE_ROWS}
      ORDER BY sort_no`.execute(trx)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) return
  }
}
