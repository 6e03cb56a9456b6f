/** The fuel surcharge as an amount per parcel or kilogram. Rules: docs/fuel.md. */
import type { BookProduct } from '../book/book-product.ts'
import { billedShipmentGrams, type ChargeableParcel, sumOfWeights } from '../book/chargeable-weight.ts'
import { gramsOf } from '../book/list-units.ts'
import type { AgreedTerms } from '../contract.ts'
import type { FuelUnit } from '../rate-card.ts'
import type { ApplicableSurcharge } from './price-line.ts'

/** `factor × numerator / denominator` cents. */
export type Fraction = { readonly factor: number; readonly numerator: number; readonly denominator: number }

/** What fuel is charged for. */
type FuelCase = {
  readonly product: Pick<BookProduct, 'terms'>
  readonly chargeable: readonly ChargeableParcel[]
  readonly contract: AgreedTerms | undefined
}

/** An amount per unit before rounding and limits. `rateBps` and `per` are those of `FuelRate`. */
export function fuelAmount(
  charge: ApplicableSurcharge,
  fuelCase: FuelCase,
  rateBps: number,
  per: FuelUnit,
): Fraction {
  const fuelBps = fuelCase.contract?.fuel?.bps ?? 0
  const isPerKilogram = per === 'kg'
  const factor = isPerKilogram ? fuelGrams(charge, fuelCase) : fuelUnits(charge, fuelCase)
  // A ten-thousandth of the currency is a hundredth of a cent.
  const denominator = isPerKilogram ? 100_000 : 100
  return { factor, numerator: rateBps * (10_000 + fuelBps), denominator: 10_000 * denominator }
}

/** The parcels or pallets that fuel is charged for. */
export function fuelUnits({ rows }: ApplicableSurcharge, { chargeable }: FuelCase): number {
  let units = 0
  for (const row of rows) units += chargeable[row]!.count
  return units
}

/**
 * The weight in grams that fuel is charged for: that of the shipment, or of the units that trigger it. The billed
 * weight of a list in pounds or ounces is rounded up to the gram.
 */
export function fuelGrams(
  { surcharge, rows }: ApplicableSurcharge,
  { product: { terms }, chargeable }: FuelCase,
): number {
  const billed =
    surcharge.per === 'shipment'
      ? billedShipmentGrams(terms, chargeable)
      : sumOfWeights(rows.map((row) => chargeable[row]!))
  return gramsOf(billed, terms.units)
}
