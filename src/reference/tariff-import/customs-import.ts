/**
 * The result of reading a file of customs data, and the tally that collects it. If there is a fault, the whole file is
 * refused. Rows that are not imported are counted by reason, so that every row of a file is accounted for.
 */

import type { MeasureRow } from '../../core/customs/data/row-types/measures.ts'
import type { CustomsRows, CustomsTableName } from '../../core/customs/data/rows.ts'
import type { MarkedChanges } from '../../core/customs/data-review/tariff-update.ts'
import { isCountryCode } from '../../core/place.ts'
import { visitTable } from '../import/csv-table.ts'
import { type FaultLog, type ImportFault, openFaultLog } from '../import/import-fault.ts'
import { atMost, figureText, MAX_ROWS_MADE } from '../import/import-limits.ts'

/** What an operator specifies about a file. */
export type ImportDefaults = {
  /** The data set of the rows. */
  readonly dataSet: string
  /** The customs area of measures or the jurisdiction of taxes. Default: that of the format, if it has one. */
  readonly jurisdiction?: string
  /** The table of a file in Waybill's own columns. Default: detected by the header. */
  readonly table?: CustomsTableName
  /** 'YYYY-MM-DD', for rows without a first day. */
  readonly validFrom?: string
  /** 'YYYY-MM-DD': the members of areas on this day are imported. */
  readonly day?: string
  /** For measures without a type. Default: 'third_country_duty'. */
  readonly measureType?: string
  /** The codes of the tariff that an update changes. They decide how codes of the file are shortened. */
  readonly codesInEffect?: readonly string[]
  /** Names in the existing customs data. Without them, names are not checked. */
  readonly known?: KnownNames
}

/** Rows by table. A file may fill several tables. */
export type ImportedTables = Partial<Pick<CustomsRows, CustomsTableName>>

export type CustomsImport = {
  /** The names of the tables that have rows. */
  readonly table: readonly CustomsTableName[]
  /** Empty when there are faults. */
  readonly tables: ImportedTables
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  readonly counts: ImportCounts
  /** The code lists that measures name, each where it is first named. */
  readonly namedLists: readonly NamedList[]
  /** What a file of changes says about its rows. */
  readonly changes: MarkedChanges
}

/** Where a file names a code list. */
export type NamedList = { readonly list: string; readonly row: number; readonly column: string }

/** How many rows of a file were imported, and why others were not. */
export type ImportCounts = {
  /** Rows of the file that are not blank, without the header. */
  readonly rowsRead: number
  /** Rows of the file that made at least one row of a table. */
  readonly rowsUsed: number
  /** Duties that could not be parsed. They are stored as text and not charged. */
  readonly textsNotParsed: number
  /** Rows that were not imported, or parts of rows if `why` says so; the most frequent reason first. */
  readonly rowsLeftOut: readonly { readonly why: string; readonly count: number }[]
}

/** Called every few thousand rows and at the end, with the number of rows read so far. */
export type ReadingProgress = (rows: number) => void

/** Collects the rows, faults and counts of one file. */
export type ImportTally = {
  readonly log: FaultLog
  /** Counts a row of the file. */
  read(): void
  used(count?: number): void
  /**
   * Counts rows before they are created. Returns false above the limit: then stop reading, and `finish` adds a fault.
   */
  mayMake(count?: number): boolean
  leftOut(why: string, count?: number): void
  /** Counts a code whose leading zero was restored. `finish` adds one warning with the number of such codes. */
  zeroRestored(row: number, column: string | undefined, text: string): void
  notParsed(row: number, column: string | undefined, text: string): void
  /** Notes that a measure names a code list, which may be in another file of the import. */
  namesList(list: string, row: number, column: string): void
  /** Notes what a file of changes says about a row, by its `changeKey`. */
  marks(key: string, operation: 'insert' | 'update' | 'delete'): void
  /** Returns the result, without rows if there are faults. `removed` are the rows that a file of changes deletes. */
  finish(tables: ImportedTables, removed?: ImportedTables): CustomsImport
}

const ROWS_PER_PROGRESS = 5_000
/** Some reasons quote a cell, so their number is limited. */
const MAX_REASONS = 1_000

