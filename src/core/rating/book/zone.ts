/**
 * Which price zone a lane falls into.
 * Source: the lanes of a rate card; where an end of the route lies is told by place-table.ts.
 */
import type { LaneRow } from '../rate-card.ts'

/** Zones by pair of groups. */
export type LaneTable = {
  /** The zone within one country; undefined where the chart has no such lane. */
  readonly domestic: number | undefined
  /** By group of origin, then group of destination. */
  readonly zoneOf: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** What stands for "the same country" in a lane. */
export const SAME_COUNTRY = '='

/** Compiles the lanes of one zone chart. */
export function compileLanes(lanes: readonly LaneRow[]): LaneTable {
  const zoneOf = new Map<string, Map<string, number>>()
  for (const { fromGroup, toGroup, zone } of lanes) {
    const own = zoneOf.get(fromGroup) ?? new Map<string, number>()
    zoneOf.set(fromGroup, own.set(toGroup, zone))
  }
  return { domestic: zoneOf.get(SAME_COUNTRY)?.get(SAME_COUNTRY), zoneOf }
}

/** The two ends of a route as a zone chart sees them. */
export type Lane = {
  readonly sameCountry: boolean
  readonly fromGroup: string | undefined
  readonly toGroup: string | undefined
}

/**
 * The zone of a lane; undefined when the chart does not serve it, or lists no group for one of its ends. Within a country the domestic zone holds,
 * unless its ends are in different groups (the mainland and its islands) that have a lane of their own.
 */
export function zoneOfLane(lanes: LaneTable, { sameCountry, fromGroup, toGroup }: Lane): number | undefined {
  if (fromGroup === undefined || toGroup === undefined) return undefined
  const own = lanes.zoneOf.get(fromGroup)?.get(toGroup)
  if (!sameCountry || lanes.domestic === undefined) return own
  return fromGroup === toGroup ? lanes.domestic : (own ?? lanes.domestic)
}
