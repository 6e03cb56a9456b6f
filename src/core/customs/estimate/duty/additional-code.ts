/**
 * Additional duties that depend on an additional code, such as anti-dumping duties by producer, and tariff quotas. A
 * duty is charged if the item names its code, or if all codes have the same duty. Otherwise it has a line with the
 * range of the duties. A quota is shown beside the duty that applies, and never charged. See
 * docs/customs-data.md#seasons-prices-codes-and-quotas.
 */
import type { MeasureTypeRow } from '../../data/row-types/measures.ts'
import { chargedBeside } from '../../tariff/code-facts.ts'
import type { ConditionalDuty, DutyByCode } from '../../tariff/conditional-duty.ts'
import type { Measure } from '../../tariff/measure.ts'
import type { Lot } from '../goods.ts'

/** The duties of one type for all additional codes, the lowest first. */
export type CodeRange = {
  readonly type: MeasureTypeRow
  readonly duties: readonly ConditionalDuty[]
}

/** A measure, or a duty whose additional code is not known. */
export type AdditionalDuty = Measure | CodeRange

export function isCodeRange(duty: AdditionalDuty): duty is CodeRange {
  return 'duties' in duty
}

/**
 * The additional duties on top of `base` (the base duty or the claimed preference), in the order of their types. A duty
 * is skipped if its `not_with` names `base` or a type before it.
 */
export function additionalOn(lot: Lot, base: Measure | undefined): readonly AdditionalDuty[] {
  const { facts, additionalCode } = lot
  if (facts.byCode.length === 0) return additionalFor(lot, base)
  const charged: AdditionalDuty[] = []
  for (const duty of facts.byCode) {
    const { measureType, notWith } = duty.type
    if (base !== undefined && notWith.includes(base.row.measureType)) continue
    if (charged.some(({ type }) => type.measureType !== measureType && notWith.includes(type.measureType)))
      continue
    charged.push(dutyFor(duty, additionalCode))
  }
  return charged
}

/** The additional duties on top of `base` if none depends on an additional code. */
function additionalFor({ facts }: Lot, base: Measure | undefined): readonly Measure[] {
  const type = base?.type.measureType
  return type === undefined || !facts.excluding.includes(type)
    ? facts.charged
    : chargedBeside(facts.additional, type)
}

/**
 * The duty of the given code; otherwise the duty without a code. If there is none, the code is not needed for a duty
 * that is the same for all codes.
 */
function dutyFor({ type, plain, coded }: DutyByCode, additionalCode: string): AdditionalDuty {
  const named = coded.find(({ row }) => row.additionalCode === additionalCode)
  const chosen = named?.measure ?? plain
  if (chosen !== undefined) return chosen
  const [first] = coded
  return first !== undefined && isUniform(coded) ? first.measure : { type, duties: coded }
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
