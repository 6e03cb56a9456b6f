/** Texts for duties that depend on an additional code, and for tariff quotas. */
import type { ConditionalDuty } from '../../../tariff/conditional-duty.ts'
import { percentOf } from '../../../tariff/duty-text.ts'
import type { Consignment } from '../../consignment.ts'
import type { CodeRange } from '../../duty/additional-code.ts'
import type { DutyReasons } from '../../tax-line.ts'
import type { Explanation } from '../explanation.ts'
import { openCodeRange } from '../open-point.ts'
import { describeDataSet, type LineSource, type RateRange, sentences, tariffSource } from '../text.ts'

export const CODE_RANGE: Explanation<DutyReasons['codeRange']> = {
  describe: (facts, { consignment }) => describeCodeRange(consignment, facts),
  reason: () => 'the rate depends on the additional code, mostly on the producer',
  source: ({ range }) => codeRangeSource(range),
  range: ({ range }) => rateRange(range),
  open: openCodeRange,
  basis: () => 'NATIONAL_LINE',
}

const MAX_NAMED = 5

function describeCodeRange(consignment: Consignment, { lot, range }: DutyReasons['codeRange']): string {
  const { duties } = range
  const [first] = duties
  const named = duties
    .slice(0, MAX_NAMED)
    .map(({ row, measure }) => `${row.additionalCode}: ${measure.rateText}`)
  const more = duties.length > MAX_NAMED ? `, and ${duties.length - MAX_NAMED} more` : ''
  const rates = rateRange(range)
  const given =
    lot.additionalCode === '' ? 'which is not given' : `and ${lot.additionalCode} is not one of them`
  return sentences(
    `The duty depends on the additional code, ${given} (${named.join(', ')}${more}).`,
    rates === undefined ? '' : `The rates range from ${rates.lowestPercent}% to ${rates.highestPercent}%.`,
    first === undefined ? '' : describeDataSet(consignment, first.row.dataSet, first.row.confidence),
  )
}

function codeRangeSource(codes: CodeRange): LineSource | undefined {
  const [first] = codes.duties
  return first && tariffSource(first.row, '', { range: rateRange(codes) })
}

/** The lowest and the highest rate of the additional codes. Undefined if no duty is a share of the value. */
function rateRange({ duties }: CodeRange): RateRange | undefined {
  const shares = duties.flatMap(({ row }) => (row.adValoremPpm === null ? [] : [row.adValoremPpm]))
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

export function lineQuota(quota: ConditionalDuty): LineQuota {
  const { row, measure } = quota
  return {
    orderNumber: row.orderNumber,
    name: measure.type.name,
    ratePercent: measure.isShareOnly && row.adValoremPpm !== null ? percentOf(row.adValoremPpm) : undefined,
    source: tariffSource(quota.row, quota.measure.rateText),
  }
}
