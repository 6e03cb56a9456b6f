/**
 * Working days from dispatch to delivery; the day of dispatch is not counted.
 * Source: specification 4.1 rule 4; days per product and zone, extra days per area class at either end.
 */
import type { AreaTransitRow } from './rate-card.ts'
import type { Circumstances } from './surcharge.ts'

/** Working days from dispatch; the dispatch day is not counted. */
export type TransitTime = { readonly minDays: number; readonly maxDays: number }

/** The zone's days plus what the areas at both ends add. */
export function transitTime(
  zoneDays: TransitTime,
  areaTransit: readonly AreaTransitRow[],
  { fromArea, toArea }: Pick<Circumstances, 'fromArea' | 'toArea'>,
): TransitTime {
  if (fromArea === 'NORMAL' && toArea === 'NORMAL') return zoneDays
  let { minDays, maxDays } = zoneDays
  for (const area of [fromArea, toArea]) {
    const extra = areaTransit.find(({ areaClass }) => areaClass === area)
    minDays += extra?.extraMinDays ?? 0
    maxDays += extra?.extraMaxDays ?? 0
  }
  return { minDays, maxDays }
}
