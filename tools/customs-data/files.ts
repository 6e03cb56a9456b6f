/**
 * Files of the script that writes the customs reference data: published tables in, files of
 * src/reference/customs out, in the product's own format.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { quotedIfNeeded } from '../../src/reference/import/csv-table.ts'

/** A row of a published table by column name. */
export type SourceLine = Readonly<Record<string, string>>

const OUTPUT = new URL('../../src/reference/customs/', import.meta.url)

/** The rows of a published table. Rows may have more cells than the header where commas in remarks are bare. */
export function readSource(folder: string, file: string): readonly SourceLine[] {
  return parse(readFileSync(join(folder, file), 'utf8'), {
    columns: true,
    skip_empty_lines: true,
    relax_column_count: true,
  }) as SourceLine[]
}

/** A cell; empty where the row has none. */
export function sourceCell(line: SourceLine, column: string): string {
  return line[column] ?? ''
}

/** Writes a file of the reference data; `header` is the names of its columns, as they stand in the file. */
export function writeTable(file: string, header: string, rows: readonly (readonly string[])[]): void {
  const width = header.split(',').length
  const wrong = rows.find((row) => row.length !== width)
  if (wrong !== undefined) throw new Error(`${file}: a row does not fit the header: ${wrong.join(',')}`)
  const text = rows.map((row) => `${row.map(quotedIfNeeded).join(',')}\n`).join('')
  writeFileSync(new URL(file, OUTPUT), `${header}\n${text}`)
  console.log(`${file}: ${rows.length} rows`)
}
