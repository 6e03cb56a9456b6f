/**
 * The definition of a table of customs data, and the fields and labels that several tables share.
 *
 * Rates are in parts per million (1% is 10,000). Amounts are decimal text. Days are 'YYYY-MM-DD'. A row applies from
 * `validFrom` until the day before `validTo`; null is open.
 */
import {
  amount,
  codePrefix,
  count,
  day,
  endDay,
  type Field,
  type Fields,
  name,
  percent,
  type RowOf,
  remark,
  text,
  word,
  yesNo,
} from '../field.ts'

/** The definition of a table with rows of type `Row`. */
export type CustomsTable<Row> = {
  /** One row in snake case. The database table is `customs_<rowName>`. */
  readonly rowName: string
  readonly fields: { readonly [FieldName in Exclude<keyof Row, 'dataSet'>]: Field<Row[FieldName]> }
  /** Two rows of a file with equal values in these fields are a fault. */
  readonly key: readonly FieldName<Row>[]
  /** Rows with equal values in these fields are replaced together by a data set of a higher layer. */
  readonly scope: readonly FieldName<Row>[]
  /** The jurisdiction or currency by which a comparison groups rows. */
  readonly owner?: FieldName<Row>
  /** Identifies a row of its owner in a comparison, independently of its days and rate: "61091000", "VAT 4901". */
  readonly label: (row: Row) => string
}

type FieldName<Row> = Exclude<keyof Row, 'dataSet'> & string

type Definition<RowName, TableFields extends Fields> = {
  readonly rowName: RowName
  readonly fields: TableFields
} & Omit<CustomsTable<RowOf<TableFields>>, 'rowName' | 'fields'>

/** Checks a definition and infers its row type. */
export function table<const RowName extends string, TableFields extends Fields>(
  definition: Definition<RowName, TableFields>,
): Definition<RowName, TableFields> {
  return definition
}

export const note = remark({ whenEmpty: '', maxLength: 1_000 })
export const optionalName = name({ whenEmpty: '' })
export const optionalText = text({ whenEmpty: '', maxLength: 1_000 })
export const optionalAmount = amount({ whenEmpty: '' })
export const optionalPercent = percent({ whenEmpty: null })
export const yes = yesNo({ whenEmpty: true })
export const no = yesNo({ whenEmpty: false })

/** Any value but `high` is mentioned in answers. */
export const confidence = word(['high', 'medium', 'low'], { whenEmpty: 'high', fileDefault: true })

export type Confidence = typeof confidence extends Field<infer Value> ? Value : never

export const recipient = word(['any', 'individual', 'business'], { whenEmpty: 'any' })
/** The jurisdiction or customs area; may be given for a whole file. */
export const jurisdiction = name({ fileDefault: true })
/** Empty: all codes. */
export const anyPrefix = codePrefix({ whenEmpty: '' })
/** The number of digits by which goods are counted as items. */
export const itemDigits = count({ whenEmpty: null })
export const validity = {
  validFrom: day({ whenEmpty: null, fileDefault: true }),
  validTo: endDay({ whenEmpty: null }),
}

/** Joins the parts of a label. */
export const words = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

/** Leaves out 'any', the default recipient. */
export const namedRecipient = (value: string): string => (value === 'any' ? '' : value)
