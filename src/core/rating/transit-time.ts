/**
 * Working days from dispatch to delivery; the day of dispatch is not counted.
 * Source: specification 4.1 rule 4; days per product and zone or lane, extra days per area class at either end.
 */
import type { AreaClass, AreaTransitRow } from './rate-card.ts'

/** Working days from dispatch; the dispatch day is not counted. */
export type TransitTime = { readonly minDays: number; readonly maxDays: number }

/** Days that the areas at both ends of a route add. */
export function areaDays(
  areaTransit: readonly AreaTransitRow[],
  fromArea: AreaClass,
  toArea: AreaClass,
): TransitTime {
  let [minDays, maxDays] = [0, 0]
  for (const area of [fromArea, toArea]) {
    const extra = areaTransit.find(({ areaClass }) => areaClass === area)
    minDays += extra?.extraMinDays ?? 0
    maxDays += extra?.extraMaxDays ?? 0
  }
  return { minDays, maxDays }
}

/** Two transit times one after the other. */
export function addDays(one: TransitTime, other: TransitTime): TransitTime {
  if (other.maxDays === 0) return one
  return { minDays: one.minDays + other.minDays, maxDays: one.maxDays + other.maxDays }
}
