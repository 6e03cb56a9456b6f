/**
 * Reads the files of an import into the rows of one set. Equal rows in several files are imported once. Rows with the
 * same key and different values are a fault.
 */
import path from 'node:path'
import {
  CUSTOMS_TABLES,
  type CustomsRow,
  type CustomsTableName,
  keyOf,
  mapTables,
  ownerOf,
  type SetRows,
} from '../../core/customs/data/rows.ts'
import type { MarkedChanges } from '../../core/customs/data-review/tariff-update.ts'
import { isGzip, unpackGzip } from '../../reference/import/gzip.ts'
import { type FaultLog, type ImportFault, openFaultLog } from '../../reference/import/import-fault.ts'
import { ImportRefusal, readImportFile } from '../../reference/import/import-limits.ts'
import type { NamedList } from '../../reference/tariff-import/customs-import.ts'
import {
  type CustomsFormat,
  type CustomsImport,
  detectFormat,
  type ImportDefaults,
  readCustomsFile,
  whyUndetected,
} from '../../reference/tariff-import/formats.ts'
import { ImportFaults, refuseOnError, UsageError } from '../terminal/errors.ts'
import { announce, counted, type Output, tableLabel } from '../terminal/output.ts'

export type ReadFile = {
  readonly file: string
  readonly format: CustomsFormat
  readonly counts: CustomsImport['counts']
}

export type ReadFiles = {
  readonly rows: SetRows
  readonly files: readonly ReadFile[]
  readonly warnings: readonly ImportFault[]
  readonly changes: MarkedChanges
  readonly namedLists: readonly (NamedList & { readonly file: string })[]
}

/** Maximum number of reasons listed per file for rows left out. There may be many, because some quote the file. */
const LISTED_REASONS = 50

/** Throws ImportFaults with the faults of all files, a Refusal or a UsageError. */
export function readCustomsFiles(
  locations: readonly string[],
  format: CustomsFormat | undefined,
  defaults: ImportDefaults,
  output: Output,
  json: boolean | undefined,
): ReadFiles {
  const read = locations.map((location) => {
    announce(output, json, `Reading ${location}`)
    const bytes = readUnpacked(location)
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
    changes: {
      inserted: new Set(read.flatMap(({ changes }) => [...changes.inserted])),
      updated: new Set(read.flatMap(({ changes }) => [...changes.updated])),
      removed: {
        measures: read.flatMap(({ changes }) => changes.removed.measures ?? []),
        conditionalDuties: read.flatMap(({ changes }) => changes.removed.conditionalDuties ?? []),
      },
    },
    namedLists: read.flatMap(({ file, namedLists }) => namedLists.map((place) => ({ ...place, file }))),
  }
}

/**
 * Throws ImportFaults if a measure names a code list that is neither in the files nor among the loaded ones. A measure
 * whose scope is missing would never apply, and one whose exemption is missing would apply to all goods.
 */
export function refuseUnknownLists(
  { rows, namedLists, warnings }: ReadFiles,
  loaded: ReadonlySet<string>,
): void {
  const imported = new Set(rows.codeLists?.map(({ codeList }) => codeList))
  const faults = namedLists
    .filter(({ list }) => !imported.has(list) && !loaded.has(list))
    .flatMap(({ file, row, column, list }) => {
      const log = openFaultLog(file)
      log.fault(row, column, 'a code list that is published or in one of the files', list)
      return log.faults()
    })
  if (faults.length > 0) throw new ImportFaults(faults, warnings)
}

/** The content of a file, unpacked if it is packed by gzip. */
function readUnpacked(location: string): Uint8Array {
  const bytes = refuseOnError(() => readImportFile(location))
  if (!isGzip(bytes)) return bytes
  try {
    return unpackGzip(bytes)
  } catch (error) {
    if (error instanceof ImportRefusal) throw new UsageError(`${location} is refused: ${error.message}`)
    throw error
  }
}

type FileRows = { readonly file: string; readonly tables: SetRows }

function joinFiles(files: readonly FileRows[]): { rows: SetRows; faults: readonly ImportFault[] } {
  const [only, ...more] = files
  if (only !== undefined && more.length === 0) return { rows: only.tables, faults: [] }
  const logs = new Map(files.map(({ file }) => [file, openFaultLog(file)]))
  const joined = Object.entries(mapTables((table) => joinTable(table, files, logs)))
  return {
    rows: Object.fromEntries(joined.filter(([, rows]) => rows.length > 0)),
    faults: [...logs.values()].flatMap((log) => log.faults()),
  }
}

function joinTable<Table extends CustomsTableName>(
  table: Table,
  files: readonly FileRows[],
  logs: ReadonlyMap<string, FaultLog>,
): readonly CustomsRow[Table][] {
  const first = new Map<string, { file: string; text: string }>()
  const joined: CustomsRow[Table][] = []
  for (const { file, tables } of files) {
    for (const row of tables[table] ?? []) {
      const key = keyOf(table, row)
      const [text, other] = [JSON.stringify(row), first.get(key)]
      // Rows with the same key in one file have been refused when the file was read.
      if (other === undefined || other.file === file) {
        first.set(key, { file, text })
        joined.push(row)
      } else if (other.text !== text) {
        const what = [tableLabel(table), ownerOf(table, row), CUSTOMS_TABLES[table].label(row)].join(' ')
        logs.get(file)?.fault(undefined, undefined, `the same values for ${what} as in ${other.file}`, text)
      }
    }
  }
  return joined
}

/** How many rows of each file were read and used, and why others were not. */
export function readingLines(files: readonly ReadFile[]): string[] {
  return files.flatMap(({ file, format, counts }) => {
    const { rowsRead, rowsUsed, textsNotParsed, rowsLeftOut } = counts
    const unread = `${counted(textsNotParsed, 'duty', 'duties')} cannot be parsed: stored as text, not charged`
    return [
      `${file} (${format}): ${counted(rowsRead, 'row')} read, ${rowsUsed} used`,
      ...(textsNotParsed > 0 ? [`  ${unread}`] : []),
      ...rowsLeftOut.slice(0, LISTED_REASONS).map(({ why, count }) => `  ${count} left out: ${why}`),
      ...(rowsLeftOut.length > LISTED_REASONS
        ? [`  … and ${rowsLeftOut.length - LISTED_REASONS} more reasons`]
        : []),
    ]
  })
}
