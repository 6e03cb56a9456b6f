/**
 * A compiled product of a rate card: prices and transit times by zone, limits, and the rule for its chargeable weight.
 * Transit times are in working days after the day of dispatch.
 */
import { groupBy } from '../../group-by.ts'
import {
  type AreaClass,
  type AreaTransitRow,
  type BookTerms,
  type CarrierRow,
  CLASSIFYING_BASES,
  type LaneRow,
  type MinimumWeightRow,
  type ProductTerms,
  type RateCardContent,
  type SizeClassRow,
} from '../rate-card.ts'
import type { WeighingRule } from './chargeable-weight.ts'
import { gramsWithin } from './list-units.ts'
import {
  compileMinimumWeight,
  compileSizeClass,
  type MinimumWeight,
  type SizeClass,
} from './minimum-weight.ts'
import type { PriceTable, ZonePrices } from './price-table.ts'
import { type RuleVocabularies, ruleVocabularies } from './rule-vocabulary.ts'

/** How a quote names a product and its carrier. */
export type QuotedProduct = {
  readonly productId: number
  readonly productName: string
  readonly carrierCode: string
  readonly carrierName: string
}

/** In working days; the day of dispatch is not counted. */
export type TransitTime = { readonly minDays: number; readonly maxDays: number }

/** The prices and transit time of a product in one zone. */
export type ProductZone = ZonePrices & { readonly transit: TransitTime }

export type BookProduct = {
  readonly name: QuotedProduct
  readonly terms: BookTerms
  /** By zone number; undefined if the product has no prices in the zone. */
  readonly zones: readonly (ProductZone | undefined)[]
  /** By `laneKey`; takes precedence over the transit time of the zone. */
  readonly laneTransit: ReadonlyMap<string, TransitTime>
  /** Products of a card with equal rules share one object, so that a request is weighed once for all of them. */
  readonly weighing: WeighingRule
  /** In the order of the rows. Empty unless the basis is one of `CLASSIFYING_BASES`. */
  readonly sizeClasses: readonly SizeClass[]
  /** True if a smallest weight depends on the freight class, so that every unit needs one. */
  readonly needsFreightClass: boolean
}

export type ProductContent = Pick<
  RateCardContent,
  'transit' | 'laneTransit' | 'lanes' | 'sizeClasses' | 'minimumWeights'
>

export function laneKey(fromGroup: string, toGroup: string): string {
  return `${fromGroup}>${toGroup}`
}

/**
 * Returns a function that compiles one product of a card. Products are compiled one at a time so that loading a large
 * card does not block the event loop. Throws if a zone with prices has no transit time, and on a faulty expression;
 * `checkRateCard` reports the row.
 */
export function openProductCompiler(
  content: ProductContent,
  carriers: readonly CarrierRow[],
): (terms: ProductTerms, prices: PriceTable) => BookProduct {
  const names = new Map(carriers.map(({ code, name }) => [code, name]))
  const transit = groupBy(content.transit, ({ productId }) => productId)
  const laneTransit = groupBy(content.laneTransit, ({ productId }) => productId)
  const sharedTimes = new Map<string, TransitTime>()
  const sharedRules = new Map<string, WeighingRule>()
  const wordsOf = openVocabularies(content)
  return (terms, prices) => {
    const { productId, name: productName, carrierCode } = terms
    const days = new Map(
      (transit.get(productId) ?? []).map((row) => [row.zone, sharedTransit(row, sharedTimes)]),
    )
    const zones: (ProductZone | undefined)[] = []
    for (const [zone, { bands, cells, stepCells, at, palletCents, classAt }] of prices) {
      const zoneDays = days.get(zone)
      if (zoneDays === undefined) throw new Error(`product ${productId} has no transit time in zone ${zone}`)
      zones[zone] = { bands, cells, stepCells, at, palletCents, classAt, transit: zoneDays }
    }
    const lanes = (laneTransit.get(productId) ?? []).map(
      (row) => [laneKey(row.fromGroup, row.toGroup), sharedTransit(row, sharedTimes)] as const,
    )
    const weighing = weighingOf(terms, content.minimumWeights, wordsOf, sharedRules)
    return {
      name: { productId, productName, carrierCode, carrierName: names.get(carrierCode) ?? carrierCode },
      terms: completeTerms(terms),
      zones,
      laneTransit: new Map(lanes),
      weighing,
      sizeClasses: sizeClassesOf(terms, content.sizeClasses, wordsOf),
      needsFreightClass: weighing.minimums?.some((minimum) => minimum.needsFreightClass) === true,
    }
  }
}

