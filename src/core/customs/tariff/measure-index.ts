/**
 * Preferences and additional duties of a customs area, and which of them apply to goods. Of each measure type (for
 * preferences, of each agreement) one row applies: that of the longest code prefix, then of the narrowest origin, then
 * the latest. A list of codes counts as prefixes. See docs/decisions/customs.md#d54.
 */
import { groupBy, mapValues } from '../../group-by.ts'
import { isInForce, latestFirst, type Validity } from '../../validity.ts'
import type { CodeListRow, MeasureTypeRow } from '../data/rows.ts'
import { type Measure, type OriginGroups, originRank, scopeRank } from './measure.ts'

/** By the name of the list. */
export type CodeLists = ReadonlyMap<string, PrefixIndex<CodeListRow>>

/** Measures of one type, by the origin that they name, then by prefix. At most one of them applies to goods. */
type TypeIndex = ReadonlyMap<string, PrefixIndex<Measure>>

/** The measures of one role in one customs area. */
export type MeasureIndex = {
  /** In the order of the measure types, in which duties are added. */
  readonly types: readonly TypeIndex[]
  readonly groups: OriginGroups
  readonly lists: CodeLists
  /** Cache by origin. */
  readonly byOrigin: Map<string, readonly OriginMeasures[]>
}

/** The measures of one type that can apply to goods of one origin, narrowest origin first. */
type OriginMeasures = {
  readonly indexes: readonly PrefixIndex<Measure>[]
  /** The days on which any of them can apply. Types that ended long ago are skipped by this check. */
  readonly span: Validity
  /** By chapter number: whether any measure covers it. Undefined if a measure covers all chapters. */
  readonly chapters: readonly boolean[] | undefined
}

/** `types` in the order in which duties are added. */
export function compileMeasureIndex(
  measures: readonly Measure[],
  types: readonly MeasureTypeRow[],
  groups: OriginGroups,
  lists: CodeLists,
): MeasureIndex {
  const order = new Map(types.map(({ measureType }, index) => [measureType, index]))
  const orderOf = ([first]: readonly Measure[]): number => order.get(first?.row.measureType ?? '') ?? 0
  const groupsOfAlternatives = [...groupBy(measures, alternativesKey).values()].sort(
    (a, b) => orderOf(a) - orderOf(b),
  )
  return {
    types: groupsOfAlternatives.map((alternatives) =>
      mapValues(
        groupBy(alternatives, ({ row }) => row.originGroup),
        (list) => indexByPrefix(entriesOf(list, lists)),
      ),
    ),
    groups,
    lists,
    byOrigin: new Map(),
  }
}

/** Of measures with the same key, at most one applies. Preferences of different agreements are all candidates. */
function alternativesKey({ row, type }: Measure): string {
  return type.role === 'preference' ? `${row.measureType} ${row.agreement}` : row.measureType
}

/** Measures under their prefixes, the latest first. A measure with a scope list is under each code of the list. */
function* entriesOf(measures: readonly Measure[], lists: CodeLists): Generator<readonly [string, Measure]> {
  for (const measure of [...measures].sort((a, b) => latestFirst(a.row, b.row))) {
    const { codePrefix, scopeList } = measure.row
    if (scopeList === '') {
      yield [codePrefix, measure]
      continue
    }
    for (const listed of lists.get(scopeList)?.byPrefix.keys() ?? [])
      if (listed.startsWith(codePrefix)) yield [listed, measure]
      else if (codePrefix.startsWith(listed)) yield [codePrefix, measure]
  }
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
  const prefixes: string[] = []
  const chapter = chapterOf(code)
  for (const { indexes, span, chapters } of measuresForOrigin(index, origin)) {
    if (!isInForce(span, date) || chapters?.[chapter] === false) continue
    const measure = longestMatch(index.lists, indexes, code, prefixes, date, origin)
    if (measure !== undefined) found.push(measure)
  }
  return found
}

function measuresForOrigin(index: MeasureIndex, origin: string): readonly OriginMeasures[] {
  let known = index.byOrigin.get(origin)
  if (known === undefined) {
    known = index.types.flatMap((byOrigin) => {
      const ranked = [...byOrigin.keys()]
        .map((named) => ({ named, rank: originRank(index.groups, named, origin) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
      const indexes = ranked.flatMap(({ named }) => byOrigin.get(named) ?? [])
      return indexes.length === 0 ? [] : [originMeasures(indexes)]
    })
    index.byOrigin.set(origin, known)
  }
  return known
}

/** The first two digits of a code as a number. */
function chapterOf(code: string): number {
  return (code.charCodeAt(0) - ZERO_DIGIT) * 10 + code.charCodeAt(1) - ZERO_DIGIT
}

const ZERO_DIGIT = 48
const CHAPTERS = 100

function originMeasures(indexes: readonly PrefixIndex<Measure>[]): OriginMeasures {
  const chapters = new Array<boolean>(CHAPTERS).fill(false)
  const days: { from: string | null; to: string | null } = { from: '9999-12-31', to: '' }
  let coversAllChapters = false
  for (const { byPrefix } of indexes)
    for (const [prefix, measures] of byPrefix) {
      if (prefix.length < 2) coversAllChapters = true
      else chapters[chapterOf(prefix)] = true
      for (const { row } of measures) {
        days.from = row.validFrom === null || days.from === null ? null : earlier(days.from, row.validFrom)
        days.to = row.validTo === null || days.to === null ? null : later(days.to, row.validTo)
      }
    }
  const span = { validFrom: days.from, validTo: days.to }
  return { indexes, span, chapters: coversAllChapters ? undefined : chapters }
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

/**
 * The measure with the longest prefix (of the row or of its list). If two are equally long, the one from the earlier
 * index is used, because it names the origin more narrowly. `prefixes` caches the prefixes of the code by length, since
 * cutting and hashing them dominates the cost of a lookup.
 */
function longestMatch(
  lists: CodeLists,
  indexes: readonly PrefixIndex<Measure>[],
  code: string,
  prefixes: string[],
  date: string,
  origin: string,
): Measure | undefined {
  let best: Measure | undefined
  let bestLength = -1
  for (const { byPrefix, lengths } of indexes)
    for (const length of lengths) {
      if (length <= bestLength) break
      if (length > code.length) continue
      prefixes[length] ??= code.slice(0, length)
      const measure = firstFor(lists, byPrefix.get(prefixes[length]), code, date, origin)
      if (measure === undefined) continue
      best = measure
      bestLength = length
      break
    }
  return best
}

function firstFor(
  lists: CodeLists,
  measures: readonly Measure[] | undefined,
  code: string,
  date: string,
  origin: string,
): Measure | undefined {
  if (measures === undefined) return undefined
  for (const measure of measures) {
    if (!isInForce(measure.row, date) || scopeRank(measure.origins, origin) === 0) continue
    if (!isExempt(lists, measure, code)) return measure
  }
  return undefined
}

function isExempt(lists: CodeLists, { row }: Measure, code: string): boolean {
  const exempt = row.exemptList === '' ? undefined : lists.get(row.exemptList)
  return exempt !== undefined && hasPrefix(exempt, code)
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

export function hasPrefix({ byPrefix, lengths }: PrefixIndex<unknown>, code: string): boolean {
  return lengths.some((length) => length <= code.length && byPrefix.has(code.slice(0, length)))
}
