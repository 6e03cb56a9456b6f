/**
 * Which preferences and additional duties concern a lot. Decided here: a preference needs an origin that was given;
 * for duties on top the sending country stands for one that was not. Source: decision 16 of the README.
 */
import { isInForce } from '../../validity.ts'
import { type Consignment, customsAreaOf } from '../consignment.ts'
import type { Goods, Lot } from '../goods.ts'
import type { Measure } from './measure.ts'
import { findMeasures } from './measure-index.ts'

const NO_MEASURES: readonly Measure[] = []

/** Preferences that the origin of a lot allows, whether their rates are known or not. */
export function preferencesFor(consignment: Consignment, goods: Goods, { origin }: Lot): readonly Measure[] {
  if (origin === '' || !consignment.claimsPreferences) return NO_MEASURES
  const index = consignment.tables.preferences.get(customsAreaOf(consignment.to))
  return index === undefined
    ? NO_MEASURES
    : findMeasures(index, goods.harmonizedCode, consignment.date, origin)
}

/**
 * True when claiming a preference saves more than duty: another duty that keeps away from it, or a fee that is waived.
 * Where the base duty is free already, only then is it worth a proof of origin.
 */
export function sparesOthers(consignment: Consignment, goods: Goods, lot: Lot, { row }: Measure): boolean {
  const { tables, to, date } = consignment
  const fees = [to.code, customsAreaOf(to)].flatMap((code) => tables.fees.get(code) ?? [])
  if (fees.some((fee) => fee.row.waivedByPreference && isInForce(fee.row, date))) return true
  return foundOnTop(consignment, goods, lot).some(({ type }) => type.notWith.includes(row.measureType))
}

/** Every duty on top that concerns a lot. */
function foundOnTop(consignment: Consignment, goods: Goods, { origin }: Lot): readonly Measure[] {
  const { tables, to, date, sendingCountry } = consignment
  const index = tables.additional.get(customsAreaOf(to))
  return index === undefined
    ? NO_MEASURES
    : findMeasures(index, goods.harmonizedCode, date, origin || sendingCountry)
}

/**
 * Duties on top of `base` (the base duty or the preference that is claimed), in the order of their types, without
 * those that it, or one before them, keeps away.
 */
export function additionalFor(
  consignment: Consignment,
  goods: Goods,
  lot: Lot,
  base: Measure | undefined,
): readonly Measure[] {
  const found = foundOnTop(consignment, goods, lot)
  if (found.length === 0) return NO_MEASURES
  const kept: Measure[] = []
  for (const measure of found) {
    const { notWith } = measure.type
    if (base !== undefined && notWith.includes(base.row.measureType)) continue
    if (!kept.some(({ row }) => notWith.includes(row.measureType))) kept.push(measure)
  }
  return kept
}
