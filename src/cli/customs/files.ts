/**
 * Files of customs data as an operator names them, read into the rows of one set. Decided here: several files make one
 * set; what two of them say alike counts once, and what they say differently is a fault.
 */
import path from 'node:path'
import { CUSTOMS_TABLES, type CustomsRow } from '../../core/customs/data/layers.ts'
import { type ImportFault, openFaultLog } from '../../reference/import/import-fault.ts'
import { readImportFile } from '../../reference/import/import-limits.ts'
import {
  type CustomsFormat,
  type CustomsImport,
  detectFormat,
  type ImportDefaults,
  readCustomsFile,
  whyUndetected,
} from '../../reference/tariff-import/formats.ts'
import { ROW_KEYS } from '../../reference/tariff-import/waybill/checks.ts'
import type { SetRows } from '../../store/customs/publication.ts'
import { ImportFaults, refuseOnError, UsageError } from '../terminal/errors.ts'
import { announce, counted, type Output } from '../terminal/output.ts'

/** A file that was read. */
export type ReadFile = {
  readonly file: string
  readonly format: CustomsFormat
  readonly counts: CustomsImport['counts']
}

/** What files were read into. */
export type ReadFiles = {
  readonly rows: SetRows
  readonly files: readonly ReadFile[]
  readonly warnings: readonly ImportFault[]
}

/** Reasons to leave rows out that are listed for a file; some name what the file has. */
const LISTED_REASONS = 50

/** Reads files into the rows of one set. Throws ImportFaults with those of all files, a Refusal, or a UsageError. */
export function readCustomsFiles(
  locations: readonly string[],
  format: CustomsFormat | undefined,
  defaults: ImportDefaults,
  output: Output,
  json: boolean | undefined,
): ReadFiles {
  const read = locations.map((location) => {
    announce(output, json, `Reading ${location}`)
    const bytes = refuseOnError(() => readImportFile(location))
    const file = path.basename(location)
    const known = format ?? detectFormat(file, bytes)
    if (known === undefined) throw new UsageError(`${location} ${whyUndetected(file, bytes)}`)
    return { file, format: known, ...readCustomsFile(known, file, bytes, defaults) }
  })
  const warnings = read.flatMap((file) => file.warnings)
  const faults = read.flatMap((file) => file.faults)
  if (faults.length > 0) throw new ImportFaults(faults, warnings)
  const joined = joinFiles(read)
  if (joined.faults.length > 0) throw new ImportFaults(joined.faults, warnings)
  return {
    rows: joined.rows,
    files: read.map(({ file, format, counts }) => ({ file, format, counts })),
    warnings,
  }
}

type FileRows = { readonly file: string; readonly tables: CustomsImport['tables'] }

function joinFiles(files: readonly FileRows[]): { rows: SetRows; faults: readonly ImportFault[] } {
  const [only, ...more] = files
  // Within a file its reader has looked for rows of the same key.
  if (only !== undefined && more.length === 0) return { rows: only.tables as SetRows, faults: [] }
  const logs = new Map(files.map(({ file }) => [file, openFaultLog(file)]))
  const rows: Record<string, readonly CustomsRow[]> = {}
  for (const table of CUSTOMS_TABLES) {
    const kept = new Map<string, { file: string; text: string }>()
    const list = files.flatMap(({ file, tables }) =>
      ((tables[table] ?? []) as readonly CustomsRow[]).filter((row) => {
        const fields = row as unknown as Readonly<Record<string, unknown>>
        const key = JSON.stringify(ROW_KEYS[table].map((field) => fields[field]))
        const [text, other] = [JSON.stringify(row), kept.get(key)]
        // Within a file its reader has looked for rows of the same key.
        if (other === undefined || other.file === file) kept.set(key, { file, text })
        else if (other.text !== text) {
          const expected = `what ${other.file} says of ${table} ${key}, or nothing of it`
          logs.get(file)!.fault(undefined, undefined, expected, text)
        }
        return other === undefined || other.file === file
      }),
    )
    if (list.length > 0) rows[table] = list
  }
  return { rows: rows as SetRows, faults: [...logs.values()].flatMap((log) => log.faults()) }
}

/** What was read, file by file, and what of it was not taken. */
export function readingLines(files: readonly ReadFile[]): string[] {
  return files.flatMap(({ file, format, counts }) => {
    const { rowsRead, rowsUsed, textsNotParsed, rowsLeftOut } = counts
    const unread = `${counted(textsNotParsed, 'duty', 'duties')} not understood: kept as text, charged nowhere`
    return [
      `${file} (${format}): ${counted(rowsRead, 'row')} read, ${rowsUsed} used`,
      ...(textsNotParsed > 0 ? [`  ${unread}`] : []),
      ...rowsLeftOut.slice(0, LISTED_REASONS).map(({ why, count }) => `  ${count} left out: ${why}`),
      ...(rowsLeftOut.length > LISTED_REASONS
        ? [`  … and for ${rowsLeftOut.length - LISTED_REASONS} more reasons`]
        : []),
    ]
  })
}
