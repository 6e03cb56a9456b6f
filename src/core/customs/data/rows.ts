/**
 * The list of the tables of customs data, and the key, scope and label of their rows. `tables` contains the
 * definitions: the fields of each table, what makes a row unique, and what a data set replaces. Row types, the columns
 * of files and of the database, and the lines of comparisons follow from them. CONTRIBUTING.md explains how to add a
 * column or a table; docs/customs-files.md describes every column.
 */
import type { Field, RowOf } from './field.ts'
import { exchangeRates } from './row-types/exchange-rates.ts'
import { clearanceFees, fees } from './row-types/fees.ts'
import { codeLists, conditionalDuties, hsSuccessors, measures, measureTypes } from './row-types/measures.ts'
import { jurisdictions, originGroups, territories } from './row-types/places.ts'
import { restrictions } from './row-types/restrictions.ts'
import { sellerSchemes } from './row-types/seller-schemes.ts'
import type { CustomsTable } from './row-types/table.ts'
import { exciseRates, taxes, taxRates } from './row-types/taxes.ts'
import { thresholds } from './row-types/thresholds.ts'
import { tradeDefence } from './row-types/trade-defence.ts'

/** Where figures come from. Every other row names one. */
export type DataSetRow = {
  readonly name: string
  /** Short; used in descriptions of lines. */
  readonly title: string
  readonly source: string
  /** The day the figures were published or collected. */
  readonly date: string
  /** How often the publisher releases a new edition, in days. Null if it is not known, or if there are no editions. */
  readonly cycleDays: number | null
  /**
   * 0 for shipped sets; each set that an operator publishes gets the next number. Within a scope, only the rows of the
   * highest layer apply (see layers.ts).
   */
  readonly layer: number
}

/** In the order in which sets, files and comparisons list the tables. */
const DEFINITIONS = {
  jurisdictions,
  territories,
  originGroups,
  codeLists,
  hsSuccessors,
  taxes,
  taxRates,
  measureTypes,
  measures,
  conditionalDuties,
  tradeDefence,
  thresholds,
  fees,
  exciseRates,
  clearanceFees,
  sellerSchemes,
  restrictions,
  exchangeRates,
}

/** The tables that a data set can fill. */
export type CustomsTableName = keyof typeof DEFINITIONS

/** The row type of each table. */
export type CustomsRow = {
  readonly [Table in CustomsTableName]: RowOf<(typeof DEFINITIONS)[Table]['fields']>
}

/** A row of any table. */
export type AnyCustomsRow = CustomsRow[CustomsTableName]

/** The name of one row of each table in snake case, as in `CustomsTable.rowName`. */
export type CustomsRowName = {
  readonly [Table in CustomsTableName]: (typeof DEFINITIONS)[Table]['rowName']
}

/** The definitions of all tables. */
export const CUSTOMS_TABLES: {
  readonly [Table in CustomsTableName]: CustomsTable<CustomsRow[Table]>
} = DEFINITIONS

export const CUSTOMS_TABLE_NAMES = Object.keys(DEFINITIONS) as readonly CustomsTableName[]

/** Tables with tens of thousands of rows, which stay packed in memory. */
export const LARGE_TABLES: readonly CustomsTableName[] = ['measures', 'codeLists']

/** Rows of every table. */
export type TableRows = { readonly [Table in CustomsTableName]: readonly CustomsRow[Table][] }

/** The rows of a data set. Tables that it does not fill are absent. */
export type SetRows = { readonly [Table in CustomsTableName]?: readonly CustomsRow[Table][] }

/** All customs data. */
export type CustomsRows = TableRows & { readonly dataSets: readonly DataSetRow[] }

/** Calls `rowsOf` for every table. */
export function mapTables(
  rowsOf: <Table extends CustomsTableName>(table: Table) => readonly CustomsRow[Table][],
): TableRows {
  return Object.fromEntries(CUSTOMS_TABLE_NAMES.map((table) => [table, rowsOf(table)])) as TableRows
}

/** The rows of several sets, table by table. */
export function joinSets(sets: readonly SetRows[]): TableRows {
  return mapTables((table) => sets.flatMap((rows) => rows[table] ?? []))
}

/** The fields of a table with their names, in the order of its columns. */
export function fieldsOf(table: CustomsTableName): readonly (readonly [fieldName: string, field: Field])[] {
  return Object.entries<Field>(CUSTOMS_TABLES[table].fields)
}

/** The values of the key of a row as text: equal for two rows that must not be in one file. */
export function keyOf<Table extends CustomsTableName>(table: Table, row: CustomsRow[Table]): string {
  return CUSTOMS_TABLES[table].key.map((field) => row[field] ?? '').join('\n')
}

/** The jurisdiction or currency of a row; empty if its table has neither. */
export function ownerOf<Table extends CustomsTableName>(table: Table, row: CustomsRow[Table]): string {
  const { owner } = CUSTOMS_TABLES[table]
  return owner === undefined ? '' : String(row[owner])
}

/** The scope of a row as text: "GB third_country_duty". */
export function scopeOf<Table extends CustomsTableName>(table: Table, row: CustomsRow[Table]): string {
  return CUSTOMS_TABLES[table].scope.map((field) => row[field]).join(' ')
}

/** Identifies a row of its owner in a comparison, independently of its days and rate. */
export function labelOf<Table extends CustomsTableName>(table: Table, row: CustomsRow[Table]): string {
  return CUSTOMS_TABLES[table].label(row)
}
