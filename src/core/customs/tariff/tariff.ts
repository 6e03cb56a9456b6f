/**
 * The base duties of a customs area, and how a code is looked up. The longest known prefix wins. If only a group of
 * national lines is known, their most frequent rate applies, with the range of the group.
 * See docs/decisions/customs.md#d28.
 */
import { groupBy } from '../../group-by.ts'
import { isInForce, latestFirst, type Validity } from '../../validity.ts'
import type { Exact } from '../exact.ts'
import { hasOtherPart, type Measure, type OriginScope, scopeRank } from './measure.ts'

/** The base measures of one customs area, by code prefix. */
export type Tariff = {
  readonly nodes: ReadonlyMap<string, TariffNode>
  /** Lengths of the prefixes, longest first. */
  readonly lengths: readonly number[]
  /** The origins of all measures if they are the same; otherwise undefined, and each measure is checked. */
  readonly origins: OriginScope | undefined
}

/** The measures of one code prefix. */
export type TariffNode = {
  /** For exactly this prefix: measures of several periods and origins, the latest first. */
  entries: readonly TariffEntry[]
  /** The entry if there is exactly one. */
  readonly only: TariffEntry | undefined
  /** The national lines below a prefix of 4, 6 or 8 digits, in code order. */
  below: readonly TariffNode[]
  /** Cache of the last usual rate below the prefix: counting the lines dominates the cost of a lookup. */
  usual:
    | { readonly date: string; readonly origin: string; readonly entry: TariffEntry | undefined }
    | undefined
}

/** The measure type of the most-favoured-nation duty. */
export const BASE_MEASURE_TYPE = 'third_country_duty'

/**
 * The measure that applies to a code, and how it was found. Fields that most estimates need are copied from the measure:
 * with 36,000 measures, reading one more object is a cache miss.
 */
export type TariffEntry = Validity & {
  readonly measure: Measure
  /** The code prefix of the measure. */
  readonly lineCode: string
  /** The name of the line. */
  readonly name: string
  /** The rate, if it is only a share of the value. */
  readonly plainRate: Exact | undefined
  /** The part of the code that was found in the tariff. */
  readonly knownPrefix: string
  /** Present if the rate is the usual one of a group of lines. */
  readonly group?: TariffGroup
}

/** The lines that a usual rate was taken from. */
export type TariffGroup = {
  readonly lineCount: number
  readonly isUniform: boolean
  /** Two rates are equally frequent, and the higher was taken. */
  readonly isTied: boolean
  readonly lowestPpm: number
  readonly highestPpm: number
  /** Lines with a part other than a share of the value. */
  readonly specificCount: number
}

const GROUP_LENGTHS = [4, 6, 8]

/** Builds the tariff of one customs area from its base measures. */
export function compileTariff(measures: readonly Measure[]): Tariff {
  const nodes = new Map<string, TariffNode>()
  const byCode = groupBy([...measures].sort(byCodeAndPeriod), ({ row }) => row.codePrefix)
  const below = new Map<string, TariffNode[]>()
  const days = new Map<string, string>()
  for (const [code, list] of byCode) {
    const entries = list.map((measure) => entryOf(measure, measure.row.codePrefix, days))
    const only = entries.length === 1 ? entries[0] : undefined
    const node: TariffNode = { entries, only, below: NO_NODES, usual: undefined }
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
    // Copied, because an array that has grown takes more memory than a copy, and there are 30,000.
    if (node === undefined)
      nodes.set(prefix, {
        entries: NO_ENTRIES,
        only: undefined,
        below: [...lines],
        usual: undefined,
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

/** `days` shares one string per day, which keeps comparisons of days in the processor cache. */
function entryOf(measure: Measure, knownPrefix: string, days: Map<string, string>): TariffEntry {
  const { row, name, isShareOnly, base } = measure
  const group = derivedGroup(measure)
  return {
    measure,
    lineCode: row.codePrefix,
    name,
    plainRate: isShareOnly && row.condition === '' ? base.rate : undefined,
    knownPrefix,
    ...(group !== undefined && { group }),
    validFrom: sharedText(days, row.validFrom),
    validTo: sharedText(days, row.validTo),
  }
}

function sharedText(texts: Map<string, string>, text: string | null): string | null {
  if (text === null) return null
  const known = texts.get(text)
  if (known === undefined) texts.set(text, text)
  return known ?? text
}

/** The base measure for goods of a code and origin on a day; undefined if the tariff has none. */
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
    const entry = narrowest(tariff, node, date, origin) ?? usualEntry(tariff, node, prefix, date, origin)
    if (entry !== undefined) return entry
  }
  return undefined
}

function usualEntry(
  tariff: Tariff,
  node: TariffNode,
  prefix: string,
  date: string,
  origin: string,
): TariffEntry | undefined {
  if (node.below.length === 0) return undefined
  const cachedOrigin = tariff.origins === undefined ? origin : ''
  if (node.usual?.date === date && node.usual.origin === cachedOrigin) return node.usual.entry
  const lines = node.below.flatMap((line) => narrowest(tariff, line, date, origin)?.measure ?? [])
  const usual = usualMeasure(lines)
  const entry = usual && { ...entryOf(usual, prefix, new Map()), group: groupOf(lines) }
  node.usual = { date, origin: cachedOrigin, entry }
  return entry
}

/** The measure of one code that names the origin most narrowly. If several are equally narrow, the latest. */
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

/** True if the tariff has this code, or lines below it. */
export function isKnownCode({ nodes }: Tariff, code: string): boolean {
  return nodes.has(code)
}

/** True if the tariff has a line for exactly this code. */
export function hasLine({ nodes }: Tariff, code: string): boolean {
  return (nodes.get(code)?.entries.length ?? 0) > 0
}

/** The codes that have a line. */
export function lineCodes({ nodes }: Tariff): readonly string[] {
  return [...nodes].flatMap(([code, { entries }]) => (entries.length > 0 ? [code] : []))
}

/** The first line with the most frequent rate; of equally frequent rates, the higher. `lines` are in code order. */
function usualMeasure(lines: readonly Measure[]): Measure | undefined {
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

function rateKey({ row }: Measure): string {
  const { adValoremPpm, specific, minimum, maximum, condition, text } = row
  return [adValoremPpm, specific, minimum, maximum, condition, text].join('|')
}

/** Compares the shares of the value; of equal shares, the rate that has another part is higher. */
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

/** The range of a rate that the data set derived from the lines of an earlier HS edition. */
function derivedGroup(measure: Measure): TariffGroup | undefined {
  const { lowestPpm, highestPpm, lineCount } = measure.row
  if (lowestPpm === null || highestPpm === null || lineCount === null) return undefined
  const isUniform = lowestPpm === highestPpm
  return { lineCount, isUniform, isTied: false, lowestPpm, highestPpm, specificCount: 0 }
}
