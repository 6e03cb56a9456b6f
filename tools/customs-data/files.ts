/** Reads the published tables and writes the files of src/reference/customs in Waybill's own format. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { quotedIfNeeded } from '../../src/reference/import/csv-table.ts'

/** A row of a published table by column name. */
export type SourceLine = Readonly<Record<string, string>>

const OUTPUT = new URL('../../src/reference/customs/', import.meta.url)

/** Rows may have more cells than the header, because commas in remarks are not quoted. */
export function readSource(folder: string, file: string): readonly SourceLine[] {
  return parse(readFileSync(join(folder, file), 'utf8'), {
    columns: true,
    skip_empty_lines: true,
    relax_column_count: true,
  }) as SourceLine[]
}

/** Empty if the row does not have the column. */
export function sourceCell(line: SourceLine, column: string): string {
  return line[column] ?? ''
}

/** `header` is the first line of the file. */
export function writeTable(file: string, header: string, rows: readonly (readonly string[])[]): void {
  const width = header.split(',').length
  const wrong = rows.find((row) => row.length !== width)
  if (wrong !== undefined) throw new Error(`${file}: a row does not fit the header: ${wrong.join(',')}`)
  const text = rows.map((row) => `${row.map(quotedIfNeeded).join(',')}\n`).join('')
  writeFileSync(new URL(file, OUTPUT), `${header}\n${text}`)
  console.log(`${file}: ${rows.length} rows`)
}
