/**
 * What insuring a shipment costs.
 * Source: specification 2.1 (`insured`, `totalValue`); free cover, rate and minimum are the carrier's.
 */
import { mulDivHalfUp } from '../money.ts'
import type { InsuranceRow, PricingBasis } from './rate-card.ts'

/** How many free covers a shipment has: one per parcel, or one; the product's basis decides where the row does not. */
export function freeCovers({ freeCoverPer }: InsuranceRow, basis: PricingBasis, units: number): number {
  const per = freeCoverPer ?? (basis === 'parcel' ? 'unit' : 'shipment')
  return per === 'unit' ? units : 1
}

/**
 * The premium in cents. The declared value is spread evenly over the `covers`, each of them free up to the
 * carrier's amount. Above it the whole value is charged, at least the minimum.
 */
export function insurancePremium(terms: InsuranceRow, valueCents: number, covers: number): number {
  if (valueCents <= terms.freeCoverCents * covers) return 0
  return Math.max(mulDivHalfUp(valueCents, terms.rateBps, 10_000), terms.minimumCents)
}
