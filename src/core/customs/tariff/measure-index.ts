/**
 * Preferences and additional duties of a customs area, and which of them apply to goods. Of each measure type (for
 * preferences, of each agreement) one row applies: that of the longest code prefix, then of the narrowest origin, then
 * the latest. A list of codes counts as prefixes. See docs/customs-data.md#duties.
 */
import { mapValues } from '../../group-by.ts'
import { isInForce, type Validity } from '../../validity.ts'
import { codeKey, codeLength, codeOfKey, type PackedTable, valueAt } from '../data/packed-rows.ts'
import type { MeasureTypeRow } from '../data/row-types/measures.ts'
import {
  type CodeRun,
  chapterOf,
  codeSetOfKeys,
  endOfPrefix,
  hasKey,
  hasPrefixOf,
  lowerBound,
  prefixKey,
  sortedRun,
} from './code-run.ts'
import { type Measure, type OriginGroups, originRank, scopeRank } from './measure.ts'
import {
  byLatestRow,
  type CodeLists,
  isRowInForce,
  type MeasureStore,
  measureAt,
  measureField,
  originsOf,
  valueIndex,
} from './measure-store.ts'

export function compileCodeLists(packed: PackedTable<'codeLists'> | undefined): CodeLists {
  const lists = new Map<string, number[]>()
  if (packed === undefined) return new Map()
  const { codeList, codePrefix } = packed.columns
  for (let row = 0; row < packed.rowCount; row += 1) {
    const name = String(valueAt(codeList, row))
    const keys = lists.get(name)
    if (keys === undefined) lists.set(name, [codePrefix.codes![row]!])
    else keys.push(codePrefix.codes![row]!)
  }
  return new Map([...lists].map(([name, keys]) => [name, codeSetOfKeys(Float64Array.from(keys))]))
}

/** Measures of one type, by the origin that they name. At most one of them applies to goods. */
type TypeIndex = ReadonlyMap<string, OriginRun>

/** The measures of one type that name the same origin. */
type OriginRun = {
  readonly run: CodeRun
  /** The days on which any of them can apply. */
  readonly span: Validity
  /** By chapter number: whether any measure covers it. Undefined if a measure covers all chapters. */
  readonly chapters: readonly boolean[] | undefined
}

/** The measures of one role in one customs area, in the order of the measure types, in which duties are added. */
export type MeasureRuns = readonly TypeIndex[]

export type MeasureIndex = {
  readonly measures: MeasureStore
  readonly types: MeasureRuns
  readonly groups: OriginGroups
  readonly lists: CodeLists
  /** Cache by origin. */
  readonly byOrigin: Map<string, readonly OriginMeasures[]>
}

/** The measures of one type that can apply to goods of one origin, narrowest origin first. */
type OriginMeasures = {
  readonly runs: readonly CodeRun[]
  /** As in `OriginRun`. Types that ended long ago are skipped by this check. */
  readonly span: Validity
  readonly chapters: readonly boolean[] | undefined
}

/** Sorts the given rows. `types` are in the order in which duties are added. */
export function sortMeasures(
  measures: MeasureStore,
  rows: readonly number[],
  types: readonly MeasureTypeRow[],
  lists: CodeLists,
): MeasureRuns {
  const order = new Map(types.map(({ measureType }, index) => [measureType, index]))
  const alternatives = [...alternativesIn(measures, rows).values()].sort(
    (a, b) => (order.get(a.measureType) ?? 0) - (order.get(b.measureType) ?? 0),
  )
  return alternatives.map(({ byOrigin }) =>
    mapValues(byOrigin, (group) => compileRun(measures, group, lists)),
  )
}

/** Measures of which at most one applies. */
type Alternatives = { readonly measureType: string; readonly byOrigin: Map<string, number[]> }

