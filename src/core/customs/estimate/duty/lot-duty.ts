/**
 * What the tariff charges on a lot: the base duty, or the lowest preference that can be claimed, and then the
 * additional duties in the order of their types. See docs/customs-data.md#duties.
 */
import { isInForce } from '../../../validity.ts'
import { customsAreaOf } from '../../data/territory.ts'
import { compare, type Exact, excess, smallerOf, sumOf, ZERO } from '../../exact.ts'
import { type DutiesBesideBase, dutiesOfLines } from '../../tariff/code-facts.ts'
import { isAverage, type Measure } from '../../tariff/measure.ts'
import { assessedValue, type Consignment } from '../consignment.ts'
import type { Lot } from '../goods.ts'
import { codesFor } from '../route.ts'
import { additionalOn, type CodeRange, isCodeRange, quotasFor } from './additional-code.ts'
import { chargeOf, type MeasureCharge } from './measure-amount.ts'

/** The duty on a lot, in the order of its lines. */
export type LotDuty = {
  readonly parts: readonly DutyPart[]
  readonly isPreferential: boolean
}

/** What one measure adds to the duty, or why it adds nothing. */
export type DutyPart =
  | MeasureCharge
  /** An average that is not part of the estimate. */
  | { readonly kind: 'uncounted'; readonly charge: MeasureCharge }
  | { readonly kind: 'codeRange'; readonly range: CodeRange }
  /** Neither a base duty nor a preference is known. */
  | { readonly kind: 'noMeasure' }

/**
 * The duty on a lot. At an end of the range, the lowest or highest of the national lines that its code may stand for:
 * they can be subject to other additional duties and preferences than the code itself.
 */
export function lotDuty(consignment: Consignment, lot: Lot): LotDuty {
  const { bound } = consignment
  if (bound === undefined) return usualDuty(consignment, lot)
  const duties = linesOfLot(consignment, lot).map((line) => usualDuty(consignment, line))
  return duties.reduce((end, duty) => {
    const difference = compare(totalOf(duty.parts), totalOf(end.parts))
    return (bound === 'most' ? difference > 0 : difference < 0) ? duty : end
  })
}

/** The lot itself, and with the duties of each of its national lines that differ from it. */
export function linesOfLot({ route, sendingCountry }: Consignment, lot: Lot): readonly Lot[] {
  const codes = codesFor(route, lot.origin || sendingCountry)
  return dutiesOfLines(codes, lot.facts).map((duties) =>
    duties === lot.facts ? lot : { ...lot, facts: { ...lot.facts, ...besideBase(duties) } },
  )
}

function besideBase({
  preferences,
  additional,
  conditional,
  byCode,
  excluding,
  charged,
}: DutiesBesideBase): DutiesBesideBase {
  return { preferences, additional, conditional, byCode, excluding, charged }
}

function usualDuty(consignment: Consignment, lot: Lot): LotDuty {
  const base = baseCharge(consignment, lot)
  const additional = additionalOn(lot, base?.measure)
  const isReplaced = additional.some((duty) => !isCodeRange(duty) && duty.row.kind === 'replace_base')
  const first = isReplaced ? undefined : basePart(consignment, lot, base)
  const parts: DutyPart[] = first === undefined ? [] : [first]
  for (const duty of additional)
    parts.push(
      isCodeRange(duty)
        ? codeRangePart(consignment, lot, duty, first, parts)
        : additionalCharge(consignment, lot, duty, first, parts),
    )
  return { parts, isPreferential: !isReplaced && base?.measure.type.role === 'preference' }
}

/** The highest total counts averages in any case. */
function basePart(consignment: Consignment, lot: Lot, charge: MeasureCharge | undefined): DutyPart {
  const { countsAverages, bound } = consignment
  if (charge === undefined) return { kind: 'noMeasure' }
  if (!countsAverages && bound !== 'most' && isAverage(charge.measure)) return { kind: 'uncounted', charge }
  return bound === 'least' ? { ...charge, amount: leastBase(consignment, lot, charge) } : charge
}

/** The base duty if quotas are open. If the rates of a preference are not loaded, it may free the goods. */
function leastBase(consignment: Consignment, lot: Lot, { amount }: MeasureCharge): Exact {
  if (lot.origin !== '' && preferencesFor(consignment, lot).some(({ row }) => row.condition !== ''))
    return ZERO
  return quotasFor(lot)
    .map(({ measure }) => chargeOf(consignment, measure, lot, lot.assessedValue))
    .reduce((least, quota) => (quota.missing === '' ? smallerOf(least, quota.amount) : least), amount)
}

