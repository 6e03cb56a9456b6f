/**
 * The price of one product for one request, item by item. The order decides what fuel is charged on:
 * freight and what the account's contract makes of it, accessorials, percentages of freight plus fuelable
 * accessorials, tolls and fixed items, insurance. Every item is rounded once, half-up, to the cent; the price is
 * their sum.
 * Source: specification 2.3 and 4.1; the order of charges in src/reference/README.md.
 */
import { mulDivHalfUp, roundHalfUp, shareOf } from '../../money.ts'
import type { BookProduct } from '../book/book-product.ts'
import type { ChargeableParcel } from '../book/chargeable-weight.ts'
import {
  beyondPriceList,
  classNotSold,
  type Decline,
  FITS_NO_CLASS,
  overClassWeight,
} from '../book/limits.ts'
import type { ZonePrices } from '../book/price-table.ts'
import type { Surcharge } from '../book/surcharge.ts'
import type { ContractRow } from '../contract.ts'
import type { InsuranceRow, PalletClassRow, PricingBasis } from '../rate-card.ts'
import type { Parcel } from '../request.ts'
import { heaviestGrams, holdsSize, palletClassOf, priceByBand, pricePer100Kg } from './base-charge.ts'
import { type ApplicableSurcharge, type LineCause, type PriceLine, surchargeLine } from './price-line.ts'
import type { GroupFacts, RequestFacts } from './request-facts.ts'

/** A product in a zone, and what of the request its price rests on. */
export type PricingCase = {
  readonly product: BookProduct
  readonly zone: ZonePrices
  readonly zoneNumber: number
  readonly facts: RequestFacts
  /** What the product shares with others of its group: route, surcharges, carrier. */
  readonly shared: GroupFacts
  /** One entry per parcel row, weighed by the product's own rule. */
  readonly chargeable: readonly ChargeableParcel[]
  /** The agreement of the caller's account that applies; undefined: as listed. */
  readonly contract: ContractRow | undefined
}

const FREIGHT: LineCause = { kind: 'freight' }
const INSURANCE: LineCause = { kind: 'insurance' }

/**
 * The lines of a price, whose sum it is, or why the price list does not reach. A product is priced for every parcel
 * or not at all.
 */
export function priceProduct(pricing: PricingCase): readonly PriceLine[] | Decline {
  const freight = freightOf(pricing)
  if (typeof freight !== 'number') return freight
  const { charges } = pricing.shared
  const adjustment = adjustmentOf(pricing.contract, freight)
  const premium = premiumOf(pricing)
  const count = 1 + (adjustment === undefined ? 0 : 1) + charges.length + (premium === undefined ? 0 : 1)
  // Made at its length: an array that grows by pushing takes four times the room, a million times a day.
  const lines = new Array<PriceLine>(count)
  lines[0] = { kind: 'BASE', item: 'Freight', amountCents: freight, cause: FREIGHT }
  let next = 1
  if (adjustment !== undefined) lines[next++] = adjustment
  const adjustedCents = freight + (adjustment?.amountCents ?? 0)
  let fuelableCents = adjustedCents
  for (const charge of charges) {
    const { surcharge, flatLine } = charge
    const isAccessorial = surcharge.phase === 'accessorial'
    const baseCents = isAccessorial ? adjustedCents : fuelableCents
    const line = flatLine ?? surchargeLine(charge, amountOf(charge, pricing, baseCents))
    lines[next++] = line
    if (isAccessorial && surcharge.fuelable) fuelableCents += line.amountCents
  }
  if (premium !== undefined)
    lines[next] = { kind: 'INSURANCE', item: 'Insurance', amountCents: premium, cause: INSURANCE }
  return lines
}

function freightOf({ product, shared, zone, facts, chargeable }: PricingCase): number | Decline {
  switch (product.terms.pricingBasis) {
    case 'shipment': {
      const grams = shipmentGrams(chargeable)
      return priceByBand(zone, grams) ?? beyondPriceList(heaviestGrams(zone), grams)
    }
    case 'per-100kg': {
      const grams = shipmentGrams(chargeable)
      return pricePer100Kg(zone, grams) ?? beyondPriceList(heaviestGrams(zone), grams)
    }
    case 'parcel': {
      let cents = 0
      for (const { chargeableGrams, count } of chargeable) {
        const unitCents = priceByBand(zone, chargeableGrams)
        if (unitCents === undefined) return beyondPriceList(heaviestGrams(zone), chargeableGrams)
        cents += unitCents * count
      }
      return cents
    }
    case 'pallet-class': {
      let cents = 0
      for (const pallet of facts.request.parcels) {
        const fitting = palletClassOf(shared.group.carrier.palletClasses, pallet)
        if (fitting === undefined) return fitsNoClass(shared.group.carrier.palletClasses, pallet)
        const classCents = zone.palletCents.get(fitting.palletClass)
        if (classCents === undefined) return classNotSold(fitting.palletClass)
        cents += classCents * fitting.spaces * pallet.count
      }
      return cents
    }
  }
}