/** Preferences of different agreements are all candidates. */
function alternativesIn(measures: MeasureStore, rows: readonly number[]): ReadonlyMap<string, Alternatives> {
  const all = new Map<string, Alternatives>()
  let lastKey = ''
  let lastGroup: number[] | undefined
  for (const row of rows) {
    const key = `${valueIndex(measures, 'measureType', row)} ${valueIndex(measures, 'agreement', row)} ${valueIndex(measures, 'originGroup', row)}`
    if (lastGroup === undefined || key !== lastKey) {
      lastGroup = groupFor(all, measures, row)
      lastKey = key
    }
    lastGroup.push(row)
  }
  return all
}

function groupFor(all: Map<string, Alternatives>, measures: MeasureStore, row: number): number[] {
  const measureType = measureField(measures, 'measureType', row)
  const isPreference = measures.types.get(measureType)?.role === 'preference'
  const key = isPreference ? `${measureType} ${measureField(measures, 'agreement', row)}` : measureType
  let alternatives = all.get(key)
  if (alternatives === undefined) {
    alternatives = { measureType, byOrigin: new Map() }
    all.set(key, alternatives)
  }
  const named = measureField(measures, 'originGroup', row)
  const group = alternatives.byOrigin.get(named) ?? []
  alternatives.byOrigin.set(named, group)
  return group
}

/** Rows under their prefixes, the latest first. A measure with a scope list is under each code of the list. */
function compileRun(measures: MeasureStore, group: readonly number[], lists: CodeLists): OriginRun {
  const keys: number[] = []
  const rows: number[] = []
  for (const row of group)
    for (const key of keysOf(measures, row, lists)) {
      keys.push(key)
      rows.push(row)
    }
  const run = sortedRun(keys, rows, byLatestRow(measures))
  return { run, span: spanOf(measures, run), chapters: chaptersOf(run) }
}

function keysOf(measures: MeasureStore, row: number, lists: CodeLists): Iterable<number> {
  const prefix = measures.codes[row]!
  const scopeList = measureField(measures, 'scopeList', row)
  if (scopeList === '') return [prefix]
  const list = lists.get(scopeList)
  // A list that is not loaded could contain any goods. The measure is found for all of them, and is not charged.
  if (list === undefined) return [prefix]
  const below = list.keys.subarray(lowerBound(list.keys, prefix), endOfPrefix(list.keys, prefix))
  const isBelowListed = list.lengths.some(
    (length) => length < codeLength(prefix) && hasKey(list.keys, prefixKey(prefix, length)),
  )
  return isBelowListed && below[0] !== prefix ? [prefix, ...below] : below
}

