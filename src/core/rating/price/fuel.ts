/** The fuel surcharge: a percentage, or an amount per unit, of the day. Rules: docs/fuel.md. */
import type { BookProduct } from '../book/book-product.ts'
import { billedShipmentGrams, type ChargeableParcel, sumOfWeights } from '../book/chargeable-weight.ts'
import type { AgreedTerms } from '../contract.ts'
import type { ApplicableSurcharge } from './price-line.ts'

/** `factor × numerator / denominator` cents. */
export type Fraction = { readonly factor: number; readonly numerator: number; readonly denominator: number }

/** What fuel is charged for. */
type FuelCase = {
  readonly product: Pick<BookProduct, 'terms'>
  readonly chargeable: readonly ChargeableParcel[]
  readonly contract: AgreedTerms | undefined
}

/**
 * The charge before rounding and limits. Undefined if no figure is set for the day. `baseCents` is the base of
 * percentages.
 */
export function fuelFraction(
  charge: ApplicableSurcharge,
  pricing: FuelCase,
  baseCents: number,
): Fraction | undefined {
  const rateBps = charge.fuel?.rateBps
  if (rateBps === undefined) return undefined
  const fuelBps = pricing.contract?.fuel?.bps ?? 0
  const { count, ofOne } = fuelBase(charge, pricing, baseCents)
  return fuelBps === 0
    ? { factor: count, numerator: rateBps, denominator: ofOne }
    : { factor: count, numerator: rateBps * (10_000 + fuelBps), denominator: 10_000 * ofOne }
}

/** What the figure is multiplied with: `count / ofOne` cents for each of its units. */
function fuelBase(
  charge: ApplicableSurcharge,
  pricing: FuelCase,
  baseCents: number,
): { readonly count: number; readonly ofOne: number } {
  switch (charge.fuel?.per) {
    case undefined:
      return { count: baseCents, ofOne: 10_000 }
    case 'parcel':
      return { count: fuelUnits(charge, pricing), ofOne: 100 }
    case 'kg':
      return { count: fuelGrams(charge, pricing), ofOne: 100_000 }
  }
}

/** The parcels or pallets that fuel is charged for. */
export function fuelUnits({ rows }: ApplicableSurcharge, { chargeable }: FuelCase): number {
  let units = 0
  for (const row of rows) units += chargeable[row]!.count
  return units
}

/** The weight that fuel is charged for: that of the shipment, or of the units that trigger it. */
export function fuelGrams(
  { surcharge, rows }: ApplicableSurcharge,
  { product, chargeable }: FuelCase,
): number {
  if (surcharge.per === 'shipment') return billedShipmentGrams(product.terms, chargeable)
  return sumOfWeights(rows.map((row) => chargeable[row]!))
}
