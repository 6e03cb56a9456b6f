/**
 * Oracle for the lane of a request: groups and areas of both ends, zone, transit time.
 * Rules: docs/rate-card-files.md#zones and #areas.
 */
import type { CapitalRow, ProductTerms, RateCardContent } from '../../../../src/core/rating/rate-card.ts'
import type { RatesRequest } from '../../../../src/core/rating/request.ts'
import { rowOfPlace } from './place.ts'
import type { OracleRoute } from './trigger.ts'

/** The groups and areas of both ends, by the zone chart and area list of a product. '' means no group. */
export function oracleRoute(
  card: RateCardContent,
  terms: ProductTerms,
  capitals: readonly CapitalRow[],
  request: RatesRequest,
  date: string,
): OracleRoute {
  const groups = card.countryGroups.filter(({ zoneChart }) => zoneChart === terms.zoneChart)
  const areas = card.areas.filter(({ areaList }) => areaList === terms.areaList)
  return {
    request,
    date,
    fromGroup: rowOfPlace(groups, capitals, request.from)?.group ?? '',
    toGroup: rowOfPlace(groups, capitals, request.to)?.group ?? '',
    fromArea: rowOfPlace(areas, capitals, request.from)?.areaClass ?? 'NORMAL',
    toArea: rowOfPlace(areas, capitals, request.to)?.areaClass ?? 'NORMAL',
  }
}

/**
 * The zone of the lane. Within a country, the zone of the row '=', unless there is a lane between the groups of both
 * ends.
 */
export function oracleZone(
  card: RateCardContent,
  terms: ProductTerms,
  { request, fromGroup, toGroup }: OracleRoute,
): number | undefined {
  const zoneBetween = (from: string, to: string): number | undefined =>
    card.lanes.find(
      (row) => row.zoneChart === terms.zoneChart && row.fromGroup === from && row.toGroup === to,
    )?.zone
  if (fromGroup === '' || toGroup === '') return undefined
  const between = zoneBetween(fromGroup, toGroup)
  const within = zoneBetween('=', '=')
  if (request.from.country !== request.to.country || within === undefined) return between
  return fromGroup === toGroup ? within : (between ?? within)
}

/** Working days of the lane or, without any, of the zone, plus the extra days of the area at each end. */
export function oracleDays(
  card: RateCardContent,
  { productId, carrierCode }: ProductTerms,
  { fromGroup, toGroup, fromArea, toArea }: OracleRoute,
  zone: number,
): { readonly minDays: number; readonly maxDays: number } {
  const transit =
    card.laneTransit.find(
      (row) => row.productId === productId && row.fromGroup === fromGroup && row.toGroup === toGroup,
    ) ?? card.transit.find((row) => row.productId === productId && row.zone === zone)
  if (transit === undefined) throw new Error(`product ${productId} has no transit time in zone ${zone}`)
  let { minDays, maxDays } = transit
  for (const areaClass of [fromArea, toArea]) {
    const extra =
      card.areaTransit.find((row) => row.areaClass === areaClass && row.carrierCode === carrierCode) ??
      card.areaTransit.find((row) => row.areaClass === areaClass && row.carrierCode === '*')
    minDays += extra?.extraMinDays ?? 0
    maxDays += extra?.extraMaxDays ?? 0
  }
  return { minDays, maxDays }
}
