/**
 * What insuring a shipment costs.
 * Source: specification 2.1 (`insured`, `totalValue`); free cover, rate and minimum are the carrier's.
 */
import { mulDivHalfUp } from '../money.ts'
import type { InsuranceRow } from './rate-card.ts'

/**
 * The premium in cents. The declared value is spread evenly over the `covers` (one per parcel where the
 * product prices parcels, one per shipment otherwise), each of them free up to the carrier's amount. Above
 * it the whole value is charged, at least the minimum.
 */
export function insurancePremium(terms: InsuranceRow, valueCents: number, covers: number): number {
  if (valueCents <= terms.freeCoverCents * covers) return 0
  return Math.max(mulDivHalfUp(valueCents, terms.rateBps, 10_000), terms.minimumCents)
}
