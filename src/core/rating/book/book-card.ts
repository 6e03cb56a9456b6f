/**
 * A compiled version of a rate card. Products with the same carrier, zone chart, area list, units and surcharges
 * form a group, so that a quote determines zone, areas and surcharges once per group.
 */
import { groupBy } from '../../group-by.ts'
import type { RateCardHead } from '../card-version.ts'
import {
  type AreaClass,
  type AreaTransitRow,
  type BookTerms,
  type CarrierRow,
  type InsuranceBandRow,
  type InsuranceRow,
  type PalletClassRow,
  type PriceTerms,
  type RateCardContent,
  type SurchargeRow,
  servicePositions,
  VAT_CHART,
} from '../rate-card.ts'
import { type BookProduct, type RuleTerms, vocabulariesOf } from './book-product.ts'
import { compileLanes, compilePlaces, type LaneTable, type PlaceTable } from './route.ts'
import { compileServices, type PlacedServiceRow, type ServiceOffer } from './service-offer.ts'
import { compileSurcharges, type Surcharge } from './surcharge.ts'

export type BookInsurance = InsuranceRow & {
  /** In ascending order, up to the highest value at least. Empty: the premium is a share of the value. */
  readonly bands: readonly InsuranceBandRow[]
}

export type BookCarrier = {
  readonly code: string
  readonly name: string
  /** Smallest first. */
  readonly palletClasses: readonly PalletClassRow[]
  /** The rows of the carrier before the rows for all carriers. */
  readonly areaTransit: readonly AreaTransitRow[]
  readonly insurance: BookInsurance | undefined
}

/** The tables that determine the zone and the areas of a route: a zone chart and an area list. */
export type RouteTables = {
  readonly lanes: LaneTable
  readonly groups: PlaceTable<string>
  readonly areas: PlaceTable<AreaClass>
}

/** VAT rates by route instead of by price zone: the chart `VAT_CHART`. Empty if the card has none. */
export type VatChart = Pick<RouteTables, 'lanes' | 'groups'> & {
  /** In basis points, by zone of the chart. */
  readonly rates: ReadonlyMap<number, number>
}

/** Products that have zone, areas and surcharges in common, sorted by id. */
export type ProductGroup = {
  readonly card: RateCardHead
  readonly carrier: BookCarrier
  /** Groups of a card with the same zone chart, area list and units share one object. */
  readonly route: RouteTables
  readonly surcharges: readonly Surcharge[]
  /** Those that any of the products offers, in the order of the rows. */
  readonly services: readonly ServiceOffer[]
  /** Undefined if the card is in euro, without VAT, rounded to the cent. */
  readonly priceTerms: PriceTerms | undefined
  /** The VAT rates of transport in basis points, by zone. Zones without a stated rate are absent. */
  readonly vatRates: ReadonlyMap<number, number>
  /** Applies to zones that are not in `vatRates`. */
  readonly vatChart: VatChart
  readonly products: readonly BookProduct[]
}

/** A compiled version of a rate card. */
export type BookCard = RateCardHead & { readonly groups: readonly ProductGroup[] }

export function productsIn({ groups }: BookCard): readonly BookProduct[] {
  return groups.flatMap(({ products }) => products)
}

export type CardContent = Omit<
  RateCardContent,
  'products' | 'prices' | 'transit' | 'laneTransit' | 'sizeClasses' | 'minimumWeights'
>

/**
 * Compiles a version from its compiled products. Throws on an unknown trigger, on a faulty expression, on surcharges
 * that exclude each other in a circle, if prices include VAT and the rate of a zone is not stated, and if insurance
 * bands end below the highest value; `checkRateCard` reports the rows.
 */
export function compileRateCard(
  head: RateCardHead,
  content: CardContent,
  products: readonly BookProduct[],
  carriers: readonly CarrierRow[],
): BookCard {
  const { code, versionNo, audience, validFrom, validTo } = head
  const card: RateCardHead = {
    code,
    versionNo,
    audience,
    validFrom,
    ...(validTo !== undefined && { validTo }),
  }
  const carrierFor = memoized(openCarrierCompiler(content, carriers))
  const lanes = groupBy(content.lanes, ({ zoneChart }) => zoneChart)
  const countryGroups = groupBy(content.countryGroups, ({ zoneChart }) => zoneChart)
  const areas = groupBy(content.areas, ({ areaList }) => areaList)
  const lanesFor = memoized((chart: string) => compileLanes(lanes.get(chart) ?? []))
  const groupsFor = memoized((chart: string) =>
    compilePlaces(countryGroups.get(chart) ?? [], ({ group }) => group),
  )
  const areasFor = memoized((list: string) =>
    compilePlaces(areas.get(list) ?? [], ({ areaClass }) => areaClass),
  )
  const routeFor = memoized((key: string): RouteTables => {
    const [chart, list] = JSON.parse(key) as [string, string]
    return { lanes: lanesFor(chart), groups: groupsFor(chart), areas: areasFor(list) }
  })
  const vatRates = groupBy(content.vatRates, ({ zoneChart }) => zoneChart)
  const vatRatesFor = memoized(
    (chart: string) => new Map((vatRates.get(chart) ?? []).map(({ zone, rateBps }) => [zone, rateBps])),
  )
  const vatChart: VatChart = {
    lanes: lanesFor(VAT_CHART),
    groups: groupsFor(VAT_CHART),
    rates: vatRatesFor(VAT_CHART),
  }
  const priceTerms = content.priceTerms.find(isConverted)
  const wordsFor = memoized((key: string) => {
    const terms = JSON.parse(key) as RuleTerms
    return vocabulariesOf(terms, lanes.get(terms.zoneChart) ?? [])
  })
  const surchargesOf = openSurchargeFinder(content)
  const positions = servicePositions(content.services)
  const services = content.services.map((row, index) => ({ row, position: positions[index]! }))
  const byId = [...products].sort((a, b) => a.terms.productId - b.terms.productId)
  const productGroups = groupBy(byId, ({ terms }) => groupKey(terms, surchargesOf(terms)))
  const groups = [...productGroups.values()].map((members): ProductGroup => {
    const { terms } = members[0]!
    const { carrierCode, zoneChart, areaList, units, sideRounding } = terms
    const words = wordsFor(JSON.stringify({ zoneChart, units, sideRounding } satisfies RuleTerms))
    if (priceTerms?.vatIncluded === true) requireVatRates(members, vatRatesFor(zoneChart))
    return {
      card,
      carrier: carrierFor(carrierCode),
      // Conditions of services, whose results are kept for a route, depend on the units.
      route: routeFor(JSON.stringify([zoneChart, areaList, units, sideRounding])),
      surcharges: compileSurcharges(surchargesOf(terms), words),
      services: compileServices(offeredBy(members, services), words, card.validFrom),
      priceTerms,
      vatRates: vatRatesFor(zoneChart),
      vatChart,
      products: members,
    }
  })
  return { ...card, groups }
}

