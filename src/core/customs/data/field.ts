/**
 * The kinds of fields that rows of customs data have. A table lists its fields once (tables); the columns of files
 * (`reference`) and of the database (`store`) are derived from that list. docs/customs-files.md describes the columns.
 */

/** What a cell of each kind contains, and the value that a row has for it. */
export type FieldKind =
  /** Letters, digits, dots, hyphens and underscores: a jurisdiction, a group, a measure type. */
  | 'name'
  /** Names separated by blanks. A list. An empty cell is an empty list. */
  | 'names'
  /** Text on one line. */
  | 'text'
  /** Text on any number of lines. */
  | 'remark'
  /** One of `words`. */
  | 'word'
  /** `yes` or `no`. A boolean. */
  | 'yesNo'
  /** The first 2 to 10 digits of a goods code. */
  | 'codePrefix'
  /** Code prefixes separated by blanks. A list. An empty cell is an empty list. */
  | 'codePrefixes'
  /** Two capital letters. */
  | 'country'
  /** Three capital letters. */
  | 'currency'
  /** A number of 0 or more with at most 6 decimals. Decimal text without trailing zeros. */
  | 'amount'
  /** A percentage with at most 4 decimals. An integer in parts per million: 1% is 10,000. */
  | 'percent'
  /** A whole number above 0. */
  | 'count'
  /** A day 'YYYY-MM-DD'. */
  | 'day'
  /** The first day on which a row no longer applies. Days after the year 2200 mean that it has no end. */
  | 'endDay'
  /** A sum of amounts per quantity and percentages: "9 EUR/100 kg + 2 EUR/hl" (see duty-text.ts). */
  | 'duty'

/** A field with values of type `Value`. */
export type Field<Value = unknown> = {
  readonly kind: FieldKind
  /** The value of an empty or missing cell. Without it, every row needs a value. */
  readonly whenEmpty?: Value
  /** The name of the column in files, if it does not follow from the name of the field. */
  readonly column?: string
  /** Of a `word`. */
  readonly words?: readonly string[]
  /** Of a `text` or `remark`, in characters. */
  readonly maxLength?: number
  /** True if a file can have one value for all empty cells. That value takes precedence over `whenEmpty`. */
  readonly fileDefault?: boolean
}

/** The fields of a table by name. */
export type Fields = Readonly<Record<string, Field>>

/** A row with these fields. Every row names its data set. */
export type RowOf<TableFields extends Fields> = { readonly dataSet: string } & {
  readonly [Name in keyof TableFields]: TableFields[Name] extends Field<infer Value> ? Value : never
}

type Options<Empty> = Omit<Field, 'kind' | 'words' | 'whenEmpty'> & { readonly whenEmpty?: Empty }

/** Fields of a kind. `whenEmpty` may add a value to their type, such as null. */
function fieldsOfKind<Value>(kind: FieldKind) {
  return <const Empty = never>(options: Options<Empty> = {}): Field<Value | NoInfer<Empty>> => ({
    kind,
    ...options,
  })
}

function listsOfKind(kind: FieldKind) {
  const none: readonly string[] = []
  return (options: Omit<Options<never>, 'whenEmpty'> = {}): Field<readonly string[]> => ({
    kind,
    whenEmpty: none,
    ...options,
  })
}

export const name = fieldsOfKind<string>('name')
export const names = listsOfKind('names')
export const text = fieldsOfKind<string>('text')
export const remark = fieldsOfKind<string>('remark')
export const yesNo = fieldsOfKind<boolean>('yesNo')
export const codePrefix = fieldsOfKind<string>('codePrefix')
export const codePrefixes = listsOfKind('codePrefixes')
export const country = fieldsOfKind<string>('country')
export const currency = fieldsOfKind<string>('currency')
export const amount = fieldsOfKind<string>('amount')
export const percent = fieldsOfKind<number>('percent')
export const count = fieldsOfKind<number>('count')
export const day = fieldsOfKind<string>('day')
export const endDay = fieldsOfKind<string>('endDay')
export const duty = fieldsOfKind<string>('duty')

/** A field with one of the given words. */
export function word<const Word extends string, const Empty = never>(
  words: readonly Word[],
  options: Options<Empty> = {},
): Field<Word | NoInfer<Empty>> {
  return { kind: 'word', words, ...options }
}

/** "codePrefix" is "code_prefix": the name of a field as the name of a column. */
export function snakeCase(fieldName: string): string {
  return fieldName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