function spanOf(measures: MeasureStore, { rows }: CodeRun): Validity {
  const days: { from: string | null; to: string | null } = { from: '9999-12-31', to: '' }
  for (const row of rows) {
    const from = measureField(measures, 'validFrom', row)
    const to = measureField(measures, 'validTo', row)
    days.from = from === null || days.from === null ? null : earlier(days.from, from)
    days.to = to === null || days.to === null ? null : later(days.to, to)
  }
  return { validFrom: days.from, validTo: days.to }
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

const CHAPTER_DIGITS = 2
const CHAPTERS = 100

function chaptersOf({ keys }: CodeRun): readonly boolean[] | undefined {
  const chapters = new Array<boolean>(CHAPTERS).fill(false)
  for (const key of keys) {
    if (codeLength(key) < CHAPTER_DIGITS) return undefined
    chapters[chapterOf(key)] = true
  }
  return chapters
}

/**
 * The measures for goods of a code and origin on a day, in the order of their types: one per type, and for preferences
 * one per agreement.
 */
export function findMeasures(
  index: MeasureIndex,
  code: string,
  date: string,
  origin: string,
): readonly Measure[] {
  const found: Measure[] = []
  const key = codeKey(code)
  const chapter = chapterOf(key)
  for (const { runs, span, chapters } of measuresForOrigin(index, origin)) {
    if (!isInForce(span, date) || chapters?.[chapter] === false) continue
    const row = longestMatch(index, runs, key, date, origin)
    if (row !== undefined) found.push(measureAt(index.measures, row))
  }
  return found
}

/** The codes below a prefix that measures of an origin, or lists of codes, name. */
export function codesNamedBelow(index: MeasureIndex, prefix: string, origin: string): readonly string[] {
  const key = codeKey(prefix)
  const runs = measuresForOrigin(index, origin).flatMap((measures) => measures.runs)
  const found = [...runs, ...index.lists.values()].flatMap(({ keys }) => [
    ...keys.subarray(lowerBound(keys, key), endOfPrefix(keys, key)),
  ])
  return [...new Set(found)].filter((other) => other !== key).map(codeOfKey)
}

function measuresForOrigin(index: MeasureIndex, origin: string): readonly OriginMeasures[] {
  let known = index.byOrigin.get(origin)
  if (known === undefined) {
    known = index.types.flatMap((byOrigin) => {
      const ranked = [...byOrigin]
        .map(([named, run]) => ({ run, rank: originRank(index.groups, named, origin) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
      return ranked.length === 0 ? [] : [joinRuns(ranked.map(({ run }) => run))]
    })
    index.byOrigin.set(origin, known)
  }
  return known
}

function joinRuns(runs: readonly OriginRun[]): OriginMeasures {
  const days = runs.map(({ span }) => span)
  const isCovered = (_: unknown, chapter: number): boolean =>
    runs.some(({ chapters }) => chapters?.[chapter] === true)
  return {
    runs: runs.map(({ run }) => run),
    span: {
      validFrom: days.some(({ validFrom }) => validFrom === null)
        ? null
        : days.reduce((first, { validFrom }) => earlier(first, validFrom ?? ''), '9999-12-31'),
      validTo: days.some(({ validTo }) => validTo === null)
        ? null
        : days.reduce((last, { validTo }) => later(last, validTo ?? ''), ''),
    },
    chapters: runs.some(({ chapters }) => chapters === undefined)
      ? undefined
      : Array.from({ length: CHAPTERS }, isCovered),
  }
}

/**
 * The row with the longest prefix (of the row or of its list). If two are equally long, the one from the earlier run is
 * used, because it names the origin more narrowly.
 */
function longestMatch(
  index: MeasureIndex,
  runs: readonly CodeRun[],
  key: number,
  date: string,
  origin: string,
): number | undefined {
  let best: number | undefined
  let bestLength = -1
  const digits = codeLength(key)
  for (const { keys, rows, lengths } of runs)
    for (const length of lengths) {
      if (length <= bestLength) break
      if (length > digits) continue
      const prefix = prefixKey(key, length)
      for (let at = lowerBound(keys, prefix); keys[at] === prefix && bestLength < length; at += 1)
        if (applies(index, rows[at]!, key, date, origin)) [best, bestLength] = [rows[at], length]
      if (bestLength === length) break
    }
  return best
}

function applies(
  { measures, lists }: MeasureIndex,
  row: number,
  key: number,
  date: string,
  origin: string,
): boolean {
  if (!isRowInForce(measures, row, date)) return false
  if (scopeRank(originsOf(measures, row), origin) === 0) return false
  const exemptList = measureField(measures, 'exemptList', row)
  const exempt = exemptList === '' ? undefined : lists.get(exemptList)
  return exempt === undefined || !hasPrefixOf(exempt, key)
}

/** Rows by code prefix. `lengths`: the lengths that occur, longest first. Lookups try no other length. */
export type PrefixIndex<Row> = {
  readonly byPrefix: ReadonlyMap<string, readonly Row[]>
  readonly lengths: readonly number[]
}

/** Rows of one prefix keep their order. */
export function indexByPrefix<Row>(entries: Iterable<readonly [prefix: string, row: Row]>): PrefixIndex<Row> {
  const byPrefix = new Map<string, Row[]>()
  for (const [prefix, row] of entries) {
    const rows = byPrefix.get(prefix)
    if (rows === undefined) byPrefix.set(prefix, [row])
    else rows.push(row)
  }
  const lengths = new Set<number>()
  for (const prefix of byPrefix.keys()) lengths.add(prefix.length)
  return { byPrefix, lengths: [...lengths].sort((a, b) => b - a) }
}
