/**
 * What changed between two lists of rows: rows are matched by their natural key, and what differs is told field
 * by field, in the words and units of an operator.
 */
import type { RateCardContent } from '../../rating/rate-card.ts'

/** A row that is new, gone, or differs in a field. */
export type RowChange = {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly table: keyof RateCardContent
  /** Which row, readable: "1201 Classic, zone 3, up to 5 kg". */
  readonly key: string
  /** What differs; absent for a row as a whole. */
  readonly field?: string
  /** How it was: of the field, or all a removed row said. Absent where it said nothing. */
  readonly before?: string
  /** How it is: of the field, or all an added row says. Absent where it says nothing. */
  readonly after?: string
}

/** Rows of a table that are new, gone, or differ. */
export type RowCounts = { readonly added: number; readonly removed: number; readonly changed: number }

/** A table as it is compared. */
export type ComparedTable<Row> = {
  /** What makes two rows the same row, readable. */
  readonly keyOf: (row: Row) => string
  /** What a row says of it, by readable name; undefined where it says nothing. */
  readonly fields: Readonly<Record<string, (row: Row) => string | undefined>>
}

/** Compares two lists of rows; changes go to `report`. Rows that share a key are matched in their order. */
export function compareRows<Row>(
  name: keyof RateCardContent,
  { keyOf, fields }: ComparedTable<Row>,
  before: readonly Row[],
  after: readonly Row[],
  report: (change: RowChange) => void,
): RowCounts {
  const left = byKey(before, keyOf)
  let [added, changed] = [0, 0]
  for (const [key, row] of byKey(after, keyOf)) {
    const old = left.get(key)
    left.delete(key)
    if (old === undefined) {
      added++
      report({ kind: 'added', table: name, key, ...said('after', describe(fields, row)) })
    } else if (reportFields(name, key, fields, old, row, report)) changed++
  }
  for (const [key, row] of left)
    report({ kind: 'removed', table: name, key, ...said('before', describe(fields, row)) })
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
  fields: ComparedTable<Row>['fields'],
  old: Row,
  row: Row,
  report: (change: RowChange) => void,
): boolean {
  let differs = false
  for (const [field, textOf] of Object.entries(fields)) {
    const [before, after] = [textOf(old), textOf(row)]
    if (before === after) continue
    differs = true
    report({ kind: 'changed', table, key, field, ...said('before', before), ...said('after', after) })
  }
  return differs
}

/** All that a row says: "group G1", or "name Classic, largest weight of a piece 31.5 kg". */
function describe<Row>(fields: ComparedTable<Row>['fields'], row: Row): string | undefined {
  const parts = Object.entries(fields).flatMap(([field, textOf]) => {
    const text = textOf(row)
    return text === undefined ? [] : `${field} ${text}`
  })
  return parts.length === 0 ? undefined : parts.join(', ')
}

function said<Name extends 'before' | 'after'>(
  name: Name,
  text: string | undefined,
): Partial<Record<Name, string>> {
  return text === undefined ? {} : ({ [name]: text } as Partial<Record<Name, string>>)
}

// How a difference names products: cards refer to them by id, people know them by name.

/** The name of a product, '' where neither card has it. */
export type ProductNames = (productId: number) => string

/** "1201 Classic", or "1201" where neither card has the product. */
export function productText(productId: number, names: ProductNames): string {
  return `${productId} ${names(productId)}`.trimEnd()
}