/** Why a pallet fits no class: its weight, where a class would hold its size. */
function fitsNoClass(classes: readonly PalletClassRow[], pallet: Parcel): Decline {
  const bySize = classes.filter((row) => holdsSize(row, pallet))
  if (bySize.length === 0) return FITS_NO_CLASS
  return overClassWeight(Math.max(...bySize.map(({ maxGrams }) => maxGrams)), pallet.weightGrams)
}

/** The weight of a shipment: that of its units, each rounded up by itself. */
export function shipmentGrams(chargeable: readonly ChargeableParcel[]): number {
  let grams = 0
  for (const row of chargeable) grams += row.chargeableGrams * row.count
  return grams
}

function adjustmentOf(contract: ContractRow | undefined, freightCents: number): PriceLine | undefined {
  if (contract === undefined || contract.freightBps === 0) return undefined
  const item = contract.freightBps < 0 ? 'Contract discount' : 'Contract surcharge'
  const amountCents = shareOf(freightCents, contract.freightBps)
  return { kind: 'DISCOUNT', item, amountCents, cause: { kind: 'contract', contract } }
}

function amountOf(
  { surcharge, rows, times, rateBps }: ApplicableSurcharge,
  { chargeable, contract }: PricingCase,
  baseCents: number,
): number {
  const { method, amount, minimumCents } = surcharge
  switch (method) {
    case 'flat':
      return amount * times
    case 'per_kg':
      return perKilogram(surcharge, chargeable, rows)
    case 'pct':
      return Math.max(shareOf(baseCents, amount), minimumCents)
    case 'fuel': {
      const fuelBps = contract?.fuelBps ?? 0
      if (rateBps === undefined) return 0
      const share =
        fuelBps === 0
          ? shareOf(baseCents, rateBps)
          : mulDivHalfUp(baseCents, rateBps * (10_000 + fuelBps), 100_000_000)
      return Math.max(share, minimumCents)
    }
  }
}

/** Cents per kilogram of chargeable weight: of the shipment, or of each unit, which pays the minimum by itself. */
function perKilogram(
  surcharge: Surcharge,
  chargeable: readonly ChargeableParcel[],
  rows: readonly number[],
): number {
  const { amount, minimumCents, per } = surcharge
  if (per === 'shipment') return Math.max(mulDivHalfUp(amount, shipmentGrams(chargeable), 1000), minimumCents)
  return roundHalfUp(
    unitsPerKilogram(
      surcharge,
      rows.map((row) => chargeable[row]!),
    ),
    1000n,
  )
}

/** What the units of some rows pay per kilogram together, exactly: thousandths of a cent. */
export function unitsPerKilogram(
  { amount, minimumCents }: Pick<Surcharge, 'amount' | 'minimumCents'>,
  rows: readonly ChargeableParcel[],
): bigint {
  const least = BigInt(minimumCents) * 1000n
  let thousandths = 0n
  for (const { chargeableGrams, count } of rows) {
    const own = BigInt(amount) * BigInt(chargeableGrams)
    thousandths += (own < least ? least : own) * BigInt(count)
  }
  return thousandths
}

/** The insurance premium in cents; undefined when the shipment is not insured. */
function premiumOf({ product, shared, facts }: PricingCase): number | undefined {
  const { insurance } = shared.group.carrier
  const { insuredValueCents } = facts.request
  if (insuredValueCents === undefined || insurance === undefined) return undefined
  const covers = freeCovers(insurance, product.terms.pricingBasis, facts.extremes.units)
  return insurancePremium(insurance, insuredValueCents, covers)
}

// What insuring a shipment costs.
// Source: specification 2.1 (`insured`, `totalValue`); free cover, rate and minimum are the carrier's.

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
