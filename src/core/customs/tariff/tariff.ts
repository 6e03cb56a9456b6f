/**
 * The base duties of a customs area and how a code is looked up in them. Decided here: the longest known prefix
 * wins; where only a group of national lines is known, the rate most of them carry is used and their range is told.
 * Source: design note on customs, "Codes"; decision 13 of the README.
 */
import { groupBy } from '../../group-by.ts'
import { isInForce, latestFirst, type Validity } from '../../validity.ts'
import type { Exact } from '../exact.ts'
import { hasOtherPart, type Measure } from './measure.ts'
import { type OriginScope, scopeRank } from './origin.ts'

/** The base measures of one customs area, by code prefix. */
export type Tariff = {
  readonly nodes: ReadonlyMap<string, TariffNode>
  /** Lengths of the prefixes, longest first. */
  readonly lengths: readonly number[]
  /** The origins that all measures concern, where they are the same for all; else each measure is asked. */
  readonly origins: OriginScope | undefined
}

/** What a tariff has under a code prefix. */
export type TariffNode = {
  /** For this very prefix: measures of several periods and origins, the latest first. */
  entries: readonly TariffEntry[]
  /** The entry, where there is one alone. */
  readonly only: TariffEntry | undefined
  /** Of the national lines below it, in code order; for prefixes of 4, 6 and 8 digits. */
  below: readonly TariffNode[]
  /** The usual rate below it, as last asked for: counting the lines is the dear part of a look-up. */
  counted:
    | { readonly date: string; readonly origin: string; readonly entry: TariffEntry | undefined }
    | undefined
}

/** The measure type of the most-favoured-nation duty. */
export const BASE_MEASURE_TYPE = 'third_country_duty'

/**
 * The measure that decides on a code, and how it was found. What the usual estimate needs of the measure stands here as
 * well: with 36,000 of them, every object that is looked into is a cache miss.
 */
export type TariffEntry = Validity & {
  readonly measure: Measure
  /** The code prefix of the measure. */
  readonly lineCode: string
  /** The name of the measure's line. */
  readonly name: string
  /** The rate, where it is a plain share of the value and nothing more. */
  readonly plainRate: Exact | undefined
  /** The part of the code that decided. */
  readonly knownPrefix: string
  /** When the rate is the usual one of a group: how many lines it has, and the range of their shares of value. */
  readonly group?: TariffGroup
}

/** The lines of which the usual rate was taken. */
export type TariffGroup = {
  readonly lineCount: number
  readonly isUniform: boolean
  /** Two rates are equally frequent; the higher was taken. */
  readonly isTied: boolean
  readonly lowestPpm: number
  readonly highestPpm: number
  /** How many of the lines have a part that is no share of the value. */
  readonly specificCount: number
}

const GROUP_LENGTHS = [4, 6, 8]

/** Builds the tariff of one customs area from its base measures, in any order. */
export function compileTariff(measures: readonly Measure[]): Tariff {
  const nodes = new Map<string, TariffNode>()
  const byCode = groupBy([...measures].sort(byCodeAndPeriod), ({ row }) => row.codePrefix)
  const below = new Map<string, TariffNode[]>()
  const days = new Map<string, string>()
  for (const [code, own] of byCode) {
    const entries = own.map((measure) => entryOf(measure, measure.row.codePrefix, days))
    const only = entries.length === 1 ? entries[0] : undefined
    const node: TariffNode = { entries, only, below: NO_NODES, counted: undefined }
    nodes.set(code, node)
    for (const length of GROUP_LENGTHS)
      if (code.length > length) {
        const prefix = code.slice(0, length)
        const siblings = below.get(prefix)
        if (siblings === undefined) below.set(prefix, [node])
        else siblings.push(node)
      }
  }
  for (const [prefix, lines] of below) {
    const node = nodes.get(prefix)
    // Copied, since an array that grew has room to spare: there are 30,000 of them.
    if (node === undefined)
      nodes.set(prefix, {
        entries: NO_ENTRIES,
        only: undefined,
        below: [...lines],
        counted: undefined,
      })
    else node.below = [...lines]
  }
  const [first] = measures
  const isOneScope = measures.every(({ origins }) => origins === first?.origins)
  const lengths = new Set([...nodes.keys()].map((prefix) => prefix.length))
  return {
    nodes,
    lengths: [...lengths].sort((a, b) => b - a),
    origins: isOneScope ? first?.origins : undefined,
  }
}

function byCodeAndPeriod({ row: a }: Measure, { row: b }: Measure): number {
  if (a.codePrefix !== b.codePrefix) return a.codePrefix < b.codePrefix ? -1 : 1
  return latestFirst(a, b)
}

const NO_NODES: readonly TariffNode[] = []
const NO_ENTRIES: readonly TariffEntry[] = []

/** `days` keeps one text per day, so that comparing days stays in the cache. */
function entryOf(measure: Measure, knownPrefix: string, days: Map<string, string>): TariffEntry {
  const { row, name, isShareOnly, base } = measure
  const group = workedOutGroup(measure)
  return {
    measure,
    lineCode: row.codePrefix,
    name,
    plainRate: isShareOnly && row.condition === '' ? base.rate : undefined,
    knownPrefix,
    ...(group !== undefined && { group }),
    validFrom: sameText(days, row.validFrom),
    validTo: sameText(days, row.validTo),
  }
}

