/**
 * Reports what a data set changes, as text and as JSON: the number of rows by table, the largest changes, and the
 * scopes in which it replaces other sets. Lists are cut to a limit, and the number of omitted entries is shown.
 */
import {
  effectiveRows,
  type ReplacedScope,
  replacedScopes,
  withoutSet,
} from '../../core/customs/data/layers.ts'
import type { CustomsRows } from '../../core/customs/data/rows.ts'
import {
  type CustomsDataDifference,
  compareCustomsData,
  type LineChange,
} from '../../core/customs/data-review/difference.ts'
import {
  type MissingExchangeRate,
  missingExchangeRates,
} from '../../core/customs/data-review/missing-exchange-rate.ts'
import { type ScopeLoss, scopeLosses } from '../../core/customs/data-review/scope-loss.ts'
import { counted, table, tableLabel } from '../terminal/output.ts'
import { lossLines } from './publish.ts'

export type SetDifference = CustomsDataDifference & {
  readonly before: string
  readonly after: string
  readonly replaced: readonly ReplacedScope[]
  readonly losses: readonly ScopeLoss[]
  readonly missingRates: readonly MissingExchangeRate[]
}

/** Compares the data without a set with the data including it. `rows` contain the set. */
export function differenceOfSet(rows: CustomsRows, name: string): SetDifference {
  const [before, after] = [effectiveRows(withoutSet(rows, name)), effectiveRows(rows)]
  const heading = { before: `the data without ${name}`, after: `the data with ${name}` }
  return {
    ...compareCustomsData(before, after),
    ...heading,
    replaced: replacedScopes(rows, name),
    losses: scopeLosses(before, after),
    missingRates: missingExchangeRates(before, after),
  }
}

/** What withdrawing a set changes. `rows` contain the set. */
export function differenceWithoutSet(rows: CustomsRows, name: string): SetDifference {
  const [before, after] = [effectiveRows(rows), effectiveRows(withoutSet(rows, name))]
  const heading = { before: 'the current data', after: `the data without ${name}` }
  return {
    ...compareCustomsData(before, after),
    ...heading,
    replaced: replacedScopes(rows, name),
    losses: [],
    missingRates: missingExchangeRates(before, after),
  }
}

/** The difference as a JSON value, with at most `limit` changes and all scopes. */
export function differenceValue({ before, after, counts, ...lists }: SetDifference, limit: number): object {
  const { changes, replaced, losses, missingRates } = lists
  return {
    before,
    after,
    counts,
    changes: { total: changes.length, listed: changes.slice(0, limit) },
    takenOver: { total: replaced.length, listed: replaced },
    losses,
    missingRates,
  }
}

/** The difference as lines, with at most `limit` changes. */
export function differenceLines(difference: SetDifference, limit: number): string[] {
  const { before, after, counts, changes } = difference
  if (counts.length === 0) return [`No difference between ${before} and ${after}.`]
  return [
    `Changes from ${before} to ${after}:`,
    ...countLines(difference),
    ...changeLines(changes, limit),
    ...jumpLines(changes),
    ...difference.missingRates.map(missingRateLine),
  ]
}

function countLines({ counts }: SetDifference): string[] {
  const figures = ['ADDED', 'REMOVED', 'CHANGED', 'DAYS ONLY', 'UNCHANGED']
  const rows = counts.map(({ table: name, owner, added, removed, changed, redated, unchanged }) => [
    tableLabel(name),
    owner,
    ...[added, removed, changed, redated, unchanged].map(String),
  ])
  return table(['TABLE', 'FOR', ...figures], rows, figures)
}

function changeLines(changes: readonly LineChange[], limit: number): string[] {
  if (changes.length === 0 || limit === 0) return []
  return [
    '',
    changes.length > limit ? 'Largest changes:' : 'All changes:',
    ...changes.slice(0, limit).map(changeLine),
    ...omittedLine(changes.length - limit, changes.length),
  ]
}

/** An exchange rate that differs from the current one by a larger factor is probably inverted or in another unit. */
const JUMP = 3

function jumpLines(changes: readonly LineChange[]): string[] {
  return changes.flatMap(({ table: name, owner, key, before, after }) => {
    if (name !== 'exchangeRates' || before === undefined || after === undefined) return []
    const factor = Number(after) / Number(before)
    if (factor <= JUMP && factor >= 1 / JUMP) return []
    const what = `the exchange rate of ${owner} ${key} is ${after}`
    return [`warning: ${what}, which differs from the current ${before} by a factor of more than ${JUMP}`]
  })
}

function missingRateLine({ table: name, owner, currency }: MissingExchangeRate): string {
  return `warning: no exchange rate is loaded for ${currency}, which ${tableLabel(name)} of ${owner} need`
}

/** For example "~ GB 61091000: 12% -> 10%". The table is named unless it is the table of measures. */
function changeLine({ kind, table: name, owner, key, before, after }: LineChange): string {
  const words = [name === 'measures' ? '' : tableLabel(name), owner, key === owner ? '' : key]
  const line = words.filter((word) => word !== '').join(' ')
  const move = before === undefined ? after : after === undefined ? before : `${before} -> ${after}`
  const sign = { changed: '~', removed: '-', added: '+' }[kind]
  return `${sign} ${line}${move === undefined ? '' : `: ${move}`}`
}

/** The scopes in which a set replaces others, and warnings about removed rows. */
export function replacedLines({ replaced, losses }: SetDifference, heading: string): string[] {
  return [
    ...scopeLines(replaced, heading, (scope) =>
      isPart(scope) ? `${replacementText(scope)}; rows missing from it are removed` : replacementText(scope),
    ),
    ...(losses.length === 0 ? [] : ['', ...lossLines(losses)]),
  ]
}

/** The scopes in which withdrawing a set restores others. */
export function restoredLines({ replaced }: SetDifference): string[] {
  return scopeLines(replaced, 'It will no longer replace:', replacementText)
}

function scopeLines(
  scopes: readonly ReplacedScope[],
  heading: string,
  textOf: (scope: ReplacedScope) => string,
): string[] {
  return scopes.length === 0 ? [] : ['', heading, ...scopes.map((scope) => `  ${textOf(scope)}`)]
}

function replacementText({ table: name, scope, rowCount, from }: ReplacedScope): string {
  const sets = from.map(({ dataSet, rowCount: rows }) => `${dataSet} (${counted(rows, 'row')})`)
  return `${tableLabel(name)} ${scope}: ${counted(rowCount, 'row')} instead of ${sets.join(', ')}`
}

/** True if a set has less than half of the rows that it replaces. It may be a part of a tariff. */
function isPart({ rowCount, from }: ReplacedScope): boolean {
  return 2 * rowCount < from.reduce((sum, set) => sum + set.rowCount, 0)
}

function omittedLine(more: number, all: number): string[] {
  return more > 0 ? [`… and ${more} more (--limit ${all} lists all)`] : []
}
