/**
 * The customs data sets that the product ships. `customs/data-sets.csv` lists their files, with source and date, and
 * gives values that are the same on all rows of a file. See docs/customs-files.md#shipped-data-sets. Reading throws if
 * a file has a fault, because the file is a part of the product. The rows are stored in packed form, so that a start
 * does not parse the files. Also reads the list of HS 2022 codes.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { effectivePacked } from '../core/customs/data/layers.ts'
import { type PackedTables, packSet, rowAt, unpackRows } from '../core/customs/data/packed-rows.ts'
import {
  CUSTOMS_TABLE_NAMES,
  type CustomsRow,
  type CustomsRows,
  type CustomsTableName,
  type DataSetRow,
  mapTables,
  type SetRows,
} from '../core/customs/data/rows.ts'
import { compiledFolder, loadCompiled } from './compiled-file.ts'
import { day, optionalOr, remark, text, whole, word } from './import/csv-cells.ts'
import { type Fields, plainTable, readTable } from './import/csv-rows.ts'
import { describeImportFault, type FaultLog } from './import/import-fault.ts'
import { decodeCustoms, encodeCustoms, type StoredCustoms } from './packed-customs.ts'
import { readShippedTable } from './tariff-import/waybill/csv.ts'

/** A shipped file. */
export type ShippedDataSet = {
  readonly name: string
  readonly table: CustomsTableName
  readonly title: string
  readonly source: string
  /** 'YYYY-MM-DD'. */
  readonly date: string
  /** How often the publisher releases a new edition, in days. Null if there are no regular editions. */
  readonly cycleDays: number | null
  readonly cycleReason: string
  /** The page of the authority whose text was read. Empty if none was: no row is then of high confidence. */
  readonly link: string
  /** SHA-256 of the file and of its line in data-sets.csv, in hexadecimal. */
  readonly contentHash: string
  readonly rowCount: number
}

/** A line of data-sets.csv. */
type SetLine = Omit<ShippedDataSet, 'contentHash' | 'rowCount'> & {
  readonly file: string
  /** About the file as a whole. */
  readonly remark: string
  readonly jurisdiction: string
  readonly measureType: string
  readonly validFrom: string
  readonly originGroup: string
  readonly excludedOrigins: string
  readonly agreement: string
  readonly confidence: string
  /** The note of rows without a note. */
  readonly note: string
}

const MAX_NOTE_LENGTH = 1_000

const SET_FIELDS: Fields<SetLine> = {
  name: text('name'),
  table: word('table', CUSTOMS_TABLE_NAMES),
  file: text('file'),
  title: text('title'),
  source: text('source'),
  date: day('date'),
  remark: optionalOr(remark('note', MAX_NOTE_LENGTH), ''),
  jurisdiction: optionalOr(text('jurisdiction'), ''),
  measureType: optionalOr(text('measure_type'), ''),
  validFrom: optionalOr(text('valid_from'), ''),
  originGroup: optionalOr(text('origin_group'), ''),
  excludedOrigins: optionalOr(text('excluded_origins'), ''),
  agreement: optionalOr(text('agreement'), ''),
  confidence: optionalOr(text('confidence'), ''),
  note: optionalOr(remark('row_note', MAX_NOTE_LENGTH), ''),
  cycleDays: optionalOr<number | null>(whole('cycle_days'), null),
  cycleReason: text('cycle_reason'),
  link: optionalOr(text('link'), ''),
}

/** Shipped sets are below all sets of operators. */
const SHIPPED_LAYER = 0

/** All shipped data sets, in the order of data-sets.csv, and their rows in the same order. */
export type ShippedCustoms = {
  readonly dataSets: readonly ShippedDataSet[]
  readonly tables: PackedTables
}

/** The folders with everything that the packed rows depend on. */
export const SHIPPED_INPUTS = [
  './customs/',
  './',
  './import/',
  './tariff-import/',
  './tariff-import/waybill/',
  '../core/',
  '../core/customs/',
  '../core/customs/data/',
  '../core/customs/data/row-types/',
  '../core/customs/tariff/',
].map((folder) => new URL(folder, import.meta.url))

type StoredSets = StoredCustoms<readonly ShippedDataSet[]>

let loaded: StoredSets | undefined

