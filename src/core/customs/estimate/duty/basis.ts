/** Where the rate of a duty comes from. See docs/customs-data.md#basis-of-a-duty. */
import { isSameOrVariant } from '../../tariff/measure.ts'
import type { MeasureOfLot } from '../tax-line.ts'

/** From the least to the most certain. */
const BASES = ['NOT_LOADED', 'GROUP_AVERAGE', 'SUBHEADING', 'NATIONAL_LINE'] as const

export type DutyBasis = (typeof BASES)[number]

/** The less certain of two. */
export function lessCertain(first: DutyBasis, second: DutyBasis): DutyBasis {
  return BASES.indexOf(first) < BASES.indexOf(second) ? first : second
}

const SUBHEADING_LENGTH = 6

export function measureBasis({ lot: { entry }, measure }: MeasureOfLot): DutyBasis {
  const { level, codePrefix, lineCount, lowestPpm, highestPpm } = measure.row
  if (level === 'average') return 'GROUP_AVERAGE'
  if (level === 'subheading') return 'SUBHEADING'
  // A rate that was calculated from several lines, or chosen from several rates.
  if (lowestPpm !== highestPpm || (lineCount !== null && codePrefix.length <= SUBHEADING_LENGTH))
    return 'SUBHEADING'
  const group = entry !== undefined && isSameOrVariant(entry.measure, measure) ? entry.group : undefined
  return group === undefined || group.isUniform ? 'NATIONAL_LINE' : 'SUBHEADING'
}
