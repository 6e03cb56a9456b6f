/**
 * The base duties of a customs area, and how a code is looked up. The longest known prefix wins. If only a group of
 * national lines is known, their most frequent rate applies, with the range of the group.
 * See docs/customs-data.md#codes.
 */
import type { Validity } from '../../validity.ts'
import { codeKey, codeLength, codeOfKey } from '../data/packed-rows.ts'
import type { Exact } from '../exact.ts'
import { type CodeRun, endOfPrefix, hasKey, lowerBound, prefixKey, sortedRun } from './code-run.ts'
import { isInSeason } from './conditional-rate.ts'
import { type Measure, type OriginScope, OTHER_PARTS, scopeRank } from './measure.ts'
import {
  byLatestRow,
  isRowInForce,
  type MeasureStore,
  measureAt,
  measureField,
  originsOf,
  rateId,
  valueIndex,
} from './measure-store.ts'

/** The base measures of one customs area, by code prefix; of one prefix the latest first. */
export type TariffLines = CodeRun & {
  /** True if all measures have the same origins. */
  readonly isOneScope: boolean
}

export type Tariff = {
  readonly measures: MeasureStore
  readonly lines: TariffLines
  /** Lengths of the prefixes for which a lookup can find a rate, longest first. */
  readonly lengths: readonly number[]
  /** The origins of all measures if they are the same; otherwise undefined, and each measure is checked. */
  readonly origins: OriginScope | undefined
}

/** The measure type of the most-favoured-nation duty. */
export const BASE_MEASURE_TYPE = 'third_country_duty'

/**
 * The measure that applies to a code, and how it was found. Fields that most estimates need are copied from the
 * measure.
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
  /** Defined if the rate is the usual one of a group of lines. */
  readonly group: TariffGroup | undefined
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

/** Prefixes of these lengths have the usual rate of the national lines below them. */
const GROUP_LENGTHS = [4, 6, 8]

/** Builds the tariff of one customs area from the rows of its base measures. */
export function sortLines(measures: MeasureStore, rows: readonly number[]): TariffLines {
  const keys = rows.map((row) => measures.codes[row]!)
  return { ...sortedRun(keys, rows, byLatestRow(measures)), isOneScope: isOneScope(measures, rows) }
}

function isOneScope(measures: MeasureStore, rows: readonly number[]): boolean {
  return (['originGroup', 'excludedOrigins'] as const).every((field) => {
    const values = new Set(rows.map((row) => valueIndex(measures, field, row)))
    return values.size <= 1
  })
}

export function openTariff(measures: MeasureStore, lines: TariffLines): Tariff {
  const groups = GROUP_LENGTHS.filter((length) => lines.lengths.some((other) => other > length))
  const lengths = new Set([...lines.lengths, ...groups])
  const [first] = lines.rows
  return {
    measures,
    lines,
    lengths: [...lengths].sort((a, b) => b - a),
    origins: first !== undefined && lines.isOneScope ? originsOf(measures, first) : undefined,
  }
}

/** The base measure for goods of a code and origin on a day; undefined if the tariff has none. */
export function findTariffEntry(
  tariff: Tariff,
  code: string,
  date: string,
  origin: string,
): TariffEntry | undefined {
  if (tariff.origins !== undefined && scopeRank(tariff.origins, origin) === 0) return undefined
  const { keys } = tariff.lines
  const key = codeKey(code)
  for (const length of tariff.lengths) {
    if (length > code.length) continue
    const prefix = prefixKey(key, length)
    const start = lowerBound(keys, prefix)
    const row = keys[start] === prefix ? narrowest(tariff, start, date, origin) : undefined
    if (row !== undefined) return lineEntry(tariff, row)
    const usual = usualEntry(tariff, prefix, start, date, origin)
    if (usual !== undefined) return usual
  }
  return undefined
}

function lineEntry({ measures }: Tariff, row: number): TariffEntry {
  const measure = measureAt(measures, row)
  return entryOf(measure, measure.row.codePrefix, derivedGroup(measure))
}

function entryOf(measure: Measure, knownPrefix: string, group: TariffGroup | undefined): TariffEntry {
  const { row, name, isShareOnly, base } = measure
  return {
    measure,
    lineCode: row.codePrefix,
    name,
    plainRate: isShareOnly && row.condition === '' ? base.rate : undefined,
    knownPrefix,
    group,
    validFrom: row.validFrom,
    validTo: row.validTo,
  }
}

/** The usual rate of the lines below a prefix. `start` is the position of the prefix, or where it would be. */
function usualEntry(
  tariff: Tariff,
  prefix: number,
  start: number,
  date: string,
  origin: string,
): TariffEntry | undefined {
  if (!GROUP_LENGTHS.includes(codeLength(prefix))) return undefined
  const { measures } = tariff
  const { keys } = tariff.lines
  const lines: number[] = []
  for (let at = afterRun(keys, start, prefix), end = endOfPrefix(keys, prefix); at < end; ) {
    const row = narrowest(tariff, at, date, origin)
    if (row !== undefined) lines.push(row)
    at = afterRun(keys, at, keys[at]!)
  }
  const rates = lines.map((row) => rateId(measures, row))
  const usual = usualRow(measures, lines, rates)
  if (usual === undefined) return undefined
  const group = groupOf(measures, lines, rates, date)
  return entryOf(measureAt(measures, usual), codeOfKey(prefix), group)
}

