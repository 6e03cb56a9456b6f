/**
 * Checks that lanes, prices and transit times match: every product has prices, in each declared zone that a lane leads
 * to; every zone of a lane has prices of some product; every zone with prices has a transit time.
 */
import { SAME_COUNTRY } from '../../../rating/book/route.ts'
import { daysText } from '../../../rating/explain/figure-text.ts'
import {
  type LaneTransitRow,
  type ProductTerms,
  type RateCardContent,
  type RateCardImport,
  type TransitRow,
  VAT_CHART,
} from '../../../rating/rate-card.ts'
import { type CardIndex, isGroup, listText, productText } from '../card-index.ts'
import { type Reports, reportDuplicates } from '../findings.ts'

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

/** Returns true if the chart of a product has lanes and groups. */
function checkChart(terms: ProductTerms, row: number, { charts }: CardIndex, { fault }: Reports): boolean {
  const chart = charts.get(terms.zoneChart)
  const hasLanes = chart?.hasLanes ?? false
  const hasGroups = (chart?.groups.size ?? 0) > 0
  if (hasLanes && hasGroups) return true
  const missing = hasLanes ? 'country groups' : hasGroups ? 'lanes' : 'lanes and country groups'
  fault('products', 'chart', {
    index: row,
    field: 'zoneChart',
    expected: `${missing} in ${listText('zone chart', terms.zoneChart)}, which ${productText(terms)} uses`,
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

/** Lanes to a zone without prices are not served. Reported once for each zone, at its first lane. */
function checkLanesPriced({ lanes }: RateCardImport['content'], index: CardIndex, { fault }: Reports): void {
  const pricedZones = new Map<string, Set<number>>()
  for (const { productId, zoneChart } of index.products.values()) {
    const zones = pricedZones.get(zoneChart) ?? new Set<number>()
    pricedZones.set(zoneChart, zones)
    for (const zone of index.priced.get(productId)?.keys() ?? []) zones.add(zone)
  }
  const reported = new Set<string>()
  lanes.forEach(({ zoneChart, zone }, row) => {
    const zones = pricedZones.get(zoneChart)
    if (zones === undefined && zoneChart === VAT_CHART) return
    const cause = zones === undefined ? zoneChart : `${zoneChart} ${zone}`
    if (zones?.has(zone) || reported.has(cause)) return
    reported.add(cause)
    const chart = listText('zone chart', zoneChart)
    if (zones === undefined) {
      const expected = `a product that uses ${chart}`
      fault('lanes', 'unused chart', { index: row, field: 'zoneChart', expected })
    } else {
      const expected = `a product of ${chart} with prices in zone ${zone}, which this lane leads to`
      fault('lanes', 'unpriced zone', { index: row, field: 'zone', expected })
    }
  })
}

/** Checks lanes, and warns of groups without a lane. */
export function checkLanes(
  { lanes, countryGroups }: RateCardContent,
  index: CardIndex,
  reports: Reports,
): void {
  const { fault } = reports
  const reported = new Set<string>()
  lanes.forEach((lane, row) => {
    const { zoneChart, fromGroup, toGroup } = lane
    if ((fromGroup === SAME_COUNTRY) !== (toGroup === SAME_COUNTRY)) {
      const found = `${fromGroup} to ${toGroup}`
      const expected = `${SAME_COUNTRY} at both ends (the lane within one country) or at neither`
      const field = fromGroup === SAME_COUNTRY ? 'toGroup' : 'fromGroup'
      fault('lanes', 'half domestic', { index: row, field, expected, found })
    }
    const chart = index.charts.get(zoneChart)
    // checkChart reports a chart without groups.
    if (chart === undefined || chart.groups.size === 0) return
    for (const field of ['fromGroup', 'toGroup'] as const) {
      const group = lane[field]
      const cause = `${zoneChart} ${group}`
      if (isGroup(chart, group) || reported.has(cause)) continue
      reported.add(cause)
      const expected = `a group that a country has in ${listText('zone chart', zoneChart)}`
      fault('lanes', 'unknown group', { index: row, field, expected, found: group })
    }
  })
  reportDuplicates(
    fault,
    'lanes',
    lanes,
    ({ zoneChart, fromGroup, toGroup }) => `${zoneChart} ${fromGroup} to ${toGroup}`.trimStart(),
    'one row for each lane of a chart',
  )
  warnOfIdleGroups({ lanes, countryGroups }, reports)
}

/** Countries of a group without a lane are not served, except within the same country. */
function warnOfIdleGroups(
  { lanes, countryGroups }: Pick<RateCardContent, 'lanes' | 'countryGroups'>,
  { warn }: Reports,
): void {
  const key = (chart: string, group: string): string => JSON.stringify([chart, group])
  const named = new Set<string>()
  const international = new Set<string>()
  for (const { zoneChart, fromGroup, toGroup } of lanes) {
    named.add(key(zoneChart, fromGroup)).add(key(zoneChart, toGroup))
    if (fromGroup !== SAME_COUNTRY) international.add(zoneChart)
  }
  countryGroups.forEach(({ zoneChart, group }, row) => {
    // In a chart with domestic lanes only, groups just list the countries that are served.
    // A group of the VAT chart without a lane has no known VAT.
    if (zoneChart === VAT_CHART) return
    if (!international.has(zoneChart) || named.has(key(zoneChart, group))) return
    named.add(key(zoneChart, group))
    const expected = `a lane from or to the group in ${listText('zone chart', zoneChart)}`
    warn('countryGroups', 'idle group', { index: row, field: 'group', expected, found: `none for ${group}` })
  })
}

/** Checks the transit times of zones and lanes. */
export function checkTransit(
  { transit, laneTransit }: RateCardContent,
  index: CardIndex,
  reports: Reports,
): void {
  const zonesWithTransit = new Set(transit.map(zoneKey))
  for (const [productId, zones] of index.priced) {
    const terms = index.products.get(productId)
    if (terms === undefined) continue
    for (const { zone, first } of zones.values()) {
      if (zonesWithTransit.has(zoneKey({ productId, zone }))) continue
      const expected = `a transit time of ${productText(terms)} in zone ${zone}, which has prices`
      reports.fault('prices', 'no transit', { index: first, field: 'zone', expected })
    }
  }
  const unknown = new Set<number>()
  transit.forEach((row, at) => {
    checkDays('transit', row, at, reports)
    const { productId, zone } = row
    if (!checkProduct('transit', productId, at, unknown, index, reports)) return
    if (index.priced.get(productId)?.has(zone)) return
    const expected = `prices of ${productId} in zone ${zone}, which has a transit time`
    reports.warn('transit', 'no prices', { index: at, field: 'zone', expected })
  })
  reportDuplicates(reports.fault, 'transit', transit, zoneKey, 'one row for each zone of a product')
  checkLaneTransit(laneTransit, index, reports)
}

function zoneKey({ productId, zone }: Pick<TransitRow, 'productId' | 'zone'>): string {
  return `${productId} zone ${zone}`
}

function checkDays(
  table: 'transit' | 'laneTransit',
  { minDays, maxDays }: Pick<TransitRow, 'minDays' | 'maxDays'>,
  index: number,
  { fault }: Reports,
): void {
  if (minDays <= maxDays) return
  const expected = `at least the minimum of ${daysText(minDays, minDays)}`
  fault(table, 'days', { index, field: 'maxDays', expected, found: `${maxDays}` })
}

/** Returns false for a product that is not in the card. Reported once for each product. */
function checkProduct(
  table: 'transit' | 'laneTransit',
  productId: number,
  index: number,
  reported: Set<number>,
  { products }: CardIndex,
  { fault }: Reports,
): boolean {
  if (products.has(productId)) return true
  if (!reported.has(productId)) {
    const expected = 'a product of the card'
    fault(table, 'product', { index, field: 'productId', expected, found: String(productId) })
  }
  reported.add(productId)
  return false
}

function checkLaneTransit(rows: readonly LaneTransitRow[], index: CardIndex, reports: Reports): void {
  const { fault } = reports
  const unknown = new Set<number>()
  rows.forEach((row, at) => {
    checkDays('laneTransit', row, at, reports)
    if (!checkProduct('laneTransit', row.productId, at, unknown, index, reports)) return
    const { zoneChart } = index.products.get(row.productId)!
    const chart = index.charts.get(zoneChart)
    // checkChart reports a chart without groups.
    if (chart === undefined || chart.groups.size === 0) return
    for (const field of ['fromGroup', 'toGroup'] as const) {
      // '=' is not allowed here, because transit times are looked up by the groups of both ends.
      if (chart.groups.has(row[field])) continue
      const expected = `a group that a country has in ${listText('zone chart', zoneChart)}`
      fault('laneTransit', 'group', { index: at, field, expected, found: row[field] })
    }
  })
  const keyOf = ({ productId, fromGroup, toGroup }: LaneTransitRow): string =>
    `${productId} ${fromGroup} to ${toGroup}`
  reportDuplicates(fault, 'laneTransit', rows, keyOf, 'one row for each lane of a product')
}
