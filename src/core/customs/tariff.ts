/**
 * A tariff in memory and how a code is looked up in it. Decided here: the longest known prefix wins; where only
 * a group of national lines is known, the rate most of them carry is used and their range is told.
 * Source: design note on customs, "Codes"; decision 13 of the README.
 */

import { isInForce } from '../validity.ts'
import { type DutyParts, formatPercent, parseDutyParts, type SpecificPart } from './duty-text.ts'
import type { MeasureRow } from './reference-rows.ts'

/** The measure type of the most-favoured-nation duty. */
export const BASE_MEASURE_TYPE = 'third_country_duty'

/** A base measure with its texts read. */
export type Measure = {
  readonly row: MeasureRow
  readonly specifics: readonly SpecificPart[]
  readonly minimumParts: DutyParts | undefined
  readonly maximumParts: DutyParts | undefined
  /** Equal for measures that charge the same. */
  readonly rateText: string
}

/** The base measures of one customs area. */
export type Tariff = {
  /** By code prefix; one code may have measures of several periods. */
  readonly byCode: ReadonlyMap<string, readonly Measure[]>
  /** By shorter prefix of 4, 6 or 8 digits: the measures below it, in code order. */
  readonly below: ReadonlyMap<string, readonly Measure[]>
}

/** The measure that decides on a code, and how it was found. */
export type TariffEntry = {
  readonly measure: Measure
  /** The part of the code that decided. */
  readonly knownPrefix: string
  /** When the rate is the usual one of a group: how many lines it has, and the range of their shares of value. */
  readonly group?: TariffGroup
}

/** The lines of which the usual rate was taken. */
export type TariffGroup = {
  readonly lineCount: number
  readonly isUniform: boolean
  readonly lowestPpm: number
  readonly highestPpm: number
  /** How many of the lines have a part that is no share of the value. */
  readonly specificCount: number
}

const GROUP_LENGTHS = [4, 6, 8]

/** Builds the tariff of one customs area; the rows in any order. */
export function compileTariff(rows: readonly MeasureRow[]): Tariff {
  const byCode = new Map<string, Measure[]>()
  const below = new Map<string, Measure[]>()
  const ordered = [...rows].sort(byCodeAndPeriod)
  for (const row of ordered) {
    const measure = compileMeasure(row)
    append(byCode, row.codePrefix, measure)
    for (const length of GROUP_LENGTHS)
      if (row.codePrefix.length > length) append(below, row.codePrefix.slice(0, length), measure)
  }
  return { byCode, below }
}

function byCodeAndPeriod(a: MeasureRow, b: MeasureRow): number {
  if (a.codePrefix !== b.codePrefix) return a.codePrefix < b.codePrefix ? -1 : 1
  return (a.validFrom ?? '') < (b.validFrom ?? '') ? -1 : 1
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function compileMeasure(row: MeasureRow): Measure {
  const rateText = rateTextOf(row)
  if (row.specific === '' && row.minimum === '' && row.maximum === '')
    return { row, specifics: NONE, minimumParts: undefined, maximumParts: undefined, rateText }
  return {
    row,
    specifics: partsOf(row, row.specific)?.specifics ?? NONE,
    minimumParts: partsOf(row, row.minimum),
    maximumParts: partsOf(row, row.maximum),
    rateText,
  }
}

const NONE: readonly SpecificPart[] = []

function partsOf(row: MeasureRow, text: string): DutyParts | undefined {
  if (text === '') return undefined
  const parts = parseDutyParts(text)
  if (parts === undefined)
    throw new Error(`duty of ${row.jurisdiction} ${row.codePrefix} not understood: ${text}`)
  return parts
}

function rateTextOf(row: MeasureRow): string {
  if (row.text !== '') return row.text
  const percent = row.adValoremPpm === null ? '' : formatPercent(row.adValoremPpm)
  const sum = [percent, row.specific].filter((text) => text !== '').join(' + ')
  const minimum = row.minimum === '' ? '' : ` MIN ${row.minimum}`
  return `${sum}${minimum}${row.maximum === '' ? '' : ` MAX ${row.maximum}`}`
}

/** The measure for a code of 6 to 10 digits on a day; undefined when not even its heading is known. */
export function findTariffEntry(tariff: Tariff, code: string, date: string): TariffEntry | undefined {
  for (let length = code.length; length >= 2; length--) {
    const prefix = code.slice(0, length)
    const measure = tariff.byCode.get(prefix)?.find(({ row }) => isInForce(row, date))
    if (measure !== undefined) return { measure, knownPrefix: prefix, ...workedOutGroup(measure) }
    const lines = tariff.below.get(prefix)?.filter(({ row }) => isInForce(row, date)) ?? []
    const usual = usualOf(lines)
    if (usual !== undefined) return { measure: usual, knownPrefix: prefix, group: groupOf(lines) }
  }
  return undefined
}

/** True when the tariff has this very code, or lines below it. */
export function isKnownCode(tariff: Tariff, code: string): boolean {
  return tariff.byCode.has(code) || tariff.below.has(code)
}

/** The first line, in code order, of those with the most frequent rate; equally frequent rates: the higher. */
function usualOf(lines: readonly Measure[]): Measure | undefined {
  const counts = new Map<string, { line: Measure; count: number }>()
  for (const line of lines) {
    const entry = counts.get(line.rateText)
    if (entry === undefined) counts.set(line.rateText, { line, count: 1 })
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

/** By the share of the value; with equal shares the one that has another part as well. */
function isHigher(a: Measure, b: Measure): boolean {
  const difference = (a.row.adValoremPpm ?? 0) - (b.row.adValoremPpm ?? 0)
  return difference > 0 || (difference === 0 && hasOtherPart(a) && !hasOtherPart(b))
}

function groupOf(lines: readonly Measure[]): TariffGroup {
  const shares = lines.map((line) => line.row.adValoremPpm ?? 0)
  return {
    lineCount: lines.length,
    isUniform: lines.every((line) => line.rateText === lines[0]?.rateText),
    lowestPpm: Math.min(...shares),
    highestPpm: Math.max(...shares),
    specificCount: lines.filter(hasOtherPart).length,
  }
}

/** A rate that was worked out from the lines of an earlier edition carries their range with it. */
function workedOutGroup(measure: Measure): { readonly group?: TariffGroup } {
  const { lowestPpm, highestPpm, lineCount } = measure.row
  if (lowestPpm === null || highestPpm === null || lineCount === null) return {}
  const isUniform = lowestPpm === highestPpm
  return { group: { lineCount, isUniform, lowestPpm, highestPpm, specificCount: 0 } }
}

function hasOtherPart({ row }: Measure): boolean {
  return row.specific !== '' || row.condition === 'entry_price' || row.condition === 'meursing'
}