/** The position after the rows of a code. `start` is the position of its first row, or where it would be. */
function afterRun(keys: Float64Array, start: number, key: number): number {
  let at = start
  while (keys[at] === key) at += 1
  return at
}

/**
 * Of the rows with the code at a position, the one with the narrowest origin. If several are equally narrow, the
 * latest.
 */
function narrowest(
  { measures, lines: { keys, rows }, origins }: Tariff,
  start: number,
  date: string,
  origin: string,
): number | undefined {
  let best: number | undefined
  let bestRank = 0
  for (let at = start; at < keys.length && keys[at] === keys[start]; at += 1) {
    const row = rows[at]!
    if (!isRowInForce(measures, row, date)) continue
    if (origins !== undefined) return row
    const rank = scopeRank(originsOf(measures, row), origin)
    if (rank > bestRank) [best, bestRank] = [row, rank]
  }
  return best
}

/** True if the tariff has this code, or lines below it. */
export function isKnownCode({ lines: { keys } }: Tariff, code: string): boolean {
  const key = codeKey(code)
  if (hasKey(keys, key)) return true
  return GROUP_LENGTHS.includes(code.length) && lowerBound(keys, key) < endOfPrefix(keys, key)
}

/** True if the tariff has a line for exactly this code. */
export function hasLine({ lines: { keys } }: Tariff, code: string): boolean {
  return hasKey(keys, codeKey(code))
}

/** The codes that have a line. */
export function lineCodes({ lines: { keys } }: Tariff): readonly string[] {
  return Array.from(new Set(keys), codeOfKey)
}

/** The first line with the most frequent rate; of equally frequent rates, the higher. `lines` are in code order. */
function usualRow(
  measures: MeasureStore,
  lines: readonly number[],
  rates: readonly number[],
): number | undefined {
  if (isOneRate(rates)) return lines[0]
  const counts = new Map<number, { line: number; count: number }>()
  for (const [index, line] of lines.entries()) {
    const entry = counts.get(rates[index]!)
    if (entry === undefined) counts.set(rates[index]!, { line, count: 1 })
    else entry.count += 1
  }
  let best: { line: number; count: number } | undefined
  for (const entry of counts.values())
    if (
      best === undefined ||
      entry.count > best.count ||
      (entry.count === best.count && isHigher(measures, entry.line, best.line))
    )
      best = entry
  return best?.line
}

function isOneRate(rates: readonly number[]): boolean {
  const [first] = rates
  return rates.every((rate) => rate === first)
}

function ppmOf(measures: MeasureStore, row: number): number {
  return measureField(measures, 'adValoremPpm', row) ?? 0
}

/** Compares the shares of the value; of equal shares, the rate that has another part is higher. */
function isHigher(measures: MeasureStore, a: number, b: number): boolean {
  const difference = ppmOf(measures, a) - ppmOf(measures, b)
  return difference > 0 || (difference === 0 && hasSpecific(measures, a) && !hasSpecific(measures, b))
}

/** True if the row has a part other than a share of the value. */
function hasSpecific(measures: MeasureStore, row: number): boolean {
  return OTHER_PARTS.some((field) => measureField(measures, field, row) !== '')
}

/** The shares of the value that a line can charge on a day: in the season, or at any entry price. */
function sharesOf(measures: MeasureStore, row: number, date: string): readonly number[] {
  const condition = measureField(measures, 'condition', row)
  if (condition !== 'seasonal' && condition !== 'entry_price') return [ppmOf(measures, row)]
  const { variants } = measureAt(measures, row)
  if (variants === undefined) return [ppmOf(measures, row)]
  const rates =
    variants.dependsOn === 'price'
      ? variants.prices.map(({ measure }) => measure)
      : variants.seasons.filter(({ season }) => isInSeason(season, date)).map(({ measure }) => measure)
  return rates.map((measure) => measure.row.adValoremPpm ?? 0)
}

function groupOf(
  measures: MeasureStore,
  lines: readonly number[],
  rates: readonly number[],
  date: string,
): TariffGroup {
  const isUniform = isOneRate(rates)
  // Lines with one rate have the same shares.
  const different = isUniform ? lines.slice(0, 1) : lines
  const found = different.flatMap((row) => sharesOf(measures, row, date))
  const shares = found.length === 0 ? [0] : found
  const specificCount = different.filter((row) => hasSpecific(measures, row)).length
  return {
    lineCount: lines.length,
    isUniform,
    isTied: !isUniform && isTied(rates),
    lowestPpm: Math.min(...shares),
    highestPpm: Math.max(...shares),
    specificCount: isUniform ? specificCount * lines.length : specificCount,
  }
}

/** True if two rates are the most frequent. */
function isTied(rates: readonly number[]): boolean {
  const counts = new Map<number, number>()
  for (const rate of rates) counts.set(rate, (counts.get(rate) ?? 0) + 1)
  const [most, second] = [...counts.values()].sort((a, b) => b - a)
  return most === second
}

/** The range of a rate that the data set derived from the lines of an earlier HS edition. */
function derivedGroup(measure: Measure): TariffGroup | undefined {
  const { lowestPpm, highestPpm, lineCount } = measure.row
  if (lowestPpm === null || highestPpm === null || lineCount === null) return undefined
  const isUniform = lowestPpm === highestPpm
  return { lineCount, isUniform, isTied: false, lowestPpm, highestPpm, specificCount: 0 }
}
