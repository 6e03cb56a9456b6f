/**
 * Additional duties that depend on an additional code, such as anti-dumping duties by producer, and tariff quotas. A duty is
 * charged if the item names its code, or if all codes have the same duty. Otherwise it has a line with the range of the duties.
 * A quota is shown beside the duty that applies, and never charged.
 * See docs/customs-data.md#seasons-prices-codes-and-quotas.
 */
import type { MeasureTypeRow } from '../data/tables/measures.ts'
import type { ConditionalDuty } from '../tariff/conditional-duty.ts'
import type { Measure } from '../tariff/measure.ts'
import type { Lot } from './goods.ts'

/** The duties of one type for all additional codes, the lowest first. */
export type CodeRange = {
  readonly type: MeasureTypeRow
  readonly duties: readonly ConditionalDuty[]
}

/**
 * The additional duties with those of the given code. Such a duty replaces the duty of its type without a code. A duty that
 * is the same for all codes is charged without a code.
 */
export function withCodedDuties(
  { facts, additionalCode }: Lot,
  additional: readonly Measure[],
): readonly Measure[] {
  // As for most goods.
  if (facts.conditional.length === 0) return additional
  const byType = dutiesByType(facts.conditional)
  if (byType.length === 0) return additional
  const chosen = byType.flatMap(({ duties }) => {
    const named = duties.find(({ row }) => row.additionalCode === additionalCode)
    return named?.measure ?? (isUniform(duties) ? (duties[0]?.measure ?? []) : [])
  })
  const types = chosen.map(({ type }) => type.measureType)
  const plain = additional.filter(({ type }) => !types.includes(type.measureType))
  return [...plain, ...chosen]
}

/** The duties by additional code of which none is in `charged`. */
export function codeRanges({ facts }: Lot, charged: readonly Measure[]): readonly CodeRange[] {
  if (facts.conditional.length === 0) return []
  const types = charged.map(({ type }) => type.measureType)
  return dutiesByType(facts.conditional).filter(({ type }) => !types.includes(type.measureType))
}

function dutiesByType(conditional: readonly ConditionalDuty[]): readonly CodeRange[] {
  const byType = new Map<string, { type: MeasureTypeRow; duties: ConditionalDuty[] }>()
  for (const duty of conditional) {
    if (duty.row.dependsOn !== 'additional_code') continue
    const { type } = duty.measure
    const known = byType.get(type.measureType)
    if (known === undefined) byType.set(type.measureType, { type, duties: [duty] })
    else known.duties.push(duty)
  }
  return [...byType.values()].map(({ type, duties }) => ({
    type,
    duties: duties.sort((a, b) => (a.row.adValoremPpm ?? 0) - (b.row.adValoremPpm ?? 0)),
  }))
}

function isUniform(duties: readonly ConditionalDuty[]): boolean {
  return new Set(duties.map(({ measure }) => measure.rateText)).size === 1
}

/** The quotas for goods of a lot. Those for one country or group need a given origin. */
export function quotasFor({ facts, origin }: Lot): readonly ConditionalDuty[] {
  return facts.conditional.filter(
    ({ row }) => row.dependsOn === 'quota' && (row.originGroup === 'ALL' || origin !== ''),
  )
}
