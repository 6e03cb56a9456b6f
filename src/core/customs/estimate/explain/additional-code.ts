/** Texts for duties that depend on an additional code, and for tariff quotas. */
import type { ConditionalDuty } from '../../tariff/conditional-duty.ts'
import { percentOf } from '../../tariff/duty-text.ts'
import { quotasFor } from '../additional-code.ts'
import type { Consignment } from '../consignment.ts'
import type { Calculation, TaxLine } from '../tax-line.ts'
import { describeDataSet, type LineSource, type RateRange, sentences } from './text.ts'

type CodeRangeCalculation = Extract<Calculation, { readonly kind: 'codeRange' }>

const MAX_NAMED = 5

export function describeCodeRange(consignment: Consignment, calculation: CodeRangeCalculation): string {
  const { lot, range } = calculation
  const { duties } = range
  const [first] = duties
  const named = duties
    .slice(0, MAX_NAMED)
    .map(({ row, measure }) => `${row.additionalCode}: ${measure.rateText}`)
  const more = duties.length > MAX_NAMED ? `, and ${duties.length - MAX_NAMED} more` : ''
  const rates = codeRateRange(calculation)
  const given = lot.additionalCode === '' ? 'which is not given' : `and ${lot.additionalCode} is none of them`
  return sentences(
    `The duty depends on the additional code, ${given} (${named.join(', ')}${more}).`,
    rates === undefined ? '' : `The rates range from ${rates.lowestPercent}% to ${rates.highestPercent}%.`,
    first === undefined ? '' : describeDataSet(consignment, first.row.dataSet, first.row.confidence),
  )
}

export function codeRangeSource(calculation: CodeRangeCalculation): LineSource | undefined {
  const [first] = calculation.range.duties
  if (first === undefined) return undefined
  const { row } = first
  const range = codeRateRange(calculation)
  return {
    dataSet: row.dataSet,
    measureType: row.measureType,
    codePrefix: row.codePrefix,
    origin: row.originGroup,
    ...(row.agreement !== '' && { agreement: row.agreement }),
    rateText: '',
    ...(range !== undefined && { range }),
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

/** The lowest and the highest rate of the additional codes. Undefined if no duty is a share of the value. */
export function codeRateRange({ range }: CodeRangeCalculation): RateRange | undefined {
  const shares = range.duties.flatMap(({ row }) => (row.adValoremPpm === null ? [] : [row.adValoremPpm]))
  if (shares.length === 0) return undefined
  return { lowestPercent: percentOf(Math.min(...shares)), highestPercent: percentOf(Math.max(...shares)) }
}

/** A quota under which a lower duty may apply. */
export type LineQuota = {
  readonly orderNumber: string
  /** "Tariff quota" */
  readonly name: string
  readonly ratePercent: string | undefined
  readonly source: LineSource
}

/** The quotas for the goods of a duty line. Empty for additional duties and for other lines. */
export function lineQuotas({ calculation }: TaxLine): readonly LineQuota[] {
  const quotas = quotasOn(calculation)
  const rows = quotas.map(({ row }) => row)
  return quotas.filter(({ row }, index) => rows.indexOf(row) === index).map(presentQuota)
}

/** A line that joins goods of several origins has the quotas for each of them. */
function quotasOn(calculation: Calculation): readonly ConditionalDuty[] {
  switch (calculation.kind) {
    case 'measure':
    case 'missingPart':
    case 'uncounted':
      return calculation.measure.type.role === 'additional' ? [] : quotasFor(calculation.lot)
    case 'noMeasure':
      return quotasFor(calculation.lot)
    case 'notLevied':
      return quotasOn(calculation.line.calculation)
    case 'joined':
      return [...quotasOn(calculation.first.calculation), ...quotasOn(calculation.second.calculation)]
    case 'codeRange':
    case 'threshold':
    case 'unconvertible':
    case 'fee':
    case 'noFee':
    case 'tax':
    case 'noTax':
    case 'excise':
    case 'noExcise':
    case 'noTaxData':
      return []
  }
}

function presentQuota({ row, measure }: ConditionalDuty): LineQuota {
  return {
    orderNumber: row.orderNumber,
    name: measure.type.name,
    ratePercent: measure.isShareOnly && row.adValoremPpm !== null ? percentOf(row.adValoremPpm) : undefined,
    source: {
      dataSet: row.dataSet,
      measureType: row.measureType,
      codePrefix: row.codePrefix,
      origin: row.originGroup,
      ...(row.agreement !== '' && { agreement: row.agreement }),
      rateText: measure.rateText,
      validFrom: row.validFrom,
      validTo: row.validTo,
      confidence: row.confidence,
    },
  }
}
