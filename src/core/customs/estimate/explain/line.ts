/**
 * The texts of a line, written from its calculation: description, formula, rate and source. GraphQL returns all of
 * them on request, REST only the description. See docs/customs-data.md#explained-estimates.
 */
import { centsOf, type Exact, formatEuro, isZero, plus } from '../../exact.ts'
import { percentOf } from '../../tariff/duty-text.ts'
import type { Consignment } from '../consignment.ts'
import type { Calculation, TaxLine } from '../tax-line.ts'
import { codeRangeSource, codeRateRange, describeCodeRange } from './additional-code.ts'
import {
  describeMeasure,
  describeMissingPart,
  describeNoMeasure,
  describeUncounted,
  measureProduct,
  measureRatePercent,
  measureSource,
  rateRange,
} from './duty.ts'
import { describeExcise, describeNoExcise, exciseProduct, exciseRatePercent, exciseSource } from './excise.ts'
import {
  describeFee,
  describeNoFee,
  describeNoTax,
  describeNoTaxData,
  describeTax,
  feeProduct,
  feeRatePercent,
  feeSource,
  noTaxSource,
  taxProduct,
  taxSource,
} from './tax.ts'
import { type LineSource, type RateRange, sentences } from './text.ts'
import {
  describeNotLevied,
  describeThreshold,
  describeUnconvertible,
  thresholdRatePercent,
  thresholdRateText,
  thresholdSource,
} from './threshold.ts'

/** Rate, basis, assumptions, data set and date; or the reason why the amount is zero. */
export function describeLine(consignment: Consignment, line: TaxLine): string {
  const { calculation } = line
  switch (calculation.kind) {
    case 'measure':
      return describeMeasure(consignment, calculation, line)
    case 'tax':
      return describeTax(consignment, calculation, line)
    case 'missingPart':
      return describeMissingPart(consignment, calculation)
    case 'uncounted':
      return describeUncounted(consignment, calculation, line)
    case 'noMeasure':
      return describeNoMeasure(consignment, calculation.goods, calculation.lot)
    case 'codeRange':
      return describeCodeRange(consignment, calculation)
    case 'threshold':
      return describeThreshold(consignment, calculation, line)
    case 'unconvertible':
      return describeUnconvertible(consignment, calculation)
    case 'fee':
      return describeFee(consignment, calculation, line)
    case 'noFee':
      return describeNoFee(consignment, calculation)
    case 'noTax':
      return describeNoTax(consignment, calculation)
    case 'excise':
      return describeExcise(consignment, calculation, line)
    case 'noExcise':
      return describeNoExcise(consignment, calculation)
    case 'noTaxData':
      return describeNoTaxData(consignment)
    case 'notLevied':
      return describeNotLevied(consignment, calculation, describeLine(consignment, calculation.line))
    case 'joined':
      return sentences(
        describeLine(consignment, calculation.first),
        describeLine(consignment, calculation.second),
      )
  }
}

/** "6.5% × EUR 200.00 = EUR 13.00"; empty if nothing was calculated. */
export function lineFormula(consignment: Consignment, line: TaxLine): string {
  const product = productOf(consignment, line)
  if (product === '') return ''
  const { to, rounding } = consignment
  const rounded =
    rounding?.unit === undefined ? '' : `, in ${to.currency} to a multiple of ${to.roundingUnit}`
  return `${product} = ${formatEuro(line.amount)}${rounded}`
}

/** The rate and what it is applied to: "6.5% × EUR 200.00". */
function productOf(consignment: Consignment, line: TaxLine): string {
  const { calculation } = line
  if (hasNoRate(calculation)) return ''
  switch (calculation.kind) {
    case 'measure':
      return measureProduct(calculation, line)
    case 'threshold':
      return isZero(line.amount) ? '' : thresholdRateText(consignment, calculation, line)
    case 'fee':
      return feeProduct(calculation, line)
    case 'tax':
      return taxProduct(calculation, line)
    case 'excise':
      return exciseProduct(calculation, line)
    case 'joined':
      return [calculation.first, calculation.second]
        .map((part) => productOf(consignment, part))
        .filter((text) => text !== '')
        .join(' + ')
  }
}

/** Lines to which no rate was applied. */
const WITHOUT_RATE = [
  'uncounted',
  'missingPart',
  'noMeasure',
  'codeRange',
  'unconvertible',
  'noFee',
  'noTax',
  'noExcise',
  'noTaxData',
  'notLevied',
] as const

