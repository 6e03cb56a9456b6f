/**
 * The rates that the rate of a measure was chosen or averaged from. The lowest and the highest of them bound what is
 * due.
 * See docs/customs-data.md#range-of-the-total.
 */
import { type Exact, largerOf, smallerOf, times, ZERO } from '../../exact.ts'
import { isAverage, isSameOrVariant, type Measure, rateOf } from '../../tariff/measure.ts'
import type { TariffGroup } from '../../tariff/tariff.ts'
import type { Bound } from '../consignment.ts'
import type { Lot } from '../goods.ts'

export type Rates = Pick<TariffGroup, 'lowestPpm' | 'highestPpm'>

/** Undefined if the rate is that of one line. */
export function ratesChosenFrom(lot: Lot, measure: Measure): Rates | undefined {
  const { lowestPpm, highestPpm } = measure.row
  if (isAverage(measure) && lowestPpm !== null && highestPpm !== null) return { lowestPpm, highestPpm }
  return isMeasureOfEntry(lot, measure) ? lot.entry?.group : rowRange(measure)
}

/** The range that the row of an additional duty gives; undefined if all goods of the code owe the same rate. */
export function rowRange({ row, type }: Measure): Rates | undefined {
  const { lowestPpm, highestPpm } = row
  if (type.role !== 'additional' || lowestPpm === null || highestPpm === null) return undefined
  return lowestPpm === highestPpm ? undefined : { lowestPpm, highestPpm }
}

/** A difference of rates, in parts per million, that makes a line unreliable: 5 percentage points. */
const WIDE_SPREAD = 50_000

export function hasWideSpread(lot: Lot, measure: Measure): boolean {
  const rates = ratesChosenFrom(lot, measure)
  return rates !== undefined && rates.highestPpm - rates.lowestPpm >= WIDE_SPREAD
}

/** True if the rate was chosen from lines of which some have a rate by quantity. Their amounts are not compared. */
export function hasRatesByQuantity(lot: Lot, measure: Measure): boolean {
  const group = isMeasureOfEntry(lot, measure) ? lot.entry?.group : undefined
  return group !== undefined && !group.isUniform && group.specificCount > 0
}

function isMeasureOfEntry({ entry }: Lot, measure: Measure): boolean {
  return entry !== undefined && isSameOrVariant(entry.measure, measure)
}

/** What a measure charges: see `MeasureCharge`. */
type Charge = {
  readonly measure: Measure
  readonly amount: Exact
  readonly base: Exact
  readonly missing: string
}

/** The amount of a charge at one end of its rates. A part that cannot be calculated counts as zero. */
export function boundedAmount(bound: Bound, charge: Charge, lot: Lot): Exact {
  const { measure, amount, base, missing } = charge
  const rates = ratesChosenFrom(lot, measure)
  if (bound === 'most')
    return rates === undefined ? amount : largerOf(amount, times(base, rateOf(rates.highestPpm)))
  // A maximum that cannot be calculated may be lower than the amount.
  if (missing !== '' && measure.maximum !== undefined) return ZERO
  if (hasRatesByQuantity(lot, measure)) return ZERO
  return rates === undefined ? amount : smallerOf(amount, times(base, rateOf(rates.lowestPpm)))
}
