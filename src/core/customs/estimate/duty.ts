/**
 * Import duty on goods of one code. Decided here: a low-value rule stands in place of the tariff; otherwise the base
 * duty, or the lowest preference that may be claimed, and what other duties add to it, in the order of their types.
 * Source: specification 4.2; decisions 13, 14 and 16 of the README; design note on customs, "Algorithm".
 */

import { compare, type Exact, excess, plus, sumOf, times, ZERO } from '../exact.ts'
import { isRateKnown, type Measure } from '../tariff/measure.ts'
import type { TariffEntry } from '../tariff/tariff.ts'
import { type Charge, joinByName } from './charge.ts'
import { assessedValue, type Consignment } from './consignment.ts'
import { type Applied, DutyCharge, missingDutyCharge, unknownDutyCharge } from './duty-charge.ts'
import type { Goods, Lot } from './goods.ts'
import {
  additionalFor,
  type MeasureAmount,
  measureAmount,
  preferencesFor,
  sparesOthers,
} from './measure-amount.ts'
import { type FittingThreshold, ThresholdCharge, thresholdFor } from './threshold.ts'

/** The duty on goods. */
export type Duty = {
  readonly charges: readonly Charge[]
  /** Unrounded, for the base of taxes. */
  readonly amount: Exact
  /** False when a part of it could not be estimated. */
  readonly isWhole: boolean
  /** A low-value rule that stands in place of the taxes as well; absent: they are due. */
  readonly replacesTaxes?: FittingThreshold
  /** True when every lot claims a preference. */
  readonly isPreferential: boolean
}

/** Goods that move inside one customs area. */
export const NO_DUTY: Duty = { charges: [], amount: ZERO, isWhole: true, isPreferential: false }

/** Works out the duty on goods imported from outside the customs area; `fitting` are its low-value rules. */
export function dutyOn(consignment: Consignment, goods: Goods, fitting: readonly FittingThreshold[]): Duty {
  const threshold = fitting.length === 0 ? undefined : thresholdFor(fitting, goods.harmonizedCode)
  if (threshold === undefined) return lotsDuty(consignment, goods)
  const spared = threshold.threshold.row.yieldsToPreference ? preferentialLots(consignment, goods) : []
  if (spared.length === 0) return thresholdDuty(consignment, goods, goods.lots, threshold)
  const others = goods.lots.filter((lot) => !spared.includes(lot))
  const duties: Duty[] = []
  for (const lot of goods.lots)
    if (spared.includes(lot)) duties.push(lotDuty(consignment, goods, lot))
    else if (lot === others[0]) duties.push(thresholdDuty(consignment, goods, others, threshold))
  return joined(consignment, duties)
}

function lotsDuty(consignment: Consignment, goods: Goods): Duty {
  const [first] = goods.lots
  if (first !== undefined && goods.lots.length === 1) return lotDuty(consignment, goods, first)
  return joined(
    consignment,
    goods.lots.map((lot) => lotDuty(consignment, goods, lot)),
  )
}

function joined(consignment: Consignment, duties: readonly Duty[]): Duty {
  const [only] = duties
  if (duties.length === 1 && only !== undefined) return only
  const replacing = duties.find((duty) => duty.replacesTaxes !== undefined)?.replacesTaxes
  return {
    charges: joinByName(
      consignment,
      duties.flatMap((duty) => duty.charges),
    ),
    amount: sumOf(duties.map((duty) => duty.amount)),
    isWhole: duties.every((duty) => duty.isWhole),
    isPreferential: duties.every((duty) => duty.isPreferential),
    ...(replacing !== undefined && { replacesTaxes: replacing }),
  }
}

function thresholdDuty(
  consignment: Consignment,
  goods: Goods,
  lots: readonly Lot[],
  fitting: FittingThreshold,
): Duty {
  const charge = new ThresholdCharge(consignment, goods, lots, fitting)
  return {
    charges: [charge],
    amount: charge.amount,
    isWhole: true,
    isPreferential: false,
    ...(fitting.threshold.row.replacesTaxes && { replacesTaxes: fitting }),
  }
}

function preferentialLots(consignment: Consignment, goods: Goods): readonly Lot[] {
  return goods.lots.filter((lot) => bestPreference(consignment, goods, lot) !== undefined)
}

