/**
 * What reading a file of customs data comes to, and the gathering of it. Decided here: a fault refuses the file as a
 * whole, a warning does not, and nothing of a file goes missing: what is not imported is counted with the reason.
 */
import type { CustomsRows, CustomsTableName, MeasureRow } from '../../core/customs/data/rows.ts'
import { isCountryCode } from '../../core/place.ts'
import { type FaultLog, type ImportFault, openFaultLog } from '../import/import-fault.ts'
import { atMost, figureText, MAX_ROWS_MADE } from '../import/import-limits.ts'

/** What the operator says about a file that the file itself does not. */
export type ImportDefaults = {
  /** The name of the data set the rows will belong to. */
  readonly dataSet: string
  /** The customs area (measures) or jurisdiction (taxes); without it that of the format, if it has one. */
  readonly jurisdiction?: string
  /** For a file in the product's own columns: the table it fills; without it the one its header tells. */
  readonly table?: CustomsTableName
  /** 'YYYY-MM-DD', for rows that have no beginning of their own. */
  readonly validFrom?: string
  /** For measures that name no type; without it 'third_country_duty'. */
  readonly measureType?: string
  /** What the customs data have already; without it, names are not looked up. */
  readonly known?: KnownNames
}

/** Rows by table; a file may fill several. */
export type ImportedTables = Partial<Pick<CustomsRows, CustomsTableName>>

/** What a file was read into. */
export type CustomsImport = {
  /** The tables that have rows. */
  readonly table: readonly CustomsTableName[]
  /** Empty when there are faults. */
  readonly tables: ImportedTables
  readonly faults: readonly ImportFault[]
  readonly warnings: readonly ImportFault[]
  readonly counts: ImportCounts
}

/** How much of a file became rows, and why the rest did not. */
export type ImportCounts = {
  /** Rows of the file with anything in them, without the header. */
  readonly rowsRead: number
  /** Those that at least one row was made of. */
  readonly rowsUsed: number
  /** Duties whose text is not understood: kept with the text, not worked out. */
  readonly textsNotParsed: number
  /** Rows, and parts of rows where `why` says so, that were not imported; the most frequent first. */
  readonly rowsLeftOut: readonly { readonly why: string; readonly count: number }[]
}

/** Notes how far the reading is; called every few thousand rows. */
export type ReadingProgress = (rows: number) => void

/** Gathers what a reader finds in one file. */
export type ImportTally = {
  readonly log: FaultLog
  /** Counts a row of the file; tells the progress. */
  read(): void
  used(count?: number): void
  /** Counts rows that are about to be made. False past the limit: reading can end, since `finish` notes a fault. */
  mayMake(count?: number): boolean
  leftOut(why: string, count?: number): void
  /** Notes a code that got back the zero a spreadsheet took; told once, with their number. */
  zeroPutBack(row: number, column: string | undefined, text: string): void
  notParsed(row: number, column: string | undefined, text: string): void
  /** The end: the rows made, none of them when there are faults. */
  finish(tables: ImportedTables): CustomsImport
}

const ROWS_PER_PROGRESS = 5_000
/** Some reasons name what a cell holds, which may be anything. */
const MAX_REASONS = 1_000

/** Opens the tally of a file. */
export function openImportTally(fileName: string, onProgress?: ReadingProgress): ImportTally {
  const log = openFaultLog(fileName)
  const leftOut = new Map<string, number>()
  let rowsRead = 0
  let rowsUsed = 0
  let textsNotParsed = 0
  let rowsMade = 0
  const withZero: { row: number; column: string | undefined; text: string }[] = []
  return {
    log,
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
    zeroPutBack(row, column, text) {
      withZero.push({ row, column, text })
    },
    notParsed(row, column, text) {
      textsNotParsed += 1
      log.warn(row, column, 'a duty that can be worked out; it is kept as text and charged nowhere', text)
    },
    finish(tables) {
      onProgress?.(rowsRead)
      const [first] = withZero
      if (first !== undefined) {
        const expected = `an even number of digits; ${withZero.length} such codes got a zero in front`
        log.warn(first.row, first.column, expected, first.text)
      }
      if (rowsMade > MAX_ROWS_MADE)
        log.fault(
          undefined,
          undefined,
          atMost(MAX_ROWS_MADE, 'rows made of one file'),
          `${figureText(rowsMade)} and more`,
        )
      const faults = log.faults()
      const filled = Object.entries(tables).filter(([, rows]) => rows.length > 0)
      const kept = faults.length > 0 ? [] : filled
      return {
        table: kept.map(([name]) => name as CustomsTableName),
        tables: Object.fromEntries(kept),
        faults,
        warnings: log.warnings(),
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

// What can be read, but will hardly be meant: currencies, countries and taxes that nobody has. Decided here: each is a
// warning at its row and column, since an operator may know of one that we do not.

/** What the customs data have already that rows of a file may name. */
export type KnownNames = {
  /** Origin groups, and jurisdictions, which may be origins too. */
  readonly origins: ReadonlySet<string>
  /** "DE VAT": taxes by the jurisdiction they are of, or whose rates they apply. */
  readonly taxes: ReadonlySet<string>
}

type Amounts = Pick<MeasureRow, 'specific' | 'minimum' | 'maximum'>

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Warns of a currency that is none. Amounts are in Waybill's own form: "9 EUR/100 kg". */
export function warnOfCurrency(log: FaultLog, row: number, column: string | undefined, duty: Amounts): void {
  for (const amounts of [duty.specific, duty.minimum, duty.maximum])
    for (const [, currency = ''] of amounts.matchAll(/\d ([A-Z]{3})\//g))
      if (!CURRENCIES.has(currency)) log.warn(row, column, 'a currency of ISO 4217', currency)
}

/** Warns of an origin that is no country; one that is a group in the data is. */
export function warnOfOrigins(
  log: FaultLog,
  row: number,
  column: string | undefined,
  origins: readonly string[],
  known: KnownNames | undefined,
): void {
  for (const origin of origins) {
    if (origin === 'ALL' || isCountryCode(origin) || known?.origins.has(origin) === true) continue
    // Without the data at hand, a longer name may be any group.
    if (known === undefined && (origin === 'EU' || origin.length !== 2)) continue
    log.warn(row, column, 'a country, or a group of origins that is loaded', origin)
  }
}
