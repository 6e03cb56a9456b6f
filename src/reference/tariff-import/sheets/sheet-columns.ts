/**
 * The columns of a published table, found by any of the names its editions have given them. Decided here: case,
 * blanks, underscores and punctuation make no difference; columns that are not asked for are ignored; what data tools
 * write for nothing (#NA, NULL) is an empty cell; line breaks and control characters within a cell are a blank.
 */
import { toPlainText } from '../../../core/input.ts'
import type { FaultLog } from '../../import/import-fault.ts'
import type { SheetTable } from './sheet-table.ts'

/** The names a column goes by; the first one found counts. */
export type ColumnNames = { readonly names: readonly string[]; readonly needed: boolean }

/** What the open data of the United Kingdom and spreadsheets have in an empty cell. */
const NOTHING = /^(#NA|#N\/A|NULL)$/i

/** Where the columns of a table stand. */
export type FoundColumns<Name extends string> = {
  /** The text of a cell on one line, trimmed; empty where there is no such column, or a word for nothing. */
  textOf(record: readonly string[], column: Name): string
  /** The column as the file calls it; undefined where there is none. */
  titleOf(column: Name): string | undefined
  /** The number of the cell in a record; -1 where there is no such column. */
  positionOf(column: Name): number
}

/** A column under these names, which a table has to have. */
export function neededColumn(...names: readonly string[]): ColumnNames {
  return { names, needed: true }
}

/** A column under these names, which a table may have. */
export function possibleColumn(...names: readonly string[]): ColumnNames {
  return { names, needed: false }
}

/** A name without what does not matter: " Meas. type code" is "meastypecode". */
export function plainName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9£]/g, '')
}

/** Finds the columns. Undefined, with a fault that names what was accepted, where a needed one is missing. */
export function findColumns<Name extends string>(
  columns: Readonly<Record<Name, ColumnNames>>,
  { header, headerLine }: Pick<SheetTable, 'header' | 'headerLine'>,
  log: FaultLog,
): FoundColumns<Name> | undefined {
  const plain = header.map(plainName)
  const found = new Map<string, number>()
  let sound = true
  for (const [column, { names, needed }] of Object.entries<ColumnNames>(columns)) {
    const position = positionOf(names, plain)
    if (position !== -1 && plain.indexOf(plain[position]!, position + 1) !== -1) {
      log.fault(headerLine, header[position], 'this column once in the header')
      sound = false
    }
    found.set(column, position)
    if (position !== -1 || !needed) continue
    log.fault(headerLine, names[0], `a column with one of these names: ${names.join(', ')}`)
    sound = false
  }
  if (!sound) return undefined
  return {
    textOf(record, column) {
      const position = found.get(column)!
      const text = position === -1 ? '' : toPlainText(record[position] ?? '').trim()
      return NOTHING.test(text) ? '' : text
    },
    titleOf(column) {
      return header[found.get(column)!]
    },
    positionOf: (column) => found.get(column)!,
  }
}

/** True when a header has all of these columns. */
export function hasColumns(header: readonly string[], ...columns: readonly ColumnNames[]): boolean {
  const plain = header.map(plainName)
  return columns.every(({ names }) => positionOf(names, plain) !== -1)
}

/** How many of these columns a header has. */
export function countColumns(header: readonly string[], columns: readonly ColumnNames[]): number {
  const plain = header.map(plainName)
  return columns.filter(({ names }) => positionOf(names, plain) !== -1).length
}

function positionOf(names: readonly string[], plain: readonly string[]): number {
  for (const name of names) {
    const position = plain.indexOf(plainName(name))
    if (position !== -1) return position
  }
  return -1
}
