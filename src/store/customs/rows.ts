/**
 * The rows of customs data sets in the database. Decided here: a column is called like the field of the row, in
 * snake_case, so that the tables themselves say what a row has; and rows travel in large pieces, since a start reads
 * some 50,000 of them.
 */
import { sql, type Transaction } from 'kysely'
import { CUSTOMS_TABLES, type CustomsRow } from '../../core/customs/data/layers.ts'
import type { CustomsRows, CustomsTableName } from '../../core/customs/data/rows.ts'
import type { Database } from '../database/database.ts'
import type { CustomsTableRows } from '../tables/customs.ts'

/** What a set holds, by table; tables that it does not fill are absent. */
export type SetRows = Partial<Pick<CustomsRows, CustomsTableName>>

/** Told of the rows written so far, of all there are. */
export type Progress = (rowsWritten: number, rowsTotal: number) => void

type TableOfRows = Exclude<keyof CustomsTableRows, 'customs_data_set' | 'customs_book' | 'customs_change'>

/** The database table of each kind of rows. */
const TABLES: { readonly [Table in CustomsTableName]: TableOfRows } = {
  jurisdictions: 'customs_jurisdiction',
  territories: 'customs_territory',
  originGroups: 'customs_origin_group',
  codeLists: 'customs_code_list',
  hsSuccessors: 'customs_hs_successor',
  taxes: 'customs_tax',
  taxRates: 'customs_tax_rate',
  measureTypes: 'customs_measure_type',
  measures: 'customs_measure',
  thresholds: 'customs_threshold',
  fees: 'customs_fee',
  exchangeRates: 'customs_exchange_rate',
}

/** Rows of a statement: 10,000 measures are some 5 MB. */
const CHUNK_ROWS = 10_000

/** The tables that a set fills. */
export function tablesOf(rows: SetRows): CustomsTableName[] {
  return CUSTOMS_TABLES.filter((table) => (rows[table]?.length ?? 0) > 0)
}

/** How many rows a set has. */
export function countRows(rows: SetRows): number {
  return CUSTOMS_TABLES.reduce((sum, table) => sum + (rows[table]?.length ?? 0), 0)
}

/** Writes what a set holds. */
export async function writeSetRows(
  trx: Transaction<Database>,
  setId: number,
  rows: SetRows,
  onProgress: Progress = () => {},
): Promise<void> {
  const total = countRows(rows)
  let written = 0
  for (const name of tablesOf(rows)) {
    const list: readonly CustomsRow[] = rows[name] ?? []
    const table = sql.table(TABLES[name])
    for (let at = 0; at < list.length; at += CHUNK_ROWS) {
      const chunk = list.slice(at, at + CHUNK_ROWS)
      const json = JSON.stringify(chunk.map((row, index) => columnsOf(row, setId, at + index)))
      // One statement for all rows: the table's own types read the JSON.
      await sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${json}::json)`.execute(
        trx,
      )
      written += chunk.length
      onProgress(written, total)
    }
  }
}

function columnsOf(row: CustomsRow, setId: number, sortNo: number): Readonly<Record<string, unknown>> {
  const columns: Record<string, unknown> = { set_id: setId, sort_no: sortNo }
  for (const [field, value] of Object.entries(row)) if (field !== 'dataSet') columns[columnOf(field)] = value
  return columns
}

const known = new Map<string, string>()

/** "codePrefix" is "code_prefix". */
function columnOf(field: string): string {
  const column = known.get(field) ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  known.set(field, column)
  return column
}

/** Reads what sets hold; opened once for as many as are wanted. Rows are in the order of the file. */
export async function openSetReader(
  trx: Transaction<Database>,
): Promise<
  (set: {
    readonly setId: number
    readonly name: string
    readonly tables: readonly CustomsTableName[]
  }) => Promise<SetRows>
> {
  const columns = await readColumns(trx)
  return async ({ setId, name, tables }) => {
    const rows: Partial<Record<CustomsTableName, readonly object[]>> = {}
    for (const table of tables) {
      const fields = (columns.get(TABLES[table]) ?? []).map((column) => sql.ref(column).as(fieldOf(column)))
      const { rows: list } = await sql<object>`
        select ${sql.lit(name)} as ${sql.ref('dataSet')}, ${sql.join(fields)}
        from ${sql.table(TABLES[table])} where set_id = ${setId} order by sort_no`.execute(trx)
      rows[table] = list
    }
    return rows as SetRows
  }
}

/** What rows have: the columns that do not place them in a set. */
async function readColumns(trx: Transaction<Database>): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = any (${Object.values(TABLES)}::regclass[]) and a.attnum > 0 and not a.attisdropped
      and a.attname not in ('set_id', 'sort_no')
    group by c.relname`.execute(trx)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** "code_prefix" is "codePrefix". */
function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