function requireVatRates(products: readonly BookProduct[], vatRates: ReadonlyMap<number, number>): void {
  for (const { terms, zones } of products)
    for (const [zone, prices] of zones.entries())
      if (prices !== undefined && !vatRates.has(zone))
        throw new Error(`prices of product ${terms.productId} include VAT, but zone ${zone} has no VAT rate`)
}

/** True if the amounts of a card differ from the euro cents of a quote. */
function isConverted({ currency, vatIncluded, roundToCents, percentagesTogether }: PriceTerms): boolean {
  return currency !== 'EUR' || vatIncluded || roundToCents !== 1 || percentagesTogether === true
}

/** Returns a function that finds the surcharges that can apply to a product, in the order of the rows. */
function openSurchargeFinder({ surcharges }: CardContent): (terms: BookTerms) => readonly SurchargeRow[] {
  const listed = surcharges.map((row) => ({ row, products: row.products && new Set(row.products) }))
  const byCarrier = groupBy(listed, ({ row }) => row.carrierCode)
  return ({ carrierCode, productId }) =>
    (byCarrier.get(carrierCode) ?? [])
      .filter(({ products }) => products?.has(productId) ?? true)
      .map(({ row }) => row)
}

/** The rows for any of the products, which are of one carrier. */
function offeredBy(
  products: readonly BookProduct[],
  services: readonly PlacedServiceRow[],
): readonly PlacedServiceRow[] {
  return services.filter(({ row }) =>
    products.some(
      ({ terms }) =>
        terms.carrierCode === row.carrierCode && (row.products?.includes(terms.productId) ?? true),
    ),
  )
}

function groupKey(
  { carrierCode, zoneChart, areaList, units, sideRounding }: BookTerms,
  surcharges: readonly SurchargeRow[],
): string {
  const codes = surcharges.map(({ code, validFrom }) => `${code}@${validFrom}`)
  return JSON.stringify([carrierCode, zoneChart, areaList, units, sideRounding, codes])
}

function openCarrierCompiler(
  content: CardContent,
  carriers: readonly CarrierRow[],
): (carrierCode: string) => BookCarrier {
  const names = new Map(carriers.map((row) => [row.code, row.name]))
  const palletClasses = groupBy(content.palletClasses, ({ carrierCode }) => carrierCode)
  const areaTransit = groupBy(content.areaTransit, ({ carrierCode }) => carrierCode)
  const insurance = groupBy(content.insurance, ({ carrierCode }) => carrierCode)
  const insuranceBands = groupBy(content.insuranceBands, ({ carrierCode }) => carrierCode)
  return (code) => ({
    code,
    name: names.get(code) ?? code,
    palletClasses: (palletClasses.get(code) ?? []).sort(bySize),
    areaTransit: [...(areaTransit.get(code) ?? []), ...(areaTransit.get('*') ?? [])],
    insurance: compileInsurance(insurance.get(code)?.[0], insuranceBands.get(code) ?? []),
  })
}

function compileInsurance(
  terms: InsuranceRow | undefined,
  bands: readonly InsuranceBandRow[],
): BookInsurance | undefined {
  if (terms === undefined) return undefined
  const inOrder = bands.toSorted((a, b) => a.upToCents - b.upToCents)
  const last = inOrder.at(-1)
  if (last !== undefined && last.upToCents < terms.maxValueCents)
    throw new Error(`insurance bands of ${terms.carrierCode} end below the highest value`)
  return { ...terms, bands: inOrder }
}

/** Smallest class first: by spaces, then footprint, height and weight. */
function bySize(a: PalletClassRow, b: PalletClassRow): number {
  return (
    a.spaces - b.spaces ||
    a.longSideCm * a.shortSideCm - b.longSideCm * b.shortSideCm ||
    a.maxHeightCm - b.maxHeightCm ||
    a.maxGrams - b.maxGrams
  )
}

function memoized<Value>(make: (key: string) => Value): (key: string) => Value {
  const made = new Map<string, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
