/** Where the rate of a duty comes from. See docs/customs-data.md#basis-of-a-duty. */
import { isRateKnown, isSameOrVariant, type Measure } from '../tariff/measure.ts'
import type { Lot } from './goods.ts'
import type { Calculation, TaxLine } from './tax-line.ts'

/** From the least to the most certain. */
const BASES = ['NOT_LOADED', 'GROUP_AVERAGE', 'SUBHEADING', 'NATIONAL_LINE'] as const

export type DutyBasis = (typeof BASES)[number]

/**
 * The basis of a duty; undefined for a tax or a fee. A line that was joined has the less certain basis of its parts.
 */
export function dutyBasis({ kind, calculation }: TaxLine): DutyBasis | undefined {
  return kind === 'DUTY' ? basisOf(calculation) : undefined
}

function basisOf(calculation: Calculation): DutyBasis {
  switch (calculation.kind) {
    case 'measure':
      return measureBasis(calculation.lot, calculation.measure)
    case 'missingPart':
      return isRateKnown(calculation.measure)
        ? measureBasis(calculation.lot, calculation.measure)
        : 'NOT_LOADED'
    case 'uncounted':
      return 'GROUP_AVERAGE'
    case 'noMeasure':
    case 'noTaxData':
      return 'NOT_LOADED'
    case 'noTax':
      return calculation.reason === 'notEstimated' || calculation.reason === 'noRate'
        ? 'NOT_LOADED'
        : 'NATIONAL_LINE'
    case 'noFee':
      return calculation.reason === 'notEstimated' || calculation.reason === 'noExchangeRate'
        ? 'NOT_LOADED'
        : 'NATIONAL_LINE'
    case 'unconvertible':
    case 'noExcise':
      return 'NOT_LOADED'
    case 'codeRange':
    case 'excise':
    case 'threshold':
    case 'tax':
    case 'fee':
      return 'NATIONAL_LINE'
    case 'notLevied':
      return basisOf(calculation.line.calculation)
    case 'joined': {
      const parts = [basisOf(calculation.first.calculation), basisOf(calculation.second.calculation)]
      return BASES.find((basis) => parts.includes(basis)) ?? 'NOT_LOADED'
    }
  }
}

const SUBHEADING_LENGTH = 6

function measureBasis({ entry }: Lot, measure: Measure): DutyBasis {
  const { level, codePrefix, lineCount, lowestPpm, highestPpm } = measure.row
  if (level === 'average') return 'GROUP_AVERAGE'
  if (level === 'subheading') return 'SUBHEADING'
  // A rate that was calculated from several lines, or chosen from several rates.
  if (lowestPpm !== highestPpm || (lineCount !== null && codePrefix.length <= SUBHEADING_LENGTH))
    return 'SUBHEADING'
  const group = entry !== undefined && isSameOrVariant(entry.measure, measure) ? entry.group : undefined
  return group === undefined || group.isUniform ? 'NATIONAL_LINE' : 'SUBHEADING'
}
