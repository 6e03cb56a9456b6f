/**
 * The customs data sets the product ships, read from their files. Decided here: `customs/data-sets.csv` lists the
 * files, the table each fills, and what is the same on all its lines (README, section Customs). Shipped sets are
 * the lowest layer. A figure that cannot be read throws, for it is a fault of the product.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { CustomsRows, CustomsTableName, DataSetRow } from '../core/customs/data/rows.ts'
import { cell, type Line, readLines } from './customs-reader/cells.ts'
import { LINE_READERS, type LineReader } from './customs-reader/tables.ts'

/** One shipped file: what it fills, where it is from, and the fingerprint of its content. */
export type ShippedDataSet = {
  readonly name: string
  readonly table: CustomsTableName
  readonly title: string
  readonly source: string
  /** 'YYYY-MM-DD'. */
  readonly date: string
  /** SHA-256 of the file and of its line in data-sets.csv, in hexadecimal. */
  readonly contentHash: string
  /** Reads the rows; none are read before. Throws with file and line where a cell cannot be read. */
  rows(): CustomsRows[CustomsTableName]
}

const FOLDER = new URL('./customs/', import.meta.url)

/** Columns of data-sets.csv that stand for a column the file leaves out. */
const DEFAULTS = [
  'jurisdiction',
  'measure_type',
  'valid_from',
  'origin_group',
  'excluded_origins',
  'agreement',
]

/** Shipped sets are below all that an operator publishes. */
const SHIPPED_LAYER = 0

/** The data sets in data-sets.csv; hashes the files, which is all that a start with nothing new costs. */
export function shippedDataSets(): readonly ShippedDataSet[] {
  return readLines(readText('data-sets.csv')).map((set) => {
    const text = readText(cell(set, 'file'))
    const table = tableOf(cell(set, 'table'))
    return {
      name: cell(set, 'name'),
      table,
      title: cell(set, 'title'),
      source: cell(set, 'source'),
      date: cell(set, 'date'),
      contentHash: createHash('sha256').update(JSON.stringify(set)).update(text).digest('hex'),
      rows: () => readRows(set, table, text),
    }
  })
}

/** All shipped rows, as `compileCustomsTables` wants them. */
export function readShippedCustomsData(): CustomsRows {
  const sets = shippedDataSets()
  const of = <Table extends CustomsTableName>(table: Table): CustomsRows[Table] =>
    sets
      .filter((set) => set.table === table)
      .flatMap((set) => [...set.rows()]) as unknown as CustomsRows[Table]
  return {
    dataSets: sets.map(dataSetRow),
    jurisdictions: of('jurisdictions'),
    territories: of('territories'),
    originGroups: of('originGroups'),
    codeLists: of('codeLists'),
    hsSuccessors: of('hsSuccessors'),
    taxes: of('taxes'),
    taxRates: of('taxRates'),
    measureTypes: of('measureTypes'),
    measures: of('measures'),
    thresholds: of('thresholds'),
    fees: of('fees'),
    exchangeRates: of('exchangeRates'),
  }
}

function dataSetRow({ name, title, source, date }: ShippedDataSet): DataSetRow {
  return { name, title, source, date, layer: SHIPPED_LAYER }
}

function readText(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}

function tableOf(name: string): CustomsTableName {
  if (Object.hasOwn(LINE_READERS, name)) return name as CustomsTableName
  throw new Error(`data-sets.csv: no such table: ${name}`)
}

function readRows(set: Line, table: CustomsTableName, text: string): CustomsRows[CustomsTableName] {
  const read = LINE_READERS[table] as LineReader<CustomsTableName>
  const file = cell(set, 'file')
  const dataSet = cell(set, 'name')
  const defaults = Object.fromEntries(
    DEFAULTS.map((column) => [column, cell(set, column)]).filter(([, value]) => value !== ''),
  )
  return readLines(text, defaults).map((line, index) => {
    try {
      return read(line, dataSet)
    } catch (fault) {
      throw new Error(`${file}, row ${index + 2}: ${(fault as Error).message}`)
    }
  }) as unknown as CustomsRows[CustomsTableName]
}

// The six-digit codes that exist in HS 2022. Source: hs2022-codes.txt (UN Comtrade's list, taken 2026-11).

/** Every six-digit code of HS 2022, digits only. Throws with the line number where the file holds anything else. */
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
