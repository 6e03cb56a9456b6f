/**
 * Which preferences and additional duties concern a lot. Decided here: a preference needs an origin that was given;
 * for duties on top the sending country stands for one that was not. Source: decision 16 of the README.
 */
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
 * Duties on top of `base` (the base duty or the preference that is claimed), in the order of their types, without
 * those that it, or one before them, keeps away.
 */
export function additionalFor(
  consignment: Consignment,
  goods: Goods,
  { origin }: Lot,
  base: Measure | undefined,
): readonly Measure[] {
  const index = consignment.tables.additional.get(customsAreaOf(consignment.to))
  if (index === undefined) return NO_MEASURES
  const found = findMeasures(
    index,
    goods.harmonizedCode,
    consignment.date,
    origin || consignment.sendingCountry,
  )
  if (found.length === 0) return NO_MEASURES
  const kept: Measure[] = []
  for (const measure of found) {
    const { notWith } = measure.type
    if (base !== undefined && notWith.includes(base.row.measureType)) continue
    if (!kept.some(({ row }) => notWith.includes(row.measureType))) kept.push(measure)
  }
  return kept
}
