/**
 * `waybill customs export`: a data set, or what decides in a table, as a file in Waybill's own columns. Decided here:
 * a word that is both a set and a table means the set; a file that is there is not overwritten.
 */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import { decidingRows } from '../../core/customs/data/layers.ts'
import type { CustomsRows, CustomsTableName } from '../../core/customs/data/rows.ts'
import { writeCustomsCsv } from '../../reference/tariff-import/waybill/csv.ts'
import { readCustomsRows } from '../../store/customs/customs.ts'
import { listCustomsSets, readCustomsSet } from '../../store/customs/publication.ts'
import type { Database } from '../../store/database/database.ts'
import { Refusal, UsageError } from '../terminal/errors.ts'
import { writeExport } from '../terminal/export-file.ts'
import { counted, type Output, report, tableLabel } from '../terminal/output.ts'
import { parseTableName, tableName, type WithCustoms, wordOfTable } from './arguments.ts'

type ExportOptions = { readonly out: string; readonly table?: CustomsTableName; readonly json?: boolean }

/** Adds the command `export`. */
export function exportCommand(customs: Command, withCustoms: WithCustoms, output: Output): void {
  customs
    .command('export')
    .description("write a data set, or what decides in a table, as a file in Waybill's own columns")
    .argument('[set|table]', 'a data set, or a table such as tax-rates; --table alone means the table')
    .requiredOption('--out <file>', 'the CSV file to write; it must not be there yet')
    .option('--table <name>', 'which table of a set that fills several', tableName)
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: ExportOptions) =>
      withCustoms(({ db }) => exportRows(db, name, options, output)),
    )
}

async function exportRows(
  db: Kysely<Database>,
  name: string | undefined,
  { out, json, ...options }: ExportOptions,
  output: Output,
): Promise<void> {
  if (existsSync(out)) throw new Refusal(`${out} already exists`)
  const { table, rows, what } = await chosen(db, name, options.table)
  writeExport(out, writeCustomsCsv(table, rows as never))
  report(output, json, { of: what, table, rows: rows.length, file: out }, [
    `Wrote ${counted(rows.length, 'row')} of ${what} to ${out}.`,
  ])
}

type Chosen = {
  readonly table: CustomsTableName
  readonly rows: CustomsRows[CustomsTableName]
  readonly what: string
}

async function chosen(
  db: Kysely<Database>,
  name: string | undefined,
  wanted: CustomsTableName | undefined,
): Promise<Chosen> {
  const set = (await listCustomsSets(db)).find((other) => other.name === name)
  if (set !== undefined) {
    const [only, ...more] = set.tables
    if (wanted === undefined && more.length > 0)
      throw new UsageError(
        `${set.name} fills ${set.tables.map(wordOfTable).join(', ')}: --table names one of them`,
      )
    const table = wanted ?? only
    const rows = table && (await readCustomsSet(db, set.name))[table]
    if (rows === undefined) throw new Refusal(`${set.name} has no rows of that table`)
    return { table: table!, rows, what: set.name }
  }
  const table = name === undefined ? wanted : parseTableName(name)
  if (table === undefined)
    throw new Refusal(
      name === undefined ? 'a set or --table is needed' : `there is no data set or table ${name}`,
    )
  const deciding = decidingRows(await readCustomsRows(db))
  return { table, rows: deciding[table], what: `the ${tableLabel(table)} that decide` }
}
