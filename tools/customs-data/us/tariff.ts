/** Writes the base tariff of the United States from the lines of the schedule. */

import { readSource, sourceCell, writeTable } from '../files.ts'
import { americanColumns, RATE_COLUMNS } from '../tariffs.ts'

export function writeScheduleTables(folder: string): void {
  const rows = readSource(folder, 'us_hts_2026_rev10_lines.csv').map((line) => [
    sourceCell(line, 'code'),
    ...americanColumns(sourceCell(line, 'general'), 'USD'),
  ])
  rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  writeTable('tariff-us.csv', `code_prefix,${RATE_COLUMNS}`, rows)
}