export function openImportTally(fileName: string, onProgress?: ReadingProgress): ImportTally {
  const log = openFaultLog(fileName)
  const leftOut = new Map<string, number>()
  let rowsRead = 0
  let rowsUsed = 0
  let textsNotParsed = 0
  let rowsMade = 0
  const notes = openNotes()
  const withZero: { row: number; column: string | undefined; text: string }[] = []
  return {
    log,
    namesList: notes.namesList,
    marks: notes.marks,
    read() {
      rowsRead += 1
      if (rowsRead % ROWS_PER_PROGRESS === 0) onProgress?.(rowsRead)
    },
    used(count = 1) {
      rowsUsed += count
    },
    mayMake(count = 1) {
      rowsMade += count
      return rowsMade <= MAX_ROWS_MADE
    },
    leftOut(why, count = 1) {
      const reason = leftOut.has(why) || leftOut.size < MAX_REASONS ? why : 'other reasons'
      leftOut.set(reason, (leftOut.get(reason) ?? 0) + count)
    },
    zeroRestored(row, column, text) {
      withZero.push({ row, column, text })
    },
    notParsed(row, column, text) {
      textsNotParsed += 1
      log.warn(row, column, 'a duty that can be parsed; it is stored as text and not charged', text)
    },
    finish(tables, removed = {}) {
      onProgress?.(rowsRead)
      const [first] = withZero
      if (first !== undefined) {
        const expected = `an even number of digits; a leading zero was added to ${withZero.length} such codes`
        log.warn(first.row, first.column, expected, first.text)
      }
      if (rowsMade > MAX_ROWS_MADE)
        log.fault(
          undefined,
          undefined,
          atMost(MAX_ROWS_MADE, 'rows made of one file'),
          `${figureText(rowsMade)} or more`,
        )
      const faults = log.faults()
      const filled = Object.entries(tables).filter(([, rows]) => rows.length > 0)
      const returned = faults.length > 0 ? [] : filled
      return {
        table: returned.map(([name]) => name as CustomsTableName),
        tables: Object.fromEntries(returned),
        faults,
        warnings: log.warnings(),
        ...notes.taken(removed),
        counts: {
          rowsRead,
          rowsUsed,
          textsNotParsed,
          rowsLeftOut: [...leftOut]
            .map(([why, count]) => ({ why, count }))
            .sort((a, b) => b.count - a.count || (a.why < b.why ? -1 : 1)),
        },
      }
    },
  }
}

/** Notes about rows that are checked when all files of an import are read. */
function openNotes() {
  const [inserted, updated] = [new Set<string>(), new Set<string>()]
  const namedLists = new Map<string, NamedList>()
  return {
    namesList(list: string, row: number, column: string): void {
      if (!namedLists.has(list)) namedLists.set(list, { list, row, column })
    },
    marks(key: string, operation: 'insert' | 'update' | 'delete'): void {
      if (operation === 'insert') inserted.add(key)
      if (operation === 'update') updated.add(key)
    },
    taken: (removed: ImportedTables): Pick<CustomsImport, 'changes' | 'namedLists'> => ({
      changes: { inserted, updated, removed },
      namedLists: [...namedLists.values()],
    }),
  }
}

/** Makes the rows of tables from the rows of a file, which it receives one by one. */
export type RowImporter = {
  /** A row with as many cells as the header. */
  row(cells: readonly string[], line: number): void
  /** The rows that were made. Called once, after the last row. */
  finish(): ImportedTables
}

/**
 * Imports a CSV file row by row, so that only the rows that it makes stay in memory. `open` gets the header, and
 * returns undefined, after a fault, if it cannot be read. There are no tables if the file cannot be read as CSV.
 */
export function importCsv(
  bytes: Uint8Array,
  tally: ImportTally,
  open: (header: readonly string[]) => RowImporter | undefined,
): CustomsImport {
  let importer: RowImporter | undefined
  const visitor = {
    header(names: readonly string[]) {
      importer = open(names)
    },
    row(cells: readonly string[], line: number) {
      importer?.row(cells, line)
    },
  }
  const isWhole = visitTable(bytes, visitor, tally.log)
  return tally.finish((isWhole && importer?.finish()) || {})
}

/** Names in the existing customs data that rows of a file may refer to. */
export type KnownNames = {
  /** The members of the loaded origin groups. */
  readonly members?: ReadonlyMap<string, readonly string[]>
  /** Origin groups and jurisdictions. */
  readonly origins: ReadonlySet<string>
  /** Taxes with their jurisdiction, or with the jurisdiction whose rates they use: "DE VAT". */
  readonly taxes: ReadonlySet<string>
}

type Amounts = Pick<MeasureRow, 'specific' | 'minimum' | 'maximum'>

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Warns of unknown currencies in amounts such as "9 EUR/100 kg". Only a warning, because the list may be outdated. */
export function warnOfCurrency(log: FaultLog, row: number, column: string | undefined, duty: Amounts): void {
  for (const amounts of [duty.specific, duty.minimum, duty.maximum])
    for (const [, currency = ''] of amounts.matchAll(/\d ([A-Z]{3})\//g))
      if (!CURRENCIES.has(currency)) log.warn(row, column, 'a currency of ISO 4217', currency)
}

/** Warns of origins that are neither a country nor a known group. */
export function warnOfOrigins(
  log: FaultLog,
  row: number,
  column: string | undefined,
  origins: readonly string[],
  known: KnownNames | undefined,
): void {
  for (const origin of origins) {
    if (origin === 'ALL' || isCountryCode(origin) || known?.origins.has(origin) === true) continue
    // Without the existing data, a name of more than two characters may be a group.
    if (known === undefined && (origin === 'EU' || origin.length !== 2)) continue
    log.warn(row, column, 'a country or a loaded origin group', origin)
  }
}
