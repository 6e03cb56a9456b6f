/**
 * The transit times of a card: each zone in which a product has prices has one, and none is for a product, zone
 * or group that the card does not have.
 */
import { daysText } from '../figure-text.ts'
import type { LaneTransitRow, RateCardContent, TransitRow } from '../rate-card.ts'
import { type CardIndex, listText, productText } from './card-index.ts'
import { type Reports, reportDuplicates } from './findings.ts'

/** Checks the days of zones and lanes. */
export function checkTransit(
  { transit, laneTransit }: RateCardContent,
  index: CardIndex,
  reports: Reports,
): void {
  const timed = new Set(transit.map(zoneKey))
  for (const [productId, zones] of index.priced) {
    const terms = index.products.get(productId)
    if (terms === undefined) continue
    for (const { zone, first } of zones.values()) {
      if (timed.has(zoneKey({ productId, zone }))) continue
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
  const expected = `at least the ${daysText(minDays, minDays)} of the minimum`
  fault(table, 'days', { index, field: 'maxDays', expected, found: `${maxDays}` })
}

/** False for a product that is not in the card; said once for a product. */
function checkProduct(
  table: 'transit' | 'laneTransit',
  productId: number,
  index: number,
  said: Set<number>,
  { products }: CardIndex,
  { fault }: Reports,
): boolean {
  if (products.has(productId)) return true
  if (!said.has(productId)) {
    const expected = 'a product of the card'
    fault(table, 'product', { index, field: 'productId', expected, found: String(productId) })
  }
  said.add(productId)
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
    // A chart without any group is said at its product.
    if (chart === undefined || chart.groups.size === 0) return
    for (const field of ['fromGroup', 'toGroup'] as const) {
      // '=' names no lane here: quotes look days up by the groups of the two ends.
      if (chart.groups.has(row[field])) continue
      const expected = `a group that a country has in ${listText('zone chart', zoneChart)}`
      fault('laneTransit', 'group', { index: at, field, expected, found: row[field] })
    }
  })
  const keyOf = ({ productId, fromGroup, toGroup }: LaneTransitRow): string =>
    `${productId} ${fromGroup} to ${toGroup}`
  reportDuplicates(fault, 'laneTransit', rows, keyOf, 'one row for each lane of a product')
}
