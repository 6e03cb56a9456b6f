/**
 * The price of one product for one request, item by item. The order decides what fuel is charged on:
 * freight, accessorials, percentages of freight plus fuelable accessorials, tolls and fixed items, insurance.
 * Every item is rounded once, half-up, to the cent; the price is their sum.
 * Source: specification 2.3 and 4.1; the order of charges in src/reference/README.md.
 */
import { mulDivHalfUp, shareOf, sumCents } from '../money.ts'
import { heaviestGrams, palletClassOf, priceByBand, pricePer100Kg } from './base-charge.ts'
import { type UnitWeights, weighUnit } from './chargeable-weight.ts'
import { insurancePremium } from './insurance.ts'
import { beyondPriceList, type Decline, fitsNoClass } from './limits.ts'
import type { BookProduct, ProductZone } from './rate-book.ts'
import type { PriceLineKind, SurchargePhase } from './rate-card.ts'
import type { Parcel, RatesRequest } from './request.ts'
import { type Circumstances, isInForce, type Surcharge } from './surcharge.ts'

/** One item of a price, in cents, rounded once; `reason` says why a surcharge applies. */
export type PriceLine = {
  readonly kind: PriceLineKind
  readonly item: string
  readonly amountCents: number
  readonly reason?: string
}

/** The weights of one unit of a parcel row. Volumetric is 0 where the product knows no volumetric weight. */
export type ChargeableParcel = {
  readonly parcelIndex: number
  readonly count: number
  readonly actualGrams: number
  readonly volumetricGrams: number
  readonly chargeableGrams: number
  /** Cubic centimetres per kilogram; absent where the product weighs otherwise. */
  readonly divisor?: number
}

/** What a product comes to. */
export type Price = {
  readonly lines: readonly PriceLine[]
  readonly chargeable: readonly ChargeableParcel[]
}

/** A product in a zone, and the facts of the request its surcharges ask for. */
export type PricingCase = {
  readonly product: BookProduct
  readonly zone: ProductZone
  readonly request: RatesRequest
  readonly circumstances: Circumstances
  /** Basis points; absent when the carrier publishes none for the day. */
  readonly fuelRateBps?: number
}

/** A row of the request and what one of its units weighs. */
type WeighedRow = UnitWeights & { readonly parcel: Parcel }

/** The price, or why the price list does not reach. A product is priced for every parcel or not at all. */
export function priceProduct(pricing: PricingCase): Price | Decline {
  const { product, zone, request } = pricing
  const rows = request.parcels.map((parcel) => ({ parcel, ...weighUnit(product.terms, parcel) }))
  const freight = freightOf(product, zone, rows)
  if (typeof freight !== 'number') return freight

  const lines: PriceLine[] = [{ kind: 'BASE', item: 'Freight', amountCents: freight }]
  let fuelableCents = freight
  for (const { surcharge, amountCents } of surchargesOf('accessorial', pricing, rows, freight)) {
    lines.push(surchargeLine(surcharge, amountCents))
    if (surcharge.fuelable) fuelableCents += amountCents
  }
  for (const phase of ['percent', 'fixed'] as const)
    for (const { surcharge, amountCents } of surchargesOf(phase, pricing, rows, fuelableCents))
      lines.push(surchargeLine(surcharge, amountCents))
  lines.push(...insuranceLines(product, request))
  return { lines, chargeable: rows.map((row, index) => chargeableParcel(product, row, index)) }
}

function chargeableParcel({ terms }: BookProduct, row: WeighedRow, parcelIndex: number): ChargeableParcel {
  const { parcel, actualGrams, volumetricGrams, chargeableGrams } = row
  return {
    parcelIndex,
    count: parcel.count,
    actualGrams,
    volumetricGrams,
    chargeableGrams,
    ...(terms.volumetricDivisor !== undefined && { divisor: terms.volumetricDivisor }),
  }
}

