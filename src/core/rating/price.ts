/**
 * The price of one product for one request, item by item. The order decides what fuel is charged on:
 * freight, accessorials, percentages of freight plus fuelable accessorials, tolls and fixed items, insurance.
 * Every item is rounded once, half-up, to the cent; the price is their sum.
 * Source: specification 2.3 and 4.1; the order of charges in src/reference/README.md.
 */
import { mulDivHalfUp, shareOf } from '../money.ts'
import { heaviestGrams, palletClassOf, priceByBand, pricePer100Kg } from './base-charge.ts'
import type { ChargeableParcel } from './chargeable-weight.ts'
import { insurancePremium } from './insurance.ts'
import { beyondPriceList, type Decline, FITS_NO_CLASS } from './limits.ts'
import type { BookProduct, ProductZone } from './rate-book.ts'
import type { PriceLineKind } from './rate-card.ts'
import type { RatesRequest } from './request.ts'
import type { TriggeredSurcharge } from './surcharge.ts'

/** One item of a price, in cents, rounded once; `reason` says why a surcharge applies. */
export type PriceLine = {
  readonly kind: PriceLineKind
  readonly item: string
  readonly amountCents: number
  readonly reason?: string
}

/** What a product comes to: `priceCents` is exactly the sum of `lines`. */
export type Price = { readonly priceCents: number; readonly lines: readonly PriceLine[] }

/** A product in a zone, and what of the request its price rests on. */
export type PricingCase = {
  readonly product: BookProduct
  readonly zone: ProductZone
  readonly request: RatesRequest
  /** One entry per parcel row, weighed by the product's own rule. */
  readonly chargeable: readonly ChargeableParcel[]
  readonly surcharges: readonly TriggeredSurcharge[]
  /** Basis points; undefined when the carrier publishes none for the day. */
  readonly fuelRateBps: number | undefined
}

/** The price, or why the price list does not reach. A product is priced for every parcel or not at all. */
export function priceProduct(pricing: PricingCase): Price | Decline {
  const freight = freightOf(pricing)
  if (typeof freight !== 'number') return freight
  const lines: PriceLine[] = [{ kind: 'BASE', item: 'Freight', amountCents: freight }]
  let [priceCents, fuelableCents] = [freight, freight]
  for (const phase of ['accessorial', 'percent', 'fixed'] as const) {
    const baseCents = fuelableCents
    for (const triggered of pricing.surcharges) {
      const { surcharge } = triggered
      if (surcharge.phase !== phase) continue
      const amountCents = amountOf(triggered, pricing, baseCents)
      if (amountCents === undefined) continue
      lines.push({ kind: surcharge.kind, item: surcharge.name, amountCents, reason: surcharge.reason })
      priceCents += amountCents
      if (phase === 'accessorial' && surcharge.fuelable) fuelableCents += amountCents
    }
  }
  const premium = premiumOf(pricing)
  if (premium === undefined) return { priceCents, lines }
  lines.push({ kind: 'INSURANCE', item: 'Insurance', amountCents: premium })
  return { priceCents: priceCents + premium, lines }
}

function freightOf({ product, zone, request, chargeable }: PricingCase): number | Decline {
  const { bands } = zone
  switch (product.terms.pricingBasis) {
    case 'shipment': {
      const grams = shipmentGrams(chargeable)
      return priceByBand(bands, grams) ?? beyondPriceList(heaviestGrams(bands), grams)
    }
    case 'per-100kg': {
      const grams = shipmentGrams(chargeable)
      return pricePer100Kg(bands, grams) ?? beyondPriceList(heaviestGrams(bands), grams)
    }
    case 'parcel': {
      let cents = 0
      for (const { chargeableGrams, count } of chargeable) {
        const unitCents = priceByBand(bands, chargeableGrams)
        if (unitCents === undefined) return beyondPriceList(heaviestGrams(bands), chargeableGrams)
        cents += unitCents * count
      }
      return cents
    }
    case 'pallet-class': {
      let cents = 0
      for (const pallet of request.parcels) {
        const fitting = palletClassOf(product.carrier.palletClasses, pallet)
        const classCents = fitting && zone.palletCents.get(fitting.palletClass)
        if (fitting === undefined || classCents === undefined) return FITS_NO_CLASS
        cents += classCents * fitting.spaces * pallet.count
      }
      return cents
    }
  }
}

function shipmentGrams(chargeable: readonly ChargeableParcel[]): number {
  let grams = 0
  for (const row of chargeable) grams += row.chargeableGrams * row.count
  return grams
}

/** Undefined only for a fuel surcharge of a carrier that publishes no fuel rate for the day. */
function amountOf(
  { surcharge, rows, times }: TriggeredSurcharge,
  { chargeable, fuelRateBps }: PricingCase,
  baseCents: number,
): number | undefined {
  const { method, amount, minimumCents } = surcharge
  switch (method) {
    case 'flat':
      return amount * times
    case 'per_kg': {
      const grams = shipmentGrams(rows.map((row) => chargeable[row]!))
      return Math.max(mulDivHalfUp(amount, grams, 1000), minimumCents * times)
    }
    case 'pct':
      return Math.max(shareOf(baseCents, amount), minimumCents)
    case 'fuel':
      return fuelRateBps === undefined ? undefined : shareOf(baseCents, fuelRateBps)
  }
}

/** The insurance premium in cents; undefined when the shipment is not insured. */
function premiumOf({ product, request }: PricingCase): number | undefined {
  const { insurance } = product.carrier
  if (request.insuredValueCents === undefined || insurance === undefined) return undefined
  let covers = 1
  if (product.terms.pricingBasis === 'parcel') {
    covers = 0
    for (const { count } of request.parcels) covers += count
  }
  return insurancePremium(insurance, request.insuredValueCents, covers)
}
