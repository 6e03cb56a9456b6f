/**
 * Texts about how the rate of a duty was chosen from several lines of a tariff, or averaged. See
 * docs/customs-data.md#codes.
 */
import type { MeasureRow } from '../../../data/row-types/measures.ts'
import type { Confidence } from '../../../data/row-types/table.ts'
import { formatPercent, percentOf } from '../../../tariff/duty-text.ts'
import { isAverage, isSameOrVariant, type Measure } from '../../../tariff/measure.ts'
import type { TariffEntry, TariffGroup } from '../../../tariff/tariff.ts'
import { hasWideSpread, ratesChosenFrom, rowRange } from '../../duty/rate-spread.ts'
import type { Lot } from '../../goods.ts'
import { codeName } from '../code-name.ts'
import { type RateRange, sentences } from '../text.ts'

/** The rates that the rate of a line was chosen or averaged from. Undefined if it is the rate of one line. */
export function rateRange(lot: Lot, measure: Measure): RateRange | undefined {
  const rates = ratesChosenFrom(lot, measure)
  return rates && rangeOf(rates.lowestPpm, rates.highestPpm)
}

function rangeOf(lowestPpm: number, highestPpm: number): RateRange {
  return { lowestPercent: percentOf(lowestPpm), highestPercent: percentOf(highestPpm) }
}

/** An average or a wide range says little about the rate of the goods, however well the rates are known. */
export function confidenceOf(lot: Lot, measure: Measure): Confidence {
  return isAverage(measure) || hasWideSpread(lot, measure) ? 'low' : measure.row.confidence
}

/** How the rate of a group of lines was chosen; empty if the rate comes from a single line. */
export function describeChoice(lot: Lot, measure: Measure): string {
  switch (measure.row.level) {
    case 'average':
      return describeIndividualRates(measure.row)
    case 'subheading':
      return lot.entry?.measure === measure && lot.entry.knownPrefix !== lot.entry.lineCode
        ? describeResidualLine(lot, measure)
        : describeSubheading(measure.row)
    case 'line':
      return describeResidualLine(lot, measure)
  }
}

export function describeIndividualRates({ lowestPpm, highestPpm, lineCount }: MeasureRow): string {
  const codes = lineCount === null ? '' : ` (${lineCount} codes)`
  return `Individual rates range from ${formatPercent(lowestPpm ?? 0)} to ${formatPercent(highestPpm ?? 0)}${codes}.`
}

function describeSubheading({ codePrefix, condition, lineCount, lowestPpm, highestPpm }: MeasureRow): string {
  if (condition !== '') return ''
  const known = `The rate is known only for ${codeName(codePrefix)}`
  const others = `${known}; codes within it may have other rates.`
  if (lowestPpm === null || highestPpm === null) return lineCount === null ? others : ''
  if (lowestPpm !== highestPpm)
    return `${known}; national lines range from ${formatPercent(lowestPpm)} to ${formatPercent(highestPpm)}.`
  if (lineCount === null) return others
  return lineCount === 1
    ? `${known}, from a single national line.`
    : `${known}; all ${lineCount} national lines have this rate.`
}

function describeResidualLine({ entry }: Lot, measure: Measure): string {
  if (entry?.group === undefined || !isSameOrVariant(entry.measure, measure)) return ''
  const { group } = entry
  if (entry.knownPrefix === entry.lineCode) return describeEarlierLines(entry, group)
  const { lineCount, isUniform } = group
  const where = `under ${entry.knownPrefix}`
  const leftOut =
    group.leftOutCount === 0
      ? ''
      : `Lines ${where} for goods of another unit value are left out (${group.leftOutCount}).`
  if (lineCount === 1) return leftOut
  if (isUniform) return sentences(`All ${lineCount} lines ${where} have this rate.`, leftOut)
  return sentences(describeSpread(group, measure, where), leftOut)
}

/** "The rate is between 7.5% and 48%, depending on material and price; 20% is used (14 lines under 640411)." */
function describeSpread(group: TariffGroup, { rateText, row }: Measure, where: string): string {
  const { lineCount, lowestPpm, highestPpm, specificCount, bands, leftOutCount } = group
  const used = `${rateText} is used, the rate of ${row.codePrefix} (${lineCount} lines ${where}`
  if (specificCount === lineCount && highestPpm === 0)
    return `The rates are by quantity and differ; ${used}).`
  const isPriceOpen = bands.length > 0 && leftOutCount === 0
  const cause = isPriceOpen ? 'material and price' : 'material and use'
  const others = specificCount === 0 ? '' : `, ${specificCount} with an amount per quantity`
  const range = `between ${formatPercent(lowestPpm)} and ${formatPercent(highestPpm)}`
  return `The rate is ${range}, depending on ${cause}; ${used}${others}).`
}

/** A rate that the data set took from lines of an earlier edition of the HS. */
function describeEarlierLines({ measure: { row }, knownPrefix }: TariffEntry, group: TariffGroup): string {
  const { lineCount, isUniform, lowestPpm, highestPpm } = group
  const isOfEarlierEdition = row.lineCount !== null && row.level === 'line'
  const where = isOfEarlierEdition ? `replaced by ${knownPrefix} in HS 2022` : `under ${knownPrefix}`
  if (lineCount === 1) return isOfEarlierEdition ? `The rate is that of the only line ${where}.` : ''
  if (isUniform) return `All ${lineCount} lines ${where} have this rate.`
  const range = `range from ${formatPercent(lowestPpm)} to ${formatPercent(highestPpm)}`
  return `The rate is the usual one of the ${lineCount} lines ${where}, which ${range}.`
}

export function describeRowRange(measure: Measure): string {
  const range = rowRange(measure)
  if (range === undefined) return ''
  return `Rates for this code range from ${formatPercent(range.lowestPpm)} to ${formatPercent(range.highestPpm)}.`
}
