/** The premium of insurance by the carrier. Rules: docs/rate-card-files.md#fuel-insurance-capitals. */
import { mulDivToStep } from '../../money.ts'
import type { BookInsurance } from '../book/book-card.ts'
import type { InsuranceBandRow, InsuranceRow, PricingBasis } from '../rate-card.ts'

/** How often the free cover counts: per unit or once. By default it depends on the pricing basis of the product. */
export function freeCovers({ freeCoverPer }: InsuranceRow, basis: PricingBasis, units: number): number {
  const per = freeCoverPer ?? (basis === 'parcel' || basis === 'size-class' ? 'unit' : 'shipment')
  return per === 'unit' ? units : 1
}

/**
 * The premium in cents: 0 up to the free cover; above it the price of the band, or a share of the whole value rounded
 * to `roundToCents`; at least the minimum.
 */
export function insurancePremium(
  terms: BookInsurance,
  valueCents: number,
  covers: number,
  roundToCents: number,
): number {
  const freeCents = terms.freeCoverCents * covers
  if (valueCents <= freeCents) return 0
  const band = bandOfValue(terms, valueCents)
  const premium =
    band === undefined
      ? mulDivToStep(valueCents, terms.rateBps, 10_000, roundToCents)
      : band.priceCents + startedSteps(band, valueCents, freeCents) * (band.stepPriceCents ?? 0)
  return Math.max(premium, terms.minimumCents)
}

/** The band of a value. Undefined if the carrier has none, because bands cover every value that can be insured. */
export function bandOfValue({ bands }: BookInsurance, valueCents: number): InsuranceBandRow | undefined {
  return bands.find(({ upToCents }) => valueCents <= upToCents)
}

/**
 * Above this value, in cents, the steps of a band are counted: where it begins, or the free cover if that is higher.
 */
export function stepsAbove({ overCents }: InsuranceBandRow, freeCents: number): number {
  return Math.max(overCents, freeCents)
}

/** The started steps of a value in its band; 0 if the band has no steps. */
export function startedSteps(band: InsuranceBandRow, valueCents: number, freeCents: number): number {
  const { valueStepCents } = band
  return valueStepCents === undefined
    ? 0
    : Math.ceil((valueCents - stepsAbove(band, freeCents)) / valueStepCents)
}