function sameText(texts: Map<string, string>, text: string | null): string | null {
  if (text === null) return null
  const known = texts.get(text)
  if (known === undefined) texts.set(text, text)
  return known ?? text
}

/** The measure for goods of an origin under a code on a day; undefined when nothing is known of it. */
export function findTariffEntry(
  tariff: Tariff,
  code: string,
  date: string,
  origin: string,
): TariffEntry | undefined {
  if (tariff.origins !== undefined && scopeRank(tariff.origins, origin) === 0) return undefined
  for (const length of tariff.lengths) {
    if (length > code.length) continue
    const prefix = length === code.length ? code : code.slice(0, length)
    const node = tariff.nodes.get(prefix)
    if (node === undefined) continue
    const entry = narrowest(tariff, node, date, origin) ?? countedGroup(tariff, node, prefix, date, origin)
    if (entry !== undefined) return entry
  }
  return undefined
}

function countedGroup(
  tariff: Tariff,
  node: TariffNode,
  prefix: string,
  date: string,
  origin: string,
): TariffEntry | undefined {
  if (node.below.length === 0) return undefined
  const of = tariff.origins === undefined ? origin : ''
  if (node.counted?.date === date && node.counted.origin === of) return node.counted.entry
  const lines = node.below.flatMap((line) => narrowest(tariff, line, date, origin)?.measure ?? [])
  const usual = usualOf(lines)
  const entry = usual && { ...entryOf(usual, prefix, new Map()), group: groupOf(lines) }
  node.counted = { date, origin: of, entry }
  return entry
}

/** Of the measures of one code the one that names the origin most narrowly; the latest first among equals. */
function narrowest(
  tariff: Tariff,
  { only, entries }: TariffNode,
  date: string,
  origin: string,
): TariffEntry | undefined {
  if (only !== undefined && tariff.origins !== undefined) return isInForce(only, date) ? only : undefined
  let best: TariffEntry | undefined
  let bestRank = 0
  for (const entry of entries) {
    if (!isInForce(entry, date)) continue
    if (tariff.origins !== undefined) return entry
    const rank = scopeRank(entry.measure.origins, origin)
    if (rank > bestRank) [best, bestRank] = [entry, rank]
  }
  return best
}

/** True when the tariff has this very code, or lines below it. */
export function isKnownCode({ nodes }: Tariff, code: string): boolean {
  return nodes.has(code)
}

/** True when the tariff has this very code as a line of its own. */
export function hasLine({ nodes }: Tariff, code: string): boolean {
  return (nodes.get(code)?.entries.length ?? 0) > 0
}

/** The codes that have a line of their own. */
export function lineCodes({ nodes }: Tariff): readonly string[] {
  return [...nodes].flatMap(([code, { entries }]) => (entries.length > 0 ? [code] : []))
}

/** The first line, in code order, of those with the most frequent rate; equally frequent rates: the higher. */
function usualOf(lines: readonly Measure[]): Measure | undefined {
  const counts = new Map<string, { line: Measure; count: number }>()
  for (const line of lines) {
    const key = rateKey(line)
    const entry = counts.get(key)
    if (entry === undefined) counts.set(key, { line, count: 1 })
    else entry.count += 1
  }
  let best: { line: Measure; count: number } | undefined
  for (const entry of counts.values())
    if (
      best === undefined ||
      entry.count > best.count ||
      (entry.count === best.count && isHigher(entry.line, best.line))
    )
      best = entry
  return best?.line
}

/** Equal for lines that charge the same. */
function rateKey({ row }: Measure): string {
  const { adValoremPpm, specific, minimum, maximum, condition, text } = row
  return [adValoremPpm, specific, minimum, maximum, condition, text].join('|')
}

/** By the share of the value; with equal shares the one that has another part as well. */
function isHigher(a: Measure, b: Measure): boolean {
  const difference = (a.row.adValoremPpm ?? 0) - (b.row.adValoremPpm ?? 0)
  return difference > 0 || (difference === 0 && hasOtherPart(a) && !hasOtherPart(b))
}

function groupOf(lines: readonly Measure[]): TariffGroup {
  const shares = lines.map((line) => line.row.adValoremPpm ?? 0)
  return {
    lineCount: lines.length,
    isUniform: new Set(lines.map(rateKey)).size === 1,
    isTied: isTied(lines),
    lowestPpm: Math.min(...shares),
    highestPpm: Math.max(...shares),
    specificCount: lines.filter(hasOtherPart).length,
  }
}

function isTied(lines: readonly Measure[]): boolean {
  const counts = [...groupBy(lines, rateKey).values()].map(({ length }) => length).sort((a, b) => b - a)
  return counts[0] === counts[1]
}

/** A rate that was worked out from the lines of an earlier edition carries their range with it. */
function workedOutGroup(measure: Measure): TariffGroup | undefined {
  const { lowestPpm, highestPpm, lineCount } = measure.row
  if (lowestPpm === null || highestPpm === null || lineCount === null) return undefined
  const isUniform = lowestPpm === highestPpm
  return { lineCount, isUniform, isTied: false, lowestPpm, highestPpm, specificCount: 0 }
}
