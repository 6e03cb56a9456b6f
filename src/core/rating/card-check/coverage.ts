/**
 * Whether lanes and prices meet: every product has prices, each of its declared zones that a lane leads to is
 * priced, and each zone that lanes lead to is priced by some product of their chart.
 */
import type { ProductTerms, RateCardImport } from '../rate-card.ts'
import { type CardIndex, listText, productText } from './card-index.ts'
import type { Reports } from './findings.ts'

/** Checks products against the lanes of their charts, and lanes against the products. */
export function checkCoverage({ content }: RateCardImport, index: CardIndex, reports: Reports): void {
  const incomplete = new Set<string>()
  content.products.forEach((terms, row) => {
    if (index.products.get(terms.productId) !== terms) return
    if (!incomplete.has(terms.zoneChart) && !checkChart(terms, row, index, reports))
      incomplete.add(terms.zoneChart)
    if (checkPriced(terms, row, content, index, reports)) checkDeclared(terms, row, index, reports)
  })
  checkLanesPriced(content, index, reports)
}

/** True when the chart of a product can tell zones; said once for a chart. */
function checkChart(terms: ProductTerms, row: number, { charts }: CardIndex, { fault }: Reports): boolean {
  const chart = charts.get(terms.zoneChart)
  const hasLanes = chart?.hasLanes ?? false
  const hasGroups = (chart?.groups.size ?? 0) > 0
  if (hasLanes && hasGroups) return true
  const lacking = hasLanes ? 'country groups' : hasGroups ? 'lanes' : 'lanes and country groups'
  fault('products', 'chart', {
    index: row,
    field: 'zoneChart',
    expected: `${lacking} in ${listText('zone chart', terms.zoneChart)}, which ${productText(terms)} is sold by`,
  })
  return false
}

function checkPriced(
  terms: ProductTerms,
  row: number,
  { prices }: RateCardImport['content'],
  { priced }: CardIndex,
  { fault }: Reports,
): boolean {
  const zones = priced.get(terms.productId)
  if (zones === undefined) {
    fault('products', 'no price', { index: row, expected: `prices for ${productText(terms)}` })
    return false
  }
  if (terms.pricingBasis !== 'per-100kg') return true
  for (const { bands } of zones.values())
    if (bands.some((index) => prices[index]!.unit === 'PER100KG')) return true
  const expected = `a price with unit PER100KG for ${productText(terms)}, which is priced per 100 kg`
  fault('products', 'no rate', { index: row, field: 'pricingBasis', expected })
  return true
}

function checkDeclared(
  terms: ProductTerms,
  row: number,
  { priced, charts }: CardIndex,
  { fault }: Reports,
): void {
  const zones = priced.get(terms.productId)
  const reached = charts.get(terms.zoneChart)?.zones
  const missing = (terms.zones ?? []).filter((zone) => reached?.has(zone) && !zones?.has(zone))
  if (missing.length === 0) return
  fault('products', 'unpriced zone', {
    index: row,
    field: 'zones',
    expected: `prices for ${productText(terms)} in each of its zones that a lane leads to`,
    found: `none in zone ${missing.join(', ')}`,
  })
}

/** A zone without any price leaves its lanes unserved: said once for a zone, at its first lane. */
function checkLanesPriced({ lanes }: RateCardImport['content'], index: CardIndex, { fault }: Reports): void {
  const pricedZones = new Map<string, Set<number>>()
  for (const { productId, zoneChart } of index.products.values()) {
    const zones = pricedZones.get(zoneChart) ?? new Set<number>()
    pricedZones.set(zoneChart, zones)
    for (const zone of index.priced.get(productId)?.keys() ?? []) zones.add(zone)
  }
  const said = new Set<string>()
  lanes.forEach(({ zoneChart, zone }, row) => {
    const zones = pricedZones.get(zoneChart)
    const cause = zones === undefined ? zoneChart : `${zoneChart} ${zone}`
    if (zones?.has(zone) || said.has(cause)) return
    said.add(cause)
    const chart = listText('zone chart', zoneChart)
    if (zones === undefined) {
      const expected = `a product that is sold by ${chart}`
      fault('lanes', 'unused chart', { index: row, field: 'zoneChart', expected })
    } else {
      const expected = `a product of ${chart} with prices in zone ${zone}, which this lane leads to`
      fault('lanes', 'unpriced zone', { index: row, field: 'zone', expected })
    }
  })
}