function lotDuty(consignment: Consignment, goods: Goods, lot: Lot): Duty {
  const base = baseDuty(consignment, goods, lot)
  const others = additionalFor(consignment, goods, lot, base?.measure)
  const { entry } = lot
  if (
    others.length === 0 &&
    base?.result.missing === '' &&
    entry !== undefined &&
    base.measure === entry.measure
  ) {
    const charges = [new DutyCharge(consignment, goods, lot, entry.name, base)]
    return { charges, amount: base.result.amount, isWhole: true, isPreferential: false }
  }
  const sum: DutySum = { charges: [], amounts: [], total: ZERO, base: ZERO, isWhole: true }
  const isReplaced = others.some(({ row }) => row.kind === 'replace_base')
  if (!isReplaced) {
    if (base === undefined) sum.charges.push(unknownDutyCharge(consignment, goods, lot))
    else add(consignment, goods, lot, sum, base)
    sum.base = sum.total
    sum.isWhole &&= base !== undefined
  }
  for (const measure of others)
    add(consignment, goods, lot, sum, additionalDuty(consignment, lot, sum, measure))
  return {
    charges: joinByName(consignment, sum.charges),
    amount: sum.total,
    isWhole: sum.isWhole,
    isPreferential: !isReplaced && base?.measure.type.role === 'preference',
  }
}

/** The duties of a lot as they join each other. */
type DutySum = {
  readonly charges: Charge[]
  readonly amounts: { readonly measureType: string; readonly amount: Exact }[]
  total: Exact
  /** The base duty, or the preference in its place. */
  base: Exact
  isWhole: boolean
}

function add(consignment: Consignment, goods: Goods, lot: Lot, sum: DutySum, applied: Applied): void {
  const { measure, result } = applied
  if (result.hasAmount) {
    sum.charges.push(new DutyCharge(consignment, goods, lot, measure.name, applied))
    sum.total = plus(sum.total, result.amount)
    sum.amounts.push({ measureType: measure.row.measureType, amount: result.amount })
  }
  if (result.missing === '') return
  sum.charges.push(missingDutyCharge(consignment, goods, lot, measure, result))
  sum.isWhole = false
}

/** What a measure adds to the duties before it. */
function additionalDuty(consignment: Consignment, lot: Lot, sum: DutySum, measure: Measure): Applied {
  const { kind, basis, against } = measure.row
  const result = measureAmount(consignment, measure, lot, basis === 'duty' ? sum.total : lot.customsValue)
  switch (kind) {
    case 'additive':
    case 'replace_base':
      return { measure, result }
    case 'cap_total':
      return { measure, result: { ...result, amount: excess(result.amount, countedDuty(sum, against)) } }
    case 'floor_total':
      return { measure, result: { ...result, amount: excess(result.amount, sum.total) } }
  }
}

function countedDuty(sum: DutySum, types: readonly string[]): Exact {
  if (types.length === 0) return sum.base
  return sumOf(
    sum.amounts.flatMap(({ measureType, amount }) => (types.includes(measureType) ? [amount] : [])),
  )
}

/** The base duty or the preference in its place; undefined where neither is known. */
function baseDuty(consignment: Consignment, goods: Goods, lot: Lot): Applied | undefined {
  const { entry } = lot
  const base = entry && { measure: entry.measure, result: entryAmount(consignment, entry, lot) }
  const preference = bestPreference(consignment, goods, lot)
  if (preference === undefined || base === undefined) return preference ?? base
  const difference = compare(preference.result.amount, base.result.amount)
  if (difference < 0 || base.result.missing !== '') return preference
  return difference === 0 && sparesOthers(consignment, goods, lot, preference.measure) ? preference : base
}

/** The usual case first: a plain share of the value. */
function entryAmount(consignment: Consignment, { measure, plainRate }: TariffEntry, lot: Lot): MeasureAmount {
  if (plainRate === undefined) return measureAmount(consignment, measure, lot, lot.customsValue)
  const base = assessedValue(consignment, lot.customsValue)
  return { amount: times(base, plainRate), base, missing: '', hasAmount: true }
}

/** The lowest preference that the origin allows and whose rate is known and can be worked out. */
function bestPreference(consignment: Consignment, goods: Goods, lot: Lot): Applied | undefined {
  let best: Applied | undefined
  for (const measure of preferencesFor(consignment, goods, lot)) {
    if (!isRateKnown(measure)) continue
    const result = measureAmount(consignment, measure, lot, lot.customsValue)
    if (result.missing !== '') continue
    if (best === undefined || compare(result.amount, best.result.amount) < 0) best = { measure, result }
  }
  return best
}
