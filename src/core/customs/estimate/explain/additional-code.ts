/** Texts for duties that depend on an additional code, and for tariff quotas. */
import type { ConditionalDuty } from '../../tariff/conditional-duty.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import { quotasFor } from '../additional-code.ts'
import type { Consignment } from '../consignment.ts'
import type { Calculation, TaxLine } from '../tax-line.ts'
import { describeDataSet, type LineSource, sentences } from './text.ts'

type CodeRangeCalculation = Extract<Calculation, { readonly kind: 'codeRange' }>

const MAX_NAMED = 5

export function describeCodeRange(consignment: Consignment, { lot, range }: CodeRangeCalculation): string {
  const { duties } = range
  const [first] = duties
  const named = duties
    .slice(0, MAX_NAMED)
    .map(({ row, measure }) => `${row.additionalCode}: ${measure.rateText}`)
  const more = duties.length > MAX_NAMED ? `, and ${duties.length - MAX_NAMED} more` : ''
  const { lowest, highest } = percentRange(range)
  const extent =
    lowest === undefined || highest === undefined
      ? ''
      : `The rates range from ${formatPercent(lowest)} to ${formatPercent(highest)}.`
  const given = lot.additionalCode === '' ? 'which is not given' : `and ${lot.additionalCode} is none of them`
  return sentences(
    `The duty depends on the additional code, ${given} (${named.join(', ')}${more}).`,
    extent,
    first === undefined ? '' : describeDataSet(consignment, first.row.dataSet, first.row.confidence),
  )
}

export function codeRangeSource({ range }: CodeRangeCalculation): LineSource | undefined {
  const [first] = range.duties
  if (first === undefined) return undefined
  const { row } = first
  const { lowest, highest } = percentRange(range)
  return {
    dataSet: row.dataSet,
    measureType: row.measureType,
    codePrefix: row.codePrefix,
    origin: row.originGroup,
    ...(row.agreement !== '' && { agreement: row.agreement }),
    rateText: '',
    ...(lowest !== undefined &&
      highest !== undefined && {
        range: { lowestPercent: percentOf(lowest), highestPercent: percentOf(highest) },
      }),
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

/** Undefined if no duty is a share of the value. */
function percentRange({ duties }: CodeRangeCalculation['range']): {
  readonly lowest: number | undefined
  readonly highest: number | undefined
} {
  const shares = duties.flatMap(({ row }) => (row.adValoremPpm === null ? [] : [row.adValoremPpm]))
  return shares.length === 0
    ? { lowest: undefined, highest: undefined }
    : { lowest: Math.min(...shares), highest: Math.max(...shares) }
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
