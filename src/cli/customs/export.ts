/**
 * `waybill customs export`: writes a data set, or the rows of a table that are in effect, as a file in Waybill's own
 * columns. A name that is both a set and a table means the set. Existing files are not overwritten.
 */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Kysely } from 'kysely'
import type { AnyCustomsRow, CustomsTableName } from '../../core/customs/data/rows.ts'
import { writeCustomsCsv } from '../../reference/tariff-import/waybill/csv.ts'
import { readEffectiveRows } from '../../store/customs/customs.ts'
import { listCustomsSets, readCustomsSet } from '../../store/customs/publication.ts'
import type { Database } from '../../store/database/database.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, UsageError } from '../terminal/errors.ts'
import { writeExport } from '../terminal/export-file.ts'
import { counted, type Output, report, tableLabel } from '../terminal/output.ts'
import { optionOfTable, parseTableName, tableName } from './arguments.ts'

type ExportOptions = { readonly out: string; readonly table?: CustomsTableName; readonly json?: boolean }

export function exportCommand(customs: Command, withDatabase: WithDatabase, output: Output): void {
  customs
    .command('export')
    .description("write a data set, or the rows of a table in effect, as a file in Waybill's own columns")
    .argument('[set|table]', 'a data set, or a table such as tax-rates; optional with --table')
    .requiredOption('--out <file>', 'the CSV file to write; it must not exist')
    .option('--table <name>', 'the table to write, if the set fills several', tableName)
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: ExportOptions) =>
      withDatabase(({ db }) => exportRows(db, name, options, output)),
    )
}

async function exportRows(
  db: Kysely<Database>,
  name: string | undefined,
  { out, json, ...options }: ExportOptions,
  output: Output,
): Promise<void> {
  if (existsSync(out)) throw new Refusal(`${out} already exists`)
  const { table, rows, what } = await selectRows(db, name, options.table)
  writeExport(out, writeCustomsCsv(table, rows))
  report(output, json, { of: what, table, rows: rows.length, file: out }, [
    `Wrote ${counted(rows.length, 'row')} of ${what} to ${out}.`,
  ])
}

type Selection = {
  readonly table: CustomsTableName
  readonly rows: readonly AnyCustomsRow[]
  /** The name of the set or table in the report. */
  readonly what: string
}

async function selectRows(
  db: Kysely<Database>,
  name: string | undefined,
  wanted: CustomsTableName | undefined,
): Promise<Selection> {
  const set = (await listCustomsSets(db)).find((other) => other.name === name)
  if (set !== undefined) {
    const [only, ...more] = set.tables
    if (wanted === undefined && more.length > 0) {
      const tables = set.tables.map(optionOfTable).join(', ')
      throw new UsageError(`${set.name} fills several tables: choose one with --table (${tables})`)
    }
    const table = wanted ?? only
    const rows = table && (await readCustomsSet(db, set.name))[table]
    if (table === undefined || rows === undefined) throw new Refusal(`${set.name} has no rows of that table`)
    return { table, rows, what: set.name }
  }
  const table = name === undefined ? wanted : parseTableName(name)
  if (table === undefined)
    throw new Refusal(name === undefined ? 'name a set or a table' : `there is no data set or table ${name}`)
  return { table, rows: await readEffectiveRows(db, table), what: `the ${tableLabel(table)} in effect` }
}
