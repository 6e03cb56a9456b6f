/**
 * Compares the rows of two tables, row by row and field by field. Rows are matched by their natural key. Fields and
 * figures are written as in price lists, because operators read them.
 */
import type { RateCardContent } from '../../rating/rate-card.ts'

export type RowChange = {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly table: keyof RateCardContent
  /** The row: "1201 Classic, zone 3, up to 5 kg". */
  readonly key: string
  /** The changed field; absent for an added or removed row. */
  readonly field?: string
  /** The old value of the field, or all values of a removed row. Absent if there was none. */
  readonly before?: string
  /** The new value of the field, or all values of an added row. Absent if there is none. */
  readonly after?: string
}

export type RowCounts = { readonly added: number; readonly removed: number; readonly changed: number }

/** How to compare a table. */
export type ComparedTable<Row> = {
  /** The natural key, as text for display. */
  readonly keyOf: (row: Row) => string
  /** The value of each field as text; undefined if the row has none. */
  readonly fields: Readonly<Record<string, (row: Row) => string | undefined>>
}

/** The currencies of the amounts of two cards. */
export type Currencies = { readonly before: string; readonly after: string }

/** How the old and the new rows are written. Keys are the same. */
type ComparedTables<Row> = { readonly before: ComparedTable<Row>; readonly after: ComparedTable<Row> }

/** Changes are passed to `report`. Rows with the same key are matched in their order. */
export function compareRows<Row>(
  name: keyof RateCardContent,
  tables: ComparedTables<Row>,
  before: readonly Row[],
  after: readonly Row[],
  report: (change: RowChange) => void,
): RowCounts {
  const { keyOf, fields } = tables.after
  const oldFields = tables.before.fields
  const left = byKey(before, keyOf)
  let [added, changed] = [0, 0]
  for (const [key, row] of byKey(after, keyOf)) {
    const old = left.get(key)
    left.delete(key)
    if (old === undefined) {
      added++
      report({ kind: 'added', table: name, key, ...optional('after', describe(fields, row)) })
    } else if (reportFields(name, key, [oldFields, fields], old, row, report)) changed++
  }
  for (const [key, row] of left)
    report({ kind: 'removed', table: name, key, ...optional('before', describe(oldFields, row)) })
  return { added, removed: left.size, changed }
}

function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row> {
  const keyed = new Map<string, Row>()
  const repeats = new Map<string, number>()
  for (const row of rows) {
    const key = keyOf(row)
    if (!keyed.has(key)) keyed.set(key, row)
    else {
      const count = (repeats.get(key) ?? 1) + 1
      repeats.set(key, count)
      keyed.set(`${key} (${count})`, row)
    }
  }
  return keyed
}

function reportFields<Row>(
  table: keyof RateCardContent,
  key: string,
  [oldFields, fields]: readonly [ComparedTable<Row>['fields'], ComparedTable<Row>['fields']],
  old: Row,
  row: Row,
  report: (change: RowChange) => void,
): boolean {
  let differs = false
  for (const [field, textOf] of Object.entries(fields)) {
    const [before, after] = [oldFields[field]?.(old), textOf(row)]
    if (before === after) continue
    differs = true
    report({ kind: 'changed', table, key, field, ...optional('before', before), ...optional('after', after) })
  }
  return differs
}

/** All values of a row: "name Classic, largest weight of a piece 31.5 kg". */
function describe<Row>(fields: ComparedTable<Row>['fields'], row: Row): string | undefined {
  const parts = Object.entries(fields).flatMap(([field, textOf]) => {
    const text = textOf(row)
    return text === undefined ? [] : `${field} ${text}`
  })
  return parts.length === 0 ? undefined : parts.join(', ')
}

function optional<Name extends 'before' | 'after'>(
  name: Name,
  text: string | undefined,
): Partial<Record<Name, string>> {
  return text === undefined ? {} : ({ [name]: text } as Partial<Record<Name, string>>)
}

/** A row as text. The order of fields does not matter; it differs between files and database. */
export function rowText(row: object): string {
  return JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
}
