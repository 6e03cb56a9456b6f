/**
 * Index of a rate card for its checks: products by id, prices by product and zone, zone charts with their groups and
 * zones. Built in one pass over the prices, of which there can be a million.
 */
import { SAME_COUNTRY } from '../../rating/book/route.ts'
import { moneyText } from '../../rating/explain/figure-text.ts'
import {
  isClassPrice,
  type PalletClassRow,
  type PriceRow,
  type ProductTerms,
  type RateCardImport,
  type SizeClassRow,
} from '../../rating/rate-card.ts'

/** The prices of a product in a zone, as indexes of price rows in their order. */
export type PricedZone = {
  readonly zone: number
  /** The index of its first row, for findings about the zone. */
  readonly first: number
  readonly bands: readonly number[]
  readonly pallets: readonly number[]
}

export type Chart = {
  readonly groups: ReadonlySet<string>
  /** The zones of its lanes. */
  readonly zones: ReadonlySet<number>
  readonly hasLanes: boolean
}

export type CardIndex = {
  /** By id. Of two products with the same id, the first. */
  readonly products: ReadonlyMap<number, ProductTerms>
  /** Carriers that have a product in the card. */
  readonly sellers: ReadonlySet<string>
  /** By product, then by zone. Includes products that the card does not have. */
  readonly priced: ReadonlyMap<number, ReadonlyMap<number, PricedZone>>
  readonly charts: ReadonlyMap<string, Chart>
  /** The groups of all zone charts. */
  readonly groups: ReadonlySet<string>
  /** Writes an amount of the card: "12.50 GBP". */
  readonly money: (cents: number) => string
  /** Names of pallet classes by carrier. */
  readonly palletClasses: ReadonlyMap<string, ReadonlySet<string>>
  readonly sizeClasses: readonly SizeClassRow[]
}

/** A row that is for some products of a carrier, or for all. */
export type RowOfProducts = { readonly carrierCode: string; readonly products?: readonly number[] }

/** The products of the card that a row is for. */
export function productsFor(
  { carrierCode, products }: RowOfProducts,
  card: CardIndex,
): readonly ProductTerms[] {
  return [...card.products.values()].filter(
    (terms) => terms.carrierCode === carrierCode && (products?.includes(terms.productId) ?? true),
  )
}

/** The zones that lanes of the zone charts of these products lead to. */
export function zonesOf(products: readonly ProductTerms[], { charts }: CardIndex): ReadonlySet<number> {
  const used = new Set(products.map(({ zoneChart }) => zoneChart))
  return new Set([...used].flatMap((chart) => [...(charts.get(chart)?.zones ?? [])]))
}

export function indexCard({ content }: RateCardImport): CardIndex {
  const products = new Map<number, ProductTerms>()
  for (const terms of content.products)
    if (!products.has(terms.productId)) products.set(terms.productId, terms)
  const charts = chartsOf(content)
  return {
    products,
    sellers: new Set(content.products.map(({ carrierCode }) => carrierCode)),
    priced: priceZones(content.prices),
    charts,
    groups: new Set([...charts.values()].flatMap((chart) => [...chart.groups])),
    money: (cents) => moneyText(cents, content.priceTerms[0]?.currency ?? 'EUR'),
    palletClasses: classNames(content.palletClasses),
    sizeClasses: content.sizeClasses,
  }
}

type GrowingZone = { zone: number; first: number; bands: number[]; pallets: number[] }

function priceZones(prices: readonly PriceRow[]): Map<number, Map<number, GrowingZone>> {
  const priced = new Map<number, Map<number, GrowingZone>>()
  // Rows of the same product and zone are usually adjacent, so the last ones are reused without a lookup.
  let product = Number.NaN
  let zones = new Map<number, GrowingZone>()
  let last: GrowingZone | undefined
  for (let index = 0; index < prices.length; index++) {
    const { productId, zone, unit } = prices[index]!
    if (productId !== product) {
      product = productId
      zones = priced.get(productId) ?? new Map<number, GrowingZone>()
      priced.set(productId, zones)
      last = undefined
    }
    if (last === undefined || last.zone !== zone) {
      last = zones.get(zone) ?? { zone, first: index, bands: [], pallets: [] }
      zones.set(zone, last)
    }
    if (isClassPrice(unit)) last.pallets.push(index)
    else last.bands.push(index)
  }
  return priced
}

function chartsOf({ countryGroups, lanes }: RateCardImport['content']): Map<string, Chart> {
  const charts = new Map<string, { groups: Set<string>; zones: Set<number>; hasLanes: boolean }>()
  const chartOf = (name: string) => {
    const chart = charts.get(name) ?? { groups: new Set<string>(), zones: new Set<number>(), hasLanes: false }
    charts.set(name, chart)
    return chart
  }
  for (const { zoneChart, group } of countryGroups) chartOf(zoneChart).groups.add(group)
  for (const { zoneChart, zone } of lanes) {
    const chart = chartOf(zoneChart)
    chart.zones.add(zone)
    chart.hasLanes = true
  }
  return charts
}

function classNames(rows: readonly PalletClassRow[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>()
  for (const { carrierCode, palletClass } of rows)
    names.set(carrierCode, (names.get(carrierCode) ?? new Set<string>()).add(palletClass))
  return names
}

/** True if a lane of the chart can use the group. */
export function isGroup(chart: Chart, group: string): boolean {
  return group === SAME_COUNTRY || chart.groups.has(group)
}

/** "1201 Classic". */
export function productText({ productId, name }: ProductTerms): string {
  return `${productId} ${name}`
}

/** 'the zone chart "air"', or 'the common zone chart'. */
export function listText(kind: 'zone chart' | 'area list', name: string): string {
  return name === '' ? `the common ${kind}` : `the ${kind} ${JSON.stringify(name)}`
}
