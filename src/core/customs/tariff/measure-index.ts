/**
 * Preferences and additional duties of a customs area, and which of them concern goods. Decided here: one row per
 * measure type (of preferences: and agreement), that of the longest code prefix, then of the narrowest origin; lists of codes are laid out as
 * prefixes, so that a look-up is the same for all. Source: design note on customs, "Never code a tariff".
 */
import { groupBy } from '../../group-by.ts'
import { isInForce, latestFirst, type Validity } from '../../validity.ts'
import type { CodeListRow, MeasureTypeRow } from '../data/rows.ts'
import type { Measure } from './measure.ts'
import { type OriginGroups, originRank, scopeRank } from './origin.ts'

/** Lists of codes by name. */
export type CodeLists = ReadonlyMap<string, PrefixIndex<CodeListRow>>

/** Measures of which one may concern goods: by the origin they name, then by prefix. */
type TypeIndex = ReadonlyMap<string, PrefixIndex<Measure>>

/** The measures of one role in one customs area. */
export type MeasureIndex = {
  /** In the order of the measure types, which is that in which duties join each other. */
  readonly types: readonly TypeIndex[]
  readonly groups: OriginGroups
  readonly lists: CodeLists
  /** The indexes that concern an origin, narrowest first, for those asked for before. */
  readonly concerned: Map<string, readonly OriginMeasures[]>
}

/** What may concern goods of one origin, of one measure type; narrowest origin first. */
type OriginMeasures = {
  readonly indexes: readonly PrefixIndex<Measure>[]
  /** From the first day of any of them until the last: most types of the past need no second look. */
  readonly span: Validity
  /** By number of chapter, whether there is anything for it; undefined where a prefix is shorter than that. */
  readonly chapters: readonly boolean[] | undefined
}

/** Builds the index; `types` in their order. */
export function compileMeasureIndex(
  measures: readonly Measure[],
  types: readonly MeasureTypeRow[],
  groups: OriginGroups,
  lists: CodeLists,
): MeasureIndex {
  const order = new Map(types.map(({ measureType }, index) => [measureType, index]))
  const orderOf = ([first]: readonly Measure[]): number => order.get(first?.row.measureType ?? '') ?? 0
  const choices = [...groupBy(measures, choiceOf).values()].sort((a, b) => orderOf(a) - orderOf(b))
  return {
    types: choices.map((choice) =>
      mapValues(
        groupBy(choice, ({ row }) => row.originGroup),
        (list) => indexByPrefix(laidOut(list, lists)),
      ),
    ),
    groups,
    lists,
    concerned: new Map(),
  }
}

/** Of the measures with the same key one is applied; preferences of different agreements can all be claimed. */
function choiceOf({ row, type }: Measure): string {
  return type.role === 'preference' ? `${row.measureType} ${row.agreement}` : row.measureType
}

function mapValues<From, To>(
  map: ReadonlyMap<string, From>,
  change: (from: From) => To,
): ReadonlyMap<string, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]))
}

/** Measures under their prefixes, the latest first; one with a scope list under each code of the list. */
function* laidOut(measures: readonly Measure[], lists: CodeLists): Generator<readonly [string, Measure]> {
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
 * The measures that concern goods of an origin under a code on a day, in the order of their types: one per type, of
 * preferences one per agreement.
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
  for (const { indexes, span, chapters } of concernedBy(index, origin)) {
    if (!isInForce(span, date) || chapters?.[chapter] === false) continue
    const measure = longestOf(index.lists, indexes, code, prefixes, date, origin)
    if (measure !== undefined) found.push(measure)
  }
  return found
}

function concernedBy(index: MeasureIndex, origin: string): readonly OriginMeasures[] {
  let concerned = index.concerned.get(origin)
  if (concerned === undefined) {
    concerned = index.types.flatMap((byOrigin) => {
      const ranked = [...byOrigin.keys()]
        .map((named) => ({ named, rank: originRank(index.groups, named, origin) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
      const indexes = ranked.flatMap(({ named }) => byOrigin.get(named) ?? [])
      return indexes.length === 0 ? [] : [originMeasures(indexes)]
    })
    index.concerned.set(origin, concerned)
  }
  return concerned
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
  let isForAny = false
  for (const { byPrefix } of indexes)
    for (const [prefix, measures] of byPrefix) {
      if (prefix.length < 2) isForAny = true
      else chapters[chapterOf(prefix)] = true
      for (const { row } of measures) {
        days.from = row.validFrom === null || days.from === null ? null : earlier(days.from, row.validFrom)
        days.to = row.validTo === null || days.to === null ? null : later(days.to, row.validTo)
      }
    }
  const span = { validFrom: days.from, validTo: days.to }
  return { indexes, span, chapters: isForAny ? undefined : chapters }
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

/**
 * Under the longest prefix (of the row or of its list) that one of the indexes has; the indexes are in order of narrowness. `prefixes` keeps the
 * prefixes of the code by length: cutting and hashing one is what a look-up costs.
 */
function longestOf(
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

// Rows by code prefix, looked up by the longest prefix of a code. Decided here: only the lengths that occur are
// tried, since cutting and hashing a prefix is what a look-up costs.

/** Rows by prefix; the lengths of the prefixes, longest first. */
export type PrefixIndex<Row> = {
  readonly byPrefix: ReadonlyMap<string, readonly Row[]>
  readonly lengths: readonly number[]
}

/** Builds an index; rows of one prefix stay in the order they are given. */
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

/** True when one of the prefixes begins the code. */
export function hasPrefix({ byPrefix, lengths }: PrefixIndex<unknown>, code: string): boolean {
  return lengths.some((length) => length <= code.length && byPrefix.has(code.slice(0, length)))
}