type WithoutRate = Extract<Calculation, { readonly kind: (typeof WITHOUT_RATE)[number] }>

function hasNoRate(calculation: Calculation): calculation is WithoutRate {
  return WITHOUT_RATE.some((kind) => kind === calculation.kind)
}

/** Percent as decimal text ("21", "4.5"); undefined if the amount is not a plain share of the base. */
export function lineRatePercent({ calculation }: TaxLine): string | undefined {
  if (hasNoRate(calculation)) return undefined
  switch (calculation.kind) {
    case 'measure':
      return measureRatePercent(calculation)
    case 'threshold':
      return thresholdRatePercent(calculation)
    case 'fee':
      return feeRatePercent(calculation)
    case 'tax':
      return percentOf(calculation.rate.row.ratePpm)
    case 'excise':
      return exciseRatePercent(calculation)
    case 'joined': {
      const rate = lineRatePercent(calculation.first)
      return rate === lineRatePercent(calculation.second) ? rate : undefined
    }
  }
}

/** The row that the figures come from; undefined if there is none. */
export function lineSource(consignment: Consignment, line: TaxLine): LineSource | undefined {
  const { calculation } = line
  switch (calculation.kind) {
    case 'measure':
    case 'missingPart':
    case 'uncounted':
      return measureSource(calculation)
    case 'threshold':
      return thresholdSource(
        calculation.threshold.threshold.row,
        thresholdRateText(consignment, calculation, line),
      )
    case 'unconvertible': {
      const [first] = calculation.rules
      return first && thresholdSource(first.threshold.row, first.threshold.row.reason)
    }
    case 'codeRange':
      return codeRangeSource(calculation)
    case 'fee':
    case 'noFee':
      return feeSource(calculation.row)
    case 'tax':
      return taxSource(calculation)
    case 'excise':
    case 'noExcise':
      return exciseSource(calculation)
    case 'noTax':
      return noTaxSource(calculation)
    case 'notLevied': {
      const { row } = calculation.threshold
      return lineSource(consignment, calculation.line) ?? thresholdSource(row, row.reason)
    }
    case 'joined':
      return lineSource(consignment, calculation.first)
    case 'noMeasure':
    case 'noTaxData':
      return undefined
  }
}

/** What is due at least, in cents, for a line without an amount; undefined if that is not known. */
export function lineLeastCents({ calculation }: TaxLine): number | undefined {
  const least = leastAmount(calculation)
  return least && centsOf(least)
}

/** Of a joined line, the sum of the lower bounds that are known. */
function leastAmount(calculation: Calculation): Exact | undefined {
  if (calculation.kind === 'noExcise') return calculation.least
  if (calculation.kind !== 'joined') return undefined
  const [first, second] = [calculation.first, calculation.second].map((line) => leastAmount(line.calculation))
  return first === undefined || second === undefined ? (first ?? second) : plus(first, second)
}

/** The range that the rate of a duty lies in; undefined if it is the rate of one line, or if nothing is known. */
export function lineRateRange({ calculation }: TaxLine): RateRange | undefined {
  switch (calculation.kind) {
    case 'measure':
    case 'missingPart':
    case 'uncounted':
      return rateRange(calculation.lot, calculation.measure)
    case 'noMeasure': {
      const { averageRange } = calculation.lot.facts
      return averageRange && rateRange(calculation.lot, averageRange)
    }
    case 'codeRange':
      return codeRateRange(calculation)
    case 'notLevied':
      return lineRateRange(calculation.line)
    case 'joined':
      return widest(lineRateRange(calculation.first), lineRateRange(calculation.second))
    case 'threshold':
    case 'unconvertible':
    case 'fee':
    case 'noFee':
    case 'tax':
    case 'noTax':
    case 'noTaxData':
    case 'excise':
    case 'noExcise':
      return undefined
  }
}

function widest(first: RateRange | undefined, second: RateRange | undefined): RateRange | undefined {
  if (first === undefined || second === undefined) return first ?? second
  const percents = [first, second].flatMap(({ lowestPercent, highestPercent }) => [
    lowestPercent,
    highestPercent,
  ])
  const [lowestPercent = '', ...others] = percents.sort((a, b) => Number(a) - Number(b))
  return { lowestPercent, highestPercent: others.at(-1) ?? lowestPercent }
}

/** What the rate is applied to, in cents, rounded for display only. */
export function lineBaseCents({ base }: TaxLine): number {
  return centsOf(base)
}
