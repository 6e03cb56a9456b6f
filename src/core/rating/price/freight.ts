/**
 * The freight of a product, and the parts of it that discounts by weight apply to.
 * Rules: docs/rate-card-files.md#prices and docs/rate-cards.md#discounts-by-zone-and-weight.
 */
import { billedShipmentGrams } from '../book/chargeable-weight.ts'
import {
  beyondPriceList,
  classNotSold,
  type Decline,
  NO_FITTING_CLASS,
  NO_FITTING_SIZE,
  overClassWeight,
  sizeNotSold,
} from '../book/limits.ts'
import { gramsOf } from '../book/list-units.ts'
import { sizeClassOf } from '../book/minimum-weight.ts'
import type { PalletClassRow, PricingBasis } from '../rate-card.ts'
import type { Parcel } from '../request.ts'
import { heaviestGrams, holdsSize, palletClassOf, priceByBand, pricePer100Kg } from './base-charge.ts'
import { freightByClass } from './freight-class.ts'
import { type PricingCase, roundingStep } from './pricing-case.ts'

/** In cents. A decline if the price list does not cover all parcels. */
export function freightOf(pricing: PricingCase): number | Decline {
  const { product, zone, chargeable } = pricing
  const { pricingBasis, deficitWeight } = product.terms
  if (pricingBasis === 'freight-class') {
    const found = freightByClass(pricing)
    return 'code' in found ? found : found.cents
  }
  if (isWhole(pricingBasis)) {
    const weight = billedShipmentGrams(product.terms, chargeable)
    const step = roundingStep(pricing)
    const cents =
      pricingBasis === 'shipment' || deficitWeight === 'no'
        ? priceByBand(zone, weight, step)
        : pricePer100Kg(zone, weight, step)
    return cents ?? beyondBands(pricing, weight)
  }
  let sum = 0
  for (let row = 0; row < chargeable.length; row++) {
    const cents = priceOfRow(pricing, pricingBasis, row)
    if (typeof cents !== 'number') return cents
    sum += cents
  }
  return sum
}

/** A part of the freight that is priced by a weight of its own, in the unit of the price list. */
export type FreightPart = { readonly weight: number; readonly cents: number }

/** `freightCents` is the freight of the product: a whole shipment is one part, and each row of parcels otherwise. */
export function freightParts(pricing: PricingCase, freightCents: number): readonly FreightPart[] {
  const { product, chargeable } = pricing
  const { pricingBasis } = product.terms
  if (isWhole(pricingBasis))
    return [{ weight: billedShipmentGrams(product.terms, chargeable), cents: freightCents }]
  return chargeable.map(({ chargeableGrams: weight }, row) => {
    const cents = priceOfRow(pricing, pricingBasis, row)
    if (typeof cents !== 'number') throw new Error('a part of a freight that was calculated has no price')
    return { weight, cents }
  })
}

type WholeBasis = 'shipment' | 'per-100kg' | 'freight-class'

/** Whether a shipment is priced as a whole, and not row by row. */
function isWhole(basis: PricingBasis): basis is WholeBasis {
  return basis === 'shipment' || basis === 'per-100kg' || basis === 'freight-class'
}

/** The price of all units of a row. */
function priceOfRow(
  pricing: PricingCase,
  basis: Exclude<PricingBasis, WholeBasis>,
  row: number,
): number | Decline {
  switch (basis) {
    case 'parcel':
      return priceByWeight(pricing, row)
    case 'pallet-class':
      return priceByPalletClass(pricing, row)
    case 'size-class':
      return priceBySizeClass(pricing, row)
  }
}

function priceByWeight(pricing: PricingCase, row: number): number | Decline {
  const { chargeableGrams, count } = pricing.chargeable[row]!
  const cents = priceByBand(pricing.zone, chargeableGrams, roundingStep(pricing))
  return cents === undefined ? beyondBands(pricing, chargeableGrams) : cents * count
}

function priceByPalletClass({ shared, zone, facts }: PricingCase, row: number): number | Decline {
  const { palletClasses } = shared.group.carrier
  const pallet = facts.request.parcels[row]!
  const fitting = palletClassOf(palletClasses, pallet)
  if (fitting === undefined) return declineOversized(palletClasses, pallet)
  const cents = zone.palletCents.get(fitting.palletClass)
  return cents === undefined ? classNotSold(fitting.palletClass) : cents * fitting.spaces * pallet.count
}

function priceBySizeClass({ product, shared, zone, facts }: PricingCase, row: number): number | Decline {
  const parcel = facts.request.parcels[row]!
  const fitting = sizeClassOf(product.sizeClasses, parcel, shared.route.surchargeFacts.shipment)
  if (fitting === undefined) return NO_FITTING_SIZE
  const { sizeClass } = fitting.row
  const cents = zone.palletCents.get(sizeClass)
  return cents === undefined ? sizeNotSold(sizeClass) : cents * parcel.count
}

/** `weight` is in the unit of the price list. */
function beyondBands({ product, zone }: PricingCase, weight: number): Decline {
  const { units } = product.terms
  return beyondPriceList(gramsOf(heaviestGrams(zone), units), gramsOf(weight, units))
}

/** Declines a pallet for its weight if a class is large enough for it, otherwise for its size. */
function declineOversized(classes: readonly PalletClassRow[], pallet: Parcel): Decline {
  const bySize = classes.filter((row) => holdsSize(row, pallet))
  if (bySize.length === 0) return NO_FITTING_CLASS
  return overClassWeight(Math.max(...bySize.map(({ maxGrams }) => maxGrams)), pallet.weightGrams)
}