/** Equal transit times share one object, because a large card has thousands of zones and few different times. */
function sharedTransit(
  { minDays, maxDays }: TransitTime,
  sharedTimes: Map<string, TransitTime>,
): TransitTime {
  const key = `${minDays} ${maxDays}`
  const known = sharedTimes.get(key) ?? { minDays, maxDays }
  sharedTimes.set(key, known)
  return known
}

/** Converts limits of weight from the units of the price list to whole grams, the unit of weights in requests. */
function completeTerms(terms: ProductTerms): BookTerms {
  const grams = (weight: number | undefined): number | undefined =>
    weight === undefined ? undefined : gramsWithin(weight, terms.units)
  return {
    productId: terms.productId,
    carrierCode: terms.carrierCode,
    name: terms.name,
    serviceLevel: terms.serviceLevel,
    parcelType: terms.parcelType,
    pricingBasis: terms.pricingBasis,
    zoneChart: terms.zoneChart,
    areaList: terms.areaList,
    zones: terms.zones,
    units: terms.units,
    sideRounding: terms.sideRounding,
    volumetricDivisor: terms.volumetricDivisor,
    kilogramsPerCubicMetre: terms.kilogramsPerCubicMetre,
    kilogramsPerLoadingMetre: terms.kilogramsPerLoadingMetre,
    volumetricPer: terms.volumetricPer,
    weightStepGrams: terms.weightStepGrams,
    heavyOverGrams: terms.heavyOverGrams,
    heavyStepGrams: terms.heavyStepGrams,
    minBilledUnitGrams: terms.minBilledUnitGrams,
    shipmentStepGrams: terms.shipmentStepGrams,
    minBilledShipmentGrams: terms.minBilledShipmentGrams,
    deficitWeight: terms.deficitWeight,
    documentGrams: grams(terms.documentGrams),
    maxUnitGrams: grams(terms.maxUnitGrams),
    maxLengthCm: terms.maxLengthCm,
    maxWidthCm: terms.maxWidthCm,
    maxHeightCm: terms.maxHeightCm,
    maxLengthPlusGirthCm: terms.maxLengthPlusGirthCm,
    maxShipmentGrams: grams(terms.maxShipmentGrams),
    maxUnits: terms.maxUnits,
    scope: terms.scope,
    fromCountries: terms.fromCountries,
    recipient: terms.recipient,
    maxInsuredCents: terms.maxInsuredCents,
    pickupDays: terms.pickupDays,
    cutOffMinutes: terms.cutOffMinutes,
  }
}

/** What the vocabulary of a product depends on. */
export type RuleTerms = { readonly zoneChart: string } & {
  readonly [Field in 'units' | 'sideRounding']?: ProductTerms[Field] | undefined
}

/** `lanes` are those of the zone chart. */
export function vocabulariesOf(
  { units, sideRounding }: RuleTerms,
  lanes: readonly LaneRow[],
): RuleVocabularies {
  return ruleVocabularies({
    zones: new Set(lanes.map(({ zone }) => zone)),
    // checkRateCard reports unknown groups.
    isGroup: () => true,
    units,
    sideRounding,
  })
}

type Vocabularies = (terms: RuleTerms) => RuleVocabularies

