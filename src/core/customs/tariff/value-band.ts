/**
 * Lines of a tariff that cover only goods of some unit values, such as "valued over $6.50 but not over $12/pair".
 * See docs/customs-data.md#codes.
 */
import { decimal } from '../../quantity.ts'
import { compare, type Exact, exactOf } from '../exact.ts'
import { type MeasureStore, measureField } from './measure-store.ts'
import { type QuantityUnit, readQuantityUnit } from './quantity-unit.ts'

/** The unit values that a line covers: above the first amount, and up to the second. */
export type ValueBand = {
  /** The row of the line in the store of measures. */
  readonly row: number
  readonly above: Exact | undefined
  readonly upTo: Exact | undefined
  readonly currency: string
  readonly unit: QuantityUnit
}

const NO_BANDS: readonly ValueBand[] = []

/** The bands of those lines that have one. */
export function bandsOf(measures: MeasureStore, lines: readonly number[]): readonly ValueBand[] {
  const { unitValueAbove, unitValueUpTo } = measures.packed.columns
  // Of a column without indexes, all rows have the same value: none.
  if (unitValueAbove.indexes === undefined && unitValueUpTo.indexes === undefined) return NO_BANDS
  return lines.flatMap((row) => bandOf(measures, row) ?? [])
}

function bandOf(measures: MeasureStore, row: number): ValueBand | undefined {
  const above = boundOf(measureField(measures, 'unitValueAbove', row))
  const upTo = boundOf(measureField(measures, 'unitValueUpTo', row))
  if (above === undefined && upTo === undefined) return undefined
  return {
    row,
    above,
    upTo,
    currency: measureField(measures, 'unitValueCurrency', row),
    unit: readQuantityUnit(measureField(measures, 'unitValuePer', row)),
  }
}

function boundOf(text: string): Exact | undefined {
  return text === '' ? undefined : exactOf(decimal(text, 6), 6)
}

/** True if a line does not cover goods of a unit value. `value`: of one unit, in the currency of the band. */
export function isOutside({ above, upTo }: ValueBand, value: Exact): boolean {
  if (above !== undefined && compare(value, above) <= 0) return true
  return upTo !== undefined && compare(value, upTo) > 0
}