/** The highest total counts the highest duty of all additional codes. */
function codeRangePart(
  consignment: Consignment,
  lot: Lot,
  range: CodeRange,
  base: DutyPart | undefined,
  before: readonly DutyPart[],
): DutyPart {
  if (consignment.bound !== 'most') return { kind: 'codeRange', range }
  const charges = range.duties.map(({ measure }) => additionalCharge(consignment, lot, measure, base, before))
  return charges.reduce<DutyPart>(
    (most, charge) => (most.kind === 'charge' && compare(most.amount, charge.amount) >= 0 ? most : charge),
    { kind: 'codeRange', range },
  )
}

/** What a measure adds to the duties before it. `base`: the first of them, unless it is replaced. */
function additionalCharge(
  consignment: Consignment,
  lot: Lot,
  measure: Measure,
  base: DutyPart | undefined,
  before: readonly DutyPart[],
): MeasureCharge {
  const { kind, basis, against } = measure.row
  const value = basis === 'duty' ? assessedValue(consignment, totalOf(before)) : lot.assessedValue
  const charge = chargeOf(consignment, measure, lot, value)
  switch (kind) {
    case 'additive':
    case 'replace_base':
      return charge
    case 'cap_total': {
      const counted = before.filter((part) =>
        against.length === 0
          ? part === base
          : part.kind === 'charge' && against.includes(part.measure.row.measureType),
      )
      return { ...charge, amount: excess(charge.amount, totalOf(counted)) }
    }
    case 'floor_total':
      return { ...charge, amount: excess(charge.amount, totalOf(before)) }
  }
}

/** The sum of the charges that are part of the estimate. */
function totalOf(parts: readonly DutyPart[]): Exact {
  return sumOf(parts.flatMap((part) => (part.kind === 'charge' ? [part.amount] : [])))
}

/** The base duty, or the preference that replaces it; undefined if neither is known. */
function baseCharge(consignment: Consignment, lot: Lot): MeasureCharge | undefined {
  const base = lot.entry && chargeOf(consignment, lot.entry.measure, lot, lot.assessedValue)
  const preference = bestPreference(consignment, lot)
  if (preference === undefined || base === undefined) return preference ?? base
  // The rate of an agreement is known for these goods, and the average is not.
  if (isAverage(base.measure)) return preference
  const difference = compare(preference.amount, base.amount)
  if (difference < 0 || base.missing !== '') return preference
  return difference === 0 && exemptsFromOtherCharges(consignment, lot, preference.measure) ? preference : base
}

/** The lowest preference for the origin of a lot. Only preferences that can be calculated in full are compared. */
export function bestPreference(consignment: Consignment, lot: Lot): MeasureCharge | undefined {
  let best: MeasureCharge | undefined
  for (const measure of preferencesFor(consignment, lot)) {
    const charge = chargeOf(consignment, measure, lot, lot.assessedValue)
    if (charge.missing !== '') continue
    if (best === undefined || compare(charge.amount, best.amount) < 0) best = charge
  }
  return best
}

const NO_MEASURES: readonly Measure[] = []

/** Preferences for the given origin of a lot, including those whose rates are not known. */
export function preferencesFor(
  { claimsPreferences }: Consignment,
  { origin, facts }: Lot,
): readonly Measure[] {
  return origin === '' || !claimsPreferences ? NO_MEASURES : facts.preferences
}

/**
 * True if a claimed preference also exempts from an additional duty or a fee. Otherwise a preference that does not
 * lower the base duty is not claimed.
 */
function exemptsFromOtherCharges(consignment: Consignment, { facts }: Lot, { row }: Measure): boolean {
  const { tables, to, date } = consignment
  const fees = [to.code, customsAreaOf(to)].flatMap((code) => tables.fees.get(code) ?? [])
  if (fees.some(({ row: fee }) => fee.enabled && fee.waivedByPreference && isInForce(fee, date))) return true
  const types = [...facts.additional, ...facts.byCode].map(({ type }) => type)
  return types.some(({ notWith }) => notWith.includes(row.measureType))
}