/**
 * The shipped data. It is loaded once per process, from or into the `store` of the first call. Throws with file, row
 * and column if a cell of a file cannot be read.
 */
export function shippedCustoms(store: URL = compiledFolder('customs')): ShippedCustoms {
  loaded ??= loadCompiled<StoredSets>({
    store,
    inputs: SHIPPED_INPUTS,
    isInput: (name) => /\.(ts|js|csv)$/.test(name),
    compile: packShippedFiles,
    encode: encodeCustoms,
    decode: decodeCustoms,
  })
  const { head, tables } = loaded
  return { dataSets: head, tables }
}

/** Reads the files. */
function packShippedFiles(): StoredSets {
  const { rows, log } = readTable(plainTable('data-sets.csv', true, SET_FIELDS), readBytes('data-sets.csv'))
  refuseFaults(log)
  const sets = rows.map((line) => {
    const { name, table, title, source, date, cycleDays, cycleReason, link } = line
    const bytes = readBytes(line.file)
    const list = readRows(table, line, bytes)
    const contentHash = createHash('sha256').update(JSON.stringify(line)).update(bytes).digest('hex')
    const set = {
      name,
      table,
      title,
      source,
      date,
      cycleDays,
      cycleReason,
      link,
      contentHash,
      rowCount: list.length,
    }
    return { set, tables: packSet({ [table]: list }) }
  })
  const head = sets.map(({ set }) => set)
  const parts = sets.map(({ tables }) => tables)
  return { head, tables: effectivePacked(parts, shippedHeads(head)).tables }
}

/** The rows of one shipped set, in the order of its file. */
export function shippedRows(
  { dataSets, tables }: ShippedCustoms,
  { name, table }: Pick<ShippedDataSet, 'name' | 'table'>,
): SetRows {
  const packed = tables[table]
  if (packed === undefined) return {}
  const ofTable = dataSets.filter((set) => set.table === table)
  const place = ofTable.findIndex((set) => set.name === name)
  const first = ofTable.slice(0, place).reduce((sum, { rowCount }) => sum + rowCount, 0)
  const rowCount = ofTable[place]?.rowCount ?? 0
  return { [table]: Array.from({ length: rowCount }, (_, index) => rowAt(packed, first + index)) }
}

/** All shipped rows. They take 500 bytes each; estimates use the packed rows. */
export function readShippedCustomsData({ dataSets, tables } = shippedCustoms()): CustomsRows {
  return {
    ...mapTables((table) => unpackRows(tables[table])),
    dataSets: shippedHeads(dataSets),
  }
}

/** The shipped sets as the lowest layer. */
export function shippedHeads(sets: readonly ShippedDataSet[]): readonly DataSetRow[] {
  return sets.map(({ name, title, source, date, cycleDays }) => ({
    name,
    title,
    source,
    date,
    cycleDays,
    layer: SHIPPED_LAYER,
  }))
}

function readRows<Table extends CustomsTableName>(
  table: Table,
  { file, name, cycleDays: _cycleDays, cycleReason: _cycleReason, link: _link, ...defaults }: SetLine,
  bytes: Uint8Array,
): readonly CustomsRow[Table][] {
  const { rows, log } = readShippedTable(table, file, bytes, name, defaults)
  refuseFaults(log)
  return rows
}

/** In a shipped file, a warning such as an unknown column is a fault too. */
function refuseFaults(log: FaultLog): void {
  const [fault] = [...log.faults(), ...log.warnings()]
  if (fault !== undefined) throw new Error(describeImportFault(fault))
}

function readBytes(file: string): Uint8Array {
  return readFileSync(new URL(`./customs/${file}`, import.meta.url))
}

/**
 * Every six-digit code of HS 2022, digits only. Source: hs2022-codes.txt (the list of UN Comtrade, taken in November
 * 2026). Throws with the line number if a line is not a code.
 */
export function readHs2022Codes(): ReadonlySet<string> {
  const text = readFileSync(new URL('./hs2022-codes.txt', import.meta.url), 'utf8')
  const codes = new Set<string>()
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) return
    if (!/^\d{6}$/.test(line))
      throw new Error(`hs2022-codes.txt, line ${index + 1}: expected six digits, got ${line}`)
    codes.add(line)
  })
  return codes
}
