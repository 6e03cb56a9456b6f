/**
 * Row types of the customs tables. A table has a column for each field of its row type in
 * src/core/customs/data/rows.ts, named in snake case. Days are 'YYYY-MM-DD'; null means no limit.
 */
import type { Generated } from 'kysely'
import type { CustomsRow, CustomsRowName, CustomsTableName } from '../../core/customs/data/rows.ts'

/** Only published sets have an effect. */
export type DataSetState = 'draft' | 'published' | 'withdrawn'

/** Converts "codePrefix" to "code_prefix". */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

/** A row belongs to a set; `sort_no` is its position in the set. */
type Columns<Row> = { readonly set_id: number; readonly sort_no: number } & {
  readonly [Field in Exclude<keyof Row & string, 'dataSet'> as Snake<Field>]: Row[Field]
}

type RowTables = {
  [Table in CustomsTableName as `customs_${CustomsRowName[Table]}`]: Columns<CustomsRow[Table]>
}

export interface CustomsTableRows extends RowTables {
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
    /** Null unless published. */
    layer: number | null
    jurisdiction: string | null
    /** The names of the files. Null for shipped sets. */
    imported_from: string | null
    /** Days between two editions of the publisher. */
    cycle_days: number | null
    loaded_at: Generated<Date>
    published_at: Date | null
  }
  customs_book: { only_row: Generated<boolean>; revision: number }
  customs_change: { revision: number; changed_at: Generated<Date>; what: string }
}
