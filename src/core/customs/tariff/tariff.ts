/**
 * The base duties of a customs area, and how a code is looked up. The longest known prefix wins. If only a group of
 * national lines is known, the residual line of the group applies, with the range of the group.
 * See docs/customs-data.md#codes and docs/decisions/customs.md#d296.
 */
import type { Validity } from '../../validity.ts'
import { codeKey, codeLength, codeOfKey } from '../data/packed-rows.ts'
import type { MeasureRow } from '../data/row-types/measures.ts'
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
import { bandsOf, type ValueBand } from './value-band.ts'

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
  /** The part of the code that was found in the tariff. */
  readonly knownPrefix: string
  /** Defined if the rate was chosen from a group of lines. */
  readonly group: TariffGroup | undefined
}

/** The lines that a rate was chosen from. */
export type TariffGroup = {
  /** Without the lines that are left out. */
  readonly lineCount: number
  readonly isUniform: boolean
  /** The lines that cover only goods of some unit values, including those that are left out. */
  readonly bands: readonly ValueBand[]
  /** The number of lines that do not cover goods of this unit value. */
  readonly leftOutCount: number
  readonly lowestPpm: number
  readonly highestPpm: number
  /** Lines with a part other than a share of the value. */
  readonly specificCount: number
}

/** Prefixes of these lengths have the rate of a national line below them. */
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

const NONE: readonly number[] = []

/**
 * The base measure for goods of a code and origin on a day; undefined if the tariff has none. `leftOut`: rows of lines
 * that do not cover the goods because of their unit value.
 */
export function findTariffEntry(
  tariff: Tariff,
  code: string,
  date: string,
  origin: string,
  leftOut: readonly number[] = NONE,
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
    const residual = residualEntry(tariff, prefix, start, { date, origin, leftOut })
    if (residual !== undefined) return residual
  }
  return undefined
}

function lineEntry({ measures }: Tariff, row: number): TariffEntry {
  const measure = measureAt(measures, row)
  return entryOf(measure, measure.row.codePrefix, derivedGroup(measure))
}

function entryOf(measure: Measure, knownPrefix: string, group: TariffGroup | undefined): TariffEntry {
  const { row, name } = measure
  return {
    measure,
    lineCode: row.codePrefix,
    name,
    knownPrefix,
    group,
    validFrom: row.validFrom,
    validTo: row.validTo,
  }
}

type GoodsOfGroup = {
  readonly date: string
  readonly origin: string
  readonly leftOut: readonly number[]
}

/** The residual line of the lines below a prefix. `start` is the position of the prefix, or where it would be. */
function residualEntry(
  tariff: Tariff,
  prefix: number,
  start: number,
  { date, origin, leftOut }: GoodsOfGroup,
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
  const covering = leftOut.length === 0 ? lines : lines.filter((row) => !leftOut.includes(row))
  // Bands that leave every line out contradict each other.
  const left = covering.length === 0 ? lines : covering
  const residual = residualRow(measures, prefix, left)
  if (residual === undefined) return undefined
  const group = groupOf(measures, left, date, bandsOf(measures, lines), lines.length - left.length)
  return entryOf(measureAt(measures, residual), codeOfKey(prefix), group)
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

/** The codes below a prefix that have a line. */
export function lineCodesBelow({ lines: { keys } }: Tariff, prefix: string): readonly string[] {
  const key = codeKey(prefix)
  const below = keys.subarray(lowerBound(keys, key), endOfPrefix(keys, key))
  return Array.from(new Set(below), codeOfKey).filter((code) => code !== prefix)
}

/** The codes that have a line. */
export function lineCodes({ lines: { keys } }: Tariff): readonly string[] {
  return Array.from(new Set(keys), codeOfKey)
}

/**
 * The last line in code order: nomenclatures put "Other" last at each level. Below a heading alone, the lines are those
 * of other subheadings. If the rate of one of them is not known, neither is the rate of these goods.
 */
function residualRow(measures: MeasureStore, prefix: number, lines: readonly number[]): number | undefined {
  if (codeLength(prefix) >= HS_LENGTH) return lines.at(-1)
  const isUnknown = (row: number): boolean => UNKNOWN_RATES.includes(measureField(measures, 'condition', row))
  return lines.findLast(isUnknown) ?? lines.at(-1)
}

/** The digits of a subheading of the Harmonized System. */
const HS_LENGTH = 6

/** Conditions of rates that cannot be calculated from any request. */
const UNKNOWN_RATES: readonly MeasureRow['condition'][] = ['not_parsed', 'not_loaded']

function isOneRate(rates: readonly number[]): boolean {
  const [first] = rates
  return rates.every((rate) => rate === first)
}

function ppmOf(measures: MeasureStore, row: number): number {
  return measureField(measures, 'adValoremPpm', row) ?? 0
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
  date: string,
  bands: readonly ValueBand[],
  leftOutCount: number,
): TariffGroup {
  const isUniform = isOneRate(lines.map((row) => rateId(measures, row)))
  // Lines with one rate have the same shares.
  const different = isUniform ? lines.slice(0, 1) : lines
  const found = different.flatMap((row) => sharesOf(measures, row, date))
  const shares = found.length === 0 ? [0] : found
  const specificCount = different.filter((row) => hasSpecific(measures, row)).length
  return {
    lineCount: lines.length,
    isUniform,
    bands,
    leftOutCount,
    lowestPpm: Math.min(...shares),
    highestPpm: Math.max(...shares),
    specificCount: isUniform ? specificCount * lines.length : specificCount,
  }
}

/** The range of a rate that the data set derived from the lines of an earlier HS edition. */
function derivedGroup(measure: Measure): TariffGroup | undefined {
  const { lowestPpm, highestPpm, lineCount } = measure.row
  if (lowestPpm === null || highestPpm === null || lineCount === null) return undefined
  const isUniform = lowestPpm === highestPpm
  return { lineCount, isUniform, bands: [], leftOutCount: 0, lowestPpm, highestPpm, specificCount: 0 }
}