function freightOf(product: BookProduct, zone: ProductZone, rows: readonly WeighedRow[]): number | Decline {
  switch (product.terms.pricingBasis) {
    case 'shipment': {
      const grams = shipmentGrams(rows)
      return priceByBand(zone.bands, grams) ?? beyondPriceList(heaviestGrams(zone.bands), grams)
    }
    case 'per-100kg': {
      const grams = shipmentGrams(rows)
      return pricePer100Kg(zone.bands, grams) ?? beyondPriceList(heaviestGrams(zone.bands), grams)
    }
    case 'parcel':
      return sumOfRows(rows, ({ chargeableGrams }) => {
        const unitCents = priceByBand(zone.bands, chargeableGrams)
        return unitCents ?? beyondPriceList(heaviestGrams(zone.bands), chargeableGrams)
      })
    case 'pallet-class':
      return sumOfRows(rows, ({ parcel }, index) => {
        const fitting = palletClassOf(product.palletClasses, parcel)
        const classCents = fitting && zone.palletCents.get(fitting.palletClass)
        return fitting === undefined || classCents === undefined
          ? fitsNoClass(index)
          : classCents * fitting.spaces
      })
  }
}

/** Adds up what one unit of each row costs, times its count; the first row without a price declines all. */
function sumOfRows(
  rows: readonly WeighedRow[],
  unitPrice: (row: WeighedRow, index: number) => number | Decline,
): number | Decline {
  let cents = 0
  for (const [index, row] of rows.entries()) {
    const unitCents = unitPrice(row, index)
    if (typeof unitCents !== 'number') return unitCents
    cents += unitCents * row.parcel.count
  }
  return cents
}

function shipmentGrams(rows: readonly WeighedRow[]): number {
  return rows.reduce((sum, { chargeableGrams, parcel }) => sum + chargeableGrams * parcel.count, 0)
}

type AppliedSurcharge = { readonly surcharge: Surcharge; readonly amountCents: number }

/** The surcharges of a phase that apply, with their amounts; percentages are taken of `baseCents`. */
function* surchargesOf(
  phase: SurchargePhase,
  pricing: PricingCase,
  rows: readonly WeighedRow[],
  baseCents: number,
): Generator<AppliedSurcharge> {
  const { circumstances } = pricing
  for (const surcharge of pricing.product.surcharges) {
    if (surcharge.phase !== phase || !isInForce(surcharge, circumstances.date)) continue
    const matching = rows.filter(({ parcel }) => surcharge.applies(circumstances, parcel))
    if (matching.length === 0) continue
    const counted = surcharge.per === 'shipment' ? rows : matching
    const amountCents = amountOf(surcharge, pricing, counted, baseCents)
    if (amountCents !== undefined) yield { surcharge, amountCents }
  }
}

/** Undefined only for a fuel surcharge of a carrier that publishes no fuel rate for the day. */
function amountOf(
  { method, amount, minimumCents, per }: Surcharge,
  { fuelRateBps }: PricingCase,
  counted: readonly WeighedRow[],
  baseCents: number,
): number | undefined {
  const times = per === 'shipment' ? 1 : counted.reduce((sum, { parcel }) => sum + parcel.count, 0)
  switch (method) {
    case 'flat':
      return amount * times
    case 'per_kg':
      return Math.max(mulDivHalfUp(amount, shipmentGrams(counted), 1000), minimumCents * times)
    case 'pct':
      return Math.max(shareOf(baseCents, amount), minimumCents)
    case 'fuel':
      return fuelRateBps === undefined ? undefined : shareOf(baseCents, fuelRateBps)
  }
}

function surchargeLine({ kind, name, reason }: Surcharge, amountCents: number): PriceLine {
  return { kind, item: name, amountCents, reason }
}

function insuranceLines({ terms, insurance }: BookProduct, request: RatesRequest): readonly PriceLine[] {
  if (request.insuredValueCents === undefined || insurance === undefined) return []
  const units = request.parcels.reduce((sum, { count }) => sum + count, 0)
  const covers = terms.pricingBasis === 'parcel' ? units : 1
  const amountCents = insurancePremium(insurance, request.insuredValueCents, covers)
  return [{ kind: 'INSURANCE', item: 'Insurance', amountCents }]
}

/** The sum of a price's items, in cents. */
export function totalOf(lines: readonly PriceLine[]): number {
  return sumCents(lines.map(({ amountCents }) => amountCents))
}
