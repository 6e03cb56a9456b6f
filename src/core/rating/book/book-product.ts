/**
 * A product of a rate card, compiled into what a quote reads: its prices and days by zone, its limits, how it weighs.
 */
import { groupBy } from '../../group-by.ts'
import type { AreaClass, AreaTransitRow, CarrierRow, ProductTerms, RateCardContent } from '../rate-card.ts'
import type { WeighingRule } from './chargeable-weight.ts'
import type { PriceTable, ZonePrices } from './price-table.ts'

/** How a quote names a product and the carrier that performs it. */
export type QuotedProduct = {
  readonly productId: number
  readonly productName: string
  readonly carrierCode: string
  readonly carrierName: string
}

/** What a product costs and how long it takes in one zone: one object, as a quote reads it once per product. */
export type ProductZone = ZonePrices & { readonly transit: TransitTime }

/** A product with all that prices it. */
export type BookProduct = {
  readonly name: QuotedProduct
  readonly terms: ProductTerms
  /** By zone number; undefined where it is not priced. */
  readonly zones: readonly (ProductZone | undefined)[]
  /** By lane, as `laneKey` names it; in place of the zone's days. */
  readonly laneTransit: ReadonlyMap<string, TransitTime>
  /** Products with the same rule object weigh alike. */
  readonly weighing: WeighingRule
}

/** What a product is compiled from, apart from its terms and prices. */
export type ProductContent = Pick<RateCardContent, 'transit' | 'laneTransit'>

/** How a lane between two groups is named. */
export function laneKey(fromGroup: string, toGroup: string): string {
  return `${fromGroup}>${toGroup}`
}

/**
 * Compiles the products of one card, one at a time, since a large one takes a while. Throws on a zone that is priced
 * and has no transit time; checkRateCard says more.
 */
export function openProductCompiler(
  content: ProductContent,
  carriers: readonly CarrierRow[],
): (terms: ProductTerms, prices: PriceTable) => BookProduct {
  const names = new Map(carriers.map(({ code, name }) => [code, name]))
  const transit = groupBy(content.transit, ({ productId }) => productId)
  const laneTransit = groupBy(content.laneTransit, ({ productId }) => productId)
  const shared = new Map<string, TransitTime>()
  const weighings = new Map<string, WeighingRule>()
  return (terms, prices) => {
    const { productId, name: productName, carrierCode } = terms
    const days = new Map((transit.get(productId) ?? []).map((row) => [row.zone, daysOf(row, shared)]))
    const zones: (ProductZone | undefined)[] = []
    for (const [zone, { bands, cells, stepCells, at, palletCents }] of prices) {
      const zoneDays = days.get(zone)
      if (zoneDays === undefined) throw new Error(`product ${productId} has no transit time in zone ${zone}`)
      zones[zone] = { bands, cells, stepCells, at, palletCents, transit: zoneDays }
    }
    const lanes = (laneTransit.get(productId) ?? []).map(
      (row) => [laneKey(row.fromGroup, row.toGroup), daysOf(row, shared)] as const,
    )
    return {
      name: { productId, productName, carrierCode, carrierName: names.get(carrierCode) ?? carrierCode },
      terms,
      zones,
      laneTransit: new Map(lanes),
      weighing: weighingOf(terms, weighings),
    }
  }
}

/** One object for equal days: a large card has thousands of zones and a handful of transit times. */
function daysOf({ minDays, maxDays }: TransitTime, shared: Map<string, TransitTime>): TransitTime {
  const key = `${minDays} ${maxDays}`
  const known = shared.get(key) ?? { minDays, maxDays }
  shared.set(key, known)
  return known
}

function weighingOf(terms: ProductTerms, shared: Map<string, WeighingRule>): WeighingRule {
  const { weightStepGrams, volumetricDivisor, kilogramsPerCubicMetre } = terms
  const { kilogramsPerLoadingMetre, documentGrams } = terms
  const rule: WeighingRule = {
    weightStepGrams,
    ...(volumetricDivisor !== undefined && { volumetricDivisor }),
    ...(kilogramsPerCubicMetre !== undefined && { kilogramsPerCubicMetre }),
    ...(kilogramsPerLoadingMetre !== undefined && { kilogramsPerLoadingMetre }),
    ...(documentGrams !== undefined && { documentGrams }),
  }
  const key = JSON.stringify(rule)
  const known = shared.get(key) ?? rule
  shared.set(key, known)
  return known
}

// Working days from dispatch to delivery; the day of dispatch is not counted.
// Source: specification 4.1 rule 4; days per product and zone or lane, extra days per area class at either end.

/** Working days from dispatch; the dispatch day is not counted. */
export type TransitTime = { readonly minDays: number; readonly maxDays: number }

/** Days that the areas at both ends of a route add. */
export function areaDays(
  areaTransit: readonly AreaTransitRow[],
  fromArea: AreaClass,
  toArea: AreaClass,
): TransitTime {
  let [minDays, maxDays] = [0, 0]
  for (const area of [fromArea, toArea]) {
    const extra = areaTransit.find(({ areaClass }) => areaClass === area)
    minDays += extra?.extraMinDays ?? 0
    maxDays += extra?.extraMaxDays ?? 0
  }
  return { minDays, maxDays }
}

/** Two transit times one after the other. */
export function addDays(one: TransitTime, other: TransitTime): TransitTime {
  if (other.maxDays === 0) return one
  return { minDays: one.minDays + other.minDays, maxDays: one.maxDays + other.maxDays }
}
