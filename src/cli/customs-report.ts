/**
 * What a data set changes, for people and for programs: how many lines of each table, the largest changes, and which
 * set it decides in the place of. Lists are cut to a number of lines; what is cut is counted.
 */
import {
  compareReference,
  type LineChange,
  type ReferenceDifference,
} from '../core/customs/reference/reference-difference.ts'
import {
  decidingRows,
  type TakenOver,
  takenOver,
  withoutSet,
} from '../core/customs/reference/reference-layers.ts'
import type { CustomsRows } from '../core/customs/reference/reference-rows.ts'
import { nameOfTable } from './difference-report.ts'
import { counted, table } from './output.ts'

/** What a set changes. */
export type SetDifference = ReferenceDifference & {
  readonly before: string
  readonly after: string
  readonly takenOver: readonly TakenOver[]
}

/** What there is with a set that is among `rows`, against what there is without it. */
export function differenceOfSet(rows: CustomsRows, name: string): SetDifference {
  const [before, after] = [decidingRows(withoutSet(rows, name)), decidingRows(rows)]
  const heading = { before: `what decides without ${name}`, after: `what decides with it` }
  return { ...compareReference(before, after), ...heading, takenOver: takenOver(rows, name) }
}

/** What withdrawing a set that is among `rows` changes. */
export function differenceWithoutSet(rows: CustomsRows, name: string): SetDifference {
  const [before, after] = [decidingRows(rows), decidingRows(withoutSet(rows, name))]
  const heading = { before: 'what decides now', after: `what decides without ${name}` }
  return { ...compareReference(before, after), ...heading, takenOver: takenOver(rows, name) }
}

/** The difference as a JSON value, with at most `most` changes and as many scopes. */
export function differenceValue({ before, after, counts, ...lists }: SetDifference, most: number): object {
  const { changes, takenOver } = lists
  return {
    ...{ before, after, counts },
    changes: { total: changes.length, listed: changes.slice(0, most) },
    takenOver: { total: takenOver.length, listed: takenOver.slice(0, most) },
  }
}

/** The difference as lines, with at most `most` changes and as many scopes. */
export function differenceLines(difference: SetDifference, most: number): string[] {
  const { before, after, counts, changes } = difference
  if (counts.length === 0) return [`No difference between ${before} and ${after}.`]
  return [`From ${before} to ${after}:`, ...countLines(difference), ...changeLines(changes, most)]
}

function countLines({ counts }: SetDifference): string[] {
  const figures = ['ADDED', 'REMOVED', 'CHANGED', 'OTHER DAYS', 'UNCHANGED']
  const rows = counts.map(({ table: name, owner, added, removed, changed, redated, unchanged }) => [
    nameOfTable(name),
    owner,
    ...[added, removed, changed, redated, unchanged].map(String),
  ])
  return table(['TABLE', 'OF', ...figures], rows, figures)
}

function changeLines(changes: readonly LineChange[], most: number): string[] {
  if (changes.length === 0 || most === 0) return []
  return [
    '',
    changes.length > most ? 'The largest changes:' : 'Changes:',
    ...changes.slice(0, most).map(changeLine),
    ...restLine(changes.length - most, changes.length),
  ]
}

/** Measures go without the name of their table: "~ GB 61091000: 12% -> 10%". */
function changeLine({ kind, table: name, owner, key, before, after }: LineChange): string {
  const words = [name === 'measures' ? '' : nameOfTable(name), owner, key === owner ? '' : key]
  const line = words.filter((word) => word !== '').join(' ')
  const move = before === undefined ? after : after === undefined ? before : `${before} -> ${after}`
  const sign = { changed: '~', removed: '-', added: '+' }[kind]
  return `${sign} ${line}${move === undefined ? '' : `: ${move}`}`
}

/** What a set takes over, or gives back, as lines; `most` scopes at most. */
export function takenOverLines(
  { takenOver: scopes }: SetDifference,
  what: 'takes over' | 'will take over' | 'gives back',
  most: number,
): string[] {
  if (scopes.length === 0) return []
  const direction = what === 'gives back' ? 'to' : 'from'
  return [
    '',
    `It ${what}:`,
    ...scopes.slice(0, most).map(({ table: name, scope, rowCount, from }) => {
      const sets = from.map(({ dataSet, rowCount }) => `${dataSet} (${counted(rowCount, 'row')})`)
      const own = counted(rowCount, 'row')
      const all = from.reduce((sum, set) => sum + set.rowCount, 0)
      // A part of a tariff, imported as if it were all of it.
      const isPart = what !== 'gives back' && 2 * rowCount < all
      const loss = isPart ? '; what it leaves out has no row then' : ''
      return `  ${nameOfTable(name)} ${scope}: ${own}, ${direction} ${sets.join(', ')}${loss}`
    }),
    ...restLine(scopes.length - most, scopes.length),
  ]
}

function restLine(more: number, all: number): string[] {
  return more > 0 ? [`… and ${more} more (--limit ${all} lists all)`] : []
}