/** Few products have rules with expressions, so the lanes are grouped when the first one is compiled. */
function openVocabularies({ lanes }: Pick<RateCardContent, 'lanes'>): Vocabularies {
  let byChart: ReadonlyMap<string, readonly LaneRow[]> | undefined
  return (terms) => {
    byChart ??= groupBy(lanes, ({ zoneChart }) => zoneChart)
    return vocabulariesOf(terms, byChart.get(terms.zoneChart) ?? [])
  }
}

type RowForProducts = { readonly carrierCode: string; readonly products?: readonly number[] }

/** The rows of the carrier that are for the product. */
export function rowsFor<Row extends RowForProducts>(
  rows: readonly Row[],
  { carrierCode, productId }: Pick<ProductTerms, 'carrierCode' | 'productId'>,
): readonly Row[] {
  return rows.filter((row) => row.carrierCode === carrierCode && (row.products?.includes(productId) ?? true))
}

const NO_CLASSES: readonly SizeClass[] = []

function sizeClassesOf(
  terms: ProductTerms,
  rows: readonly SizeClassRow[],
  wordsOf: Vocabularies,
): readonly SizeClass[] {
  if (!CLASSIFYING_BASES.has(terms.pricingBasis)) return NO_CLASSES
  const vocabularies = wordsOf(terms)
  return rowsFor(rows, terms).map((row) => compileSizeClass(row, vocabularies))
}

/** Conditions of smallest weights depend on the route, so rules with them are not shared. */
function weighingOf(
  terms: ProductTerms,
  minimumWeights: readonly MinimumWeightRow[],
  wordsOf: Vocabularies,
  sharedRules: Map<string, WeighingRule>,
): WeighingRule {
  const rows = rowsFor(minimumWeights, terms)
  if (rows.length === 0) return sharedWeighing(terms, sharedRules)
  const vocabularies = wordsOf(terms)
  return weighingRule(
    terms,
    rows.map((row) => compileMinimumWeight(row, vocabularies)),
  )
}

function weighingRule(terms: ProductTerms, minimums: readonly MinimumWeight[] | undefined): WeighingRule {
  return {
    units: terms.units,
    sideRounding: terms.sideRounding,
    volumetricPer: terms.volumetricPer,
    minimums,
    weightStepGrams: terms.weightStepGrams,
    heavyOverGrams: terms.heavyOverGrams,
    heavyStepGrams: terms.heavyStepGrams,
    minBilledUnitGrams: terms.minBilledUnitGrams,
    volumetricDivisor: terms.volumetricDivisor,
    kilogramsPerCubicMetre: terms.kilogramsPerCubicMetre,
    kilogramsPerLoadingMetre: terms.kilogramsPerLoadingMetre,
    documentGrams:
      terms.documentGrams === undefined ? undefined : gramsWithin(terms.documentGrams, terms.units),
  }
}

function sharedWeighing(terms: ProductTerms, sharedRules: Map<string, WeighingRule>): WeighingRule {
  const rule = weighingRule(terms, undefined)
  const key = JSON.stringify(rule)
  const known = sharedRules.get(key) ?? rule
  sharedRules.set(key, known)
  return known
}

/** The working days that the areas at both ends of a route add. `areaTransit` has the rows of the carrier first. */
export function areaDays(
  areaTransit: readonly AreaTransitRow[],
  fromArea: AreaClass,
  toArea: AreaClass,
): TransitTime {
  const from = areaTransit.find(({ areaClass }) => areaClass === fromArea)
  const to = areaTransit.find(({ areaClass }) => areaClass === toArea)
  if (from === undefined && to === undefined) return NO_DAYS
  return {
    minDays: (from?.extraMinDays ?? 0) + (to?.extraMinDays ?? 0),
    maxDays: (from?.extraMaxDays ?? 0) + (to?.extraMaxDays ?? 0),
  }
}

const NO_DAYS: TransitTime = { minDays: 0, maxDays: 0 }

export function addDays(one: TransitTime, other: TransitTime): TransitTime {
  if (other.maxDays === 0) return one
  return { minDays: one.minDays + other.minDays, maxDays: one.maxDays + other.maxDays }
}
