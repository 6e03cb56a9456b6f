/** Writes the base tariff of the United States from the original file of its publisher, as an import reads it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unpackGzip } from '../../../src/reference/import/gzip.ts'
import { readCustomsFile } from '../../../src/reference/tariff-import/formats.ts'
import { writeTable } from '../files.ts'
import { RATE_COLUMNS } from '../tariffs.ts'
import { SCHEDULE_FILE } from './schedule.ts'

export function writeScheduleTables(folder: string): void {
  const bytes = unpackGzip(readFileSync(join(folder, SCHEDULE_FILE)))
  const { faults, tables } = readCustomsFile('usitc-json', SCHEDULE_FILE, bytes, { dataSet: 'tariff-us' })
  if (faults.length > 0 || tables.measures === undefined) throw new Error(`${SCHEDULE_FILE} has faults`)
  const rows = tables.measures
    .filter(({ measureType, originGroup }) => measureType === 'third_country_duty' && originGroup === 'ALL')
    .map(({ codePrefix, adValoremPpm, specific, minimum, maximum, condition, text }) => [
      ...[codePrefix, adValoremPpm === null ? '' : String(adValoremPpm / 10_000)],
      ...[specific, minimum, maximum, condition, text],
    ])
  rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  writeTable('tariff-us.csv', `code_prefix,${RATE_COLUMNS}`, rows)
}
