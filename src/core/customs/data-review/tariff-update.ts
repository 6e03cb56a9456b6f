/**
 * Applies a part of a tariff to the rows in effect, so that a new set has the whole tariff: the rows of some chapters,
 * or the changes of a day. A change that does not fit the rows in effect belongs to another edition.
 * See docs/customs-data.md#update-a-tariff.
 */
import { type CustomsRow, keyOf, labelOf, ownerOf, type SetRows, scopeOf } from '../data/rows.ts'

/** The tables that an update changes. */
export const UPDATED_TABLES = ['measures', 'conditionalDuties'] as const
export type UpdatedTable = (typeof UPDATED_TABLES)[number]

/**
 * The changes that a file marks, by `changeKey`. Rows without a mark are inserted, or replace the row with their key.
 */
export type MarkedChanges = {
  readonly inserted: ReadonlySet<string>
  readonly updated: ReadonlySet<string>
  readonly removed: SetRows
}

export type TariffUpdate = {
  /** The new set. */
  readonly dataSet: string
  readonly rows: SetRows
  readonly changes: MarkedChanges
  /** Codes whose rows the file replaces. Undefined: the file has changes. */
  readonly chapters: readonly string[] | undefined
  /** True if the changes may have been applied before, because they are of the same day as the rows in effect. */
  readonly isSameDay: boolean
}

export type UpdateFault = { readonly expected: string; readonly found: string }

export type UpdateOutcome =
  | { readonly kind: 'UpdatedTariff'; readonly rows: SetRows }
  | { readonly kind: 'UpdateFaults'; readonly faults: readonly UpdateFault[] }

/** Identifies a row with its table, as in the key of the table. */
export function changeKey<Table extends UpdatedTable>(table: Table, row: CustomsRow[Table]): string {
  return `${table}\n${keyOf(table, row)}`
}

/** The scopes that an update touches: of the rows that it has, and of those that it removes. */
export function touchedRows({ rows, changes }: Pick<TariffUpdate, 'rows' | 'changes'>): SetRows {
  const { removed } = changes
  return {
    ...rows,
    measures: [...(rows.measures ?? []), ...(removed.measures ?? [])],
    conditionalDuties: [...(rows.conditionalDuties ?? []), ...(removed.conditionalDuties ?? [])],
  }
}

/** `inEffect` are the rows in effect in the scopes of the update. */
export function applyUpdate(inEffect: SetRows, update: TariffUpdate): UpdateOutcome {
  const faults: UpdateFault[] = []
  const measures = updatedRows('measures', inEffect.measures ?? [], update, faults)
  const conditionalDuties = updatedRows('conditionalDuties', inEffect.conditionalDuties ?? [], update, faults)
  for (const chapter of update.chapters ?? [])
    if (!(update.rows.measures ?? []).some(({ codePrefix }) => codePrefix.startsWith(chapter)))
      faults.push({ expected: `rows of ${chapter}, which --chapters names`, found: 'none' })
  return faults.length > 0
    ? { kind: 'UpdateFaults', faults }
    : { kind: 'UpdatedTariff', rows: { ...update.rows, measures, conditionalDuties } }
}

function updatedRows<Table extends UpdatedTable>(
  table: Table,
  inEffect: readonly CustomsRow[Table][],
  update: TariffUpdate,
  faults: UpdateFault[],
): readonly CustomsRow[Table][] {
  const rows: readonly CustomsRow[Table][] = update.rows[table] ?? []
  const removed: readonly CustomsRow[Table][] = update.changes.removed[table] ?? []
  const scopes = new Set([...rows, ...removed].map((row) => scopeOf(table, row)))
  const kept = inEffect.filter((row) => scopes.has(scopeOf(table, row)))
  const { chapters, dataSet } = update
  if (chapters === undefined) return changedRows(table, kept, rows, update, faults)
  const isNamed = ({ codePrefix }: CustomsRow[UpdatedTable]): boolean =>
    chapters.some((chapter) => codePrefix.startsWith(chapter))
  for (const row of rows)
    if (!isNamed(row))
      faults.push({ expected: `a code of ${chapters.join(', ')}`, found: describe(table, row) })
  const others = kept.flatMap((row) => (isNamed(row) ? [] : [{ ...row, dataSet }]))
  return [...others, ...rows]
}

function changedRows<Table extends UpdatedTable>(
  table: Table,
  kept: readonly CustomsRow[Table][],
  changed: readonly CustomsRow[Table][],
  { dataSet, changes, isSameDay }: TariffUpdate,
  faults: UpdateFault[],
): readonly CustomsRow[Table][] {
  const rows = new Map(kept.map((row) => [keyOf(table, row), row]))
  const fault = (expected: string, row: CustomsRow[Table]): void =>
    void faults.push({ expected, found: describe(table, row) })
  const removed: readonly CustomsRow[Table][] = changes.removed[table] ?? []
  for (const row of removed)
    if (!rows.delete(keyOf(table, row)) && !isSameDay)
      fault('a row in effect to delete; the changes belong to another edition', row)
  for (const row of changed) {
    const key = keyOf(table, row)
    const before = rows.get(key)
    if (changes.updated.has(changeKey(table, row)) && before === undefined)
      fault('a row in effect to update; the changes belong to another edition', row)
    else if (changes.inserted.has(changeKey(table, row)) && before !== undefined && !isSame(before, row))
      fault('a row that is not in effect; the one in effect has another duty', row)
    rows.set(key, row)
  }
  return [...rows.values()].map((row) => (row.dataSet === dataSet ? row : { ...row, dataSet }))
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify({ ...one, dataSet: '' }) === JSON.stringify({ ...other, dataSet: '' })
}

function describe<Table extends UpdatedTable>(table: Table, row: CustomsRow[Table]): string {
  const from = row.validFrom === null ? '' : ` from ${row.validFrom}`
  return `${ownerOf(table, row)} ${labelOf(table, row)}${from}`
}
