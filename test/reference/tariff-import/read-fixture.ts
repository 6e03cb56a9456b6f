/** Reads files in the tests of importers, and writes results as lines. */
import { readFileSync } from 'node:fs'
import type { MeasureRow } from '../../../src/core/customs/data/row-types/measures.ts'
import { describeImportFault } from '../../../src/reference/import/import-fault.ts'
import {
  type CustomsFormat,
  type CustomsImport,
  type ImportDefaults,
  readCustomsFile,
} from '../../../src/reference/tariff-import/formats.ts'

/** A file of test/fixtures/customs. */
export function fixture(name: string): Uint8Array {
  return readFileSync(new URL(`../../fixtures/customs/${name}`, import.meta.url))
}

/** Reads text or bytes as a file called "file". */
export function readFile(
  format: CustomsFormat,
  content: string | Uint8Array,
  defaults: Partial<ImportDefaults> = {},
): CustomsImport {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return readCustomsFile(format, 'file', bytes, { dataSet: 'mine', ...defaults })
}

export function faultsOf(read: CustomsImport): readonly string[] {
  return read.faults.map(describeImportFault)
}

export function warningsOf(read: CustomsImport): readonly string[] {
  return read.warnings.map(describeImportFault)
}

/** A measure as a line: "01012100 third_country_duty ALL 0% 2021-01-01..". */
export function measureLine(row: MeasureRow): string {
  const rate = row.adValoremPpm === null ? '' : `${row.adValoremPpm / 10_000}%`
  const limits = [row.minimum && `MIN ${row.minimum}`, row.maximum && `MAX ${row.maximum}`]
  const days = `${row.validFrom ?? ''}..${row.validTo ?? ''}`
  return [
    row.codePrefix,
    row.measureType,
    row.originGroup,
    rate,
    row.specific,
    ...limits,
    row.condition,
    days,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** One line per measure. */
export function measureLines(read: CustomsImport): readonly string[] {
  return (read.tables.measures ?? []).map(measureLine)
}

/** The number of rows that were left out for a reason that contains these words. */
export function leftOut(read: CustomsImport, words: string): number {
  return read.counts.rowsLeftOut
    .filter(({ why }) => why.includes(words))
    .reduce((sum, { count }) => sum + count, 0)
}
