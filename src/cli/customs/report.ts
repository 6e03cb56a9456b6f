/**
 * What a data set changes, for people and for programs: how many lines of each table, the largest changes, and which
 * set it decides in the place of. Lists are cut to a number of lines; what is cut is counted.
 */
import { decidingRows, type TakenOver, takenOver, withoutSet } from '../../core/customs/data/layers.ts'
import type { CustomsRows } from '../../core/customs/data/rows.ts'
import {
  type CustomsDataDifference,
  compareCustomsData,
  type LineChange,
} from '../../core/customs/data-review/difference.ts'
import { type ScopeLoss, scopeLosses } from '../../core/customs/data-review/scope-loss.ts'
import { counted, table, tableLabel } from '../terminal/output.ts'
import { lossLines } from './publish.ts'

/** What a set changes. */
export type SetDifference = CustomsDataDifference & {
  readonly before: string
  readonly after: string
  readonly takenOver: readonly TakenOver[]
  /** What goes missing. */
  readonly losses: readonly ScopeLoss[]
}

/** What there is with a set that is among `rows`, against what there is without it. */
export function differenceOfSet(rows: CustomsRows, name: string): SetDifference {
  const [before, after] = [decidingRows(withoutSet(rows, name)), decidingRows(rows)]
  const heading = { before: `what decides without ${name}`, after: `what decides with it` }
  const losses = scopeLosses(before, after)
  return { ...compareCustomsData(before, after), ...heading, takenOver: takenOver(rows, name), losses }
}

/** What withdrawing a set that is among `rows` changes. */
export function differenceWithoutSet(rows: CustomsRows, name: string): SetDifference {
  const [before, after] = [decidingRows(rows), decidingRows(withoutSet(rows, name))]
  const heading = { before: 'what decides now', after: `what decides without ${name}` }
  return { ...compareCustomsData(before, after), ...heading, takenOver: takenOver(rows, name), losses: [] }
}

/** The difference as a JSON value, with at most `most` changes and all scopes. */
export function differenceValue({ before, after, counts, ...lists }: SetDifference, most: number): object {
  const { changes, takenOver, losses } = lists
  return {
    ...{ before, after, counts },
    changes: { total: changes.length, listed: changes.slice(0, most) },
    takenOver: { total: takenOver.length, listed: takenOver },
    losses,
  }
}

/** The difference as lines, with at most `most` changes. */
export function differenceLines(difference: SetDifference, most: number): string[] {
  const { before, after, counts, changes } = difference
  if (counts.length === 0) return [`No difference between ${before} and ${after}.`]
  return [
    `From ${before} to ${after}:`,
    ...countLines(difference),
    ...changeLines(changes, most),
    ...jumpLines(changes),
  ]
}

function countLines({ counts }: SetDifference): string[] {
  const figures = ['ADDED', 'REMOVED', 'CHANGED', 'OTHER DAYS', 'UNCHANGED']
  const rows = counts.map(({ table: name, owner, added, removed, changed, redated, unchanged }) => [
    tableLabel(name),
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

/** A rate so far from the one in force is rather the wrong way round, or of another unit. */
const JUMP = 3

function jumpLines(changes: readonly LineChange[]): string[] {
  return changes.flatMap(({ table: name, owner, key, before, after }) => {
    if (name !== 'exchangeRates' || before === undefined || after === undefined) return []
    const factor = Number(after) / Number(before)
    if (factor <= JUMP && factor >= 1 / JUMP) return []
    const what = `the exchange rate of ${owner} ${key} is ${after}`
    return [`warning: ${what}: more than a factor of ${JUMP} from the ${before} in force`]
  })
}

/** Measures go without the name of their table: "~ GB 61091000: 12% -> 10%". */
function changeLine({ kind, table: name, owner, key, before, after }: LineChange): string {
  const words = [name === 'measures' ? '' : tableLabel(name), owner, key === owner ? '' : key]
  const line = words.filter((word) => word !== '').join(' ')
  const move = before === undefined ? after : after === undefined ? before : `${before} -> ${after}`
  const sign = { changed: '~', removed: '-', added: '+' }[kind]
  return `${sign} ${line}${move === undefined ? '' : `: ${move}`}`
}

/** What a set takes over, or gives back, as lines, and what goes missing by it. */
export function takenOverLines(
  { takenOver: scopes, losses }: SetDifference,
  what: 'takes over' | 'will take over' | 'gives back',
): string[] {
  if (scopes.length === 0) return []
  const direction = what === 'gives back' ? 'to' : 'from'
  return [
    '',
    `It ${what}:`,
    ...scopes.map(({ table: name, scope, rowCount, from }) => {
      const sets = from.map(({ dataSet, rowCount }) => `${dataSet} (${counted(rowCount, 'row')})`)
      const own = counted(rowCount, 'row')
      const all = from.reduce((sum, set) => sum + set.rowCount, 0)
      // A part of a tariff, imported as if it were all of it.
      const isPart = what !== 'gives back' && 2 * rowCount < all
      const loss = isPart ? '; what it leaves out has no row then' : ''
      return `  ${tableLabel(name)} ${scope}: ${own}, ${direction} ${sets.join(', ')}${loss}`
    }),
    ...(losses.length === 0 ? [] : ['', ...lossLines(losses)]),
  ]
}

function restLine(more: number, all: number): string[] {
  return more > 0 ? [`… and ${more} more (--limit ${all} lists all)`] : []
}
