/**
 * Row types of the customs tables (migration 0006). Decided here: a table of rows has the fields of its row in core,
 * each as a column of the same name in snake_case.
 */
import type { Generated } from 'kysely'
import type { CustomsRows, CustomsTableName } from '../../core/customs/data/rows.ts'

/** Where a set stands: `draft` decides nothing yet, `withdrawn` no longer. */
export type DataSetState = 'draft' | 'published' | 'withdrawn'

/** "codePrefix" is "code_prefix". */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

/** The columns of a row; it belongs to a set, in which `sort_no` is its place. */
type Columns<Row> = { readonly set_id: number; readonly sort_no: number } & {
  readonly [Field in Exclude<keyof Row & string, 'dataSet'> as Snake<Field>]: Row[Field]
}

type RowsOf<Table extends CustomsTableName> = Columns<CustomsRows[Table][number]>

/** The tables of the customs room. Dates are 'YYYY-MM-DD', null is open. */
export interface CustomsTableRows {
  customs_data_set: {
    set_id: Generated<number>
    data_set: string
    table_names: CustomsTableName[]
    title: string
    source: string
    published_on: string
    content_hash: string
    sort_no: number
    is_shipped: boolean
    state: DataSetState
    /** Null while it is not published. */
    layer: number | null
    jurisdiction: string | null
    /** The names of the files; null for shipped sets. */
    imported_from: string | null
    loaded_at: Generated<Date>
    published_at: Date | null
  }
  customs_book: { only_row: Generated<boolean>; revision: number }
  customs_change: { revision: number; changed_at: Generated<Date>; what: string }
  customs_jurisdiction: RowsOf<'jurisdictions'>
  customs_territory: RowsOf<'territories'>
  customs_origin_group: RowsOf<'originGroups'>
  customs_code_list: RowsOf<'codeLists'>
  customs_hs_successor: RowsOf<'hsSuccessors'>
  customs_tax: RowsOf<'taxes'>
  customs_tax_rate: RowsOf<'taxRates'>
  customs_measure_type: RowsOf<'measureTypes'>
  customs_measure: RowsOf<'measures'>
  customs_threshold: RowsOf<'thresholds'>
  customs_fee: RowsOf<'fees'>
  customs_exchange_rate: RowsOf<'exchangeRates'>
}
