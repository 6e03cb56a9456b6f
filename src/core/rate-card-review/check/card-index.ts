/**
 * A rate card as its checks look at it: products by id, prices by product and zone, charts with their groups and
 * zones. Made once, in one pass over the prices, which may be a million.
 */

import { SAME_COUNTRY } from '../../rating/book/zone.ts'
import type { PalletClassRow, PriceRow, ProductTerms, RateCardImport } from '../../rating/rate-card.ts'

/** The prices of a product in a zone, as indexes of price rows in the order they are listed. */
export type PricedZone = {
  readonly zone: number
  /** The first row, which stands for the zone in findings. */
  readonly first: number
  readonly bands: readonly number[]
  readonly pallets: readonly number[]
}

/** A zone chart. */
export type Chart = {
  readonly groups: ReadonlySet<string>
  /** The zones its lanes lead to. */
  readonly zones: ReadonlySet<number>
  readonly hasLanes: boolean
}

/** What the checks look things up in. The first of two products with one id counts. */
export type CardIndex = {
  readonly products: ReadonlyMap<number, ProductTerms>
  /** Carriers that have a product in the card. */
  readonly sellers: ReadonlySet<string>
  /** By product, then zone; products that are not in the card included. */
  readonly priced: ReadonlyMap<number, ReadonlyMap<number, PricedZone>>
  readonly charts: ReadonlyMap<string, Chart>
  /** Names of pallet classes by carrier. */
  readonly palletClasses: ReadonlyMap<string, ReadonlySet<string>>
}

/** Indexes a card. */
export function indexCard({ content }: RateCardImport): CardIndex {
  const products = new Map<number, ProductTerms>()
  for (const terms of content.products)
    if (!products.has(terms.productId)) products.set(terms.productId, terms)
  return {
    products,
    sellers: new Set(content.products.map(({ carrierCode }) => carrierCode)),
    priced: priceZones(content.prices),
    charts: chartsOf(content),
    palletClasses: classNames(content.palletClasses),
  }
}

type GrowingZone = { zone: number; first: number; bands: number[]; pallets: number[] }

function priceZones(prices: readonly PriceRow[]): Map<number, Map<number, GrowingZone>> {
  const priced = new Map<number, Map<number, GrowingZone>>()
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
    if (unit === 'PALLET') last.pallets.push(index)
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

/** True for a group that a lane of the chart may name. */
export function isGroup(chart: Chart, group: string): boolean {
  return group === SAME_COUNTRY || chart.groups.has(group)
}

/** How messages name a product: "1201 Classic". */
export function productText({ productId, name }: ProductTerms): string {
  return `${productId} ${name}`
}

/** How messages name a chart or list: "the zone chart 'air'", or "the common zone chart". */
export function listText(kind: 'zone chart' | 'area list', name: string): string {
  return name === '' ? `the common ${kind}` : `the ${kind} ${JSON.stringify(name)}`
}
